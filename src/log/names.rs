//! What a file of a log folder is called.

use std::ffi::OsStr;
use std::path::Path;

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LogFileKind {
    /// Batches: `OFFSET.log`.
    Segment,
    /// A snapshot of KRaft's metadata, batches too: `OFFSET-EPOCH.checkpoint`.
    MetadataSnapshot,
    /// `OFFSET.index`.
    OffsetIndex,
    /// `OFFSET.timeindex`.
    TimeIndex,
    /// `OFFSET.txnindex`.
    TransactionIndex,
    /// The state of producers: `OFFSET.snapshot`.
    ProducerSnapshot,
    /// Text.
    Text(TextKind),
}

/// What a text file holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextKind {
    /// `leader-epoch-checkpoint`.
    LeaderEpochs,
    /// `recovery-point-offset-checkpoint` and others: an offset for each partition.
    Offsets,
    /// `partition.metadata`.
    PartitionMetadata,
    /// `meta.properties`.
    MetaProperties,
    /// `quorum-state`.
    QuorumState,
}

/// The text files by their names.
const TEXT: [(&str, TextKind); 8] = [
    ("leader-epoch-checkpoint", TextKind::LeaderEpochs),
    ("recovery-point-offset-checkpoint", TextKind::Offsets),
    ("replication-offset-checkpoint", TextKind::Offsets),
    ("log-start-offset-checkpoint", TextKind::Offsets),
    ("cleaner-offset-checkpoint", TextKind::Offsets),
    ("partition.metadata", TextKind::PartitionMetadata),
    ("meta.properties", TextKind::MetaProperties),
    ("quorum-state", TextKind::QuorumState),
];

/// What a broker appends to the name of a file, and what that means.
const FATES: [(&str, &str); 5] = [
    (".deleted", "about to be deleted"),
    (".cleaned", "being written by compaction"),
    (".swap", "about to replace what it was compacted from"),
    (".part", "being written"),
    (".tmp", "being written"),
];

/// A file of a log folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFile {
    /// What it holds.
    pub kind: LogFileKind,
    /// Its name, without its folder.
    pub name: String,
    /// The offset in its name: of the first batch, or, of a snapshot, the one after the last.
    pub offset: Option<i64>,
    /// The epoch in its name.
    pub epoch: Option<i32>,
    /// What becomes of it, if its name says so.
    pub fate: Option<&'static str>,
    /// The topic that its folder is named for.
    pub topic: Option<String>,
    /// The partition that its folder is named for.
    pub partition: Option<i32>,
}

impl LogFile {
    /// What a file is by its name; `None` if that is none that a broker gives.
    pub fn named(path: &Path) -> Option<LogFile> {
        let name = path.file_name()?.to_str()?;
        let fate = FATES.iter().find(|(suffix, _)| name.ends_with(suffix));
        let stem = fate.map_or(name, |(suffix, _)| &name[..name.len() - suffix.len()]);
        let (kind, offset, epoch) = kind(stem)?;
        Some(LogFile { offset, epoch, fate: fate.map(|(_, words)| *words), ..LogFile::of_kind(kind, path) })
    }

    /// A file that is of a kind whatever it is called.
    pub fn of_kind(kind: LogFileKind, path: &Path) -> LogFile {
        let name = path.file_name().unwrap_or(OsStr::new("")).to_string_lossy().into_owned();
        let (topic, partition) = folder(path).unzip();
        LogFile { name, topic, partition, ..LogFile::unnamed(kind) }
    }

    /// What is of a kind and comes from no file.
    pub fn unnamed(kind: LogFileKind) -> LogFile {
        let name = String::new();
        LogFile { kind, name, offset: None, epoch: None, fate: None, topic: None, partition: None }
    }

    /// The least offset that a batch in it can have.
    pub fn base_offset(&self) -> Option<i64> {
        self.offset.filter(|_| self.kind != LogFileKind::MetadataSnapshot)
    }
}

