//! Whether values tell all the bytes of an entry of a records field, so that an encoder makes the same bytes of them.
//!
//! What they do not tell: varints longer than they need be, bytes after the last field, what could not be decoded, and entries that are not
//! there to their end.

use crate::records::value::Compression;
use crate::tree::{Data, Kind, Severity, Tree, builtin};

/// The fields of a batch, in their order.
const BATCH_FIELDS: [u16; 13] = [
    builtin::BASE_OFFSET,
    builtin::BATCH_LENGTH,
    builtin::PARTITION_LEADER_EPOCH,
    builtin::MAGIC,
    builtin::CRC_32C,
    builtin::ATTRIBUTES,
    builtin::LAST_OFFSET_DELTA,
    builtin::BASE_TIMESTAMP,
    builtin::MAX_TIMESTAMP,
    builtin::PRODUCER_ID,
    builtin::PRODUCER_EPOCH,
    builtin::BASE_SEQUENCE,
    builtin::RECORD_COUNT,
];
/// The fields of a message before its key; one of magic 0 has no timestamp.
const MESSAGE_FIELDS: [u16; 6] = [
    builtin::MESSAGE_OFFSET,
    builtin::MESSAGE_SIZE,
    builtin::CRC_32,
    builtin::MAGIC,
    builtin::MESSAGE_ATTRIBUTES,
    builtin::MESSAGE_TIMESTAMP,
];
/// The place of the length in both …
const LENGTH: usize = 1;
/// … how many bytes it does not count, and the place of the magic.
const BEFORE_LENGTH: i64 = 12;
pub const MAGIC: usize = 3;
const ATTRIBUTES_OF_BATCH: usize = 5;
const ATTRIBUTES_OF_MESSAGE: usize = 4;

/// Where the parts of an entry are. All are indices of nodes.
pub struct Entry {
    /// The fields before the records, or before the key.
    pub fields: Vec<usize>,
    /// The key of a message.
    pub key: Option<usize>,
    pub content: Content,
}

/// What an entry has in it.
pub enum Content {
    /// Records, of which there are so many, below a node.
    Records { parent: usize, count: usize },
    /// Records that are told by their compressed bytes, if there are any.
    Compressed(Option<usize>),
    /// The value of a message.
    Value(usize),
    /// Messages, below a node.
    Messages { parent: usize },
    /// A message's value that should be a compressed message set.
    CompressedValue(usize),
}

/// Looks into entries.
#[derive(Clone, Copy)]
pub struct Told<'t> {
    pub tree: &'t Tree,
    pub data: Data<'t>,
}

impl<'t> Told<'t> {
    /// The parts of the batch or message at `index`; `None` if they do not tell all of its bytes.
    pub fn entry(self, index: usize) -> Option<Entry> {
        let entry = match self.tree.nodes[index].is_builtin(builtin::BATCH) {
            true => self.batch(index)?,
            false => self.message(index)?,
        };
        let length = self.int(entry.fields[LENGTH]) + BEFORE_LENGTH;
        (length == i64::from(self.tree.nodes[index].len())).then_some(entry)
    }

