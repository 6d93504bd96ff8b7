//! What is odd about a capture file and does not end it.

use std::fmt;

use super::MOST_OF_A_PACKET;

/// A remark on a place in a capture file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileNote {
    /// The number of the packet it is about, or of the last one before it.
    pub packet: u64,
    /// What it is.
    pub kind: FileNoteKind,
}

/// What is odd about a capture file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileNoteKind {
    /// The file ends within the packet. What there is of it was handed out.
    PacketCut {
        /// How many bytes were captured.
        wanted: u32,
        /// How many of them there are.
        found: u32,
    },
    /// The file ends within the head of a packet or within a block.
    FileCut {
        /// How many bytes there should be.
        wanted: u64,
        /// How many there are.
        found: u64,
    },
    /// More was captured of the packet than it had.
    MoreThanOriginal {
        /// How many bytes were captured.
        captured: u32,
        /// How many it had.
        original: u32,
    },
    /// A packet's block contradicts itself, and was skipped.
    BrokenPacket {
        /// The number of the block, from 1 on.
        block: u64,
    },
    /// A packet's block is longer than packets are, and was skipped.
    LongPacket {
        /// The number of the block, from 1 on.
        block: u64,
        /// Its length.
        length: u32,
    },
    /// A packet is of an interface that was not described, or whose description is broken. It was skipped.
    UnknownInterface {
        /// The number of the block, from 1 on.
        block: u64,
        /// The number of the interface, from 0 on.
        interface: u32,
    },
    /// A description of a section or interface contradicts itself.
    BrokenBlock {
        /// The number of the block, from 1 on.
        block: u64,
        /// Its type.
        block_type: u32,
    },
    /// There are more interfaces than anybody has. Packets of this one are skipped.
    TooManyInterfaces {
        /// The number of the block, from 1 on.
        block: u64,
    },
    /// There were more notes than fit.
    More {
        /// How many.
        notes: u64,
    },
}

impl FileNoteKind {
    /// Whether it is about its packet, not about what follows.
    fn is_about_packet(self) -> bool {
        match self {
            FileNoteKind::PacketCut { .. }
            | FileNoteKind::MoreThanOriginal { .. }
            | FileNoteKind::BrokenPacket { .. }
            | FileNoteKind::LongPacket { .. }
            | FileNoteKind::UnknownInterface { .. } => true,
            FileNoteKind::FileCut { .. }
            | FileNoteKind::BrokenBlock { .. }
            | FileNoteKind::TooManyInterfaces { .. }
            | FileNoteKind::More { .. } => false,
        }
    }
}

impl fmt::Display for FileNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind.is_about_packet(), self.packet) {
            (true, packet) => write!(f, "packet {packet}: {}", self.kind),
            (false, 0) => write!(f, "before the first packet: {}", self.kind),
            (false, packet) => write!(f, "after packet {packet}: {}", self.kind),
        }
    }
}

impl fmt::Display for FileNoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FileNoteKind::PacketCut { wanted, found } => {
                write!(f, "the file ends in it, after {found} of the {wanted} bytes that were captured")
            }
            FileNoteKind::FileCut { wanted, found } => {
                write!(f, "the file ends within a head or block, {found} of whose {wanted} bytes are there")
            }
            FileNoteKind::MoreThanOriginal { captured, original } => {
                write!(f, "{captured} bytes were captured of {original}; the larger number is used")
            }
            FileNoteKind::BrokenPacket { block } => {
                write!(f, "block {block} has lengths that contradict each other, and was skipped")
            }
            FileNoteKind::LongPacket { block, length } => {
                write!(
                    f,
                    "block {block} has {length} bytes, which is more than {MOST_OF_A_PACKET}, and was skipped"
                )
            }
            FileNoteKind::UnknownInterface { block, interface } => {
                write!(
                    f,
                    "block {block} is of interface {interface}, which is not described, and was skipped"
                )
            }
            FileNoteKind::BrokenBlock { block, block_type } => {
                write!(f, "block {block} of type {block_type} cannot be read, and was skipped")
            }
            FileNoteKind::TooManyInterfaces { block } => {
                write!(f, "block {block} describes one interface too many, and was skipped")
            }
            FileNoteKind::More { notes } => write!(f, "{notes} more remarks were left out"),
        }
    }
}
