//! MPLS (RFC 3032), and Ethernet in it (RFC 4448).

use super::link::ETHERNET;
use super::note::{Header, LayerNoteKind};
use super::piece::Piece;
use super::walk::{Layer, Step};

/// A stack of labels. Nothing in it says what follows; the first half byte does.
pub(super) fn labels(mut piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    loop {
        let label: &[u8; 4] = piece.head(Header::Mpls)?;
        let is_last = label[2] & 1 == 1;
        piece = piece.after(4);
        if is_last {
            break;
        }
    }
    let [first] = *piece.head(Header::Mpls)?;
    Ok(match first >> 4 {
        4 => Step::Into(Layer::Ipv4, piece),
        6 => Step::Into(Layer::Ipv6, piece),
        // A control word, or an address that begins like one.
        0 if !is_ethernet(piece.data) => Step::Into(ETHERNET, piece.after(4)),
        _ => Step::Into(ETHERNET, piece),
    })
}

/// Whether an EtherType that leads to IP stands where Ethernet has it.
fn is_ethernet(data: &[u8]) -> bool {
    matches!(data.get(12..14), Some([8, 0] | [0x86, 0xdd] | [0x81, 0] | [0x88, 0xa8] | [0x91, 0]))
}
