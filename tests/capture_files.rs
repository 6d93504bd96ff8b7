//! Packets come out of capture files of every kind, and nothing is lost or made up when a file is broken.

mod common;

use std::io::{self, Read};

use common::capture_files::{
    Block, Captured, Compression, Interface, OneByOne, Order, Pcap, Section, block, compress, pcap, pcapng,
};
use kdissect::capture::file::{CaptureError, FileNote, FileNoteKind, Merge, is_capture};
use kdissect::capture::{Packet, PacketReader, Time};

/// Number, time, link type, data, original length.
type Owned = (u64, Option<i64>, u16, Vec<u8>, u32);

/// All that a reader hands out.
#[derive(PartialEq, Debug, Default)]
struct Contents {
    packets: Vec<Owned>,
    notes: Vec<FileNote>,
    error: Option<String>,
}

fn owned(packet: &Packet<'_>) -> Owned {
    let time = packet.time.map(|Time(time)| time);
    (packet.number, time, packet.link_type, packet.data.to_vec(), packet.original_length)
}

fn read(read: impl Read) -> Contents {
    let mut reader = PacketReader::new(read);
    let mut contents = Contents::default();
    while let Some(packet) = reader.next_packet() {
        match packet {
            Ok(packet) => {
                assert!(packet.data.len() <= packet.original_length as usize);
                contents.packets.push(owned(&packet));
            }
            Err(error) => contents.error = Some(error.to_string()),
        }
        contents.notes.extend(reader.take_notes());
    }
    contents.notes.extend(reader.take_notes());
    assert!(reader.next_packet().is_none());
    contents
}

fn packets() -> Vec<Captured> {
    let time = |index: i64| 1_700_000_000_123_456_000 + index * 1_000_000_000;
    (0..5).map(|index| Captured::whole(time(index), vec![index as u8; 7 + 61 * index as usize])).collect()
}

/// What should come out.
fn expected(packets: &[Captured], link_type: u16) -> Contents {
    let packet = |(index, packet): (usize, &Captured)| {
        (index as u64 + 1, Some(packet.time), link_type, packet.data.clone(), packet.original_length)
    };
    Contents { packets: packets.iter().enumerate().map(packet).collect(), ..Contents::default() }
}

fn section(order: Order, interfaces: &[Interface], blocks: Vec<Block>) -> Section {
    Section { order, interfaces: interfaces.to_vec(), blocks }
}

fn enhanced(packets: &[Captured]) -> Vec<Block> {
    packets.iter().map(|packet| Block::Enhanced(0, packet.clone())).collect()
}

/// One file of each kind with the packets.
fn files(packets: &[Captured]) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for order in Order::BOTH {
        for kind in Pcap::ALL {
            files.push(pcap(packets, order, kind, 113));
        }
        files.push(pcapng(&[section(order, &[Interface::new(113)], enhanced(packets))]));
    }
    files
}

#[test]
fn pcap_of_every_kind() {
    let packets: Vec<Captured> = packets().into_iter().map(|packet| packet.cut(100)).collect();
    for file in files(&packets) {
        assert_eq!(read(&file[..]), expected(&packets, 113));
        assert_eq!(read(OneByOne(&file)), expected(&packets, 113));
        assert!(is_capture(&file));
    }
    let nanosecond = Captured::whole(1_700_000_000_123_456_789, vec![1]);
    let file = pcap(std::slice::from_ref(&nanosecond), Order::Big, Pcap::Nanoseconds, 1);
    assert_eq!(read(&file[..]), expected(&[nanosecond], 1));
}

#[test]
fn the_link_type_may_have_a_checksum_length_above_it() {
    let mut file = pcap(&packets(), Order::Little, Pcap::Microseconds, 1);
    file[23] = 0x14;
    assert_eq!(read(&file[..]), expected(&packets(), 1));
}