    /// The parts of what came out of the compressed bytes at `index`.
    pub fn expanded(self, index: usize) -> impl Iterator<Item = usize> + use<'t> {
        let tree = self.tree;
        let range = tree.buffer_of(index).map_or(0..0, |buffer| buffer.start..buffer.start + buffer.len);
        tree.children(index).filter(move |child| {
            tree.nodes[*child].kind().covers_bytes() && range.contains(&tree.nodes[*child].start())
        })
    }

    /// Whether the checksum of an entry is not the right one.
    pub fn has_wrong_crc(self, entry: usize) -> bool {
        let is_crc = |child: usize| {
            let node = &self.tree.nodes[child];
            node.is_builtin(builtin::CRC_32C) || node.is_builtin(builtin::CRC_32)
        };
        self.tree.children(entry).any(|child| !self.covers_bytes(child) && is_crc(child))
    }

    fn int(self, index: usize) -> i64 {
        self.tree.nodes[index].int(self.data)
    }

    fn kind(self, index: usize) -> Kind {
        self.tree.nodes[index].kind()
    }

    fn covers_bytes(self, index: usize) -> bool {
        self.kind(index).covers_bytes()
    }

    fn batch(self, index: usize) -> Option<Entry> {
        let mut parts = self.tree.parts(index);
        let mut fields = Vec::with_capacity(BATCH_FIELDS.len());
        for item in BATCH_FIELDS {
            fields.push(parts.next().filter(|part| self.tree.nodes[*part].is_builtin(item))?);
        }
        let compression = Compression::of(self.int(fields[ATTRIBUTES_OF_BATCH]) as i16);
        let item = match compression {
            Compression::None => {
                let content = Content::Records { parent: index, count: self.records(parts)? };
                return Some(Entry { fields, key: None, content });
            }
            Compression::With(codec) => codec.item(),
            Compression::Unknown(_) => builtin::COMPRESSED,
        };
        let bytes = parts.next();
        if parts.next().is_some() || bytes.is_some_and(|bytes| !self.tree.nodes[bytes].is_builtin(item)) {
            return None;
        }
        let content = match (bytes, compression) {
            (None, Compression::With(_)) => Content::Records { parent: index, count: 0 },
            (Some(bytes), Compression::With(_)) if self.is_intact(index, bytes, item) => {
                match self.records(self.expanded(bytes)) {
                    Some(count) => Content::Records { parent: bytes, count },
                    None => Content::Compressed(Some(bytes)),
                }
            }
            (bytes, _) => Content::Compressed(bytes),
        };
        Some(Entry { fields, key: None, content })
    }

    /// Whether all came out of compressed bytes, in which nothing is wrong.
    fn is_intact(self, parent: usize, bytes: usize, item: u16) -> bool {
        let is_wrong = |child: usize| {
            let problem = self.tree.problem(child).filter(|_| self.tree.nodes[child].is_builtin(item));
            problem.is_some_and(|problem| problem.kind.severity() == Severity::Malformed)
        };
        self.tree.buffer_of(bytes).is_some() && !self.tree.children(parent).any(is_wrong)
    }

    /// How many records there are; `None` if they do not tell all of their bytes, or there is something else.
    fn records(self, mut parts: impl Iterator<Item = usize>) -> Option<usize> {
        parts.try_fold(0, |count, part| self.record(part).then_some(count + 1))
    }

    fn record(self, index: usize) -> bool {
        let node = &self.tree.nodes[index];
        let mut parts = self.tree.parts(index);
        let mut next = || parts.next();
        let (Some(length), Some(attributes), Some(timestamp), Some(offset)) =
            (next(), next(), next(), next())
        else {
            return false;
        };
        let (Some(key), Some(value), Some(headers), None) = (next(), next(), next(), next()) else {
            return false;
        };
        let rest = node.len() - self.tree.nodes[length].len();
        node.kind() == Kind::Record
            && self.kind(attributes) == Kind::Int
            && [length, timestamp, offset].into_iter().all(|varint| self.is_shortest(varint))
            && self.int(length) == i64::from(rest)
            && self.is_sized(key)
            && self.is_sized(value)
            && self.headers(headers)
    }

    fn headers(self, index: usize) -> bool {
        let mut parts = self.tree.parts(index);
        let Some(count) = parts.next().filter(|count| self.is_shortest(*count)) else { return false };
        let header = |index: usize| {
            let mut parts = self.tree.parts(index);
            self.kind(index) == Kind::Struct
                && parts.next().is_some_and(|key| self.is_sized(key))
                && parts.next().is_some_and(|value| self.is_sized(value))
                && parts.next().is_none()
        };
        let found = parts.try_fold(0, |found, part| header(part).then_some(found + 1));
        self.kind(index) == Kind::Array && found == Some(self.int(count))
    }

    /// Whether a zigzag varint has no more bytes than it needs.
    fn is_shortest(self, index: usize) -> bool {
        let node = &self.tree.nodes[index];
        node.kind() == Kind::Varint && node.len() == varint_len(node.int(self.data))
    }

    /// Whether bytes after a zigzag varint have no longer length than they need, and as many bytes as it says.
    fn is_sized(self, index: usize) -> bool {
        let node = &self.tree.nodes[index];
        match node.kind() {
            Kind::NullVarintBytes => node.len() == varint_len(-1),
            Kind::VarintBytes => {
                let content = self.tree.content(index, self.data).map_or(0, <[u8]>::len);
                node.len() as usize - content == varint_len(content as i64) as usize
            }
            Kind::Struct | Kind::Payload => {
                let length = index + 1;
                let content = self.tree.content_after_length(index).len() as i64;
                self.is_shortest(length) && self.int(length) == content
            }
            _ => false,
        }
    }

    fn message(self, index: usize) -> Option<Entry> {
        let mut parts = self.tree.parts(index);
        let mut fields = Vec::with_capacity(MESSAGE_FIELDS.len());
        for item in MESSAGE_FIELDS {
            // The magic comes before the field that magic 0 does not have.
            if item == builtin::MESSAGE_TIMESTAMP && self.int(fields[MAGIC]) == 0 {
                continue;
            }
            fields.push(parts.next().filter(|part| self.tree.nodes[*part].is_builtin(item))?);
        }
        let (key, value) = (parts.next()?, parts.next()?);
        if parts.next().is_some() || !self.is_int32_sized(key) || !self.is_int32_sized(value) {
            return None;
        }
        let content = match Compression::of(self.int(fields[ATTRIBUTES_OF_MESSAGE]) as i16) {
            Compression::None => Content::Value(value),
            Compression::Unknown(_) => Content::CompressedValue(value),
            Compression::With(codec) => {
                let bytes =
                    self.tree.parts(value).find(|part| self.tree.nodes[*part].is_builtin(codec.item()));
                match bytes.filter(|bytes| self.is_intact(value, *bytes, codec.item())) {
                    Some(parent) => Content::Messages { parent },
                    None => Content::CompressedValue(value),
                }
            }
        };
        Some(Entry { fields, key: Some(key), content })
    }

    /// Whether bytes after an int32 have as many bytes as it says.
    fn is_int32_sized(self, index: usize) -> bool {
        match self.kind(index) {
            Kind::NullBytes | Kind::Bytes => true,
            Kind::Payload => {
                self.tree.count(index, self.data) == Some(self.tree.content_after_length(index).len() as u64)
            }
            _ => false,
        }
    }
}

/// How many bytes the shortest spelling of a zigzag varint has.
fn varint_len(value: i64) -> u32 {
    let bits = ((value << 1) ^ (value >> 63)) as u64;
    (64 - (bits | 1).leading_zeros()).div_ceil(7)
}
