//! What is inside the key or value of a record.

use std::sync::Arc;

use super::reader::{Reader, Stopped};
use crate::payload::{self, Reading};
use crate::tree::{Flags, Kind, Limit, PlanId, What, builtin};
use crate::wire::plan::Plan;
use crate::wire::primitive;
use crate::wire::sink::Sink;
use crate::wire::walk::{Route, Walk};

/// How the length before a key or value is spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    Varint,
    Int32,
}

/// Reads the key and the value of a record: by their definitions, if the topic is one whose records have such.
pub(super) fn key_and_value<S: Sink>(reader: &mut Reader<'_, S>, prefix: Prefix) -> Result<(), Stopped> {
    let Some(topic) = reader.topic else {
        plain(reader, builtin::KEY, prefix)?;
        return plain(reader, builtin::VALUE, prefix);
    };
    let key = content(reader, prefix).and_then(|key| payload::key(topic, key, reader.sink));
    let (reading, record) = key.map_or((None, None), |(reading, record)| (Some(reading), record));
    bytes_or(reader, builtin::KEY, prefix, reading)?;
    let value = content(reader, prefix);
    let reading = value.and_then(|value| payload::value(topic, record, value, reader.sink));
    bytes_or(reader, builtin::VALUE, prefix, reading)
}

/// Bytes as they are.
pub(super) fn plain<S: Sink>(reader: &mut Reader<'_, S>, item: u16, prefix: Prefix) -> Result<(), Stopped> {
    match prefix {
        Prefix::Varint => reader.varint_bytes(item),
        Prefix::Int32 => reader.int32_bytes(item),
    }
}

/// The content of the key or value that comes next, if all of it is there.
fn content<'r, S: Sink>(reader: &Reader<'r, S>, prefix: Prefix) -> Option<&'r [u8]> {
    let (rest, length) = match prefix {
        Prefix::Varint => primitive::varint(reader.rest).ok()?,
        Prefix::Int32 => primitive::int32(reader.rest).ok()?,
    };
    rest.get(..usize::try_from(length).ok()?).filter(|content| !content.is_empty())
}

/// Reads bytes, all of which are there if it is known how.
fn bytes_or<S: Sink>(
    reader: &mut Reader<'_, S>,
    item: u16,
    prefix: Prefix,
    reading: Option<Reading>,
) -> Result<(), Stopped> {
    let Some(reading) = reading else { return plain(reader, item, prefix) };
    reader.node(What::new(Kind::Payload, Flags::NONE, item), |reader| {
        let len = match prefix {
            Prefix::Varint => usize::try_from(reader.varint(builtin::VARINT_LENGTH)?).unwrap_or(0),
            Prefix::Int32 => {
                let bytes = reader.fixed(Kind::Length, builtin::INT32_LENGTH, 4)?;
                bytes.try_into().map_or(0, u32::from_be_bytes) as usize
            }
        };
        let start = reader.pos();
        let inner = reader.part(len, Limit::Value { length: len as u32 });
        let mut walk = Walk::new(inner.rest, start, &mut *inner.sink).within_payload(inner.limit);
        reading.walk(&mut walk);
        Ok(())
    })
}

/// Reads bytes after a zigzag varint with their length, all of which are there, as a structure. Whatever is wrong in there, the next field begins
/// where the length says.
pub(super) fn bytes<S: Sink>(
    reader: &mut Reader<'_, S>,
    item: u16,
    plan: &Arc<Plan>,
    id: PlanId,
) -> Result<(), Stopped> {
    reader.node(What::new(Kind::Struct, Flags::NONE, item), |reader| {
        let length = reader.varint(builtin::VARINT_LENGTH)?;
        let (start, len) = (reader.pos(), usize::try_from(length).unwrap_or(0));
        let mut inner = reader.part(len, Limit::Value { length: len as u32 });
        let mut walk = Walk::new(inner.rest, start, &mut *inner.sink);
        walk.limit = inner.limit;
        let result = walk.message(&Route { plan, id, flags: Flags::NONE });
        let left = walk.left();
        inner.rest = &inner.rest[inner.rest.len() - left..];
        if result.is_ok() {
            inner.rest(builtin::RECORD_REST);
        }
        Ok(())
    })
}
