//! What values mean beyond their numbers: error codes, enumerations, bit fields, points in time. The facts are
//! data, in `meanings.json` beside this file; this reads them and finds the one for a field.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;

use super::definition::FieldType;
use super::versions::Versions;

/// What the values of a field mean.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Meaning {
    /// How values are read.
    pub kind: MeaningKind,
    /// Whether a value without a name is not legal.
    #[serde(default)]
    pub strict: bool,
    /// Values that are legal and say nothing worth a word (0 in an error code).
    #[serde(default)]
    unnamed: Vec<i64>,
    /// Names of values.
    #[serde(default, deserialize_with = "numbered")]
    names: BTreeMap<i64, String>,
    /// Names of bits, the lowest being 0.
    #[serde(default, deserialize_with = "numbered")]
    bits: BTreeMap<i64, String>,
}

/// How values are read.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub enum MeaningKind {
    /// Each value has a name.
    Names,
    /// Each bit has a name.
    Bits,
    /// Milliseconds since 1970-01-01T00:00:00Z, apart from values with a name.
    Timestamp,
    /// Nanoseconds since 1970-01-01T00:00:00Z, apart from values with a name.
    Nanoseconds,
    /// The key of an API.
    ApiKeys,
}

impl Meaning {
    /// The name of `value`, if it has one.
    pub fn name(&self, value: i64) -> Option<&str> {
        self.names.get(&value).map(String::as_str)
    }

    /// Whether values are Kafka's error codes.
    pub fn is_error_code(&self) -> bool {
        Meanings::get().named("error").is_some_and(|error| std::ptr::eq(error, self))
    }

    /// Whether `value` is legal and needs no words.
    pub fn is_unnamed(&self, value: i64) -> bool {
        self.unnamed.contains(&value)
    }

    /// The names of the bits that are set in the 32 lowest of `value`, the lowest first; `None` for a bit without a name.
    pub fn set_bits(&self, value: i64) -> impl Iterator<Item = (u32, Option<&str>)> {
        (0..32).filter(move |bit| value >> bit & 1 == 1).map(|bit| {
            let name = self.bits.get(&i64::from(bit)).map(String::as_str);
            (bit, name)
        })
    }

    /// Whether `value` is known where values must be.
    pub fn accepts(&self, value: i64) -> bool {
        !self.strict || self.is_unnamed(value) || self.names.contains_key(&value)
    }
}

/// What null and empty mean for an array.
#[derive(Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Absence {
    message: String,
    field: String,
    #[serde(deserialize_with = "versions")]
    versions: Versions,
    /// What null means.
    pub null: Option<String>,
    /// What an array without elements means.
    pub empty: Option<String>,
}

/// The fields that a meaning is for: those of one of these names, in one of these messages if any are named, of one of
/// these types if any are named.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Binding {
    meaning: String,
    fields: Vec<String>,
    #[serde(default)]
    messages: Vec<String>,
    #[serde(default)]
    types: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    meanings: HashMap<String, Meaning>,
    fields: Vec<Binding>,
    absences: Vec<Absence>,
}

/// Everything in `meanings.json`.
pub struct Meanings {
    file: File,
    /// The bindings for each field name.
    by_field: HashMap<String, Vec<usize>>,
}

impl Meanings {
    /// The meanings that the program brings along.
    pub fn get() -> &'static Meanings {
        static MEANINGS: OnceLock<Meanings> = OnceLock::new();
        MEANINGS.get_or_init(|| {
            let file: File = serde_json::from_str(include_str!("meanings.json"))
                .expect("meanings.json is valid; a test reads it");
            let mut by_field: HashMap<String, Vec<usize>> = HashMap::new();
            for (index, binding) in file.fields.iter().enumerate() {
                for field in &binding.fields {
                    by_field.entry(field.clone()).or_default().push(index);
                }
            }
            Meanings { file, by_field }
        })
    }

    /// What the values of a field mean; for an array, what its elements mean.
    pub fn of_field(&self, message: &str, field: &str, field_type: &FieldType) -> Option<&Meaning> {
        let element = match field_type {
            FieldType::Array(element) => element,
            scalar => scalar,
        };
        let fits = |binding: &&Binding| {
            (binding.messages.is_empty() || binding.messages.iter().any(|name| name == message))
                && (binding.types.is_empty()
                    || binding.types.iter().any(|word| FieldType::parse(word).as_ref() == Some(element)))
        };
        let bindings = self.by_field.get(field)?;
        let binding = bindings.iter().map(|index| &self.file.fields[*index]).find(fits)?;
        self.file.meanings.get(&binding.meaning)
    }

    /// What null and empty mean for an array of `message`.
    pub fn absence(&self, message: &str, field: &str, version: i16) -> Option<&Absence> {
        self.file.absences.iter().find(|absence| {
            absence.message == message && absence.field == field && absence.versions.contains(version)
        })
    }

    /// The meaning called `name`.
    pub fn named(&self, name: &str) -> Option<&Meaning> {
        self.file.meanings.get(name)
    }
}

