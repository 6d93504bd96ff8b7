//! Makes a capture of any size, for benches/captures.sh: producers and consumers that talk to a made-up broker.
//!
//! ```text
//! cargo run --release --example make_capture -- 100M FILE [--seed N] [--mss 1448|65483] [--topic-ids]
//! ```
//!
//! Twelve connections in turn, half of them with the segments of an Ethernet (1448 bytes), half with those of loopback (65483),
//! unless `--mss` says which; a quarter each without compression and with lz4, zstd and snappy. Producers have up to five requests
//! under way. Versions are those that tshark 4.0 knows too (Produce v8, Fetch v11), or with `--topic-ids` those that name topics
//! by id (Produce v13, Fetch v17). Headers, checksums, sequence numbers and times are as they should be. The same seed gives
//! the same bytes.

use std::collections::VecDeque;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use fastrand::Rng;
use kdissect::records::compression::Codec;
use kdissect::records::encode;
use kdissect::records::value::{Batch, Entry, Record, Records};

const START: u64 = 1_700_000_000_000_000_000;
const BROKER: [u8; 4] = [10, 0, 0, 1];
const PORT: u16 = 9092;
const TOPICS: [&str; 3] = ["orders", "payments", "shipments"];
const CODECS: [Option<Codec>; 4] = [None, Some(Codec::Lz4), Some(Codec::Zstd), Some(Codec::Snappy)];
const CONNECTIONS: usize = 12;
/// Batches of each codec that all traffic is made of, with times, offsets and sequence numbers of their own each time.
const POOL: usize = 32;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = Vec::new();
    let (mut seed, mut mss, mut topic_ids) = (1, None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(word) = arguments.next() {
        match word.as_str() {
            "--seed" => seed = arguments.next().ok_or("--seed needs a number")?.parse()?,
            "--mss" => mss = Some(arguments.next().ok_or("--mss needs a number")?.parse()?),
            "--topic-ids" => topic_ids = true,
            _ => words.push(word),
        }
    }
    let [size, file] = words.as_slice() else {
        return Err("usage: make_capture SIZE[K|M|G] FILE [--seed N] [--mss 1448|65483] [--topic-ids]".into());
    };
    let size = bytes_of(size)?;
    let mut rng = Rng::with_seed(seed);
    let pools = CODECS.map(|codec| (0..POOL).map(|_| batch(codec, &mut rng)).collect());
    let mut connections: Vec<Connection> =
        (0..CONNECTIONS).map(|number| Connection::new(number, mss, topic_ids, &mut rng)).collect();
    let mut capture = Capture::new(BufWriter::with_capacity(1 << 20, File::create(file)?))?;
    for connection in &mut connections {
        connection.open(&mut capture, &mut rng)?;
    }
    while capture.written < size {
        let connection = &mut connections[rng.usize(..CONNECTIONS)];
        if connection.queue.is_empty() {
            connection.talk(capture.now, &pools, &mut rng);
        }
        // As much as a window lets through before others have their turn.
        for _ in 0..if connection.mss < 10_000 { rng.usize(1..=24) } else { 1 } {
            connection.send(&mut capture, &mut rng)?;
        }
    }
    for connection in &mut connections {
        while !connection.queue.is_empty() {
            connection.send(&mut capture, &mut rng)?;
        }
        connection.close(&mut capture, &mut rng)?;
    }
    capture.out.flush()?;
    Ok(())
}

fn bytes_of(text: &str) -> Result<u64, Box<dyn Error>> {
    let shift = match text.as_bytes().last() {
        Some(b'K') => 10,
        Some(b'M') => 20,
        Some(b'G') => 30,
        _ => 0,
    };
    Ok(text.trim_end_matches(['K', 'M', 'G']).parse::<u64>()? << shift)
}

/// A file in the format of pcap, with nanoseconds.
struct Capture {
    out: BufWriter<File>,
    written: u64,
    now: u64,
}

