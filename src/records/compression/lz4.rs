//! LZ4 frames: a header with its checksum, blocks, and perhaps a checksum of the content. Kafka's clients before 0.10 computed the header's
//! checksum from the magic on, where it should begin after it (KIP-57); and nobody noticed a wrong checksum of the content, since Kafka does
//! not look at it. Both are told, and neither keeps the data from being shown.

use std::io::Write;

use lz4_flex::block::{DecompressError, decompress_into, decompress_into_with_dict};
use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};
use twox_hash::XxHash32;

use super::{Fault, Outcome};
use crate::tree::ProblemKind;

const MAGIC: u32 = 0x184d_2204;
/// Frames with anything in them that is to be stepped over: a range of magics, then their length.
const SKIPPABLE: std::ops::RangeInclusive<u32> = 0x184d_2a50..=0x184d_2a5f;
/// A block that is not compressed has this bit in its length.
const UNCOMPRESSED: u32 = 1 << 31;
/// Rarely more than so many times its bytes comes out of a block.
const USUAL_RATIO: usize = 8;
/// Blocks may refer to so many bytes before them.
const WINDOW: usize = 64 << 10;

pub(super) fn decompress(
    input: &[u8],
    limit: usize,
    out: &mut Vec<u8>,
    outcome: &mut Outcome,
) -> Result<(), Fault> {
    let mut frames = Frames { input, at: 0, limit: out.len() + limit };
    while frames.at < input.len() {
        frames.frame(out, outcome)?;
    }
    Ok(())
}

/// A place in a sequence of frames.
struct Frames<'i> {
    input: &'i [u8],
    at: usize,
    /// The output may become so long.
    limit: usize,
}

/// What a frame's header says.
struct Header {
    linked: bool,
    block_checksums: bool,
    content_size: Option<u64>,
    content_checksum: bool,
    /// No block has more bytes than this.
    most: usize,
}

impl<'i> Frames<'i> {
    fn take(&mut self, len: usize) -> Result<&'i [u8], Fault> {
        let taken = self.input[self.at..].get(..len).ok_or(Fault::Ends)?;
        self.at += len;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, Fault> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    fn frame(&mut self, out: &mut Vec<u8>, outcome: &mut Outcome) -> Result<(), Fault> {
        let start = self.at;
        let magic = self.u32()?;
        if SKIPPABLE.contains(&magic) {
            let len = self.u32()?;
            return self.take(len as usize).map(|_| ());
        }
        if magic != MAGIC {
            return Err(Fault::Corrupt { at: start, what: "this is no LZ4 frame" });
        }
        let header = self.header(start, outcome)?;
        let begin = out.len();
        loop {
            let at = self.at;
            let length = self.u32()?;
            if length == 0 {
                break;
            }
            let size = (length & !UNCOMPRESSED) as usize;
            if size > header.most {
                return Err(Fault::Corrupt {
                    at,
                    what: "the block is longer than the frame's header allows",
                });
            }
            let block = self.take(size)?;
            if header.block_checksums {
                let at = self.at;
                let (stored, computed) = (self.u32()?, XxHash32::oneshot(0, block));
                if stored != computed {
                    outcome.remarks.push((at, ProblemKind::Lz4Checksum { what: "block", stored, computed }));
                }
            }
            self.block(block, length & UNCOMPRESSED != 0, &header, begin, out)
                .map_err(|fault| fault.unwrap_or(Fault::Corrupt { at, what: "this is no LZ4 block" }))?;
        }
        let content = &out[begin..];
        if header.content_size.is_some_and(|size| size != content.len() as u64) {
            return Err(Fault::Corrupt { at: start, what: "the frame's header says another size" });
        }
        if header.content_checksum {
            let at = self.at;
            let (stored, computed) = (self.u32()?, XxHash32::oneshot(0, content));
            if stored != computed {
                outcome.remarks.push((at, ProblemKind::Lz4Checksum { what: "content", stored, computed }));
            }
        }
        Ok(())
    }

    fn header(&mut self, start: usize, outcome: &mut Outcome) -> Result<Header, Fault> {
        let at = self.at;
        let [flags, sizes] = *self.take(2)? else { return Err(Fault::Ends) };
        let has = |bit: u8| flags & bit != 0;
        if flags >> 6 != 1 {
            return Err(Fault::Corrupt { at, what: "the version of the frame is not 1" });
        }
        let most = match sizes >> 4 & 7 {
            size @ 4..=7 => 1usize << (2 * size + 8),
            _ => return Err(Fault::Corrupt { at: at + 1, what: "there is no such size of blocks" }),
        };
        let content_size = if has(8) {
            let bytes = self.take(8)?;
            Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
        } else {
            None
        };
        if has(1) {
            return Err(Fault::Unsupported("a dictionary that is not there"));
        }
        let checksum = |from: usize| (XxHash32::oneshot(0, &self.input[from..self.at]) >> 8) as u8;
        let (computed, old) = (checksum(at), checksum(start));
        let place = self.at;
        let stored = self.take(1)?[0];
        if stored != computed {
            let problem = ProblemKind::Lz4HeaderChecksum { stored, computed, old: stored == old };
            outcome.remarks.push((place, problem));
        }
        Ok(Header {
            linked: !has(32),
            block_checksums: has(16),
            content_size,
            content_checksum: has(4),
            most,
        })
    }

    /// Appends a block. The frame's content begins at `begin`. A fault of `None` means that it is no block.
    fn block(
        &self,
        block: &[u8],
        uncompressed: bool,
        header: &Header,
        begin: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Option<Fault>> {
        let before = out.len();
        if uncompressed {
            if before + block.len() > self.limit {
                return Err(Some(Fault::TooLarge));
            }
            out.extend_from_slice(block);
            return Ok(());
        }
        // A byte can stand for 255 more at most.
        let most = header.most.min(block.len().saturating_mul(256));
        let allowed = most.min(self.limit - before);
        // Room is filled with zeros first, and most of the time this much is enough.
        let mut room = allowed.min(block.len().saturating_mul(USUAL_RATIO));
        loop {
            out.resize(before + room, 0);
            let (earlier, place) = out.split_at_mut(before);
            let window = if header.linked { begin.max(before.saturating_sub(WINDOW)) } else { before };
            let result = match &earlier[window..] {
                [] => decompress_into(block, place),
                window => decompress_into_with_dict(block, place, window),
            };
            out.truncate(before + result.as_ref().map_or(0, |len| *len));
            match result {
                Ok(_) => return Ok(()),
                Err(DecompressError::OutputTooSmall { .. }) if room < allowed => room = allowed,
                // There would have been more room, had it been allowed.
                Err(DecompressError::OutputTooSmall { .. }) if room < most => {
                    return Err(Some(Fault::TooLarge));
                }
                Err(_) => return Err(None),
            }
        }
    }
}

pub(super) fn compress(input: &[u8]) -> Vec<u8> {
    let info = FrameInfo::new().block_size(BlockSize::Max64KB).block_mode(BlockMode::Independent);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    // Nothing can go wrong with memory.
    let written = encoder.write_all(input).is_ok();
    if written { encoder.finish().unwrap_or_default() } else { Vec::new() }
}
