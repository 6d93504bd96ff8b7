//! What a walk hands its findings to. The tree is one receiver; a receiver that needs less pays less.

use crate::tree::{Flags, Kind, Node, Problem, Tree};

/// A leaf, as the walk found it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// What kind it is.
    pub kind: Kind,
    /// Details of its spelling.
    pub flags: Flags,
    /// Its item.
    pub item: u16,
    /// The offset of its first byte.
    pub start: u32,
    /// How many bytes it has.
    pub len: u32,
    /// Its value, as in [`Node::value`].
    pub value: u64,
}

/// A node with children, before they are known.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// What kind it is.
    pub kind: Kind,
    /// Details of its spelling.
    pub flags: Flags,
    /// Its item.
    pub item: u16,
    /// The offset of its first byte.
    pub start: u32,
    /// Its value, as in [`Node::value`].
    pub value: u64,
}

/// Receives what a walk finds, in the order of the bytes.
///
/// `plan` is what [`Node::plan`] is to be. Each opening is closed, the innermost first.
pub trait Sink {
    /// A node with children begins. The result is handed back when it ends.
    fn open(&mut self, plan: u16, opening: Opening) -> usize;
    /// A node with children ends before the offset `stop`.
    fn close(&mut self, mark: usize, stop: u32);
    /// A leaf.
    fn leaf(&mut self, plan: u16, leaf: Leaf);
    /// Something to be said about this place.
    fn problem(&mut self, problem: Problem);
}

impl Sink for Tree {
    #[inline]
    fn open(&mut self, plan: u16, opening: Opening) -> usize {
        let Opening { kind, flags, item, start, value } = opening;
        self.nodes.push(Node { value, start, len: 0, end: 0, plan, item, kind, flags });
        self.nodes.len() - 1
    }

    #[inline]
    fn close(&mut self, mark: usize, stop: u32) {
        let end = self.nodes.len() as u32;
        let node = &mut self.nodes[mark];
        node.len = stop - node.start;
        node.end = end;
    }

    #[inline]
    fn leaf(&mut self, plan: u16, leaf: Leaf) {
        let Leaf { kind, flags, item, start, len, value } = leaf;
        let end = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { value, start, len, end, plan, item, kind, flags });
    }

    fn problem(&mut self, problem: Problem) {
        let end = self.nodes.len() as u32 + 1;
        self.nodes.push(Node {
            value: self.problems.len() as u64,
            start: problem.offset,
            len: 0,
            end,
            plan: problem.plan,
            item: problem.item,
            kind: Kind::Problem,
            flags: Flags::NONE,
        });
        self.problems.push(problem);
    }
}
