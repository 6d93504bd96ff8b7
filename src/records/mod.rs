//! What is in a records field: record batches (magic 2, KIP-98) and the messages before them (magic 0 and 1, KIP-32), one after
//! the other and in any mixture. The format is that of each entry; the version of the message that carries them says nothing about it.

mod attributes;
mod base;
mod batch;
mod control;
mod inside;
mod message;
mod reader;

pub use base::RecordBase;

use crate::tree::{Kind, ProblemKind, builtin};
use crate::wire::sink::Sink;
use reader::Reader;

/// Every entry begins with an offset of eight bytes and a length of four.
const OFFSET_AND_LENGTH: usize = 12;
/// The place in an entry where its format stands.
pub const MAGIC_AT: usize = 16;
/// The fewest bytes after its length that any entry has: a message of magic 0 without key and value.
const LEAST: u32 = 14;

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

/// Whether all of an entry is there.
enum Extent {
    Whole,
    /// The beginning, and what is to be said about that.
    Cut(Option<ProblemKind>),
}

/// Walks the entries of a records field, `bytes`, which begin at an offset of the frame. All of them are accounted for.
pub fn entries<S: Sink>(bytes: &[u8], start: usize, ending: Ending, sink: &mut S) {
    let mut at = 0;
    while at < bytes.len() {
        at += entry(&bytes[at..], start + at, ending, sink);
    }
}

/// Walks the entry that `bytes` begin with. Returns how many bytes it has, at least one.
fn entry<S: Sink>(bytes: &[u8], start: usize, ending: Ending, sink: &mut S) -> usize {
    let found = bytes.len() as u64;
    let partial = |claimed| {
        let usual = ending == Ending::UpToLimit;
        (ending != Ending::Cut).then_some(ProblemKind::PartialBatch { claimed, found, usual })
    };
    let Some(head) = bytes.first_chunk::<OFFSET_AND_LENGTH>() else {
        return beginning(bytes, start, partial(None), sink);
    };
    let [.., a, b, c, d] = *head;
    let length = i32::from_be_bytes([a, b, c, d]);
    let Some(length) = u32::try_from(length).ok().filter(|length| *length >= LEAST) else {
        let mut reader = Reader::new(bytes, start, sink);
        reader.remark(builtin::BATCH_LENGTH, 8, ProblemKind::BatchLength { length, least: LEAST });
        reader.raw(builtin::RECORD_BYTES);
        return bytes.len();
    };
    let claimed = OFFSET_AND_LENGTH as u64 + u64::from(length);
    let whole = usize::try_from(claimed).ok().and_then(|claimed| bytes.get(..claimed));
    let (entry, extent) = match whole {
        Some(entry) => (entry, Extent::Whole),
        None => (bytes, Extent::Cut(partial(Some(claimed)))),
    };
    match (entry.get(MAGIC_AT), extent) {
        (Some(0 | 1), extent) => message::message(entry, start, length, extent, sink),
        (Some(2), extent) => batch::batch(entry, start, length, extent, sink),
        (Some(magic), _) => {
            let mut reader = Reader::new(entry, start, sink);
            reader.remark(builtin::MAGIC, MAGIC_AT, ProblemKind::Magic { magic: *magic as i8 });
            reader.raw(builtin::RECORD_BYTES);
        }
        (None, Extent::Cut(problem)) => return beginning(bytes, start, problem, sink),
        // What has its length has more bytes than that.
        (None, Extent::Whole) => return beginning(bytes, start, None, sink),
    }
    entry.len()
}

/// The beginning of an entry of which not even the format is there.
fn beginning<S: Sink>(bytes: &[u8], start: usize, problem: Option<ProblemKind>, sink: &mut S) -> usize {
    let mut reader = Reader::new(bytes, start, sink);
    if let Some(problem) = problem {
        reader.remark(builtin::PARTIAL, 0, problem);
    }
    reader.raw(builtin::PARTIAL);
    bytes.len()
}

/// A field of fixed size.
type Fixed = (Kind, u16, usize);
