//! The last bytes of a stream that were handed on, to compare retransmissions with.

/// So many are kept: a packet's worth on most networks. Keeping more would cost each segment a copy; keeping none would
/// hide what tells a middlebox or an attack.
const KEPT: usize = 1536;

/// The end of the segment that was handed on last.
#[derive(Default)]
pub(super) struct Recent {
    bytes: Vec<u8>,
    /// The position of the first.
    at: i64,
}

impl Recent {
    /// Keeps the end of a segment.
    pub fn keep(&mut self, at: i64, bytes: &[u8]) {
        let skipped = bytes.len().saturating_sub(KEPT);
        self.bytes.clear();
        self.bytes.extend_from_slice(&bytes[skipped..]);
        self.at = at + skipped as i64;
    }

    /// Where a retransmission differs, if it does: the position and length of the overlap with what is kept.
    pub fn difference(&self, at: i64, bytes: &[u8]) -> Option<(i64, usize)> {
        let start = at.max(self.at);
        let end = (at + bytes.len() as i64).min(self.at + self.bytes.len() as i64);
        if start >= end {
            return None;
        }
        let first_copy = &self.bytes[(start - self.at) as usize..(end - self.at) as usize];
        let copy = &bytes[(start - at) as usize..(end - at) as usize];
        (first_copy != copy).then_some((start, copy.len()))
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.bytes = Vec::new();
    }
}
