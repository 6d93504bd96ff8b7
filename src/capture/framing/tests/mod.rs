//! Tests of framing, and what they share.

mod rules;
mod streams;
mod together;

use std::sync::OnceLock;

use super::*;
use crate::capture::tcp::{Beginning, Seen};
use crate::schema::Catalogue;

pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(Catalogue::embedded)
}

/// A frame, with its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub offset: u64,
    pub size: Option<u32>,
    pub pieces: Vec<(u64, Vec<u8>)>,
    pub not_kept: u64,
    pub packets: (u64, u64),
    pub completeness: Completeness,
}

/// Keeps everything, and checks that nothing is handed on twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorder {
    pub side: crate::schema::Direction,
    pub expected: Expected,
    pub pending: Vec<i32>,
    pub frames: Vec<Found>,
    pub passed: Vec<(u64, u64, Lost)>,
    pub foreign: Vec<(u64, Vec<u8>)>,
    pub end: u64,
}

impl Recorder {
    pub fn new(side: crate::schema::Direction) -> Recorder {
        Recorder {
            side,
            expected: Expected::Messages,
            pending: Vec::new(),
            frames: Vec::new(),
            passed: Vec::new(),
            foreign: Vec::new(),
            end: 0,
        }
    }

    pub fn requests() -> Recorder {
        Recorder::new(crate::schema::Direction::Request)
    }

    pub fn responses() -> Recorder {
        Recorder::new(crate::schema::Direction::Response)
    }

    /// Where the frames begin that are whole.
    pub fn whole(&self) -> Vec<u64> {
        let whole = self.frames.iter().filter(|frame| frame.completeness == Completeness::Whole);
        whole.map(|frame| frame.offset).collect()
    }
}

impl FrameReceiver for Recorder {
    fn expected(&self) -> Expected {
        self.expected
    }

    fn judge(&self, beginning: &[u8]) -> Plausibility {
        match self.side {
            crate::schema::Direction::Request => {
                // The clients of these tests are all called the same.
                let known = (!self.frames.is_empty()).then_some(&b"client"[..]);
                boundary::request(catalogue(), known, beginning)
            }
            crate::schema::Direction::Response => {
                let known = !self.pending.is_empty();
                boundary::response(known.then_some(|id| self.pending.contains(&id)), beginning)
            }
        }
    }

    fn frame(&mut self, frame: &CapturedFrame<'_>) {
        assert!(frame.offset >= self.end && self.foreign.is_empty());
        let pieces: Vec<_> = frame.pieces().map(|(at, bytes)| (at, bytes.to_vec())).collect();
        assert_eq!(frame.bytes(), pieces[0].1);
        let last = pieces.last().unwrap();
        self.end = frame.offset + last.0 + last.1.len() as u64 + frame.not_kept;
        if let Some(length) = frame.length() {
            assert!(self.end <= frame.offset + length);
        }
        if frame.completeness == Completeness::Whole {
            assert_eq!(self.end, frame.offset + frame.length().unwrap());
        }
        self.frames.push(Found {
            offset: frame.offset,
            size: frame.size,
            pieces,
            not_kept: frame.not_kept,
            packets: (frame.first.packet, frame.last.packet),
            completeness: frame.completeness,
        });
    }

    fn passed_over(&mut self, passed: &PassedOver<'_>) {
        assert!(passed.offset >= self.end && passed.length > 0 && !passed.first.is_empty());
        self.end = passed.offset + passed.length;
        self.passed.push((passed.offset, passed.length, passed.lost));
    }

    fn foreign(&mut self, foreign: &Foreign<'_>) {
        assert!(foreign.offset >= self.end && self.foreign.is_empty());
        self.foreign.push((foreign.offset, foreign.first.to_vec()));
    }
}

pub fn seen(packet: u64) -> Seen {
    Seen { packet, time: None }
}

/// A request with header v1.
pub fn request(key: i16, version: i16, id: i32, client_id: &str, body: &[u8]) -> Vec<u8> {
    let mut content = key.to_be_bytes().to_vec();
    content.extend(version.to_be_bytes());
    content.extend(id.to_be_bytes());
    content.extend((client_id.len() as i16).to_be_bytes());
    content.extend(client_id.as_bytes());
    content.extend(body);
    sized(&content)
}

/// A response with header v0.
pub fn response(id: i32, body: &[u8]) -> Vec<u8> {
    sized(&[&id.to_be_bytes()[..], body].concat())
}

pub fn sized(content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32).to_be_bytes()[..], content].concat()
}

/// Frames a stream in pieces, each its own packet.
pub fn frame_pieces<'p>(
    mut recorder: Recorder,
    limits: FrameLimits,
    beginning: Beginning,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> Recorder {
    let mut framer = Framer::new(limits, beginning);
    for (index, piece) in pieces.into_iter().enumerate() {
        framer.data(piece, seen(index as u64 + 1), &mut recorder);
    }
    framer.end(&mut recorder);
    recorder
}

pub fn frame_all(recorder: Recorder, beginning: Beginning, stream: &[u8]) -> Recorder {
    frame_pieces(recorder, FrameLimits::default(), beginning, [stream])
}
