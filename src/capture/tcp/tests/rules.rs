//! One test for each thing that can happen to a connection.

use super::*;
use Flow::{Backward, Forward};

#[test]
fn segments_in_order_are_handed_on_as_they_are() {
    struct Addresses(Vec<*const u8>);
    impl Receiver for Addresses {
        fn open(&mut self, _: ConnectionId, _: &Opening) {}
        fn data(&mut self, _: Place, bytes: &[u8], _: Seen) {
            self.0.push(bytes.as_ptr());
        }
        fn hole(&mut self, _: Place, _: u64, _: Missing) {}
        fn close(&mut self, _: ConnectionId, _: Closing) {}
    }
    let payload = *b"abc";
    let mut tcp = Tcp::new(Limits::default());
    let mut addresses = Addresses(Vec::new());
    tcp.segment(&syn(request(99, b"")), &mut addresses);
    tcp.segment(&request(100, &payload), &mut addresses);
    assert_eq!(addresses.0, [payload.as_ptr()]);
}

#[test]
fn out_of_order_segments_wait() {
    let out =
        reassemble(&[syn(request(99, b"")), request(103, b"def"), request(106, b"g"), request(100, b"abc")]);
    assert_eq!(out.text(1, Forward), "abcdefg");
    assert_eq!(out.streams[&(ConnectionId(1), Forward)].packets, [4, 2, 3]);
    assert_eq!(out.notes, []);
}

#[test]
fn sequence_numbers_wrap() {
    let out = reassemble(&[
        syn(request(u32::MAX - 2, b"")),
        request(u32::MAX - 1, b"ab"),
        request(2, b"ef"),
        request(0, b"cd"),
    ]);
    assert_eq!(out.text(1, Forward), "abcdef");
}

#[test]
fn a_gap_is_given_up_on_evidence_only() {
    let begin = [syn(request(99, b"")), request(100, b"abc"), request(106, b"ghi")];
    let came = [request(103, b"def")];
    // The other side's traffic is none, nor is an acknowledgment of what was seen or of a part of the gap.
    for no_evidence in [response(1, b"x"), acknowledge(103), acknowledge(105)] {
        let out = reassemble(&[&begin[..], &[no_evidence], &came].concat());
        assert_eq!(out.text(1, Forward), "abcdefghi");
    }
    let out = reassemble(&[&begin[..], &[acknowledge(109)], &came].concat());
    assert_eq!(out.text(1, Forward), "abc...ghi");
    assert_eq!(out.streams[&(ConnectionId(1), Forward)].missing, [(3, 3, Missing::Lost)]);
    assert_eq!(out.notes, [(Forward, Note::Late { offset: 3, length: 3 })]);
    // Captures may have the acknowledgment before the segment.
    let out = reassemble_with(Limits::default(), &[&begin[..], &[acknowledge(109)], &came].concat());
    assert_eq!(out.text(1, Forward), "abcdefghi");
}

#[test]
fn an_acknowledged_gap_is_not_waited_for_longer_than_a_second() {
    let at = |time: i64, segment| Segment { time: Some(crate::capture::Time(time)), ..segment };
    let mut tcp = Tcp::new(Limits::default());
    let mut recorder = Recorder::default();
    let segments = [
        at(0, syn(request(99, b""))),
        at(0, request(103, b"def")),
        at(1, acknowledge(106)),
        at(1_000_000_001, acknowledge(106)),
    ];
    for segment in segments {
        assert_eq!(recorder.text(1, Forward), "");
        tcp.segment(&segment, &mut recorder);
    }
    assert_eq!(recorder.text(1, Forward), "...def");
}

#[test]
fn what_waits_is_bounded() {
    let limits = Limits { waiting: 1000, waiting_in_all: 1500, ..Limits::default() };
    let mut segments = vec![syn(request(99, b""))];
    let payload = [7; 100];
    segments.extend((1..50).map(|index| request(100 + 200 * index, &payload)));
    let out = reassemble_with(limits, &segments);
    let output = &out.streams[&(ConnectionId(1), Forward)];
    assert_eq!(output.bytes.iter().flatten().count(), 49 * 100);
    assert_eq!(output.missing[0], (0, 200, Missing::Limit));
    assert_eq!(output.missing[48], (9700, 100, Missing::End));
    // Pieces of one byte cost more than their bytes.
    let few = Limits { pieces: 10, ..Limits::default() };
    let tiny: Vec<_> = (1..100).map(|index| request(100 + 2 * index, b"x")).collect();
    let mut tcp = Tcp::new(few);
    let mut recorder = Recorder::default();
    tcp.segment(&syn(request(99, b"")), &mut recorder);
    for segment in &tiny {
        tcp.segment(segment, &mut recorder);
        assert!(tcp.held() <= 10 * 97);
    }
}

