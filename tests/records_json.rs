//! What is in a records field as JSON, and back to the same bytes or, where it was compressed, to the same values.

mod common;

use kdissect::input::conversation::{Conversation, Wanted};
use kdissect::input::json_frame::frame_from_json;
use kdissect::input::json_records::{entry_from_json, records_from_json};
use kdissect::records::compression::Codec;
use kdissect::records::value::{Batch, Entry, Header, Message, MessageValue, Record, Records};
use kdissect::records::{Ending, encode, entries};
use kdissect::render::View;
use kdissect::render::json::{write_entry, write_json};
use kdissect::schema::{Catalogue, Direction};
use kdissect::tree::{Flags, Kind, Node, Tree, What, builtin};
use kdissect::values;
use kdissect::wire::value::{Struct, Value};
use kdissect::wire::{Decoder, Frame, instance};
use serde_json::{Value as Json, json};

fn batch(attributes: i16, records: Vec<Record>) -> Batch {
    Batch {
        base_offset: 41,
        partition_leader_epoch: 5,
        crc: None,
        attributes,
        last_offset_delta: 2,
        base_timestamp: 1_700_000_000_000,
        max_timestamp: 1_700_000_000_012,
        producer_id: -1,
        producer_epoch: -1,
        base_sequence: -1,
        record_count: None,
        records: Records::Values(records),
    }
}

fn record(key: Option<&[u8]>, value: Option<&[u8]>) -> Record {
    Record { key: key.map(<[u8]>::to_vec), value: value.map(<[u8]>::to_vec), ..Record::default() }
}

fn message(magic: i8, attributes: i8, value: MessageValue) -> Message {
    let timestamp = (magic == 1).then_some(1_700_000_000_000);
    Message { offset: 7, crc: None, attributes, timestamp, key: None, value }
}

fn plain(value: &[u8]) -> MessageValue {
    MessageValue::Bytes(Some(value.to_vec()))
}

fn bytes_of(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    entries.iter().for_each(|entry| encode(entry, &mut out).unwrap());
    out
}

/// The entries of a records field as JSON, each by itself.
fn json_of(data: &[u8]) -> Vec<Json> {
    let mut tree = Tree::new();
    entries(data, 0, Ending::UpToLimit, &mut tree);
    json_of_tree(&tree, data, false)
}

fn json_of_tree(tree: &Tree, data: &[u8], show_secrets: bool) -> Vec<Json> {
    let (mut list, mut next) = (Vec::new(), 0);
    while next < tree.nodes.len() {
        if tree.nodes[next].kind().covers_bytes() {
            let mut line = Vec::new();
            write_entry(&mut line, tree, tree.data(data), next, show_secrets).unwrap();
            assert_eq!(line.pop(), Some(b'\n'));
            list.push(serde_json::from_slice(&line).unwrap());
        }
        next = tree.end(next);
    }
    list
}

const PLAIN: [(&str, bool); 3] =
    [("isTransactional", false), ("isControl", false), ("hasDeleteHorizon", false)];

/// Attributes of a batch with some members in another state than usual.
fn attributes(changes: Json) -> Json {
    let mut all = json!({ "compression": "none", "timestampType": "createTime" });
    PLAIN.iter().for_each(|(name, value)| all[*name] = json!(value));
    changes.as_object().unwrap().iter().for_each(|(name, value)| all[name] = value.clone());
    all
}

#[test]
fn a_batch_is_told_by_its_values() {
    let header =
        |key: &[u8], value: Option<&[u8]>| Header { key: key.to_vec(), value: value.map(<[u8]>::to_vec) };
    let first = Record {
        attributes: 1,
        headers: vec![header(b"trace", Some(b"\xff\x00")), header(b"\xfe", None), header(b"", Some(b""))],
        ..record(Some(b"order-1"), None)
    };
    let second = Record { timestamp_delta: 12, offset_delta: 2, ..record(Some(b""), Some(b"\xff")) };
    let entry = Entry::Batch(batch(0, vec![first, second]));
    let data = bytes_of(std::slice::from_ref(&entry));
    let json = json_of(&data);
    assert_eq!(
        json,
        [json!({
            "baseOffset": 41, "partitionLeaderEpoch": 5, "magic": 2, "attributes": attributes(json!({})),
            "lastOffsetDelta": 2, "baseTimestamp": 1_700_000_000_000i64, "maxTimestamp": 1_700_000_000_012i64,
            "producerId": -1, "producerEpoch": -1, "baseSequence": -1,
            "records": [
                {
                    "attributes": 1, "timestampDelta": 0, "offsetDelta": 0, "offset": 41,
                    "timestamp": 1_700_000_000_000i64, "key": "order-1", "value": null,
                    "headers": [
                        { "key": "trace", "value": { "base64": "/wA=" } },
                        { "key": { "base64": "/g==" }, "value": null },
                        { "key": "", "value": "" },
                    ],
                },
                {
                    "attributes": 0, "timestampDelta": 12, "offsetDelta": 2, "offset": 43,
                    "timestamp": 1_700_000_000_012i64, "key": "", "value": { "base64": "/w==" }, "headers": [],
                },
            ],
        })]
    );
    assert_eq!(entry_from_json(&json[0], ""), Ok(entry));
}

