//! Checkpoints: a line with the version, one with the number of entries, then a line for each.

use super::{Item, Leaf, Line, Lines, Value, lines, shown};

/// The one version there is.
const VERSION: i64 = 0;

/// A column of the entries: its name, whether it is a number, and its doc.
type Column = (&'static str, bool, &'static str);

/// What the entries of a checkpoint are.
pub(super) struct Format {
    columns: &'static [Column],
    expected: &'static str,
}

/// Those of `leader-epoch-checkpoint`.
pub(super) const LEADER_EPOCHS: Format = Format {
    columns: &[
        ("epoch", true, "epoch of a leader of the partition"),
        ("startOffset", true, "first offset that this leader wrote"),
    ],
    expected: "an epoch and its start offset were expected, as in \"3 1042\"",
};

/// Those of the checkpoints with an offset for each partition.
pub(super) const OFFSETS: Format = Format {
    columns: &[
        ("topic", false, ""),
        ("partition", true, ""),
        ("offset", true, "offset in the partition that the file is about"),
    ],
    expected: "a topic, a partition and an offset were expected, as in \"orders 0 1042\"",
};

pub(super) fn read(out: &mut Lines, bytes: &[u8], format: &Format) {
    let mut lines = lines(bytes);
    let version = number(out, lines.next(), bytes.len(), "version", "version of the file's format");
    match version {
        Some(VERSION) => {}
        Some(version) => {
            out.wrong(0, format!("version {version} is not known (0 is), so what follows is shown as it is"));
            return rest(out, bytes, lines);
        }
        None => return rest(out, bytes, lines),
    }
    let count = number(out, lines.next(), bytes.len(), "count", "number of lines that follow");
    let mut found = 0;
    for (place, text) in lines {
        match text.and_then(|text| entry(text, place.start, format.columns)) {
            Some(mut leaves) => {
                // What ends the line belongs to its last value.
                if let Some(last) = leaves.last_mut() {
                    last.place.end = place.end;
                }
                out.items.push(Item::Entry(leaves));
                found += 1;
            }
            None => {
                out.wrong(place.start, format!("{}, but the line is {}", format.expected, shown(text)));
                out.undecoded(place);
            }
        }
    }
    if let Some(count) = count.filter(|count| *count != found) {
        let lines = if found == 1 { "line is" } else { "lines are" };
        out.wrong(bytes.len(), format!("the count says {count}, but {found} such {lines} there"));
    }
}

/// What is left, as it is.
fn rest<'l>(out: &mut Lines, bytes: &[u8], mut lines: impl Iterator<Item = Line<'l>>) {
    if let Some((place, _)) = lines.next() {
        out.undecoded(place.start..bytes.len());
    }
}

/// Reads a line with a number.
fn number(out: &mut Lines, line: Option<Line<'_>>, end: usize, name: &str, doc: &'static str) -> Option<i64> {
    let Some((place, text)) = line else {
        out.wrong(end, format!("the {name} was expected, a number, but the file ends"));
        return None;
    };
    let Some(value) = text.and_then(|text| text.trim().parse().ok()) else {
        out.wrong(place.start, format!("the {name} was expected, a number, but the line is {}", shown(text)));
        out.undecoded(place);
        return None;
    };
    out.leaf(Leaf { place, name: name.to_owned(), value: Value::Int(value), doc });
    Some(value)
}

/// The values of a line; each has the blanks after it.
fn entry(text: &str, start: usize, columns: &[Column]) -> Option<Vec<Leaf>> {
    let mut leaves = Vec::new();
    let mut at = 0;
    for (name, is_number, doc) in columns {
        let rest = &text[at..];
        let blank = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(blank);
        let blanks = after.len() - after.trim_start().len();
        let value = match is_number {
            true => Value::Int(word.parse().ok()?),
            false if word.is_empty() => return None,
            false => Value::Text(word.to_owned()),
        };
        let end = at + blank + blanks;
        leaves.push(Leaf { place: start + at..start + end, name: (*name).to_owned(), value, doc });
        at = end;
    }
    (at == text.len()).then_some(leaves)
}
