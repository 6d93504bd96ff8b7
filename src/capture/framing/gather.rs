//! A frame that comes in more than one piece.

use crate::capture::tcp::Seen;

/// Bytes without a hole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// How far from the beginning of the frame.
    pub at: u64,
    /// Where in the known bytes.
    pub start: usize,
    pub length: usize,
}

/// So many pieces are kept; each costs more than the few bytes that it may have.
const MOST_PIECES: usize = 1 << 16;

/// What is known of a frame so far.
#[derive(Default)]
pub(super) struct Gather {
    pub bytes: Vec<u8>,
    pub pieces: Vec<Piece>,
    /// How much of the frame has passed, known or missing.
    pub at: u64,
    pub not_kept: u64,
    pub seen: Option<(Seen, Seen)>,
}

impl Gather {
    pub fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// Whether bytes are missing.
    pub fn is_holed(&self) -> bool {
        self.bytes.len() as u64 + self.not_kept < self.at
    }

    /// Adds bytes; of those after `kept`, only how many they are.
    pub fn push(&mut self, bytes: &[u8], seen: Seen, kept: u64) {
        if bytes.is_empty() {
            return;
        }
        self.seen = Some((self.seen.map_or(seen, |(first, _)| first), seen));
        let room = kept.saturating_sub(self.at).min(bytes.len() as u64) as usize;
        let follows = self.pieces.last().is_some_and(|piece| piece.at + piece.length as u64 == self.at);
        let full = !follows && self.pieces.len() == MOST_PIECES;
        let taken = if full { &[] } else { &bytes[..room] };
        match self.pieces.last_mut().filter(|_| follows) {
            Some(piece) => piece.length += taken.len(),
            None if taken.is_empty() => {}
            None => self.pieces.push(Piece { at: self.at, start: self.bytes.len(), length: taken.len() }),
        }
        self.bytes.extend_from_slice(taken);
        self.not_kept += (bytes.len() - taken.len()) as u64;
        self.at += bytes.len() as u64;
    }

    /// Steps over bytes that are missing.
    pub fn skip(&mut self, length: u64) {
        self.at += length;
    }

    /// Keeps so many bytes of the buffer for the next frame.
    pub fn clear(&mut self, reused: usize) {
        self.bytes.clear();
        self.bytes.shrink_to(reused);
        self.pieces.clear();
        self.pieces.shrink_to(64);
        self.at = 0;
        self.not_kept = 0;
        self.seen = None;
    }
}
