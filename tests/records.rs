//! What is in a records field. The batches are put together here, field by field, and not by the code that is tested.

mod common;

use bytes::{Bytes, BytesMut};
use kafka_protocol::protocol::StrBytes;
use kafka_protocol::records::{Compression, Record, RecordBatchEncoder, RecordEncodeOptions, TimestampType};
use kdissect::payload::Topic;
use kdissect::records::compression::Codec;
use kdissect::records::{Ending, RecordBase, SetBase, Source, entries};
use kdissect::render::json::payload::write_payload;
use kdissect::tree::{Kind, Node, ProblemKind, Severity, Tree, builtin};

/// A zigzag varint.
fn varint(value: i64) -> Vec<u8> {
    let mut bits = ((value << 1) ^ (value >> 63)) as u64;
    let mut out = Vec::new();
    while bits >= 0x80 {
        out.push(bits as u8 | 0x80);
        bits >>= 7;
    }
    out.push(bits as u8);
    out
}

/// Bytes after a varint with their length; null is -1.
fn bytes(content: Option<&[u8]>) -> Vec<u8> {
    let length = content.map_or(-1, |content| content.len() as i64);
    [varint(length), content.unwrap_or_default().to_vec()].concat()
}

/// A record without headers.
fn record(timestamp: i64, offset: i64, key: Option<&[u8]>, value: Option<&[u8]>) -> Vec<u8> {
    sized([vec![0], varint(timestamp), varint(offset), bytes(key), bytes(value), varint(0)].concat())
}

fn sized(content: Vec<u8>) -> Vec<u8> {
    [varint(content.len() as i64), content].concat()
}

/// A batch of magic 2 from offset 100 and 2023-11-14T22:13:20Z on.
fn batch(attributes: i16, last_offset: i32, count: i32, records: &[u8]) -> Vec<u8> {
    let mut covered = attributes.to_be_bytes().to_vec();
    covered.extend(last_offset.to_be_bytes());
    covered.extend(1_700_000_000_000i64.to_be_bytes());
    covered.extend(1_700_000_009_000i64.to_be_bytes());
    covered.extend((-1i64).to_be_bytes());
    covered.extend((-1i16).to_be_bytes());
    covered.extend((-1i32).to_be_bytes());
    covered.extend(count.to_be_bytes());
    covered.extend(records);
    let mut out = 100i64.to_be_bytes().to_vec();
    out.extend((covered.len() as i32 + 9).to_be_bytes());
    out.extend([0, 0, 0, 5, 2]);
    out.extend(crc32c::crc32c(&covered).to_be_bytes());
    out.extend(covered);
    out
}

/// A message of magic 0 or 1 at offset 7.
fn message(magic: u8, attributes: u8, key: Option<&[u8]>, value: Option<&[u8]>) -> Vec<u8> {
    let mut covered = vec![magic, attributes];
    if magic == 1 {
        covered.extend(1_700_000_000_000i64.to_be_bytes());
    }
    for content in [key, value] {
        covered.extend(content.map_or(-1, |content| content.len() as i32).to_be_bytes());
        covered.extend(content.unwrap_or_default());
    }
    let mut out = 7i64.to_be_bytes().to_vec();
    out.extend((covered.len() as i32 + 4).to_be_bytes());
    out.extend(crc32fast::hash(&covered).to_be_bytes());
    out.extend(covered);
    out
}

/// The tree of a records field, of which every byte must be covered.
fn tree(data: &[u8], ending: Ending) -> Tree {
    let mut tree = Tree::new();
    entries(data, 0, ending, &mut tree);
    tree.check_tiling(data.len()).unwrap();
    tree
}

/// What there is to say about a records field of a response, and where.
fn problems(data: &[u8]) -> Vec<(u32, ProblemKind)> {
    let found = tree(data, Ending::UpToLimit).problems;
    found.into_iter().map(|problem| (problem.offset, problem.kind)).collect()
}

/// The nodes of an item.
fn nodes(tree: &Tree, item: u16) -> Vec<Node> {
    let found = tree.nodes.iter().filter(|node| node.is_builtin(item) && node.kind() != Kind::Problem);
    found.copied().collect()
}

fn ints(tree: &Tree, item: u16, data: &[u8]) -> Vec<i64> {
    nodes(tree, item).iter().map(|node| node.int(data)).collect()
}

