//! The tree of a message: what decoding fills and rendering reads.

pub mod builtin;
mod data;
mod node;
mod path;
mod problem;
mod secrets;
mod tiling;

use std::sync::Arc;

pub use data::{BUFFERS_FROM, Buffer, Data};
pub use node::{Flags, Kind, MOST_ITEMS, Node, PlanId, What};
pub use path::FieldPath;
pub use problem::{Limit, Problem, ProblemKind, Severity};

use crate::payload::{Definitions, Topic};
use crate::wire::plan::{Item, Plan};

/// The nodes of one message, in the order of their bytes. It is meant to be reused: [`Tree::clear`] keeps its memory.
#[derive(Default)]
pub struct Tree {
    /// The nodes. The first is the message.
    pub nodes: Vec<Node>,
    /// The plans that nodes refer to.
    pub plans: Vec<Arc<Plan>>,
    /// What is wrong or worth a remark, in the order of the nodes.
    pub problems: Vec<Problem>,
    /// What came out of compressed bytes, in the order of their offsets.
    pub buffers: Vec<Buffer>,
    /// How much may come out of them.
    pub limits: Limits,
    /// Where in a larger input its first byte lies. Nodes count from there, people from the beginning of the input.
    pub origin: u64,
    /// The definitions for what is inside bytes.
    pub definitions: Definitions,
    /// The topic whose records these are, where the message does not say; `None` for one whose records are anybody's.
    pub topic: Option<Topic>,
    /// Memory of buffers that are not needed any more.
    pub(crate) spare: Vec<Vec<u8>>,
}

/// How much is decompressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many bytes may come out of one batch, message or payload.
    pub decompressed: usize,
    /// Whether records are looked into at all; if not, batches are stepped over by their headers.
    pub records: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { decompressed: 64 << 20, records: true }
    }
}

/// How many bytes may come out of all of a message.
const MOST_DECOMPRESSED: u32 = 1 << 30;
/// So much memory is kept from one message to the next.
const SPARE_KEPT: usize = 8;

/// So many plans are kept from one message to the next.
const PLANS_KEPT: usize = 48;

impl Tree {
    /// A tree without nodes.
    pub fn new() -> Tree {
        Tree::default()
    }

    /// A tree without nodes that is good for the same messages.
    pub fn another(&self) -> Tree {
        Tree { limits: self.limits, definitions: self.definitions, topic: self.topic, ..Tree::new() }
    }

    /// How many bytes its nodes, and what came out of compressed bytes, take.
    pub fn memory(&self) -> usize {
        let buffers = self.buffers.iter().map(|buffer| buffer.bytes.capacity());
        let spare = self.spare.iter().map(Vec::capacity);
        self.nodes.capacity() * size_of::<Node>() + buffers.chain(spare).sum::<usize>()
    }

