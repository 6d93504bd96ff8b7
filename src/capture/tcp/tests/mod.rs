//! Tests of reassembly, and what they share: a receiver that keeps everything, and segments in a few words.

mod model;
mod rules;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::capture::Endpoint;

/// What came out of one direction: known bytes, and `None` for missing ones.
#[derive(Default)]
pub struct Output {
    pub bytes: Vec<Option<u8>>,
    pub missing: Vec<(u64, u64, Missing)>,
    pub beginning: Option<Beginning>,
    pub ended: bool,
    pub packets: Vec<u64>,
}

impl Output {
    /// The known bytes as text, with a dot for each missing one.
    pub fn text(&self) -> String {
        self.bytes.iter().map(|byte| byte.map_or('.', char::from)).collect()
    }
}

/// Keeps everything, and checks that places follow each other.
#[derive(Default)]
pub struct Recorder {
    pub streams: BTreeMap<(ConnectionId, Flow), Output>,
    pub openings: Vec<(ConnectionId, Opening)>,
    pub closings: Vec<(ConnectionId, Closing)>,
    pub notes: Vec<(Flow, Note)>,
}

impl Recorder {
    fn at(&mut self, place: Place) -> &mut Output {
        assert!(self.closings.iter().all(|(id, _)| *id != place.connection), "after the end");
        let output = self.streams.entry((place.connection, place.flow)).or_default();
        assert!(output.beginning.is_some() && !output.ended);
        assert_eq!(output.bytes.len() as u64, place.offset);
        output
    }

    pub fn text(&self, connection: u64, flow: Flow) -> String {
        self.streams.get(&(ConnectionId(connection), flow)).map_or(String::new(), Output::text)
    }
}

impl Receiver for Recorder {
    fn open(&mut self, connection: ConnectionId, opening: &Opening) {
        self.openings.push((connection, *opening));
    }

    fn begin(&mut self, connection: ConnectionId, flow: Flow, beginning: Beginning) {
        let output = self.streams.entry((connection, flow)).or_default();
        assert_eq!(output.beginning.replace(beginning), None);
    }

    fn data(&mut self, place: Place, bytes: &[u8], seen: Seen) {
        assert!(!bytes.is_empty());
        let output = self.at(place);
        output.bytes.extend(bytes.iter().map(|byte| Some(*byte)));
        output.packets.push(seen.packet);
    }

    fn hole(&mut self, place: Place, length: u64, missing: Missing) {
        assert!(length > 0);
        let output = self.at(place);
        output.bytes.extend(vec![None; length as usize]);
        output.missing.push((place.offset, length, missing));
    }

    fn end(&mut self, place: Place) {
        self.at(place).ended = true;
    }

    fn close(&mut self, connection: ConnectionId, closing: Closing) {
        self.closings.push((connection, closing));
    }

    fn note(&mut self, _: ConnectionId, flow: Flow, note: Note, _: Seen) {
        self.notes.push((flow, note));
    }
}

pub fn endpoint(port: u16) -> Endpoint {
    Endpoint { address: IpAddr::V4(Ipv4Addr::LOCALHOST), port }
}

/// A segment from the client, port 50000, to the broker, port 9092.
pub fn request(sequence: u32, payload: &[u8]) -> Segment<'_> {
    Segment {
        packet: 1,
        time: None,
        source: endpoint(50000),
        destination: endpoint(9092),
        sequence,
        acknowledgment: None,
        syn: false,
        fin: false,
        rst: false,
        payload,
        length: payload.len() as u32,
    }
}

/// A segment the other way.
pub fn response(sequence: u32, payload: &[u8]) -> Segment<'_> {
    Segment { source: endpoint(9092), destination: endpoint(50000), ..request(sequence, payload) }
}

/// An acknowledgment of the client's bytes.
pub fn acknowledge(next: u32) -> Segment<'static> {
    Segment { acknowledgment: Some(next), ..response(9000, b"") }
}

pub fn syn(segment: Segment<'_>) -> Segment<'_> {
    Segment { syn: true, ..segment }
}

pub fn fin(segment: Segment<'_>) -> Segment<'_> {
    Segment { fin: true, ..segment }
}

pub fn rst(segment: Segment<'_>) -> Segment<'_> {
    Segment { rst: true, ..segment }
}

/// Reassembles segments, numbered from 1 on, without waiting for anything but evidence.
pub fn reassemble(segments: &[Segment<'_>]) -> Recorder {
    let limits = Limits { patience: 0, ..Limits::default() };
    reassemble_with(limits, segments)
}

pub fn reassemble_with(limits: Limits, segments: &[Segment<'_>]) -> Recorder {
    let mut tcp = Tcp::new(limits);
    let mut recorder = Recorder::default();
    for (index, segment) in segments.iter().enumerate() {
        tcp.segment(&Segment { packet: index as u64 + 1, ..*segment }, &mut recorder);
        let most = limits.waiting_in_all.min(limits.waiting * 2 * recorder.openings.len().max(1));
        assert!(tcp.held() <= most, "{} bytes wait", tcp.held());
    }
    tcp.finish(&mut recorder);
    assert_eq!(tcp.held(), 0);
    assert_eq!(recorder.openings.len(), recorder.closings.len());
    recorder
}
