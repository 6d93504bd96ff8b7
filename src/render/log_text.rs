//! Files of a log folder, for people: a line for the file, below it its parts as they are read, and at the end what they come to.

use std::io::{self, Write};

use super::byte_layout::write_byte_layout;
use super::dates::timestamp;
use super::problem_text::problem_text;
use super::quoted::quoted;
use super::region::Region;
use super::text::{count, decimal, hex};
use super::theme::{Role, Theme};
use super::tree_text::{Piece, write_piece};
use super::{Options, RecordsDepth, View};
use crate::log::text::{Item, Leaf, Lines, Value};
use crate::log::{LogFile, LogFileKind, Part, PartKind, Summary, TextKind};
use crate::records::compression::Codec;
use crate::schema::Direction;
use crate::tree::Kind;
use crate::wire::Heading;

/// A part of a log is neither request nor response.
pub const HEADING: Heading = Heading {
    direction: Direction::Request,
    api_key: None,
    api_version: None,
    header_version: None,
    correlation_id: None,
    client_id: None,
    enveloped: None,
    answered: false,
};

/// Writes one file.
pub struct LogWriter<'w> {
    options: &'w Options,
    theme: &'w Theme,
    /// Whether the bytes are shown in place of the tree.
    bytes: bool,
    /// Whether they were the last that was written.
    bytes_before: bool,
    kind: LogFileKind,
    /// How many batches or entries have been shown.
    pub shown: u64,
    /// Those that have not been, and their bytes.
    left_out: (u64, u64),
}

