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
    frame: &'d [u8],
    buffers: &'d [Buffer],
}

impl<'d> Data<'d> {
    pub(super) fn new(frame: &'d [u8], buffers: &'d [Buffer]) -> Data<'d> {
        Data { frame, buffers }
    }

    /// The same bytes without all buffers but the one that an offset lies in, which is then found at once.
    pub fn near(self, offset: u32) -> Data<'d> {
        let buffer = buffer_at(self.buffers, offset);
        Data { buffers: buffer.map(std::slice::from_ref).unwrap_or_default(), ..self }
    }

    /// The bytes at offsets; none if they are not there.
    #[inline]
    pub fn slice(self, range: Range<usize>) -> &'d [u8] {
        if range.start < BUFFERS_FROM as usize {
            return self.frame.get(range).unwrap_or_default();
        }
        let Some(buffer) = buffer_at(self.buffers, range.start as u32) else { return &[] };
        let start = buffer.start as usize;
        buffer.bytes.get(range.start - start..range.end.saturating_sub(start)).unwrap_or_default()
    }
}

/// The buffer that an offset lies in.
#[inline]
pub(super) fn buffer_at(buffers: &[Buffer], offset: u32) -> Option<&Buffer> {
    if offset < BUFFERS_FROM {
        return None;
    }
    if let [only] = buffers {
        return (only.start <= offset).then_some(only);
    }
    let after = buffers.partition_point(|buffer| buffer.start <= offset);
    buffers.get(after.checked_sub(1)?)
}

impl<'d> From<&'d [u8]> for Data<'d> {
    #[inline]
    fn from(frame: &'d [u8]) -> Data<'d> {
        Data { frame, buffers: &[] }
    }
}

impl<'d> From<&'d Vec<u8>> for Data<'d> {
    #[inline]
    fn from(frame: &'d Vec<u8>) -> Data<'d> {
        Data { frame, buffers: &[] }
    }
}

impl<'d, const N: usize> From<&'d [u8; N]> for Data<'d> {
    #[inline]
    fn from(frame: &'d [u8; N]) -> Data<'d> {
        Data { frame, buffers: &[] }
    }
}
