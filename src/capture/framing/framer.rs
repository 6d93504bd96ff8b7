//! The framer of one direction.

use super::found::{CapturedFrame, Completeness, Foreign, FrameReceiver, Lost, PassedOver, Plausibility};
use super::gather::Gather;
use super::search::{LONGEST_HEADER, SHOWN, Search, judge, size_field};
use crate::capture::tcp::{Beginning, Seen};

/// How much framing may hold, for each direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameLimits {
    /// The size up to which frames are gathered. Brokers take up to 100 MiB.
    pub gathered: usize,
    /// How many bytes are kept of one that is larger.
    pub kept: usize,
    /// How many bytes are held while a boundary is searched for: only messages below this size can be confirmed by those
    /// that follow them.
    pub searched: usize,
    /// How much of the buffer is kept from one frame to the next. Memory that is given back has to be cleared by the system before it comes again.
    pub reused: usize,
    /// After so many bytes without a single frame, a stream is foreign.
    pub foreign: u64,
}

impl Default for FrameLimits {
    fn default() -> FrameLimits {
        FrameLimits {
            gathered: (100 << 20) + (1 << 16),
            kept: 1 << 16,
            searched: 2 << 20,
            reused: 64 << 10,
            foreign: 128 << 20,
        }
    }
}

enum State {
    /// At a boundary or in a frame.
    Framing,
    /// Between boundaries.
    Searching(Search),
    /// What is gathered is not Kafka, and is not told yet.
    Foreign,
    Stopped,
}

/// What the beginning of a frame says.
enum Begin {
    Wait,
    Frame(u64),
    Lost,
}

/// So many frames after a search are looked at like the first.
const DOUBTFUL: u8 = 3;

/// Finds the frames in one direction of a connection.
pub struct Framer {
    limits: FrameLimits,
    state: State,
    /// The offset of the next byte in the stream.
    position: u64,
    gather: Gather,
    /// How long the frame under way is, once that is known.
    whole: Option<u64>,
    /// How many frames are still to be looked at before boundaries are believed.
    doubts: u8,
    /// Whether it began in the middle of a frame, perhaps.
    joined: bool,
    /// Whether there has been a frame.
    framed: bool,
}

impl Framer {
    /// A stream that begins with a frame, or in the middle of one.
    pub fn new(limits: FrameLimits, beginning: Beginning) -> Framer {
        let state = match beginning {
            Beginning::Handshake => State::Framing,
            Beginning::Midway => State::Searching(Search::new(Lost::Joined, 0)),
        };
        Framer {
            limits,
            state,
            position: 0,
            gather: Gather::default(),
            whole: None,
            doubts: 0,
            joined: beginning == Beginning::Midway,
            framed: false,
        }
    }

    /// The offset of the next byte in the stream.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// How many bytes it holds.
    pub fn held(&self) -> usize {
        let searched = match &self.state {
            State::Searching(search) => search.bytes.capacity(),
            _ => 0,
        };
        searched + self.gather.bytes.capacity()
    }

    /// Takes the next bytes of the stream.
    pub fn data<R: FrameReceiver>(&mut self, mut bytes: &[u8], seen: Seen, receiver: &mut R) {
        while !bytes.is_empty() {
            match &mut self.state {
                State::Framing => bytes = self.framing(bytes, seen, receiver),
                State::Searching(search) => {
                    search.push(bytes, seen);
                    self.position += bytes.len() as u64;
                    return self.search(false, receiver);
                }
                State::Foreign => {
                    let room = SHOWN.saturating_sub(self.gather.bytes.len()).min(bytes.len());
                    self.gather.push(&bytes[..room], seen, u64::MAX);
                    self.position += room as u64;
                    bytes = &bytes[room..];
                    if self.gather.bytes.len() >= SHOWN {
                        self.tell_foreign(receiver);
                    }
                }
                State::Stopped => {
                    self.position += bytes.len() as u64;
                    return;
                }
            }
        }
    }

