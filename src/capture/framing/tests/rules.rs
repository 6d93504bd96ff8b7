//! One test for each thing that can happen to a stream of frames.

use super::*;
use crate::wire::frame::{LEAST_RESPONSE, bad_size};
use Beginning::{Handshake, Midway};

#[test]
fn a_frame_in_one_segment_is_handed_on_in_place() {
    struct Addresses(Vec<*const u8>);
    impl FrameReceiver for Addresses {
        fn judge(&self, _: &[u8]) -> Plausibility {
            Plausibility::Possible
        }
        fn frame(&mut self, frame: &CapturedFrame<'_>) {
            self.0.push(frame.bytes().as_ptr());
        }
        fn passed_over(&mut self, _: &PassedOver<'_>) {}
        fn foreign(&mut self, _: &Foreign<'_>) {}
    }
    let stream = [sized(b"abcd"), sized(b"efghi")].concat();
    let mut addresses = Addresses(Vec::new());
    let mut framer = Framer::new(FrameLimits::default(), Handshake);
    framer.data(&stream, seen(1), &mut addresses);
    assert_eq!(addresses.0, [stream.as_ptr(), stream[8..].as_ptr()]);
    assert_eq!(framer.held(), 0);
}

#[test]
fn a_frame_tells_its_packets() {
    let stream = [sized(b"abcd"), sized(b"efghi")].concat();
    let pieces = [&stream[..2], &stream[2..7], &stream[7..12], &stream[12..]];
    let out = frame_pieces(Recorder::requests(), FrameLimits::default(), Handshake, pieces);
    let packets: Vec<_> = out.frames.iter().map(|frame| frame.packets).collect();
    assert_eq!(packets, [(1, 3), (3, 4)]);
}

#[test]
fn a_hole_in_a_frame_leaves_what_is_around_it() {
    let mut framer = Framer::new(FrameLimits::default(), Handshake);
    let mut out = Recorder::requests();
    let stream = [sized(b"abcdefghij"), sized(b"klmn")].concat();
    framer.data(&stream[..6], seen(1), &mut out);
    framer.hole(3, &mut out);
    framer.data(&stream[9..11], seen(2), &mut out);
    framer.hole(1, &mut out);
    framer.data(&stream[12..], seen(3), &mut out);
    framer.end(&mut out);
    let pieces = vec![(0, b"\0\0\0\x0aab".to_vec()), (9, b"fg".to_vec()), (12, b"ij".to_vec())];
    assert_eq!(out.frames[0].pieces, pieces);
    assert_eq!(out.frames[0].completeness, Completeness::Holed);
    assert_eq!((out.whole(), out.passed.len()), (vec![14], 0));
}

#[test]
fn a_hole_up_to_the_end_of_a_frame_loses_no_boundary() {
    let mut framer = Framer::new(FrameLimits::default(), Handshake);
    let mut out = Recorder::requests();
    framer.data(b"\0\0\0\x08abcd", seen(1), &mut out);
    framer.hole(4, &mut out);
    framer.data(&sized(b"efgh"), seen(2), &mut out);
    framer.end(&mut out);
    assert_eq!(out.frames[0].completeness, Completeness::Holed);
    assert_eq!(out.whole(), [12]);
}

#[test]
fn a_hole_in_a_size_or_beyond_a_frame_loses_the_boundary() {
    for known in [0, 2, 9] {
        let mut framer = Framer::new(FrameLimits::default(), Handshake);
        let mut out = Recorder::requests();
        let first = request(3, 1, 7, "client", b"\0\0\0\0");
        let next = request(3, 1, 8, "client", b"\0\0\0\0");
        framer.data(&first, seen(1), &mut out);
        framer.data(&first[..known], seen(2), &mut out);
        framer.hole(100, &mut out);
        framer.data(b"rest", seen(3), &mut out);
        framer.data(&next, seen(4), &mut out);
        framer.end(&mut out);
        let hole = (first.len() + known) as u64;
        assert_eq!(out.whole(), [0, hole + 104], "{known}");
        assert_eq!(out.passed.last(), Some(&(hole + 100, 4, Lost::Hole)));
        match known {
            2 => assert_eq!(out.passed[0], (first.len() as u64, 2, Lost::Hole)),
            9 => assert_eq!(out.frames[1].completeness, Completeness::Holed),
            _ => {}
        }
    }
}

#[test]
fn a_frame_that_the_end_cuts_is_told() {
    for length in 1..9 {
        let stream = [&sized(b"abcd")[..], &sized(b"efghij")[..length]].concat();
        let out = frame_all(Recorder::requests(), Handshake, &stream);
        assert_eq!(out.frames[1].completeness, Completeness::Cut);
        assert_eq!(out.frames[1].size, (length >= 4).then_some(6));
    }
}

#[test]
fn nothing_is_allocated_for_what_a_size_claims() {
    let mut framer = Framer::new(FrameLimits::default(), Handshake);
    let mut out = Recorder::requests();
    framer.data(b"\x06\0\0\0abcdefgh", seen(1), &mut out);
    assert!(framer.held() < 100);
    framer.end(&mut out);
    assert_eq!(out.frames[0].completeness, Completeness::Cut);
}

#[test]
fn of_a_frame_above_the_limit_the_beginning_is_kept() {
    let limits = FrameLimits { gathered: 1000, kept: 100, ..FrameLimits::default() };
    let large = request(0, 3, 7, "client", &[9; 50_000]);
    let stream = [&large[..], &request(3, 1, 8, "client", b"")].concat();
    for size in [1, 7, 1400, 100_000] {
        let mut framer = Framer::new(limits, Handshake);
        let mut out = Recorder::requests();
        for piece in stream.chunks(size) {
            framer.data(piece, seen(1), &mut out);
            assert!(framer.held() < 70_000);
        }
        assert_eq!(out.whole(), [0, large.len() as u64]);
        let known: usize = out.frames[0].pieces.iter().map(|(_, bytes)| bytes.len()).sum();
        assert_eq!((known, out.frames[0].not_kept), (100, large.len() as u64 - 100));
    }
}

#[test]
fn other_protocols_end_framing_with_their_first_bytes() {
    let others: [(&[u8], &str); 3] = [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "a TLS handshake"),
        (
            b"GET / HTTP/1.1\r\nHost: broker:9092\r\nUser-Agent: something with a long name\r\n\r\n",
            "an HTTP request",
        ),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "an HTTP response"),
    ];
    for (bytes, name) in others {
        for beginning in [Handshake, Midway] {
            for size in [1, 3, 64, 1000] {
                let pieces = bytes.chunks(size);
                let out = frame_pieces(Recorder::requests(), FrameLimits::default(), beginning, pieces);
                let first = bytes[..bytes.len().min(64)].to_vec();
                assert_eq!(out.foreign, [(0, first)]);
                assert!(out.frames.is_empty() && out.passed.is_empty());
                assert_eq!(bad_size(&out.foreign[0].1, LEAST_RESPONSE), Some(Some(name)));
            }
        }
    }
}