#[test]
fn every_resolution_and_offset() {
    let packets = packets();
    for order in Order::BOTH {
        for if_tsresol in [None, Some(6), Some(7), Some(9), Some(0x80 | 33)] {
            for if_tsoffset in [None, Some(0), Some(1_699_999_999), Some(-5)] {
                let interface = Interface { if_tsresol, if_tsoffset, ..Interface::new(1) };
                let file = pcapng(&[section(order, &[interface], enhanced(&packets))]);
                let mut contents = read(&file[..]);
                if if_tsresol == Some(0x80 | 33) {
                    // A power of 2 cannot say all microseconds.
                    for (packet, original) in contents.packets.iter_mut().zip(&packets) {
                        assert!((packet.1.unwrap() - original.time).abs() <= 1, "{if_tsoffset:?}");
                        packet.1 = Some(original.time);
                    }
                }
                assert_eq!(contents, expected(&packets, 1));
            }
        }
    }
}

/// Each section has its own byte order and interfaces, each interface its own link type and time.
#[test]
fn sections_and_interfaces() {
    let packets = packets();
    let nanoseconds = Interface { if_tsresol: Some(9), ..Interface::new(276) };
    let binary = Interface { if_tsresol: Some(0x80 | 20), if_tsoffset: Some(1000), ..Interface::new(101) };
    let whole_seconds = Captured::whole(5_000_000_000_000, vec![9; 9]);
    let file = pcapng(&[
        section(
            Order::Little,
            &[Interface::new(1), nanoseconds, binary],
            vec![
                Block::Other(4, vec![0; 16]),
                Block::Enhanced(1, packets[0].clone()),
                Block::Commented(0, packets[1].clone()),
                Block::Other(5, vec![0; 12]),
                Block::Other(10, vec![0x4b; 40]),
                Block::Enhanced(2, whole_seconds.clone()),
            ],
        ),
        section(
            Order::Big,
            &[Interface { snap_length: 50, ..Interface::new(113) }],
            vec![
                Block::Other(0xbad, vec![1; 5]),
                Block::Other(0x4000_0bad, vec![1; 7]),
                Block::Simple(packets[2].clone().cut(50)),
                Block::Obsolete(0, packets[3].clone()),
                Block::Other(0x1234_5678, Vec::new()),
                Block::Enhanced(0, packets[4].clone()),
                Block::Simple(Captured::whole(0, vec![3; 3])),
            ],
        ),
    ]);
    let contents = read(&file[..]);
    assert_eq!(contents, read(OneByOne(&file)));
    assert_eq!((contents.notes.len(), contents.error), (0, None));
    let all: Vec<(u64, Option<i64>, u16, usize, u32)> = contents
        .packets
        .iter()
        .map(|packet| (packet.0, packet.1, packet.2, packet.3.len(), packet.4))
        .collect();
    let time = |index: usize| Some(packets[index].time);
    assert_eq!(
        all,
        [
            (1, time(0), 276, 7, 7),
            (2, time(1), 1, 68, 68),
            (3, Some(whole_seconds.time), 101, 9, 9),
            (4, None, 113, 50, 129),
            (5, time(3), 113, 190, 190),
            (6, time(4), 113, 251, 251),
            (7, None, 113, 3, 3),
        ]
    );
}

#[test]
fn compressed_files() {
    for compression in Compression::ALL {
        for file in files(&packets()) {
            let compressed = compress(&file, compression);
            assert!(is_capture(&compressed), "{compression:?}");
            assert_eq!(read(&compressed[..]), expected(&packets(), 113));
            assert_eq!(read(OneByOne(&compressed)), expected(&packets(), 113));
            // In several frames or members.
            let (first, second) = file.split_at(file.len() / 2);
            let both = [compress(first, compression), compress(second, compression)].concat();
            assert_eq!(read(&both[..]), expected(&packets(), 113), "{compression:?}");
        }
        assert!(!is_capture(&compress(b"no capture at all", compression)));
    }
}

/// Before the error there is all that can be decompressed.
#[test]
fn compressed_files_that_are_cut_off() {
    let mut random = fastrand::Rng::with_seed(common::seed());
    let noise = |_| Captured::whole(0, (0..1000).map(|_| random.u8(..)).collect());
    let packets: Vec<Captured> = (0..200).map(noise).collect();
    let file = pcap(&packets, Order::Little, Pcap::Microseconds, 1);
    for compression in Compression::ALL {
        let compressed = compress(&file, compression);
        let contents = read(&compressed[..compressed.len() * 3 / 4]);
        assert!(contents.packets.len() > 50, "{compression:?}: {}", contents.packets.len());
        assert!(contents.error.is_some() || compression == Compression::Lz4, "{compression:?}");
        assert!(is_capture(&compressed[..compressed.len() * 3 / 4]));
    }
}

