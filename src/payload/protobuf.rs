//! Messages of Protocol Buffers, read by a schema.
//!
//! A field is a leaf of tag, length and value together, as a string of Kafka is one with its length. A message within a message is a node
//! whose first child is its tag with its length, and so is a packed array. Fields that the schema does not know, or not so, are shown by how
//! they are spelled.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Deserialize;

use super::items;
use crate::schema::{Meaning, Meanings};
use crate::tree::{Flags, Kind, Limit, PlanId, Problem, ProblemKind, What, builtin};
use crate::wire::plan::{Item, Plan};
use crate::wire::primitive;
use crate::wire::protobuf::{Head, Wire, Wrong};
use crate::wire::sink::Sink;

/// The items that every schema has, before those of its fields.
const TAG: u16 = 0;
const UNKNOWN_VARINT: u16 = 1;
const UNKNOWN_FIXED64: u16 = 2;
const UNKNOWN_BYTES: u16 = 3;
const UNKNOWN_FIXED32: u16 = 4;
const ROOT: u16 = 5;

/// How deep messages may lie in each other. OTLP needs nine levels, and two more for each array in an attribute.
const MOST_DEPTH: usize = 32;

/// What messages look like.
#[derive(Debug)]
pub(crate) struct Schema {
    plan: Arc<Plan>,
    /// The first is the one that bytes begin with.
    messages: Vec<HashMap<u32, Field>>,
}

/// A field of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Field {
    /// Its item, or that of its elements.
    item: u16,
    /// The item of all of it, where it may come as a packed array.
    packed: Option<u16>,
    shape: Shape,
}

/// What a field has for a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// A message, by its place in the schema.
    Message(usize),
    /// Anything else: how it is spelled, and the kind of node that it is as an element of a packed array.
    Scalar(Wire, Kind),
}

/// A schema as a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SchemaFile {
    root: RootText,
    /// Names of meanings.
    enums: BTreeMap<String, String>,
    messages: BTreeMap<String, Vec<FieldText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RootText {
    #[serde(rename = "type")]
    type_name: String,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldText {
    number: u32,
    name: String,
    #[serde(rename = "type")]
    type_name: String,
    doc: String,
    meaning: Option<String>,
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// In words, what is wrong with it.
    pub(crate) fn read(text: &str) -> Result<Schema, String> {
        let file: SchemaFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let root = &file.root;
        let new = |name: &str, type_name: &str, doc: &str| {
            Item::new(name.into(), type_name.to_owned().into(), doc.into())
        };
        let mut items = vec![
            new("tag", "uvarint", ""),
            new("unknown", "varint", ""),
            new("unknown", "fixed64", ""),
            new("unknown", "bytes", ""),
            new("unknown", "fixed32", ""),
            new("", &root.type_name, &root.doc),
        ];
        let others = file.messages.keys().filter(|name| **name != root.type_name);
        let names: Vec<&String> = std::iter::once(&root.type_name).chain(others).collect();
        let mut messages = Vec::with_capacity(names.len());
        for message in &names {
            let texts = file.messages.get(*message).ok_or_else(|| format!("no message {message}"))?;
            let mut fields = HashMap::with_capacity(texts.len());
            for text in texts {
                let element = text.type_name.strip_prefix("[]").unwrap_or(&text.type_name);
                let position = names.iter().position(|name| *name == element);
                let shape = match (position, file.enums.contains_key(element)) {
                    (Some(message), _) => Shape::Message(message),
                    (None, true) => Shape::Scalar(Wire::Varint, Kind::Uvarint),
                    (None, false) => scalar(element).ok_or_else(|| format!("no type {element}"))?,
                };
                let meaning = text.meaning.as_ref().or(file.enums.get(element));
                let meaning = meaning.map(|name| named(name)).transpose()?;
                let may_be_packed = text.type_name != element && shape.may_be_packed();
                // What an array is need not be said of each element again.
                let doc = if may_be_packed { "" } else { &text.doc };
                let item = add(&mut items, new(&text.name, element, doc).with_meaning(meaning));
                let packed =
                    may_be_packed.then(|| add(&mut items, new(&text.name, &text.type_name, &text.doc)));
                if fields.insert(text.number, Field { item, packed, shape }).is_some() {
                    return Err(format!("field {} of {message} comes twice", text.number));
                }
            }
            messages.push(fields);
        }
        Ok(Schema { plan: items::plan(&root.type_name, items), messages })
    }
}

fn named(meaning: &str) -> Result<&'static Meaning, String> {
    Meanings::get().named(meaning).ok_or_else(|| format!("no meaning {meaning}"))
}

