//! Records fields of JSON, as [`render::json`](crate::render::json) writes them, to their bytes.

use serde_json::Value as Json;

use super::json_object::{Object, Path};
use super::json_value::{JsonError, base64};
use crate::records::compression::Codec;
use crate::records::encode;
use crate::records::value::{
    Batch, Compression, Entry, Header, Message, MessageValue, Record, Records, TIMESTAMP_TYPES, known_bits,
};

const BATCH: &[&str] = &[
    "baseOffset",
    "partitionLeaderEpoch",
    "magic",
    "crc",
    "attributes",
    "lastOffsetDelta",
    "baseTimestamp",
    "maxTimestamp",
    "producerId",
    "producerEpoch",
    "baseSequence",
    "recordCount",
    "records",
    "compressed",
];
const MESSAGE: &[&str] =
    &["offset", "crc", "magic", "attributes", "timestamp", "key", "value", "messages", "compressed"];
const BATCH_ATTRIBUTES: &[&str] =
    &["compression", "timestampType", "isTransactional", "isControl", "hasDeleteHorizon", "otherBits"];
const MESSAGE_ATTRIBUTES: &[&str] = &["compression", "timestampType", "otherBits"];
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
];
const HEADER: &[&str] = &["key", "value"];

/// The bytes of a records field: an array of batches, messages, and bytes in base64, or all of its bytes in base64. `path` is what errors call it.
///
/// # Errors
/// If something is not what it should be, or contradicts the rest.
pub fn records_from_json(json: &Json, path: &str) -> Result<Vec<u8>, JsonError> {
    records_and_whether_compressed(json, path).map(|(bytes, _)| bytes)
}

/// The bytes of a records field, and whether something in it has just been compressed.
pub(super) fn records_and_whether_compressed(json: &Json, path: &str) -> Result<(Vec<u8>, bool), JsonError> {
    let path = Path::Root(path);
    if json.is_string() {
        let bytes = base64(json).ok_or_else(|| path.expected("records in base64", json))?;
        return Ok((bytes, false));
    }
    let Json::Array(list) = json else {
        return Err(path.expected("an array of batches, or records in base64", json));
    };
    let (mut out, mut compressed) = (Vec::new(), false);
    for (index, json) in list.iter().enumerate() {
        let path = Path::Element(&path, index);
        let entry = entry(path, json)?;
        encode(&entry, &mut out).map_err(|error| path.error(error.to_string()))?;
        compressed |= entry.will_compress();
    }
    Ok((out, compressed))
}

/// An entry of a records field: a batch, a message, or bytes in base64. `path` is what errors call it.
///
/// # Errors
/// As [`records_from_json`].
pub fn entry_from_json(json: &Json, path: &str) -> Result<Entry, JsonError> {
    entry(Path::Root(path), json)
}

fn entry(path: Path<'_>, json: &Json) -> Result<Entry, JsonError> {
    if let Json::String(_) = json {
        return base64(json).map(Entry::Bytes).ok_or_else(|| path.expected("an entry in base64", json));
    }
    let object = Object::new(path, json, "a batch, a message, or its bytes in base64")?;
    match object.int::<i8>("magic", "int8")? {
        Some(magic @ (0 | 1)) => message(&object, magic as u8).map(Entry::Message),
        Some(2) | None => batch(&object).map(Entry::Batch),
        Some(magic) => Err(object.error("magic", format!("no format has the magic {magic}; 0, 1 and 2 do"))),
    }
}

/// The attributes of a batch or message.
fn attributes(object: &Object<'_>, magic: u8) -> Result<u16, JsonError> {
    let Some((path, json)) = object.member("attributes") else { return Ok(0) };
    let object = Object::new(path, json, "an object")?;
    object.only(if magic == 2 { BATCH_ATTRIBUTES } else { MESSAGE_ATTRIBUTES })?;
    let mut bits = match object.get("compression") {
        None => 0,
        Some(Json::String(name)) if name == "none" => 0,
        Some(json @ Json::String(name)) => {
            let codec = Codec::ALL.into_iter().find(|codec| codec.name() == name);
            let expected = "none, gzip, snappy, lz4, zstd, or the number of a codec";
            codec.ok_or_else(|| object.expected("compression", expected, json))?.number().into()
        }
        Some(_) => object.int_within("compression", "a codec or its number", 0..=7)?.unwrap_or(0) as u16,
    };
    if let Some(json) = object.get("timestampType") {
        let number = TIMESTAMP_TYPES.iter().position(|name| json.as_str() == Some(name));
        let expected = format!("one of {}", TIMESTAMP_TYPES.join(", "));
        let number = number.ok_or_else(|| object.expected("timestampType", expected, json))?;
        if magic == 0 && number > 0 {
            return Err(object.error("timestampType", "magic 0 has no timestamps"));
        }
        bits |= (number as u16) << 3;
    }
    for (name, bit) in [("isTransactional", 4), ("isControl", 5), ("hasDeleteHorizon", 6)] {
        bits |= u16::from(object.bool(name)?) << bit;
    }
    let most = if magic == 2 { 0xffff } else { 0xff };
    let others = object.int_within("otherBits", "bits as a number", 0..=most)?.unwrap_or(0) as u16;
    if others & known_bits(magic) != 0 {
        let problem = format!("the bits {:#x} have names of their own", others & known_bits(magic));
        return Err(object.error("otherBits", problem));
    }
    Ok(bits | others)
}

