//! TCP segments are found in packets of every link type, tunnel and oddity.

mod common;

use Layer::*;
use common::packets::{
    GRE_CHECKSUM, GRE_KEY, GRE_ROUTING, GRE_SEQUENCE, Layer, TcpSegment, fragments, link_type, wrap,
};
use kdissect::capture::layers::{Header, LayerNote, LayerNoteKind};
use kdissect::capture::{Layers, Packet, Segment, Time};

fn packet(data: &[u8], link_type: u16) -> Packet<'_> {
    Packet { number: 7, time: Some(Time(1)), link_type, data, original_length: data.len() as u32 }
}

/// The one segment of a packet, which must cause no notes.
fn only<'p>(layers: &'p mut Layers, packet: &Packet<'p>) -> Option<Segment<'p>> {
    layers.segment(packet).unwrap()
}

fn note(data: &[u8], link_type: u16) -> LayerNoteKind {
    Layers::new().segment(&packet(data, link_type)).unwrap_err().kind
}

fn notes(layers: &mut Layers) -> Vec<LayerNoteKind> {
    layers.take_notes().map(|note| note.kind).collect()
}

/// Wraps and unwraps, over IPv4 and IPv6 where the layers allow it.
fn round_trip(layers: &[Layer]) {
    let mut segments = vec![TcpSegment::v4(b"some data")];
    let needs_v6 = layers.iter().any(|layer| matches!(layer, Routing | DestinationOptions | AtomicFragment));
    if needs_v6 {
        segments.clear();
    }
    segments.push(TcpSegment::v6(b"some other data"));
    for mut segment in segments {
        for options in [&[][..], &[1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2]] {
            segment.options = options.to_vec();
            check(layers, &segment, &wrap(&segment, layers));
        }
        segment.payload.clear();
        check(layers, &segment, &wrap(&segment, layers));
    }
}

fn check(stack: &[Layer], segment: &TcpSegment, data: &[u8]) {
    let packet = packet(data, link_type(stack[0]));
    let mut layers = Layers::new();
    let Some(found) = only(&mut layers, &packet) else { panic!("nothing in {stack:?}") };
    assert_eq!(found.length as usize, found.payload.len());
    assert_eq!((found.packet, found.time), (7, Some(Time(1))));
    let mut expected = segment.clone();
    expected.options.clear();
    assert_eq!(TcpSegment::read(&found), expected, "{stack:?}");
    assert_eq!(notes(&mut layers), [], "{stack:?}");
}

#[test]
fn every_link_type() {
    for link in [
        Ethernet,
        EthernetPadded,
        Snap,
        Cooked,
        Cooked2,
        Loopback { network_order: false },
        Loopback { network_order: true },
        Raw,
        Ppp,
        PppHdlc,
        PppShort,
        CiscoHdlc,
    ] {
        round_trip(&[link, Ip]);
        round_trip(&[link, IpOptions]);
    }
    round_trip(&[Pppoe, Ppp, Ip]);
    let v4 = wrap(&TcpSegment::v4(b"x"), &[Raw, Ip]);
    let v6 = wrap(&TcpSegment::v6(b"x"), &[Raw, Ip]);
    for (data, link_type) in
        [(&v4, 12), (&v4, 14), (&v4, 101), (&v4, 228), (&v6, 12), (&v6, 14), (&v6, 101), (&v6, 229)]
    {
        assert_eq!(only(&mut Layers::new(), &packet(data, link_type)).unwrap().payload, b"x");
    }
}

#[test]
fn loopback_families_of_all_systems() {
    let ip = wrap(&TcpSegment::v6(b"x"), &[Ip]);
    for family in [10u32, 24, 28, 30] {
        for head in [family.to_le_bytes(), family.to_be_bytes()] {
            for link_type in [0, 108] {
                let data = [&head[..], &ip].concat();
                assert!(only(&mut Layers::new(), &packet(&data, link_type)).is_some());
            }
        }
    }
}

