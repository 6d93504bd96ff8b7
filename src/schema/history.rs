//! When each version of each API came, what it changed, and when it went. The facts are data, in `history.json` beside this
//! file; this reads them.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;

use super::versions::Versions;

/// Everything in `history.json`.
pub struct History {
    apis: HashMap<String, ApiHistory>,
}

/// What became of an API.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ApiHistory {
    /// Its key.
    pub key: i16,
    /// What it is for, in a few sentences.
    pub about: String,
    /// Whether its page tells what it is for; the page that the documentation came with does not.
    #[serde(default = "yes", rename = "aboutOnPage")]
    pub about_on_page: bool,
    /// Versions that Kafka once spoke and no longer does, the first to go first.
    #[serde(default)]
    pub dropped: Vec<Dropped>,
    /// The release without any version of it, if Kafka removed it.
    #[serde(default)]
    pub removed: Option<String>,
    /// Its versions.
    #[serde(deserialize_with = "by_version")]
    pub versions: BTreeMap<i16, VersionHistory>,
}

/// Versions that a release no longer speaks.
#[derive(Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Dropped {
    /// Which.
    #[serde(deserialize_with = "versions")]
    pub versions: Versions,
    /// The first release without them.
    pub release: String,
}

/// How a version came about.
#[derive(Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct VersionHistory {
    /// The first release that speaks it without being told to; `None` if it has only ever been unstable.
    pub release: Option<String>,
    /// What it changed, in a few words.
    pub change: String,
}

fn yes() -> bool {
    true
}

impl History {
    /// The history that the program brings along. It is read when it is first asked for.
    pub fn get() -> &'static History {
        static HISTORY: OnceLock<History> = OnceLock::new();
        HISTORY.get_or_init(|| History {
            apis: serde_json::from_str(include_str!("history.json"))
                .expect("history.json is valid; a test reads it"),
        })
    }

    /// What became of the API with this name, spelled as [`super::Api::name`].
    pub fn api(&self, name: &str) -> Option<&ApiHistory> {
        self.apis.get(name)
    }

    /// What became of the API with this key. Names change, keys do not.
    pub fn of_key(&self, key: i16) -> Option<&ApiHistory> {
        self.apis.values().find(|api| api.key == key)
    }
}

impl ApiHistory {
    /// How a version came about.
    pub fn version(&self, version: i16) -> Option<&VersionHistory> {
        self.versions.get(&version)
    }

    /// The first release that spoke any version of it; `None` if no release does without being told to.
    pub fn first_release(&self) -> Option<&str> {
        self.versions.values().find_map(|version| version.release.as_deref())
    }

    /// The first release that no longer speaks a version.
    pub fn dropped_in(&self, version: i16) -> Option<&str> {
        let dropped = self.dropped.iter().find(|dropped| dropped.versions.contains(version));
        dropped.map(|dropped| dropped.release.as_str()).or(self.removed.as_deref())
    }
}

fn versions<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Versions, D::Error> {
    let text = String::deserialize(deserializer)?;
    Versions::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("no range of versions: {text}")))
}

