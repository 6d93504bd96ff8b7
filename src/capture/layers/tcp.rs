//! TCP (RFC 9293).

use super::note::{Header, LayerNoteKind};
use super::piece::Piece;
use super::walk::Addresses;
use crate::capture::file::Packet;
use crate::capture::{Endpoint, Segment};

pub(super) const PROTOCOL: u8 = 6;
/// The length of the fixed part of the header.
const FIXED: usize = 20;
const FIN: u8 = 1;
const SYN: u8 = 1 << 1;
const RST: u8 = 1 << 2;
const ACK: u8 = 1 << 4;

/// A segment, as its header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TcpSegment<'d> {
    addresses: Addresses,
    head: &'d [u8; FIXED],
    payload: &'d [u8],
    length: u32,
}

impl<'d> TcpSegment<'d> {
    #[inline]
    pub fn new(piece: Piece<'d>, addresses: Addresses) -> Result<TcpSegment<'d>, LayerNoteKind> {
        let head: &[u8; FIXED] = piece.head(Header::Tcp)?;
        let offset = usize::from(head[12] >> 4) * 4;
        if offset < FIXED || offset > piece.wire {
            return Err(LayerNoteKind::DataOffset { offset, length: piece.wire });
        }
        // Nothing is lost if the options are cut off.
        let data = piece.after(offset);
        Ok(TcpSegment { addresses, head, payload: data.data, length: data.wire as u32 })
    }

    #[inline]
    pub fn of<'p>(self, packet: &Packet<'_>) -> Segment<'p>
    where
        'd: 'p,
    {
        let head = self.head;
        let u16_at = |at: usize| u16::from_be_bytes([head[at], head[at + 1]]);
        let u32_at = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let flags = head[13];
        Segment {
            packet: packet.number,
            time: packet.time,
            source: Endpoint { address: self.addresses.source, port: u16_at(0) },
            destination: Endpoint { address: self.addresses.destination, port: u16_at(2) },
            sequence: u32_at(4),
            acknowledgment: (flags & ACK != 0).then(|| u32_at(8)),
            syn: flags & SYN != 0,
            fin: flags & FIN != 0,
            rst: flags & RST != 0,
            payload: self.payload,
            length: self.length,
        }
    }
}
