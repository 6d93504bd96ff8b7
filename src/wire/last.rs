//! What the last message of a layout looked like. Those of one client differ in little but values: its client id stays what it is,
//! and heartbeats, polls of a fetch session and the like are all of one shape. The nodes of the last one then serve for the next, up to
//! the end of the header or of the whole message.

use std::ops::Range;

use super::shape::Shape;
use crate::tree::{Node, PlanId, Tree};

/// The nodes of the last message of a layout.
#[derive(Default)]
pub struct Last {
    header: Piece,
    whole: Piece,
    client_id: Option<Range<usize>>,
    /// How many bytes the last message had.
    size: usize,
    /// How often in a row the header was of no use.
    misses: u8,
}

/// The first nodes of a message, and the shape of what they cover after the size field.
#[derive(Default)]
struct Piece {
    nodes: Vec<Node>,
    shape: Shape,
    /// The plans that the nodes refer to: header, body; `None` if there are no nodes.
    plans: Option<(PlanId, PlanId)>,
}

/// What was put into the tree.
pub struct Repeated {
    /// Whether it is the whole message.
    pub whole: bool,
    /// How many bytes after the size field it covers.
    pub len: usize,
    /// Where the client id lies in the frame.
    pub client_id: Option<Range<usize>>,
}

impl Last {
    /// If `content`, which follows a size field, is a message of the same shape, puts all of its nodes into an empty tree; if only the header
    /// is, the nodes of size field and header.
    ///
    /// `whole` says whether it may be all: not if values matter for more than themselves.
    #[inline]
    pub fn repeat(
        &mut self,
        content: &[u8],
        plans: (PlanId, PlanId),
        whole: bool,
        tree: &mut Tree,
    ) -> Option<Repeated> {
        let is_whole = whole && content.len() == self.whole.shape.size() && self.whole.fits(content, plans);
        let piece = if is_whole { &self.whole } else { &self.header };
        if !piece.fits(content, plans) {
            self.misses = self.misses.saturating_add(1);
            return None;
        }
        self.misses = 0;
        tree.nodes.extend_from_slice(&piece.nodes);
        Some(Repeated { whole: is_whole, len: piece.shape.size(), client_id: self.client_id.clone() })
    }

    /// Remembers the header of a message that is being read: the node `header`, the last one so far with its children.
    #[inline]
    pub fn remember_header(
        &mut self,
        tree: &Tree,
        header: usize,
        content: &[u8],
        plans: (PlanId, PlanId),
        client_id: Option<Range<usize>>,
    ) {
        // Where clients take turns it would be of no use, and is tried now and then only.
        if self.misses > 8 && !self.misses.is_multiple_of(16) {
            return;
        }
        let len = tree.nodes[header].len() as usize;
        self.header.take(tree, header + 1, &content[..len], plans);
        self.client_id = client_id;
    }

    /// Remembers all of a message that has been read, if the one before it had as many bytes.
    #[inline]
    pub fn remember_whole(&mut self, tree: &Tree, content: &[u8], plans: (PlanId, PlanId)) {
        if content.len() != self.size {
            self.size = content.len();
            self.whole.plans = None;
        } else if tree.nodes.len() <= MOST_NODES {
            // The nodes of message, frame and size field come before those that lie in the content.
            self.whole.take(tree, 3, content, plans);
        }
    }
}

/// Longer messages are not often of the same shape.
const MOST_NODES: usize = 256;

impl Piece {
    #[inline]
    fn fits(&self, content: &[u8], plans: (PlanId, PlanId)) -> bool {
        self.plans == Some(plans) && self.shape.fits(content)
    }

    /// Takes the nodes of a tree, those from `first` on lying in `content`.
    fn take(&mut self, tree: &Tree, first: usize, content: &[u8], plans: (PlanId, PlanId)) {
        let sound = tree.problems.is_empty() && self.shape.take(&tree.nodes[first..], content, 4);
        self.plans = sound.then_some(plans);
        self.nodes.clear();
        self.nodes.extend_from_slice(&tree.nodes);
    }
}
