//! A message definition in memory: what one of Kafka's JSON files says.

use std::fmt;
use std::sync::Arc;

use super::versions::Versions;

/// What a definition describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MessageKind {
    /// The body of a request.
    Request,
    /// The body of a response.
    Response,
    /// The header of a request or a response.
    Header,
    /// A structure that is kept or sent inside something else (a subscription, a control record …).
    Data,
    /// A record of the cluster metadata log.
    Metadata,
    /// The key of a record that a coordinator writes to its internal topic.
    CoordinatorKey,
    /// The value of a record that a coordinator writes to its internal topic.
    CoordinatorValue,
}

impl MessageKind {
    /// Every kind.
    pub const ALL: [MessageKind; 7] = [
        MessageKind::Request,
        MessageKind::Response,
        MessageKind::Header,
        MessageKind::Data,
        MessageKind::Metadata,
        MessageKind::CoordinatorKey,
        MessageKind::CoordinatorValue,
    ];

    /// The word that a definition file has in `type`.
    pub fn word(self) -> &'static str {
        match self {
            MessageKind::Request => "request",
            MessageKind::Response => "response",
            MessageKind::Header => "header",
            MessageKind::Data => "data",
            MessageKind::Metadata => "metadata",
            MessageKind::CoordinatorKey => "coordinator-key",
            MessageKind::CoordinatorValue => "coordinator-value",
        }
    }

    /// The kind for a definition file's `type`.
    pub fn from_word(word: &str) -> Option<MessageKind> {
        MessageKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// One definition: a message and all its versions.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// Kafka's name for it, such as `FetchRequest`.
    pub name: String,
    /// What it describes.
    pub kind: MessageKind,
    /// What it is for, in our own words; empty for requests and responses, where [`super::ApiHistory`] tells it.
    pub about: Arc<str>,
    /// The API key of a request or response; the record type of a metadata or coordinator record.
    pub api_key: Option<i16>,
    /// Which listeners serve it (`broker`, `controller`, `zkBroker`); requests only.
    pub listeners: Vec<String>,
    /// The versions that it has. Empty for an API that Kafka removed altogether.
    pub valid_versions: Versions,
    /// The versions that Kafka discourages.
    pub deprecated_versions: Versions,
    /// The versions with compact lengths and tagged fields (KIP-482).
    pub flexible_versions: Versions,
    /// Whether the highest version may still change.
    pub latest_version_unstable: bool,
    /// Its fields, in the order of the wire.
    pub fields: Vec<Field>,
    /// Structures that several fields share.
    pub common_structs: Vec<CommonStruct>,
}

impl Message {
    /// The fields of the structure called `name`, wherever it is defined.
    pub fn struct_fields<'m>(&'m self, field: &'m Field) -> Option<&'m [Field]> {
        if !field.fields.is_empty() {
            return Some(&field.fields);
        }
        let name = field.field_type.struct_name()?;
        self.common_structs.iter().find(|common| common.name == name).map(|common| common.fields.as_slice())
    }
}

/// A structure that several fields of a message share (`commonStructs`).
#[derive(Clone, PartialEq, Debug)]
pub struct CommonStruct {
    /// The name that fields refer to it by.
    pub name: String,
    /// The versions that use it.
    pub versions: Versions,
    /// Its fields, in the order of the wire.
    pub fields: Vec<Field>,
}

/// A field of a message or structure.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Kafka's name for it, such as `TopicId`.
    pub name: Arc<str>,
    /// Its type.
    pub field_type: FieldType,
    /// The versions that have it.
    pub versions: Versions,
    /// The versions in which it may be null.
    pub nullable_versions: Versions,
    /// The versions in which it is a tagged field.
    pub tagged_versions: Versions,
    /// Its tag, where it is a tagged field.
    pub tag: Option<u32>,
    /// The versions in which it has compact lengths, where that differs from the message's.
    pub flexible_versions: Option<Versions>,
    /// Whether a version without it may drop its value silently.
    pub ignorable: bool,
    /// Whether it identifies an element of the array it is in.
    pub map_key: bool,
    /// Whether Kafka's own code keeps it as a slice of the input.
    pub zero_copy: bool,
    /// What a version without it is taken to say, as the file spells it.
    pub default: Option<FieldDefault>,
    /// What the value refers to (`topicName`, `brokerId` …).
    pub entity_type: Option<String>,
    /// What it means, in a sentence or two.
    pub about: Arc<str>,
    /// The fields of the structure that it holds, if it is defined in place.
    pub fields: Vec<Field>,
}

