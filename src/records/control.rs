//! Control records: markers among the records of a partition that clients do not hand on. Their key tells which kind they are (Kafka's
//! ControlRecordTypeSchema), their value has what belongs to that (EndTxnMarker …).

use super::reader::{Reader, Stopped};
use crate::tree::{Flags, Kind, What, builtin};
use crate::wire::primitive;
use crate::wire::sink::Sink;

/// The types that end a transaction.
const ABORT: i16 = 0;
const COMMIT: i16 = 1;

/// A field of fixed size.
type Field = (u16, usize);

const KEY: [Field; 2] = [(builtin::CONTROL_KEY_VERSION, 2), (builtin::CONTROL_TYPE, 2)];
const END_MARKER: [Field; 2] = [(builtin::END_MARKER_VERSION, 2), (builtin::COORDINATOR_EPOCH, 4)];

/// Reads the key and the value of a control record. What is not known stays bytes.
pub(super) fn key_and_value<S: Sink>(reader: &mut Reader<'_, S>) -> Result<(), Stopped> {
    let key = content(reader, 4);
    let kind = key.and_then(|key| key.get(2..4)?.try_into().ok()).map(i16::from_be_bytes);
    match key {
        Some(_) => structure(reader, builtin::CONTROL_KEY, &KEY)?,
        None => reader.varint_bytes(builtin::KEY)?,
    }
    match content(reader, 6) {
        Some(_) if matches!(kind, Some(ABORT | COMMIT)) => {
            structure(reader, builtin::END_MARKER, &END_MARKER)
        }
        _ => reader.varint_bytes(builtin::VALUE),
    }
}

/// The content of bytes after a varint, if that says `len` and so many are there, or what there is of an entry that was cut off.
fn content<'r, S: Sink>(reader: &Reader<'r, S>, len: usize) -> Option<&'r [u8]> {
    let (rest, length) = primitive::varint(reader.rest).ok()?;
    let found = len.min(rest.len());
    rest.get(..found).filter(|_| usize::try_from(length) == Ok(len) && (found == len || reader.cut))
}

/// Reads a length and the fields that just fill it.
fn structure<S: Sink>(reader: &mut Reader<'_, S>, item: u16, fields: &[Field]) -> Result<(), Stopped> {
    let mark = reader.sink.open(What::new(Kind::Struct, Flags::NONE, item), reader.pos());
    let length = reader.varint(builtin::VARINT_LENGTH).map(|_| ());
    let result = fields.iter().fold(length, |result, (item, len)| {
        result.and_then(|()| reader.fixed(Kind::Int, *item, *len).map(|_| ()))
    });
    reader.sink.close(mark, reader.pos());
    result
}
