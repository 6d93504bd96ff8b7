//! A segment in numbers.

use super::facts::EntryFacts;

/// What the batches of a segment come to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Whole batches, and messages of the formats before them.
    pub batches: u64,
    /// How many of them are messages, which may have sets in them that were not counted.
    pub messages: u64,
    /// What there is of batches that are cut off or of no format that is known.
    pub other: u64,
    /// Records in batches, as these say.
    pub records: u64,
    /// The offset of the first.
    pub first_offset: Option<i64>,
    /// The greatest offset.
    pub last_offset: Option<i64>,
    /// The least and the greatest timestamp.
    pub timestamps: Option<(i64, i64)>,
    /// How many batches each codec has, by its number.
    pub codecs: [u64; 8],
    /// Batches that belong to transactions.
    pub transactional: u64,
    /// Batches of control records.
    pub control: u64,
    /// Bytes of what was counted here.
    pub bytes: u64,
    /// Zeros at the end.
    pub padding: u64,
    /// Bytes that could not be decoded, at the end.
    pub undecoded: u64,
}

impl Summary {
    /// Counts an entry of `len` bytes; `None` for one that is cut off or of no format that is known.
    pub(super) fn add(&mut self, entry: Option<&EntryFacts>, len: u64) {
        self.bytes += len;
        let Some(entry) = entry else {
            self.other += 1;
            return;
        };
        self.batches += 1;
        match entry.records {
            Some(records) => self.records += u64::try_from(records).unwrap_or(0),
            None => self.messages += 1,
        }
        self.first_offset.get_or_insert(entry.base_offset);
        self.last_offset = Some(self.last_offset.unwrap_or(i64::MIN).max(entry.last_offset));
        for time in
            [entry.first_timestamp, entry.max_timestamp].into_iter().flatten().filter(|time| *time > 0)
        {
            let (least, greatest) = self.timestamps.unwrap_or((time, time));
            self.timestamps = Some((least.min(time), greatest.max(time)));
        }
        self.codecs[usize::from(entry.codec())] += 1;
        self.transactional += u64::from(entry.is_transactional());
        self.control += u64::from(entry.is_control());
    }

    /// How many offsets from the first to the last have no record. `None` if that cannot be told: messages may have sets in them.
    pub fn missing_offsets(&self) -> Option<u64> {
        let (first, last) = (self.first_offset?, self.last_offset?);
        let range = u64::try_from(last.checked_sub(first)?.checked_add(1)?).ok()?;
        range.checked_sub(self.records).filter(|_| self.messages == 0)
    }
}
