//! How fast decoding, rendering and starting up are, beside the same work done by others in the same run.
//!
//! ```text
//! cargo bench
//! cargo bench --bench ratios -- metadata    # one of: metadata, request, records, render, start
//! ```
//!
//! Each line has the best of many rounds; rounds of both sides alternate, so that both meet the same noise.

use std::hint::black_box;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use kafka_protocol::messages::{
    FetchRequest, MetadataRequest, MetadataResponse, OffsetCommitRequest, RequestHeader, ResponseHeader,
};
use kafka_protocol::protocol::Decodable;
use kafka_protocol::records::{
    Compression, Record, RecordBatchDecoder, RecordBatchEncoder, RecordEncodeOptions, TimestampType,
};
use kdissect::render::tree_text::write_tree;
use kdissect::render::{Options, Theme, View};
use kdissect::schema::{Catalogue, Direction};
use kdissect::tree::Tree;
use kdissect::values;
use kdissect::wire::encode::encode_frame;
use kdissect::wire::value::{Struct, Value};
use kdissect::wire::{Decoder, Frame};

fn main() {
    let catalogue = Catalogue::embedded();
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let wanted = |name: &str| named.as_deref().is_none_or(|named| named == name);
    // The memory of a child that is not yet running its program is that of this process, so that comes first.
    if wanted("start") {
        start_up();
    }
    if wanted("metadata") {
        decode_metadata(&catalogue);
    }
    if wanted("request") {
        decode_request(&catalogue);
    }
    if wanted("records") {
        decode_records(&catalogue);
    }
    if wanted("render") {
        render(&catalogue);
    }
}

