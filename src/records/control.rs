//! Control records: markers among the records of a partition that clients do not hand on. Their key tells which kind they are (Kafka's
//! ControlRecordTypeSchema), their value has what belongs to that (EndTxnMarker …).

use std::sync::Arc;

use super::Fixed;
use super::inside;
use super::reader::{Reader, Stopped};
use crate::payload::plan_of;
use crate::tree::{Flags, Kind, PlanId, What, builtin};
use crate::wire::plan::Plan;
use crate::wire::primitive;
use crate::wire::sink::Sink;

/// The types that end a transaction.
const ABORT: i16 = 0;
const COMMIT: i16 = 1;

const KEY: [Fixed; 2] = [(Kind::Int, builtin::CONTROL_KEY_VERSION, 2), (Kind::Int, builtin::CONTROL_TYPE, 2)];
const END_MARKER: [Fixed; 2] =
    [(Kind::Int, builtin::END_MARKER_VERSION, 2), (Kind::Int, builtin::COORDINATOR_EPOCH, 4)];

/// The other types whose values are known. The first field of each is its version; Kafka 4.4 writes only version 0 of them.
const STRUCTURES: [(i16, u16); 5] = [
    (2, builtin::LEADER_CHANGE),
    (3, builtin::SNAPSHOT_HEADER),
    (4, builtin::SNAPSHOT_FOOTER),
    (5, builtin::KRAFT_VERSION),
    (6, builtin::VOTERS),
];

/// Reads the key and the value of a control record. What is not known stays bytes.
pub(super) fn key_and_value<S: Sink>(reader: &mut Reader<'_, S>) -> Result<(), Stopped> {
    let key = content(reader, 4);
    let kind = key.and_then(|key| key.get(2..4)?.try_into().ok()).map(i16::from_be_bytes);
    match key {
        Some(_) => structure(reader, builtin::CONTROL_KEY, &KEY)?,
        None => reader.varint_bytes(builtin::KEY)?,
    }
    if matches!(kind, Some(ABORT | COMMIT)) && content(reader, 6).is_some() {
        return structure(reader, builtin::END_MARKER, &END_MARKER);
    }
    let known = STRUCTURES.iter().find(|(number, _)| Some(*number) == kind);
    match known.and_then(|(_, item)| Some((*item, plan_of_value(reader, *item)?))) {
        Some((item, (plan, id))) => inside::bytes(reader, item, &plan, id),
        None => reader.varint_bytes(builtin::VALUE),
    }
}

/// The plan of a value, by the version that it begins with; `None` if all of it is not there, or its version is not known.
fn plan_of_value<S: Sink>(reader: &mut Reader<'_, S>, item: u16) -> Option<(Arc<Plan>, PlanId)> {
    let (content, length) = primitive::varint(reader.rest).ok()?;
    let content = content.get(..usize::try_from(length).ok()?)?;
    let (_, version) = primitive::int16(content).ok()?;
    plan_of(reader.sink, &builtin::items()[usize::from(item)].type_name, version)
}

/// The content of bytes after a varint, if that says `len` and so many are there, or what there is of an entry that was cut off.
fn content<'r, S: Sink>(reader: &Reader<'r, S>, len: usize) -> Option<&'r [u8]> {
    let (rest, length) = primitive::varint(reader.rest).ok()?;
    let found = len.min(rest.len());
    rest.get(..found).filter(|_| usize::try_from(length) == Ok(len) && (found == len || reader.cut))
}

/// Reads a length and the fields that just fill it.
fn structure<S: Sink>(reader: &mut Reader<'_, S>, item: u16, fields: &[Fixed]) -> Result<(), Stopped> {
    reader.node(What::new(Kind::Struct, Flags::NONE, item), |reader| {
        reader.varint(builtin::VARINT_LENGTH)?;
        fields.iter().try_for_each(|(kind, item, len)| reader.fixed(*kind, *item, *len).map(|_| ()))
    })
}
