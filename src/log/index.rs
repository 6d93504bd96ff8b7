//! The binary files beside a segment: its indexes, and the state of producers. What they look like is data, as for messages.

use std::io::{self, Read};
use std::sync::Arc;

use super::segment::problem;
use super::window::Window;
use super::{LogFileKind, Part, PartKind, ROOT};
use crate::schema::Catalogue;
use crate::tree::{Flags, Kind, Node, Problem, ProblemKind, Tree, What, builtin};
use crate::wire::compile::compile;
use crate::wire::plan::Plan;
use crate::wire::sink::Sink;
use crate::wire::walk::{Route, Walk};

/// The field that counts from the offset in the file's name.
pub const RELATIVE_OFFSET: &str = "RelativeOffset";
/// The field that is a checksum of what follows it.
pub const CHECKSUM: &str = "Crc";

/// So much is read of a file that is read as a whole.
const MOST_AT_ONCE: usize = 32 << 20;

/// What the files of a kind consist of.
struct Format {
    /// The definition of an entry, or of all of the file.
    definition: &'static str,
    /// The version of it; all that Kafka has written so far.
    version: i16,
    /// Whether that stands before it.
    has_version: bool,
    /// How many bytes an entry has; `None` if there is just one, as long as the file.
    size: Option<usize>,
    /// Where in an entry the values are that ascend from entry to entry: their place, how many bytes they have, and whether none comes twice.
    ascending: &'static [(usize, usize, bool)],
}

fn format(kind: LogFileKind) -> Option<Format> {
    let format = |definition, size, ascending| Format {
        definition,
        version: 0,
        has_version: false,
        size: Some(size),
        ascending,
    };
    Some(match kind {
        LogFileKind::OffsetIndex => format("OffsetIndexEntry", 8, &[(0, 4, true), (4, 4, true)]),
        LogFileKind::TimeIndex => format("TimeIndexEntry", 12, &[(0, 8, true), (8, 4, false)]),
        LogFileKind::TransactionIndex => {
            Format { has_version: true, ..format("AbortedTxn", 34, &[(18, 8, true)]) }
        }
        LogFileKind::ProducerSnapshot => {
            Format { version: 1, has_version: true, size: None, ..format("ProducerSnapshot", 0, &[]) }
        }
        _ => return None,
    })
}

/// A binary file beside a segment that is being read.
pub struct Index<R> {
    window: Window<R>,
    format: Format,
    plan: Arc<Plan>,
    /// The values that ascend, in the entry before.
    before: [Option<i64>; 2],
    /// How many entries have been read.
    pub entries: u64,
    /// How many bytes of the window belong to the part that was read last.
    current: usize,
    is_over: bool,
}

impl<R: Read> Index<R> {
    /// A file of a kind; `None` if files of that kind are none of these, or the catalogue does not know them.
    pub fn new(read: R, kind: LogFileKind, catalogue: &Catalogue) -> Option<Index<R>> {
        let format = format(kind)?;
        let definition = catalogue.named(format.definition, format.version)?;
        let plan = Arc::new(compile(definition.message(), format.version)?);
        let window = Window::new(read);
        Some(Index { window, format, plan, before: [None; 2], entries: 0, current: 0, is_over: false })
    }

    /// The bytes of the part that was read last, if that has a tree.
    pub fn bytes(&self) -> &[u8] {
        self.window.bytes(self.current)
    }

