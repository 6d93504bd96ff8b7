//! What fields before a payload say about it.

use serde::Deserialize;

/// A field whose value tells how to read a payload that comes after it.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Slot {
    /// The kind of group: `consumer`, `connect`.
    ProtocolType,
    /// The assignor or the like.
    ProtocolName,
    /// The topic of records that follow.
    Topic,
    /// The same by its id.
    TopicId,
    /// The codec of telemetry.
    Compression,
    /// The name of a config whose value follows.
    ConfigName,
}

/// The values of such fields, as far as they have been read.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Context<'c> {
    slots: [Option<&'c [u8]>; 6],
    /// How many payloads this is within.
    pub depth: u8,
    /// API key and version of the request in the Envelope that this answers.
    pub enveloped: Option<(i16, i16)>,
}

impl<'c> Context<'c> {
    /// Remembers the content of a field; `None` for null.
    pub fn set(&mut self, slot: Slot, content: Option<&'c [u8]>) {
        self.slots[slot as usize] = content;
    }

    /// The content of a field that came before.
    pub fn get(&self, slot: Slot) -> Option<&'c [u8]> {
        self.slots[slot as usize]
    }
}
