//! Captures: from packets to messages.

mod segment;
pub mod tcp;
#[cfg(test)]
mod testing;

pub use segment::{Endpoint, Segment, Time};
