//! The walk: goes through a plan and the bytes at once, and hands what it finds to a [`Sink`].
//!
//! A walk never stops without having accounted for every byte: where it cannot go on, the rest up to the limit
//! becomes one leaf, right where the next field should have been.

use super::plan::{ArrayPlan, Body, Op, Plan, Segment, SegmentKind, Step};
use super::primitive::{self, Fault};
use super::shape::Shape;
use super::sink::{Elements, Sink};
use crate::tree::{Flags, Kind, Limit, PlanId, Problem, ProblemKind, What, builtin};

/// The walk could not go on; what there is to say has been said, and the bytes up to the limit are accounted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// A place in a frame, and how far it may be read.
pub struct Walk<'w, S> {
    /// What may be read from here.
    pub rest: &'w [u8],
    /// The offset at which that ends.
    pub end: usize,
    /// Why it ends there.
    pub limit: Limit,
    /// The receiver.
    pub sink: &'w mut S,
    /// For elements that may be alike.
    shape: Shape,
}

/// The plan that is walked, and what nodes call it.
#[derive(Clone, Copy)]
pub struct Route<'p> {
    /// The plan.
    pub plan: &'p Plan,
    /// What nodes call it.
    pub id: PlanId,
    /// Flags for all of its nodes.
    pub flags: Flags,
}

/// Which field, for a problem: an item of a plan, and an index if it is an element.
#[derive(Clone, Copy)]
struct At {
    plan: PlanId,
    item: u16,
    element: Option<u32>,
}

impl At {
    const fn builtin(item: u16) -> At {
        At { plan: PlanId::BUILTIN, item, element: None }
    }

    /// A node of this field.
    #[inline]
    fn what(self, kind: Kind, flags: Flags) -> What {
        let flags = flags.with(Flags::ELEMENT.only_if(self.element.is_some()));
        What::new(kind, flags, self.item).in_plan(self.plan)
    }
}

const COMPACT_LENGTH: What = What::new(Kind::Length, Flags::COMPACT, builtin::UVARINT_LENGTH);
const INT32_LENGTH: What = What::new(Kind::Length, Flags::NONE, builtin::INT32_LENGTH);
const TAG_NUMBER: At = At::builtin(builtin::TAG_NUMBER);
const TAG_SIZE: At = At::builtin(builtin::TAG_SIZE);

