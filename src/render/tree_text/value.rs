//! The value of a node in a tree, with what only its place in the tree tells: how much there is, what a difference comes to.

use super::TreeWriter;
use crate::log::{CHECKSUM, RELATIVE_OFFSET};
use crate::records::SetBase;
use crate::records::compression::Codec;
use crate::render::RecordsDepth;
use crate::render::dates::timestamp;
use crate::render::quoted::byte_string;
use crate::render::text::{count, decimal, hex};
use crate::render::value_text::{remark, value};
use crate::schema::MessageKind;
use crate::tree::{Kind, Node, PlanId, ProblemKind, builtin};
use crate::wire::plan::Item;

/// Whether the value of a node is a number with nothing to be said about it, unless it is of a file of a log.
pub fn is_mere_number(node: Node, item: &Item) -> bool {
    let is_derived = node.is_builtin(builtin::OFFSET_DELTA)
        || node.is_builtin(builtin::TIMESTAMP_DELTA)
        || node.is_builtin(builtin::MESSAGE_OFFSET)
        || node.is_builtin(builtin::MESSAGE_TIMESTAMP);
    let is_number = matches!(node.kind(), Kind::Int | Kind::Varint);
    is_number && !is_derived && item.meaning.is_none() && !node.is_secret()
}

impl TreeWriter<'_> {
    /// The value of a node that has one.
    #[inline]
    pub(super) fn value(&mut self, index: usize, node: Node, item: &Item) {
        let line = &mut self.line;
        let data = self.data;
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
            _ => value(line, &self.view, data, &node, item, self.options.full_values),
        }
        match node.kind() {
            Kind::Varint => self.derived(node),
            Kind::Int if node.is_builtin(builtin::MESSAGE_OFFSET) => self.offset_in_set(node),
            Kind::Int if node.is_builtin(builtin::MESSAGE_TIMESTAMP) => self.time_in_set(),
            Kind::Int if self.base_offset.is_some() => self.offset_in_log(node),
            _ => {}
        }
    }

    /// A checksum, and whether it is the right one.
    fn checksum(&mut self, index: usize, node: Node) {
        let tree = self.view.tree;
        self.line.extend_from_slice(b"0x");
        hex(&mut self.line, u64::from(node.int(self.data) as u32), 8);
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
    fn compressed(&mut self, index: usize, node: Node) {
        let Some(buffer) = self.view.tree.buffer_of(index) else {
            byte_string(&mut self.line, node.bytes(self.data), self.options.full_values);
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
    pub(super) fn record_count(&mut self) {
        let base = self.parents.last().and_then(|parent| parent.base);
        count(&mut self.line, base.map_or(0, |base| base.records.max(0) as u64), "record");
    }

    /// What the messages around the one that is being written make of its offset and timestamp. It may itself have a set, which says nothing
    /// of these two.
    fn set(&self) -> Option<SetBase> {
        self.parents.iter().rev().skip(1).find_map(|parent| parent.set)
    }

    /// What an offset in a compressed message set comes to.
    fn offset_in_set(&mut self, node: Node) {
        let Some(set) = self.set().filter(|set| set.offset != 0) else { return };
        self.line.extend_from_slice(b" (offset ");
        decimal(&mut self.line, set.offset_of(&node, self.data));
        self.line.push(b')');
    }

    /// What a relative offset in an index comes to.
    fn offset_in_log(&mut self, node: Node) {
        let base = self.base_offset.filter(|_| &*self.view.tree.item_of(&node).name == RELATIVE_OFFSET);
        if let Some(offset) = base.and_then(|base| base.checked_add(node.int(self.data))) {
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
    fn derived(&mut self, node: Node) {
        let data = self.data;
        let batch = self.parents.iter().rev().find(|parent| parent.kind == Kind::Batch);
        let Some(base) = batch.and_then(|batch| batch.base) else { return };
        if node.is_builtin(builtin::OFFSET_DELTA)
            && let Some(offset) = base.offset_of(&node, data)
        {
            self.line.extend_from_slice(b" (offset ");
            decimal(&mut self.line, offset);
            self.line.push(b')');
        }
        if node.is_builtin(builtin::TIMESTAMP_DELTA)
            && let Some(time) = base.timestamp_of(&node, data)
        {
            let begin = self.line.len();
            self.line.extend_from_slice(b" (");
            match time > 0 && self.dates.append(&mut self.line, time) {
                true => self.line.push(b')'),
                false => self.line.truncate(begin),
            }
        }
    }
}
