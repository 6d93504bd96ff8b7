//! PPP (RFC 1661, RFC 1662) and PPPoE (RFC 2516).

use super::note::{Header, LayerNoteKind};
use super::piece::Piece;
use super::walk::{Layer, OTHER, Step};

/// The EtherType of a PPPoE session.
pub(super) const SESSION: u16 = 0x8864;
/// The EtherType of PPP itself, which GRE uses.
pub(super) const ETHER_TYPE: u16 = 0x880b;

/// PPP, with or without address and control, its protocol in one byte or two.
pub(super) fn ppp(piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    let piece = if piece.data.starts_with(&[0xff, 0x03]) { piece.after(2) } else { piece };
    let [first] = *piece.head(Header::Ppp)?;
    let (protocol, piece) = if first & 1 == 1 {
        (u16::from(first), piece.after(1))
    } else {
        (u16::from_be_bytes(*piece.head(Header::Ppp)?), piece.after(2))
    };
    match protocol {
        0x0021 => Ok(Step::Into(Layer::Ipv4, piece)),
        0x0057 => Ok(Step::Into(Layer::Ipv6, piece)),
        0x0281 | 0x0283 => Ok(Step::Into(Layer::Mpls, piece)),
        _ => OTHER,
    }
}

/// The head of a PPPoE session's packet.
pub(super) fn session(piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    match piece.head::<6>(Header::Ppp)? {
        // Version and type are 1, and 0 is the code of data.
        [0x11, 0, ..] => Ok(Step::Into(Layer::Ppp, piece.after(6))),
        _ => OTHER,
    }
}
