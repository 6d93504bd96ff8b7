//! Messages as JSON, and back to the same bytes.

mod common;

use common::all_messages;
use kdissect::input::json_frame::{frame_from_json, frames_from_json};
use kdissect::render::View;
use kdissect::render::json::write_json;
use kdissect::schema::{Catalogue, Direction};
use kdissect::tree::{Flags, Node, Tree, What};
use kdissect::wire::assemble::{HeaderValues, assemble};
use kdissect::wire::plan::Plan;
use kdissect::wire::value::{Struct, TaggedValue, Value};
use kdissect::wire::{Decoder, Frame, instance};
use serde_json::{Value as Json, json};

type Message = (Direction, i16, i16);

/// A frame as a line of JSON.
fn line(decoder: &mut Decoder<'_>, message: Message, bytes: &[u8]) -> String {
    let mut tree = Tree::new();
    let heading = common::decode(decoder, message, bytes, &mut tree);
    let frame = Frame { bytes, sized: true };
    let view = View::new(&tree, frame, &heading, decoder.catalogue()).with_secrets(true);
    let mut out = Vec::new();
    write_json(&mut out, view, &[]).unwrap();
    String::from_utf8(out).unwrap()
}

fn parsed(decoder: &mut Decoder<'_>, message: Message, bytes: &[u8]) -> Json {
    serde_json::from_str(&line(decoder, message, bytes)).unwrap()
}

/// Makes a frame of each message with `make`, and checks that its JSON gives the same bytes. Returns how many there were.
fn round_trip_of_all(make: &mut dyn FnMut(&Plan) -> Struct, header: &HeaderValues) -> usize {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let messages = all_messages(&catalogue);
    for message in &messages {
        let (header_plan, plan) = common::plans(&mut decoder, *message);
        let header = HeaderValues {
            tagged: if header_plan.flexible { header.tagged.clone() } else { Vec::new() },
            ..header.clone()
        };
        let frame = assemble(&header_plan, &plan, &header, &make(&plan)).unwrap();
        let json = line(&mut decoder, *message, &frame);
        if !json.contains(&format!(r#","apiVersion":{},"#, message.2)) {
            // A random error code made it look like the answer of an older broker.
            assert_eq!(plan.name, "ApiVersionsResponse");
            continue;
        }
        let frames = frames_from_json(&mut decoder, json.as_bytes());
        assert_eq!(frames, [Ok(frame)], "{json}");
    }
    messages.len()
}

#[test]
fn the_smallest_instances() {
    let count = round_trip_of_all(&mut instance::smallest, &HeaderValues::default());
    println!("{count} messages");
    assert!(count > 700);
}

#[test]
fn ten_random_instances_of_each() {
    let seed = common::seed();
    for round in 0..10 {
        let mut random = fastrand::Rng::with_seed(seed.wrapping_add(round));
        let header = HeaderValues {
            correlation_id: random.i32(..),
            client_id: random.bool().then(|| vec![random.u8(..), b'x']),
            tagged: vec![(random.u32(..), TaggedValue::Unknown(vec![random.u8(..)]))],
        };
        round_trip_of_all(&mut |plan| instance::random(plan, &mut random), &header);
    }
}

const FETCH: Message = (Direction::Request, 1, 12);

#[test]
fn the_forms_of_values() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let (header_plan, plan) = common::plans(&mut decoder, FETCH);
    let mut body = instance::smallest(&plan);
    body.fields[9] = Value::Bytes(b"\xffrack".to_vec());
    body.tagged = vec![
        (0, TaggedValue::Known(Value::Null)),
        (1, TaggedValue::Unknown(b"\x01".to_vec())),
        (7, TaggedValue::Unknown(Vec::new())),
    ];
    let header = HeaderValues {
        client_id: Some(b"\xfe".to_vec()),
        tagged: vec![(0, TaggedValue::Unknown(b"?".to_vec()))],
        ..HeaderValues::default()
    };
    let frame = assemble(&header_plan, &plan, &header, &body).unwrap();
    let json = parsed(&mut decoder, FETCH, &frame);
    let problem =
        "FetchRequest v12: ReplicaState at 0x0063: tag 1 is known in versions 15+, but not in version 12";
    assert_eq!(
        json,
        json!({
            "direction": "request",
            "apiKey": 1,
            "apiName": "Fetch",
            "apiVersion": 12,
            "headerVersion": 2,
            "correlationId": 0,
            "clientId": { "base64": "/g==" },
            "_unknownTaggedFields": [{ "tag": 0, "data": "Pw==" }],
            "size": frame.len() - 4,
            "body": {
                "replicaId": 0, "maxWaitMs": 0, "minBytes": 0, "maxBytes": 0, "isolationLevel": 0,
                "sessionId": 0, "sessionEpoch": 0,
                "topics": [{ "topic": "", "partitions": [{
                    "partition": 0, "currentLeaderEpoch": 0, "fetchOffset": 0, "lastFetchedEpoch": 0,
                    "logStartOffset": 0, "partitionMaxBytes": 0,
                }] }],
                "forgottenTopicsData": [{ "topic": "", "partitions": [0] }],
                "rackId": { "base64": "/3JhY2s=" },
                "clusterId": null,
                "_unknownTaggedFields": [{ "tag": 1, "data": "AQ==" }, { "tag": 7, "data": "" }],
            },
            "problems": [problem],
        })
    );
    assert_eq!(frame_from_json(&mut decoder, &json), Ok(frame));
}

