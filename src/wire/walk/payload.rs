//! Fields that carry formats of their own, and those that say how to read them.

use super::{At, Route, Stopped, Walk};
use crate::payload::{Bindings, Secrecy, Slot, Topic, recognise};
use crate::tree::{Flags, Kind, Limit, ProblemKind, What};
use crate::wire::plan::{Item, Op, Step};
use crate::wire::primitive;
use crate::wire::shape::Shape;
use crate::wire::sink::Sink;

/// The content of a field that has these bytes; `None` for null.
fn content<'w>(step: &Step, bytes: &'w [u8]) -> Option<&'w [u8]> {
    match step.op {
        Op::String if step.compact => {
            primitive::uvarint(bytes).ok().filter(|(_, length)| *length > 0).map(|(rest, _)| rest)
        }
        Op::String => primitive::int16(bytes).ok().filter(|(_, length)| *length >= 0).map(|(rest, _)| rest),
        _ => Some(bytes),
    }
}

impl<'w, S: Sink> Walk<'w, S> {
    /// A field that tells something about payloads, or has one.
    pub(super) fn bound_field(&mut self, route: &Route<'_>, step: &Step, at: At) -> Result<(), Stopped> {
        let item = &route.plan.items[usize::from(step.item)];
        let before = self.rest;
        match step.op {
            Op::Bytes if self.payload(route, step, at)? => return Ok(()),
            Op::String => self.text(route, step, at, Kind::String, Kind::NullString)?,
            Op::Bytes => self.text(route, step, at, Kind::Bytes, Kind::NullBytes)?,
            _ => self.fixed(route, step, at)?,
        }
        if let Some(slot) = item.slot {
            let bytes = &before[..before.len() - self.rest.len()];
            self.context.set(slot, content(step, bytes));
        }
        Ok(())
    }

    /// Reads bytes with a payload, if there are such. If not, nothing has been read.
    fn payload(&mut self, route: &Route<'_>, step: &Step, at: At) -> Result<bool, Stopped> {
        let Some(format) = route.plan.items[usize::from(step.item)].format else { return Ok(false) };
        let (length, prefix) = self.length(step, at)?;
        let content = length.and_then(|length| self.rest[prefix..].get(..length));
        let Some(content) = content else { return Ok(false) };
        let Some(reading) = recognise(format, content, &self.context, self.sink) else { return Ok(false) };
        let mark = self.sink.open(at.what(Kind::Payload, route.flags), self.pos());
        self.length_leaf(step, prefix);
        let mut context = self.context;
        context.depth += 1;
        let mut inner = Walk {
            rest: content,
            end: self.pos() + content.len(),
            limit: Limit::Value { length: content.len() as u32 },
            sink: &mut *self.sink,
            context,
            lenient: true,
            holds_secret: false,
            shape: Shape::default(),
        };
        reading.walk(&mut inner);
        self.rest = &self.rest[content.len()..];
        self.sink.close(mark, self.pos());
        Ok(true)
    }

    /// Marks what is read from here on as a payload.
    pub(crate) fn within_payload(mut self, limit: Limit) -> Self {
        (self.limit, self.lenient) = (limit, true);
        self
    }

    /// The topic whose records come next.
    pub(super) fn topic(&self) -> Option<Topic> {
        let named = self.context.get(Slot::Topic).filter(|name| !name.is_empty());
        let id = || self.context.get(Slot::TopicId).and_then(Topic::of_id);
        match named {
            Some(name) => Topic::named(name),
            None => id().or_else(|| self.sink.topic()),
        }
    }

    /// Whether the value of a field that comes next is secret.
    #[inline]
    pub(super) fn is_secret(&self, item: &Item) -> bool {
        match item.secrecy {
            Secrecy::None => false,
            Secrecy::Always => true,
            Secrecy::IfConfigIs => {
                let name = self.context.get(Slot::ConfigName);
                name.is_some_and(|name| Bindings::get().is_secret_config(name))
            }
        }
    }

    /// Says something about a builtin item at this place.
    pub(crate) fn remark_builtin(&mut self, item: u16, kind: ProblemKind) {
        self.remark(At::builtin(item), self.pos(), kind);
    }

    /// A builtin item of two bytes.
    pub(crate) fn int16(&mut self, item: u16) -> Result<(), Stopped> {
        if self.left() < 2 {
            return Err(self.short(At::builtin(item), 2));
        }
        self.leaf(What::new(Kind::Int, Flags::NONE, item), 2);
        Ok(())
    }

    /// A builtin item that is an unsigned varint.
    pub(crate) fn uvarint_leaf(&mut self, item: u16) -> Result<(), Stopped> {
        let (_, len) = self.uvarint(At::builtin(item))?;
        self.leaf(What::new(Kind::Uvarint, Flags::NONE, item), len);
        Ok(())
    }

    /// What is left, as it is.
    pub(crate) fn rest_as(&mut self, item: u16) {
        if self.left() > 0 {
            self.raw(item, self.left());
        }
    }
}