fn batch(object: &Object<'_>) -> Result<Batch, JsonError> {
    object.only(BATCH)?;
    let attributes = attributes(object, 2)? as i16;
    let mut batch = Batch {
        base_offset: 0,
        partition_leader_epoch: object.int("partitionLeaderEpoch", "int32")?.unwrap_or(-1),
        crc: object.int("crc", "uint32")?,
        attributes,
        last_offset_delta: 0,
        base_timestamp: -1,
        max_timestamp: -1,
        producer_id: object.int("producerId", "int64")?.unwrap_or(-1),
        producer_epoch: object.int("producerEpoch", "int16")?.unwrap_or(-1),
        base_sequence: object.int("baseSequence", "int32")?.unwrap_or(-1),
        record_count: object.int("recordCount", "int32")?,
        records: Records::Values(Vec::new()),
    };
    let claims = if let Some((path, json)) = object.member("compressed") {
        check_compressed(object, attributes, "records")?;
        if batch.record_count.is_none() {
            return Err(object.error("recordCount", "it is missing, and compressed records do not tell it"));
        }
        let bytes = base64(json).ok_or_else(|| path.expected("bytes in base64", json))?;
        batch.records = Records::Compressed(bytes);
        Vec::new()
    } else {
        check_codec(object, attributes)?;
        object.list("records")?
    };
    records(object, &mut batch, &claims)?;
    Ok(batch)
}

/// Refuses values where the codec is not known.
fn check_codec(object: &Object<'_>, attributes: i16) -> Result<(), JsonError> {
    match Compression::of(attributes) {
        Compression::Unknown(number) => {
            let problem = format!("no codec has the number {number}, so \"compressed\" must have the bytes");
            Err(object.error("attributes.compression", problem))
        }
        _ => Ok(()),
    }
}

/// Refuses compressed bytes where nothing is compressed, or together with the values under `other`.
fn check_compressed(object: &Object<'_>, attributes: i16, other: &str) -> Result<(), JsonError> {
    if Compression::of(attributes) == Compression::None {
        return Err(object.error("compressed", "the attributes say that nothing is compressed"));
    }
    match object.get(other) {
        Some(_) => Err(object.error("compressed", format!("there can be only one of this and {other}"))),
        None => Ok(()),
    }
}

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
fn records(object: &Object<'_>, batch: &mut Batch, list: &[(Path<'_>, &Json)]) -> Result<(), JsonError> {
    let claims: Result<Vec<_>, _> =
        list.iter().map(|(path, json)| Claim::new(Object::new(*path, json, "an object")?)).collect();
    let claims = claims?;
    let first = claims.first();
    let first_offset =
        first.and_then(|first| first.offset?.checked_sub(first.offset_delta.unwrap_or(0).into()));
    batch.base_offset = object.int("baseOffset", "int64")?.or(first_offset).unwrap_or(0);
    let is_append_time = batch.attributes & 8 != 0;
    let max = object.int("maxTimestamp", "int64")?;
    // With log append time the timestamps say nothing about the deltas, and all are the greatest.
    let first_timestamp =
        first.and_then(|first| first.timestamp?.checked_sub(first.timestamp_delta.unwrap_or(0)));
    let base = object.int("baseTimestamp", "int64")?;
    batch.base_timestamp = base.or(first_timestamp).or(max.filter(|_| is_append_time)).unwrap_or(-1);
    let append_time = match max {
        _ if !is_append_time => None,
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

fn message(object: &Object<'_>, magic: u8) -> Result<Message, JsonError> {
    object.only(MESSAGE)?;
    let attributes = attributes(object, magic)?;
    let timestamp = object.int("timestamp", "int64")?;
    if magic == 0 && timestamp.is_some() {
        return Err(object.error("timestamp", "magic 0 has no timestamps"));
    }
    let is_compressed = Compression::of(attributes as i16) != Compression::None;
    let value = if let Some((path, json)) = object.member("compressed") {
        check_compressed(object, attributes as i16, "messages")?;
        MessageValue::Bytes(Some(base64(json).ok_or_else(|| path.expected("bytes in base64", json))?))
    } else if object.get("messages").is_some() {
        if !is_compressed {
            let problem =
                "the attributes say that nothing is compressed; only a compressed message has others in it";
            return Err(object.error("messages", problem));
        }
        check_codec(object, attributes as i16)?;
        let messages = object.list("messages")?;
        MessageValue::Set(
            messages.into_iter().map(|(path, json)| entry(path, json)).collect::<Result<_, _>>()?,
        )
    } else {
        MessageValue::Bytes(object.text("value")?)
    };
    if is_compressed && object.get("value").is_some() {
        return Err(
            object.error("value", "a compressed message has \"messages\" or \"compressed\" in its place")
        );
    }
    Ok(Message {
        offset: object.int("offset", "int64")?.unwrap_or(0),
        crc: object.int("crc", "uint32")?,
        attributes: attributes as u8 as i8,
        timestamp: (magic == 1).then_some(timestamp.unwrap_or(-1)),
        key: object.text("key")?,
        value,
    })
}
