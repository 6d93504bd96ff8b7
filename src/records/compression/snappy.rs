//! Snappy: one bare block, as librdkafka and franz-go write it, or the framing of snappy-java ("xerial"), as Kafka's own client does: a magic of
//! eight bytes, two version numbers, then chunks, each a length and a block.

use snap::raw::{Decoder, Encoder, decompress_len};

use super::{Fault, Outcome, Part};
use crate::tree::{Kind, ProblemKind, builtin};

const MAGIC: &[u8; 8] = b"\x82SNAPPY\0";
/// Magic, version, and the oldest version that can read it.
const HEADER: usize = 16;
/// snappy-java cuts its input into chunks of so many bytes.
const CHUNK: usize = 32 << 10;
/// No block expands more than this: a copy of up to 64 bytes takes three, a length before it some more.
const MOST_RATIO: usize = 64;

pub(super) fn decompress(
    input: &[u8],
    limit: usize,
    out: &mut Vec<u8>,
    outcome: &mut Outcome,
) -> Result<(), Fault> {
    // All of the magic must be there: a bare block may well begin with its first byte.
    let Some(header) = input.first_chunk::<HEADER>().filter(|_| input.starts_with(MAGIC)) else {
        return block(input, 0, limit, out);
    };
    let parts = &mut outcome.parts;
    parts.push(Part { kind: Kind::Text, item: builtin::XERIAL_MAGIC, len: MAGIC.len() });
    parts.push(Part { kind: Kind::Int, item: builtin::XERIAL_VERSION, len: 4 });
    parts.push(Part { kind: Kind::Int, item: builtin::XERIAL_COMPATIBLE, len: 4 });
    if header[8..] != [0, 0, 0, 1, 0, 0, 0, 1] {
        outcome.remarks.push((MAGIC.len(), ProblemKind::XerialVersion));
    }
    let (mut at, before) = (HEADER, out.len());
    while at < input.len() {
        let Some(length) = input[at..].first_chunk::<4>() else { return Err(Fault::Ends) };
        let length = u32::from_be_bytes(*length) as usize;
        if length == 0 {
            return Err(Fault::Corrupt { at, what: "a chunk cannot be empty" });
        }
        outcome.parts.push(Part { kind: Kind::Int, item: builtin::XERIAL_LENGTH, len: 4 });
        at += 4;
        let Some(chunk) = input[at..].get(..length) else { return Err(Fault::Ends) };
        outcome.parts.push(Part { kind: Kind::Raw, item: builtin::XERIAL_CHUNK, len: length });
        block(chunk, at, limit - (out.len() - before), out)?;
        at += length;
    }
    Ok(())
}

/// Decompresses a block that stands at a place of the input.
fn block(input: &[u8], at: usize, limit: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    let corrupt = |_| Fault::Corrupt { at, what: "this is no snappy block" };
    let len = decompress_len(input).map_err(corrupt)?;
    if len > input.len().saturating_mul(MOST_RATIO) {
        return Err(Fault::Corrupt { at, what: "the block says that more comes out than can" });
    }
    if len > limit {
        return Err(Fault::TooLarge);
    }
    let before = out.len();
    out.resize(before + len, 0);
    let result = Decoder::new().decompress(input, &mut out[before..]);
    if result.is_err() {
        out.truncate(before);
    }
    result.map(|_| ()).map_err(corrupt)
}

pub(super) fn compress(input: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend([0, 0, 0, 1, 0, 0, 0, 1]);
    for chunk in input.chunks(CHUNK) {
        // It is short enough for a block.
        let block = Encoder::new().compress_vec(chunk).unwrap_or_default();
        out.extend((block.len() as u32).to_be_bytes());
        out.extend(block);
    }
    out
}