impl Capture {
    fn new(mut out: BufWriter<File>) -> std::io::Result<Capture> {
        out.write_all(&0xa1b2_3c4d_u32.to_le_bytes())?;
        out.write_all(&[2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0])?;
        out.write_all(&262_144_u32.to_le_bytes())?;
        out.write_all(&1_u32.to_le_bytes())?;
        Ok(Capture { out, written: 24, now: START })
    }

    fn packet(&mut self, headers: &[u8], payload: &[u8]) -> std::io::Result<()> {
        let length = (headers.len() + payload.len()) as u32;
        let mut record = [0; 16];
        record[..4].copy_from_slice(&((self.now / 1_000_000_000) as u32).to_le_bytes());
        record[4..8].copy_from_slice(&((self.now % 1_000_000_000) as u32).to_le_bytes());
        record[8..12].copy_from_slice(&length.to_le_bytes());
        record[12..].copy_from_slice(&length.to_le_bytes());
        self.out.write_all(&record)?;
        self.out.write_all(headers)?;
        self.out.write_all(payload)?;
        self.written += 16 + u64::from(length);
        Ok(())
    }
}

const FIN: u8 = 1;
const SYN: u8 = 2;
const PSH: u8 = 8;
const ACK: u8 = 16;
/// Who sends.
const CLIENT: usize = 0;
const SERVER: usize = 1;

struct Connection {
    number: usize,
    mss: usize,
    topic_ids: bool,
    client_id: String,
    address: [u8; 4],
    port: u16,
    /// The next sequence number of each side.
    sequence: [u32; 2],
    /// Segments that the other side has not acknowledged.
    unacknowledged: [usize; 2],
    /// The time that each side said last, which the other repeats.
    stamp: [u32; 2],
    packet_id: [u16; 2],
    /// What is to be sent, and how much of the first is.
    queue: VecDeque<(usize, Vec<u8>)>,
    sent: usize,
    correlation: i32,
    offset: i64,
    record_sequence: i32,
}

impl Connection {
    fn new(number: usize, mss: Option<usize>, topic_ids: bool, rng: &mut Rng) -> Connection {
        let kind = if number.is_multiple_of(2) { "order-service" } else { "billing-service" };
        Connection {
            number,
            mss: mss.unwrap_or(if number % 4 < 2 { 1448 } else { 65_483 }),
            topic_ids,
            client_id: format!("{kind}-{number}"),
            address: [10, 0, 1, number as u8 + 1],
            port: 40_000 + number as u16 * 37,
            // Those of the first soon start again from 0.
            sequence: if number < 2 { [u32::MAX - 70_000; 2] } else { [rng.u32(..), rng.u32(..)] },
            unacknowledged: [0; 2],
            stamp: [0; 2],
            packet_id: [rng.u16(..), rng.u16(..)],
            queue: VecDeque::new(),
            sent: 0,
            correlation: 0,
            offset: rng.i64(0..1_000_000),
            record_sequence: 0,
        }
    }

