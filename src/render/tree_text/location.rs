//! Where a node lies, as text: `[0x0004, 4B]`, or `[lz4+0x0004, 4B]` in what was decompressed.

use std::ops::Range;

use crate::render::text::{decimal, hex};
use crate::render::theme::{Role, Theme};
use crate::tree::{BUFFERS_FROM, Node, Tree};

/// Appends where a node lies.
#[inline]
pub fn location(line: &mut Vec<u8>, tree: &Tree, node: &Node, theme: &Theme) {
    Space::at(tree, node.start()).location(line, node, theme);
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
    /// How it was compressed; empty for the frame.
    codec: &'static str,
    /// What is added to an offset as nodes have it to get the one that people see; wraps around.
    shift: u64,
}

impl Space {
    /// The space that an offset lies in.
    pub fn at(tree: &Tree, offset: u32) -> Space {
        match tree.buffer_at(offset) {
            None => Space { offsets: 0..BUFFERS_FROM, codec: "", shift: tree.origin },
            Some(buffer) => Space {
                // One without bytes has a place of its own too.
                offsets: buffer.start..buffer.start + buffer.len.max(1),
                codec: buffer.codec,
                shift: 0u64.wrapping_sub(buffer.start.into()),
            },
        }
    }

    /// Whether an offset lies in it.
    #[inline]
    pub fn contains(&self, offset: u32) -> bool {
        self.offsets.contains(&offset)
    }

    /// Appends where a node lies that begins in it.
    #[inline]
    pub fn location(&self, line: &mut Vec<u8>, node: &Node, theme: &Theme) {
        theme.begin(line, Role::Location);
        line.push(b'[');
        self.offset(line, node.start());
        line.extend_from_slice(b", ");
        decimal(line, node.len());
        line.extend_from_slice(b"B]");
        theme.end(line, Role::Location);
    }

    #[inline]
    fn offset(&self, line: &mut Vec<u8>, offset: u32) {
        if !self.codec.is_empty() {
            line.extend_from_slice(self.codec.as_bytes());
            line.push(b'+');
        }
        line.extend_from_slice(b"0x");
        hex(line, self.shift.wrapping_add(offset.into()), 4);
    }
}
