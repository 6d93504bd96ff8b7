//! Files of a broker's log. The batches are put together here, field by field, and not by the code that is tested.

mod common;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use kdissect::log::content::{HEAD, is_segment};
use kdissect::log::text::{Item, Lines, Value};
use kdissect::log::{EntryFacts, Index, LogFile, LogFileKind, Part, PartKind, Segment, Summary, TextKind};
use kdissect::render::log_json::write_segment_part;
use kdissect::render::log_text::{HEADING, LogWriter};
use kdissect::render::{Options, Theme, View};
use kdissect::schema::Catalogue;
use kdissect::tree::{Kind, ProblemKind, Severity, Tree, builtin};
use kdissect::wire::Frame;

const TIME: i64 = 1_700_000_000_000;

/// A batch with `records` records of no key and a value of `size` bytes.
fn batch(base_offset: i64, attributes: i16, records: i32, size: usize) -> Vec<u8> {
    let mut covered = attributes.to_be_bytes().to_vec();
    covered.extend((records - 1).max(0).to_be_bytes());
    covered.extend(TIME.to_be_bytes());
    covered.extend((TIME + 9).to_be_bytes());
    covered.extend((-1i64).to_be_bytes());
    covered.extend((-1i16).to_be_bytes());
    covered.extend((-1i32).to_be_bytes());
    covered.extend(records.to_be_bytes());
    for offset in 0..records {
        let mut record = vec![0, 0];
        varint(&mut record, offset as usize);
        record.push(1);
        varint(&mut record, size);
        record.extend(vec![b'v'; size]);
        record.push(0);
        varint(&mut covered, record.len());
        covered.extend(record);
    }
    let mut out = base_offset.to_be_bytes().to_vec();
    out.extend((covered.len() as i32 + 9).to_be_bytes());
    out.extend([0, 0, 0, 5, 2]);
    out.extend(crc32c::crc32c(&covered).to_be_bytes());
    out.extend(covered);
    out
}

/// A zigzag varint that is not negative.
fn varint(out: &mut Vec<u8>, value: usize) {
    let mut bits = value << 1;
    while bits >= 0x80 {
        out.push(bits as u8 | 0x80);
        bits >>= 7;
    }
    out.push(bits as u8);
}

/// A message of magic 1.
fn message(offset: i64) -> Vec<u8> {
    let mut covered = vec![1, 0];
    covered.extend(TIME.to_be_bytes());
    covered.extend((-1i32).to_be_bytes());
    covered.extend(3i32.to_be_bytes());
    covered.extend(b"old");
    let mut out = offset.to_be_bytes().to_vec();
    out.extend((covered.len() as i32 + 4).to_be_bytes());
    out.extend(crc32fast::hash(&covered).to_be_bytes());
    out.extend(covered);
    out
}

/// What is found in a segment: the parts, which tile it, all problems, the summary.
fn read(bytes: &[u8], base_offset: Option<i64>) -> (Vec<Part>, Vec<ProblemKind>, Summary) {
    let mut segment = Segment::new(bytes, base_offset);
    let mut tree = Tree::new();
    let (mut parts, mut problems) = (Vec::new(), Vec::new());
    while let Some(part) = segment.next_part(&mut tree).unwrap() {
        assert_eq!(tree.origin, part.start);
        if part.kind == PartKind::Tree {
            tree.check_tiling(part.len as usize).unwrap();
            assert_eq!(segment.bytes(), &bytes[part.start as usize..][..part.len as usize]);
        }
        problems.extend(tree.problems.iter().map(|problem| problem.kind.clone()));
        parts.push(part);
    }
    let mut next = 0;
    for part in &parts {
        assert_eq!(part.start, next);
        assert!(part.len > 0);
        next += part.len;
    }
    assert_eq!(next, bytes.len() as u64);
    (parts, problems, segment.summary)
}

#[test]
fn batches_and_messages_follow_each_other() {
    let bytes = [batch(40, 0, 3, 10), batch(50, 0x30, 1, 0), message(51), batch(52, 0, 0, 0)].concat();
    let (parts, problems, summary) = read(&bytes, Some(40));
    assert_eq!(problems, []);
    let kinds: Vec<_> = parts.iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [PartKind::Tree; 4]);
    let expected = Summary {
        batches: 4,
        messages: 1,
        records: 4,
        first_offset: Some(40),
        last_offset: Some(52),
        timestamps: Some((TIME, TIME + 9)),
        codecs: [4, 0, 0, 0, 0, 0, 0, 0],
        transactional: 1,
        control: 1,
        bytes: bytes.len() as u64,
        ..Summary::default()
    };
    assert_eq!(summary, expected);
    // A message may have a whole set in it.
    assert_eq!(summary.missing_offsets(), None);
    let (_, _, summary) = read(&[batch(40, 0, 3, 10), batch(50, 0, 1, 0)].concat(), None);
    assert_eq!(summary.missing_offsets(), Some(7));
}

