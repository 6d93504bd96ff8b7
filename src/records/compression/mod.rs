//! The codecs of record batches and message sets (Kafka's CompressionType), each in the framing that Kafka's clients use. What comes
//! out is limited, whatever the bytes say of themselves.

mod gzip;
mod lz4;
mod snappy;
#[cfg(test)]
mod tests;
mod zstd;

use std::io::Read;

use crate::tree::{Kind, ProblemKind, builtin};

/// A codec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Codec {
    /// One gzip member or more (RFC 1952).
    Gzip,
    /// Snappy, bare or in the framing of snappy-java.
    Snappy,
    /// LZ4 frames.
    Lz4,
    /// Zstandard frames (RFC 8878), since Kafka 2.1 (KIP-110).
    Zstd,
}

impl Codec {
    /// Every codec, in the order of their numbers, which begin with 1.
    pub const ALL: [Codec; 4] = [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd];

    /// The codec with a number in the attributes; `None` if there is none.
    pub fn numbered(number: u8) -> Option<Codec> {
        Codec::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Its number in the attributes.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Codec::Gzip => "gzip",
            Codec::Snappy => "snappy",
            Codec::Lz4 => "lz4",
            Codec::Zstd => "zstd",
        }
    }

    /// The builtin item of what it compressed.
    pub fn item(self) -> u16 {
        match self {
            Codec::Gzip => builtin::GZIP,
            Codec::Snappy => builtin::SNAPPY,
            Codec::Lz4 => builtin::LZ4,
            Codec::Zstd => builtin::ZSTD,
        }
    }

    /// Appends what comes out of `input`, at most `limit` bytes. What came out before a fault is there.
    pub fn decompress(self, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Outcome {
        let mut outcome = Outcome::default();
        let result = match self {
            Codec::Gzip => gzip::decompress(input, limit, out),
            Codec::Snappy => snappy::decompress(input, limit, out, &mut outcome),
            Codec::Lz4 => lz4::decompress(input, limit, out, &mut outcome),
            Codec::Zstd => zstd::decompress(input, limit, out),
        };
        outcome.fault = result.err();
        outcome
    }

    /// Compresses bytes as Kafka's own client does, in one piece.
    pub fn compress(self, input: &[u8]) -> Vec<u8> {
        match self {
            Codec::Gzip => gzip::compress(input),
            Codec::Snappy => snappy::compress(input),
            Codec::Lz4 => lz4::compress(input),
            Codec::Zstd => zstd::compress(input),
        }
    }
}

/// What there is to say of compressed bytes, apart from what came out.
#[derive(Default, Debug)]
pub struct Outcome {
    /// The parts that the bytes consist of, where the framing is worth showing; else empty.
    pub(crate) parts: Vec<Part>,
    /// What is odd or wrong but did not stop it, with the place in the bytes.
    pub remarks: Vec<(usize, ProblemKind)>,
    /// Why not all came out, if so.
    pub fault: Option<Fault>,
}

/// A part of a framing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub kind: Kind,
    pub item: u16,
    pub len: usize,
}

/// Why not all came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It would be more than the limit.
    TooLarge,
    /// It needs something that this program does not have.
    Unsupported(&'static str),
    /// The bytes end too early.
    Ends,
    /// The bytes are not what the codec makes.
    Corrupt {
        /// The place in them.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
}

/// Reads all there is into `out`, up to a limit.
fn read_up_to(source: impl Read, limit: usize, out: &mut Vec<u8>) -> std::io::Result<Result<(), Fault>> {
    let before = out.len();
    source.take(limit as u64 + 1).read_to_end(out)?;
    if out.len() - before > limit {
        return Ok(Err(Fault::TooLarge));
    }
    Ok(Ok(()))
}
