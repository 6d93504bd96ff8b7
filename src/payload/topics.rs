//! The records of the topics that Kafka keeps for itself: which key is of which kind, and which definition lays out what.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::bindings::Bindings;
use super::definitions::plan_of;
use super::reading::Reading;
use crate::schema::Catalogue;
use crate::tree::builtin;
use crate::wire::primitive;
use crate::wire::sink::Sink;

/// A topic whose records have definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// `__consumer_offsets`: offsets and members of groups.
    ConsumerOffsets,
    /// `__transaction_state`: transactions.
    TransactionState,
    /// `__share_group_state`: deliveries of share groups (KIP-932).
    ShareGroupState,
    /// `__cluster_metadata`: the metadata of a KRaft cluster (KIP-631).
    ClusterMetadata,
}

impl Topic {
    /// In the order of `bindings.json`.
    const ALL: [Topic; 4] =
        [Topic::ConsumerOffsets, Topic::TransactionState, Topic::ShareGroupState, Topic::ClusterMetadata];

    /// The topic of a name; `None` for those whose records are anybody's.
    pub fn named(name: &[u8]) -> Option<Topic> {
        // Nearly no topic is one of these.
        if !name.starts_with(b"__") {
            return None;
        }
        let index = Bindings::get().topics.iter().position(|topic| topic.name.as_bytes() == name)?;
        Topic::ALL.get(index).copied()
    }

    /// The topic of an id that is the same in every cluster.
    pub(crate) fn of_id(id: &[u8]) -> Option<Topic> {
        // Only the last byte of the id of __cluster_metadata is not zero.
        let is_metadata = id.len() == 16 && id[..15].iter().all(|byte| *byte == 0) && id[15] == 1;
        is_metadata.then_some(Topic::ClusterMetadata)
    }
}

/// What a record's key says of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecordType {
    /// The name of its definitions, without Key or Value.
    name: &'static str,
}

/// How to read the key of a record, and what its value is. `None` for a key that is not known to be anything.
pub(crate) fn key<S: Sink>(topic: Topic, key: &[u8], sink: &mut S) -> Option<(Reading, Option<RecordType>)> {
    let (_, number) = primitive::int16(key).ok()?;
    sink.definitions()?;
    let Some(record) = record_type(topic, number) else {
        let reading = Reading::Unknown { item: builtin::RECORD_TYPE, known: types(topic) };
        return Some((reading, None));
    };
    let (plan, id) = plan_of(sink, &format!("{}Key", record.name), 0)?;
    Some((Reading::Prefixed { item: builtin::RECORD_TYPE, plan, id, known: None }, Some(record)))
}

/// How to read the value of a record.
pub(crate) fn value<S: Sink>(
    topic: Topic,
    record: Option<RecordType>,
    value: &[u8],
    sink: &mut S,
) -> Option<Reading> {
    if topic == Topic::ClusterMetadata {
        return metadata(value, sink);
    }
    let name = format!("{}Value", record?.name);
    let (_, version) = primitive::int16(value).ok()?;
    versioned(&name, version, sink)
}

/// A definition after a version of two bytes.
pub(super) fn versioned<S: Sink>(name: &str, version: i16, sink: &mut S) -> Option<Reading> {
    let item = builtin::PAYLOAD_VERSION;
    if let Some((plan, id)) = plan_of(sink, name, version) {
        return Some(Reading::Prefixed { item, plan, id, known: None });
    }
    let known = sink.definitions()?.versions(name);
    Some(Reading::Unknown { item, known })
}

/// A record of the metadata log: the version of its frame, its type and its version, each a uvarint, and the record (MetadataRecordSerde).
fn metadata<S: Sink>(value: &[u8], sink: &mut S) -> Option<Reading> {
    let (rest, frame) = primitive::uvarint(value).ok()?;
    let (rest, number) = primitive::uvarint(rest).ok()?;
    let (_, version) = primitive::uvarint(rest).ok()?;
    if frame != 1 {
        return None;
    }
    let definitions = sink.definitions()?;
    let (number, version) = (i16::try_from(number).ok()?, i16::try_from(version).ok()?);
    let name = metadata_record(definitions.catalogue(), number);
    let plan = name.and_then(|name| plan_of(sink, name, version));
    Some(Reading::Metadata { plan })
}

fn metadata_record(catalogue: &Catalogue, number: i16) -> Option<&str> {
    let is_it = |kind: crate::schema::MessageKind| kind == crate::schema::MessageKind::Metadata;
    let mut found = catalogue
        .definitions()
        .iter()
        .filter(|definition| is_it(definition.kind) && definition.api_key == Some(number));
    found.next().map(|definition| definition.name.as_str())
}

/// The kinds of records of each topic, by number.
static TYPES: LazyLock<HashMap<(usize, i16), RecordType>> = LazyLock::new(|| {
    let catalogue = Catalogue::embedded();
    let mut types = HashMap::new();
    for (index, topic) in Bindings::get().topics.iter().enumerate() {
        for name in &topic.records {
            let key = catalogue.named(&format!("{name}Key"), 0).and_then(|definition| definition.api_key);
            types.extend(key.map(|key| ((index, key), RecordType { name })));
        }
    }
    types
});

fn record_type(topic: Topic, number: i16) -> Option<RecordType> {
    TYPES.get(&(topic as usize, number)).copied()
}

/// The lowest and the highest kind of record of a topic.
fn types(topic: Topic) -> crate::schema::Versions {
    let numbers = || TYPES.keys().filter(|(index, _)| *index == topic as usize).map(|(_, number)| *number);
    crate::schema::Versions::new(numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
}
