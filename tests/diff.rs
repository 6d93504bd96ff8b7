//! `kdissect diff`: two frames compared field by field, with the output to the letter.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kdissect::diff::{Side, compare};
use kdissect::schema::{Catalogue, Direction};
use kdissect::tree::Tree;
use kdissect::values;
use kdissect::wire::Decoder;
use kdissect::wire::instance::random;
use kdissect::wire::value::{Struct, TaggedValue, Value};

use common::{all_messages, decode, make_frame, samples, seed};

const METADATA: i16 = 3;
const FETCH: i16 = 1;

/// A folder of its own for the frames of a test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diff").join(test);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What `kdissect diff` prints to standard output and error, and its exit status.
fn diff(folder: &Path, arguments: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_kdissect"))
        .current_dir(folder)
        .arg("diff")
        .args(arguments)
        .output()
        .unwrap();
    let utf8 = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (utf8(output.stdout), utf8(output.stderr), output.status.code().unwrap())
}

/// Compares two frames and asserts all that is printed.
fn expect(test: &str, (a, b): (&[u8], &[u8]), arguments: &[&str], expected: &str, status: i32) {
    let folder = folder(test);
    fs::write(folder.join("a.bin"), a).unwrap();
    fs::write(folder.join("b.bin"), b).unwrap();
    let (printed, complaints, code) = diff(&folder, &[arguments, &["a.bin", "b.bin"]].concat());
    assert_eq!(printed, expected.trim_start());
    assert_eq!((complaints.as_str(), code), ("", status));
}

fn structs(elements: Vec<Vec<Value>>) -> Value {
    elements.into_iter().map(Struct::from).collect()
}

/// A Metadata response of v9 or v12 with a broker for each port and a topic for each name and leader.
fn metadata(version: i16, ports: &[i64], topics: &[(&str, i64)], correlation_id: i32) -> Vec<u8> {
    let brokers = ports
        .iter()
        .map(|port| values![port % 10, format!("broker-{}", port % 10), *port, Value::Null])
        .collect();
    let topics = topics
        .iter()
        .map(|(name, leader)| {
            let replicas = Value::from_iter([1, 2, 3]);
            let partition = values![0, 0, *leader, 4, replicas.clone(), replicas, Value::Array(Vec::new())];
            let mut topic = values![0, *name];
            topic.extend((version >= 10).then_some(Value::Uuid([7; 16])));
            topic.extend([Value::Bool(false), structs(vec![partition]), Value::from(i64::from(i32::MIN))]);
            topic
        })
        .collect();
    let mut fields = values![0, structs(brokers), "cluster", 1, structs(topics)];
    fields.extend((version < 11).then_some(Value::from(i64::from(i32::MIN))));
    let catalogue = Catalogue::embedded();
    let message = (Direction::Response, METADATA, version);
    make_frame(&mut Decoder::new(&catalogue), message, &Struct::from(fields), correlation_id, "")
}

/// A Fetch response v16 without topics, with the nodes that leaders are on.
fn fetch(nodes: Option<&[i64]>) -> Vec<u8> {
    let nodes = nodes.map(|nodes| {
        let node = |id: &i64| values![*id, "broker", 9092, Value::Null];
        (0, TaggedValue::Known(structs(nodes.iter().map(node).collect())))
    });
    let body = Struct { fields: values![0, 0, 0, Value::Array(vec![])], tagged: nodes.into_iter().collect() };
    let catalogue = Catalogue::embedded();
    make_frame(&mut Decoder::new(&catalogue), (Direction::Response, FETCH, 16), &body, 5, "")
}

const METADATA_V9: [&str; 5] = ["--response", "--api", "Metadata", "--api-version", "9"];
const FETCH_V16: [&str; 5] = ["--response", "--api", "Fetch", "--api-version", "16"];

#[test]
fn equal_frames() {
    let frame = fs::read(samples().join("describe_transactions_request_v0.bin")).unwrap();
    let expected = "\
a: a.bin, DescribeTransactionsRequest v0, request header v2, 18 bytes on the wire
b: b.bin, DescribeTransactionsRequest v0, request header v2, 18 bytes on the wire

all 5 fields are equal, and so are all bytes
";
    expect("equal", (&frame, &frame), &[], expected, 0);
}

#[test]
fn one_changed_value() {
    let a = metadata(9, &[9091, 9092], &[("orders", 1), ("payments", 2)], 7);
    let b = metadata(9, &[9091, 9092], &[("orders", 1), ("payments", 3)], 7);
    let expected = "\
a: a.bin, MetadataResponse v9, response header v1, 188 bytes on the wire
b: b.bin, MetadataResponse v9, response header v1, 188 bytes on the wire

~ Topics[1].Partitions[0].LeaderId = 2 -> 3 [0x008e, 4B] / [0x008e, 4B]

42 fields equal, 1 changed
";
    expect("value", (&a, &b), &METADATA_V9, expected, 1);
}