    /// Searches again, if it searches: the receiver may judge otherwise than before.
    pub fn search_again<R: FrameReceiver>(&mut self, receiver: &mut R) {
        if let State::Searching(search) = &mut self.state {
            search.rewind();
            self.search(false, receiver);
        }
    }

    /// The next bytes of the stream are missing.
    pub fn hole<R: FrameReceiver>(&mut self, length: u64, receiver: &mut R) {
        if length == 0 {
            return;
        }
        if matches!(self.state, State::Searching(_)) {
            self.search(true, receiver);
        }
        match &self.state {
            State::Searching(_) => self.give_up_search(receiver),
            State::Foreign => self.tell_foreign(receiver),
            State::Framing => return self.hole_in_frame(length, receiver),
            State::Stopped => {}
        }
        self.position += length;
        if let State::Searching(search) = &self.state {
            // Where the stream was joined, nothing was lost yet.
            let lost = if self.framed { Lost::Hole } else { search.lost };
            self.state = State::Searching(Search::new(lost, self.position));
        }
    }

    /// The stream has ended.
    pub fn end<R: FrameReceiver>(&mut self, receiver: &mut R) {
        if matches!(self.state, State::Searching(_)) {
            self.search(true, receiver);
        }
        match std::mem::replace(&mut self.state, State::Stopped) {
            State::Searching(search) => match search.seen {
                Some(seen) if !self.framed && !receiver.is_known() => {
                    receiver.foreign(&Foreign { offset: search.from, first: &search.first, seen });
                }
                _ => tell_passed(&search, search.length(), receiver),
            },
            State::Foreign => self.tell_foreign(receiver),
            State::Framing if !self.gather.is_empty() => {
                let is_size = |size: u32| size as usize <= self.limits.gathered;
                if self.whole.is_none() && !size_field(&self.gather.bytes).is_none_or(is_size) {
                    self.tell_lost_beginning(receiver);
                } else {
                    self.emit(Completeness::Cut, receiver);
                }
            }
            State::Framing | State::Stopped => {}
        }
    }

