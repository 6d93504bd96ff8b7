//! Files of a log folder as JSON: an object a line for each batch, or for each entry of an index; one for a text file. Each says which file it
//! is of, and what it is (`type`): `batch`, the name of an index entry's definition, `padding`, `undecoded`, `summary`.

use std::io::{self, Write};

use super::View;
use super::json::write_entry;
use super::log_text::kind_name;
use super::problem_text::{malformed_texts, note_text};
use crate::log::text::{Item, Leaf, Lines, Value};
use crate::log::{LogFile, Part, PartKind, RELATIVE_OFFSET, Summary};
use crate::tree::{Data, Flags, Kind, Severity, Tree};

/// The object of a part of a segment.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_segment_part(
    out: &mut dyn Write,
    name: &str,
    file: &LogFile,
    part: Part,
    view: View<'_>,
) -> io::Result<()> {
    let mut line = Object::new();
    let kind = match part.kind {
        PartKind::Tree => "batch",
        PartKind::Padding => "padding",
        PartKind::Undecoded => "undecoded",
    };
    start(&mut line, name, file, kind, Some(part));
    if part.kind == PartKind::Tree {
        batch(&mut line, view)?;
    }
    problems(&mut line, view.tree);
    line.finish(out)
}

/// The batch as it stands in the JSON of messages.
fn batch(line: &mut Object, view: View<'_>) -> io::Result<()> {
    let (tree, data) = (view.tree, view.data());
    let Some(entry) = tree.parts(0).next() else { return Ok(()) };
    let mut json = Vec::new();
    write_entry(&mut json, tree, data, entry, view.show_secrets)?;
    line.raw("batch", String::from_utf8_lossy(&json).trim_end());
    Ok(())
}

/// The objects of a part of an index, one for each entry.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_index_part(
    out: &mut dyn Write,
    name: &str,
    file: &LogFile,
    part: Part,
    view: View<'_>,
) -> io::Result<()> {
    let (tree, data) = (view.tree, view.data());
    let elements = || tree.children(0).filter(|child| tree.nodes[*child].flags().has(Flags::ELEMENT));
    if part.kind != PartKind::Tree || elements().next().is_none() {
        let mut line = Object::new();
        let kind = match part.kind {
            PartKind::Tree => kind_name(file.kind),
            PartKind::Padding => "padding",
            PartKind::Undecoded => "undecoded",
        };
        start(&mut line, name, file, kind, Some(part));
        if part.kind == PartKind::Tree {
            tree.children(0).for_each(|child| member(&mut line, tree, child, data));
        }
        problems(&mut line, tree);
        return line.finish(out);
    }
    for element in elements() {
        let node = &tree.nodes[element];
        let mut line = Object::new();
        let place =
            Part { kind: part.kind, start: part.start + u64::from(node.start()), len: node.len().into() };
        start(&mut line, name, file, &tree.item_of(node).name, Some(place));
        for child in tree.children(element) {
            member(&mut line, tree, child, data);
            let field = &tree.nodes[child];
            if let (RELATIVE_OFFSET, Some(base)) = (&*tree.item_of(field).name, file.offset)
                && let Some(offset) = base.checked_add(field.int(data))
            {
                line.int("offset", offset);
            }
        }
        let range = element as u32..tree.end(element) as u32;
        let own = tree.problems.iter().filter(|problem| range.contains(&problem.node));
        let texts: Vec<String> = own
            .filter_map(|problem| super::problem_text::problem_text(tree, problem.node as usize))
            .collect();
        line.texts("problems", &texts);
        line.finish(out)?;
    }
    Ok(())
}

/// A member for a node.
fn member(line: &mut Object, tree: &Tree, index: usize, data: Data<'_>) {
    let node = &tree.nodes[index];
    if node.kind() != Kind::Problem && node.kind() != Kind::Raw {
        let value = json(tree, index, data);
        line.raw(tree.item_of(node).json_name(), &value);
    }
}

/// What indexes have: numbers, structures and arrays of them.
fn json(tree: &Tree, index: usize, data: Data<'_>) -> String {
    let node = &tree.nodes[index];
    match node.kind() {
        Kind::Struct => {
            let mut object = Object::new();
            tree.children(index).for_each(|child| member(&mut object, tree, child, data));
            object.end()
        }
        Kind::Array => {
            let is_element = |child: &usize| tree.nodes[*child].flags().has(Flags::ELEMENT);
            let elements: Vec<String> =
                tree.children(index).filter(is_element).map(|child| json(tree, child, data)).collect();
            format!("[{}]", elements.join(","))
        }
        Kind::NullArray => "null".to_owned(),
        _ => node.int(data).to_string(),
    }
}