#[test]
fn tags_tunnels_and_extension_headers() {
    let flags = [
        0,
        GRE_CHECKSUM,
        GRE_KEY,
        GRE_SEQUENCE,
        GRE_ROUTING,
        GRE_CHECKSUM | GRE_KEY | GRE_SEQUENCE,
        GRE_CHECKSUM | GRE_ROUTING | GRE_KEY | GRE_SEQUENCE,
    ];
    let mut stacks: Vec<Vec<Layer>> = vec![
        vec![Ethernet, Vlan(0x8100), Ip],
        vec![Ethernet, Vlan(0x88a8), Vlan(0x8100), Ip],
        vec![Ethernet, Vlan(0x9100), Vlan(0x9100), Vlan(0x8100), Vlan(0x8100), Ip],
        vec![Cooked, Vlan(0x8100), Ip],
        vec![Cooked2, Vlan(0x88a8), Vlan(0x8100), Ip],
        vec![EthernetPadded, Vlan(0x8100), Ip],
        vec![Ethernet, Pppoe, Ppp, Ip],
        vec![Ethernet, Vlan(0x8100), Pppoe, PppShort, Ip],
        vec![Ethernet, Mpls(1), Ip],
        vec![Ethernet, Mpls(3), Ip],
        vec![Ethernet, Mpls(2), Ethernet, Ip],
        vec![Ethernet, Mpls(1), ControlWord, Ethernet, Vlan(0x8100), Ip],
        vec![PppHdlc, Mpls(1), Ip],
        vec![Ethernet, Outer4, Ip],
        vec![Ethernet, Outer6, Ip],
        vec![Ethernet, Outer4, Outer6, Outer4, Ip],
        vec![Ethernet, Outer4, Mpls(1), Ip],
        vec![Ethernet, Outer4, GrePptp, PppHdlc, Ip],
        vec![Ethernet, Outer4, Erspan, Ethernet, Ip],
        vec![Ethernet, Outer4, Vxlan(4789), Ethernet, Ip],
        vec![Ethernet, Outer6, Vxlan(8472), EthernetPadded, Vlan(0x8100), Ip],
        vec![Ethernet, Outer4, Geneve(0), Ethernet, Ip],
        vec![Ethernet, Outer4, Geneve(5), Ip],
        vec![Ethernet, Outer6, Geneve(63), Ethernet, Mpls(1), Ip],
        vec![Ethernet, Outer4, Authentication, Ip],
        vec![Ethernet, Ip, Authentication],
        vec![Ethernet, IpOptions, Routing],
        vec![Ethernet, Ip, DestinationOptions],
        vec![Raw, IpOptions, Routing, AtomicFragment, Authentication, DestinationOptions],
    ];
    for flags in flags {
        stacks.push(vec![Ethernet, Outer4, Gre(flags), Ip]);
        stacks.push(vec![Ethernet, Outer6, Gre(flags), Ethernet, Ip]);
        stacks.push(vec![Cooked2, Outer4, Gre(flags), Mpls(1), Ip]);
    }
    for stack in stacks {
        round_trip(&stack);
    }
}

#[test]
fn flags_are_told() {
    let segment = TcpSegment { syn: true, rst: true, acknowledgment: None, ..TcpSegment::v4(b"") };
    check(&[Ethernet, Ip], &segment, &wrap(&segment, &[Ethernet, Ip]));
    let segment = TcpSegment { fin: true, ..TcpSegment::v4(b"") };
    check(&[Ethernet, Ip], &segment, &wrap(&segment, &[Ethernet, Ip]));
}

#[test]
fn what_is_not_tcp_is_skipped_in_silence() {
    let mut udp = wrap(&TcpSegment::v4(b"abc"), &[Ethernet, Outer4, Vxlan(4790), Ethernet, Ip]);
    assert!(only(&mut Layers::new(), &packet(&udp, 1)).is_none());
    udp[14 + 9] = 1;
    assert!(only(&mut Layers::new(), &packet(&udp, 1)).is_none());
    let arp = [&[0; 12][..], &[8, 6], &[0; 28]].concat();
    assert!(only(&mut Layers::new(), &packet(&arp, 1)).is_none());
    let spanning_tree = [&[0; 12][..], &[0, 38, 0x42, 0x42, 3], &[0; 43]].concat();
    assert!(only(&mut Layers::new(), &packet(&spanning_tree, 1)).is_none());
}

