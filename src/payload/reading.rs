//! How to read a payload, once it has been recognised.

use std::sync::Arc;

use serde::Deserialize;

use super::context::{Context, Slot};
use super::definitions::plan_of;
use super::{group, otlp, sasl, topics};
use crate::records;
use crate::records::compression::Codec;
use crate::schema::{Direction, Rules, Versions};
use crate::tree::{Flags, Kind, PlanId, ProblemKind, What, builtin};
use crate::wire::plan::Plan;
use crate::wire::primitive;
use crate::wire::sink::Sink;
use crate::wire::walk::{Route, Stopped, Walk};

/// What a field carries.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Format {
    /// What a member tells the leader of its group (KIP-134).
    GroupMetadata,
    /// What the leader tells a member.
    GroupAssignment,
    /// What a consumer's assignor adds to its subscription.
    SubscriptionUserData,
    /// What it adds to an assignment.
    AssignmentUserData,
    /// What a Connect worker has been assigned so far.
    ConnectAssignment,
    /// A SASL token.
    SaslToken,
    /// A request with its header, as it came to the broker that forwards it (KIP-590).
    Request,
    /// Its response.
    Response,
    /// Who sent it.
    Principal,
    /// Metrics of a client (KIP-714).
    Metrics,
}

/// A definition and what nodes call it.
pub(crate) type Known = (Arc<Plan>, PlanId);

/// How to read a payload.
pub(crate) enum Reading {
    /// A version of two bytes, then a definition.
    Prefixed { item: u16, plan: Arc<Plan>, id: PlanId, known: Option<Versions> },
    /// A version of two bytes that is not known, then bytes.
    Unknown { item: u16, known: Versions },
    /// A definition.
    Plain(Known),
    /// A record of the metadata log.
    Metadata { plan: Option<Known> },
    /// A request or response without its size.
    Message { header: Known, body: Known },
    /// A SASL token of any mechanism.
    Sasl,
    /// Metrics, compressed if there is a codec.
    Metrics(Option<Codec>),
}

/// So deep may payloads be nested: an Envelope in an Envelope is no use, but a subscription within it has user data.
const MOST_DEPTH: u8 = 6;

/// How to read the content of a field; `None` if it is not recognised, or if the receiver does not care.
pub(crate) fn recognise<S: Sink>(
    format: Format,
    content: &[u8],
    context: &Context<'_>,
    sink: &mut S,
) -> Option<Reading> {
    if content.is_empty() || context.depth >= MOST_DEPTH {
        return None;
    }
    sink.definitions()?;
    let version = primitive::int16(content).ok().map(|(_, version)| version);
    match format {
        Format::GroupMetadata => group::metadata(content, context, sink),
        Format::GroupAssignment => group::assignment(content, context, sink),
        Format::SubscriptionUserData => group::subscription_user_data(content, context, sink),
        Format::AssignmentUserData => group::assignment_user_data(content, context, sink),
        Format::ConnectAssignment => topics::versioned("ConnectProtocolAssignment", version?, sink),
        Format::Principal => topics::versioned("DefaultPrincipalData", version?, sink),
        Format::Request => {
            let (rest, key) = primitive::int16(content).ok()?;
            let (_, version) = primitive::int16(rest).ok()?;
            message(Direction::Request, key, version, sink)
        }
        Format::Response => {
            let (key, version) = context.enveloped?;
            message(Direction::Response, key, version, sink)
        }
        Format::SaslToken => Some(Reading::Sasl),
        Format::Metrics => match context.get(Slot::Compression) {
            Some([0]) | None => Some(Reading::Metrics(None)),
            Some([number]) => Codec::numbered(*number).map(|codec| Reading::Metrics(Some(codec))),
            Some(_) => None,
        },
    }
}

/// A request or response of an API and version.
fn message<S: Sink>(direction: Direction, key: i16, version: i16, sink: &mut S) -> Option<Reading> {
    let catalogue = sink.definitions()?.catalogue();
    let definition = catalogue.message(catalogue.api(key)?, direction, version)?;
    let flexible = definition.flexible_versions.contains(version);
    let header_version = Rules::get().header_version(direction, key, version, flexible).version;
    let header = match direction {
        Direction::Request => "RequestHeader",
        Direction::Response => "ResponseHeader",
    };
    let header = plan_of(sink, header, header_version)?;
    Some(Reading::Message { header, body: plan_of(sink, &definition.name, version)? })
}

impl Reading {
    /// Reads all that is left in `walk`.
    pub fn walk<S: Sink>(&self, walk: &mut Walk<'_, S>) {
        if self.fields(walk).is_ok() && walk.left() > 0 {
            let bytes = walk.left() as u64;
            walk.remark_builtin(builtin::PAYLOAD_REST, ProblemKind::Rest { bytes });
            walk.raw(builtin::PAYLOAD_REST, walk.left());
        }
    }