#[test]
fn tagged_fields_that_are_not_as_they_should_be_are_given_as_bytes() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let (header_plan, plan) = common::plans(&mut decoder, FETCH);
    let text = |text: &[u8]| TaggedValue::Known(Value::Bytes(text.to_vec()));
    let mut check = |tagged: Vec<(u32, TaggedValue)>, cluster_id: Json, raw: Json| {
        let body = Struct { tagged, ..instance::smallest(&plan) };
        let frame = assemble(&header_plan, &plan, &HeaderValues::default(), &body).unwrap();
        let json = parsed(&mut decoder, FETCH, &frame);
        assert_eq!((&json["body"]["clusterId"], &json["body"]["_unknownTaggedFields"]), (&cluster_id, &raw));
        assert_eq!(json.get("undecoded"), None);
        assert_eq!(frame_from_json(&mut decoder, &json), Ok(frame));
    };
    check(vec![(0, text(b"a"))], json!("a"), Json::Null);
    // One comes twice.
    check(vec![(0, text(b"a")), (0, text(b"b"))], json!("a"), json!([{ "tag": 0, "data": "AmI=" }]));
    // A byte is left over; the value is cut short, with bytes and without.
    for (bytes, base64) in [(b"\x02ab".as_slice(), "AmFi"), (b"\x05a", "BWE="), (b"", "")] {
        let broken = TaggedValue::Unknown(bytes.to_vec());
        check(vec![(0, broken)], Json::Null, json!([{ "tag": 0, "data": base64 }]));
    }
}

#[test]
fn a_body_ends_where_decoding_did() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let (header_plan, plan) = common::plans(&mut decoder, FETCH);
    let body = instance::smallest(&plan);
    let frame = assemble(&header_plan, &plan, &HeaderValues::default(), &body).unwrap();
    let cut = |decoder: &mut Decoder<'_>, length: usize| parsed(decoder, FETCH, &frame[..length]);

    let json = cut(&mut decoder, 17);
    assert_eq!((&json["body"], &json["undecoded"]), (&json!({}), &json!("AAA=")));
    let json = cut(&mut decoder, 19);
    assert_eq!((&json["body"], &json["undecoded"]), (&json!({ "replicaId": 0 }), &json!("")));
    // Within the partition.
    let json = cut(&mut decoder, 49);
    assert_eq!(json["body"]["topics"], json!([{ "topic": "", "partitions": [{ "partition": 0 }] }]));
    assert_eq!(
        json["problems"],
        json!([
            "FetchRequest v12: Topics[0].Partitions[0].CurrentLeaderEpoch at 0x002f: int32 needs 4 bytes, \
                2 are left in the input, which ends within the frame (its size is 83)"
        ])
    );
    // Within the header there is no body.
    let json = cut(&mut decoder, 9);
    assert_eq!((&json["body"], &json["correlationId"]), (&Json::Null, &Json::Null));
    for length in 8..frame.len() {
        let json = cut(&mut decoder, length);
        assert_ne!(json["problems"], json!([]), "{length}");
        frame_from_json(&mut decoder, &json).unwrap_err();
    }
}

