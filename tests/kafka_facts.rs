//! Our definitions say what Kafka's own say: every fact of every field of every version.
//!
//! The measure are the definitions in the jars of Kafka 4.4.0, which Maven has or gets, those of 4.0 to 4.3 where Maven has them
//! already, and for what 4.0 removed those of 3.9 in `../shared/reference/kafka-3.9`. What is not there is skipped with a message.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use kdissect::schema::source::definition_files;
use kdissect::schema::{Catalogue, Field, FieldType, Message, MessageKind, Versions, read_message};

/// The jars with definitions in them.
const JARS: [&str; 7] = [
    "kafka-clients",
    "kafka-metadata",
    "kafka-group-coordinator",
    "kafka-transaction-coordinator",
    "kafka-share-coordinator",
    "kafka-raft",
    "kafka-streams",
];

/// What Kafka reads and writes by code of its own, without a definition: there is nothing to compare with.
const WITHOUT_DEFINITION: [&str; 5] = [
    "ConnectProtocolAssignment",
    "ConnectProtocolMetadata",
    "CooperativeStickyUserData",
    "StickyAssignorUserData",
    "StreamsAssignmentInfo",
];

/// The releases whose jars count, the newest first.
const RELEASES: [&str; 5] = ["4.4.0", "4.3.0", "4.2.0", "4.1.0", "4.0.0"];

/// What a definition goes by across releases: names of APIs change (ListClientMetricsResources became ListConfigResources), their keys
/// do not.
type Identity = (&'static str, i16, String);

fn identity(message: &Message) -> Identity {
    match (message.kind, message.api_key) {
        (MessageKind::Request | MessageKind::Response, Some(key)) => {
            (message.kind.word(), key, String::new())
        }
        _ => ("", 0, message.name.clone()),
    }
}

type Definitions = BTreeMap<Identity, Message>;

/// The definitions of a release.
struct Release {
    name: &'static str,
    definitions: Definitions,
}

fn definitions(source: &Path) -> Definitions {
    let files = definition_files(source).unwrap_or_else(|error| panic!("{error}"));
    let messages = files.iter().map(|(file, text)| read_message(file, text).unwrap());
    messages.map(|message| (identity(&message), message)).collect()
}

fn ours() -> Definitions {
    definitions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema/messages"))
}

/// A jar of Kafka in Maven's repository.
fn jar(name: &str, release: &str) -> Option<PathBuf> {
    let repository = PathBuf::from(env::var_os("HOME")?).join(".m2/repository/org/apache/kafka");
    Some(repository.join(name).join(release).join(format!("{name}-{release}.jar")))
}

/// Has Maven get a jar that is not there.
fn get(name: &str, release: &str) {
    let artifact = format!("-Dartifact=org.apache.kafka:{name}:{release}");
    let arguments = ["-q", "-B", "dependency:get", &artifact, "-Dtransitive=false"];
    match Command::new("mvn").args(arguments).status() {
        Ok(status) if status.success() => {}
        Ok(status) => println!("mvn could not get {name} {release}: {status}"),
        Err(error) => println!("mvn: {error}"),
    }
}

/// The definitions in the jars of a release; `None`, with a message, if one of them is missing.
fn from_jars(release: &'static str) -> Option<Release> {
    let mut all = Definitions::new();
    for name in JARS {
        let jar = jar(name, release)?;
        if !jar.is_file() && release == RELEASES[0] {
            get(name, release);
        }
        if !jar.is_file() {
            println!(
                "skipped: Kafka {release}, since there is no {name}-{release}.jar in Maven's repository"
            );
            return None;
        }
        all.append(&mut definitions(&jar));
    }
    Some(Release { name: release, definitions: all })
}

fn reference() -> Option<Release> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/kafka-3.9");
    if folder.is_dir() {
        return Some(Release { name: "3.9", definitions: definitions(&folder) });
    }
    println!("skipped: Kafka 3.9, since there is no ../shared/reference/kafka-3.9");
    None
}

/// Whether a release's definition is of another notation, whose versions cannot be compared.
///
/// Before 4.0, keys and values of coordinator records were of kind `data`: what is now the record type was the version of the key. The
/// definitions of 4.0 describe the same bytes and supersede them.
fn is_superseded(theirs: &Message, ours: &Message) -> bool {
    let is_coordinator = matches!(ours.kind, MessageKind::CoordinatorKey | MessageKind::CoordinatorValue);
    theirs.kind == MessageKind::Data && is_coordinator
}

