//! Captures: from packets to messages.

mod exchange;
mod filter;
mod message;
mod segment;
mod summary;
pub mod tcp;
#[cfg(test)]
mod testing;
pub mod tls;
mod topic_names;

pub use exchange::{Exchange, Origin, Waiting};
pub use filter::{Filter, Host};
pub use message::{Latency, Message, RequestNote};
pub use segment::{Endpoint, Segment, Time};
pub use summary::{FirstError, Summary};
pub use topic_names::TopicNames;