fn add(items: &mut Vec<Item>, item: Item) -> u16 {
    items.push(item);
    // A schema has a few hundred items.
    (items.len() - 1) as u16
}

/// What a type is, if it is no message; `None` if there is none of this name. It has those that are needed so far.
fn scalar(name: &str) -> Option<Shape> {
    Some(match name {
        "string" | "bytes" => Shape::Scalar(Wire::Bytes, Kind::Raw),
        "bool" => Shape::Scalar(Wire::Varint, Kind::Bool),
        "int64" | "uint32" | "uint64" => Shape::Scalar(Wire::Varint, Kind::Uvarint),
        "sint32" => Shape::Scalar(Wire::Varint, Kind::Varint),
        "fixed64" => Shape::Scalar(Wire::Fixed64, Kind::LittleUint),
        "sfixed64" => Shape::Scalar(Wire::Fixed64, Kind::LittleInt),
        "double" => Shape::Scalar(Wire::Fixed64, Kind::LittleFloat),
        _ => return None,
    })
}

impl Shape {
    fn wire(self) -> Wire {
        match self {
            Shape::Message(_) => Wire::Bytes,
            Shape::Scalar(wire, _) => wire,
        }
    }

    fn may_be_packed(self) -> bool {
        self.wire() != Wire::Bytes
    }
}

/// Makes nodes of the message in bytes that begin at an offset: one node that covers all of them. False if there are none, or the sink
/// does not care; then there are no nodes.
pub(crate) fn message<S: Sink>(bytes: &[u8], start: usize, schema: &'static Schema, sink: &mut S) -> bool {
    if bytes.is_empty() {
        return false;
    }
    let Some(plan) = sink.inner_plan(&schema.plan) else { return false };
    let (end, limit) = (start + bytes.len(), Limit::Field { length: bytes.len() as u64 });
    let mut walk = Walk { rest: bytes, end, limit, cut: false, schema, plan, sink };
    walk.node(Kind::Struct, ROOT, |walk| walk.fields(0, 0));
    true
}

/// A place in a message, and how far it may be read.
struct Walk<'w, S> {
    rest: &'w [u8],
    /// The offset at which `rest` ends.
    end: usize,
    /// Why it ends there.
    limit: Limit,
    /// Whether more should be there, which has been said.
    cut: bool,
    schema: &'static Schema,
    plan: PlanId,
    sink: &'w mut S,
}

/// The walk cannot go on; why has been said.
struct Stopped;

