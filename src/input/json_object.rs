//! The members of a JSON object that has a form of its own, and no definition.

use std::fmt;
use std::ops::RangeInclusive;

use serde_json::{Map, Value as Json};

use super::json_value::{JsonError, is_hidden, only_keys, text};

/// The way to a value. It becomes text only for an error.
#[derive(Clone, Copy)]
pub(super) enum Path<'p> {
    Root(&'p str),
    Member(&'p Path<'p>, &'p str),
    Element(&'p Path<'p>, usize),
    /// An element of the array in a member.
    ElementOf(&'p Path<'p>, &'p str, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root(root) => f.write_str(root),
            Path::Member(Path::Root(""), name) => f.write_str(name),
            Path::Member(parent, name) => write!(f, "{parent}.{name}"),
            Path::Element(parent, index) => write!(f, "{parent}[{index}]"),
            Path::ElementOf(parent, name, index) => write!(f, "{}[{index}]", Path::Member(parent, name)),
        }
    }
}

impl Path<'_> {
    pub fn error(self, problem: impl Into<String>) -> JsonError {
        JsonError::new(self.to_string(), problem)
    }

    pub fn expected(self, what: impl fmt::Display, found: &Json) -> JsonError {
        JsonError::expected(self.to_string(), what, found)
    }
}

/// An object and the way to it. A member that is null is as one that is not there.
pub(super) struct Object<'o> {
    path: Path<'o>,
    members: &'o Map<String, Json>,
}

impl<'o> Object<'o> {
    /// `expected` is what should be there.
    pub fn new(path: Path<'o>, json: &'o Json, expected: &str) -> Result<Object<'o>, JsonError> {
        match json {
            // None of these forms has a key like that.
            Json::Object(members) if !is_hidden(json) => Ok(Object { path, members }),
            _ => Err(path.expected(expected, json)),
        }
    }

    /// Checks that it has no other keys.
    pub fn only(&self, known: &[&str]) -> Result<(), JsonError> {
        match self.members.keys().all(|key| known.contains(&key.as_str())) {
            true => Ok(()),
            false => only_keys(self.members, known, &self.path.to_string()),
        }
    }

    pub fn get(&self, name: &str) -> Option<&'o Json> {
        self.members.get(name).filter(|json| !json.is_null())
    }

    pub fn member<'s>(&'s self, name: &'s str) -> Option<(Path<'s>, &'o Json)> {
        self.get(name).map(|json| (Path::Member(&self.path, name), json))
    }

    pub fn error(&self, name: &str, problem: impl Into<String>) -> JsonError {
        Path::Member(&self.path, name).error(problem)
    }

    pub fn expected(&self, name: &str, what: impl fmt::Display, found: &Json) -> JsonError {
        Path::Member(&self.path, name).expected(what, found)
    }

    pub fn bool(&self, name: &str) -> Result<bool, JsonError> {
        match self.get(name) {
            None => Ok(false),
            Some(json) => json.as_bool().ok_or_else(|| self.expected(name, "bool", json)),
        }
    }

    /// An integer of a type, which is called `word`.
    pub fn int<T: TryFrom<i64> + Bounded>(&self, name: &str, word: &str) -> Result<Option<T>, JsonError> {
        let number = self.int_within(name, word, T::LOW..=T::HIGH)?;
        Ok(number.and_then(|number| T::try_from(number).ok()))
    }

    /// An integer within bounds.
    pub fn int_within(
        &self,
        name: &str,
        word: &str,
        bounds: RangeInclusive<i64>,
    ) -> Result<Option<i64>, JsonError> {
        let Some(json) = self.get(name) else { return Ok(None) };
        match json.as_i64() {
            Some(number) if bounds.contains(&number) => Ok(Some(number)),
            None if !json.is_u64() => Err(self.expected(name, word, json)),
            _ => {
                let (low, high) = bounds.into_inner();
                Err(self.error(name, format!("{json} is not within {low} to {high}")))
            }
        }
    }

    /// A string, or bytes that are none; `None` for null.
    pub fn text(&self, name: &str) -> Result<Option<Vec<u8>>, JsonError> {
        let Some(json) = self.get(name) else { return Ok(None) };
        let expected = "a string, null, or bytes as {\"base64\": \"…\"}";
        text(json).map(Some).ok_or_else(|| self.expected(name, expected, json))
    }

    /// The elements of an array.
    pub fn list<'s>(&'s self, name: &'s str) -> Result<Vec<(Path<'s>, &'o Json)>, JsonError> {
        let list = match self.get(name) {
            None => &[][..],
            Some(Json::Array(list)) => list,
            Some(json) => return Err(self.expected(name, "an array", json)),
        };
        let element = |(index, json)| (Path::ElementOf(&self.path, name, index), json);
        Ok(list.iter().enumerate().map(element).collect())
    }
}

/// The bounds of an integer type.
pub(super) trait Bounded {
    const LOW: i64;
    const HIGH: i64;
}

macro_rules! bounded {
    ($($integer:ty)*) => {
        $(impl Bounded for $integer {
            const LOW: i64 = <$integer>::MIN as i64;
            const HIGH: i64 = <$integer>::MAX as i64;
        })*
    };
}

bounded!(i8 i16 i32 u32 i64);
