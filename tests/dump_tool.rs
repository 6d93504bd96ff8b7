//! Log files are told as Kafka's own dump tool tells them: every batch and record of segments and snapshots, every entry of indexes, with all
//! that the tool prints of them. It prints no values of headers; nothing else of a record is hidden, configurations and credentials included.
//!
//! The recordings of one run are compared everywhere, those of a new run where Java and Maven are.

#[path = "dump_tool/dump.rs"]
mod dump;
#[path = "dump_tool/fresh.rs"]
mod fresh;
#[path = "dump_tool/index.rs"]
mod index;
#[path = "dump_tool/internal.rs"]
mod internal;
#[path = "dump_tool/lines.rs"]
mod lines;
#[path = "dump_tool/ours.rs"]
mod ours;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dump::Counts;
use kdissect::payload::Topic;

#[test]
fn recorded_files_are_as_the_dump_tool_prints_them() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kafka/recorded");
    let counts = compare(&recorded);
    println!("recorded: {counts}");
}

#[test]
fn files_of_a_new_run_are_as_the_dump_tool_prints_them() {
    match fresh::record() {
        Ok(folder) => {
            let counts = compare(&folder.path().join("recorded"));
            println!("new: {counts}");
        }
        Err(reason) => println!("skipped: {reason}"),
    }
}

/// Compares all files below a folder that have a dump beside them.
fn compare(root: &Path) -> Counts {
    let mut counts = Counts::default();
    let mut topics = BTreeSet::new();
    for dump_path in files(root) {
        if dump_path.extension().is_none_or(|found| found != "dump") {
            continue;
        }
        let path = dump_path.with_extension("");
        let (bytes, dump) = (fs::read(&path).unwrap(), fs::read_to_string(dump_path).unwrap());
        if path.extension().is_some_and(|found| found == "log" || found == "checkpoint") {
            counts += compare_log(&path, &bytes, &dump);
            topics.insert(topic_name(&path));
        } else {
            assert!(index::is_index(&path), "{} is of no kind that is known", path.display());
            counts += index::compare(&path, &bytes, &dump);
        }
    }
    for internal in ["__cluster_metadata", "__consumer_offsets", "__share_group_state", "__transaction_state"]
    {
        assert!(topics.contains(internal), "no files of {internal}");
    }
    // So that nothing goes missing unseen. Runs differ by a few.
    let Counts { files, batches, records, internal, control, entries } = counts;
    assert!(files >= 80 && batches > 200 && records > 550 && entries > 90, "{counts}");
    assert!(internal > 400 && control > 20, "{counts}");
    counts
}

/// The files below a folder, by their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The topic whose partition's folder a file is in.
fn topic_name(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name).unwrap().to_str().unwrap();
    let (topic, partition) = folder.rsplit_once('-').unwrap();
    assert!(partition.parse::<u32>().is_ok(), "{folder} is the folder of a partition");
    topic.to_owned()
}

fn compare_log(path: &Path, bytes: &[u8], dump: &str) -> Counts {
    let topic = Topic::named(topic_name(path).as_bytes());
    let kafkas = lines::log(dump, topic.is_some());
    compare_heading(path, &kafkas.heading);
    let ours = ours::batches(bytes, topic);
    let place = path.display();
    for (ours, kafkas) in ours.iter().zip(&kafkas.batches) {
        let offset = kafkas.base_offset;
        // One by one, so that what differs is easy to see.
        for (ours, kafkas) in ours.records.iter().zip(&kafkas.records) {
            assert_eq!(ours, kafkas, "record {} in the batch at {offset} of {place}", kafkas.offset);
        }
        assert_eq!(ours.records.len(), kafkas.records.len(), "records in the batch at {offset} of {place}");
        assert_eq!(ours, kafkas, "batch at {offset} of {place}");
        assert_eq!(kafkas.records.len() as i64, kafkas.count, "records in the batch at {offset} of {place}");
    }
    assert_eq!(ours.len(), kafkas.batches.len(), "batches of {place}");
    Counts::of(&ours)
}

/// The first lines are about the file's name, which says where it starts or, of a snapshot, ends.
fn compare_heading(path: &Path, heading: &[String]) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let [dumping, offset] = heading else { panic!("{heading:?}") };
    assert!(dumping.starts_with("Dumping ") && dumping.ends_with(name), "{dumping}");
    let (stem, extension) = name.rsplit_once('.').unwrap();
    let number = |text: &str| text.parse::<i64>().unwrap();
    let expected = match stem.split_once('-') {
        Some((end, epoch)) if extension == "checkpoint" => {
            format!("Snapshot end offset: {}, epoch: {}", number(end), number(epoch))
        }
        _ => format!("Log starting offset: {}", number(stem)),
    };
    assert_eq!(*offset, expected);
}
