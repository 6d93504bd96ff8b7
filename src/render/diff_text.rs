//! A comparison of two messages as text: a line for each difference, and a count of what is equal.

use std::io::{self, Write};

use super::View;
use super::page::title;
use super::quoted::{STRING_WHOLE, byte_string, quoted};
use super::text::count;
use super::theme::{Role, Theme};
use super::tree_text::location;
use super::value_text::{hidden, value};
use crate::diff::{Change, Comparison, Difference, Remark, content};
use crate::tree::{Kind, Node, Tree};

/// One of the two messages.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    /// Where it comes from, in words.
    pub name: &'s str,
    /// The message.
    pub view: View<'s>,
}

/// Paths and values are padded up to so many characters; longer ones push what follows them.
const WIDEST_PATH: usize = 44;
const WIDEST_VALUE: usize = 64;

/// Writes a comparison.
///
/// ```text
/// ~ correlation_id = 7 -> 8 [0x0004, 4B] / [0x0004, 4B] each request has its own
/// ```
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_diff(
    out: &mut dyn Write,
    a: Side<'_>,
    b: Side<'_>,
    comparison: &Comparison,
    full_values: bool,
    theme: &Theme,
) -> io::Result<()> {
    let mut text = Vec::new();
    for (letter, side) in [("a", a), ("b", b)] {
        theme.paint(&mut text, Role::Heading, &format!("{letter}: {}, {}", side.name, title(side.view)));
        text.push(b'\n');
    }
    text.push(b'\n');
    let rows: Vec<Row> = comparison
        .differences
        .iter()
        .map(|difference| row(difference, a.view, b.view, full_values))
        .collect();
    let widest = |length: fn(&Row) -> usize, most: usize| {
        rows.iter().map(length).filter(|length| *length <= most).max().unwrap_or(0)
    };
    let path_width = widest(|row| row.path.chars().count(), WIDEST_PATH);
    let value_width = widest(|row| row.value.chars().count(), WIDEST_VALUE);
    for row in &rows {
        theme.begin(&mut text, row.role);
        write!(text, "{} {:path_width$}", row.sign, row.path)?;
        theme.end(&mut text, row.role);
        write!(text, " = {:value_width$} ", row.value)?;
        place(&mut text, a.view.tree, row.a, theme);
        text.extend_from_slice(b" / ");
        place(&mut text, b.view.tree, row.b, theme);
        if let Some(remark) = &row.remark {
            text.push(b' ');
            theme.paint(&mut text, Role::Doc, remark);
        }
        text.push(b'\n');
    }
    if !rows.is_empty() {
        text.push(b'\n');
    }
    theme.paint(&mut text, Role::Heading, &summary(comparison, a.view.frame.bytes, b.view.frame.bytes));
    text.push(b'\n');
    out.write_all(&text)
}

/// What a difference says, in pieces.
struct Row {
    sign: char,
    role: Role,
    path: String,
    value: String,
    a: Option<Node>,
    b: Option<Node>,
    remark: Option<String>,
}

fn row(difference: &Difference, a: View<'_>, b: View<'_>, full: bool) -> Row {
    let node = |view: View<'_>, index: usize| view.tree.nodes[index];
    let (sign, role, value, a_node, b_node) = match difference.change {
        Change::Value(x, y) => {
            let value = format!("{} -> {}", value_text(a, x, full), value_text(b, y, full));
            ('~', Role::Note, value, Some(node(a, x)), Some(node(b, y)))
        }
        Change::Order(x, y) => {
            let value = "in another order".to_owned();
            ('~', Role::Note, value, Some(node(a, x)), Some(node(b, y)))
        }
        Change::OnlyA(x) => ('-', Role::Removed, value_text(a, x, full), Some(node(a, x)), None),
        Change::OnlyB(y) => ('+', Role::Added, value_text(b, y, full), None, Some(node(b, y))),
    };
    let (path, remark) = (difference.path.clone(), remark_text(difference, a, b));
    Row { sign, role, path, value, a: a_node, b: b_node, remark }
}

fn place(line: &mut Vec<u8>, tree: &Tree, node: Option<Node>, theme: &Theme) {
    match node {
        Some(node) => location(line, tree, &node, theme),
        None => line.push(b'-'),
    }
}