#[test]
fn an_unknown_link_type_is_named() {
    let note = Layers::new().segment(&packet(b"abc", 195)).unwrap_err();
    assert_eq!(note, LayerNote { packet: 7, kind: LayerNoteKind::UnknownLinkType(195) });
    assert_eq!(note.to_string(), "packet 7: link type 195 is not supported");
}

#[test]
fn tunnels_end() {
    let mut stack = vec![Ethernet];
    stack.extend([Outer4; 7]);
    stack.push(Ip);
    round_trip(&stack);
    stack.insert(1, Outer6);
    assert_eq!(note(&wrap(&TcpSegment::v4(b"x"), &stack), 1), LayerNoteKind::TooDeep);
    let mut stack = vec![Ethernet];
    stack.extend([Vlan(0x8100); 100]);
    stack.push(Ip);
    assert_eq!(note(&wrap(&TcpSegment::v4(b"x"), &stack), 1), LayerNoteKind::TooDeep);
}

/// Segmentation offload leaves no length, or that of a header.
#[test]
fn missing_lengths_are_those_of_the_capture() {
    let segment = TcpSegment { options: vec![1; 12], ..TcpSegment::v4(&[b'x'; 5000]) };
    let whole = wrap(&segment, &[Ethernet, Ip]);
    for length in [0u16, 20, 40, 51] {
        let mut data = whole.clone();
        data[16..18].copy_from_slice(&length.to_be_bytes());
        let mut layers = Layers::new();
        for _ in 0..3 {
            let found = only(&mut layers, &packet(&data, 1)).unwrap();
            assert_eq!((found.payload.len(), found.length), (5000, 5000), "{length}");
        }
        assert_eq!(notes(&mut layers), [LayerNoteKind::Offload], "{length}");
        // Cut by the snap length, it had what the capture says it had.
        let cut = Packet { data: &data[..100], ..packet(&data, 1) };
        let found = only(&mut layers, &cut).unwrap();
        assert_eq!((found.payload.len(), found.length), (34, 5000));
    }
    let mut data = wrap(&TcpSegment::v6(&[b'x'; 5000]), &[Ethernet, Ip]);
    data[18..20].fill(0);
    let mut layers = Layers::new();
    assert_eq!(only(&mut layers, &packet(&data, 1)).unwrap().length, 5000);
    assert_eq!(notes(&mut layers), [LayerNoteKind::Offload]);
}

/// More than 64 KiB, as Linux makes it with BIG TCP.
#[test]
fn longer_than_ip_can_say() {
    for segment in [TcpSegment::v4(&[b'x'; 100_000]), TcpSegment::v6(&[b'x'; 100_000])] {
        let mut data = wrap(&segment, &[Ethernet, Ip]);
        let length = if segment.source.is_ipv4() { 16..18 } else { 18..20 };
        data[length].fill(0);
        assert_eq!(only(&mut Layers::new(), &packet(&data, 1)).unwrap().length, 100_000);
    }
}

#[test]
fn a_length_that_only_padding_follows_is_broken() {
    let mut data = wrap(&TcpSegment::v4(b""), &[EthernetPadded, Ip]);
    data[16..18].copy_from_slice(&19u16.to_be_bytes());
    assert_eq!(note(&data, 1), LayerNoteKind::TotalLength { length: 19, header: 20 });
    data[16..18].copy_from_slice(&30u16.to_be_bytes());
    let short = LayerNoteKind::HeaderTooLong { header: Header::Tcp, wanted: 20, found: 10 };
    assert_eq!(note(&data, 1), short);
}

