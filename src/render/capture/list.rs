//! The list of a capture's messages: a line for each, in columns.

use super::clock::{Clock, duration};
use super::heading::{arrow, error_text};
use crate::capture::{Message, Origin};
use crate::render::quoted::quoted;
use crate::render::theme::{Role, Theme};
use crate::schema::{Catalogue, Direction};

/// The columns, and how many characters each has at least.
const COLUMNS: [(&str, usize); 9] = [
    ("#", 5),
    // That depends on how times are shown.
    ("time", 0),
    ("conn", 4),
    ("", 1),
    ("message", 31),
    ("corr. id", 10),
    ("size", 8),
    ("latency", 8),
    ("group, topics, records, error", 0),
];
/// The columns of numbers, which end at the right.
const NUMBERS: [usize; 6] = [0, 1, 2, 5, 6, 7];
/// So many topics are named.
const TOPICS: usize = 3;

/// The heading of the columns.
pub fn write_heading(out: &mut Vec<u8>, clock: &Clock, theme: &Theme) {
    let cells: Vec<String> =
        COLUMNS.iter().enumerate().map(|(place, (name, _))| padded(place, name, clock)).collect();
    let line = cells.join(" ");
    theme.paint(out, Role::Heading, line.trim_end());
    out.push(b'\n');
}

/// A line.
pub fn write_line(
    out: &mut Vec<u8>,
    message: &Message<'_>,
    catalogue: &Catalogue,
    clock: &mut Clock,
    theme: &Theme,
) {
    let heading = message.heading;
    let optional = |number: Option<i32>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let what = match (message.origin, heading.api_key, heading.api_version) {
        (Origin::Token, ..) => "SASL token".to_owned(),
        (Origin::Unrecognised, ..) => "unrecognised".to_owned(),
        (origin, Some(key), Some(version)) => {
            // That it was found out by trying is not sure.
            let doubt = if matches!(origin, Origin::Orphan(_)) { "?" } else { "" };
            format!("{} v{version}{doubt}", catalogue.api_name(key))
        }
        _ => "-".to_owned(),
    };
    let cells = [
        message.number.to_string(),
        clock.text(message.first.time),
        message.connection.to_string(),
        arrow(message.direction).to_owned(),
        what,
        optional(heading.correlation_id),
        message.size.to_string(),
        message.latency.map_or_else(String::new, |latency| duration(latency.last)),
    ];
    for (place, cell) in cells.iter().enumerate() {
        let role = match place {
            0..=2 => Some(Role::Location),
            4 if message.direction == Direction::Request => Some(Role::Heading),
            _ => None,
        };
        let padded = padded(place, cell, clock);
        match role {
            Some(role) => theme.paint(out, role, &padded),
            None => out.extend_from_slice(padded.as_bytes()),
        }
        out.push(b' ');
    }
    details(out, message, theme);
    while out.last() == Some(&b' ') {
        out.pop();
    }
    out.push(b'\n');
}

/// A cell as wide as its column.
fn padded(place: usize, cell: &str, clock: &Clock) -> String {
    let (name, width) = COLUMNS[place];
    let width = if name == "time" { clock.width() } else { width };
    if NUMBERS.contains(&place) { format!("{cell:>width$}") } else { format!("{cell:width$}") }
}

/// What is in the last column.
fn details(out: &mut Vec<u8>, message: &Message<'_>, theme: &Theme) {
    let summary = message.summary;
    let mut parts: Vec<String> = Vec::new();
    if let Some(group) = &summary.group {
        parts.push(format!("group {}", plain(group)));
    }
    if !summary.topics.is_empty() {
        let shown: Vec<String> = summary.topics.iter().take(TOPICS).map(|topic| plain(topic)).collect();
        let more = summary.topics.len().saturating_sub(TOPICS);
        let more = match (more, summary.more_topics) {
            (0, _) => String::new(),
            (more, false) => format!(" and {more} more"),
            (more, true) => format!(" and more than {more} more"),
        };
        parts.push(format!("{}{more}", shown.join(" ")));
    }
    if summary.record_bytes > 0 {
        let plural = if summary.records == 1 { "" } else { "s" };
        parts.push(format!("{} record{plural} in {} bytes", summary.records, summary.record_bytes));
    }
    if matches!(message.origin, Origin::Request) && !message.heading.answered {
        parts.push("no response expected".to_owned());
    }
    if message.missing > 0 {
        parts.push(format!("{} bytes not in the capture", message.missing));
    }
    out.extend_from_slice(parts.join(", ").as_bytes());
    if let Some(error) = &summary.error {
        if !parts.is_empty() {
            out.extend_from_slice(b", ");
        }
        theme.paint(out, Role::Problem, &error_text(error));
    }
    if !message.tree.is_sound() {
        if !parts.is_empty() || summary.error.is_some() {
            out.extend_from_slice(b", ");
        }
        theme.paint(out, Role::Problem, "malformed");
    }
}

/// A name, in quotes only if it needs them.
fn plain(name: &str) -> String {
    if !name.is_empty() && name.chars().all(|letter| letter.is_ascii_graphic() && letter != '"') {
        return name.to_owned();
    }
    let mut text = Vec::new();
    quoted(&mut text, name.as_bytes(), false);
    String::from_utf8_lossy(&text).into_owned()
}
