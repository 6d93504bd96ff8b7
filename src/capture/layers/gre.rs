//! GRE (RFC 2784, RFC 2890, and RFC 1701 for the routing that they dropped), PPTP's form of it (RFC 2637), and ERSPAN.

use super::link::ETHERNET;
use super::note::{Header, LayerNoteKind};
use super::piece::Piece;
use super::ppp;
use super::walk::{Layer, OTHER, Step};

pub(super) const PROTOCOL: u8 = 47;
const CHECKSUM: u16 = 1 << 15;
const ROUTING: u16 = 1 << 14;
const KEY: u16 = 1 << 13;
const SEQUENCE: u16 = 1 << 12;
/// PPTP's only.
const ACKNOWLEDGMENT: u16 = 1 << 7;
const ERSPAN_2: u16 = 0x88be;
const ERSPAN_3: u16 = 0x22eb;

pub(super) fn gre(piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    let head: &[u8; 4] = piece.head(Header::Gre)?;
    let flags = u16::from_be_bytes([head[0], head[1]]);
    let protocol = u16::from_be_bytes([head[2], head[3]]);
    let has = |flag: u16| flags & flag != 0;
    let words = |each: &[bool]| 4 * each.iter().filter(|is_there| **is_there).count();
    match flags & 7 {
        0 => {
            let optional = words(&[has(CHECKSUM) || has(ROUTING), has(KEY), has(SEQUENCE)]);
            let mut inner = piece.after(4 + optional);
            if has(ROUTING) {
                inner = routes(inner)?;
            }
            Ok(match protocol {
                // Without a sequence number it is the first version, which has no head.
                ERSPAN_2 => Step::Into(ETHERNET, if has(SEQUENCE) { inner.after(8) } else { inner }),
                ERSPAN_3 => {
                    let head: &[u8; 12] = inner.head(Header::Gre)?;
                    let has_more = head[11] & 1 == 1;
                    Step::Into(ETHERNET, inner.after(if has_more { 20 } else { 12 }))
                }
                _ => Step::Into(Layer::EtherType(protocol), inner),
            })
        }
        1 if protocol == ppp::ETHER_TYPE => {
            let optional = words(&[has(KEY), has(SEQUENCE), has(ACKNOWLEDGMENT)]);
            let inner = piece.after(4 + optional);
            // One that only acknowledges has no data.
            if has(SEQUENCE) { Ok(Step::Into(Layer::Ppp, inner)) } else { OTHER }
        }
        _ => OTHER,
    }
}

/// What follows the list of routes.
fn routes(mut piece: Piece<'_>) -> Result<Piece<'_>, LayerNoteKind> {
    loop {
        let [family_high, family_low, _, length] = *piece.head(Header::Gre)?;
        piece = piece.after(4 + usize::from(length));
        if (family_high, family_low, length) == (0, 0, 0) {
            return Ok(piece);
        }
    }
}
