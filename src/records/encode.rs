//! From batches and messages to their bytes.

use thiserror::Error;

use super::value::{Batch, Compression, Entry, Message, MessageValue, Record, Records};

/// Why an entry has no bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum EncodeError {
    /// It is longer than its length field can say.
    #[error("it is too long for its length field")]
    TooLong,
    /// Its records would have to be compressed by a codec that is not known.
    #[error("no codec has the number {0}")]
    Codec(u8),
}

/// Appends the bytes of an entry of a records field to `out`.
///
/// # Errors
/// If something is too long, or has to be compressed and cannot.
pub fn encode(entry: &Entry, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    match entry {
        Entry::Batch(entry) => batch(entry, out),
        Entry::Message(entry) => message(entry, out),
        Entry::Bytes(bytes) => {
            out.extend(bytes);
            Ok(())
        }
    }
}

fn batch(batch: &Batch, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    out.extend(batch.base_offset.to_be_bytes());
    let length_at = out.len();
    out.extend([0; 4]);
    out.extend(batch.partition_leader_epoch.to_be_bytes());
    out.push(2);
    let crc_at = out.len();
    out.extend([0; 4]);
    out.extend(batch.attributes.to_be_bytes());
    out.extend(batch.last_offset_delta.to_be_bytes());
    out.extend(batch.base_timestamp.to_be_bytes());
    out.extend(batch.max_timestamp.to_be_bytes());
    out.extend(batch.producer_id.to_be_bytes());
    out.extend(batch.producer_epoch.to_be_bytes());
    out.extend(batch.base_sequence.to_be_bytes());
    let counted = match &batch.records {
        Records::Values(records) => records.len(),
        Records::Compressed(_) => 0,
    };
    let count = batch.record_count.map_or_else(|| length(counted), Ok)?;
    out.extend(count.to_be_bytes());
    match &batch.records {
        Records::Compressed(bytes) => out.extend(bytes),
        Records::Values(records) => {
            // Without records there is nothing to be compressed: a broker that removes them all leaves no byte.
            let compression =
                if records.is_empty() { Compression::None } else { Compression::of(batch.attributes) };
            compressed(compression, out, |out| records.iter().try_for_each(|value| record(value, out)))?;
        }
    }
    patch_length(out, length_at)?;
    let crc = batch.crc.unwrap_or_else(|| crc32c::crc32c(&out[crc_at + 4..]));
    patch(out, crc_at, crc);
    Ok(())
}

fn record(record: &Record, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let start = out.len();
    out.extend(record.attributes.to_be_bytes());
    varlong(record.timestamp_delta, out);
    varlong(record.offset_delta.into(), out);
    varint_bytes(record.key.as_deref(), out)?;
    varint_bytes(record.value.as_deref(), out)?;
    varlong(length(record.headers.len())?.into(), out);
    for header in &record.headers {
        varint_bytes(Some(&header.key), out)?;
        varint_bytes(header.value.as_deref(), out)?;
    }
    // The length is known only now; its bytes go before the rest.
    let end = out.len();
    varlong(length(end - start)?.into(), out);
    let prefix = out.len() - end;
    out[start..].rotate_right(prefix);
    Ok(())
}

fn message(message: &Message, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    out.extend(message.offset.to_be_bytes());
    let length_at = out.len();
    out.extend([0; 4]);
    let crc_at = out.len();
    out.extend([0; 4]);
    out.push(u8::from(message.timestamp.is_some()));
    out.extend(message.attributes.to_be_bytes());
    if let Some(timestamp) = message.timestamp {
        out.extend(timestamp.to_be_bytes());
    }
    int32_bytes(message.key.as_deref(), out)?;
    match &message.value {
        MessageValue::Bytes(value) => int32_bytes(value.as_deref(), out)?,
        MessageValue::Set(entries) => {
            let value_at = out.len();
            out.extend([0; 4]);
            compressed(Compression::of(message.attributes.into()), out, |out| {
                entries.iter().try_for_each(|entry| encode(entry, out))
            })?;
            patch_length(out, value_at)?;
        }
    }
    patch_length(out, length_at)?;
    let crc = message.crc.unwrap_or_else(|| crc32fast::hash(&out[crc_at + 4..]));
    patch(out, crc_at, crc);
    Ok(())
}

/// What `write` writes, compressed.
fn compressed(
    compression: Compression,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    match compression {
        Compression::None => write(out),
        Compression::With(codec) => {
            let mut plain = Vec::new();
            write(&mut plain)?;
            out.extend(codec.compress(&plain));
            Ok(())
        }
        Compression::Unknown(number) => Err(EncodeError::Codec(number)),
    }
}

fn length(bytes: usize) -> Result<i32, EncodeError> {
    i32::try_from(bytes).map_err(|_| EncodeError::TooLong)
}

/// Puts the length of all that comes after the four bytes at `at` there.
fn patch_length(out: &mut [u8], at: usize) -> Result<(), EncodeError> {
    patch(out, at, length(out.len() - at - 4)? as u32);
    Ok(())
}

fn patch(out: &mut [u8], at: usize, value: u32) {
    out[at..at + 4].copy_from_slice(&value.to_be_bytes());
}

/// A zigzag varint. One of 32 bits is spelled no other way.
fn varlong(value: i64, out: &mut Vec<u8>) {
    let mut bits = ((value << 1) ^ (value >> 63)) as u64;
    while bits >= 0x80 {
        out.push(bits as u8 | 0x80);
        bits >>= 7;
    }
    out.push(bits as u8);
}

/// Bytes after a zigzag varint with their length; -1 is null.
fn varint_bytes(bytes: Option<&[u8]>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    varlong(bytes.map_or(Ok(-1), |bytes| length(bytes.len()))?.into(), out);
    out.extend(bytes.unwrap_or_default());
    Ok(())
}

/// Bytes after an int32 with their length; -1 is null.
fn int32_bytes(bytes: Option<&[u8]>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let length = bytes.map_or(Ok(-1), |bytes| length(bytes.len()))?;
    out.extend(length.to_be_bytes());
    out.extend(bytes.unwrap_or_default());
    Ok(())
}
