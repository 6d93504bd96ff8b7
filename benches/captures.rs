//! How fast captures are read: packets on loopback out of files of each kind, and the TCP segments in them.

#[path = "../tests/common/capture_files.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod capture_files;
#[path = "../tests/common/packets.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod packets;

use std::hint::black_box;
use std::time::{Duration, Instant};

use capture_files::{Block, Captured, Compression, Interface, Order, Pcap, Section, compress, pcap, pcapng};
use kdissect::capture::{Layers, Packet, PacketReader, Time};
use packets::{Layer, TcpSegment, wrap};

const PACKETS: usize = 200_000;
const ROUNDS: usize = 5;

fn main() {
    let payload = |index: usize| vec![index as u8; if index.is_multiple_of(2) { 900 } else { 0 }];
    let packet = |index: usize, stack: &[Layer]| {
        Captured::whole(index as i64 * 1_000_000, wrap(&TcpSegment::v4(&payload(index)), stack))
    };
    let all = |stack: &[Layer]| -> Vec<Captured> { (0..PACKETS).map(|index| packet(index, stack)).collect() };
    let ethernet = all(&[Layer::Ethernet, Layer::Ip]);
    let file = pcap(&ethernet, Order::Little, Pcap::Microseconds, 1);
    let blocks = ethernet.iter().map(|packet| Block::Enhanced(0, packet.clone())).collect();
    let section = Section { order: Order::Little, interfaces: vec![Interface::new(1)], blocks };
    println!("{:24} {:>12} {:>12} {:>10}", "", "packets/s", "ns/packet", "MB/s");
    report("pcap", &file);
    report("pcapng", &pcapng(&[section]));
    for compression in Compression::ALL {
        report(&format!("pcap, {compression:?}"), &compress(&file, compression));
    }
    let tunnel = all(&[Layer::Ethernet, Layer::Outer4, Layer::Vxlan(4789), Layer::Ethernet, Layer::Ip]);
    report("pcap, VXLAN", &pcap(&tunnel, Order::Little, Pcap::Microseconds, 1));

    // Without the file: packets from memory, then the same few from the cache, which is what the headers alone cost.
    // Other work on the machine disturbs short rounds less.
    for (name, count, rounds) in [("layers", PACKETS, ROUNDS), ("layers, cached", 1000, 2000)] {
        let mut layers = Layers::new();
        let time = best(rounds, || {
            for (number, packet) in ethernet[..count].iter().enumerate() {
                let original_length = packet.original_length;
                let packet = Packet {
                    number: number as u64,
                    time: Some(Time(packet.time)),
                    link_type: 1,
                    data: &packet.data,
                    original_length,
                };
                black_box(layers.segment(&packet).unwrap());
            }
        });
        line(name, time, count, 0);
    }
}

fn report(name: &str, file: &[u8]) {
    let time = best(ROUNDS, || {
        let (mut reader, mut layers) = (PacketReader::new(file), Layers::new());
        let mut segments = 0;
        while let Some(packet) = reader.next_packet() {
            segments += usize::from(black_box(layers.segment(&packet.unwrap()).unwrap()).is_some());
        }
        assert_eq!(segments, PACKETS);
    });
    line(name, time, PACKETS, file.len());
}

fn line(name: &str, time: Duration, packets: usize, bytes: usize) {
    let each = time.as_secs_f64() / packets as f64;
    println!(
        "{name:24} {:>12.0} {:>12.1} {:>10.0}",
        1.0 / each,
        each * 1e9,
        bytes as f64 / time.as_secs_f64() / 1e6
    );
}

fn best(rounds: usize, mut work: impl FnMut()) -> Duration {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    times.min().unwrap()
}
