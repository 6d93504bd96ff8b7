//! x
/// y
pub struct Layers;
