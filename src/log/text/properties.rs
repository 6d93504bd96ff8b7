//! Files with a name and a value in each line: `partition.metadata`, and `meta.properties` in the notation of Java's properties.

use super::{Leaf, Lines, Value, lines, shown};

/// A name that is known: whether its value is a number, and its doc.
type Known = (&'static str, bool, &'static str);

/// How the lines are written.
pub(super) struct Format {
    separator: char,
    known: &'static [Known],
    expected: &'static str,
}

/// `partition.metadata`.
pub(super) const PARTITION: Format = Format {
    separator: ':',
    known: &[
        ("version", true, "version of the file's format"),
        ("topic_id", false, "id of the topic; tells it from one of the same name before or after it"),
    ],
    expected: "a name and a value were expected, as in \"version: 0\"",
};

/// `meta.properties`.
pub(super) const META: Format = Format {
    separator: '=',
    known: &[
        ("version", true, "version of the file's format: 1 with KRaft, 0 with ZooKeeper"),
        ("cluster.id", false, "id of the cluster that the folder belongs to"),
        ("node.id", true, "id of the node that the folder belongs to"),
        ("broker.id", true, "id of the broker that the folder belongs to, in version 0"),
        ("directory.id", false, "id of the folder among those of the node"),
    ],
    expected: "a name and a value were expected, as in \"node.id=1\"",
};

pub(super) fn read(out: &mut Lines, bytes: &[u8], format: &Format) {
    for (place, text) in lines(bytes) {
        if let Some(comment) = text.filter(|text| text.starts_with(['#', '!']) || text.trim().is_empty()) {
            let value = Value::Comment(comment.to_owned());
            out.leaf(Leaf { place, name: String::new(), value, doc: "" });
            continue;
        }
        let Some((name, value)) = text.and_then(|text| text.split_once(format.separator)) else {
            out.wrong(place.start, format!("{}, but the line is {}", format.expected, shown(text)));
            out.undecoded(place);
            continue;
        };
        let (name, value) = (name.trim(), value.trim());
        let known = format.known.iter().find(|(known, ..)| *known == name);
        let number = value.parse().ok().filter(|_| known.is_none_or(|(_, is_number, _)| *is_number));
        if let (Some((name, true, _)), None) = (known, number) {
            out.wrong(place.start, format!("{name} is a number, but here it is {}", shown(Some(value))));
        }
        let value = number.map_or_else(|| Value::Text(value.to_owned()), Value::Int);
        let doc = known.map_or("", |(.., doc)| doc);
        out.leaf(Leaf { place, name: name.to_owned(), value, doc });
    }
    if out.leaves().all(|leaf| leaf.name != "version") {
        out.wrong(bytes.len(), "a line with the version was expected, but there is none");
    }
}