#[test]
fn different_versions() {
    let a = metadata(9, &[9091], &[("orders", 1)], 7);
    let b = metadata(12, &[9091], &[("orders", 1)], 8);
    let arguments = [&METADATA_V9[..], &["--api-version-b", "12"]].concat();
    let expected = "\
a: a.bin, MetadataResponse v9, response header v1, 109 bytes on the wire
b: b.bin, MetadataResponse v12, response header v1, 121 bytes on the wire

~ correlation_id              = 7 -> 8                      [0x0004, 4B] / [0x0004, 4B] each request has its own
+ Topics[0].TopicId           = BwcHBwcHBwcHBwcHBwcHBw      - / [0x0037, 16B] v9 has no such field
- ClusterAuthorizedOperations = -2147483648 (not asked for) [0x0068, 4B] / - v12 has no such field

22 fields equal, 1 changed, 1 only in a, 1 only in b
";
    expect("versions", (&a, &b), &arguments, expected, 1);
}

#[test]
fn an_element_in_the_middle_with_map_keys() {
    let a = metadata(9, &[9091, 9093], &[("orders", 1), ("refunds", 1)], 7);
    let b = metadata(9, &[9091, 9092, 9093], &[("orders", 1), ("payments", 1), ("refunds", 3)], 7);
    let expected = "\
a: a.bin, MetadataResponse v9, response header v1, 187 bytes on the wire
b: b.bin, MetadataResponse v9, response header v1, 266 bytes on the wire

+ Brokers[1]                         = struct (NodeId = 2)        - / [0x0021, 19B]
+ Topics[1]                          = struct (Name = \"payments\") - / [0x008e, 60B]
~ Topics[1/2].Partitions[0].LeaderId = 1 -> 3                     [0x008d, 4B] / [0x00dc, 4B]

42 fields equal, 1 changed, 2 only in b
";
    expect("element", (&a, &b), &METADATA_V9, expected, 1);
}

#[test]
fn a_tagged_field_in_one_only() {
    let expected = "\
a: a.bin, FetchResponse v16, response header v1, 21 bytes on the wire
b: b.bin, FetchResponse v16, response header v1, 58 bytes on the wire

+ NodeEndpoints = 2 elements - / [0x0017, 35B] a leaves the tag out

5 fields equal, 1 only in b
";
    expect("tagged", (&fetch(None), &fetch(Some(&[1, 2]))), &FETCH_V16, expected, 1);
}

#[test]
fn responses_are_known_by_themselves() {
    let a = metadata(9, &[9091], &[("orders", 1)], 7);
    let b = metadata(9, &[9091], &[("orders", 2)], 7);
    let expected = "\
a: a.bin, MetadataResponse v9, response header v1, 109 bytes on the wire
b: b.bin, MetadataResponse v9, response header v1, 109 bytes on the wire

~ Topics[0].Partitions[0].LeaderId = 1 -> 2 [0x003f, 4B] / [0x003f, 4B]

23 fields equal, 1 changed
";
    expect("lone", (&a, &b), &[], expected, 1);
}

#[test]
fn elements_in_another_order() {
    let a = metadata(9, &[9091, 9092], &[("orders", 1)], 7);
    let b = metadata(9, &[9092, 9091], &[("orders", 1)], 7);
    let expected = "\
a: a.bin, MetadataResponse v9, response header v1, 128 bytes on the wire
b: b.bin, MetadataResponse v9, response header v1, 128 bytes on the wire

~ Brokers = in another order [0x000d, 39B] / [0x000d, 39B]

28 fields equal, 1 changed
";
    expect("order", (&a, &b), &METADATA_V9, expected, 1);
}

/// SaslAuthenticate v0: error code, error message, auth bytes.
fn sasl(token: &[u8], error_message: Option<&str>) -> Vec<u8> {
    let fields = values![0, error_message, token.to_vec()];
    let catalogue = Catalogue::embedded();
    make_frame(&mut Decoder::new(&catalogue), (Direction::Response, 36, 0), &Struct::from(fields), 1, "")
}

#[test]
fn bytes_say_where_they_begin_to_differ() {
    let arguments = ["--response", "--api", "36", "--api-version", "0", "--show-secrets"];
    let expected = "\
a: a.bin, SaslAuthenticateResponse v0, response header v0, 21 bytes on the wire
b: b.bin, SaslAuthenticateResponse v0, response header v0, 20 bytes on the wire

~ ErrorMessage = \"no\" (int16 len=2) -> null (int16 len=-1) [0x000a, 4B] / [0x000a, 2B]
~ AuthBytes    = 3 bytes 01 02 03 -> 4 bytes 01 ff 03 04   [0x000e, 7B] / [0x000c, 8B] first differing byte: 1, 02 / ff

2 fields equal, 2 changed
";
    let (a, b) = (sasl(&[1, 2, 3], Some("no")), sasl(&[1, 0xff, 3, 4], None));
    expect("bytes", (&a, &b), &arguments, expected, 1);
    let (printed, _, _) = {
        let folder = folder("bytes_end");
        fs::write(folder.join("a.bin"), sasl(&[1, 2, 3], None)).unwrap();
        fs::write(folder.join("b.bin"), sasl(&[1, 2], None)).unwrap();
        diff(&folder, &[&arguments[..], &["a.bin", "b.bin"]].concat())
    };
    assert!(printed.contains("equal up to byte 2, where b ends\n"), "{printed}");
}

#[test]
fn fields_can_be_ignored() {
    let a = metadata(9, &[9091], &[("orders", 1)], 7);
    let b = metadata(9, &[9091], &[("orders", 2)], 8);
    let arguments = [&METADATA_V9[..], &["--ignore", "correlation_id", "--ignore", "Topics"]].concat();
    let expected = "\
a: a.bin, MetadataResponse v9, response header v1, 109 bytes on the wire
b: b.bin, MetadataResponse v9, response header v1, 109 bytes on the wire

8 fields equal, 2 ignored
";
    expect("ignored", (&a, &b), &arguments, expected, 0);
}

#[test]
fn equal_fields_may_be_written_otherwise() {
    let a = fetch(None);
    // The number of topics, 1 for none, as a varint that is longer than it need be.
    let mut b = a.clone();
    b.splice(19..20, [0x81, 0x00]);
    b[3] += 1;
    let expected = "\
a: a.bin, FetchResponse v16, response header v1, 21 bytes on the wire
b: b.bin, FetchResponse v16, response header v1, 22 bytes on the wire

all 5 fields are equal; the bytes differ from 0x0003 on, in how sizes, lengths or tags are written
";
    expect("spelling", (&a, &b), &FETCH_V16, expected, 0);
}

/// Responses of a conversation are known by their requests.
#[test]
fn a_frame_of_several_is_chosen() {
    let folder = folder("several");
    fs::copy(samples().join("conversation.bin"), folder.join("a.bin")).unwrap();
    let (printed, complaints, code) = diff(&folder, &["--frame", "6", "a.bin", "a.bin"]);
    let expected = "\
note: a.bin holds 6 frames; this is frame 6 (see --frame)
note: a.bin holds 6 frames; this is frame 6 (see --frame)
a: a.bin, MetadataResponse v1, response header v0, 63 bytes on the wire
b: a.bin, MetadataResponse v1, response header v0, 63 bytes on the wire

all 10 fields are equal, and so are all bytes
";
    assert_eq!((printed.as_str(), complaints.as_str(), code), (expected, "", 0));
    let (_, complaints, code) = diff(&folder, &["--frame", "1,3", "a.bin", "a.bin"]);
    assert!(code == 2 && complaints.contains("different APIs, with the keys 18 and 12"), "{complaints}");
}

#[test]
fn json_has_all_that_the_text_has() {
    let folder = folder("json");
    fs::write(folder.join("a.bin"), metadata(9, &[9091], &[("orders", 1)], 7)).unwrap();
    fs::write(folder.join("b.bin"), metadata(12, &[9091], &[("orders", 1)], 8)).unwrap();
    let arguments = [&METADATA_V9[..], &["--api-version-b", "12", "--format", "json", "a.bin", "b.bin"]];
    let (printed, complaints, code) = diff(&folder, &arguments.concat());
    assert_eq!((complaints.as_str(), code), ("", 1));
    let printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let message = |input: &str, version: i16, bytes: usize| {
        serde_json::json!({ "input": input, "message": "MetadataResponse", "apiKey": 3, "apiVersion": version,
            "headerVersion": 1, "bytes": bytes, "malformed": false })
    };
    let expected = serde_json::json!({
        "a": message("a.bin", 9, 109),
        "b": message("b.bin", 12, 121),
        "notes": [],
        "equal": 22, "changed": 1, "onlyInA": 1, "onlyInB": 1, "ignored": 0,
        "firstDifferingOffset": 3,
        "differences": [
            { "path": "correlation_id", "change": "changed", "remark": "each request has its own",
              "a": { "value": "7", "offset": 4, "length": 4 }, "b": { "value": "8", "offset": 4, "length": 4 } },
            { "path": "Topics[0].TopicId", "change": "onlyInB", "remark": "v9 has no such field",
              "a": null, "b": { "value": "BwcHBwcHBwcHBwcHBwcHBw", "offset": 55, "length": 16 } },
            { "path": "ClusterAuthorizedOperations", "change": "onlyInA", "remark": "v12 has no such field",
              "a": { "value": "-2147483648 (not asked for)", "offset": 104, "length": 4 }, "b": null },
        ],
    });
    assert_eq!(printed, expected);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = folder("refused");
    fs::write(folder.join("fetch.bin"), fetch(None)).unwrap();
    fs::write(folder.join("empty.bin"), []).unwrap();
    let sample = |name: &str| samples().join(name).to_str().unwrap().to_owned();
    let (request, response) =
        (sample("describe_transactions_request_v0.bin"), sample("describe_transactions_response_v0.bin"));
    let join_group = sample("join_group_request_v5.bin");
    for (arguments, complaint) in [
        (vec![&*request, &*response], "a request cannot be compared with a response"),
        (vec![&*request, &*join_group], "different APIs, with the keys 65 and 11"),
        (vec![&*request], "two inputs are compared, a and b; 1 were named"),
        (vec!["-", "-"], "not both"),
        (vec![&*request, "empty.bin"], "empty.bin: it is empty"),
        (vec![&*request, "absent.bin"], "absent.bin"),
        (vec!["--frame", "2", &*request, &*request], "it holds 1 frame, so there is no frame 2"),
        (vec!["--frame", "0", &*request, &*request], "expected the number of a frame"),
        (vec!["--api-version-b", "3", &*request, &*request], "--api-version"),
    ] {
        let (printed, complaints, code) = diff(&folder, &arguments);
        assert_eq!((printed.as_str(), code), ("", 2), "{arguments:?}");
        assert!(complaints.contains(complaint), "{arguments:?}: {complaints}");
    }
}

#[test]
fn a_broken_frame_is_compared_as_far_as_it_goes() {
    let whole = samples().join("metadata_response_v12.bin");
    let broken = samples().join("metadata_response_v12_wrong_count.bin");
    let (printed, complaints, code) =
        diff(&folder("broken"), &[whole.to_str().unwrap(), broken.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(printed.contains("\n- Topics[0]              = struct (Name = \"orders\") "), "{printed}");
    assert!(printed.contains("\n+ Topics.undecoded bytes = "), "{printed}");
    assert!(
        complaints.contains("MetadataResponse v12: Topics at 0x0065: its count says 100"),
        "{complaints}"
    );
}

/// Any message is equal to itself, and two of them differ the same way seen from either side.
#[test]
fn comparing_is_even_handed() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut rng = fastrand::Rng::with_seed(seed());
    let mut before: Option<((Direction, i16), Vec<u8>, i16)> = None;
    for message in all_messages(&catalogue) {
        let (direction, key, version) = message;
        let plan = decoder.plan(direction, key, version).unwrap();
        let frame = make_frame(&mut decoder, message, &random(&plan, &mut rng), 3, "client");
        let mut tree = Tree::new();
        let heading = decode(&mut decoder, message, &frame, &mut tree);
        let side = Side { tree: &tree, data: &frame, heading: &heading };
        let itself = compare(side, side, &[]).unwrap();
        assert!(itself.is_equal() && itself.equal > 0, "{message:?} {:?}", itself.differences);
        if let Some((_, other_frame, other_version)) =
            before.filter(|(before, _, _)| *before == (direction, key))
        {
            let mut other_tree = Tree::new();
            let other = (direction, key, other_version);
            let other_heading = decode(&mut decoder, other, &other_frame, &mut other_tree);
            let other_side = Side { tree: &other_tree, data: &other_frame, heading: &other_heading };
            let (there, back) =
                (compare(side, other_side, &[]).unwrap(), compare(other_side, side, &[]).unwrap());
            let (changed, only_a, only_b) = there.counts();
            assert_eq!(
                (changed, only_b, only_a, there.equal),
                (back.counts().0, back.counts().1, back.counts().2, back.equal),
                "{message:?}"
            );
        }
        before = Some(((direction, key), frame, version));
    }
}

/// However a frame is cut, comparing it does not panic.
#[test]
fn cut_frames_are_compared_too() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut rng = fastrand::Rng::with_seed(seed());
    for message in all_messages(&catalogue) {
        let plan = decoder.plan(message.0, message.1, message.2).unwrap();
        let frame = make_frame(&mut decoder, message, &random(&plan, &mut rng), 3, "client");
        let (mut tree, mut cut_tree) = (Tree::new(), Tree::new());
        let heading = decode(&mut decoder, message, &frame, &mut tree);
        let side = Side { tree: &tree, data: &frame, heading: &heading };
        for _ in 0..5 {
            let cut = &frame[..rng.usize(8..frame.len())];
            let cut_heading = decode(&mut decoder, message, cut, &mut cut_tree);
            let cut_side = Side { tree: &cut_tree, data: cut, heading: &cut_heading };
            compare(side, cut_side, &[]).unwrap();
            compare(cut_side, side, &[]).unwrap();
        }
    }
}