/// A default, as the file spells it: `"-1"` and `-1` mean the same, and are kept apart only for rewriting.
#[derive(Clone, Debug)]
pub enum FieldDefault {
    /// Between quotes.
    Text(String),
    /// Without quotes: a number, `true`, `false` or `null`.
    Bare(String),
}

impl FieldDefault {
    /// The value as text, however it was spelled.
    pub fn text(&self) -> &str {
        match self {
            FieldDefault::Text(text) | FieldDefault::Bare(text) => text,
        }
    }
}

impl PartialEq for FieldDefault {
    fn eq(&self, other: &FieldDefault) -> bool {
        self.text() == other.text()
    }
}

/// The type of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldType {
    /// One byte, 0 or 1.
    Bool,
    /// A signed byte.
    Int8,
    /// Two bytes, signed, big-endian.
    Int16,
    /// Two bytes, unsigned, big-endian.
    Uint16,
    /// Four bytes, signed, big-endian.
    Int32,
    /// Four bytes, unsigned, big-endian.
    Uint32,
    /// Eight bytes, signed, big-endian.
    Int64,
    /// Eight bytes, IEEE 754, big-endian.
    Float64,
    /// UTF-8 with a length before it.
    String,
    /// Sixteen bytes.
    Uuid,
    /// Bytes with a length before them.
    Bytes,
    /// Record batches or message sets with a length before them.
    Records,
    /// A structure, by name.
    Struct(String),
    /// A count, then that many elements.
    Array(Box<FieldType>),
}

/// The scalar types and the words that definition files have for them.
const SCALARS: [(&str, FieldType); 12] = [
    ("bool", FieldType::Bool),
    ("int8", FieldType::Int8),
    ("int16", FieldType::Int16),
    ("uint16", FieldType::Uint16),
    ("int32", FieldType::Int32),
    ("uint32", FieldType::Uint32),
    ("int64", FieldType::Int64),
    ("float64", FieldType::Float64),
    ("string", FieldType::String),
    ("uuid", FieldType::Uuid),
    ("bytes", FieldType::Bytes),
    ("records", FieldType::Records),
];

impl FieldType {
    /// Reads Kafka's notation (`int32`, `[]string`, `TopicData`). Returns `None` for what is no type:
    /// an unknown word in lower case, or an array of arrays.
    pub fn parse(text: &str) -> Option<FieldType> {
        if let Some(element) = text.strip_prefix("[]") {
            return match FieldType::parse(element)? {
                FieldType::Array(_) => None,
                element => Some(FieldType::Array(Box::new(element))),
            };
        }
        if let Some((_, scalar)) = SCALARS.iter().find(|(word, _)| *word == text) {
            return Some(scalar.clone());
        }
        let is_struct_name = text.starts_with(|first: char| first.is_ascii_uppercase())
            && text.bytes().all(|b| b.is_ascii_alphanumeric());
        is_struct_name.then(|| FieldType::Struct(text.to_owned()))
    }

    /// The word for a scalar type.
    pub fn scalar_word(&self) -> Option<&'static str> {
        SCALARS.iter().find(|(_, known)| known == self).map(|(word, _)| *word)
    }

    /// The structure's name, for a structure or an array of them.
    pub fn struct_name(&self) -> Option<&str> {
        match self {
            FieldType::Struct(name) => Some(name),
            FieldType::Array(element) => element.struct_name(),
            _ => None,
        }
    }

    /// Whether a value of this type may be null in some version.
    pub fn may_be_null(&self) -> bool {
        use FieldType::*;
        matches!(self, String | Bytes | Records | Struct(_) | Array(_))
    }
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldType::Struct(name) => f.write_str(name),
            FieldType::Array(element) => write!(f, "[]{element}"),
            scalar => f.write_str(scalar.scalar_word().unwrap_or("?")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_read_and_print_back() {
        for text in ["bool", "uint16", "float64", "records", "[]int32", "TopicData", "[]TopicData"] {
            assert_eq!(FieldType::parse(text).expect(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for text in ["", "[]", "[][]int32", "int24", "topicData", "Topic-Data", "[] int32"] {
            assert_eq!(FieldType::parse(text), None, "{text:?}");
        }
    }
}
