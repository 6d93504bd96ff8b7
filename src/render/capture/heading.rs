//! The heading before a message of a capture: what it is, and what is known of it from outside.

use super::clock::{Clock, duration};
use crate::capture::{FirstError, Latency, Message, Origin};
use crate::render::text::bytes_counted;
use crate::schema::{Catalogue, Direction};

/// `#12 10:00:00 connection 3, 127.0.0.1:51234 -> 127.0.0.1:9092: Fetch request v17, correlation id 42, 120 bytes`.
pub fn heading_line(message: &Message<'_>, catalogue: &Catalogue, clock: &mut Clock) -> String {
    let mut parts = vec![what(message, catalogue)];
    if let Some(id) = message.heading.correlation_id.filter(|_| message.heading.api_key.is_some()) {
        parts.push(format!("correlation id {id}"));
    }
    if let Some(client_id) = message.client_id {
        parts.push(format!("client id {client_id:?}"));
    }
    parts.push(bytes_counted(message.size));
    if message.missing > 0 {
        parts.push(format!("{} of them not in the capture", message.missing));
    }
    match message.origin {
        Origin::Request if !message.heading.answered => parts.push("no response expected".to_owned()),
        Origin::Response(request) => parts.push(answer(request.number, message.latency.as_ref())),
        Origin::Orphan(_) => parts.push("its request is not in the capture".to_owned()),
        _ => {}
    }
    if let Some(error) = &message.summary.error {
        parts.push(error_text(error));
    }
    let (number, connection, from, to) = (message.number, message.connection, message.from, message.to);
    let time = clock.text(message.first.time);
    format!("#{number} {time} connection {connection}, {from} -> {to}: {}", parts.join(", "))
}

/// Which request a response answers, and how long that took.
fn answer(request: u64, latency: Option<&Latency>) -> String {
    let mut text = format!("answers #{request}");
    if let Some(latency) = latency {
        text.push_str(&format!(" after {}", duration(latency.first)));
        if latency.last > latency.first {
            text.push_str(&format!(" (last byte after {})", duration(latency.last)));
        }
    }
    text
}

/// What kind of message it is.
fn what(message: &Message<'_>, catalogue: &Catalogue) -> String {
    match message.origin {
        Origin::Token => return "SASL token".to_owned(),
        Origin::Unrecognised => return "unrecognised bytes".to_owned(),
        _ => {}
    }
    let word = message.direction.word();
    match (message.heading.api_key, message.heading.api_version) {
        (Some(key), Some(version)) => format!("{} {word} v{version}", catalogue.api_name(key)),
        _ => word.to_owned(),
    }
}

/// An error by its name, with its path.
pub fn error_text(error: &FirstError) -> String {
    let code = || format!("error {}", error.code);
    format!("{} at {}", error.name.clone().unwrap_or_else(code), error.path)
}

/// An arrow from the client to the broker, or the other way.
pub fn arrow(direction: Direction) -> &'static str {
    match direction {
        Direction::Request => "\u{2192}",
        Direction::Response => "\u{2190}",
    }
}
