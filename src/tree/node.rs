//! A node: one line of the object tree, in 16 bytes and without anything of its own on the heap.

use super::builtin;
use super::data::{BUFFERS_FROM, Data};
use crate::wire::primitive;

/// What a node is and where it lies. Its value lies in the input, and [`Node`]'s methods read it there.
///
/// Nodes stand in the order of their bytes, each before its children; [`Node::span`] says where its subtree ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Start and length; the start in the lower half.
    place: u64,
    /// Span and what it is; the span in the lower half. Two words, so that a node is copied to another place by two additions.
    rest: u64,
}

// Decoding is bound by how fast nodes can be written.
const _: () = assert!(size_of::<Node>() == 16);

/// Which field a node is, and of what kind, in 32 bits: item (14), kind (6), flags (4), plan (8), from the lowest on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct What(u32);

const KIND_AT: u32 = 14;
const FLAGS_AT: u32 = 20;
const PLAN_AT: u32 = 24;
/// So many items can be told apart.
pub const MOST_ITEMS: usize = 1 << KIND_AT;

impl What {
    /// Item `item` of the builtin items, until [`What::in_plan`] says otherwise.
    pub const fn new(kind: Kind, flags: Flags, item: u16) -> What {
        What((kind as u32) << KIND_AT | (flags.0 as u32) << FLAGS_AT | item as u32)
    }

    /// The same item as a node of another kind.
    #[inline]
    pub const fn of_kind(self, kind: Kind) -> What {
        What(self.0 & !(0x3f << KIND_AT) | (kind as u32) << KIND_AT)
    }

    /// The same item of another plan; `self` must be of the builtin one.
    #[inline]
    pub const fn in_plan(self, plan: PlanId) -> What {
        What(self.0 | plan.0 << PLAN_AT)
    }
}

/// Which of a tree's plans an item belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlanId(
    // As wide as what it is put into: a byte would be stored and loaded in different widths, which stalls.
    pub(super) u32,
);

impl PlanId {
    /// The items that no definition describes, [`super::builtin`].
    pub const BUILTIN: PlanId = PlanId(0);
    /// The first of the others.
    pub const FIRST: PlanId = PlanId(1);

    /// The one with a number, from 1 on.
    pub(crate) fn numbered(number: u8) -> PlanId {
        PlanId(number.into())
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What kind of node a node is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// As many as six bits can tell, so that no number needs a check; those after the last stand for nothing.
            const ALL: [Kind; 64] = {
                let known = [$(Kind::$name),*];
                let (mut all, mut index) = ([Kind::Problem; 64], 0);
                while index < known.len() {
                    all[index] = known[index];
                    index += 1;
                }
                all
            };
        }
    };
}

kinds! {
    /// The whole message.
    Message,
    /// The size field.
    Frame,
    /// The header.
    Header,
    /// The message's fields.
    Body,
    /// A structure.
    Struct,
    /// A structure that is not there, told by one byte.
    NullStruct,
    /// An array. Its first child is its length.
    Array,
    /// An array that is not there. Its child is its length.
    NullArray,
    /// Record batches. Its first child is its length.
    Records,
    /// Record batches that are not there. Its child is its length.
    NullRecords,
    /// Bytes that have something in them which was decoded. Its first child is its length.
    Payload,
    /// A record batch, or a message of the formats before it.
    Batch,
    /// A record.
    Record,
    /// The tagged fields of a structure. It starts with their number.
    TaggedFields,
    /// A tagged field. It starts with its tag.
    Tag,
    /// A tagged field that the definition does not know. It starts with its tag.
    UnknownTag,

    /// A bool.
    Bool,
    /// A signed integer of as many bytes as the node has.
    Int,
    /// An unsigned integer of as many bytes as the node has.
    Uint,
    /// An unsigned varint.
    Uvarint,
    /// A zigzag varint or varlong.
    Varint,
    /// Some bits of the integer that it is a child of; it looks at the same bytes.
    Bits,
    /// A float64.
    Float,
    /// Sixteen bytes.
    Uuid,
    /// A string, after its length.
    String,
    /// A string that is not there.
    NullString,
    /// Bytes, after their length.
    Bytes,
    /// Bytes that are not there.
    NullBytes,
    /// Bytes after a zigzag varint with their length.
    VarintBytes,
    /// Bytes that are not there, after a zigzag varint of -1.
    NullVarintBytes,
    /// The length before an array or records.
    Length,
    /// Text without a length before it.
    Text,
    /// A signed integer, its lowest byte first.
    LittleInt,
    /// An unsigned integer, its lowest byte first.
    LittleUint,
    /// A float64, its lowest byte first.
    LittleFloat,
    /// A field of a Protocol Buffers message: its tag, its length if it has one, and its value.
    Protobuf,
    /// The tag and the length before a message or an array in a Protocol Buffers message.
    ProtobufTag,
    /// Bytes with nothing more to be said about them.
    Raw,
    /// No bytes, but something to be said at this place.
    Problem,
}