    /// Reads the next part, `most` entries or fewer, into `tree`, which is emptied before; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_part(&mut self, most: usize, tree: &mut Tree) -> io::Result<Option<Part>> {
        self.window.advance(std::mem::take(&mut self.current));
        tree.clear();
        let start = self.window.pos();
        tree.origin = start;
        let wanted = self.format.size.map_or(MOST_AT_ONCE, |size| size * most.max(1));
        let found = self.window.peek(wanted)?.len().min(wanted);
        if found == 0 || self.is_over {
            return Ok(None);
        }
        let Some(size) = self.format.size else {
            self.is_over = found < MOST_AT_ONCE;
            return self.snapshot(tree, found).map(Some);
        };
        // An entry that is all zero is room that is not used yet. The first may say that of offset 0, if others follow.
        let next = self.window.bytes(found);
        let zero = |entry: &[u8]| !self.format.has_version && entry.iter().all(|byte| *byte == 0);
        let is_first =
            |entry: usize| self.entries == 0 && entry == 0 && !next.get(size..2 * size).is_none_or(zero);
        let used = next.chunks(size).enumerate();
        let used = used.take_while(|(index, entry)| !zero(entry) || is_first(*index)).count();
        if used == 0 {
            return self.padding(tree, start).map(Some);
        }
        let len = (used * size).min(found);
        self.current = len;
        let read = self.read_entries(tree, len);
        if read == 0 {
            self.window.skip_all()?;
            self.current = 0;
            self.is_over = true;
            return Ok(Some(Part { kind: PartKind::Undecoded, start, len: self.window.pos() - start }));
        }
        self.current = read;
        Ok(Some(Part { kind: PartKind::Tree, start, len: read as u64 }))
    }

    /// Zeros to the end, or with something after them.
    fn padding(&mut self, tree: &mut Tree, start: u64) -> io::Result<Part> {
        if self.window.skip_zeros()? {
            return Ok(Part { kind: PartKind::Padding, start, len: self.window.pos() - start });
        }
        self.window.skip_all()?;
        self.is_over = true;
        let root = tree.open(ROOT, 0);
        let before = self.before[0].unwrap_or(0);
        if let Some(plan) = tree.add_plan(&self.plan) {
            let kind = ProblemKind::NotAscending { value: 0, before };
            // The first field comes after the whole.
            tree.problem(Problem {
                kind,
                node: 0,
                offset: 0,
                plan,
                item: 1,
                element: None,
                in_payload: false,
            });
        }
        tree.close(root, 0);
        Ok(Part { kind: PartKind::Undecoded, start, len: self.window.pos() - start })
    }

    /// Reads entries of the next `len` bytes, up to one of an unknown version. Returns how many bytes they have.
    fn read_entries(&mut self, tree: &mut Tree, len: usize) -> usize {
        let bytes = self.window.bytes(len);
        let root = tree.open(ROOT, 0);
        let Some(id) = tree.add_plan(&self.plan) else { return 0 };
        let mut at = 0;
        for entry in bytes.chunks(self.format.size.unwrap_or(len)) {
            if let Some(version) = self.unknown_version(entry) {
                if at == 0 {
                    let known = self.format.version;
                    problem(
                        tree,
                        builtin::CONTROL_KEY_VERSION,
                        0,
                        ProblemKind::UnknownFileVersion { version, known },
                    );
                }
                break;
            }
            let mark = tree.open(What::new(Kind::Struct, Flags::ELEMENT, 0).in_plan(id), at);
            let prefix = self.version(tree, entry, at);
            let mut walk = Walk::new(&entry[prefix..], at + prefix, tree);
            let is_whole = walk.message(&Route { plan: &self.plan, id, flags: Flags::NONE }).is_ok();
            if is_whole {
                ascending(&self.format, &mut self.before, tree, entry, mark);
            }
            at += entry.len();
            tree.close(mark, at);
            self.entries += 1;
        }
        tree.close(root, at);
        at
    }

    /// The version that bytes begin with, if it is not the one that is known.
    fn unknown_version(&self, bytes: &[u8]) -> Option<i16> {
        let version = bytes.first_chunk::<2>().map(|bytes| i16::from_be_bytes(*bytes));
        version.filter(|version| self.format.has_version && *version != self.format.version)
    }

    /// The leaf of the version, where there is one. Returns how many bytes it has.
    fn version(&self, tree: &mut Tree, bytes: &[u8], at: usize) -> usize {
        if !self.format.has_version || bytes.len() < 2 {
            return 0;
        }
        tree.leaf(What::new(Kind::Int, Flags::NONE, builtin::CONTROL_KEY_VERSION), at, 2);
        2
    }

    /// Reads the next `len` bytes as the state of producers.
    fn snapshot(&mut self, tree: &mut Tree, len: usize) -> io::Result<Part> {
        let start = self.window.pos();
        self.current = len;
        let bytes = self.window.bytes(len);
        let root = tree.open(ROOT, 0);
        let prefix = self.version(tree, bytes, 0);
        let mut rest = &bytes[prefix..];
        if let Some(version) = self.unknown_version(bytes) {
            let known = self.format.version;
            problem(
                tree,
                builtin::CONTROL_KEY_VERSION,
                0,
                ProblemKind::UnknownFileVersion { version, known },
            );
        } else if let Some(id) = tree.add_plan(&self.plan) {
            let mark = tree.nodes.len();
            let mut walk = Walk::new(rest, prefix, tree);
            let result = walk.message(&Route { plan: &self.plan, id, flags: Flags::NONE });
            rest = &rest[rest.len() - walk.left()..];
            checksum(tree, mark, &bytes[prefix..]);
            if result.is_ok() && !rest.is_empty() {
                let left = rest.len() as u64;
                problem(
                    tree,
                    builtin::TRAILING,
                    (len - rest.len()) as u32,
                    ProblemKind::Rest { bytes: left },
                );
            }
        }
        if !rest.is_empty() {
            let what = What::new(Kind::Raw, Flags::NONE, builtin::UNDECODED);
            tree.leaf(what, len - rest.len(), rest.len());
        }
        tree.close(root, len);
        self.entries += 1;
        Ok(Part { kind: PartKind::Tree, start, len: len as u64 })
    }
}

