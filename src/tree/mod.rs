//! The tree of a message: what decoding fills and rendering reads.

pub mod builtin;
mod node;
mod path;
mod problem;
mod tiling;

use std::sync::Arc;

pub use node::{Flags, Kind, Node, PlanId, What};
pub use path::FieldPath;
pub use problem::{Limit, Problem, ProblemKind, Severity};

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
}

/// So many plans are kept from one message to the next.
const PLANS_KEPT: usize = 8;

impl Tree {
    /// A tree without nodes.
    pub fn new() -> Tree {
        Tree::default()
    }

    /// Empties the tree and keeps its memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.problems.clear();
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

    /// Whether the node at `index` has no children that cover bytes.
    pub fn is_leaf(&self, index: usize) -> bool {
        self.nodes[index].kind().covers_bytes()
            && self.nodes[index + 1..self.end(index)].iter().all(|inner| !inner.kind().covers_bytes())
    }

    /// The index of the first node after the subtree of the one at `index`.
    #[inline]
    pub fn end(&self, index: usize) -> usize {
        index + self.nodes[index].span() as usize
    }

    /// How many elements the array, or bytes the records, at `index` say they have; `None` for null.
    #[inline]
    pub fn count(&self, index: usize, data: &[u8]) -> Option<u64> {
        let length = self.nodes.get(index + 1)?;
        let less = i64::from(length.flags().has(Flags::COMPACT));
        u64::try_from(length.raw_length(data) - less).ok()
    }

    /// Where the batches of the records at `index` lie: all but their length, as far as they are there.
    pub fn records_content(&self, index: usize) -> std::ops::Range<usize> {
        let records = &self.nodes[index];
        let start = self.children(index).next().map_or(records.start(), |length| self.nodes[length].stop());
        start as usize..records.stop() as usize
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
        self.problems.iter().map(|problem| problem.kind.severity()).max()
    }
}
