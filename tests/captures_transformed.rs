//! Recorded captures, transformed in all the ways that captures differ, give the same messages, less exactly those whose bytes are gone.

mod common;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::net::{IpAddr, Ipv6Addr};

use Layer::*;
use common::capture_files::{
    Block, Captured, Compression, Interface, Order, Pcap, Section, compress, pcap, pcapng,
};
use common::packets::{GRE_CHECKSUM, GRE_KEY, GRE_SEQUENCE, Layer, TcpSegment, fragments, link_type, wrap};
use fastrand::Rng;
use kdissect::capture::tcp::Note;
use kdissect::capture::{
    Layers, Message, Origin, Output, PacketReader, Remark, Session, Settings, TopicNames,
};
use kdissect::schema::Catalogue;
use kdissect::tree::Tree;

/// Records in each codec.
const CODECS: &str = "java_codecs";
/// Transactions, and what the broker says to itself, over connections that are still open at the end.
const TRANSACTIONS: &str = "java_transactions";
/// Tokens without headers.
const TOKENS: &str = "java_0_10_sasl_tokens";

/// Sender's and receiver's port: they tell the streams of these captures apart.
type Ports = (u16, u16);

/// A packet that is to be written.
#[derive(Clone, Debug)]
struct Sent {
    time: i64,
    segment: TcpSegment,
    /// How many bytes of the stream come before its data.
    offset: usize,
    /// How much of its data is captured.
    captured: usize,
}

impl Sent {
    fn ports(&self) -> Ports {
        (self.segment.source.port(), self.segment.destination.port())
    }
}

/// A message, as far as it must stay the same.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Seen {
    ports: Ports,
    api_key: Option<i16>,
    api_version: Option<i16>,
    is_request: bool,
    correlation_id: Option<i32>,
    client_id: Option<String>,
    size: u64,
    missing: u64,
    is_paired: bool,
    records: u64,
    bytes: Vec<u8>,
}

#[derive(Default)]
struct Collected {
    messages: Vec<Seen>,
    remarks: Vec<Remark>,
}

impl Output for Collected {
    fn message(&mut self, message: &mut Message<'_>, _: &TopicNames) {
        message.tree.check_tiling(message.frame.bytes.len()).unwrap();
        self.messages.push(Seen {
            ports: (message.from.port, message.to.port),
            api_key: message.heading.api_key,
            api_version: message.heading.api_version,
            is_request: message.direction == kdissect::schema::Direction::Request,
            correlation_id: message.heading.correlation_id,
            client_id: message.client_id.map(str::to_owned),
            size: message.size,
            missing: message.missing,
            is_paired: matches!(message.origin, Origin::Response(_) | Origin::Token),
            records: message.summary.records,
            bytes: message.frame.bytes.to_vec(),
        });
    }

    fn remark(&mut self, remark: &Remark) {
        self.remarks.push(remark.clone());
    }
}

impl Collected {
    /// The messages of each stream.
    fn by_stream(&self) -> BTreeMap<Ports, Vec<&Seen>> {
        let mut streams: BTreeMap<Ports, Vec<&Seen>> = BTreeMap::new();
        for message in &self.messages {
            streams.entry(message.ports).or_default().push(message);
        }
        streams
    }
}

/// A recorded capture.
struct Original {
    catalogue: Catalogue,
    sent: Vec<Sent>,
    collected: Collected,
}

impl Original {
    fn read(name: &str) -> Original {
        let bytes = fs::read(common::samples().join("captures").join(name).with_extension("pcap")).unwrap();
        let catalogue = Catalogue::embedded();
        let collected = collect(&catalogue, &bytes);
        let (mut reader, mut layers) = (PacketReader::new(&bytes[..]), Layers::new());
        let mut sent = Vec::new();
        let mut first = BTreeMap::new();
        while let Some(packet) = reader.next_packet() {
            let packet = packet.unwrap();
            let Some(segment) = layers.segment(&packet).unwrap() else { continue };
            let (time, segment) = (segment.time.unwrap().0, TcpSegment::read(&segment));
            let mut each = Sent { time, offset: 0, captured: segment.payload.len(), segment };
            if each.segment.syn {
                let before = first.insert(each.ports(), each.segment.sequence.wrapping_add(1));
                assert!(before.is_none_or(|before| before == each.segment.sequence.wrapping_add(1)));
            } else {
                each.offset = each.segment.sequence.wrapping_sub(first[&each.ports()]) as usize;
            }
            sent.push(each);
        }
        assert!(collected.messages.iter().all(|message| message.missing == 0));
        assert!(collected.messages.len() > 20);
        Original { catalogue, sent, collected }
    }

