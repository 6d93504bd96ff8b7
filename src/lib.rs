//! kdissect
pub mod render;
pub mod schema;
pub mod tree;
pub mod wire;
