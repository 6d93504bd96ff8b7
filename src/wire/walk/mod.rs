//! The walk: goes through a plan and the bytes at once, and hands what it finds to a [`Sink`].
//!
//! A walk never stops without having accounted for every byte: where it cannot go on, the rest up to the limit
//! becomes one leaf, right where the next field should have been.

mod payload;
mod quick;
mod tags;

use super::plan::{ArrayPlan, Body, Op, Plan, Segment, SegmentKind, Step};
use super::primitive::{self, Fault};
use super::shape::Shape;
use super::sink::Sink;
use crate::payload::Context;
use crate::records;
use crate::schema::{MessageKind, Rules};
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
    /// What fields before this place say about payloads after it.
    pub(crate) context: Context<'w>,
    /// Whether this is within a payload, so that nothing here spoils the message.
    lenient: bool,
    /// Whether what is left may be part of a secret.
    holds_secret: bool,
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

impl<'w, S: Sink> Walk<'w, S> {
    /// A walk over bytes that begin at an offset of the frame.
    pub fn new(bytes: &'w [u8], start: usize, sink: &'w mut S) -> Walk<'w, S> {
        Walk {
            rest: bytes,
            end: start + bytes.len(),
            limit: Limit::Input,
            sink,
            context: Context::default(),
            lenient: false,
            holds_secret: false,
            shape: Shape::default(),
        }
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

    /// Reads one field or element.
    fn step(&mut self, route: &Route<'_>, step: &Step, element: Option<u32>) -> Result<(), Stopped> {
        let at = At { plan: route.id, item: step.item, element };
        let item = &route.plan.items[usize::from(step.item)];
        if item.slot.is_some() || item.format.is_some() {
            return self.bound_field(route, step, at);
        }
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
        // Nothing is no secret.
        let secret = length != Some(0) && self.is_secret(&route.plan.items[usize::from(step.item)]);
        let flags =
            route.flags.with(Flags::COMPACT.only_if(step.compact)).with(Flags::SECRET.only_if(secret));
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
            self.holds_secret |= secret;
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
        let start = self.pos();
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
                if matches!(self.limit, Limit::Cut { .. } | Limit::Input) {
                    self.entries(route, at, self.left(), records::Ending::Cut);
                }
                let kind = ProblemKind::Length { claimed: length as u64, found, limit: self.limit };
                Err(self.stop_at(at, start, kind))
            }
            Some(0) => Ok(()),
            Some(length) => {
                let ending = match route.plan.kind {
                    // A producer has no reason to send half a batch.
                    MessageKind::Request => records::Ending::Whole,
                    _ => records::Ending::UpToLimit,
                };
                self.entries(route, at, length, ending);
                Ok(())
            }
        };
        self.sink.close(mark, self.pos());
        result
    }

    /// What is in a records field of `length` bytes.
    fn entries(&mut self, route: &Route<'_>, at: At, length: usize, ending: records::Ending) {
        if let Some(reason) = Rules::get().unaligned_records(&route.plan.name) {
            self.remark(at, self.pos(), ProblemKind::Unaligned { reason });
            return self.raw(builtin::RECORD_BYTES, length);
        }
        let (bytes, rest) = self.rest.split_at(length);
        let source = records::Source { ending, topic: self.topic() };
        records::entries(bytes, self.pos(), source, self.sink);
        self.rest = rest;
    }

    #[inline]
    fn structure(&mut self, route: &Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let body = &route.plan.bodies[usize::from(step.target)];
        if step.nullable {
            let null = if step.compact { 0 } else { -1 };
            match self.rest.first().map(|byte| *byte as i8) {
                None => return Err(self.short(at, 1)),
                Some(1) => {}
                Some(value) if value == null => {
                    self.leaf(at.what(Kind::NullStruct, Flags::NONE), 1);
                    return Ok(());
                }
                Some(value) => return Err(self.stop(at, ProblemKind::Presence { value, null })),
            }
        }
        let mark = self.sink.open(at.what(Kind::Struct, Flags::NONE), self.pos());
        if step.nullable {
            let what = match step.compact {
                true => What::new(Kind::Uvarint, Flags::NONE, builtin::TAGGED_PRESENT),
                false => What::new(Kind::Int, Flags::NONE, builtin::PRESENT),
            };
            self.leaf(what, 1);
        }
        let result = self.body(route, body);
        self.sink.close(mark, self.pos());
        result
    }

    #[inline]
    fn array(&mut self, route: &Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let (count, prefix) = self.length(step, at)?;
        let kind = if count.is_some() { Kind::Array } else { Kind::NullArray };
        let start = self.pos();
        let mark = self.sink.open(at.what(kind, Flags::NONE), start);
        self.length_leaf(step, prefix);
        let array = &route.plan.arrays[usize::from(step.target)];
        let result = match count {
            Some(count) => self.elements(route, array, at, count, start),
            None if step.nullable => Ok(()),
            None => {
                self.null_remark(route, at, prefix);
                Ok(())
            }
        };
        self.sink.close(mark, self.pos());
        result
    }

    /// Reads the elements of an array. Its count stands at `count_at`.
    #[inline]
    fn elements(
        &mut self,
        route: &Route<'_>,
        array: &ArrayPlan,
        at: At,
        count: usize,
        count_at: usize,
    ) -> Result<(), Stopped> {
        let wanted = count as u64 * u64::from(array.min_size);
        if !self.room_for(wanted) {
            let found = self.left() as u64;
            let kind = ProblemKind::Count { claimed: count as u64, wanted, found, limit: self.limit };
            return Err(self.stop_at(at, count_at, kind));
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
                return Err(self.stop_at(at, count_at, kind));
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
    pub(crate) fn leaf(&mut self, what: What, len: usize) {
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
        self.sink.problem(Problem {
            kind,
            node: 0,
            offset: offset as u32,
            plan,
            item,
            element,
            in_payload: self.lenient,
        });
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
            let flags = Flags::SECRET.only_if(self.holds_secret);
            self.leaf(What::new(Kind::Raw, flags, builtin::UNDECODED), self.left());
        }
        Stopped
    }
}