/// Cut at every length, a packet gives what is there, with the length that IP says, or says what is missing.
#[test]
fn snap_lengths() {
    for stack in [
        &[Ethernet, Ip][..],
        &[Cooked2, Vlan(0x8100), IpOptions],
        &[Ethernet, Outer6, Gre(GRE_KEY), Ethernet, Ip],
        &[Ethernet, Outer4, Geneve(2), Ip, Authentication],
    ] {
        for mut segment in [TcpSegment::v4(b"0123456789"), TcpSegment::v6(b"0123456789")] {
            segment.options = vec![1; 8];
            let whole = wrap(&segment, stack);
            for length in 0..=whole.len() {
                let cut = Packet { data: &whole[..length], ..packet(&whole, link_type(stack[0])) };
                let mut layers = Layers::new();
                let missing = whole.len() - length;
                match layers.segment(&cut) {
                    Ok(Some(found)) => {
                        assert!(missing <= 18);
                        assert_eq!(found.length, 10);
                        assert_eq!(found.payload, &segment.payload[..10usize.saturating_sub(missing)]);
                    }
                    Ok(None) => assert!(stack.iter().any(|layer| matches!(layer, Geneve(_)))),
                    Err(note) => {
                        assert!(missing > 18);
                        assert!(matches!(note.kind, LayerNoteKind::HeaderCut { .. }), "{note}");
                    }
                }
            }
        }
    }
}

#[test]
fn broken_headers_are_told() {
    let whole = wrap(&TcpSegment::v4(b"abc"), &[Ethernet, Ip]);
    let with = |at: usize, byte: u8| {
        let mut data = whole.clone();
        data[at] = byte;
        note(&data, 1)
    };
    assert_eq!(with(14, 0x44), LayerNoteKind::HeaderLength { length: 16 });
    assert_eq!(with(14, 0x65), LayerNoteKind::IpVersion { announced: 4, found: 6 });
    assert_eq!(with(14 + 20 + 12, 0x40), LayerNoteKind::DataOffset { offset: 16, length: 23 });
    assert_eq!(with(14 + 20 + 12, 0x60), LayerNoteKind::DataOffset { offset: 24, length: 23 });
    let mut v6 = wrap(&TcpSegment::v6(b"abc"), &[Ethernet, Ip]);
    v6[14] = 0x45;
    assert_eq!(note(&v6, 1), LayerNoteKind::IpVersion { announced: 6, found: 4 });
}

/// The segment that fragments make, in an order.
fn reassemble(layers: &mut Layers, fragments: &[Vec<u8>], order: &[usize]) -> Option<TcpSegment> {
    let mut found = None;
    for (position, index) in order.iter().enumerate() {
        let packet = Packet { number: position as u64 + 1, ..packet(&fragments[*index], 1) };
        if let Some(segment) = only(layers, &packet) {
            assert_eq!(segment.packet, position as u64 + 1);
            found = Some(TcpSegment::read(&segment));
        }
    }
    found
}

#[test]
fn fragments_in_any_order() {
    let mut random = fastrand::Rng::with_seed(common::seed());
    for stack in [&[Ethernet, Ip][..], &[Ethernet, IpOptions], &[Ethernet, Ip, Authentication]] {
        for segment in [TcpSegment::v4(&[7; 3000]), TcpSegment::v6(&[7; 3000])] {
            let fragments = fragments(&wrap(&segment, stack), 14, 200 & !7, 9);
            let mut order: Vec<usize> = (0..fragments.len()).collect();
            for _ in 0..20 {
                let mut layers = Layers::new();
                assert_eq!(reassemble(&mut layers, &fragments, &order).as_ref(), Some(&segment));
                layers.finish();
                assert_eq!(notes(&mut layers), []);
                random.shuffle(&mut order);
            }
            // All twice, as a capture on several interfaces has them.
            let twice: Vec<usize> = (0..fragments.len()).flat_map(|index| [index, index]).collect();
            assert_eq!(reassemble(&mut Layers::new(), &fragments, &twice[..twice.len() - 1]), Some(segment));
        }
    }
}