fn kind(stem: &str) -> Option<(LogFileKind, Option<i64>, Option<i32>)> {
    if let Some((_, kind)) = TEXT.iter().find(|(name, _)| *name == stem) {
        return Some((LogFileKind::Text(*kind), None, None));
    }
    let (number, extension) = stem.split_once('.')?;
    if extension == "checkpoint" {
        let (offset, epoch) = number.split_once('-')?;
        return Some((LogFileKind::MetadataSnapshot, Some(digits(offset, 20)?), Some(digits(epoch, 10)?)));
    }
    let kind = match extension {
        "log" => LogFileKind::Segment,
        "index" => LogFileKind::OffsetIndex,
        "timeindex" => LogFileKind::TimeIndex,
        "txnindex" => LogFileKind::TransactionIndex,
        "snapshot" => LogFileKind::ProducerSnapshot,
        _ => return None,
    };
    Some((kind, Some(digits(number, 20)?), None))
}

/// A number of just so many digits.
fn digits<N: std::str::FromStr>(text: &str, count: usize) -> Option<N> {
    let is_number = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// The topic and partition that the folder of a file is named for.
fn folder(path: &Path) -> Option<(String, i32)> {
    // A file in the current folder has its name from there.
    let path = std::path::absolute(path).ok()?;
    let name = path.parent()?.file_name()?.to_str()?;
    partition_folder(name)
}

/// The topic and partition that a folder is named for: `orders-0`, or `orders-0.UNIQUE-delete` and the like for one that is on its way out or in.
pub fn partition_folder(name: &str) -> Option<(String, i32)> {
    let fate = ["-delete", "-future", "-stray"].iter().find_map(|fate| name.strip_suffix(fate));
    let name = match fate {
        Some(rest) => rest.rsplit_once('.')?.0,
        None => name,
    };
    let (topic, partition) = name.rsplit_once('-')?;
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let is_topic = (1..=249).contains(&topic.len()) && topic.bytes().all(is_legal);
    let is_number = !partition.is_empty() && partition.bytes().all(|byte| byte.is_ascii_digit());
    Some((topic.to_owned(), partition.parse().ok()?)).filter(|_| is_topic && is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_file_is() {
        use LogFileKind::*;
        let zero = "00000000000000000000";
        for (name, kind, offset, epoch) in [
            (format!("{zero}.log"), Segment, Some(0), None),
            ("00000000000000368769.timeindex".to_owned(), TimeIndex, Some(368_769), None),
            (format!("{zero}.index.swap"), OffsetIndex, Some(0), None),
            (format!("{zero}.txnindex.deleted"), TransactionIndex, Some(0), None),
            (format!("{zero}.log.cleaned"), Segment, Some(0), None),
            (format!("{zero}.snapshot"), ProducerSnapshot, Some(0), None),
            (format!("{zero}-0000000007.checkpoint"), MetadataSnapshot, Some(0), Some(7)),
            ("quorum-state".to_owned(), Text(TextKind::QuorumState), None, None),
            ("cleaner-offset-checkpoint.tmp".to_owned(), Text(TextKind::Offsets), None, None),
        ] {
            let file = LogFile::named(Path::new(&name)).expect(&name);
            assert_eq!((file.kind, file.offset, file.epoch), (kind, offset, epoch), "{name}");
            assert_eq!(file.fate.is_some(), FATES.iter().any(|(suffix, _)| name.ends_with(suffix)), "{name}");
        }
        for name in
            ["server.log", "0.log", "frames.index", "99999999999999999999.log", "a-b.checkpoint", "", ".log"]
        {
            assert_eq!(LogFile::named(Path::new(name)), None, "{name}");
        }
    }

    #[test]
    fn folders_tell_topic_and_partition() {
        for (folder, topic, partition) in [
            ("orders-0", "orders", 0),
            ("__consumer_offsets-49", "__consumer_offsets", 49),
            ("a-b.c-12", "a-b.c", 12),
            ("orders-3.0123456789abcdef0123456789abcdef-delete", "orders", 3),
            ("a.b-3.0123456789abcdef0123456789abcdef-future", "a.b", 3),
        ] {
            assert_eq!(partition_folder(folder), Some((topic.to_owned(), partition)), "{folder}");
        }
        for folder in ["orders", "-0", "orders-", "orders-x", "or ders-1", "orders-99999999999", "x-1-delete"]
        {
            assert_eq!(partition_folder(folder), None, "{folder}");
        }
    }
}