    fn segment(
        &mut self,
        side: usize,
        flags: u8,
        payload: &[u8],
        capture: &mut Capture,
        rng: &mut Rng,
    ) -> std::io::Result<()> {
        capture.now += rng.u64(800..30_000) + payload.len() as u64 / 8;
        let other = 1 - side;
        let mut options = Vec::with_capacity(20);
        if flags & SYN != 0 {
            let mss = self.mss as u16 + 12;
            options.extend([2, 4, (mss >> 8) as u8, mss as u8, 4, 2]);
        } else {
            options.extend([1, 1]);
        }
        let stamp = (capture.now / 1_000_000) as u32;
        options.extend([8, 10]);
        options.extend(stamp.to_be_bytes());
        options.extend(self.stamp[other].to_be_bytes());
        if flags & SYN != 0 {
            options.extend([1, 3, 3, 7]);
        }
        self.stamp[side] = stamp;
        let tcp = 20 + options.len();
        let mut h = Vec::with_capacity(14 + 20 + tcp);
        for end in [other, side] {
            h.extend([2, 0, 0, 0, 0, if end == CLIENT { self.number as u8 + 2 } else { 1 }]);
        }
        h.extend([8, 0]);
        h.extend([0x45, 0]);
        h.extend(((20 + tcp + payload.len()) as u16).to_be_bytes());
        h.extend(self.packet_id[side].to_be_bytes());
        h.extend([0x40, 0, 64, 6, 0, 0]);
        self.packet_id[side] = self.packet_id[side].wrapping_add(1);
        let ends = [(self.address, self.port), (BROKER, PORT)];
        h.extend(ends[side].0);
        h.extend(ends[other].0);
        let sum = checksum(ones(&h[14..34]));
        h[24..26].copy_from_slice(&sum.to_be_bytes());
        h.extend(ends[side].1.to_be_bytes());
        h.extend(ends[other].1.to_be_bytes());
        h.extend(self.sequence[side].to_be_bytes());
        let acknowledged = if flags & ACK == 0 { 0 } else { self.sequence[other] };
        h.extend(acknowledged.to_be_bytes());
        h.extend([(tcp as u8 / 4) << 4, flags, 0x01, 0xf6, 0, 0, 0, 0]);
        h.extend(&options);
        // The addresses, the protocol and the length are in the sum too.
        let pseudo = ones(&h[26..34]) + 6 + (tcp + payload.len()) as u64;
        let sum = checksum(pseudo + ones(&h[34..]) + ones(payload));
        h[50..52].copy_from_slice(&sum.to_be_bytes());
        let phantom = u32::from(flags & (SYN | FIN) != 0);
        self.sequence[side] = self.sequence[side].wrapping_add(payload.len() as u32 + phantom);
        self.unacknowledged[other] = 0;
        self.unacknowledged[side] += usize::from(!payload.is_empty());
        capture.packet(&h, payload)
    }

    fn open(&mut self, capture: &mut Capture, rng: &mut Rng) -> std::io::Result<()> {
        self.segment(CLIENT, SYN, &[], capture, rng)?;
        self.segment(SERVER, SYN | ACK, &[], capture, rng)?;
        self.segment(CLIENT, ACK, &[], capture, rng)?;
        let (request, response) = self.api_versions();
        self.queue.push_back((CLIENT, request));
        self.queue.push_back((SERVER, response));
        let (request, response) = self.metadata();
        self.queue.push_back((CLIENT, request));
        self.queue.push_back((SERVER, response));
        Ok(())
    }

    fn close(&mut self, capture: &mut Capture, rng: &mut Rng) -> std::io::Result<()> {
        self.segment(CLIENT, FIN | ACK, &[], capture, rng)?;
        self.segment(SERVER, FIN | ACK, &[], capture, rng)?;
        self.segment(CLIENT, ACK, &[], capture, rng)
    }

    /// The next segment of what is to be sent, if anything is, and an acknowledgement when one is due.
    fn send(&mut self, capture: &mut Capture, rng: &mut Rng) -> std::io::Result<()> {
        let Some((side, message)) = self.queue.pop_front() else { return Ok(()) };
        let end = message.len().min(self.sent + self.mss);
        let last = end == message.len();
        let flags = if last { ACK | PSH } else { ACK };
        self.segment(side, flags, &message[self.sent..end], capture, rng)?;
        if last {
            self.sent = 0;
        } else {
            self.sent = end;
            self.queue.push_front((side, message));
        }
        if self.unacknowledged[side] == 2 || (self.unacknowledged[side] == 1 && rng.u8(..) < 20) {
            self.segment(1 - side, ACK, &[], capture, rng)?;
        }
        Ok(())
    }

