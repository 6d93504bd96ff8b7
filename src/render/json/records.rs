//! What is in a records field as JSON: an array with an object for each batch and message.

use std::io::{self, Write};

use super::payload;
use super::text::JsonText;
use super::told::{self, Content, Entry, Told};
use crate::records::RecordBase;
use crate::records::compression::Codec;
use crate::records::value::{TIMESTAMP_TYPES, known_bits};
use crate::tree::{Data, Kind, Tree, builtin};

/// The names of Kafka's ControlRecordType, by their numbers.
const CONTROL_TYPES: [&str; 7] = [
    "ABORT",
    "COMMIT",
    "LEADER_CHANGE",
    "SNAPSHOT_HEADER",
    "SNAPSHOT_FOOTER",
    "KRAFT_VERSION",
    "KRAFT_VOTERS",
];

/// Writes what is in records fields.
pub struct RecordsJson<'r, W> {
    pub tree: &'r Tree,
    pub data: Data<'r>,
    pub show_secrets: bool,
    pub json: &'r mut JsonText<W>,
}

impl<'r, W: Write> RecordsJson<'r, W> {
    /// The array of the entries of the records field at `index`.
    pub fn field(&mut self, index: usize) -> io::Result<()> {
        let tree = self.tree;
        // The first is the length.
        self.entries(tree.parts(index).skip(1))
    }

    fn entries(&mut self, entries: impl Iterator<Item = usize>) -> io::Result<()> {
        self.json.open(b'[')?;
        for entry in entries {
            self.entry(entry)?;
        }
        self.json.close(b']')
    }

    /// A batch or message, or the bytes of what is neither or not told by its values.
    pub fn entry(&mut self, index: usize) -> io::Result<()> {
        let told = self.told();
        let parts = if self.tree.nodes[index].kind() == Kind::Batch { told.entry(index) } else { None };
        let Some(parts) = parts else { return self.bytes(index, self.tree.nodes[index].bytes(self.data)) };
        self.json.open(b'{')?;
        self.fields(index, &parts)?;
        match parts.content {
            Content::Records { parent, count } => self.records(index, &parts, parent, count)?,
            Content::Compressed(bytes) => {
                self.json.key("recordCount")?;
                self.int(parts.fields[parts.fields.len() - 1])?;
                self.json.key("compressed")?;
                match bytes {
                    Some(bytes) => self.bytes(bytes, self.tree.nodes[bytes].bytes(self.data))?,
                    None => self.json.base64(b"")?,
                }
            }
            Content::Value(value) => self.content("value", value)?,
            Content::Messages { parent } => {
                self.json.key("messages")?;
                self.entries(told.expanded(parent))?;
            }
            Content::CompressedValue(value) => {
                self.json.key("compressed")?;
                match self.tree.content(value, self.data) {
                    Some(content) => self.bytes(value, content)?,
                    None => self.json.null()?,
                }
            }
        }
        self.json.close(b'}')
    }

