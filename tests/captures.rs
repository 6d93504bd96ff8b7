//! Captures give the messages that are in them: those of the corpus what is told beside them, and those of the samples what the
//! broker's own request log has.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

use kdissect::capture::{Message, Origin, Output, PacketReader, Remark, Session, Settings, TopicNames};
use kdissect::schema::{Catalogue, Direction};
use kdissect::tree::{Kind, Node, Tree};
use serde_json::Value as Json;

/// A message, as far as tests ask.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Seen {
    connection: u64,
    is_request: bool,
    api_key: Option<i16>,
    api_version: Option<i16>,
    correlation_id: Option<i32>,
    client_id: Option<String>,
    client_port: u16,
    is_paired: bool,
    is_answered: bool,
    is_sound: bool,
    missing: u64,
    records: u64,
    error: Option<i64>,
    /// Every error code in it that is not zero.
    errors: Vec<i64>,
}

#[derive(Default)]
struct Collected {
    messages: Vec<Seen>,
    remarks: Vec<Remark>,
}

impl Output for Collected {
    fn message(&mut self, message: &mut Message<'_>, _: &TopicNames) {
        message.tree.check_tiling(message.frame.bytes.len()).unwrap();
        let is_request = message.direction == Direction::Request;
        let data = message.tree.data(message.frame.bytes);
        let is_code =
            |node: &&Node| node.kind() == Kind::Int && &*message.tree.item_of(node).name == "ErrorCode";
        let codes = message.tree.nodes.iter().filter(is_code).map(|node| node.int(data));
        self.messages.push(Seen {
            connection: message.connection,
            is_request,
            api_key: message.heading.api_key,
            api_version: message.heading.api_version,
            correlation_id: message.heading.correlation_id,
            client_id: message.client_id.map(str::to_owned),
            client_port: if is_request { message.from.port } else { message.to.port },
            is_paired: matches!(message.origin, Origin::Response(_) | Origin::Token),
            is_answered: message.heading.answered,
            is_sound: message.tree.is_sound(),
            missing: message.missing,
            records: message.summary.records,
            error: message.summary.error.as_ref().map(|error| error.code),
            errors: codes.filter(|code| *code != 0).collect(),
        });
    }

    fn remark(&mut self, remark: &Remark) {
        self.remarks.push(remark.clone());
    }
}

fn collect(catalogue: &Catalogue, read: impl Read) -> Collected {
    let mut collected = Collected::default();
    let mut session = Session::new(catalogue, Tree::new(), Settings::default());
    let mut reader = PacketReader::new(read);
    while let Some(packet) = reader.next_packet() {
        match packet {
            Ok(packet) => session.packet(&packet, &mut collected),
            Err(error) => println!("{error}"),
        }
    }
    session.finish(&mut collected);
    collected
}

fn collect_file(catalogue: &Catalogue, path: &Path) -> Collected {
    collect(catalogue, Cursor::new(fs::read(path).unwrap()))
}

/// How often each API and version was asked for.
fn counts<'m>(messages: impl Iterator<Item = &'m Seen>) -> BTreeMap<(i64, i64), i64> {
    let mut counts = BTreeMap::new();
    for message in messages.filter(|message| message.is_request) {
        if let (Some(key), Some(version)) = (message.api_key, message.api_version) {
            *counts.entry((i64::from(key), i64::from(version))).or_default() += 1;
        }
    }
    counts
}

#[test]
fn captures_of_the_corpus_have_the_requests_that_are_told_beside_them() {
    let Some(folder) = common::corpus("captures") else { return };
    let catalogue = Catalogue::embedded();
    let mut compared = 0;
    for path in common::files(&folder, "json") {
        let expected: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let name = expected["file"].as_str().unwrap();
        let found = collect_file(&catalogue, &folder.join(name));
        let parser = &expected["header_parser"];
        let told: BTreeMap<(i64, i64), i64> = parser["request_counts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| {
                let number = |key: &str| entry[key].as_i64().unwrap();
                ((number("api_key"), number("api_version")), number("count"))
            })
            .collect();
        assert_eq!(counts(found.messages.iter()), told, "{name}");
        let responses = found.messages.iter().filter(|message| !message.is_request);
        let matched = parser["responses_matched"].as_u64().unwrap();
        let paired =
            responses.filter(|message| message.is_paired && message.api_key.is_some()).count() as u64;
        // What is missing of a request may not be given up before its response has come, which is then an orphan.
        let holed =
            found.messages.iter().filter(|message| message.is_request && message.missing > 0).count() as u64;
        assert!(
            (matched.saturating_sub(holed)..=matched).contains(&paired),
            "{name}: {paired} of {matched} paired"
        );
        let mut errors: BTreeMap<(String, String), u64> = BTreeMap::new();
        for message in found.messages.iter().filter(|message| !message.is_request) {
            assert_eq!(message.error, message.errors.first().copied(), "{name}: {message:?}");
            for code in &message.errors {
                let api = catalogue.api(message.api_key.unwrap()).unwrap();
                *errors.entry((api.name.clone(), code.to_string())).or_default() += 1;
            }
        }
        let told_errors = expected["error_codes_on_the_wire"].as_object().into_iter().flatten();
        let told_errors: BTreeMap<(String, String), u64> = told_errors
            .flat_map(|(api, codes)| codes.as_object().unwrap().iter().map(move |code| (api, code)))
            .map(|(api, (code, count))| ((api.clone(), code.clone()), count.as_u64().unwrap()))
            .collect();
        // Of packets that were cut nothing is told.
        if parser["packets_cut_by_snaplen"] == 0 {
            assert_eq!(errors, told_errors, "{name}: error codes");
        }
        let told_records = &expected["produce_request_records"];
        // There a compressed message set was counted as one record.
        if told_records["requests_cut_off"] == 0 && name != "rd_old_0_8_2.pcap" {
            let by_topic = told_records["by_topic"].as_object().unwrap().values();
            let produced = |message: &&Seen| message.is_request && message.api_key == Some(0);
            let records: u64 = found.messages.iter().filter(produced).map(|message| message.records).sum();
            assert_eq!(
                records,
                by_topic.map(|count| count.as_u64().unwrap()).sum::<u64>(),
                "{name}: records"
            );
        }
        compared += told.len();
    }
    println!("{compared} kinds of request compared");
    assert!(compared > 100);
}