impl Kind {
    /// Whether nodes of this kind may have children.
    pub fn is_container(self) -> bool {
        (self as u8) < Kind::Bool as u8
    }

    /// Whether nodes of this kind have bytes of their own. The others say something about bytes that are another's.
    pub fn covers_bytes(self) -> bool {
        !matches!(self, Kind::Problem | Kind::Bits)
    }
}

/// Details of how a node is spelled.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Flags(u8);

impl Flags {
    /// None.
    pub const NONE: Flags = Flags(0);
    /// Its length is a uvarint, one more than it says.
    pub const COMPACT: Flags = Flags(1);
    /// It is an element of an array.
    pub const ELEMENT: Flags = Flags(2);
    /// It belongs to the header.
    pub const HEADER: Flags = Flags(4);
    /// Nobody but its owner should see its value.
    pub const SECRET: Flags = Flags(8);

    /// Both.
    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// `self` if `wanted`, else none.
    pub const fn only_if(self, wanted: bool) -> Flags {
        if wanted { self } else { Flags::NONE }
    }

    /// Whether all of `other` are set.
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }
}

impl Node {
    /// A node that starts at an offset, covers `len` bytes, and has a subtree of `span` nodes, itself included.
    #[inline]
    pub const fn new(start: usize, len: usize, span: usize, what: What) -> Node {
        Node {
            place: start as u32 as u64 | (len as u64) << 32,
            rest: span as u32 as u64 | (what.0 as u64) << 32,
        }
    }

    /// The same node further on and in another plan; it must be of the builtin one.
    #[inline]
    pub(crate) const fn moved(self, by: usize, plan: PlanId) -> Node {
        Node { place: self.place + by as u64, rest: self.rest + ((plan.0 as u64) << (32 + PLAN_AT)) }
    }

    /// The same node with all of its subtree known.
    #[inline]
    pub(crate) const fn closed(self, stop: usize, span: usize) -> Node {
        let start = self.start();
        Node::new(start as usize, stop - start as usize, span, self.what())
    }

    /// The offset of its first byte from the start of the frame; from [`BUFFERS_FROM`] on, of a place in what was decompressed.
    #[inline]
    pub const fn start(&self) -> u32 {
        self.place as u32
    }

    /// How many bytes it covers, children included.
    #[inline]
    pub const fn len(&self) -> u32 {
        (self.place >> 32) as u32
    }

    /// Whether it covers no byte.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many nodes its subtree has, itself included.
    #[inline]
    pub const fn span(&self) -> u32 {
        self.rest as u32
    }

    /// Which field it is, and of what kind.
    #[inline]
    pub const fn what(&self) -> What {
        What((self.rest >> 32) as u32)
    }

    /// What kind of node it is.
    #[inline]
    pub fn kind(&self) -> Kind {
        Kind::ALL[(self.what().0 >> KIND_AT & 0x3f) as usize]
    }

    /// Details of its spelling.
    #[inline]
    pub fn flags(&self) -> Flags {
        Flags((self.what().0 >> FLAGS_AT & 15) as u8)
    }

    /// The plan that its item belongs to.
    #[inline]
    pub fn plan(&self) -> PlanId {
        PlanId(self.what().0 >> PLAN_AT)
    }

    /// Its item in that plan.
    #[inline]
    pub fn item(&self) -> u16 {
        (self.what().0 & (MOST_ITEMS as u32 - 1)) as u16
    }

    /// Whether it is this one of the builtin items.
    pub fn is_builtin(&self, item: u16) -> bool {
        self.plan() == PlanId::BUILTIN && self.item() == item
    }

    /// Whether it says that a structure which may be null is there.
    pub fn is_presence(&self) -> bool {
        self.is_builtin(builtin::PRESENT) || self.is_builtin(builtin::TAGGED_PRESENT)
    }

    /// The offset after its last byte.
    #[inline]
    pub fn stop(&self) -> u32 {
        self.start() + self.len()
    }

    /// Whether it lies in the frame itself, and not in what was decompressed.
    #[inline]
    pub fn is_in_frame(&self) -> bool {
        self.start() < BUFFERS_FROM
    }

