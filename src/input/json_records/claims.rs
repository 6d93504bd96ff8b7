//! The records of a batch. What JSON says of their offsets and timestamps must agree; what it leaves out is worked out.

use serde_json::Value as Json;

use crate::input::json_object::{Object, Path};
use crate::input::json_value::JsonError;
use crate::records::value::{Batch, Header, Record, Records};

const RECORD: &[&str] = &[
    "attributes",
    "timestampDelta",
    "offsetDelta",
    "offset",
    "timestamp",
    "key",
    "value",
    "headers",
    "controlType",
    "decodedKey",
    "decodedValue",
];
const HEADER: &[&str] = &["key", "value"];

/// A record, and what is said of its place.
struct Claim<'c> {
    object: Object<'c>,
    offset: Option<i64>,
    offset_delta: Option<i32>,
    timestamp: Option<i64>,
    timestamp_delta: Option<i64>,
}

impl<'c> Claim<'c> {
    fn new(object: Object<'c>) -> Result<Claim<'c>, JsonError> {
        object.only(RECORD)?;
        Ok(Claim {
            offset: object.int("offset", "int64")?,
            offset_delta: object.int("offsetDelta", "int32")?,
            timestamp: object.int("timestamp", "int64")?,
            timestamp_delta: object.int("timestampDelta", "int64")?,
            object,
        })
    }
}

/// Reads the records, and works out from each other the deltas, what they count from, and what they come to.
pub(super) fn records(
    object: &Object<'_>,
    batch: &mut Batch,
    list: &[(Path<'_>, &Json)],
) -> Result<(), JsonError> {
    let claims: Result<Vec<_>, _> =
        list.iter().map(|(path, json)| Claim::new(Object::new(*path, json, "an object")?)).collect();
    let claims = claims?;
    let first = claims.first();
    let first_offset =
        first.and_then(|first| first.offset?.checked_sub(first.offset_delta.unwrap_or(0).into()));
    batch.base_offset = object.int("baseOffset", "int64")?.or(first_offset).unwrap_or(0);
    let has_append_time = batch.has_append_time();
    let max = object.int("maxTimestamp", "int64")?;
    let first_timestamp =
        first.and_then(|first| first.timestamp?.checked_sub(first.timestamp_delta.unwrap_or(0)));
    let base = object.int("baseTimestamp", "int64")?;
    batch.base_timestamp = base.or(first_timestamp).or(max.filter(|_| has_append_time)).unwrap_or(-1);
    // The one timestamp of all records, if there is such.
    let append_time = match max {
        _ if !has_append_time => None,
        Some(max) => Some(max),
        None => Some(first.and_then(|first| first.timestamp).unwrap_or(batch.base_timestamp)),
    };
    let mut found = Vec::with_capacity(claims.len());
    for (index, claim) in claims.iter().enumerate() {
        let offset_delta = offset_delta(claim, batch.base_offset, index)?;
        let timestamp_delta = timestamp_delta(claim, batch.base_timestamp, append_time)?;
        found.push(record(&claim.object, offset_delta, timestamp_delta)?);
    }
    let last = found.iter().map(|record| record.offset_delta).max();
    batch.last_offset_delta = object.int("lastOffsetDelta", "int32")?.or(last).unwrap_or(0);
    let timestamps = found.iter().map(|record| batch.base_timestamp.saturating_add(record.timestamp_delta));
    batch.max_timestamp = max.or(append_time).or(timestamps.max()).unwrap_or(batch.base_timestamp);
    if let Records::Values(records) = &mut batch.records {
        *records = found;
    }
    Ok(())
}

fn offset_delta(claim: &Claim<'_>, base: i64, index: usize) -> Result<i32, JsonError> {
    let object = &claim.object;
    match (claim.offset_delta, claim.offset) {
        (Some(delta), Some(offset)) if base.checked_add(delta.into()) != Some(offset) => {
            let problem = format!("{offset} is not baseOffset {base} and offsetDelta {delta}");
            Err(object.error("offset", problem))
        }
        (Some(delta), _) => Ok(delta),
        (None, Some(offset)) => {
            let delta = offset.checked_sub(base).and_then(|delta| i32::try_from(delta).ok());
            delta.ok_or_else(|| object.error("offset", format!("{offset} is too far from baseOffset {base}")))
        }
        (None, None) => i32::try_from(index).map_err(|_| object.error("offsetDelta", "too many records")),
    }
}

fn timestamp_delta(claim: &Claim<'_>, base: i64, append_time: Option<i64>) -> Result<i64, JsonError> {
    let object = &claim.object;
    match (claim.timestamp_delta, claim.timestamp) {
        (_, Some(timestamp)) if append_time.is_some_and(|time| time != timestamp) => {
            let time = append_time.unwrap_or(0);
            let problem =
                format!("{timestamp} is not maxTimestamp {time}, as with log append time it must be");
            Err(object.error("timestamp", problem))
        }
        (Some(delta), Some(timestamp))
            if append_time.is_none() && base.checked_add(delta) != Some(timestamp) =>
        {
            let problem = format!("{timestamp} is not baseTimestamp {base} and timestampDelta {delta}");
            Err(object.error("timestamp", problem))
        }
        (Some(delta), _) => Ok(delta),
        (None, Some(timestamp)) if append_time.is_none() => timestamp.checked_sub(base).ok_or_else(|| {
            object.error("timestamp", format!("{timestamp} is too far from baseTimestamp {base}"))
        }),
        (None, _) => Ok(0),
    }
}

fn record(object: &Object<'_>, offset_delta: i32, timestamp_delta: i64) -> Result<Record, JsonError> {
    let mut headers = Vec::new();
    for (path, json) in object.list("headers")? {
        let header = Object::new(path, json, "an object")?;
        header.only(HEADER)?;
        let key = header.text("key")?.ok_or_else(|| header.error("key", "it is missing, or null"))?;
        headers.push(Header { key, value: header.text("value")? });
    }
    Ok(Record {
        attributes: object.int("attributes", "int8")?.unwrap_or(0),
        timestamp_delta,
        offset_delta,
        key: object.text("key")?,
        value: object.text("value")?,
        headers,
    })
}