impl<'w> LogWriter<'w> {
    /// For a file of which nothing has been written. With `bytes` the byte layout of each part is shown in place of its tree.
    pub fn new(options: &'w Options, theme: &'w Theme, bytes: bool, kind: LogFileKind) -> LogWriter<'w> {
        LogWriter { options, theme, bytes, bytes_before: false, kind, shown: 0, left_out: (0, 0) }
    }

    /// How many more batches or entries are to be shown.
    pub fn wanted(&self) -> usize {
        match self.options.records {
            RecordsDepth::None if self.has_batches() => 0,
            _ => self.options.max_elements.saturating_sub(self.shown as usize),
        }
    }

    fn has_batches(&self) -> bool {
        matches!(self.kind, LogFileKind::Segment | LogFileKind::MetadataSnapshot)
    }

    /// The line for the file. `name` is what the user calls it, `size` how many bytes it has, if that is known.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn root(&self, out: &mut dyn Write, file: &LogFile, name: &str, size: Option<u64>) -> io::Result<()> {
        let mut line = Vec::new();
        self.theme.begin(&mut line, Role::Region(Region::RecordBatch));
        line.extend_from_slice(kind_name(file.kind).as_bytes());
        line.push(b' ');
        line.extend_from_slice(name.as_bytes());
        self.theme.end(&mut line, Role::Region(Region::RecordBatch));
        if let Some(size) = size {
            line.push(b' ');
            self.location(&mut line, 0, size);
        }
        let facts = facts(file);
        if !facts.is_empty() {
            line.push(b' ');
            self.theme.paint(&mut line, Role::Doc, &facts);
        }
        line.push(b'\n');
        out.write_all(&line)
    }

    /// A part of a file.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn part(
        &mut self,
        out: &mut dyn Write,
        part: Part,
        view: View<'_>,
        base_offset: Option<i64>,
    ) -> io::Result<()> {
        let mut line = Vec::new();
        match part.kind {
            PartKind::Tree => return self.tree(out, part, view, base_offset),
            PartKind::Padding => {
                self.after_bytes(out)?;
                self.leave_out(out)?;
                self.branch(&mut line);
                line.extend_from_slice(b"padding = ");
                count(&mut line, part.len, "zero byte");
                line.push(b' ');
                self.location(&mut line, part.start, part.len);
                line.push(b' ');
                self.theme.paint(&mut line, Role::Doc, "room that was set aside, and is not used yet");
                line.push(b'\n');
            }
            PartKind::Undecoded => {
                self.after_bytes(out)?;
                self.leave_out(out)?;
                for problem in &view.tree.problems {
                    self.branch(&mut line);
                    let text = problem_text(view.tree, problem.node as usize).unwrap_or_default();
                    self.theme.paint(&mut line, Role::Problem, &format!("!! {text}"));
                    line.push(b'\n');
                }
                self.branch(&mut line);
                line.extend_from_slice(b"undecoded bytes = ");
                count(&mut line, part.len, "byte");
                line.push(b' ');
                self.location(&mut line, part.start, part.len);
                line.push(b'\n');
            }
        }
        out.write_all(&line)
    }

    fn tree(
        &mut self,
        out: &mut dyn Write,
        part: Part,
        view: View<'_>,
        base_offset: Option<i64>,
    ) -> io::Result<()> {
        let kinds =
            |kind| view.tree.children(0).filter(|child| view.tree.nodes[*child].kind() == kind).count();
        let number = kinds(Kind::Batch).max(kinds(Kind::Struct)).max(1) as u64;
        if self.wanted() == 0 {
            self.left_out.0 += number;
            self.left_out.1 += part.len;
            return Ok(());
        }
        let elements = self.shown as usize;
        self.shown += number;
        if self.bytes {
            self.bytes_before = true;
            out.write_all(b"\n")?;
            return write_byte_layout(out, view, self.options, self.theme);
        }
        // All others have a summary after them.
        let is_last = self.kind == LogFileKind::ProducerSnapshot;
        write_piece(out, view, self.options, self.theme, Piece { elements, base_offset, is_last })
    }

    /// Says how much has not been shown, and how to see it.
    fn leave_out(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let (number, bytes) = std::mem::take(&mut self.left_out);
        if number == 0 {
            return Ok(());
        }
        let mut line = Vec::new();
        self.branch(&mut line);
        line.extend_from_slice(b"... ");
        let is_none = self.options.records == RecordsDepth::None && self.has_batches();
        let more = if is_none { "" } else { "more " };
        let noun = match (self.has_batches(), number) {
            (true, 1) => "batch",
            (true, _) => "batches",
            (false, 1) => "entry",
            (false, _) => "entries",
        };
        line.extend_from_slice(format!("{number} {more}{noun}").as_bytes());
        line.extend_from_slice(b", ");
        count(&mut line, bytes, "byte");
        line.extend_from_slice(if is_none {
            b" (--records batches)\n".as_slice()
        } else {
            b" (--max-elements)\n"
        });
        out.write_all(&line)
    }

    /// What the batches of a segment come to.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn summary(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        self.after_bytes(out)?;
        self.leave_out(out)?;
        let mut text = Vec::new();
        self.branch(&mut text);
        text.extend_from_slice(b"summary = ");
        if *summary == Summary::default() {
            text.extend_from_slice(b"empty, as nothing has been written to it yet\n");
            return out.write_all(&text);
        }
        let batches = summary.batches - summary.messages;
        let mut parts = Vec::new();
        if batches > 0 || summary.messages == 0 {
            parts.push(counted(batches, "batch", "batches"));
            parts.push(counted(summary.records, "record", "records"));
        }
        if summary.messages > 0 {
            parts.push(counted(summary.messages, "message", "messages"));
        }
        if summary.other > 0 {
            parts.push(format!("{} not whole", counted(summary.other, "batch", "batches")));
        }
        parts.push(counted(summary.bytes, "byte", "bytes"));
        if summary.undecoded > 0 {
            parts.push(format!("{} undecoded", counted(summary.undecoded, "byte", "bytes")));
        }
        text.extend_from_slice(parts.join(", ").as_bytes());
        text.push(b'\n');
        let lines = summary_lines(summary);
        for line in lines {
            self.theme.paint(&mut text, Role::Branch, "    +-- ");
            text.extend_from_slice(line.as_bytes());
            text.push(b'\n');
        }
        out.write_all(&text)
    }

    /// What the entries of an index come to.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn entries(&mut self, out: &mut dyn Write, number: u64) -> io::Result<()> {
        self.after_bytes(out)?;
        self.leave_out(out)?;
        let mut line = Vec::new();
        self.branch(&mut line);
        line.extend_from_slice(b"summary = ");
        match number {
            0 => line.extend_from_slice(b"no entries"),
            _ => line.extend_from_slice(counted(number, "entry", "entries").as_bytes()),
        }
        line.push(b'\n');
        out.write_all(&line)
    }

    /// A text file.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn lines(&mut self, out: &mut dyn Write, lines: &Lines) -> io::Result<()> {
        let mut text = Vec::new();
        let mut entries = 0;
        for (index, item) in lines.items.iter().enumerate() {
            let is_last = index + 1 == lines.items.len();
            if let Item::Entry(leaves) = item {
                let place = leaves.iter().map(|leaf| leaf.place.end - leaf.place.start).sum::<usize>();
                if self.wanted() == 0 {
                    self.left_out.0 += 1;
                    self.left_out.1 += place as u64;
                    continue;
                }
                self.shown += 1;
                self.branch(&mut text);
                text.extend_from_slice(format!("entry[{entries}] ").as_bytes());
                let start = leaves.first().map_or(0, |leaf| leaf.place.start);
                self.location(&mut text, start as u64, place as u64);
                text.push(b'\n');
                let indent = if is_last { "    " } else { "|   " };
                for leaf in leaves {
                    self.theme.paint(&mut text, Role::Branch, indent);
                    self.leaf(&mut text, leaf);
                }
                entries += 1;
            } else {
                self.leave_out(&mut text)?;
            }
            match item {
                Item::Entry(_) => {}
                Item::Leaf(leaf) => self.leaf(&mut text, leaf),
                Item::Problem { at, text: problem } => {
                    self.branch(&mut text);
                    let mut offset = Vec::new();
                    hex(&mut offset, *at as u64, 4);
                    let offset = String::from_utf8_lossy(&offset);
                    self.theme.paint(&mut text, Role::Problem, &format!("!! at 0x{offset}: {problem}"));
                    text.push(b'\n');
                }
                Item::Undecoded(place) => {
                    self.branch(&mut text);
                    text.extend_from_slice(b"undecoded bytes = ");
                    count(&mut text, place.len() as u64, "byte");
                    text.push(b' ');
                    self.location(&mut text, place.start as u64, place.len() as u64);
                    text.push(b'\n');
                }
            }
            if text.len() > 1 << 16 {
                out.write_all(&text)?;
                text.clear();
            }
        }
        self.leave_out(&mut text)?;
        out.write_all(&text)
    }

    fn leaf(&self, line: &mut Vec<u8>, leaf: &Leaf) {
        self.branch(line);
        let name = if leaf.name.is_empty() { "comment" } else { &leaf.name };
        self.theme.begin(line, Role::Region(Region::RecordBatch));
        // Names of properties come from the file.
        let mut shown = Vec::new();
        quoted(&mut shown, name.as_bytes(), self.options.full_values);
        let is_plain = shown.len() == name.len() + 2;
        line.extend_from_slice(if is_plain { name.as_bytes() } else { &shown });
        self.theme.end(line, Role::Region(Region::RecordBatch));
        line.extend_from_slice(b" = ");
        match &leaf.value {
            Value::Int(number) => decimal(line, *number),
            Value::Text(text) | Value::Json(text) | Value::Comment(text) => {
                quoted(line, text.as_bytes(), self.options.full_values);
            }
        }
        line.push(b' ');
        self.location(line, leaf.place.start as u64, leaf.place.len() as u64);
        if !leaf.doc.is_empty() && self.options.docs != super::Docs::None {
            line.push(b' ');
            self.theme.paint(line, Role::Doc, leaf.doc);
        }
        line.push(b'\n');
    }

    /// An empty line after a byte layout.
    fn after_bytes(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::take(&mut self.bytes_before) { out.write_all(b"\n") } else { Ok(()) }
    }

    fn branch(&self, line: &mut Vec<u8>) {
        self.theme.paint(line, Role::Branch, "+-- ");
    }

    fn location(&self, line: &mut Vec<u8>, start: u64, len: u64) {
        self.theme.begin(line, Role::Location);
        line.extend_from_slice(b"[0x");
        hex(line, start, 4);
        line.extend_from_slice(b", ");
        decimal(line, len);
        line.extend_from_slice(b"B]");
        self.theme.end(line, Role::Location);
    }
}