#[test]
fn an_empty_segment_is_one() {
    let (parts, problems, summary) = read(&[], Some(0));
    assert_eq!((parts.len(), problems.len(), summary), (0, 0, Summary::default()));
}

#[test]
fn zeros_at_the_end_are_room_not_used_yet() {
    for zeros in [1, 11, 12, 17, 61, 200_000] {
        let whole = batch(0, 0, 2, 5);
        let bytes = [whole.clone(), vec![0; zeros]].concat();
        let (parts, problems, summary) = read(&bytes, Some(0));
        assert_eq!(problems, []);
        let padding = Part { kind: PartKind::Padding, start: whole.len() as u64, len: zeros as u64 };
        assert_eq!((parts.len(), parts[1]), (2, padding));
        assert_eq!((summary.batches, summary.padding), (1, zeros as u64));
    }
}

#[test]
fn zeros_before_something_else_are_none() {
    let bytes = [batch(0, 0, 2, 5), vec![0; 100_000], vec![7]].concat();
    let (parts, problems, summary) = read(&bytes, Some(0));
    assert_eq!(parts[1].kind, PartKind::Undecoded);
    assert_eq!(problems, [ProblemKind::BatchLength { length: 0, least: 14 }]);
    assert_eq!((parts.len(), summary.undecoded), (2, 100_001));
}

#[test]
fn offsets_that_go_back_are_worth_a_note() {
    let bytes = [batch(3, 0, 2, 1), batch(5, 0, 2, 1), batch(6, 0, 1, 1), batch(7, 0, 1, 1)].concat();
    let (_, problems, _) = read(&bytes, Some(4));
    let before = ProblemKind::BeforeBaseOffset { offset: 3, file: 4 };
    assert_eq!(problems, [before, ProblemKind::OffsetBack { offset: 6, before: 6 }]);
    assert!(problems.iter().all(|problem| problem.severity() == Severity::Note));
}

#[test]
fn a_segment_may_be_cut_anywhere() {
    let first = batch(0, 0, 2, 5);
    let bytes = [first.clone(), batch(2, 0, 2, 5), message(4)].concat();
    let ends = [0, first.len(), 2 * first.len(), bytes.len()];
    let whole = read(&bytes, Some(0)).0;
    for cut in 0..bytes.len() {
        let (parts, problems, summary) = read(&bytes[..cut], Some(0));
        let complete = ends.iter().filter(|end| **end <= cut).count() - 1;
        // What comes before the cut is as it was.
        assert_eq!(parts[..complete], whole[..complete]);
        assert_eq!(summary.batches, complete as u64);
        let zeros = bytes[ends[complete]..cut].iter().all(|byte| *byte == 0);
        let malformed = problems.iter().any(|problem| problem.severity() == Severity::Malformed);
        assert_eq!(malformed, !zeros, "{cut}");
        assert_eq!(summary.other, u64::from(!zeros), "{cut}");
    }
}

#[test]
fn lengths_may_lie() {
    let good = batch(0, 0, 2, 5);
    for length in [i32::MIN, -1, 0, 1, 13, 14, 48, 49, 50, 200, 128 << 20, (128 << 20) + 1, i32::MAX] {
        let mut bad = batch(2, 0, 2, 5);
        bad[8..12].copy_from_slice(&length.to_be_bytes());
        let bytes = [good.clone(), bad, good.clone()].concat();
        let (parts, problems, _) = read(&bytes, Some(0));
        assert_eq!(parts[0].len, good.len() as u64);
        assert!(problems.iter().any(|problem| problem.severity() == Severity::Malformed), "{length}");
        let expected = match length {
            ..14 => Some(ProblemKind::BatchLength { length, least: 14 }),
            134_217_729.. => Some(ProblemKind::BatchTooLong { length, most: 128 << 20 }),
            _ => None,
        };
        assert!(expected.is_none_or(|expected| problems == [expected]), "{length}: {problems:?}");
    }
}

