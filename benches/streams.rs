//! What it costs to put segments in order, and to find frames in a stream.
//!
//! ```text
//! cargo bench --bench streams
//! ```

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use kdissect::capture::framing::{
    CapturedFrame, Foreign, FrameLimits, FrameReceiver, Framer, PassedOver, Plausibility,
};
use kdissect::capture::tcp::{
    Beginning, Closing, ConnectionId, Limits, Missing, Opening, Place, Receiver, Seen, Tcp,
};
use kdissect::capture::{Endpoint, Segment, Time};

const ROUNDS: usize = 3;

fn main() {
    for (connections, length) in [(1, 100), (1, 1448), (100, 1448), (10_000, 1448), (1, 65_000)] {
        reassembly(connections, length);
    }
    for (length, piece) in [(100, 104), (1000, 1004), (1000, 1448), (10_000, 1448), (100_000, 65_000)] {
        framing(length, piece);
    }
}

/// The best time of some rounds.
fn best(mut work: impl FnMut() -> Duration) -> f64 {
    (0..ROUNDS).map(|_| work()).min().unwrap_or_default().as_nanos() as f64
}

/// How many bytes came out.
struct Count(u64);

impl Receiver for Count {
    fn open(&mut self, _: ConnectionId, _: &Opening) {}
    fn data(&mut self, _: Place, bytes: &[u8], _: Seen) {
        self.0 += bytes.len() as u64;
    }
    fn hole(&mut self, _: Place, _: u64, _: Missing) {}
    fn close(&mut self, _: ConnectionId, _: Closing) {}
}

fn endpoint(host: u8, port: u16) -> Endpoint {
    Endpoint { address: IpAddr::V4(Ipv4Addr::new(10, 0, 0, host)), port }
}

/// Segments in order, of as many connections in turn.
fn reassembly(connections: u32, length: u32) {
    const SEGMENTS: u32 = 2_000_000;
    let payload = vec![7; length as usize];
    let segment = |connection: u32, sequence: u32| Segment {
        packet: 1,
        time: Some(Time(0)),
        source: endpoint(2, connection as u16 + 1),
        destination: endpoint(1, 9092),
        sequence,
        acknowledgment: Some(1),
        syn: false,
        fin: false,
        rst: false,
        payload: &payload,
        length,
    };
    let taken = best(|| {
        let (mut tcp, mut count) = (Tcp::new(Limits::default()), Count(0));
        for connection in 0..connections {
            let syn = Segment {
                acknowledgment: None,
                syn: true,
                payload: &[],
                length: 0,
                ..segment(connection, u32::MAX)
            };
            tcp.segment(&syn, &mut count);
        }
        let start = Instant::now();
        for index in 0..SEGMENTS {
            let sequence = (index / connections).wrapping_mul(length);
            tcp.segment(&segment(index % connections, sequence), &mut count);
        }
        let taken = start.elapsed();
        assert_eq!(count.0, u64::from(SEGMENTS) * u64::from(length));
        taken
    });
    let each = taken / f64::from(SEGMENTS);
    println!("reassembly: {connections} connections, segments of {length} bytes: {each:.1} ns each");
}

impl FrameReceiver for Count {
    fn judge(&self, _: &[u8]) -> Plausibility {
        Plausibility::Certain
    }
    fn frame(&mut self, frame: &CapturedFrame<'_>) {
        self.0 += frame.known() as u64;
    }
    fn passed_over(&mut self, _: &PassedOver<'_>) {}
    fn foreign(&mut self, _: &Foreign<'_>) {}
}

/// Frames of one length, in pieces of another.
fn framing(length: usize, piece: usize) {
    const BYTES: usize = 1 << 30;
    let frame = [&(length as u32).to_be_bytes()[..], &vec![7; length]].concat();
    let stream = frame.repeat((1 << 20) / length);
    let rounds = BYTES / stream.len();
    let seen = Seen { packet: 1, time: None };
    let taken = best(|| {
        let mut framer = Framer::new(FrameLimits::default(), Beginning::Handshake);
        let mut count = Count(0);
        let start = Instant::now();
        for _ in 0..rounds {
            for piece in stream.chunks(piece) {
                framer.data(piece, seen, &mut count);
            }
        }
        let taken = start.elapsed();
        assert_eq!(count.0, (rounds * stream.len()) as u64);
        taken
    });
    let total = (rounds * stream.len()) as f64;
    let (each, speed) = (taken * frame.len() as f64 / total, total / taken);
    println!("framing: frames of {length} bytes in pieces of {piece}: {each:.1} ns each, {speed:.1} GB/s");
}
