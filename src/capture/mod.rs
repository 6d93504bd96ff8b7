//! Captures: from packets to messages.
//!
//! ```text
//! files --file--> packets --layers--> TCP segments --tcp--> streams --framing--> frames --session--> messages
//! ```
//!
//! - [`mod@file`]: pcap and pcapng, compressed or not, packet by packet.
//! - [`layers`]: what lies between a packet's first byte and its TCP segment.
//! - [`tcp`]: from segments to the bytes of each connection's two directions, in order.
//! - [`framing`]: frames in a stream, and where the next one begins when that is lost.
//! - [`Exchange`]: each response with its request.
//! - [`Session`]: all of it together.

mod connection;
mod exchange;
pub mod file;
mod filter;
pub mod framing;
pub mod layers;
mod message;
mod remark;
mod segment;
mod session;
mod summary;
pub mod tcp;
#[cfg(test)]
mod testing;
pub mod tls;
mod topic_names;

pub use exchange::{Exchange, Origin, Waiting};
pub use file::{Packet, PacketReader};
pub use filter::{Filter, Host};
pub use layers::Layers;
pub use message::{Latency, Message, RequestNote};
pub use remark::Remark;
pub use segment::{Endpoint, Segment, Time};
pub use session::{Output, Session, Settings};
pub use summary::{FirstError, Summary};
pub use topic_names::TopicNames;
