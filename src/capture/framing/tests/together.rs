//! Reassembly and framing together: from segments to frames.

use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::capture::tcp::{Closing, ConnectionId, Limits, Missing, Opening, Place, Receiver, Tcp};
use crate::capture::testing::seed;
use crate::capture::{Endpoint, Segment};

/// Frames one direction.
struct Joined {
    framer: Framer,
    out: Recorder,
}

impl Receiver for Joined {
    fn open(&mut self, _: ConnectionId, _: &Opening) {}
    fn data(&mut self, place: Place, bytes: &[u8], seen: Seen) {
        assert_eq!(place.offset, self.framer.position());
        self.framer.data(bytes, seen, &mut self.out);
    }
    fn hole(&mut self, _: Place, length: u64, _: Missing) {
        self.framer.hole(length, &mut self.out);
    }
    fn close(&mut self, _: ConnectionId, _: Closing) {
        self.framer.end(&mut self.out);
    }
}

#[test]
fn lost_and_cut_packets_cost_the_frames_that_they_have() {
    let mut rng = fastrand::Rng::with_seed(seed());
    for _ in 0..200 {
        let mut stream = Vec::new();
        let mut begins = vec![0];
        for id in 0..rng.i32(1..60) {
            let body = vec![rng.u8(..); rng.usize(0..3000)];
            stream.extend(request(0, 3, id, "client", &body));
            begins.push(stream.len());
        }
        let end = |port| Endpoint { address: IpAddr::V4(Ipv4Addr::LOCALHOST), port };
        let first = rng.u32(..);
        let mut segments = Vec::new();
        let mut known = vec![false; stream.len()];
        let mut at = 0;
        while at < stream.len() {
            let length = rng.usize(1..1460).min(stream.len() - at);
            let captured = if rng.u8(..) < 20 { rng.usize(0..=length) } else { length };
            if rng.u8(..) > 10 {
                known[at..at + captured].fill(true);
                segments.push(Segment {
                    packet: segments.len() as u64 + 1,
                    time: None,
                    source: end(50000),
                    destination: end(9092),
                    sequence: first.wrapping_add(at as u32),
                    acknowledgment: None,
                    syn: false,
                    fin: false,
                    rst: false,
                    payload: &stream[at..at + captured],
                    length: length as u32,
                });
            }
            at += length;
        }
        for index in 4..segments.len() {
            if rng.bool() {
                segments.swap(index - 1, index);
            }
        }
        let mut joined = Joined {
            framer: Framer::new(FrameLimits::default(), Beginning::Handshake),
            out: Recorder::requests(),
        };
        let mut tcp = Tcp::new(Limits::default());
        let Some(begin) = segments.first() else { continue };
        // The handshake says where the first frame begins, even if its bytes are missing.
        let syn = Segment { sequence: first.wrapping_sub(1), syn: true, payload: b"", length: 0, ..*begin };
        tcp.segment(&syn, &mut joined);
        for segment in &segments {
            tcp.segment(segment, &mut joined);
        }
        tcp.finish(&mut joined);
        let whole = begins.windows(2).filter(|ends| known[ends[0]..ends[1]].iter().all(|known| *known));
        let expected: Vec<_> = whole.map(|ends| ends[0] as u64).collect();
        assert_eq!(joined.out.whole(), expected);
    }
}