#[test]
fn one_connection_cannot_take_what_others_need() {
    let limits = Limits { waiting: 1 << 20, waiting_in_all: 1000, ..Limits::default() };
    let payload = [7; 100];
    let segments: Vec<_> = (0..50)
        .flat_map(|port| {
            let from = move |segment| Segment { source: endpoint(1000 + port), ..segment };
            [from(syn(request(99, b""))), from(request(200, &payload))]
        })
        .collect();
    let out = reassemble_with(limits, &segments);
    let known = out.streams.values().flat_map(|output| &output.bytes).flatten().count();
    assert_eq!(known, 5000);
}

#[test]
fn a_retransmission_is_silent() {
    let out = reassemble(&[
        syn(request(99, b"")),
        request(100, b"abc"),
        request(100, b"abc"),
        request(106, b"ghi"),
        request(106, b"ghi"),
        request(101, b"bcdefgh"),
        request(100, b"abcdefghi"),
    ]);
    assert_eq!(out.text(1, Forward), "abcdefghi");
    assert_eq!(out.notes, []);
}

#[test]
fn the_first_copy_wins_and_a_differing_one_is_told() {
    let out = reassemble(&[
        syn(request(99, b"")),
        request(103, b"def"),
        request(102, b"XYZE"),
        request(100, b"ab"),
        request(100, b"aB"),
    ]);
    assert_eq!(out.text(1, Forward), "abXdef");
    assert_eq!(
        out.notes,
        [(Forward, Note::Differs { offset: 3, length: 3 })],
        "only the end of the segment that was handed on last is compared"
    );
    let out = reassemble(&[syn(request(99, b"")), request(100, b"abc"), request(101, b"XcD")]);
    assert_eq!(out.text(1, Forward), "abcD");
    assert_eq!(out.notes, [(Forward, Note::Differs { offset: 1, length: 2 })]);
}

#[test]
fn a_capture_may_start_in_the_middle() {
    // Without SYN the first bytes are waited for, but not for long.
    let out = reassemble(&[request(103, b"def"), request(100, b"abc"), request(106, b"ghi")]);
    assert_eq!(out.text(1, Forward), "abcdefghi");
    let output = &out.streams[&(ConnectionId(1), Forward)];
    assert_eq!(output.beginning, Some(Beginning::Midway));
    // What was acknowledged needs no waiting.
    let out =
        reassemble(&[request(103, b"def"), acknowledge(106), request(100, b"abc"), request(106, b"ghi")]);
    assert_eq!(out.text(1, Forward), "defghi");
    assert_eq!(out.notes, [(Forward, Note::BeforeBeginning { length: 3 })]);
    // A SYN that comes late settles it.
    let out = reassemble(&[request(103, b"def"), syn(request(99, b"")), request(100, b"abc")]);
    assert_eq!(out.text(1, Forward), "abcdef");
    assert_eq!(out.openings.len(), 1);
}

#[test]
fn the_answer_to_a_missing_syn_tells_where_the_stream_begins() {
    let answer = Segment { acknowledgment: Some(100), ..syn(response(500, b"")) };
    let out = reassemble(&[answer, request(102, b"cd"), request(100, b"ab"), syn(request(99, b""))]);
    assert_eq!(out.text(1, Forward), "abcd");
    assert_eq!(out.openings.len(), 1);
    let opening = out.openings[0].1;
    assert!(opening.client_is_known);
    assert_eq!((opening.from.port, opening.to.port), (50000, 9092));
}

#[test]
fn syn_may_carry_data() {
    let answer = Segment { acknowledgment: Some(103), ..syn(response(500, b"")) };
    let out = reassemble(&[syn(request(99, b"abc")), answer, request(103, b"def"), response(501, b"x")]);
    assert_eq!((out.text(1, Forward), out.text(1, Backward)), ("abcdef".into(), "x".into()));
    assert_eq!(out.openings.len(), 1);
}

#[test]
fn one_direction_is_enough() {
    let out = reassemble(&[response(1, b"ab"), response(5, b"ef"), fin(response(7, b""))]);
    assert_eq!(out.text(1, Forward), "ab..ef");
    assert_eq!(out.closings, [(ConnectionId(1), Closing::EndOfCapture)]);
    assert!(!out.openings[0].1.client_is_known);
}