/// The offset of the first record of a batch at 0.
const RECORDS: u32 = 61;

#[test]
fn any_mixture_of_formats_is_read_entry_by_entry() {
    let data = [
        batch(0, 1, 2, &[record(0, 0, Some(b"a"), Some(b"b")), record(5, 1, None, None)].concat()),
        message(1, 8, None, Some(b"b")),
        message(0, 0, Some(b""), None),
        batch(0, 0, 0, &[]),
    ]
    .concat();
    let tree = tree(&data, Ending::Whole);
    assert!(tree.problems.is_empty(), "{:?}", tree.problems);
    assert_eq!(ints(&tree, builtin::MAGIC, &data), [2, 1, 0, 2]);
    assert_eq!(ints(&tree, builtin::RECORD_COUNT, &data), [2, 0]);
    let kinds = |item| nodes(&tree, item).iter().map(Node::kind).collect::<Vec<_>>();
    let (bytes, null) = (Kind::VarintBytes, Kind::NullVarintBytes);
    assert_eq!(kinds(builtin::KEY), [bytes, null, Kind::NullBytes, Kind::Bytes], "null is not empty");
    assert_eq!(kinds(builtin::VALUE), [bytes, null, Kind::Bytes, Kind::NullBytes]);
}

#[test]
fn attributes_are_told_bit_by_bit() {
    for (item, bits, value) in [
        (builtin::COMPRESSION, 0x04, 4),
        (builtin::TIMESTAMP_TYPE, 0x08, 1),
        (builtin::IS_TRANSACTIONAL, 0x10, 1),
        (builtin::IS_CONTROL, 0x20, 1),
        (builtin::HAS_DELETE_HORIZON, 0x40, 1),
    ] {
        for (attributes, expected) in [(bits, value), (0x7f & !0x07 & !bits, 0), (0, 0)] {
            let data = batch(attributes, 0, 0, &[]);
            assert_eq!(ints(&tree(&data, Ending::Whole), item, &data), [expected], "{attributes:#x}");
        }
    }
    // Before there were batches, there were fewer bits.
    for (magic, bits) in [(0, 1), (1, 2)] {
        let data = message(magic, 0, None, None);
        let found = tree(&data, Ending::Whole);
        assert_eq!(found.nodes.iter().filter(|node| node.kind() == Kind::Bits).count(), bits);
    }
}

#[test]
fn deltas_come_to_offsets_and_timestamps() {
    let records = [record(-1, 0, None, None), record(7, 3, None, None)].concat();
    for (attributes, times) in [
        (0, [1_699_999_999_999, 1_700_000_000_007]),
        // With log append time the greatest timestamp is that of all.
        (8, [1_700_000_009_000, 1_700_000_009_000]),
    ] {
        let data = batch(attributes, 3, 2, &records);
        let tree = tree(&data, Ending::Whole);
        let base = RecordBase::of(&tree, 0, &data).unwrap();
        let offsets = nodes(&tree, builtin::OFFSET_DELTA);
        let offsets: Vec<_> = offsets.iter().map(|node| base.offset_of(node, &data).unwrap()).collect();
        assert_eq!(offsets, [100, 103]);
        let found = nodes(&tree, builtin::TIMESTAMP_DELTA);
        let found: Vec<_> = found.iter().map(|node| base.timestamp_of(node, &data).unwrap()).collect();
        assert_eq!(found, times);
    }
}

#[test]
fn checksums_cover_what_they_should_and_no_more() {
    let good = [
        batch(0, 0, 1, &record(0, 0, Some(b"a"), Some(b"b"))),
        batch(0, 0, 1, &record(0, 0, Some(b"c"), Some(b"d"))),
        message(0, 0, Some(b"a"), Some(b"b")),
        message(1, 0, Some(b"a"), Some(b"b")),
    ];
    assert_eq!(problems(&good.concat()), []);
    for (entry, good) in good.iter().enumerate() {
        let is_batch = entry < 2;
        // The first byte that is covered, and the checksum itself.
        let (from, at) = if is_batch { (21, 17) } else { (17, 12) };
        for byte in 0..good.len() {
            let mut data = good.clone();
            // The lowest bit of attributes says how the rest is compressed, which is another matter.
            data[byte] ^= 0x40;
            let found = problems(&data);
            let wrong = found.iter().any(|(offset, kind)| {
                *offset == at
                    && matches!(kind, ProblemKind::Checksum { stored, computed } if stored != computed)
            });
            let is_checksum = (at..at + 4).contains(&(byte as u32));
            // Another length or magic makes another entry of it.
            let is_told = matches!(byte, 8..12 | 16);
            if !is_told {
                assert_eq!(wrong, byte >= from || is_checksum, "entry {entry}, byte {byte}: {found:?}");
            }
        }
    }
}

