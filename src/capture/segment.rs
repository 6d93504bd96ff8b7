//! A TCP segment, as the layers below it left it.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

/// A point in time: nanoseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Time(pub i64);

/// One end of a connection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Endpoint {
    /// Its address.
    pub address: IpAddr,
    /// Its port.
    pub port: u16,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An IPv6 address stands in brackets.
        SocketAddr::new(self.address, self.port).fmt(f)
    }
}

/// A TCP segment of a packet (RFC 9293).
#[derive(Clone, Copy, Debug)]
pub struct Segment<'s> {
    /// The number of its packet in the capture, from 1 on; of the last one for a segment that came in fragments.
    pub packet: u64,
    /// When the packet was captured, if the capture says so.
    pub time: Option<Time>,
    /// Who sent it.
    pub source: Endpoint,
    /// Who it was sent to.
    pub destination: Endpoint,
    /// The sequence number of its first byte, or of SYN.
    pub sequence: u32,
    /// The sequence number that the sender expects next, if ACK is set.
    pub acknowledgment: Option<u32>,
    /// Whether it begins the connection.
    pub syn: bool,
    /// Whether its sender has nothing more to send.
    pub fin: bool,
    /// Whether it breaks the connection off.
    pub rst: bool,
    /// The data that was captured.
    pub payload: &'s [u8],
    /// How many bytes of data it had on the wire: more than [`Segment::payload`] has if the capture cut the packet.
    pub length: u32,
}
