//! One direction of a connection: from segments to bytes in order.

use super::limits::Limits;
use super::receiver::{Beginning, ConnectionId, Flow, Missing, Note, Place, Receiver, Seen};
use super::recent::Recent;
use super::waiting::Waiting;
use crate::capture::Segment;

/// Farther ahead than this no sender is of the bytes that are known, even where a capture has lost some: windows have up to
/// 1 GiB, but hardly ever more than 16 MiB.
const FAR_AHEAD: i64 = 1 << 28;
/// Farther back nothing is sent again.
const FAR_BACK: i64 = 1 << 26;
/// So many ranges that were given up are remembered.
const GIVEN_UP: usize = 8;
/// A gap is waited for this long at most once there is evidence, in nanoseconds.
const LONGEST_WAIT: i64 = 1_000_000_000;

/// What a stream needs of its surroundings while it takes a segment.
pub(super) struct Context<'c, R> {
    pub receiver: &'c mut R,
    pub limits: &'c Limits,
    /// What waits in all streams.
    pub held: &'c mut usize,
    pub connection: ConnectionId,
    pub flow: Flow,
    /// How many segments the connection has had.
    pub count: u64,
    pub seen: Seen,
}

impl<R: Receiver> Context<'_, R> {
    fn note(&mut self, note: Note) {
        self.receiver.note(self.connection, self.flow, note, self.seen);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Nothing was seen.
    Unknown,
    /// So many segments were seen, but an earlier byte may come yet.
    Grace(u32),
    /// The first byte is certain.
    Settled,
}

/// That the other side has bytes which are missing here.
struct Evidence {
    acknowledged: i64,
    since: u64,
    seen: Seen,
}

/// Positions are sequence numbers that do not wrap: 0 is the first one that was seen.
pub(super) struct Stream {
    start: Start,
    /// The sequence number of position 0.
    zero: u32,
    /// The sequence number of SYN.
    syn: Option<u32>,
    /// The position of the first byte of the stream.
    origin: i64,
    /// The position of the next byte to hand on.
    next: i64,
    /// The position of FIN.
    fin: Option<i64>,
    finished: bool,
    /// What the other side expects next, once [`Start`] is not unknown.
    acknowledged: Option<i64>,
    acknowledged_sequence: Option<u32>,
    evidence: Option<Evidence>,
    given_up: Vec<(i64, i64)>,
    waiting: Waiting,
    /// What of [`Context::held`] is this stream's.
    held: usize,
    recent: Recent,
}

impl Stream {
    pub fn new() -> Stream {
        Stream {
            start: Start::Unknown,
            zero: 0,
            syn: None,
            origin: 0,
            next: 0,
            fin: None,
            finished: false,
            acknowledged: None,
            acknowledged_sequence: None,
            evidence: None,
            given_up: Vec::new(),
            waiting: Waiting::default(),
            held: 0,
            recent: Recent::default(),
        }
    }