#[test]
fn what_is_wrong_with_a_batch_is_told_where_it_is() {
    let one = record(0, 0, Some(b"a"), Some(b"b"));
    let length = |value: i64| varint(value);
    let cases: [(Vec<u8>, u32, ProblemKind); 9] = [
        (batch(0, 0, 3, &one), 57, ProblemKind::RecordCount { claimed: 3, found: 1 }),
        (batch(0, 0, -1, &one), 57, ProblemKind::RecordCount { claimed: -1, found: 0 }),
        (batch(0, 0, 0, &one), RECORDS, ProblemKind::Rest { bytes: one.len() as u64 }),
        (batch(5, 0, 1, &one), RECORDS, ProblemKind::Codec { codec: 5 }),
        (batch(0, 0, 1, &length(-3)), RECORDS, ProblemKind::NegativeLength { value: -3 }),
        (
            batch(0, 0, 1, &[length(9), vec![0; 4]].concat()),
            RECORDS,
            ProblemKind::Length { claimed: 9, found: 4, limit: kdissect::tree::Limit::Batch { length: 54 } },
        ),
        (
            batch(0, 0, 1, &sized([vec![0, 0, 0], bytes(None), bytes(None), varint(-2)].concat())),
            RECORDS + 6,
            ProblemKind::HeaderCount { value: -2 },
        ),
        (
            batch(0, 0, 1, &sized([vec![0, 0, 0], varint(20), vec![b'a'; 3]].concat())),
            RECORDS + 4,
            ProblemKind::Length { claimed: 20, found: 3, limit: kdissect::tree::Limit::Record { length: 7 } },
        ),
        (batch(0, 0, 1, &sized(vec![0; 9])), RECORDS + 7, ProblemKind::Rest { bytes: 3 }),
    ];
    for (data, offset, kind) in cases {
        assert_eq!(kind.severity(), Severity::Malformed);
        // The entry after it is read as if nothing had been.
        let data = [data, batch(0, 0, 1, &one)].concat();
        assert_eq!(problems(&data), [(offset, kind)]);
        assert_eq!(nodes(&tree(&data, Ending::Whole), builtin::BATCH).len(), 2);
    }
}

#[test]
fn a_broken_record_does_not_spoil_the_next() {
    let broken = sized([vec![0, 0, 0], varint(20), vec![b'a'; 3]].concat());
    let data = batch(0, 1, 2, &[broken, record(0, 1, Some(b"a"), Some(b"b"))].concat());
    let tree = tree(&data, Ending::Whole);
    assert_eq!(tree.problems.len(), 1);
    assert_eq!(nodes(&tree, builtin::RECORD).len(), 2);
    let value = nodes(&tree, builtin::VALUE)[0];
    assert_eq!(&data[value.content(&data)], b"b");
}

#[test]
fn entries_that_no_format_allows() {
    let mut short = batch(0, 0, 0, &[]);
    short[8..12].copy_from_slice(&13i32.to_be_bytes());
    assert_eq!(problems(&short), [(8, ProblemKind::BatchLength { length: 13, least: 14 })]);
    // Long enough for a message, not for a batch.
    short[8..12].copy_from_slice(&48i32.to_be_bytes());
    let found = problems(&short[..60]);
    assert_eq!(found, [(8, ProblemKind::BatchLength { length: 48, least: 49 })]);
    short[8..12].copy_from_slice(&(-1i32).to_be_bytes());
    assert_eq!(problems(&short), [(8, ProblemKind::BatchLength { length: -1, least: 14 })]);
    let mut strange = batch(0, 0, 0, &[]);
    strange[16] = 3;
    let both = [strange, batch(0, 0, 0, &[])].concat();
    assert_eq!(problems(&both), [(16, ProblemKind::Magic { magic: 3 })]);
    assert_eq!(
        nodes(&tree(&both, Ending::Whole), builtin::BATCH).len(),
        1,
        "the next one is found by the length"
    );
}

