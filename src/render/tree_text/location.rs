//! Where a node lies, as text: `[0x0004, 4B]`, or `[lz4+0x0004, 4B]` in what was decompressed.

use std::ops::Range;

use crate::render::text::{MOST_DIGITS, compose, decimal, hex, hex_digits, put, put_decimal};
use crate::render::theme::{Role, Theme};
use crate::tree::{BUFFERS_FROM, Node, Tree};

/// Appends where a node lies.
pub fn location(line: &mut Vec<u8>, tree: &Tree, node: &Node, theme: &Theme) {
    Space::at(tree, node.start()).location(line, *node, theme);
}

/// Appends an offset: `0x0004`, or `lz4+0x0004` in what was decompressed.
pub fn offset(line: &mut Vec<u8>, tree: &Tree, offset: u32) {
    Space::at(tree, offset).offset(line, offset);
}

/// One of the spaces that offsets of a tree lie in: the frame, or what came out of some compressed bytes. Nodes that follow each
/// other mostly lie in the same one, so that it need not be looked up for each.
#[derive(Clone, Debug)]
pub struct Space {
    /// The offsets that lie in it, as nodes have them.
    offsets: Range<u32>,
    /// What is added to an offset as nodes have it to get the one that people see; wraps around.
    shift: u64,
    /// What stands before the digits of an offset: `[0x` or `[lz4+0x`, and how many bytes that are.
    mark: ([u8; MARK], usize),
}

/// No name of a codec is so long that its mark would be longer.
const MARK: usize = 16;
/// The location of a near node is never longer.
pub const LONGEST: usize = MARK + 8 + MOST_DIGITS;

impl Space {
    /// The space that an offset lies in.
    pub fn at(tree: &Tree, offset: u32) -> Space {
        let (offsets, shift, codec) = match tree.buffer_at(offset) {
            None => (0..BUFFERS_FROM, tree.origin, ""),
            // One without bytes has a place of its own too.
            Some(buffer) => (
                buffer.start..buffer.start + buffer.len.max(1),
                0u64.wrapping_sub(buffer.start.into()),
                buffer.codec,
            ),
        };
        let (plus, mut mark, mut len) = (if codec.is_empty() { "" } else { "+" }, [0; MARK], 0);
        for (place, byte) in mark.iter_mut().zip(["[", codec, plus, "0x"].concat().bytes()) {
            *place = byte;
            len += 1;
        }
        Space { offsets, shift, mark: (mark, len) }
    }

    /// Whether an offset lies in it.
    #[inline]
    pub fn contains(&self, offset: u32) -> bool {
        self.offsets.contains(&offset)
    }

    /// Appends where a node lies that begins in it.
    #[inline]
    pub fn location(&self, line: &mut Vec<u8>, node: Node, theme: &Theme) {
        if !theme.is_coloured() && self.is_near(node) {
            return compose(line, |text: &mut [u8; LONGEST]| self.put(text, 0, node));
        }
        theme.begin(line, Role::Location);
        line.push(b'[');
        self.offset(line, node.start());
        line.extend_from_slice(b", ");
        decimal(line, node.len());
        line.extend_from_slice(b"B]");
        theme.end(line, Role::Location);
    }

    /// Whether four digits are enough for the offset of a node.
    #[inline]
    pub fn is_near(&self, node: Node) -> bool {
        self.shift.wrapping_add(node.start().into()) <= u16::MAX.into()
    }

    /// Puts where a [near](Space::is_near) node lies at a place of a piece of text. Returns the place after it.
    #[inline]
    pub fn put<const N: usize>(&self, text: &mut [u8; N], at: usize, node: Node) -> usize {
        let [a, b, c, d] = hex_digits(self.shift.wrapping_add(node.start().into()) as u16);
        put(text, at, self.mark.0);
        let at = put(text, at + self.mark.1, [a, b, c, d, b',', b' ', 0, 0]) - 2;
        let at = put_decimal(text, at, node.len().into());
        put(text, at, *b"B]")
    }

    #[inline]
    fn offset(&self, line: &mut Vec<u8>, offset: u32) {
        line.extend_from_slice(&self.mark.0["[".len()..self.mark.1]);
        hex(line, self.shift.wrapping_add(offset.into()), 4);
    }
}