    /// Some requests and their responses, in the order in which they are sent.
    fn talk(&mut self, now: u64, pools: &[Vec<Vec<u8>>; 4], rng: &mut Rng) {
        let count = if self.number.is_multiple_of(2) { rng.usize(1..=5) } else { 1 };
        let (mut asked, mut under_way) = (0, VecDeque::new());
        while asked < count || !under_way.is_empty() {
            let (side, message) = if asked < count && (under_way.is_empty() || rng.bool()) {
                asked += 1;
                let pool = &pools[self.number / 3 % 4];
                let (request, response) = if self.number.is_multiple_of(2) {
                    self.produce(now, pool, rng)
                } else {
                    self.fetch(now, pool, rng)
                };
                under_way.push_back(response);
                (CLIENT, request)
            } else {
                (SERVER, under_way.pop_front().expect("one is under way"))
            };
            match self.queue.back_mut() {
                // Two at once, so that one ends and the next begins within a segment.
                Some((before, bytes)) if *before == side && rng.bool() => bytes.extend(message),
                _ => self.queue.push_back((side, message)),
            }
        }
    }

    fn request(&mut self, key: i16, version: i16, flexible: bool) -> Frame {
        self.correlation += 1;
        let mut frame = Frame::new(flexible);
        frame.i16(key).i16(version).i32(self.correlation);
        frame.i16(self.client_id.len() as i16).raw(self.client_id.as_bytes()).tags();
        frame
    }

    fn response(&self, flexible: bool) -> Frame {
        let mut frame = Frame::new(flexible);
        frame.i32(self.correlation).tags();
        frame
    }

    fn api_versions(&mut self) -> (Vec<u8>, Vec<u8>) {
        let mut request = self.request(18, 3, true);
        request.text("made-up-client").text("1.0").tags();
        // Its header never has tagged fields.
        let mut response = Frame::new(true);
        response.i32(self.correlation).i16(0).count(4);
        for (key, first, last) in [(0, 3, 13), (1, 4, 17), (3, 0, 12), (18, 0, 3)] {
            response.i16(key).i16(first).i16(last).tags();
        }
        response.i32(0).tags();
        (request.done(), response.done())
    }

    fn metadata(&mut self) -> (Vec<u8>, Vec<u8>) {
        let mut request = self.request(3, if self.topic_ids { 12 } else { 9 }, true);
        request.count(TOPICS.len());
        for topic in TOPICS {
            if self.topic_ids {
                request.raw(&[0; 16]);
            }
            request.text(topic).tags();
        }
        // Whether to create topics, and whether to say what is allowed: in v9 in the cluster too.
        request.raw(if self.topic_ids { &[0, 0] } else { &[0, 0, 0] }).tags();
        let mut response = self.response(true);
        response.i32(0).count(1).i32(1).text("broker-1.example").i32(PORT.into()).null_text().tags();
        response.text("made-up-cluster").i32(1).count(TOPICS.len());
        for (number, topic) in TOPICS.into_iter().enumerate() {
            response.i16(0).text(topic);
            if self.topic_ids {
                response.raw(&topic_id(number));
            }
            response.raw(&[0]).count(4);
            for partition in 0..4 {
                response.i16(0).i32(partition).i32(1).i32(5);
                response.count(1).i32(1).count(1).i32(1).count(0).tags();
            }
            response.i32(i32::MIN).tags();
        }
        if !self.topic_ids {
            response.i32(i32::MIN);
        }
        response.tags();
        (request.done(), response.done())
    }

    fn topic(&self, number: usize, frame: &mut Frame) {
        if self.topic_ids {
            frame.raw(&topic_id(number));
        } else {
            frame.text(TOPICS[number]);
        }
    }

