//! The walk: goes through a plan and the bytes at once, and hands what it finds to a [`Sink`].
//!
//! A walk never stops without having accounted for every byte: where it cannot go on, the rest up to the limit
//! becomes one leaf, right where the next field should have been.

use super::plan::{ArrayPlan, Body, Op, Plan, Step};
use super::primitive::{self, Fault, Parsed};
use super::sink::{Leaf, Opening, Sink};
use crate::tree::{Flags, Kind, Limit, Problem, ProblemKind, builtin};

/// The walk could not go on; what there is to say has been said, and the bytes up to the limit are accounted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// A place in a frame, and how far it may be read.
pub struct Walk<'w, S> {
    /// The frame. Offsets count from its first byte.
    pub data: &'w [u8],
    /// The next byte.
    pub pos: usize,
    /// The end of what may be read, at most the end of the data.
    pub end: usize,
    /// Why it ends there.
    pub limit: Limit,
    /// The receiver.
    pub sink: &'w mut S,
}

/// The plan that is walked, what nodes call it, and whether it is a header's.
#[derive(Clone, Copy)]
pub struct Route<'p> {
    /// The plan.
    pub plan: &'p Plan,
    /// What nodes have in [`crate::tree::Node::plan`] for it.
    pub id: u16,
    /// Flags for all of its nodes.
    pub flags: Flags,
}

/// Which field, for a problem: an item of a plan, and an index if it is an element.
#[derive(Clone, Copy)]
struct At {
    plan: u16,
    item: u16,
    element: Option<u32>,
}

const BUILTIN: u16 = 0;

