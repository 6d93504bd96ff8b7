//! A part of a stream in memory. Unlike the window on a log file it does not wait for more than is asked for: the stream may be growing.

use std::io::{self, Read};

/// So much is read at once at most, unless a packet is longer.
const CHUNK: usize = 256 << 10;

/// What of a stream is in memory.
pub(super) struct Window<R> {
    read: R,
    buffer: Vec<u8>,
    /// Where in the buffer the bytes are that nobody is done with.
    start: usize,
    end: usize,
    /// What ended the stream, until someone asks.
    error: Option<io::Error>,
    is_over: bool,
}

impl<R: Read> Window<R> {
    pub fn new(read: R) -> Window<R> {
        Window { read, buffer: Vec::new(), start: 0, end: 0, error: None, is_over: false }
    }

    /// What comes next: `wanted` bytes or more, fewer only at the end of the stream.
    #[inline]
    pub fn peek(&mut self, wanted: usize) -> &[u8] {
        if self.end - self.start < wanted {
            self.fill(wanted);
        }
        &self.buffer[self.start..self.end]
    }

    /// `len` bytes from `at` on of what has been peeked at.
    #[inline]
    pub fn bytes(&self, at: usize, len: usize) -> &[u8] {
        self.buffer[self.start..self.end].get(at..at + len).unwrap_or_default()
    }

    /// Goes on by `len` bytes, all of which have been peeked at.
    #[inline]
    pub fn advance(&mut self, len: usize) {
        self.start = (self.start + len).min(self.end);
    }

    /// Goes on by `len` bytes. Returns by how many it did.
    pub fn skip(&mut self, len: u64) -> u64 {
        let mut left = len;
        while left > 0 {
            let there = self.peek(1).len();
            if there == 0 {
                break;
            }
            let step = left.min(there as u64);
            self.advance(step as usize);
            left -= step;
        }
        len - left
    }

    /// The error that ended the stream, once.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    #[cold]
    fn fill(&mut self, wanted: usize) {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        while self.end < wanted && !self.is_over {
            if self.end == self.buffer.len() {
                // The buffer grows as bytes really come; what was asked for may be a lie.
                let mut larger = vec![0; (2 * self.end).max(CHUNK)];
                larger[..self.end].copy_from_slice(&self.buffer);
                self.buffer = larger;
            }
            match self.read.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.is_over = true,
                Ok(len) => self.end += len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.error = Some(error);
                    self.is_over = true;
                }
            }
        }
    }
}
