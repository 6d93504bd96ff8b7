//! JSON, as [`render::json`](crate::render::json) writes it for a message, to the bytes of its frame.
//!
//! What is told is enough to have the same bytes again, as long as lengths, tags and bools were spelled on the wire as
//! Kafka spells them. Records that were compressed are compressed anew: their values are the same, their bytes and the size of the frame need not be.

use serde_json::{Map, Value as Json};

use super::json_unique::Unique;
use super::json_value::{
    JsonError, RAW_TAGGED, base64, only_keys, raw_tagged, struct_and_whether_compressed, text,
};
use crate::schema::{Api, Direction};
use crate::wire::Decoder;
use crate::wire::assemble::{HeaderValues, header_struct, plans};
use crate::wire::encode::{EncodeError, encode};
use crate::wire::plan::{Plan, lower_first};

/// A frame of JSON that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameError {
    /// Its number, from 1.
    pub number: usize,
    /// The line that it starts in, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: JsonError,
}

/// Makes the frames of a text with any number of JSON objects, one after the other, on lines of their own or not.
///
/// What is not JSON ends the text.
pub fn frames_from_json(decoder: &mut Decoder<'_>, json: &[u8]) -> Vec<Result<Vec<u8>, FrameError>> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let mut objects = serde_json::Deserializer::from_slice(json).into_iter::<Unique>();
    let (mut frames, mut line, mut counted) = (Vec::new(), 1, 0);
    loop {
        let between = json[objects.byte_offset()..].iter().take_while(|byte| byte.is_ascii_whitespace());
        let start = objects.byte_offset() + between.count();
        line += json[counted..start].iter().filter(|byte| **byte == b'\n').count();
        counted = start;
        let Some(object) = objects.next() else { break };
        let frame = match object {
            Ok(Unique(object)) => frame_from_json(decoder, &object),
            Err(error) => Err(JsonError::new("", format!("not JSON: {error}"))),
        };
        let number = frames.len() + 1;
        frames.push(frame.map_err(|error| FrameError { number, line, error }));
    }
    frames
}

/// The keys of a message.
const KEYS: [&str; 15] = [
    "direction",
    "apiKey",
    "apiName",
    "apiVersion",
    "headerVersion",
    "correlationId",
    "clientId",
    RAW_TAGGED,
    "size",
    "body",
    "undecoded",
    "trailing",
    "alternatives",
    "problems",
    "notes",
];

/// Makes the frame of a JSON object.
///
/// `direction`, `apiVersion` and `apiKey` or `apiName` must be there, unless there is nothing but `undecoded`. `correlationId` is 0 and `clientId` null if they are not; what
/// else follows from these is checked if it is there. A `size` of null makes a frame without a size field.
///
/// # Errors
/// If something is missing, is not what it should be, or contradicts the rest, or the body was decoded only in part.
pub fn frame_from_json(decoder: &mut Decoder<'_>, json: &Json) -> Result<Vec<u8>, JsonError> {
    let Json::Object(members) = json else { return Err(JsonError::expected("", "an object", json)) };
    only_keys(members, &KEYS, "")?;
    let message = Message { members };
    // A frame of no API, such as a SASL token, is its bytes.
    if ["apiKey", "apiName", "body"].iter().all(|key| message.get(key).is_none())
        && let Some(bytes) = message.bytes("undecoded")?
    {
        return message.sized(Content { bytes, compressed: false });
    }
    let direction = message.direction()?;
    let api_key = message.api_key(decoder)?;
    let version =
        message.int16("apiVersion")?.ok_or_else(|| JsonError::new("", "\"apiVersion\" is missing"))?;
    let mut content = match plans(decoder, direction, api_key, version) {
        Some((header_plan, plan)) => message.known(&header_plan, &plan)?,
        None => Content { bytes: message.unknown(decoder, direction, api_key, version)?, compressed: false },
    };
    content.bytes.extend(message.bytes("trailing")?.unwrap_or_default());
    message.sized(content)
}

