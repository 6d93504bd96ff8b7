//! Ids of schemas in records, as the serializers of Confluent's Schema Registry write them: before a key or value, or in a header.
//!
//! Before a key or value stand a zero byte and the id as an int32; then comes what the schema describes, which without it is but bytes (of
//! Protocol Buffers, after the indexes that tell which message of the schema it is). In a header stand a zero byte and the id, or a one
//! and a GUID, and after either the indexes, if there are any.
//!
//! Nothing says that a value begins with an id, so this is a guess. It is one where few other values look alike: text and JSON do not
//! begin with a zero byte, nor does a message of Protocol Buffers. Numbers do, so what has four or eight bytes is not taken for one: a
//! timestamp of eight bytes would pass for an id and three bytes more. Ids count from 1, in Confluent's cloud from 100001, and are below
//! 2^24; that leaves the values whose first two bytes are zero. A structure of numbers with a small one first is the one that is misread. A
//! header has a name that says what it is, so that there is nothing to guess.

use std::sync::{Arc, LazyLock};

use super::items;
use crate::tree::{Flags, Kind, PlanId, What};
use crate::wire::plan::{Item, Plan};
use crate::wire::primitive;
use crate::wire::sink::Sink;

const MAGIC: u16 = 0;
const SCHEMA_ID: u16 = 1;
const SCHEMA_GUID: u16 = 2;
const PAYLOAD: u16 = 3;
const INDEX_COUNT: u16 = 4;
const INDEX: u16 = 5;

/// Ids before a key or value are below this.
const ID_END: i32 = 1 << 24;
/// The magic byte and the id.
const ID_LEN: usize = 5;
/// The magic byte and the GUID.
const GUID_LEN: usize = 17;

/// Whether a key or value has the id of a schema before it, as far as one can tell.
pub(crate) fn is_prefixed(value: &[u8]) -> bool {
    value.len() > ID_LEN && value.len() != 8 && id(value).is_some_and(|id| id < ID_END)
}

/// The id after a zero byte.
fn id(bytes: &[u8]) -> Option<i32> {
    let (rest, magic) = primitive::int8(bytes).ok()?;
    let (_, id) = primitive::int32(rest).ok()?;
    (magic == 0 && id > 0).then_some(id)
}

/// Makes leaves of a key or value that begins at an offset and has an id before it: magic, id and the rest. False if it has none, or the sink
/// does not care; then there are no nodes.
pub(crate) fn value<S: Sink>(bytes: &[u8], start: usize, sink: &mut S) -> bool {
    if !is_prefixed(bytes) {
        return false;
    }
    let Some(plan) = plan(sink) else { return false };
    let payload = &bytes[ID_LEN..];
    let kind = if is_text(payload) { Kind::Text } else { Kind::Raw };
    leaves(
        &[(Kind::Int, MAGIC, 1), (Kind::Int, SCHEMA_ID, 4), (kind, PAYLOAD, payload.len())],
        plan,
        start,
        sink,
    );
    true
}

/// Makes leaves of the value of a header that begins at an offset, if it is one that has the id of a schema. False if not, or the sink does
/// not care; then there are no nodes.
pub(crate) fn header<S: Sink>(key: &[u8], value: &[u8], start: usize, sink: &mut S) -> bool {
    if !matches!(key, b"__key_schema_id" | b"__value_schema_id") {
        return false;
    }
    let mut parts = match value.first() {
        Some(0) if id(value).is_some() => vec![(Kind::Int, MAGIC, 1), (Kind::Int, SCHEMA_ID, ID_LEN - 1)],
        Some(1) if value.len() >= GUID_LEN => {
            vec![(Kind::Int, MAGIC, 1), (Kind::Uuid, SCHEMA_GUID, GUID_LEN - 1)]
        }
        _ => return false,
    };
    let mut rest = &value[parts.iter().map(|(_, _, len)| len).sum()..];
    let mut item = INDEX_COUNT;
    let mut expected = 1;
    while !rest.is_empty() {
        // The count, then as many indexes as it says, and nothing else.
        let Ok((after, number)) = primitive::varint(rest) else { return false };
        expected -= 1;
        if item == INDEX_COUNT {
            expected = number;
        }
        parts.push((Kind::Varint, item, rest.len() - after.len()));
        (item, rest) = (INDEX, after);
        if expected < 0 || (expected == 0) != rest.is_empty() {
            return false;
        }
    }
    let Some(plan) = plan(sink) else { return false };
    leaves(&parts, plan, start, sink);
    true
}

fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| !text.chars().any(|letter| letter.is_control() && !letter.is_whitespace()))
}

