//! What a frame costs: `cargo test --release --lib speed_of_framing -- --ignored --nocapture`.

use super::*;

struct Count(u64);

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

#[test]
#[ignore = "measures"]
fn speed_of_framing() {
    const FRAMES: u32 = 1_000_000;
    for (length, piece) in [(100, 104), (1000, 1004), (1000, 1448), (10_000, 1448), (100_000, 65_000)] {
        let stream = sized(&vec![7; length]).repeat((1 << 20) / length);
        let mut framer = Framer::new(FrameLimits::default(), Beginning::Handshake);
        let mut count = Count(0);
        let start = std::time::Instant::now();
        let mut rounds = 0;
        while rounds * (stream.len() / length) < FRAMES as usize * 100 / length.max(100) {
            for piece in stream.chunks(piece) {
                framer.data(piece, seen(1), &mut count);
            }
            rounds += 1;
        }
        let total = (rounds * stream.len()) as u64;
        assert_eq!(count.0, total);
        let frames = total as f64 / (length + 4) as f64;
        let taken = start.elapsed().as_nanos() as f64;
        println!(
            "frames of {length} bytes in pieces of {piece}: {:.1} ns each, {:.1} GB/s",
            taken / frames,
            total as f64 / taken
        );
    }
}