    /// From one batch to three, each for a partition of its own.
    fn produce(&mut self, now: u64, pool: &[Vec<u8>], rng: &mut Rng) -> (Vec<u8>, Vec<u8>) {
        let topic = rng.usize(..TOPICS.len());
        let partitions = rng.usize(1..=3);
        let mut request = self.request(0, if self.topic_ids { 13 } else { 8 }, self.topic_ids);
        request.null_text().i16(-1).i32(30_000).count(1);
        self.topic(topic, &mut request);
        request.count(partitions);
        let mut response = self.response(self.topic_ids);
        response.count(1);
        self.topic(topic, &mut response);
        response.count(partitions);
        for partition in 0..partitions as i32 {
            let batch = rng.choice(pool).expect("a pool is not empty");
            request.i32(partition).count(batch.len());
            let at = request.bytes.len();
            request.raw(batch).tags();
            let records = stamp(
                &mut request.bytes[at..at + batch.len()],
                0,
                -1,
                now,
                self.number,
                self.record_sequence,
            );
            self.record_sequence = self.record_sequence.wrapping_add(records) & i32::MAX;
            response.i32(partition).i16(0).i64(self.offset).i64(-1).i64(0).count(0).null_text().tags();
            self.offset += i64::from(records);
        }
        request.tags().tags();
        response.tags().i32(0).tags();
        (request.done(), response.done())
    }

    /// From no batch to sixteen, of one partition to three.
    fn fetch(&mut self, now: u64, pool: &[Vec<u8>], rng: &mut Rng) -> (Vec<u8>, Vec<u8>) {
        let topic = rng.usize(..TOPICS.len());
        let partitions = rng.usize(1..=3);
        let mut request = self.request(1, if self.topic_ids { 17 } else { 11 }, self.topic_ids);
        if !self.topic_ids {
            request.i32(-1);
        }
        request
            .i32(500)
            .i32(1)
            .i32(52_428_800)
            .raw(&[0])
            .i32(700 + self.number as i32)
            .i32(self.correlation)
            .count(1);
        self.topic(topic, &mut request);
        request.count(partitions);
        let mut response = self.response(self.topic_ids);
        response.i32(0).i16(0).i32(700 + self.number as i32).count(1);
        self.topic(topic, &mut response);
        response.count(partitions);
        for partition in 0..partitions as i32 {
            request.i32(partition).i32(5).i64(self.offset);
            if self.topic_ids {
                request.i32(-1);
            }
            request.i64(-1).i32(1_048_576).tags();
            let batches: Vec<&Vec<u8>> =
                (0..rng.usize(0..=16)).map(|_| rng.choice(pool).expect("a pool is not empty")).collect();
            response.i32(partition).i16(0).i64(self.offset + 20_000).i64(self.offset + 20_000).i64(0);
            response.null_array().i32(-1).count(batches.iter().map(|batch| batch.len()).sum());
            for batch in batches {
                let at = response.bytes.len();
                response.raw(batch);
                let records =
                    stamp(&mut response.bytes[at..], self.offset, 5, now, self.number, self.record_sequence);
                self.offset += i64::from(records);
                self.record_sequence = self.record_sequence.wrapping_add(records) & i32::MAX;
            }
            response.tags();
        }
        request.tags().count(0).text("").tags();
        response.tags().tags();
        (request.done(), response.done())
    }
}

fn topic_id(number: usize) -> [u8; 16] {
    let mut id = *b"made-up-topic-id";
    id[15] = number as u8;
    id
}

/// Gives a batch an offset, times, a producer and a sequence number of its own. Returns how many records it has.
fn stamp(batch: &mut [u8], offset: i64, epoch: i32, now: u64, producer: usize, sequence: i32) -> i32 {
    let records = i32::from_be_bytes(batch[57..61].try_into().expect("four bytes"));
    let time = (now / 1_000_000) as i64;
    batch[..8].copy_from_slice(&offset.to_be_bytes());
    batch[12..16].copy_from_slice(&epoch.to_be_bytes());
    batch[27..35].copy_from_slice(&time.to_be_bytes());
    batch[35..43].copy_from_slice(&(time + i64::from(records) - 1).to_be_bytes());
    batch[43..51].copy_from_slice(&(1000 + producer as i64).to_be_bytes());
    batch[51..53].copy_from_slice(&[0, 0]);
    batch[53..57].copy_from_slice(&sequence.to_be_bytes());
    let crc = crc32c::crc32c(&batch[21..]);
    batch[17..21].copy_from_slice(&crc.to_be_bytes());
    records
}

