//! Records fields of JSON, as [`render::json`](crate::render::json) writes them, to their bytes.

mod claims;

use serde_json::Value as Json;

use super::json_object::{Object, Path};
use super::json_value::{JsonError, base64};
use crate::records::compression::Codec;
use crate::records::encode;
use crate::records::value::{
    Batch, Compression, Entry, Message, MessageValue, Records, TIMESTAMP_TYPES, known_bits,
};
use crate::tree::builtin;

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
        if number > 0 {
            bits |= builtin::mask_of(builtin::TIMESTAMP_TYPE);
        }
    }
    for item in [builtin::IS_TRANSACTIONAL, builtin::IS_CONTROL, builtin::HAS_DELETE_HORIZON] {
        if object.bool(&builtin::items()[usize::from(item)].name)? {
            bits |= builtin::mask_of(item);
        }
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
    let records = if let Some((path, json)) = object.member("compressed") {
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
    claims::records(object, &mut batch, &records)?;
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
