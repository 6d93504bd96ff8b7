//! A plan: a definition and a version, compiled to a flat list of steps that a walk goes through.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::value::Value;
use crate::payload::{Format, Secrecy, Slot};
use crate::schema::{Absence, Meaning, MessageKind, Versions};
use crate::tree::{Flags, Kind, Node, What};

/// A definition in one version, ready to be walked.
#[derive(Debug)]
pub struct Plan {
    /// Kafka's name for the message, such as `FetchRequest`.
    pub name: String,
    /// What it describes.
    pub kind: MessageKind,
    /// The API key or record type.
    pub api_key: Option<i16>,
    /// The version.
    pub version: i16,
    /// Whether the version is flexible.
    pub flexible: bool,
    /// What is known of each field. A node refers to one by its index.
    pub items: Vec<Item>,
    /// The steps of all structures, each structure's in one piece.
    pub steps: Vec<Step>,
    /// The segments of all structures, each structure's in one piece.
    pub segments: Vec<Segment>,
    /// Nodes of segments, as if each segment began at offset 0.
    pub templates: Vec<Node>,
    /// The tagged fields of all structures, each structure's in one piece and by ascending tag.
    pub tagged: Vec<Tagged>,
    /// Tags that a structure has in other versions only, each structure's in one piece.
    pub foreign: Vec<Foreign>,
    /// The structures; the first is the message itself.
    pub bodies: Vec<Body>,
    /// The arrays.
    pub arrays: Vec<ArrayPlan>,
    /// Whether it has ids of topics beside their names.
    pub names_topics: bool,
}

/// A field, an element of an array, or the message itself: what can be said about its nodes.
#[derive(Debug)]
pub struct Item {
    /// Its name.
    pub name: Arc<str>,
    /// Its type, as the tree shows it.
    pub type_name: Cow<'static, str>,
    /// Its doc, whole.
    pub doc: Arc<str>,
    /// What its values mean.
    pub meaning: Option<&'static Meaning>,
    /// What null and empty mean, for an array.
    pub absence: Option<&'static Absence>,
    /// The versions that have the field.
    pub versions: Versions,
    /// Whether it identifies an element of the array it is in.
    pub map_key: bool,
    /// What it names; for an array, what its elements name.
    pub entity: Option<Entity>,
    /// What later payloads need of it.
    pub(crate) slot: Option<Slot>,
    /// What it carries.
    pub(crate) format: Option<Format>,
    /// Whether its value is secret.
    pub(crate) secrecy: Secrecy,
    /// What a message without the field is taken to say, where that is not the default of its type.
    pub default: Option<Value>,
    /// What the tree shows of it, made when it is first shown.
    texts: OnceLock<Texts>,
    /// Its name in JSON, made when it is first needed.
    json_name: OnceLock<Box<str>>,
}

/// What a field names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entity {
    /// A topic.
    Topic,
    /// A topic, by its id.
    TopicId,
    /// A group.
    Group,
}

/// What the tree shows of an item.
#[derive(Debug)]
struct Texts {
    label: Box<str>,
    short_doc: Box<str>,
}

/// A doc of up to this many characters is shown whole …
const DOC_WHOLE: usize = 78;
/// … and a longer one is cut after this many.
const DOC_CUT: usize = 75;

impl Item {
    /// An item with no meaning attached.
    pub fn new(name: Arc<str>, type_name: Cow<'static, str>, doc: Arc<str>) -> Item {
        Item {
            name,
            type_name,
            doc,
            meaning: None,
            absence: None,
            versions: Versions::ALL,
            map_key: false,
            entity: None,
            slot: None,
            format: None,
            secrecy: Secrecy::None,
            default: None,
            texts: OnceLock::new(),
            json_name: OnceLock::new(),
        }
    }

    /// Whether how it is read, or how later fields are, depends on more than its type.
    pub(crate) fn is_bound(&self) -> bool {
        self.slot.is_some() || self.format.is_some() || self.secrecy != Secrecy::None
    }

    /// The same item with a meaning of its values.
    pub fn with_meaning(self, meaning: Option<&'static Meaning>) -> Item {
        Item { meaning, ..self }
    }

    /// `name type`, as a line of the tree begins.
    #[inline]
    pub fn label(&self) -> &str {
        &self.texts().label
    }

