//! Record batches: magic 2, since Kafka 0.11 (KIP-98).

use super::attributes::{self, Attributes, Compression, attributes};
use super::compressed::compressed;
use super::control;
use super::inside::{self, Prefix};
use super::reader::{Reader, Stopped};
use super::{Fixed, Format};
use crate::tree::{Flags, Kind, Limit, ProblemKind, What, builtin};
use crate::wire::primitive;
use crate::wire::sink::Sink;

/// The fields before the attributes …
const BEFORE_ATTRIBUTES: [Fixed; 5] = [
    (Kind::Int, builtin::BASE_OFFSET, 8),
    (Kind::Int, builtin::BATCH_LENGTH, 4),
    (Kind::Int, builtin::PARTITION_LEADER_EPOCH, 4),
    (Kind::Int, builtin::MAGIC, 1),
    (Kind::Uint, builtin::CRC_32C, 4),
];
/// … of which the checksum covers what comes after them …
const CRC_FROM: usize = 21;
/// … and the fields from there to the number of records.
const AFTER_ATTRIBUTES: [Fixed; 6] = [
    (Kind::Int, builtin::LAST_OFFSET_DELTA, 4),
    (Kind::Int, builtin::BASE_TIMESTAMP, 8),
    (Kind::Int, builtin::MAX_TIMESTAMP, 8),
    (Kind::Int, builtin::PRODUCER_ID, 8),
    (Kind::Int, builtin::PRODUCER_EPOCH, 2),
    (Kind::Int, builtin::BASE_SEQUENCE, 4),
];
/// A batch has at least all of these fields.
pub(super) const FORMAT: Format = (builtin::BATCH, 49);

/// Reads a batch, as far as it goes.
pub(super) fn fields<S: Sink>(reader: &mut Reader<'_, S>) -> Result<(), Stopped> {
    let covered = reader.rest.get(CRC_FROM..).unwrap_or_default();
    for (kind, item, len) in BEFORE_ATTRIBUTES {
        let bytes = reader.fixed(kind, item, len)?;
        if item == builtin::CRC_32C {
            check(reader, item, bytes, || crc32c::crc32c(covered));
        }
    }
    let Attributes { compression, control } =
        attributes(reader, builtin::ATTRIBUTES, 2, attributes::OF_BATCH)?;
    let mut last_offset = 0;
    for (kind, item, len) in AFTER_ATTRIBUTES {
        let bytes = reader.fixed(kind, item, len)?;
        if let (builtin::LAST_OFFSET_DELTA, Ok(bytes)) = (item, bytes.try_into()) {
            last_offset = i32::from_be_bytes(bytes);
        }
    }
    let count_at = reader.pos();
    let bytes = reader.fixed(Kind::Int, builtin::RECORD_COUNT, 4)?;
    let claimed = bytes.try_into().map_or(0, i32::from_be_bytes);
    if claimed < 0 {
        reader.remark_at(builtin::RECORD_COUNT, count_at, ProblemKind::RecordCount { claimed, found: 0 });
        return Err(Stopped);
    }
    let expected = Expected { claimed: claimed as u32, count_at, last_offset, control };
    match compression {
        Compression::None if reader.sink.wants_records() => records(reader, &expected)?,
        Compression::None => reader.raw(builtin::SKIPPED_RECORDS),
        Compression::With(codec) => compressed(reader, codec, |reader| records(reader, &expected)),
        Compression::Unknown(codec) => {
            reader.remark(builtin::COMPRESSED, 0, ProblemKind::Codec { codec });
            reader.undecoded(builtin::COMPRESSED);
        }
    }
    Ok(())
}

/// What the fields of a batch say of its records.
struct Expected {
    /// How many there are.
    claimed: u32,
    /// The offset where that stands in the frame.
    count_at: usize,
    last_offset: i32,
    /// Whether they are control records.
    control: bool,
}

/// Says so if a checksum, which has just been read, is not the right one, or if nobody can tell.
pub(super) fn check<S: Sink>(
    reader: &mut Reader<'_, S>,
    item: u16,
    stored: &[u8],
    compute: impl FnOnce() -> u32,
) {
    let at = reader.pos() - stored.len();
    if reader.cut {
        return reader.remark_at(item, at, ProblemKind::Unchecked);
    }
    let (stored, computed) = (stored.try_into().map_or(0, u32::from_be_bytes), compute());
    if stored != computed {
        reader.remark_at(item, at, ProblemKind::Checksum { stored, computed });
    }
}

