//! Facts of the protocol that definitions do not say, as data: `rules.json` beside this file.

use std::sync::OnceLock;

use serde::Deserialize;

use super::catalogue::Direction;
use super::versions::Versions;

/// Everything in `rules.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Rules {
    request_headers: Vec<HeaderRule>,
    response_headers: Vec<HeaderRule>,
    downgrades: Vec<Downgrade>,
    unanswered: Vec<Unanswered>,
    paddings: Vec<Padding>,
    unaligned_records: Vec<Unaligned>,
    tokens_follow: Vec<TokensFollow>,
    frequent: Vec<i16>,
}

/// A header version that does not follow from whether the body is flexible.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct HeaderRule {
    api_key: i16,
    #[serde(deserialize_with = "versions")]
    versions: Versions,
    header: i16,
    reason: String,
}

/// A response that comes in another version than its request, where it starts with a certain error code.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Downgrade {
    api_key: i16,
    /// The error code that tells (int16, the first field of the body).
    pub error_code: i16,
    /// The version that the response is in.
    pub version: i16,
    /// Why, in words.
    pub reason: String,
}

/// A request that gets no response if a field has a certain value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Unanswered {
    api_key: i16,
    /// The name of the field.
    pub field: String,
    /// The value that means no response.
    pub value: i64,
    /// Why, in words.
    pub reason: String,
}

/// Zero bytes that some client leaves after the body, and that brokers ignore.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Padding {
    api_key: i16,
    #[serde(deserialize_with = "direction")]
    direction: Direction,
    #[serde(deserialize_with = "versions")]
    versions: Versions,
    /// How many.
    pub zero_bytes: usize,
    /// Who does that, in words.
    pub reason: String,
}

/// A message whose records need not begin at the start of a batch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unaligned {
    message: String,
    reason: String,
}

/// A request after whose response SASL tokens go over the wire without headers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TokensFollow {
    api_key: i16,
    #[serde(deserialize_with = "versions")]
    versions: Versions,
}

/// A header's version, and why it is that one where it is not the usual one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeaderVersion {
    /// The version of RequestHeader or ResponseHeader.
    pub version: i16,
    /// What makes it an exception.
    pub reason: Option<&'static str>,
}

impl Rules {
    /// The rules that the program brings along.
    pub fn get() -> &'static Rules {
        static RULES: OnceLock<Rules> = OnceLock::new();
        RULES.get_or_init(|| {
            serde_json::from_str(include_str!("rules.json")).expect("rules.json is valid; a test reads it")
        })
    }

    /// The version of the header before a request or response.
    ///
    /// Requests have header v1, flexible ones v2; responses v0, flexible ones v1 (KIP-482), less the exceptions in
    /// `rules.json`.
    pub fn header_version(
        &'static self,
        direction: Direction,
        api_key: i16,
        api_version: i16,
        flexible: bool,
    ) -> HeaderVersion {
        let (rules, usual) = match direction {
            Direction::Request => (&self.request_headers, 1),
            Direction::Response => (&self.response_headers, 0),
        };
        let rule = rules.iter().find(|rule| rule.api_key == api_key && rule.versions.contains(api_version));
        match rule {
            Some(rule) => HeaderVersion { version: rule.header, reason: Some(&rule.reason) },
            None => HeaderVersion { version: usual + i16::from(flexible), reason: None },
        }
    }

    /// Why the records of a message may begin anywhere in a batch, if they may.
    pub fn unaligned_records(&self, message: &str) -> Option<&str> {
        let rule = self.unaligned_records.iter().find(|rule| rule.message == message);
        rule.map(|rule| rule.reason.as_str())
    }

    /// Whether SASL tokens without headers follow the response to a request.
    pub fn tokens_follow(&self, api_key: i16, version: i16) -> bool {
        self.tokens_follow.iter().any(|rule| rule.api_key == api_key && rule.versions.contains(version))
    }

    /// How responses of an API may come in another version than asked for.
    pub fn downgrade(&self, api_key: i16) -> Option<&Downgrade> {
        self.downgrades.iter().find(|rule| rule.api_key == api_key)
    }

    /// How requests of an API may be without a response.
    pub fn unanswered(&self, api_key: i16) -> Option<&Unanswered> {
        self.unanswered.iter().find(|rule| rule.api_key == api_key)
    }

    /// How often an API is met, compared with others: the greater, the more often.
    pub fn frequency(&self, api_key: i16) -> usize {
        let place = self.frequent.iter().position(|key| *key == api_key);
        place.map_or(0, |place| self.frequent.len() - place)
    }

    /// The padding that some client leaves after a message.
    pub fn padding(&self, direction: Direction, api_key: i16, api_version: i16) -> Option<&Padding> {
        self.paddings.iter().find(|rule| {
            rule.api_key == api_key && rule.direction == direction && rule.versions.contains(api_version)
        })
    }
}

fn versions<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Versions, D::Error> {
    let text = String::deserialize(deserializer)?;
    Versions::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("no range of versions: {text}")))
}

fn direction<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Direction, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "request" => Ok(Direction::Request),
        "response" => Ok(Direction::Response),
        other => Err(serde::de::Error::custom(format!("no direction: {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_versions_follow_flexibility_less_the_exceptions() {
        let version = |direction, key, api_version, flexible| {
            Rules::get().header_version(direction, key, api_version, flexible).version
        };
        use Direction::{Request, Response};
        assert_eq!((version(Request, 1, 11, false), version(Request, 1, 12, true)), (1, 2));
        assert_eq!((version(Response, 1, 11, false), version(Response, 1, 12, true)), (0, 1));
        assert_eq!((version(Request, 7, 0, false), version(Request, 7, 1, false)), (0, 1));
        assert_eq!((version(Request, 18, 3, true), version(Response, 18, 3, true)), (2, 0));
    }
}