    /// Its doc as far as the tree shows it, after one space; empty where there is none.
    #[inline]
    pub fn short_doc(&self) -> &str {
        &self.texts().short_doc
    }

    /// Its name as Kafka's JSON has it: the first letter is lowered, the others are as they are.
    pub fn json_name(&self) -> &str {
        self.json_name.get_or_init(|| lower_first(&self.name).into())
    }

    #[inline]
    fn texts(&self) -> &Texts {
        self.texts.get_or_init(|| {
            let (name, type_name) = (&*self.name, &*self.type_name);
            let label = match (name.is_empty(), type_name.is_empty()) {
                (true, _) => type_name.into(),
                (_, true) => name.into(),
                _ => format!("{name} {type_name}").into(),
            };
            Texts { label, short_doc: short_doc(&self.doc).into() }
        })
    }
}

/// A name with its first letter lowered.
pub(crate) fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

fn short_doc(doc: &str) -> String {
    if doc.is_empty() {
        return String::new();
    }
    match doc.char_indices().nth(DOC_WHOLE) {
        None => format!(" {doc}"),
        Some(_) => {
            let cut = doc.char_indices().nth(DOC_CUT).map_or(doc.len(), |(at, _)| at);
            format!(" {}...", doc[..cut].trim_end())
        }
    }
}

/// One thing to read.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// How to read it.
    pub op: Op,
    /// Whether lengths are uvarints, one more than they say; of a structure that may be null, whether a uvarint tells if it is there.
    pub compact: bool,
    /// Whether it may be null.
    pub nullable: bool,
    /// Its item.
    pub item: u16,
    /// The structure or array it is, as an index into [`Plan::bodies`] or [`Plan::arrays`].
    pub target: u16,
}

impl Step {
    /// The node that the step makes of a value of fixed size, as if it began at offset 0.
    pub fn template(&self, flags: Flags) -> Option<Node> {
        let (size, kind) = (self.op.fixed_size()?, self.op.fixed_kind()?);
        Some(Node::new(0, size, 1, What::new(kind, flags, self.item)))
    }
}

/// How to read something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// One byte, 0 or 1.
    Bool,
    /// A signed byte.
    Int8,
    /// Two bytes, signed.
    Int16,
    /// Two bytes, unsigned.
    Uint16,
    /// Four bytes, signed.
    Int32,
    /// Four bytes, unsigned.
    Uint32,
    /// Eight bytes, signed.
    Int64,
    /// Eight bytes, IEEE 754.
    Float64,
    /// Sixteen bytes.
    Uuid,
    /// A length (int16, or uvarint if compact), then that many bytes of UTF-8.
    String,
    /// A length (int32, or uvarint if compact), then that many bytes.
    Bytes,
    /// Like bytes, and what is in them is record batches.
    Records,
    /// The fields of [`Step::target`]; if it may be null, an int8 before them.
    Struct,
    /// A count (int32, or uvarint if compact), then that many elements.
    Array,
}

impl Op {
    /// The kind of node that a value of fixed size becomes.
    fn fixed_kind(self) -> Option<Kind> {
        match self {
            Op::Bool => Some(Kind::Bool),
            Op::Int8 | Op::Int16 | Op::Int32 | Op::Int64 => Some(Kind::Int),
            Op::Uint16 | Op::Uint32 => Some(Kind::Uint),
            Op::Float64 => Some(Kind::Float),
            Op::Uuid => Some(Kind::Uuid),
            Op::String | Op::Bytes | Op::Records | Op::Struct | Op::Array => None,
        }
    }

    /// How many bytes values have that all have the same size.
    pub fn fixed_size(self) -> Option<usize> {
        match self {
            Op::Bool | Op::Int8 => Some(1),
            Op::Int16 | Op::Uint16 => Some(2),
            Op::Int32 | Op::Uint32 => Some(4),
            Op::Int64 | Op::Float64 => Some(8),
            Op::Uuid => Some(16),
            Op::String | Op::Bytes | Op::Records | Op::Struct | Op::Array => None,
        }
    }
}

