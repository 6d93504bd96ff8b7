//! The fields of a structure, apart from how they are laid out.

use std::fmt;

use crate::tree::{Flags, Kind, Tree, builtin};

/// What a field goes by among the fields of its structure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Name<'t> {
    /// A field that the definition knows, or a piece that could not be decoded.
    Known(&'t str),
    /// A tagged field that it does not know.
    Tag(u32),
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Known(name) => f.write_str(name),
            Name::Tag(tag) => write!(f, "tag {tag}"),
        }
    }
}

/// A field of a structure, and its node.
#[derive(Clone, Copy, Debug)]
pub struct Field<'t> {
    pub name: Name<'t>,
    pub node: usize,
}

/// The fields of a structure, header, body or message, in the order of the wire. Tagged fields stand with the others, so that a field
/// may be tagged in one version and not in the next. Those of a header and a body are the message's. An array has only what could
/// not be decoded.
pub fn fields<'t>(tree: &'t Tree, data: &[u8], structure: usize) -> Vec<Field<'t>> {
    let mut found = Vec::new();
    collect(&mut found, tree, data, structure);
    found
}

fn collect<'t>(found: &mut Vec<Field<'t>>, tree: &'t Tree, data: &[u8], parent: usize) {
    for index in tree.children(parent) {
        let node = &tree.nodes[index];
        match node.kind() {
            Kind::Frame | Kind::Problem => {}
            _ if node.flags().has(Flags::ELEMENT) => {}
            Kind::Header | Kind::Body | Kind::TaggedFields | Kind::Tag => collect(found, tree, data, index),
            Kind::UnknownTag => found.push(Field { name: Name::Tag(node.uvarint(data)), node: index }),
            _ if is_spelling(tree, index) => {}
            _ => found.push(Field { name: Name::Known(&tree.item_of(node).name), node: index }),
        }
    }
}

/// The elements of an array.
pub fn elements(tree: &Tree, array: usize) -> Vec<usize> {
    tree.children(array).filter(|child| tree.nodes[*child].flags().has(Flags::ELEMENT)).collect()
}

/// Whether a node says only how something is laid out: lengths, counts, tags, and whether a structure is there.
fn is_spelling(tree: &Tree, index: usize) -> bool {
    let node = &tree.nodes[index];
    node.kind() == Kind::Length
        || node.is_presence()
        || [builtin::TAG_COUNT, builtin::TAG_NUMBER, builtin::TAG_SIZE]
            .iter()
            .any(|item| node.is_builtin(*item))
}
