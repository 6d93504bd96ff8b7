//! What a walk hands its findings to. The tree is one receiver; a receiver that needs less pays less.

use std::sync::Arc;

use super::plan::Plan;
use crate::payload::{Definitions, Topic};
use crate::tree::{Buffer, Node, PlanId, Problem, Tree, What};

/// The elements of an array, all of the same size.
#[derive(Clone, Copy)]
pub struct Elements<'e> {
    /// An element, as if it began at offset 0 and belonged to the builtin plan.
    pub template: &'e Node,
    /// The plan that they belong to.
    pub plan: PlanId,
    /// The offset of the first.
    pub start: usize,
    /// How many there are.
    pub count: usize,
}

/// Receives what a walk finds, in the order of the bytes. Each opening is closed, the innermost first.
pub trait Sink {
    /// A node with children begins at an offset. The result is handed back when it ends.
    fn open(&mut self, what: What, start: usize) -> usize;
    /// A node with children ends before an offset.
    fn close(&mut self, mark: usize, stop: usize);
    /// A leaf.
    fn leaf(&mut self, what: What, start: usize, len: usize);
    /// Something to be said about a place.
    fn problem(&mut self, problem: Problem);

    /// Makes a plan known that the message itself is not of: that of something inside its bytes. `None` if the receiver does not care to
    /// know what is in there, or cannot.
    fn inner_plan(&mut self, _plan: &Arc<Plan>) -> Option<PlanId> {
        None
    }

    /// The definitions for what is inside bytes. `None` if the receiver does not care what is in there.
    fn definitions(&self) -> Option<Definitions> {
        None
    }

    /// The plan for a version of a definition that the receiver knows already, and what nodes call it.
    fn known_plan(&self, _name: &str, _version: i16) -> Option<(Arc<Plan>, PlanId)> {
        None
    }

    /// The topic of records, where the message does not say.
    fn topic(&self) -> Option<Topic> {
        None
    }

    /// Whether it wants to know what is in the records of a batch. If not, they are stepped over.
    fn wants_records(&self) -> bool {
        true
    }

    /// Memory for what comes out of compressed bytes, and how many bytes that may be. `None` if the receiver does not care.
    fn expansion(&mut self) -> Option<(Vec<u8>, usize)> {
        None
    }

    /// What follows lies in `len` bytes that came out of those of the node `mark`, which has just been opened. Returns the offset of the first.
    fn begin_buffer(&mut self, _codec: &'static str, _mark: usize, _len: usize) -> usize {
        0
    }

    /// All nodes in what begins at `start` have been made. The memory is handed over.
    fn end_buffer(&mut self, _start: usize, _bytes: Vec<u8>) {}

    /// The nodes since [`Sink::open`] returned `mark`, if the receiver keeps them.
    fn nodes_since(&self, _mark: usize) -> &[Node] {
        &[]
    }

    /// The nodes from `first` on, of which there are `count`, once more and further on. Only for a receiver that keeps them.
    fn repeat(&mut self, _first: usize, _count: usize, _by: usize) {}

    /// Leaves of known sizes, one after the other. The templates are theirs as if they began at offset 0 and belonged to the
    /// builtin plan.
    #[inline]
    fn run(&mut self, templates: &[Node], plan: PlanId, start: usize) {
        for template in templates {
            self.leaf(
                template.what().in_plan(plan),
                start + template.start() as usize,
                template.len() as usize,
            );
        }
    }

    /// An array of `count` elements of the same size: the array, its length, and the elements one after the other.
    #[inline]
    fn fixed_array(&mut self, array: What, length: What, prefix: usize, elements: Elements<'_>) {
        let mark = self.open(array, elements.start - prefix);
        self.leaf(length, elements.start - prefix, prefix);
        self.elements(elements.template, elements.plan, elements.start, elements.count);
        self.close(mark, elements.start + elements.count * elements.template.len() as usize);
    }

