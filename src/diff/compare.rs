//! The comparison: both trees are walked side by side.

use super::align::{Aligned, by_key, by_order};
use super::content::{MapKeys, content, digest, map_keys, plain};
use super::fields::{Field, elements, fields};
use super::shared::Shared;
use super::{Change, Comparison, Difference, NotComparable, Remark, Side};
use crate::tree::{FieldPath, Flags, Kind, Node, Tree, builtin};

/// The one field that differs between any two requests, as the header's definition calls it.
const CORRELATION_ID: &str = "correlation_id";

/// Compares two messages. Fields that have one of the names in `ignored` are left out, with all that is in them.
///
/// # Errors
/// If the messages are not of the same API and direction.
pub fn compare(a: Side<'_>, b: Side<'_>, ignored: &[String]) -> Result<Comparison, NotComparable> {
    let (Some(a_key), Some(b_key)) = (a.heading.api_key, b.heading.api_key) else {
        return Err(NotComparable::Unknown);
    };
    if a.heading.direction != b.heading.direction {
        return Err(NotComparable::Directions { a: a.heading.direction, b: b.heading.direction });
    }
    if a_key != b_key {
        return Err(NotComparable::Apis { a: a_key, b: b_key });
    }
    let mut comparer = Comparer {
        a: Half::new(a, b),
        b: Half::new(b, a),
        ignored,
        path: FieldPath::new(),
        found: Comparison::default(),
    };
    comparer.structures(0, 0);
    Ok(comparer.found)
}

/// One of the messages, and which of its fields the other one's version has.
struct Half<'s> {
    side: Side<'s>,
    shared: Shared,
}

impl<'s> Half<'s> {
    fn new(side: Side<'s>, other: Side<'_>) -> Half<'s> {
        let part = |tree: &Tree, kind| tree.children(0).find(|child| tree.nodes[*child].kind() == kind);
        let mut shared = Shared::default();
        for kind in [Kind::Header, Kind::Body] {
            if let Some(mine) = part(side.tree, kind) {
                let theirs = part(other.tree, kind);
                let plan = theirs.and_then(|theirs| other.tree.plan(other.tree.nodes[theirs].plan()));
                shared.add(side.tree, side.tree.nodes[mine].plan(), plan);
            }
        }
        Half { side, shared }
    }

    fn node(&self, index: usize) -> &'s Node {
        &self.side.tree.nodes[index]
    }

    /// The map keys of elements; `None` if one of them has none.
    fn keys(&self, elements: &[usize]) -> Option<Vec<MapKeys<'s>>> {
        let keys = elements.iter().map(|element| map_keys(self.side, &self.shared, *element));
        keys.map(|keys| (!keys.is_empty()).then_some(keys)).collect()
    }

    fn digests(&self, elements: &[usize]) -> Vec<u64> {
        elements.iter().map(|element| digest(self.side, &self.shared, *element)).collect()
    }

    fn is_correlation_id(&self, index: usize) -> bool {
        let node = self.node(index);
        node.flags().has(Flags::HEADER) && &*self.side.tree.item_of(node).name == CORRELATION_ID
    }

    /// Whether a node is the value of a tagged field.
    fn is_tagged(&self, index: usize) -> bool {
        index > 0 && self.node(index - 1).is_builtin(builtin::TAG_SIZE)
    }

    fn is_text_or_bytes(&self, index: usize) -> bool {
        let kind = self.node(index).kind();
        matches!(
            kind,
            Kind::String | Kind::Bytes | Kind::Records | Kind::Payload | Kind::Raw | Kind::UnknownTag
        )
    }
}

struct Comparer<'c> {
    a: Half<'c>,
    b: Half<'c>,
    ignored: &'c [String],
    path: FieldPath,
    found: Comparison,
}

