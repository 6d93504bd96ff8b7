//! Formats that are carried inside bytes: what members of a group tell each other, SASL tokens, enveloped requests, telemetry, and the
//! keys and values of records.
//!
//! Which field carries what is data, in `bindings.json` beside this file. Each payload is read within its own bounds: whatever is wrong in
//! there is a note, and what comes after it is read as if nothing had been. What is not recognised stays bytes.

mod bindings;
mod context;
mod definitions;
mod group;
mod items;
mod otlp;
mod protobuf;
mod reading;
mod sasl;
#[allow(dead_code)]
mod schema_registry;
#[cfg(test)]
mod testing;
mod topics;

pub(crate) use bindings::{Bindings, Secrecy};
pub(crate) use context::{Context, Slot};
pub use definitions::Definitions;
pub(crate) use definitions::plan_of;
pub(crate) use reading::{Format, Reading, recognise};
pub(crate) use sasl::token as sasl_token;
pub use topics::Topic;
pub(crate) use topics::{key, value};

/// Whether bytes are the first token of GSSAPI: DER that begins with an application tag (RFC 2743, 3.1).
pub(crate) fn is_gssapi_token(content: &[u8]) -> bool {
    // The tag, a length in one or more bytes that is that of the rest, and an object identifier.
    match content {
        [0x60, length @ 0..=0x7f, 6, ..] => usize::from(*length) == content.len() - 2,
        [0x60, 0x81, length, 6, ..] => usize::from(*length) == content.len() - 3,
        [0x60, 0x82, high, low, 6, ..] => usize::from(u16::from_be_bytes([*high, *low])) == content.len() - 4,
        _ => false,
    }
}
