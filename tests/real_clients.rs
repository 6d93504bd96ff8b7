//! What real clients sent and were answered, `samples/clients/*.bin`: all of it is recognised, sound and decoded to the last byte.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kdissect::input::conversation::{Conversation, Reason, Wanted};
use kdissect::schema::Catalogue;
use kdissect::tree::{Kind, ProblemKind, Tree};
use kdissect::wire::{Decoder, Heading};
use serde_json::Value as Json;

fn files() -> Vec<PathBuf> {
    let files = common::files(&common::samples().join("clients"), "bin");
    assert!(files.len() > 80, "{}", files.len());
    files
}

fn name(file: &Path) -> &str {
    file.file_stem().unwrap().to_str().unwrap()
}

/// Calls `see` with each frame of each file.
fn each_frame(mut see: impl FnMut(&str, &Heading, &Reason, &Tree, &[u8])) {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut tree = Tree::new();
    for file in files() {
        let bytes = fs::read(&file).unwrap();
        let mut conversation = Conversation::new(Wanted::Any);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (frame, after) = conversation.split(rest);
            let (heading, reason) = conversation.decode(&mut decoder, frame, &mut tree);
            see(name(&file), &heading, &reason, &tree, frame.bytes);
            rest = after;
        }
    }
}

#[test]
fn every_frame_is_recognised_sound_and_covered() {
    each_frame(|name, heading, reason, tree, frame| {
        assert!(matches!(reason, Reason::Certain | Reason::Paired), "{name}: {heading:?} {reason:?}");
        assert!(tree.is_sound(), "{name}: {:?}", tree.problems);
        tree.check_tiling(frame.len()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    });
}

/// Worth a note are the checksum that lz4 frames had before Kafka 0.10, the header of ApiVersions, and requests that get no response.
#[test]
fn notes_are_few() {
    each_frame(|name, heading, _, tree, _| {
        for problem in &tree.problems {
            let expected = match &problem.kind {
                ProblemKind::Lz4HeaderChecksum { .. } => name.starts_with("java_0_") && name.ends_with("lz4"),
                _ => heading.api_key == Some(18) || name == "java_produce_acks_0",
            };
            assert!(expected, "{name}: {:?}", problem.kind);
        }
    });
}

/// The fields that carry a format of their own; each does so in these files.
const CARRIERS: [&str; 11] = [
    "Metadata",
    "Assignment",
    "MemberMetadata",
    "MemberAssignment",
    "UserData",
    "Allocation",
    "AuthBytes",
    "RequestData",
    "ResponseData",
    "RequestPrincipal",
    "Metrics",
];

#[test]
fn every_file_is_in_the_readme() {
    let readme = fs::read_to_string(common::samples().join("clients/README.md")).unwrap();
    for file in files() {
        let line = format!("| `{}.bin` |", name(&file));
        assert!(readme.contains(&line), "{line}");
    }
}

/// What stays bytes, and why.
const UNDECODED: [(&str, &str, &str); 1] = [(
    "librdkafka_sync_group_cooperative_sticky",
    "UserData",
    "SyncGroup does not say before v5 which assignor it is, and librdkafka sends v3",
)];

#[test]
fn every_payload_is_decoded() {
    let (mut decoded, mut undecoded) = (BTreeSet::new(), BTreeSet::new());
    each_frame(|name, _, _, tree, frame| {
        for node in &tree.nodes {
            let field = &*tree.item_of(node).name;
            let Some(field) = CARRIERS.iter().find(|carrier| **carrier == field) else { continue };
            match node.kind() {
                Kind::Payload => drop(decoded.insert(*field)),
                // Empty is an answer that says no more than yes, or an assignment that is not there yet.
                Kind::Bytes if !node.content(tree.data(frame)).is_empty() => {
                    undecoded.insert((name.to_owned(), *field));
                }
                _ => {}
            }
        }
    });
    assert_eq!(decoded, CARRIERS.into());
    let expected = UNDECODED.map(|(name, field, _)| (name.to_owned(), field));
    assert_eq!(undecoded, expected.into());
}

/// The records of a Produce request: key, value, headers, timestamp.
fn produced(name: &str) -> Vec<Json> {
    let file = format!("samples/clients/{name}.bin");
    let output =
        Command::new(env!("CARGO_BIN_EXE_kdissect")).args(["--format", "json", &file]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut records = Vec::new();
    let message: Json = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    for entry in message["body"]["topicData"][0]["partitionData"][0]["records"].as_array().unwrap() {
        records_of(entry, &mut records);
    }
    records
}

fn records_of(entry: &Json, out: &mut Vec<Json>) {
    let Some(within) = entry.get("records").or(entry.get("messages")) else { return out.push(entry.clone()) };
    within.as_array().unwrap().iter().for_each(|record| records_of(record, out));
}

fn fields(records: &[Json], fields: &[&str]) -> Vec<Vec<Json>> {
    records.iter().map(|record| fields.iter().map(|field| record[*field].clone()).collect()).collect()
}

#[test]
fn the_same_records_come_out_of_every_client_and_codec() {
    let all = ["key", "value", "timestamp", "headers"];
    let expected = produced("java_produce_none");
    assert_eq!(expected.len(), 4);
    assert_eq!(
        fields(&expected, &["key"]).concat(),
        ["order-1001".into(), "order-1002".into(), "order-1001".into(), Json::Null]
    );
    assert_eq!(expected[2]["value"], Json::Null);
    for client in ["java", "librdkafka", "franz_go", "kafkajs"] {
        for codec in ["none", "gzip", "snappy", "lz4", "zstd"] {
            let name = format!("{client}_produce_{codec}");
            let found = produced(&name);
            let mut expected = expected.clone();
            if client == "kafkajs" {
                // It cannot write a header that is null.
                for record in &mut expected {
                    record["headers"].as_array_mut().unwrap().retain(|header| !header["value"].is_null());
                }
            }
            assert_eq!(fields(&found, &all), fields(&expected, &all), "{name}");
        }
    }
    for (library, same) in [("0_9", &all[..2]), ("0_10", &all[..3])] {
        for codec in ["none", "gzip", "snappy", "lz4"] {
            let name = format!("java_{library}_produce_{codec}");
            assert_eq!(fields(&produced(&name), same), fields(&expected, same), "{name}");
        }
    }
}

fn tree_of(name: &str) -> String {
    let file = format!("samples/clients/{name}.bin");
    let options = ["--view", "tree", "--docs", "none", &file];
    let output = Command::new(env!("CARGO_BIN_EXE_kdissect")).args(options).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The offset of the message around a compressed set is absolute: nothing is added to it.
#[test]
fn the_message_around_a_set_has_its_own_offset() {
    let tree = tree_of("java_0_10_fetch_gzip");
    let offsets: Vec<&str> = tree
        .lines()
        .filter_map(|line| line.split_once("+-- offset int64 = "))
        .map(|(_, rest)| rest.split_once(" [").unwrap().0)
        .collect();
    assert_eq!(offsets, ["103", "0 (offset 100)", "1 (offset 101)", "2 (offset 102)", "3 (offset 103)"]);
}
