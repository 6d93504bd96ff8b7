//! What ends the reading of a capture file.

use std::io;

use super::MOST_OF_A_PACKET;

/// Why nothing more can be read from a capture file.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The file cannot be read or decompressed.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// There are no bytes.
    #[error("empty: not even the header of a capture")]
    Empty,
    /// The first bytes are not those of a capture.
    #[error("not a capture: it begins with neither the magic number of pcap nor that of pcapng")]
    NotACapture,
    /// The file ends before its header does.
    #[error("cut off: the header of a capture has {wanted} bytes, and there are {found}")]
    HeaderCut {
        /// The length of the header.
        wanted: usize,
        /// How many bytes there are.
        found: usize,
    },
    /// A packet of a pcap file has a length that none has, and nobody knows where the next one begins.
    #[error(
        "packet {packet}: captured length {length} is more than the {MOST_OF_A_PACKET} that a packet may have"
    )]
    PacketLength {
        /// The number of the packet.
        packet: u64,
        /// The length that it claims.
        length: u32,
    },
    /// A block has a length that leads nowhere.
    #[error("block {block}: total length {length} is less than the 12 bytes that every block has")]
    BlockLength {
        /// The number of the block, from 1 on.
        block: u64,
        /// The length that it claims.
        length: u32,
    },
    /// A section begins without a byte order.
    #[error(
        "block {block}: the byte-order magic of a section is 1a2b3c4d in one order or the other, not {magic:08x}"
    )]
    ByteOrder {
        /// The number of the block, from 1 on.
        block: u64,
        /// What stands in its place.
        magic: u32,
    },
}