/// A structure: a piece of [`Plan::steps`], then tagged fields if the version is flexible.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The first step.
    pub first_step: u32,
    /// The step after the last.
    pub end_step: u32,
    /// The first of its segments.
    pub first_segment: u32,
    /// The segment after the last.
    pub end_segment: u32,
    /// The first of its tagged fields in [`Plan::tagged`].
    pub first_tagged: u32,
    /// The one after the last.
    pub end_tagged: u32,
    /// The first of its foreign tags in [`Plan::foreign`].
    pub first_foreign: u32,
    /// The one after the last.
    pub end_foreign: u32,
    /// Whether it ends in tagged fields.
    pub flexible: bool,
    /// Whether it has fields that carry formats of their own, or say how to read them: how it is read depends on their values.
    pub bound: bool,
    /// The fewest bytes it can have.
    pub min_size: u32,
}

/// A stretch of a structure's steps: a run of fields of fixed size, or one other field.
///
/// It has at hand what a walk needs if there is nothing to be said about the bytes, which is nearly always so. Otherwise the walk
/// goes through the steps.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// What it is.
    pub kind: SegmentKind,
    /// Whether its length is a uvarint, one more than it says.
    pub compact: bool,
    /// Whether it may be null.
    pub nullable: bool,
    /// Its node, of a string or an array.
    pub what: What,
    /// The first step.
    pub first_step: u32,
    /// The step after the last.
    pub end_step: u32,
    /// The nodes of a run, or that of an element, in [`Plan::templates`].
    pub first_template: u32,
    /// The structure that an element is, in [`Plan::bodies`].
    pub body: u16,
    /// How many bytes a run has, or an element at the least.
    pub size: u32,
}

/// What a segment is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SegmentKind {
    /// Fields of fixed size, one after the other.
    Run,
    /// A bool.
    Bool,
    /// A string.
    String,
    /// Bytes.
    Bytes,
    /// An array of elements of fixed size.
    FixedArray,
    /// An array of structures.
    StructArray,
    /// Any other field.
    Field,
}

/// An array: how to read its elements.
#[derive(Clone, Copy, Debug)]
pub struct ArrayPlan {
    /// Reads one element.
    pub element: Step,
    /// The fewest bytes an element can have; 1 for a structure without fields, so that counts stay bounded.
    pub min_size: u32,
    /// The node of an element of fixed size, as if it began at offset 0.
    pub template: Option<Node>,
}

/// A tagged field.
#[derive(Clone, Copy, Debug)]
pub struct Tagged {
    /// Its tag.
    pub tag: u32,
    /// Reads its value.
    pub step: Step,
}

/// A tag that other versions of a structure have.
#[derive(Clone, Copy, Debug)]
pub struct Foreign {
    /// The tag.
    pub tag: u32,
    /// The field: its versions are those in which it is tagged.
    pub item: u16,
}

impl Plan {
    /// The steps of a structure.
    #[inline]
    pub fn steps_of(&self, body: &Body) -> &[Step] {
        &self.steps[body.first_step as usize..body.end_step as usize]
    }

    /// The segments of a structure.
    #[inline]
    pub fn segments_of(&self, body: &Body) -> &[Segment] {
        &self.segments[body.first_segment as usize..body.end_segment as usize]
    }

    /// The nodes of a run.
    #[inline]
    pub fn templates_of(&self, run: &Segment) -> &[Node] {
        let first = run.first_template as usize;
        &self.templates[first..first + (run.end_step - run.first_step) as usize]
    }

    /// The tagged fields of a structure.
    pub fn tagged_of(&self, body: &Body) -> &[Tagged] {
        &self.tagged[body.first_tagged as usize..body.end_tagged as usize]
    }

    /// The tags that a structure has in other versions.
    pub fn foreign_of(&self, body: &Body) -> &[Foreign] {
        &self.foreign[body.first_foreign as usize..body.end_foreign as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::short_doc;

    #[test]
    fn docs_are_cut_as_the_documentation_cuts_them() {
        assert_eq!(short_doc(""), "");
        assert_eq!(short_doc("two words"), " two words");
        assert_eq!(short_doc(&"x".repeat(78)), format!(" {}", "x".repeat(78)));
        assert_eq!(short_doc(&"x".repeat(79)), format!(" {}...", "x".repeat(75)));
        assert_eq!(short_doc(&format!("{} and more", "é".repeat(74))), format!(" {}...", "é".repeat(74)));
    }
}
