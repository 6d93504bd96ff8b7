//! What is in a records field: record batches (magic 2, KIP-98) and the messages before them (magic 0 and 1, KIP-32), one after
//! the other and in any mixture. The format is that of each entry; the version of the message that carries them says nothing about it.

mod attributes;
mod base;
mod batch;
mod compressed;
pub mod compression;
mod control;
mod encode;
mod inside;
mod message;
mod reader;
pub mod value;

pub use base::{RecordBase, SetBase};
pub(crate) use compressed::decompressed;
pub use encode::{EncodeError, encode};

use crate::payload::Topic;
use crate::tree::{Flags, Kind, Limit, ProblemKind, What, builtin};
use crate::wire::sink::Sink;
use reader::{Reader, Stopped};

/// Every entry begins with an offset of eight bytes and a length of four.
const OFFSET_AND_LENGTH: usize = 12;
/// The place in an entry where its format stands.
pub const MAGIC_AT: usize = 16;

/// A format: the item of its entries, and the fewest bytes that they have after their length.
type Format = (u16, u32);
/// The fewest bytes after its length that an entry of any format has.
const LEAST: u32 = message::FORMAT.1;

/// Whether all of the last entry must be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It must.
    Whole,
    /// It need not: a broker fills a response up to the limit that was asked for.
    UpToLimit,
    /// The input ends here, as the caller says.
    Cut,
}

/// What is known of records before they are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Whether all of the last entry must be there.
    pub ending: Ending,
    /// The topic whose records these are; `None` for one whose records are anybody's.
    pub topic: Option<Topic>,
}

impl From<Ending> for Source {
    fn from(ending: Ending) -> Source {
        Source { ending, topic: None }
    }
}

/// Walks the entries of a records field, `bytes`, which begin at an offset of the frame. All of them are accounted for.
pub fn entries<S: Sink>(bytes: &[u8], start: usize, source: impl Into<Source>, sink: &mut S) {
    let source = source.into();
    let mut at = 0;
    while at < bytes.len() {
        at += entry(&bytes[at..], start + at, source, sink);
    }
}

/// Walks the entry that `bytes` begin with. Returns how many bytes it has, at least one.
fn entry<S: Sink>(bytes: &[u8], start: usize, source: Source, sink: &mut S) -> usize {
    let mut reader = Reader::new(bytes, start, sink);
    reader.topic = source.topic;
    next_entry(&mut reader, source.ending);
    bytes.len() - reader.rest.len()
}

/// Walks an entry of a compressed message set, of which all that is left is in `reader`. `magic` is that of the message which it is in.
fn entry_of_set<S: Sink>(reader: &mut Reader<'_, S>, magic: u8) {
    if let Some(found) = reader.rest.get(MAGIC_AT).filter(|found| **found != magic && **found <= 2) {
        let mixed = ProblemKind::MixedMagic { outer: magic as i8, inner: *found as i8 };
        reader.remark(builtin::MAGIC, MAGIC_AT, mixed);
    }
    let ending = if reader.cut { Ending::Cut } else { Ending::Whole };
    next_entry(reader, ending);
}

/// Walks the next entry, and at least one byte.
fn next_entry<S: Sink>(reader: &mut Reader<'_, S>, ending: Ending) {
    let bytes = reader.rest;
    let found = bytes.len() as u64;
    let partial = |claimed| {
        let usual = ending == Ending::UpToLimit;
        (ending != Ending::Cut).then_some(ProblemKind::PartialBatch { claimed, found, usual })
    };
    let Some(head) = bytes.first_chunk::<OFFSET_AND_LENGTH>() else {
        return beginning(reader, partial(None));
    };
    let [.., a, b, c, d] = *head;
    let length = i32::from_be_bytes([a, b, c, d]);
    let Some(length) = u32::try_from(length).ok().filter(|length| *length >= LEAST) else {
        reader.remark(builtin::BATCH_LENGTH, 8, ProblemKind::BatchLength { length, least: LEAST });
        return reader.raw(builtin::RECORD_BYTES);
    };
    let claimed = OFFSET_AND_LENGTH as u64 + u64::from(length);
    let len = usize::try_from(claimed).unwrap_or(usize::MAX);
    let magic = bytes.get(MAGIC_AT).copied();
    let partial = if len > bytes.len() { partial(Some(claimed)) } else { None };
    if magic.is_none() {
        return beginning(reader, partial);
    }
    let mut entry = reader.part(len, Limit::Batch { length });
    match magic {
        Some(0 | 1) => known(entry, message::FORMAT, length, partial, message::fields),
        Some(2) => known(entry, batch::FORMAT, length, partial, batch::fields),
        magic => {
            let magic = magic.unwrap_or(0) as i8;
            entry.remark(builtin::MAGIC, MAGIC_AT, ProblemKind::Magic { magic });
            entry.raw(builtin::RECORD_BYTES);
        }
    }
}

/// Walks an entry of a format that is known. `partial` is what to say if not all of it is there.
fn known<S: Sink>(
    mut reader: Reader<'_, S>,
    (item, least): Format,
    length: u32,
    partial: Option<ProblemKind>,
    fields: impl FnOnce(&mut Reader<'_, S>) -> Result<(), Stopped>,
) {
    let start = reader.pos();
    let entry = |reader: &mut Reader<'_, S>| {
        if length < least {
            let length = length as i32;
            reader.remark(builtin::BATCH_LENGTH, 8, ProblemKind::BatchLength { length, least });
        } else if fields(reader).is_ok() && !reader.cut {
            reader.rest(builtin::BATCH_REST);
        }
        reader.undecoded(builtin::BATCH_REST);
        if let Some(partial) = partial {
            reader.remark_at(item, start, partial);
        }
    };
    reader.node(What::new(Kind::Batch, Flags::NONE, item), entry);
}

/// The beginning of an entry of which not even the format is there.
fn beginning<S: Sink>(reader: &mut Reader<'_, S>, problem: Option<ProblemKind>) {
    if let Some(problem) = problem {
        reader.remark(builtin::PARTIAL, 0, problem);
    }
    reader.raw(builtin::PARTIAL);
}

/// A field of fixed size.
type Fixed = (Kind, u16, usize);
