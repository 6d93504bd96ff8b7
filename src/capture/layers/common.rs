//! A short way for what most packets are: Ethernet or BSD loopback, IPv4 without options or fragments, TCP. Going from layer to layer
//! takes twice as long. Whatever is odd goes that way all the same, and is told there.

use std::net::Ipv4Addr;

use super::piece::Piece;
use super::tcp::{self, TcpSegment};
use super::walk::Addresses;

const IPV4_HEADER: usize = 20;

/// The segment of a packet that is nothing special.
#[inline]
pub(super) fn segment<'d>(link_type: u16, piece: Piece<'d>) -> Option<TcpSegment<'d>> {
    let data = piece.data;
    let link = match link_type {
        1 if data.get(12..14) == Some(&[8, 0]) => 14,
        0 if data.starts_with(&[2, 0, 0, 0]) => 4,
        _ => return None,
    };
    let head: &[u8; IPV4_HEADER] = data.get(link..)?.first_chunk()?;
    let total = usize::from(u16::from_be_bytes([head[2], head[3]]));
    // Neither more fragments nor an offset.
    let is_whole = head[6] & 0x3f == 0 && head[7] == 0;
    if head[0] != 0x45 || head[9] != tcp::PROTOCOL || !is_whole || total < 2 * IPV4_HEADER {
        return None;
    }
    let addresses = Addresses {
        source: Ipv4Addr::new(head[12], head[13], head[14], head[15]).into(),
        destination: Ipv4Addr::new(head[16], head[17], head[18], head[19]).into(),
    };
    TcpSegment::new(piece.after(link).limit(total).after(IPV4_HEADER), addresses).ok()
}

#[cfg(test)]
mod tests {
    use super::super::walk::{Found, Layer, walk};
    use super::*;

    /// Wherever the short way leads somewhere, the long way leads there too.
    #[test]
    fn the_short_way_leads_where_the_long_one_does() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let mut plain = [0; 120];
        plain[12] = 8;
        plain[14..18].copy_from_slice(&[0x45, 0, 0, 106]);
        plain[23] = tcp::PROTOCOL;
        plain[46] = 0x50;
        let mut found = 0;
        for _ in 0..100_000 {
            let mut data = plain;
            for _ in 0..random.usize(..4) {
                data[random.usize(12..54)] = random.u8(..);
            }
            let data = &data[..random.usize(50..=data.len())];
            let piece = Piece { data, wire: data.len() + random.usize(..20) };
            if let Some(short) = segment(1, piece) {
                let mut offload = false;
                let Ok(Found::Segment(long)) = walk(Layer::Link(1), piece, &mut offload) else {
                    panic!("the long way ends: {data:02x?}");
                };
                assert_eq!((short, offload), (long, false));
                found += 1;
            }
        }
        assert!(found > 20_000);
    }
}
