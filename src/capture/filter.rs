//! Which messages of a capture are wanted.

use std::net::IpAddr;

use super::{Endpoint, Message, Remark, RequestNote, Summary, Time, Waiting};
use crate::schema::Direction;

/// What a message must be to be shown. What is empty is not asked for; of several values of one kind, one is enough.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// API keys.
    pub apis: Vec<i16>,
    /// API versions.
    pub api_versions: Vec<i16>,
    /// Topics, by name.
    pub topics: Vec<String>,
    /// Client ids.
    pub client_ids: Vec<String>,
    /// Groups.
    pub groups: Vec<String>,
    /// Correlation ids.
    pub correlation_ids: Vec<i32>,
    /// Numbers of connections.
    pub connections: Vec<u64>,
    /// Either end of the connection: an address, and perhaps a port.
    pub hosts: Vec<Host>,
    /// Only messages with an error code, and malformed ones.
    pub errors: bool,
    /// Only responses that took longer than so many nanoseconds until their last byte.
    pub slower_than: Option<i64>,
    /// Only requests, or only responses.
    pub direction: Option<Direction>,
    /// Not before.
    pub from: Option<Time>,
    /// Not after.
    pub to: Option<Time>,
}

/// One end of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Host {
    /// The address; `None` for any.
    pub address: Option<IpAddr>,
    /// The port; `None` for any.
    pub port: Option<u16>,
}

impl Filter {
    /// Whether anything is asked of what a response's request is about.
    pub fn needs_requests(&self) -> bool {
        !(self.topics.is_empty() && self.groups.is_empty())
    }

    /// Whether a message is wanted. `request` is what the request of a response is about.
    pub fn wants(&self, message: &Message<'_>, request: Option<&Summary>) -> bool {
        let summaries = [Some(message.summary), request];
        is_one_of(&self.apis, message.heading.api_key)
            && is_one_of(&self.api_versions, message.heading.api_version)
            && is_one_of(&self.correlation_ids, message.heading.correlation_id)
            && is_one_of(&self.connections, Some(message.connection))
            && self.wants_topics(&summaries)
            && self.wants_group(&summaries)
            && self.wants_client_id(message.client_id)
            && self.wants_host([message.from, message.to])
            && (!self.errors || message.summary.error.is_some() || !message.tree.is_sound())
            && self
                .slower_than
                .is_none_or(|limit| message.latency.is_some_and(|latency| latency.last > limit))
            && self.direction.is_none_or(|direction| message.direction == direction)
            && self.wants_time(message.first.time)
    }

    /// Whether a remark is wanted: it may be about a connection that is not, or about a request that is not.
    pub fn wants_remark(&self, remark: &Remark) -> bool {
        remark.connection().is_none_or(|connection| is_one_of(&self.connections, Some(connection)))
            && remark.ends().is_none_or(|ends| self.wants_host(ends))
            && match remark {
                Remark::Unanswered { request, .. } => self.wants_unanswered(request),
                _ => true,
            }
    }

    /// Whether a request that has got no response is wanted. That is neither a request nor a response, it is an error of its
    /// own kind, and slower than all.
    fn wants_unanswered(&self, request: &Waiting<RequestNote>) -> bool {
        let summary = [request.note.summary.as_deref()];
        is_one_of(&self.apis, Some(request.api_key))
            && is_one_of(&self.api_versions, Some(request.api_version))
            && is_one_of(&self.correlation_ids, Some(request.correlation_id))
            && self.wants_client_id(request.note.client_id.as_deref())
            && self.wants_topics(&summary)
            && self.wants_group(&summary)
            && self.wants_time(request.end)
    }

    fn wants_topics(&self, summaries: &[Option<&Summary>]) -> bool {
        let is_wanted = |summary: &&Summary| summary.topics.iter().any(|topic| self.topics.contains(topic));
        self.topics.is_empty() || summaries.iter().flatten().any(is_wanted)
    }

    fn wants_group(&self, summaries: &[Option<&Summary>]) -> bool {
        let is_wanted =
            |summary: &&Summary| summary.group.as_ref().is_some_and(|group| self.groups.contains(group));
        self.groups.is_empty() || summaries.iter().flatten().any(is_wanted)
    }

    fn wants_client_id(&self, client_id: Option<&str>) -> bool {
        self.client_ids.is_empty()
            || client_id.is_some_and(|id| self.client_ids.iter().any(|wanted| wanted == id))
    }

    fn wants_host(&self, ends: [Endpoint; 2]) -> bool {
        self.hosts.is_empty() || self.hosts.iter().any(|host| ends.iter().any(|end| host.is(end)))
    }

    fn wants_time(&self, time: Option<Time>) -> bool {
        self.from.is_none_or(|from| time.is_some_and(|time| time >= from))
            && self.to.is_none_or(|to| time.is_some_and(|time| time <= to))
    }
}

impl Host {
    fn is(&self, end: &Endpoint) -> bool {
        self.address.is_none_or(|address| address == end.address)
            && self.port.is_none_or(|port| port == end.port)
    }
}

/// Whether nothing is asked for, or a value that is.
fn is_one_of<T: PartialEq>(wanted: &[T], found: Option<T>) -> bool {
    wanted.is_empty() || found.is_some_and(|found| wanted.contains(&found))
}