#[test]
fn no_bytes_make_it_panic() {
    let mut random = fastrand::Rng::with_seed(common::seed());
    let bytes = [batch(0, 0, 2, 5), message(2), batch(3, 0x30, 1, 9)].concat();
    let catalogue = Catalogue::embedded();
    for _ in 0..20_000 {
        let mut bytes = bytes.clone();
        for _ in 0..random.usize(1..5) {
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
        }
        let base_offset = Some(random.i64(0..3));
        read(&bytes, base_offset);
        is_segment(&bytes);
        // Not each, since this takes longer.
        if random.u8(..) < 8 {
            shown(&bytes, base_offset, &catalogue);
        }
    }
}

/// A segment as people and as programs see it.
fn shown(bytes: &[u8], base_offset: Option<i64>, catalogue: &Catalogue) {
    let file = LogFile::unnamed(LogFileKind::Segment);
    let (options, theme) = (Options::default(), Theme::plain());
    let mut writer = LogWriter::new(&options, &theme, false, file.kind);
    let (mut text, mut json, mut tree) = (Vec::new(), Vec::new(), Tree::new());
    let mut segment = Segment::new(bytes, base_offset);
    let mut parts = 0;
    while let Some(part) = segment.next_part(&mut tree).unwrap() {
        let frame = Frame::unsized_bytes(segment.bytes());
        let view = View::new(&tree, frame, &HEADING, catalogue);
        writer.part(&mut text, part, view, base_offset).unwrap();
        write_segment_part(&mut json, "x", &file, part, view).unwrap();
        parts += 1;
    }
    writer.summary(&mut text, &segment.summary).unwrap();
    let is_json = |line: &[u8]| serde_json::from_slice::<serde_json::Value>(line).is_ok();
    let json: Vec<&[u8]> = json.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    assert!(json.len() == parts && json.into_iter().all(is_json));
    assert!(
        text.split(|byte| *byte == b'\n').all(|line| line.is_empty() || !line[0].is_ascii_alphanumeric())
    );
}

/// The most memory that a process has held so far, in KiB, where that can be told.
fn most_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_large_segment_needs_little_memory() {
    // A process of its own, since other tests run beside this one.
    let mut child = Command::new(env!("CARGO_BIN_EXE_kdissect"))
        .args(["--records", "full", "--max-elements", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = batch(0, 0, 20, 50_000);
    let count = (200 << 20) / bytes.len() + 1;
    for _ in 0..count {
        stdin.write_all(&bytes).unwrap();
    }
    let memory = most_memory(child.id());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&format!("summary = {count} batches, {} records", 20 * count)), "{text}");
    // What is not shown is decoded all the same, and what goes back is worth a note, not a complaint.
    assert!(output.status.success());
    match memory {
        Some(memory) => assert!(memory < 64 << 10, "{memory} KiB"),
        None => println!("skipped: nobody tells how much memory a process has"),
    }
}

#[test]
fn segments_are_told_by_their_content_and_frames_are_not_taken_for_them() {
    for bytes in [batch(0, 0, 2, 5), batch(1 << 40, 0, 2, 5), message(7), batch(9, 0x30, 1, 90_000)] {
        assert!(is_segment(&bytes[..bytes.len().min(HEAD)]));
    }
    // A wrong checksum leaves no doubt while no frame could begin so …
    let mut bytes = batch(0, 0, 2, 5);
    bytes[70] ^= 1;
    assert!(is_segment(&bytes));
    // … but a frame of a size could.
    let mut bytes = batch(1 << 40, 0, 2, 5);
    bytes[70] ^= 1;
    assert!(!is_segment(&bytes));
    for bytes in [&b""[..], &[0; 100], b"0000000e 0041 0000 0000"] {
        assert!(!is_segment(bytes));
    }
    for file in common::files(&common::samples(), "bin") {
        let bytes = fs::read(&file).unwrap();
        assert!(!is_segment(&bytes[..bytes.len().min(HEAD)]), "{file:?}");
    }
    if let Some(folder) = common::corpus("frames") {
        for file in common::files(&folder, "bin") {
            let bytes = fs::read(&file).unwrap();
            assert!(!is_segment(&bytes[..bytes.len().min(HEAD)]), "{file:?}");
        }
    }
}

