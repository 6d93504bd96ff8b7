//! JSON, in the forms that [`render::json`](crate::render::json) writes, to the values of a plan.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Map, Value as Json};
use thiserror::Error;

use super::json_records::records_and_whether_compressed;
use crate::wire::default;
use crate::wire::plan::{Body, Item, Op, Plan, Step};
use crate::wire::value::{Struct, TaggedValue, Value, type_word};

/// What is wrong with JSON that should stand for a message, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{problem}", if path.is_empty() { String::new() } else { format!("{path}: ") })]
pub struct JsonError {
    /// The value, as a path of names (`body.topics[2].name`); empty for all of it.
    pub path: String,
    /// What is wrong with it.
    pub problem: String,
}

impl JsonError {
    /// An error at a path.
    pub fn new(path: impl Into<String>, problem: impl Into<String>) -> JsonError {
        JsonError { path: path.into(), problem: problem.into() }
    }

    /// At a path there is something else than what was expected.
    pub(super) fn expected(path: impl Into<String>, what: impl fmt::Display, found: &Json) -> JsonError {
        if is_hidden(found) {
            return JsonError::new(path, HIDDEN);
        }
        JsonError::new(path, format!("expected {what}, found {}", excerpt(found)))
    }
}

/// The message of a plan, from an object with its fields.
///
/// A field that is not there has its default; a tagged field that is not there is left out. `path` is what errors call the object.
///
/// # Errors
/// If the object has a field that the plan does not have, or a value that its field cannot hold.
pub fn struct_from_json(plan: &Plan, json: &Json, path: &str) -> Result<Struct, JsonError> {
    struct_and_whether_compressed(plan, json, path).map(|(values, _)| values)
}

/// The message of a plan, and whether records in it have just been compressed, so that it may have another size than it had.
pub(super) fn struct_and_whether_compressed(
    plan: &Plan,
    json: &Json,
    path: &str,
) -> Result<(Struct, bool), JsonError> {
    let mut reader = Reader { plan, path: path.to_owned(), compressed: false };
    let values = reader.structure(&plan.bodies[0], json)?;
    Ok((values, reader.compressed))
}

/// What is said of a value that is not there because nobody but its owner should see it.
const HIDDEN: &str = "this value was hidden when the JSON was written; --show-secrets writes it";

/// Whether JSON stands for such a value: `{"hidden": 12}`, with the number of its bytes.
pub(super) fn is_hidden(json: &Json) -> bool {
    json.as_object().is_some_and(|members| members.len() == 1)
        && json.get("hidden").is_some_and(Json::is_number)
}

/// Tagged fields that are given as bytes: `[{"tag": 9, "data": "…"}]`.
pub fn raw_tagged(json: &Json, path: &str) -> Result<Vec<(u32, TaggedValue)>, JsonError> {
    let Json::Array(list) = json else { return Err(JsonError::expected(path, "an array", json)) };
    let element = |(index, element): (usize, &Json)| {
        let path = format!("{path}[{index}]");
        let Json::Object(members) = element else {
            return Err(JsonError::expected(path, "an object", element));
        };
        only_keys(members, &["tag", "data"], &path)?;
        let member = |name: &str| {
            let missing = || JsonError::new(&path, format!("\"{name}\" is missing"));
            members.get(name).ok_or_else(missing)
        };
        let (tag, data) = (member("tag")?, member("data")?);
        let number = tag.as_u64().and_then(|tag| u32::try_from(tag).ok());
        let number = number.ok_or_else(|| JsonError::expected(format!("{path}.tag"), "a tag", tag))?;
        let data = base64(data)
            .ok_or_else(|| JsonError::expected(format!("{path}.data"), "bytes in base64", data))?;
        Ok((number, TaggedValue::Unknown(data)))
    };
    list.iter().enumerate().map(element).collect()
}

/// Bytes in base64.
pub(super) fn base64(json: &Json) -> Option<Vec<u8>> {
    STANDARD.decode(json.as_str()?).ok()
}

/// A string, or its bytes as `{"base64": "…"}` if it is not UTF-8.
pub(super) fn text(json: &Json) -> Option<Vec<u8>> {
    match json {
        Json::String(text) => Some(text.as_bytes().to_vec()),
        Json::Object(members) if members.len() == 1 => base64(members.get("base64")?),
        _ => None,
    }
}

