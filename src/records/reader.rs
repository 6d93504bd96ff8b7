//! A place in an entry of a records field, and what may be read from there.

use crate::payload::Topic;
use crate::tree::{Flags, Kind, Limit, PlanId, Problem, ProblemKind, What, builtin};
use crate::wire::primitive::{self, Fault};
use crate::wire::sink::Sink;

/// The reader could not go on. What there is to say has been said; the bytes that are left are for the caller.
pub(super) struct Stopped;

/// Reads fields one after the other and hands them to a sink.
pub(super) struct Reader<'r, S> {
    pub rest: &'r [u8],
    /// The offset at which `rest` ends.
    end: usize,
    /// Why it ends there.
    pub limit: Limit,
    /// Whether that is because the entry was cut off there, so that it need not be said again.
    pub cut: bool,
    /// Whether this is within a compressed message set, in which there can be no other.
    pub is_nested: bool,
    /// The topic whose records these are, if it is one whose records have definitions.
    pub topic: Option<Topic>,
    /// Whether this is within a payload, so that nothing here spoils the message.
    pub in_payload: bool,
    pub sink: &'r mut S,
}

impl<'r, S: Sink> Reader<'r, S> {
    /// Over bytes that begin at an offset of the frame.
    pub fn new(bytes: &'r [u8], start: usize, sink: &'r mut S) -> Reader<'r, S> {
        Reader {
            rest: bytes,
            end: start + bytes.len(),
            limit: Limit::Input,
            cut: false,
            is_nested: false,
            topic: None,
            in_payload: false,
            sink,
        }
    }

    /// A reader over the next `len` bytes, or what there is of them, which this one then has behind it.
    pub fn part(&mut self, len: usize, limit: Limit) -> Reader<'_, S> {
        let start = self.pos();
        let cut = len > self.rest.len();
        let len = len.min(self.rest.len());
        let (part, rest) = self.rest.split_at(len);
        self.rest = rest;
        Reader {
            rest: part,
            end: start + len,
            limit,
            cut,
            is_nested: self.is_nested,
            topic: self.topic,
            in_payload: self.in_payload,
            sink: self.sink,
        }
    }

    /// The offset of the next byte.
    pub fn pos(&self) -> usize {
        self.end - self.rest.len()
    }

    /// A node that covers the next `len` bytes.
    pub fn leaf(&mut self, kind: Kind, item: u16, len: usize) {
        self.sink.leaf(What::new(kind, Flags::NONE, item), self.pos(), len);
        self.rest = &self.rest[len..];
    }

    /// A node with the children that `read` finds, whether or not it gets to their end.
    pub fn node<T>(&mut self, what: What, read: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.sink.open(what, self.pos());
        let result = read(self);
        self.sink.close(mark, self.pos());
        result
    }

    /// What is left, as it is.
    pub fn raw(&mut self, item: u16) {
        if !self.rest.is_empty() {
            self.leaf(Kind::Raw, item, self.rest.len());
        }
    }

    /// What is left where something is wrong, or where the entry was cut off.
    pub fn undecoded(&mut self, item: u16) {
        self.raw(if self.cut { builtin::PARTIAL } else { item });
    }

    /// What is left although every field has been read.
    pub fn rest(&mut self, item: u16) {
        if !self.rest.is_empty() {
            self.remark(item, 0, ProblemKind::Rest { bytes: self.rest.len() as u64 });
            self.raw(item);
        }
    }

    /// Says something about an item `ahead` bytes from here.
    #[cold]
    pub fn remark(&mut self, item: u16, ahead: usize, kind: ProblemKind) {
        self.remark_at(item, self.pos() + ahead, kind);
    }

    /// Says something about an item at an offset of the frame.
    #[cold]
    pub fn remark_at(&mut self, item: u16, offset: usize, kind: ProblemKind) {
        let (plan, offset, in_payload) = (PlanId::BUILTIN, offset as u32, self.in_payload);
        self.sink.problem(Problem { kind, node: 0, offset, plan, item, element: None, in_payload });
    }

    #[cold]
    fn short(&mut self, item: u16, wanted: usize) -> Stopped {
        if self.cut {
            return Stopped;
        }
        let found = self.rest.len() as u64;
        self.remark(item, 0, ProblemKind::Short { wanted: wanted as u64, found, limit: self.limit });
        Stopped
    }

    /// A field of fixed size. Returns its bytes.
    pub fn fixed(&mut self, kind: Kind, item: u16, len: usize) -> Result<&'r [u8], Stopped> {
        let Some(bytes) = self.rest.get(..len) else { return Err(self.short(item, len)) };
        self.leaf(kind, item, len);
        Ok(bytes)
    }

    /// A zigzag varint of up to 64 bits.
    pub fn varlong(&mut self, item: u16) -> Result<i64, Stopped> {
        let (value, len) = self.peek(item, primitive::varlong)?;
        self.leaf(Kind::Varint, item, len);
        Ok(value)
    }

    /// A zigzag varint of up to 32 bits.
    pub fn varint(&mut self, item: u16) -> Result<i32, Stopped> {
        let (value, len) = self.peek(item, primitive::varint)?;
        self.leaf(Kind::Varint, item, len);
        Ok(value)
    }

    /// Reads a variable-length integer and leaves the position before it. Returns how many bytes it has as well.
    fn peek<T>(
        &mut self,
        item: u16,
        parse: impl Fn(&'r [u8]) -> primitive::Parsed<'r, T>,
    ) -> Result<(T, usize), Stopped> {
        match parse(self.rest) {
            Ok((rest, value)) => Ok((value, self.rest.len() - rest.len())),
            Err(nom::Err::Error(Fault::TooLong)) => {
                self.remark(item, 0, ProblemKind::LongVarint);
                Err(Stopped)
            }
            Err(_) => Err(self.short(item, self.rest.len() + 1)),
        }
    }

    /// Bytes after a zigzag varint with their length.
    pub fn varint_bytes(&mut self, item: u16) -> Result<(), Stopped> {
        let (length, prefix) = self.peek(item, primitive::varint)?;
        self.sized(item, length, prefix, Kind::VarintBytes, Kind::NullVarintBytes)
    }

    /// Bytes after an int32 with their length.
    pub fn int32_bytes(&mut self, item: u16) -> Result<(), Stopped> {
        let Ok((_, length)) = primitive::int32(self.rest) else { return Err(self.short(item, 4)) };
        self.sized(item, length, 4, Kind::Bytes, Kind::NullBytes)
    }

    fn sized(
        &mut self,
        item: u16,
        length: i32,
        prefix: usize,
        present: Kind,
        absent: Kind,
    ) -> Result<(), Stopped> {
        let found = self.rest.len() - prefix;
        match usize::try_from(length) {
            Ok(length) if length <= found => self.leaf(present, item, prefix + length),
            Ok(_) if self.cut => return Err(Stopped),
            Ok(length) => {
                let (claimed, found) = (length as u64, found as u64);
                self.remark(item, 0, ProblemKind::Length { claimed, found, limit: self.limit });
                return Err(Stopped);
            }
            Err(_) if length == -1 && item != builtin::HEADER_KEY => self.leaf(absent, item, prefix),
            Err(_) => {
                self.remark(item, 0, ProblemKind::NegativeLength { value: length.into() });
                return Err(Stopped);
            }
        }
        Ok(())
    }
}