#[test]
fn messages_are_told_by_their_values() {
    let set = vec![
        Entry::Message(message(1, 0, plain(b"a"))),
        Entry::Message(message(1, 0, MessageValue::Bytes(None))),
    ];
    let entries = [
        Entry::Message(message(0, 0, plain(b""))),
        Entry::Message(message(1, 8, plain(b"\xff"))),
        Entry::Message(message(1, 3, MessageValue::Set(set))),
        Entry::Message(message(1, 3, plain(b"no frame"))),
    ];
    let json = json_of(&bytes_of(&entries));
    let one = |attributes: Json, value: Json| {
        let mut all = json!({ "offset": 7, "magic": 1, "attributes": attributes, "timestamp": 1_700_000_000_000i64, "key": null });
        value.as_object().unwrap().iter().for_each(|(name, value)| all[name] = value.clone());
        all
    };
    let create = |compression: &str| json!({ "compression": compression, "timestampType": "createTime" });
    assert_eq!(
        json,
        [
            json!({ "offset": 7, "magic": 0, "attributes": { "compression": "none" }, "key": null, "value": "" }),
            one(
                json!({ "compression": "none", "timestampType": "logAppendTime" }),
                json!({ "value": { "base64": "/w==" } })
            ),
            one(
                create("lz4"),
                json!({ "messages": [one(create("none"), json!({ "value": "a" })), one(create("none"), json!({ "value": null }))] })
            ),
            one(create("lz4"), json!({ "compressed": "bm8gZnJhbWU=" })),
        ]
    );
    for (json, entry) in json.iter().zip(entries) {
        assert_eq!(entry_from_json(json, ""), Ok(entry));
    }
}

#[test]
fn every_bit_of_the_attributes_survives() {
    for attributes in (0..=u16::MAX).step_by(7).map(|bits| bits as i16 & !7) {
        let data = bytes_of(&[Entry::Batch(batch(attributes, Vec::new()))]);
        let json = json_of(&data);
        assert!(json[0].is_object());
        assert_eq!(records_from_json(&json.into(), ""), Ok(data));
    }
    let json = json_of(&bytes_of(&[Entry::Batch(batch(0x80 | 0x18, Vec::new()))]));
    let expected =
        attributes(json!({ "timestampType": "logAppendTime", "isTransactional": true, "otherBits": 128 }));
    assert_eq!(json[0]["attributes"], expected);
    for magic in [0, 1] {
        for attributes in (0..=u8::MAX).map(|bits| bits as i8 & !7) {
            let data = bytes_of(&[Entry::Message(message(magic, attributes, plain(b"x")))]);
            let json = json_of(&data);
            assert!(json[0].is_object());
            assert_eq!(records_from_json(&json.into(), ""), Ok(data));
        }
    }
}

#[test]
fn what_an_encoder_would_not_come_to_is_told() {
    let wrong = Batch { crc: Some(7), record_count: Some(9), ..batch(0, vec![record(None, None)]) };
    let wrong = [Entry::Batch(wrong), Entry::Message(Message { crc: Some(8), ..message(0, 0, plain(b"")) })];
    let data = bytes_of(&wrong);
    let json = json_of(&data);
    assert_eq!(
        (&json[0]["crc"], &json[0]["recordCount"], &json[1]["crc"]),
        (&json!(7), &json!(9), &json!(8))
    );
    assert_eq!(records_from_json(&json.into(), ""), Ok(data));
    let sound = json_of(&bytes_of(&[Entry::Batch(batch(0, vec![record(None, None)]))]));
    assert_eq!((sound[0].get("crc"), sound[0].get("recordCount")), (None, None));
}