#[test]
fn fin_with_missing_data_leaves_a_hole() {
    let begin = [syn(request(99, b"")), request(100, b"ab"), fin(request(104, b"ef"))];
    let out = reassemble(&begin);
    assert_eq!(out.text(1, Forward), "ab..ef");
    assert!(out.streams[&(ConnectionId(1), Forward)].ended);
    // It may come yet; a copy of FIN is nothing.
    let out = reassemble(&[&begin[..], &[fin(request(106, b"")), request(102, b"cd")]].concat());
    assert_eq!(out.text(1, Forward), "abcdef");
    // All of the data can be missing.
    let out = reassemble(&[syn(request(99, b"")), fin(request(104, b"")), acknowledge(105)]);
    assert_eq!(out.text(1, Forward), "....");
    assert_eq!(out.streams[&(ConnectionId(1), Forward)].missing, [(0, 4, Missing::Lost)]);
}

#[test]
fn a_connection_ends_with_both_fins() {
    let segments = [
        syn(request(99, b"")),
        syn(response(499, b"")),
        fin(request(100, b"ab")),
        response(500, b"cd"),
        fin(response(502, b"")),
        request(103, b""),
        fin(response(500, b"cd")),
    ];
    let out = reassemble(&segments);
    assert_eq!((out.text(1, Forward), out.text(1, Backward)), ("ab".into(), "cd".into()));
    assert_eq!(out.closings, [(ConnectionId(1), Closing::Finished)]);
    assert_eq!(out.notes, []);
}

#[test]
fn data_under_way_at_a_reset_is_handed_on() {
    let out = reassemble(&[
        syn(request(99, b"")),
        request(102, b"cd"),
        rst(response(1, b"")),
        request(100, b"ab"),
        request(106, b"gh"),
    ]);
    assert_eq!(out.text(1, Forward), "abcd..gh");
    assert_eq!(out.closings, [(ConnectionId(1), Closing::Reset(Backward))]);
}

#[test]
fn what_a_reset_carries_is_no_data() {
    let out = reassemble(&[syn(request(99, b"")), request(100, b"ab"), rst(request(102, b"no such topic"))]);
    assert_eq!(out.text(1, Forward), "ab");
}

#[test]
fn a_reset_connection_is_closed_before_long() {
    let mut segments = vec![syn(request(99, b"")), request(102, b"cd"), rst(request(104, b""))];
    let other = Segment { source: endpoint(7), ..syn(request(5, b"")) };
    segments.extend([other; 70]);
    segments.push(request(100, b"ab"));
    let out = reassemble(&segments);
    assert_eq!(out.text(1, Forward), "..cd");
    assert_eq!(out.closings[0], (ConnectionId(1), Closing::Reset(Forward)));
    assert_eq!(out.openings.len(), 2);
}

#[test]
fn ports_are_used_again() {
    let out = reassemble(&[
        syn(request(99, b"")),
        request(100, b"ab"),
        syn(request(99, b"")),
        syn(request(7000, b"")),
        request(7001, b"cd"),
    ]);
    assert_eq!((out.text(1, Forward), out.text(2, Forward)), ("ab".into(), "cd".into()));
    assert_eq!(out.closings[0], (ConnectionId(1), Closing::Reused));
    // After FIN or RST, no SYN is needed.
    for end in [fin(request(102, b"")), rst(request(102, b""))] {
        let out = reassemble(&[syn(request(99, b"")), request(100, b"ab"), end, request(900_000_000, b"cd")]);
        assert_eq!((out.text(1, Forward), out.text(2, Forward)), ("ab".into(), "cd".into()));
    }
}

#[test]
fn one_wrong_sequence_number_does_not_end_a_connection() {
    let stray = request(2_000_000_000, b"xy");
    let out = reassemble(&[syn(request(99, b"")), request(100, b"ab"), stray, request(102, b"cd")]);
    assert_eq!(out.text(1, Forward), "abcd");
    assert_eq!(out.notes, [(Forward, Note::Stray)]);
    let next = request(2_000_000_002, b"z");
    let out = reassemble(&[syn(request(99, b"")), request(100, b"ab"), stray, next]);
    assert_eq!((out.text(1, Forward), out.text(2, Forward)), ("ab".into(), "z".into()));
}