#[test]
fn fragments_in_fragments() {
    let segment = TcpSegment::v6(&[3; 2000]);
    let inner = fragments(&wrap(&segment, &[Ip]), 0, 800, 1);
    let tunnel = wrap(&TcpSegment::v4(b""), &[Ethernet, Outer4]);
    let mut layers = Layers::new();
    let mut found = None;
    for (identification, inner) in inner.iter().enumerate() {
        let mut outer = tunnel[..34].to_vec();
        outer[14 + 9] = 41;
        outer.extend(inner);
        for outer in fragments(&outer, 14, 400, identification as u16) {
            found = only(&mut layers, &packet(&outer, 1)).map(|segment| TcpSegment::read(&segment)).or(found);
        }
    }
    assert_eq!(found, Some(segment));
}

#[test]
fn overlapping_fragments_are_dropped() {
    for segment in [TcpSegment::v4(&[7; 300]), TcpSegment::v6(&[7; 300])] {
        let whole = wrap(&segment, &[Ethernet, Ip]);
        let (small, large) = (fragments(&whole, 14, 80, 9), fragments(&whole, 14, 160, 9));
        for second in [&large[0], &large[1]] {
            let mut layers = Layers::new();
            assert!(only(&mut layers, &packet(&small[0], 1)).is_none());
            assert!(only(&mut layers, &packet(&small[2], 1)).is_none());
            assert!(only(&mut layers, &packet(second, 1)).is_none());
            assert_eq!(notes(&mut layers), [LayerNoteKind::FragmentsOverlap]);
        }
        let mut other = small[0].clone();
        *other.last_mut().unwrap() ^= 1;
        let mut layers = Layers::new();
        assert!(only(&mut layers, &packet(&small[0], 1)).is_none());
        assert!(only(&mut layers, &packet(&other, 1)).is_none());
        assert_eq!(notes(&mut layers), [LayerNoteKind::FragmentsOverlap]);
    }
}

/// What the capture cut off a fragment is missing from there on, and no more.
#[test]
fn fragments_cut_by_the_snap_length() {
    let segment = TcpSegment::v4(&[7; 300]);
    let fragments = fragments(&wrap(&segment, &[Ethernet, Ip]), 14, 80, 9);
    let mut layers = Layers::new();
    let (last, others) = fragments.split_last().unwrap();
    for (index, data) in others.iter().enumerate() {
        let cut = if index == 2 { &data[..54] } else { data };
        assert!(only(&mut layers, &Packet { data: cut, ..packet(data, 1) }).is_none());
    }
    let found = only(&mut layers, &packet(last, 1)).unwrap();
    assert_eq!((found.payload.len(), found.length), (80 + 80 + 20 - 20, 300));
}

#[test]
fn fragments_are_bounded_in_number_bytes_and_age() {
    let segment = TcpSegment::v4(&[7; 60_000]);
    let whole = wrap(&segment, &[Ethernet, Ip]);
    let mut layers = Layers::new();
    for identification in 0..300 {
        let first = &fragments(&whole, 14, 8, identification)[0];
        assert!(only(&mut layers, &packet(first, 1)).is_none());
    }
    assert_eq!(notes(&mut layers), [LayerNoteKind::TooManyFragments { fragments: 1 }; 300 - 256]);
    let mut layers = Layers::new();
    for identification in 0..100 {
        let fragments = fragments(&whole, 14, 59_200, identification);
        assert!(only(&mut layers, &packet(&fragments[0], 1)).is_none());
    }
    assert_eq!(notes(&mut layers).len(), 100 - (4 << 20) / 59_300);
    let fragments = fragments(&whole, 14, 30_000, 1);
    let mut layers = Layers::new();
    let early = Packet { time: Some(Time(1_000_000_000)), ..packet(&fragments[0], 1) };
    assert!(only(&mut layers, &early).is_none());
    let late = Packet { number: 9, time: Some(Time(100_000_000_000)), ..packet(&fragments[1], 1) };
    assert!(only(&mut layers, &late).is_none());
    layers.finish();
    let notes: Vec<String> = layers.take_notes().map(|note| note.to_string()).collect();
    let told = |packet: u64| {
        format!("packet {packet}: IP datagram never completed: 1 fragment seen, others missing")
    };
    assert_eq!(notes, [told(7), told(9)]);
}