/// JSON has only strings for keys.
fn by_version<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<i16, VersionHistory>, D::Error> {
    let texts = HashMap::<String, VersionHistory>::deserialize(deserializer)?;
    let number =
        |key: String| key.parse::<i16>().map_err(|_| serde::de::Error::custom(format!("no version: {key}")));
    texts.into_iter().map(|(key, version)| Ok((number(key)?, version))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Catalogue;

    /// The numbers of a release, so that 0.10.1 comes after 0.9.0 and 4.1 after 4.0.
    fn numbers(release: &str) -> Vec<u32> {
        let numbers: Vec<u32> =
            release.split('.').map(|part| part.parse().unwrap_or_else(|_| panic!("{release}"))).collect();
        // Since 1.0 a release that brings versions has two numbers.
        assert_eq!(numbers.len(), if numbers[0] == 0 { 3 } else { 2 }, "{release}");
        numbers
    }

    #[test]
    fn every_version_of_the_catalogue_has_an_entry_and_no_other() {
        let catalogue = Catalogue::embedded();
        let history = History::get();
        for api in catalogue.apis() {
            let entry = history.api(&api.name).unwrap_or_else(|| panic!("{} has none", api.name));
            assert_eq!(entry.key, api.key, "{}", api.name);
            assert!(entry.versions.keys().copied().eq(api.versions.iter()), "{}", api.name);
            for dropped in &entry.dropped {
                let known = dropped.versions.iter().all(|version| api.versions.contains(version));
                assert!(known && !dropped.versions.is_empty(), "{} {}", api.name, dropped.versions);
            }
        }
        assert_eq!(history.apis.len(), catalogue.apis().count());
    }

    #[test]
    fn releases_ascend_and_what_goes_was_there() {
        for (name, api) in &History::get().apis {
            let releases: Vec<Vec<u32>> =
                api.versions.values().filter_map(|version| version.release.as_deref()).map(numbers).collect();
            assert!(releases.is_sorted(), "{name}");
            for (number, version) in &api.versions {
                let (came, went) = (version.release.as_deref(), api.dropped_in(*number));
                let stayed_a_while = came.zip(went).is_none_or(|(came, went)| numbers(came) < numbers(went));
                assert!(stayed_a_while, "{name} v{number}");
            }
            assert!(api.removed.is_none() || api.dropped.is_empty(), "{name}: removed says it all");
        }
    }

    #[test]
    fn an_unreleased_version_says_so() {
        for (name, api) in &History::get().apis {
            for (number, version) in &api.versions {
                let unstable = version.change.contains("only ever unstable");
                assert_eq!(version.release.is_none(), unstable, "{name} v{number}");
            }
        }
    }

    #[test]
    fn texts_are_short_plain_and_alike() {
        const BEGINNINGS: [&str; 6] = [
            "flexible version",
            "only ever unstable",
            "request ",
            "response ",
            "same layout",
            "first version",
        ];
        for (name, api) in &History::get().apis {
            assert!(api.about.is_ascii() && api.about.ends_with('.'), "{name}");
            assert!((40..300).contains(&api.about.len()), "{name}: {} characters", api.about.len());
            for (place, (number, version)) in api.versions.iter().enumerate() {
                let change = &version.change;
                let beginning = BEGINNINGS.iter().find(|beginning| change.starts_with(**beginning));
                assert!(beginning.is_some(), "{name} v{number}: {change}");
                assert_eq!(place == 0, change.starts_with("first version"), "{name} v{number}: {change}");
                assert!(change.is_ascii() && change.len() < 100, "{name} v{number}: {change}");
                assert!(!change.ends_with('.'), "{name} v{number}: {change}");
                assert_eq!(change.trim(), change, "{name} v{number}");
            }
        }
    }

    /// A version is said to be flexible where it first is.
    #[test]
    fn flexibility_is_told_where_it_comes() {
        let catalogue = Catalogue::embedded();
        for api in catalogue.apis() {
            let entry = History::get().api(&api.name).unwrap();
            for (number, version) in &entry.versions {
                let first = *number == api.flexible_versions.low() && !api.flexible_versions.is_empty();
                assert_eq!(
                    version.change.contains("flexible version (KIP-482)"),
                    first,
                    "{} v{number}",
                    api.name
                );
            }
        }
    }

    #[test]
    fn a_few_that_are_known_by_heart() {
        let fetch = History::get().api("Fetch").unwrap();
        assert_eq!(fetch.first_release(), Some("0.8.0"));
        assert_eq!(fetch.version(12).unwrap().release.as_deref(), Some("2.7"));
        assert_eq!((fetch.dropped_in(3), fetch.dropped_in(4)), (Some("4.0"), None));
        let share = History::get().api("ShareFetch").unwrap();
        assert_eq!((share.first_release(), share.dropped_in(0)), (Some("4.1"), Some("4.1")));
        let removed = History::get().api("LeaderAndIsr").unwrap();
        assert_eq!(removed.dropped_in(7), Some("4.0"));
        assert!(History::get().api("fetch").is_none());
        assert_eq!(History::get().of_key(1).map(|api| &api.about), Some(&fetch.about));
    }
}
