//! What reassembly hands on.

use crate::capture::{Endpoint, Time};

/// The number of a connection, in the order of appearance, from 1 on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConnectionId(pub u64);

/// One of the two directions of a connection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flow {
    /// From [`Opening::from`] to [`Opening::to`].
    Forward,
    /// The other way.
    Backward,
}

impl Flow {
    /// The other direction.
    pub fn other(self) -> Flow {
        match self {
            Flow::Forward => Flow::Backward,
            Flow::Backward => Flow::Forward,
        }
    }

    /// 0 or 1.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A packet, and when it was captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Its number in the capture.
    pub packet: u64,
    /// Its time, if the capture has one.
    pub time: Option<Time>,
}

/// A new connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// One end: the client, if the handshake was seen; else the sender of the first segment.
    pub from: Endpoint,
    /// The other end.
    pub to: Endpoint,
    /// Whether the handshake tells that [`Opening::from`] is the client.
    pub client_is_known: bool,
    /// The first packet.
    pub seen: Seen,
}

/// A place in a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Of which connection.
    pub connection: ConnectionId,
    /// Of which of its directions.
    pub flow: Flow,
    /// How many bytes of the stream, known and missing ones, come before.
    pub offset: u64,
}

/// Why bytes are missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// The capture cut their packet.
    Cut(Seen),
    /// The other side acknowledged them: they were sent, and not captured.
    Lost,
    /// Too much waited for them ([`Limits`](super::Limits)).
    Limit,
    /// The connection or the capture ended before they came.
    End,
}

/// Whether a stream begins where its connection did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beginning {
    /// The handshake says where it begins.
    Handshake,
    /// It begins with the first bytes that were captured.
    Midway,
}

/// How a connection came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closing {
    /// Both sides ended it with FIN; or one did, and the other was never seen.
    Finished,
    /// This side's sender broke it off with RST.
    Reset(Flow),
    /// The same endpoints began another one.
    Reused,
    /// It was dropped because there were too many.
    Dropped,
    /// The capture ended.
    EndOfCapture,
}

/// Something that is not as it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// A retransmission has other bytes than the first copy, which is the one that counts. From this place on, over
    /// so many bytes, at least one differs.
    Differs {
        /// The offset in the stream.
        offset: u64,
        /// The length of the overlap.
        length: u64,
    },
    /// Bytes came after all that had been given up as missing. They are not handed on.
    Late {
        /// The offset in the stream.
        offset: u64,
        /// How many of them are in the segment.
        length: u64,
    },
    /// Bytes came after the stream's FIN, or after the connection was closed. They are not handed on.
    AfterEnd {
        /// How many.
        length: u64,
    },
    /// Without a SYN, bytes from before the first one of the stream came too late. They are not handed on.
    BeforeBeginning {
        /// How many.
        length: u64,
    },
    /// A sequence number is far from all others. The segment is left out, unless the next one agrees with it: then that one
    /// begins a new connection.
    Stray,
}

/// Takes what reassembly finds.
pub trait Receiver {
    /// A connection was seen for the first time.
    fn open(&mut self, connection: ConnectionId, opening: &Opening);

    /// A direction's first byte is settled; data or a hole follows.
    fn begin(&mut self, connection: ConnectionId, flow: Flow, beginning: Beginning) {
        _ = (connection, flow, beginning);
    }

    /// The next bytes of a stream. Those of a segment in order are a slice of the segment itself.
    fn data(&mut self, place: Place, bytes: &[u8], seen: Seen);

    /// The next bytes of a stream are missing.
    fn hole(&mut self, place: Place, length: u64, missing: Missing);

    /// A stream has come to its FIN.
    fn end(&mut self, place: Place) {
        _ = place;
    }

    /// A connection has come to its end. Streams without FIN end here too.
    fn close(&mut self, connection: ConnectionId, closing: Closing);

    /// Something is not as it should be.
    fn note(&mut self, connection: ConnectionId, flow: Flow, note: Note, seen: Seen) {
        _ = (connection, flow, note, seen);
    }
}