/// Says so, right after its node at `mark`, if the checksum is not the right one. It is the first of the bytes and covers the others.
fn checksum(tree: &mut Tree, mark: usize, bytes: &[u8]) {
    let (Some((stored, covered)), Some(node)) = (bytes.split_first_chunk::<4>(), tree.nodes.get(mark)) else {
        return;
    };
    let (stored, computed) = (u32::from_be_bytes(*stored), crc32c::crc32c(covered));
    if stored == computed || node.kind() != Kind::Uint {
        return;
    }
    let (plan, item, offset) = (node.plan(), node.item(), node.start());
    let what = What::new(Kind::Problem, Flags::NONE, item).in_plan(plan);
    // What comes after it has been read already.
    tree.nodes.insert(mark + 1, Node::new(offset as usize, 0, 1, what));
    for problem in &mut tree.problems {
        problem.node += u32::from(problem.node as usize > mark);
    }
    let kind = ProblemKind::Checksum { stored, computed };
    tree.problems.insert(
        0,
        Problem { kind, node: mark as u32 + 1, offset, plan, item, element: None, in_payload: false },
    );
}

/// Says so if the values of an entry that ascend do not. The entry's node is at `mark`.
fn ascending(format: &Format, before: &mut [Option<i64>; 2], tree: &mut Tree, entry: &[u8], mark: usize) {
    for ((at, len, is_strict), before) in format.ascending.iter().zip(before) {
        let Some(bytes) = entry.get(*at..at + len) else { continue };
        let unsigned = bytes.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        let unused = 64 - 8 * len;
        let value = (unsigned << unused) as i64 >> unused;
        let fits = before.is_none_or(|before| before < value || before == value && !is_strict);
        let start = tree.nodes[mark].start() as usize + at;
        let node =
            tree.nodes[mark..].iter().find(|node| node.start() as usize == start && node.kind() == Kind::Int);
        if let (false, Some(node), Some(before)) = (fits, node, *before) {
            let (plan, item, offset) = (node.plan(), node.item(), node.start());
            let kind = ProblemKind::NotAscending { value, before };
            tree.problem(Problem { kind, node: 0, offset, plan, item, element: None, in_payload: false });
        }
        *before = Some(value);
    }
}
