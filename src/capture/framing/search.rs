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

/// Fewer bytes tell nothing: those of a size and a correlation id.
const LEAST_JUDGED: usize = 8;
/// That a shorter message reads to its end tells little: many bytes would.
const LEAST_TELLING: usize = 32;
/// So many bytes can be looked at again.
const LOOKED_AT_AGAIN: usize = 16 << 10;
/// So many places are remembered where messages may begin.
const MOST_OPEN: usize = 64;

/// What a place turned out to be.
enum Candidate {
    Boundary,
    None,
    /// More bytes are needed.
    Unresolved,
    /// A message may begin here that is not whole.
    Unfinished,
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
    /// Up to which index places have been looked at while the message at [`Search::at`] is not whole.
    ahead: usize,
    /// Those of them where messages may begin that are not whole either.
    open: Vec<usize>,
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
            ahead: 0,
            open: Vec::new(),
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

    /// Looks at all places again that are still held: what speaks for a message may have come since.
    pub fn rewind(&mut self) {
        self.at = self.from.saturating_sub(self.start) as usize;
        self.ahead = 0;
        self.open.clear();
    }

    /// Forgets what has been looked at, but for the last of it, when that is most of it: so each byte is moved about once.
    fn forget(&mut self) {
        let gone = self.at.saturating_sub(LOOKED_AT_AGAIN);
        if gone * 2 > self.bytes.len() {
            self.bytes.drain(..gone);
            let passed = self.marks.partition_point(|(start, _)| *start <= gone).saturating_sub(1);
            self.marks.drain(..passed);
            for (start, _) in &mut self.marks {
                *start = start.saturating_sub(gone);
            }
            self.start += gone as u64;
            self.at -= gone;
            self.ahead = self.ahead.saturating_sub(gone);
            self.open.retain(|place| *place >= gone);
            for place in &mut self.open {
                *place -= gone;
            }
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
                Candidate::Unfinished => {
                    if let Some(place) = self.confirmed_ahead(limits, ended, receiver) {
                        return Some(place);
                    }
                    if !ended && self.bytes.len() - self.at < limits.searched {
                        return None;
                    }
                    if self.may_be_cut(limits, ended) {
                        return Some(self.at);
                    }
                    self.at += 1;
                }
            }
        }
        None
    }

    /// A place behind this one where a message begins that is whole, and another after it, or nothing. Such a one is worth more than
    /// this, which may never become whole: its size can be anything.
    fn confirmed_ahead<R: FrameReceiver>(
        &mut self,
        limits: &FrameLimits,
        ended: bool,
        receiver: &R,
    ) -> Option<usize> {
        let is_likely = |judgment| matches!(judgment, Plausibility::Likely | Plausibility::Certain);
        // Whether the message there is confirmed, and `None` if that is not known yet.
        let confirmed = |bytes: &[u8]| {
            let next = size_field(bytes).map_or(0, |size| 4 + size as usize);
            let (whole, following) = bytes.split_at_checked(next)?;
            let is_confirmed = match judge(following, limits, receiver) {
                Plausibility::Undecided if following.is_empty() && ended => true,
                Plausibility::Undecided => return None,
                judgment => is_likely(judgment),
            };
            match receiver.is_sound(whole) {
                Some(true) if next >= LEAST_TELLING => Some(true),
                is_sound => Some(is_confirmed && is_sound != Some(false)),
            }
        };
        let bytes = &self.bytes;
        let mut found = None;
        self.open.retain(|place| {
            let is_confirmed = if found.is_none() { confirmed(&bytes[*place..]) } else { None };
            if is_confirmed == Some(true) {
                found = Some(*place);
            }
            is_confirmed.is_none()
        });
        let mut ahead = self.ahead.max(self.at + 1);
        while found.is_none() && ahead + LEAST_JUDGED <= bytes.len() && self.open.len() < MOST_OPEN {
            if is_likely(judge(&bytes[ahead..], limits, receiver)) {
                match confirmed(&bytes[ahead..]) {
                    Some(true) => found = Some(ahead),
                    Some(false) => {}
                    None => self.open.push(ahead),
                }
            }
            ahead += 1;
        }
        self.ahead = ahead;
        found
    }

    /// Whether a message that is not whole is believed: most begin with a packet, and few are large.
    fn may_be_cut(&self, limits: &FrameLimits, ended: bool) -> bool {
        let size = size_field(&self.bytes[self.at..]).unwrap_or(0) as usize;
        let begins_packet = self.marks.iter().any(|(start, _)| *start == self.at);
        !ended || size <= limits.searched && begins_packet
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
            Plausibility::Likely if next > bytes.len() => Candidate::Unfinished,
            Plausibility::Likely | Plausibility::Certain => {
                let following = bytes.get(next..).map(|following| judge(following, limits, receiver));
                let whole = bytes.get(..next).filter(|_| judgment == Plausibility::Likely);
                match (whole.and_then(|whole| receiver.is_sound(whole)), following) {
                    (Some(false), _) => Candidate::None,
                    // What follows may be a response whose request was lost.
                    (Some(true), _) if next >= LEAST_TELLING => Candidate::Boundary,
                    (_, Some(Plausibility::No)) => Candidate::None,
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