impl<'w, S: Sink> Walk<'w, S> {
    /// A walk over bytes that begin at an offset of the frame.
    pub fn new(bytes: &'w [u8], start: usize, sink: &'w mut S) -> Walk<'w, S> {
        Walk { rest: bytes, end: start + bytes.len(), limit: Limit::Input, sink, shape: Shape::default() }
    }

    /// Walks the message of a plan from here. Returns how it ended; what it found is with the sink.
    pub fn message(&mut self, route: &Route<'_>) -> Result<(), Stopped> {
        self.body(route, &route.plan.bodies[0])
    }

    /// How many bytes may still be read.
    #[inline]
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The offset of the next byte.
    #[inline]
    pub fn pos(&self) -> usize {
        self.end - self.rest.len()
    }

    /// A leaf of a builtin item that covers the next `len` bytes.
    pub fn raw(&mut self, item: u16, len: usize) {
        self.leaf(What::new(Kind::Raw, Flags::NONE, item), len);
    }

    fn body(&mut self, route: &Route<'_>, body: &Body) -> Result<(), Stopped> {
        let plan = route.plan;
        for segment in plan.segments_of(body) {
            let done = match segment.kind {
                SegmentKind::Run => self.run(route, segment),
                SegmentKind::Bool => self.sound_bool(route, segment),
                SegmentKind::String => self.short_string(route, segment),
                SegmentKind::Bytes => self.short_bytes(route, segment),
                SegmentKind::FixedArray => self.fixed_array(route, segment),
                SegmentKind::StructArray => self.struct_array(route, segment)?,
                SegmentKind::Field => false,
            };
            if !done {
                self.steps(route, segment)?;
            }
        }
        if body.flexible { self.tagged_fields(route, body) } else { Ok(()) }
    }

    /// Reads a segment field by field.
    #[inline(never)]
    fn steps(&mut self, route: &Route<'_>, segment: &Segment) -> Result<(), Stopped> {
        let steps = segment.first_step as usize..segment.end_step as usize;
        route.plan.steps[steps].iter().try_for_each(|step| self.step(route, step, None))
    }

    // What follows reads a segment if there is nothing to be said about it: all of it is there, lengths are short and spelled as
    // encoders spell them, and null is only where it may be. Otherwise it returns false and has done nothing.

    #[inline]
    fn run(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
        let Some((_, rest)) = self.rest.split_at_checked(segment.size as usize) else { return false };
        self.sink.run(route.plan.templates_of(segment), route.id, self.pos());
        self.rest = rest;
        true
    }

    #[inline]
    fn sound_bool(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
        matches!(self.rest, [0 | 1, ..]) && self.short_leaf(segment.what.in_plan(route.id), 1)
    }

    #[inline]
    fn short_string(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
        let (kind, len) = match (segment.compact, self.rest) {
            (true, [length @ 1..0x80, ..]) => (Kind::String, usize::from(*length)),
            (true, [0, ..]) if segment.nullable => (Kind::NullString, 1),
            (false, [0, length, ..]) => (Kind::String, usize::from(*length) + 2),
            (false, [0xff, 0xff, ..]) if segment.nullable => (Kind::NullString, 2),
            _ => return false,
        };
        self.short_leaf(segment.what.of_kind(kind).in_plan(route.id), len)
    }

    #[inline]
    fn short_bytes(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
        match self.short_length(segment) {
            Some((length, prefix)) => self.short_leaf(segment.what.in_plan(route.id), prefix + length),
            None => false,
        }
    }

    #[inline]
    fn short_leaf(&mut self, what: What, len: usize) -> bool {
        let Some((_, rest)) = self.rest.split_at_checked(len) else { return false };
        self.sink.leaf(what, self.pos(), len);
        self.rest = rest;
        true
    }

    /// The length before bytes or an array, if it is not null, and how many bytes it has itself.
    #[inline]
    fn short_length(&self, segment: &Segment) -> Option<(usize, usize)> {
        match (segment.compact, self.rest) {
            (true, [length @ 1..0x80, ..]) => Some((usize::from(*length) - 1, 1)),
            (false, [0, 0, high, low, ..]) => Some((usize::from(u16::from_be_bytes([*high, *low])), 4)),
            _ => None,
        }
    }

    #[inline]
    fn fixed_array(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
        let Some((count, prefix)) = self.short_length(segment) else { return false };
        let size = prefix + count * segment.size as usize;
        let Some((_, rest)) = self.rest.split_at_checked(size) else { return false };
        let what = segment.what.in_plan(route.id);
        let length = if segment.compact { COMPACT_LENGTH } else { INT32_LENGTH };
        let template = &route.plan.templates[segment.first_template as usize];
        let start = self.pos() + prefix;
        self.sink.fixed_array(what, length, prefix, Elements { template, plan: route.id, start, count });
        self.rest = rest;
        true
    }

    #[inline]
    fn struct_array(&mut self, route: &Route<'_>, segment: &Segment) -> Result<bool, Stopped> {
        let Some((count, prefix)) = self.short_length(segment) else { return Ok(false) };
        if prefix + count * segment.size as usize > self.left() {
            return Ok(false);
        }
        let what = segment.what.in_plan(route.id);
        let length = if segment.compact { COMPACT_LENGTH } else { INT32_LENGTH };
        let element = route.plan.templates[segment.first_template as usize].what().in_plan(route.id);
        let body = &route.plan.bodies[usize::from(segment.body)];
        let mark = self.sink.open(what, self.pos());
        self.leaf(length, prefix);
        let result = self.struct_elements(route, body, element, count);
        self.sink.close(mark, self.pos());
        result.map(|()| true)
    }

    /// Reads the elements of an array of structures.
    #[inline]
    fn struct_elements(
        &mut self,
        route: &Route<'_>,
        body: &Body,
        element: What,
        count: usize,
    ) -> Result<(), Stopped> {
        // A shape is worth taking if some elements are left, and as long as it is not taken in vain.
        let (mut left, mut trust) = (count, 2);
        while left > 0 {
            let (whole, start) = (self.rest, self.pos());
            let mark = self.sink.open(element, start);
            let result = self.body(route, body);
            self.sink.close(mark, self.pos());
            result?;
            left -= 1;
            if left >= 2 && trust > 0 {
                let repeated = self.same_shapes(mark, &whole[..whole.len() - self.left()], start, left);
                trust = if repeated > 0 { 2 } else { trust - 1 };
                left -= repeated;
            }
        }
        Ok(())
    }

    /// Reads the structures that have the same shape as the one that was read last: that of the node `mark`, with these bytes, from
    /// `start` on. There are at most `most`. Returns how many they are.
    fn same_shapes(&mut self, mark: usize, bytes: &[u8], start: usize, most: usize) -> usize {
        let nodes = self.sink.nodes_since(mark).len();
        // Few nodes are read as fast as they are compared.
        if nodes < 8 || !self.shape.take(self.sink.nodes_since(mark), bytes, start) {
            return 0;
        }
        let size = self.shape.size();
        let mut repeated = 0;
        while repeated < most && self.shape.fits(self.rest) {
            repeated += 1;
            self.sink.repeat(mark, nodes, repeated * size);
            self.rest = &self.rest[size..];
        }
        repeated
    }

    /// Reads one field or element.
    fn step(&mut self, route: &Route<'_>, step: &Step, element: Option<u32>) -> Result<(), Stopped> {
        let at = At { plan: route.id, item: step.item, element };
        match step.op {
            Op::String => self.text(route, step, at, Kind::String, Kind::NullString),
            Op::Bytes => self.text(route, step, at, Kind::Bytes, Kind::NullBytes),
            Op::Records => self.records(route, step, at),
            Op::Struct => self.structure(route, step, at),
            Op::Array => self.array(route, step, at),
            _ => self.fixed(route, step, at),
        }
    }

    /// A field of fixed size.
    fn fixed(&mut self, route: &Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let flags = route.flags.with(Flags::ELEMENT.only_if(at.element.is_some()));
        let Some(template) = step.template(flags) else { return Ok(()) };
        let size = template.len() as usize;
        if size > self.left() {
            return Err(self.short(at, size));
        }
        let byte = self.rest[0];
        self.leaf(template.what().in_plan(at.plan), size);
        if step.op == Op::Bool && byte > 1 {
            self.remark(at, self.pos() - 1, ProblemKind::BoolByte { value: byte });
        }
        Ok(())
    }

    /// A string or bytes: a length and that many bytes in one leaf.
    #[inline]
    fn text(
        &mut self,
        route: &Route<'_>,
        step: &Step,
        at: At,
        present: Kind,
        absent: Kind,
    ) -> Result<(), Stopped> {
        let (length, prefix) = self.length(step, at)?;
        let flags = route.flags.with(Flags::COMPACT.only_if(step.compact));
        let Some(length) = length else {
            self.leaf(at.what(absent, flags), prefix);
            if !step.nullable {
                self.null_remark(route, at, prefix);
            }
            return Ok(());
        };
        let found = self.left() - prefix;
        if length > found {
            let kind = ProblemKind::Length { claimed: length as u64, found: found as u64, limit: self.limit };
            return Err(self.stop(at, kind));
        }
        self.leaf(at.what(present, flags), prefix + length);
        Ok(())
    }

    /// Reads the length before a string, bytes, records or an array, and leaves the position before it.
    ///
    /// Returns the length, `None` for null, and how many bytes it has itself.
    #[inline]
    fn length(&mut self, step: &Step, at: At) -> Result<(Option<usize>, usize), Stopped> {
        let input = self.rest;
        if step.compact {
            return match primitive::uvarint(input) {
                Ok((rest, length)) => Ok(((length as usize).checked_sub(1), input.len() - rest.len())),
                Err(nom::Err::Error(Fault::TooLong)) => Err(self.stop(at, ProblemKind::LongVarint)),
                Err(_) => Err(self.short(at, self.left() + 1)),
            };
        }
        let (length, size) = match step.op {
            Op::String => (primitive::int16(input).map(|(_, length)| i32::from(length)), 2),
            _ => (primitive::int32(input).map(|(_, length)| length), 4),
        };
        match length {
            Ok(length) => match usize::try_from(length) {
                Ok(length) => Ok((Some(length), size)),
                Err(_) if length == -1 => Ok((None, size)),
                Err(_) => Err(self.stop(at, ProblemKind::NegativeLength { value: length.into() })),
            },
            Err(_) => Err(self.short(at, size)),
        }
    }

    /// The leaf for a length that [`Walk::length`] read.
    #[inline]
    fn length_leaf(&mut self, step: &Step, prefix: usize) {
        self.leaf(if step.compact { COMPACT_LENGTH } else { INT32_LENGTH }, prefix);
    }

    fn records(&mut self, route: &Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let (length, prefix) = self.length(step, at)?;
        let kind = if length.is_some() { Kind::Records } else { Kind::NullRecords };
        let mark = self.sink.open(at.what(kind, Flags::NONE), self.pos());
        self.length_leaf(step, prefix);
        let result = match length {
            None if step.nullable => Ok(()),
            None => {
                self.null_remark(route, at, prefix);
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
        self.sink.close(mark, self.pos());
        result
    }

    #[inline]
    fn structure(&mut self, route: &Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let body = &route.plan.bodies[usize::from(step.target)];
        if step.nullable {
            match self.rest.first() {
                None => return Err(self.short(at, 1)),
                Some(1) => {}
                Some(0xff) => {
                    self.leaf(at.what(Kind::NullStruct, Flags::NONE), 1);
                    return Ok(());
                }
                Some(byte) => return Err(self.stop(at, ProblemKind::Presence { value: *byte as i8 })),
            }
        }
        let mark = self.sink.open(at.what(Kind::Struct, Flags::NONE), self.pos());
        if step.nullable {
            self.leaf(What::new(Kind::Int, Flags::NONE, builtin::PRESENT), 1);
        }
        let result = self.body(route, body);
        self.sink.close(mark, self.pos());
        result
    }

    #[inline]
    fn array(&mut self, route: &Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let (count, prefix) = self.length(step, at)?;
        let kind = if count.is_some() { Kind::Array } else { Kind::NullArray };
        let mark = self.sink.open(at.what(kind, Flags::NONE), self.pos());
        self.length_leaf(step, prefix);
        let array = &route.plan.arrays[usize::from(step.target)];
        let result = match count {
            Some(count) => self.elements(route, array, at, count),
            None if step.nullable => Ok(()),
            None => {
                self.null_remark(route, at, prefix);
                Ok(())
            }
        };
        self.sink.close(mark, self.pos());
        result
    }

    #[inline]
    fn elements(
        &mut self,
        route: &Route<'_>,
        array: &ArrayPlan,
        at: At,
        count: usize,
    ) -> Result<(), Stopped> {
        let wanted = count as u64 * u64::from(array.min_size);
        if !self.room_for(wanted) {
            let found = self.left() as u64;
            let kind = ProblemKind::Count { claimed: count as u64, wanted, found, limit: self.limit };
            return Err(self.stop(at, kind));
        }
        for index in 0..count {
            let before = self.pos();
            let element = &array.element;
            let at_element = At { plan: route.id, item: element.item, element: Some(index as u32) };
            match element.op {
                Op::Struct => self.structure(route, element, at_element)?,
                _ => self.step(route, element, at_element.element)?,
            }
            // Structures without fields take no bytes, and a count of them may be anything.
            if self.pos() == before {
                let kind = ProblemKind::Count { claimed: count as u64, wanted, found: 0, limit: self.limit };
                return Err(self.stop(at, kind));
            }
        }
        Ok(())
    }

    /// Whether the frame, as it was sent, can hold `wanted` more bytes. A frame that was cut off may have held them.
    #[inline]
    fn room_for(&self, wanted: u64) -> bool {
        let left = match self.limit {
            Limit::Cut { size } => (u64::from(size) + 4).saturating_sub(self.pos() as u64),
            _ => self.left() as u64,
        };
        wanted <= left
    }

    #[inline]
    fn tagged_fields(&mut self, route: &Route<'_>, body: &Body) -> Result<(), Stopped> {
        let header = route.flags.has(Flags::HEADER);
        let item = if header { builtin::HEADER_TAGGED_FIELDS } else { builtin::TAGGED_FIELDS };
        let what = What::new(Kind::TaggedFields, route.flags, item);
        // Nearly always there are none.
        if self.rest.first() == Some(&0) {
            self.leaf(what, 1);
            return Ok(());
        }
        self.some_tagged_fields(route, body, what, At::builtin(item))
    }

    fn some_tagged_fields(
        &mut self,
        route: &Route<'_>,
        body: &Body,
        what: What,
        at: At,
    ) -> Result<(), Stopped> {
        let (count, len) = self.uvarint(at)?;
        if count == 0 {
            self.leaf(what, len);
            return Ok(());
        }
        let mark = self.sink.open(what, self.pos());
        self.leaf(What::new(Kind::Uvarint, Flags::NONE, builtin::TAG_COUNT), len);
        let result = self.tags(route, body, at, count);
        self.sink.close(mark, self.pos());
        result
    }

    fn tags(&mut self, route: &Route<'_>, body: &Body, at: At, count: u32) -> Result<(), Stopped> {
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
    fn tag(&mut self, route: &Route<'_>, body: &Body, before: Option<u32>) -> Result<u32, Stopped> {
        let start = self.pos();
        let (tag, tag_len) = self.uvarint(TAG_NUMBER)?;
        let known = route.plan.tagged_of(body).iter().find(|field| field.tag == tag);
        let (at, kind) = match known {
            Some(field) => (At { plan: route.id, item: field.step.item, element: None }, Kind::Tag),
            None => (At::builtin(builtin::UNKNOWN_TAG), Kind::UnknownTag),
        };
        let mark = self.sink.open(at.what(kind, Flags::NONE), start);
        self.leaf(TAG_NUMBER.what(Kind::Uvarint, Flags::NONE), tag_len);
        if let Some(before) = before.filter(|before| *before >= tag) {
            self.remark(at, start, ProblemKind::TagOrder { tag, before });
        }
        if known.is_none() {
            self.foreign_tag(route, body, tag, start);
        }
        let result = self.tag_value(route, known.map(|field| &field.step), tag);
        self.sink.close(mark, self.pos());
        result.map(|()| tag)
    }

    fn foreign_tag(&mut self, route: &Route<'_>, body: &Body, tag: u32, start: usize) {
        let foreign = route.plan.foreign_of(body).iter().find(|foreign| foreign.tag == tag);
        if let Some(foreign) = foreign {
            let versions = route.plan.items[usize::from(foreign.item)].versions;
            let at = At { plan: route.id, item: foreign.item, element: None };
            let kind = ProblemKind::ForeignTag { tag, versions, version: route.plan.version };
            self.remark(at, start, kind);
        }
    }

    /// The size and value of a tagged field. What goes wrong in the value stays within its size.
    fn tag_value(&mut self, route: &Route<'_>, step: Option<&Step>, tag: u32) -> Result<(), Stopped> {
        let size_at = self.pos();
        let (size, len) = self.uvarint(TAG_SIZE)?;
        self.leaf(TAG_SIZE.what(Kind::Uvarint, Flags::NONE), len);
        let cut = size as usize > self.left();
        // What there is of a value that was cut off is still worth a try, if its layout is known.
        if let (true, Limit::Cut { .. }, Some(step)) = (cut, self.limit, step) {
            return self.step(route, step, None);
        }
        if cut {
            let found = self.left() as u64;
            let kind = ProblemKind::Length { claimed: size.into(), found, limit: self.limit };
            return Err(self.stop_at(TAG_SIZE, size_at, kind));
        }
        let Some(step) = step else {
            if size > 0 {
                self.raw(builtin::TAG_VALUE, size as usize);
            }
            return Ok(());
        };
        let (value, after) = self.rest.split_at(size as usize);
        let (outer_end, outer_limit) = (self.end, self.limit);
        (self.end, self.limit) = (self.pos() + size as usize, Limit::Tag { tag, size });
        self.rest = value;
        // If this stops, the rest of the tag has been accounted for, and what follows it is unharmed.
        let _ = self.step(route, step, None);
        if self.left() > 0 {
            let at = At { plan: route.id, item: step.item, element: None };
            let bytes = self.left() as u64;
            self.remark(at, self.pos(), ProblemKind::TagRest { tag, bytes });
            self.raw(builtin::TAG_REST, self.left());
        }
        (self.rest, self.end, self.limit) = (after, outer_end, outer_limit);
        Ok(())
    }

    /// Reads a uvarint and leaves the position before it. Returns the value and how many bytes it has.
    fn uvarint(&mut self, at: At) -> Result<(u32, usize), Stopped> {
        let input = self.rest;
        match primitive::uvarint(input) {
            Ok((rest, value)) => Ok((value, input.len() - rest.len())),
            Err(nom::Err::Error(Fault::TooLong)) => Err(self.stop(at, ProblemKind::LongVarint)),
            Err(_) => Err(self.short(at, self.left() + 1)),
        }
    }

    #[inline]
    fn leaf(&mut self, what: What, len: usize) {
        self.sink.leaf(what, self.pos(), len);
        self.rest = &self.rest[len..];
    }

    #[cold]
    fn null_remark(&mut self, route: &Route<'_>, at: At, prefix: usize) {
        let version = route.plan.version;
        self.remark(at, self.pos() - prefix, ProblemKind::NullNotAllowed { version });
    }

    #[cold]
    fn remark(&mut self, at: At, offset: usize, kind: ProblemKind) {
        let At { plan, item, element } = at;
        self.sink.problem(Problem { kind, node: 0, offset: offset as u32, plan, item, element });
    }

    /// The value at this place has `wanted` bytes, which is more than are left.
    #[cold]
    fn short(&mut self, at: At, wanted: usize) -> Stopped {
        let found = self.left() as u64;
        self.stop(at, ProblemKind::Short { wanted: wanted as u64, found, limit: self.limit })
    }

    #[cold]
    fn stop(&mut self, at: At, kind: ProblemKind) -> Stopped {
        self.stop_at(at, self.pos(), kind)
    }

    /// Says what is wrong and accounts for the rest.
    #[cold]
    fn stop_at(&mut self, at: At, offset: usize, kind: ProblemKind) -> Stopped {
        self.remark(at, offset, kind);
        if self.left() > 0 {
            self.raw(builtin::UNDECODED, self.left());
        }
        Stopped
    }
}