/// Checks that an object has no other keys.
pub(super) fn only_keys(members: &Map<String, Json>, known: &[&str], path: &str) -> Result<(), JsonError> {
    match members.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let dot = if path.is_empty() { "" } else { "." };
            let problem = format!("no such key; there are {}", known.join(", "));
            Err(JsonError::new(format!("{path}{dot}{key}"), problem))
        }
    }
}

/// The key of the tagged fields that are given as bytes.
pub(super) const RAW_TAGGED: &str = "_unknownTaggedFields";

struct Reader<'r> {
    plan: &'r Plan,
    /// Where the reader is.
    path: String,
    /// Whether records have been compressed.
    compressed: bool,
}

impl<'r> Reader<'r> {
    fn error(&self, problem: impl Into<String>) -> JsonError {
        JsonError::new(&self.path, problem)
    }

    /// Runs `read` with something appended to the path.
    fn below<T>(&mut self, name: fmt::Arguments<'_>, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        fmt::Write::write_fmt(&mut self.path, name).unwrap_or(());
        let result = read(self);
        self.path.truncate(length);
        result
    }

    fn item(&self, step: &Step) -> &'r Item {
        &self.plan.items[usize::from(step.item)]
    }

    fn structure(&mut self, body: &Body, json: &Json) -> Result<Struct, JsonError> {
        let Json::Object(members) = json else {
            return Err(JsonError::expected(&self.path, "an object", json));
        };
        let plan = self.plan;
        let is_field = |step: &Step| plan.items[usize::from(step.item)].json_name() == "hidden";
        if is_hidden(json) && !plan.steps_of(body).iter().any(is_field) {
            return Err(self.error(HIDDEN));
        }
        let mut result = Struct::default();
        // How many members have been used; if any is left over, it is one that there is no field for.
        let mut used = 0;
        for step in plan.steps_of(body) {
            let name = self.item(step).json_name();
            result.fields.push(match members.get(name) {
                Some(json) => {
                    used += 1;
                    self.below(format_args!(".{name}"), |reader| reader.value(step, json))?
                }
                None => self.missing(step, name)?,
            });
        }
        if body.flexible {
            let mut named = Vec::new();
            for field in plan.tagged_of(body) {
                let name = self.item(&field.step).json_name();
                if let Some(json) = members.get(name) {
                    used += 1;
                    let value = self.below(format_args!(".{name}"), |reader| reader.value(&field.step, json));
                    named.push((field.tag, TaggedValue::Known(value?)));
                }
            }
            let raw = match members.get(RAW_TAGGED) {
                Some(json) => {
                    used += 1;
                    raw_tagged(json, &format!("{}.{RAW_TAGGED}", self.path))?
                }
                None => Vec::new(),
            };
            result.tagged = merged(named, raw);
        }
        if used < members.len() {
            return Err(self.stranger(body, members));
        }
        Ok(result)
    }

    /// The default of a field that is not there.
    fn missing(&mut self, step: &Step, name: &str) -> Result<Value, JsonError> {
        let value = default::value(self.plan, step);
        if value == Value::Null && !step.nullable {
            let version = self.plan.version;
            let problem =
                format!("it is missing, and null, its default, is not allowed in version {version}");
            return self.below(format_args!(".{name}"), |reader| Err(reader.error(problem)));
        }
        Ok(value)
    }

    /// The error about a member that there is no field for.
    fn stranger(&mut self, body: &Body, members: &Map<String, Json>) -> JsonError {
        let plan = self.plan;
        let steps = plan.steps_of(body).iter().chain(plan.tagged_of(body).iter().map(|field| &field.step));
        let names: Vec<&str> = steps.map(|step| plan.items[usize::from(step.item)].json_name()).collect();
        let known = |key: &str| names.contains(&key) || (body.flexible && key == RAW_TAGGED);
        let stranger = members.keys().find(|key| !known(key)).map_or("", String::as_str);
        let problem = match names.is_empty() {
            true => format!("{} v{} has no fields here", plan.name, plan.version),
            false => {
                format!("{} v{} has no such field here; it has {}", plan.name, plan.version, names.join(", "))
            }
        };
        self.below(format_args!(".{stranger}"), |reader| reader.error(problem))
    }

    fn value(&mut self, step: &Step, json: &Json) -> Result<Value, JsonError> {
        if json.is_null() {
            if step.nullable {
                return Ok(Value::Null);
            }
            return Err(self.error(format!("null is not allowed in version {}", self.plan.version)));
        }
        let value = match step.op {
            Op::Bool => json.as_bool().map(Value::Bool),
            Op::Int8 => self.integer(json, i8::MIN, i8::MAX)?,
            Op::Int16 => self.integer(json, i16::MIN, i16::MAX)?,
            Op::Uint16 => self.integer(json, u16::MIN, u16::MAX)?,
            Op::Int32 => self.integer(json, i32::MIN, i32::MAX)?,
            Op::Uint32 => self.integer(json, u32::MIN, u32::MAX)?,
            Op::Int64 => self.integer(json, i64::MIN, i64::MAX)?,
            Op::Float64 => float(json).map(Value::Float),
            Op::Uuid => uuid(json).map(Value::Uuid),
            Op::String => text(json).map(Value::Bytes),
            Op::Bytes => base64(json).map(Value::Bytes),
            Op::Records => {
                let (bytes, compressed) = records_and_whether_compressed(json, &self.path)?;
                self.compressed |= compressed;
                Some(Value::Bytes(bytes))
            }
            Op::Struct => {
                let body = self.plan.bodies[usize::from(step.target)];
                Some(Value::Struct(self.structure(&body, json)?))
            }
            Op::Array => self.array(step, json)?,
        };
        value.ok_or_else(|| JsonError::expected(&self.path, form(step.op), json))
    }

    /// An integer; `None` if the JSON is none.
    fn integer<T: Into<i64>>(&self, json: &Json, low: T, high: T) -> Result<Option<Value>, JsonError> {
        let (low, high) = (low.into(), high.into());
        match json.as_i64() {
            Some(number) if (low..=high).contains(&number) => Ok(Some(Value::Int(number))),
            None if !json.is_u64() => Ok(None),
            _ => Err(self.error(format!("{json} is not within {low} to {high}"))),
        }
    }

    fn array(&mut self, step: &Step, json: &Json) -> Result<Option<Value>, JsonError> {
        let Json::Array(list) = json else { return Ok(None) };
        let element = self.plan.arrays[usize::from(step.target)].element;
        let mut elements = Vec::with_capacity(list.len());
        for (index, json) in list.iter().enumerate() {
            let value = self.below(format_args!("[{index}]"), |reader| reader.value(&element, json));
            elements.push(value?);
        }
        Ok(Some(Value::Array(elements)))
    }
}

