//! The shape of a structure: the bytes that decide how it is read. Elements of an array often have the same, all but for their
//! values; the nodes of one are then those of the one before it, further on.

use crate::tree::{Flags, Kind, Node, PlanId, builtin};

/// The bytes of a structure that decide how it is read, with their places in it: lengths, counts, and what tells null from not.
#[derive(Default)]
pub struct Shape {
    places: Vec<(u32, u8)>,
    size: usize,
}

impl Shape {
    /// A structure may have so many such bytes; more are not worth comparing.
    const MOST_PLACES: usize = 64;

    /// Takes the shape of a structure from its nodes and the bytes that they lie in, which begin at offset `base`. Returns whether it
    /// has one: one with tagged fields or records has none.
    pub fn take(&mut self, nodes: &[Node], bytes: &[u8], base: usize) -> bool {
        self.places.clear();
        self.size = bytes.len();
        for node in nodes {
            let start = node.start() as usize - base;
            let len = node.len() as usize;
            let decisive = match node.kind() {
                Kind::Header
                | Kind::Body
                | Kind::Struct
                | Kind::Array
                | Kind::NullArray
                | Kind::Uint
                | Kind::Float
                | Kind::Uuid => 0,
                Kind::Int if !is_presence(node) => 0,
                Kind::String | Kind::Bytes if node.flags().has(Flags::COMPACT) => {
                    // A length of more than one byte ends at the first without the continuation bit.
                    bytes[start..].iter().position(|byte| *byte < 0x80).map_or(len, |last| last + 1)
                }
                Kind::String => 2,
                Kind::Bytes => 4,
                Kind::TaggedFields if node.span() == 1 => len,
                Kind::Int
                | Kind::Bool
                | Kind::NullStruct
                | Kind::NullString
                | Kind::NullBytes
                | Kind::Length => len,
                _ => return false,
            };
            let places = (start..start + decisive).map(|place| (place as u32, bytes[place]));
            self.places.extend(places);
            if self.places.len() > Shape::MOST_PLACES {
                return false;
            }
        }
        true
    }

    /// How many bytes a structure of this shape has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether `bytes` begin with a structure of this shape.
    #[inline]
    pub fn fits(&self, bytes: &[u8]) -> bool {
        bytes.len() >= self.size && self.places.iter().all(|(place, byte)| bytes[*place as usize] == *byte)
    }
}

/// Whether a node is the byte before a structure that may be null.
fn is_presence(node: &Node) -> bool {
    node.plan() == PlanId::BUILTIN && node.item() == builtin::PRESENT
}
