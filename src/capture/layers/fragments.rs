//! Datagrams that came in fragments, put together in bounded memory.

use std::collections::VecDeque;

use super::note::{LayerNote, LayerNoteKind};
use super::piece::Piece;
use super::walk::{Addresses, Layer};
use crate::capture::Time;
use crate::capture::file::{Notes, Packet};

/// So many datagrams may be incomplete at a time …
const MOST_DATAGRAMS: usize = 256;
/// … and have so many bytes together, so many fragments each.
const MOST_BYTES: usize = 4 << 20;
const MOST_FRAGMENTS: usize = 2048;
/// Longer than this no receiver waits, in nanoseconds: between what Linux does and what RFC 8200 asks for.
const MOST_AGE: i64 = 60_000_000_000;
/// The length of the longest datagram.
const MOST_OF_A_DATAGRAM: usize = 65535;
/// What a fragment costs besides its bytes.
const OVERHEAD: usize = size_of::<Part>() + 16;

/// A fragment of a datagram.
pub(super) struct Fragment<'d> {
    pub key: Key,
    /// What it says the datagram has in it.
    pub protocol: u8,
    /// Where in the datagram it begins.
    pub offset: usize,
    /// Whether it is not the last.
    pub more: bool,
    pub piece: Piece<'d>,
}

/// What fragments of one datagram have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub addresses: Addresses,
    pub identification: u32,
    pub protocol: u8,
}

/// A datagram that is complete, from behind its IP header on.
pub(super) struct Datagram {
    /// What was captured of it without a hole.
    pub data: Vec<u8>,
    pub wire: usize,
    pub layer: Layer,
}

/// Datagrams that are not complete, the oldest first.
#[derive(Default)]
pub(super) struct Fragments {
    building: VecDeque<Building>,
    bytes: usize,
}

struct Building {
    key: Key,
    /// The first packet that it had a fragment in, and its time.
    packet: u64,
    time: Option<Time>,
    /// In order, without overlap.
    parts: Vec<Part>,
    /// Its length, if its last fragment is there.
    wire: Option<usize>,
    /// The protocol that the first fragment says.
    protocol: Option<u8>,
}

struct Part {
    start: usize,
    /// What was captured of it.
    data: Vec<u8>,
    end: usize,
}

impl Fragments {
    /// Adds a fragment. Returns the datagram if that completes it.
    pub fn add(
        &mut self,
        fragment: &Fragment<'_>,
        packet: &Packet<'_>,
        notes: &mut Notes<LayerNote>,
    ) -> Option<Datagram> {
        self.drop_old(packet.time, notes);
        let index = self.building.iter().position(|building| building.key == fragment.key);
        let index = index.unwrap_or_else(|| {
            self.building.push_back(Building {
                key: fragment.key,
                packet: packet.number,
                time: packet.time,
                parts: Vec::new(),
                wire: None,
                protocol: None,
            });
            self.building.len() - 1
        });
        let building = &mut self.building[index];
        let before = building.bytes();
        match building.add(fragment) {
            Ok(()) => self.bytes = self.bytes - before + building.bytes(),
            Err(kind) => {
                notes.add(LayerNote { packet: packet.number, kind });
                self.bytes -= before;
                self.building.remove(index);
                return None;
            }
        }
        if building.is_complete() {
            self.bytes -= building.bytes();
            return self.building.remove(index).and_then(Building::datagram);
        }
        while self.building.len() > MOST_DATAGRAMS || self.bytes > MOST_BYTES {
            self.drop_oldest(notes, |fragments| LayerNoteKind::TooManyFragments { fragments });
        }
        None
    }

    /// Drops all that is incomplete, with notes.
    pub fn drop_all(&mut self, notes: &mut Notes<LayerNote>) {
        while !self.building.is_empty() {
            self.drop_oldest(notes, |fragments| LayerNoteKind::FragmentsMissing { fragments });
        }
    }

    fn drop_old(&mut self, now: Option<Time>, notes: &mut Notes<LayerNote>) {
        let is_old = |building: &Building| match (building.time, now) {
            (Some(then), Some(now)) => now.0.saturating_sub(then.0) > MOST_AGE,
            _ => false,
        };
        while self.building.front().is_some_and(is_old) {
            self.drop_oldest(notes, |fragments| LayerNoteKind::FragmentsMissing { fragments });
        }
    }

    fn drop_oldest(&mut self, notes: &mut Notes<LayerNote>, kind: impl Fn(usize) -> LayerNoteKind) {
        if let Some(building) = self.building.pop_front() {
            self.bytes -= building.bytes();
            notes.add(LayerNote { packet: building.packet, kind: kind(building.parts.len()) });
        }
    }
}

impl Building {
    fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.data.len() + OVERHEAD).sum()
    }

    fn add(&mut self, fragment: &Fragment<'_>) -> Result<(), LayerNoteKind> {
        let (start, end) = (fragment.offset, fragment.offset + fragment.piece.wire);
        let data = fragment.piece.data;
        let last_end = self.parts.last().map_or(0, |part| part.end);
        let is_too_far = match self.wire {
            Some(wire) => end > wire || !fragment.more && end != wire,
            None => !fragment.more && end < last_end,
        };
        if end > MOST_OF_A_DATAGRAM || is_too_far || self.parts.len() >= MOST_FRAGMENTS {
            return Err(LayerNoteKind::FragmentRange);
        }
        // One without data would be between two others and never needed.
        if start == end && fragment.more {
            return Ok(());
        }
        let at = self.parts.partition_point(|part| part.start < start);
        if let Some(same) = self.parts.get(at).filter(|part| (part.start, part.end) == (start, end)) {
            // Captures on several interfaces have packets twice.
            return if same.data == data { Ok(()) } else { Err(LayerNoteKind::FragmentsOverlap) };
        }
        let overlaps_before = at > 0 && self.parts[at - 1].end > start;
        let overlaps_after = self.parts.get(at).is_some_and(|part| part.start < end);
        if overlaps_before || overlaps_after {
            return Err(LayerNoteKind::FragmentsOverlap);
        }
        if !fragment.more {
            self.wire = Some(end);
        }
        if start == 0 {
            self.protocol = Some(fragment.protocol);
        }
        self.parts.insert(at, Part { start, data: data.to_vec(), end });
        Ok(())
    }

    fn is_complete(&self) -> bool {
        let mut next = 0;
        for part in &self.parts {
            if part.start != next {
                return false;
            }
            next = part.end;
        }
        self.wire == Some(next)
    }

    /// The datagram, up to where the capture has cut a fragment.
    fn datagram(self) -> Option<Datagram> {
        let mut data = Vec::with_capacity(self.wire?);
        for part in &self.parts {
            data.extend_from_slice(&part.data);
            if part.data.len() < part.end - part.start {
                break;
            }
        }
        Some(Datagram { data, wire: self.wire?, layer: Layer::Protocol(self.protocol?, self.key.addresses) })
    }
}