    fn collect(&self, file: &[u8]) -> Collected {
        collect(&self.catalogue, file)
    }

    /// A file as plain as can be.
    fn collect_sent(&self, sent: &[Sent]) -> Collected {
        let packets = packets(sent, &[Raw, Ip]);
        self.collect(&pcap(&packets, Order::Little, Pcap::Nanoseconds, 101))
    }

    /// All messages, in the same order.
    fn assert_same(&self, found: &Collected, what: &str) {
        assert_eq!(found.messages.len(), self.collected.messages.len(), "{what}");
        for (found, expected) in found.messages.iter().zip(&self.collected.messages) {
            assert_eq!(found, expected, "{what}");
        }
    }

    /// All messages, in the same order within each stream.
    fn assert_same_streams(&self, found: &Collected, what: &str) {
        let (found, expected) = (found.by_stream(), self.collected.by_stream());
        for (ports, expected) in &expected {
            let found: Vec<String> =
                found.get(ports).into_iter().flatten().map(|seen| describe(seen)).collect();
            let expected: Vec<String> = expected.iter().map(|seen| describe(seen)).collect();
            assert_eq!(found, expected, "{what}");
        }
        assert_eq!(found, expected, "{what}");
    }

    /// What is in `sent`, and nothing that is not in the original. Returns how many messages were whole, and how many of these
    /// could not be told.
    fn assert_rest(&self, sent: &[Sent], found: &Collected, what: &str) -> (usize, usize) {
        let known = known_bytes(sent);
        let found_streams = found.by_stream();
        let streams = self.collected.by_stream();
        for ports in found_streams.keys() {
            assert!(streams.contains_key(ports), "{what}: {ports:?} has messages");
        }
        let (mut whole, mut untold) = (0, 0);
        for (ports, expected) in &streams {
            let stream = known.get(ports).map_or(&[][..], Vec::as_slice);
            let found = found_streams.get(ports).map_or(&[][..], Vec::as_slice);
            let requests = found_streams.get(&(ports.1, ports.0)).map_or(&[][..], Vec::as_slice);
            assert_part(found, expected, what);
            let told: HashSet<&[u8]> =
                found.iter().filter(|seen| seen.missing == 0).map(|seen| &seen.bytes[..]).collect();
            let has_syn = sent.iter().any(|each| each.segment.syn && each.ports() == *ports)
                || sent.iter().any(|each| {
                    each.segment.syn
                        && each.segment.acknowledgment.is_some()
                        && each.ports() == (ports.1, ports.0)
                });
            let mut at = 0;
            // Whether a boundary had to be searched for.
            let mut is_lost = !has_syn;
            for message in expected {
                let range = at..at + message.bytes.len();
                at = range.end;
                let bytes =
                    |range: std::ops::Range<usize>| range.map(|at| stream.get(at).copied().unwrap_or(false));
                if !bytes(range.clone()).all(|is_known| is_known) {
                    is_lost |= !bytes(range.start..range.start + 4).all(|is_known| is_known);
                    continue;
                }
                whole += 1;
                let request = requests
                    .iter()
                    .find(|request| request.is_request && request.correlation_id == message.correlation_id);
                if !told.contains(&message.bytes[..]) {
                    // After a boundary was lost, a response is known by its request alone. That may be held up behind bytes that are
                    // missing, until it is too late. And one of a few bytes must be followed by another that is known.
                    let requests = known.get(&(ports.1, ports.0)).map_or(&[][..], Vec::as_slice);
                    let is_held_up = requests.contains(&false);
                    let is_excused = is_lost
                        && !message.is_request
                        && (request.is_none() || is_held_up || message.size < 32);
                    assert!(is_excused, "{what}: {} is not there", describe(message));
                    untold += 1;
                    continue;
                }
                let same = found.iter().find(|seen| seen.bytes == message.bytes).unwrap();
                let is_whole_pair = request.is_some_and(|request| request.missing == 0);
                if message.is_request || same.is_paired {
                    let mut same = (*same).clone();
                    same.is_paired = message.is_paired;
                    if !message.is_request && !is_whole_pair {
                        // That is in the request.
                        same.client_id.clone_from(&message.client_id);
                    }
                    assert_eq!(describe(&same), describe(message), "{what}");
                }
                assert!(
                    same.is_paired || !message.is_paired || !is_whole_pair,
                    "{what}: {} is not paired",
                    describe(message)
                );
                assert!(!same.is_paired || request.is_some(), "{what}: {} is paired", describe(message));
            }
        }
        (whole, untold)
    }
}

