//! TCP segments wrapped in layers, as packets of captures have them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use kdissect::capture::Segment;

/// A TCP segment to be wrapped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TcpSegment {
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub sequence: u32,
    pub acknowledgment: Option<u32>,
    pub syn: bool,
    pub fin: bool,
    pub rst: bool,
    pub options: Vec<u8>,
    pub payload: Vec<u8>,
}

impl TcpSegment {
    /// A segment from port 50000 to port 9092 over IPv4.
    pub fn v4(payload: &[u8]) -> TcpSegment {
        TcpSegment {
            source: "10.0.0.1:50000".parse().unwrap(),
            destination: "10.0.0.2:9092".parse().unwrap(),
            sequence: 0x0102_0304,
            acknowledgment: Some(0x0506_0708),
            syn: false,
            fin: false,
            rst: false,
            options: Vec::new(),
            payload: payload.to_vec(),
        }
    }

    /// The same over IPv6.
    pub fn v6(payload: &[u8]) -> TcpSegment {
        TcpSegment {
            source: "[fd00::1]:50000".parse().unwrap(),
            destination: "[fd00::2]:9092".parse().unwrap(),
            ..TcpSegment::v4(payload)
        }
    }

    /// What was read, to be wrapped again. What the capture had cut off is zeros.
    pub fn read(segment: &Segment<'_>) -> TcpSegment {
        let mut payload = segment.payload.to_vec();
        payload.resize(segment.length as usize, 0);
        TcpSegment {
            source: SocketAddr::new(segment.source.address, segment.source.port),
            destination: SocketAddr::new(segment.destination.address, segment.destination.port),
            sequence: segment.sequence,
            acknowledgment: segment.acknowledgment,
            syn: segment.syn,
            fin: segment.fin,
            rst: segment.rst,
            options: Vec::new(),
            payload,
        }
    }

    /// Header and data. The checksum is left 0, as offload leaves it.
    pub fn bytes(&self) -> Vec<u8> {
        assert!(self.options.len().is_multiple_of(4) && self.options.len() <= 40);
        let flags = u8::from(self.fin)
            | u8::from(self.syn) << 1
            | u8::from(self.rst) << 2
            | u8::from(self.acknowledgment.is_some()) << 4;
        let mut bytes = Vec::new();
        bytes.extend(self.source.port().to_be_bytes());
        bytes.extend(self.destination.port().to_be_bytes());
        bytes.extend(self.sequence.to_be_bytes());
        bytes.extend(self.acknowledgment.unwrap_or(0).to_be_bytes());
        bytes.extend([((20 + self.options.len()) as u8 / 4) << 4, flags, 0xff, 0xff, 0, 0, 0, 0]);
        bytes.extend(&self.options);
        bytes.extend(&self.payload);
        bytes
    }
}

/// What a segment is wrapped in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    Ethernet,
    /// Padded to 60 bytes, which is what a frame has at the least.
    EthernetPadded,
    /// 802.3 with 802.2 and SNAP.
    Snap,
    /// A VLAN tag with this EtherType.
    Vlan(u16),
    Cooked,
    Cooked2,
    /// BSD loopback, in little-endian order or in the network's.
    Loopback {
        network_order: bool,
    },
    /// No link layer.
    Raw,
    Ppp,
    /// With address and control.
    PppHdlc,
    /// With the protocol in one byte.
    PppShort,
    CiscoHdlc,
    /// A PPPoE session's head. A layer of PPP must follow.
    Pppoe,
    /// So many labels.
    Mpls(usize),
    /// What may follow labels before Ethernet.
    ControlWord,
    /// With these flags of checksum, routing, key and sequence number.
    Gre(u16),
    /// PPTP's. A layer of PPP must follow.
    GrePptp,
    /// The second version of ERSPAN, in GRE. Ethernet must follow.
    Erspan,
    /// In UDP to this port. Ethernet must follow.
    Vxlan(u16),
    /// In UDP, with so many words of options.
    Geneve(usize),
    /// The segment's own addresses.
    Ip,
    /// The same with options; in IPv6 a hop-by-hop header.
    IpOptions,
    /// A tunnel's IPv4.
    Outer4,
    /// A tunnel's IPv6.
    Outer6,
    Routing,
    DestinationOptions,
    Authentication,
    /// A fragment header on what is no fragment.
    AtomicFragment,
}

pub const GRE_CHECKSUM: u16 = 1 << 15;
pub const GRE_ROUTING: u16 = 1 << 14;
pub const GRE_KEY: u16 = 1 << 13;
pub const GRE_SEQUENCE: u16 = 1 << 12;

/// What the bytes of a layer are to the layer around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Protocol(u8),
    EtherType(u16),
    Ppp,
}

const IPV4: What = What::EtherType(0x0800);
const IPV6: What = What::EtherType(0x86dd);

impl What {
    fn ether_type(self) -> u16 {
        match self {
            What::EtherType(ether_type) => ether_type,
            What::Ppp => 0x880b,
            What::Protocol(_) => panic!("an IP protocol without IP"),
        }
    }

