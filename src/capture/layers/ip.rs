//! IPv4 (RFC 791), IPv6 (RFC 8200), and the headers between them and TCP.

use etherparse::err::{ipv4, ipv6};
use etherparse::{Ipv4HeaderSlice, Ipv6HeaderSlice};

use super::fragments::{Fragment, Key};
use super::note::{Header, LayerNoteKind};
use super::piece::Piece;
use super::tcp;
use super::walk::{Addresses, Found, Layer, OTHER, Step};

/// The longest frame that may be nothing but padded to the length that Ethernet needs, with tags.
const MOST_PADDED: usize = 64;
const IPV6_HEADER: usize = 40;

/// IP of either version.
pub(super) fn either(piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    let [first] = *piece.head(Header::Link)?;
    match first >> 4 {
        4 => Ok(Step::Into(Layer::Ipv4, piece)),
        6 => Ok(Step::Into(Layer::Ipv6, piece)),
        _ => OTHER,
    }
}

#[inline]
pub(super) fn v4<'d>(piece: Piece<'d>, offload: &mut bool) -> Result<Step<'d>, LayerNoteKind> {
    let header = Ipv4HeaderSlice::from_slice(piece.data).map_err(|error| match error {
        ipv4::HeaderSliceError::Len(error) => piece.short(Header::Ipv4, error.required_len),
        ipv4::HeaderSliceError::Content(ipv4::HeaderError::UnexpectedVersion { version_number }) => {
            LayerNoteKind::IpVersion { announced: 4, found: version_number }
        }
        ipv4::HeaderSliceError::Content(ipv4::HeaderError::HeaderLengthSmallerThanHeader { ihl }) => {
            LayerNoteKind::HeaderLength { length: usize::from(ihl) * 4 }
        }
    })?;
    let (length, total) = (header.slice().len(), usize::from(header.total_len()));
    let protocol = header.protocol().0;
    let datagram = if total == 0 || total < length + 60 && is_offloaded(piece, length, total, protocol) {
        *offload = true;
        piece
    } else if total < length {
        return Err(LayerNoteKind::TotalLength { length: total, header: length });
    } else {
        piece.limit(total)
    };
    let inner = datagram.after(length);
    let addresses =
        Addresses { source: header.source_addr().into(), destination: header.destination_addr().into() };
    if header.is_fragmenting_payload() {
        return Ok(Step::Found(Found::Fragment(Fragment {
            key: Key { addresses, identification: u32::from(header.identification()), protocol },
            protocol,
            offset: usize::from(header.fragments_offset().value()) * 8,
            more: header.more_fragments(),
            piece: inner,
        })));
    }
    Ok(Step::Into(Layer::Protocol(protocol, addresses), inner))
}

/// Whether a length is too small for the headers alone, and there is more than padding.
fn is_offloaded(piece: Piece<'_>, length: usize, total: usize, protocol: u8) -> bool {
    if protocol != tcp::PROTOCOL || piece.data.len() <= MOST_PADDED {
        return false;
    }
    let headers = piece.data.get(length + 12).map_or(0, |byte| length + usize::from(byte >> 4) * 4);
    total < headers && headers <= piece.data.len()
}

#[inline]
pub(super) fn v6<'d>(piece: Piece<'d>, offload: &mut bool) -> Result<Step<'d>, LayerNoteKind> {
    let header = Ipv6HeaderSlice::from_slice(piece.data).map_err(|error| match error {
        ipv6::HeaderSliceError::Len(error) => piece.short(Header::Ipv6, error.required_len),
        ipv6::HeaderSliceError::Content(ipv6::HeaderError::UnexpectedVersion { version_number }) => {
            LayerNoteKind::IpVersion { announced: 6, found: version_number }
        }
    })?;
    let protocol = header.next_header().0;
    let mut inner = piece.after(IPV6_HEADER);
    match usize::from(header.payload_length()) {
        // Also what a jumbogram has there (RFC 2675), which Linux makes for itself when it batches segments.
        0 => *offload |= protocol != NO_NEXT_HEADER,
        length => inner = inner.limit(length),
    }
    let addresses =
        Addresses { source: header.source_addr().into(), destination: header.destination_addr().into() };
    Ok(Step::Into(Layer::Protocol(protocol, addresses), inner))
}

const IPV6_FRAGMENT: u8 = 44;
const NO_NEXT_HEADER: u8 = 59;

/// What an IP protocol number says, unless it is TCP, UDP or GRE.
pub(super) fn protocol(
    protocol: u8,
    addresses: Addresses,
    piece: Piece<'_>,
) -> Result<Step<'_>, LayerNoteKind> {
    match protocol {
        4 => Ok(Step::Into(Layer::Ipv4, piece)),
        41 => Ok(Step::Into(Layer::Ipv6, piece)),
        137 => Ok(Step::Into(Layer::Mpls, piece)),
        // Hop-by-hop options, routing, destination options, mobility, host identity, shim6.
        0 | 43 | 60 | 135 | 139 | 140 => {
            let [next, length] = *piece.head(Header::Extension)?;
            extension(next, addresses, piece, (usize::from(length) + 1) * 8)
        }
        // Authentication counts in other units.
        51 => {
            let [next, length] = *piece.head(Header::Extension)?;
            extension(next, addresses, piece, (usize::from(length) + 2) * 4)
        }
        IPV6_FRAGMENT => fragment(addresses, piece),
        _ => OTHER,
    }
}

fn extension(
    next: u8,
    addresses: Addresses,
    piece: Piece<'_>,
    length: usize,
) -> Result<Step<'_>, LayerNoteKind> {
    if piece.data.len() < length {
        return Err(piece.short(Header::Extension, length));
    }
    Ok(Step::Into(Layer::Protocol(next, addresses), piece.after(length)))
}

fn fragment(addresses: Addresses, piece: Piece<'_>) -> Result<Step<'_>, LayerNoteKind> {
    let head: &[u8; 8] = piece.head(Header::Extension)?;
    let place = u16::from_be_bytes([head[2], head[3]]);
    let (offset, more) = (usize::from(place & !7), place & 1 == 1);
    let inner = piece.after(8);
    if offset == 0 && !more {
        // All of it in one (RFC 6946).
        return Ok(Step::Into(Layer::Protocol(head[0], addresses), inner));
    }
    let identification = u32::from_be_bytes([head[4], head[5], head[6], head[7]]);
    // The fragments of a datagram may differ in the protocol. That of the first counts.
    let key = Key { addresses, identification, protocol: IPV6_FRAGMENT };
    Ok(Step::Found(Found::Fragment(Fragment { key, protocol: head[0], offset, more, piece: inner })))
}
