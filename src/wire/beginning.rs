//! How messages of one layout begin: size field and header. Those of one client differ in nothing but values, since its client id
//! stays what it is, so the nodes of the last one serve for the next.

use std::ops::Range;

use super::shape::Shape;
use crate::tree::{Node, PlanId, Tree};

/// The nodes of the last message of a layout, up to the end of its header.
#[derive(Default)]
pub struct Beginning {
    nodes: Vec<Node>,
    shape: Shape,
    /// The plans that the nodes refer to: header, body.
    plans: Option<(PlanId, PlanId)>,
    client_id: Option<Range<usize>>,
    /// How often in a row it was of no use.
    misses: u8,
}

impl Beginning {
    /// If a header of the same shape is at the start of `content`, which follows a size field, puts the nodes of size field and header
    /// into an empty tree. Returns how many bytes the header has, and where the client id lies in the frame.
    #[inline]
    pub fn repeat(
        &mut self,
        content: &[u8],
        plans: (PlanId, PlanId),
        tree: &mut Tree,
    ) -> Option<(usize, Option<Range<usize>>)> {
        if self.plans != Some(plans) || !self.shape.fits(content) {
            self.misses = self.misses.saturating_add(1);
            return None;
        }
        self.misses = 0;
        tree.nodes.extend_from_slice(&self.nodes);
        Some((self.shape.size(), self.client_id.clone()))
    }

    /// Remembers the nodes of a tree up to the end of the header, the node `header`, which has these bytes.
    #[inline]
    pub fn remember(
        &mut self,
        tree: &Tree,
        header: usize,
        bytes: &[u8],
        plans: (PlanId, PlanId),
        client_id: Option<Range<usize>>,
    ) {
        // Where clients take turns it would be of no use, and is tried now and then only.
        if self.misses > 8 && !self.misses.is_multiple_of(16) {
            return;
        }
        let inner = &tree.nodes[header + 1..];
        let base = tree.nodes[header].start() as usize;
        self.plans = (tree.problems.is_empty() && self.shape.take(inner, bytes, base)).then_some(plans);
        self.nodes.clear();
        self.nodes.extend_from_slice(&tree.nodes);
        self.client_id = client_id;
    }
}
