//! A node: one line of the object tree, in 32 bytes and without anything of its own on the heap.

/// What a node is: where it lies, what it is an instance of, and its value.
///
/// Nodes stand in the order of their bytes, each before its children; [`Node::end`] says where its subtree ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// The value, as [`Kind`] says for each kind.
    pub value: u64,
    /// The offset of its first byte from the start of the frame.
    pub start: u32,
    /// How many bytes it covers, children included.
    pub len: u32,
    /// The index of the first node after its subtree.
    pub end: u32,
    /// The plan that its item belongs to: 0 for [`super::builtin`], else one more than the index in the tree's plans.
    pub plan: u16,
    /// Its item in that plan.
    pub item: u16,
    /// What kind of node it is.
    pub kind: Kind,
    /// Details of its spelling.
    pub flags: Flags,
}

// Eight bytes for the value, three times four, twice two, twice one, and padding.
const _: () = assert!(size_of::<Node>() == 32);

/// What kind of node a node is. The comments say what [`Node::value`] holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The whole message: its version.
    Message,
    /// The size field.
    Frame,
    /// The header: its version.
    Header,
    /// The message's fields: its version.
    Body,
    /// A structure: its index, where it is an element of an array.
    Struct,
    /// A structure that is not there, told by one byte.
    NullStruct,
    /// An array: how many elements it says it has.
    Array,
    /// An array that is not there.
    NullArray,
    /// Record batches: how many bytes.
    Records,
    /// Record batches that are not there.
    NullRecords,
    /// The tagged fields of a structure: how many.
    TaggedFields,
    /// A tagged field: its tag.
    Tag,
    /// A tagged field that the definition does not know: its tag.
    UnknownTag,

    /// A bool: the byte.
    Bool,
    /// A signed integer of any width, sign-extended.
    Int,
    /// An unsigned integer of any width.
    Uint,
    /// An unsigned varint.
    Uvarint,
    /// A float64: its bits.
    Float,
    /// Sixteen bytes, which lie in the input.
    Uuid,
    /// A string: how many bytes of text end the node.
    String,
    /// A string that is not there.
    NullString,
    /// Bytes: how many of them end the node.
    Bytes,
    /// Bytes that are not there.
    NullBytes,
    /// The length before an array or records, as it stands there.
    Length,
    /// Bytes with nothing more to be said about them.
    Raw,
    /// No bytes, but something to be said at this place: the index of a problem.
    Problem,
}

impl Kind {
    /// Whether nodes of this kind may have children.
    pub fn is_container(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Message
                | Frame
                | Header
                | Body
                | Struct
                | Array
                | NullArray
                | Records
                | NullRecords
                | TaggedFields
                | Tag
                | UnknownTag
        )
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
    /// The offset after its last byte.
    pub fn stop(&self) -> u32 {
        self.start + self.len
    }

    /// Where the text of a string or the content of bytes lies: the last [`Node::value`] bytes.
    pub fn content(&self) -> std::ops::Range<usize> {
        let stop = self.stop() as usize;
        stop - self.value as usize..stop
    }
}