/// The best time of `rounds` for each of two pieces of work, in alternation.
fn best_of(rounds: usize, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (Duration, Duration) {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..rounds {
        best.0 = best.0.min(time(&mut ours));
        best.1 = best.1.min(time(&mut theirs));
    }
    best
}

fn report(what: &str, ours: f64, theirs: f64, unit: &str, other: &str) {
    println!("{what}: {ours:.3} {unit}, {other} {theirs:.3} {unit}, ratio {:.2}", ours / theirs);
}

fn structs(elements: impl Iterator<Item = Vec<Value>>) -> Value {
    elements.map(Struct::from).collect()
}

/// A frame of an API, direction and version.
fn frame(
    catalogue: &Catalogue,
    direction: Direction,
    key: i16,
    version: i16,
    header: Vec<Value>,
    body: Struct,
) -> Vec<u8> {
    let mut decoder = Decoder::new(catalogue);
    let plan = decoder.plan(direction, key, version).unwrap();
    let header_version =
        kdissect::schema::Rules::get().header_version(direction, key, version, plan.flexible).version;
    let header_plan = decoder.header_plan(direction, header_version).unwrap();
    let mut bytes = Vec::new();
    encode_frame(&header_plan, &Struct::from(header), &plan, &body, &mut bytes).unwrap();
    bytes
}

/// A Metadata response v12 of about a megabyte: three brokers, a thousand topics of twenty partitions.
fn metadata_response(catalogue: &Catalogue) -> Vec<u8> {
    let brokers = structs((0..3).map(|id| values![id, "broker.example", 9092, Value::Null]));
    let nodes = |ids: &[i64]| Value::from_iter(ids.iter().copied());
    let partition =
        |index: i64| values![0, index, index % 3, 4, nodes(&[0, 1, 2]), nodes(&[0, 1, 2]), nodes(&[])];
    let topics = structs((0..1000u128).map(|topic| {
        let partitions = structs((0..20).map(partition));
        let id = Value::Uuid((topic + 1).to_be_bytes());
        values![0, format!("topic-{topic:04}"), id, false, partitions, -2_147_483_648,]
    }));
    let body = Struct::from(values![0, brokers, "benchCluster", 1, topics]);
    frame(catalogue, Direction::Response, 3, 12, values![1], body)
}

fn decode_metadata(catalogue: &Catalogue) {
    let bytes = metadata_response(catalogue);
    let shared = Bytes::from(bytes.clone());
    let mut decoder = Decoder::new(catalogue);
    let mut tree = Tree::new();
    let (ours, theirs) = best_of(
        60,
        || {
            decoder.response(Frame { bytes: &bytes, sized: true }, 3, 12, &mut tree);
            black_box(&tree);
        },
        || {
            let mut buffer = shared.slice(4..);
            ResponseHeader::decode(&mut buffer, 1).unwrap();
            black_box(MetadataResponse::decode(&mut buffer, 12).unwrap());
        },
    );
    println!("Metadata response of {} bytes, {} nodes", bytes.len(), tree.nodes.len());
    report("  decode", ours.as_secs_f64() * 1e3, theirs.as_secs_f64() * 1e3, "ms", "kafka-protocol");
}

/// Requests of about a hundred bytes, as clients send them all the time. Two shapes take turns, since a shape that comes again at once
/// is read in no time; that is measured too.
fn decode_request(catalogue: &Catalogue) {
    let nothing = || structs(std::iter::empty());
    let one = |fields| structs(std::iter::once(fields));
    let header = |key: i16, version: i16| values![i64::from(key), i64::from(version), 77, "order-service-a"];
    let frame =
        |key, version, body| frame(catalogue, Direction::Request, key, version, header(key, version), body);
    let fetch = |topic: &str| {
        let partition = values![0, 4, 123_456, -1, -1, 1_048_576];
        let topics = one(values![topic, one(partition)]);
        let settings = [-1, 500, 1, 52_428_800, 1, 0, 0].map(Value::from);
        let body: Vec<Value> = settings.into_iter().chain([topics, nothing(), "".into()]).collect();
        frame(1, 12, Struct::from(body))
    };
    let commit = |topic: &str| {
        let partition = values![0, 123_456, 4, ""];
        let topics = one(values![topic, one(partition)]);
        let body = values!["billing", 3, "billing-1-0f00d", Value::Null, topics];
        frame(8, 8, Struct::from(body))
    };
    let metadata = |topic: &str| {
        let topics = [topic, "returns", "customers"].map(|name| values![[0; 16], name]);
        let body = vec![structs(topics.into_iter()), Value::Bool(true), Value::Bool(false)];
        frame(3, 12, Struct::from(body))
    };
    compare_request::<FetchRequest>(catalogue, "Fetch", [fetch("orders"), fetch("invoices")], 12);
    compare_request::<OffsetCommitRequest>(
        catalogue,
        "OffsetCommit",
        [commit("orders"), commit("invoices")],
        8,
    );
    compare_request::<MetadataRequest>(catalogue, "Metadata", [metadata("orders"), metadata("invoices")], 12);
}

fn compare_request<T: Decodable>(catalogue: &Catalogue, name: &str, frames: [Vec<u8>; 2], version: i16) {
    let mut decoder = Decoder::new(catalogue);
    let mut tree = Tree::new();
    let mut measure = |what: &str, frames: [&[u8]; 2]| {
        let shared = frames.map(Bytes::copy_from_slice);
        const TIMES: u32 = 5_000;
        let (ours, theirs) = best_of(
            60,
            || {
                for _ in 0..TIMES {
                    for bytes in frames {
                        decoder.request(Frame { bytes: black_box(bytes), sized: true }, &mut tree);
                        black_box(&tree);
                    }
                }
            },
            || {
                for _ in 0..TIMES {
                    for bytes in &shared {
                        let mut buffer = black_box(bytes).slice(4..);
                        let header = RequestHeader::decode(&mut buffer, 2).unwrap();
                        black_box((header, T::decode(&mut buffer, version).unwrap()));
                    }
                }
            },
        );
        let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9 / f64::from(2 * TIMES);
        println!("{name} request of {} bytes, {} nodes", frames[0].len(), tree.nodes.len());
        report(what, nanoseconds(ours), nanoseconds(theirs), "ns", "kafka-protocol");
    };
    measure("  decode, two shapes in turn", [&frames[0], &frames[1]]);
    measure("  decode, one shape", [&frames[0], &frames[0]]);
}

/// 8 MiB of batches with 100 records each, as a Produce request: every record to nodes, beside kafka-protocol's records.
fn decode_records(catalogue: &Catalogue) {
    let mut batch = BytesMut::new();
    let options = RecordEncodeOptions { version: 2, compression: Compression::None };
    RecordBatchEncoder::encode(&mut batch, (0..100).map(record).collect::<Vec<_>>().iter(), &options)
        .unwrap();
    let records = batch.repeat((8 << 20) / batch.len());
    let size = records.len();
    let partition = values![0, records.clone()];
    let topics = structs(std::iter::once(values!["orders", structs(std::iter::once(partition))]));
    let body = Struct::from(values![Value::Null, -1, 30_000, topics]);
    let header = values![0, 9, 7, "bench"];
    let bytes = frame(catalogue, Direction::Request, 0, 9, header, body);
    let mut decoder = Decoder::new(catalogue);
    let mut tree = Tree::new();
    decoder.request(Frame { bytes: &bytes, sized: true }, &mut tree);
    assert!(tree.problems.is_empty());
    println!("records of a Produce request, {size} bytes, {} nodes", tree.nodes.len());
    let records = Bytes::from(records);
    let (ours, theirs) = best_of(
        10,
        || {
            black_box(decoder.request(Frame { bytes: &bytes, sized: true }, &mut tree));
        },
        || {
            black_box(RecordBatchDecoder::decode_all(&mut records.clone()).unwrap());
        },
    );
    let speed = |time: Duration| size as f64 / time.as_secs_f64() / 1e6;
    report("  decode", speed(ours), speed(theirs), "MB/s", "kafka-protocol");
}

/// A record of about 100 bytes.
fn record(offset: i64) -> Record {
    Record {
        transactional: false,
        control: false,
        delete_horizon: false,
        partition_leader_epoch: 0,
        producer_id: -1,
        producer_epoch: -1,
        timestamp_type: TimestampType::Creation,
        timestamp: 1_700_000_000_000 + offset,
        offset,
        sequence: -1,
        key: Some(Bytes::from(format!("order-{offset:06}"))),
        value: Some(Bytes::from(vec![b'v'; 80])),
        headers: Default::default(),
    }
}

/// The text tree of the Metadata response beside `xxd` of the same bytes: output bytes a second.
fn render(catalogue: &Catalogue) {
    let bytes = metadata_response(catalogue);
    let mut decoder = Decoder::new(catalogue);
    let mut tree = Tree::new();
    let frame = Frame { bytes: &bytes, sized: true };
    let heading = decoder.response(frame, 3, 12, &mut tree);
    let view = View::new(&tree, frame, &heading, catalogue);
    let file = std::env::temp_dir().join(format!("kdissect-bench-{}", std::process::id()));
    std::fs::write(&file, &bytes).unwrap();

    let mut counter = Counter(0);
    write_tree(&mut counter, view, &Options::default(), &Theme::plain()).unwrap();
    let our_bytes = counter.0;
    let Ok(dump) = Command::new("xxd").arg(&file).output() else {
        println!("skipped: xxd is not installed");
        return;
    };
    let their_bytes = dump.stdout.len();
    // Both write to the same sort of sink; xxd's start-up is small beside its work.
    let mut null = std::fs::OpenOptions::new().write(true).open("/dev/null").unwrap();
    let (ours, theirs) = best_of(
        20,
        || write_tree(&mut null, view, &Options::default(), &Theme::plain()).unwrap(),
        || {
            let status = Command::new("xxd").arg(&file).stdout(Stdio::null()).status().unwrap();
            assert!(status.success());
        },
    );
    let speed = |bytes: usize, time: Duration| bytes as f64 / time.as_secs_f64() / 1e6;
    println!("text tree of the Metadata response, {our_bytes} bytes of output");
    report("  write", speed(our_bytes, ours), speed(their_bytes, theirs), "MB/s", "xxd");
    std::fs::remove_file(&file).unwrap_or(());
}

struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The whole program on one small frame, and the most memory it held.
fn start_up() {
    let sample =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/describe_transactions_request_v0.bin");
    let lone =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/describe_transactions_response_v0.bin");
    let run = |file: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kdissect"));
        let status = command.arg(file).stdout(Stdio::null()).status().unwrap();
        assert!(status.success());
    };
    let (request, response) = best_of(100, || run(sample), || run(lone));
    println!(
        "whole program: {:.2} ms for a request, {:.2} ms for a response whose API is not named, {:.1} MiB at most",
        request.as_secs_f64() * 1e3,
        response.as_secs_f64() * 1e3,
        most_memory_of_children(),
    );
}

/// The most memory that any finished child process held, in MiB. xxd was one of them; it holds less.
fn most_memory_of_children() -> f64 {
    // SAFETY: a zeroed rusage is a valid one, and getrusage only writes to it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    usage.ru_maxrss as f64 / 1024.0
}
