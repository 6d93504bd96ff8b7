//! Formats that are carried inside bytes: what members of a group tell each other, SASL tokens, enveloped requests, telemetry, and the
//! keys and values of records.
//!
//! Which field carries what is data, in `bindings.json` beside this file. Each payload is read within its own bounds: whatever is wrong in
//! there is a note, and what comes after it is read as if nothing had been. What is not recognised stays bytes.

mod bindings;
mod context;
mod definitions;
mod group;
mod reading;
mod topics;

pub(crate) use bindings::{Bindings, Secrecy};
pub(crate) use context::{Context, Slot};
pub use definitions::Definitions;
pub(crate) use definitions::plan_of;
pub(crate) use reading::{Format, Reading, recognise};
pub use topics::Topic;
pub(crate) use topics::{key, value};
