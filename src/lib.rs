//! kdissect
pub mod schema;