#[test]
fn a_segment_of_a_real_broker() {
    let Some(folder) = common::corpus("frames") else { return };
    let bytes = fs::read(folder.join("cluster_metadata_segment.log")).unwrap();
    assert!(is_segment(&bytes));
    let (parts, problems, summary) = read(&bytes, None);
    assert_eq!(problems, []);
    assert_eq!(summary.batches, parts.len() as u64);
    assert_eq!((summary.bytes, summary.undecoded, summary.other), (331, 0, 0));
}

/// What is found in an index: how many entries, the values of the fields, all problems. The parts tile it.
fn index(kind: LogFileKind, bytes: &[u8], most: usize) -> (u64, Vec<(String, i64)>, Vec<ProblemKind>) {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::embedded);
    let mut index = Index::new(bytes, kind, &CATALOGUE).unwrap();
    let mut tree = Tree::new();
    let (mut values, mut problems, mut next) = (Vec::new(), Vec::new(), 0);
    while let Some(part) = index.next_part(most, &mut tree).unwrap() {
        assert_eq!(part.start, next);
        next += part.len;
        if part.kind == PartKind::Tree {
            tree.check_tiling(part.len as usize).unwrap();
            for node in tree.nodes.iter().filter(|node| matches!(node.kind(), Kind::Int | Kind::Uint)) {
                values.push((tree.item_of(node).name.to_string(), node.int(index.bytes())));
            }
        }
        for problem in &tree.problems {
            assert_eq!(tree.nodes[problem.node as usize].kind(), Kind::Problem);
            problems.push(problem.kind.clone());
        }
    }
    assert_eq!(next, bytes.len() as u64);
    (index.entries, values, problems)
}

