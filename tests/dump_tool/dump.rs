//! What is told of a log file, by Kafka's dump tool and by us alike, and how much of it there is.

use std::fmt;
use std::ops::AddAssign;

use serde_json::Value as Json;

/// A record batch.
#[derive(PartialEq, Debug)]
pub struct Batch {
    pub base_offset: i64,
    pub last_offset: i64,
    pub count: i64,
    pub base_sequence: i64,
    pub last_sequence: i64,
    pub producer_id: i64,
    pub producer_epoch: i64,
    pub partition_leader_epoch: i64,
    pub is_transactional: bool,
    pub is_control: bool,
    pub delete_horizon: Option<i64>,
    pub position: i64,
    pub timestamp_type: String,
    pub max_timestamp: i64,
    pub size: i64,
    pub magic: i64,
    pub codec: String,
    pub crc: i64,
    pub is_valid: bool,
    pub records: Vec<Record>,
}

/// A record.
#[derive(PartialEq, Debug)]
pub struct Record {
    pub offset: i64,
    pub timestamp_type: String,
    pub timestamp: i64,
    pub key_size: i64,
    pub value_size: i64,
    pub sequence: i64,
    /// The keys with commas between them. One key may have commas too, and nothing tells.
    pub header_keys: String,
    pub content: Content,
}

/// The key and the value of a record.
#[derive(PartialEq, Debug)]
pub enum Content {
    /// As the tool prints it.
    Text(String),
    /// Of a record of an internal topic. A tombstone is the string `<DELETE>`.
    Internal { key: Option<Json>, value: Option<Json> },
    /// Of a record that ends a transaction.
    EndMarker { kind: String, coordinator_epoch: i64 },
    /// Of any other control record: what the tool calls it, and its value.
    Control { name: String, value: Json },
}

/// How much was compared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    pub files: usize,
    pub batches: usize,
    pub records: usize,
    /// Those of the records that belong to internal topics.
    pub internal: usize,
    /// Those of the records that are control records.
    pub control: usize,
    /// Entries of indexes, and producers.
    pub entries: usize,
}

impl Counts {
    /// Of one file with these batches.
    pub fn of(batches: &[Batch]) -> Counts {
        let records = || batches.iter().flat_map(|batch| &batch.records);
        let internal = |record: &&Record| matches!(record.content, Content::Internal { .. });
        let control =
            |record: &&Record| matches!(record.content, Content::EndMarker { .. } | Content::Control { .. });
        Counts {
            files: 1,
            batches: batches.len(),
            records: records().count(),
            internal: records().filter(internal).count(),
            control: records().filter(control).count(),
            entries: 0,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.files += other.files;
        self.batches += other.batches;
        self.records += other.records;
        self.internal += other.internal;
        self.control += other.control;
        self.entries += other.entries;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { files, batches, records, internal, control, entries } = self;
        write!(
            f,
            "{files} files with {batches} batches, {records} records, of which {internal} are internal and {control} control, \
             and {entries} entries of indexes"
        )
    }
}