#[test]
fn what_values_do_not_tell_is_bytes() {
    let sound = bytes_of(&[Entry::Batch(batch(0, vec![record(None, None)]))]);
    // The record's varints: its length, then after the attributes a delta each, key, value and headers.
    for at in [61, 63, 64, 65, 66, 67] {
        let mut data = sound.clone();
        data[at] |= 0x80;
        data.insert(at + 1, 0);
        data[11] += 1;
        if at > 61 {
            data[61] += 2;
        }
        let json = json_of(&data);
        assert!(json.len() == 1 && json[0].is_string(), "{at}: {json:?}");
        assert_eq!(records_from_json(&json.into(), ""), Ok(data));
    }
    // A byte after the record, and after the last record; the end is missing; no format that is known.
    let mut in_record = [&sound[..], b"?"].concat();
    in_record[11] += 1;
    in_record[61] += 2;
    let mut in_batch = [&sound[..], b"?"].concat();
    in_batch[11] += 1;
    let cut = sound[..sound.len() - 1].to_vec();
    let mut magic = sound.clone();
    magic[16] = 3;
    for data in [in_record, in_batch, cut, magic, sound[..10].to_vec()] {
        let json = json_of(&data);
        assert!(json.len() == 1 && json[0].is_string(), "{json:?}");
        assert_eq!(records_from_json(&json.into(), ""), Ok(data));
    }
}

#[test]
fn compressed_records_are_values() {
    for codec in Codec::ALL {
        let records =
            vec![record(Some(b"a"), Some(&[b'b'; 500])), Record { offset_delta: 1, ..record(None, None) }];
        let entry = Entry::Batch(batch(codec.number().into(), records));
        let mut data = bytes_of(std::slice::from_ref(&entry));
        let json = json_of(&data);
        assert_eq!(json[0]["attributes"], attributes(json!({ "compression": codec.name() })));
        assert_eq!(json[0]["records"][1]["offset"], 42);
        assert_eq!(entry_from_json(&json[0], ""), Ok(entry));
        // The last byte is missing.
        data.pop();
        data[11] -= 1;
        let json = json_of(&data);
        assert_eq!((json[0].get("records"), &json[0]["recordCount"]), (None, &json!(2)));
        assert!(json[0]["compressed"].is_string() && json[0]["crc"].is_u64());
        assert_eq!(records_from_json(&json.into(), ""), Ok(data));
    }
    for (attributes, compression) in [(5, json!(5)), (1, json!("gzip"))] {
        let records = Records::Compressed(b"?".to_vec());
        let entry = Entry::Batch(Batch { records, record_count: Some(4), ..batch(attributes, Vec::new()) });
        let json = json_of(&bytes_of(std::slice::from_ref(&entry)));
        assert_eq!(
            (&json[0]["attributes"]["compression"], &json[0]["compressed"]),
            (&compression, &json!("Pw=="))
        );
        let read = entry_from_json(&json[0], "").unwrap();
        assert_eq!(bytes_of(&[read]), bytes_of(&[entry]));
    }
}

#[test]
fn control_records_have_their_bytes_and_their_type() {
    for (number, name) in
        [(0, json!("ABORT")), (1, json!("COMMIT")), (6, json!("KRAFT_VOTERS")), (77, json!(77))]
    {
        let key = [0, 0, 0, number];
        let entry = Entry::Batch(batch(0x20, vec![record(Some(&key), Some(b"\0\0\0\0\0\xff"))]));
        let json = json_of(&bytes_of(std::slice::from_ref(&entry)));
        let record = &json[0]["records"][0];
        assert_eq!((&record["controlType"], &record["key"]), (&name, &json!(String::from_utf8_lossy(&key))));
        assert_eq!(record["value"], json!({ "base64": "AAAAAAD/" }));
        assert_eq!(entry_from_json(&json[0], ""), Ok(entry));
    }
}

