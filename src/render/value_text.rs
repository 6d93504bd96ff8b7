//! The value of a node, as text.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::View;
use super::dates::{nanoseconds, timestamp};
use super::json_form::json_form;
use super::quoted::{byte_string, quoted};
use super::text::{MOST_DIGITS, compose, count, decimal, hex_byte, put, put_decimal};
use crate::schema::{Catalogue, Meaning, MeaningKind};
use crate::tree::{Data, Flags, Kind, Node, builtin};
use crate::wire::plan::{Entity, Item};
use crate::wire::primitive;
use crate::wire::protobuf::{self, Head, Value};

/// Appends the value of a node, its meaning and its spelling: all that stands between `=` and the location.
///
/// Containers and problems have none. `data` is that of the view, or as much of it as the node lies in.
pub fn value(out: &mut Vec<u8>, view: &View<'_>, data: Data<'_>, node: &Node, item: &Item, full: bool) {
    let catalogue = view.catalogue;
    if node.is_secret() && !view.show_secrets && !matches!(node.kind(), Kind::NullString | Kind::NullBytes) {
        return hidden(out, node.secret_content(data).len());
    }
    match node.kind() {
        Kind::Bool => {
            let truth = node.int(data) != 0;
            out.extend_from_slice(if truth { b"true" } else { b"false" });
            meaning(out, item, truth.into(), catalogue);
        }
        Kind::Int | Kind::Uint | Kind::Varint | Kind::Bits | Kind::LittleInt | Kind::LittleUint => {
            let number = node.int(data);
            decimal(out, number);
            meaning(out, item, number, catalogue);
        }
        Kind::TaggedFields => decimal(out, node.uvarint(data)),
        Kind::Uvarint => decimal(out, primitive::uvarlong(node.bytes(data)).map_or(0, |(_, value)| value)),
        Kind::Protobuf => protobuf_field(out, node, item, data, catalogue, full),
        Kind::ProtobufTag => protobuf_tag(out, node.bytes(data)),
        Kind::Float | Kind::LittleFloat => {
            out.extend_from_slice(format!("{:?}", node.float(data)).as_bytes())
        }
        Kind::Uuid if item.type_name == "guid" => guid(out, node.bytes(data)),
        Kind::Uuid => {
            uuid(out, node.bytes(data));
            let names = view.names.filter(|_| item.entity == Some(Entity::TopicId));
            remark(out, names.and_then(|names| names.name(node.bytes(data))));
        }
        Kind::String => {
            let content = node.content(data);
            quoted(out, data.slice(content.clone()), full);
            spelling(out, node, b"int16", content.len() as i64);
        }
        Kind::Bytes => {
            let content = node.content(data);
            let bytes = data.slice(content.clone());
            let is_plain = byte_string(out, bytes, full);
            if node.is_builtin(builtin::KEY) || node.is_builtin(builtin::VALUE) {
                remark(out, json_form(bytes, is_plain));
            }
            spelling(out, node, b"int32", content.len() as i64);
        }
        Kind::VarintBytes => {
            let content = node.content(data);
            let length = content.len() as i64;
            let bytes = data.slice(content);
            if &*item.type_name == "string" {
                quoted(out, bytes, full);
            } else {
                let is_plain = byte_string(out, bytes, full);
                remark(out, json_form(bytes, is_plain));
            }
            spelling(out, node, b"varint", length);
        }
        Kind::NullVarintBytes => {
            out.extend_from_slice(b"null");
            spelling(out, node, b"varint", -1);
        }
        Kind::NullString => {
            out.extend_from_slice(b"null");
            spelling(out, node, b"int16", -1);
        }
        Kind::NullBytes => {
            out.extend_from_slice(b"null");
            spelling(out, node, b"int32", -1);
        }
        Kind::Length => {
            decimal(out, node.raw_length(data));
            if node.flags().has(Flags::COMPACT) {
                out.extend_from_slice(b" (compact, n+1)");
            }
        }
        Kind::Text => quoted(out, node.bytes(data), full),
        Kind::Raw => _ = byte_string(out, node.bytes(data), full),
        Kind::Struct => out.extend_from_slice(b"struct"),
        Kind::NullStruct | Kind::NullRecords => out.extend_from_slice(b"null"),
        Kind::NullArray => {
            out.extend_from_slice(b"null");
            remark(out, item.absence.and_then(|absence| absence.null.as_deref()));
        }
        // How many there are is for the caller to say, who has the tree.
        Kind::Array | Kind::Records | Kind::Payload => {}
        Kind::Message
        | Kind::Frame
        | Kind::Header
        | Kind::Body
        | Kind::Tag
        | Kind::UnknownTag
        | Kind::Batch
        | Kind::Record
        | Kind::Problem => {}
    }
}