/// The bytes of all nodes of an item, those in what was decompressed among them.
fn contents(tree: &Tree, data: &[u8], item: u16) -> Vec<Vec<u8>> {
    let content = |node: Node| tree.data(data).slice(node.content(tree.data(data))).to_vec();
    nodes(tree, item).into_iter().map(content).collect()
}

#[test]
fn compressed_batches_have_their_records_below_them() {
    let records = [record(0, 0, Some(b"a"), Some(b"first")), record(5, 1, None, Some(b"second"))].concat();
    for codec in Codec::ALL {
        let data = batch(codec.number().into(), 1, 2, &codec.compress(&records));
        let twice = [data.clone(), data].concat();
        let tree = tree(&twice, Ending::Whole);
        assert!(tree.problems.is_empty(), "{:?}", tree.problems);
        assert_eq!(tree.buffers.len(), 2);
        let compressed = tree.nodes.iter().position(|node| node.kind() == Kind::Raw).unwrap();
        assert!(tree.is_leaf(compressed) || codec == Codec::Snappy, "the bytes on the wire are a leaf");
        assert_eq!(tree.buffer_of(compressed).unwrap().bytes, records);
        let first = tree.nodes.iter().find(|node| node.is_builtin(builtin::RECORD)).unwrap();
        let buffer = tree.buffer_at(first.start()).unwrap();
        assert_eq!((buffer.codec, buffer.place_of(first.start())), (codec.name(), 0));
        let values = contents(&tree, &twice, builtin::VALUE);
        assert_eq!(values, [&b"first"[..], b"second", b"first", b"second"]);
    }
}

#[test]
fn too_large_not_supported_and_corrupt_are_three_things() {
    let records = record(0, 0, Some(b"a"), Some(&[b'x'; 5000]));
    for codec in Codec::ALL {
        let name = codec.name();
        let compressed = codec.compress(&records);
        let data = batch(codec.number().into(), 0, 1, &compressed);
        let mut tree = Tree::new();
        tree.limits.decompressed = 4000;
        entries(&data, 0, Ending::Whole, &mut tree);
        tree.check_tiling(data.len()).unwrap();
        let [problem] = &tree.problems[..] else { panic!("{:?}", tree.problems) };
        let (compressed_len, limit) = (compressed.len() as u64, 4000);
        assert_eq!(problem.kind, ProblemKind::TooLarge { codec: name, compressed: compressed_len, limit });
        assert_eq!((problem.kind.severity(), tree.buffers.len()), (Severity::Note, 0));

        let found = problems(&batch(codec.number().into(), 0, 1, &[0xfe; 50]));
        let [(RECORDS, ProblemKind::Corrupt { codec: told, .. })] = found[..] else { panic!("{found:?}") };
        assert_eq!(told, name);
        let ends = problems(&batch(codec.number().into(), 0, 1, &compressed[..compressed.len() - 3]));
        let is_told = |kind: &ProblemKind| {
            matches!(kind, ProblemKind::CompressedEnds { .. } | ProblemKind::Corrupt { .. })
        };
        assert!(ends.iter().any(|(_, kind)| is_told(kind)), "{ends:?}");
    }
    // An LZ4 frame that begins with bytes of a dictionary.
    let dictionary = [0x04, 0x22, 0x4d, 0x18, 0x61, 0x40, 1, 2, 3, 4, 0, 0, 0, 0, 0];
    let found = problems(&batch(3, 0, 1, &dictionary));
    let [(RECORDS, kind @ ProblemKind::Unsupported { codec: "lz4", .. })] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(kind.severity(), Severity::Note);
}

#[test]
fn what_is_wrong_within_compressed_records_is_told_there() {
    let broken = [record(0, 0, None, Some(b"good")), vec![20, 0, 0, 0, 1, 40, b'x']].concat();
    let data = batch(4, 1, 2, &Codec::Zstd.compress(&broken));
    let tree = tree(&data, Ending::Whole);
    let [problem] = &tree.problems[..] else { panic!("{:?}", tree.problems) };
    let limit = kdissect::tree::Limit::Decompressed { bytes: broken.len() as u64 };
    assert_eq!(problem.kind, ProblemKind::Length { claimed: 10, found: 6, limit });
    let buffer = &tree.buffers[0];
    assert_eq!(buffer.place_of(problem.offset) as usize, broken.len() - 7);
    assert_eq!(contents(&tree, &data, builtin::VALUE), [b"good"]);
}