    fn told(&self) -> Told<'r> {
        Told { tree: self.tree, data: self.data }
    }

    fn int(&mut self, index: usize) -> io::Result<()> {
        self.json.int(self.tree.nodes[index].int(self.data))
    }

    /// The bytes of something in base64. `index` is what they are told by.
    fn bytes(&mut self, index: usize, bytes: &[u8]) -> io::Result<()> {
        match !self.show_secrets && self.tree.holds_secret(index) {
            true => self.json.hidden(bytes.len()),
            false => self.json.base64(bytes),
        }
    }

    /// The content of a key or value.
    fn content(&mut self, name: &str, index: usize) -> io::Result<()> {
        self.json.key(name)?;
        match self.tree.content(index, self.data) {
            None => self.json.null(),
            Some(content) if !self.show_secrets && self.tree.holds_secret(index) => {
                self.json.hidden(content.len())
            }
            Some(content) => self.json.text(content),
        }
    }

    /// The fields before the records or the value. Those that an encoder works out are there only if it would not come to the same.
    fn fields(&mut self, index: usize, parts: &Entry) -> io::Result<()> {
        let tree = self.tree;
        let magic = tree.nodes[parts.fields[told::MAGIC]].int(self.data) as u8;
        for field in &parts.fields {
            let node = &tree.nodes[*field];
            match node.item() {
                builtin::BATCH_LENGTH | builtin::MESSAGE_SIZE | builtin::RECORD_COUNT => continue,
                builtin::CRC_32C | builtin::CRC_32 if !self.told().has_wrong_crc(index) => continue,
                builtin::ATTRIBUTES | builtin::MESSAGE_ATTRIBUTES => {
                    self.json.key(&tree.item_of(node).name)?;
                    self.attributes(*field, magic)?;
                }
                _ => {
                    self.json.key(&tree.item_of(node).name)?;
                    self.int(*field)?;
                }
            }
        }
        match parts.key {
            Some(key) => self.content("key", key),
            None => Ok(()),
        }
    }

    fn attributes(&mut self, index: usize, magic: u8) -> io::Result<()> {
        let (tree, data) = (self.tree, self.data);
        self.json.open(b'{')?;
        let bits = tree.children(index).map(|child| &tree.nodes[child]);
        for bits in bits.filter(|bits| bits.kind() == Kind::Bits) {
            self.json.key(&tree.item_of(bits).name)?;
            let value = bits.int(data);
            match bits.item() {
                builtin::COMPRESSION if value == 0 => self.json.string("none")?,
                builtin::COMPRESSION => match Codec::numbered(value as u8) {
                    Some(codec) => self.json.string(codec.name())?,
                    None => self.json.int(value)?,
                },
                builtin::TIMESTAMP_TYPE => self.json.string(TIMESTAMP_TYPES[usize::from(value == 1)])?,
                _ => self.json.bool(value == 1)?,
            }
        }
        let all = tree.nodes[index].bytes(data).iter().fold(0, |all, byte| all << 8 | u16::from(*byte));
        let others = all & !known_bits(magic);
        if others != 0 {
            self.json.key("otherBits")?;
            self.json.int(others.into())?;
        }
        self.json.close(b'}')
    }

    /// The records below `parent`, and how many there should be if not as many as there are.
    fn records(&mut self, batch: usize, parts: &Entry, parent: usize, count: usize) -> io::Result<()> {
        let (tree, data) = (self.tree, self.data);
        let claimed = tree.nodes[parts.fields[parts.fields.len() - 1]].int(data);
        if claimed != count as i64 {
            self.json.key("recordCount")?;
            self.json.int(claimed)?;
        }
        let base = RecordBase::of(tree, batch, data);
        self.json.key("records")?;
        self.json.open(b'[')?;
        for record in tree.children(parent).filter(|child| tree.nodes[*child].kind() == Kind::Record) {
            self.record(record, base)?;
        }
        self.json.close(b']')
    }

    fn record(&mut self, index: usize, base: Option<RecordBase>) -> io::Result<()> {
        let (tree, data) = (self.tree, self.data);
        let mut control_type = None;
        self.json.open(b'{')?;
        for (place, part) in tree.parts(index).enumerate() {
            let node = &tree.nodes[part];
            match place {
                // The length.
                0 => {}
                1 | 2 => {
                    self.json.key(&tree.item_of(node).name)?;
                    self.int(part)?;
                }
                3 => {
                    self.json.key("offsetDelta")?;
                    self.int(part)?;
                    self.json.key("offset")?;
                    self.json.optional_int(base.and_then(|base| base.offset_of(node, data)))?;
                    self.json.key("timestamp")?;
                    // The timestampDelta comes right before it, but for what is said of either.
                    let timestamp = tree.parts(index).nth(2).map(|part| &tree.nodes[part]);
                    let timestamp = timestamp.and_then(|node| base?.timestamp_of(node, data));
                    self.json.optional_int(timestamp)?;
                }
                4 => {
                    let fields = tree.nodes[part..tree.end(part)].iter();
                    control_type = fields.clone().find(|node| node.is_builtin(builtin::CONTROL_TYPE));
                    self.content("key", part)?;
                    self.decoded("decodedKey", part)?;
                }
                5 => {
                    self.content("value", part)?;
                    self.decoded("decodedValue", part)?;
                }
                _ => self.headers(part)?,
            }
        }
        if let Some(control_type) = control_type {
            let number = control_type.int(data);
            let name = usize::try_from(number).ok().and_then(|number| CONTROL_TYPES.get(number));
            self.json.key("controlType")?;
            match name {
                Some(name) => self.json.string(name)?,
                None => self.json.int(number)?,
            }
        }
        self.json.close(b'}')
    }

    /// What a key or value says, if there is a definition for it: its name, the version and the fields.
    fn decoded(&mut self, name: &str, index: usize) -> io::Result<()> {
        let (tree, data, show_secrets) = (self.tree, self.data, self.show_secrets);
        let Some((definition, version)) = payload::definition(tree, index) else { return Ok(()) };
        self.json.key(name)?;
        self.json.open(b'{')?;
        self.json.key("name")?;
        self.json.string(definition)?;
        self.json.key("version")?;
        self.json.int(version.into())?;
        self.json.key("fields")?;
        payload::write_fields(&mut *self.json, tree, data, index, show_secrets)?;
        self.json.close(b'}')
    }

    fn headers(&mut self, index: usize) -> io::Result<()> {
        let tree = self.tree;
        self.json.key("headers")?;
        self.json.open(b'[')?;
        // The first is their number.
        for header in tree.parts(index).skip(1) {
            self.json.open(b'{')?;
            for (name, part) in ["key", "value"].into_iter().zip(tree.parts(header)) {
                self.content(name, part)?;
            }
            self.json.close(b'}')?;
        }
        self.json.close(b']')
    }
}