/// A field of a Protocol Buffers message. Its type says what its value is.
fn protobuf_field(
    out: &mut Vec<u8>,
    node: &Node,
    item: &Item,
    data: Data<'_>,
    catalogue: &Catalogue,
    full: bool,
) {
    let Some((number, value)) = protobuf::field(node.bytes(data)) else { return };
    let mut length = None;
    let number_of_value = match (value, &*item.type_name) {
        (Value::Varint(bits), "bool") => {
            out.extend_from_slice(if bits != 0 { b"true" } else { b"false" });
            None
        }
        (Value::Varint(bits), "sint32") => Some(primitive::zigzag(bits)),
        (Value::Varint(bits), "uint32" | "uint64" | "varint") if i64::try_from(bits).is_err() => {
            decimal(out, bits);
            None
        }
        (Value::Varint(bits), _) => Some(bits as i64),
        (Value::Fixed64(bytes), "double") => {
            out.extend_from_slice(format!("{:?}", f64::from_le_bytes(bytes)).as_bytes());
            None
        }
        (Value::Fixed64(bytes), "sfixed64") => Some(i64::from_le_bytes(bytes)),
        (Value::Fixed64(bytes), _) => {
            let bits = u64::from_le_bytes(bytes);
            let number = i64::try_from(bits).ok();
            if number.is_none() {
                decimal(out, bits);
            }
            number
        }
        (Value::Fixed32(bytes), _) => Some(u32::from_le_bytes(bytes).into()),
        (Value::Bytes(bytes), type_name) => {
            length = Some(bytes.len());
            match type_name {
                "string" => quoted(out, bytes, full),
                _ => _ = byte_string(out, bytes, full),
            }
            None
        }
    };
    if let Some(number) = number_of_value {
        decimal(out, number);
        meaning(out, item, number, catalogue);
    }
    field_number(out, number, length.map(|length| length as u64));
}

/// The tag and the length before a message or an array.
fn protobuf_tag(out: &mut Vec<u8>, bytes: &[u8]) {
    if let (Ok(head), Ok((_, tag))) = (Head::read(bytes), primitive::uvarlong(bytes)) {
        decimal(out, tag);
        field_number(out, head.number, Some(head.value_len));
    }
}

fn field_number(out: &mut Vec<u8>, number: u32, length: Option<u64>) {
    out.extend_from_slice(b" (field ");
    decimal(out, number);
    if let Some(length) = length {
        out.extend_from_slice(b", len=");
        decimal(out, length);
    }
    out.push(b')');
}

/// What stands in place of a secret.
pub fn hidden(out: &mut Vec<u8>, len: usize) {
    out.extend_from_slice(b"(hidden, ");
    count(out, len as u64, "byte");
    out.push(b')');
}

fn uuid(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut text = [0; 22];
    let length = URL_SAFE_NO_PAD.encode_slice(bytes, &mut text).unwrap_or(0);
    out.extend_from_slice(&text[..length]);
}

/// A uuid as most others print it: 32 hex digits with hyphens.
fn guid(out: &mut Vec<u8>, bytes: &[u8]) {
    for (index, byte) in bytes.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            out.push(b'-');
        }
        hex_byte(out, *byte);
    }
}

