//! How fast log segments are decoded: 64 MiB in each codec, to nodes and to batches only.
//!
//! `KDISSECT_SEGMENTS=FOLDER` takes the segments from `FOLDER/CODEC/00000000000000000000.log`, such as a broker wrote them
//! (tests/kafka/big_segments.sh); otherwise they are made here.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use kdissect::records::compression::Codec;
use kdissect::records::value::{Batch, Entry, Record, Records};
use kdissect::records::{Ending, encode, entries};
use kdissect::tree::Tree;

/// As large as this or a little more.
const SIZE: usize = 64 << 20;
/// Records of a batch.
const RECORDS: usize = 60;
const ROUNDS: usize = 5;

fn main() {
    let folder = std::env::var("KDISSECT_SEGMENTS").ok();
    println!("{:8} {:>10} {:>12} {:>12} {:>12}", "codec", "batches", "nodes", "nodes MB/s", "batches MB/s");
    for codec in std::iter::once(None).chain(Codec::ALL.map(Some)) {
        let name = codec.map_or("none", Codec::name);
        let segment = match &folder {
            Some(folder) => {
                std::fs::read(Path::new(folder).join(name).join("00000000000000000000.log")).unwrap()
            }
            None => segment(codec),
        };
        let mut tree = Tree::new();
        let (mut batches, mut nodes) = (0, 0);
        let to_nodes = best(|| {
            tree.limits.records = true;
            (batches, nodes) = decode(&segment, &mut tree);
        });
        let to_batches = best(|| {
            tree.limits.records = false;
            black_box(decode(&segment, &mut tree));
        });
        let speed = |time: Duration| segment.len() as f64 / time.as_secs_f64() / 1e6;
        println!("{name:8} {batches:>10} {nodes:>12} {:>12.0} {:>12.0}", speed(to_nodes), speed(to_batches));
    }
}

fn best(mut work: impl FnMut()) -> Duration {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    times.min().unwrap()
}

/// Decodes a segment batch by batch into one tree. Returns how many batches and nodes there were.
fn decode(segment: &[u8], tree: &mut Tree) -> (usize, usize) {
    let (mut batches, mut nodes) = (0, 0);
    let mut rest = segment;
    while rest.len() > 12 {
        let length = i32::from_be_bytes(rest[8..12].try_into().unwrap());
        let (batch, after) = rest.split_at(12 + length as usize);
        tree.clear();
        entries(batch, 0, Ending::Whole, tree);
        assert!(tree.problems.is_empty());
        batches += 1;
        nodes += tree.nodes.len();
        rest = after;
    }
    (batches, nodes)
}

/// A segment of orders as JSON, in batches of a few thousand bytes, which compress about threefold.
fn segment(codec: Option<Codec>) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut segment = Vec::with_capacity(SIZE + (1 << 20));
    let mut offset = 0;
    while segment.len() < SIZE {
        let records: Vec<Record> =
            (0..RECORDS).map(|index| record(offset + index as i64, &mut random)).collect();
        let batch = Batch {
            base_offset: offset,
            partition_leader_epoch: 0,
            crc: None,
            attributes: codec.map_or(0, |codec| codec.number().into()),
            last_offset_delta: RECORDS as i32 - 1,
            base_timestamp: 1_700_000_000_000 + offset,
            max_timestamp: 1_700_000_000_000 + offset + RECORDS as i64 - 1,
            producer_id: 7,
            producer_epoch: 0,
            base_sequence: offset as i32,
            record_count: None,
            records: Records::Values(records.into_iter().enumerate().map(numbered).collect()),
        };
        encode(&Entry::Batch(batch), &mut segment).unwrap();
        offset += RECORDS as i64;
    }
    segment
}

fn numbered((index, record): (usize, Record)) -> Record {
    Record { offset_delta: index as i32, timestamp_delta: index as i64, ..record }
}

fn record(offset: i64, random: &mut fastrand::Rng) -> Record {
    let countries = ["Austria", "Brazil", "Chile", "Denmark", "Estonia", "France"];
    let value = format!(
        "{{\"order\":{offset},\"country\":\"{}\",\"items\":[{},{},{}],\"total\":{}.{:02},\"note\":\"{:016x}{:016x}\",\"paid\":{}}}",
        countries[random.usize(..countries.len())],
        random.u32(..10_000),
        random.u32(..10_000),
        random.u32(..10_000),
        random.u32(..1000),
        random.u32(..100),
        random.u64(..),
        random.u64(..),
        random.bool(),
    );
    let key = format!("order-{offset}");
    Record { key: Some(key.into_bytes()), value: Some(value.into_bytes()), ..Record::default() }
}