#[test]
fn keep_alive_probes_are_nothing() {
    let out = reassemble(&[
        syn(request(99, b"")),
        request(99, b"\0"),
        request(100, b"ab"),
        request(101, b"\0"),
        request(101, b""),
        request(102, b"cd"),
    ]);
    assert_eq!(out.text(1, Forward), "abcd");
    assert_eq!(out.notes, []);
}

#[test]
fn zero_window_probes_count_once() {
    let out = reassemble(&[
        syn(request(99, b"")),
        request(100, b"ab"),
        request(102, b"c"),
        request(102, b"c"),
        request(102, b"cde"),
    ]);
    assert_eq!(out.text(1, Forward), "abcde");
    assert_eq!(out.notes, []);
}

#[test]
fn a_packet_cut_by_the_capture_leaves_a_hole_of_its_size() {
    let cut = |sequence, payload, length| Segment { length, ..request(sequence, payload) };
    let out = reassemble(&[syn(request(99, b"")), cut(100, b"ab", 5), request(105, b"fg"), cut(107, b"", 2)]);
    assert_eq!(out.text(1, Forward), "ab...fg..");
    let seen = |packet| Missing::Cut(Seen { packet, time: None });
    assert_eq!(
        out.streams[&(ConnectionId(1), Forward)].missing,
        [(2, 3, seen(2)), (7, 2, seen(4))],
        "without waiting for anything"
    );
    // Out of order; and what is known of another copy counts.
    let out =
        reassemble(&[syn(request(99, b"")), cut(103, b"de", 5), request(106, b"g"), request(100, b"abc")]);
    assert_eq!(out.text(1, Forward), "abcde.g.");
    // In the middle of a stream.
    let out = reassemble(&[cut(100, b"", 5), cut(105, b"fg", 4)]);
    assert_eq!(out.text(1, Forward), ".....fg..");
}

#[test]
fn a_length_below_what_is_there_is_no_harm() {
    let out = reassemble(&[syn(request(99, b"")), Segment { length: 0, ..request(100, b"abc") }]);
    assert_eq!(out.text(1, Forward), "abc");
}

#[test]
fn bytes_that_were_acknowledged_and_never_seen_are_missing_at_the_end() {
    let out = reassemble(&[syn(request(99, b"")), request(100, b"ab"), acknowledge(106)]);
    assert_eq!(out.text(1, Forward), "ab....");
    // A single one is FIN, most likely.
    let out = reassemble(&[syn(request(99, b"")), request(100, b"ab"), acknowledge(103)]);
    assert_eq!(out.text(1, Forward), "ab");
}

#[test]
fn bytes_after_fin_are_told() {
    let out = reassemble(&[syn(request(99, b"")), request(102, b"cdef"), fin(request(100, b"ab"))]);
    assert_eq!(out.text(1, Forward), "ab");
    assert_eq!(out.notes, [(Forward, Note::AfterEnd { length: 4 })]);
}

#[test]
fn idle_connections_are_dropped() {
    let limits = Limits { connections: 4, ..Limits::default() };
    let from = |port, segment| Segment { source: endpoint(port), ..segment };
    let mut segments: Vec<_> = (1..=4).map(|port| from(port, syn(request(99, b"")))).collect();
    segments.push(from(1, request(100, b"ab")));
    segments.push(from(5, syn(request(99, b""))));
    segments.push(from(2, request(100, b"cd")));
    let out = reassemble_with(limits, &segments);
    assert_eq!(out.closings[0], (ConnectionId(2), Closing::Dropped));
    assert_eq!(out.text(1, Forward), "ab");
    assert_eq!(out.text(6, Forward), "cd");
}

#[test]
fn closed_connections_are_forgotten_in_the_end() {
    let limits = Limits { connections: 8, ..Limits::default() };
    let mut tcp = Tcp::new(limits);
    let mut recorder = Recorder::default();
    for port in 1..1000 {
        let client = |segment| Segment { source: endpoint(port), ..segment };
        let broker = |segment| Segment { destination: endpoint(port), ..segment };
        tcp.segment(&client(syn(request(1, b""))), &mut recorder);
        tcp.segment(&broker(syn(response(1, b""))), &mut recorder);
        tcp.segment(&client(fin(request(2, b""))), &mut recorder);
        tcp.segment(&broker(fin(response(2, b""))), &mut recorder);
        assert!(tcp.table.len() <= 9 && tcp.closed.len() <= 8 && tcp.open == 0);
    }
    assert_eq!(recorder.closings.len(), 999);
}
