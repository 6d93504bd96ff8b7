//! The blocks that packets come in.

use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{
    parse_enhancedpacketblock_be, parse_enhancedpacketblock_le, parse_simplepacketblock_be,
    parse_simplepacketblock_le,
};

/// The kinds of blocks that have a packet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PacketBlockKind {
    Enhanced,
    Simple,
    /// The kind that the enhanced one replaced.
    Obsolete,
}

impl PacketBlockKind {
    pub fn of(block_type: u32) -> Option<PacketBlockKind> {
        match block_type {
            2 => Some(PacketBlockKind::Obsolete),
            3 => Some(PacketBlockKind::Simple),
            6 => Some(PacketBlockKind::Enhanced),
            _ => None,
        }
    }

    /// Where in the block the packet begins.
    pub fn data_at(self) -> usize {
        if self == PacketBlockKind::Simple { 12 } else { 28 }
    }
}

/// What a block says of its packet.
#[derive(Clone, Copy)]
pub(super) struct PacketBlock {
    pub interface: u32,
    /// In units of its interface.
    pub time: Option<u64>,
    /// As many bytes as there can be, if the block does not say.
    pub captured: u32,
    pub original: u32,
}

impl PacketBlock {
    /// What a block says, which is complete.
    pub fn whole(kind: PacketBlockKind, block: &[u8], big_endian: bool) -> Option<PacketBlock> {
        match kind {
            PacketBlockKind::Enhanced => {
                let parse =
                    if big_endian { parse_enhancedpacketblock_be } else { parse_enhancedpacketblock_le };
                let (_, packet) = parse(block).ok()?;
                Some(PacketBlock {
                    interface: packet.if_id,
                    time: Some(u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low)),
                    captured: packet.caplen,
                    original: packet.origlen,
                })
            }
            PacketBlockKind::Simple => {
                let parse = if big_endian { parse_simplepacketblock_be } else { parse_simplepacketblock_le };
                let (_, packet) = parse(block).ok()?;
                let captured = packet.packet_data().len() as u32;
                Some(PacketBlock { interface: 0, time: None, captured, original: packet.origlen })
            }
            PacketBlockKind::Obsolete => {
                let packet = PacketBlock::cut(kind, block, big_endian)?;
                let room = block.len().checked_sub(kind.data_at() + 4)?;
                (packet.captured as usize <= room).then_some(packet)
            }
        }
    }

    /// What a block says of which there may be the beginning only.
    pub fn cut(kind: PacketBlockKind, block: &[u8], big_endian: bool) -> Option<PacketBlock> {
        if block.len() < kind.data_at() {
            return None;
        }
        let word = |at: usize| {
            let bytes = [block[at], block[at + 1], block[at + 2], block[at + 3]];
            if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
        };
        Some(match kind {
            PacketBlockKind::Simple => {
                // What follows the head and is not the length that ends the block.
                let room = word(4).saturating_sub(16);
                PacketBlock { interface: 0, time: None, captured: word(8).min(room), original: word(8) }
            }
            _ => PacketBlock {
                interface: match kind {
                    // The second half counts packets that were dropped.
                    PacketBlockKind::Obsolete if big_endian => word(8) >> 16,
                    PacketBlockKind::Obsolete => word(8) & 0xffff,
                    _ => word(8),
                },
                time: Some(u64::from(word(12)) << 32 | u64::from(word(16))),
                captured: word(20),
                original: word(24),
            },
        })
    }
}
