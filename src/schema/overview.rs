//! All that is known of an API without looking at its fields, brought together from the catalogue, the rules and the history.

use serde::Serialize;

use super::catalogue::{Api, Catalogue, Definition, Direction};
use super::history::History;
use super::rules::{HeaderVersion, Rules};
use super::versions::Versions;

/// An API in short. As JSON, `kdissect apis --format json` shows it; the keys are the names of the fields in lowerCamelCase.
#[derive(Serialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The API key.
    pub key: i16,
    /// The name, such as `Fetch`.
    pub name: String,
    /// What it is for; null if it is none of Kafka's.
    pub about: Option<&'static str>,
    /// The lowest version that is known.
    pub lowest_version: i16,
    /// The highest version that is known.
    pub highest_version: i16,
    /// The first flexible version; null if there is none.
    pub flexible_from: Option<i16>,
    /// The first release that spoke any version; null if not known, or if none is stable.
    pub first_release: Option<&'static str>,
    /// The first release without the API; null if Kafka still has it.
    pub removed_in: Option<&'static str>,
    /// Which listeners serve it: `broker`, `controller`, before 4.0 `zkBroker`. Empty for an API that Kafka removed.
    pub listeners: Vec<String>,
    /// Its versions, the lowest first.
    pub versions: Vec<VersionOverview>,
}

/// A version of an API in short.
#[derive(Serialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct VersionOverview {
    /// The version.
    pub version: i16,
    /// The first release that spoke it; null if not known, or if it is not stable yet.
    pub first_release: Option<&'static str>,
    /// The first release that no longer speaks it; null if Kafka still does.
    pub dropped_in: Option<&'static str>,
    /// Whether it is flexible.
    pub flexible: bool,
    /// The version of the header before its request.
    pub request_header: i16,
    /// The version of the header before its response.
    pub response_header: i16,
    /// Why a header has another version than follows from `flexible`; null if none has.
    pub header_reason: Option<&'static str>,
    /// Whether Kafka may still change it.
    pub unstable: bool,
    /// Whether Kafka discourages it.
    pub deprecated: bool,
    /// What it changed, in a few words; null if not known.
    pub change: Option<&'static str>,
}

impl Overview {
    /// Brings together what is known of an API. `None` if it has no versions.
    pub fn of(catalogue: &Catalogue, api: &Api) -> Option<Overview> {
        let history = History::get().of_key(api.key);
        if api.versions.is_empty() {
            return None;
        }
        // The versions of a user's definitions need not join on to ours.
        let known = api.versions.iter().filter_map(|version| {
            let request = catalogue.message(api, Direction::Request, version);
            Some((version, request.or_else(|| catalogue.message(api, Direction::Response, version))?))
        });
        let versions: Vec<VersionOverview> =
            known.map(|(version, definition)| version_overview(api, version, definition)).collect();
        let newest = catalogue.message(api, Direction::Request, api.versions.high());
        Some(Overview {
            key: api.key,
            name: api.name.clone(),
            about: history.map(|history| history.about.as_str()),
            lowest_version: api.versions.low(),
            highest_version: api.versions.high(),
            flexible_from: versions.iter().find(|version| version.flexible).map(|version| version.version),
            first_release: history.and_then(|history| history.first_release()),
            removed_in: history.and_then(|history| history.removed.as_deref()),
            listeners: newest.map(|newest| newest.message().listeners.clone()).unwrap_or_default(),
            versions,
        })
    }

    /// Its lowest to highest version.
    pub fn range(&self) -> Versions {
        Versions::new(self.lowest_version, self.highest_version)
    }
}

fn version_overview(api: &Api, version: i16, definition: &Definition) -> VersionOverview {
    let history = History::get().of_key(api.key);
    let past = history.and_then(|history| history.version(version));
    let flexible = definition.flexible_versions.contains(version);
    let header = |direction| Rules::get().header_version(direction, api.key, version, flexible);
    let (request, response) = (header(Direction::Request), header(Direction::Response));
    let message = definition.message();
    VersionOverview {
        version,
        first_release: past.and_then(|past| past.release.as_deref()),
        dropped_in: past.and(history).and_then(|history| history.dropped_in(version)),
        flexible,
        request_header: request.version,
        response_header: response.version,
        header_reason: [request, response].into_iter().find_map(|HeaderVersion { reason, .. }| reason),
        unstable: message.latest_version_unstable && version == message.valid_versions.high(),
        deprecated: message.deprecated_versions.contains(version),
        change: past.map(|past| past.change.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overview(name: &str) -> Overview {
        let catalogue = Catalogue::embedded();
        Overview::of(&catalogue, catalogue.find_api(name).unwrap()).unwrap()
    }

    #[test]
    fn it_says_what_the_parts_say() {
        let fetch = overview("Fetch");
        assert_eq!((fetch.key, fetch.flexible_from, fetch.removed_in), (1, Some(12), None));
        assert_eq!(fetch.listeners, ["broker", "controller"]);
        let v3 = &fetch.versions[3];
        assert_eq!((v3.first_release, v3.dropped_in, v3.flexible), (Some("0.10.1"), Some("4.0"), false));
        assert_eq!((v3.request_header, v3.response_header, v3.header_reason), (1, 0, None));
        let api_versions = overview("ApiVersions");
        let newest = api_versions.versions.last().unwrap();
        assert_eq!((newest.request_header, newest.response_header), (2, 0));
        assert!(newest.header_reason.is_some());
        let init = overview("InitProducerId");
        assert!(init.versions.iter().all(|version| version.unstable == (version.version == 6)));
        assert_eq!(overview("StopReplica").removed_in, Some("4.0"));
    }

    #[test]
    fn what_a_user_brings_has_no_past() {
        let mut catalogue = Catalogue::embedded();
        let text = r#"{ "apiKey": 1000, "type": "request", "name": "PulseRequest", "listeners": ["broker"],
            "validVersions": "0-1", "deprecatedVersions": "0", "flexibleVersions": "1+", "fields": [] }"#;
        catalogue.overlay(&[("Pulse.json".to_owned(), text.to_owned())]).unwrap();
        let pulse = Overview::of(&catalogue, catalogue.api(1000).unwrap()).unwrap();
        assert_eq!((pulse.name.as_str(), pulse.about, pulse.first_release), ("Pulse", None, None));
        let v0 = &pulse.versions[0];
        assert_eq!((v0.change, v0.dropped_in, v0.deprecated, v0.flexible), (None, None, true, false));
    }
}