#[test]
fn what_is_not_known_is_given_as_bytes() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    for (key, version, name) in [(1, 99, json!("Fetch")), (999, 0, Json::Null)] {
        let mut frame = b"\0\0\0\x0f\0\0\0\0\0\0\0\x05\0\x02me\x01\x02\x03".to_vec();
        frame[4..6].copy_from_slice(&i16::to_be_bytes(key));
        frame[6..8].copy_from_slice(&i16::to_be_bytes(version));
        let json = parsed(&mut decoder, (Direction::Request, key, version), &frame);
        assert_eq!((&json["apiName"], &json["clientId"]), (&name, &json!("me")));
        assert_eq!((&json["body"], &json["undecoded"]), (&Json::Null, &json!("AQID")));
        assert_eq!(frame_from_json(&mut decoder, &json), Ok(frame));
    }
}

#[test]
fn bytes_after_the_body_and_frames_without_a_size_survive() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    // librdkafka ends ApiVersions v0 requests with four zero bytes.
    let frame = b"\0\0\0\x10\0\x12\0\0\0\0\0\x01\0\x02rd\0\0\0\0";
    let json = parsed(&mut decoder, (Direction::Request, 18, 0), frame);
    assert_eq!((&json["body"], &json["trailing"]), (&json!({}), &json!("AAAAAA==")));
    assert_eq!(json["problems"], serde_json::json!([]));
    assert!(json["notes"][0].is_string());
    assert_eq!(frame_from_json(&mut decoder, &json).as_deref(), Ok(frame.as_slice()));

    let mut tree = Tree::new();
    let unsized_frame = Frame::unsized_bytes(&frame[4..]);
    let heading = decoder.request(unsized_frame, &mut tree);
    let view = View::new(&tree, unsized_frame, &heading, &catalogue).with_secrets(true);
    let mut out = Vec::new();
    write_json(&mut out, view, &[]).unwrap();
    assert!(String::from_utf8_lossy(&out).contains("\"size\":null"));
    assert_eq!(frames_from_json(&mut decoder, &out), [Ok(frame[4..].to_vec())]);
}

#[test]
fn broken_frames_make_sound_json_or_the_same_values() {
    let seed = common::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let (mut refused, mut encoded) = (0, 0);
    for message in all_messages(&catalogue) {
        let (header_plan, plan) = common::plans(&mut decoder, message);
        for _ in 0..3 {
            let body = instance::random(&plan, &mut random);
            let mut frame = assemble(&header_plan, &plan, &HeaderValues::default(), &body).unwrap();
            let start = if message.0 == Direction::Request { 12 } else { 8 };
            if frame.len() > start {
                let at = random.usize(start..frame.len());
                frame[at] = random.u8(..);
            }
            let json = line(&mut decoder, message, &frame);
            let frames = frames_from_json(&mut decoder, json.as_bytes());
            assert_eq!(frames.len(), 1, "{json}");
            match &frames[0] {
                Ok(again) => {
                    encoded += 1;
                    let json: Json = serde_json::from_str(&json).unwrap();
                    assert_eq!(json["body"], parsed(&mut decoder, message, again)["body"]);
                    assert_eq!(frame.len(), again.len());
                }
                Err(failed) => {
                    refused += 1;
                    assert!(!failed.error.problem.starts_with("not JSON"), "{json}");
                }
            }
        }
    }
    println!("{encoded} encoded, {refused} refused");
    assert!(encoded > 100 && refused > 100);
}

