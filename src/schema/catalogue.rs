//! All definitions that the program knows: the embedded ones, and those that a user lays over them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use super::definition::{Message, MessageKind};
use super::read::{SchemaError, read_message};
use super::source::DefinitionFile;
use super::versions::Versions;

/// A definition file in the binary, with what must be known of it before it is parsed.
struct Embedded {
    name: &'static str,
    kind: &'static str,
    api_key: Option<i16>,
    valid_versions: &'static str,
    flexible_versions: &'static str,
    text: &'static str,
}

static EMBEDDED: &[Embedded] = &include!(concat!(env!("OUT_DIR"), "/definitions.rs"));

/// Whether a message asks or answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// From client to broker, or from broker to broker.
    Request,
    /// The answer to a request.
    Response,
}

impl Direction {
    /// The one that goes the other way.
    pub fn other(self) -> Direction {
        match self {
            Direction::Request => Direction::Response,
            Direction::Response => Direction::Request,
        }
    }

    /// `request` or `response`.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Request => "request",
            Direction::Response => "response",
        }
    }
}

/// A definition, parsed when it is first asked for.
pub struct Definition {
    /// Kafka's name for the message, such as `FetchRequest`.
    pub name: String,
    /// What it describes.
    pub kind: MessageKind,
    /// The API key or record type.
    pub api_key: Option<i16>,
    /// The versions that it has.
    pub valid_versions: Versions,
    /// The versions that are flexible.
    pub flexible_versions: Versions,
    text: Cow<'static, str>,
    message: OnceLock<Message>,
}

impl Definition {
    /// The definition itself.
    pub fn message(&self) -> &Message {
        self.message.get_or_init(|| {
            // A test reads every embedded file, and files that a user brings are parsed before they get here.
            read_message(&self.name, &self.text).expect("embedded definitions are valid")
        })
    }

    /// The text of the definition file.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A pair of request and response.
pub struct Api {
    /// The API key.
    pub key: i16,
    /// The name, such as `Fetch`.
    pub name: String,
    /// The versions of the request and the response.
    pub versions: Versions,
    /// The versions that are flexible.
    pub flexible_versions: Versions,
    /// Definitions of the request, those that a user brought first.
    requests: Vec<usize>,
    /// Definitions of the response, likewise.
    responses: Vec<usize>,
}

/// All definitions.
pub struct Catalogue {
    definitions: Vec<Definition>,
    apis: BTreeMap<i16, Api>,
    /// By name, those that a user brought first.
    names: HashMap<String, Vec<usize>>,
}

impl Catalogue {
    /// The definitions that the program brings along. None is parsed yet.
    pub fn embedded() -> Catalogue {
        let mut catalogue = Catalogue {
            definitions: Vec::with_capacity(EMBEDDED.len()),
            apis: BTreeMap::new(),
            names: HashMap::new(),
        };
        for file in EMBEDDED {
            let known = "build.rs took this from a file that a test reads";
            catalogue.add(Definition {
                name: file.name.to_owned(),
                kind: MessageKind::from_word(file.kind).expect(known),
                api_key: file.api_key,
                valid_versions: Versions::parse(file.valid_versions).expect(known),
                flexible_versions: Versions::parse(file.flexible_versions).expect(known),
                text: Cow::Borrowed(file.text),
                message: OnceLock::new(),
            });
        }
        catalogue
    }

    /// Lays the user's definitions over those that are there: where both have a version, the user's counts.
    ///
    /// # Errors
    /// If one of the files is no definition. The catalogue is then as it was.
    pub fn overlay(&mut self, files: &[DefinitionFile]) -> Result<(), SchemaError> {
        let mut messages = Vec::with_capacity(files.len());
        for (file, text) in files {
            messages.push((read_message(file, text)?, text));
        }
        for (message, text) in messages {
            self.add(Definition {
                name: message.name.clone(),
                kind: message.kind,
                api_key: message.api_key,
                valid_versions: message.valid_versions,
                flexible_versions: message.flexible_versions,
                text: Cow::Owned(text.clone()),
                message: OnceLock::from(message),
            });
        }
        Ok(())
    }

    fn add(&mut self, definition: Definition) {
        let index = self.definitions.len();
        self.names.entry(definition.name.clone()).or_default().insert(0, index);
        let direction = match definition.kind {
            MessageKind::Request => Some(Direction::Request),
            MessageKind::Response => Some(Direction::Response),
            _ => None,
        };
        if let (Some(direction), Some(key)) = (direction, definition.api_key) {
            let suffix = if direction == Direction::Request { "Request" } else { "Response" };
            let name = definition.name.strip_suffix(suffix).unwrap_or(&definition.name);
            let api = self.apis.entry(key).or_insert_with(|| Api {
                key,
                name: String::new(),
                versions: Versions::NONE,
                flexible_versions: Versions::NONE,
                requests: Vec::new(),
                responses: Vec::new(),
            });
            name.clone_into(&mut api.name);
            api.versions = span(api.versions, definition.valid_versions);
            api.flexible_versions = span(api.flexible_versions, definition.flexible_versions);
            match direction {
                Direction::Request => api.requests.insert(0, index),
                Direction::Response => api.responses.insert(0, index),
            }
        }
        self.definitions.push(definition);
    }

    /// Every API, by ascending key.
    pub fn apis(&self) -> impl Iterator<Item = &Api> {
        self.apis.values()
    }