impl<S: Sink> Walk<'_, S> {
    fn pos(&self) -> usize {
        self.end - self.rest.len()
    }

    fn leaf(&mut self, kind: Kind, flags: Flags, item: u16, len: usize) {
        self.sink.leaf(What::new(kind, flags, item).in_plan(self.plan), self.pos(), len);
        self.rest = &self.rest[len..];
    }

    fn node<T>(&mut self, kind: Kind, item: u16, read: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.sink.open(What::new(kind, Flags::NONE, item).in_plan(self.plan), self.pos());
        let result = read(self);
        self.sink.close(mark, self.pos());
        result
    }

    fn remark(&mut self, item: u16, kind: ProblemKind) {
        let (plan, offset) = (self.plan, self.pos() as u32);
        self.sink.problem(Problem { kind, node: 0, offset, plan, item, element: None, in_payload: true });
    }

    /// Says what is wrong here, unless it is only that more should be there.
    fn stop(&mut self, item: u16, kind: ProblemKind) -> Stopped {
        let is_end = matches!(kind, ProblemKind::Short { .. } | ProblemKind::Length { .. });
        if !(self.cut && is_end) {
            self.remark(item, kind);
        }
        Stopped
    }

    fn short(&mut self, item: u16, wanted: u64) -> Stopped {
        let found = self.rest.len() as u64;
        self.stop(item, ProblemKind::Short { wanted, found, limit: self.limit })
    }

    /// All that is left, as the fields of a message.
    fn fields(&mut self, message: usize, depth: usize) {
        while !self.rest.is_empty() {
            if self.field(message, depth).is_err() {
                break;
            }
        }
        self.undecoded();
    }

    fn undecoded(&mut self) {
        if !self.rest.is_empty() {
            let len = self.rest.len();
            self.sink.leaf(What::new(Kind::Raw, Flags::NONE, builtin::UNDECODED), self.pos(), len);
            self.rest = &[];
        }
    }

    fn field(&mut self, message: usize, depth: usize) -> Result<(), Stopped> {
        let head = match Head::read(self.rest) {
            Ok(head) => head,
            Err(Wrong::Short) => return Err(self.short(TAG, self.rest.len() as u64 + 1)),
            Err(wrong) => {
                let what = match wrong {
                    Wrong::Number => "this is no tag: a field has a number from 1 to 536870911",
                    Wrong::WireType => {
                        "this is no tag: a value is spelled as varint (0), fixed64 (1), bytes (2) or fixed32 (5)"
                    }
                    Wrong::TooLong | Wrong::Short => TOO_LONG,
                };
                return Err(self.stop(TAG, ProblemKind::Protobuf { what }));
            }
        };
        let known = self.schema.messages[message].get(&head.number).copied();
        match known {
            Some(Field { item, shape: Shape::Message(inner), .. }) if head.wire == Wire::Bytes => {
                if depth < MOST_DEPTH {
                    return self.part(Kind::Struct, item, head, |walk| walk.fields(inner, depth + 1));
                }
                self.remark(item, ProblemKind::TooDeep { levels: MOST_DEPTH as u32 });
                self.value(item, head)
            }
            Some(Field { item, packed: Some(array), shape: Shape::Scalar(wire, kind) })
                if head.wire == Wire::Bytes =>
            {
                self.part(Kind::Array, array, head, |walk| walk.elements(item, wire, kind))
            }
            Some(Field { item, shape, .. }) if shape.wire() == head.wire => self.value(item, head),
            _ => {
                if let Some(field) = known {
                    self.remark(field.item, ProblemKind::WireType { wire: head.wire.name() });
                }
                let item = match head.wire {
                    Wire::Varint => UNKNOWN_VARINT,
                    Wire::Fixed64 => UNKNOWN_FIXED64,
                    Wire::Bytes => UNKNOWN_BYTES,
                    Wire::Fixed32 => UNKNOWN_FIXED32,
                };
                self.value(item, head)
            }
        }
    }

    /// How many bytes of a value are there, if not all.
    fn missing(&self, head: Head) -> Option<u64> {
        let found = (self.rest.len() - head.len) as u64;
        (head.value_len > found).then_some(found)
    }

    /// A field in one leaf.
    fn value(&mut self, item: u16, head: Head) -> Result<(), Stopped> {
        match self.missing(head) {
            Some(found) if head.wire == Wire::Bytes => {
                let (claimed, limit) = (head.value_len, self.limit);
                Err(self.stop(item, ProblemKind::Length { claimed, found, limit }))
            }
            Some(_) => Err(self.short(item, head.len as u64 + head.value_len)),
            None => {
                self.leaf(Kind::Protobuf, Flags::NONE, item, head.len + head.value_len as usize);
                Ok(())
            }
        }
    }

    /// A field with something in it: its tag with its length, and what `read` finds in what there is of it.
    fn part(
        &mut self,
        kind: Kind,
        item: u16,
        head: Head,
        read: impl FnOnce(&mut Walk<'_, S>),
    ) -> Result<(), Stopped> {
        let missing = self.missing(head);
        self.node(kind, item, |walk| {
            walk.leaf(Kind::ProtobufTag, Flags::NONE, TAG, head.len);
            let mut result = Ok(());
            if let Some(found) = missing {
                let (claimed, limit) = (head.value_len, walk.limit);
                result = Err(walk.stop(item, ProblemKind::Length { claimed, found, limit }));
            }
            let len = missing.unwrap_or(head.value_len) as usize;
            let (inner, rest) = walk.rest.split_at(len);
            read(&mut Walk {
                rest: inner,
                end: walk.pos() + len,
                limit: Limit::Field { length: head.value_len },
                cut: walk.cut || missing.is_some(),
                schema: walk.schema,
                plan: walk.plan,
                sink: &mut *walk.sink,
            });
            walk.rest = rest;
            result
        })
    }

    /// All that is left, as the elements of a packed array.
    fn elements(&mut self, item: u16, wire: Wire, kind: Kind) {
        while !self.rest.is_empty() {
            let len = match wire {
                Wire::Varint => match primitive::uvarlong(self.rest).map_err(Wrong::from) {
                    Ok((rest, _)) => self.rest.len() - rest.len(),
                    Err(Wrong::Short) => {
                        self.short(item, self.rest.len() as u64 + 1);
                        break;
                    }
                    Err(_) => {
                        self.stop(item, ProblemKind::Protobuf { what: TOO_LONG });
                        break;
                    }
                },
                Wire::Fixed32 => 4,
                _ => 8,
            };
            if len > self.rest.len() {
                self.short(item, len as u64);
                break;
            }
            self.leaf(kind, Flags::ELEMENT, item, len);
        }
        self.undecoded();
    }
}

const TOO_LONG: &str = "a varint has at most 10 bytes and 64 bits, this one goes on";
