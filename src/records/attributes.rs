//! The attributes of a batch or message: bits that say how the rest is to be read.

use super::reader::{Reader, Stopped};
use crate::tree::{Flags, Kind, ProblemKind, What, builtin};
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

/// How what follows is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Codec {
    None,
    Known(&'static str),
    Unknown(u8),
}

impl Codec {
    /// What there is to be said about it; `None` if nothing is compressed.
    pub fn problem(self) -> Option<ProblemKind> {
        match self {
            Codec::None => None,
            Codec::Known(codec) => Some(ProblemKind::Compressed { codec }),
            Codec::Unknown(codec) => Some(ProblemKind::Codec { codec }),
        }
    }
}

/// Reads attributes of `len` bytes with a child for each of `bits`. Returns the codec that they name.
pub(super) fn attributes<S: Sink>(
    reader: &mut Reader<'_, S>,
    item: u16,
    len: usize,
    bits: &[u16],
) -> Result<Codec, Stopped> {
    let start = reader.pos();
    // The node of the attributes becomes that of a parent.
    let Some(lowest) = reader.rest.get(..len).and_then(|bytes| bytes.last().copied()) else {
        return reader.fixed(Kind::Int, item, len).map(|_| Codec::None);
    };
    let mark = reader.sink.open(What::new(Kind::Int, Flags::NONE, item), start);
    for bit in bits {
        reader.sink.leaf(What::new(Kind::Bits, Flags::NONE, *bit), start, len);
    }
    reader.rest = &reader.rest[len..];
    reader.sink.close(mark, reader.pos());
    Ok(match lowest & 7 {
        0 => Codec::None,
        1 => Codec::Known("gzip"),
        2 => Codec::Known("snappy"),
        3 => Codec::Known("lz4"),
        4 => Codec::Known("zstd"),
        codec => Codec::Unknown(codec),
    })
}