/// A stream that must not be read further than there are bytes.
struct Growing<'b> {
    ready: &'b [u8],
}

impl Read for Growing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        assert!(!self.ready.is_empty(), "waits for what is not there yet");
        self.ready.read(buffer)
    }
}

/// A packet is handed out when its bytes are there, before the next one is.
#[test]
fn a_growing_stream_is_read_as_it_grows() {
    let packets = packets();
    for whole in files(&packets) {
        for count in 1..packets.len() {
            let file = files(&packets[..count]).into_iter().find(|file| whole.starts_with(file)).unwrap();
            let mut reader = PacketReader::new(Growing { ready: &file });
            for number in 1..=count as u64 {
                assert_eq!(reader.next_packet().unwrap().unwrap().number, number);
            }
        }
    }
}

/// Cut at every length, a file gives the packets before the cut, and what there is of the one that is cut.
#[test]
fn cut_at_every_length() {
    let packets = packets();
    for file in files(&packets) {
        for length in 0..file.len() {
            let contents = read(&file[..length]);
            let whole = expected(&packets, 113).packets;
            let is_cut =
                contents.notes.iter().any(|note| matches!(note.kind, FileNoteKind::PacketCut { .. }));
            let complete = contents.packets.len() - usize::from(is_cut);
            assert_eq!(contents.packets[..complete], whole[..complete]);
            if is_cut {
                let (cut, all) = (contents.packets.last().unwrap(), &whole[complete]);
                assert!(all.3.starts_with(&cut.3) && cut.3.len() < all.3.len());
                assert_eq!((cut.0, cut.1, cut.2, cut.4), (all.0, all.1, all.2, all.4));
            }
            assert_eq!(is_capture(&file[..length]), length >= 4);
            let header = if file[0] == 0x0a { 4 } else { 24 };
            assert_eq!(contents.error.is_some(), length < header);
        }
    }
    assert_eq!(read(&b""[..]).error.unwrap(), "empty: not even the header of a capture");
    let header = &pcap(&[], Order::Little, Pcap::Microseconds, 1)[..20];
    assert_eq!(
        read(header).error.unwrap(),
        "cut off: the header of a capture has 24 bytes, and there are 20"
    );
}

/// The same for the kinds of blocks that are rare.
#[test]
fn rare_blocks_cut_at_every_length() {
    let packet = Captured::whole(0, vec![7; 90]).cut(50);
    for order in Order::BOTH {
        for block in [Block::Simple(packet.clone()), Block::Obsolete(0, packet.clone())] {
            let empty = pcapng(&[section(order, &[Interface::new(1)], Vec::new())]);
            let file = pcapng(&[section(order, &[Interface::new(1)], vec![block.clone()])]);
            let data_at = empty.len() + if matches!(block, Block::Simple(_)) { 12 } else { 28 };
            for length in empty.len() + 1..=file.len() {
                let contents = read(&file[..length]);
                assert_eq!(contents.packets.is_empty(), length < data_at);
                if let [packet] = &contents.packets[..] {
                    // Of a simple packet the padding is part, until its end shows how long it is.
                    assert!(packet.3.len() >= (length - data_at).min(50) && packet.3.len() <= 52);
                    assert!(packet.3.starts_with(&[7; 50][..(length - data_at).min(50)]));
                    assert_eq!(packet.4, 90);
                }
                let is_noted = contents.notes.len() == 1;
                assert_eq!(is_noted, length < file.len() && packet_is_cut(&contents) || length < data_at);
            }
        }
    }
}

/// Whether what there is of the packet is not all.
fn packet_is_cut(contents: &Contents) -> bool {
    contents.notes.iter().any(|note| matches!(note.kind, FileNoteKind::PacketCut { .. }))
}

