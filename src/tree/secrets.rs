//! Where the bytes lie that nobody but their owner should see.

use std::ops::Range;

use super::{Data, Flags, Node, Tree};

impl Node {
    /// Whether its value is secret.
    pub fn is_secret(&self) -> bool {
        self.flags().has(Flags::SECRET)
    }

    /// The bytes of a secret: all but the length before it.
    pub fn secret_content<'d>(&self, data: impl Into<Data<'d>>) -> Range<usize> {
        match self.kind() {
            super::Kind::String | super::Kind::Bytes | super::Kind::VarintBytes => self.content(data),
            _ => self.start() as usize..self.stop() as usize,
        }
    }
}

impl Tree {
    /// Whether the node at `index` or one below it is a secret.
    pub fn holds_secret(&self, index: usize) -> bool {
        self.nodes[index..self.end(index)].iter().any(Node::is_secret)
    }

    /// The parts of the frame that are secret, in the order of the bytes. Compressed bytes are secret as a whole if something in them is.
    pub fn secret_ranges(&self, frame: &[u8]) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for node in self.nodes.iter().filter(|node| node.is_secret()) {
            let mut range = node.secret_content(self.data(frame));
            while let Some(buffer) = self.buffer_at(range.start as u32) {
                let compressed = &self.nodes[buffer.node as usize];
                range = compressed.start() as usize..compressed.stop() as usize;
            }
            if ranges.last() != Some(&range) && !range.is_empty() {
                ranges.push(range);
            }
        }
        ranges
    }
}
