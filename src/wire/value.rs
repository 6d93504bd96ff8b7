//! Values apart from their bytes: what an encoder needs, and what a tree says when its spelling does not matter.

use super::plan::{Body, Op, Plan, Step};
use crate::tree::{Flags, Kind, Node, Tree};

/// The value of a field or element.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Null.
    Null,
    /// A bool.
    Bool(bool),
    /// An integer of any type.
    Int(i64),
    /// A float64.
    Float(f64),
    /// A uuid.
    Uuid([u8; 16]),
    /// The bytes of a string, UTF-8 if all is well, or of a bytes or records field.
    Bytes(Vec<u8>),
    /// The elements of an array.
    Array(Vec<Value>),
    /// A structure.
    Struct(Struct),
}

/// The values of a structure's fields.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Struct {
    /// One for each of the structure's steps, in their order.
    pub fields: Vec<Value>,
    /// The tagged fields that are there, in the order of the wire.
    pub tagged: Vec<(u32, TaggedValue)>,
}

/// The values of fields, each from what it is made of.
///
/// ```
/// use kdissect::values;
/// use kdissect::wire::value::Value;
///
/// assert_eq!(values!["orders", -1, Value::Null], [Value::Bytes(b"orders".to_vec()), Value::Int(-1), Value::Null]);
/// ```
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::wire::value::Value::from($value)),*]
    };
}

macro_rules! from {
    ($($from:ty, $value:ident => $as:expr;)*) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Value {
                $as
            }
        })*
    };
}

from! {
    bool, flag => Value::Bool(flag);
    i64, number => Value::Int(number);
    f64, number => Value::Float(number);
    [u8; 16], uuid => Value::Uuid(uuid);
    Vec<u8>, bytes => Value::Bytes(bytes);
    &[u8], bytes => Value::Bytes(bytes.to_vec());
    &str, text => Value::Bytes(text.into());
    String, text => Value::Bytes(text.into());
    Vec<Value>, elements => Value::Array(elements);
    Struct, fields => Value::Struct(fields);
}

/// `None` is null.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

/// An array.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Value {
        Value::Array(elements.into_iter().map(Into::into).collect())
    }
}

/// A structure without tagged fields.
impl From<Vec<Value>> for Struct {
    fn from(fields: Vec<Value>) -> Struct {
        Struct { fields, tagged: Vec::new() }
    }
}

/// The value of a tagged field.
#[derive(Clone, PartialEq, Debug)]
pub enum TaggedValue {
    /// Of a tag that the definition knows in this version.
    Known(Value),
    /// Of any other: its bytes.
    Unknown(Vec<u8>),
}

/// Takes the values out of a tree.
///
/// `node` is a body, a header or a structure that `plan` describes as `body`. Returns `None` if something in it could not be
/// decoded.
pub fn struct_from_tree(tree: &Tree, data: &[u8], node: usize, plan: &Plan, body: &Body) -> Option<Struct> {
    let reader = TreeReader { tree, data, plan };
    reader.structure(node, body)
}

struct TreeReader<'t> {
    tree: &'t Tree,
    data: &'t [u8],
    plan: &'t Plan,
}

impl TreeReader<'_> {
    /// The children of a node that stand for bytes.
    fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        self.tree.children(node).filter(|child| self.tree.nodes[*child].kind().covers_bytes())
    }

    fn structure(&self, node: usize, body: &Body) -> Option<Struct> {
        let mut children = self.children(node).peekable();
        let mut result = Struct::default();
        // The byte that says that a structure which may be null is there; it is no field.
        children.next_if(|child| self.tree.nodes[*child].is_presence());
        for step in self.plan.steps_of(body) {
            result.fields.push(self.value(children.next()?, step)?);
        }
        if body.flexible {
            result.tagged = self.tagged(children.next()?, body)?;
        }
        children.next().is_none().then_some(result)
    }

    fn value(&self, index: usize, step: &Step) -> Option<Value> {
        let node = &self.tree.nodes[index];
        Some(match node.kind() {
            Kind::NullStruct | Kind::NullArray | Kind::NullRecords | Kind::NullString | Kind::NullBytes => {
                Value::Null
            }
            Kind::Bool => Value::Bool(node.int(self.data) != 0),
            Kind::Int | Kind::Uint => Value::Int(node.int(self.data)),
            Kind::Float => Value::Float(node.float(self.data)),
            Kind::Uuid => Value::Uuid(node.bytes(self.data).try_into().ok()?),
            Kind::String | Kind::Bytes => Value::Bytes(self.content(node)?),
            Kind::Records | Kind::Payload => {
                Value::Bytes(self.tail(node, usize::try_from(self.tree.count(index, self.data)?).ok()?)?)
            }
            Kind::Struct => {
                Value::Struct(self.structure(index, &self.plan.bodies[usize::from(step.target)])?)
            }
            Kind::Array => {
                let element = &self.plan.arrays.get(usize::from(step.target))?.element;
                let elements =
                    self.children(index).filter(|child| self.tree.nodes[*child].flags().has(Flags::ELEMENT));
                let elements: Option<Vec<Value>> = elements.map(|child| self.value(child, element)).collect();
                let elements = elements?;
                if Some(elements.len() as u64) != self.tree.count(index, self.data) {
                    return None;
                }
                Value::Array(elements)
            }
            _ => return None,
        })
    }

    fn content(&self, node: &Node) -> Option<Vec<u8>> {
        self.data.get(node.content(self.data)).map(<[u8]>::to_vec)
    }

    /// The last `len` bytes of a node.
    fn tail(&self, node: &Node, len: usize) -> Option<Vec<u8>> {
        let stop = node.stop() as usize;
        self.data.get(stop.checked_sub(len)?..stop).map(<[u8]>::to_vec)
    }

    fn tagged(&self, node: usize, body: &Body) -> Option<Vec<(u32, TaggedValue)>> {
        let fields = self.plan.tagged_of(body);
        let tags = self.children(node).filter(|child| self.tree.nodes[*child].kind() != Kind::Uvarint);
        tags.map(|index| {
            let tag = self.tree.nodes[index].uvarint(self.data);
            // After its tag and size.
            let value = self.children(index).nth(2);
            let known = fields.iter().find(|field| field.tag == tag);
            let value = match (known, value) {
                (Some(field), Some(value)) => TaggedValue::Known(self.value(value, &field.step)?),
                (Some(_), None) => return None,
                (None, Some(value)) => {
                    let node = &self.tree.nodes[value];
                    TaggedValue::Unknown(self.tail(node, node.len() as usize)?)
                }
                (None, None) => TaggedValue::Unknown(Vec::new()),
            };
            Some((tag, value))
        })
        .collect()
    }
}

/// The type of a step, for messages about values that do not fit it.
pub fn type_word(op: Op) -> &'static str {
    match op {
        Op::Bool => "bool",
        Op::Int8 => "int8",
        Op::Int16 => "int16",
        Op::Uint16 => "uint16",
        Op::Int32 => "int32",
        Op::Uint32 => "uint32",
        Op::Int64 => "int64",
        Op::Float64 => "float64",
        Op::Uuid => "uuid",
        Op::String => "string",
        Op::Bytes => "bytes",
        Op::Records => "records",
        Op::Struct => "struct",
        Op::Array => "array",
    }
}
