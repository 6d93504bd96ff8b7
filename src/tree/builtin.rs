//! The items of nodes that no definition describes: framing, lengths, tags, record batches, raw bytes.

use std::sync::OnceLock;

use crate::schema::{Meaning, Meanings};
use crate::wire::plan::Item;

macro_rules! builtin {
    ($($(#[$doc:meta])* $name:ident = $index:literal: $label:literal, $type_name:literal, $about:literal;)*) => {
        $($(#[$doc])* pub const $name: u16 = $index;)*

        /// The items, in the order of their numbers.
        pub fn items() -> &'static [Item] {
            static ITEMS: OnceLock<Vec<Item>> = OnceLock::new();
            ITEMS.get_or_init(|| {
                let item = |number, item: Item| item.with_meaning(meaning(number));
                vec![$(item($index, Item::new($label.into(), $type_name.into(), $about.into()))),*]
            })
        }
    };
}

builtin! {
    /// The size field's container.
    FRAME = 0: "Frame", "", "length-delimited framing";
    /// The size field.
    SIZE = 1: "size", "int32", "number of bytes that follow, patched after encoding";
    /// A request whose API or version is not known.
    UNKNOWN_REQUEST = 2: "UnknownRequest", "", "";
    /// A response whose API or version is not known.
    UNKNOWN_RESPONSE = 3: "UnknownResponse", "", "";
    /// The length before an array or records, if a uvarint.
    UVARINT_LENGTH = 4: "length", "uvarint", "";
    /// The length before an array or records, if an int32.
    INT32_LENGTH = 5: "length", "int32", "";
    /// The tagged fields of a structure.
    TAGGED_FIELDS = 6: "tagged_fields", "uvarint", "number of tagged fields in this struct";
    /// The tagged fields of a header.
    HEADER_TAGGED_FIELDS = 7: "tagged_fields", "uvarint", "number of tagged fields in the header";
    /// The number of tagged fields, where there are any.
    TAG_COUNT = 8: "count", "uvarint", "";
    /// A tag.
    TAG_NUMBER = 9: "tag", "uvarint", "number that identifies the field within its struct";
    /// The size of a tagged field.
    TAG_SIZE = 10: "size", "uvarint", "number of bytes of the field's value";
    /// The byte before a structure that may be null.
    PRESENT = 11: "present", "int8", "1 before a struct that is there, -1 alone for null";
    /// The value of a tagged field that the definition does not know.
    TAG_VALUE = 12: "value", "", "";
    /// Bytes left after a tagged field's value.
    TAG_REST = 13: "rest of the tag", "", "";
    /// What is in a records field.
    RECORD_BYTES = 14: "batches", "", "record batches or message sets";
    /// Bytes after the body.
    TRAILING = 15: "trailing bytes", "", "";
    /// Bytes that could not be decoded.
    UNDECODED = 16: "undecoded bytes", "", "";
    /// The body of a message whose layout is not known.
    UNKNOWN_BODY = 17: "body", "", "";
    /// An unknown tagged field.
    UNKNOWN_TAG = 18: "", "", "";
    /// A frame that is no message that is known.
    UNKNOWN_MESSAGE = 19: "UnknownMessage", "", "";
    /// A record batch.
    BATCH = 20: "RecordBatch", "", "records that were written together";
    /// A message of magic 0 or 1.
    MESSAGE = 21: "Message", "", "one record, or in its value a whole compressed message set";
    /// The first field of a batch.
    BASE_OFFSET = 22: "baseOffset", "int64", "offset of the first record; 0 in what a producer sends";
    /// The size of a batch.
    BATCH_LENGTH = 23: "batchLength", "int32", "number of bytes that follow this field, up to the end of the batch";
    /// The epoch of the partition's leader.
    PARTITION_LEADER_EPOCH = 24: "partitionLeaderEpoch", "int32", "epoch of the leader that appended the batch; not covered by the crc";
    /// The format.
    MAGIC = 25: "magic", "int8", "format: 0 and 1 for messages, 2 for a batch; always the 17th byte";
    /// The checksum of a batch.
    CRC_32C = 26: "crc", "uint32", "CRC-32C from attributes to the end of the batch";
    /// The attributes of a batch.
    ATTRIBUTES = 27: "attributes", "int16", "bits that hold for all of the batch";
    /// The offset of the last record.
    LAST_OFFSET_DELTA = 28: "lastOffsetDelta", "int32", "offset of the last record less baseOffset; stays if compaction removes it";
    /// What timestamp deltas count from.
    BASE_TIMESTAMP = 29: "baseTimestamp", "int64", "what each timestampDelta is added to; the delete horizon if there is one";
    /// The greatest timestamp.
    MAX_TIMESTAMP = 30: "maxTimestamp", "int64", "greatest timestamp, or with log append time the one of every record";
    /// The producer.
    PRODUCER_ID = 31: "producerId", "int64", "-1 if the producer is not idempotent";
    /// The epoch of the producer.
    PRODUCER_EPOCH = 32: "producerEpoch", "int16", "tells a producer from older instances of itself; -1 for none";
    /// The sequence number of the first record.
    BASE_SEQUENCE = 33: "baseSequence", "int32", "sequence number of the first record; -1 if the producer is not idempotent";
    /// The number of records.
    RECORD_COUNT = 34: "recordCount", "int32", "number of records in the batch; 0 if compaction removed them all";
    /// A record.
    RECORD = 35: "", "Record", "";
    /// The size of a record.
    RECORD_LENGTH = 36: "length", "varint", "number of bytes of the record after this field";
    /// The attributes of a record.
    RECORD_ATTRIBUTES = 37: "attributes", "int8", "no bit has a meaning yet";
    /// The timestamp of a record.
    TIMESTAMP_DELTA = 38: "timestampDelta", "varlong", "added to baseTimestamp";
    /// The offset of a record.
    OFFSET_DELTA = 39: "offsetDelta", "varint", "added to baseOffset";
    /// The key of a record or message.
    KEY = 40: "key", "bytes", "";
    /// The value of a record or message.
    VALUE = 41: "value", "bytes", "";
    /// The headers of a record.
    HEADERS = 42: "headers", "[]Header", "";
    /// The number of headers.
    HEADER_COUNT = 43: "count", "varint", "";
    /// A header.
    HEADER = 44: "", "Header", "";
    /// The key of a header.
    HEADER_KEY = 45: "key", "string", "";
    /// The value of a header.
    HEADER_VALUE = 46: "value", "bytes", "";
    /// The codec, in the attributes.
    COMPRESSION = 47: "compression", "bits 0-2", "";
    /// The kind of timestamps, in the attributes.
    TIMESTAMP_TYPE = 48: "timestampType", "bit 3", "whether the producer or the broker set the timestamps";
    /// Whether the batch belongs to a transaction, in the attributes.
    IS_TRANSACTIONAL = 49: "isTransactional", "bit 4", "";
    /// Whether the records are control records, in the attributes.
    IS_CONTROL = 50: "isControl", "bit 5", "whether the records are markers that clients do not see";
    /// Whether the base timestamp is a delete horizon, in the attributes.
    HAS_DELETE_HORIZON = 51: "hasDeleteHorizon", "bit 6", "whether baseTimestamp tells when tombstones and markers may go";
    /// Records compressed by a codec that is not known.
    COMPRESSED = 52: "compressed", "", "";
    /// The part of a batch that is there.
    PARTIAL = 53: "partial batch", "", "";
    /// Bytes left of a record.
    RECORD_REST = 54: "rest of the record", "", "";
    /// Bytes left of a batch or message.
    BATCH_REST = 55: "rest of the batch", "", "";
    /// The offset of a message.
    MESSAGE_OFFSET = 56: "offset", "int64", "of a compressed set the offset of its last message";
    /// The size of a message.
    MESSAGE_SIZE = 57: "messageSize", "int32", "number of bytes of the message that follow this field";
    /// The checksum of a message.
    CRC_32 = 58: "crc", "uint32", "CRC-32 from magic to the end of the message";
    /// The attributes of a message.
    MESSAGE_ATTRIBUTES = 59: "attributes", "int8", "";
    /// The timestamp of a message of magic 1.
    MESSAGE_TIMESTAMP = 60: "timestamp", "int64", "";
    /// The key of a control record.
    CONTROL_KEY = 61: "key", "ControlRecordType", "what kind of control record it is";
    /// The version of a control record's key.
    CONTROL_KEY_VERSION = 62: "version", "int16", "";
    /// The type of a control record.
    CONTROL_TYPE = 63: "type", "int16", "";
    /// The value of a record that ends a transaction.
    END_MARKER = 64: "value", "EndTxnMarker", "";
    /// The version of that value.
    END_MARKER_VERSION = 65: "version", "int16", "";
    /// The epoch of the transaction coordinator.
    COORDINATOR_EPOCH = 66: "coordinatorEpoch", "int32", "epoch of the transaction coordinator that ended the transaction";
    /// The length of bytes that have a structure in them.
    VARINT_LENGTH = 67: "length", "varint", "";
    /// Records compressed with gzip.
    GZIP = 68: "compressed", "gzip", "";
    /// Records compressed with snappy.
    SNAPPY = 69: "compressed", "snappy", "";
    /// Records compressed with lz4.
    LZ4 = 70: "compressed", "lz4", "";
    /// Records compressed with zstd.
    ZSTD = 71: "compressed", "zstd", "";
    /// The value of a control record: a new leader of a KRaft quorum.
    LEADER_CHANGE = 72: "value", "LeaderChangeMessage", "first record of a new leader in its epoch";
    /// The value of a control record: the start of a snapshot.
    SNAPSHOT_HEADER = 73: "value", "SnapshotHeaderRecord", "starts a snapshot";
    /// The value of a control record: the end of a snapshot.
    SNAPSHOT_FOOTER = 74: "value", "SnapshotFooterRecord", "ends a snapshot; one without it was cut off";
    /// The value of a control record: the version of KRaft.
    KRAFT_VERSION = 75: "value", "KRaftVersionRecord", "the kraft.version that the quorum speaks from here on";
    /// The value of a control record: the voters of a KRaft quorum.
    VOTERS = 76: "value", "VotersRecord", "all voters of the quorum from here on";
    /// Records that were stepped over.
    SKIPPED_RECORDS = 77: "records", "", "";
    /// The beginning of the framing of snappy-java.
    XERIAL_MAGIC = 78: "magic", "", "the framing of snappy-java";
    /// Its version.
    XERIAL_VERSION = 79: "version", "int32", "";
    /// The oldest version that can read it.
    XERIAL_COMPATIBLE = 80: "compatibleVersion", "int32", "oldest version that can read it";
    /// The length of a chunk.
    XERIAL_LENGTH = 81: "chunkLength", "int32", "";
    /// A chunk.
    XERIAL_CHUNK = 82: "chunk", "", "a snappy block";
    /// The version before a payload.
    PAYLOAD_VERSION = 83: "version", "int16", "";
    /// The type before the key of a record of an internal topic.
    RECORD_TYPE = 84: "type", "int16", "which kind of record it is";
    /// A payload that is not known.
    PAYLOAD_BYTES = 85: "bytes", "", "";
    /// Bytes left of a payload.
    PAYLOAD_REST = 86: "rest of the payload", "", "";
    /// The version of the frame around a metadata record.
    FRAME_VERSION = 87: "frameVersion", "uvarint", "version of the three numbers before the record";
    /// The type of a metadata record.
    METADATA_TYPE = 88: "type", "uvarint", "which kind of record it is";
    /// The version of a metadata record.
    METADATA_VERSION = 89: "version", "uvarint", "";
    /// A SASL token without a header.
    SASL_TOKEN = 90: "SaslToken", "", "";
    /// A SASL token of a mechanism that is not known.
    TOKEN_BYTES = 91: "token", "", "";
    /// The number before a structure that may be null in a tagged field.
    TAGGED_PRESENT = 92: "present", "uvarint", "1 before a struct that is there, 0 alone for null";
}

/// What the values of an item mean.
fn meaning(item: u16) -> Option<&'static Meaning> {
    let name = match item {
        BASE_TIMESTAMP | MAX_TIMESTAMP | MESSAGE_TIMESTAMP => "timestamp",
        COMPRESSION => "compression",
        TIMESTAMP_TYPE => "timestampType",
        CONTROL_TYPE => "controlRecordType",
        IS_TRANSACTIONAL | IS_CONTROL | HAS_DELETE_HORIZON => "yesOrNo",
        _ => return None,
    };
    Meanings::get().named(name)
}

/// The bits that an item is, in attributes; 0 if it is none.
pub(crate) fn mask_of(item: u16) -> u16 {
    match item {
        COMPRESSION => 0b111,
        TIMESTAMP_TYPE => 1 << 3,
        IS_TRANSACTIONAL => 1 << 4,
        IS_CONTROL => 1 << 5,
        HAS_DELETE_HORIZON => 1 << 6,
        _ => 0,
    }
}

/// The value of the bits that an item is, in attributes; 0 if it is none.
pub(crate) fn bits_of(item: u16, attributes: u64) -> u64 {
    let mask = mask_of(item);
    (attributes & u64::from(mask)).checked_shr(mask.trailing_zeros()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_positions() {
        assert_eq!(items()[usize::from(SIZE)].label(), "size int32");
        assert_eq!(&*items()[usize::from(UNKNOWN_MESSAGE)].name, "UnknownMessage");
        assert_eq!(&*items()[usize::from(MESSAGE_TIMESTAMP)].name, "timestamp");
        assert_eq!(items().len(), usize::from(TAGGED_PRESENT) + 1);
    }
}
