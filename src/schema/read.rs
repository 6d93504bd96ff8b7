//! Reads a definition file, strictly: whatever it does not understand is an error that names file and field.

use serde_json::{Map, Value};
use thiserror::Error;

use super::comments::blank_comments;
use super::definition::{CommonStruct, Field, FieldDefault, FieldType, Message, MessageKind};
use super::versions::Versions;

/// Structures may nest this deep; Kafka's own go to five.
const MAX_NESTING: usize = 32;

/// A definition file that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}: {}{problem}", if place.is_empty() { String::new() } else { format!("{place}: ") })]
pub struct SchemaError {
    /// The file, as the caller named it.
    pub file: String,
    /// The field, as a path of names (`Topics.Partitions`); empty for the message itself.
    pub place: String,
    /// What is wrong with it.
    pub problem: String,
}

/// Reads the definition in `text`. `file` is its name for error messages.
///
/// # Errors
/// If the text is no JSON, or says something that Kafka's notation does not have.
pub fn read_message(file: &str, text: &str) -> Result<Message, SchemaError> {
    let fail = |problem: String| SchemaError { file: file.to_owned(), place: String::new(), problem };
    let value: Value =
        serde_json::from_str(&blank_comments(text)).map_err(|error| fail(format!("not JSON: {error}")))?;
    let Value::Object(object) = value else {
        return Err(fail("expected a JSON object with a message definition".to_owned()));
    };
    let mut reader = Reader { file, path: Vec::new() };
    let message = reader.message(object)?;
    reader.check_structs(&message, &message.fields)?;
    for common in &message.common_structs {
        reader.check_structs(&message, &common.fields)?;
    }
    Ok(message)
}

/// Reads one file, and remembers which field it is at.
struct Reader<'f> {
    file: &'f str,
    path: Vec<String>,
}

/// The keys of one JSON object, taken out one by one so that what is left over can be named.
struct Keys(Map<String, Value>);

