//! What is wrong with a message, or worth a remark: which field, where, what was expected and what was found.

use super::node::PlanId;
use crate::schema::Versions;

/// A remark on a place in a message. It holds numbers, never a piece of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What it is.
    pub kind: ProblemKind,
    /// The index of its node in the tree.
    pub node: u32,
    /// The offset from the start of the frame that it is about.
    pub offset: u32,
    /// The plan of the field it is about.
    pub plan: PlanId,
    /// The item of the field in that plan.
    pub item: u16,
    /// The index of the element it is about, where it is an element of an array.
    pub element: Option<u32>,
    /// Whether it lies in a payload: the message is sound all the same.
    pub in_payload: bool,
}

impl Problem {
    /// How grave it is.
    pub fn severity(&self) -> Severity {
        if self.in_payload { Severity::Note } else { self.kind.severity() }
    }
}

/// How grave a problem is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Legal, and worth knowing.
    Note,
    /// Against the protocol. What follows may or may not have been decoded.
    Malformed,
}

/// What ends the bytes that a field may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The end of the frame, as its size field says.
    Frame {
        /// What the size field says.
        size: u32,
    },
    /// The end of what there is of a frame whose size field says more.
    Cut {
        /// What the size field says.
        size: u32,
    },
    /// The end of the input, of a frame without a size field.
    Input,
    /// The end of a tagged field.
    Tag {
        /// The tag.
        tag: u32,
        /// The size that it says it has.
        size: u32,
    },
    /// The end of a record batch, or of a message of the formats before it.
    Batch {
        /// How many bytes it says follow its length.
        length: u32,
    },
    /// The end of a record.
    Record {
        /// How many bytes it says follow its length.
        length: u32,
    },
    /// The end of what was decompressed.
    Decompressed {
        /// How many bytes that are.
        bytes: u64,
    },
    /// The end of a Protocol Buffers message.
    Field {
        /// How many bytes it has.
        length: u64,
    },
    /// The end of the key or value of a record.
    Value {
        /// How many bytes it says follow its length.
        length: u32,
    },
}