    /// The API with this key.
    pub fn api(&self, key: i16) -> Option<&Api> {
        self.apis.get(&key)
    }

    /// The name of the API with this key; `API 123` if there is none.
    pub fn api_name(&self, key: i16) -> Cow<'_, str> {
        self.api(key).map_or_else(|| Cow::Owned(format!("API {key}")), |api| Cow::Borrowed(&*api.name))
    }

    /// The API with this name, in any case, or this key, in decimal. `FetchRequest` is as good as `Fetch`.
    pub fn find_api(&self, name_or_key: &str) -> Option<&Api> {
        if let Ok(key) = name_or_key.parse::<i16>() {
            return self.api(key);
        }
        self.apis().find(|api| {
            let tail = name_or_key.get(..api.name.len()).zip(name_or_key.get(api.name.len()..));
            tail.is_some_and(|(name, tail)| {
                name.eq_ignore_ascii_case(&api.name)
                    && ["", "request", "response"].iter().any(|suffix| tail.eq_ignore_ascii_case(suffix))
            })
        })
    }

    /// The newest version of an API that will not change any more; the newest there is if all may.
    pub fn newest_stable(&self, api: &Api) -> i16 {
        let is_stable = |version: &i16| {
            self.message(api, Direction::Request, *version).is_some_and(|request| {
                *version < request.valid_versions.high() || !request.message().latest_version_unstable
            })
        };
        api.versions.iter().rev().find(is_stable).unwrap_or(api.versions.high())
    }

    /// The definition that lays out `version` of an API's request or response.
    pub fn message(&self, api: &Api, direction: Direction, version: i16) -> Option<&Definition> {
        let candidates = match direction {
            Direction::Request => &api.requests,
            Direction::Response => &api.responses,
        };
        self.first_with(candidates, version)
    }

    /// The definition called `name` that has `version`.
    pub fn named(&self, name: &str, version: i16) -> Option<&Definition> {
        self.first_with(self.names.get(name)?, version)
    }

    /// Every definition.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    fn first_with(&self, candidates: &[usize], version: i16) -> Option<&Definition> {
        candidates
            .iter()
            .map(|index| &self.definitions[*index])
            .find(|definition| definition.valid_versions.contains(version))
    }
}

/// The smallest range with all versions of both.
fn span(a: Versions, b: Versions) -> Versions {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b,
        (_, true) => a,
        _ => Versions::new(a.low().min(b.low()), a.high().max(b.high())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_definition_reads_and_its_index_is_true() {
        for definition in Catalogue::embedded().definitions() {
            let message = read_message(&definition.name, definition.text()).unwrap();
            assert_eq!(message.name, definition.name);
            assert_eq!(message.kind, definition.kind);
            assert_eq!(message.api_key, definition.api_key);
            assert_eq!(message.valid_versions, definition.valid_versions);
            assert_eq!(message.flexible_versions, definition.flexible_versions);
        }
    }

    #[test]
    fn every_api_has_both_sides_with_the_same_versions() {
        let catalogue = Catalogue::embedded();
        assert!(catalogue.apis().count() >= 93, "{}", catalogue.apis().count());
        for api in catalogue.apis() {
            for version in api.versions.iter() {
                for direction in [Direction::Request, Direction::Response] {
                    let definition = catalogue.message(api, direction, version);
                    assert!(definition.is_some(), "{} {} v{version}", api.name, direction.word());
                }
            }
        }
    }

    #[test]
    fn the_newest_stable_version_is_not_one_that_may_still_change() {
        let catalogue = Catalogue::embedded();
        let newest = |name| {
            let api = catalogue.find_api(name).unwrap();
            (catalogue.newest_stable(api), api.versions.high())
        };
        assert_eq!((newest("InitProducerId"), newest("Heartbeat")), ((5, 6), (4, 4)));
    }

    #[test]
    fn apis_are_found_by_name_and_key() {
        let catalogue = Catalogue::embedded();
        for text in ["Fetch", "fetch", "FetchRequest", "FETCHRESPONSE", "1"] {
            assert_eq!(catalogue.find_api(text).expect(text).key, 1);
        }
        for text in ["Fetc", "Fetching", "", "-7", "é", "99999"] {
            assert!(catalogue.find_api(text).is_none(), "{text}");
        }
    }

    #[test]
    fn an_overlay_counts_for_its_own_versions_only() {
        let mut catalogue = Catalogue::embedded();
        let text = r#"{ "apiKey": 12, "type": "request", "name": "PulseRequest", "validVersions": "4-5",
            "flexibleVersions": "4+", "fields": [ { "name": "Beat", "type": "int8", "versions": "0+" } ] }"#;
        catalogue.overlay(&[("Pulse.json".to_owned(), text.to_owned())]).unwrap();
        let api = catalogue.api(12).unwrap();
        assert_eq!((api.name.as_str(), api.versions), ("Pulse", Versions::new(0, 5)));
        let name = |version| catalogue.message(api, Direction::Request, version).map(|d| d.name.as_str());
        assert_eq!(
            (name(3), name(4), name(5), name(6)),
            (Some("HeartbeatRequest"), Some("PulseRequest"), Some("PulseRequest"), None)
        );
        assert_eq!(catalogue.message(api, Direction::Request, 4).map(Definition::text), Some(text));
    }
}