    /// Its bytes.
    #[inline]
    pub fn bytes<'d>(&self, data: impl Into<Data<'d>>) -> &'d [u8] {
        data.into().slice(self.start() as usize..self.stop() as usize)
    }

    /// The value of an integer or a bool.
    #[inline(always)]
    pub fn int<'d>(&self, data: impl Into<Data<'d>>) -> i64 {
        let bytes = self.bytes(data);
        // Most numbers have one byte, and are read without much ado.
        match (bytes, self.kind()) {
            ([byte], Kind::Int) => i64::from(*byte as i8),
            ([byte @ ..0x80], Kind::Varint) => primitive::zigzag((*byte).into()),
            _ => self.int_of(bytes),
        }
    }

    /// The value of an integer or a bool that has these bytes, but for a signed byte.
    fn int_of(&self, bytes: &[u8]) -> i64 {
        let signed = match self.kind() {
            Kind::Varint => return primitive::varlong(bytes).map_or(0, |(_, value)| value),
            Kind::Bits => return self.bits(bytes),
            Kind::LittleInt | Kind::LittleUint => return self.little(bytes),
            kind => kind == Kind::Int,
        };
        match bytes.len() {
            1 => bytes[0].into(),
            2 if signed => primitive::int16(bytes).map_or(0, |(_, value)| value.into()),
            2 => primitive::uint16(bytes).map_or(0, |(_, value)| value.into()),
            4 if signed => primitive::int32(bytes).map_or(0, |(_, value)| value.into()),
            4 => primitive::uint32(bytes).map_or(0, |(_, value)| value.into()),
            8 => primitive::int64(bytes).map_or(0, |(_, value)| value),
            _ => 0,
        }
    }

    /// The value of its bits in the integer of these bytes.
    fn bits(&self, bytes: &[u8]) -> i64 {
        let whole = bytes.iter().fold(0u64, |whole, byte| whole << 8 | u64::from(*byte));
        builtin::bits_of(self.item(), whole) as i64
    }

    /// The value of an integer whose lowest byte comes first.
    fn little(&self, bytes: &[u8]) -> i64 {
        let unused = 64 - 8 * bytes.len().clamp(1, 8) as u32;
        let whole = bytes.iter().rev().fold(0u64, |whole, byte| whole << 8 | u64::from(*byte));
        match self.kind() {
            Kind::LittleInt => ((whole << unused) as i64) >> unused,
            _ => whole as i64,
        }
    }

    /// The value of a float64.
    pub fn float<'d>(&self, data: impl Into<Data<'d>>) -> f64 {
        let bytes = self.bytes(data);
        if self.kind() == Kind::LittleFloat {
            return bytes.try_into().map_or(0.0, f64::from_le_bytes);
        }
        primitive::float64(bytes).map_or(0.0, |(_, value)| value)
    }

    /// The unsigned varint that it starts with: the value of a uvarint, how many tagged fields, which tag.
    #[inline]
    pub fn uvarint<'d>(&self, data: impl Into<Data<'d>>) -> u32 {
        primitive::uvarint(self.bytes(data)).map_or(0, |(_, value)| value)
    }

    /// What a length says as it stands there.
    #[inline]
    pub fn raw_length<'d>(&self, data: impl Into<Data<'d>>) -> i64 {
        if self.flags().has(Flags::COMPACT) || self.kind() == Kind::Uvarint {
            self.uvarint(data).into()
        } else if self.kind() == Kind::Varint {
            self.int(data)
        } else {
            primitive::int32(self.bytes(data)).map_or(0, |(_, value)| value.into())
        }
    }

    /// Where the text of a string or the content of bytes lies: after the length.
    #[inline]
    pub fn content<'d>(&self, data: impl Into<Data<'d>>) -> std::ops::Range<usize> {
        let bytes = self.bytes(data);
        let prefix = match self.kind() {
            _ if self.flags().has(Flags::COMPACT) => {
                primitive::uvarint(bytes).map_or(0, |(rest, _)| bytes.len() - rest.len())
            }
            Kind::String => 2,
            Kind::VarintBytes => primitive::varint(bytes).map_or(0, |(rest, _)| bytes.len() - rest.len()),
            _ => 4,
        };
        self.start() as usize + prefix..self.stop() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_fit_their_bits() {
        for kind in Kind::ALL {
            let flags = Flags::COMPACT.with(Flags::HEADER).with(Flags::SECRET);
            let what = What::new(kind, flags, 0x3edc).in_plan(PlanId(0xab));
            let node = Node::new(7, 9, 1, what);
            assert_eq!(
                (node.kind(), node.flags(), node.item(), node.plan()),
                (kind, flags, 0x3edc, PlanId(0xab))
            );
            assert_eq!((node.start(), node.len(), node.span(), node.stop()), (7, 9, 1, 16));
        }
    }

    #[test]
    fn values_are_read_from_the_input() {
        let data = [0xff, 0xfe, 0xfd, 0xfc, 0x03, b'a', b'b'];
        let node = |kind, flags, start, len| Node::new(start, len, 1, What::new(kind, flags, 0));
        assert_eq!(node(Kind::Int, Flags::NONE, 0, 2).int(&data), -2);
        assert_eq!(node(Kind::Uint, Flags::NONE, 0, 2).int(&data), 0xfffe);
        assert_eq!(node(Kind::Int, Flags::NONE, 0, 4).int(&data), -0x0001_0204);
        assert_eq!(node(Kind::String, Flags::COMPACT, 4, 3).content(&data), 5..7);
        assert_eq!(node(Kind::Length, Flags::NONE, 0, 4).raw_length(&data), -0x0001_0204);
        assert_eq!(node(Kind::Length, Flags::COMPACT, 4, 1).raw_length(&data), 3);
    }
}
