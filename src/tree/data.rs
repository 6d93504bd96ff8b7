//! The bytes that nodes lie in: those of the frame, and those that came out of compressed parts of it. Each such part has an
//! address space of its own; a node's offset tells which one it is in.

use std::ops::Range;

/// Offsets from here on lie in what was decompressed. No frame is so long: its size is an int32.
pub const BUFFERS_FROM: u32 = 1 << 31;

/// What came out of compressed bytes.
#[derive(Debug)]
pub struct Buffer {
    /// How it was compressed: `lz4`.
    pub codec: &'static str,
    /// The offset of its first byte, as nodes have it.
    pub start: u32,
    /// How many bytes it has.
    pub len: u32,
    /// The index of the node of the compressed bytes.
    pub node: u32,
    /// The bytes. While they are being walked they are not here.
    pub bytes: Vec<u8>,
}

impl Buffer {
    /// The offset of a place in it, from its first byte on.
    pub fn place_of(&self, offset: u32) -> u32 {
        offset - self.start
    }
}

/// A frame's bytes together with all that came out of it.
#[derive(Clone, Copy, Debug)]
pub struct Data<'d> {
    /// The bytes that are looked at first, and the offset of the first of them: those of the frame, unless it is known better.
    bytes: &'d [u8],
    start: u32,
    buffers: &'d [Buffer],
}

impl<'d> Data<'d> {
    pub(super) fn new(frame: &'d [u8], buffers: &'d [Buffer]) -> Data<'d> {
        Data { bytes: frame, start: 0, buffers }
    }

    /// Only the bytes that are together with the one at an offset: all of the frame, or all of what came out of the same compressed bytes. They
    /// are found faster.
    pub fn near(self, offset: u32) -> Data<'d> {
        match buffer_at(self.buffers, offset) {
            Some(buffer) => Data { bytes: &buffer.bytes, start: buffer.start, buffers: &[] },
            None => Data { buffers: &[], ..self },
        }
    }

    /// The bytes at offsets; none if they are not there.
    #[inline]
    pub fn slice(self, range: Range<usize>) -> &'d [u8] {
        let place = |start: u32| {
            let start = start as usize;
            range.start.wrapping_sub(start)..range.end.wrapping_sub(start)
        };
        if let Some(bytes) = self.bytes.get(place(self.start)) {
            return bytes;
        }
        let buffer = buffer_at(self.buffers, range.start as u32);
        buffer.and_then(|buffer| buffer.bytes.get(place(buffer.start))).unwrap_or_default()
    }
}

/// The buffer that an offset lies in.
pub(super) fn buffer_at(buffers: &[Buffer], offset: u32) -> Option<&Buffer> {
    if offset < BUFFERS_FROM {
        return None;
    }
    let after = buffers.partition_point(|buffer| buffer.start <= offset);
    buffers.get(after.checked_sub(1)?)
}

impl<'d> From<&'d [u8]> for Data<'d> {
    #[inline]
    fn from(frame: &'d [u8]) -> Data<'d> {
        Data::new(frame, &[])
    }
}

impl<'d> From<&'d Vec<u8>> for Data<'d> {
    #[inline]
    fn from(frame: &'d Vec<u8>) -> Data<'d> {
        Data::new(frame, &[])
    }
}

impl<'d, const N: usize> From<&'d [u8; N]> for Data<'d> {
    #[inline]
    fn from(frame: &'d [u8; N]) -> Data<'d> {
        Data::new(frame, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_where_they_lie_and_near_each_other() {
        let buffer = |start: u32, bytes: &[u8]| Buffer {
            codec: "lz4",
            start,
            len: bytes.len() as u32,
            node: 0,
            bytes: bytes.to_vec(),
        };
        let (first, second) = (BUFFERS_FROM, BUFFERS_FROM + 3);
        let buffers = [buffer(first, b"abc"), buffer(second, b"defg")];
        let data = Data::new(b"frame", &buffers);
        let slice = |data: Data<'_>, start: u32, len: usize| {
            String::from_utf8(data.slice(start as usize..start as usize + len).to_vec()).unwrap()
        };
        let places = [(1, "ram"), (first, "abc"), (second + 1, "efg")];
        for (start, expected) in places {
            assert_eq!(slice(data, start, 3), expected);
            for (other, text) in places {
                // What is elsewhere is not to be found.
                let expected = if other == start { text } else { "" };
                assert_eq!(slice(data.near(start), other, 3), expected, "{other:#x} near {start:#x}");
            }
        }
        // Not beyond the end of where they begin.
        for (start, len) in [(3, 3), (first + 1, 3), (second + 2, 3), (second + 4, 1)] {
            assert_eq!(slice(data, start, len), "");
        }
    }
}
