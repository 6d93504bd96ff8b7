//! Pieces of a stream that wait for what comes before them.

use std::collections::BTreeMap;

use super::receiver::Seen;

/// Bytes that wait.
pub(super) struct Piece {
    pub bytes: Box<[u8]>,
    pub seen: Seen,
}

/// A range that its packet had on the wire and the capture does not.
#[derive(Clone, Copy)]
struct Cut {
    end: i64,
    seen: Seen,
}

/// What a piece costs besides its bytes, roughly: a place in the map and the allocation.
pub(super) const OVERHEAD: usize = 96;

/// Pieces by position; they never overlap.
#[derive(Default)]
pub(super) struct Waiting {
    pieces: BTreeMap<i64, Piece>,
    cuts: BTreeMap<i64, Cut>,
    /// The bytes of all pieces.
    bytes: usize,
}

impl Waiting {
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.cuts.is_empty()
    }

    /// How many pieces and cuts wait.
    pub fn len(&self) -> usize {
        self.pieces.len() + self.cuts.len()
    }

    /// The memory that it takes.
    pub fn cost(&self) -> usize {
        self.bytes + self.len() * OVERHEAD
    }

    /// The position of the first byte that waits.
    pub fn first(&self) -> Option<i64> {
        self.pieces.first_key_value().map(|(at, _)| *at)
    }

    /// Takes out the piece at a position.
    pub fn take(&mut self, at: i64) -> Option<Piece> {
        let piece = self.pieces.remove(&at)?;
        self.bytes -= piece.bytes.len();
        Some(piece)
    }

    /// Where the cut ends that `at` is in, and of which packet it is. Cuts before it are forgotten.
    pub fn cut_at(&mut self, at: i64) -> Option<(i64, Seen)> {
        while let Some((start, cut)) = self.cuts.first_key_value() {
            if *start > at {
                return None;
            }
            if cut.end > at {
                return Some((cut.end, cut.seen));
            }
            self.cuts.pop_first();
        }
        None
    }

    /// Where the first cut begins.
    pub fn first_cut(&self) -> Option<i64> {
        self.cuts.first_key_value().map(|(at, _)| *at)
    }

    /// Remembers that a packet was cut.
    pub fn cut(&mut self, start: i64, end: i64, seen: Seen) {
        let longest = self.cuts.get(&start).is_none_or(|cut| cut.end < end);
        if start < end && longest {
            self.cuts.insert(start, Cut { end, seen });
        }
    }

    /// Adds bytes where there are none yet. Calls `differs` with each overlap, by position and length, that is not the same.
    pub fn insert(&mut self, mut at: i64, mut bytes: &[u8], seen: Seen, mut differs: impl FnMut(i64, usize)) {
        while !bytes.is_empty() {
            let before = self.pieces.range(..=at).next_back();
            let covered = before.filter(|(start, piece)| *start + piece.bytes.len() as i64 > at);
            let taken = if let Some((start, piece)) = covered {
                let first_copy = &piece.bytes[(at - start) as usize..];
                let overlap = first_copy.len().min(bytes.len());
                if first_copy[..overlap] != bytes[..overlap] {
                    differs(at, overlap);
                }
                overlap
            } else {
                let following = self.pieces.range(at..).next().map(|(start, _)| (start - at) as usize);
                let free = following.unwrap_or(bytes.len()).min(bytes.len());
                self.pieces.insert(at, Piece { bytes: bytes[..free].into(), seen });
                self.bytes += free;
                free
            };
            at += taken as i64;
            bytes = &bytes[taken..];
        }
    }

    /// Drops what is at `end` or after it. Returns how many bytes that were.
    pub fn truncate(&mut self, end: i64) -> usize {
        let mut dropped = 0;
        while let Some(entry) = self.pieces.last_entry() {
            let start = *entry.key();
            if start + entry.get().bytes.len() as i64 <= end {
                break;
            }
            let piece = entry.remove();
            self.bytes -= piece.bytes.len();
            dropped += piece.bytes.len();
            if start < end {
                let kept = &piece.bytes[..(end - start) as usize];
                dropped -= kept.len();
                self.bytes += kept.len();
                self.pieces.insert(start, Piece { bytes: kept.into(), seen: piece.seen });
            }
        }
        self.cuts.retain(|start, _| *start < end);
        for cut in self.cuts.values_mut() {
            cut.end = cut.end.min(end);
        }
        dropped
    }
}
