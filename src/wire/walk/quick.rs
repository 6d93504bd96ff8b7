//! The quick way through a segment: what is read at once if there is nothing to be said about it. All of it is there, lengths are
//! short and spelled as encoders spell them, and null is only where it may be. Otherwise nothing has been done, and the segment is
//! read field by field.

use super::{COMPACT_LENGTH, INT32_LENGTH, Route, Stopped, Walk};
use crate::tree::{Kind, What};
use crate::wire::plan::{Body, Segment};
use crate::wire::sink::{Elements, Sink};

impl<S: Sink> Walk<'_, S> {
    #[inline]
    pub(super) fn run(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
        let Some((_, rest)) = self.rest.split_at_checked(segment.size as usize) else { return false };
        self.sink.run(route.plan.templates_of(segment), route.id, self.pos());
        self.rest = rest;
        true
    }

    #[inline]
    pub(super) fn sound_bool(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
        matches!(self.rest, [0 | 1, ..]) && self.short_leaf(segment.what.in_plan(route.id), 1)
    }

    #[inline]
    pub(super) fn short_string(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
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
    pub(super) fn short_bytes(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
        match self.short_length(segment) {
            Some((length, prefix)) => self.short_leaf(segment.what.in_plan(route.id), prefix + length),
            None => false,
        }
    }

    #[inline]
    pub(super) fn short_leaf(&mut self, what: What, len: usize) -> bool {
        let Some((_, rest)) = self.rest.split_at_checked(len) else { return false };
        self.sink.leaf(what, self.pos(), len);
        self.rest = rest;
        true
    }

    /// The length before bytes or an array, if it is not null, and how many bytes it has itself.
    #[inline]
    pub(super) fn short_length(&self, segment: &Segment) -> Option<(usize, usize)> {
        match (segment.compact, self.rest) {
            (true, [length @ 1..0x80, ..]) => Some((usize::from(*length) - 1, 1)),
            (false, [0, 0, high, low, ..]) => Some((usize::from(u16::from_be_bytes([*high, *low])), 4)),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn fixed_array(&mut self, route: &Route<'_>, segment: &Segment) -> bool {
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
    pub(super) fn struct_array(&mut self, route: &Route<'_>, segment: &Segment) -> Result<bool, Stopped> {
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
    pub(super) fn struct_elements(
        &mut self,
        route: &Route<'_>,
        body: &Body,
        element: What,
        count: usize,
    ) -> Result<(), Stopped> {
        // A shape is worth taking if some elements are left, and as long as it is not taken in vain.
        let (mut left, mut trust) = (count, if body.bound { 0 } else { 2 });
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
    pub(super) fn same_shapes(&mut self, mark: usize, bytes: &[u8], start: usize, most: usize) -> usize {
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
}