#[test]
fn what_is_no_capture_is_refused() {
    for bytes in [
        &b"GET / HTTP/1.1\r\n"[..],
        b"\0\0\0\x0e\0\x41\0\0\0\0\0\0",
        b"abc",
        &[0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 1, 2, 3, 4],
    ] {
        assert!(!is_capture(bytes));
        assert!(read(bytes).error.is_some());
    }
    assert_eq!(read(&b"GET / HTTP/1.1"[..]).error.unwrap(), CaptureError::NotACapture.to_string());
}

#[test]
fn lengths_that_contradict_each_other() {
    let mut packets = packets();
    packets[1].original_length = 10;
    for file in files(&packets) {
        let contents = read(&file[..]);
        assert_eq!(contents.packets.len(), 5);
        assert_eq!((contents.packets[1].3.len(), contents.packets[1].4), (68, 68));
        let kind = FileNoteKind::MoreThanOriginal { captured: 68, original: 10 };
        assert_eq!(contents.notes, [FileNote { packet: 2, kind }]);
        assert_eq!(kind.to_string(), "68 bytes were captured of 10; the larger number is used");
    }
    // More than the snap length is nothing to remark.
    let interface = Interface { snap_length: 5, ..Interface::new(1) };
    let packets = &packets[2..];
    let file = pcapng(&[section(Order::Big, &[interface], enhanced(packets))]);
    assert_eq!(read(&file[..]), expected(packets, 1));
    let mut file = pcap(packets, Order::Little, Pcap::Microseconds, 1);
    file[16..20].copy_from_slice(&5u32.to_le_bytes());
    assert_eq!(read(&file[..]), expected(packets, 1));
}

#[test]
fn a_packet_length_that_none_has_ends_a_pcap_file() {
    let mut file = pcap(&packets()[..2], Order::Little, Pcap::Microseconds, 1);
    let second = file.len() - 68 - 16;
    file[second + 8..second + 12].copy_from_slice(&0x7fff_ffffu32.to_le_bytes());
    let contents = read(&file[..]);
    assert_eq!(contents.packets.len(), 1);
    let told = "packet 2: captured length 2147483647 is more than the 16777216 that a packet may have";
    assert_eq!(contents.error.unwrap(), told);
}

#[test]
fn broken_blocks_are_skipped_with_their_numbers() {
    let packets = packets();
    for order in Order::BOTH {
        let broken = [order.u32(0), order.u32(0), order.u32(0), order.u32(5000), order.u32(5000)].concat();
        let mut file = pcapng(&[section(
            order,
            &[Interface::new(1)],
            vec![
                Block::Enhanced(0, packets[0].clone()),
                Block::Other(6, broken.clone()),
                Block::Other(2, broken),
                Block::Other(6, vec![0; 4]),
                Block::Enhanced(3, packets[1].clone()),
                Block::Other(3, vec![]),
                Block::Enhanced(0, packets[2].clone()),
            ],
        )]);
        // An interface without room for its link type, whose number counts all the same.
        file.extend(block(order, 1, &[]));
        let tail =
            pcapng(&[section(order, &[Interface::new(1)], vec![Block::Enhanced(1, packets[3].clone())])]);
        file.extend(&tail[tail.len() - 12 - 20 - 192..]);
        let contents = read(&file[..]);
        let numbers: Vec<u64> = contents.packets.iter().map(|packet| packet.0).collect();
        assert_eq!(numbers, [1, 7]);
        assert_eq!(contents.error, None);
        let notes: Vec<(u64, FileNoteKind)> =
            contents.notes.iter().map(|note| (note.packet, note.kind)).collect();
        let broken = |block: u64| FileNoteKind::BrokenPacket { block };
        let unknown = |block, interface| FileNoteKind::UnknownInterface { block, interface };
        assert_eq!(
            notes,
            [
                (2, broken(4)),
                (3, broken(5)),
                (4, broken(6)),
                (5, unknown(7, 3)),
                (6, broken(8)),
                (7, FileNoteKind::BrokenBlock { block: 10, block_type: 1 }),
                (8, unknown(11, 1)),
            ]
        );
    }
}

