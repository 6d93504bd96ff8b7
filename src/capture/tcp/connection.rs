//! A connection: its two streams, and which segments belong to it.

use super::limits::Limits;
use super::receiver::{Closing, ConnectionId, Flow, Note, Receiver, Seen};
use super::stream::{Context, Stream};
use crate::capture::{Endpoint, Segment};

/// What a segment is to the connection of its endpoints.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Belongs {
    /// A part of it.
    Yes,
    /// The beginning of another one.
    No,
    /// Nothing that can be placed.
    Stray,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// It was reset, or looks finished; what is under way may come yet.
    Ending(Closing),
    Closed,
}

pub(super) struct Connection {
    pub id: ConnectionId,
    /// The segment that it had last, counted over all connections.
    pub last: u64,
    from: Endpoint,
    streams: [Stream; 2],
    state: State,
    count: u64,
    /// The sequence number after a segment that could not be placed.
    stray: Option<(Flow, u32)>,
}

/// What streams need besides the connection.
pub(super) struct Surroundings<'c, R> {
    pub receiver: &'c mut R,
    pub limits: &'c Limits,
    pub held: &'c mut usize,
}

impl Connection {
    pub fn new(id: ConnectionId, from: Endpoint) -> Connection {
        let streams = [Stream::new(), Stream::new()];
        Connection { id, last: 0, from, streams, state: State::Open, count: 0, stray: None }
    }

    pub fn flow(&self, segment: &Segment<'_>) -> Flow {
        if segment.source == self.from { Flow::Forward } else { Flow::Backward }
    }

    pub fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    /// Finds out whether a segment is one of this connection's.
    pub fn belongs(&mut self, segment: &Segment<'_>) -> Belongs {
        let flow = self.flow(segment);
        let stream = &self.streams[flow.index()];
        let other = &self.streams[flow.other().index()];
        if segment.syn {
            let fits_other = match segment.acknowledgment {
                Some(next) => other.accepts_syn(next.wrapping_sub(1)) || other.has_sent(next),
                // An answer to this SYN can have come before it; more than that cannot.
                None => !stream.is_unknown() || other.is_unknown() || other.has_syn(),
            };
            let fits = stream.accepts_syn(segment.sequence) && fits_other;
            return if fits { Belongs::Yes } else { Belongs::No };
        }
        if !has_data(segment) {
            let far = (segment.fin || segment.rst) && stream.is_far(segment);
            return if far { Belongs::Stray } else { Belongs::Yes };
        }
        if self.state != State::Open || stream.is_finished() {
            return if stream.is_old(segment) { Belongs::Yes } else { Belongs::No };
        }
        if !stream.is_far(segment) {
            return Belongs::Yes;
        }
        // One wrong number must not end a good connection; two that agree are another one.
        let agrees = self.stray.is_some_and(|(strays, next)| strays == flow && next == segment.sequence);
        self.stray = Some((flow, segment.sequence.wrapping_add(segment.length)));
        if agrees { Belongs::No } else { Belongs::Stray }
    }

    /// Takes a segment of this connection. Returns whether it may have come to its end.
    #[inline]
    pub fn segment<R: Receiver>(&mut self, segment: &Segment<'_>, around: Surroundings<'_, R>) -> bool {
        self.count += 1;
        let flow = self.flow(segment);
        let seen = Seen { packet: segment.packet, time: segment.time };
        let Surroundings { receiver, limits, held } = around;
        let (id, count) = (self.id, self.count);
        if self.state == State::Closed {
            let length = self.streams[flow.index()].unseen(segment);
            if length > 0 {
                receiver.note(id, flow, Note::AfterEnd { length }, seen);
            }
            return false;
        }
        let mut cx = Context { receiver, limits, held, connection: id, flow, count, seen };
        if segment.syn {
            self.streams[flow.index()].syn(segment.sequence, &mut cx);
        }
        // What RST carries is a reason in words, not data (RFC 9293, 3.5.3).
        if !segment.rst {
            self.streams[flow.index()].segment(segment, &mut cx);
        }
        self.streams[flow.index()].tick(&mut cx);
        let other = &mut self.streams[flow.other().index()];
        cx.flow = flow.other();
        match segment.acknowledgment {
            // It tells where the other side begins, should its SYN be missing.
            Some(next) if segment.syn => other.syn(next.wrapping_sub(1), &mut cx),
            Some(next) if !segment.rst || next != 0 => other.acknowledge(next, &mut cx),
            _ => {}
        }
        other.tick(&mut cx);
        if self.state != State::Open {
            return self.is_complete();
        }
        let finished = self.streams[0].is_finished() || self.streams[1].is_finished();
        if segment.rst {
            self.state = State::Ending(Closing::Reset(flow));
        } else if finished {
            let both = self.streams.iter().all(|stream| stream.is_finished() || stream.is_unknown());
            if both {
                self.state = State::Ending(Closing::Finished);
            }
        }
        self.state != State::Open
    }

    /// Whether it still looks as if the connection had come to its end. One that was closed by FIN of a single side goes on
    /// if the other side was seen after all.
    pub fn is_ending(&mut self) -> bool {
        let seen = !self.streams.iter().any(Stream::is_unknown);
        if self.state == State::Ending(Closing::Finished) && seen && !self.is_complete() {
            self.state = State::Open;
        }
        matches!(self.state, State::Ending(_))
    }

    /// Whether both sides have come to their FIN, so that nothing can come any more.
    pub fn is_complete(&self) -> bool {
        self.streams.iter().all(Stream::is_finished)
    }

    /// Says about a segment that could not be placed.
    pub fn note_stray(&self, segment: &Segment<'_>, receiver: &mut impl Receiver) {
        let seen = Seen { packet: segment.packet, time: segment.time };
        receiver.note(self.id, self.flow(segment), Note::Stray, seen);
    }

    /// Hands on what waits and closes the connection; for the reason given, unless it was ending for another.
    pub fn close<R: Receiver>(&mut self, closing: Closing, around: Surroundings<'_, R>) {
        let closing = match self.state {
            State::Open => closing,
            State::Ending(closing) => closing,
            State::Closed => return,
        };
        self.state = State::Closed;
        let Surroundings { receiver, limits, held } = around;
        for flow in [Flow::Forward, Flow::Backward] {
            // Only the streams' own places and times are handed on from here.
            let seen = Seen { packet: 0, time: None };
            let mut cx = Context {
                receiver: &mut *receiver,
                limits,
                held: &mut *held,
                connection: self.id,
                flow,
                count: self.count,
                seen,
            };
            self.streams[flow.index()].flush(&mut cx);
        }
        receiver.close(self.id, closing);
    }
}

/// Whether a segment has data for the stream.
pub(super) fn has_data(segment: &Segment<'_>) -> bool {
    !segment.rst && (segment.length > 0 || !segment.payload.is_empty())
}
