//! What the fixed fields of a batch or message say, read straight from its bytes: for sums over many of them, and to tell whether bytes are one.

use crate::records::MAGIC_AT;

/// The fixed fields of an entry of a segment: a batch of magic 2, or a message of magic 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryFacts {
    /// The format.
    pub magic: u8,
    /// baseOffset, or the offset of a message.
    pub base_offset: i64,
    /// The last offset.
    pub last_offset: i64,
    /// The bits that hold for all of it.
    pub attributes: i16,
    /// recordCount; `None` for a message, which may have a whole set in it.
    pub records: Option<i32>,
    /// The first timestamp, if it is one of a record.
    pub first_timestamp: Option<i64>,
    /// The greatest timestamp, or that of the message.
    pub max_timestamp: Option<i64>,
}

impl EntryFacts {
    /// Those of the entry that bytes begin with; `None` if its fixed fields are not all there, or its format is not known.
    pub fn of(bytes: &[u8]) -> Option<EntryFacts> {
        let base_offset = int64(bytes, 0)?;
        let magic = *bytes.get(MAGIC_AT)?;
        match magic {
            2 => {
                let attributes = i16::from_be_bytes(chunk(bytes, 21)?);
                let facts = EntryFacts {
                    magic,
                    base_offset,
                    last_offset: base_offset.saturating_add(int32(bytes, 23)?.into()),
                    attributes,
                    records: Some(int32(bytes, 57)?),
                    first_timestamp: int64(bytes, 27),
                    max_timestamp: int64(bytes, 35),
                };
                // With log append time it is the producer's, and with a delete horizon it is that.
                let is_record = !facts.has(3) && !facts.has(6);
                Some(EntryFacts { first_timestamp: facts.first_timestamp.filter(|_| is_record), ..facts })
            }
            0 | 1 => {
                let attributes = i16::from(*bytes.get(17)?);
                let timestamp = if magic == 1 { Some(int64(bytes, 18)?) } else { None };
                Some(EntryFacts {
                    magic,
                    base_offset,
                    last_offset: base_offset,
                    attributes,
                    records: None,
                    first_timestamp: timestamp,
                    max_timestamp: timestamp,
                })
            }
            _ => None,
        }
    }

    fn has(&self, bit: u32) -> bool {
        self.attributes >> bit & 1 == 1
    }

    /// The number of the codec.
    pub fn codec(&self) -> u8 {
        self.attributes as u8 & 7
    }

    /// Whether it belongs to a transaction.
    pub fn is_transactional(&self) -> bool {
        self.magic == 2 && self.has(4)
    }

    /// Whether its records are control records.
    pub fn is_control(&self) -> bool {
        self.magic == 2 && self.has(5)
    }
}

fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}

pub(super) fn int32(bytes: &[u8], at: usize) -> Option<i32> {
    chunk(bytes, at).map(i32::from_be_bytes)
}

fn int64(bytes: &[u8], at: usize) -> Option<i64> {
    chunk(bytes, at).map(i64::from_be_bytes)
}