#[test]
fn a_block_length_that_leads_nowhere_ends_a_file() {
    for order in Order::BOTH {
        for length in [0, 1, 8, 11] {
            let mut file = pcapng(&[section(order, &[Interface::new(1)], enhanced(&packets()))]);
            file.extend(order.u32(4));
            file.extend(order.u32(length));
            file.extend([0; 100]);
            let contents = read(&file[..]);
            assert_eq!(contents.packets.len(), 5);
            let told =
                format!("block 8: total length {length} is less than the 12 bytes that every block has");
            assert_eq!(contents.error.unwrap(), told);
        }
    }
}

/// Some bytes, then zeros without end.
struct Endless {
    head: Vec<u8>,
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.head.get(self.at..).unwrap_or_default();
        let len = if rest.is_empty() { buffer.len() } else { rest.len().min(buffer.len()) };
        if rest.is_empty() {
            buffer.fill(0);
        } else {
            buffer[..len].copy_from_slice(&rest[..len]);
        }
        self.at += len;
        Ok(len)
    }
}

/// A block that is longer than any packet is stepped over, not kept.
#[test]
fn long_blocks_are_not_kept() {
    let mut head = pcapng(&[section(Order::Little, &[Interface::new(1)], enhanced(&packets()[..1]))]);
    head.extend(6u32.to_le_bytes());
    head.extend(60_000_000u32.to_le_bytes());
    let end = head.len() + 60_000_000 - 8;
    let mut reader = PacketReader::new(Endless { head, at: 0 }.take(end as u64));
    assert!(reader.next_packet().unwrap().is_ok());
    assert!(reader.next_packet().is_none());
    let notes: Vec<FileNoteKind> = reader.take_notes().map(|note| note.kind).collect();
    assert_eq!(notes, [FileNoteKind::LongPacket { block: 4, length: 60_000_000 }]);
}

#[test]
fn files_are_merged_in_order_of_time() {
    let packets: Vec<Captured> =
        (0..30).map(|index| Captured::whole(index * 1_000_000, vec![index as u8])).collect();
    let part = |which: usize| -> Vec<Captured> { packets.iter().skip(which).step_by(3).cloned().collect() };
    let files = [
        pcap(&part(0), Order::Big, Pcap::Nanoseconds, 1),
        pcapng(&[section(Order::Little, &[Interface::new(113)], enhanced(&part(1)))]),
        compress(&pcap(&part(2), Order::Little, Pcap::Modified, 276), Compression::Zstd),
        b"no capture".to_vec(),
    ];
    let mut merge = Merge::new(files.iter().map(|file| PacketReader::new(&file[..])).collect());
    let (mut times, mut errors) = (Vec::new(), Vec::new());
    while let Some(merged) = merge.next_packet() {
        match merged.item {
            Ok(packet) => {
                times.push(packet.time.unwrap().0);
                assert_eq!(packet.number, times.len() as u64);
                assert_eq!(merged.file, (times.len() - 1) % 3);
                assert_eq!(packet.link_type, [1, 113, 276][merged.file]);
            }
            Err(_) => errors.push(merged.file),
        }
    }
    assert_eq!(times, packets.iter().map(|packet| packet.time).collect::<Vec<_>>());
    assert_eq!(errors, [3]);
    assert_eq!(merge.take_notes().count(), 0);
}

/// Bytes that are changed at random do no harm, and reading them one by one is the same.
#[test]
fn random_files_do_no_harm() {
    let mut random = fastrand::Rng::with_seed(common::seed());
    let mut files = files(&packets());
    for compression in Compression::ALL {
        files.push(compress(&files[3], compression));
    }
    for round in 0..3000 {
        let index = random.usize(..files.len());
        let mut file = files[index].clone();
        for _ in 0..random.usize(1..5) {
            let at = random.usize(..file.len());
            file[at] = if random.bool() { random.u8(..) } else { file[at] ^ 1 << random.u8(..8) };
        }
        if random.bool() {
            file.truncate(random.usize(..file.len()));
        }
        is_capture(&file);
        let contents = read(&file[..]);
        // How much comes out before corrupt compression is noticed depends on how much is read at a time.
        let is_plain = index < files.len() - Compression::ALL.len();
        if is_plain && round % 10 == 0 {
            assert_eq!(contents, read(OneByOne(&file)));
        }
    }
}
