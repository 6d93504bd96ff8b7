//! Definitions: what each message looks like in each version, as data.

pub mod definition;
pub mod read;
pub mod versions;

pub mod source;

mod comments;

pub use definition::{CommonStruct, Field, FieldDefault, FieldType, Message, MessageKind};
pub use read::{SchemaError, read_message};
pub use versions::Versions;
