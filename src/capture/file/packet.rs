//! A packet of a capture.

use crate::capture::Time;

/// A packet as a capture has it.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'p> {
    /// Its number in the capture, from 1 on. Broken packets count.
    pub number: u64,
    /// When it was captured, if the capture says so.
    pub time: Option<Time>,
    /// What its first byte belongs to: a number of the registry of link types.
    pub link_type: u16,
    /// The bytes that were captured.
    pub data: &'p [u8],
    /// How many bytes it had on the wire, at least as many as were captured.
    pub original_length: u32,
}
