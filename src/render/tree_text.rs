//! The object tree: one line for each node, in the layout of the documentation.

mod doc;
mod location;
mod name;
pub mod parts;
mod pattern;
mod place;
mod value;

use std::io::{self, Write};

pub use location::{location, offset};
pub use place::Place;

use super::dates::Dates;
use super::problem_text::{note_text, problem_text};
use super::region::Region;
use super::text::{count, decimal};
use super::theme::{Role, Theme};
use super::{Options, RecordsDepth, View};
use crate::records::{RecordBase, SetBase};
use crate::tree::{Data, Flags, Kind, Node, Severity, builtin};
use location::Space;
use name::has_value;
use pattern::{Gap, Patterns, has_patterns};
use value::is_mere_number;

/// The buffer is handed on when it has this many bytes.
const FLUSH_AT: usize = 1 << 16;

/// What stands before a node that is not the root …
const BRANCH: &[u8] = b"+-- ";
/// … and before those below it: if it is the last of its parent, and if not.
const UNDER_LAST: &[u8] = b"    ";
const UNDER_OTHER: &[u8] = b"|   ";

/// Writes the object tree of a message.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_tree(out: &mut dyn Write, view: View<'_>, options: &Options, theme: &Theme) -> io::Result<()> {
    TreeWriter::new(view, options, theme).write(out, 0)
}

/// Appends some lines of the object tree of a message: those of the nodes from a place up to, without it, the one at `end`.
///
/// Such pieces make up the whole tree, unless options leave something out ([`Options::show_all`]).
pub fn append_tree(
    text: &mut Vec<u8>,
    view: View<'_>,
    options: &Options,
    theme: &Theme,
    from: &Place,
    end: usize,
) {
    let mut writer = TreeWriter::new(view, options, theme);
    std::mem::swap(&mut writer.line, text);
    writer.end = end;
    writer.go_to(from);
    let mut index = from.node;
    while index < end {
        index = writer.node(index);
    }
    std::mem::swap(&mut writer.line, text);
}

/// Where a piece of a larger tree stands in it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Piece {
    /// How many elements came before.
    pub elements: usize,
    /// What relative offsets count from, if they are offsets of a log.
    pub base_offset: Option<i64>,
    /// Whether nothing comes after it.
    pub is_last: bool,
}

/// Writes the children of a tree's root as children of a root that was written before.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_piece(
    out: &mut dyn Write,
    view: View<'_>,
    options: &Options,
    theme: &Theme,
    piece: Piece,
) -> io::Result<()> {
    let mut writer = TreeWriter::new(view, options, theme);
    writer.base_offset = piece.base_offset;
    writer.prefix.extend_from_slice(BRANCH);
    writer.parents.push(Parent {
        // After the last node here there may be others elsewhere.
        end: view.tree.nodes.len() + usize::from(!piece.is_last),
        kind: Kind::Message,
        base: None,
        set: None,
        region: Region::RecordBatch,
        next_element: piece.elements,
    });
    writer.patterns.set_prefix(1, BRANCH);
    writer.write(out, 1)
}

struct TreeWriter<'w> {
    view: View<'w>,
    options: &'w Options,
    theme: &'w Theme,
    line: Vec<u8>,
    /// What lines begin with at this depth, the branch among it.
    prefix: Vec<u8>,
    /// Where the node that is being written lies, and the bytes there.
    space: Space,
    data: Data<'w>,
    dates: Dates,
    parents: Vec<Parent>,
    patterns: Patterns,
    has_patterns: bool,
    /// Nodes from here on are for somebody else to write.
    end: usize,
    /// What relative offsets count from.
    base_offset: Option<i64>,
}

/// A node whose children are being written.
struct Parent {
    /// The index of the node after its subtree.
    end: usize,
    kind: Kind,
    /// What the records in it count from, if it is a batch.
    base: Option<RecordBase>,
    /// What the messages in it count from, if it is a message with a compressed set.
    set: Option<SetBase>,
    region: Region,
    /// The index of the next element, if it is an array.
    next_element: usize,
}

