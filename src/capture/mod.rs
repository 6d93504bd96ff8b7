//! Captures: from packets to messages.
//!
//! ```text
//! files --file--> packets --layers--> TCP segments
//! ```
//!
//! - [`mod@file`]: pcap and pcapng, compressed or not, packet by packet.
//! - [`layers`]: what lies between a packet's first byte and its TCP segment.

pub mod file;
pub mod layers;
mod segment;

pub use file::{Packet, PacketReader};
pub use layers::Layers;
pub use segment::{Endpoint, Segment, Time};
