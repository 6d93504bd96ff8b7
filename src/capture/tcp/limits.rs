//! How much reassembly may hold.

/// How much is held, and how long a gap is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The bytes that may wait in one direction of a connection, the overhead of each piece included. Windows of
    /// Linux grow to 6 MiB: so much can be beyond a lost segment before it is sent again.
    pub waiting: usize,
    /// The bytes that may wait in all.
    pub waiting_in_all: usize,
    /// The pieces that may wait in one direction.
    pub pieces: usize,
    /// The connections that may be open; above, those that were idle for longest are dropped. So many closed ones
    /// are remembered as well, so that late segments are not taken for a new connection.
    pub connections: usize,
    /// The segments of a connection that a gap is waited for although the other side has acknowledged what is beyond
    /// it: captures have the packets of both sides in another order than they were sent. A second is the most.
    pub patience: u64,
    /// The segments with data that are looked at, without SYN, before the first byte of a stream is settled. An
    /// acknowledgment settles it at once.
    pub grace: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            waiting: 8 << 20,
            waiting_in_all: 16 << 20,
            pieces: 16_384,
            connections: 16_384,
            patience: 32,
            grace: 4,
        }
    }
}
