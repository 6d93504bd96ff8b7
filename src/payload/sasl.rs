//! SASL tokens, recognised by their shape: what is in the bytes does not say which mechanism was agreed on. A shape is taken for a token only if
//! all of it fits. What is secret is marked so.

mod kerberos;
mod oauth;
mod part;
mod scram;
#[cfg(test)]
mod tests;
mod text;

use std::sync::{Arc, LazyLock};

use super::items;
use crate::tree::{Flags, Kind, What};
use crate::wire::plan::Plan;
use crate::wire::sink::Sink;
use part::Part;
use text::{Stretch, Text};

/// Makes nodes of a token in bytes that begin at an offset, and covers all of them. False if it has the shape of none, or the sink does not
/// care; then there are no nodes.
pub(crate) fn token<S: Sink>(bytes: &[u8], start: usize, sink: &mut S) -> bool {
    static PLAN: LazyLock<Arc<Plan>> = LazyLock::new(|| items::plan("SaslToken", part::items()));
    let Some((message, stretches)) = recognise(bytes) else { return false };
    let Some(plan) = sink.inner_plan(&PLAN) else { return false };
    let what = |part: Part, kind| {
        What::new(kind, Flags::SECRET.only_if(part.is_secret()), part as u16).in_plan(plan)
    };
    let [first, ..] = &*stretches else { return false };
    if first.part == message {
        sink.leaf(what(message, first.kind), start, bytes.len());
        return true;
    }
    let mark = sink.open(what(message, Kind::Struct), start);
    let mut at = start;
    for stretch in stretches {
        sink.leaf(what(stretch.part, stretch.kind), at, stretch.len);
        at += stretch.len;
    }
    sink.close(mark, at);
    true
}

/// Reads a message from its first byte; `None` if it is another.
type Read = fn(&mut Text<'_>) -> Option<()>;

/// Which message a token is, and what it consists of, all of it. A message that is not taken apart consists of itself.
fn recognise(bytes: &[u8]) -> Option<(Part, Vec<Stretch>)> {
    let whole = |part, kind| Some((part, vec![Stretch { part, kind, len: bytes.len() }]));
    if bytes == [1] {
        return whole(Part::OauthAbort, Kind::Raw);
    }
    if kerberos::is_context(bytes) {
        return whole(Part::KerberosContext, Kind::Raw);
    }
    if kerberos::is_wrapped(bytes) {
        return whole(Part::KerberosWrapped, Kind::Raw);
    }
    let text = std::str::from_utf8(bytes).ok()?;
    if oauth::is_error(text) {
        return whole(Part::OauthError, Kind::Text);
    }
    let read: [(Part, Read); 6] = [
        (Part::PlainMessage, plain),
        (Part::ScramClientFirst, scram::client_first),
        (Part::ScramServerFirst, scram::server_first),
        (Part::ScramClientFinal, scram::client_final),
        (Part::ScramServerFinal, scram::server_final),
        (Part::OauthClientFirst, oauth::client_first),
    ];
    read.into_iter().find_map(|(message, read)| {
        let mut text = Text { rest: text, found: Vec::new() };
        read(&mut text)?;
        text.rest.is_empty().then_some((message, text.found))
    })
}

/// PLAIN (RFC 4616): `[authzid] NUL authcid NUL passwd`.
fn plain(text: &mut Text<'_>) -> Option<()> {
    text.up_to(Part::AuthorizationId, '\0');
    text.separator('\0')?;
    let user = text.up_to(Part::AuthenticationId, '\0');
    text.separator('\0')?;
    let password = text.up_to(Part::Password, '\0');
    (!user.is_empty() && !password.is_empty()).then_some(())
}
