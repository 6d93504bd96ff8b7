//! Where the next frame begins, told by content.

use super::found::{Expected, FrameReceiver, Lost, Plausibility};
use super::framer::FrameLimits;
use crate::capture::tcp::Seen;

/// So many of the bytes that are passed over are kept to be shown.
pub(super) const SHOWN: usize = 64;
/// A header longer than this is none.
pub(super) const LONGEST_HEADER: usize = 1 << 16;
/// So many messages in a row are believed though each is only possible.
const CHAIN: usize = 4;

/// The size that bytes begin with.
pub(super) fn size_field(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.first_chunk()?))
}

/// Judges what may be a frame, by its size and by what the receiver says.
pub(super) fn judge<R: FrameReceiver>(bytes: &[u8], limits: &FrameLimits, receiver: &R) -> Plausibility {
    let Some(size) = size_field(bytes) else { return Plausibility::Undecided };
    let expected = receiver.expected();
    if size < expected.least() || size > i32::MAX as u32 {
        return Plausibility::No;
    }
    let is_large = size as usize > limits.gathered;
    if expected == Expected::Sizes {
        return if is_large { Plausibility::No } else { Plausibility::Possible };
    }
    let whole = 4 + size as usize;
    let beginning = &bytes[..bytes.len().min(whole)];
    match receiver.judge(beginning) {
        Plausibility::Undecided if beginning.len() >= whole.min(LONGEST_HEADER) => Plausibility::No,
        Plausibility::Possible | Plausibility::Likely if is_large => Plausibility::No,
        judgment => judgment,
    }
}

/// What a place turned out to be.
enum Candidate {
    Boundary,
    None,
    /// More bytes are needed.
    Unresolved,
}

/// Bytes in which a boundary is searched for.
pub(super) struct Search {
    pub lost: Lost,
    /// The offset in the stream where the search began.
    pub from: u64,
    /// The first bytes from there on.
    pub first: Vec<u8>,
    /// The packet of the first of them.
    pub seen: Option<Seen>,
    /// The offset of the first byte that is held.
    pub start: u64,
    pub bytes: Vec<u8>,
    /// From which index on bytes are of which packet.
    pub marks: Vec<(usize, Seen)>,
    /// The index of the next place to look at.
    pub at: usize,
}

impl Search {
    pub fn new(lost: Lost, from: u64) -> Search {
        Search {
            lost,
            from,
            first: Vec::new(),
            seen: None,
            start: from,
            bytes: Vec::new(),
            marks: Vec::new(),
            at: 0,
        }
    }

    /// How many bytes it has had.
    pub fn length(&self) -> u64 {
        self.start + self.bytes.len() as u64 - self.from
    }

    pub fn push(&mut self, bytes: &[u8], seen: Seen) {
        self.forget();
        self.seen.get_or_insert(seen);
        let room = SHOWN - self.first.len();
        self.first.extend_from_slice(&bytes[..room.min(bytes.len())]);
        if self.marks.last().is_none_or(|(_, last)| *last != seen) {
            self.marks.push((self.bytes.len(), seen));
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Forgets what has been looked at, when that is most of it: so each byte is moved about once.
    fn forget(&mut self) {
        if self.at * 2 > self.bytes.len() {
            let gone = self.at;
            self.bytes.drain(..gone);
            let passed = self.marks.partition_point(|(start, _)| *start <= gone).saturating_sub(1);
            self.marks.drain(..passed);
            for (start, _) in &mut self.marks {
                *start = start.saturating_sub(gone);
            }
            self.start += gone as u64;
            self.at = 0;
        }
    }

    /// The index of the next boundary, if there is one. With `ended`, no more bytes come.
    pub fn find<R: FrameReceiver>(
        &mut self,
        limits: &FrameLimits,
        ended: bool,
        receiver: &R,
    ) -> Option<usize> {
        while self.at < self.bytes.len() {
            match self.candidate(limits, ended, receiver) {
                Candidate::Boundary => return Some(self.at),
                Candidate::None => self.at += 1,
                Candidate::Unresolved => return None,
            }
        }
        None
    }

    fn candidate<R: FrameReceiver>(&self, limits: &FrameLimits, ended: bool, receiver: &R) -> Candidate {
        let bytes = &self.bytes[self.at..];
        let is_full = bytes.len() >= limits.searched;
        let unresolved = || if ended { Candidate::None } else { Candidate::Unresolved };
        let judgment = judge(bytes, limits, receiver);
        let next = size_field(bytes).map_or(0, |size| 4 + size as usize);
        match judgment {
            Plausibility::No => Candidate::None,
            Plausibility::Undecided => unresolved(),
            Plausibility::Likely if next > bytes.len() && !ended && !is_full => Candidate::Unresolved,
            Plausibility::Likely | Plausibility::Certain => {
                let following = bytes.get(next..).map(|following| judge(following, limits, receiver));
                match following {
                    Some(Plausibility::No) => Candidate::None,
                    _ => Candidate::Boundary,
                }
            }
            Plausibility::Possible => {
                let mut next = next;
                let mut links = 1;
                while links < CHAIN && next < bytes.len() {
                    match judge(&bytes[next..], limits, receiver) {
                        Plausibility::No => return Candidate::None,
                        Plausibility::Undecided => return unresolved(),
                        Plausibility::Possible => links += 1,
                        // That one is a boundary; many places before it end there by chance.
                        Plausibility::Likely | Plausibility::Certain => return Candidate::None,
                    }
                    next += size_field(&bytes[next..]).map_or(0, |size| 4 + size as usize);
                }
                // A message that ends where the stream does, for now, is worth as much as another after it. And most segments
                // begin with a message, so that the first one of a capture needs less to be believed.
                let is_first = self.lost == Lost::Joined && self.start == self.from && self.at == 0;
                let enough = if is_first { 2 } else { CHAIN };
                let fits = links >= enough || links + 1 == enough && next == bytes.len();
                match fits {
                    true => Candidate::Boundary,
                    false if is_full => Candidate::None,
                    false => unresolved(),
                }
            }
        }
    }
}