impl<S: Sink> Walk<'_, S> {
    /// Walks the message of a plan from here. Returns how it ended; what it found is with the sink.
    pub fn message(&mut self, route: Route<'_>) -> Result<(), Stopped> {
        self.body(route, &route.plan.bodies[0])
    }

    /// How many bytes may still be read.
    #[inline]
    pub fn left(&self) -> usize {
        self.end - self.pos
    }

    /// A leaf of a builtin item that covers the next `len` bytes.
    pub fn raw(&mut self, item: u16, len: usize) {
        let leaf = Leaf {
            kind: Kind::Raw,
            flags: Flags::NONE,
            item,
            start: self.pos as u32,
            len: len as u32,
            value: len as u64,
        };
        self.sink.leaf(BUILTIN, leaf);
        self.pos += len;
    }

    fn body(&mut self, route: Route<'_>, body: &Body) -> Result<(), Stopped> {
        for step in route.plan.steps_of(body) {
            self.step(route, step, None)?;
        }
        if body.flexible { self.tagged_fields(route, body) } else { Ok(()) }
    }

    /// Reads one field or element.
    #[inline]
    fn step(&mut self, route: Route<'_>, step: &Step, element: Option<u32>) -> Result<(), Stopped> {
        let at = At { plan: route.id, item: step.item, element };
        match step.op {
            Op::Bool => self.boolean(route, at),
            Op::Int8 => self.int(route, at, 1, primitive::int8, Kind::Int, |value| i64::from(value) as u64),
            Op::Int16 => self.int(route, at, 2, primitive::int16, Kind::Int, |value| i64::from(value) as u64),
            Op::Uint16 => self.int(route, at, 2, primitive::uint16, Kind::Uint, u64::from),
            Op::Int32 => self.int(route, at, 4, primitive::int32, Kind::Int, |value| i64::from(value) as u64),
            Op::Uint32 => self.int(route, at, 4, primitive::uint32, Kind::Uint, u64::from),
            Op::Int64 => self.int(route, at, 8, primitive::int64, Kind::Int, |value| value as u64),
            Op::Float64 => self.int(route, at, 8, primitive::float64, Kind::Float, f64::to_bits),
            Op::Uuid => self.int(route, at, 16, primitive::array::<16>, Kind::Uuid, |_| 0),
            Op::String => self.text(route, step, at, Kind::String, Kind::NullString),
            Op::Bytes => self.text(route, step, at, Kind::Bytes, Kind::NullBytes),
            Op::Records => self.records(route, step, at),
            Op::Struct => self.structure(route, step, at),
            Op::Array => self.array(route, step, at),
        }
    }

    #[inline]
    fn int<T>(
        &mut self,
        route: Route<'_>,
        at: At,
        size: usize,
        parser: impl Fn(&[u8]) -> Parsed<'_, T>,
        kind: Kind,
        value: impl Fn(T) -> u64,
    ) -> Result<(), Stopped> {
        match parser(&self.data[self.pos..self.end]) {
            Ok((_, number)) => {
                self.leaf(route, at, kind, Flags::NONE, size, value(number));
                Ok(())
            }
            Err(_) => Err(self.short(at, size)),
        }
    }

    fn boolean(&mut self, route: Route<'_>, at: At) -> Result<(), Stopped> {
        let Some(&byte) = self.data[self.pos..self.end].first() else { return Err(self.short(at, 1)) };
        self.leaf(route, at, Kind::Bool, Flags::NONE, 1, u64::from(byte));
        if byte > 1 {
            self.remark(at, self.pos - 1, ProblemKind::BoolByte { value: byte });
        }
        Ok(())
    }

    /// A string or bytes: a length and that many bytes in one leaf.
    fn text(
        &mut self,
        route: Route<'_>,
        step: &Step,
        at: At,
        present: Kind,
        absent: Kind,
    ) -> Result<(), Stopped> {
        let wide = step.op == Op::Bytes;
        let (length, prefix) = self.length(step, at, wide)?;
        let flags = Flags::COMPACT.only_if(step.compact);
        let Some(length) = length else {
            self.leaf(route, at, absent, flags, prefix, 0);
            if !step.nullable {
                let version = route.plan.version;
                self.remark(at, self.pos - prefix, ProblemKind::NullNotAllowed { version });
            }
            return Ok(());
        };
        let found = self.left() - prefix;
        if length > found {
            let kind = ProblemKind::Length { claimed: length as u64, found: found as u64, limit: self.limit };
            return Err(self.stop(at, kind));
        }
        self.leaf(route, at, present, flags, prefix + length, length as u64);
        Ok(())
    }

    /// Reads the length before a string, bytes, records or an array, and leaves the position before it.
    ///
    /// Returns the length, `None` for null, and how many bytes it has itself.
    #[inline]
    fn length(&mut self, step: &Step, at: At, wide: bool) -> Result<(Option<usize>, usize), Stopped> {
        let input = &self.data[self.pos..self.end];
        if step.compact {
            return match primitive::uvarint(input) {
                Ok((rest, length)) => Ok(((length as usize).checked_sub(1), input.len() - rest.len())),
                Err(nom::Err::Error(Fault::TooLong)) => Err(self.stop(at, ProblemKind::LongVarint)),
                Err(_) => Err(self.short(at, self.left() + 1)),
            };
        }
        let (length, size) = if wide {
            (primitive::int32(input).map(|(_, length)| i64::from(length)), 4)
        } else {
            (primitive::int16(input).map(|(_, length)| i64::from(length)), 2)
        };
        match length {
            Ok(-1) => Ok((None, size)),
            Ok(length) => match usize::try_from(length) {
                Ok(length) => Ok((Some(length), size)),
                Err(_) => Err(self.stop(at, ProblemKind::NegativeLength { value: length })),
            },
            Err(_) => Err(self.short(at, size)),
        }
    }

    /// The leaf for a length that [`Walk::length`] read, and the remark on a null that may not be.
    fn length_leaf(&mut self, step: &Step, length: Option<usize>, prefix: usize) {
        let (kind, item, value) = match (step.compact, length) {
            (true, length) => {
                (Kind::Length, builtin::UVARINT_LENGTH, length.map_or(0, |length| length as u64 + 1))
            }
            (false, length) => {
                (Kind::Length, builtin::INT32_LENGTH, length.map_or(-1i64 as u64, |length| length as u64))
            }
        };
        let flags = Flags::COMPACT.only_if(step.compact);
        self.sink
            .leaf(BUILTIN, Leaf { kind, flags, item, start: self.pos as u32, len: prefix as u32, value });
        self.pos += prefix;
    }

    fn records(&mut self, route: Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let (length, prefix) = self.length(step, at, true)?;
        let kind = if length.is_some() { Kind::Records } else { Kind::NullRecords };
        let mark = self.open(route, at, kind, Flags::NONE, length.unwrap_or(0) as u64);
        self.length_leaf(step, length, prefix);
        let result = match length {
            None => {
                self.null_remark(route, step, at, prefix);
                Ok(())
            }
            Some(length) if length > self.left() => {
                let found = self.left() as u64;
                Err(self.stop(at, ProblemKind::Length { claimed: length as u64, found, limit: self.limit }))
            }
            Some(0) => Ok(()),
            Some(length) => {
                self.raw(builtin::RECORD_BYTES, length);
                Ok(())
            }
        };
        self.sink.close(mark, self.pos as u32);
        result
    }

    fn structure(&mut self, route: Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let body = &route.plan.bodies[usize::from(step.target)];
        let presence = if step.nullable { self.data[self.pos..self.end].first().copied() } else { Some(1) };
        match presence {
            None => return Err(self.short(at, 1)),
            Some(1) => {}
            Some(0xff) => {
                self.leaf(route, at, Kind::NullStruct, Flags::NONE, 1, 0);
                return Ok(());
            }
            Some(byte) => return Err(self.stop(at, ProblemKind::Presence { value: byte as i8 })),
        }
        let mark = self.open(route, at, Kind::Struct, Flags::NONE, at.element.unwrap_or(0).into());
        if step.nullable {
            let present = At { plan: BUILTIN, item: builtin::PRESENT, element: None };
            self.leaf_of(present, Kind::Int, Flags::NONE, 1, 1);
        }
        let result = self.body(route, body);
        self.sink.close(mark, self.pos as u32);
        result
    }

    fn array(&mut self, route: Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let (count, prefix) = self.length(step, at, true)?;
        let kind = if count.is_some() { Kind::Array } else { Kind::NullArray };
        let mark = self.open(route, at, kind, Flags::NONE, count.unwrap_or(0) as u64);
        self.length_leaf(step, count, prefix);
        let array = &route.plan.arrays[usize::from(step.target)];
        let result = match count {
            None => {
                self.null_remark(route, step, at, prefix);
                Ok(())
            }
            Some(count) => self.elements(route, array, at, count),
        };
        self.sink.close(mark, self.pos as u32);
        result
    }

    fn elements(&mut self, route: Route<'_>, array: &ArrayPlan, at: At, count: usize) -> Result<(), Stopped> {
        let wanted = count as u64 * u64::from(array.min_size);
        if !self.room_for(wanted) {
            let found = self.left() as u64;
            let kind = ProblemKind::Count { claimed: count as u64, wanted, found, limit: self.limit };
            return Err(self.stop(at, kind));
        }
        for index in 0..count {
            let before = self.pos;
            self.step(route, &array.element, Some(index as u32))?;
            // Structures without fields take no bytes, and a count of them may be anything.
            if self.pos == before {
                let kind = ProblemKind::Count { claimed: count as u64, wanted, found: 0, limit: self.limit };
                return Err(self.stop(at, kind));
            }
        }
        Ok(())
    }

    /// Whether the frame, as it was sent, can hold `wanted` more bytes. A frame that was cut off may have held them.
    fn room_for(&self, wanted: u64) -> bool {
        let left = match self.limit {
            Limit::Cut { size } => (u64::from(size) + 4).saturating_sub(self.pos as u64),
            _ => self.left() as u64,
        };
        wanted <= left
    }

    fn tagged_fields(&mut self, route: Route<'_>, body: &Body) -> Result<(), Stopped> {
        let header = route.flags.has(Flags::HEADER);
        let item = if header { builtin::HEADER_TAGGED_FIELDS } else { builtin::TAGGED_FIELDS };
        let at = At { plan: BUILTIN, item, element: None };
        let (count, len) = self.uvarint(at)?;
        if count == 0 {
            self.leaf_of(at, Kind::TaggedFields, route.flags, len, 0);
            return Ok(());
        }
        let opening = Opening {
            kind: Kind::TaggedFields,
            flags: route.flags,
            item,
            start: self.pos as u32,
            value: count.into(),
        };
        let mark = self.sink.open(BUILTIN, opening);
        let counted = At { plan: BUILTIN, item: builtin::TAG_COUNT, element: None };
        self.leaf_of(counted, Kind::Uvarint, Flags::NONE, len, count.into());
        let result = self.tags(route, body, at, count);
        self.sink.close(mark, self.pos as u32);
        result
    }

    fn tags(&mut self, route: Route<'_>, body: &Body, at: At, count: u32) -> Result<(), Stopped> {
        // Each has at least a tag and a size.
        let wanted = u64::from(count) * 2;
        if !self.room_for(wanted) {
            let found = self.left() as u64;
            let kind = ProblemKind::Count { claimed: count.into(), wanted, found, limit: self.limit };
            return Err(self.stop(at, kind));
        }
        let mut before = None;
        for _ in 0..count {
            let tag = self.tag(route, body, before)?;
            before = Some(tag);
        }
        Ok(())
    }

    /// One tagged field. Returns its tag.
    fn tag(&mut self, route: Route<'_>, body: &Body, before: Option<u32>) -> Result<u32, Stopped> {
        let number = At { plan: BUILTIN, item: builtin::TAG_NUMBER, element: None };
        let start = self.pos;
        let (tag, tag_len) = self.uvarint(number)?;
        let known = route.plan.tagged_of(body).iter().find(|field| field.tag == tag);
        let (plan, item, kind) = match known {
            Some(field) => (route.id, field.step.item, Kind::Tag),
            None => (BUILTIN, builtin::UNKNOWN_TAG, Kind::UnknownTag),
        };
        let opening = Opening { kind, flags: Flags::NONE, item, start: start as u32, value: tag.into() };
        let mark = self.sink.open(plan, opening);
        self.leaf_of(number, Kind::Uvarint, Flags::NONE, tag_len, tag.into());
        if let Some(before) = before.filter(|before| *before >= tag) {
            self.remark(At { plan, item, element: None }, start, ProblemKind::TagOrder { tag, before });
        }
        if known.is_none() {
            self.foreign_tag(route, body, tag, start);
        }
        let result = self.tag_value(route, known.map(|field| &field.step), tag);
        self.sink.close(mark, self.pos as u32);
        result.map(|()| tag)
    }

    fn foreign_tag(&mut self, route: Route<'_>, body: &Body, tag: u32, start: usize) {
        let foreign = route.plan.foreign_of(body).iter().find(|foreign| foreign.tag == tag);
        if let Some(foreign) = foreign {
            let versions = route.plan.items[usize::from(foreign.item)].versions;
            let at = At { plan: route.id, item: foreign.item, element: None };
            let kind = ProblemKind::ForeignTag { tag, versions, version: route.plan.version };
            self.remark(at, start, kind);
        }
    }

    /// The size and value of a tagged field. What goes wrong in the value stays within its size.
    fn tag_value(&mut self, route: Route<'_>, step: Option<&Step>, tag: u32) -> Result<(), Stopped> {
        let sized = At { plan: BUILTIN, item: builtin::TAG_SIZE, element: None };
        let size_at = self.pos;
        let (size, len) = self.uvarint(sized)?;
        self.leaf_of(sized, Kind::Uvarint, Flags::NONE, len, size.into());
        let cut = size as usize > self.left();
        // What there is of a value that was cut off is still worth a try, if its layout is known.
        if let (true, Limit::Cut { .. }, Some(step)) = (cut, self.limit, step) {
            return self.step(route, step, None);
        }
        if cut {
            let found = self.left() as u64;
            let kind = ProblemKind::Length { claimed: size.into(), found, limit: self.limit };
            return Err(self.stop_at(sized, size_at, kind));
        }
        let Some(step) = step else {
            if size > 0 {
                self.raw(builtin::TAG_VALUE, size as usize);
            }
            return Ok(());
        };
        let (outer_end, outer_limit) = (self.end, self.limit);
        let tag_end = self.pos + size as usize;
        (self.end, self.limit) = (tag_end, Limit::Tag { tag, size });
        // If this stops, the rest of the tag has been accounted for, and what follows it is unharmed.
        let _ = self.step(route, step, None);
        if self.pos < tag_end {
            let at = At { plan: route.id, item: step.item, element: None };
            let bytes = self.left() as u64;
            self.remark(at, self.pos, ProblemKind::TagRest { tag, bytes });
            self.raw(builtin::TAG_REST, tag_end - self.pos);
        }
        (self.end, self.limit) = (outer_end, outer_limit);
        Ok(())
    }

    /// Reads a uvarint and leaves the position before it. Returns the value and how many bytes it has.
    fn uvarint(&mut self, at: At) -> Result<(u32, usize), Stopped> {
        let input = &self.data[self.pos..self.end];
        match primitive::uvarint(input) {
            Ok((rest, value)) => Ok((value, input.len() - rest.len())),
            Err(nom::Err::Error(Fault::TooLong)) => Err(self.stop(at, ProblemKind::LongVarint)),
            Err(_) => Err(self.short(at, self.left() + 1)),
        }
    }

    #[inline]
    fn leaf(&mut self, route: Route<'_>, at: At, kind: Kind, flags: Flags, len: usize, value: u64) {
        self.leaf_of(at, kind, flags.with(route.flags), len, value);
    }

    #[inline]
    fn leaf_of(&mut self, at: At, kind: Kind, flags: Flags, len: usize, value: u64) {
        let flags = flags.with(Flags::ELEMENT.only_if(at.element.is_some()));
        let start = self.pos as u32;
        self.sink.leaf(at.plan, Leaf { kind, flags, item: at.item, start, len: len as u32, value });
        self.pos += len;
    }

    fn open(&mut self, route: Route<'_>, at: At, kind: Kind, flags: Flags, value: u64) -> usize {
        let flags = flags.with(route.flags).with(Flags::ELEMENT.only_if(at.element.is_some()));
        self.sink.open(at.plan, Opening { kind, flags, item: at.item, start: self.pos as u32, value })
    }

    fn null_remark(&mut self, route: Route<'_>, step: &Step, at: At, prefix: usize) {
        if !step.nullable {
            let version = route.plan.version;
            self.remark(at, self.pos - prefix, ProblemKind::NullNotAllowed { version });
        }
    }

    fn remark(&mut self, at: At, offset: usize, kind: ProblemKind) {
        let At { plan, item, element } = at;
        self.sink.problem(Problem { kind, offset: offset as u32, plan, item, element });
    }

    /// The value at this place has `wanted` bytes, which is more than are left.
    #[cold]
    fn short(&mut self, at: At, wanted: usize) -> Stopped {
        let found = self.left() as u64;
        self.stop(at, ProblemKind::Short { wanted: wanted as u64, found, limit: self.limit })
    }

    #[cold]
    fn stop(&mut self, at: At, kind: ProblemKind) -> Stopped {
        self.stop_at(at, self.pos, kind)
    }

    /// Says what is wrong and accounts for the rest.
    #[cold]
    fn stop_at(&mut self, at: At, offset: usize, kind: ProblemKind) -> Stopped {
        self.remark(at, offset, kind);
        if self.pos < self.end {
            self.raw(builtin::UNDECODED, self.end - self.pos);
        }
        Stopped
    }
}
