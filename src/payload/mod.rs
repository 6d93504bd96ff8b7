//! What is inside the bytes of a field: another protocol's message, a token, a prefix.

// Nothing calls these yet.
#[allow(dead_code)]
mod items;
#[allow(dead_code)]
mod otlp;
#[allow(dead_code)]
mod protobuf;
#[allow(dead_code)]
mod sasl;
#[allow(dead_code)]
mod schema_registry;
#[cfg(test)]
mod testing;