/// What a kind of file is called.
pub fn kind_name(kind: LogFileKind) -> &'static str {
    match kind {
        LogFileKind::Segment => "LogSegment",
        LogFileKind::MetadataSnapshot => "MetadataSnapshot",
        LogFileKind::OffsetIndex => "OffsetIndex",
        LogFileKind::TimeIndex => "TimeIndex",
        LogFileKind::TransactionIndex => "TransactionIndex",
        LogFileKind::ProducerSnapshot => "ProducerSnapshot",
        LogFileKind::Text(TextKind::LeaderEpochs) => "LeaderEpochs",
        LogFileKind::Text(TextKind::Offsets) => "OffsetCheckpoint",
        LogFileKind::Text(TextKind::PartitionMetadata) => "PartitionMetadata",
        LogFileKind::Text(TextKind::MetaProperties) => "MetaProperties",
        LogFileKind::Text(TextKind::QuorumState) => "QuorumState",
    }
}

/// What names say of a file.
fn facts(file: &LogFile) -> String {
    let mut facts = Vec::new();
    if let Some(topic) = &file.topic {
        facts.push(format!("topic {topic}"));
    }
    if let Some(partition) = file.partition {
        facts.push(format!("partition {partition}"));
    }
    if let Some(offset) = file.offset {
        facts.push(match file.kind {
            LogFileKind::MetadataSnapshot | LogFileKind::ProducerSnapshot => {
                format!("state before offset {offset}")
            }
            _ => format!("base offset {offset}"),
        });
    }
    if let Some(epoch) = file.epoch {
        facts.push(format!("epoch {epoch}"));
    }
    facts.extend(file.fate.map(str::to_owned));
    facts.join(", ")
}

fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

fn summary_lines(summary: &Summary) -> Vec<String> {
    let mut lines = Vec::new();
    if let (Some(first), Some(last)) = (summary.first_offset, summary.last_offset) {
        let missing = match summary.missing_offsets() {
            Some(0) | None => String::new(),
            Some(missing) => {
                format!(
                    ", {} without a record (compacted away, or never given out)",
                    counted(missing, "of them", "of them")
                )
            }
        };
        lines.push(format!("offsets = {first} to {last}{missing}"));
    }
    if let Some((least, greatest)) = summary.timestamps {
        let date = |time| timestamp(time).unwrap_or_else(|| format!("{time}"));
        lines.push(format!("timestamps = {} to {}", date(least), date(greatest)));
    }
    let codecs: Vec<String> = summary
        .codecs
        .iter()
        .enumerate()
        .filter(|(_, number)| **number > 0)
        .map(|(codec, number)| match codec as u8 {
            0 => format!("{number} none"),
            codec => match Codec::numbered(codec) {
                Some(codec) => format!("{number} {}", codec.name()),
                None => format!("{number} of codec {codec}"),
            },
        })
        .collect();
    if !codecs.is_empty() {
        lines.push(format!("compression = {}", codecs.join(", ")));
    }
    if summary.transactional > 0 {
        lines.push(format!("transactional = {}", counted(summary.transactional, "batch", "batches")));
    }
    if summary.control > 0 {
        lines.push(format!("control = {}", counted(summary.control, "batch", "batches")));
    }
    lines
}