#[test]
fn a_stream_without_a_frame_is_given_up() {
    let limits = FrameLimits { foreign: 90_000, ..FrameLimits::default() };
    let mut framer = Framer::new(limits, Midway);
    let mut out = Recorder::requests();
    for _ in 0..1000 {
        framer.data(&[0xff; 100], seen(1), &mut out);
        assert!(framer.held() < 70_000);
    }
    assert_eq!(out.foreign.len(), 1);
}

#[test]
fn a_size_that_makes_no_sense_is_passed_over() {
    let good = request(3, 1, 7, "client", b"\0\0\0\0");
    for bad in [&b"\xff\xff\xff\xff"[..], b"\0\0\0\0", b"\0\0\0\x03abc", b"\x7f\xff\xff\xff no"] {
        let stream = [&good[..], bad, &good].concat();
        for size in [1, 5, 1000] {
            let pieces = stream.chunks(size);
            let out = frame_pieces(Recorder::requests(), FrameLimits::default(), Handshake, pieces);
            let at = good.len() as u64;
            assert_eq!(out.whole(), [0, at + bad.len() as u64], "{bad:?} {size}");
            assert_eq!(out.passed, [(at, bad.len() as u64, Lost::BadSize)]);
        }
    }
}

#[test]
fn tokens_need_no_header() {
    let mut out = Recorder::requests();
    let mut framer = Framer::new(FrameLimits::default(), Handshake);
    framer.data(&request(17, 0, 1, "client", b"\0\x05PLAIN"), seen(1), &mut out);
    out.expected = Expected::Sizes;
    let tokens = [sized(b"\0user\0secret"), sized(b""), sized(b"\x60\x82")].concat();
    for byte in tokens.chunks(1) {
        framer.data(byte, seen(2), &mut out);
    }
    out.expected = Expected::Messages;
    framer.data(&request(3, 1, 2, "client", b""), seen(3), &mut out);
    framer.end(&mut out);
    assert_eq!(out.whole().len(), 5);
    assert!(out.passed.is_empty() && out.foreign.is_empty());
}

