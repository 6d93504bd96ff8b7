//! The wire: primitive types, plans, the walk, headers and frames.

pub mod assemble;
pub mod compile;
pub mod decode;
pub mod default;
pub mod encode;
pub mod frame;
pub mod instance;
mod last;
mod message;
pub mod plan;
pub mod primitive;
pub mod protobuf;
mod shape;
pub mod sink;
mod token;
pub mod value;
pub mod walk;

pub use decode::{Decoder, Heading};
pub use frame::Frame;