    /// Takes bytes of a frame and returns the others, or all if the boundary turns out to be none.
    fn framing<'b, R: FrameReceiver>(&mut self, bytes: &'b [u8], seen: Seen, receiver: &mut R) -> &'b [u8] {
        let Some(whole) = self.whole else { return self.beginning(bytes, seen, receiver) };
        let left = whole - self.gather.at;
        let (mine, rest) = bytes.split_at((bytes.len() as u64).min(left) as usize);
        self.gather.push(mine, seen, self.kept(whole));
        self.position += mine.len() as u64;
        if self.gather.at == whole {
            let holed = self.gather.is_holed();
            self.emit(if holed { Completeness::Holed } else { Completeness::Whole }, receiver);
        }
        rest
    }

    fn beginning<'b, R: FrameReceiver>(&mut self, bytes: &'b [u8], seen: Seen, receiver: &mut R) -> &'b [u8] {
        let in_place = self.gather.is_empty();
        let mut rest = bytes;
        if !in_place {
            // No more than is needed, for the next frame may follow.
            let want = size_field(&self.gather.bytes).map_or(4, |size| 4 + u64::from(size));
            let more = (bytes.len() as u64).min(want - self.gather.at) as usize;
            self.gather.push(&bytes[..more], seen, u64::MAX);
            self.position += more as u64;
            rest = &bytes[more..];
        }
        let begin = self.begin(if in_place { bytes } else { &self.gather.bytes }, receiver);
        match begin {
            Begin::Frame(whole) => {
                self.doubts = self.doubts.saturating_sub(1);
                if in_place && bytes.len() as u64 >= whole && whole <= self.kept(whole) {
                    let (mine, rest) = bytes.split_at(whole as usize);
                    self.framed = true;
                    receiver.frame(&CapturedFrame {
                        offset: self.position,
                        size: Some((whole - 4) as u32),
                        known: mine,
                        pieces: &[],
                        not_kept: 0,
                        first: seen,
                        last: seen,
                        completeness: Completeness::Whole,
                    });
                    self.position += whole;
                    return rest;
                }
                self.whole = Some(whole);
                // Also takes no bytes, if all have been gathered.
                self.framing(rest, seen, receiver)
            }
            Begin::Wait if in_place => {
                self.gather.push(bytes, seen, u64::MAX);
                self.position += bytes.len() as u64;
                &[]
            }
            Begin::Wait => rest,
            Begin::Lost => {
                if in_place {
                    // So that there is a packet to name.
                    self.gather.seen = Some((seen, seen));
                }
                self.lose(receiver);
                rest
            }
        }
    }

    /// Tells a frame by its beginning.
    fn begin<R: FrameReceiver>(&self, bytes: &[u8], receiver: &R) -> Begin {
        let Some(size) = size_field(bytes) else { return Begin::Wait };
        let whole = 4 + u64::from(size);
        let is_believed = self.doubts == 0 && size as usize <= self.limits.gathered;
        if is_believed && size >= receiver.expected().least() {
            return Begin::Frame(whole);
        }
        match judge(bytes, &self.limits, receiver) {
            Plausibility::No => Begin::Lost,
            Plausibility::Undecided if bytes.len() >= LONGEST_HEADER => Begin::Lost,
            Plausibility::Undecided => Begin::Wait,
            _ => Begin::Frame(whole),
        }
    }

    /// What is gathered, if anything, is at no boundary.
    fn lose<R: FrameReceiver>(&mut self, receiver: &mut R) {
        if !self.framed && !self.joined && self.position == self.gather.at {
            self.state = State::Foreign;
            if self.gather.bytes.len() >= SHOWN {
                self.tell_foreign(receiver);
            }
            return;
        }
        let mut search = Search::new(Lost::BadSize, self.position - self.gather.at);
        if let Some((first, _)) = self.gather.seen.filter(|_| !self.gather.bytes.is_empty()) {
            search.push(&self.gather.bytes, first);
            // This place has been looked at.
            search.at = 1;
        }
        self.gather.clear(self.limits.reused);
        self.state = State::Searching(search);
    }

    fn hole_in_frame<R: FrameReceiver>(&mut self, length: u64, receiver: &mut R) {
        // A size whose header cannot be judged any more is believed.
        let size = size_field(&self.gather.bytes).filter(|size| *size as usize <= self.limits.gathered);
        let whole = self.whole.or(size.map(|size| 4 + u64::from(size)));
        let Some(whole) = whole else {
            if !self.gather.is_empty() {
                self.tell_lost_beginning(receiver);
            }
            self.position += length;
            self.state = State::Searching(Search::new(Lost::Hole, self.position));
            return;
        };
        self.whole = Some(whole);
        let left = whole - self.gather.at;
        self.gather.skip(length.min(left));
        self.position += length.min(left);
        if length >= left {
            self.emit(Completeness::Holed, receiver);
        }
        if length > left {
            self.position += length - left;
            self.state = State::Searching(Search::new(Lost::Hole, self.position));
        }
    }

    /// Looks for a boundary in what is held, and takes the frames from there on.
    fn search<R: FrameReceiver>(&mut self, ended: bool, receiver: &mut R) {
        while let State::Searching(search) = &mut self.state {
            let Some(found) = search.find(&self.limits, ended, receiver) else {
                if !self.framed && search.length() > self.limits.foreign {
                    self.give_up_stream(receiver);
                }
                return;
            };
            let start = search.start;
            let end = start + search.bytes.len() as u64;
            tell_passed(search, start + found as u64 - search.from, receiver);
            let bytes = std::mem::take(&mut search.bytes);
            let marks = std::mem::take(&mut search.marks);
            self.state = State::Framing;
            self.position = start + found as u64;
            self.doubts = DOUBTFUL;
            let mut at = found;
            let mut mark = marks.partition_point(|(start, _)| *start <= at) - 1;
            while at < bytes.len() && matches!(self.state, State::Framing) {
                let until = marks.get(mark + 1).map_or(bytes.len(), |(start, _)| *start);
                let rest = self.framing(&bytes[at..until], marks[mark].1, receiver);
                at = until - rest.len();
                mark += usize::from(at == until);
            }
            // Lost again: the same bytes are searched on, and not copied, or many false boundaries would take long.
            if let State::Searching(search) = &mut self.state {
                let from = (search.from - start) as usize;
                let shown = &bytes[from..bytes.len().min(from + SHOWN)];
                search.first = shown.to_vec();
                let mark = marks.partition_point(|(start, _)| *start <= from) - 1;
                search.seen = Some(marks[mark].1);
                search.start = start;
                search.bytes = bytes;
                search.marks = marks;
                search.at = from + 1;
                self.position = end;
            }
        }
    }

    fn give_up_search<R: FrameReceiver>(&mut self, receiver: &mut R) {
        if let State::Searching(search) = &self.state {
            tell_passed(search, search.length(), receiver);
        }
    }

    fn give_up_stream<R: FrameReceiver>(&mut self, receiver: &mut R) {
        if let State::Searching(search) = std::mem::replace(&mut self.state, State::Stopped)
            && let Some(seen) = search.seen
        {
            receiver.foreign(&Foreign { offset: search.from, first: &search.first, seen });
        }
    }

    fn tell_foreign<R: FrameReceiver>(&mut self, receiver: &mut R) {
        self.state = State::Stopped;
        if let Some((seen, _)) = self.gather.seen {
            let first = &self.gather.bytes[..self.gather.bytes.len().min(SHOWN)];
            receiver.foreign(&Foreign { offset: self.position - self.gather.at, first, seen });
        }
        self.gather = Gather::default();
    }

    /// What was gathered was to be a frame, but its size cannot be known or believed.
    fn tell_lost_beginning<R: FrameReceiver>(&mut self, receiver: &mut R) {
        let offset = self.position - self.gather.at;
        if let Some((seen, _)) = self.gather.seen {
            let first = &self.gather.bytes[..self.gather.bytes.len().min(SHOWN)];
            let lost = if self.gather.at < 4 { Lost::Hole } else { Lost::BadSize };
            if matches!(self.state, State::Stopped) && !self.framed && offset == 0 {
                receiver.foreign(&Foreign { offset, first, seen });
            } else {
                receiver.passed_over(&PassedOver { offset, length: self.gather.at, first, seen, lost });
            }
        }
        self.gather.clear(self.limits.reused);
    }

    /// Hands on the frame that was gathered.
    fn emit<R: FrameReceiver>(&mut self, completeness: Completeness, receiver: &mut R) {
        if let Some((first, last)) = self.gather.seen {
            self.framed = true;
            receiver.frame(&CapturedFrame {
                offset: self.position - self.gather.at,
                size: size_field(&self.gather.bytes),
                known: &self.gather.bytes,
                pieces: &self.gather.pieces,
                not_kept: self.gather.not_kept,
                first,
                last,
                completeness,
            });
        }
        self.gather.clear(self.limits.reused);
        self.whole = None;
    }

    fn kept(&self, whole: u64) -> u64 {
        if whole > self.limits.gathered as u64 + 4 { self.limits.kept as u64 } else { whole }
    }
}

fn tell_passed<R: FrameReceiver>(search: &Search, length: u64, receiver: &mut R) {
    if let Some(seen) = search.seen.filter(|_| length > 0) {
        let first = &search.first[..search.first.len().min(length as usize)];
        receiver.passed_over(&PassedOver { offset: search.from, length, first, seen, lost: search.lost });
    }
}