/// Tagged fields with and without a name in one list. Those without keep their order, and those with one go before the first of
/// them with a greater tag.
fn merged(named: Vec<(u32, TaggedValue)>, raw: Vec<(u32, TaggedValue)>) -> Vec<(u32, TaggedValue)> {
    let mut merged = Vec::with_capacity(named.len() + raw.len());
    let mut named = named.into_iter().peekable();
    for field in raw {
        while let Some(before) = named.next_if(|(tag, _)| *tag <= field.0) {
            merged.push(before);
        }
        merged.push(field);
    }
    merged.extend(named);
    merged
}

fn float(json: &Json) -> Option<f64> {
    match json {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => match text.as_str() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        Json::Object(_) => Some(f64::from_be_bytes(text(json)?.try_into().ok()?)),
        _ => None,
    }
}

fn uuid(json: &Json) -> Option<[u8; 16]> {
    URL_SAFE_NO_PAD.decode(json.as_str()?).ok()?.try_into().ok()
}

/// What a value of a type looks like in JSON.
fn form(op: Op) -> &'static str {
    match op {
        Op::Uuid => "uuid (22 characters of URL-safe base64)",
        Op::Bytes => "bytes in base64",
        Op::Struct => "an object",
        Op::Array => "an array",
        other => type_word(other),
    }
}

/// So many characters of a wrong value are quoted.
const EXCERPT: usize = 40;

fn excerpt(json: &Json) -> String {
    match json {
        Json::Object(_) => "an object".to_owned(),
        Json::Array(_) => "an array".to_owned(),
        other => {
            let text = other.to_string();
            match text.char_indices().nth(EXCERPT) {
                Some((cut, _)) => format!("{}…", &text[..cut]),
                None => text,
            }
        }
    }
}
