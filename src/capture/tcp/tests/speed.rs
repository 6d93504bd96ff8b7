//! What a segment in order costs: `cargo test --release --lib speed_of_reassembly -- --ignored --nocapture`.

use super::*;

struct Count(u64);

impl Receiver for Count {
    fn open(&mut self, _: ConnectionId, _: &Opening) {}
    fn data(&mut self, _: Place, bytes: &[u8], _: Seen) {
        self.0 += bytes.len() as u64;
    }
    fn hole(&mut self, _: Place, _: u64, _: Missing) {}
    fn close(&mut self, _: ConnectionId, _: Closing) {}
}

#[test]
#[ignore = "measures"]
fn speed_of_reassembly() {
    const SEGMENTS: u32 = 10_000_000;
    for (connections, length) in [(1u32, 100u32), (1, 1448), (100, 1448), (10_000, 1448), (1, 65_000)] {
        let payload = vec![7; length as usize];
        let mut tcp = Tcp::new(Limits::default());
        let mut count = Count(0);
        let port = |index: u32| endpoint((index % connections) as u16 + 1);
        for index in 0..connections {
            tcp.segment(&Segment { source: port(index), ..syn(request(u32::MAX, b"")) }, &mut count);
        }
        let start = std::time::Instant::now();
        for index in 0..SEGMENTS {
            let sequence = (index / connections).wrapping_mul(length);
            let segment = Segment {
                source: port(index),
                acknowledgment: Some(1),
                time: Some(crate::capture::Time(i64::from(index))),
                ..request(sequence, &payload)
            };
            tcp.segment(&segment, &mut count);
        }
        let each = start.elapsed().as_nanos() as f64 / f64::from(SEGMENTS);
        assert_eq!(count.0, u64::from(SEGMENTS) * u64::from(length));
        println!("{connections} connections, segments of {length} bytes: {each:.1} ns each");
    }
}