fn records<S: Sink>(reader: &mut Reader<'_, S>, expected: &Expected) -> Result<(), Stopped> {
    let Expected { claimed, count_at, .. } = *expected;
    for found in 0..claimed {
        if reader.rest.is_empty() {
            if reader.cut {
                return Err(Stopped);
            }
            let claimed = claimed as i32;
            reader.remark_at(builtin::RECORD_COUNT, count_at, ProblemKind::RecordCount { claimed, found });
            return Ok(());
        }
        let what = What::new(Kind::Record, Flags::ELEMENT, builtin::RECORD);
        reader.node(what, |reader| {
            record(reader, expected).inspect_err(|_| reader.undecoded(builtin::RECORD_REST))
        })?;
    }
    Ok(())
}

/// Reads a record. Whatever is wrong after its length, the next one is where the length says.
fn record<S: Sink>(reader: &mut Reader<'_, S>, expected: &Expected) -> Result<(), Stopped> {
    let start = reader.pos();
    let length = reader.varint(builtin::RECORD_LENGTH)?;
    let found = reader.rest.len() as u64;
    let Ok(len) = usize::try_from(length) else {
        reader.remark_at(builtin::RECORD_LENGTH, start, ProblemKind::NegativeLength { value: length.into() });
        return Err(Stopped);
    };
    if len as u64 > found && !reader.cut {
        let kind = ProblemKind::Length { claimed: len as u64, found, limit: reader.limit };
        reader.remark_at(builtin::RECORD_LENGTH, start, kind);
        return Err(Stopped);
    }
    let mut inner = reader.part(len, Limit::Record { length: len as u32 });
    match record_fields(&mut inner, expected) {
        Ok(()) if !inner.cut => inner.rest(builtin::RECORD_REST),
        _ => inner.undecoded(builtin::RECORD_REST),
    }
    Ok(())
}

fn record_fields<S: Sink>(reader: &mut Reader<'_, S>, expected: &Expected) -> Result<(), Stopped> {
    reader.fixed(Kind::Int, builtin::RECORD_ATTRIBUTES, 1)?;
    reader.varlong(builtin::TIMESTAMP_DELTA)?;
    let at = reader.pos();
    let offset = reader.varint(builtin::OFFSET_DELTA)?;
    if offset > expected.last_offset {
        let kind = ProblemKind::LastOffset { claimed: expected.last_offset, found: offset };
        reader.remark_at(builtin::OFFSET_DELTA, at, kind);
    }
    if expected.control {
        control::key_and_value(reader)?;
    } else {
        inside::key_and_value(reader, Prefix::Varint)?;
    }
    if primitive::varint(reader.rest).is_err() {
        // No headers can be shown, not even how many.
        return reader.varint(builtin::HEADER_COUNT).map(|_| ());
    }
    reader.node(What::new(Kind::Array, Flags::NONE, builtin::HEADERS), headers)
}

fn headers<S: Sink>(reader: &mut Reader<'_, S>) -> Result<(), Stopped> {
    let at = reader.pos();
    let value = reader.varint(builtin::HEADER_COUNT)?;
    if value < 0 {
        reader.remark_at(builtin::HEADER_COUNT, at, ProblemKind::HeaderCount { value });
    }
    // A header has two bytes or more, so a count that is too high soon comes to its end.
    for _ in 0..value {
        if reader.rest.is_empty() {
            return reader.varint_bytes(builtin::HEADER_KEY);
        }
        reader.node(What::new(Kind::Struct, Flags::ELEMENT, builtin::HEADER), |reader| {
            header(reader).inspect_err(|_| reader.undecoded(builtin::RECORD_REST))
        })?;
    }
    Ok(())
}

fn header<S: Sink>(reader: &mut Reader<'_, S>) -> Result<(), Stopped> {
    reader.varint_bytes(builtin::HEADER_KEY)?;
    reader.varint_bytes(builtin::HEADER_VALUE)
}
