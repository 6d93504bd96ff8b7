//! Messages of magic 0 (Kafka 0.8) and 1 (0.10, KIP-32): each is a record of its own, or has a whole message set compressed in its value.

use super::attributes::{self, attributes};
use super::batch::check;
use super::reader::{Reader, Stopped};
use super::{Extent, Fixed};
use crate::tree::{Flags, Kind, Limit, What, builtin};
use crate::wire::sink::Sink;

/// The fields before the attributes …
const BEFORE_ATTRIBUTES: [Fixed; 4] = [
    (Kind::Int, builtin::MESSAGE_OFFSET, 8),
    (Kind::Int, builtin::MESSAGE_SIZE, 4),
    (Kind::Uint, builtin::CRC_32, 4),
    (Kind::Int, builtin::MAGIC, 1),
];
/// … of which the checksum covers the last and all that follows.
const CRC_FROM: usize = 16;

/// Walks a message that begins at an offset of the frame and says that it has `size` bytes after its size.
pub(super) fn message<S: Sink>(bytes: &[u8], start: usize, size: u32, extent: Extent, sink: &mut S) {
    let mark = sink.open(What::new(Kind::Batch, Flags::NONE, builtin::MESSAGE), start);
    let mut reader = Reader::new(bytes, start, sink);
    reader.limit = Limit::Batch { length: size };
    reader.cut = matches!(extent, Extent::Cut(_));
    if fields(&mut reader).is_ok() && !reader.cut {
        reader.rest(builtin::BATCH_REST);
    }
    reader.undecoded(builtin::BATCH_REST);
    if let Extent::Cut(Some(problem)) = extent {
        reader.remark_at(builtin::MESSAGE, start, problem);
    }
    sink.close(mark, start + bytes.len());
}

fn fields<S: Sink>(reader: &mut Reader<'_, S>) -> Result<(), Stopped> {
    let covered = reader.rest.get(CRC_FROM..).unwrap_or_default();
    // The magic is there, or nobody would know that this is a message.
    let magic = covered.first().copied().unwrap_or(0);
    for (kind, item, len) in BEFORE_ATTRIBUTES {
        let bytes = reader.fixed(kind, item, len)?;
        if item == builtin::CRC_32 {
            check(reader, item, bytes, crc32fast::hash(covered));
        }
    }
    // Magic 0 knows no timestamps, and so no type of them.
    let bits = &attributes::OF_MESSAGE[..if magic == 0 { 1 } else { 2 }];
    let codec = attributes(reader, builtin::MESSAGE_ATTRIBUTES, 1, bits)?.codec;
    if magic == 1 {
        reader.fixed(Kind::Int, builtin::MESSAGE_TIMESTAMP, 8)?;
    }
    reader.int32_bytes(builtin::KEY)?;
    if let Some(problem) = codec.problem() {
        reader.remark(builtin::VALUE, 0, problem);
    }
    reader.int32_bytes(builtin::VALUE)
}
