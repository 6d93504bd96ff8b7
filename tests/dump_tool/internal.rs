//! Records of internal topics as the JSON of the dump tool.

use kdissect::payload::Topic;
use kdissect::render::json::payload::write_payload;
use kdissect::schema::{Catalogue, MessageKind};
use kdissect::tree::{Kind, builtin};
use serde_json::{Value as Json, json};

use crate::dump::Content;
use crate::ours::Reader;

/// The key and the value of a record, at these nodes.
pub fn content(reader: &Reader<'_>, topic: Topic, key: usize, value: usize) -> Content {
    if topic == Topic::ClusterMetadata {
        let key =
            reader.content(key).map(|key| panic!("a metadata record with a key of {} bytes", key.len()));
        return Content::Internal { key, value: reader.content(value).map(|_| metadata(reader, value)) };
    }
    let kind = reader.int(key, builtin::RECORD_TYPE).to_string();
    let key = json!({"type": kind, "data": fields(reader, key)});
    let value = match reader.content(value) {
        None => "<DELETE>".into(),
        Some(_) => {
            let version = reader.int(value, builtin::PAYLOAD_VERSION).to_string();
            json!({"version": version, "data": coordinator_value(reader, value)})
        }
    };
    Content::Internal { key: Some(key), value: Some(value) }
}

/// The fields of a payload, all of which must have been decoded.
pub fn fields(reader: &Reader<'_>, node: usize) -> Json {
    let mut out = Vec::new();
    let whole = write_payload(&mut out, reader.tree, reader.data, node, true).unwrap();
    assert!(whole, "not all of it was decoded: {}", String::from_utf8_lossy(&out));
    serde_json::from_slice(&out).unwrap()
}

fn metadata(reader: &Reader<'_>, value: usize) -> Json {
    let uvarint = |item| reader.tree.nodes[reader.find(value, item).unwrap()].uvarint(reader.data);
    json!({
        "type": metadata_type(uvarint(builtin::METADATA_TYPE)),
        "version": uvarint(builtin::METADATA_VERSION),
        "data": fields(reader, value),
    })
}

/// The name of a type of metadata record as Kafka's enumeration has it: `NO_OP_RECORD` for `NoOpRecord`.
fn metadata_type(number: u32) -> String {
    let catalogue = Catalogue::embedded();
    let mut definitions = catalogue.definitions().iter();
    let definition = definitions.find(|definition| {
        definition.kind == MessageKind::Metadata && definition.api_key.map(i64::from) == Some(number.into())
    });
    let mut name = String::new();
    for letter in definition.unwrap().name.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_uppercase());
    }
    name
}

/// The value of a record of a coordinator. In two kinds of them the tool tells more than Kafka's converters do.
fn coordinator_value(reader: &Reader<'_>, value: usize) -> Json {
    let mut data = fields(reader, value);
    name_status(reader, value, &mut data);
    if data["protocolType"] == "consumer" {
        tell_members(reader, value, &mut data);
    }
    data
}

/// Puts the name of a transaction's status in place of its number, as the tool does.
fn name_status(reader: &Reader<'_>, value: usize, data: &mut Json) {
    let tree = reader.tree;
    let name = |index: usize| tree.item_of(&tree.nodes[index]).json_name();
    if let Some(status) = tree.children(value).find(|child| name(*child) == "transactionStatus") {
        let status = &tree.nodes[status];
        let meaning = tree.item_of(status).meaning.unwrap();
        data["transactionStatus"] = meaning.name(status.int(reader.data)).into();
    }
}

/// Puts what members of a consumer group told each other in place of its bytes, as the tool does.
fn tell_members(reader: &Reader<'_>, value: usize, data: &mut Json) {
    let tree = reader.tree;
    let is_told = |index: &usize| {
        let node = &tree.nodes[*index];
        node.kind() == Kind::Payload
            && matches!(tree.item_of(node).json_name(), "subscription" | "assignment")
    };
    let mut told = (value + 1..tree.end(value)).filter(is_told);
    for member in data["members"].as_array_mut().into_iter().flatten() {
        for name in ["subscription", "assignment"] {
            if member[name].as_str().is_some_and(|base64| !base64.is_empty()) {
                member[name] = fields(reader, told.next().unwrap());
            }
        }
    }
    assert_eq!(told.next(), None);
}