/// A message with an offset of its own.
fn message_at(offset: i64, message: Vec<u8>) -> Vec<u8> {
    [&offset.to_be_bytes(), &message[8..]].concat()
}

#[test]
fn compressed_message_sets_are_read_and_their_offsets_told() {
    let inner = |magic, offset, value| message_at(offset, message(magic, 0, None, Some(value)));
    for codec in Codec::ALL {
        for (magic, wrapper, raw, effective) in [
            // Absolute in magic 0.
            (0, 41, [40, 41], [40, 41]),
            // Relative in magic 1 …
            (1, 41, [0, 1], [40, 41]),
            // … with gaps after compaction …
            (1, 41, [0, 5], [36, 41]),
            // … and as they are where the wrapper has the last one's, or none yet.
            (1, 41, [40, 41], [40, 41]),
            (1, 0, [0, 1], [0, 1]),
        ] {
            let set = [inner(magic, raw[0], b"first"), inner(magic, raw[1], b"second")].concat();
            let data = message_at(wrapper, message(magic, codec.number(), None, Some(&codec.compress(&set))));
            let tree = tree(&data, Ending::Whole);
            assert!(tree.problems.is_empty(), "{:?}", tree.problems);
            let offsets = nodes(&tree, builtin::MESSAGE_OFFSET);
            let base = SetBase::of(&tree, 0, tree.data(&data)).unwrap();
            let told: Vec<i64> =
                offsets[1..].iter().map(|node| base.offset_of(node, tree.data(&data))).collect();
            assert_eq!(told, effective, "magic {magic}, wrapper {wrapper}, {raw:?}");
            assert_eq!(contents(&tree, &data, builtin::VALUE)[1..], [&b"first"[..], b"second"]);
        }
    }
}

#[test]
fn message_sets_that_no_client_should_write() {
    let mixed = message(1, 1, None, Some(&Codec::Gzip.compress(&message(0, 0, None, Some(b"a")))));
    let found = tree(&mixed, Ending::Whole);
    assert_eq!(found.problems[0].kind, ProblemKind::MixedMagic { outer: 1, inner: 0 });
    assert_eq!((found.problems.len(), found.is_sound()), (1, true));
    let twice = message(1, 1, None, Some(&Codec::Gzip.compress(&mixed)));
    let found = tree(&twice, Ending::Whole);
    assert_eq!(found.problems[0].kind, ProblemKind::NestedCompression);
    assert_eq!((found.buffers.len(), found.is_sound()), (1, false));
}

/// A broker fills a response up to its limit; a producer has no reason to send half a batch.
#[test]
fn entries_cut_at_every_length() {
    let header = [bytes(Some(b"trace")), bytes(Some(&[1, 2]))].concat();
    let with_header = sized([vec![0, 0, 2], bytes(None), bytes(None), varint(1), header].concat());
    let batch = batch(0, 1, 2, &[record(0, 0, Some(b"a"), Some(b"b")), with_header].concat());
    for whole in [batch, message(0, 0, Some(b"a"), Some(b"b")), message(1, 0, Some(b"a"), Some(b"b"))] {
        let complete = tree(&whole, Ending::Whole);
        assert!(complete.problems.is_empty(), "{:?}", complete.problems);
        for cut in 1..whole.len() {
            let data = &whole[..cut];
            let claimed = (cut >= 12).then_some(whole.len() as u64);
            let found = cut as u64;
            for (ending, severity) in
                [(Ending::UpToLimit, Some(Severity::Note)), (Ending::Whole, Some(Severity::Malformed))]
            {
                let tree = tree(data, ending);
                let usual = ending == Ending::UpToLimit;
                let last = &tree.problems.last().unwrap().kind;
                assert_eq!(*last, ProblemKind::PartialBatch { claimed, found, usual }, "{cut}");
                assert_eq!(tree.severity(), severity, "{cut}: {:?}", tree.problems);
                // What is there in full is as it was.
                if cut > 16 {
                    let leaf = |node: &&Node| {
                        node.stop() as usize <= cut && node.kind().covers_bytes() && node.span() == 1
                    };
                    let place = |node: &Node| (node.kind(), node.start(), node.len(), node.item());
                    let there: Vec<_> = complete.nodes.iter().filter(leaf).map(place).collect();
                    let partial = |node: &&Node| !node.is_builtin(builtin::PARTIAL);
                    let now: Vec<_> = tree.nodes.iter().filter(leaf).filter(partial).map(place).collect();
                    assert_eq!(now, there, "{cut}");
                }
            }
            // The caller has said it, and nobody says it again.
            let quiet = tree(data, Ending::Cut);
            assert!(quiet.problems.iter().all(|problem| problem.kind == ProblemKind::Unchecked), "{cut}");
        }
    }
}

