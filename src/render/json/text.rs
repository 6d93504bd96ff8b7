//! JSON as text: brackets, commas and quotes in the right places.

use std::io::{self, Write};

use base64::display::Base64Display;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// Writes JSON without white space. Which brackets match and where keys stand is for the caller to get right.
pub struct JsonText<W> {
    out: W,
    /// Whether what comes next is the first in its brackets or the value of a key, so that no comma is due.
    fresh: bool,
    /// Whether the outermost bracket is open.
    is_open: bool,
}

impl<W: Write> JsonText<W> {
    pub fn new(out: W) -> JsonText<W> {
        JsonText { out, fresh: true, is_open: false }
    }

    /// A comma if one is due, then the start of a value, which is followed by a comma.
    fn value(&mut self) -> io::Result<&mut W> {
        if !self.fresh {
            self.out.write_all(b",")?;
        }
        self.fresh = false;
        Ok(&mut self.out)
    }

    pub fn open(&mut self, bracket: u8) -> io::Result<()> {
        self.value()?.write_all(&[bracket])?;
        self.fresh = true;
        Ok(())
    }

    /// Opens an object, the first time it is called.
    pub fn open_once(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_open, true) { Ok(()) } else { self.open(b'{') }
    }

    /// A value that is JSON already.
    pub fn raw(&mut self, json: &[u8]) -> io::Result<()> {
        self.value()?.write_all(json)
    }

    pub fn close(&mut self, bracket: u8) -> io::Result<()> {
        self.fresh = false;
        self.out.write_all(&[bracket])
    }

    pub fn end_line(&mut self) -> io::Result<()> {
        self.fresh = true;
        self.out.write_all(b"\n")
    }

    pub fn key(&mut self, name: &str) -> io::Result<()> {
        self.string(name)?;
        self.fresh = true;
        self.out.write_all(b":")
    }

    pub fn null(&mut self) -> io::Result<()> {
        self.value()?.write_all(b"null")
    }

    pub fn bool(&mut self, value: bool) -> io::Result<()> {
        self.value()?.write_all(if value { b"true" } else { b"false" })
    }

    pub fn int(&mut self, value: i64) -> io::Result<()> {
        self.value()?.write_all(itoa::Buffer::new().format(value).as_bytes())
    }

    /// An integer, or null.
    pub fn optional_int(&mut self, value: Option<impl Into<i64>>) -> io::Result<()> {
        match value {
            Some(value) => self.int(value.into()),
            None => self.null(),
        }
    }

    /// A float64. JSON has no numbers for some, and these are strings, as Kafka has them; only the bits of a NaN that is not
    /// the usual one have no such string.
    pub fn float(&mut self, value: f64) -> io::Result<()> {
        if value.is_finite() {
            return Ok(serde_json::to_writer(self.value()?, &value)?);
        }
        match value {
            f64::INFINITY => self.string("Infinity"),
            f64::NEG_INFINITY => self.string("-Infinity"),
            _ if value.to_bits() == f64::NAN.to_bits() => self.string("NaN"),
            _ => self.base64_object(&value.to_be_bytes()),
        }
    }

    pub fn string(&mut self, text: &str) -> io::Result<()> {
        Ok(serde_json::to_writer(self.value()?, text)?)
    }

    /// What should be UTF-8: a string if it is.
    pub fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.string(text),
            Err(_) => self.base64_object(bytes),
        }
    }

    fn base64_object(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.open(b'{')?;
        self.key("base64")?;
        self.base64(bytes)?;
        self.close(b'}')
    }

    /// What stands for a value that must not be seen: how many bytes it has.
    pub fn hidden(&mut self, bytes: usize) -> io::Result<()> {
        self.open(b'{')?;
        self.key("hidden")?;
        self.int(bytes as i64)?;
        self.close(b'}')
    }

    /// Bytes as Jackson writes them: the usual alphabet, with padding.
    pub fn base64(&mut self, bytes: &[u8]) -> io::Result<()> {
        write!(self.value()?, "\"{}\"", Base64Display::new(bytes, &STANDARD))
    }

    pub fn uuid(&mut self, bytes: &[u8]) -> io::Result<()> {
        write!(self.value()?, "\"{}\"", Base64Display::new(bytes, &URL_SAFE_NO_PAD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_between_values_only() {
        let mut out = Vec::new();
        let mut json = JsonText::new(&mut out);
        json.open(b'{').unwrap();
        json.key("a").unwrap();
        json.open(b'[').unwrap();
        json.int(-1).unwrap();
        json.null().unwrap();
        json.open(b'{').unwrap();
        json.close(b'}').unwrap();
        json.close(b']').unwrap();
        json.key("b\n\"").unwrap();
        json.bool(true).unwrap();
        json.close(b'}').unwrap();
        json.end_line().unwrap();
        assert_eq!(out, b"{\"a\":[-1,null,{}],\"b\\n\\\"\":true}\n");
    }

    #[test]
    fn every_float_and_every_string_has_a_form_of_its_own() {
        let mut out = Vec::new();
        let mut json = JsonText::new(&mut out);
        let odd_nan = f64::from_bits(0x7ff8_0000_0000_0001);
        for float in [0.1, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, odd_nan] {
            json.float(float).unwrap();
        }
        json.text("a\u{1}\u{2028}é".as_bytes()).unwrap();
        json.text(b"\xff\xfe").unwrap();
        let expected = "0.1,-0.0,\"Infinity\",\"-Infinity\",\"NaN\",{\"base64\":\"f/gAAAAAAAE=\"},\
                        \"a\\u0001\u{2028}é\",{\"base64\":\"//4=\"}";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
