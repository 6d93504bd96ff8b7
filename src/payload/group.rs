//! What the members of a classic group tell each other. The broker hands it on as bytes: only the kind of the group, `consumer` or `connect`, says how to
//! read it, and the name of the assignor how to read what that adds.

use super::context::{Context, Slot};
use super::definitions::plan_of;
use super::reading::{Reading, fits};
use super::topics::versioned;
use crate::wire::primitive;
use crate::wire::sink::Sink;

/// What consumers tell the leader, and what it tells them.
const CONSUMER: [&str; 2] = ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"];
/// The same of Connect's workers.
const CONNECT: [&str; 2] = ["ConnectProtocolMetadata", "ConnectProtocolAssignment"];

pub(super) fn metadata<S: Sink>(content: &[u8], context: &Context<'_>, sink: &mut S) -> Option<Reading> {
    of_group(0, content, context, sink)
}

pub(super) fn assignment<S: Sink>(content: &[u8], context: &Context<'_>, sink: &mut S) -> Option<Reading> {
    of_group(1, content, context, sink)
}

fn of_group<S: Sink>(part: usize, content: &[u8], context: &Context<'_>, sink: &mut S) -> Option<Reading> {
    let (after, version) = primitive::int16(content).ok()?;
    match context.text(Slot::ProtocolType) {
        Some("consumer") => versioned(CONSUMER[part], version, sink),
        Some("connect") => versioned(CONNECT[part], version, sink),
        Some(other) if !other.is_empty() => None,
        // The older responses do not say what group it is.
        _ => [CONSUMER[part], CONNECT[part]].into_iter().find_map(|name| {
            let (plan, _) = plan_of(sink, name, version)?;
            if fits(&plan, after) { versioned(name, version, sink) } else { None }
        }),
    }
}

pub(super) fn subscription_user_data<S: Sink>(
    content: &[u8],
    context: &Context<'_>,
    sink: &mut S,
) -> Option<Reading> {
    match context.text(Slot::ProtocolName)? {
        // The older of the two has no generation. librdkafka and franz-go use them for both assignors.
        "sticky" => {
            first_that_fits(&[("StickyAssignorUserData", 1), ("StickyAssignorUserData", 0)], content, sink)
        }
        "cooperative-sticky" => first_that_fits(
            &[("CooperativeStickyUserData", 0), ("StickyAssignorUserData", 1), ("StickyAssignorUserData", 0)],
            content,
            sink,
        ),
        "stream" => by_int32("SubscriptionInfoData", content, sink),
        _ => None,
    }
}

pub(super) fn assignment_user_data<S: Sink>(
    content: &[u8],
    context: &Context<'_>,
    sink: &mut S,
) -> Option<Reading> {
    match context.text(Slot::ProtocolName)? {
        "stream" => by_int32("StreamsAssignmentInfo", content, sink),
        _ => None,
    }
}

/// The first of some definitions that fits to the last byte.
fn first_that_fits<S: Sink>(candidates: &[(&str, i16)], content: &[u8], sink: &mut S) -> Option<Reading> {
    candidates.iter().find_map(|(name, version)| {
        let known = plan_of(sink, name, *version)?;
        fits(&known.0, content).then_some(Reading::Plain(known))
    })
}

/// A definition whose first field is its version.
fn by_int32<S: Sink>(name: &str, content: &[u8], sink: &mut S) -> Option<Reading> {
    let (_, version) = primitive::int32(content).ok()?;
    let known = plan_of(sink, name, i16::try_from(version).ok()?)?;
    Some(Reading::Plain(known))
}
