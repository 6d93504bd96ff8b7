//! The attributes of a batch or message: bits that say how the rest is to be read.

use super::reader::{Reader, Stopped};
pub(super) use super::value::Compression;
use crate::tree::{Flags, Kind, What, builtin};
use crate::wire::sink::Sink;

/// The bits in the attributes of a batch.
pub(super) const OF_BATCH: &[u16] = &[
    builtin::COMPRESSION,
    builtin::TIMESTAMP_TYPE,
    builtin::IS_TRANSACTIONAL,
    builtin::IS_CONTROL,
    builtin::HAS_DELETE_HORIZON,
];
/// The bits in the attributes of a message of magic 1; magic 0 has only the first.
pub(super) const OF_MESSAGE: &[u16] = &[builtin::COMPRESSION, builtin::TIMESTAMP_TYPE];

/// What attributes say of the rest.
#[derive(Clone, Copy)]
pub(super) struct Attributes {
    pub compression: Compression,
    /// Whether the records are control records; only a batch has such.
    pub control: bool,
}

/// Reads attributes of `len` bytes with a child for each of `bits`.
pub(super) fn attributes<S: Sink>(
    reader: &mut Reader<'_, S>,
    item: u16,
    len: usize,
    bits: &[u16],
) -> Result<Attributes, Stopped> {
    let start = reader.pos();
    // The node of the attributes becomes that of a parent.
    let Some(lowest) = reader.rest.get(..len).and_then(|bytes| bytes.last().copied()) else {
        return reader
            .fixed(Kind::Int, item, len)
            .map(|_| Attributes { compression: Compression::None, control: false });
    };
    reader.node(What::new(Kind::Int, Flags::NONE, item), |reader| {
        for bit in bits {
            reader.sink.leaf(What::new(Kind::Bits, Flags::NONE, *bit), start, len);
        }
        reader.rest = &reader.rest[len..];
    });
    // All that matters here lies in the last byte.
    let value = |item| builtin::bits_of(item, lowest.into());
    let compression = Compression::of(lowest.into());
    let control = bits.contains(&builtin::IS_CONTROL) && value(builtin::IS_CONTROL) == 1;
    Ok(Attributes { compression, control })
}
