//! The binary files beside a segment, line by line as the dump tool prints them.

use std::collections::HashMap;
use std::path::Path;

use kdissect::log::{Index, LogFile, LogFileKind, Part, PartKind, RELATIVE_OFFSET};
use kdissect::schema::Catalogue;
use kdissect::tree::{Data, Flags, Kind, Node, Tree};

use crate::dump::Counts;

/// Whether a file is one of these.
pub fn is_index(path: &Path) -> bool {
    LogFile::named(path).is_some_and(|file| line_of(file.kind).is_some())
}

/// Compares a file with what the tool printed of it.
pub fn compare(path: &Path, bytes: &[u8], dump: &str) -> Counts {
    let place = path.display();
    let file = LogFile::named(path).unwrap();
    let line = line_of(file.kind).unwrap();
    let base = file.offset.unwrap();
    let ours: Vec<String> = entries(file.kind, bytes).iter().map(|entry| line(entry, base)).collect();

    let mut kafkas = dump.lines();
    let name = path.file_name().unwrap().to_str().unwrap();
    let heading = kafkas.next().unwrap();
    assert!(heading.starts_with("Dumping ") && heading.ends_with(name), "{heading}");
    let mut kafkas: Vec<&str> = kafkas.map(str::trim_end).collect();
    if ours.is_empty() {
        // It says so of some of the files.
        kafkas.retain(|line| !line.ends_with(" is empty."));
    }
    assert_eq!(ours, kafkas, "{place}");
    Counts { files: 1, entries: ours.len(), ..Counts::default() }
}

/// The fields of an entry, by their names.
type Entry = HashMap<String, i64>;

/// The entries of a file, all of whose bytes must be told, with nothing to be said about them.
fn entries(kind: LogFileKind, bytes: &[u8]) -> Vec<Entry> {
    let catalogue = Catalogue::embedded();
    let mut index = Index::new(bytes, kind, &catalogue).unwrap();
    let (mut tree, mut found, mut next) = (Tree::new(), Vec::new(), 0);
    while let Some(Part { kind, start, len }) = index.next_part(5, &mut tree).unwrap() {
        assert!(tree.problems.is_empty(), "{:?}", tree.problems);
        assert_eq!((kind, start), (PartKind::Tree, next));
        tree.check_tiling(len as usize).unwrap();
        next += len;
        let is_entry = |node: &Node| node.kind() == Kind::Struct && node.flags().has(Flags::ELEMENT);
        let all = (0..tree.nodes.len()).filter(|node| is_entry(&tree.nodes[*node]));
        found.extend(all.map(|node| entry(&tree, node, index.bytes().into())));
    }
    assert_eq!(next, bytes.len() as u64);
    found
}

fn entry(tree: &Tree, index: usize, data: Data<'_>) -> Entry {
    let fields = tree.children(index).map(|field| &tree.nodes[field]);
    fields.map(|field| (tree.item_of(field).name.to_string(), field.int(data))).collect()
}

/// A line of the tool, of an entry and the offset in the file's name.
type Line = fn(&Entry, i64) -> String;

fn line_of(kind: LogFileKind) -> Option<Line> {
    Some(match kind {
        LogFileKind::OffsetIndex => {
            |entry, base| format!("offset: {} position: {}", base + entry[RELATIVE_OFFSET], entry["Position"])
        }
        LogFileKind::TimeIndex => |entry, base| {
            format!("timestamp: {} offset: {}", entry["Timestamp"], base + entry[RELATIVE_OFFSET])
        },
        LogFileKind::TransactionIndex => |entry, _| {
            format!(
                "version: {} producerId: {} firstOffset: {} lastOffset: {} lastStableOffset: {}",
                entry["version"],
                entry["ProducerId"],
                entry["FirstOffset"],
                entry["LastOffset"],
                entry["LastStableOffset"]
            )
        },
        LogFileKind::ProducerSnapshot => |entry, _| producer(entry),
        _ => return None,
    })
}

fn producer(entry: &Entry) -> String {
    let field = |name: &str| entry[name];
    let first_offset = match field("CurrentTxnFirstOffset") {
        -1 => "OptionalLong.empty".to_owned(),
        offset => format!("OptionalLong[{offset}]"),
    };
    let timestamp = field("Timestamp");
    let mut line = format!(
        "producerId: {} producerEpoch: {} coordinatorEpoch: {} currentTxnFirstOffset: {first_offset} lastTimestamp: {timestamp}",
        field("ProducerId"),
        field("Epoch"),
        field("CoordinatorEpoch"),
    );
    let (last_sequence, last_offset) = (field("LastSequence"), field("LastOffset"));
    let delta = field("OffsetDelta");
    // A producer whose last batch is not known, such as one that only ended a transaction, has offset -1.
    if last_offset >= 0 {
        // Before 0 comes the highest number.
        let first_sequence = (last_sequence - delta).rem_euclid(1 << 31);
        line += &format!(
            " firstSequence: {first_sequence} lastSequence: {last_sequence} lastOffset: {last_offset} \
             offsetDelta: {delta} timestamp: {timestamp}"
        );
    }
    line
}
