//! Which messages of a capture are wanted.

use std::net::IpAddr;

use super::{Message, Remark, Summary, Time};
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
        let summaries = || [Some(message.summary), request].into_iter().flatten();
        is_one_of(&self.apis, message.heading.api_key)
            && is_one_of(&self.api_versions, message.heading.api_version)
            && is_one_of(&self.correlation_ids, message.heading.correlation_id)
            && is_one_of(&self.connections, Some(message.connection))
            && (self.topics.is_empty()
                || summaries().any(|summary| summary.topics.iter().any(|topic| self.topics.contains(topic))))
            && (self.groups.is_empty()
                || summaries()
                    .any(|summary| summary.group.as_ref().is_some_and(|group| self.groups.contains(group))))
            && (self.client_ids.is_empty()
                || message.client_id.is_some_and(|id| self.client_ids.iter().any(|wanted| wanted == id)))
            && (self.hosts.is_empty() || self.hosts.iter().any(|host| host.is_end_of(message)))
            && (!self.errors || message.summary.error.is_some() || !message.tree.is_sound())
            && self
                .slower_than
                .is_none_or(|limit| message.latency.is_some_and(|latency| latency.last > limit))
            && self.direction.is_none_or(|direction| message.direction == direction)
            && self.from.is_none_or(|from| message.first.time.is_some_and(|time| time >= from))
            && self.to.is_none_or(|to| message.first.time.is_some_and(|time| time <= to))
    }
}

impl Filter {
    /// Whether a remark is wanted: it may be about a connection that is not.
    pub fn wants_remark(&self, remark: &Remark) -> bool {
        remark.connection().is_none_or(|connection| is_one_of(&self.connections, Some(connection)))
    }
}

impl Host {
    fn is_end_of(&self, message: &Message<'_>) -> bool {
        [message.from, message.to].iter().any(|end| {
            self.address.is_none_or(|address| address == end.address)
                && self.port.is_none_or(|port| port == end.port)
        })
    }
}

/// Whether nothing is asked for, or a value that is.
fn is_one_of<T: PartialEq>(wanted: &[T], found: Option<T>) -> bool {
    wanted.is_empty() || found.is_some_and(|found| wanted.contains(&found))
}