#[test]
fn control_records_are_told_by_their_keys() {
    let control = |key: &[u8], value: &[u8]| batch(0x30, 0, 1, &record(0, 0, Some(key), Some(value)));
    for kind in [0u8, 1] {
        let data = control(&[0, 0, 0, kind], &[0, 0, 0, 0, 0, 9]);
        let tree = tree(&data, Ending::Whole);
        assert!(tree.problems.is_empty());
        assert_eq!(ints(&tree, builtin::CONTROL_TYPE, &data), [i64::from(kind)]);
        assert_eq!(ints(&tree, builtin::COORDINATOR_EPOCH, &data), [9]);
    }
    // A type that is not known, a value of another size, and a key of another size stay readable.
    for (key, value) in
        [([0, 0, 0, 99].as_slice(), [0; 6].as_slice()), (&[0, 0, 0, 1], b"odd"), (b"k", &[0; 6])]
    {
        let data = control(key, value);
        let tree = tree(&data, Ending::Whole);
        assert!(tree.problems.is_empty());
        let found = nodes(&tree, builtin::VALUE)[0];
        assert_eq!(&data[found.content(&data)], value);
    }
    // Structures with a definition: the version stands at their start.
    let leader = [0u8, 1, 0, 0, 0, 3, 1, 1, 0];
    let data = control(&[0, 0, 0, 2], &leader);
    let found = tree(&data, Ending::Whole);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    assert_eq!(found.plans[0].name, "LeaderChangeMessage");
    assert_eq!(found.plans[0].version, 1);
    let leader_id = found.nodes.iter().find(|node| &*found.item_of(node).name == "LeaderId").unwrap();
    assert_eq!(leader_id.int(&data), 3);
    for (kind, name, value) in [
        (3, "SnapshotHeaderRecord", [vec![0, 0], vec![0; 8], vec![0]].concat()),
        (4, "SnapshotFooterRecord", vec![0, 0, 0]),
        (5, "KRaftVersionRecord", vec![0, 0, 0, 1, 0]),
        (6, "VotersRecord", vec![0, 0, 1, 0]),
    ] {
        let data = control(&[0, 0, 0, kind], &value);
        let found = tree(&data, Ending::Whole);
        assert!(found.problems.is_empty(), "{name}: {:?}", found.problems);
        assert_eq!(found.plans[0].name, name);
        // A version that nobody knows stays bytes.
        let unknown = [vec![0, 9], value[2..].to_vec()].concat();
        let data = control(&[0, 0, 0, kind], &unknown);
        let found = tree(&data, Ending::Whole);
        assert!(found.problems.is_empty() && found.plans.is_empty(), "{name}");
        // What is wrong in there spoils nothing around it.
        let data = control(&[0, 0, 0, kind], &[value.clone(), vec![7]].concat());
        let found = tree(&data, Ending::Whole);
        assert_eq!(found.problems.len(), 1, "{name}");
        assert_eq!(found.problems[0].kind, ProblemKind::Rest { bytes: 1 });
        assert_eq!(nodes(&found, builtin::HEADERS).len(), 1);
        let data = control(&[0, 0, 0, kind], &value[..value.len() - 1]);
        let found = tree(&data, Ending::Whole);
        assert_eq!(found.problems.len(), 1, "{name}");
        assert!(matches!(found.problems[0].kind, ProblemKind::Short { .. }), "{name}");
        assert_eq!(nodes(&found, builtin::HEADERS).len(), 1);
    }
    // Without the control bit the same bytes are just bytes.
    let data = batch(0, 0, 1, &record(0, 0, Some(&[0, 0, 0, 1]), Some(&[0; 6])));
    assert_eq!(nodes(&tree(&data, Ending::Whole), builtin::CONTROL_KEY), []);
}