    pub fn is_unknown(&self) -> bool {
        self.start == Start::Unknown
    }

    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Whether bytes or the end are still to come that can come.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty() || self.fin.is_some() && !self.finished
    }

    fn position(&self, sequence: u32) -> i64 {
        let next = self.zero.wrapping_add(self.next as u32);
        self.next + i64::from(sequence.wrapping_sub(next) as i32)
    }

    /// Whether a segment can hardly be of this stream.
    pub fn is_far(&self, segment: &Segment<'_>) -> bool {
        if self.is_unknown() {
            return false;
        }
        let ahead = self.position(segment.sequence) - self.next;
        // Bytes after FIN are another connection's; the one after it may be a probe.
        let after_fin = self.fin.is_some_and(|fin| self.next + ahead > fin + 1);
        !(-FAR_BACK..=FAR_AHEAD).contains(&ahead) || after_fin
    }

    /// Whether a segment that comes after the connection's end would be of this stream.
    pub fn is_old(&self, segment: &Segment<'_>) -> bool {
        // What is under way when a connection is broken off is within the window.
        self.is_unknown()
            || !self.is_far(segment) && self.position(segment.sequence) - self.next <= FAR_BACK / 4
    }

    /// How many bytes of a segment have not been handed on.
    pub fn unseen(&self, segment: &Segment<'_>) -> u64 {
        if self.is_unknown() {
            return u64::from(segment.length);
        }
        let end = self.position(segment.sequence) + i64::from(segment.length);
        (end - self.next).clamp(0, i64::from(segment.length)) as u64
    }

    /// Whether SYN with this sequence number can be this stream's.
    pub fn accepts_syn(&self, sequence: u32) -> bool {
        if let Some(syn) = self.syn {
            return syn == sequence;
        }
        let first = || self.position(sequence.wrapping_add(1));
        match self.start {
            Start::Unknown => true,
            Start::Grace(_) => {
                self.first_waiting().is_none_or(|waiting| (waiting - FAR_BACK..=waiting).contains(&first()))
            }
            Start::Settled => first() == self.origin,
        }
    }

    pub fn has_syn(&self) -> bool {
        self.syn.is_some()
    }

    /// Whether a sequence number is one of the bytes after SYN that have been handed on: SYN can have data with it (RFC 7413).
    pub fn has_sent(&self, sequence: u32) -> bool {
        self.has_syn() && (self.origin..=self.next).contains(&self.position(sequence))
    }

    /// Takes SYN that the stream accepts.
    pub fn syn<R: Receiver>(&mut self, sequence: u32, cx: &mut Context<'_, R>) {
        if self.syn.is_some() {
            return;
        }
        self.syn = Some(sequence);
        match self.start {
            Start::Unknown => self.set_zero(sequence.wrapping_add(1)),
            Start::Grace(_) => {}
            Start::Settled => return,
        }
        let first = self.position(sequence.wrapping_add(1));
        self.settle(first, Beginning::Handshake, cx);
        self.go_on(cx);
    }

    /// Takes the data and FIN of a segment.
    #[inline]
    pub fn segment<R: Receiver>(&mut self, segment: &Segment<'_>, cx: &mut Context<'_, R>) {
        let sequence = segment.sequence.wrapping_add(u32::from(segment.syn));
        if segment.length == 0 && segment.payload.is_empty() && !segment.fin {
            return;
        }
        let in_order = self.start == Start::Settled
            && self.waiting.is_empty()
            && self.fin.is_none()
            && !segment.fin
            && segment.payload.len() == segment.length as usize
            && self.position(sequence) == self.next;
        if in_order {
            self.hand_on(segment.payload, cx.seen, cx);
        } else {
            self.unusual(sequence, segment, cx);
        }
    }

    #[cold]
    #[inline(never)]
    fn unusual<R: Receiver>(&mut self, sequence: u32, segment: &Segment<'_>, cx: &mut Context<'_, R>) {
        if self.is_unknown() {
            self.set_zero(sequence);
            self.start = Start::Grace(0);
        }
        let at = self.position(sequence);
        // Never less than what is there, whatever the layers below say.
        let end = at + i64::from(segment.length).max(segment.payload.len() as i64);
        if segment.fin && self.fin.is_none() && end >= self.next {
            self.fin = Some(end);
            let dropped = self.waiting.truncate(end);
            if dropped > 0 {
                cx.note(Note::AfterEnd { length: dropped as u64 });
            }
        }
        self.take(at, end, segment.payload, cx);
        if let Start::Grace(count) = self.start {
            self.start = Start::Grace(count.saturating_add(1));
            if count + 1 > cx.limits.grace {
                self.settle_midway(cx);
            }
        }
        self.go_on(cx);
    }

    /// Takes the bytes from `at` to `end`, of which the first are `bytes` and the others were cut off.
    fn take<R: Receiver>(&mut self, at: i64, mut end: i64, mut bytes: &[u8], cx: &mut Context<'_, R>) {
        if let Some(fin) = self.fin.filter(|fin| end > *fin) {
            // A probe may be there, and a copy of FIN.
            if end > fin + 1 {
                cx.note(Note::AfterEnd { length: (end - fin.max(at)) as u64 });
            }
            bytes = &bytes[..bytes.len().min((fin - at).max(0) as usize)];
            end = fin;
        }
        let cut = at + bytes.len() as i64;
        let mut at = at;
        if self.start == Start::Settled && at < self.next {
            let known = ((self.next - at) as usize).min(bytes.len());
            // A keep-alive probe repeats the last sequence number, with any byte or none (RFC 9293, 3.8.4).
            let is_probe = end == self.next && end - at == 1;
            if !is_probe {
                self.again(at, &bytes[..known], cx);
            }
            bytes = &bytes[known..];
            at += known as i64;
        }
        if self.start == Start::Settled && at == self.next {
            let free = self.waiting.first().map_or(bytes.len(), |first| (first - at) as usize);
            let (now, rest) = bytes.split_at(free.min(bytes.len()));
            if !now.is_empty() {
                self.hand_on(now, cx.seen, cx);
            }
            at += now.len() as i64;
            bytes = rest;
        }
        let (origin, seen) = (self.origin, cx.seen);
        self.waiting.insert(at, bytes, seen, |at, length| {
            cx.note(Note::Differs { offset: (at - origin).max(0) as u64, length: length as u64 });
        });
        let from = if self.start == Start::Settled { cut.max(self.next) } else { cut };
        self.waiting.cut(from, end, seen);
    }

    /// Looks at bytes whose place has been passed.
    fn again<R: Receiver>(&mut self, at: i64, bytes: &[u8], cx: &mut Context<'_, R>) {
        let end = at + bytes.len() as i64;
        let offset = |at: i64| (at - self.origin).max(0) as u64;
        if let Some((start, length)) = self.recent.difference(at, bytes) {
            cx.note(Note::Differs { offset: offset(start), length: length as u64 });
        }
        for (from, to) in &self.given_up {
            let (from, to) = (at.max(*from), end.min(*to));
            if from < to {
                cx.note(Note::Late { offset: offset(from), length: (to - from) as u64 });
            }
        }
        if at < self.origin && !bytes.is_empty() && self.syn.is_none() {
            cx.note(Note::BeforeBeginning { length: (self.origin.min(end) - at) as u64 });
        }
    }

    /// Takes an acknowledgment that the other side sent.
    #[inline]
    pub fn acknowledge<R: Receiver>(&mut self, sequence: u32, cx: &mut Context<'_, R>) {
        if self.is_unknown() {
            self.acknowledged_sequence = Some(sequence);
            return;
        }
        let position = self.position(sequence);
        let newer = self.acknowledged.is_none_or(|before| before < position);
        if newer && position - self.next <= FAR_AHEAD {
            self.acknowledged = Some(position);
        }
        if self.start != Start::Settled || self.is_waiting() {
            self.go_on(cx);
        }
    }

    /// Waits less for a gap, as more of the connection comes.
    #[inline]
    pub fn tick<R: Receiver>(&mut self, cx: &mut Context<'_, R>) {
        if self.evidence.is_some() {
            self.go_on(cx);
        }
    }

    /// Hands on what is left, with what is missing as holes.
    pub fn flush<R: Receiver>(&mut self, cx: &mut Context<'_, R>) {
        if self.is_unknown() {
            return;
        }
        self.settle_midway(cx);
        self.drain(cx);
        while self.give_up(Missing::End, cx) {}
        self.finish(cx);
        // Bytes that the other side has got and nobody captured. A single one may be FIN.
        let lost = self.acknowledged.filter(|end| self.fin.is_none() && *end > self.next + 1);
        if let Some(end) = lost {
            self.miss(end, Missing::End, cx);
        }
        self.recent.clear();
        self.given_up = Vec::new();
        self.account(cx);
    }

    fn go_on<R: Receiver>(&mut self, cx: &mut Context<'_, R>) {
        if self.start != Start::Settled {
            let first = self.first_waiting();
            if first.is_some_and(|first| self.acknowledged.is_some_and(|end| end > first)) {
                self.settle_midway(cx);
            }
        }
        self.drain(cx);
        self.weigh_evidence(cx);
        self.finish(cx);
        self.account(cx);
        while self.waiting.cost() > cx.limits.waiting
            || self.waiting.len() > cx.limits.pieces
            || *cx.held > cx.limits.waiting_in_all && !self.waiting.is_empty()
        {
            self.settle_midway(cx);
            self.drain(cx);
            self.give_up(Missing::Limit, cx);
            self.finish(cx);
            self.account(cx);
        }
    }

    fn set_zero(&mut self, sequence: u32) {
        self.zero = sequence;
        self.acknowledged = self.acknowledged_sequence.map(|sequence| self.position(sequence));
    }

    fn settle_midway<R: Receiver>(&mut self, cx: &mut Context<'_, R>) {
        if self.start != Start::Settled {
            let first = self.first_waiting().or(self.fin).unwrap_or(0);
            self.settle(first, Beginning::Midway, cx);
        }
    }

    fn settle<R: Receiver>(&mut self, first: i64, beginning: Beginning, cx: &mut Context<'_, R>) {
        self.start = Start::Settled;
        self.origin = first;
        self.next = first;
        cx.receiver.begin(cx.connection, cx.flow, beginning);
    }

    fn first_waiting(&self) -> Option<i64> {
        self.waiting.first().into_iter().chain(self.waiting.first_cut()).min()
    }

    /// Hands on what waits and is next.
    fn drain<R: Receiver>(&mut self, cx: &mut Context<'_, R>) {
        if self.start != Start::Settled {
            return;
        }
        while !self.waiting.is_empty() {
            if let Some(piece) = self.waiting.take(self.next) {
                self.hand_on(&piece.bytes, piece.seen, cx);
            } else if let Some((end, seen)) = self.waiting.cut_at(self.next) {
                let end = self.waiting.first().map_or(end, |first| first.min(end));
                self.miss(end, Missing::Cut(seen), cx);
            } else {
                break;
            }
        }
    }

    fn weigh_evidence<R: Receiver>(&mut self, cx: &mut Context<'_, R>) {
        while self.start == Start::Settled {
            let gap = self.beyond().zip(self.acknowledged).filter(|(beyond, end)| end >= beyond);
            let Some((beyond, acknowledged)) = gap else {
                self.evidence = None;
                return;
            };
            let evidence =
                self.evidence.get_or_insert(Evidence { acknowledged, since: cx.count, seen: cx.seen });
            if evidence.acknowledged < beyond {
                *evidence = Evidence { acknowledged, since: cx.count, seen: cx.seen };
            }
            let passed =
                evidence.seen.time.zip(cx.seen.time).map(|(since, now)| now.0.saturating_sub(since.0));
            if cx.count - evidence.since < cx.limits.patience
                && passed.is_none_or(|passed| passed < LONGEST_WAIT)
            {
                return;
            }
            self.give_up(Missing::Lost, cx);
        }
    }

    /// Where what is beyond a gap begins.
    fn beyond(&self) -> Option<i64> {
        self.first_waiting().or(self.fin).filter(|beyond| *beyond > self.next)
    }

    /// Gives up the gap that is next. Returns whether there was one.
    fn give_up<R: Receiver>(&mut self, missing: Missing, cx: &mut Context<'_, R>) -> bool {
        let Some(beyond) = self.beyond() else { return false };
        self.miss(beyond, missing, cx);
        self.drain(cx);
        true
    }

    fn finish<R: Receiver>(&mut self, cx: &mut Context<'_, R>) {
        if self.start == Start::Settled && self.fin == Some(self.next) && !self.finished {
            self.finished = true;
            cx.receiver.end(self.place(cx));
        }
    }

    #[inline]
    fn hand_on<R: Receiver>(&mut self, bytes: &[u8], seen: Seen, cx: &mut Context<'_, R>) {
        cx.receiver.data(self.place(cx), bytes, seen);
        self.recent.keep(self.next, bytes);
        self.next += bytes.len() as i64;
    }

    fn miss<R: Receiver>(&mut self, to: i64, missing: Missing, cx: &mut Context<'_, R>) {
        cx.receiver.hole(self.place(cx), (to - self.next) as u64, missing);
        if self.given_up.len() == GIVEN_UP {
            self.given_up.remove(0);
        }
        self.given_up.push((self.next, to));
        self.next = to;
    }

    #[inline]
    fn place<R>(&self, cx: &Context<'_, R>) -> Place {
        Place { connection: cx.connection, flow: cx.flow, offset: (self.next - self.origin) as u64 }
    }

    fn account<R>(&mut self, cx: &mut Context<'_, R>) {
        let cost = self.waiting.cost();
        *cx.held = *cx.held - self.held + cost;
        self.held = cost;
    }
}