    fn protocol(self) -> u8 {
        match self {
            What::Protocol(protocol) => protocol,
            IPV4 => 4,
            IPV6 => 41,
            What::EtherType(0x8847) => 137,
            _ => panic!("no IP protocol"),
        }
    }

    fn ppp(self) -> u16 {
        match self {
            IPV4 => 0x21,
            IPV6 => 0x57,
            What::EtherType(0x8847) => 0x281,
            _ => panic!("no protocol of PPP"),
        }
    }
}

/// The link type of packets whose outermost layer is this one.
pub fn link_type(outermost: Layer) -> u16 {
    match outermost {
        Layer::Ethernet | Layer::EthernetPadded | Layer::Snap => 1,
        Layer::Cooked => 113,
        Layer::Cooked2 => 276,
        Layer::Loopback { network_order: false } => 0,
        Layer::Loopback { network_order: true } => 108,
        Layer::Ppp | Layer::PppShort => 9,
        Layer::PppHdlc => 50,
        Layer::CiscoHdlc => 104,
        Layer::Pppoe => 51,
        _ => 101,
    }
}

/// A packet: the segment in layers, the outermost first.
pub fn wrap(segment: &TcpSegment, layers: &[Layer]) -> Vec<u8> {
    wrap_with(segment, layers).0
}

fn wrap_with(segment: &TcpSegment, layers: &[Layer]) -> (Vec<u8>, What) {
    let Some((layer, inner)) = layers.split_first() else {
        return (segment.bytes(), What::Protocol(6));
    };
    let (bytes, what) = wrap_with(segment, inner);
    let (head, outer) = match *layer {
        Layer::Ethernet | Layer::EthernetPadded => {
            let mut head = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2];
            head.extend(what.ether_type().to_be_bytes());
            (head, What::EtherType(0x6558))
        }
        Layer::Snap => {
            let mut head = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2];
            head.extend((bytes.len() as u16 + 8).to_be_bytes());
            head.extend([0xaa, 0xaa, 3, 0, 0, 0]);
            head.extend(what.ether_type().to_be_bytes());
            (head, What::EtherType(0x6558))
        }
        Layer::Vlan(ether_type) => {
            let mut head = vec![0x20, 100];
            head.extend(what.ether_type().to_be_bytes());
            (head, What::EtherType(ether_type))
        }
        Layer::Cooked => {
            let mut head = vec![0, 0, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0];
            head.extend(what.ether_type().to_be_bytes());
            (head, What::Ppp)
        }
        Layer::Cooked2 => {
            let mut head = what.ether_type().to_be_bytes().to_vec();
            head.extend([0, 0, 0, 0, 0, 1, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0]);
            (head, What::Ppp)
        }
        Layer::Loopback { network_order } => {
            let family: u32 = if what == IPV4 { 2 } else { 30 };
            let head = if network_order { family.to_be_bytes() } else { family.to_le_bytes() };
            (head.to_vec(), What::Ppp)
        }
        Layer::Raw => (Vec::new(), what),
        Layer::Ppp => (what.ppp().to_be_bytes().to_vec(), What::Ppp),
        Layer::PppHdlc => ([&[0xff, 3], &what.ppp().to_be_bytes()[..]].concat(), What::Ppp),
        Layer::PppShort => (vec![what.ppp() as u8], What::Ppp),
        Layer::CiscoHdlc => ([&[0x0f, 0], &what.ether_type().to_be_bytes()[..]].concat(), What::Ppp),
        Layer::Pppoe => {
            let mut head = vec![0x11, 0, 0, 7];
            head.extend((bytes.len() as u16).to_be_bytes());
            (head, What::EtherType(0x8864))
        }
        Layer::Mpls(labels) => {
            let label = |index: usize| [0, 1, u8::from(index + 1 == labels) | 0x20, 64];
            ((0..labels).flat_map(label).collect(), What::EtherType(0x8847))
        }
        Layer::ControlWord => (vec![0, 0, 0, 1], what),
        Layer::Gre(flags) => {
            let mut head = flags.to_be_bytes().to_vec();
            head.extend(what.ether_type().to_be_bytes());
            if flags & (GRE_CHECKSUM | GRE_ROUTING) != 0 {
                head.extend([1, 2, 0, 0]);
            }
            if flags & GRE_KEY != 0 {
                head.extend([0, 0, 0, 9]);
            }
            if flags & GRE_SEQUENCE != 0 {
                head.extend([0, 0, 0, 8]);
            }
            if flags & GRE_ROUTING != 0 {
                head.extend([8, 0, 0, 4, 10, 9, 9, 9, 0, 0, 0, 0]);
            }
            (head, What::Protocol(47))
        }
        Layer::GrePptp => {
            let mut head = vec![0x30, 0x81, 0x88, 0x0b];
            head.extend((bytes.len() as u16).to_be_bytes());
            head.extend([0, 1, 0, 0, 0, 2, 0, 0, 0, 3]);
            (head, What::Protocol(47))
        }
        Layer::Erspan => {
            (vec![0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 0, 0, 1, 0, 0, 0, 0], What::Protocol(47))
        }
        Layer::Vxlan(port) => {
            let mut head = udp(port, 8 + bytes.len());
            head.extend([8, 0, 0, 0, 0, 0, 42, 0]);
            (head, What::Protocol(17))
        }
        Layer::Geneve(words) => {
            let mut head = udp(6081, 8 + 4 * words + bytes.len());
            head.extend([words as u8, 0]);
            head.extend(what.ether_type().to_be_bytes());
            head.extend([0, 0, 42, 0]);
            head.extend(vec![0; 4 * words]);
            (head, What::Protocol(17))
        }
        Layer::Ip | Layer::IpOptions => {
            ip(segment.source.ip(), segment.destination.ip(), *layer == Layer::IpOptions, what, &bytes)
        }
        Layer::Outer4 => {
            ip(Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::new(192, 0, 2, 2).into(), false, what, &bytes)
        }
        Layer::Outer6 => {
            let [source, destination] = [1, 2].map(|last| Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, last));
            ip(source.into(), destination.into(), false, what, &bytes)
        }
        Layer::Routing => {
            let mut head = vec![what.protocol(), 2, 4, 0, 0, 0, 0, 0];
            head.extend([0; 16]);
            (head, What::Protocol(43))
        }
        Layer::DestinationOptions => (vec![what.protocol(), 0, 1, 4, 0, 0, 0, 0], What::Protocol(60)),
        Layer::Authentication => {
            let mut head = vec![what.protocol(), 4, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1];
            head.extend([0xcc; 12]);
            (head, What::Protocol(51))
        }
        Layer::AtomicFragment => (vec![what.protocol(), 0, 0, 0, 0, 0, 0, 5], What::Protocol(44)),
    };
    let mut packet = [head, bytes].concat();
    if *layer == Layer::EthernetPadded && packet.len() < 60 {
        packet.resize(60, 0xee);
    }
    (packet, outer)
}

