//! The object tree: one line for each node, in the layout of the documentation.

pub mod parts;

use std::io::{self, Write};

use super::problem_text::{note_text, problem_text};
use super::region::Region;
use super::text::{byte_string, count, decimal, hex};
use super::theme::{Role, Theme};
use super::value_text::{remark, timestamp, value};
use super::{Docs, Options, RecordsDepth, View};
use crate::log::{CHECKSUM, RELATIVE_OFFSET};
use crate::records::compression::Codec;
use crate::records::{MAGIC_AT, RecordBase, SetBase};
use crate::schema::{Direction, MessageKind};
use crate::tree::{Flags, Kind, Node, PlanId, ProblemKind, Severity, Tree, builtin};
use crate::wire::instance::EMPTY_BATCH;

/// The buffer is handed on when it has this many bytes.
const FLUSH_AT: usize = 1 << 16;

/// Writes the object tree of a message.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_tree(out: &mut dyn Write, view: View<'_>, options: &Options, theme: &Theme) -> io::Result<()> {
    TreeWriter::new(view, options, theme).write(out, 0)
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
    writer.parents.push(Parent {
        // After the last node here there may be others elsewhere.
        end: view.tree.nodes.len() + usize::from(!piece.is_last),
        kind: Kind::Message,
        base: None,
        set: None,
        region: Region::RecordBatch,
        next_element: piece.elements,
    });
    writer.write(out, 1)
}

/// Appends where a node lies: `[0x0004, 4B]`, or `[lz4+0x0004, 4B]` in what was decompressed.
#[inline]
pub fn location(line: &mut Vec<u8>, tree: &Tree, node: &Node, theme: &Theme) {
    theme.begin(line, Role::Location);
    line.push(b'[');
    offset(line, tree, node.start());
    line.extend_from_slice(b", ");
    decimal(line, node.len());
    line.extend_from_slice(b"B]");
    theme.end(line, Role::Location);
}

/// Appends an offset: `0x0004`, or `lz4+0x0004` in what was decompressed.
#[inline]
pub fn offset(line: &mut Vec<u8>, tree: &Tree, offset: u32) {
    let place = match tree.buffer_at(offset) {
        None => tree.origin + u64::from(offset),
        Some(buffer) => {
            line.extend_from_slice(buffer.codec.as_bytes());
            line.push(b'+');
            buffer.place_of(offset).into()
        }
    };
    line.extend_from_slice(b"0x");
    hex(line, place, 4);
}

