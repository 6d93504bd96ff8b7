//! Random captures against a plain model: what was sent, as vectors, less what the capture does not have.

use super::*;
use crate::capture::testing::seed;
use fastrand::Rng;

/// A segment that owns its bytes.
#[derive(Clone)]
struct Sent {
    flow: Flow,
    /// Where in the stream it begins.
    at: usize,
    bytes: Vec<u8>,
    /// How many bytes it had on the wire.
    length: usize,
    /// How many bytes of the other stream its sender has got.
    got: usize,
    syn: bool,
    fin: bool,
    rst: bool,
}

/// What the random captures have in them.
#[derive(Clone, Copy, Debug)]
struct Trouble {
    handshake: bool,
    reordered: bool,
    repeated: bool,
    lost: bool,
    cut: bool,
    one_way: bool,
    reset: bool,
}

/// So many segments a segment can be late.
const DISTANCE: usize = 6;

fn conversation(rng: &mut Rng, streams: &[Vec<u8>; 2], trouble: Trouble) -> Vec<Sent> {
    let mut sent = Vec::new();
    let mut at = [0, 0];
    let plain = |flow, at, got| Sent {
        flow,
        at,
        bytes: Vec::new(),
        length: 0,
        got,
        syn: false,
        fin: false,
        rst: false,
    };
    if trouble.handshake {
        sent.push(Sent { syn: true, ..plain(Flow::Forward, 0, 0) });
        sent.push(Sent { syn: true, ..plain(Flow::Backward, 0, 0) });
    }
    while at[0] < streams[0].len() || at[1] < streams[1].len() {
        let flow = if rng.bool() { Flow::Forward } else { Flow::Backward };
        let (mine, other) = (flow.index(), flow.other().index());
        let length = rng.usize(0..=300).min(streams[mine].len() - at[mine]);
        let bytes = streams[mine][at[mine]..at[mine] + length].to_vec();
        sent.push(Sent { bytes, length, ..plain(flow, at[mine], at[other]) });
        at[mine] += length;
        // Not long after the last byte: gaps are not waited for for ever.
        if trouble.repeated && rng.u8(..) < 80 && at[mine] < streams[mine].len() {
            // Sent again, in other pieces, and now and then with other bytes.
            let from = at[mine].saturating_sub(rng.usize(0..600));
            let length = rng.usize(0..600).min(at[mine] - from);
            let mut bytes = streams[mine][from..from + length].to_vec();
            if rng.u8(..) < 60 && !bytes.is_empty() {
                bytes.fill_with(|| rng.u8(..));
            }
            sent.push(Sent { bytes, length, ..plain(flow, from, at[other]) });
        }
    }
    if trouble.reset {
        sent.push(Sent { rst: true, ..plain(Flow::Forward, at[0], at[1]) });
    } else {
        sent.push(Sent { fin: true, ..plain(Flow::Forward, at[0], at[1]) });
        sent.push(Sent { fin: true, ..plain(Flow::Backward, at[1], at[0]) });
    }
    sent
}

/// What the capture has of what was sent.
fn capture(rng: &mut Rng, mut sent: Vec<Sent>, trouble: Trouble) -> Vec<Sent> {
    if trouble.lost {
        // Not the beginning: without SYN, it is what is sent again that would begin the stream.
        sent.retain(|segment| segment.at < 600 || rng.u8(..) > 20);
    }
    if trouble.cut {
        for segment in &mut sent {
            let longest = rng.usize(20..300);
            segment.bytes.truncate(longest);
        }
    }
    if trouble.one_way {
        sent.retain(|segment| segment.flow == Flow::Forward);
    }
    // Without SYN, which byte is the first is another test.
    if trouble.reordered && trouble.handshake {
        let mut moved: Vec<_> = sent.drain(2.min(sent.len())..).enumerate().collect();
        moved.sort_by_cached_key(|(index, _)| index + rng.usize(0..DISTANCE));
        sent.extend(moved.into_iter().map(|(_, segment)| segment));
    }
    sent
}

/// What must come out: the first copy of each byte, `None` for those that no segment has, and whether it is unsure, as a cut packet
/// and a whole one both have it: a cut is given up at once.
fn model(captured: &[Sent], flow: Flow, length: usize) -> (Vec<Option<u8>>, Vec<bool>) {
    let mut bytes = vec![None; length];
    let mut cut = vec![false; length];
    for segment in captured.iter().filter(|segment| segment.flow == flow) {
        for (index, byte) in segment.bytes.iter().enumerate() {
            bytes[segment.at + index].get_or_insert(*byte);
        }
        cut[segment.at + segment.bytes.len()..segment.at + segment.length].fill(true);
    }
    (bytes, cut)
}