/// A batch of orders as JSON.
fn batch(codec: Option<Codec>, rng: &mut Rng) -> Vec<u8> {
    let count = rng.usize(8..=120);
    let records = (0..count).map(|index| Record {
        offset_delta: index as i32,
        timestamp_delta: index as i64,
        key: Some(format!("order-{}", rng.u32(..1_000_000)).into_bytes()),
        value: Some(order(rng).into_bytes()),
        ..Record::default()
    });
    let batch = Batch {
        base_offset: 0,
        partition_leader_epoch: -1,
        crc: None,
        attributes: codec.map_or(0, |codec| codec.number().into()),
        last_offset_delta: count as i32 - 1,
        base_timestamp: 0,
        max_timestamp: 0,
        producer_id: 0,
        producer_epoch: 0,
        base_sequence: 0,
        record_count: None,
        records: Records::Values(records.collect()),
    };
    let mut bytes = Vec::new();
    encode(&Entry::Batch(batch), &mut bytes).expect("a small batch can be encoded");
    bytes
}

fn order(rng: &mut Rng) -> String {
    let countries = ["Austria", "Brazil", "Chile", "Denmark", "Estonia", "France"];
    format!(
        "{{\"order\":{},\"country\":\"{}\",\"items\":[{},{},{}],\"total\":{}.{:02},\"note\":\"{:016x}\",\"paid\":{}}}",
        rng.u32(..1_000_000),
        countries[rng.usize(..countries.len())],
        rng.u32(..10_000),
        rng.u32(..10_000),
        rng.u32(..10_000),
        rng.u32(..1000),
        rng.u32(..100),
        rng.u64(..),
        rng.bool(),
    )
}

/// A frame in the making: its length, for which there is room, and fields.
struct Frame {
    bytes: Vec<u8>,
    flexible: bool,
}

impl Frame {
    fn new(flexible: bool) -> Frame {
        Frame { bytes: vec![0; 4], flexible }
    }

    fn i16(&mut self, value: i16) -> &mut Frame {
        self.raw(&value.to_be_bytes())
    }

    fn i32(&mut self, value: i32) -> &mut Frame {
        self.raw(&value.to_be_bytes())
    }

    fn i64(&mut self, value: i64) -> &mut Frame {
        self.raw(&value.to_be_bytes())
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Frame {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// How many elements or bytes come next, which may not be null.
    fn count(&mut self, count: usize) -> &mut Frame {
        if !self.flexible {
            return self.i32(count as i32);
        }
        let mut rest = count + 1;
        while rest > 127 {
            self.bytes.push(rest as u8 | 128);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
        self
    }

    fn text(&mut self, text: &str) -> &mut Frame {
        if self.flexible { self.count(text.len()) } else { self.i16(text.len() as i16) }.raw(text.as_bytes())
    }

    fn null_text(&mut self) -> &mut Frame {
        if self.flexible { self.raw(&[0]) } else { self.i16(-1) }
    }

    fn null_array(&mut self) -> &mut Frame {
        if self.flexible { self.raw(&[0]) } else { self.i32(-1) }
    }

    /// None.
    fn tags(&mut self) -> &mut Frame {
        if self.flexible { self.raw(&[0]) } else { self }
    }

    fn done(mut self) -> Vec<u8> {
        let length = self.bytes.len() as u32 - 4;
        self.bytes[..4].copy_from_slice(&length.to_be_bytes());
        self.bytes
    }
}

/// The sum that the checksums of IP and TCP are made of.
fn ones(bytes: &[u8]) -> u64 {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let sum: u64 = pairs.iter().map(|&pair| u64::from(u16::from_be_bytes(pair))).sum();
    sum + rest.first().map_or(0, |&byte| u64::from(byte) << 8)
}

fn checksum(mut sum: u64) -> u16 {
    while sum > 0xffff {
        sum = (sum >> 16) + (sum & 0xffff);
    }
    !(sum as u16)
}
