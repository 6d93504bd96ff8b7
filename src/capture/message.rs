//! A message of a capture, with all that is known of it from outside: when, between whom, in answer to what.

use super::tcp::Seen;
use super::{Endpoint, Origin, Summary};
use crate::schema::Direction;
use crate::tree::Tree;
use crate::wire::{Frame, Heading};

/// What is remembered of a request until its response comes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RequestNote {
    /// The client id.
    pub client_id: Option<Box<str>>,
    /// What the request is about, if anybody will ask.
    pub summary: Option<Box<Summary>>,
}

/// How long a response took, counted from the last byte of its request, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latency {
    /// Until its first byte.
    pub first: i64,
    /// Until its last byte.
    pub last: i64,
}

/// A message, or what there is of it.
pub struct Message<'m> {
    /// Its number among the messages of the capture, from 1 on.
    pub number: u64,
    /// The number of its connection, from 1 on.
    pub connection: u64,
    /// Who sent it.
    pub from: Endpoint,
    /// Who it was sent to.
    pub to: Endpoint,
    /// Whether the client sent it.
    pub direction: Direction,
    /// The packet with its first byte.
    pub first: Seen,
    /// The packet with its last byte that was captured.
    pub last: Seen,
    /// Its bytes, up to the first that is missing.
    pub frame: Frame<'m>,
    /// How many bytes it had on the wire, with its size field.
    pub size: u64,
    /// How many of them are not in the capture.
    pub missing: u64,
    /// What it is.
    pub heading: &'m Heading,
    /// How that was found out.
    pub origin: &'m Origin<RequestNote>,
    /// The client id, of a response that of its request.
    pub client_id: Option<&'m str>,
    /// How long it took, if it is a response.
    pub latency: Option<Latency>,
    /// Its nodes. Who wants to keep them may leave [another tree](Tree::another) in their place.
    pub tree: &'m mut Tree,
    /// What it is about.
    pub summary: &'m Summary,
}