impl<'w> TreeWriter<'w> {
    fn new(view: View<'w>, options: &'w Options, theme: &'w Theme) -> TreeWriter<'w> {
        TreeWriter {
            view,
            options,
            theme,
            line: Vec::new(),
            prefix: Vec::new(),
            space: Space::at(view.tree, 0),
            data: view.data().near(0),
            dates: Dates::default(),
            parents: Vec::new(),
            patterns: Patterns::default(),
            has_patterns: has_patterns(options, theme),
            end: usize::MAX,
            base_offset: None,
        }
    }

    /// Writes the nodes from `index` on.
    fn write(&mut self, out: &mut dyn Write, mut index: usize) -> io::Result<()> {
        self.line.reserve(FLUSH_AT + 4096);
        while index < self.view.tree.nodes.len() {
            index = self.node(index);
            if self.line.len() >= FLUSH_AT {
                out.write_all(&self.line)?;
                self.line.clear();
            }
        }
        out.write_all(&self.line)
    }

    /// Goes to a place without writing what comes before.
    fn go_to(&mut self, place: &Place) {
        for (ancestor, elements) in &place.ancestors {
            let node = &self.view.tree.nodes[*ancestor];
            let end = self.view.tree.end(*ancestor);
            let (is_last, outer) = self.surroundings(end);
            self.enter(*ancestor, node.kind(), Region::of(node, outer), is_last);
            if let Some(parent) = self.parents.last_mut() {
                parent.next_element = *elements;
            }
        }
    }

    /// Whether a node whose subtree ends before `end` is the last of its parent, and the region that it lies in.
    #[inline]
    fn surroundings(&self, end: usize) -> (bool, Region) {
        match self.parents.last() {
            Some(parent) => (parent.end == end, parent.region),
            None => (true, Region::body(self.view.heading.direction)),
        }
    }

    /// Writes the node at `index`. Returns the index of the next node to write.
    fn node(&mut self, index: usize) -> usize {
        // A copy, since one that is read again and again could have changed for all the compiler knows.
        let node = self.view.tree.nodes[index];
        self.leave(index, node);
        if (node.flags().has(Flags::ELEMENT) || Self::is_special(node))
            && let Some(next) = self.special(index, node)
        {
            return next;
        }
        if self.has_patterns && node.flags().has(Flags::ELEMENT) && node.span() > 1 {
            let end = index + node.span() as usize;
            let is_last = self.parents.last().is_none_or(|parent| parent.end == end);
            if !is_last && end <= self.end && self.write_alike(index, node) {
                return end;
            }
        }
        self.line_of(index, node)
    }

    /// Writes the line of a node. Returns the index of the next node to write.
    fn line_of(&mut self, index: usize, node: Node) -> usize {
        let end = index + node.span() as usize;
        let (is_last, outer) = self.surroundings(end);
        let region = Region::of(&node, outer);
        let item = self.view.tree.item_of(&node);
        self.branch();
        self.name(index, node, item, region);
        let has_value = has_value(node.kind());
        if has_value {
            self.line.extend_from_slice(b" = ");
        }
        let begin = self.line.len();
        if has_value {
            self.value(index, node, item);
        }
        self.location(node);
        let is_in_log = self.base_offset.is_some();
        self.patterns.mark(begin, self.line.len(), index, |at| match has_value {
            true if is_mere_number(node, item) && !is_in_log => Gap::Number(at),
            true => Gap::Value(at),
            false => Gap::Location(at),
        });
        self.doc(index, node, item, is_last);
        if end > index + 1 {
            return self.enter(index, node.kind(), region, is_last);
        }
        end
    }

    #[inline]
    fn location(&mut self, node: Node) {
        self.line.push(b' ');
        self.space.location(&mut self.line, node, self.theme);
    }

    /// Whether a node may be shown in another way than others, apart from elements of arrays.
    #[inline]
    fn is_special(node: Node) -> bool {
        matches!(node.kind(), Kind::Batch | Kind::Record | Kind::Raw | Kind::Problem)
    }

    /// Writes a node that is not shown as others are, or says that it is not shown. Returns the index of the next node to write;
    /// `None` if the node is shown as others are.
    fn special(&mut self, index: usize, node: Node) -> Option<usize> {
        if node.flags().has(Flags::ELEMENT) && self.is_beyond_last_element() {
            return Some(self.skip_elements(index));
        }
        if self.leaves_out(node.kind()) {
            return Some(self.skip_records(index));
        }
        if node.is_builtin(builtin::SKIPPED_RECORDS) {
            self.branch();
            self.line.extend_from_slice(b"... ");
            self.record_count();
            self.line.extend_from_slice(b", ");
            count(&mut self.line, node.len().into(), "byte");
            self.line.extend_from_slice(b" (--records full)\n");
        } else if node.kind() == Kind::Problem {
            self.branch();
            self.problem(index);
        } else {
            return None;
        }
        Some(self.view.tree.end(index))
    }

    /// Leaves the nodes whose subtrees end before `index`, and goes to the space that its node lies in.
    #[inline]
    fn leave(&mut self, index: usize, node: Node) {
        while self.parents.last().is_some_and(|parent| parent.end <= index) {
            self.parents.pop();
            self.outdent();
        }
        let start = node.start();
        if !self.space.contains(start) {
            self.space = Space::at(self.view.tree, start);
            self.data = self.view.data().near(start);
        }
    }

    /// Makes the node that was written the parent of what follows. Returns the index of the next node to write.
    fn enter(&mut self, index: usize, kind: Kind, region: Region, is_last: bool) -> usize {
        let end = self.view.tree.end(index);
        let is_root = self.parents.is_empty();
        let (mut base, mut set) = (None, None);
        if kind == Kind::Batch {
            base = RecordBase::of(self.view.tree, index, self.view.data());
            set = SetBase::of(self.view.tree, index, self.view.data());
        }
        self.parents.push(Parent { end, kind, base, set, region, next_element: 0 });
        match is_root {
            // The root has no branch.
            true => self.prefix.extend_from_slice(BRANCH),
            false => self.indent(is_last),
        }
        if self.has_patterns {
            self.patterns.set_prefix(self.parents.len(), &self.prefix);
        }
        if self.parents.len() <= self.options.max_depth {
            return index + 1;
        }
        self.branch();
        self.line.extend_from_slice(b"... ");
        count(&mut self.line, (end - index - 1) as u64, "more line");
        self.line.extend_from_slice(b" (--max-depth)\n");
        end
    }

    /// The children of a node, whose line has a branch, have another branch.
    fn indent(&mut self, is_last: bool) {
        self.prefix.truncate(self.prefix.len() - BRANCH.len());
        self.prefix.extend_from_slice(if is_last { UNDER_LAST } else { UNDER_OTHER });
        self.prefix.extend_from_slice(BRANCH);
    }

    /// Takes back what [`TreeWriter::indent`] has done, or the branch below the root.
    fn outdent(&mut self) {
        self.prefix.truncate(self.prefix.len().saturating_sub(2 * BRANCH.len()));
        if !self.parents.is_empty() {
            self.prefix.extend_from_slice(BRANCH);
        }
    }

    /// The prefix and the branch, for all but the root.
    #[inline]
    fn branch(&mut self) {
        if !self.parents.is_empty() {
            self.theme.begin(&mut self.line, Role::Branch);
            self.line.extend_from_slice(&self.prefix);
            self.theme.end(&mut self.line, Role::Branch);
        }
    }

    fn is_beyond_last_element(&self) -> bool {
        self.parents.last().is_some_and(|parent| parent.next_element >= self.options.max_elements)
    }

    /// Says how many elements are not shown, from `index` on. Returns the index of the next node to write.
    fn skip_elements(&mut self, index: usize) -> usize {
        let names = ["more element", "more elements"];
        self.skip(index, |node| node.flags().has(Flags::ELEMENT), names, "--max-elements")
    }

    /// Says how many siblings from `index` on that are alike are not shown, and how to see them. `names` are what one and several are called.
    /// Returns the index of the next node to write.
    fn skip(&mut self, index: usize, alike: impl Fn(&Node) -> bool, names: [&str; 2], option: &str) -> usize {
        let tree = self.view.tree;
        let parent_end = self.parents.last().map_or(index, |parent| parent.end.min(tree.nodes.len()));
        let (mut next, mut number, mut bytes) = (index, 0u64, 0);
        while next < parent_end && alike(&tree.nodes[next]) {
            bytes += u64::from(tree.nodes[next].len());
            number += 1;
            next = tree.end(next);
        }
        self.branch();
        self.line.extend_from_slice(b"... ");
        decimal(&mut self.line, number);
        self.line.push(b' ');
        self.line.extend_from_slice(names[usize::from(number != 1)].as_bytes());
        self.line.extend_from_slice(b", ");
        count(&mut self.line, bytes, "byte");
        self.line.extend_from_slice(b" (");
        self.line.extend_from_slice(option.as_bytes());
        self.line.extend_from_slice(b")\n");
        next
    }

    /// Whether the user wants no nodes of this kind.
    fn leaves_out(&self, kind: Kind) -> bool {
        match self.options.records {
            RecordsDepth::None => kind == Kind::Batch,
            RecordsDepth::Batches => kind == Kind::Record,
            RecordsDepth::Full => false,
        }
    }

    /// Says how many batches or records are not shown, from `index` on. Returns the index of the next node to write.
    fn skip_records(&mut self, index: usize) -> usize {
        let kind = self.view.tree.nodes[index].kind();
        let (names, option) = match kind {
            Kind::Record => (["record", "records"], "--records full"),
            _ => (["batch", "batches"], "--records batches"),
        };
        self.skip(index, |node| node.kind() == kind, names, option)
    }

    fn problem(&mut self, index: usize) {
        let tree = self.view.tree;
        let severity = tree.problem(index).map(|problem| problem.severity());
        let (role, mark, text) = match severity {
            Some(Severity::Note) => (Role::Note, "note: ", note_text(tree, index)),
            _ => (Role::Problem, "!! ", problem_text(tree, index)),
        };
        self.theme.begin(&mut self.line, role);
        self.line.extend_from_slice(mark.as_bytes());
        self.line.extend_from_slice(text.unwrap_or_default().as_bytes());
        self.theme.end(&mut self.line, role);
        self.line.push(b'\n');
    }
}