fn int32s(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

#[test]
fn indexes_have_entries_that_ascend() {
    let entries = int32s(&[3, 100, 9, 300, 20, 900]);
    for most in [1, 2, 3, 1000] {
        let (count, values, problems) = index(LogFileKind::OffsetIndex, &entries, most);
        assert_eq!((count, problems.len()), (3, 0));
        let offsets: Vec<_> =
            values.iter().filter(|(name, _)| name == "RelativeOffset").map(|(_, value)| *value).collect();
        assert_eq!(offsets, [3, 9, 20]);
        let padded = [entries.clone(), vec![0; 100_000]].concat();
        let (count, _, problems) = index(LogFileKind::OffsetIndex, &padded, most);
        assert_eq!((count, problems.len()), (3, 0));
        let (_, _, problems) = index(LogFileKind::OffsetIndex, &int32s(&[3, 100, 3, 50]), most);
        let back = |value, before| ProblemKind::NotAscending { value, before };
        assert_eq!(problems, [back(3, 3), back(50, 100)]);
        let (_, _, problems) = index(LogFileKind::OffsetIndex, &int32s(&[3, 100, 0, 0, 9, 300]), most);
        assert_eq!(problems, [back(0, 3)]);
    }
    assert_eq!(index(LogFileKind::OffsetIndex, &[], 10).0, 0);
    // All of it is room not used yet.
    assert_eq!(index(LogFileKind::TimeIndex, &[0; 1200], 10).0, 0);
}

#[test]
fn indexes_may_be_cut_anywhere() {
    let files = Path::new("samples/payments-0");
    for (extension, size) in [("index", 8), ("timeindex", 12), ("txnindex", 34), ("snapshot", 102)] {
        let file = files.join(format!("00000000000000000004.{extension}"));
        let kind = LogFile::named(&file).unwrap().kind;
        let bytes = fs::read(file).unwrap();
        assert_eq!(index(kind, &bytes, 5).2, []);
        for cut in 1..bytes.len() {
            let (_, _, problems) = index(kind, &bytes[..cut], 5);
            // Zeros at the end may be room that is not used yet.
            let zeros = size < 34 && bytes[cut - cut % size..cut].iter().all(|byte| *byte == 0);
            assert_eq!(problems.is_empty(), zeros || cut % size == 0, "{extension} {cut}");
        }
        let mut random = fastrand::Rng::with_seed(common::seed());
        for _ in 0..2000 {
            let mut bytes = bytes.clone();
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
            index(kind, &bytes, 5);
        }
    }
}

#[test]
fn the_state_of_producers_has_a_checksum() {
    let mut bytes = fs::read("samples/payments-0/00000000000000000004.snapshot").unwrap();
    let (_, values, problems) = index(LogFileKind::ProducerSnapshot, &bytes, 1);
    assert_eq!(problems, []);
    let ids: Vec<_> =
        values.iter().filter(|(name, _)| name == "ProducerId").map(|(_, value)| *value).collect();
    assert_eq!(ids, [10, 11]);
    bytes[20] ^= 1;
    let (_, _, problems) = index(LogFileKind::ProducerSnapshot, &bytes, 1);
    assert!(matches!(problems[..], [ProblemKind::Checksum { .. }]));
    bytes[1] = 7;
    let (_, _, problems) = index(LogFileKind::ProducerSnapshot, &bytes, 1);
    assert_eq!(problems, [ProblemKind::UnknownFileVersion { version: 7, known: 1 }]);
}

/// The leaves and what could not be decoded, which tile the file.
fn lines(kind: TextKind, text: &str) -> Lines {
    let lines = Lines::read(kind, text.as_bytes());
    let mut next = 0;
    for item in &lines.items {
        let places = match item {
            Item::Leaf(leaf) => vec![leaf.place.clone()],
            Item::Entry(leaves) => leaves.iter().map(|leaf| leaf.place.clone()).collect(),
            Item::Undecoded(place) => vec![place.clone()],
            Item::Problem { .. } => vec![],
        };
        for place in places {
            assert_eq!(place.start, next, "{text:?}");
            next = place.end;
        }
    }
    assert_eq!(next, text.len(), "{text:?}");
    lines
}

fn values(lines: &Lines) -> Vec<(String, Value)> {
    lines.leaves().map(|leaf| (leaf.name.clone(), leaf.value.clone())).collect()
}

#[test]
fn text_files_tell_their_values() {
    let int = |name: &str, value| (name.to_owned(), Value::Int(value));
    let text = |name: &str, value: &str| (name.to_owned(), Value::Text(value.to_owned()));
    let found = lines(TextKind::LeaderEpochs, "0\n2\n0 0\n3 1042\n");
    let expected = [
        int("version", 0),
        int("count", 2),
        int("epoch", 0),
        int("startOffset", 0),
        int("epoch", 3),
        int("startOffset", 1042),
    ];
    assert_eq!((values(&found), found.problems().count()), (expected.to_vec(), 0));
    let found = lines(TextKind::Offsets, "0\r\n1\r\norders 7 12\r\n");
    let expected =
        [int("version", 0), int("count", 1), text("topic", "orders"), int("partition", 7), int("offset", 12)];
    assert_eq!((values(&found), found.problems().count()), (expected.to_vec(), 0));
    let found = lines(TextKind::PartitionMetadata, "version: 0\ntopic_id: jgSqZMhjTG6WQp5XIrWCLQ");
    let expected = [int("version", 0), text("topic_id", "jgSqZMhjTG6WQp5XIrWCLQ")];
    assert_eq!((values(&found), found.problems().count()), (expected.to_vec(), 0));
    let found = lines(TextKind::MetaProperties, "#a comment\nversion=1\nnode.id=3\ncluster.id=12\n");
    let expected = [int("version", 1), int("node.id", 3), text("cluster.id", "12")];
    assert_eq!((values(&found)[1..].to_vec(), found.problems().count()), (expected.to_vec(), 0));
    let json = r#" {"leaderId":1, "clusterId":"a,\"}b","currentVoters":[{"voterId":1},{"voterId":2}]} "#;
    let found = lines(TextKind::QuorumState, json);
    let voters = Value::Json(r#"[{"voterId":1},{"voterId":2}]"#.to_owned());
    let expected = [int("leaderId", 1), text("clusterId", "a,\"}b"), ("currentVoters".to_owned(), voters)];
    assert_eq!((values(&found), found.problems().count()), (expected.to_vec(), 0));
}

#[test]
fn text_files_say_what_was_expected() {
    for (kind, text, at, expected) in [
        (TextKind::LeaderEpochs, "", 0, "the version was expected, a number, but the file ends"),
        (TextKind::LeaderEpochs, "x\n1\n", 0, "the version was expected, a number, but the line is \"x\""),
        (
            TextKind::LeaderEpochs,
            "1\n1\n",
            0,
            "version 1 is not known (0 is), so what follows is shown as it is",
        ),
        (TextKind::LeaderEpochs, "0\n", 2, "the count was expected, a number, but the file ends"),
        (TextKind::LeaderEpochs, "0\n2\n0 0\n", 8, "the count says 2, but 1 such line is there"),
        (
            TextKind::Offsets,
            "0\n0\na b\n",
            4,
            "a topic, a partition and an offset were expected, as in \"orders 0 1042\", but the line is \"a b\"",
        ),
        (
            TextKind::PartitionMetadata,
            "topic_id: x",
            11,
            "a line with the version was expected, but there is none",
        ),
        (TextKind::MetaProperties, "version=x\n", 0, "version is a number, but here it is \"x\""),
        (TextKind::QuorumState, "[1]", 0, "an object of JSON was expected, but this is something else"),
    ] {
        let lines = lines(kind, text);
        assert_eq!(lines.problems().next(), Some((at, expected)), "{text:?}");
    }
}

#[test]
fn no_text_makes_it_panic() {
    let mut random = fastrand::Rng::with_seed(common::seed());
    let kinds = [
        TextKind::LeaderEpochs,
        TextKind::Offsets,
        TextKind::PartitionMetadata,
        TextKind::MetaProperties,
        TextKind::QuorumState,
    ];
    for _ in 0..20_000 {
        let letters = [
            "0", "\n", " ", "é", ":", "=", "{", "}", "\"", "\\", ",", "[", "]", "#", "a", "\r\n", "\u{2028}",
        ];
        let text: String = (0..random.usize(..12)).map(|_| letters[random.usize(..letters.len())]).collect();
        for kind in kinds {
            lines(kind, &text);
        }
    }
    for bytes in [&b"\xff\xfe\n0"[..], b"{\"a\":\"\xff\"}", b"0\n1\n\xff 0 0\n"] {
        for kind in kinds {
            assert!(Lines::read(kind, bytes).problems().next().is_some());
        }
    }
}

fn kdissect(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kdissect"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // It may end before it has read all.
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap_or(()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[test]
fn a_segment_comes_by_standard_input_too() {
    let bytes = fs::read("samples/payments-0/00000000000000000004.log").unwrap();
    let from_file = kdissect(&["samples/payments-0/00000000000000000004.log"], b"");
    let from_input = kdissect(&[], &bytes);
    let after_root = |output: &Output| {
        String::from_utf8(output.stdout.clone()).unwrap().split_once('\n').unwrap().1.to_owned()
    };
    assert!(from_input.stdout.starts_with(b"LogSegment standard input\n+-- RecordBatch v2 [0x0000, 78B]"));
    assert_eq!(after_root(&from_file), after_root(&from_input));
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(after_root(&kdissect(&[], hex.as_bytes())), after_root(&from_file));
    // What is said to be frames is taken as frames.
    assert!(kdissect(&["--input", "frames"], &bytes).stdout.starts_with(b"UnknownMessage"));
}

#[test]
fn places_beyond_four_gigabytes_are_told() {
    let (mut tree, bytes) = (Tree::new(), batch(0, 0, 2, 5));
    Segment::new(bytes.as_slice(), None).next_part(&mut tree).unwrap();
    tree.origin = 5 << 30;
    let crc = tree.nodes.iter().find(|node| node.is_builtin(builtin::CRC_32C)).unwrap();
    let mut text = Vec::new();
    kdissect::render::tree_text::location(&mut text, &tree, crc, &kdissect::render::Theme::plain());
    assert_eq!(text, b"[0x140000011, 4B]");
}

/// The numbers after names in a line of Kafka's dump tool: `offset: 13 position: 209`.
fn numbers(line: &str, names: &[&str]) -> Option<Vec<i64>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = |name: &&str| {
        let at = words.iter().position(|word| word.strip_suffix(':') == Some(name))?;
        words.get(at + 1)?.parse().ok()
    };
    names.iter().map(after).collect()
}

/// What Kafka's own dump tool says of the files that a real broker wrote, beside the files.
#[test]
fn files_of_a_real_broker_are_read_as_kafka_reads_them() {
    let recorded = Path::new("tests/kafka/recorded");
    let mut compared = 0;
    for folder in fs::read_dir(recorded).unwrap().map(|entry| entry.unwrap().path()) {
        for dump in if folder.is_dir() { common::files(&folder, "dump") } else { Vec::new() } {
            let path = dump.with_extension("");
            let bytes = fs::read(&path).unwrap();
            let dump = fs::read_to_string(dump).unwrap();
            let theirs =
                |names: &[&str]| -> Vec<_> { dump.lines().filter_map(|line| numbers(line, names)).collect() };
            let file = LogFile::named(&path).unwrap();
            let (topic, partition) = folder.file_name().unwrap().to_str().unwrap().rsplit_once('-').unwrap();
            assert_eq!(file.topic.as_deref(), Some(topic));
            assert_eq!(file.partition, partition.parse().ok());
            let fields = match file.kind {
                LogFileKind::Segment | LogFileKind::MetadataSnapshot => {
                    let (parts, problems, summary) = read(&bytes, file.base_offset());
                    assert_eq!(problems, [], "{path:?}");
                    let ours: Vec<_> = parts
                        .iter()
                        .map(|part| {
                            let facts = EntryFacts::of(&bytes[part.start as usize..]).unwrap();
                            let count = i64::from(facts.records.unwrap());
                            let (start, len) = (part.start as i64, part.len as i64);
                            vec![facts.base_offset, facts.last_offset, count, start, len]
                        })
                        .collect();
                    assert_eq!(
                        ours,
                        theirs(&["baseOffset", "lastOffset", "count", "position", "size"]),
                        "{path:?}"
                    );
                    assert_eq!(summary.records as i64, ours.iter().map(|entry| entry[2]).sum::<i64>());
                    compared += 1;
                    continue;
                }
                LogFileKind::OffsetIndex => {
                    [("RelativeOffset", "offset"), ("Position", "position")].as_slice()
                }
                LogFileKind::TimeIndex => &[("Timestamp", "timestamp"), ("RelativeOffset", "offset")],
                LogFileKind::TransactionIndex => &[
                    ("ProducerId", "producerId"),
                    ("FirstOffset", "firstOffset"),
                    ("LastOffset", "lastOffset"),
                    ("LastStableOffset", "lastStableOffset"),
                ],
                // It leaves out the offsets of producers that have written nothing in their epoch.
                _ => &[
                    ("ProducerId", "producerId"),
                    ("Epoch", "producerEpoch"),
                    ("CoordinatorEpoch", "coordinatorEpoch"),
                    ("Timestamp", "lastTimestamp"),
                ],
            };
            let (_, values, problems) = index(file.kind, &bytes, 7);
            assert_eq!(problems, [], "{path:?}");
            let base = if fields.iter().any(|(name, _)| *name == "RelativeOffset") {
                file.offset.unwrap()
            } else {
                0
            };
            let column = |name: &str| {
                let base = if name == "RelativeOffset" { base } else { 0 };
                let named = values.iter().filter(move |(found, _)| found == name);
                named.map(|(_, value)| value + base).collect::<Vec<_>>()
            };
            let columns: Vec<Vec<i64>> = fields.iter().map(|(ours, _)| column(ours)).collect();
            let ours: Vec<Vec<i64>> =
                (0..columns[0].len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect();
            let names: Vec<&str> = fields.iter().map(|(_, theirs)| *theirs).collect();
            assert_eq!(ours, theirs(&names), "{path:?}");
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn a_topic_tells_what_its_records_are() {
    let path = "tests/kafka/recorded/__consumer_offsets-0/00000000000000000000.log";
    let by_folder = String::from_utf8(kdissect(&[path], b"").stdout).unwrap();
    assert!(by_folder.contains("OffsetCommitKey"), "{}", &by_folder[..2000]);
    let bytes = fs::read(path).unwrap();
    let by_name = String::from_utf8(kdissect(&["--topic", "__consumer_offsets"], &bytes).stdout).unwrap();
    assert_eq!(by_name.split_once('\n').unwrap().1, by_folder.split_once('\n').unwrap().1);
    let unknown = String::from_utf8(kdissect(&[], &bytes).stdout).unwrap();
    assert!(!unknown.contains("OffsetCommitKey"));
}

#[test]
fn every_part_of_a_real_segment_is_there_in_json() {
    let path = "tests/kafka/recorded/__cluster_metadata-0/00000000000000000000.log";
    let output = kdissect(&["--format", "json", path], b"");
    assert!(output.status.success());
    let lines: Vec<serde_json::Value> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let (summary, batches) = lines.split_last().unwrap();
    assert_eq!(summary["batches"], batches.len());
    let records: usize =
        batches.iter().map(|batch| batch["batch"]["records"].as_array().unwrap().len()).sum();
    assert_eq!(summary["records"], records);
    assert_eq!((&summary["type"], &batches[0]["type"]), (&"summary".into(), &"batch".into()));
}