fn describe(message: &Seen) -> String {
    let Seen {
        ports,
        api_key,
        api_version,
        is_request,
        correlation_id,
        client_id,
        size,
        missing,
        is_paired,
        records,
        ..
    } = message;
    format!(
        "{ports:?} request {is_request} api {api_key:?} v{api_version:?} id {correlation_id:?} client {client_id:?} size {size} \
         missing {missing} paired {is_paired} records {records}"
    )
}

/// Each byte of a stream is in a message, or is told to have been passed over.
fn assert_all_told(sent: &[Sent], found: &Collected, what: &str) {
    let known = known_bytes(sent);
    for (ports, messages) in found.by_stream() {
        let in_messages: u64 = messages.iter().map(|message| message.size - message.missing).sum();
        let passed: u64 = found
            .remarks
            .iter()
            .map(|remark| match remark {
                Remark::PassedOver { from, to, length, .. } if (from.port, to.port) == ports => *length,
                _ => 0,
            })
            .sum();
        let known = known[&ports].iter().filter(|is_known| **is_known).count() as u64;
        assert_eq!(in_messages + passed, known, "{what}: {ports:?}, {passed} passed over");
    }
}

/// What was found in a stream is a part of what is there.
fn assert_part(found: &[&Seen], expected: &[&Seen], what: &str) {
    let mut left = expected.iter();
    for seen in found {
        let fits = |message: &&&Seen| {
            // Of a message that was cut in its size field, nothing else is known.
            let same_size = message.size == seen.size || seen.bytes.len() < 4;
            same_size && message.bytes.starts_with(&seen.bytes)
        };
        assert!(left.any(|message| fits(&message)), "{what}: {} was not sent", describe(seen));
    }
}

/// Which bytes of each stream are there.
fn known_bytes(sent: &[Sent]) -> BTreeMap<Ports, Vec<bool>> {
    let mut streams: BTreeMap<Ports, Vec<bool>> = BTreeMap::new();
    for each in sent {
        let stream = streams.entry(each.ports()).or_default();
        let end = each.offset + each.captured;
        if each.captured > 0 {
            stream.resize(stream.len().max(end), false);
            stream[each.offset..end].fill(true);
        }
    }
    streams
}

fn collect(catalogue: &Catalogue, file: &[u8]) -> Collected {
    let mut collected = Collected::default();
    let mut session = Session::new(catalogue, Tree::new(), Settings::default());
    let mut reader = PacketReader::new(file);
    while let Some(packet) = reader.next_packet() {
        session.packet(&packet.unwrap(), &mut collected);
    }
    assert_eq!(reader.take_notes().count(), 0);
    session.finish(&mut collected);
    collected
}