/// What a problem is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// A value has more bytes than are left.
    Short {
        /// How many bytes it has at the least.
        wanted: u64,
        /// How many are left.
        found: u64,
        /// What ends them.
        limit: Limit,
    },
    /// A varint has too many bytes or bits.
    LongVarint,
    /// A length says more than there is.
    Length {
        /// The length, in bytes.
        claimed: u64,
        /// How many bytes are left after it.
        found: u64,
        /// What ends them.
        limit: Limit,
    },
    /// A count says more elements than there can be.
    Count {
        /// The count.
        claimed: u64,
        /// The fewest bytes that so many elements have.
        wanted: u64,
        /// How many bytes are left after it.
        found: u64,
        /// What ends them.
        limit: Limit,
    },
    /// A length or count is below -1.
    NegativeLength {
        /// The length.
        value: i64,
    },
    /// Null, where this version does not allow it.
    NullNotAllowed {
        /// The version of the message.
        version: i16,
    },
    /// The byte before a structure that may be null is neither -1 nor 1.
    Presence {
        /// The byte.
        value: i8,
    },
    /// The byte of a bool is neither 0 nor 1.
    BoolByte {
        /// The byte.
        value: u8,
    },
    /// A tag is not greater than the one before it.
    TagOrder {
        /// The tag.
        tag: u32,
        /// The one before it.
        before: u32,
    },
    /// A tag that the definition has, but not in this version.
    ForeignTag {
        /// The tag.
        tag: u32,
        /// The versions that have it.
        versions: Versions,
        /// The version of the message.
        version: i16,
    },
    /// A tagged field has bytes left after its value.
    TagRest {
        /// The tag.
        tag: u32,
        /// How many.
        bytes: u64,
    },
    /// A size field that no frame can have.
    BadSize {
        /// What it says.
        size: i32,
        /// The fewest bytes that a header has.
        least: u32,
        /// What the bytes look like instead, in words.
        instead: Option<&'static str>,
    },
    /// The size field says more than there is, and all that there is could be decoded.
    Cut {
        /// What the size field says.
        size: u32,
        /// How many bytes follow it.
        found: u64,
    },
    /// Bytes after the body.
    Trailing {
        /// How many.
        bytes: u64,
    },
    /// Bytes after the body that some client is known to send.
    Padding {
        /// How many.
        bytes: u64,
        /// Who does it.
        reason: &'static str,
    },
    /// A frame that reads as no request and fits no response.
    Unrecognised,
    /// An API key without a definition.
    UnknownApi {
        /// The key.
        key: i16,
    },
    /// A version without a definition.
    UnknownVersion {
        /// The API.
        api: String,
        /// The version.
        version: i16,
        /// The versions that are known.
        known: Versions,
    },
    /// A response that comes in another version than its request.
    Downgraded {
        /// The version that was asked for.
        asked: i16,
        /// The version that it is in.
        got: i16,
        /// Why.
        reason: &'static str,
    },
    /// A request that gets no response.
    Unanswered {
        /// Why.
        reason: &'static str,
    },
    /// Records that may begin anywhere in a batch, and are shown as they are.
    Unaligned {
        /// Why they may.
        reason: &'static str,
    },
    /// A checksum is not that of the bytes.
    Checksum {
        /// What stands there.
        stored: u32,
        /// What it should be.
        computed: u32,
    },
    /// A checksum of bytes that are not all there.
    Unchecked,
    /// The records field ends within a batch.
    PartialBatch {
        /// How many bytes the batch says it has, with offset and length; `None` if not even its length is there.
        claimed: Option<u64>,
        /// How many are there.
        found: u64,
        /// Whether that is usual: a broker fills a response up to the limit that was asked for.
        usual: bool,
    },
    /// A length that no batch or message can have.
    BatchLength {
        /// What it says.
        length: i32,
        /// The fewest bytes that the smallest one has.
        least: u32,
    },
    /// A format that is not known.
    Magic {
        /// What it says.
        magic: i8,
    },
    /// A codec that is not known.
    Codec {
        /// What it says.
        codec: u8,
    },
    /// More would come out of compressed bytes than may.
    TooLarge {
        /// The codec.
        codec: &'static str,
        /// How many bytes are compressed.
        compressed: u64,
        /// How many may come out.
        limit: u64,
    },
    /// Compressed bytes need something that this program does not have.
    Unsupported {
        /// The codec.
        codec: &'static str,
        /// What that is.
        what: &'static str,
    },
    /// Compressed bytes are not what their codec makes.
    Corrupt {
        /// The codec.
        codec: &'static str,
        /// What is wrong, in words.
        what: &'static str,
    },
    /// Compressed bytes end too early.
    CompressedEnds {
        /// The codec.
        codec: &'static str,
    },
    /// The header of an LZ4 frame has another checksum than it should.
    Lz4HeaderChecksum {
        /// What stands there.
        stored: u8,
        /// What it should be.
        computed: u8,
        /// Whether it is what Kafka's clients before 0.10 wrote.
        old: bool,
    },
    /// A checksum within an LZ4 frame is not that of the bytes.
    Lz4Checksum {
        /// What it is of: block or content.
        what: &'static str,
        /// What stands there.
        stored: u32,
        /// What it should be.
        computed: u32,
    },
    /// The versions in the framing of snappy-java are not the usual ones.
    XerialVersion,
    /// A message in a compressed set has another format than the message that the set is in.
    MixedMagic {
        /// The format of the message around it.
        outer: i8,
        /// Its own.
        inner: i8,
    },
    /// A message in a compressed set is compressed itself.
    NestedCompression,
    /// A batch has fewer records than its count says, or the count is negative.
    RecordCount {
        /// What it says.
        claimed: i32,
        /// How many there are.
        found: u32,
    },
    /// The last offset of a batch lies before that of a record in it.
    LastOffset {
        /// lastOffsetDelta.
        claimed: i32,
        /// The offsetDelta of the record.
        found: i32,
    },
    /// A number of headers below 0.
    HeaderCount {
        /// The number.
        value: i32,
    },
    /// Bytes are left of a record, batch or message after its last field.
    Rest {
        /// How many.
        bytes: u64,
    },
    /// A payload of a version, or a record of a type, that is not known.
    UnknownPayload {
        /// What it says.
        version: i32,
        /// Those that are known.
        known: Versions,
    },
    /// A metadata record of a type or version that is not known.
    UnknownRecord,
    /// A field of a Protocol Buffers message cannot be read.
    Protobuf {
        /// What is right, in words.
        what: &'static str,
    },
    /// A field of a Protocol Buffers message is spelled as its type never is.
    WireType {
        /// How it is spelled.
        wire: &'static str,
    },
    /// Messages within messages go on for longer than is shown.
    TooDeep {
        /// How many levels are shown.
        levels: u32,
    },
    /// A header version that is an exception.
    HeaderException {
        /// The header's version.
        version: i16,
        /// Why.
        reason: &'static str,
    },
}

impl ProblemKind {
    /// Whether it is about how far records are shown, and says nothing about the message.
    pub fn is_about_records(&self) -> bool {
        use ProblemKind::*;
        matches!(
            self,
            TooLarge { .. }
                | Unsupported { .. }
                | Unchecked
                | Unaligned { .. }
                | PartialBatch { usual: true, .. }
        )
    }

    /// How grave it is.
    pub fn severity(&self) -> Severity {
        use ProblemKind::*;
        match self {
            TagOrder { .. }
            | BoolByte { .. }
            | Padding { .. }
            | Downgraded { .. }
            | Unanswered { .. }
            | TooLarge { .. }
            | Unsupported { .. }
            | Lz4HeaderChecksum { old: true, .. }
            | XerialVersion
            | MixedMagic { .. }
            | UnknownPayload { .. }
            | UnknownRecord
            | Unchecked
            | Unaligned { .. }
            | LastOffset { .. }
            | WireType { .. }
            | TooDeep { .. }
            | PartialBatch { usual: true, .. }
            | HeaderException { .. } => Severity::Note,
            _ => Severity::Malformed,
        }
    }
}
