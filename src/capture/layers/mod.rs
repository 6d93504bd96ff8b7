//! What lies between a packet's first byte and its TCP segment: link layers, tags, tunnels, IP and its fragments.
//!
//! - Link types: Ethernet, Linux cooked v1 and v2, BSD loopback, raw IP, PPP, PPPoE, Cisco HDLC.
//! - In front of IP: VLAN tags, 802.2 with SNAP, MPLS, PPPoE. Around IP: GRE, VXLAN, Geneve, IP in IP, authentication headers.
//! - IP: its length decides how long a segment is, as padding may follow; only where segmentation offload left no length does the capture.
//!   Checksums are not looked at, since offload leaves them to the network card, and what the kernel sees is wrong.
//!
//! A packet whose headers are cut off or make no sense is skipped, and the reason told. What is not TCP is skipped in silence.

mod common;
mod fragments;
mod gre;
mod ip;
mod link;
mod mpls;
mod note;
mod piece;
mod ppp;
mod tcp;
mod udp;
mod walk;

pub use note::{Header, LayerNote, LayerNoteKind};

use self::fragments::Fragments;
use self::piece::Piece;
use self::walk::{Found, Layer, walk};
use super::Segment;
use super::file::{MOST_OF_A_PACKET, Notes, Packet};

/// Finds the TCP segment in each packet. Datagrams that came in fragments are put together, in bounded memory.
pub struct Layers {
    fragments: Fragments,
    /// The datagram that was put together last, from behind its IP header on.
    datagram: Vec<u8>,
    notes: Notes<LayerNote>,
    /// Whether it was told that lengths are missing.
    told_offload: bool,
    /// The number of the last packet.
    packet: u64,
}

impl Default for Layers {
    fn default() -> Layers {
        Layers::new()
    }
}

impl Layers {
    /// Without any fragments yet.
    pub fn new() -> Layers {
        Layers {
            fragments: Fragments::default(),
            datagram: Vec::new(),
            notes: Notes::new(),
            told_offload: false,
            packet: 0,
        }
    }

    /// The TCP segment that a packet has, or completes; `None` if it has none.
    ///
    /// # Errors
    /// If the link type is unknown or the headers cannot be read. That is about this packet alone.
    pub fn segment<'p>(&'p mut self, packet: &Packet<'p>) -> Result<Option<Segment<'p>>, LayerNote> {
        self.packet = packet.number;
        let wire = match packet.original_length {
            wire @ ..=MOST_OF_A_PACKET => wire as usize,
            _ => packet.data.len(),
        };
        let piece = Piece { data: packet.data, wire: wire.max(packet.data.len()) };
        if let Some(segment) = common::segment(packet.link_type, piece) {
            return Ok(Some(segment.of(packet)));
        }
        let mut offload = false;
        let found = walk(Layer::Link(packet.link_type), piece, &mut offload);
        if offload && !self.told_offload {
            self.told_offload = true;
            self.notes.add(LayerNote { packet: packet.number, kind: LayerNoteKind::Offload });
        }
        let note = |kind| LayerNote { packet: packet.number, kind };
        match found.map_err(note)? {
            Found::Segment(segment) => Ok(Some(segment.of(packet))),
            Found::Other => Ok(None),
            Found::Fragment(fragment) => {
                let Some(mut done) = self.fragments.add(&fragment, packet, &mut self.notes) else {
                    return Ok(None);
                };
                // A fragment of a datagram inside a tunnel, whose datagrams came in fragments themselves.
                for _ in 0..walk::MOST_TUNNELS {
                    std::mem::swap(&mut self.datagram, &mut done.data);
                    let piece = Piece { data: &self.datagram, wire: done.wire };
                    let Ok(Found::Fragment(inner)) = walk(done.layer, piece, &mut offload) else {
                        break;
                    };
                    match self.fragments.add(&inner, packet, &mut self.notes) {
                        Some(whole) => done = whole,
                        None => return Ok(None),
                    }
                }
                let piece = Piece { data: &self.datagram, wire: done.wire };
                match walk(done.layer, piece, &mut offload).map_err(note)? {
                    Found::Segment(segment) => Ok(Some(segment.of(packet))),
                    Found::Other | Found::Fragment(_) => Ok(None),
                }
            }
        }
    }

    /// Says which datagrams never became complete. To be called after the last packet.
    pub fn finish(&mut self) {
        self.fragments.drop_all(&mut self.notes);
    }

    /// Takes the notes that have come up since they were taken last, besides those that [`Layers::segment`] returned.
    pub fn take_notes(&mut self) -> std::vec::Drain<'_, LayerNote> {
        let packet = self.packet;
        self.notes.take(|notes| LayerNote { packet, kind: LayerNoteKind::More { notes } })
    }
}