    /// Empties the tree and keeps its memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.problems.clear();
        self.spare.extend(self.buffers.drain(..).map(|buffer| buffer.bytes));
        self.spare.truncate(SPARE_KEPT);
        // The next message is most likely of one of the same plans.
        if self.plans.len() > PLANS_KEPT {
            self.plans.clear();
        }
    }

    /// Makes a plan known to the tree. Returns `None` if the tree has as many plans as it can have (255).
    #[inline]
    pub fn add_plan(&mut self, plan: &Arc<Plan>) -> Option<PlanId> {
        let known = self.plans.iter().position(|known| Arc::ptr_eq(known, plan));
        let index = known.unwrap_or_else(|| {
            self.plans.push(Arc::clone(plan));
            self.plans.len() - 1
        });
        u8::try_from(index + 1).ok().map(|id| PlanId(id.into()))
    }

    /// The plan that a node's item belongs to; `None` for a builtin item.
    #[inline]
    pub fn plan(&self, plan: PlanId) -> Option<&Plan> {
        let index = (plan.0 as usize).checked_sub(1)?;
        self.plans.get(index).map(Arc::as_ref)
    }

    /// An item.
    #[inline]
    pub fn item(&self, plan: PlanId, item: u16) -> &Item {
        match self.plan(plan) {
            Some(plan) => &plan.items[usize::from(item)],
            None => &builtin::items()[usize::from(item)],
        }
    }

    /// The item of a node.
    #[inline]
    pub fn item_of(&self, node: &Node) -> &Item {
        self.item(node.plan(), node.item())
    }

    /// The bytes that its nodes lie in, given those of the frame.
    #[inline]
    pub fn data<'d>(&'d self, frame: &'d [u8]) -> Data<'d> {
        Data::new(frame, &self.buffers)
    }

    /// The buffer that an offset lies in; `None` if that is the frame.
    pub fn buffer_at(&self, offset: u32) -> Option<&Buffer> {
        data::buffer_at(&self.buffers, offset)
    }

    /// What came out of the compressed bytes of the node at `index`.
    pub fn buffer_of(&self, index: usize) -> Option<&Buffer> {
        let found = self.buffers.binary_search_by_key(&(index as u32), |buffer| buffer.node);
        found.ok().map(|found| &self.buffers[found])
    }

    /// Where the next buffer begins, and how many bytes it may have at most.
    pub(crate) fn next_buffer(&self) -> (u32, usize) {
        let start = self.buffers.last().map_or(BUFFERS_FROM, |last| last.start + last.len.max(1));
        let left = (BUFFERS_FROM + MOST_DECOMPRESSED).saturating_sub(start);
        (start, self.limits.decompressed.min(left as usize))
    }

    /// The indices of the children of the node at `parent`.
    pub fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        let end = self.end(parent);
        let mut next = parent + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.end(child);
                child
            })
        })
    }

    /// Whether the node at `index` covers bytes that none of its children does.
    pub fn is_leaf(&self, index: usize) -> bool {
        self.nodes[index].kind().covers_bytes() && self.parts(index).next().is_none()
    }

    /// The children of the node at `index` that cover its bytes. What came out of compressed bytes is below them and covers none of them.
    pub fn parts(&self, index: usize) -> impl Iterator<Item = usize> {
        let node = &self.nodes[index];
        let inside = move |child: &usize| {
            let child = &self.nodes[*child];
            child.kind().covers_bytes() && node.start() <= child.start() && child.stop() <= node.stop()
        };
        self.children(index).filter(inside)
    }

    /// The index of the first node after the subtree of the one at `index`.
    #[inline]
    pub fn end(&self, index: usize) -> usize {
        index + self.nodes[index].span() as usize
    }

    /// How many elements the array, or bytes the records, at `index` say they have; `None` for null.
    #[inline]
    pub fn count<'d>(&self, index: usize, data: impl Into<Data<'d>>) -> Option<u64> {
        let length = self.nodes.get(index + 1)?;
        if length.kind() == Kind::ProtobufTag {
            // That says how many bytes they are together.
            let is_element = |child: &usize| self.nodes[*child].flags().has(Flags::ELEMENT);
            return Some(self.children(index).filter(is_element).count() as u64);
        }
        let less = i64::from(length.flags().has(Flags::COMPACT));
        u64::try_from(length.raw_length(data) - less).ok()
    }

    /// Where the content of the records or the payload at `index` lies: all but its length, as far as it is there.
    pub fn content_after_length(&self, index: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[index];
        let start = self.children(index).next().map_or(node.start(), |length| self.nodes[length].stop());
        start as usize..node.stop() as usize
    }

    /// The content of the bytes at `index` without their length, whether or not it was decoded; `None` for null.
    pub fn content<'d>(&self, index: usize, data: Data<'d>) -> Option<&'d [u8]> {
        let node = &self.nodes[index];
        match node.kind() {
            Kind::NullBytes | Kind::NullVarintBytes | Kind::NullString => None,
            Kind::Bytes | Kind::VarintBytes | Kind::String => Some(data.slice(node.content(data))),
            _ => Some(data.slice(self.content_after_length(index))),
        }
    }

    /// Whether its message may have ids of topics beside their names.
    pub fn names_topics(&self) -> bool {
        let body = self.nodes.first().and_then(|root| self.plan(root.plan()));
        body.is_some_and(|plan| plan.names_topics)
    }

    /// The problem that the problem node at `index` stands for.
    pub fn problem(&self, index: usize) -> Option<&Problem> {
        let found = self.problems.binary_search_by_key(&(index as u32), |problem| problem.node);
        found.ok().map(|found| &self.problems[found])
    }

    /// Whether nothing in it is malformed.
    pub fn is_sound(&self) -> bool {
        self.severity() != Some(Severity::Malformed)
    }

    /// The gravest severity of its problems.
    pub fn severity(&self) -> Option<Severity> {
        self.problems.iter().map(Problem::severity).max()
    }
}
