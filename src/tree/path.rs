//! Paths to fields, such as `Topics[1].Partitions[0].LeaderId`.

use std::fmt::{self, Write as _};

use super::{Flags, Kind, Node, Tree};

/// The way from a message to one of its fields: names, and the places of elements in their arrays.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FieldPath {
    text: String,
}

impl FieldPath {
    /// The path of the message itself, which is empty.
    pub fn new() -> FieldPath {
        FieldPath::default()
    }

    /// Goes to the field called `name`.
    pub fn name(&mut self, name: &str) {
        if !self.text.is_empty() && !name.is_empty() {
            self.text.push('.');
        }
        self.text.push_str(name);
    }

    /// Goes to an element of the array that the path leads to.
    pub fn element(&mut self, place: impl fmt::Display) {
        // Nothing can go wrong with a string.
        write!(self.text, "[{place}]").unwrap_or(());
    }

    /// Goes on to a child of the node that the path leads to; `place` is how many elements come before it.
    ///
    /// What only frames or carries fields has no name of its own in a path: header, body, tags.
    pub fn child(&mut self, tree: &Tree, child: &Node, place: usize) {
        match child.kind() {
            Kind::Message | Kind::Header | Kind::Body | Kind::Frame => {}
            Kind::TaggedFields | Kind::Tag | Kind::UnknownTag => {}
            Kind::Record => {
                self.name("Record");
                self.element(place);
            }
            // Entries of a file, of which the tree has some. The offset tells which.
            Kind::Struct if child.flags().has(Flags::ELEMENT) && tree.item_of(child).type_name.is_empty() => {
                self.name(&tree.item_of(child).name)
            }
            _ if child.flags().has(Flags::ELEMENT) => self.element(place),
            _ => self.name(&tree.item_of(child).name),
        }
    }

    /// The path, with a dot between names.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How long it is, for [`FieldPath::back_to`].
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether it leads nowhere.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Goes back to where the path was `len` long.
    pub fn back_to(&mut self, len: usize) {
        self.text.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_grow_and_shrink() {
        let mut path = FieldPath::new();
        path.name("Topics");
        path.element(1);
        let topic = path.len();
        path.name("Partitions");
        path.element("0/2");
        path.name("LeaderId");
        assert_eq!(path.as_str(), "Topics[1].Partitions[0/2].LeaderId");
        path.back_to(topic);
        path.name("");
        assert_eq!(path.as_str(), "Topics[1]");
    }
}
