//! Whether bytes are those of a segment, whatever the file is called. A wrong guess would cost more than none, so several things must agree.

use super::facts::{EntryFacts, int32};
use super::segment::MOST_OF_A_BATCH;
use crate::wire::frame::LEAST_REQUEST;

/// So many bytes from the beginning of an input are enough to tell.
pub const HEAD: usize = 1 << 16;

/// The fewest bytes after its length that a batch has, and a message of magic 0 and 1.
const LEAST: [i32; 3] = [14, 22, 49];

/// Whether bytes, or as many from their beginning as [`HEAD`], begin with a batch or a message and with nothing that could be a frame.
pub fn is_segment(head: &[u8]) -> bool {
    let (Some(facts), Some(size), Some(length)) = (EntryFacts::of(head), int32(head, 0), int32(head, 8))
    else {
        return false;
    };
    let least = LEAST[usize::from(facts.magic)];
    let is_likely = facts.base_offset >= 0
        && (least..=MOST_OF_A_BATCH as i32).contains(&length)
        && facts.codec() <= 4
        && match facts.records {
            Some(records) => {
                // An epoch below -1, attributes that no version of Kafka sets, a count beyond the offsets: none of that is a batch.
                let epoch = int32(head, 12).unwrap_or(i32::MIN);
                epoch >= -1
                    && facts.attributes & !0x7f == 0
                    && facts.last_offset >= facts.base_offset
                    && (0..=facts.last_offset - facts.base_offset + 1).contains(&records.into())
            }
            None => facts.attributes & !0x0f == 0,
        };
    if !is_likely {
        return false;
    }
    // The first half of the offset stands where a frame has its size. While that is zero no frame begins so.
    let is_no_frame = i64::from(size) < i64::from(LEAST_REQUEST);
    match checksum_is_right(head, facts.magic, length) {
        Some(is_right) => is_right || is_no_frame && facts.magic == 2,
        None => is_no_frame && facts.magic == 2,
    }
}

/// Whether the checksum of the first entry is right; `None` if not all of it is there.
fn checksum_is_right(head: &[u8], magic: u8, length: i32) -> Option<bool> {
    let entry = head.get(..12 + usize::try_from(length).ok()?)?;
    let (stored, computed) = match magic {
        2 => (int32(entry, 17)?, crc32c::crc32c(entry.get(21..)?)),
        _ => (int32(entry, 12)?, crc32fast::hash(entry.get(16..)?)),
    };
    Some(stored as u32 == computed)
}
