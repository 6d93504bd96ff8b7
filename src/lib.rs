//! kdissect
pub mod schema;
pub mod tree;
pub mod wire;
