//! Tunnels in UDP: VXLAN (RFC 7348) and Geneve (RFC 8926), known by their ports.

use etherparse::UdpHeaderSlice;

use super::link::ETHERNET;
use super::piece::Piece;
use super::walk::{Found, Layer, Step};

pub(super) const PROTOCOL: u8 = 17;
const HEADER: usize = 8;

/// What is not such a tunnel is nothing to be looked at, and neither is one that is broken: it may be anything else on that port.
pub(super) fn udp(piece: Piece<'_>) -> Step<'_> {
    tunnel(piece).unwrap_or(Step::Found(Found::Other))
}

fn tunnel(piece: Piece<'_>) -> Option<Step<'_>> {
    let header = UdpHeaderSlice::from_slice(piece.data).ok()?;
    let inner = piece.after(HEADER);
    match header.destination_port() {
        // The second is what Linux used before there was a number.
        4789 | 8472 => {
            let head: &[u8; 8] = inner.data.first_chunk()?;
            let has_network = head[0] & 0x08 != 0;
            has_network.then(|| Step::Into(ETHERNET, inner.after(8)))
        }
        6081 => {
            let head: &[u8; 8] = inner.data.first_chunk()?;
            let is_version_0 = head[0] >> 6 == 0;
            let options = usize::from(head[0] & 0x3f) * 4;
            let protocol = u16::from_be_bytes([head[2], head[3]]);
            is_version_0.then(|| Step::Into(Layer::EtherType(protocol), inner.after(8 + options)))
        }
        _ => None,
    }
}
