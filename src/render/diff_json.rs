//! A comparison of two messages as JSON, for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::View;
use super::diff_text::{Side, first_difference, remark_text, value_text};
use crate::diff::{Change, Comparison, Difference};

/// What is written: an object.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Json<'j> {
    /// The first message.
    a: Message<'j>,
    /// The second message.
    b: Message<'j>,
    /// What a reader should know about how the two were found.
    notes: &'j [String],
    /// How many fields are equal.
    equal: usize,
    /// How many changed.
    changed: usize,
    /// How many only the first has.
    only_in_a: usize,
    /// How many only the second has.
    only_in_b: usize,
    /// How many were left out.
    ignored: usize,
    /// The first offset at which the frames differ; null if they are equal to the last byte.
    first_differing_offset: Option<usize>,
    /// The differences.
    differences: Vec<Entry<'j>>,
}

/// One of the messages.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message<'j> {
    /// Where it comes from.
    input: &'j str,
    /// Its name, such as `MetadataResponse`.
    message: String,
    /// The API key.
    api_key: Option<i16>,
    /// The version.
    api_version: Option<i16>,
    /// The version of its header.
    header_version: Option<i16>,
    /// How many bytes the frame has.
    bytes: usize,
    /// Whether something in it is malformed.
    malformed: bool,
}

/// A difference.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'j> {
    /// The path of the field.
    path: &'j str,
    /// `changed`, `order`, `onlyInA` or `onlyInB`.
    change: &'static str,
    /// The field in the first message; null if it does not have it.
    a: Option<Place>,
    /// The field in the second message; null if it does not have it.
    b: Option<Place>,
    /// What else there is to say; null if nothing.
    remark: Option<String>,
}

/// A field of a message.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    /// Its value, as the tree shows it.
    value: String,
    /// The offset of its first byte.
    offset: u32,
    /// How many bytes it covers.
    length: u32,
}

/// Writes a comparison as one JSON object on a line. Values are shown whole if `full_values`.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_diff(
    out: &mut dyn Write,
    a: Side<'_>,
    b: Side<'_>,
    comparison: &Comparison,
    notes: &[String],
    full_values: bool,
) -> io::Result<()> {
    let (changed, only_in_a, only_in_b) = comparison.counts();
    let entry = |difference| entry(difference, a.view, b.view, full_values);
    let json = Json {
        a: message(a),
        b: message(b),
        notes,
        equal: comparison.equal,
        changed,
        only_in_a,
        only_in_b,
        ignored: comparison.ignored,
        first_differing_offset: first_difference(a.view.frame.bytes, b.view.frame.bytes),
        differences: comparison.differences.iter().map(entry).collect(),
    };
    serde_json::to_writer(&mut *out, &json)?;
    out.write_all(b"\n")
}

fn message(side: Side<'_>) -> Message<'_> {
    let View { tree, frame, heading, .. } = side.view;
    Message {
        input: side.name,
        message: tree.item_of(&tree.nodes[0]).name.to_string(),
        api_key: heading.api_key,
        api_version: heading.api_version,
        header_version: heading.header_version,
        bytes: frame.bytes.len(),
        malformed: !tree.is_sound(),
    }
}

fn entry<'j>(difference: &'j Difference, a: View<'_>, b: View<'_>, full: bool) -> Entry<'j> {
    let place = |view: View<'_>, index: usize| {
        let node = &view.tree.nodes[index];
        Some(Place { value: value_text(view, index, full), offset: node.start(), length: node.len() })
    };
    let (change, a_place, b_place) = match difference.change {
        Change::Value(x, y) => ("changed", place(a, x), place(b, y)),
        Change::Order(x, y) => ("order", place(a, x), place(b, y)),
        Change::OnlyA(x) => ("onlyInA", place(a, x), None),
        Change::OnlyB(y) => ("onlyInB", None, place(b, y)),
    };
    let remark = remark_text(difference, a, b);
    Entry { path: &difference.path, change, a: a_place, b: b_place, remark }
}