#[test]
fn compaction_leaves_gaps_but_nothing_behind_the_last_offset() {
    let records = [record(0, 0, None, None), record(0, 5, None, None)].concat();
    assert_eq!(problems(&batch(0, 9, 2, &records)), []);
    let found = problems(&batch(0, 0, 2, &records));
    assert_eq!(found, [(RECORDS + 7 + 3, ProblemKind::LastOffset { claimed: 0, found: 5 })]);
    assert_eq!(found[0].1.severity(), Severity::Note);
}

/// Batches that another library wrote: each record comes out as it went in.
#[test]
fn batches_of_another_encoder() {
    let seed = common::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    for round in 0..300 {
        let records = some_records(&mut random);
        let mut data = BytesMut::new();
        let options = RecordEncodeOptions { version: 2, compression: Compression::None };
        RecordBatchEncoder::encode(&mut data, &records, &options).unwrap();
        let data = data.to_vec();
        let what = format!("seed {seed}, round {round}");
        let tree = tree(&data, Ending::Whole);
        assert!(tree.problems.is_empty(), "{what}: {:?}", tree.problems);
        let base = RecordBase::of(&tree, 0, &data).unwrap();
        let found: Vec<usize> =
            (0..tree.nodes.len()).filter(|index| tree.nodes[*index].kind() == Kind::Record).collect();
        assert_eq!(found.len(), records.len(), "{what}");
        for (index, record) in found.into_iter().zip(&records) {
            let fields: Vec<usize> = tree.children(index).collect();
            let content = |index: usize| {
                let node = &tree.nodes[index];
                (node.kind() == Kind::VarintBytes).then(|| Bytes::copy_from_slice(&data[node.content(&data)]))
            };
            let [_, _, timestamp, offset, key, value, headers] = fields[..] else { panic!("{what}") };
            assert_eq!(base.timestamp_of(&tree.nodes[timestamp], &data), Some(record.timestamp), "{what}");
            assert_eq!(base.offset_of(&tree.nodes[offset], &data), Some(record.offset), "{what}");
            assert_eq!((content(key), content(value)), (record.key.clone(), record.value.clone()), "{what}");
            let headers: Vec<(Option<Bytes>, Option<Bytes>)> = tree
                .children(headers)
                .skip(1)
                .map(|header| {
                    let parts: Vec<usize> = tree.children(header).collect();
                    (content(parts[0]), content(parts[1]))
                })
                .collect();
            let expected: Vec<_> = record
                .headers
                .iter()
                .map(|(key, value)| (Some(key.clone().into_bytes()), value.clone()))
                .collect();
            assert_eq!(headers, expected, "{what}");
        }
    }
}

fn some_records(random: &mut fastrand::Rng) -> Vec<Record> {
    let first = random.i64(0..1 << 40);
    let count = random.i64(1..20);
    (0..count)
        .map(|index| Record {
            transactional: false,
            control: false,
            delete_horizon: false,
            partition_leader_epoch: 0,
            producer_id: -1,
            producer_epoch: -1,
            timestamp_type: TimestampType::Creation,
            timestamp: 1_700_000_000_000 + random.i64(-5000..5000),
            offset: first + index,
            // In a row, or the encoder begins another batch.
            sequence: index as i32,
            key: some_bytes(random),
            value: some_bytes(random),
            headers: (0..random.usize(0..4))
                .map(|number| (StrBytes::from_string(format!("header-{number}")), some_bytes(random)))
                .collect(),
        })
        .collect()
}

/// Null, empty, short, or so long that the length has more than one byte.
fn some_bytes(random: &mut fastrand::Rng) -> Option<Bytes> {
    let most = [0, 1, 20, 300][random.usize(0..4)];
    random.bool().then(|| (0..random.usize(0..=most)).map(|_| random.u8(..)).collect())
}