impl Reader<'_> {
    fn error(&self, problem: impl Into<String>) -> SchemaError {
        SchemaError { file: self.file.to_owned(), place: self.path.join("."), problem: problem.into() }
    }

    fn message(&mut self, object: Map<String, Value>) -> Result<Message, SchemaError> {
        let mut keys = Keys(object);
        let word = self.required_text(&mut keys, "type")?;
        let kind = MessageKind::from_word(&word)
            .ok_or_else(|| self.error(format!("unknown message type \"{word}\"")))?;
        let message = Message {
            name: self.required_text(&mut keys, "name")?,
            kind,
            about: self.text(&mut keys, "about")?.unwrap_or_default().into(),
            api_key: self.small_number(&mut keys, "apiKey")?,
            listeners: self.text_list(&mut keys, "listeners")?,
            valid_versions: self.required_versions(&mut keys, "validVersions")?,
            deprecated_versions: self.versions(&mut keys, "deprecatedVersions")?.unwrap_or(Versions::NONE),
            flexible_versions: self.versions(&mut keys, "flexibleVersions")?.unwrap_or(Versions::NONE),
            latest_version_unstable: self.flag(&mut keys, "latestVersionUnstable")?,
            fields: self.fields(keys.0.remove("fields"))?,
            common_structs: self.common_structs(keys.0.remove("commonStructs"))?,
        };
        self.nothing_left(&keys)?;
        Ok(message)
    }

    fn common_structs(&mut self, list: Option<Value>) -> Result<Vec<CommonStruct>, SchemaError> {
        self.objects(list, "commonStructs", |reader, mut keys, name| {
            let common = CommonStruct {
                name,
                versions: reader.required_versions(&mut keys, "versions")?,
                fields: reader.fields(keys.0.remove("fields"))?,
            };
            reader.nothing_left(&keys)?;
            Ok(common)
        })
    }

    fn fields(&mut self, list: Option<Value>) -> Result<Vec<Field>, SchemaError> {
        if self.path.len() > MAX_NESTING {
            return Err(self.error(format!("structures nest deeper than {MAX_NESTING}")));
        }
        self.objects(list, "fields", Reader::field)
    }

    fn field(&mut self, mut keys: Keys, name: String) -> Result<Field, SchemaError> {
        let word = self.required_text(&mut keys, "type")?;
        let field_type =
            FieldType::parse(&word).ok_or_else(|| self.error(format!("unknown type \"{word}\"")))?;
        let tagged_versions = self.versions(&mut keys, "taggedVersions")?.unwrap_or(Versions::NONE);
        // A tagged field may leave out its versions: they are those in which it is tagged.
        let versions = match self.versions(&mut keys, "versions")? {
            Some(versions) => versions,
            None if !tagged_versions.is_empty() => tagged_versions,
            None => return Err(self.error("\"versions\" is missing")),
        };
        let field = Field {
            name: name.into(),
            versions,
            nullable_versions: self.versions(&mut keys, "nullableVersions")?.unwrap_or(Versions::NONE),
            tagged_versions,
            tag: self.small_number(&mut keys, "tag")?,
            flexible_versions: self.versions(&mut keys, "flexibleVersions")?,
            ignorable: self.flag(&mut keys, "ignorable")?,
            map_key: self.flag(&mut keys, "mapKey")?,
            zero_copy: self.flag(&mut keys, "zeroCopy")?,
            default: self.default(&mut keys)?,
            entity_type: self.text(&mut keys, "entityType")?,
            about: self.text(&mut keys, "about")?.unwrap_or_default().into(),
            fields: self.fields(keys.0.remove("fields"))?,
            field_type,
        };
        self.nothing_left(&keys)?;
        self.check_field(&field)?;
        Ok(field)
    }

    fn check_field(&self, field: &Field) -> Result<(), SchemaError> {
        if field.tag.is_some() == field.tagged_versions.is_empty() {
            return Err(self.error("\"tag\" and \"taggedVersions\" go together"));
        }
        if !field.nullable_versions.is_empty() && !field.field_type.may_be_null() {
            return Err(self.error(format!("a field of type {} cannot be null", field.field_type)));
        }
        if !field.fields.is_empty() && field.field_type.struct_name().is_none() {
            return Err(self.error(format!("a field of type {} has no fields of its own", field.field_type)));
        }
        Ok(())
    }

    /// Every structure that a field names must be there, and none may contain itself.
    fn check_structs(&mut self, message: &Message, fields: &[Field]) -> Result<(), SchemaError> {
        for field in fields {
            self.path.push(field.name.to_string());
            if let Some(name) = field.field_type.struct_name() {
                if self.path.len() > MAX_NESTING {
                    return Err(self.error(format!("the structure {name} nests deeper than {MAX_NESTING}")));
                }
                match message.struct_fields(field) {
                    Some(inner) => self.check_structs(message, inner)?,
                    // A structure of no fields is legal where it is spelled out as such.
                    None => return Err(self.error(format!("no structure is called {name}"))),
                }
            }
            self.path.pop();
        }
        Ok(())
    }

    /// Reads a list of objects that each have a name, with that name on the path while `read` runs.
    fn objects<T>(
        &mut self,
        list: Option<Value>,
        key: &str,
        read: impl Fn(&mut Self, Keys, String) -> Result<T, SchemaError>,
    ) -> Result<Vec<T>, SchemaError> {
        let list = match list {
            None => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(other) => return Err(self.error(format!("\"{key}\" should be a list, not {other}"))),
        };
        let mut read_ones = Vec::with_capacity(list.len());
        for value in list {
            let Value::Object(object) = value else {
                return Err(self.error(format!("\"{key}\" should hold objects, not {value}")));
            };
            let mut keys = Keys(object);
            let name = self.required_text(&mut keys, "name")?;
            self.path.push(name.clone());
            read_ones.push(read(self, keys, name)?);
            self.path.pop();
        }
        Ok(read_ones)
    }

    fn default(&self, keys: &mut Keys) -> Result<Option<FieldDefault>, SchemaError> {
        match keys.0.remove("default") {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(FieldDefault::Text(text))),
            Some(bare @ (Value::Null | Value::Bool(_) | Value::Number(_))) => {
                Ok(Some(FieldDefault::Bare(bare.to_string())))
            }
            Some(other) => Err(self.error(format!("\"default\" should be a plain value, not {other}"))),
        }
    }

    fn text(&self, keys: &mut Keys, key: &str) -> Result<Option<String>, SchemaError> {
        match keys.0.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.error(format!("\"{key}\" should be a string, not {other}"))),
        }
    }

    fn required_text(&self, keys: &mut Keys, key: &str) -> Result<String, SchemaError> {
        self.text(keys, key)?.ok_or_else(|| self.error(format!("\"{key}\" is missing")))
    }

    fn text_list(&self, keys: &mut Keys, key: &str) -> Result<Vec<String>, SchemaError> {
        let wrong = || self.error(format!("\"{key}\" should be a list of strings"));
        match keys.0.remove(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => {
                list.iter().map(|one| one.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn versions(&self, keys: &mut Keys, key: &str) -> Result<Option<Versions>, SchemaError> {
        let Some(text) = self.text(keys, key)? else { return Ok(None) };
        let versions = Versions::parse(&text)
            .ok_or_else(|| self.error(format!("\"{key}\" should be a range of versions, not \"{text}\"")))?;
        Ok(Some(versions))
    }

    fn required_versions(&self, keys: &mut Keys, key: &str) -> Result<Versions, SchemaError> {
        self.versions(keys, key)?.ok_or_else(|| self.error(format!("\"{key}\" is missing")))
    }

    /// A true or false, with or without quotes, as Kafka's files have both.
    fn flag(&self, keys: &mut Keys, key: &str) -> Result<bool, SchemaError> {
        match keys.0.remove(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(Value::String(text)) if text == "true" => Ok(true),
            Some(Value::String(text)) if text == "false" => Ok(false),
            Some(other) => Err(self.error(format!("\"{key}\" should be true or false, not {other}"))),
        }
    }

    fn small_number<N: TryFrom<i64>>(&self, keys: &mut Keys, key: &str) -> Result<Option<N>, SchemaError> {
        let Some(value) = keys.0.remove(key) else { return Ok(None) };
        // Kafka's files have a tag between quotes here and there.
        let number = match &value {
            Value::String(text) => text.parse().ok(),
            value => value.as_i64(),
        };
        let number = number.and_then(|number| N::try_from(number).ok());
        match number {
            Some(number) => Ok(Some(number)),
            None => Err(self.error(format!("\"{key}\" should be a small whole number, not {value}"))),
        }
    }

    fn nothing_left(&self, keys: &Keys) -> Result<(), SchemaError> {
        match keys.0.keys().next() {
            None => Ok(()),
            Some(key) => Err(self.error(format!("unknown key \"{key}\""))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        // a licence
        { "apiKey": 3, "type": "request", "listeners": ["broker"], "name": "ThingRequest", "about": "For a test.",
          "validVersions": "0-4", "deprecatedVersions": "0", "flexibleVersions": "2+",
          "fields": [ /* all of them */
            { "name": "Name", "type": "string", "versions": "0+", "nullableVersions": "1+", "default": "null",
              "entityType": "topicName", "mapKey": true, "ignorable": true, "about": "What it is called." },
            { "name": "Old", "type": "string", "versions": "0+", "flexibleVersions": "none" },
            { "name": "Late", "type": "int32", "taggedVersions": "3+", "tag": 0, "default": -1 },
            { "name": "Parts", "type": "[]Part", "versions": "0+" } ],
          "commonStructs": [
            { "name": "Part", "versions": "0+", "fields": [ { "name": "Index", "type": "int32", "versions": "0+" } ] } ] }"#;

    #[test]
    fn every_key_is_read() {
        let message = read_message("Thing.json", GOOD).unwrap();
        assert_eq!((message.api_key, message.kind), (Some(3), MessageKind::Request));
        assert_eq!(message.deprecated_versions, Versions::new(0, 0));
        assert_eq!(&*message.about, "For a test.");
        let name = &message.fields[0];
        assert_eq!(name.nullable_versions.to_string(), "1+");
        assert_eq!(name.default.as_ref().unwrap().text(), "null");
        assert!(name.map_key && name.ignorable && !name.zero_copy);
        assert_eq!(message.fields[1].flexible_versions, Some(Versions::NONE));
        let late = &message.fields[2];
        assert_eq!((late.tag, late.versions.to_string().as_str()), (Some(0), "3+"));
        assert_eq!(&*message.struct_fields(&message.fields[3]).unwrap()[0].name, "Index");
    }

    /// One change to the good file, and what must be said about it.
    #[test]
    fn each_misunderstanding_names_file_and_field() {
        for (good, bad, complaint) in [
            (r#""mapKey": true"#, r#""mapkey": true"#, "Name: unknown key \"mapkey\""),
            (r#""mapKey": true"#, r#""mapKey": 1"#, "Name: \"mapKey\" should be true or false, not 1"),
            (r#""type": "[]Part""#, r#""type": "[]Port""#, "Parts: no structure is called Port"),
            (r#""type": "[]Part""#, r#""type": "int31""#, "Parts: unknown type \"int31\""),
            (r#""tag": 0, "#, "", "Late: \"tag\" and \"taggedVersions\" go together"),
            (r#""tag": 0"#, r#""tag": -1"#, "Late: \"tag\" should be a small whole number, not -1"),
            (r#""validVersions": "0-4""#, r#""validVersions": "4-0""#, "\"validVersions\" should be a range"),
            (
                r#""Index", "type": "int32""#,
                r#""Index", "type": "int32", "nullableVersions": "0+""#,
                "Part.Index: a field of type int32 cannot be null",
            ),
            (r#""Index", "type": "int32""#, r#""Index", "type": "Part""#, "nests deeper than"),
            (r#""type": "request""#, r#""type": "question""#, "unknown message type \"question\""),
            (r#""apiKey": 3"#, r#""apiKey": 3, "apiVersion": 3"#, "unknown key \"apiVersion\""),
        ] {
            assert!(GOOD.contains(good));
            let error = read_message("Thing.json", &GOOD.replace(good, bad)).unwrap_err().to_string();
            assert!(error.starts_with("Thing.json: ") && error.contains(complaint), "{bad}: {error}");
        }
    }

    #[test]
    fn what_is_no_definition_is_an_error() {
        for text in ["", "[]", "null", "{", "{ \"a\": }", "/* open"] {
            assert!(read_message("x.json", text).is_err(), "{text:?}");
        }
    }
}