fn plan<S: Sink>(sink: &mut S) -> Option<PlanId> {
    static PLAN: LazyLock<Arc<Plan>> = LazyLock::new(|| {
        let item = |(name, type_name, doc): (&str, &'static str, &str)| {
            Item::new(name.into(), type_name.into(), doc.into())
        };
        let texts = [
            ("magic", "int8", "0 before an id of Confluent's Schema Registry, 1 before a GUID"),
            ("schemaId", "int32", "number of the schema in the registry"),
            ("schemaGuid", "guid", "what the schema is called in every registry"),
            ("payload", "", "what the schema describes"),
            ("messageIndexes", "varint", "number of indexes; 0 for the first message of the schema"),
            ("index", "varint", "which message of the schema, or in the one before"),
        ];
        items::plan("SchemaRegistry", texts.map(item).into())
    });
    sink.inner_plan(&PLAN)
}

/// Leaves one after the other.
fn leaves<S: Sink>(parts: &[(Kind, u16, usize)], plan: PlanId, start: usize, sink: &mut S) {
    let mut at = start;
    for (kind, item, len) in parts {
        sink.leaf(What::new(*kind, Flags::NONE, *item).in_plan(plan), at, *len);
        at += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::testing::{any_change_is_tiled, tree_text};
    use crate::tree::{Tree, builtin};

    /// A node that covers what `walk` makes leaves of, as the caller has one.
    fn within(bytes: &[u8], tree: &mut Tree, walk: impl Fn(&mut Tree) -> bool) -> bool {
        let mark = tree.open(What::new(Kind::Struct, Flags::NONE, builtin::VALUE), 0);
        let found = walk(tree);
        if found {
            tree.close(mark, bytes.len());
        } else {
            tree.nodes.clear();
        }
        found
    }

    fn value_walk(bytes: &[u8], tree: &mut Tree) -> bool {
        within(bytes, tree, |tree| value(bytes, 0, tree))
    }

    fn header_walk(bytes: &[u8], tree: &mut Tree) -> bool {
        within(bytes, tree, |tree| header(b"__value_schema_id", bytes, 0, tree))
    }

    fn shown(bytes: &[u8], walk: fn(&[u8], &mut Tree) -> bool) -> Vec<String> {
        any_change_is_tiled(bytes, walk);
        let text = tree_text(bytes, walk);
        text.lines().skip(1).map(|line| line.trim_start_matches("+-- ").to_owned()).collect()
    }

    #[test]
    fn values_have_an_id_before_them() {
        assert_eq!(
            shown(b"\0\0\x01\x86\xa1{\"id\": 7}", value_walk),
            [
                "magic int8 = 0 [0x0000, 1B] 0 before an id of Confluent's Schema Registry, 1 before a GUID",
                "schemaId int32 = 100001 [0x0001, 4B] number of the schema in the registry",
                "payload = \"{\\\"id\\\": 7}\" [0x0005, 9B] what the schema describes",
            ]
        );
        let lines = shown(b"\0\0\0\0\x07\x02\x0aalice", value_walk);
        assert_eq!(lines[2], "payload = 7 bytes 02 0a 61 6c 69 63 65 [0x0005, 7B] what the schema describes");
    }

    #[test]
    fn numbers_and_texts_have_none() {
        for value in [
            &b""[..],
            b"\0\0\0\x07",
            b"\0\0\0\0\x07",
            // A time in milliseconds, and other numbers of eight bytes.
            b"\0\0\x01\x8b\xcf\xe5\x68\0",
            b"\0\0\0\0\0\0\0\x2a",
            b"\0\0\0\0\0\0\0\0\0",
            b"\0\x01\0\0\x07abc",
            b"\x01\0\0\0\x07abc",
            b"\0\xff\xff\xff\xff\xffabc",
            b"plain text",
        ] {
            assert!(!is_prefixed(value), "{value:02x?}");
        }
    }

    #[test]
    fn headers_have_an_id_or_a_guid() {
        let guid = b"\x01\x89\x79\x1c\x1a\x2b\x3c\x4d\x5e\x6f\x70\x81\x92\xa3\xb4\xc5\xd6";
        assert_eq!(
            shown(guid, header_walk)[1],
            "schemaGuid guid = 89791c1a-2b3c-4d5e-6f70-8192a3b4c5d6 [0x0001, 16B] what the schema is called in every registry"
        );
        let indexes = [&guid[..], &[0x04, 0x02, 0x00]].concat();
        let lines = shown(&indexes, header_walk);
        assert!(lines[2].starts_with("messageIndexes varint = 2 ["), "{lines:?}");
        assert!(lines[3].starts_with("index varint = 1 ["), "{lines:?}");
        assert!(lines[4].starts_with("index varint = 0 ["), "{lines:?}");
        assert_eq!(shown(b"\0\0\0\0\x07\0", header_walk).len(), 3);
        let no = |bytes: &[u8]| !header_walk(bytes, &mut Tree::new());
        assert!(no(b"\0\0\0\0\x07\x02") && no(b"\0\0\0\0\x07\x00\x00") && no(b"\x02\0\0\0\x07") && no(b""));
        assert!(!header(b"trace-id", guid, 0, &mut Tree::new()));
    }
}