struct TreeWriter<'w> {
    view: View<'w>,
    options: &'w Options,
    theme: &'w Theme,
    line: Vec<u8>,
    /// What lines begin with at this depth.
    prefix: Vec<u8>,
    parents: Vec<Parent>,
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
            line: Vec::with_capacity(FLUSH_AT + 4096),
            prefix: Vec::new(),
            parents: Vec::new(),
            base_offset: None,
        }
    }

    /// Writes the nodes from `index` on.
    fn write(&mut self, out: &mut dyn Write, mut index: usize) -> io::Result<()> {
        while index < self.view.tree.nodes.len() {
            index = self.node(index);
            if self.line.len() >= FLUSH_AT {
                out.write_all(&self.line)?;
                self.line.clear();
            }
        }
        out.write_all(&self.line)
    }

    /// Writes the node at `index`. Returns the index of the next node to write.
    fn node(&mut self, index: usize) -> usize {
        while self.parents.last().is_some_and(|parent| parent.end <= index) {
            self.parents.pop();
            self.prefix.truncate(self.prefix.len().saturating_sub(4));
        }
        let tree = self.view.tree;
        let node = &tree.nodes[index];
        let end = tree.end(index);
        let is_last = self.parents.last().is_none_or(|parent| parent.end == end);
        if node.flags().has(Flags::ELEMENT) && self.is_beyond_last_element() {
            return self.skip_elements(index);
        }
        if self.leaves_out(node.kind()) {
            return self.skip_records(index);
        }
        self.branch();
        if node.is_builtin(builtin::SKIPPED_RECORDS) {
            self.line.extend_from_slice(b"... ");
            self.record_count();
            self.line.extend_from_slice(b", ");
            count(&mut self.line, node.len().into(), "byte");
            self.line.extend_from_slice(b" (--records full)\n");
            return end;
        }
        if node.kind() == Kind::Problem {
            self.problem(index);
            return end;
        }
        let outer = Region::body(self.view.heading.direction);
        let region = Region::of(node, self.parents.last().map_or(outer, |parent| parent.region));
        self.name(node, region);
        self.value(index, node);
        self.location(node);
        self.doc(index, node, is_last);
        if end > index + 1 {
            return self.enter(index, node.kind(), region, is_last);
        }
        end
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
        if !is_root {
            self.prefix.extend_from_slice(if is_last { b"    " } else { b"|   " });
        } else {
            // The root has no prefix, and what is popped with it is cut to nothing.
            self.prefix.clear();
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

    /// The prefix and the branch, for all but the root.
    #[inline]
    fn branch(&mut self) {
        if !self.parents.is_empty() {
            self.theme.begin(&mut self.line, Role::Branch);
            self.line.extend_from_slice(&self.prefix);
            self.line.extend_from_slice(b"+-- ");
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

    /// Name and type.
    #[inline]
    fn name(&mut self, node: &Node, region: Region) {
        let item = self.view.tree.item_of(node);
        let line = &mut self.line;
        self.theme.begin(line, Role::Region(region));
        let data = self.view.data();
        let version = || self.view.tree.plan(node.plan()).map_or(0, |plan| plan.version);
        match node.kind() {
            Kind::Message
                if node.is_builtin(builtin::UNKNOWN_MESSAGE) || node.is_builtin(builtin::SASL_TOKEN) =>
            {
                line.extend_from_slice(item.name.as_bytes());
            }
            Kind::Message => {
                line.extend_from_slice(item.name.as_bytes());
                line.extend_from_slice(b" message v");
                decimal(line, self.view.heading.api_version.unwrap_or(0));
            }
            Kind::Header => {
                line.extend_from_slice(item.name.as_bytes());
                line.extend_from_slice(b" v");
                decimal(line, version());
            }
            Kind::Body => {
                line.extend_from_slice(item.name.as_bytes());
                line.extend_from_slice(b" struct");
            }
            Kind::Tag => {
                line.extend_from_slice(b"tag ");
                decimal(line, node.uvarint(data));
                line.push(b' ');
                line.extend_from_slice(item.name.as_bytes());
            }
            Kind::UnknownTag => {
                line.extend_from_slice(b"tag ");
                decimal(line, node.uvarint(data));
                line.extend_from_slice(b" (unknown)");
            }
            Kind::Batch => {
                line.extend_from_slice(item.name.as_bytes());
                line.extend_from_slice(b" v");
                decimal(line, node.bytes(data).get(MAGIC_AT).copied().unwrap_or(0));
            }
            Kind::Frame => line.extend_from_slice(item.label().as_bytes()),
            _ if node.flags().has(Flags::ELEMENT) => {
                // What a whole definition is of is called like it.
                let named = if item.type_name.is_empty() { &item.name } else { &*item.type_name };
                line.extend_from_slice(named.as_bytes());
                line.push(b'[');
                if let Some(parent) = self.parents.last_mut() {
                    decimal(line, parent.next_element);
                    parent.next_element += 1;
                }
                line.push(b']');
                if node.kind() != Kind::Record {
                    line.push(b' ');
                    line.extend_from_slice(named.as_bytes());
                }
            }
            _ => line.extend_from_slice(item.label().as_bytes()),
        }
        self.theme.end(line, Role::Region(region));
    }

    /// The value, for nodes that have one.
    #[inline]
    fn value(&mut self, index: usize, node: &Node) {
        let item = self.view.tree.item_of(node);
        let line = &mut self.line;
        let data = self.view.data();
        let bare = matches!(
            node.kind(),
            Kind::Message
                | Kind::Header
                | Kind::Body
                | Kind::Tag
                | Kind::UnknownTag
                | Kind::Frame
                | Kind::Batch
                | Kind::Record
        );
        if !bare {
            line.extend_from_slice(b" = ");
            match node.kind() {
                Kind::Array => {
                    let number = self.view.tree.count(index, data).unwrap_or(0);
                    count(line, number, "element");
                    let empty = item.absence.filter(|_| number == 0);
                    remark(line, empty.and_then(|absence| absence.empty.as_deref()));
                }
                Kind::Records => count(line, self.view.tree.count(index, data).unwrap_or(0), "byte"),
                Kind::Payload => {
                    count(line, self.view.tree.count(index, data).unwrap_or(0), "byte");
                    self.carried(index);
                }
                Kind::Uint
                    if node.is_builtin(builtin::CRC_32C)
                        || node.is_builtin(builtin::CRC_32)
                        || &*item.name == CHECKSUM =>
                {
                    self.checksum(index, node);
                }
                Kind::Raw if Codec::ALL.iter().any(|codec| node.is_builtin(codec.item())) => {
                    self.compressed(index, node);
                }
                _ => value(line, self.view, node, item, self.options.full_values),
            }
            match node.kind() {
                Kind::Varint => self.derived(node),
                Kind::Int if node.is_builtin(builtin::MESSAGE_OFFSET) => self.offset_in_set(node),
                Kind::Int if node.is_builtin(builtin::MESSAGE_TIMESTAMP) => self.time_in_set(),
                Kind::Int if self.base_offset.is_some() => self.offset_in_log(node),
                _ => {}
            }
        }
    }

    /// A checksum, and whether it is the right one.
    fn checksum(&mut self, index: usize, node: &Node) {
        let tree = self.view.tree;
        self.line.extend_from_slice(b"0x");
        hex(&mut self.line, u64::from(node.int(self.view.data()) as u32), 8);
        // What is wrong with it stands next to it.
        match tree.problem(index + 1).map(|problem| &problem.kind) {
            Some(ProblemKind::Checksum { computed, .. }) => {
                self.line.extend_from_slice(b" (should be 0x");
                hex(&mut self.line, u64::from(*computed), 8);
                self.line.push(b')');
            }
            Some(ProblemKind::Unchecked) => self.line.extend_from_slice(b" (not checked)"),
            _ => self.line.extend_from_slice(b" (ok)"),
        }
    }

    /// What a payload is: its definition and version.
    fn carried(&mut self, index: usize) {
        let tree = self.view.tree;
        let is_defined = |child: &usize| tree.nodes[*child].plan() != PlanId::BUILTIN;
        let plan =
            tree.children(index).find(is_defined).and_then(|child| tree.plan(tree.nodes[child].plan()));
        // A plan that only names things is no definition.
        if let Some(plan) = plan.filter(|plan| plan.kind != MessageKind::Header && !plan.bodies.is_empty()) {
            self.line.extend_from_slice(b" (");
            self.line.extend_from_slice(plan.name.as_bytes());
            self.line.extend_from_slice(b" v");
            decimal(&mut self.line, plan.version);
            self.line.push(b')');
        }
    }

    /// Compressed bytes, and how much came out of them.
    fn compressed(&mut self, index: usize, node: &Node) {
        let Some(buffer) = self.view.tree.buffer_of(index) else {
            byte_string(&mut self.line, node.bytes(self.view.data()), self.options.full_values);
            if self.options.records != RecordsDepth::Full {
                self.line.extend_from_slice(b", ");
                self.record_count();
                self.line.extend_from_slice(b" not decompressed (--records full)");
            }
            return;
        };
        count(&mut self.line, node.len().into(), "byte");
        self.line.extend_from_slice(b" (");
        count(&mut self.line, buffer.len.into(), "byte");
        let ratio = f64::from(buffer.len) / f64::from(node.len().max(1));
        self.line.extend_from_slice(format!(" decompressed, ratio {ratio:.1})").as_bytes());
    }

    /// How many records the batch that is being written says it has.
    fn record_count(&mut self) {
        let base = self.parents.last().and_then(|parent| parent.base);
        count(&mut self.line, base.map_or(0, |base| base.records.max(0) as u64), "record");
    }

    /// What the messages around the one that is being written make of its offset and timestamp. It may itself have a set, which says nothing
    /// of these two.
    fn set(&self) -> Option<SetBase> {
        self.parents.iter().rev().skip(1).find_map(|parent| parent.set)
    }

    /// What an offset in a compressed message set comes to.
    fn offset_in_set(&mut self, node: &Node) {
        let Some(set) = self.set().filter(|set| set.offset != 0) else { return };
        self.line.extend_from_slice(b" (offset ");
        decimal(&mut self.line, set.offset_of(node, self.view.data()));
        self.line.push(b')');
    }

    /// What a relative offset in an index comes to.
    fn offset_in_log(&mut self, node: &Node) {
        let base = self.base_offset.filter(|_| &*self.view.tree.item_of(node).name == RELATIVE_OFFSET);
        if let Some(offset) = base.and_then(|base| base.checked_add(node.int(self.view.data()))) {
            self.line.extend_from_slice(b" (offset ");
            decimal(&mut self.line, offset);
            self.line.push(b')');
        }
    }

    /// The timestamp that counts in a compressed message set, if it is not that of the message.
    fn time_in_set(&mut self) {
        let Some(time) = self.set().and_then(|set| set.append_time).and_then(timestamp) else { return };
        self.line.extend_from_slice(b" (log append time ");
        self.line.extend_from_slice(time.as_bytes());
        self.line.push(b')');
    }

    /// What a delta in a record comes to.
    fn derived(&mut self, node: &Node) {
        let data = self.view.data();
        let batch = self.parents.iter().rev().find(|parent| parent.kind == Kind::Batch);
        let Some(base) = batch.and_then(|batch| batch.base) else { return };
        if node.is_builtin(builtin::OFFSET_DELTA)
            && let Some(offset) = base.offset_of(node, data)
        {
            self.line.extend_from_slice(b" (offset ");
            decimal(&mut self.line, offset);
            self.line.push(b')');
        }
        if node.is_builtin(builtin::TIMESTAMP_DELTA)
            && let Some(time) = base.timestamp_of(node, data)
        {
            remark(&mut self.line, timestamp(time).filter(|_| time > 0).as_deref());
        }
    }

    #[inline]
    fn location(&mut self, node: &Node) {
        self.line.push(b' ');
        location(&mut self.line, self.view.tree, node, self.theme);
    }

    /// The doc, and the end of the line.
    #[inline]
    fn doc(&mut self, index: usize, node: &Node, is_last: bool) {
        if self.options.docs == Docs::None {
            self.line.push(b'\n');
            return;
        }
        let item = self.view.tree.item_of(node);
        // A tag's doc stands with its field.
        let short = if node.kind() == Kind::Tag { "" } else { item.short_doc() };
        let full = self.options.docs == Docs::Full && short.ends_with("...") && !item.doc.ends_with("...");
        let has_doc = !short.is_empty()
            || matches!(node.kind(), Kind::Length | Kind::Body | Kind::Header | Kind::Uvarint);
        if has_doc {
            self.theme.begin(&mut self.line, Role::Doc);
            match node.kind() {
                Kind::Length => self.length_doc(index),
                Kind::Header => self.line.extend_from_slice(match self.view.heading.direction {
                    Direction::Request => b" common request header".as_slice(),
                    Direction::Response => b" common response header",
                }),
                Kind::Body => {
                    self.line.extend_from_slice(b" message body, version ");
                    let plan = self.view.tree.plan(node.plan());
                    decimal(&mut self.line, plan.map_or(0, |plan| plan.version));
                }
                Kind::Uvarint if node.is_builtin(builtin::TAG_COUNT) => {
                    self.follow(node.uvarint(self.view.data()).into(), "tagged field");
                }
                _ if !full => self.line.extend_from_slice(short.as_bytes()),
                _ => {}
            }
            self.theme.end(&mut self.line, Role::Doc);
        }
        self.line.push(b'\n');
        if full {
            self.wrapped_doc(&item.doc, node.span() > 1, is_last);
        }
    }

    fn wrapped_doc(&mut self, doc: &str, has_children: bool, is_last: bool) {
        let mut indent = self.prefix.clone();
        if !self.parents.is_empty() {
            indent.extend_from_slice(if is_last { b"    " } else { b"|   " });
        }
        indent.extend_from_slice(if has_children { b"|   " } else { b"    " });
        let columns = self.options.width.saturating_sub(indent.len()).max(40);
        for row in textwrap::wrap(doc, columns) {
            self.theme.begin(&mut self.line, Role::Branch);
            self.line.extend_from_slice(&indent);
            self.theme.end(&mut self.line, Role::Branch);
            self.theme.paint(&mut self.line, Role::Doc, &row);
            self.line.push(b'\n');
        }
    }

    /// What follows a length.
    fn length_doc(&mut self, index: usize) {
        let tree = self.view.tree;
        let number = tree.count(index - 1, self.view.data()).unwrap_or(0);
        match self.parents.last().map(|parent| parent.kind) {
            Some(Kind::NullArray) => self.line.extend_from_slice(b" null array"),
            Some(Kind::NullRecords) => self.line.extend_from_slice(b" null records"),
            Some(Kind::Records | Kind::Payload) => self.follow(number, "byte"),
            Some(Kind::Array) if number == 1 => {
                let sample = index + 1 < tree.end(index - 1) && self.is_smallest(index + 1);
                self.line.extend_from_slice(if sample {
                    b" one sample element follows".as_slice()
                } else {
                    b" one element follows"
                });
            }
            _ => self.follow(number, "element"),
        }
    }

    fn follow(&mut self, number: u64, noun: &str) {
        self.line.push(b' ');
        match number {
            0 => {
                self.line.extend_from_slice(b"no ");
                self.line.extend_from_slice(noun.as_bytes());
                self.line.push(b's');
            }
            1 => {
                self.line.extend_from_slice(b"one ");
                self.line.extend_from_slice(noun.as_bytes());
            }
            _ => count(&mut self.line, number, noun),
        }
        self.line.extend_from_slice(if number == 1 { b" follows" } else { b" follow" });
    }

    /// Whether the node at `index` is the smallest legal instance of what it is: all zero and empty, one such element in each
    /// array.
    fn is_smallest(&self, index: usize) -> bool {
        let tree = self.view.tree;
        let node = &tree.nodes[index];
        let data = self.view.data();
        match node.kind() {
            Kind::Bool | Kind::Int | Kind::Uint | Kind::Float | Kind::Uuid => {
                node.bytes(data).iter().all(|byte| *byte == 0)
            }
            Kind::String | Kind::Bytes => node.content(data).is_empty(),
            Kind::TaggedFields => node.uvarint(data) == 0,
            Kind::Array => {
                let mut elements = tree.children(index).skip(1);
                let one = tree.count(index, data) == Some(1);
                one && elements.next().is_some_and(|element| self.is_smallest(element))
            }
            Kind::Records => {
                let one = tree.count(index, data) == Some(EMPTY_BATCH.len() as u64);
                one && node.bytes(data).ends_with(&EMPTY_BATCH)
            }
            Kind::Struct => {
                tree.children(index).all(|child| tree.nodes[child].is_presence() || self.is_smallest(child))
            }
            _ => false,
        }
    }
}