/// What comes after the size field.
struct Content {
    bytes: Vec<u8>,
    /// Whether records in it have just been compressed. Not every encoder comes to the same size.
    compressed: bool,
}

struct Message<'m> {
    members: &'m Map<String, Json>,
}

impl Message<'_> {
    /// A member that is there and not null.
    fn get(&self, key: &str) -> Option<&Json> {
        self.members.get(key).filter(|value| !value.is_null())
    }

    fn direction(&self) -> Result<Direction, JsonError> {
        let word = self.members.get("direction").unwrap_or(&Json::Null);
        let known = [Direction::Request, Direction::Response];
        let found = known.into_iter().find(|direction| word.as_str() == Some(direction.word()));
        found.ok_or_else(|| JsonError::expected("direction", "\"request\" or \"response\"", word))
    }

    fn api_key(&self, decoder: &Decoder<'_>) -> Result<i16, JsonError> {
        let named = match self.get("apiName") {
            Some(name) => {
                Some(name.as_str().ok_or_else(|| JsonError::expected("apiName", "a string", name))?)
            }
            None => None,
        };
        let find = |name| {
            let by_name = |api: &&Api| api.name.eq_ignore_ascii_case(name);
            let api = decoder.catalogue().apis().find(by_name);
            api.ok_or_else(|| JsonError::new("apiName", format!("no API is called {name:?}")))
        };
        let api = named.map(find).transpose()?;
        match (self.int16("apiKey")?, api) {
            (Some(key), Some(api)) if api.key != key => {
                Err(JsonError::new("apiName", format!("{} has the key {}, not {key}", api.name, api.key)))
            }
            (Some(key), _) => Ok(key),
            (None, Some(api)) => Ok(api.key),
            (None, None) => Err(JsonError::new("", "\"apiKey\" is missing")),
        }
    }

    fn int16(&self, key: &str) -> Result<Option<i16>, JsonError> {
        let read = |value: &Json| {
            let number = value.as_i64().and_then(|number| i16::try_from(number).ok());
            number.ok_or_else(|| JsonError::expected(key, "int16", value))
        };
        self.get(key).map(read).transpose()
    }

    fn bytes(&self, key: &str) -> Result<Option<Vec<u8>>, JsonError> {
        let read = |value| base64(value).ok_or_else(|| JsonError::expected(key, "bytes in base64", value));
        self.get(key).map(read).transpose()
    }

    fn header(&self, plan: &Plan) -> Result<HeaderValues, JsonError> {
        self.check_header_version(plan)?;
        let has = |name: &str| {
            let steps = plan.steps_of(&plan.bodies[0]);
            steps.iter().any(|step| &*plan.items[usize::from(step.item)].name == name)
        };
        let correlation_id = match self.get("correlationId") {
            Some(value) => value.as_i64().and_then(|id| i32::try_from(id).ok()).ok_or(value),
            None => Ok(0),
        };
        let correlation_id =
            correlation_id.map_err(|value| JsonError::expected("correlationId", "int32", value))?;
        let client_id = match self.get("clientId") {
            Some(_) if !has("client_id") => {
                return Err(JsonError::new("clientId", format!("{} v{} has none", plan.name, plan.version)));
            }
            Some(value) => {
                Some(text(value).ok_or_else(|| JsonError::expected("clientId", "a string or null", value))?)
            }
            None => None,
        };
        let tagged = match self.get(RAW_TAGGED) {
            Some(value) => raw_tagged(value, RAW_TAGGED)?,
            None => Vec::new(),
        };
        if !tagged.is_empty() && !plan.flexible {
            let problem = format!("{} v{} has no tagged fields", plan.name, plan.version);
            return Err(JsonError::new(RAW_TAGGED, problem));
        }
        Ok(HeaderValues { correlation_id, client_id, tagged })
    }

    fn check_header_version(&self, plan: &Plan) -> Result<(), JsonError> {
        match self.int16("headerVersion")? {
            Some(version) if version != plan.version => Err(JsonError::new(
                "headerVersion",
                format!("this message has {} v{}, not v{version}", plan.name, plan.version),
            )),
            _ => Ok(()),
        }
    }

    /// Header and body of a message whose layout is known.
    fn known(&self, header_plan: &Plan, plan: &Plan) -> Result<Content, JsonError> {
        let api_key = plan.api_key.unwrap_or(0);
        let header = header_struct(header_plan, (api_key, plan.version), &self.header(header_plan)?);
        if self.get("undecoded").is_some() {
            return Err(JsonError::new("undecoded", self.incomplete()));
        }
        let Some(body) = self.get("body") else {
            return Err(JsonError::new("", "\"body\" is missing"));
        };
        let (body, compressed) = struct_and_whether_compressed(plan, body, "body")?;
        let mut bytes = Vec::new();
        encode(header_plan, &header, &mut bytes).map_err(|error| renamed(error, ""))?;
        encode(plan, &body, &mut bytes).map_err(|error| renamed(error, "body"))?;
        Ok(Content { bytes, compressed })
    }

    /// Why a message that was decoded in part is refused.
    fn incomplete(&self) -> String {
        let first = self.get("problems").and_then(|problems| problems.get(0)?.as_str());
        let why = first.map_or(String::new(), |problem| format!(" ({problem})"));
        format!("the body was decoded only in part{why}; complete it and remove this key")
    }

    /// Header and body of a message whose layout is not known: the body can only be the bytes that are given.
    fn unknown(
        &self,
        decoder: &mut Decoder<'_>,
        direction: Direction,
        api_key: i16,
        version: i16,
    ) -> Result<Vec<u8>, JsonError> {
        let unknown = match decoder.catalogue().api(api_key) {
            Some(api) => format!("{} has the versions {}, not {version}", api.name, api.versions),
            None => format!("no API has the key {api_key}"),
        };
        let path = if decoder.catalogue().api(api_key).is_some() { "apiVersion" } else { "apiKey" };
        if self.get("body").is_some() {
            return Err(JsonError::new(path, format!("{unknown}, so there is no telling what its body is")));
        }
        let Some(undecoded) = self.bytes("undecoded")? else { return Err(JsonError::new(path, unknown)) };
        let common = match direction {
            Direction::Request => 1,
            Direction::Response => 0,
        };
        let header_version = self.int16("headerVersion")?.unwrap_or(common);
        let Some(header_plan) = decoder.header_plan(direction, header_version) else {
            let problem = format!("there is no header v{header_version} of a {}", direction.word());
            return Err(JsonError::new("headerVersion", problem));
        };
        let header = header_struct(&header_plan, (api_key, version), &self.header(&header_plan)?);
        let mut content = Vec::new();
        encode(&header_plan, &header, &mut content).map_err(|error| renamed(error, ""))?;
        content.extend(undecoded);
        Ok(content)
    }

    /// A size field before the rest, unless it is null.
    fn sized(&self, Content { bytes, compressed }: Content) -> Result<Vec<u8>, JsonError> {
        let too_long = |_| JsonError::new("", "the frame is longer than 2147483647 bytes");
        let size = i32::try_from(bytes.len()).map_err(too_long)?;
        match self.members.get("size") {
            Some(Json::Null) => return Ok(bytes),
            Some(told) if !compressed && told.as_i64() != Some(size.into()) => {
                let problem =
                    format!("the frame has {size} bytes after its size field, but this says {told}");
                return Err(JsonError::new("size", problem));
            }
            _ => {}
        }
        let mut frame = size.to_be_bytes().to_vec();
        frame.extend(bytes);
        Ok(frame)
    }
}

/// An encoder's error, with the path that the value has in JSON.
fn renamed(error: EncodeError, root: &str) -> JsonError {
    let mut path = root.to_owned();
    for name in error.path.split('.').skip(1) {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&lower_first(name));
    }
    JsonError { path, problem: error.problem }
}
