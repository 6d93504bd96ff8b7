//! Captures: from packets to messages.

mod segment;

pub use segment::{Endpoint, Segment, Time};
