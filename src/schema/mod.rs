//! Definitions: what each message looks like in each version, as data.

pub mod catalogue;
pub mod definition;
pub mod meanings;
pub mod read;
pub mod rules;
pub mod source;
pub mod versions;

mod comments;

pub use catalogue::{Api, Catalogue, Definition, Direction};
pub use definition::{CommonStruct, Field, FieldDefault, FieldType, Message, MessageKind};
pub use meanings::{Absence, Meaning, MeaningKind, Meanings};
pub use read::{SchemaError, read_message};
pub use rules::{HeaderVersion, Rules, Unanswered};
pub use versions::Versions;
