//! `quorum-state`: one object of JSON. Each of its members is a leaf.

use super::{Leaf, Lines, Value};

/// The members, in version 0 and 1.
const KNOWN: [(&str, &str); 8] = [
    ("clusterId", "not used by Kafka; empty"),
    ("leaderId", "leader of leaderEpoch; -1 if none is known"),
    ("leaderEpoch", "highest epoch that the node has seen"),
    ("votedId", "node that got this node's vote in leaderEpoch; -1 for none"),
    ("votedDirectoryId", "metadata log folder of the node that got the vote; all zero for none"),
    ("appliedOffset", "not used by Kafka; 0"),
    ("currentVoters", "voters when the file was written"),
    ("data_version", "version of the file's format"),
];

pub(super) fn read(out: &mut Lines, bytes: &[u8]) {
    let text = match serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
        Ok(_) => str::from_utf8(bytes).unwrap_or_default(),
        Err(error) => {
            let place = format!("line {}, column {}", error.line(), error.column());
            out.wrong(0, format!("an object of JSON was expected, but it goes wrong at {place}"));
            return out.undecoded(0..bytes.len());
        }
    };
    let content = text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let Some(content) = content else {
        out.wrong(0, "an object of JSON was expected, but this is something else");
        return out.undecoded(0..bytes.len());
    };
    let first = text.find('{').map_or(0, |at| at + 1);
    let ends = commas(content).chain([content.len()]);
    let mut start = 0;
    for end in ends {
        let member = &content[start..end];
        // The brace before the first, the comma after each, the brace after the last.
        let from = if start == 0 { 0 } else { first + start };
        let to = if end == content.len() { bytes.len() } else { first + end + 1 };
        start = (end + 1).min(content.len());
        let Some((name, value)) = split(member) else {
            out.undecoded(from..to);
            continue;
        };
        let doc = KNOWN.iter().find(|(known, _)| *known == name).map_or("", |(_, doc)| doc);
        let value = match value.parse() {
            Ok(number) => Value::Int(number),
            Err(_) => match serde_json::from_str::<String>(value) {
                Ok(text) => Value::Text(text),
                Err(_) => Value::Json(value.to_owned()),
            },
        };
        out.leaf(Leaf { place: from..to, name, value, doc });
    }
}

/// Name and value of a member.
fn split(member: &str) -> Option<(String, &str)> {
    let colon = outside_strings(member).find(|(_, byte)| *byte == b':')?.0;
    let name = serde_json::from_str(&member[..colon]).ok()?;
    Some((name, member[colon + 1..].trim()))
}

/// The commas between the members of an object.
fn commas(content: &str) -> impl Iterator<Item = usize> {
    let mut depth = 0usize;
    outside_strings(content).filter_map(move |(at, byte)| {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })
}

/// The bytes of JSON that belong to no string.
fn outside_strings(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut inside, mut escaped) = (false, false);
    text.bytes().enumerate().filter(move |(_, byte)| {
        let was_inside = inside;
        match byte {
            b'"' if !escaped => inside = !inside,
            _ => {}
        }
        escaped = was_inside && *byte == b'\\' && !escaped;
        !was_inside && *byte != b'"'
    })
}