#[test]
fn what_is_left_out_is_worked_out() {
    let read = |json: Json| entry_from_json(&json, "").unwrap();
    let expected = Batch {
        base_offset: 10,
        partition_leader_epoch: -1,
        last_offset_delta: 3,
        base_timestamp: 500,
        max_timestamp: 900,
        ..batch(
            0,
            vec![
                record(Some(b"a"), None),
                Record { timestamp_delta: 400, offset_delta: 3, ..Record::default() },
            ],
        )
    };
    let by_offsets = json!({ "records": [{ "key": "a", "offset": 10, "timestamp": 500 }, { "offset": 13, "timestamp": 900 }] });
    assert_eq!(read(by_offsets), Entry::Batch(expected.clone()));
    let by_deltas = json!({ "baseOffset": 10, "baseTimestamp": 500, "magic": 2,
        "records": [{ "key": "a" }, { "offsetDelta": 3, "timestampDelta": 400, "offset": null }] });
    assert_eq!(read(by_deltas), Entry::Batch(expected));
    let Entry::Batch(by_position) = read(json!({ "records": [{}, {}, {}] })) else { panic!() };
    let Records::Values(records) = by_position.records else { panic!() };
    assert_eq!(records.iter().map(|record| record.offset_delta).collect::<Vec<_>>(), [0, 1, 2]);
    let times = (
        by_position.base_offset,
        by_position.last_offset_delta,
        by_position.base_timestamp,
        by_position.max_timestamp,
    );
    assert_eq!(times, (0, 2, -1, -1));
    let append =
        json!({ "attributes": { "timestampType": "logAppendTime" }, "records": [{ "timestamp": 5 }] });
    let Entry::Batch(append) = read(append) else { panic!() };
    assert_eq!((append.attributes, append.max_timestamp), (8, 5));
    let Entry::Message(message) = read(json!({ "magic": 1, "value": "x" })) else { panic!() };
    assert_eq!((message.timestamp, message.key, message.value), (Some(-1), None, plain(b"x")));
}

