//! What is odd about the layers of a packet.

use std::fmt;

/// A remark on a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerNote {
    /// The number of the packet it is about.
    pub packet: u64,
    /// What it is.
    pub kind: LayerNoteKind,
}

/// What is odd about the layers of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LayerNoteKind {
    /// Nobody here knows how packets of this link type begin.
    UnknownLinkType(u16),
    /// The capture ends within a header.
    HeaderCut {
        /// Which header.
        header: Header,
        /// How many bytes it needs.
        wanted: usize,
        /// How many of them were captured.
        found: usize,
    },
    /// The header does not fit in the layer around it.
    HeaderTooLong {
        /// Which header.
        header: Header,
        /// How many bytes it needs.
        wanted: usize,
        /// How many it has there.
        found: usize,
    },
    /// What should be an IP header has the version of another, or of none.
    IpVersion {
        /// The version that was announced.
        announced: u8,
        /// The version that was found.
        found: u8,
    },
    /// The length of an IPv4 header is less than its fixed part has.
    HeaderLength {
        /// The length in bytes.
        length: usize,
    },
    /// The total length of an IPv4 datagram is less than its header has.
    TotalLength {
        /// The total length.
        length: usize,
        /// The header's length.
        header: usize,
    },
    /// The data of a TCP segment would begin within its fixed header, or behind its end.
    DataOffset {
        /// Where it would begin, in bytes.
        offset: usize,
        /// How long the segment is.
        length: usize,
    },
    /// There are more layers in each other than anybody needs.
    TooDeep,
    /// IP does not say how long the packet is, so the capture does. This is told once.
    Offload,
    /// Fragments overlap, so that nobody can tell what the receiver saw. The datagram is dropped (RFC 5722).
    FragmentsOverlap,
    /// A fragment reaches beyond the longest datagram, or beyond the end of its own. The datagram is dropped.
    FragmentRange,
    /// A datagram never became complete.
    FragmentsMissing {
        /// How many of its fragments there were.
        fragments: usize,
    },
    /// There were too many incomplete datagrams at a time, and this one was given up.
    TooManyFragments {
        /// How many of its fragments there were.
        fragments: usize,
    },
    /// There were more notes than fit.
    More {
        /// How many.
        notes: u64,
    },
}

/// The headers that may be cut off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Header {
    /// Of the link layer, whichever it is.
    Link,
    /// A VLAN tag.
    Vlan,
    /// A stack of MPLS labels.
    Mpls,
    /// PPP or PPPoE.
    Ppp,
    /// GRE.
    Gre,
    /// IPv4.
    Ipv4,
    /// IPv6.
    Ipv6,
    /// An extension header of IPv6, or an authentication header.
    Extension,
    /// TCP.
    Tcp,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Header::Link => "link-layer header",
            Header::Vlan => "VLAN tag",
            Header::Mpls => "stack of MPLS labels",
            Header::Ppp => "PPP header",
            Header::Gre => "GRE header",
            Header::Ipv4 => "IPv4 header",
            Header::Ipv6 => "IPv6 header",
            Header::Extension => "extension header",
            Header::Tcp => "TCP header",
        })
    }
}

impl fmt::Display for LayerNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "packet {}: {}", self.packet, self.kind)
    }
}

impl fmt::Display for LayerNoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LayerNoteKind::UnknownLinkType(number) => write!(f, "link type {number} is not supported"),
            LayerNoteKind::HeaderCut { header, wanted, found } => {
                write!(f, "the capture ends in the {header}, {found} of whose {wanted} bytes are there; skipped")
            }
            LayerNoteKind::HeaderTooLong { header, wanted, found } => {
                write!(f, "the {header} needs {wanted} bytes, and the layer around it has {found}; skipped")
            }
            LayerNoteKind::IpVersion { announced, found } => {
                write!(f, "the header of IPv{announced} says version {found}; skipped")
            }
            LayerNoteKind::HeaderLength { length } => {
                write!(f, "the IPv4 header says it has {length} bytes, and none has less than 20; skipped")
            }
            LayerNoteKind::TotalLength { length, header } => {
                write!(f, "IPv4 total length {length} is less than the {header} bytes of its header; skipped")
            }
            LayerNoteKind::DataOffset { offset, length } => {
                write!(f, "TCP data offset {offset} makes no sense in a segment of {length} bytes; skipped")
            }
            LayerNoteKind::TooDeep => f.write_str("there are too many layers in each other; skipped"),
            LayerNoteKind::Offload => f.write_str(
                "IP says no length, as segmentation offload leaves it; what was captured is used here and in like packets",
            ),
            LayerNoteKind::FragmentsOverlap => f.write_str("IP fragments overlap; their datagram is dropped"),
            LayerNoteKind::FragmentRange => {
                f.write_str("an IP fragment reaches too far; its datagram is dropped")
            }
            LayerNoteKind::FragmentsMissing { fragments } => {
                write!(f, "IP datagram never completed: {} seen, others missing", count(fragments, "fragment"))
            }
            LayerNoteKind::TooManyFragments { fragments } => {
                let seen = count(fragments, "fragment");
                write!(f, "IP datagram given up with {seen}: too many are incomplete at a time")
            }
            LayerNoteKind::More { notes } => write!(f, "{notes} more remarks were left out"),
        }
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
