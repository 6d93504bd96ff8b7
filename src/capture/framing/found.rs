//! What framing hands on, and what it asks.

use super::gather::Piece;
use crate::capture::tcp::Seen;
use crate::wire::Frame;
use crate::wire::frame::LEAST_RESPONSE;

/// Whether all of a frame is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// All of its bytes were captured. Those of a frame above the limit were not all kept.
    Whole,
    /// Some of its bytes were not captured.
    Holed,
    /// The stream or the capture ended within it.
    Cut,
}

/// A frame of a stream, or what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct CapturedFrame<'f> {
    /// The offset of its size field in the stream.
    pub offset: u64,
    /// What the size field says, if all of it is there.
    pub size: Option<u32>,
    /// Its known bytes, those after holes right after those before.
    pub(super) known: &'f [u8],
    /// Where those are, if not all at the beginning.
    pub(super) pieces: &'f [Piece],
    /// How many bytes were captured but are not kept, at its end, as it is above the limit.
    pub not_kept: u64,
    /// The packet of its first byte.
    pub first: Seen,
    /// The packet of its last byte that was captured.
    pub last: Seen,
    /// Whether all of it is there.
    pub completeness: Completeness,
}

impl<'f> CapturedFrame<'f> {
    /// Its bytes from the size field on, up to the first one that is missing.
    pub fn bytes(&self) -> &'f [u8] {
        &self.known[..self.pieces.first().map_or(self.known.len(), |piece| piece.length)]
    }

    /// The same, to decode.
    pub fn frame(&self) -> Frame<'f> {
        Frame { bytes: self.bytes(), sized: true }
    }

    /// All known bytes: how far from the frame's beginning each piece is, and the piece.
    pub fn pieces(&self) -> impl Iterator<Item = (u64, &'f [u8])> {
        let known = self.known;
        let all = self.pieces.is_empty().then_some((0, known));
        let some = self.pieces.iter().map(move |piece| {
            let end = piece.start + piece.length;
            (piece.at, &known[piece.start..end])
        });
        all.into_iter().chain(some)
    }

    /// How many bytes are known.
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// How long it is on the wire, size field included, if that is known.
    pub fn length(&self) -> Option<u64> {
        self.size.map(|size| 4 + u64::from(size))
    }
}

/// How plausible it is that bytes, from a size field on, are the beginning of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Plausibility {
    /// They are not.
    No,
    /// There are too few to tell.
    Undecided,
    /// Nothing speaks against it. A chain of such messages is believed.
    Possible,
    /// Something speaks for it. It is believed if another can begin where it ends.
    Likely,
    /// So much speaks for it that it need not be waited for.
    Certain,
}

/// What a direction carries at the moment.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Expected {
    /// Messages with headers: a size is 4 at least.
    #[default]
    Messages,
    /// Anything with a size, such as SASL tokens without headers: a size may be 0.
    Sizes,
}

impl Expected {
    /// The smallest size.
    pub fn least(self) -> u32 {
        match self {
            Expected::Messages => LEAST_RESPONSE,
            Expected::Sizes => 0,
        }
    }
}

/// Why a boundary had to be searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// The capture began in the middle of the stream.
    Joined,
    /// Bytes are missing where a frame begins.
    Hole,
    /// A size makes no sense, or what follows it.
    BadSize,
}

/// Bytes that are no frames, up to the next boundary or to a hole or the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassedOver<'f> {
    /// The offset of the first in the stream.
    pub offset: u64,
    /// How many.
    pub length: u64,
    /// The first ones, at most 64.
    pub first: &'f [u8],
    /// The packet of the first one.
    pub seen: Seen,
    /// Why they are no frames.
    pub lost: Lost,
}

/// A stream that is not Kafka's: framing has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foreign<'f> {
    /// The offset of its first byte that was looked at.
    pub offset: u64,
    /// The first bytes, at most 64.
    pub first: &'f [u8],
    /// The packet of the first one.
    pub seen: Seen,
}

/// Takes frames, and judges what may be one.
pub trait FrameReceiver {
    /// What the next frame may be. Asked before each.
    fn expected(&self) -> Expected {
        Expected::Messages
    }

    /// How plausible it is that a frame begins with these bytes, the size field first. There are no more of them than the size
    /// says. What is decided of some bytes must not change when more come.
    fn judge(&self, beginning: &[u8]) -> Plausibility;

    /// Whether the stream is known to be Kafka's, by the other direction.
    fn is_known(&self) -> bool {
        false
    }

    /// Whether a whole frame that is likely one reads as such to its end; `None` if that cannot be told. Asked where a boundary is
    /// searched for.
    fn is_sound(&self, frame: &[u8]) -> Option<bool> {
        _ = frame;
        None
    }

    /// The next frame.
    fn frame(&mut self, frame: &CapturedFrame<'_>);

    /// Bytes that are no frames.
    fn passed_over(&mut self, passed: &PassedOver<'_>);

    /// The stream is not Kafka's. Nothing more comes of it.
    fn foreign(&mut self, foreign: &Foreign<'_>);
}
