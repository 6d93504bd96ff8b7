//! Input: from what a user has to frames, and to what each frame is.

pub mod alike;
pub mod conversation;
pub mod lone;
pub mod plausibility;
pub mod text;
