//! The fields of a structure as the members of a JSON object.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::records::RecordsJson;
use super::text::JsonText;
use crate::schema::Rules;
use crate::tree::{Data, Flags, Kind, Node, PlanId, ProblemKind, Tree, builtin};
use crate::wire::plan::{Body, Plan};

/// How much of something could be decoded, and was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// All of it.
    Whole,
    /// A part, and nothing that comes after it.
    Part,
}

/// Writes fields that a plan describes.
pub struct Fields<'f, W> {
    pub tree: &'f Tree,
    pub data: Data<'f>,
    pub plan: &'f Plan,
    pub show_secrets: bool,
    pub json: &'f mut JsonText<W>,
}

/// Where the parts of a tagged field are.
struct Tag<'f> {
    index: usize,
    tag: u32,
    /// The node of its value, if it has a name and could be decoded.
    value: Option<usize>,
    /// The bytes of its value.
    bytes: &'f [u8],
    /// Whether the input ends before its value does.
    cut: bool,
}

impl<'f, W: Write> Fields<'f, W> {
    /// The children of a node that stand for bytes.
    fn children(&self, node: usize) -> impl Iterator<Item = usize> + use<'f, W> {
        let tree = self.tree;
        tree.children(node).filter(|child| tree.nodes[*child].kind().covers_bytes())
    }

    fn node(&self, index: usize) -> &'f Node {
        &self.tree.nodes[index]
    }

    /// An object with the fields of a structure, which `body` describes.
    pub fn structure(&mut self, index: usize, body: &Body) -> io::Result<Reach> {
        self.json.open(b'{')?;
        let reach = self.members(index, body)?;
        self.json.close(b'}')?;
        Ok(reach)
    }

    fn members(&mut self, index: usize, body: &Body) -> io::Result<Reach> {
        let plan = self.plan;
        let mut children = self.children(index).peekable();
        // The byte that says that a structure which may be null is there, and what stands before the fields of a payload, are no fields.
        while children.next_if(|child| self.is_before_fields(*child)).is_some() {}
        for step in plan.steps_of(body) {
            let Some(child) = children.next().filter(|child| self.is_there(*child)) else {
                return Ok(Reach::Part);
            };
            self.json.key(plan.items[usize::from(step.item)].json_name())?;
            if self.value(child, step.target)? == Reach::Part {
                return Ok(Reach::Part);
            }
        }
        if !body.flexible {
            return Ok(Reach::Whole);
        }
        match children.next().filter(|child| self.node(*child).kind() == Kind::TaggedFields) {
            Some(tagged) => self.tagged(tagged, body),
            None => Ok(Reach::Part),
        }
    }

    /// Whether a node tells something of the structure that it begins, and is no field of it.
    fn is_before_fields(&self, index: usize) -> bool {
        let node = self.node(index);
        node.plan() == PlanId::BUILTIN && !matches!(node.kind(), Kind::TaggedFields | Kind::Raw)
    }

    /// Whether a node is a value that there is something to be written of.
    fn is_there(&self, index: usize) -> bool {
        match self.node(index).kind() {
            Kind::Raw => false,
            // Their bytes are worth little in part, and will be among those that were not decoded.
            Kind::Records | Kind::Payload => {
                let found = self.tree.content_after_length(index).len() as u64;
                self.tree.count(index, self.data) == Some(found)
            }
            _ => true,
        }
    }

    /// A value. `target` is the structure or array that it is, as in its step.
    fn value(&mut self, index: usize, target: u16) -> io::Result<Reach> {
        let (node, data) = (self.node(index), self.data);
        if node.flags().has(Flags::SECRET) && self.hides(index) {
            return self.hidden(index);
        }
        match node.kind() {
            Kind::Payload if self.hides(index) => return self.hidden(index),
            Kind::Bool => self.json.bool(node.int(data) != 0)?,
            Kind::Int | Kind::Uint => self.json.int(node.int(data))?,
            Kind::Float => self.json.float(node.float(data))?,
            Kind::Uuid => self.json.uuid(node.bytes(data))?,
            Kind::String => self.json.text(data.slice(node.content(data)))?,
            Kind::Bytes => self.json.base64(data.slice(node.content(data)))?,
            Kind::Records if Rules::get().unaligned_records(&self.plan.name).is_none() => {
                let Fields { tree, show_secrets, .. } = *self;
                RecordsJson { tree, data, show_secrets, json: &mut *self.json }.field(index)?;
            }
            Kind::Records | Kind::Payload => {
                self.json.base64(data.slice(self.tree.content_after_length(index)))?
            }
            Kind::Struct => return self.structure(index, &self.plan.bodies[usize::from(target)]),
            Kind::Array => return self.array(index, target),
            _ => self.json.null()?,
        }
        Ok(Reach::Whole)
    }

    /// Whether there is something in a node that must not be seen.
    fn hides(&self, index: usize) -> bool {
        !self.show_secrets && self.tree.holds_secret(index)
    }

    /// What stands for a value that must not be seen. That there is none is no secret.
    fn hidden(&mut self, index: usize) -> io::Result<Reach> {
        match self.node(index).kind() {
            Kind::NullStruct | Kind::NullArray | Kind::NullRecords | Kind::NullString | Kind::NullBytes => {
                self.json.null()?
            }
            Kind::String | Kind::Bytes | Kind::Payload => {
                let content = self.tree.content(index, self.data);
                self.json.hidden(content.map_or(0, <[u8]>::len))?;
            }
            _ => self.json.hidden(self.node(index).len() as usize)?,
        }
        Ok(Reach::Whole)
    }

    fn array(&mut self, index: usize, target: u16) -> io::Result<Reach> {
        let element = self.plan.arrays[usize::from(target)].element;
        let tree = self.tree;
        self.json.open(b'[')?;
        let (mut count, mut reach) = (0, Reach::Whole);
        for child in self.children(index).filter(|child| tree.nodes[*child].flags().has(Flags::ELEMENT)) {
            reach = self.value(child, element.target)?;
            count += 1;
        }
        self.json.close(b']')?;
        // Only the last element can be there in part.
        let all = tree.count(index, self.data) == Some(count);
        Ok(if all { reach } else { Reach::Part })
    }

    /// The tagged fields at the end of a structure: by their names, and then those that have none.
    pub fn tagged(&mut self, index: usize, body: &Body) -> io::Result<Reach> {
        let claimed = self.node(index).uvarint(self.data);
        if claimed == 0 {
            return Ok(Reach::Whole);
        }
        let tree = self.tree;
        let is_tag = |child: &usize| matches!(tree.nodes[*child].kind(), Kind::Tag | Kind::UnknownTag);
        let (mut found, mut reach) = (0, Reach::Whole);
        let (mut named, mut nameless) = (BTreeSet::new(), Vec::new());
        for child in self.children(index).filter(is_tag) {
            found += 1;
            let Some(tag) = self.tag(child) else {
                reach = Reach::Part;
                break;
            };
            let field = self.plan.tagged_of(body).iter().find(|field| field.tag == tag.tag).copied();
            match (field, tag.value) {
                (Some(field), Some(value)) if named.insert(tag.tag) => {
                    self.json.key(self.plan.items[usize::from(field.step.item)].json_name())?;
                    reach = self.value(value, field.step.target)?;
                }
                _ if tag.cut => reach = Reach::Part,
                _ => nameless.push(tag),
            }
        }
        if !nameless.is_empty() {
            self.json.key("_unknownTaggedFields")?;
            self.json.open(b'[')?;
            for Tag { index, tag, bytes, .. } in nameless {
                self.json.open(b'{')?;
                self.json.key("tag")?;
                self.json.int(tag.into())?;
                self.json.key("data")?;
                match self.hides(index) {
                    true => self.json.hidden(bytes.len())?,
                    false => self.json.base64(bytes)?,
                }
                self.json.close(b'}')?;
            }
            self.json.close(b']')?;
        }
        Ok(if found == claimed { reach } else { Reach::Part })
    }

    /// The parts of a tagged field; `None` if its size is not there.
    fn tag(&self, index: usize) -> Option<Tag<'f>> {
        let node = self.node(index);
        let mut children = self.children(index);
        let (number, size) = (self.node(children.next()?), self.node(children.next()?));
        if !size.is_builtin(builtin::TAG_SIZE) {
            return None;
        }
        let bytes = self.data.slice(size.stop() as usize..node.stop() as usize);
        let cut = (bytes.len() as u64) < u64::from(size.uvarint(self.data));
        let value = children.next().filter(|value| node.kind() == Kind::Tag && self.is_there(*value));
        let mut tag = Tag { index, tag: number.uvarint(self.data), value, bytes, cut };
        // Of a value that was cut off, what there is is shown. Any other that could not be decoded is shown as its bytes.
        if !cut && self.is_broken(&tag) {
            tag.value = None;
        }
        Some(tag)
    }

    /// Whether something within a tagged field kept it from being decoded to its last byte.
    fn is_broken(&self, tag: &Tag<'_>) -> bool {
        use ProblemKind::*;
        (tag.index..self.tree.end(tag.index)).any(|index| {
            self.node(index).kind() == Kind::Problem
                && self.tree.problem(index).is_some_and(|problem| {
                    matches!(
                        problem.kind,
                        Short { .. }
                            | LongVarint
                            | Length { .. }
                            | Count { .. }
                            | NegativeLength { .. }
                            | Presence { .. }
                            | TagRest { .. }
                    )
                })
        })
    }
}
