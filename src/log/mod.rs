//! The files that a broker keeps on its disk. Each partition has a folder, `orders-0`, and in it for each segment of its log
//!
//! - `00000000000000000000.log`: the batches, one after the other, as they went over the wire. The name is the offset of the first,
//! - `.index` and `.timeindex`: where in the segment an offset or a time is, for some of them,
//! - `.txnindex`: the transactions that were aborted,
//! - `.snapshot`: what the broker knows of each producer up to the offset in the name,
//!
//! and besides `leader-epoch-checkpoint` and `partition.metadata`. The metadata log of KRaft has `OFFSET-EPOCH.checkpoint` too, whose content
//! is that of a segment, and `quorum-state`. What concerns all partitions lies in the folder above: `meta.properties` and checkpoints
//! of offsets.
//!
//! [`LogFile`] tells what a file is by its name, [`content`] by what is in it. A segment is read batch by batch ([`Segment`]), a binary
//! index entry by entry ([`Index`]), each into a [`Tree`](crate::tree::Tree) that is used again; the text files are small and read at once
//! ([`text::Lines`]).

pub mod content;
mod facts;
mod index;
mod names;
mod segment;
mod summary;
pub mod text;
mod window;

pub use facts::EntryFacts;
pub use index::{CHECKSUM, Index, RELATIVE_OFFSET};
pub use names::{LogFile, LogFileKind, TextKind};
pub use segment::{MOST_OF_A_BATCH, Segment};
pub use summary::Summary;

use crate::tree::{Flags, Kind, What, builtin};

/// A part of a file. The parts tile it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The offset of its first byte in the file.
    pub start: u64,
    /// How many bytes it has.
    pub len: u64,
}

/// What a part of a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// What the tree has: a batch or message, or an entry of an index.
    Tree,
    /// Zeros up to the end: room that was set aside and is not used yet.
    Padding,
    /// What could not be decoded, up to the end. The tree says why.
    Undecoded,
}

/// The root of a part's tree. It stands for the file, of which there are other parts, and is not shown.
const ROOT: What = What::new(Kind::Message, Flags::NONE, builtin::RECORD_BYTES);
