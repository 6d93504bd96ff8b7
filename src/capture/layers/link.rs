//! Link layers, and the tags between them and IP.

use super::note::{Header, LayerNoteKind};
use super::piece::Piece;
use super::ppp;
use super::walk::{Layer, OTHER, Step};

/// Ethernet, as a link type.
pub(super) const ETHERNET: Layer = Layer::Link(1);
/// Ethernet where an EtherType stands: Transparent Ethernet Bridging.
pub(super) const BRIDGED: u16 = 0x6558;
/// Smaller numbers are lengths, of 802.3 frames.
const LEAST_ETHER_TYPE: u16 = 0x0600;

/// What a packet of a link type begins with.
#[inline]
pub(super) fn link(link_type: u16, piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    Ok(match link_type {
        1 => {
            let head: &[u8; 14] = piece.head(Header::Link)?;
            let layer = match u16::from_be_bytes([head[12], head[13]]) {
                0..LEAST_ETHER_TYPE => Layer::Llc,
                ether_type => Layer::EtherType(ether_type),
            };
            Step::Into(layer, piece.after(14))
        }
        // BSD loopback: the address family in the order of the host, or of the network.
        0 | 108 => {
            let family = *piece.head(Header::Link)?;
            let family = u32::from_be_bytes(family).min(u32::from_le_bytes(family));
            let layer = match family {
                2 => Layer::Ipv4,
                // Linux, NetBSD, FreeBSD, Darwin.
                10 | 24 | 28 | 30 => Layer::Ipv6,
                _ => return OTHER,
            };
            Step::Into(layer, piece.after(4))
        }
        // Linux cooked.
        113 => {
            let head: &[u8; 16] = piece.head(Header::Link)?;
            return cooked(u16::from_be_bytes([head[14], head[15]]), piece.after(16));
        }
        276 => {
            let head: &[u8; 20] = piece.head(Header::Link)?;
            return cooked(u16::from_be_bytes([head[0], head[1]]), piece.after(20));
        }
        // Raw IP. The first two are what some systems call it.
        12 | 14 | 101 => Step::Into(Layer::Ip, piece),
        228 => Step::Into(Layer::Ipv4, piece),
        229 => Step::Into(Layer::Ipv6, piece),
        9 => Step::Into(Layer::Ppp, piece),
        // PPP in HDLC-like framing, or Cisco's, told apart by the address.
        50 | 104 => match piece.head::<4>(Header::Link)? {
            [0x0f | 0x8f, _, high, low] => {
                Step::Into(Layer::EtherType(u16::from_be_bytes([*high, *low])), piece.after(4))
            }
            _ => Step::Into(Layer::Ppp, piece),
        },
        51 => Step::Into(Layer::EtherType(ppp::SESSION), piece),
        _ => return Err(LayerNoteKind::UnknownLinkType(link_type)),
    })
}

fn cooked(protocol: u16, piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    match protocol {
        4 => Ok(Step::Into(Layer::Llc, piece)),
        // Other small numbers are protocols that only Linux has.
        0..LEAST_ETHER_TYPE => OTHER,
        _ => Ok(Step::Into(Layer::EtherType(protocol), piece)),
    }
}

/// What an EtherType says.
#[inline]
pub(super) fn ether_type(ether_type: u16, piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    Ok(match ether_type {
        0x0800 => Step::Into(Layer::Ipv4, piece),
        0x86dd => Step::Into(Layer::Ipv6, piece),
        // VLAN tags: 802.1Q, 802.1ad, and what came before 802.1ad.
        0x8100 | 0x88a8 | 0x9100 => {
            let [_, _, high, low] = *piece.head(Header::Vlan)?;
            let layer = match u16::from_be_bytes([high, low]) {
                0..LEAST_ETHER_TYPE => Layer::Llc,
                inner => Layer::EtherType(inner),
            };
            Step::Into(layer, piece.after(4))
        }
        0x8847 | 0x8848 => Step::Into(Layer::Mpls, piece),
        ppp::SESSION => return ppp::session(piece),
        ppp::ETHER_TYPE => Step::Into(Layer::Ppp, piece),
        BRIDGED => Step::Into(ETHERNET, piece),
        _ => return OTHER,
    })
}

/// 802.2, of which only SNAP carries IP.
pub(super) fn llc(piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    match piece.data.first_chunk::<8>() {
        Some([0xaa, 0xaa, 0x03, 0, 0, 0, high, low]) => {
            Ok(Step::Into(Layer::EtherType(u16::from_be_bytes([*high, *low])), piece.after(8)))
        }
        _ => OTHER,
    }
}
