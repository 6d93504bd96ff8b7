//! Captures: from packets to messages.

pub mod framing;
mod segment;
pub mod tcp;
#[cfg(test)]
mod testing;

pub use segment::{Endpoint, Segment, Time};