#[test]
fn what_cannot_be_is_an_error_with_a_path() {
    let gzip = r#""attributes":{"compression":"gzip"}"#;
    for (entry, expected) in [
        ("7", ": expected a batch, a message, or its bytes in base64, found 7"),
        ("\"A\"", ": expected an entry in base64, found \"A\""),
        (r#"{"magic":3}"#, ".magic: no format has the magic 3; 0, 1 and 2 do"),
        (r#"{"magic":300}"#, ".magic: 300 is not within -128 to 127"),
        (
            r#"{"batchLength":3}"#,
            ".batchLength: no such key; there are baseOffset, partitionLeaderEpoch, magic, crc, attributes, \
            lastOffsetDelta, baseTimestamp, maxTimestamp, producerId, producerEpoch, baseSequence, recordCount, records, compressed",
        ),
        (r#"{"crc":-1}"#, ".crc: -1 is not within 0 to 4294967295"),
        (
            r#"{"attributes":{"compression":"zip"}}"#,
            ".attributes.compression: expected none, gzip, snappy, lz4, zstd, or the number of a codec, found \"zip\"",
        ),
        (
            r#"{"attributes":{"compression":5}}"#,
            ".attributes.compression: no codec has the number 5, so \"compressed\" must have the bytes",
        ),
        (
            r#"{"attributes":{"timestampType":1}}"#,
            ".attributes.timestampType: expected one of createTime, logAppendTime, found 1",
        ),
        (r#"{"attributes":{"isControl":1}}"#, ".attributes.isControl: expected bool, found 1"),
        (
            r#"{"attributes":{"otherBits":136}}"#,
            ".attributes.otherBits: the bits 0x8 have names of their own",
        ),
        (r#"{"compressed":"AA=="}"#, ".compressed: the attributes say that nothing is compressed"),
        (
            &format!(r#"{{{gzip},"compressed":"AA=="}}"#),
            ".recordCount: it is missing, and compressed records do not tell it",
        ),
        (
            &format!(r#"{{{gzip},"records":[],"compressed":"AA=="}}"#),
            ".compressed: there can be only one of this and records",
        ),
        (
            &format!(r#"{{{gzip},"recordCount":1,"compressed":"A"}}"#),
            ".compressed: expected bytes in base64, found \"A\"",
        ),
        (r#"{"records":{}}"#, ".records: expected an array, found an object"),
        (r#"{"records":[{},null]}"#, ".records[1]: expected an object, found null"),
        (
            r#"{"records":[{"value":1}]}"#,
            ".records[0].value: expected a string, null, or bytes as {\"base64\": \"…\"}, found 1",
        ),
        (
            r#"{"records":[{"values":1}]}"#,
            ".records[0].values: no such key; there are attributes, timestampDelta, \
            offsetDelta, offset, timestamp, key, value, headers, controlType, decodedKey, decodedValue",
        ),
        (
            r#"{"records":[{"headers":[{"key":"a"},{"value":"b"}]}]}"#,
            ".records[0].headers[1].key: it is missing, or null",
        ),
        (
            r#"{"baseOffset":4,"records":[{"offsetDelta":1,"offset":6}]}"#,
            ".records[0].offset: 6 is not baseOffset 4 and offsetDelta 1",
        ),
        (
            r#"{"baseOffset":4,"records":[{"offset":2147483652}]}"#,
            ".records[0].offset: 2147483652 is too far from baseOffset 4",
        ),
        (
            r#"{"baseTimestamp":4,"records":[{"timestampDelta":1,"timestamp":6}]}"#,
            ".records[0].timestamp: 6 is not baseTimestamp 4 and timestampDelta 1",
        ),
        (
            r#"{"attributes":{"timestampType":"logAppendTime"},"maxTimestamp":4,"records":[{"timestamp":6}]}"#,
            ".records[0].timestamp: 6 is not maxTimestamp 4, as with log append time it must be",
        ),
        (r#"{"magic":0,"timestamp":6}"#, ".timestamp: magic 0 has no timestamps"),
        (
            r#"{"magic":0,"attributes":{"timestampType":"logAppendTime"}}"#,
            ".attributes.timestampType: magic 0 has no timestamps",
        ),
        (
            r#"{"magic":1,"messages":[]}"#,
            ".messages: the attributes say that nothing is compressed; only a compressed message has others in it",
        ),
        (
            &format!(r#"{{"magic":1,{gzip},"value":"x"}}"#),
            ".value: a compressed message has \"messages\" or \"compressed\" in its place",
        ),
        (
            &format!(r#"{{"magic":1,{gzip},"messages":["",{{"magic":0,"key":1}}]}}"#),
            ".messages[1].key: expected a string, null, or bytes as {\"base64\": \"…\"}, found 1",
        ),
    ] {
        let json: Json = serde_json::from_str(&format!("[\"\",{entry}]")).unwrap();
        let error = records_from_json(&json, "records").unwrap_err();
        assert_eq!(error.to_string(), format!("records[1]{expected}"), "{entry}");
    }
    let error = records_from_json(&json!("A"), "records").unwrap_err().to_string();
    assert_eq!(error, "records: expected records in base64, found \"A\"");
    let error = records_from_json(&json!(7), "records").unwrap_err().to_string();
    assert_eq!(error, "records: expected an array of batches, or records in base64, found 7");
}

/// The nodes of an item that covers bytes.
fn nodes_of(tree: &Tree, kind: Kind, name: &str) -> Vec<usize> {
    let is_it =
        |index: &usize| tree.nodes[*index].kind() == kind && &*tree.item_of(&tree.nodes[*index]).name == name;
    (0..tree.nodes.len()).filter(is_it).collect()
}

/// Makes a secret of a node.
fn hide(tree: &mut Tree, index: usize) {
    let node = tree.nodes[index];
    let what = What::new(node.kind(), node.flags().with(Flags::SECRET), node.item()).in_plan(node.plan());
    tree.nodes[index] = Node::new(node.start() as usize, node.len() as usize, node.span() as usize, what);
}

const HIDDEN: &str = "this value was hidden when the JSON was written; --show-secrets writes it";

#[test]
fn secrets_in_records_are_hidden() {
    let records = vec![record(Some(b"key"), Some(b"value"))];
    let zipped = batch(1, records.clone());
    for (attributes, records) in [(0, Records::Values(records)), (1, zipped.records.clone())] {
        let data = bytes_of(&[Entry::Batch(Batch { records, ..batch(attributes, Vec::new()) })]);
        let mut tree = Tree::new();
        entries(&data, 0, Ending::Whole, &mut tree);
        let sound = json_of_tree(&tree, &data, false);
        let value = nodes_of(&tree, Kind::VarintBytes, "value")[0];
        hide(&mut tree, value);
        let json = json_of_tree(&tree, &data, false);
        let record = &json[0]["records"][0];
        assert_eq!((&record["key"], &record["value"]), (&json!("key"), &json!({ "hidden": 5 })));
        assert_eq!(json_of_tree(&tree, &data, true), sound);
        let error = records_from_json(&json.into(), "records").unwrap_err().to_string();
        assert_eq!(error, format!("records[0].records[0].value: {HIDDEN}"));
    }
    // A batch that can only be told by its bytes.
    let mut data =
        [&bytes_of(&[Entry::Batch(batch(0, vec![record(None, Some(b"value"))]))])[..], b"?"].concat();
    data[11] += 1;
    let mut tree = Tree::new();
    entries(&data, 0, Ending::Whole, &mut tree);
    let value = nodes_of(&tree, Kind::VarintBytes, "value")[0];
    hide(&mut tree, value);
    let json = json_of_tree(&tree, &data, false);
    assert_eq!(json, [json!({ "hidden": data.len() })]);
    let error = records_from_json(&json.into(), "records").unwrap_err().to_string();
    assert_eq!(error, format!("records[0]: {HIDDEN}"));
    // Compressed bytes that do not all come out have it in them as well.
    let mut data = bytes_of(&[Entry::Batch(batch(1, vec![record(None, Some(b"value"))]))]);
    let len = data.len();
    data[len - 1] ^= 1;
    let mut tree = Tree::new();
    entries(&data, 0, Ending::Whole, &mut tree);
    let value = nodes_of(&tree, Kind::VarintBytes, "value")[0];
    hide(&mut tree, value);
    let json = json_of_tree(&tree, &data, false);
    assert_eq!(json[0]["compressed"], json!({ "hidden": data.len() - 61 }));
    let error = records_from_json(&json.into(), "records").unwrap_err().to_string();
    assert_eq!(error, format!("records[0].compressed: {HIDDEN}"));
}

const FETCH: (Direction, i16, i16) = (Direction::Response, 1, 11);

/// A Fetch response with a records field.
fn fetch(decoder: &mut Decoder<'_>, records: Vec<u8>) -> Vec<u8> {
    let structure = |fields: Vec<Value>| Value::from(Struct::from(fields));
    let partition = structure(values![0, 0, 9, 9, 0, Value::Null, -1, records]);
    let topic = structure(values!["t", Value::from_iter([partition])]);
    let fields = values![0, 0, 0, Value::from_iter([topic])];
    common::make_frame(decoder, FETCH, &Struct::from(fields), 1, "")
}

fn fetch_json(decoder: &mut Decoder<'_>, bytes: &[u8]) -> Json {
    json_of_frame(decoder, FETCH, bytes)
}

fn json_of_frame(decoder: &mut Decoder<'_>, message: (Direction, i16, i16), bytes: &[u8]) -> Json {
    let mut tree = Tree::new();
    let heading = common::decode(decoder, message, bytes, &mut tree);
    let frame = Frame { bytes, sized: true };
    let catalogue = decoder.catalogue();
    let view = View { tree: &tree, frame, heading: &heading, catalogue, show_secrets: false };
    let mut out = Vec::new();
    write_json(&mut out, view, &[]).unwrap();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn records_that_may_begin_anywhere_are_bytes() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let message = (Direction::Response, 59, 0);
    let body = instance::smallest(&common::plans(&mut decoder, message).1);
    let bytes = common::make_frame(&mut decoder, message, &body, 1, "");
    let json = json_of_frame(&mut decoder, message, &bytes);
    assert!(json["body"]["topics"][0]["partitions"][0]["unalignedRecords"].is_string());
    assert_eq!(frame_from_json(&mut decoder, &json), Ok(bytes));
}

/// The tree with the bytes at `index` as a payload that was decoded: its length, and its content in one piece.
fn with_payload(tree: &mut Tree, index: usize, data: &[u8], length: What) {
    let node = tree.nodes[index];
    for above in 0..index {
        let outer = tree.nodes[above];
        if tree.end(above) > index {
            let (start, len, span) = (outer.start() as usize, outer.len() as usize, outer.span() as usize);
            tree.nodes[above] = Node::new(start, len, span + 2, outer.what());
        }
    }
    let (content, stop) = (node.content(data), node.stop() as usize);
    let start = node.start() as usize;
    let raw = What::new(Kind::Raw, Flags::NONE, builtin::TAG_VALUE);
    let payload = [
        Node::new(start, stop - start, 3, What::new(Kind::Payload, Flags::NONE, node.item())),
        Node::new(start, content.start - start, 1, length),
        Node::new(content.start, content.len(), 1, raw),
    ];
    tree.nodes.splice(index..=index, payload);
}

#[test]
fn keys_and_values_that_were_decoded_have_their_bytes() {
    for (entry, kind, length) in [
        (
            Entry::Batch(batch(0, vec![record(Some(b"key"), Some(b"value"))])),
            Kind::VarintBytes,
            What::new(Kind::Varint, Flags::NONE, builtin::VARINT_LENGTH),
        ),
        (
            Entry::Message(message(1, 0, plain(b"value"))),
            Kind::Bytes,
            What::new(Kind::Length, Flags::NONE, builtin::INT32_LENGTH),
        ),
    ] {
        let data = bytes_of(&[entry]);
        let mut tree = Tree::new();
        entries(&data, 0, Ending::Whole, &mut tree);
        let sound = json_of_tree(&tree, &data, false);
        for name in ["value", "key"] {
            if let Some(index) = nodes_of(&tree, kind, name).first() {
                with_payload(&mut tree, *index, &data, length);
            }
        }
        tree.check_tiling(data.len()).unwrap();
        assert!(tree.nodes.iter().any(|node| node.kind() == Kind::Payload));
        assert_eq!(json_of_tree(&tree, &data, false), sound);
        // A secret in there is one.
        let raw = *nodes_of(&tree, Kind::Raw, "value").last().unwrap();
        hide(&mut tree, raw);
        let json = json_of_tree(&tree, &data, false);
        let found = json[0].get("records").map_or(&json[0]["value"], |records| &records[0]["value"]);
        assert_eq!(*found, json!({ "hidden": 5 }));
    }
}

/// Random entries: mostly as an encoder makes them.
struct Maker(fastrand::Rng);

impl Maker {
    fn bytes(&mut self) -> Vec<u8> {
        let len = if self.0.u8(..) == 0 { self.0.usize(..300) } else { self.0.usize(..12) };
        let text = self.0.bool();
        (0..len).map(|_| if text { self.0.u8(b' '..0x7f) } else { self.0.u8(..) }).collect()
    }

    fn optional(&mut self) -> Option<Vec<u8>> {
        (self.0.u8(..4) > 0).then(|| self.bytes())
    }

    /// A number that is small, any, or at an edge.
    fn number(&mut self) -> i64 {
        match self.0.u8(..8) {
            0 => self.0.i64(..),
            1 => i64::MAX,
            2 => i64::MIN,
            _ => self.0.i64(-2..200),
        }
    }

    fn record(&mut self) -> Record {
        Record {
            attributes: if self.0.u8(..9) == 0 { self.0.i8(..) } else { 0 },
            timestamp_delta: self.number(),
            offset_delta: self.number() as i32,
            key: if self.0.bool() { Some(vec![0, 0, 0, self.0.u8(..8)]) } else { self.optional() },
            value: if self.0.bool() { Some(vec![0, 0, 0, 0, 0, self.0.u8(..)]) } else { self.optional() },
            headers: (0..self.0.usize(..3))
                .map(|_| Header { key: self.bytes(), value: self.optional() })
                .collect(),
        }
    }

    fn entry(&mut self, depth: u8) -> Entry {
        let codec = if self.0.u8(..3) == 0 { self.0.i8(0..5) } else { 0 };
        match self.0.u8(..9) {
            0 => Entry::Bytes(self.bytes()),
            1..6 => {
                let other = if self.0.bool() { 0 } else { self.0.i16(..) & !7 };
                let records = (0..self.0.usize(..4)).map(|_| self.record()).collect();
                let batch = batch(other | i16::from(codec), records);
                Entry::Batch(Batch {
                    base_offset: self.number(),
                    base_timestamp: self.number(),
                    max_timestamp: self.number(),
                    crc: (self.0.u8(..8) == 0).then_some(5),
                    record_count: (self.0.u8(..8) == 0).then_some(self.number() as i32),
                    ..batch
                })
            }
            _ => {
                let other = if self.0.bool() { 0 } else { self.0.i8(..) & !7 };
                let value = match codec {
                    1.. if depth == 0 => {
                        MessageValue::Set((0..self.0.usize(..4)).map(|_| self.entry(1)).collect())
                    }
                    _ => MessageValue::Bytes(self.optional()),
                };
                let message = message(self.0.i8(0..2), other | codec, value);
                Entry::Message(Message { offset: self.number(), key: self.optional(), ..message })
            }
        }
    }

    /// Changes bytes here and there.
    fn spoil(&mut self, data: &mut Vec<u8>) {
        for _ in 0..self.0.usize(..4) {
            if data.is_empty() {
                return;
            }
            let at = self.0.usize(..data.len());
            match self.0.u8(..6) {
                0 => data[at] = self.0.u8(..),
                1 => data[at] ^= 1 << self.0.u8(..8),
                2 => data.truncate(at),
                3 => data.insert(at, self.0.u8(..)),
                4 => drop(data.remove(at)),
                // A varint with a byte more than it needs, and perhaps a length that counts it.
                _ => {
                    data[at] |= 0x80;
                    data.insert(at + 1, 0);
                    if data.len() > 12 {
                        data[11] = data[11].wrapping_add(1);
                    }
                }
            }
        }
    }
}

/// Whether anything in JSON is compressed and told by its values.
fn has_compressed_values(json: &Json) -> bool {
    let compressed = |members: &serde_json::Map<String, Json>| {
        let records =
            members.get("records").and_then(Json::as_array).is_some_and(|records| !records.is_empty());
        let codec = members.get("attributes").and_then(|attributes| attributes["compression"].as_str());
        (records || members.contains_key("messages")) && codec.is_some_and(|codec| codec != "none")
    };
    match json {
        Json::Object(members) => compressed(members) || members.values().any(has_compressed_values),
        Json::Array(list) => list.iter().any(has_compressed_values),
        _ => false,
    }
}

fn without_crc(entry: &Json) -> Json {
    let mut entry = entry.clone();
    drop_crc(&mut entry);
    entry
}

/// Drops the checksum of an entry, and of those in a compressed set.
fn drop_crc(entry: &mut Json) {
    let Some(members) = entry.as_object_mut() else { return };
    members.remove("crc");
    if let Some(messages) = members.get_mut("messages").and_then(Json::as_array_mut) {
        messages.iter_mut().for_each(drop_crc);
    }
}

#[test]
fn any_records_survive() {
    let mut maker = Maker(fastrand::Rng::with_seed(common::seed()));
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let (mut same, mut objects, mut compressed) = (0, 0, 0);
    for round in 0..6000 {
        let mut records: Vec<u8> =
            (0..maker.0.usize(..4)).flat_map(|_| bytes_of(&[maker.entry(0)])).collect();
        if round % 3 > 0 {
            maker.spoil(&mut records);
        }
        let frame = fetch(&mut decoder, records);
        let json = fetch_json(&mut decoder, &frame);
        assert_eq!(json.get("undecoded"), None);
        let again = frame_from_json(&mut decoder, &json).unwrap_or_else(|error| panic!("{error}\n{json}"));
        let field = &json["body"]["responses"][0]["partitions"][0]["records"];
        let list = field.as_array().unwrap();
        if has_compressed_values(&json) {
            compressed += 1;
            let json = fetch_json(&mut decoder, &again);
            let again = json["body"]["responses"][0]["partitions"][0]["records"].as_array().unwrap();
            assert_eq!(list.len(), again.len());
            // A wrong checksum may be right for the bytes as they come out now.
            list.iter()
                .zip(again)
                .for_each(|(entry, again)| assert_eq!(without_crc(entry), without_crc(again)));
        } else {
            assert_eq!(again, frame, "{json}");
            same += 1;
        }
        objects += list.iter().filter(|entry| entry.is_object()).count();
    }
    println!("{same} the same bytes, {compressed} the same values, {objects} entries told by values");
    assert!(same > 2000 && compressed > 300 && objects > 2000);
}

#[test]
fn the_old_form_is_taken_too() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let records = bytes_of(&[Entry::Batch(batch(0, vec![record(None, None)]))]);
    let frame = fetch(&mut decoder, records.clone());
    let mut json = fetch_json(&mut decoder, &frame);
    let field = &mut json["body"]["responses"][0]["partitions"][0]["records"];
    assert!(field[0].is_object());
    *field = json!(base64(&records));
    assert_eq!(frame_from_json(&mut decoder, &json), Ok(frame));
    let frame = fetch(&mut decoder, Vec::new());
    let json = fetch_json(&mut decoder, &frame);
    assert_eq!(json["body"]["responses"][0]["partitions"][0]["records"], json!([]));
}

fn base64(bytes: &[u8]) -> String {
    use ::base64::Engine;
    ::base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[test]
fn records_of_real_clients_survive() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut tree = Tree::new();
    let (mut same, mut compressed) = (0, 0);
    for file in common::files(&common::samples().join("clients"), "bin") {
        let bytes = std::fs::read(&file).unwrap();
        let mut conversation = Conversation::new(Wanted::Any);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (frame, after) = conversation.split(rest);
            rest = after;
            let (heading, _) = conversation.decode(&mut decoder, frame, &mut tree);
            let view =
                View { tree: &tree, frame, heading: &heading, catalogue: &catalogue, show_secrets: true };
            let mut out = Vec::new();
            write_json(&mut out, view, &[]).unwrap();
            let json: Json = serde_json::from_slice(&out).unwrap();
            let again = frame_from_json(&mut decoder, &json).unwrap();
            if has_compressed_values(&json) {
                compressed += 1;
                let message = (heading.direction, heading.api_key.unwrap(), heading.api_version.unwrap());
                assert_eq!(json_of_frame(&mut decoder, message, &again)["body"], json["body"], "{file:?}");
            } else {
                assert_eq!(again, frame.bytes, "{file:?}");
                same += 1;
            }
        }
    }
    println!("{same} frames the same, {compressed} with the same values");
    assert!(same > 100 && compressed > 20);
}