/// The release that decides what a version looks like: the newest in which it is stable, else the newest that has it.
fn decisive<'r>(
    releases: &'r [Release],
    identity: &Identity,
    ours: &Message,
    version: i16,
) -> Option<(&'r Release, &'r Message)> {
    let candidates = || {
        releases.iter().filter_map(|release| {
            let theirs = release.definitions.get(identity)?;
            (theirs.valid_versions.contains(version) && !is_superseded(theirs, ours))
                .then_some((release, theirs))
        })
    };
    let is_stable =
        |theirs: &Message| !theirs.latest_version_unstable || version != theirs.valid_versions.high();
    candidates().find(|(_, theirs)| is_stable(theirs)).or_else(|| candidates().next())
}

/// What a definition says of a version: a line for the message and one for each field in the order of the wire. `newer` are the
/// definitions of newer releases, the newest first.
fn facts(message: &Message, version: i16, newer: &[&Message]) -> Vec<String> {
    let kind = message.kind.word();
    let flexible = message.flexible_versions.contains(version);
    let deprecated = message.deprecated_versions.contains(version);
    let key = message.api_key;
    let mut lines = vec![format!("{kind}, key {key:?}, flexible {flexible}, deprecated {deprecated}")];
    let mut collector = Collector { message, version, newer, lines: &mut lines, path: Vec::new() };
    collector.fields(&message.fields);
    lines
}

struct Collector<'c> {
    message: &'c Message,
    version: i16,
    newer: &'c [&'c Message],
    lines: &'c mut Vec<String>,
    path: Vec<&'c str>,
}

impl<'c> Collector<'c> {
    fn fields(&mut self, fields: &'c [Field]) {
        let version = self.version;
        for field in fields.iter().filter(|field| field.versions.contains(version)) {
            self.path.push(&field.name);
            let mut line = format!("{} {}", self.path.join("."), shape(&field.field_type));
            if field.nullable_versions.contains(version) {
                line.push_str(", nullable");
            }
            if let Some(tag) = field.tag.filter(|_| field.tagged_versions.contains(version)) {
                write!(line, ", tag {tag}").unwrap();
            }
            if field.flexible_versions.unwrap_or(self.message.flexible_versions).contains(version) {
                line.push_str(", compact");
            }
            // The notation has no versions for the rest, so it is what the newest release that has the field says.
            let newest = self.newer.iter().find_map(|newer| find(newer, &newer.fields, &self.path, field));
            line.push_str(&timeless(newest.unwrap_or(field)));
            self.lines.push(line);
            if field.field_type.struct_name().is_some() {
                self.fields(self.message.struct_fields(field).unwrap_or_default());
            }
            self.path.pop();
        }
    }
}

/// The facts of a field that hold for all its versions.
fn timeless(field: &Field) -> String {
    let mut text = String::new();
    if let Some(default) = &field.default {
        write!(text, ", default {:?}", default.text()).unwrap();
    }
    for (is_so, word) in
        [(field.map_key, "map key"), (field.ignorable, "ignorable"), (field.zero_copy, "zero copy")]
    {
        if is_so {
            write!(text, ", {word}").unwrap();
        }
    }
    if let Some(entity) = &field.entity_type {
        write!(text, ", entity {entity}").unwrap();
    }
    text
}

/// The field with this path and of the type of `like`, whatever its versions.
fn find<'m>(message: &'m Message, fields: &'m [Field], path: &[&str], like: &Field) -> Option<&'m Field> {
    let (name, rest) = path.split_first()?;
    let named = || fields.iter().filter(|field| *field.name == **name);
    if rest.is_empty() {
        return named().find(|field| shape(&field.field_type) == shape(&like.field_type));
    }
    named().find_map(|field| find(message, message.struct_fields(field)?, rest, like))
}

/// A field's type without its structure's name, which says nothing about the wire.
fn shape(field_type: &FieldType) -> String {
    match field_type {
        FieldType::Struct(_) => "struct".to_owned(),
        FieldType::Array(element) => format!("[]{}", shape(element)),
        scalar => scalar.to_string(),
    }
}

/// What only one of two lists has.
fn differences(title: &str, ours: &[String], theirs: &[String]) -> Vec<String> {
    if ours == theirs {
        return Vec::new();
    }
    let mut found: Vec<String> = Vec::new();
    found.extend(
        ours.iter().filter(|line| !theirs.contains(line)).map(|line| format!("{title}: ours   {line}")),
    );
    found.extend(
        theirs.iter().filter(|line| !ours.contains(line)).map(|line| format!("{title}: theirs {line}")),
    );
    if found.is_empty() {
        found.push(format!("{title}: the order of the fields"));
    }
    found
}

