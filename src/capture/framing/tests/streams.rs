//! Random streams: what comes out is what went in, whatever the pieces, less what is missing.

use super::*;
use crate::capture::testing::seed;
use Beginning::{Handshake, Midway};
use fastrand::Rng;

fn body(rng: &mut Rng, most: usize) -> Vec<u8> {
    let length = if rng.u8(..) < 20 { rng.usize(0..most) } else { rng.usize(0..200) };
    // Small numbers, text and noise, as in messages.
    match rng.u8(0..3) {
        0 => (0..length).map(|index| if index % 4 == 3 { rng.u8(0..40) } else { 0 }).collect(),
        1 => (0..length).map(|_| rng.u8(b' '..b'~')).collect(),
        _ => (0..length).map(|_| rng.u8(..)).collect(),
    }
}

/// Requests or responses, and where each begins and the last one ends.
fn stream(rng: &mut Rng, out: &mut Recorder, count: usize, most: usize) -> (Vec<u8>, Vec<usize>) {
    let mut stream = Vec::new();
    let mut begins = vec![0];
    for _ in 0..count {
        let id = rng.i32(1_000_000_000..);
        let body = body(rng, most);
        let frame = match out.side {
            crate::schema::Direction::Request => {
                request(rng.i16(0..10), rng.i16(0..2).max(1), id, "client", &body)
            }
            crate::schema::Direction::Response => response(id, &body),
        };
        out.pending.push(id);
        stream.extend(frame);
        begins.push(stream.len());
    }
    (stream, begins)
}

/// Cuts into pieces of random sizes.
fn pieces<'s>(rng: &mut Rng, mut stream: &'s [u8]) -> Vec<&'s [u8]> {
    let most = *rng.choice(&[1, 3, 10, 1460, 30_000]).unwrap();
    let mut pieces = Vec::new();
    while !stream.is_empty() {
        let (piece, rest) = stream.split_at(rng.usize(1..=most).min(stream.len()));
        pieces.push(piece);
        stream = rest;
    }
    pieces
}

fn without_packets(mut out: Recorder) -> Recorder {
    for frame in &mut out.frames {
        frame.packets = (0, 0);
    }
    out
}

#[test]
fn pieces_of_any_size_give_the_same_frames() {
    let mut rng = Rng::with_seed(seed());
    for _ in 0..200 {
        let mut empty = if rng.bool() { Recorder::requests() } else { Recorder::responses() };
        let count = rng.usize(0..20);
        let (mut bytes, begins) = stream(&mut rng, &mut empty, count, 20_000);
        bytes.truncate(bytes.len() - rng.usize(0..30).min(bytes.len()));
        let at_once = frame_all(empty.clone(), Handshake, &bytes);
        assert_eq!(at_once.whole().len(), begins[1..].iter().filter(|end| **end <= bytes.len()).count());
        let pieces = pieces(&mut rng, &bytes);
        let out = frame_pieces(empty, FrameLimits::default(), Handshake, pieces);
        assert!(without_packets(out) == without_packets(at_once));
    }
}

#[test]
fn joining_at_every_byte_finds_the_next_boundary() {
    let mut rng = Rng::with_seed(seed());
    for empty in [Recorder::requests(), Recorder::responses()] {
        let mut empty = empty;
        let (bytes, begins) = stream(&mut rng, &mut empty, 10, 400);
        for join in 0..bytes.len() {
            let next = *begins.iter().find(|begin| **begin >= join).unwrap();
            let rest = &bytes[join..];
            let pieces = if rng.bool() { vec![rest] } else { rest.chunks(1460).collect() };
            let out = frame_pieces(empty.clone(), FrameLimits::default(), Midway, pieces);
            let expected: Vec<_> =
                begins.iter().filter(|begin| **begin >= next).map(|begin| (begin - join) as u64).collect();
            let (_, expected) = expected.split_last().unwrap();
            assert_eq!(out.whole(), expected, "{:?} at {join}", empty.side);
            let passed: u64 = out.passed.iter().map(|(_, length, _)| length).sum();
            let none = expected.is_empty();
            assert!(passed == (next - join) as u64 || none, "{join}");
        }
    }
}

#[test]
fn holes_cost_the_frames_that_they_touch() {
    let mut rng = Rng::with_seed(seed());
    for _ in 0..300 {
        let mut out = Recorder::requests();
        let (bytes, begins) = stream(&mut rng, &mut out, 20, 20_000);
        let mut framer = Framer::new(FrameLimits::default(), Handshake);
        let mut known = vec![true; bytes.len()];
        let mut at = 0;
        while at < bytes.len() {
            let length = rng.usize(1..2000).min(bytes.len() - at);
            if rng.u8(..) < 60 {
                framer.hole(length as u64, &mut out);
                known[at..at + length].fill(false);
            } else {
                framer.data(&bytes[at..at + length], seen(1), &mut out);
            }
            at += length;
        }
        framer.end(&mut out);
        let frames = begins.windows(2).filter(|ends| known[ends[0]..ends[1]].iter().all(|known| *known));
        let expected: Vec<_> = frames.map(|ends| ends[0] as u64).collect();
        assert_eq!(out.whole(), expected);
        for frame in &out.frames {
            for (at, piece) in &frame.pieces {
                let at = (frame.offset + at) as usize;
                assert!(piece[..] == bytes[at..at + piece.len()]);
            }
            if frame.size.is_some() {
                assert!(begins.contains(&(frame.offset as usize)));
            }
        }
    }
}

#[test]
fn random_bytes_do_no_harm() {
    let mut rng = Rng::with_seed(seed());
    for _ in 0..500 {
        let mut out = if rng.bool() { Recorder::requests() } else { Recorder::responses() };
        out.expected = if rng.u8(..) < 60 { Expected::Sizes } else { Expected::Messages };
        let limits =
            FrameLimits { gathered: 5000, kept: 100, searched: 4000, reused: 64 << 10, foreign: 50_000 };
        let mut framer = Framer::new(limits, if rng.bool() { Handshake } else { Midway });
        let mut position = 0;
        for _ in 0..rng.usize(0..60) {
            let bytes = body(&mut rng, 20_000);
            if rng.u8(..) < 40 {
                framer.hole(bytes.len() as u64, &mut out);
            } else {
                framer.data(&bytes, seen(1), &mut out);
            }
            position += bytes.len() as u64;
            assert_eq!(framer.position(), position);
            assert!(framer.held() < 200_000, "{}", framer.held());
        }
        framer.end(&mut out);
        assert!(out.end <= position);
    }
}

#[test]
fn what_is_decided_of_a_header_stays_so() {
    let mut rng = Rng::with_seed(seed());
    for _ in 0..2000 {
        let id = rng.i32(..);
        let body = body(&mut rng, 20_000);
        let (key, version) = (rng.i16(0..100), rng.i16(0..20));
        let mut frame = request(key, version, id, "some-client", &body[..body.len().min(20)]);
        let index = rng.usize(..frame.len());
        frame[index] ^= rng.u8(..);
        let mut decided = Plausibility::Undecided;
        for end in 0..=frame.len() {
            let judged = boundary::request(catalogue(), None, &frame[..end]);
            assert!(decided == Plausibility::Undecided || judged == decided);
            decided = judged;
        }
    }
}
