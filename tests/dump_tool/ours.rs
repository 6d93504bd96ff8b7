//! What kdissect says of the same file.

use kdissect::payload::Topic;
use kdissect::records::{Ending, RecordBase, Source, entries};
use kdissect::render::problem_text::{note_text, problem_text};
use kdissect::tree::{Data, Kind, ProblemKind, Tree, builtin};

use crate::dump::{Batch, Content, Record};
use crate::internal;

/// The batches of a file, all of whose bytes must be told, with nothing to be said about them.
pub fn batches(bytes: &[u8], topic: Option<Topic>) -> Vec<Batch> {
    let mut tree = Tree::new();
    entries(bytes, 0, Source { ending: Ending::Whole, topic }, &mut tree);
    tree.check_tiling(bytes.len()).unwrap();
    let text = |node| problem_text(&tree, node).or_else(|| note_text(&tree, node));
    let said: Vec<_> = tree.problems.iter().map(|problem| text(problem.node as usize)).collect();
    assert!(tree.is_sound() && said.is_empty(), "{said:?}");
    let reader = Reader { tree: &tree, data: tree.data(bytes), topic };
    let (mut batches, mut index) = (Vec::new(), 0);
    while index < tree.nodes.len() {
        batches.push(reader.batch(index));
        index = tree.end(index);
    }
    batches
}

/// Reads what is in a tree.
#[derive(Clone, Copy)]
pub struct Reader<'t> {
    pub tree: &'t Tree,
    pub data: Data<'t>,
    pub topic: Option<Topic>,
}