/// A segment of a metadata log, as a broker left it.
#[test]
fn a_segment_of_a_broker() {
    let Some(folder) = common::corpus("frames") else { return };
    let data = std::fs::read(folder.join("cluster_metadata_segment.log")).unwrap();
    let tree = tree(&data, Ending::Whole);
    assert!(tree.problems.is_empty(), "{:?}", tree.problems);
    // Offsets go on from batch to batch.
    let last = ints(&tree, builtin::LAST_OFFSET_DELTA, &data);
    let first = ints(&tree, builtin::BASE_OFFSET, &data);
    for batch in 1..first.len() {
        assert_eq!(first[batch], first[batch - 1] + last[batch - 1] + 1);
    }
    assert!(first.len() > 1, "{first:?}");
}

#[test]
fn a_structure_that_may_be_null_in_a_tagged_field_has_a_uvarint_before_it() {
    // A member of a consumer group, with nothing but the tagged field.
    let key = [&[0, 5, 0, 1, b'g', 0, 1, b'm'][..]].concat();
    let value = |tagged: &[u8]| {
        let fields = [0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 9, 0];
        [&fields[..], &[1, 0, tagged.len() as u8], tagged].concat()
    };
    let read = |tagged: &[u8]| {
        let data = batch(0, 0, 1, &record(0, 0, Some(&key), Some(&value(tagged))));
        let mut tree = Tree::new();
        let source = Source { ending: Ending::Whole, topic: Topic::named(b"__consumer_offsets") };
        entries(&data, 0, source, &mut tree);
        tree.check_tiling(data.len()).unwrap();
        let problems: Vec<_> = tree.problems.iter().map(|problem| problem.kind.clone()).collect();
        let has_null = tree.nodes.iter().any(|node| node.kind() == Kind::NullStruct);
        (has_null, ints(&tree, builtin::TAGGED_PRESENT, &data).len(), problems)
    };
    assert_eq!(read(&[0]), (true, 0, vec![]));
    assert_eq!(read(&[1, 0, 0, 0, 5, 1, 0]), (false, 1, vec![]));
    let wrong = ProblemKind::Presence { value: -1, null: 0 };
    assert_eq!(read(&[0xff, 1]), (false, 0, vec![wrong]));
}

#[test]
fn payloads_in_json_tell_whether_that_is_all() {
    let json = |key: &[u8], value: &[u8]| {
        let data = batch(4, 0, 1, &Codec::Zstd.compress(&record(0, 0, Some(key), Some(value))));
        let mut tree = Tree::new();
        let source = Source { ending: Ending::Whole, topic: Topic::named(b"__transaction_state") };
        entries(&data, 0, source, &mut tree);
        let payload = |item| {
            let is_it = |node: &Node| node.kind() == Kind::Payload && node.is_builtin(item);
            let index = tree.nodes.iter().position(is_it).unwrap();
            let mut out = Vec::new();
            let whole = write_payload(&mut out, &tree, tree.data(&data), index, true).unwrap();
            (String::from_utf8(out).unwrap(), whole)
        };
        [payload(builtin::KEY), payload(builtin::VALUE)]
    };
    let key = [0, 0, 0, 2, b't', b'x'];
    // Producer 9 in epoch 3, a timeout of 258 ms, status 2, no partitions, times 4 and 5.
    let value = |version: u8, rest: &[u8]| {
        let fields = [&[0; 7][..], &[9, 0, 3, 0, 0, 1, 2, 2], &[0xff; 4], &[0; 7], &[4], &[0; 7], &[5]];
        [&[0, version][..], &fields.concat(), rest].concat()
    };
    let fields = "{\"producerId\":9,\"producerEpoch\":3,\"transactionTimeoutMs\":258,\"transactionStatus\":2,\
                  \"transactionPartitions\":null,\"transactionLastUpdateTimestampMs\":4,\"transactionStartTimestampMs\":5}";
    let id = r#"{"transactionalId":"tx"}"#;
    assert_eq!(json(&key, &value(0, &[])), [(id.to_owned(), true), (fields.to_owned(), true)]);
    // A version that is not known, and a byte after the last field.
    assert_eq!(json(&key, &value(9, &[]))[1], ("null".to_owned(), false));
    assert_eq!(json(&key, &value(0, &[1]))[1], (fields.to_owned(), false));
}
