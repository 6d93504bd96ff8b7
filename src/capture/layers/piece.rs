//! What is left of a packet, and how much was left on the wire.

use super::note::{Header, LayerNoteKind};

/// What is left of a packet.
#[derive(Clone, Copy)]
pub(super) struct Piece<'d> {
    /// What was captured of it.
    pub data: &'d [u8],
    /// How many bytes it had on the wire, as many as were captured or more.
    pub wire: usize,
}

impl<'d> Piece<'d> {
    /// The first bytes, which are part of a header.
    #[inline]
    pub fn head<const N: usize>(&self, header: Header) -> Result<&'d [u8; N], LayerNoteKind> {
        self.data.first_chunk().ok_or_else(|| self.short(header, N))
    }

    /// What follows a header.
    #[inline]
    pub fn after(&self, len: usize) -> Piece<'d> {
        let (data, wire) = (self.data.get(len..).unwrap_or_default(), self.wire.saturating_sub(len));
        Piece { data, wire }
    }

    /// What a length on the wire says is all.
    #[inline]
    pub fn limit(&self, wire: usize) -> Piece<'d> {
        Piece { data: self.data.get(..wire).unwrap_or(self.data), wire }
    }

    /// Why there is no header of `wanted` bytes.
    #[cold]
    pub fn short(&self, header: Header, wanted: usize) -> LayerNoteKind {
        if self.wire < wanted {
            LayerNoteKind::HeaderTooLong { header, wanted, found: self.wire }
        } else {
            LayerNoteKind::HeaderCut { header, wanted, found: self.data.len() }
        }
    }
}
