//! Messages of magic 0 (Kafka 0.8) and 1 (0.10, KIP-32): each is a record of its own, or has a whole message set compressed in its value.

use super::attributes::{self, Compression, attributes};
use super::batch::check;
use super::compressed::compressed;
use super::compression::Codec;
use super::inside::{self, Prefix};
use super::reader::{Reader, Stopped};
use super::{Fixed, Format};
use crate::tree::{Flags, Kind, Limit, ProblemKind, What, builtin};
use crate::wire::primitive;
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
    let compression = attributes(reader, builtin::MESSAGE_ATTRIBUTES, 1, bits)?.compression;
    if magic == 1 {
        reader.fixed(Kind::Int, builtin::MESSAGE_TIMESTAMP, 8)?;
    }
    if compression == Compression::None {
        return inside::key_and_value(reader, Prefix::Int32);
    }
    reader.int32_bytes(builtin::KEY)?;
    match compression {
        Compression::None => Ok(()),
        Compression::With(codec) => message_set(reader, codec, magic),
        Compression::Unknown(codec) => {
            reader.remark(builtin::VALUE, 0, ProblemKind::Codec { codec });
            reader.int32_bytes(builtin::VALUE)
        }
    }
}

/// Reads a value that is a compressed message set.
fn message_set<S: Sink>(reader: &mut Reader<'_, S>, codec: Codec, magic: u8) -> Result<(), Stopped> {
    let length = primitive::int32(reader.rest).map(|(rest, length)| (rest.len(), usize::try_from(length)));
    let Ok((found, Ok(length @ 1..))) = length else { return reader.int32_bytes(builtin::VALUE) };
    if length > found && !reader.cut {
        return reader.int32_bytes(builtin::VALUE);
    }
    if reader.is_nested {
        reader.remark(builtin::VALUE, 0, ProblemKind::NestedCompression);
        return reader.int32_bytes(builtin::VALUE);
    }
    reader.node(What::new(Kind::Payload, Flags::NONE, builtin::VALUE), |reader| {
        reader.leaf(Kind::Length, builtin::INT32_LENGTH, 4);
        let mut value = reader.part(length, Limit::Value { length: length as u32 });
        compressed(&mut value, codec, |inner| {
            inner.is_nested = true;
            while !inner.rest.is_empty() {
                super::entry_of_set(inner, magic);
            }
            Ok(())
        });
        value.undecoded(builtin::BATCH_REST);
    });
    Ok(())
}
