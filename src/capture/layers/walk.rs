//! From a layer to the one in it, down to TCP.

use std::net::IpAddr;

use super::fragments::Fragment;
use super::note::LayerNoteKind;
use super::piece::Piece;
use super::tcp::{self, TcpSegment};
use super::{gre, ip, link, mpls, ppp, udp};

/// So many IP headers may be in each other.
pub(super) const MOST_TUNNELS: usize = 8;
/// So many layers may be in each other, each tag being one.
const MOST_LAYERS: usize = 64;

/// What a piece of a packet is.
#[derive(Clone, Copy)]
pub(super) enum Layer {
    /// What a link type says.
    Link(u16),
    /// What an EtherType says.
    EtherType(u16),
    /// 802.2.
    Llc,
    Mpls,
    Ppp,
    Ipv4,
    Ipv6,
    /// IP of the version that its first half byte tells.
    Ip,
    /// What an IP protocol number says.
    Protocol(u8, Addresses),
}

/// The ends of an IP datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Addresses {
    pub source: IpAddr,
    pub destination: IpAddr,
}

/// What follows from a layer.
pub(super) enum Step<'d> {
    Into(Layer, Piece<'d>),
    Found(Found<'d>),
}

/// What there is in the innermost layer.
pub(super) enum Found<'d> {
    Segment(TcpSegment<'d>),
    Fragment(Fragment<'d>),
    /// Something that is not TCP.
    Other,
}

/// Nothing to be looked at.
pub(super) const OTHER: Result<Step<'static>, LayerNoteKind> = Ok(Step::Found(Found::Other));

/// Goes from layer to layer. `offload` is set where IP does not say a length.
#[inline]
pub(super) fn walk<'d>(
    mut layer: Layer,
    mut piece: Piece<'d>,
    offload: &mut bool,
) -> Result<Found<'d>, LayerNoteKind> {
    let mut tunnels = 0;
    for _ in 0..MOST_LAYERS {
        let step = match layer {
            Layer::Link(link_type) => link::link(link_type, piece)?,
            Layer::EtherType(ether_type) => link::ether_type(ether_type, piece)?,
            Layer::Llc => link::llc(piece)?,
            Layer::Mpls => mpls::labels(piece)?,
            Layer::Ppp => ppp::ppp(piece)?,
            Layer::Ip => ip::either(piece)?,
            Layer::Ipv4 | Layer::Ipv6 => {
                tunnels += 1;
                if tunnels > MOST_TUNNELS {
                    break;
                }
                match layer {
                    Layer::Ipv4 => ip::v4(piece, offload)?,
                    _ => ip::v6(piece, offload)?,
                }
            }
            Layer::Protocol(tcp::PROTOCOL, addresses) => {
                return Ok(Found::Segment(TcpSegment::new(piece, addresses)?));
            }
            Layer::Protocol(gre::PROTOCOL, _) => gre::gre(piece)?,
            Layer::Protocol(udp::PROTOCOL, _) => udp::udp(piece),
            Layer::Protocol(protocol, addresses) => ip::protocol(protocol, addresses, piece)?,
        };
        match step {
            Step::Into(inner, rest) => (layer, piece) = (inner, rest),
            Step::Found(found) => return Ok(found),
        }
    }
    Err(LayerNoteKind::TooDeep)
}