impl Comparer<'_> {
    /// Compares the fields of two structures.
    fn structures(&mut self, a: usize, b: usize) {
        let (a_side, b_side) = (self.a.side, self.b.side);
        let a_fields = fields(a_side.tree, a_side.data, a);
        let b_fields = fields(b_side.tree, b_side.data, b);
        let names = |fields: &[Field<'_>]| -> Vec<String> {
            fields.iter().map(|field| field.name.to_string()).collect()
        };
        let (a_names, b_names) = (names(&a_fields), names(&b_fields));
        for aligned in by_key(&a_names, &b_names) {
            let (name, change) = match aligned {
                Aligned::Both(a, b) => (&a_names[a], Change::Value(a_fields[a].node, b_fields[b].node)),
                Aligned::OnlyA(a) => (&a_names[a], Change::OnlyA(a_fields[a].node)),
                Aligned::OnlyB(b) => (&b_names[b], Change::OnlyB(b_fields[b].node)),
            };
            if self.ignored.contains(name) {
                self.found.ignored += 1;
                continue;
            }
            let here = self.path.len();
            self.path.name(name);
            self.field(change);
            self.path.back_to(here);
        }
    }

    /// Compares the elements of two arrays.
    fn arrays(&mut self, a: usize, b: usize) {
        let a_elements = elements(self.a.side.tree, a);
        let b_elements = elements(self.b.side.tree, b);
        if a_elements.is_empty() && b_elements.is_empty() {
            self.found.equal += 1;
        }
        let a_keys = self.a.keys(&a_elements);
        let b_keys = self.b.keys(&b_elements);
        let aligned = match (a_keys, b_keys) {
            (Some(a_keys), Some(b_keys)) => by_key(&a_keys, &b_keys),
            _ => by_order(&self.a.digests(&a_elements), &self.b.digests(&b_elements)),
        };
        let partners = aligned.iter().filter_map(|aligned| match aligned {
            Aligned::Both(_, b) => Some(b),
            _ => None,
        });
        if !partners.is_sorted() {
            self.differ(Change::Order(a, b), None);
        }
        for aligned in aligned {
            let here = self.path.len();
            let change = match aligned {
                Aligned::Both(a, b) => {
                    if a == b {
                        self.path.element(a)
                    } else {
                        self.path.element(format_args!("{a}/{b}"))
                    }
                    Change::Value(a_elements[a], b_elements[b])
                }
                Aligned::OnlyA(a) => {
                    self.path.element(a);
                    Change::OnlyA(a_elements[a])
                }
                Aligned::OnlyB(b) => {
                    self.path.element(b);
                    Change::OnlyB(b_elements[b])
                }
            };
            self.field(change);
            self.path.back_to(here);
        }
        // What could not be decoded.
        self.structures(a, b);
    }

    /// Compares a field or element that both have, or says which one has it.
    fn field(&mut self, change: Change) {
        let (has_it, lacks_it, node) = match change {
            Change::Value(a, b) | Change::Order(a, b) => return self.values(a, b),
            Change::OnlyA(a) => (&self.a, &self.b, a),
            Change::OnlyB(b) => (&self.b, &self.a, b),
        };
        let remark = if !has_it.shared.has(has_it.node(node)) {
            lacks_it.side.heading.api_version.map(Remark::NotInVersion)
        } else {
            has_it.is_tagged(node).then_some(Remark::TagLeftOut)
        };
        self.differ(change, remark);
    }

    fn values(&mut self, a: usize, b: usize) {
        match (plain(self.a.side, a), plain(self.b.side, b)) {
            (None, None) => match (self.a.node(a).kind(), self.b.node(b).kind()) {
                (Kind::Array, Kind::Array) => self.arrays(a, b),
                // A version may have made an array of what was a structure.
                (Kind::Array, _) | (_, Kind::Array) => self.differ(Change::Value(a, b), None),
                _ => self.structures(a, b),
            },
            (Some(a_value), Some(b_value)) if a_value == b_value => self.found.equal += 1,
            _ => {
                let remark = if self.a.is_correlation_id(a) {
                    Some(Remark::Expected)
                } else if self.a.is_text_or_bytes(a) && self.b.is_text_or_bytes(b) {
                    Some(Remark::FirstByte(self.first_byte(a, b)))
                } else {
                    None
                };
                self.differ(Change::Value(a, b), remark);
            }
        }
    }

    fn first_byte(&self, a: usize, b: usize) -> usize {
        let (a_side, b_side) = (self.a.side, self.b.side);
        let a = content(a_side.tree, a_side.data, a);
        let b = content(b_side.tree, b_side.data, b);
        a.iter().zip(b).take_while(|(a, b)| a == b).count()
    }

    fn differ(&mut self, change: Change, remark: Option<Remark>) {
        self.found.differences.push(Difference { path: self.path.as_str().to_owned(), change, remark });
    }
}
