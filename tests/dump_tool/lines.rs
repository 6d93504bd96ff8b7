//! The lines of Kafka's dump tool.

use serde_json::Value as Json;

use crate::dump::{Batch, Content, Record};

/// What the tool prints of a segment or a snapshot of the metadata log.
pub struct LogDump {
    /// The first lines, which are about the file.
    pub heading: Vec<String>,
    pub batches: Vec<Batch>,
}

/// Reads what the tool printed of a `.log` or `.checkpoint`. `internal` is whether it had a decoder for the records.
pub fn log(text: &str, internal: bool) -> LogDump {
    let mut dump = LogDump { heading: Vec::new(), batches: Vec::new() };
    let mut control = false;
    for line in logical_lines(text) {
        if line.starts_with(BATCH) {
            let batch = batch(&line);
            control = batch.is_control;
            dump.batches.push(batch);
        } else if line.starts_with(RECORD) {
            let batch = dump.batches.last_mut().expect("a batch comes before its records");
            batch.records.push(record(&line, control, internal));
        } else {
            assert!(dump.batches.is_empty(), "no line that is known: {line:?}");
            dump.heading.push(line);
        }
    }
    dump
}

const BATCH: &str = "baseOffset: ";
const RECORD: &str = "| offset: ";

/// The lines, each together with those after it that are a part of it: keys and values are printed as they are, line breaks too.
fn logical_lines(text: &str) -> Vec<String> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut lines: Vec<String> = Vec::new();
    for line in text.split('\n') {
        let is_begun = lines.last().is_some_and(|last| last.starts_with(RECORD));
        match lines.last_mut() {
            Some(last) if is_begun && !line.starts_with(BATCH) && !line.starts_with(RECORD) => {
                last.push('\n');
                last.push_str(line);
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// A line, read from left to right.
struct Line<'l> {
    rest: &'l str,
    line: &'l str,
}

impl<'l> Line<'l> {
    fn new(line: &'l str) -> Line<'l> {
        Line { rest: line, line }
    }

    /// Steps over text that must come next.
    fn skip(&mut self, text: &str) {
        let Some(rest) = self.rest.strip_prefix(text) else {
            panic!("{text:?} must come before {:?} in {:?}", self.rest, self.line)
        };
        self.rest = rest;
    }

    /// What comes next up to a mark, which is stepped over.
    fn up_to(&mut self, mark: &str) -> &'l str {
        let (found, rest) = self.rest.split_once(mark).unwrap_or((self.rest, ""));
        self.rest = rest;
        found
    }

    /// The value of `name: value`.
    fn word(&mut self, name: &str) -> &'l str {
        self.skip(name);
        self.skip(": ");
        self.up_to(" ")
    }

    fn int(&mut self, name: &str) -> i64 {
        let word = self.word(name);
        word.parse().unwrap_or_else(|_| panic!("{name} is {word:?} in {:?}", self.line))
    }

    fn bool(&mut self, name: &str) -> bool {
        let word = self.word(name);
        word.parse().unwrap_or_else(|_| panic!("{name} is {word:?} in {:?}", self.line))
    }

    /// A number that Java may have or not.
    fn optional_int(&mut self, name: &str) -> Option<i64> {
        let word = self.word(name);
        if word == "OptionalLong.empty" {
            return None;
        }
        let number = word.strip_prefix("OptionalLong[").and_then(|rest| rest.strip_suffix(']'));
        let number = number.and_then(|number| number.parse().ok());
        Some(number.unwrap_or_else(|| panic!("{name} is {word:?} in {:?}", self.line)))
    }

    /// A timestamp, whose kind is its name.
    fn timestamp(&mut self) -> (String, i64) {
        let kind = self.rest.split(':').next().unwrap_or_default();
        (kind.to_owned(), self.int(kind))
    }

    /// The end of the line.
    fn end(&self) {
        assert!(self.rest.is_empty(), "{:?} is left in {:?}", self.rest, self.line);
    }
}

fn batch(line: &str) -> Batch {
    let mut line = Line::new(line);
    // Fields are read in the order in which they are written here.
    let mut batch = Batch {
        base_offset: line.int("baseOffset"),
        last_offset: line.int("lastOffset"),
        count: line.int("count"),
        base_sequence: line.int("baseSequence"),
        last_sequence: line.int("lastSequence"),
        producer_id: line.int("producerId"),
        producer_epoch: line.int("producerEpoch"),
        partition_leader_epoch: line.int("partitionLeaderEpoch"),
        is_transactional: line.bool("isTransactional"),
        is_control: line.bool("isControl"),
        delete_horizon: line.optional_int("deleteHorizonMs"),
        position: line.int("position"),
        timestamp_type: String::new(),
        max_timestamp: 0,
        size: 0,
        magic: 0,
        codec: String::new(),
        crc: 0,
        is_valid: false,
        records: Vec::new(),
    };
    (batch.timestamp_type, batch.max_timestamp) = line.timestamp();
    batch.size = line.int("size");
    batch.magic = line.int("magic");
    batch.codec = line.word("compresscodec").to_owned();
    batch.crc = line.int("crc");
    batch.is_valid = line.bool("isvalid");
    line.end();
    batch
}

fn record(line: &str, control: bool, internal: bool) -> Record {
    let mut line = Line::new(line);
    line.skip("| ");
    let offset = line.int("offset");
    let (timestamp_type, timestamp) = line.timestamp();
    let key_size = line.int("keySize");
    let value_size = line.int("valueSize");
    let sequence = line.int("sequence");
    line.skip("headerKeys: [");
    let header_keys = line.up_to("]").to_owned();
    let content = match (control, internal) {
        (true, _) => control_content(line),
        (false, true) => internal_content(line),
        (false, false) => Content::Text(line.rest.to_owned()),
    };
    Record { offset, timestamp_type, timestamp, key_size, value_size, sequence, header_keys, content }
}

fn control_content(mut line: Line<'_>) -> Content {
    line.skip(" ");
    if line.rest.starts_with("endTxnMarker") {
        let kind = line.word("endTxnMarker").to_owned();
        let coordinator_epoch = line.int("coordinatorEpoch");
        line.end();
        return Content::EndMarker { kind, coordinator_epoch };
    }
    // Only one of the names has a colon.
    let name = line.up_to(" ").trim_end_matches(':').to_owned();
    let value = json(&mut line).unwrap_or_else(|| panic!("no value in {:?}", line.line));
    line.end();
    Content::Control { name, value }
}

fn internal_content(mut line: Line<'_>) -> Content {
    let mut part = |name: &str| {
        let rest = line.rest.strip_prefix(name)?;
        line.rest = rest;
        Some(json(&mut line).unwrap_or_else(|| panic!("no JSON after{name}in {:?}", line.line)))
    };
    let (key, value) = (part(" key: "), part(" payload: "));
    line.end();
    Content::Internal { key, value }
}

/// JSON, or the word for a tombstone.
fn json(line: &mut Line<'_>) -> Option<Json> {
    const TOMBSTONE: &str = "<DELETE>";
    if let Some(rest) = line.rest.strip_prefix(TOMBSTONE) {
        line.rest = rest;
        return Some(TOMBSTONE.into());
    }
    let mut stream = serde_json::Deserializer::from_str(line.rest).into_iter::<Json>();
    let value = stream.next()?.ok()?;
    line.rest = &line.rest[stream.byte_offset()..];
    Some(value)
}

#[test]
fn null_empty_and_line_breaks_are_kept_apart() {
    let batch = "baseOffset: 5 lastOffset: 9 count: 4 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 \
                 partitionLeaderEpoch: 0 isTransactional: false isControl: false deleteHorizonMs: OptionalLong[17] position: 40 \
                 LogAppendTime: 1717203600009 size: 61 magic: 2 compresscodec: lz4 crc: 4294967295 isvalid: true";
    let record = |sizes: &str, rest: &str| {
        format!("| offset: 5 LogAppendTime: 1717203600009 {sizes} sequence: -1 headerKeys: [a,,b]{rest}")
    };
    let text = [
        "Dumping orders-0/00000000000000000005.log".to_owned(),
        "Log starting offset: 5".to_owned(),
        batch.to_owned(),
        record("keySize: -1 valueSize: -1", ""),
        record("keySize: 0 valueSize: 0", " key:  payload: "),
        record("keySize: -1 valueSize: 5", " payload: a\r\n\nb"),
        record("keySize: 1 valueSize: -1", " key: \n"),
        batch.to_owned(),
        String::new(),
    ]
    .join("\n");
    let dump = log(&text, false);
    assert_eq!(dump.heading.len(), 2);
    assert_eq!(dump.batches.len(), 2);
    let [first, second] = &dump.batches[..] else { unreachable!() };
    assert_eq!((first.delete_horizon, first.timestamp_type.as_str()), (Some(17), "LogAppendTime"));
    assert_eq!((first.crc, first.codec.as_str()), (0xffff_ffff, "lz4"));
    assert!(second.records.is_empty());
    let contents: Vec<&Content> = first.records.iter().map(|record| &record.content).collect();
    let texts = ["", " key:  payload: ", " payload: a\r\n\nb", " key: \n"];
    assert_eq!(contents, texts.map(|text| Content::Text(text.to_owned())).iter().collect::<Vec<_>>());
    assert!(first.records.iter().all(|record| record.header_keys == "a,,b"));
}

#[test]
fn internal_records_are_json_or_a_tombstone() {
    let content = |rest| internal_content(Line::new(rest));
    let key = serde_json::json!({"type": "0", "data": {"group": "a payload: b"}});
    assert_eq!(
        content(r#" key: {"type":"0","data":{"group":"a payload: b"}} payload: <DELETE>"#),
        Content::Internal { key: Some(key), value: Some("<DELETE>".into()) }
    );
    let value = Some(serde_json::json!({"type": "NO_OP_RECORD", "version": 0, "data": {}}));
    assert_eq!(
        content(r#" payload: {"type":"NO_OP_RECORD","version":0,"data":{}}"#),
        Content::Internal { key: None, value }
    );
}
