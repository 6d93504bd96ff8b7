//! Captures: from packets to messages.

mod exchange;
mod segment;
mod summary;
mod topic_names;

pub use exchange::{Exchange, Origin, Waiting};
pub use segment::{Endpoint, Segment, Time};
pub use summary::{FirstError, Summary};
pub use topic_names::TopicNames;
