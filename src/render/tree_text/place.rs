//! Places in a tree from which its lines can be written on.

use crate::tree::{Flags, Tree};

/// The place before a node: what the lines from there on need to know of those before.
#[derive(Clone, Default, Debug)]
pub struct Place {
    /// The index of the node.
    pub(super) node: usize,
    /// The indices of its ancestors, the message first, and how many of the elements of each come before.
    pub(super) ancestors: Vec<(usize, usize)>,
}

impl Place {
    /// Before the first node.
    pub fn first() -> Place {
        Place::default()
    }

    /// The index of the node.
    pub fn node(&self) -> usize {
        self.node
    }

    /// Goes on to a node that comes later, or to the end. It takes a step for each subtree that lies between, so that to go through a
    /// tree in pieces takes no more than once through all of it.
    pub fn go_to(&mut self, tree: &Tree, node: usize) {
        loop {
            while self.ancestors.last().is_some_and(|(ancestor, _)| tree.end(*ancestor) <= self.node) {
                self.ancestors.pop();
            }
            if self.node >= node {
                return;
            }
            if let Some((_, elements)) = self.ancestors.last_mut() {
                *elements += usize::from(tree.nodes[self.node].flags().has(Flags::ELEMENT));
            }
            let end = tree.end(self.node);
            if end <= node {
                self.node = end;
            } else {
                self.ancestors.push((self.node, 0));
                self.node += 1;
            }
        }
    }
}
