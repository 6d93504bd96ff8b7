//! Compressed records: the bytes as they are on the wire, and below them what comes out, in an address space of its own.

use super::compression::{Codec, Fault, Outcome};
use super::reader::{Reader, Stopped};
use crate::tree::{Flags, Kind, Limit, ProblemKind, What, builtin};
use crate::wire::sink::Sink;

/// Reads what is left as the compressed form of something that `read` reads.
pub(super) fn compressed<S: Sink>(
    reader: &mut Reader<'_, S>,
    codec: Codec,
    read: impl FnOnce(&mut Reader<'_, S>) -> Result<(), Stopped>,
) {
    let (item, topic, in_payload) = (codec.item(), reader.topic, reader.in_payload);
    if reader.rest.is_empty() {
        return;
    }
    let expansion = if reader.sink.wants_records() { reader.sink.expansion() } else { None };
    let Some((mut bytes, limit)) = expansion else {
        return reader.raw(item);
    };
    let outcome = codec.decompress(reader.rest, limit, &mut bytes);
    if matches!(outcome.fault, Some(Fault::TooLarge | Fault::Unsupported(_))) {
        // A piece of it would be of little use, and might be taken for all.
        bytes.clear();
    }
    let is_complete = outcome.fault.is_none();
    let start = reader.pos();
    remarks(reader, codec, &outcome, limit);
    let mark = reader.sink.open(What::new(Kind::Raw, Flags::NONE, item), start);
    parts(reader, &outcome);
    reader.rest = &[];
    let stop = reader.pos();
    if !bytes.is_empty() {
        let begin = reader.sink.begin_buffer(codec.name(), mark, bytes.len());
        let mut inner = Reader::new(&bytes, begin, &mut *reader.sink);
        inner.limit = Limit::Decompressed { bytes: bytes.len() as u64 };
        inner.cut = !is_complete;
        (inner.topic, inner.in_payload) = (topic, in_payload);
        if read(&mut inner).is_ok() && is_complete {
            inner.rest(builtin::BATCH_REST);
        }
        inner.undecoded(builtin::BATCH_REST);
        reader.sink.end_buffer(begin, bytes);
    }
    reader.sink.close(mark, stop);
}

/// Reads bytes that begin at an offset of the frame as the compressed form of a payload, which `read` reads.
pub(crate) fn decompressed<S: Sink>(
    codec: Codec,
    bytes: &[u8],
    start: usize,
    sink: &mut S,
    read: impl FnOnce(&[u8], usize, &mut S),
) {
    let mut reader = Reader::new(bytes, start, sink);
    reader.in_payload = true;
    compressed(&mut reader, codec, |inner| {
        read(inner.rest, inner.pos(), inner.sink);
        inner.rest = &[];
        Ok(())
    });
}

/// The parts of a framing, and what is left when it ends too early.
fn parts<S: Sink>(reader: &mut Reader<'_, S>, outcome: &Outcome) {
    for part in &outcome.parts {
        reader.leaf(part.kind, part.item, part.len);
    }
    if !outcome.parts.is_empty() {
        reader.undecoded(builtin::BATCH_REST);
    }
}

/// Says what is odd or wrong about the compressed bytes.
fn remarks<S: Sink>(reader: &mut Reader<'_, S>, codec: Codec, outcome: &Outcome, limit: usize) {
    let (item, name) = (codec.item(), codec.name());
    for (at, problem) in &outcome.remarks {
        reader.remark(item, *at, problem.clone());
    }
    let len = reader.rest.len();
    let (at, problem) = match outcome.fault {
        None => return,
        // That the batch was cut off has been said.
        Some(Fault::Ends) if reader.cut => return,
        Some(Fault::Ends) => (0, ProblemKind::CompressedEnds { codec: name }),
        Some(Fault::Corrupt { .. }) if reader.cut => return,
        Some(Fault::Corrupt { at, what }) => (at.min(len), ProblemKind::Corrupt { codec: name, what }),
        Some(Fault::Unsupported(what)) => (0, ProblemKind::Unsupported { codec: name, what }),
        Some(Fault::TooLarge) => {
            let (compressed, limit) = (len as u64, limit as u64);
            (0, ProblemKind::TooLarge { codec: name, compressed, limit })
        }
    };
    reader.remark(item, at, problem);
}
