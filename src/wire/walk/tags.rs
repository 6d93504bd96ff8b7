//! Tagged fields (KIP-482): a count, then for each its tag, its size and its value.

use super::{At, Route, Stopped, Walk};
use crate::tree::{Flags, Kind, Limit, ProblemKind, What, builtin};
use crate::wire::plan::{Body, Step};
use crate::wire::sink::Sink;

const TAG_NUMBER: At = At::builtin(builtin::TAG_NUMBER);
const TAG_SIZE: At = At::builtin(builtin::TAG_SIZE);

impl<S: Sink> Walk<'_, S> {
    #[inline]
    pub(super) fn tagged_fields(&mut self, route: &Route<'_>, body: &Body) -> Result<(), Stopped> {
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
        let start = self.pos();
        let mark = self.sink.open(what, start);
        self.leaf(What::new(Kind::Uvarint, Flags::NONE, builtin::TAG_COUNT), len);
        let result = self.tags(route, body, at, count, start);
        self.sink.close(mark, self.pos());
        result
    }

    fn tags(
        &mut self,
        route: &Route<'_>,
        body: &Body,
        at: At,
        count: u32,
        count_at: usize,
    ) -> Result<(), Stopped> {
        // Each has at least a tag and a size.
        let wanted = u64::from(count) * 2;
        if !self.room_for(wanted) {
            let found = self.left() as u64;
            let kind = ProblemKind::Count { claimed: count.into(), wanted, found, limit: self.limit };
            return Err(self.stop_at(at, count_at, kind));
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
}