#[test]
fn responses_without_requests_are_found_by_a_chain_of_sizes() {
    let stream: Vec<u8> = (0..10).flat_map(|id| response(1_000_000 + id, &[0xee; 300])).collect();
    let out = frame_all(Recorder::responses(), Midway, &stream[100..]);
    assert_eq!(out.passed, [(0, 208, Lost::Joined)]);
    assert_eq!(out.whole().len(), 9);
}

#[test]
fn a_capture_of_a_single_response_is_no_foreign_stream() {
    let out = frame_all(Recorder::responses(), Midway, &response(7, b"\0\0\0\0"));
    assert_eq!((out.whole(), out.foreign.len()), (vec![0], 0));
}

#[test]
fn what_is_searched_is_bounded() {
    let limits = FrameLimits { searched: 10_000, ..FrameLimits::default() };
    let mut framer = Framer::new(limits, Midway);
    let mut out = Recorder::responses();
    // Each of the places could be a boundary.
    for _ in 0..200 {
        framer.data(&[0, 1, 0, 0].repeat(100), seen(1), &mut out);
        assert!(framer.held() < 50_000);
    }
}

#[test]
fn headers_are_judged_by_what_is_there() {
    let judge = |bytes: &[u8]| boundary::request(catalogue(), None, bytes);
    let good = request(3, 1, 7, "client", b"\0\0\0\0");
    assert_eq!(judge(&good), Plausibility::Certain);
    assert_eq!(judge(&good[..13]), Plausibility::Undecided);
    assert_eq!(judge(&request(3, 1, 7, "", b"")), Plausibility::No);
    assert_eq!(judge(b"\0\0\0\x0a\0\x03\0\x01\0\0\0\x07\xff\xff"), Plausibility::Possible);
    // A newer version than is known, a private API.
    assert_eq!(judge(&request(3, 15, 7, "client", b"")), Plausibility::Possible);
    assert_eq!(judge(&request(1001, 0, 7, "client", b"")), Plausibility::Possible);
    // ControlledShutdown v0 has no client id.
    assert_eq!(judge(b"\0\0\0\x0c\0\x07\0\0\0\0\0\x01\0\0\0\x05"), Plausibility::Possible);
    for bad in [
        request(-1, 0, 7, "client", b""),
        request(3, -1, 7, "client", b""),
        request(3, 300, 7, "client", b""),
        request(3, 1, 7, "cli\0ent", b""),
        b"\0\0\0\x0a\0\x03\0\x01\0\0\0\x07\0\x05".to_vec(),
        b"\0\0\0\x09\0\x03\0\x01\0\0\0\x07\0".to_vec(),
    ] {
        assert_eq!(judge(&bad), Plausibility::No, "{bad:?}");
    }
    // A client does not change its id.
    let judge = |known: &[u8], bytes: &[u8]| boundary::request(catalogue(), Some(known), bytes);
    assert_eq!(judge(b"client", &good), Plausibility::Certain);
    assert_eq!(judge(b"clients", &good), Plausibility::Possible);
    assert_eq!(judge(b"client", &request(3, 1, 7, "", b"")), Plausibility::No);
    assert_eq!(judge(b"", &request(3, 1, 7, "", b"")), Plausibility::Possible);
}