/// How the length of a string or of bytes is spelled; -1 for null.
fn spelling<const N: usize>(out: &mut Vec<u8>, node: &Node, fixed: &[u8; N], length: i64) {
    let is_compact = node.flags().has(Flags::COMPACT);
    compose::<{ MOST_DIGITS + 32 }>(out, |text| {
        let (at, number) = match (is_compact, u64::try_from(length)) {
            (true, _) => (put(text, 0, *b" (compact, len+1="), (length + 1) as u64),
            (false, length) => {
                put(text, 0, *b" (");
                let at = put(text, 2, *fixed);
                let at = put(text, at, *b" len=");
                (if length.is_ok() { at } else { put(text, at, *b"-") }, length.unwrap_or(1))
            }
        };
        let at = put_decimal(text, at, number);
        put(text, at, *b")")
    });
}

/// Appends a text in parentheses, if there is one.
pub fn remark(out: &mut Vec<u8>, text: Option<&str>) {
    if let Some(text) = text {
        out.extend_from_slice(b" (");
        out.extend_from_slice(text.as_bytes());
        out.push(b')');
    }
}

/// What a number means, in parentheses, if it means anything.
#[inline]
fn meaning(out: &mut Vec<u8>, item: &Item, number: i64, catalogue: &Catalogue) {
    if let Some(meaning) = item.meaning {
        words(out, meaning, number, catalogue);
    }
}

fn words(out: &mut Vec<u8>, meaning: &Meaning, number: i64, catalogue: &Catalogue) {
    if meaning.is_unnamed(number) {
        return;
    }
    if let Some(name) = meaning.name(number) {
        return remark(out, Some(name));
    }
    match meaning.kind {
        MeaningKind::Names if meaning.strict => remark(out, Some("unknown")),
        MeaningKind::Names => {}
        MeaningKind::ApiKeys => {
            let api = i16::try_from(number).ok().and_then(|key| catalogue.api(key));
            remark(out, Some(api.map_or("unknown", |api| &api.name)));
        }
        MeaningKind::Timestamp => remark(out, timestamp(number).as_deref()),
        MeaningKind::Nanoseconds => remark(out, nanoseconds(number).as_deref()),
        MeaningKind::Bits => {
            let names: Vec<String> = meaning
                .set_bits(number)
                .map(|(bit, name)| name.map_or_else(|| format!("bit {bit}"), str::to_owned))
                .collect();
            remark(out, Some(if names.is_empty() { "none" } else { "" }).filter(|text| !text.is_empty()));
            if !names.is_empty() {
                remark(out, Some(&names.join(", ")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Meanings;

    #[test]
    fn numbers_say_what_they_mean() {
        let catalogue = Catalogue::embedded();
        for (name, number, expected) in [
            ("error", 0, ""),
            ("error", 3, " (UNKNOWN_TOPIC_OR_PARTITION)"),
            ("error", 999, " (unknown)"),
            ("acks", -1, " (all in-sync replicas)"),
            ("apiKey", 65, " (DescribeTransactions)"),
            ("apiKey", 1000, " (unknown)"),
            ("timestamp", 0, ""),
            ("timestamp", -1, " (none)"),
            ("timestamp", 1_700_000_000_000, " (2023-11-14T22:13:20.000Z)"),
            ("timestamp", i64::MAX, ""),
            ("unixNano", 0, ""),
            ("unixNano", 1_700_000_000_123_456_789, " (2023-11-14T22:13:20.123456789Z)"),
            ("authorizedOperations", 0x108, " (READ, DESCRIBE)"),
            ("authorizedOperations", 0, " (none)"),
            ("authorizedOperations", -2_147_483_648, " (not asked for)"),
            ("leaderId", 5, ""),
            ("leaderId", -1, " (no leader)"),
        ] {
            let mut out = Vec::new();
            words(&mut out, Meanings::get().named(name).unwrap(), number, &catalogue);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{name} {number}");
        }
    }
}
