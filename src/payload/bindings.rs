//! Which fields carry what, and which nobody but their owner should see: `bindings.json` beside this file.

use std::sync::OnceLock;

use serde::Deserialize;

use super::context::Slot;
use super::reading::Format;

/// Everything in `bindings.json`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Bindings {
    context: Vec<Binding<Slot>>,
    payloads: Vec<Binding<Format>>,
    secrets: Vec<Secret>,
    /// Configs whose values are secret have one of these in their names.
    secret_configs: Vec<String>,
    pub(super) topics: Vec<TopicRecords>,
}

/// Fields of messages, and what they are.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Binding<T> {
    messages: Vec<String>,
    fields: Vec<String>,
    #[serde(alias = "as", alias = "format")]
    is: T,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Secret {
    messages: Vec<String>,
    fields: Vec<String>,
    #[serde(default)]
    if_config_is_secret: bool,
}

/// An internal topic.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct TopicRecords {
    pub name: String,
    /// What its records are called: each has a definition of its key and one of its value.
    pub records: Vec<String>,
}

/// Whether a field's value is secret.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Secrecy {
    /// It is not.
    #[default]
    None,
    /// It is.
    Always,
    /// It is if the name of the config says so.
    IfConfigIs,
}

impl Bindings {
    /// The bindings that the program brings along.
    pub fn get() -> &'static Bindings {
        static BINDINGS: OnceLock<Bindings> = OnceLock::new();
        BINDINGS.get_or_init(|| {
            serde_json::from_str(include_str!("bindings.json"))
                .expect("bindings.json is valid; a test reads it")
        })
    }

    /// What later payloads need of a field.
    pub fn slot(&self, message: &str, field: &str) -> Option<Slot> {
        find(&self.context, message, field)
    }

    /// What a field carries.
    pub fn format(&self, message: &str, field: &str) -> Option<Format> {
        find(&self.payloads, message, field)
    }

    /// Whether a field's value is secret.
    pub fn secrecy(&self, message: &str, field: &str) -> Secrecy {
        let is_it = |secret: &&Secret| has(&secret.messages, message) && has(&secret.fields, field);
        match self.secrets.iter().find(is_it) {
            None => Secrecy::None,
            Some(secret) if secret.if_config_is_secret => Secrecy::IfConfigIs,
            Some(_) => Secrecy::Always,
        }
    }

    /// Whether the value of a config is secret.
    pub fn is_secret_config(&self, name: &[u8]) -> bool {
        let name = String::from_utf8_lossy(name);
        self.secret_configs.iter().any(|part| name.contains(part.as_str()))
    }
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|known| known == name)
}

fn find<T: Copy>(bindings: &[Binding<T>], message: &str, field: &str) -> Option<T> {
    bindings
        .iter()
        .find(|binding| has(&binding.messages, message) && has(&binding.fields, field))
        .map(|binding| binding.is)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Catalogue, Field};

    #[test]
    fn every_binding_meets_a_field() {
        let catalogue = Catalogue::embedded();
        let has_field = |message: &str, field: &str| {
            fn any(fields: &[Field], name: &str) -> bool {
                fields.iter().any(|field| &*field.name == name || any(&field.fields, name))
            }
            let named = catalogue.definitions().iter().filter(|definition| definition.name == message);
            named.map(|definition| definition.message()).any(|message| {
                any(&message.fields, field)
                    || message.common_structs.iter().any(|common| any(&common.fields, field))
            })
        };
        let bindings = Bindings::get();
        let context = bindings.context.iter().map(|binding| (&binding.messages, &binding.fields));
        let payloads = bindings.payloads.iter().map(|binding| (&binding.messages, &binding.fields));
        let secrets = bindings.secrets.iter().map(|secret| (&secret.messages, &secret.fields));
        for (messages, fields) in context.chain(payloads).chain(secrets) {
            for message in messages {
                assert!(fields.iter().any(|field| has_field(message, field)), "{message}: {fields:?}");
            }
        }
        for name in bindings.topics.iter().flat_map(|topic| &topic.records) {
            for part in ["Key", "Value"] {
                assert!(catalogue.named(&format!("{name}{part}"), 0).is_some(), "{name}{part}");
            }
        }
    }

    #[test]
    fn configs_are_secret_by_name() {
        let bindings = Bindings::get();
        for name in [
            "ssl.keystore.password",
            "listener.name.internal.plain.sasl.jaas.config",
            "delegation.token.secret.key",
        ] {
            assert!(bindings.is_secret_config(name.as_bytes()), "{name}");
        }
        for name in ["retention.ms", "cleanup.policy", "ssl.keystore.location"] {
            assert!(!bindings.is_secret_config(name.as_bytes()), "{name}");
        }
    }
}
