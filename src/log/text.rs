//! The text files of a log folder. Each of their values is a leaf with its place in the file; the leaves tile the file.

mod checkpoint;
mod properties;
mod quorum_state;

use std::ops::Range;

use super::TextKind;

/// So many bytes of a text file are read at most: more than a broker with a million partitions writes.
pub const MOST: u64 = 64 << 20;

/// A text file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lines {
    /// What is in it, in the order of its bytes.
    pub items: Vec<Item>,
}

/// A piece of a text file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A value.
    Leaf(Leaf),
    /// One of several lines that are alike.
    Entry(Vec<Leaf>),
    /// Something is wrong at this place.
    Problem {
        /// The offset.
        at: usize,
        /// What was expected, and what was found.
        text: String,
    },
    /// What could not be decoded.
    Undecoded(Range<usize>),
}

/// A value with all that separates it from the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Where it lies.
    pub place: Range<usize>,
    /// What it is called.
    pub name: String,
    /// What it says.
    pub value: Value,
    /// What that means.
    pub doc: &'static str,
}

/// What a leaf says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number.
    Int(i64),
    /// A text.
    Text(String),
    /// JSON as it stands there.
    Json(String),
    /// A comment, which has no name.
    Comment(String),
}

impl Lines {
    /// Reads a file of a kind.
    pub fn read(kind: TextKind, bytes: &[u8]) -> Lines {
        let mut lines = Lines::default();
        match kind {
            TextKind::LeaderEpochs => checkpoint::read(&mut lines, bytes, &checkpoint::LEADER_EPOCHS),
            TextKind::Offsets => checkpoint::read(&mut lines, bytes, &checkpoint::OFFSETS),
            TextKind::PartitionMetadata => properties::read(&mut lines, bytes, &properties::PARTITION),
            TextKind::MetaProperties => properties::read(&mut lines, bytes, &properties::META),
            TextKind::QuorumState => quorum_state::read(&mut lines, bytes),
        }
        lines
    }

    /// What is wrong: where, and what.
    pub fn problems(&self) -> impl Iterator<Item = (usize, &str)> {
        self.items.iter().filter_map(|item| match item {
            Item::Problem { at, text } => Some((*at, text.as_str())),
            _ => None,
        })
    }

    /// All leaves.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.items.iter().flat_map(|item| match item {
            Item::Leaf(leaf) => std::slice::from_ref(leaf),
            Item::Entry(leaves) => leaves,
            _ => &[],
        })
    }

    fn leaf(&mut self, leaf: Leaf) {
        self.items.push(Item::Leaf(leaf));
    }

    fn wrong(&mut self, at: usize, text: impl Into<String>) {
        self.items.push(Item::Problem { at, text: text.into() });
    }

    fn undecoded(&mut self, place: Range<usize>) {
        if !place.is_empty() {
            self.items.push(Item::Undecoded(place));
        }
    }
}

/// A line: where it lies with what ends it, and its text without that; `None` if that is no UTF-8.
type Line<'l> = (Range<usize>, Option<&'l str>);

/// The lines of a file.
fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    bytes.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let place = start..start + line.len();
        start = place.end;
        (place, str::from_utf8(line).ok().map(|text| text.trim_end_matches(['\r', '\n'])))
    })
}

/// A line for a message, cut if it is long.
fn shown(text: Option<&str>) -> String {
    match text {
        None => "what is no UTF-8".to_owned(),
        Some(text) if text.chars().count() > 40 => {
            format!("{:?}…", text.chars().take(40).collect::<String>())
        }
        Some(text) => format!("{text:?}"),
    }
}
