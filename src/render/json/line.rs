//! One line of JSON, member by member, whose last one writes itself.

use std::io::{self, Write};

use super::text::JsonText;

/// An object that is being written.
pub struct JsonLine<W> {
    json: JsonText<W>,
}

impl<W: Write> JsonLine<W> {
    /// Without members.
    pub fn new(out: W) -> JsonLine<W> {
        JsonLine { json: JsonText::new(out) }
    }

    fn open(&mut self, name: &str) -> io::Result<()> {
        self.json.open_once()?;
        self.json.key(name)
    }

    /// A number.
    pub fn int(&mut self, name: &str, value: i64) -> io::Result<()> {
        self.open(name)?;
        self.json.int(value)
    }

    /// A number, or null.
    pub fn optional(&mut self, name: &str, value: Option<i64>) -> io::Result<()> {
        self.open(name)?;
        self.json.optional_int(value)
    }

    /// A string, or null.
    pub fn text(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        self.open(name)?;
        match value {
            Some(text) => self.json.string(text),
            None => self.json.null(),
        }
    }

    /// The last member, which writes itself and the end of a line, and the end of the object.
    pub fn last(mut self, name: &str, write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        self.open(name)?;
        let mut text = Vec::new();
        write(&mut text)?;
        self.json.raw(text.trim_ascii_end())?;
        self.json.close(b'}')?;
        self.json.end_line()
    }
}
