//! A part of a stream in memory, as much as is needed at a time.

use std::io::{self, Read};

/// So much is read at once at the least.
const CHUNK: usize = 1 << 16;

/// What of a stream is in memory.
pub(super) struct Window<R> {
    read: R,
    buffer: Vec<u8>,
    /// How many bytes of the buffer are done with.
    done: usize,
    /// The offset in the stream of the first byte that is not.
    pos: u64,
}

impl<R: Read> Window<R> {
    pub fn new(read: R) -> Window<R> {
        Window { read, buffer: Vec::new(), done: 0, pos: 0 }
    }

    /// The offset in the stream of the next byte.
    pub fn pos(&self) -> u64 {
        self.pos
    }

    /// What comes next: `wanted` bytes or more, fewer only at the end of the stream.
    pub fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        let found = self.buffer.len() - self.done;
        if found < wanted {
            self.buffer.drain(..self.done);
            self.done = 0;
            // The buffer grows as bytes really come; what was asked for may be a lie.
            let most = (wanted - found).max(CHUNK) as u64;
            self.read.by_ref().take(most).read_to_end(&mut self.buffer)?;
        }
        Ok(&self.buffer[self.done..])
    }

    /// The next `len` bytes, all of which have been peeked at.
    pub fn bytes(&self, len: usize) -> &[u8] {
        self.buffer.get(self.done..self.done + len).unwrap_or_default()
    }

    /// Goes on by `len` bytes, all of which have been peeked at.
    pub fn advance(&mut self, len: usize) {
        self.done = (self.done + len).min(self.buffer.len());
        self.pos += len as u64;
    }

    /// Goes on over zeros. Returns whether that was to the end.
    pub fn skip_zeros(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.peek(1)?;
            if bytes.is_empty() {
                return Ok(true);
            }
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let all = zeros == bytes.len();
            self.advance(zeros);
            if !all {
                return Ok(false);
            }
        }
    }

    /// Goes on to the end.
    pub fn skip_all(&mut self) -> io::Result<()> {
        loop {
            let len = self.peek(1)?.len();
            if len == 0 {
                return Ok(());
            }
            self.advance(len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_only_by_what_comes() {
        let mut window = Window::new(&b"abcdef"[..]);
        assert_eq!(window.peek(1 << 40).unwrap(), b"abcdef");
        assert!(window.buffer.capacity() < 1 << 20);
        window.advance(4);
        assert_eq!(window.pos(), 4);
        assert_eq!(window.peek(1).unwrap(), b"ef");
        window.skip_all().unwrap();
        assert_eq!(window.pos(), 6);
        assert_eq!(window.peek(1).unwrap(), b"");
    }

    #[test]
    fn zeros_end_at_something_else_or_at_the_end() {
        let mut window = Window::new(io::repeat(0).take(200_000).chain(&b"x"[..]));
        assert!(!window.skip_zeros().unwrap());
        assert_eq!(window.pos(), 200_000);
        let mut window = Window::new(io::repeat(0).take(200_000));
        assert!(window.skip_zeros().unwrap());
        assert_eq!(window.pos(), 200_000);
    }
}
