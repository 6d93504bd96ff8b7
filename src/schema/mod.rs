//! Definitions: what each message looks like in each version, as data.

pub mod catalogue;
pub mod definition;
pub mod history;
pub mod meanings;
pub mod overview;
pub mod read;
pub mod rules;
pub mod source;
pub mod versions;

mod comments;

pub use catalogue::{Api, Catalogue, Definition, Direction};
pub use definition::{CommonStruct, Field, FieldDefault, FieldType, Message, MessageKind};
pub use history::{ApiHistory, History};
pub use meanings::{Absence, Meaning, MeaningKind, Meanings};
pub use overview::{Overview, VersionOverview};
pub use read::{SchemaError, read_message};
pub use rules::{HeaderVersion, Rules, Unanswered};
pub use versions::Versions;