/// A frame as JSON with the nodes of some names as secrets.
fn with_secrets(
    decoder: &mut Decoder<'_>,
    message: Message,
    bytes: &[u8],
    names: &[&str],
    show_secrets: bool,
) -> Json {
    let mut tree = Tree::new();
    let heading = common::decode(decoder, message, bytes, &mut tree);
    for index in 0..tree.nodes.len() {
        let node = tree.nodes[index];
        if names.contains(&&*tree.item_of(&node).name) {
            let what = What::new(node.kind(), node.flags().with(Flags::SECRET), node.item());
            let what = what.in_plan(node.plan());
            let (start, len, span) = (node.start() as usize, node.len() as usize, node.span() as usize);
            tree.nodes[index] = Node::new(start, len, span, what);
        }
    }
    let frame = Frame { bytes, sized: true };
    let view = View::new(&tree, frame, &heading, decoder.catalogue()).with_secrets(show_secrets);
    let mut out = Vec::new();
    write_json(&mut out, view, &[]).unwrap();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn secrets_are_hidden_and_refused() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let hidden = |bytes: usize| json!({ "hidden": bytes });
    let (header_plan, plan) = common::plans(&mut decoder, FETCH);
    let mut body = instance::smallest(&plan);
    body.fields[9] = "rack".into();
    body.tagged = vec![(0, TaggedValue::Known(Value::Null)), (0, TaggedValue::Unknown(b"\x03ab".to_vec()))];
    let header = HeaderValues::new(7, "client");
    let frame = assemble(&header_plan, &plan, &header, &body).unwrap();
    let names = ["RackId", "ClusterId", "client_id", "Partitions", "MinBytes"];
    let shown = with_secrets(&mut decoder, FETCH, &frame, &names, true);
    assert_eq!(shown, parsed(&mut decoder, FETCH, &frame));
    let json = with_secrets(&mut decoder, FETCH, &frame, &names, false);
    let mut expected = shown.clone();
    expected["clientId"] = hidden(6);
    expected["body"]["minBytes"] = hidden(4);
    expected["body"]["rackId"] = hidden(4);
    // Null is no secret; the bytes of the same field when it comes again are.
    expected["body"]["_unknownTaggedFields"][0]["data"] = hidden(3);
    for topics in ["topics", "forgottenTopicsData"] {
        let partitions = &mut expected["body"][topics][0]["partitions"];
        *partitions = hidden(if topics == "topics" { 34 } else { 5 });
    }
    assert_eq!(json, expected);

    let problem = "this value was hidden when the JSON was written; --show-secrets writes it";
    for (path, pointer) in [
        ("clientId", "/clientId"),
        ("body.minBytes", "/body/minBytes"),
        ("body.rackId", "/body/rackId"),
        ("body.topics[0].partitions", "/body/topics/0/partitions"),
        ("body._unknownTaggedFields[0].data", "/body/_unknownTaggedFields/0/data"),
    ] {
        let mut one = shown.clone();
        *one.pointer_mut(pointer).unwrap() = json.pointer(pointer).unwrap().clone();
        let error = frame_from_json(&mut decoder, &one).unwrap_err().to_string();
        assert_eq!(error, format!("{path}: {problem}"));
    }
    for (path, pointer) in [("body", "/body"), ("body.topics[0]", "/body/topics/0")] {
        let mut one = shown.clone();
        *one.pointer_mut(pointer).unwrap() = hidden(1);
        let error = frame_from_json(&mut decoder, &one).unwrap_err().to_string();
        assert_eq!(error, format!("{path}: {problem}"));
    }

    // Bytes after the body, and those of a body that nobody knows.
    let apis = b"\0\0\0\x0c\0\x12\0\0\0\0\0\x01\0\x02rd\0\0".to_vec();
    let apis = [&(apis.len() as i32 - 4).to_be_bytes()[..], &apis[4..]].concat();
    let json = with_secrets(&mut decoder, (Direction::Request, 18, 0), &apis, &["trailing bytes"], false);
    assert_eq!(json["trailing"], hidden(2));
    let error = frame_from_json(&mut decoder, &json).unwrap_err().to_string();
    assert_eq!(error, format!("trailing: {problem}"));
    let unknown = b"\0\0\0\x0d\x03\xe7\0\0\0\0\0\x05\0\0\x01\x02\x03".to_vec();
    let json = with_secrets(&mut decoder, (Direction::Request, 999, 0), &unknown, &["body"], false);
    assert_eq!(json["undecoded"], hidden(3));
    let error = frame_from_json(&mut decoder, &json).unwrap_err().to_string();
    assert_eq!(error, format!("undecoded: {problem}"));
}

