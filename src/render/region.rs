//! Regions: the parts of a frame that have a colour of their own, the same in every view.

use crate::schema::Direction;
use crate::tree::{Kind, Node, Tree};

/// A part of a frame, as the documentation's legend names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// The size field.
    Frame,
    /// The request or response header.
    Header,
    /// The body of a request.
    RequestBody,
    /// A record batch, or a message set.
    RecordBatch,
    /// A record.
    Record,
    /// The body of a response.
    ResponseBody,
    /// Tagged fields.
    TaggedFields,
}

impl Region {
    /// Every region, in the order of the legend.
    pub const ALL: [Region; 7] = [
        Region::Frame,
        Region::Header,
        Region::RequestBody,
        Region::RecordBatch,
        Region::Record,
        Region::ResponseBody,
        Region::TaggedFields,
    ];

    /// Its name in the legend.
    pub fn name(self) -> &'static str {
        match self {
            Region::Frame => "frame",
            Region::Header => "rpc header",
            Region::RequestBody => "request body",
            Region::RecordBatch => "RecordBatch",
            Region::Record => "Record",
            Region::ResponseBody => "response body",
            Region::TaggedFields => "tagged_fields",
        }
    }

    /// The region of a message's body.
    pub fn body(direction: Direction) -> Region {
        match direction {
            Direction::Request => Region::RequestBody,
            Direction::Response => Region::ResponseBody,
        }
    }

    /// The region that a node begins, given that of its parent.
    #[inline]
    pub fn of(node: &Node, parent: Region) -> Region {
        match node.kind() {
            Kind::Frame => Region::Frame,
            Kind::Header => Region::Header,
            Kind::TaggedFields => Region::TaggedFields,
            Kind::Records | Kind::NullRecords | Kind::Batch => Region::RecordBatch,
            Kind::Record => Region::Record,
            _ => parent,
        }
    }
}

/// Runs of bytes of one region: where each ends, and which it is.
pub fn region_runs(tree: &Tree, direction: Direction) -> Vec<(u32, Region)> {
    let mut runs: Vec<(u32, Region)> = Vec::new();
    // The regions of the ancestors, and the index of the node after their subtrees.
    let mut parents: Vec<(usize, Region)> = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        while parents.last().is_some_and(|(end, _)| *end <= index) {
            parents.pop();
        }
        let parent = parents.last().map_or(Region::body(direction), |(_, region)| *region);
        let region = Region::of(node, parent);
        if node.span() > 1 {
            parents.push((tree.end(index), region));
        }
        if !node.is_in_frame() || !tree.is_leaf(index) {
            continue;
        }
        match runs.last_mut() {
            Some((end, last)) if *last == region => *end = node.stop(),
            _ => runs.push((node.stop(), region)),
        }
    }
    runs
}
