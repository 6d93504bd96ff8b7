//! Captures: from packets to messages.
//!
//! ```text
//! segments --tcp--> the bytes of each direction --framing--> frames
//! ```

pub mod framing;
mod segment;
pub mod tcp;
#[cfg(test)]
mod testing;

pub use segment::{Endpoint, Segment, Time};
