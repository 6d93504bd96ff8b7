//! The catalogue of APIs as JSON. The keys are those of [`Overview`].

use std::io::{self, Write};

use crate::schema::Overview;

/// Writes all APIs as an array with an API a line.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_apis(out: &mut dyn Write, apis: &[Overview]) -> io::Result<()> {
    for (index, api) in apis.iter().enumerate() {
        out.write_all(if index == 0 { b"[\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, api)?;
    }
    out.write_all(b"\n]\n")
}

/// Writes an API as an object.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_api(out: &mut dyn Write, api: &Overview) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, api)?;
    out.write_all(b"\n")
}