impl Reader<'_> {
    /// The child of a node, or what is below a child that has parts, that is a builtin item.
    pub fn find(&self, parent: usize, item: u16) -> Option<usize> {
        let is_it = |index: &usize| {
            let node = &self.tree.nodes[*index];
            node.is_builtin(item) && node.kind() != Kind::Problem
        };
        (parent + 1..self.tree.end(parent)).find(is_it)
    }

    pub fn int(&self, parent: usize, item: u16) -> i64 {
        let found = self.find(parent, item);
        let found = found.unwrap_or_else(|| panic!("no {}", builtin::items()[usize::from(item)].name));
        self.tree.nodes[found].int(self.data)
    }

    fn flag(&self, parent: usize, item: u16) -> bool {
        self.int(parent, item) == 1
    }

    fn batch(&self, index: usize) -> Batch {
        let node = &self.tree.nodes[index];
        assert!(node.kind() == Kind::Batch && node.is_builtin(builtin::BATCH), "a batch");
        let int = |item| self.int(index, item);
        let base = RecordBase::of(self.tree, index, self.data).unwrap();
        let has_horizon = self.flag(index, builtin::HAS_DELETE_HORIZON);
        let codec = int(builtin::COMPRESSION) as usize;
        let wrong_crc = self.tree.problems.iter().any(|problem| {
            problem.offset >= node.start()
                && problem.offset < node.stop()
                && matches!(problem.kind, ProblemKind::Checksum { .. })
        });
        let is_record = |index: &usize| self.tree.nodes[*index].kind() == Kind::Record;
        let records = (index..self.tree.end(index)).filter(is_record);
        let base_sequence = int(builtin::BASE_SEQUENCE);
        Batch {
            base_offset: base.offset,
            last_offset: base.offset + int(builtin::LAST_OFFSET_DELTA),
            count: base.records,
            base_sequence,
            last_sequence: sequence(base_sequence, int(builtin::LAST_OFFSET_DELTA)),
            producer_id: int(builtin::PRODUCER_ID),
            producer_epoch: int(builtin::PRODUCER_EPOCH),
            partition_leader_epoch: int(builtin::PARTITION_LEADER_EPOCH),
            is_transactional: self.flag(index, builtin::IS_TRANSACTIONAL),
            is_control: self.flag(index, builtin::IS_CONTROL),
            delete_horizon: has_horizon.then_some(base.timestamp),
            position: node.start().into(),
            timestamp_type: self.timestamp_type(index).to_owned(),
            max_timestamp: int(builtin::MAX_TIMESTAMP),
            size: node.len().into(),
            magic: int(builtin::MAGIC),
            codec: ["none", "gzip", "snappy", "lz4", "zstd"][codec].to_owned(),
            crc: int(builtin::CRC_32C),
            is_valid: !wrong_crc,
            records: records.map(|record| self.record(index, record, &base)).collect(),
        }
    }

    fn timestamp_type(&self, batch: usize) -> &'static str {
        if self.flag(batch, builtin::TIMESTAMP_TYPE) { "LogAppendTime" } else { "CreateTime" }
    }

    fn record(&self, batch: usize, index: usize, base: &RecordBase) -> Record {
        let node = |item| &self.tree.nodes[self.find(index, item).unwrap()];
        let is_control = self.flag(batch, builtin::IS_CONTROL);
        let (key, value) = self.key_and_value(index);
        Record {
            offset: base.offset_of(node(builtin::OFFSET_DELTA), self.data).unwrap(),
            timestamp_type: self.timestamp_type(batch).to_owned(),
            // The tool prints -1 where there is none.
            timestamp: base.timestamp_of(node(builtin::TIMESTAMP_DELTA), self.data).unwrap_or(-1),
            key_size: self.content(key).map_or(-1, |content| content.len() as i64),
            value_size: self.content(value).map_or(-1, |content| content.len() as i64),
            sequence: sequence(
                self.int(batch, builtin::BASE_SEQUENCE),
                node(builtin::OFFSET_DELTA).int(self.data),
            ),
            header_keys: self.header_keys(index),
            content: match self.topic {
                _ if is_control => self.control(key, value),
                Some(topic) => internal::content(self, topic, key, value),
                None => Content::Text(self.text(" key: ", key) + &self.text(" payload: ", value)),
            },
        }
    }

    /// The nodes of the key and the value of a record: they come after the offset.
    fn key_and_value(&self, record: usize) -> (usize, usize) {
        let mut children = self.tree.children(record);
        children.find(|child| self.tree.nodes[*child].is_builtin(builtin::OFFSET_DELTA)).unwrap();
        (children.next().unwrap(), children.next().unwrap())
    }

    /// The bytes of a key or value; `None` for null.
    pub fn content(&self, index: usize) -> Option<&[u8]> {
        let node = &self.tree.nodes[index];
        match node.kind() {
            Kind::NullVarintBytes => None,
            Kind::VarintBytes => Some(self.data.slice(node.content(self.data))),
            _ => Some(self.data.slice(self.tree.content_after_length(index))),
        }
    }

    /// A key or value as the tool prints it: bytes that are no UTF-8 are replaced, null is left out.
    fn text(&self, name: &str, index: usize) -> String {
        let content = self.content(index);
        content.map_or_else(String::new, |content| format!("{name}{}", String::from_utf8_lossy(content)))
    }

    fn header_keys(&self, record: usize) -> String {
        let headers = self.find(record, builtin::HEADERS).unwrap();
        let is_key = |index: &usize| self.tree.nodes[*index].is_builtin(builtin::HEADER_KEY);
        let keys: Vec<_> = (headers..self.tree.end(headers))
            .filter(is_key)
            .map(|key| String::from_utf8_lossy(self.content(key).unwrap()))
            .collect();
        keys.join(",")
    }

    fn control(&self, key: usize, value: usize) -> Content {
        let number = self.int(key, builtin::CONTROL_TYPE);
        let name = match number {
            0 | 1 => {
                assert!(self.tree.nodes[value].is_builtin(builtin::END_MARKER));
                return Content::EndMarker {
                    kind: ["ABORT", "COMMIT"][number as usize].to_owned(),
                    coordinator_epoch: self.int(value, builtin::COORDINATOR_EPOCH),
                };
            }
            2 => "LeaderChange",
            3 => "SnapshotHeader",
            4 => "SnapshotFooter",
            5 => "KRaftVersion",
            6 => "KRaftVoters",
            other => panic!("a control record of type {other}"),
        };
        Content::Control { name: name.to_owned(), value: internal::fields(self, value) }
    }
}

/// The sequence number so far after the first of a batch: after the highest comes 0, and without producer id there is none.
fn sequence(base: i64, delta: i64) -> i64 {
    if base < 0 { -1 } else { (base + delta) % (1 << 31) }
}
