//! Writers of capture files in all their variants.

use std::io::{Read, Write};

/// A byte order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Little,
    Big,
}

impl Order {
    pub const BOTH: [Order; 2] = [Order::Little, Order::Big];

    pub fn u16(self, number: u16) -> [u8; 2] {
        if self == Order::Big { number.to_be_bytes() } else { number.to_le_bytes() }
    }

    pub fn u32(self, number: u32) -> [u8; 4] {
        if self == Order::Big { number.to_be_bytes() } else { number.to_le_bytes() }
    }

    pub fn u64(self, number: u64) -> [u8; 8] {
        if self == Order::Big { number.to_be_bytes() } else { number.to_le_bytes() }
    }
}

/// A packet to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Captured {
    /// Nanoseconds since 1970.
    pub time: i64,
    pub data: Vec<u8>,
    pub original_length: u32,
}

impl Captured {
    /// All of a packet.
    pub fn whole(time: i64, data: Vec<u8>) -> Captured {
        Captured { time, original_length: data.len() as u32, data }
    }

    /// The same, of which no more than `snap_length` bytes were captured.
    pub fn cut(mut self, snap_length: usize) -> Captured {
        self.data.truncate(snap_length);
        self
    }
}

/// The variants of pcap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pcap {
    Microseconds,
    Nanoseconds,
    /// With Kuznetzov's patch.
    Modified,
}

impl Pcap {
    pub const ALL: [Pcap; 3] = [Pcap::Microseconds, Pcap::Nanoseconds, Pcap::Modified];
}

/// A pcap file.
pub fn pcap(packets: &[Captured], order: Order, kind: Pcap, link_type: u16) -> Vec<u8> {
    let (magic, unit) = match kind {
        Pcap::Microseconds => (0xa1b2_c3d4, 1000),
        Pcap::Nanoseconds => (0xa1b2_3c4d, 1),
        Pcap::Modified => (0xa1b2_cd34, 1000),
    };
    let mut file = order.u32(magic).to_vec();
    file.extend(order.u16(2));
    file.extend(order.u16(4));
    for word in [0, 0, 262_144, u32::from(link_type)] {
        file.extend(order.u32(word));
    }
    for packet in packets {
        let second = packet.time / 1_000_000_000;
        let fraction = packet.time % 1_000_000_000 / unit;
        for word in [second as u32, fraction as u32, packet.data.len() as u32, packet.original_length] {
            file.extend(order.u32(word));
        }
        if kind == Pcap::Modified {
            file.extend([0, 0, 0, 1, 8, 0, 0, 0]);
        }
        file.extend(&packet.data);
    }
    file
}

/// A section of a pcapng file.
#[derive(Clone, Debug)]
pub struct Section {
    pub order: Order,
    pub interfaces: Vec<Interface>,
    pub blocks: Vec<Block>,
}

/// An interface of a section.
#[derive(Clone, Copy, Debug)]
pub struct Interface {
    pub link_type: u16,
    pub snap_length: u32,
    /// The option of that name, if it is there.
    pub if_tsresol: Option<u8>,
    pub if_tsoffset: Option<i64>,
}

impl Interface {
    pub fn new(link_type: u16) -> Interface {
        Interface { link_type, snap_length: 0, if_tsresol: None, if_tsoffset: None }
    }
}

/// A block after the interfaces.
#[derive(Clone, Debug)]
pub enum Block {
    /// Of the interface with this number.
    Enhanced(u32, Captured),
    /// With a comment.
    Commented(u32, Captured),
    Simple(Captured),
    Obsolete(u16, Captured),
    /// Of a type, with a body.
    Other(u32, Vec<u8>),
}

/// A pcapng file.
pub fn pcapng(sections: &[Section]) -> Vec<u8> {
    let mut file = Vec::new();
    for section in sections {
        let order = section.order;
        let mut body = order.u32(0x1a2b_3c4d).to_vec();
        body.extend(order.u16(1));
        body.extend(order.u16(0));
        body.extend([0xff; 8]);
        body.extend(option(order, 4, b"made by a test"));
        body.extend(option(order, 0, b""));
        file.extend(block(order, 0x0a0d_0d0a, &body));
        for interface in &section.interfaces {
            file.extend(block(order, 1, &interface_body(order, interface)));
        }
        for each in &section.blocks {
            file.extend(section_block(section, each));
        }
    }
    file
}

