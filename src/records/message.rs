//! Messages of magic 0 (Kafka 0.8) and 1 (0.10, KIP-32): each is a record of its own, or has a whole message set compressed in its value.

use super::attributes::{self, attributes};
use super::batch::check;
use super::reader::{Reader, Stopped};
use super::{Fixed, Format};
use crate::tree::{Kind, builtin};
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

/// The smallest message is one of magic 0 without key and value.
pub(super) const FORMAT: Format = (builtin::MESSAGE, 14);

/// Reads a message, as far as it goes.
pub(super) fn fields<S: Sink>(reader: &mut Reader<'_, S>) -> Result<(), Stopped> {
    let covered = reader.rest.get(CRC_FROM..).unwrap_or_default();
    // The magic is there, or nobody would know that this is a message.
    let magic = covered.first().copied().unwrap_or(0);
    for (kind, item, len) in BEFORE_ATTRIBUTES {
        let bytes = reader.fixed(kind, item, len)?;
        if item == builtin::CRC_32 {
            check(reader, item, bytes, || crc32fast::hash(covered));
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