fn udp(port: u16, len: usize) -> Vec<u8> {
    let mut head = vec![0xc0, 0];
    head.extend(port.to_be_bytes());
    head.extend((8 + len as u16).to_be_bytes());
    head.extend([0, 0]);
    head
}

fn ip(source: IpAddr, destination: IpAddr, options: bool, what: What, bytes: &[u8]) -> (Vec<u8>, What) {
    let mut head = Vec::new();
    match (source, destination) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            let length = if options { 28 } else { 20 };
            head.extend([0x40 | (length / 4), 0]);
            head.extend((u16::from(length) + bytes.len() as u16).to_be_bytes());
            head.extend([0x12, 0x34, 0x40, 0, 64, what.protocol(), 0, 0]);
            head.extend(source.octets());
            head.extend(destination.octets());
            if options {
                head.extend([7, 7, 4, 0, 0, 0, 0, 0]);
            }
            (head, IPV4)
        }
        (IpAddr::V6(source), IpAddr::V6(destination)) => {
            let length = if options { 8 } else { 0 };
            head.extend([0x60, 0, 0, 0]);
            head.extend((length + bytes.len() as u16).to_be_bytes());
            head.extend([if options { 0 } else { what.protocol() }, 64]);
            head.extend(source.octets());
            head.extend(destination.octets());
            if options {
                head.extend([what.protocol(), 0, 1, 4, 0, 0, 0, 0]);
            }
            (head, IPV6)
        }
        _ => panic!("addresses of two kinds"),
    }
}

/// The fragments of a packet whose IP header begins at `ip`, with `size` bytes of data each, a multiple of 8. Extension headers go
/// with the data.
pub fn fragments(packet: &[u8], ip: usize, size: usize, identification: u16) -> Vec<Vec<u8>> {
    assert!(size > 0 && size.is_multiple_of(8));
    let is_v4 = packet[ip] >> 4 == 4;
    let header = if is_v4 { usize::from(packet[ip] & 15) * 4 } else { 40 };
    let (head, data) = packet.split_at(ip + header);
    let count = data.len().div_ceil(size);
    let fragment = |(index, data): (usize, &[u8])| {
        let place = (index * size) as u16;
        let more = index + 1 < count;
        let mut fragment = head.to_vec();
        if is_v4 {
            let place = (place / 8) | (u16::from(more) << 13);
            fragment[ip + 2..ip + 4].copy_from_slice(&((header + data.len()) as u16).to_be_bytes());
            fragment[ip + 4..ip + 6].copy_from_slice(&identification.to_be_bytes());
            fragment[ip + 6..ip + 8].copy_from_slice(&place.to_be_bytes());
        } else {
            fragment[ip + 4..ip + 6].copy_from_slice(&((8 + data.len()) as u16).to_be_bytes());
            let next = std::mem::replace(&mut fragment[ip + 6], 44);
            fragment.extend([next, 0]);
            fragment.extend((place | u16::from(more)).to_be_bytes());
            fragment.extend(u32::from(identification).to_be_bytes());
        }
        fragment.extend(data);
        fragment
    };
    data.chunks(size).enumerate().map(fragment).collect()
}
