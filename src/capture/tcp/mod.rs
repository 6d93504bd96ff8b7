//! TCP (RFC 9293): from segments to the bytes of each connection's two directions, in order and in bounded memory.
//!
//! - Segments are put in order by their sequence numbers, which wrap. Retransmissions are silent; where copies differ, the first
//!   one counts, and a note says so. Compared is what still waits and the end of the segment that was handed on last.
//! - A gap is given up only on evidence: the other side acknowledged what is beyond it and that is there; or too much
//!   waits; or the stream or the capture ends. It becomes a hole of known size.
//! - A packet that the capture cut leaves a hole right where its bytes were.
//! - No handshake is needed. Another SYN, or numbers that cannot be of the old one, are a new connection.

mod connection;
mod key;
mod limits;
mod receiver;
mod recent;
mod stream;
#[cfg(test)]
mod tests;
mod waiting;

use std::collections::{HashMap, VecDeque};

use super::Segment;
use connection::{Belongs, Connection, Surroundings, has_data};
use key::{Key, Seeded};
pub use limits::Limits;
pub use receiver::{Beginning, Closing, ConnectionId, Flow, Missing, Note, Opening, Place, Receiver, Seen};

/// So many segments, of all connections, a connection is kept open after RST: data that was under way comes yet.
const UNDER_WAY: u64 = 64;

/// All connections of a capture.
pub struct Tcp {
    limits: Limits,
    table: HashMap<Key, Box<Connection>, Seeded>,
    /// How many of the table are not closed.
    open: usize,
    /// What is to be closed when so many segments have been seen.
    ending: VecDeque<(u64, Key, ConnectionId)>,
    /// What was closed, the oldest first.
    closed: VecDeque<(Key, ConnectionId)>,
    /// How many segments have been seen.
    count: u64,
    /// How many connections have been seen.
    connections: u64,
    /// What waits in all of them, in bytes.
    held: usize,
}

impl Tcp {
    /// No connection has been seen.
    pub fn new(limits: Limits) -> Tcp {
        Tcp {
            limits,
            table: HashMap::with_hasher(Seeded::new()),
            open: 0,
            ending: VecDeque::new(),
            closed: VecDeque::new(),
            count: 0,
            connections: 0,
            held: 0,
        }
    }

    /// How many bytes wait for others, with what keeping them costs.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Takes the next segment of the capture.
    pub fn segment<R: Receiver>(&mut self, segment: &Segment<'_>, receiver: &mut R) {
        self.count += 1;
        while let Some((due, key, id)) = self.ending.front().copied()
            && due <= self.count
        {
            self.ending.pop_front();
            let still = self.table.get_mut(&key).is_some_and(|found| found.id == id && found.is_ending());
            if still {
                self.close(key, Closing::Finished, receiver);
            }
        }
        let key = Key::of(segment);
        if let Some(connection) = self.table.get_mut(&key) {
            match connection.belongs(segment) {
                Belongs::Yes => {
                    connection.last = self.count;
                    let around =
                        Surroundings { receiver: &mut *receiver, limits: &self.limits, held: &mut self.held };
                    if connection.segment(segment, around) {
                        self.ended(key, receiver);
                    }
                    return;
                }
                Belongs::Stray => return connection.note_stray(segment, receiver),
                Belongs::No => self.close(key, Closing::Reused, receiver),
            }
        }
        // A lone acknowledgment or RST is not worth a connection.
        if segment.syn || has_data(segment) {
            self.open(key, segment, receiver);
        }
    }

    /// Hands on what waits and closes all connections: the capture has ended.
    pub fn finish<R: Receiver>(&mut self, receiver: &mut R) {
        let mut open: Vec<_> = self.table.drain().map(|(_, connection)| connection).collect();
        open.sort_by_key(|connection| connection.id);
        for mut connection in open {
            let around =
                Surroundings { receiver: &mut *receiver, limits: &self.limits, held: &mut self.held };
            connection.close(Closing::EndOfCapture, around);
        }
        self.open = 0;
        self.ending.clear();
        self.closed.clear();
    }

    /// A connection may have come to its end.
    #[cold]
    fn ended<R: Receiver>(&mut self, key: Key, receiver: &mut R) {
        let Some(connection) = self.table.get(&key) else { return };
        if connection.is_complete() {
            self.close(key, Closing::Finished, receiver);
        } else {
            self.ending.push_back((self.count + UNDER_WAY, key, connection.id));
        }
    }

    /// Opens the connection that a segment begins.
    fn open<R: Receiver>(&mut self, key: Key, segment: &Segment<'_>, receiver: &mut R) {
        if self.open >= self.limits.connections.max(1) {
            self.drop_idle(receiver);
        }
        self.connections += 1;
        self.open += 1;
        let id = ConnectionId(self.connections);
        // SYN with ACK is the server's.
        let is_answer = segment.syn && segment.acknowledgment.is_some();
        let (from, to) = match is_answer {
            true => (segment.destination, segment.source),
            false => (segment.source, segment.destination),
        };
        let seen = Seen { packet: segment.packet, time: segment.time };
        receiver.open(id, &Opening { from, to, client_is_known: segment.syn, seen });
        let mut connection = Box::new(Connection::new(id, from));
        connection.last = self.count;
        let around = Surroundings { receiver: &mut *receiver, limits: &self.limits, held: &mut self.held };
        let may_have_ended = connection.segment(segment, around);
        self.table.insert(key, connection);
        if may_have_ended {
            self.ended(key, receiver);
        }
    }

    /// Closes a connection and remembers that it was there.
    fn close<R: Receiver>(&mut self, key: Key, closing: Closing, receiver: &mut R) {
        let Some(connection) = self.table.get_mut(&key).filter(|connection| !connection.is_closed()) else {
            return;
        };
        let around = Surroundings { receiver, limits: &self.limits, held: &mut self.held };
        connection.close(closing, around);
        self.open -= 1;
        self.closed.push_back((key, connection.id));
        if self.closed.len() > self.limits.connections
            && let Some((key, id)) = self.closed.pop_front()
            && self.table.get(&key).is_some_and(|connection| connection.id == id)
        {
            self.table.remove(&key);
        }
    }

    /// Closes the quarter of the open connections that was idle for longest: one at a time would mean to look through all of
    /// them each time.
    fn drop_idle<R: Receiver>(&mut self, receiver: &mut R) {
        let open = self.table.iter().filter(|(_, connection)| !connection.is_closed());
        let mut idle: Vec<_> = open.map(|(key, connection)| (connection.last, *key)).collect();
        idle.sort_unstable_by_key(|(last, _)| *last);
        idle.truncate((idle.len() / 4).max(1));
        for (_, key) in idle {
            // Not remembered: what comes of it yet is to be seen, as a new connection.
            if let Some(mut connection) = self.table.remove(&key) {
                let around =
                    Surroundings { receiver: &mut *receiver, limits: &self.limits, held: &mut self.held };
                connection.close(Closing::Dropped, around);
                self.open -= 1;
            }
        }
    }
}