#[test]
fn every_fact_is_that_of_kafka() {
    let all: Vec<Option<Release>> =
        RELEASES.iter().map(|release| from_jars(release)).chain([reference()]).collect();
    let complete = all.iter().all(Option::is_some);
    // What an older release says of a message may have changed in one that is not here.
    let releases: Vec<Release> = all.into_iter().map_while(|release| release).collect();
    let ours = ours();
    let mut wrong = Vec::new();
    let mut compared: BTreeMap<&str, usize> = BTreeMap::new();
    for (identity, message) in &ours {
        if WITHOUT_DEFINITION.contains(&&*message.name) {
            continue;
        }
        for version in message.valid_versions.iter() {
            let Some((release, theirs)) = decisive(&releases, identity, message, version) else {
                if complete {
                    wrong.push(format!("{} v{version}: no release has it", message.name));
                }
                continue;
            };
            let title = format!("{} v{version}, Kafka {}", message.name, release.name);
            let newer = releases.iter().take_while(|newer| newer.name != release.name);
            let newer: Vec<&Message> = newer.filter_map(|newer| newer.definitions.get(identity)).collect();
            let theirs = facts(theirs, version, &newer);
            wrong.extend(differences(&title, &facts(message, version, &[]), &theirs));
            *compared.entry(release.name).or_default() += 1;
        }
    }
    for release in &releases {
        for (identity, theirs) in &release.definitions {
            let Some(message) = ours.get(identity) else {
                wrong.push(format!("Kafka {} has {}, we have not", release.name, theirs.name));
                continue;
            };
            let missing = theirs.valid_versions.iter().find(|v| !message.valid_versions.contains(*v));
            if let Some(version) = missing.filter(|_| !is_superseded(theirs, message)) {
                wrong.push(format!("Kafka {} has {} v{version}, we have not", release.name, theirs.name));
            }
        }
    }
    println!("versions compared, by release: {compared:?}");
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

/// What concerns a message as a whole is that of the newest release.
#[test]
fn names_and_listeners_are_those_of_the_newest_release() {
    let Some(newest) = from_jars(RELEASES[0]) else { return };
    let ours = ours();
    for (identity, theirs) in &newest.definitions {
        let message = &ours[identity];
        assert_eq!((&message.name, message.kind), (&theirs.name, theirs.kind));
        assert_eq!(message.listeners, theirs.listeners, "{}", theirs.name);
        assert_eq!(message.latest_version_unstable, theirs.latest_version_unstable, "{}", theirs.name);
        let high = |versions: Versions| (!versions.is_empty()).then(|| versions.high());
        if let Some(version) = high(theirs.valid_versions) {
            assert_eq!(Some(version), high(message.valid_versions), "{}", theirs.name);
        }
    }
}

/// Whoever adds a message or a field writes a doc for it. The numbers show when the tests are run with `--nocapture`.
#[test]
fn every_message_and_field_has_a_doc() {
    let catalogue = Catalogue::embedded();
    let (mut fields, mut without) = (0, Vec::new());
    fn look(list: &[Field], path: &str, fields: &mut usize, without: &mut Vec<String>) {
        for field in list {
            *fields += 1;
            let path = format!("{path}.{}", field.name);
            if field.about.trim().is_empty() {
                without.push(path.clone());
            }
            look(&field.fields, &path, fields, without);
        }
    }
    for definition in catalogue.definitions() {
        let message = definition.message();
        // What an API is for, its history tells once for request and response.
        let api = matches!(message.kind, MessageKind::Request | MessageKind::Response);
        if message.about.is_empty() != api {
            without.push(message.name.clone());
        }
        look(&message.fields, &message.name, &mut fields, &mut without);
        for common in &message.common_structs {
            look(&common.fields, &format!("{}.{}", message.name, common.name), &mut fields, &mut without);
        }
    }
    let versions: usize = catalogue.apis().map(|api| api.versions.iter().count()).sum();
    println!(
        "{} definitions, {fields} fields, {} without a doc; {} APIs, {} triples of API, version and direction",
        catalogue.definitions().len(),
        without.len(),
        catalogue.apis().count(),
        2 * versions
    );
    assert!(fields > 2000, "{fields}");
    assert!(without.is_empty(), "no doc:\n{}", without.join("\n"));
}