fn versions<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Versions, D::Error> {
    let text = String::deserialize(deserializer)?;
    Versions::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("no range of versions: {text}")))
}

/// JSON has only strings for keys.
fn numbered<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<i64, String>, D::Error> {
    let texts = HashMap::<String, String>::deserialize(deserializer)?;
    let number =
        |key: String| key.parse::<i64>().map_err(|_| serde::de::Error::custom(format!("no number: {key}")));
    texts.into_iter().map(|(key, name)| Ok((number(key)?, name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Catalogue;
    use std::collections::HashSet;

    #[test]
    fn every_binding_meets_a_field_and_names_a_meaning() {
        let catalogue = Catalogue::embedded();
        let mut seen = HashSet::new();
        fn collect(seen: &mut HashSet<(String, String)>, message: &str, fields: &[crate::schema::Field]) {
            for field in fields {
                seen.insert((message.to_owned(), field.name.to_string()));
                collect(seen, message, &field.fields);
            }
        }
        for definition in catalogue.definitions() {
            let message = definition.message();
            collect(&mut seen, &message.name, &message.fields);
            for common in &message.common_structs {
                collect(&mut seen, &message.name, &common.fields);
            }
        }
        let known = |message: &str, field: &str| seen.contains(&(message.to_owned(), field.to_owned()));
        let meanings = Meanings::get();
        for binding in &meanings.file.fields {
            assert!(meanings.named(&binding.meaning).is_some(), "{}", binding.meaning);
            for message in &binding.messages {
                assert!(binding.fields.iter().any(|field| known(message, field)), "{message}");
            }
            for field in &binding.fields {
                let anywhere = seen.iter().any(|(_, name)| name == field);
                assert!(anywhere, "{field}");
            }
        }
        for absence in &meanings.file.absences {
            assert!(known(&absence.message, &absence.field), "{} {}", absence.message, absence.field);
        }
    }

    #[test]
    fn meanings_are_found_by_name_type_and_message() {
        let meanings = Meanings::get();
        let error = meanings.of_field("FetchResponse", "ErrorCode", &FieldType::Int16).unwrap();
        assert_eq!(error.name(3), Some("UNKNOWN_TOPIC_OR_PARTITION"));
        assert!(error.is_unnamed(0) && !error.accepts(999) && error.accepts(-1));
        assert!(meanings.of_field("FetchResponse", "ErrorCode", &FieldType::Int32).is_none());
        let resource = |message| {
            meanings.of_field(message, "ResourceType", &FieldType::Int8).and_then(|meaning| meaning.name(4))
        };
        assert_eq!(resource("DescribeConfigsRequest"), Some("BROKER"));
        assert_eq!(resource("CreateAclsRequest"), Some("CLUSTER"));
        let kinds = FieldType::Array(Box::new(FieldType::Int8));
        assert!(meanings.of_field("ShareFetchRequest", "AcknowledgeTypes", &kinds).is_some());
    }

    #[test]
    fn all_error_codes_of_kafka_4_4_have_a_name() {
        let error = Meanings::get().named("error").unwrap();
        for code in (-1..=136).filter(|code| *code != 0) {
            assert!(error.name(code).is_some(), "{code}");
        }
        assert_eq!(error.name(136), Some("CONTROLLER_ID_NOT_REGISTERED"));
        assert_eq!(error.name(137), None);
    }

    #[test]
    fn bits_have_names() {
        let bits = Meanings::get().named("authorizedOperations").unwrap();
        let names: Vec<_> = bits.set_bits(0b1_0000_1000).collect();
        assert_eq!(names, [(3, Some("READ")), (8, Some("DESCRIBE"))]);
    }
}
