//! Interface description blocks.

use pcap_parser::{OptionCode, parse_interfacedescriptionblock_be, parse_interfacedescriptionblock_le};

use super::resolution::Resolution;

/// What a section says of an interface.
#[derive(Clone, Copy)]
pub(super) struct Interface {
    pub link_type: u16,
    pub resolution: Resolution,
    /// The most that was captured of a packet, unless 0. Only packets that do not say what was captured of them need it.
    pub snap_length: u32,
}

impl Interface {
    /// What a block says, which is complete.
    pub fn new(block: &[u8], big_endian: bool) -> Option<Interface> {
        let parse =
            if big_endian { parse_interfacedescriptionblock_be } else { parse_interfacedescriptionblock_le };
        let (_, description) = parse(block).ok()?;
        // The parser reads the offset as little-endian whatever the section is.
        let offset = description.options.iter().find(|option| option.code == OptionCode::IfTsoffset);
        let offset = offset.and_then(|option| option.value().first_chunk()).map_or(0, |bytes| {
            if big_endian { i64::from_be_bytes(*bytes) } else { i64::from_le_bytes(*bytes) }
        });
        Some(Interface {
            link_type: description.linktype.0 as u16,
            resolution: Resolution::new(description.if_tsresol, offset),
            snap_length: description.snaplen,
        })
    }
}