fn check(rng: &mut Rng, trouble: Trouble) {
    let stream = |rng: &mut Rng| (0..rng.usize(0..20_000)).map(|_| rng.u8(..)).collect::<Vec<u8>>();
    let streams = [stream(rng), stream(rng)];
    // Most of them wrap.
    let begin = [0, 1].map(|_| if rng.u8(..) < 200 { u32::MAX - rng.u32(0..20_000) } else { rng.u32(..) });
    let sent = conversation(rng, &streams, trouble);
    let captured = capture(rng, sent, trouble);
    let segments: Vec<Segment<'_>> = captured
        .iter()
        .map(|sent| {
            let (mine, other) = (sent.flow.index(), sent.flow.other().index());
            let is_first = sent.syn && sent.flow == Flow::Forward;
            Segment {
                sequence: begin[mine].wrapping_add(sent.at as u32).wrapping_sub(u32::from(sent.syn)),
                acknowledgment: (!is_first).then(|| begin[other].wrapping_add(sent.got as u32)),
                syn: sent.syn,
                fin: sent.fin,
                rst: sent.rst,
                length: sent.length as u32,
                ..match sent.flow {
                    Flow::Forward => request(0, &sent.bytes),
                    Flow::Backward => response(0, &sent.bytes),
                }
            }
        })
        .collect();
    let out = reassemble_with(Limits::default(), &segments);
    assert!(out.openings.len() <= 1, "{trouble:?}");
    for flow in [Flow::Forward, Flow::Backward] {
        let (expected, cut) = model(&captured, flow, streams[flow.index()].len());
        let client_side = out.openings.first().is_none_or(|(_, opening)| opening.from.port == 50000);
        let name = if client_side { flow } else { flow.other() };
        let found = out.streams.get(&(ConnectionId(1), name));
        let found = found.map_or(&[][..], |output| &output.bytes[..]);
        // Without SYN it begins with the first byte that the capture has.
        let mine = captured.iter().filter(|segment| segment.flow == flow && segment.length > 0);
        let first = if trouble.handshake { 0 } else { mine.map(|segment| segment.at).min().unwrap_or(0) };
        for (index, byte) in expected.iter().enumerate().skip(first) {
            let byte_found = found.get(index - first).copied().flatten();
            let unsure = cut[index] && byte_found.is_none();
            assert!(
                byte_found == *byte || unsure,
                "{trouble:?} {flow:?} {index}: {byte_found:?}, not {byte:?}"
            );
        }
        assert!(found.len() <= expected.len() - first.min(expected.len()));
    }
    if !trouble.repeated && !trouble.lost {
        assert_eq!(out.notes, [], "{trouble:?}");
    }
}

#[test]
fn what_comes_out_is_what_the_capture_has() {
    let mut rng = Rng::with_seed(seed());
    for _ in 0..600 {
        let trouble = Trouble {
            handshake: rng.u8(..) < 160,
            reordered: rng.bool(),
            repeated: rng.bool(),
            lost: rng.bool(),
            cut: rng.u8(..) < 60,
            one_way: rng.u8(..) < 60,
            reset: rng.u8(..) < 60,
        };
        check(&mut rng, trouble);
    }
}

#[test]
fn random_segments_do_no_harm() {
    let mut rng = Rng::with_seed(seed());
    let bytes = [7; 3000];
    for _ in 0..300 {
        let limits = Limits {
            waiting: 20_000,
            waiting_in_all: 30_000,
            pieces: 20,
            connections: 3,
            patience: rng.u64(0..5),
            grace: rng.u32(0..5),
        };
        let near = rng.u32(..);
        let segments: Vec<Segment<'_>> = (0..rng.usize(1..300))
            .map(|_| {
                let port = rng.u16(1..5);
                let length = if rng.bool() { rng.usize(0..5) } else { rng.usize(0..3000) };
                let number = |rng: &mut Rng| match rng.u8(..) {
                    0..5 => rng.u32(..),
                    _ => near.wrapping_add(rng.u32(0..8000)),
                };
                let (source, destination) = match rng.bool() {
                    true => (endpoint(port), endpoint(9092)),
                    false => (endpoint(9092), endpoint(port)),
                };
                Segment {
                    source,
                    destination,
                    acknowledgment: rng.bool().then(|| number(&mut rng)),
                    syn: rng.u8(..) < 5,
                    fin: rng.u8(..) < 5,
                    rst: rng.u8(..) < 5,
                    length: if rng.u8(..) < 20 { rng.u32(0..5000) } else { length as u32 },
                    ..request(number(&mut rng), &bytes[..length])
                }
            })
            .collect();
        let mut tcp = Tcp::new(limits);
        let mut recorder = Places::default();
        for segment in &segments {
            tcp.segment(segment, &mut recorder);
            assert!(tcp.held() <= limits.waiting_in_all && tcp.open <= limits.connections);
        }
        tcp.finish(&mut recorder);
        assert_eq!((tcp.held(), tcp.open), (0, 0));
        assert!(recorder.open.is_empty());
    }
}

/// Checks that places follow each other: holes may be too long to keep.
#[derive(Default)]
struct Places {
    open: BTreeMap<ConnectionId, [u64; 2]>,
}

impl Receiver for Places {
    fn open(&mut self, connection: ConnectionId, _: &Opening) {
        assert_eq!(self.open.insert(connection, [0, 0]), None);
    }
    fn data(&mut self, place: Place, bytes: &[u8], _: Seen) {
        let next = &mut self.open.get_mut(&place.connection).unwrap()[place.flow.index()];
        assert_eq!(place.offset, *next);
        *next += bytes.len() as u64;
    }
    fn hole(&mut self, place: Place, length: u64, _: Missing) {
        let next = &mut self.open.get_mut(&place.connection).unwrap()[place.flow.index()];
        assert_eq!(place.offset, *next);
        *next += length;
    }
    fn close(&mut self, connection: ConnectionId, _: Closing) {
        assert!(self.open.remove(&connection).is_some());
    }
}
