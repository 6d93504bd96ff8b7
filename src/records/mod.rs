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
    let (entry, partial) = match whole {
        Some(entry) => (entry, None),
        None => (bytes, partial(Some(claimed))),
    };
    let mut reader = Reader::new(entry, start, sink);
    reader.limit = Limit::Batch { length };
    reader.cut = whole.is_none();
    match entry.get(MAGIC_AT) {
        Some(0 | 1) => known(reader, message::FORMAT, length, partial, message::fields),
        Some(2) => known(reader, batch::FORMAT, length, partial, batch::fields),
        Some(magic) => {
            reader.remark(builtin::MAGIC, MAGIC_AT, ProblemKind::Magic { magic: *magic as i8 });
            reader.raw(builtin::RECORD_BYTES);
        }
        None => return beginning(bytes, start, partial, sink),
    }
    entry.len()
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
