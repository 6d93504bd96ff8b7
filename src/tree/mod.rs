//! The tree of a message: what decoding fills and rendering reads.

pub mod builtin;
mod node;
mod problem;
mod tiling;

use std::sync::Arc;

pub use node::{Flags, Kind, Node};
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

impl Tree {
    /// A tree without nodes.
    pub fn new() -> Tree {
        Tree::default()
    }

    /// Empties the tree and keeps its memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.plans.clear();
        self.problems.clear();
    }

    /// Makes a plan known to the tree and returns what nodes have in [`Node::plan`] for it.
    pub fn add_plan(&mut self, plan: &Arc<Plan>) -> u16 {
        let known = self.plans.iter().position(|known| Arc::ptr_eq(known, plan));
        let index = known.unwrap_or_else(|| {
            self.plans.push(Arc::clone(plan));
            self.plans.len() - 1
        });
        u16::try_from(index + 1).expect("a message uses a handful of plans")
    }

    /// The plan that a node's item belongs to; `None` for a builtin item.
    pub fn plan(&self, plan: u16) -> Option<&Plan> {
        let index = usize::from(plan).checked_sub(1)?;
        self.plans.get(index).map(Arc::as_ref)
    }

    /// An item.
    #[inline]
    pub fn item(&self, plan: u16, item: u16) -> &Item {
        match self.plan(plan) {
            Some(plan) => &plan.items[usize::from(item)],
            None => &builtin::items()[usize::from(item)],
        }
    }

    /// The item of a node.
    #[inline]
    pub fn item_of(&self, node: &Node) -> &Item {
        self.item(node.plan, node.item)
    }

    /// The indices of the children of the node at `parent`.
    pub fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[parent].end as usize;
        let mut next = parent + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end as usize;
                child
            })
        })
    }

    /// Whether the node at `index` has no children that cover bytes.
    pub fn is_leaf(&self, index: usize) -> bool {
        let node = &self.nodes[index];
        node.kind != Kind::Problem
            && self.nodes[index + 1..node.end as usize].iter().all(|inner| inner.kind == Kind::Problem)
    }

    /// The gravest severity of its problems.
    pub fn severity(&self) -> Option<Severity> {
        self.problems.iter().map(|problem| problem.kind.severity()).max()
    }
}