/// The packets in layers.
fn packets(sent: &[Sent], stack: &[Layer]) -> Vec<Captured> {
    let wrapped = sent.iter().map(|each| {
        let packet = Captured::whole(each.time, wrap(&each.segment, stack));
        match each.segment.payload.len() - each.captured {
            0 => packet,
            missing => {
                let captured = packet.data.len() - missing;
                packet.cut(captured)
            }
        }
    });
    wrapped.collect()
}

/// The same between addresses of IPv6.
fn over_v6(sent: &[Sent]) -> Vec<Sent> {
    let mut sent = sent.to_vec();
    for each in &mut sent {
        for end in [&mut each.segment.source, &mut each.segment.destination] {
            if let IpAddr::V4(address) = end.ip() {
                let [a, b, c, d] = address.octets().map(u16::from);
                end.set_ip(Ipv6Addr::new(0xfd00, 0, 0, 0, a, b, c, d).into());
            }
        }
    }
    sent
}

/// Times in order, whatever the packets were put through.
fn retime(sent: &mut [Sent]) {
    let mut times: Vec<i64> = sent.iter().map(|each| each.time).collect();
    times.sort_unstable();
    for (each, time) in sent.iter_mut().zip(times) {
        each.time = time;
    }
}

/// No packet is moved by more than `window` places.
fn reorder(sent: &[Sent], window: usize, random: &mut Rng) -> Vec<Sent> {
    let mut keyed: Vec<(usize, &Sent)> =
        sent.iter().enumerate().map(|(index, each)| (index + random.usize(..=window), each)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    let mut sent: Vec<Sent> = keyed.into_iter().map(|(_, each)| each.clone()).collect();
    retime(&mut sent);
    sent
}

/// Some packets come twice, the second time a little later.
fn duplicate(sent: &[Sent], one_in: usize, random: &mut Rng) -> Vec<Sent> {
    let mut keyed: Vec<(usize, &Sent)> = sent.iter().enumerate().collect();
    for (index, each) in sent.iter().enumerate() {
        if random.usize(..one_in) == 0 {
            keyed.push((index + random.usize(..8), each));
        }
    }
    keyed.sort_by_key(|(key, _)| *key);
    let mut sent: Vec<Sent> = keyed.into_iter().map(|(_, each)| each.clone()).collect();
    retime(&mut sent);
    sent
}

/// The data of each stream.
fn streams(sent: &[Sent]) -> BTreeMap<Ports, Vec<u8>> {
    let mut streams: BTreeMap<Ports, Vec<u8>> = BTreeMap::new();
    for each in sent {
        let stream = streams.entry(each.ports()).or_default();
        let end = each.offset + each.segment.payload.len();
        stream.resize(stream.len().max(end), 0);
        stream[each.offset..end].copy_from_slice(&each.segment.payload);
    }
    streams
}

/// Segments of up to `longest` bytes, each of which may repeat up to `overlap` bytes before it and bring some from behind it.
fn split(sent: &[Sent], longest: usize, overlap: usize, random: &mut Rng) -> Vec<Sent> {
    let streams = streams(sent);
    let mut result = Vec::new();
    for each in sent {
        if each.segment.payload.is_empty() {
            result.push(each.clone());
            continue;
        }
        let (stream, end) = (&streams[&each.ports()], each.offset + each.segment.payload.len());
        let mut at = each.offset;
        while at < end {
            let next = (at + random.usize(1..=longest)).min(end);
            let from = at - random.usize(..=overlap.min(at));
            let to = (next + random.usize(..=overlap)).min(end);
            let mut part = each.clone();
            part.segment.sequence =
                each.segment.sequence.wrapping_sub(each.offset as u32).wrapping_add(from as u32);
            part.segment.payload = stream[from..to].to_vec();
            part.segment.fin = each.segment.fin && to == end && next == end;
            (part.offset, part.captured) = (from, to - from);
            result.push(part);
            at = next;
        }
    }
    result
}

/// Segments that follow one another become one, as cards with offload make them.
fn join(sent: &[Sent], longest: usize) -> Vec<Sent> {
    let mut result: Vec<Sent> = Vec::new();
    for each in sent {
        if let Some(last) = result.last_mut()
            && !last.segment.payload.is_empty()
            && !each.segment.payload.is_empty()
            && last.ports() == each.ports()
            && !(last.segment.fin || each.segment.syn)
            && last.offset + last.segment.payload.len() == each.offset
            && last.segment.payload.len() + each.segment.payload.len() <= longest
        {
            last.segment.payload.extend(&each.segment.payload);
            last.segment.fin |= each.segment.fin;
            last.captured = last.segment.payload.len();
        } else {
            result.push(each.clone());
        }
    }
    result
}

/// The sequence numbers of each stream wrap somewhere.
fn wrap_numbers(sent: &[Sent], random: &mut Rng) -> Vec<Sent> {
    let mut shifts = BTreeMap::new();
    for (ports, stream) in streams(sent) {
        let first = sent.iter().find(|each| each.ports() == ports && !each.segment.syn).unwrap();
        let zero = first.segment.sequence.wrapping_sub(first.offset as u32);
        // At SYN, within the data, or at its end.
        let at = random.usize(..=stream.len() + 1) as u32;
        shifts.insert(ports, 0u32.wrapping_sub(at).wrapping_sub(zero).wrapping_add(1));
    }
    let mut sent = sent.to_vec();
    for each in &mut sent {
        let (from, to) = each.ports();
        each.segment.sequence = each.segment.sequence.wrapping_add(shifts[&(from, to)]);
        if let (Some(number), Some(shift)) = (&mut each.segment.acknowledgment, shifts.get(&(to, from))) {
            *number = number.wrapping_add(*shift);
        }
    }
    sent
}

/// The capture keeps no more of a packet.
fn snap(sent: &[Sent], stack: &[Layer], length: usize) -> (Vec<Sent>, Vec<Captured>) {
    let cut: Vec<Captured> = packets(sent, stack).into_iter().map(|packet| packet.cut(length)).collect();
    let mut sent = sent.to_vec();
    for (each, packet) in sent.iter_mut().zip(&cut) {
        let missing = packet.original_length as usize - packet.data.len();
        each.captured = each.segment.payload.len().saturating_sub(missing);
    }
    (sent, cut)
}

const STACKS: [&[Layer]; 32] = [
    &[Ethernet, Ip],
    &[EthernetPadded, Ip],
    &[Snap, Ip],
    &[Cooked, Ip],
    &[Cooked2, Ip],
    &[Loopback { network_order: false }, Ip],
    &[Loopback { network_order: true }, Ip],
    &[Raw, Ip],
    &[Ppp, Ip],
    &[PppHdlc, Ip],
    &[PppShort, Ip],
    &[CiscoHdlc, Ip],
    &[Pppoe, Ppp, Ip],
    &[Ethernet, IpOptions],
    &[Ethernet, Vlan(0x8100), Ip],
    &[EthernetPadded, Vlan(0x88a8), Vlan(0x8100), Ip],
    &[Ethernet, Vlan(0x9100), Vlan(0x9100), Vlan(0x8100), IpOptions],
    &[Cooked, Vlan(0x8100), Ip],
    &[Ethernet, Pppoe, PppShort, Ip],
    &[Ethernet, Mpls(1), Ip],
    &[Ethernet, Mpls(3), ControlWord, Ethernet, Ip],
    &[Ethernet, Outer4, Ip],
    &[Cooked2, Outer6, Ip],
    &[Raw, Outer4, Outer6, Ip],
    &[Ethernet, Outer4, Gre(0), Ip],
    &[Ethernet, Outer6, Gre(GRE_CHECKSUM | GRE_KEY | GRE_SEQUENCE), Ethernet, Vlan(0x8100), Ip],
    &[Raw, Outer4, Gre(GRE_KEY), Mpls(2), Ip],
    &[Ethernet, Outer4, GrePptp, Ppp, Ip],
    &[Ethernet, Outer4, Erspan, Ethernet, Ip],
    &[Ethernet, Outer4, Vxlan(4789), Ethernet, Ip],
    &[Ethernet, Outer6, Vxlan(8472), EthernetPadded, Ip],
    &[Ethernet, Vlan(0x8100), Outer4, Geneve(3), Ethernet, Ip],
];

/// What IPv6 alone has.
const STACKS_V6: [&[Layer]; 2] =
    [&[Ethernet, IpOptions, DestinationOptions, Routing], &[Raw, IpOptions, AtomicFragment]];

#[test]
fn every_layer() {
    let original = Original::read(CODECS);
    let v6 = over_v6(&original.sent);
    for stack in STACKS {
        for (sent, version) in [(&original.sent, 4), (&v6, 6)] {
            let file = pcap(&packets(sent, stack), Order::Little, Pcap::Microseconds, link_type(stack[0]));
            original.assert_same(&original.collect(&file), &format!("{stack:?} IPv{version}"));
        }
    }
    for stack in STACKS_V6 {
        let file = pcap(&packets(&v6, stack), Order::Big, Pcap::Nanoseconds, link_type(stack[0]));
        original.assert_same(&original.collect(&file), &format!("{stack:?}"));
    }
}

#[test]
fn every_file_format() {
    for name in [CODECS, TOKENS] {
        let original = Original::read(name);
        let ethernet = packets(&original.sent, &[Ethernet, Ip]);
        let mut files = Vec::new();
        for order in Order::BOTH {
            for kind in Pcap::ALL {
                files.push((format!("{order:?} {kind:?}"), pcap(&ethernet, order, kind, 1)));
            }
            files.push((format!("pcapng {order:?}"), sections(&original, order)));
        }
        for (what, file) in &files {
            original.assert_same(&original.collect(file), what);
            for compression in Compression::ALL {
                let found = original.collect(&compress(file, compression));
                original.assert_same(&found, &format!("{what} {compression:?}"));
            }
        }
    }
}

/// Sections in either byte order, each with interfaces of several link types and resolutions.
fn sections(original: &Original, first: Order) -> Vec<u8> {
    let stacks: [&[Layer]; 4] =
        [&[Ethernet, Ip], &[Cooked, Vlan(0x8100), Ip], &[Raw, Ip], &[Loopback { network_order: true }, Ip]];
    let wrapped: Vec<Vec<Captured>> = stacks.iter().map(|stack| packets(&original.sent, stack)).collect();
    let mut interfaces: Vec<Interface> =
        stacks.iter().map(|stack| Interface::new(link_type(stack[0]))).collect();
    interfaces[1].if_tsresol = Some(9);
    interfaces[2].if_tsresol = Some(0x80 | 20);
    interfaces[3].if_tsoffset = Some(1_000_000);
    let mut sections = Vec::new();
    for (number, from) in (0..original.sent.len()).step_by(40).enumerate() {
        let order = if (number % 2 == 0) == (first == Order::Little) { Order::Little } else { Order::Big };
        let blocks = (from..original.sent.len().min(from + 40)).flat_map(|index| {
            let interface = index % stacks.len();
            let packet = wrapped[interface][index].clone();
            let packet = match index % 7 {
                0 => Block::Commented(interface as u32, packet),
                1 => Block::Obsolete(interface as u16, packet),
                2 if interface == 0 => Block::Simple(packet),
                _ => Block::Enhanced(interface as u32, packet),
            };
            // Something private now and then.
            let other = (index % 11 == 0).then(|| Block::Other(0x8000_0001, vec![1, 2, 3]));
            other.into_iter().chain([packet])
        });
        sections.push(Section { order, interfaces: interfaces.clone(), blocks: blocks.collect() });
    }
    pcapng(&sections)
}

#[test]
fn fragments_of_ip() {
    let mut random = Rng::with_seed(common::seed());
    let original = Original::read(CODECS);
    let v6 = over_v6(&original.sent);
    let stacks: [(&[Layer], usize); 5] = [
        (&[Ethernet, Ip], 14),
        (&[Ethernet, Vlan(0x8100), Ip], 18),
        (&[Raw, Ip], 0),
        // The tunnel's packets.
        (&[Ethernet, Outer4, Gre(0), Ip], 14),
        (&[Cooked, Outer6, Ip], 16),
    ];
    for (stack, ip) in stacks {
        for (sent, version) in [(&original.sent, 4), (&v6, 6)] {
            for is_shuffled in [false, true] {
                let mut pieces = Vec::new();
                for (number, packet) in packets(sent, stack).into_iter().enumerate() {
                    let size = 8 * random.usize(4..200);
                    let mut parts = fragments(&packet.data, ip, size, number as u16);
                    if parts.len() < 2 {
                        parts = vec![packet.data];
                    }
                    if is_shuffled {
                        random.shuffle(&mut parts);
                    }
                    pieces.extend(parts.into_iter().map(|part| Captured::whole(packet.time, part)));
                }
                assert!(pieces.len() > sent.len());
                let file = pcap(&pieces, Order::Little, Pcap::Nanoseconds, link_type(stack[0]));
                original
                    .assert_same(&original.collect(&file), &format!("{stack:?} IPv{version} {is_shuffled}"));
            }
        }
    }
}

/// Without a fragment, its datagram is gone, and that is told.
#[test]
fn fragments_lost() {
    let original = Original::read(CODECS);
    let mut gone = 0;
    let mut pieces = Vec::new();
    let mut sent = Vec::new();
    for (number, packet) in packets(&original.sent, &[Raw, Ip]).into_iter().enumerate() {
        let mut parts = fragments(&packet.data, 0, 64, number as u16);
        if parts.len() > 1 && number % 9 == 0 {
            parts.pop();
            gone += 1;
        } else {
            sent.push(original.sent[number].clone());
        }
        let whole = if parts.len() < 2 { vec![packet.data] } else { parts };
        pieces.extend(whole.into_iter().map(|part| Captured::whole(packet.time, part)));
    }
    let found = original.collect(&pcap(&pieces, Order::Little, Pcap::Nanoseconds, 101));
    original.assert_rest(&sent, &found, "fragments");
    let told = found.remarks.iter().filter(|remark| matches!(remark, Remark::Layer(_))).count();
    assert!(gone > 5 && told > 0, "{told} of {gone}");
}

/// Offload leaves no length in IP.
#[test]
fn no_length_in_ip() {
    let original = Original::read(CODECS);
    for (sent, at) in [(original.sent.clone(), 16), (over_v6(&original.sent), 18)] {
        let mut packets = packets(&sent, &[Ethernet, Ip]);
        for (packet, each) in packets.iter_mut().zip(&sent) {
            if !each.segment.payload.is_empty() {
                packet.data[at..at + 2].fill(0);
            }
        }
        let file = pcap(&packets, Order::Little, Pcap::Nanoseconds, 1);
        original.assert_same(&original.collect(&file), &format!("length at {at}"));
    }
}

#[test]
fn segments_in_other_order_and_other_pieces() {
    let seed = common::seed();
    for name in [CODECS, TRANSACTIONS, TOKENS] {
        let original = Original::read(name);
        for round in 0..8 {
            let mut random = Rng::with_seed(seed ^ round);
            let random = &mut random;
            let sent = &original.sent;
            let check = |sent: &[Sent], what: &str| {
                let found = original.collect_sent(sent);
                original.assert_same_streams(&found, &format!("{name} {what} round {round}"));
                let differ =
                    |remark: &&Remark| matches!(remark, Remark::Tcp { note: Note::Differs { .. }, .. });
                assert_eq!(found.remarks.iter().find(differ), None, "{name} {what} round {round}");
            };
            check(&wrap_numbers(sent, random), "wrapped");
            check(&duplicate(sent, 3, random), "duplicated");
            check(&split(sent, 300, 0, random), "split");
            check(&split(sent, 300, 40, random), "overlapped");
            check(&join(sent, 16_000), "joined");
            check(&reorder(sent, 1, random), "reordered a little");
            check(&reorder(sent, 3, random), "reordered");
            let all = duplicate(&split(&wrap_numbers(sent, random), 400, 40, random), 4, random);
            check(&reorder(&all, 3, random), "all of it");
        }
        let sent = &original.sent;
        let mut random = Rng::with_seed(seed);
        // Every byte a segment.
        let found = original.collect_sent(&split(sent, 1, 0, &mut random));
        original.assert_same_streams(&found, &format!("{name} byte by byte"));
    }
}

#[test]
fn cut_by_a_snap_length() {
    for name in [CODECS, TRANSACTIONS] {
        let original = Original::read(name);
        let v6 = over_v6(&original.sent);
        for stack in [&[Ethernet, Ip][..], &[Cooked2, Outer4, Gre(0), Ip]] {
            for sent in [&original.sent, &v6] {
                for length in [20, 40, 54, 58, 60, 64, 68, 80, 96, 128, 200, 300, 500, 1000, 4000] {
                    let what = format!("{name} {stack:?} {length}");
                    let (sent, cut) = snap(sent, stack, length);
                    let found =
                        original.collect(&pcap(&cut, Order::Big, Pcap::Microseconds, link_type(stack[0])));
                    let (whole, untold) = original.assert_rest(&sent, &found, &what);
                    println!("{what}: {whole} whole, {untold} untold, {} messages", found.messages.len());
                }
            }
        }
    }
}

#[test]
fn both_ends_cut_off() {
    for name in [CODECS, TRANSACTIONS] {
        let original = Original::read(name);
        let sent = &original.sent;
        for step in 0..24 {
            let gone = (step * step).min(sent.len() / 2);
            for (first, last) in [(gone, 0), (0, gone), (gone, gone)] {
                let what = format!("{name} without the first {first} and the last {last}");
                let sent = &sent[first..sent.len() - last];
                let found = original.collect_sent(sent);
                let (whole, untold) = original.assert_rest(sent, &found, &what);
                assert_all_told(sent, &found, &what);
                println!("{what}: {whole} whole, {untold} untold");
            }
        }
    }
}

#[test]
fn one_direction() {
    for name in [CODECS, TRANSACTIONS] {
        let original = Original::read(name);
        for is_request in [true, false] {
            let ports: HashSet<Ports> = original
                .collected
                .messages
                .iter()
                .filter(|message| message.is_request == is_request)
                .map(|message| message.ports)
                .collect();
            let sent: Vec<Sent> =
                original.sent.iter().filter(|each| ports.contains(&each.ports())).cloned().collect();
            for first in [0, 5, 20, 40] {
                let what = format!("{name} requests {is_request} without the first {first}");
                let sent = &sent[first..];
                let found = original.collect_sent(sent);
                let (whole, untold) = original.assert_rest(sent, &found, &what);
                println!("{what}: {whole} whole, {untold} untold");
                assert!(found.messages.iter().all(|message| !message.is_paired));
            }
        }
    }
}

#[test]
fn packets_lost() {
    let seed = common::seed();
    for name in [CODECS, TRANSACTIONS] {
        let original = Original::read(name);
        let (mut whole, mut untold) = (0, 0);
        for round in 0..40 {
            let mut random = Rng::with_seed(seed ^ round);
            let what = format!("{name} round {round}");
            let one_in = [50, 20, 10, 5][round as usize % 4];
            let mut sent = original.sent.clone();
            if round % 3 == 0 {
                // Requests alone in pieces: one that begins in the list of an ApiVersions response can look like a message.
                let wrapped = wrap_numbers(&sent, &mut random);
                let pieces = wrapped.iter().map(|each| match each.segment.destination.port() {
                    19092 => split(std::slice::from_ref(each), 1000, 0, &mut random),
                    _ => vec![each.clone()],
                });
                sent = pieces.collect::<Vec<_>>().concat();
            }
            sent.retain(|_| random.usize(..one_in) != 0);
            let (told, not) = original.assert_rest(&sent, &original.collect_sent(&sent), &what);
            (whole, untold) = (whole + told, untold + not);
        }
        println!("{name}: {whole} whole, {untold} untold");
        assert!(whole > 1000 && untold * 20 < whole, "{name}: {untold} of {whole} untold");
    }
}