    /// `count` elements of the same size, one after the other.
    #[inline]
    fn elements(&mut self, template: &Node, plan: PlanId, start: usize, count: usize) {
        let size = template.len() as usize;
        for index in 0..count {
            self.leaf(template.what().in_plan(plan), start + index * size, size);
        }
    }
}

impl Sink for Tree {
    #[inline]
    fn open(&mut self, what: What, start: usize) -> usize {
        self.nodes.push(Node::new(start, 0, 1, what));
        self.nodes.len() - 1
    }

    #[inline]
    fn close(&mut self, mark: usize, stop: usize) {
        let span = self.nodes.len() - mark;
        let node = &mut self.nodes[mark];
        *node = node.closed(stop, span);
    }

    #[inline]
    fn leaf(&mut self, what: What, start: usize, len: usize) {
        self.nodes.push(Node::new(start, len, 1, what));
    }

    #[cold]
    fn problem(&mut self, problem: Problem) {
        let what = What::new(crate::tree::Kind::Problem, crate::tree::Flags::NONE, problem.item);
        self.leaf(what.in_plan(problem.plan), problem.offset as usize, 0);
        self.problems.push(Problem { node: self.nodes.len() as u32 - 1, ..problem });
    }

    fn inner_plan(&mut self, plan: &Arc<Plan>) -> Option<PlanId> {
        self.add_plan(plan)
    }

    fn definitions(&self) -> Option<Definitions> {
        Some(self.definitions)
    }

    fn known_plan(&self, name: &str, version: i16) -> Option<(Arc<Plan>, PlanId)> {
        let index = self.plans.iter().position(|plan| plan.version == version && plan.name == name)?;
        u8::try_from(index + 1).ok().map(|id| (Arc::clone(&self.plans[index]), PlanId::numbered(id)))
    }

    fn topic(&self) -> Option<Topic> {
        self.topic
    }

    fn wants_records(&self) -> bool {
        self.limits.records
    }

    fn expansion(&mut self) -> Option<(Vec<u8>, usize)> {
        let mut bytes = self.spare.pop().unwrap_or_default();
        bytes.clear();
        Some((bytes, self.next_buffer().1))
    }

    fn begin_buffer(&mut self, codec: &'static str, mark: usize, len: usize) -> usize {
        let start = self.next_buffer().0;
        let (len, node, bytes) = (len as u32, mark as u32, Vec::new());
        self.buffers.push(Buffer { codec, start, len, node, bytes });
        start as usize
    }

    fn end_buffer(&mut self, start: usize, bytes: Vec<u8>) {
        let found = self.buffers.binary_search_by_key(&(start as u32), |buffer| buffer.start);
        if let Ok(found) = found {
            self.buffers[found].bytes = bytes;
        }
    }

    #[inline]
    fn nodes_since(&self, mark: usize) -> &[Node] {
        &self.nodes[mark..]
    }

    #[inline]
    fn repeat(&mut self, first: usize, count: usize, by: usize) {
        let end = self.nodes.len();
        self.nodes.extend_from_within(first..first + count);
        for node in &mut self.nodes[end..] {
            *node = node.moved(by, PlanId::BUILTIN);
        }
    }

    #[inline]
    fn run(&mut self, templates: &[Node], plan: PlanId, start: usize) {
        self.nodes.extend(templates.iter().map(|template| template.moved(start, plan)));
    }

    #[inline]
    fn fixed_array(&mut self, array: What, length: What, prefix: usize, elements: Elements<'_>) {
        let Elements { template, plan, start, count } = elements;
        let size = template.len() as usize;
        let head = [
            Node::new(start - prefix, prefix + count * size, count + 2, array),
            Node::new(start - prefix, prefix, 1, length),
        ];
        let first = template.moved(start, plan);
        let place = |index: usize| first.moved(index * size, PlanId::BUILTIN);
        self.nodes.extend(head.into_iter().chain((0..count).map(place)));
    }
}
