//! Elements of an array that are alike, as the records of a batch mostly are: what their lines have in common is kept from the first of
//! them, and for the others only values and locations are written between.

use super::TreeWriter;
use super::location::LONGEST;
use crate::render::text::{MOST_DIGITS, compose, decimal, put, put_decimal};
use crate::render::{Docs, Options, Theme};
use crate::tree::{Flags, Kind, Node, What, builtin};

/// Elements of more nodes have no pattern.
const MOST_NODES: usize = 64;
/// So many patterns are kept at each depth of the tree.
const MOST_PATTERNS: usize = 4;

/// What elements that are alike have in common.
#[derive(Default)]
pub struct Pattern {
    /// The fields of their nodes, and how many nodes each subtree has.
    shape: Vec<(What, u32)>,
    /// All text that they have in common.
    text: Vec<u8>,
    /// The gaps in it, in order, each with the number of bytes before it.
    gaps: Vec<(usize, Gap)>,
}

/// What is not the same for all. Nodes count from the element's own.
#[derive(Clone, Copy, Debug)]
pub enum Gap {
    /// The index of the element in its array.
    Index,
    /// The value of a node that is nothing but a number, and where it lies.
    Number(usize),
    /// The value of a node, and where it lies.
    Value(usize),
    /// Where a node lies.
    Location(usize),
}

/// Where what belongs into a gap was written while a pattern was learnt.
pub struct Mark {
    begin: usize,
    end: usize,
    gap: Gap,
}

/// The patterns at each depth of the tree.
#[derive(Default)]
pub struct Patterns {
    levels: Vec<Level>,
    /// The gaps of the element that a pattern is being learnt from; `None` if none is.
    marks: Option<Vec<Mark>>,
    /// The node of that element.
    element: usize,
}

#[derive(Default)]
struct Level {
    /// What stands before the element's name.
    prefix: Vec<u8>,
    patterns: Vec<Pattern>,
}

impl Patterns {
    /// What belongs into a gap has been written for the node at `index`. `gap` is only asked if that matters.
    #[inline]
    pub fn mark(&mut self, begin: usize, end: usize, index: usize, gap: impl FnOnce(usize) -> Gap) {
        if let Some(marks) = &mut self.marks {
            marks.push(Mark { begin, end, gap: gap(index - self.element) });
        }
    }

    /// From now on, lines at a depth begin with a prefix. Patterns of lines that begin with another are of no use any more.
    pub fn set_prefix(&mut self, depth: usize, prefix: &[u8]) {
        while self.levels.len() <= depth {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[depth];
        if level.prefix != prefix {
            level.prefix.clear();
            level.prefix.extend_from_slice(prefix);
            level.patterns.clear();
        }
    }
}

impl Pattern {
    fn fits(&self, nodes: &[Node]) -> bool {
        nodes.len() == self.shape.len()
            && nodes.iter().zip(&self.shape).all(|(node, shape)| (node.what(), node.span()) == *shape)
    }
}

/// Whether all that the line of a node has is known from its field, but for value and location.
fn is_regular(node: Node) -> bool {
    match node.kind() {
        // What is said of it depends on what it says.
        Kind::Length | Kind::Tag | Kind::UnknownTag => false,
        Kind::Uvarint => !node.is_builtin(builtin::TAG_COUNT),
        Kind::Message | Kind::Frame | Kind::Header | Kind::Body => false,
        Kind::Payload | Kind::Records => false,
        _ => !TreeWriter::is_special(node) && !node.flags().has(Flags::ELEMENT),
    }
}

/// Whether elements may be written by a pattern at all.
pub fn has_patterns(options: &Options, theme: &Theme) -> bool {
    !theme.is_coloured() && options.docs != Docs::Full && options.max_depth == usize::MAX
}

impl TreeWriter<'_> {
    /// Writes an element that is not the last of its array by a pattern. Returns whether that could be done.
    pub(super) fn write_alike(&mut self, index: usize, node: Node) -> bool {
        let tree = self.view.tree;
        let nodes = &tree.nodes[index..index + node.span() as usize];
        // All of it lies in one space if its ends do.
        if nodes.len() > MOST_NODES || nodes.last().is_none_or(|last| !self.space.contains(last.start())) {
            return false;
        }
        let depth = self.parents.len();
        let Some(level) = self.patterns.levels.get_mut(depth) else { return false };
        let Some(found) = level.patterns.iter().position(|pattern| pattern.fits(nodes)) else {
            let is_new = level.patterns.len() < MOST_PATTERNS;
            let is_regular = matches!(node.kind(), Kind::Struct | Kind::Record)
                && nodes[1..].iter().all(|node| is_regular(*node));
            if is_new && is_regular {
                self.learn(index, nodes);
            }
            return is_new && is_regular;
        };
        // Taken out, so that it can be used together with all the rest.
        let pattern = std::mem::take(&mut level.patterns[found]);
        self.apply(&pattern, index);
        self.patterns.levels[depth].patterns[found] = pattern;
        true
    }

    fn apply(&mut self, pattern: &Pattern, index: usize) {
        let tree = self.view.tree;
        let mut text = &pattern.text[..];
        for (len, gap) in &pattern.gaps {
            let (next, rest) = text.split_at(*len);
            self.line.extend_from_slice(next);
            text = rest;
            match *gap {
                Gap::Index => {
                    if let Some(parent) = self.parents.last_mut() {
                        decimal(&mut self.line, parent.next_element);
                        parent.next_element += 1;
                    }
                }
                Gap::Number(node) if self.space.is_near(tree.nodes[index + node]) => {
                    let node = tree.nodes[index + node];
                    let number = node.int(self.data);
                    compose(&mut self.line, |text: &mut [u8; 2 + MOST_DIGITS + LONGEST]| {
                        let at = if number < 0 { put(text, 0, *b"-") } else { 0 };
                        let at = put_decimal(text, at, number.unsigned_abs());
                        let at = put(text, at, *b" ");
                        self.space.put(text, at, node)
                    });
                }
                Gap::Number(node) | Gap::Value(node) => {
                    let (index, node) = (index + node, tree.nodes[index + node]);
                    self.value(index, node, tree.item_of(&node));
                    self.location(node);
                }
                Gap::Location(node) => {
                    self.location(tree.nodes[index + node]);
                }
            }
        }
        self.line.extend_from_slice(text);
    }

    /// Writes an element as others are written, and keeps its pattern.
    fn learn(&mut self, index: usize, nodes: &[Node]) {
        let begin = self.line.len();
        let depth = self.parents.len();
        self.patterns.element = index;
        self.patterns.marks = Some(Vec::new());
        let mut next = index;
        while next < index + nodes.len() {
            let node = self.view.tree.nodes[next];
            self.leave(next, node);
            next = self.line_of(next, node);
        }
        // As it would have been without children.
        while self.parents.len() > depth {
            self.parents.pop();
            self.outdent();
        }
        let marks = self.patterns.marks.take().unwrap_or_default();
        let mut pattern = Pattern::default();
        pattern.shape.extend(nodes.iter().map(|node| (node.what(), node.span())));
        let mut at = begin;
        for mark in marks {
            pattern.text.extend_from_slice(&self.line[at..mark.begin]);
            pattern.gaps.push((mark.begin - at, mark.gap));
            at = mark.end;
        }
        pattern.text.extend_from_slice(&self.line[at..]);
        self.patterns.levels[depth].patterns.push(pattern);
    }
}
