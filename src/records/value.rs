//! Batches and messages apart from their bytes: what [`encode`](super::encode()) needs. Lengths, checksums and counts are for it to work out.

use super::attributes;
use super::compression::Codec;
use crate::tree::builtin;

/// An entry of a records field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A batch, magic 2.
    Batch(Batch),
    /// A message, magic 0 or 1.
    Message(Message),
    /// Anything else: its bytes.
    Bytes(Vec<u8>),
}

impl Entry {
    /// Whether encoding it compresses anything. What comes out need not have as many bytes as another encoder's.
    pub fn will_compress(&self) -> bool {
        match self {
            Entry::Batch(Batch { records: Records::Values(records), attributes, .. }) => {
                !records.is_empty() && Compression::of(*attributes) != Compression::None
            }
            Entry::Message(message) => matches!(message.value, MessageValue::Set(_)),
            Entry::Batch(_) | Entry::Bytes(_) => false,
        }
    }
}

/// A batch of magic 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The offset that the deltas of its records count from.
    pub base_offset: i64,
    /// The epoch of the leader that appended it; -1 in what a producer sends.
    pub partition_leader_epoch: i32,
    /// The checksum, if not the right one.
    pub crc: Option<u32>,
    /// The attributes: codec, type of the timestamps, and so on.
    pub attributes: i16,
    /// The offset of the last record, less the base.
    pub last_offset_delta: i32,
    /// The timestamp that the deltas of its records count from.
    pub base_timestamp: i64,
    /// The greatest timestamp.
    pub max_timestamp: i64,
    /// The producer; -1 for none.
    pub producer_id: i64,
    /// The epoch of the producer; -1 for none.
    pub producer_epoch: i16,
    /// The sequence number of the first record; -1 for none.
    pub base_sequence: i32,
    /// How many records it says it has, if not as many as there are.
    pub record_count: Option<i32>,
    /// The records.
    pub records: Records,
}

impl Batch {
    /// Whether the broker set the timestamps, so that all are the greatest and the deltas say nothing.
    pub fn has_append_time(&self) -> bool {
        builtin::bits_of(builtin::TIMESTAMP_TYPE, self.attributes as u64) == 1
    }
}

/// The records of a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Records {
    /// As values. They are compressed with the codec that the attributes name.
    Values(Vec<Record>),
    /// As they are on the wire, compressed.
    Compressed(Vec<u8>),
}

/// A record of a batch.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Record {
    /// Bits without a meaning yet.
    pub attributes: i8,
    /// The timestamp, less that of the batch.
    pub timestamp_delta: i64,
    /// The offset, less that of the batch.
    pub offset_delta: i32,
    /// The key; `None` for null.
    pub key: Option<Vec<u8>>,
    /// The value; `None` for null.
    pub value: Option<Vec<u8>>,
    /// The headers, in their order.
    pub headers: Vec<Header>,
}

/// A header of a record.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Header {
    /// The key, UTF-8 if all is well.
    pub key: Vec<u8>,
    /// The value; `None` for null.
    pub value: Option<Vec<u8>>,
}

/// A message of magic 0 or 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The offset.
    pub offset: i64,
    /// The checksum, if not the right one.
    pub crc: Option<u32>,
    /// The attributes: codec and type of the timestamp.
    pub attributes: i8,
    /// The timestamp of magic 1; `None` makes a message of magic 0, which has no such field.
    pub timestamp: Option<i64>,
    /// The key; `None` for null.
    pub key: Option<Vec<u8>>,
    /// The value.
    pub value: MessageValue,
}

/// The value of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MessageValue {
    /// Bytes; `None` for null.
    Bytes(Option<Vec<u8>>),
    /// A message set, which is compressed with the codec that the attributes name.
    Set(Vec<Entry>),
}

/// The names of what timestamps can be, by the bit in the attributes.
pub const TIMESTAMP_TYPES: [&str; 2] = ["createTime", "logAppendTime"];

/// The bits that have a meaning in the attributes of an entry, by its magic.
pub fn known_bits(magic: u8) -> u16 {
    let items = match magic {
        0 => &attributes::OF_MESSAGE[..1],
        1 => attributes::OF_MESSAGE,
        _ => attributes::OF_BATCH,
    };
    items.iter().fold(0, |bits, item| bits | builtin::mask_of(*item))
}

/// How attributes say that something is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// Not at all.
    None,
    /// With a codec.
    With(Codec),
    /// With a codec that is not known: its number.
    Unknown(u8),
}

impl Compression {
    /// What attributes say.
    pub fn of(attributes: i16) -> Compression {
        match builtin::bits_of(builtin::COMPRESSION, attributes as u64) as u8 {
            0 => Compression::None,
            number => Codec::numbered(number).map_or(Compression::Unknown(number), Compression::With),
        }
    }
}