/// What there is to say about a difference, if anything.
pub fn remark_text(difference: &Difference, a: View<'_>, b: View<'_>) -> Option<String> {
    Some(match difference.remark? {
        Remark::Expected => "each request has its own".to_owned(),
        Remark::NotInVersion(version) => format!("v{version} has no such field"),
        Remark::TagLeftOut => {
            let lacking = if matches!(difference.change, Change::OnlyA(_)) { "b" } else { "a" };
            format!("{lacking} leaves the tag out")
        }
        Remark::FirstByte(at) => {
            let Change::Value(x, y) = difference.change else { return None };
            let is_hidden = |view: View<'_>, index| !view.show_secrets && view.tree.holds_secret(index);
            if is_hidden(a, x) || is_hidden(b, y) {
                return None;
            }
            let is_string = a.tree.nodes[x].kind() == Kind::String;
            let a = content(a.tree, a.frame.bytes, x);
            let b = content(b.tree, b.frame.bytes, y);
            // Two strings that are shown whole need no help.
            if is_string && a.len().max(b.len()) <= STRING_WHOLE {
                return None;
            }
            match (a.get(at), b.get(at)) {
                (Some(a), Some(b)) => format!("first differing byte: {at}, {a:02x} / {b:02x}"),
                (None, Some(_)) => format!("equal up to byte {at}, where a ends"),
                _ => format!("equal up to byte {at}, where b ends"),
            }
        }
    })
}

/// `41 fields equal, 3 changed, 1 only in a, 2 only in b`, less what is none.
pub fn summary(comparison: &Comparison, a: &[u8], b: &[u8]) -> String {
    let equal = comparison.equal;
    let fields = if equal == 1 { "1 field" } else { &format!("{equal} fields") };
    if comparison.is_equal() && comparison.ignored == 0 {
        return match first_difference(a, b) {
            None => format!("all {fields} are equal, and so are all bytes"),
            Some(at) => format!(
                "all {fields} are equal; the bytes differ from {at:#06x} on, in how sizes, lengths or tags are written"
            ),
        };
    }
    let (changed, only_a, only_b) = comparison.counts();
    let mut text = format!("{fields} equal");
    for (number, what) in
        [(changed, "changed"), (only_a, "only in a"), (only_b, "only in b"), (comparison.ignored, "ignored")]
    {
        if number > 0 {
            text.push_str(&format!(", {number} {what}"));
        }
    }
    text
}

/// The first offset at which two frames differ.
pub fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    let equal = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    (equal < a.len().max(b.len())).then_some(equal)
}

/// The value of a node, as the tree shows it; of a structure also what tells it from others.
pub fn value_text(view: View<'_>, index: usize, full: bool) -> String {
    let (tree, data) = (view.tree, view.data());
    let node = &tree.nodes[index];
    let mut text = Vec::new();
    match node.kind() {
        Kind::Array => count(&mut text, tree.count(index, data).unwrap_or(0), "element"),
        Kind::Payload if view.show_secrets || !tree.holds_secret(index) => {
            _ = byte_string(&mut text, content(tree, view.frame.bytes, index), full);
        }
        Kind::Payload => hidden(&mut text, tree.content_after_length(index).len()),
        Kind::Records => count(&mut text, tree.count(index, data).unwrap_or(0), "byte"),
        Kind::UnknownTag => _ = byte_string(&mut text, content(tree, view.frame.bytes, index), full),
        Kind::Struct => {
            text.extend_from_slice(b"struct");
            identity(&mut text, view, index, full);
        }
        _ => value(&mut text, &view, view.data(), node, tree.item_of(node), full),
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The map keys of a structure, or its first field.
fn identity(text: &mut Vec<u8>, view: View<'_>, structure: usize, full: bool) {
    let (tree, data) = (view.tree, view.data());
    let item = |index: &usize| tree.item_of(&tree.nodes[*index]);
    let mut shown: Vec<usize> = tree.children(structure).filter(|child| item(child).map_key).collect();
    if shown.is_empty() {
        shown.extend(tree.children(structure).find(|child| is_plain(tree.nodes[*child].kind())));
    }
    for (place, index) in shown.iter().enumerate() {
        text.extend_from_slice(if place == 0 { b" (" } else { b", " });
        text.extend_from_slice(item(index).name.as_bytes());
        text.extend_from_slice(b" = ");
        let node = &tree.nodes[*index];
        match node.kind() {
            // How its length is spelled would be too much here.
            Kind::String if !node.is_secret() => quoted(text, data.slice(node.content(data)), full),
            Kind::NullString => text.extend_from_slice(b"null"),
            _ => value(text, &view, view.data(), node, item(index), full),
        }
    }
    if !shown.is_empty() {
        text.push(b')');
    }
}

fn is_plain(kind: Kind) -> bool {
    matches!(kind, Kind::Bool | Kind::Int | Kind::Uint | Kind::Float | Kind::Uuid | Kind::String)
}