/// A block of a type with a body, which is padded.
pub fn block(order: Order, block_type: u32, body: &[u8]) -> Vec<u8> {
    let padded = body.len().next_multiple_of(4);
    let length = order.u32(padded as u32 + 12);
    let mut block = order.u32(block_type).to_vec();
    block.extend(length);
    block.extend(body);
    block.resize(8 + padded, 0);
    block.extend(length);
    block
}

/// An option with its padding.
pub fn option(order: Order, code: u16, value: &[u8]) -> Vec<u8> {
    let mut option = order.u16(code).to_vec();
    option.extend(order.u16(value.len() as u16));
    option.extend(value);
    option.resize(4 + value.len().next_multiple_of(4), 0);
    option
}

fn interface_body(order: Order, interface: &Interface) -> Vec<u8> {
    let mut body = order.u16(interface.link_type).to_vec();
    body.extend([0, 0]);
    body.extend(order.u32(interface.snap_length));
    body.extend(option(order, 2, b"eth0"));
    if let Some(resolution) = interface.if_tsresol {
        body.extend(option(order, 9, &[resolution]));
    }
    if let Some(offset) = interface.if_tsoffset {
        body.extend(option(order, 14, &order.u64(offset as u64)));
    }
    body.extend(option(order, 0, b""));
    body
}

fn section_block(section: &Section, each: &Block) -> Vec<u8> {
    let order = section.order;
    let (block_type, head, packet) = match each {
        Block::Enhanced(interface, packet) | Block::Commented(interface, packet) => {
            (6, order.u32(*interface).to_vec(), packet)
        }
        Block::Obsolete(interface, packet) => {
            (2, [order.u16(*interface), order.u16(0xffff)].concat(), packet)
        }
        Block::Simple(packet) => {
            let body = [&order.u32(packet.original_length)[..], &packet.data].concat();
            return block(order, 3, &body);
        }
        Block::Other(block_type, body) => return block(order, *block_type, body),
    };
    let index = match each {
        Block::Enhanced(interface, _) | Block::Commented(interface, _) => *interface as usize,
        Block::Obsolete(interface, _) => usize::from(*interface),
        Block::Simple(_) | Block::Other(..) => 0,
    };
    let interface = section.interfaces.get(index).copied().unwrap_or(Interface::new(1));
    let units = units(packet.time, &interface);
    let mut body = head;
    for word in [(units >> 32) as u32, units as u32, packet.data.len() as u32, packet.original_length] {
        body.extend(order.u32(word));
    }
    body.extend(&packet.data);
    body.resize(body.len().next_multiple_of(4), 0);
    if matches!(each, Block::Commented(..)) {
        body.extend(option(order, 1, b"look here"));
        body.extend(option(order, 0, b""));
    }
    block(order, block_type, &body)
}

/// A time in the units of an interface.
fn units(time: i64, interface: &Interface) -> u64 {
    let time = i128::from(time) - i128::from(interface.if_tsoffset.unwrap_or(0)) * 1_000_000_000;
    let units = match interface.if_tsresol.unwrap_or(6) {
        binary @ 0x80.. => (time << (binary & 0x7f)) / 1_000_000_000,
        decimal @ ..=9 => time / 10i128.pow(u32::from(9 - decimal)),
        decimal => time * 10i128.pow(u32::from(decimal - 9)),
    };
    units as u64
}

/// The ways a capture may be compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    Gzip,
    Zstd,
    Lz4,
}

impl Compression {
    pub const ALL: [Compression; 3] = [Compression::Gzip, Compression::Zstd, Compression::Lz4];
}

/// Bytes, compressed.
pub fn compress(bytes: &[u8], compression: Compression) -> Vec<u8> {
    match compression {
        Compression::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Compression::Zstd => zstd::encode_all(bytes, 1).unwrap(),
        Compression::Lz4 => {
            // One that is cut off gives its whole blocks.
            let info = lz4_flex::frame::FrameInfo::new().block_size(lz4_flex::frame::BlockSize::Max64KB);
            let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
    }
}

/// Hands out its bytes one at a time.
pub struct OneByOne<'b>(pub &'b [u8]);

impl Read for OneByOne<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}