    fn fields<S: Sink>(&self, walk: &mut Walk<'_, S>) -> Result<(), Stopped> {
        match self {
            Reading::Prefixed { item, plan, id, known } => {
                if let Some(known) = known {
                    unknown(walk, *item, *known);
                }
                walk.int16(*item)?;
                walk.message(&Route { plan, id: *id, flags: Flags::NONE })
            }
            Reading::Unknown { item, known } => {
                unknown(walk, *item, *known);
                walk.int16(*item)?;
                walk.rest_as(builtin::PAYLOAD_BYTES);
                Ok(())
            }
            Reading::Plain((plan, id)) => walk.message(&Route { plan, id: *id, flags: Flags::NONE }),
            Reading::Metadata { plan } => metadata(walk, plan.as_ref()),
            Reading::Sasl => {
                let (bytes, start) = (walk.rest, walk.pos());
                if !sasl::token(bytes, start, walk.sink) {
                    let what = What::new(Kind::Raw, Flags::SECRET, builtin::TOKEN_BYTES);
                    walk.sink.leaf(what, start, bytes.len());
                }
                walk.rest = &[];
                Ok(())
            }
            Reading::Metrics(codec) => {
                let (bytes, start) = (walk.rest, walk.pos());
                match codec {
                    None => metrics(bytes, start, walk.sink),
                    Some(codec) => records::decompressed(*codec, bytes, start, walk.sink, metrics),
                }
                walk.rest = &[];
                Ok(())
            }
            Reading::Message { header, body } => {
                part(walk, header, Kind::Header, Flags::HEADER)?;
                part(walk, body, Kind::Body, Flags::NONE)
            }
        }
    }
}

/// The header or body of a message.
fn part<S: Sink>(
    walk: &mut Walk<'_, S>,
    (plan, id): &Known,
    kind: Kind,
    flags: Flags,
) -> Result<(), Stopped> {
    let mark = walk.sink.open(What::new(kind, Flags::NONE, 0).in_plan(*id), walk.pos());
    let result = walk.message(&Route { plan, id: *id, flags });
    walk.sink.close(mark, walk.pos());
    result
}

/// Says that a version is not known, before it is read.
fn unknown<S: Sink>(walk: &mut Walk<'_, S>, item: u16, known: Versions) {
    let version = primitive::int16(walk.rest).map_or(0, |(_, version)| version);
    walk.remark_builtin(item, ProblemKind::UnknownPayload { version: version.into(), known });
}

/// The three numbers before a record of the metadata log, and the record.
fn metadata<S: Sink>(walk: &mut Walk<'_, S>, plan: Option<&Known>) -> Result<(), Stopped> {
    let numbers = [builtin::FRAME_VERSION, builtin::METADATA_TYPE, builtin::METADATA_VERSION];
    for item in numbers {
        walk.uvarint_leaf(item)?;
    }
    match plan {
        Some((plan, id)) => walk.message(&Route { plan, id: *id, flags: Flags::NONE }),
        None => {
            walk.remark_builtin(builtin::PAYLOAD_BYTES, ProblemKind::UnknownRecord);
            walk.rest_as(builtin::PAYLOAD_BYTES);
            Ok(())
        }
    }
}

/// Metrics, or the bytes as they are if they are none.
fn metrics<S: Sink>(bytes: &[u8], start: usize, sink: &mut S) {
    if !otlp::metrics(bytes, start, sink) && !bytes.is_empty() {
        sink.leaf(What::new(Kind::Raw, Flags::NONE, builtin::PAYLOAD_BYTES), start, bytes.len());
    }
}

/// Whether a definition fits bytes to the last one, with nothing to be said about them.
pub(super) fn fits(plan: &Plan, bytes: &[u8]) -> bool {
    let mut probe = Probe { problems: 0 };
    let mut walk = Walk::new(bytes, 0, &mut probe);
    let result = walk.message(&Route { plan, id: PlanId::FIRST, flags: Flags::NONE });
    let left = walk.left();
    result.is_ok() && left == 0 && probe.problems == 0
}

/// A receiver that only wants to know whether there is anything to be said.
struct Probe {
    problems: usize,
}

impl Sink for Probe {
    fn open(&mut self, _: What, _: usize) -> usize {
        0
    }

    fn close(&mut self, _: usize, _: usize) {}

    fn leaf(&mut self, _: What, _: usize, _: usize) {}

    fn problem(&mut self, _: crate::tree::Problem) {
        self.problems += 1;
    }
}

impl Context<'_> {
    /// The content of a text field that came before.
    pub fn text(&self, slot: Slot) -> Option<&str> {
        self.get(slot).and_then(|content| std::str::from_utf8(content).ok())
    }
}
