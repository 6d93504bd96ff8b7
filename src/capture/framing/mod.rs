//! Frames: from the bytes of a direction to int32 sizes and what comes after them.
//!
//! - A frame that lies in one piece of data is handed on in place; others are gathered in a buffer that grows as bytes come.
//! - A hole within a frame leaves the known bytes around it; the size steps over it. A hole in a size, or beyond the frame's
//!   end, loses the boundary: the next one is searched for by content, and how many bytes were passed over is told.
//! - What the bytes mean is the receiver's to judge; [`boundary`] has a judgment built on the catalogue.
//! - Feeding in pieces of any size gives the same frames as feeding at once. Only while a boundary is searched for, more bytes at
//!   once can tell that a place is none.

pub mod boundary;
mod found;
mod framer;
mod gather;
mod search;
#[cfg(test)]
mod tests;

pub use found::{
    CapturedFrame, Completeness, Expected, Foreign, FrameReceiver, Lost, PassedOver, Plausibility,
};
pub use framer::{FrameLimits, Framer};
