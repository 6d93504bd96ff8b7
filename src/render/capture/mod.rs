//! Messages of a capture: the heading before a tree, and the lines of a list.

pub mod clock;
pub mod heading;
pub mod list;