/// What is said about JSON that makes no frame.
fn complaint(json: &str) -> String {
    let catalogue = Catalogue::embedded();
    let frames = frames_from_json(&mut Decoder::new(&catalogue), json.as_bytes());
    frames.into_iter().find_map(Result::err).expect("an error").error.to_string()
}

#[test]
fn what_a_body_cannot_hold_is_an_error_with_a_path() {
    let metadata = |body: &str| {
        complaint(&format!(
            r#"{{"direction":"response","apiName":"Metadata","apiVersion":12,"body":{{{body}}}}}"#
        ))
    };
    let partition =
        |member: &str| metadata(&format!(r#""topics":[{{}},{{}},{{"partitions":[{{{member}}}]}}]"#));
    let path = "body.topics[2].partitions[0]";
    assert_eq!(partition(r#""leaderId":"x""#), format!("{path}.leaderId: expected int32, found \"x\""));
    assert_eq!(partition(r#""leaderId":1.5"#), format!("{path}.leaderId: expected int32, found 1.5"));
    assert_eq!(
        partition(r#""leaderId":2147483648"#),
        format!("{path}.leaderId: 2147483648 is not within -2147483648 to 2147483647")
    );
    assert_eq!(
        partition(r#""leaderEpoch":18446744073709551615"#),
        format!("{path}.leaderEpoch: 18446744073709551615 is not within -2147483648 to 2147483647")
    );
    assert_eq!(
        partition(r#""leaderId":null"#),
        format!("{path}.leaderId: null is not allowed in version 12")
    );
    assert_eq!(
        partition(r#""leader":1"#),
        format!(
            "{path}.leader: MetadataResponse v12 has no such field here; it has errorCode, partitionIndex, \
             leaderId, leaderEpoch, replicaNodes, isrNodes, offlineReplicas"
        )
    );
    assert_eq!(
        partition(r#""isrNodes":[1,true]"#),
        format!("{path}.isrNodes[1]: expected int32, found true")
    );
    assert_eq!(metadata(r#""topics":{}"#), "body.topics: expected an array, found an object");
    assert_eq!(metadata(r#""topics":[7]"#), "body.topics[0]: expected an object, found 7");
    assert_eq!(
        metadata(r#""topics":[{"topicId":"AAAA"}]"#),
        "body.topics[0].topicId: expected uuid (22 characters of URL-safe base64), found \"AAAA\""
    );
    assert_eq!(metadata(r#""clusterId":{"base64":"%"}"#), "body.clusterId: expected string, found an object");
    assert_eq!(
        metadata(r#""_unknownTaggedFields":[{"tag":9,"data":"AA"}]"#),
        "body._unknownTaggedFields[0].data: expected bytes in base64, found \"AA\""
    );
    assert_eq!(
        metadata(r#""_unknownTaggedFields":[{"data":"AA=="}]"#),
        "body._unknownTaggedFields[0]: \"tag\" is missing"
    );
    let long = "x".repeat(40_000);
    assert_eq!(
        complaint(&format!(
            r#"{{"direction":"request","apiKey":3,"apiVersion":1,"body":{{"topics":[{{"name":"{long}"}}]}}}}"#
        )),
        "body.topics[0].name: the value is too long for its length field"
    );
}

#[test]
fn what_a_frame_cannot_say_is_an_error() {
    for (members, expected) in [
        ("", "direction: expected \"request\" or \"response\", found null"),
        (r#""direction":"request""#, "\"apiKey\" is missing"),
        (r#""direction":"request","apiKey":3"#, "\"apiVersion\" is missing"),
        (r#""direction":"request","apiKey":3,"apiVersion":1"#, "\"body\" is missing"),
        (r#""direction":"request","apiKey":3,"apiVersion":"1""#, "apiVersion: expected int16, found \"1\""),
        (r#""direction":"request","apiName":"Nope""#, "apiName: no API is called \"Nope\""),
        (r#""direction":"request","apiKey":3,"apiName":"Fetch""#, "apiName: Fetch has the key 1, not 3"),
        (
            r#""direction":"request","apiKey":3,"apiVersion":99,"body":{}"#,
            "apiVersion: Metadata has the versions 0-13, not 99, so there is no telling what its body is",
        ),
        (
            r#""direction":"request","apiKey":3,"apiVersion":1,"headerVersion":2,"body":{}"#,
            "headerVersion: this message has RequestHeader v1, not v2",
        ),
        (
            r#""direction":"request","apiKey":3,"apiVersion":1,"size":7,"body":{}"#,
            "size: the frame has 14 bytes after its size field, but this says 7",
        ),
        (
            r#""direction":"response","apiKey":3,"apiVersion":1,"clientId":"x","body":{}"#,
            "clientId: ResponseHeader v0 has none",
        ),
        (
            r#""direction":"request","apiKey":3,"apiVersion":1,"_unknownTaggedFields":[{"tag":1,"data":""}],"body":{}"#,
            "_unknownTaggedFields: RequestHeader v1 has no tagged fields",
        ),
        (
            r#""direction":"request","apiKey":3,"apiVersion":1,"body":{},"undecoded":"","problems":["it ends"]"#,
            "undecoded: the body was decoded only in part (it ends); complete it and remove this key",
        ),
        (
            r#""direction":"request","direction":"request""#,
            "not JSON: the key \"direction\" comes twice in an object at line 1 column 34",
        ),
    ] {
        assert_eq!(complaint(&format!("{{{members}}}")), expected, "{members}");
    }
    assert_eq!(
        complaint("{\"api\":1}"),
        "api: no such key; there are direction, apiKey, apiName, apiVersion, headerVersion, correlationId, clientId, \
         _unknownTaggedFields, size, body, undecoded, trailing, alternatives, problems, notes"
    );
    assert_eq!(complaint("[]"), "expected an object, found an array");
    assert_eq!(complaint("{"), "not JSON: EOF while parsing an object at line 1 column 1");
}

#[test]
fn objects_may_stand_as_they_like() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let one = r#"{"direction":"response","apiName":"Heartbeat","apiVersion":0,"correlationId":7,"body":{}}"#;
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Json>(one).unwrap()).unwrap();
    let frame = b"\0\0\0\x06\0\0\0\x07\0\0".to_vec();
    let text = format!("\u{feff}{one}{one}\n\n{pretty}\n{{\"direction\":1}}\n{one}\n{{]{one}");
    let frames = frames_from_json(&mut decoder, text.as_bytes());
    assert_eq!(frames.iter().filter(|made| made.as_ref() == Ok(&frame)).count(), 4);
    let errors: Vec<_> = frames.iter().filter_map(|made| made.as_ref().err()).collect();
    assert_eq!(errors.iter().map(|error| (error.number, error.line)).collect::<Vec<_>>(), [(4, 10), (6, 12)]);
    assert_eq!(frames_from_json(&mut decoder, b" \n"), []);
}

#[test]
fn fields_that_are_left_out_have_their_defaults() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let fetch = json!({ "direction": "request", "apiName": "Fetch", "apiVersion": 12, "body": {
        "topics": [{ "partitions": [{}] }],
    } });
    let frame = frame_from_json(&mut decoder, &fetch).unwrap();
    let json = parsed(&mut decoder, FETCH, &frame);
    assert_eq!((&json["correlationId"], &json["clientId"]), (&json!(0), &Json::Null));
    assert_eq!(
        json["body"],
        json!({
            "replicaId": -1, "maxWaitMs": 0, "minBytes": 0, "maxBytes": 0x7fff_ffff, "isolationLevel": 0,
            "sessionId": 0, "sessionEpoch": -1,
            "topics": [{ "topic": "", "partitions": [{
                "partition": 0, "currentLeaderEpoch": -1, "fetchOffset": 0, "lastFetchedEpoch": -1,
                "logStartOffset": -1, "partitionMaxBytes": 0,
            }] }],
            "forgottenTopicsData": [], "rackId": "",
        })
    );
}
