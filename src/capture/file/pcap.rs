//! pcap: a header, then the packets, each with a head of its own.

use pcap_parser::parse_pcap_header;

use crate::capture::Time;

/// The length of the file's header.
pub(super) const HEADER: usize = 24;
/// The magic of captures with Kuznetzov's patch, whose packets have a longer head.
const MODIFIED: u32 = 0xa1b2_cd34;
const MICROSECONDS: u32 = 0xa1b2_c3d4;
const NANOSECONDS: u32 = 0xa1b2_3c4d;

/// Whether a file begins as pcap files do.
pub(super) fn is_magic(first: &[u8]) -> bool {
    magic(first).is_some()
}

/// The magic number, and whether the file is big-endian.
fn magic(first: &[u8]) -> Option<(u32, bool)> {
    let bytes = *first.first_chunk()?;
    let known = |magic: &u32| matches!(*magic, MICROSECONDS | NANOSECONDS | MODIFIED);
    let little = Some(u32::from_le_bytes(bytes)).filter(known).map(|magic| (magic, false));
    little.or_else(|| Some(u32::from_be_bytes(bytes)).filter(known).map(|magic| (magic, true)))
}

/// What the header says.
#[derive(Clone, Copy)]
pub(super) struct Pcap {
    big_endian: bool,
    /// Nanoseconds in a unit of the fraction of a second.
    unit: i64,
    /// The length of a packet's head.
    pub head: usize,
    pub link_type: u16,
}

impl Pcap {
    pub fn new(header: &[u8; HEADER]) -> Option<Pcap> {
        let (magic, big_endian) = magic(header)?;
        // The parser knows the modified magic in one byte order only. What differs is not in the header.
        let mut plain = *header;
        let usual = if big_endian { MICROSECONDS.to_be_bytes() } else { MICROSECONDS.to_le_bytes() };
        plain[..4].copy_from_slice(&usual);
        let (_, header) = parse_pcap_header(&plain).ok()?;
        Some(Pcap {
            big_endian,
            unit: if magic == NANOSECONDS { 1 } else { 1000 },
            head: if magic == MODIFIED { 24 } else { 16 },
            // Above it stands how long the checksum of a frame is.
            link_type: header.network.0 as u16,
        })
    }

    /// What a packet's head says.
    #[inline]
    pub fn packet(&self, head: &[u8]) -> Option<PacketHead> {
        let head: &[u8; 16] = head.first_chunk()?;
        let word = |at: usize| {
            let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
            if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
        };
        Some(PacketHead {
            time: Time(i64::from(word(0)) * 1_000_000_000 + i64::from(word(4)) * self.unit),
            captured: word(8),
            original: word(12),
        })
    }
}

/// What a packet's head says.
pub(super) struct PacketHead {
    pub time: Time,
    pub captured: u32,
    pub original: u32,
}
