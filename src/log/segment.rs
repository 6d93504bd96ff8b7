//! Segments: batches one after the other, read one at a time. So are the snapshots of KRaft.

use std::io::{self, Read};

use super::facts::{EntryFacts, int32};
use super::summary::Summary;
use super::window::Window;
use super::{Part, PartKind, ROOT};
use crate::records::{self, Ending, Source};
use crate::tree::{PlanId, Problem, ProblemKind, Tree, builtin};
use crate::wire::sink::Sink;

/// A batch that says it is longer is taken for a mistake. Brokers refuse more than `max.message.bytes`, 1 MiB unless set otherwise.
pub const MOST_OF_A_BATCH: u32 = 128 << 20;
/// Offset and length, which every entry begins with.
const HEAD: usize = 12;
/// The fewest bytes that follow the length: those of a message of magic 0 without key and value.
const LEAST: u32 = 14;

/// A segment that is being read.
pub struct Segment<R> {
    window: Window<R>,
    /// The offset in the file's name.
    base_offset: Option<i64>,
    /// What has been read so far, in numbers.
    pub summary: Summary,
    /// How many bytes of the window belong to the part that was read last.
    current: usize,
    /// Whether nothing more can be decoded.
    is_over: bool,
}

impl<R: Read> Segment<R> {
    /// A segment whose name says that it begins at `base_offset`, if it says so.
    pub fn new(read: R, base_offset: Option<i64>) -> Segment<R> {
        Segment {
            window: Window::new(read),
            base_offset,
            summary: Summary::default(),
            current: 0,
            is_over: false,
        }
    }

    /// The bytes of the part that was read last, if that has a tree.
    pub fn bytes(&self) -> &[u8] {
        self.window.bytes(self.current)
    }

    /// Reads the next part into `tree`, which is emptied before; `None` at the end. Its limits hold for each part, its topic
    /// is that of the records.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_part(&mut self, tree: &mut Tree) -> io::Result<Option<Part>> {
        self.window.advance(std::mem::take(&mut self.current));
        tree.clear();
        let start = self.window.pos();
        tree.origin = start;
        let head = self.window.peek(HEAD)?;
        if head.is_empty() || self.is_over {
            return Ok(None);
        }
        let head = &head[..head.len().min(HEAD)];
        let length = int32(head, 8);
        if head.iter().all(|byte| *byte == 0) && self.window.skip_zeros()? {
            let len = self.window.pos() - start;
            self.summary.padding = len;
            return Ok(Some(Part { kind: PartKind::Padding, start, len }));
        }
        let length = match length.map(u32::try_from) {
            // Zeros that something else follows have no length that a batch could have.
            Some(Ok(length @ LEAST..=MOST_OF_A_BATCH)) => length as usize,
            // What there is of a batch.
            None if self.window.pos() == start => 0,
            _ => return self.undecoded(tree, start, length.unwrap_or(0)).map(Some),
        };
        let claimed = HEAD + length;
        let len = self.window.peek(claimed)?.len().min(claimed);
        self.current = len;
        self.entry(tree, len, claimed);
        Ok(Some(Part { kind: PartKind::Tree, start, len: len as u64 }))
    }

    fn entry(&mut self, tree: &mut Tree, len: usize, claimed: usize) {
        let bytes = self.window.bytes(len);
        let root = tree.open(ROOT, 0);
        let facts = EntryFacts::of(bytes);
        if let Some(facts) = &facts {
            self.remarks(tree, facts);
        }
        let source = Source { ending: Ending::Whole, topic: tree.topic };
        records::entries(bytes, 0, source, tree);
        tree.close(root, len);
        let whole = facts.filter(|_| len == claimed && claimed > HEAD);
        self.summary.add(whole.as_ref(), len as u64);
    }

    /// Says so if the offset is not one that could stand here.
    fn remarks(&self, tree: &mut Tree, facts: &EntryFacts) {
        let offset = facts.base_offset;
        // The last offset is what counts in a compressed set of messages.
        if let Some(file) =
            self.base_offset.filter(|file| facts.last_offset < *file || facts.magic == 2 && offset < *file)
        {
            problem(tree, builtin::BASE_OFFSET, 0, ProblemKind::BeforeBaseOffset { offset, file });
        }
        if let Some(before) = self.summary.last_offset.filter(|before| offset <= *before) {
            problem(tree, builtin::BASE_OFFSET, 0, ProblemKind::OffsetBack { offset, before });
        }
    }

    /// The rest, after a length that no batch has: nobody knows where the next one begins.
    fn undecoded(&mut self, tree: &mut Tree, start: u64, length: i32) -> io::Result<Part> {
        let kind = match u32::try_from(length) {
            Ok(MOST_OF_A_BATCH..) => ProblemKind::BatchTooLong { length, most: MOST_OF_A_BATCH },
            _ => ProblemKind::BatchLength { length, least: LEAST },
        };
        let root = tree.open(ROOT, 0);
        problem(tree, builtin::BATCH_LENGTH, 8, kind);
        tree.close(root, 0);
        self.window.skip_all()?;
        self.is_over = true;
        let len = self.window.pos() - start;
        self.summary.undecoded = len;
        Ok(Part { kind: PartKind::Undecoded, start, len })
    }
}

/// Says something about an item at an offset of the tree.
pub(super) fn problem(tree: &mut Tree, item: u16, offset: u32, kind: ProblemKind) {
    tree.problem(Problem {
        kind,
        node: 0,
        offset,
        plan: PlanId::BUILTIN,
        item,
        element: None,
        in_payload: false,
    });
}
