//! Input: from what a user has to frames, and to what each frame is.

pub mod alike;
pub mod conversation;
pub mod json_frame;
mod json_object;
pub mod json_records;
mod json_unique;
pub mod json_value;
pub mod lone;
pub mod plausibility;
pub mod text;