#[test]
fn a_fragment_beyond_the_longest_datagram_is_dropped() {
    let mut data = fragments(&wrap(&TcpSegment::v4(&[7; 300]), &[Ethernet, Ip]), 14, 160, 9).remove(1);
    data[20..22].copy_from_slice(&0x1fffu16.to_be_bytes());
    let mut layers = Layers::new();
    assert!(only(&mut layers, &packet(&data, 1)).is_none());
    assert_eq!(notes(&mut layers), [LayerNoteKind::FragmentRange]);
}

/// The packets of another builder mean the same to us.
#[test]
fn packets_that_etherparse_builds() {
    use etherparse::{PacketBuilder, VlanId};
    let mut random = fastrand::Rng::with_seed(common::seed());
    for _ in 0..200 {
        let payload: Vec<u8> = (0..random.usize(..1000)).map(|_| random.u8(..)).collect();
        let (ports, sequence) = ((random.u16(..), random.u16(..)), random.u32(..));
        let link = PacketBuilder::ethernet2([1; 6], [2; 6]);
        let is_v4 = random.bool();
        let ip = match (random.bool(), is_v4) {
            (true, true) => link.single_vlan(VlanId::ZERO).ipv4([1, 2, 3, 4], [5, 6, 7, 8], 9),
            (false, true) => link.ipv4([1, 2, 3, 4], [5, 6, 7, 8], 9),
            (_, false) => link.ipv6([1; 16], [2; 16], 9),
        };
        let tcp = ip.tcp(ports.0, ports.1, sequence, 100).ack(17).psh();
        let mut data = Vec::new();
        tcp.write(&mut data, &payload).unwrap();
        let mut layers = Layers::new();
        let found = only(&mut layers, &packet(&data, 1)).unwrap();
        assert_eq!((found.source.port, found.destination.port), ports);
        assert_eq!((found.sequence, found.acknowledgment, found.payload), (sequence, Some(17), &payload[..]));
        assert_eq!(found.source.address.is_ipv4(), is_v4);
    }
}

/// Bytes that are changed at random do no harm, whatever link type they are said to have.
#[test]
fn random_packets_do_no_harm() {
    let mut random = fastrand::Rng::with_seed(common::seed());
    let stacks: [&[Layer]; 7] = [
        &[Ethernet, Ip],
        &[Cooked, Vlan(0x8100), IpOptions],
        &[Ethernet, Outer6, Gre(0xf000), Ethernet, Ip],
        &[Ethernet, Outer4, Erspan, Ethernet, Ip],
        &[Ethernet, Outer4, Geneve(2), Ip, Authentication],
        &[Ethernet, Mpls(3), ControlWord, Ethernet, Pppoe, Ppp, Ip],
        &[Ethernet, Outer4, GrePptp, PppHdlc, Ip],
    ];
    let mut layers = Layers::new();
    for number in 0..50_000 {
        let stack = stacks[random.usize(..stacks.len())];
        let payload = vec![random.u8(..); random.usize(..200)];
        let segment = if random.bool() { TcpSegment::v4(&payload) } else { TcpSegment::v6(&payload) };
        let mut data = wrap(&segment, stack);
        if stack.len() == 2 {
            let mut pieces = fragments(&data, 14, 32, random.u16(..4));
            data = pieces.swap_remove(random.usize(..pieces.len()));
        }
        for _ in 0..random.usize(..6) {
            let at = random.usize(..data.len());
            data[at] = random.u8(..);
        }
        data.truncate(data.len() - random.usize(..data.len().min(40)));
        let link_types = [0, 1, 9, 12, 50, 51, 101, 104, 108, 113, 228, 229, 276, 9999];
        let link_type =
            if random.u8(..) < 200 { link_type(stack[0]) } else { link_types[random.usize(..14)] };
        let original_length = random.u32(..70_000);
        let time = Some(Time(number as i64 * 1_000_000));
        let packet = Packet { number, time, link_type, data: &data, original_length };
        if let Ok(Some(segment)) = layers.segment(&packet) {
            assert!(segment.payload.len() <= segment.length as usize);
        }
    }
    layers.finish();
}