#[test]
fn captures_of_the_samples_have_what_the_request_log_of_the_broker_has() {
    let folder = common::samples().join("captures");
    let catalogue = Catalogue::embedded();
    // Until a client has logged in, the broker logs nothing.
    const LOGIN: [i16; 3] = [17, 18, 36];
    const SASL_PORT: u64 = 19094;
    let mut compared = 0;
    for path in common::files(&folder, "pcap") {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name.contains("tls") {
            continue;
        }
        let found = collect_file(&catalogue, &path);
        for message in &found.messages {
            assert!(message.is_request || message.is_paired, "{name}: {message:?}");
            assert_eq!(message.missing, 0, "{name}");
        }
        let log: Json =
            serde_json::from_str(&fs::read_to_string(folder.join(format!("{name}.requests.json"))).unwrap())
                .unwrap();
        let mut logged: Vec<(i16, i16, i32, Option<String>, u16)> = log
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| {
                let number = |key: &str| entry[key].as_i64().unwrap();
                let client_id = entry["clientId"].as_str().map(str::to_owned);
                let port = number("clientPort") as u16;
                (
                    number("apiKey") as i16,
                    number("apiVersion") as i16,
                    number("correlationId") as i32,
                    client_id,
                    port,
                )
            })
            .collect();
        let sasl: Vec<u16> = log
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["brokerPort"] == SASL_PORT)
            .map(|entry| entry["clientPort"].as_u64().unwrap() as u16)
            .collect();
        let in_log: Vec<_> = logged.iter().map(|(key, _, id, _, port)| (*key, *id, *port)).collect();
        let mut seen: Vec<_> = found
            .messages
            .iter()
            .filter(|message| message.is_request && message.api_key.is_some())
            .map(|message| {
                let Seen { api_key, api_version, correlation_id, client_id, client_port, .. } =
                    message.clone();
                (api_key.unwrap(), api_version.unwrap(), correlation_id.unwrap(), client_id, client_port)
            })
            // What a broker does not log: logins, and versions that it does not know.
            .filter(|(key, version, id, _, port)| {
                let is_login = LOGIN.contains(key) && !in_log.contains(&(*key, *id, *port));
                let is_unknown = (*key, *version) == (0, 1);
                !(is_login && (sasl.contains(port) || name.contains("sasl") || name.contains("errors")))
                    && !is_unknown
            })
            .collect();
        logged.sort();
        seen.sort();
        assert_eq!(seen, logged, "{name}");
        compared += seen.len();
    }
    println!("{compared} requests compared");
    assert!(compared > 500);
}

/// A pipe that hands out a few bytes at a time.
struct Drops<'d>(&'d [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(self.0.len()).min(self.1);
        buffer[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

#[test]
fn a_capture_byte_by_byte_is_the_same() {
    let catalogue = Catalogue::embedded();
    for path in common::files(&common::samples().join("captures"), "pcap") {
        let bytes = fs::read(&path).unwrap();
        let whole = collect(&catalogue, Cursor::new(&bytes));
        for step in [1, 7, 4096] {
            let drops = collect(&catalogue, Drops(&bytes, step));
            assert_eq!(drops.messages, whole.messages, "{} {step}", path.display());
            assert_eq!(drops.remarks, whole.remarks, "{} {step}", path.display());
        }
    }
}

#[test]
fn tls_is_named_with_what_its_handshake_tells() {
    let catalogue = Catalogue::embedded();
    let found = collect_file(&catalogue, &common::samples().join("captures/kafka_python_tls.pcap"));
    assert_eq!(found.messages, []);
    let hellos: Vec<String> = found
        .remarks
        .iter()
        .filter_map(|remark| match remark {
            Remark::Tls { hello, .. } => Some(hello.to_string()),
            _ => None,
        })
        .collect();
    assert!(hellos.iter().any(|hello| hello.contains("TLS 1.3")), "{hellos:?}");
}
