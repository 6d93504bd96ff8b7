//! Values, apart from how they are spelled.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::Side;
use super::fields::{Name, elements, fields};
use super::shared::Shared;
use crate::tree::{Kind, Tree, builtin};

/// The value of a field that has no fields in it.
#[derive(PartialEq, Eq, Hash, Debug)]
pub enum Plain<'d> {
    Null,
    /// Integers and bools, whatever their width.
    Number(i64),
    /// Everything else.
    Bytes(&'d [u8]),
}

/// The value of the node at `index`; `None` for a structure or an array.
pub fn plain<'d>(side: Side<'d>, index: usize) -> Option<Plain<'d>> {
    let node = &side.tree.nodes[index];
    Some(match node.kind() {
        Kind::Struct | Kind::Array => return None,
        Kind::NullStruct | Kind::NullArray | Kind::NullRecords | Kind::NullString | Kind::NullBytes => {
            Plain::Null
        }
        Kind::Bool | Kind::Int | Kind::Uint => Plain::Number(node.int(side.data)),
        Kind::Uvarint => Plain::Number(node.uvarint(side.data).into()),
        _ => Plain::Bytes(content(side.tree, side.data, index)),
    })
}

/// The bytes of a value without its length, tag and size.
pub fn content<'d>(tree: &Tree, data: &'d [u8], index: usize) -> &'d [u8] {
    let node = &tree.nodes[index];
    match node.kind() {
        Kind::String | Kind::Bytes => &data[node.content(data)],
        // What follows the length is there even if it could not be decoded.
        Kind::Records | Kind::Payload => &data[tree.content_after_length(index)],
        Kind::UnknownTag => {
            let value = tree.children(index).find(|child| tree.nodes[*child].is_builtin(builtin::TAG_VALUE));
            value.map_or(&[], |value| tree.nodes[value].bytes(data))
        }
        _ => node.bytes(data),
    }
}

/// A number that is the same for two nodes whose values are, as far as both versions have their fields.
pub fn digest(side: Side<'_>, shared: &Shared, index: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash(side, shared, index, &mut hasher);
    hasher.finish()
}

fn hash(side: Side<'_>, shared: &Shared, index: usize, hasher: &mut DefaultHasher) {
    match plain(side, index) {
        Some(value) => value.hash(hasher),
        None if side.tree.nodes[index].kind() == Kind::Array => {
            let elements = elements(side.tree, index);
            elements.len().hash(hasher);
            for element in elements {
                hash(side, shared, element, hasher);
            }
        }
        None => {
            for field in fields(side.tree, side.data, index) {
                if shared.has(&side.tree.nodes[field.node]) {
                    match field.name {
                        Name::Known(name) => name.hash(hasher),
                        Name::Tag(tag) => tag.hash(hasher),
                    }
                    hash(side, shared, field.node, hasher);
                }
            }
        }
    }
}

/// The names and values of an element's map keys.
pub type MapKeys<'d> = Vec<(Name<'d>, Plain<'d>)>;

/// The map keys of an element, as far as both versions have them.
pub fn map_keys<'d>(side: Side<'d>, shared: &Shared, element: usize) -> MapKeys<'d> {
    if side.tree.nodes[element].kind() != Kind::Struct {
        return Vec::new();
    }
    let is_key = |node: usize| {
        let node = &side.tree.nodes[node];
        side.tree.item_of(node).map_key && shared.has(node)
    };
    let keys = fields(side.tree, side.data, element).into_iter().filter(|field| is_key(field.node));
    keys.filter_map(|field| Some((field.name, plain(side, field.node)?))).collect()
}