/// The object that ends a segment.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_summary(out: &mut dyn Write, name: &str, file: &LogFile, summary: &Summary) -> io::Result<()> {
    let mut line = Object::new();
    start(&mut line, name, file, "summary", None);
    for (key, number) in [
        ("batches", summary.batches),
        ("messages", summary.messages),
        ("records", summary.records),
        ("notWhole", summary.other),
        ("bytes", summary.bytes),
        ("paddingBytes", summary.padding),
        ("undecodedBytes", summary.undecoded),
        ("transactionalBatches", summary.transactional),
        ("controlBatches", summary.control),
    ] {
        line.raw(key, &number.to_string());
    }
    let optional = |number: Option<String>| number.unwrap_or_else(|| "null".to_owned());
    line.raw("firstOffset", &optional(summary.first_offset.map(|offset| offset.to_string())));
    line.raw("lastOffset", &optional(summary.last_offset.map(|offset| offset.to_string())));
    line.raw("missingOffsets", &optional(summary.missing_offsets().map(|missing| missing.to_string())));
    line.raw("minTimestamp", &optional(summary.timestamps.map(|(least, _)| least.to_string())));
    line.raw("maxTimestamp", &optional(summary.timestamps.map(|(_, greatest)| greatest.to_string())));
    line.finish(out)
}

/// The object of a text file.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_lines(out: &mut dyn Write, name: &str, file: &LogFile, lines: &Lines) -> io::Result<()> {
    let mut line = Object::new();
    start(&mut line, name, file, kind_name(file.kind), None);
    let (mut values, mut entries) = (Object::new(), Vec::new());
    for item in &lines.items {
        match item {
            Item::Leaf(leaf) => value(&mut values, leaf),
            Item::Entry(leaves) => {
                let mut entry = Object::new();
                leaves.iter().for_each(|leaf| value(&mut entry, leaf));
                entries.push(entry.end());
            }
            _ => {}
        }
    }
    line.raw("values", &values.end());
    if !entries.is_empty() {
        line.raw("entries", &format!("[{}]", entries.join(",")));
    }
    let problems: Vec<String> = lines.problems().map(|(at, text)| format!("at {at:#06x}: {text}")).collect();
    line.texts("problems", &problems);
    line.finish(out)
}

fn value(object: &mut Object, leaf: &Leaf) {
    match &leaf.value {
        Value::Int(number) => object.int(&leaf.name, *number),
        Value::Text(text) => object.text(&leaf.name, text),
        Value::Json(json) => object.raw(&leaf.name, json),
        Value::Comment(_) => {}
    }
}

/// What each object begins with.
fn start(line: &mut Object, name: &str, file: &LogFile, kind: &str, part: Option<Part>) {
    line.text("file", name);
    if let Some(topic) = &file.topic {
        line.text("topic", topic);
    }
    if let Some(partition) = file.partition {
        line.int("partition", partition.into());
    }
    line.text("type", kind);
    if let Some(part) = part {
        line.raw("start", &part.start.to_string());
        line.raw("size", &part.len.to_string());
    }
}

fn problems(line: &mut Object, tree: &Tree) {
    line.texts("problems", &malformed_texts(tree));
    let notes = tree.problems.iter().filter(|problem| problem.severity() == Severity::Note);
    let notes: Vec<String> = notes.filter_map(|problem| note_text(tree, problem.node as usize)).collect();
    if !notes.is_empty() {
        line.texts("notes", &notes);
    }
}

/// An object that is being written.
struct Object(String);

impl Object {
    fn new() -> Object {
        Object("{".to_owned())
    }

    /// A member whose value is JSON already.
    fn raw(&mut self, key: &str, value: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&string(key));
        self.0.push(':');
        self.0.push_str(value);
    }

    fn int(&mut self, key: &str, value: i64) {
        self.raw(key, &value.to_string());
    }

    fn text(&mut self, key: &str, value: &str) {
        self.raw(key, &string(value));
    }

    fn texts(&mut self, key: &str, values: &[String]) {
        let values: Vec<String> = values.iter().map(|value| string(value)).collect();
        self.raw(key, &format!("[{}]", values.join(",")));
    }

    fn end(self) -> String {
        self.0 + "}"
    }

    fn finish(self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.end().as_bytes())?;
        out.write_all(b"\n")
    }
}

fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
