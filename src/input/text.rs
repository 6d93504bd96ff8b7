//! Bytes that people wrote down as text: hex, dumps, strings with escapes, lists of numbers.
//!
//! Bytes reach this program by paste as often as by file: out of a log, a debugger, a ticket. [`recognise`]
//! tells whether an input is such text and in which notation, [`decode`] turns it into the bytes. Where a
//! notation leaves open what the bytes are, decoding ends with an error that says so; a guess would be
//! dissected as if it had been on the wire.
//!
//! # What is taken to mean what
//!
//! - `00 00 00 12` is hex. `[0 0 0 18]`, `[0, 0, 0, 18]` and `0, 0, 0, 18` are decimal, as brackets and
//!   commas make a list. A list is hex without `0x` only if one of its numbers has a letter, or if all have
//!   two digits and one begins with zero: nothing prints decimals so, but Rust's `{:02x?}` prints hex so.
//! - The offsets of a dump are hex, octal or decimal: whichever its rows agree with.
//! - A character beyond ASCII in a string with escapes stands for its UTF-8 bytes.

mod base64;
mod characters;
mod dump;
mod escapes;
mod frame;
mod hex;
mod list;
mod number;
mod offsets;
mod place;
mod quotes;
mod rows;
mod shape;
mod source;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tool_tests;

use std::fmt;

use place::Fault;

/// How bytes were written down as text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    /// Hex digits and what separates them, such as `xxd -p` prints: `0000000e 0041`.
    Hex,
    /// Rows with an offset and a colon, as `xxd` and `tcpdump -X` print them.
    Xxd,
    /// Rows with an offset in hex and single bytes, as `hexdump -C` and Wireshark print them.
    HexdumpC,
    /// Rows of single bytes with an offset in octal, another base or none, as `od -tx1` prints them.
    OdHex,
    /// Rows of numbers that are no single bytes in hex, as plain `hexdump` and `od` print them. Never
    /// decoded: which byte of a word came first depends on the machine that printed it.
    Hexdump,
    /// A string with escapes, in quotes or not: `b'\x00\x00\x00\x0e'`.
    Escapes,
    /// A list of numbers as a programming language writes or prints it: `[0, 0, 0, 14]`.
    List,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 7] = [
        Notation::Hex,
        Notation::Xxd,
        Notation::HexdumpC,
        Notation::OdHex,
        Notation::Hexdump,
        Notation::Escapes,
        Notation::List,
    ];

    /// What to call it in a message to people.
    pub fn name(self) -> &'static str {
        match self {
            Notation::Hex => "plain hex",
            Notation::Xxd => "a dump by xxd",
            Notation::HexdumpC => "a dump by hexdump -C",
            Notation::OdHex => "a dump by od -tx1",
            Notation::Hexdump => "a dump in words",
            Notation::Escapes => "a string with escapes",
            Notation::List => "a list of numbers",
        }
    }
}

/// What is wrong with text that should stand for bytes, and where.
///
/// Quotes a few characters of the text at most, and none that would move a terminal's cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    line: usize,
    column: usize,
    message: String,
}

impl TextError {
    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column, counted from 1 in characters. A byte order mark before the text is not counted.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What was expected and what was found, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    fn new(text: &[u8], fault: Fault) -> TextError {
        let (line, column) = place::line_and_column(text, fault.at);
        TextError { line, column, message: fault.message }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// Recognises text that stands for bytes. `None` means that these are raw bytes, to be taken as they are.
///
/// Bytes are raw if one of them is below 0x20 (other than tab, line feed, form feed and carriage return) or
/// if they are no valid UTF-8; every Kafka frame of less than 144 MiB has such a byte in its size. Text of a
/// known shape is recognised even with a mistake in it, so that [`decode`] can say where the mistake is.
/// Never panics; takes time in proportion to the input.
pub fn recognise(input: &[u8]) -> Option<Notation> {
    if input.iter().any(|byte| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | 0x0c | b'\r')) {
        return None;
    }
    let text = std::str::from_utf8(without_mark(input)).ok()?;
    // Dumps come first: without their ASCII column some have only hex digits and spaces, offsets included.
    if let Some(notation) = shape::recognise(text) {
        return Some(notation);
    }
    // Hex comes before escapes for PostgreSQL's `\x0000000e`, and before lists for hex with commas.
    if hex::recognise(text) {
        Some(Notation::Hex)
    } else if escapes::recognise(text) {
        Some(Notation::Escapes)
    } else if list::recognise(text) {
        Some(Notation::List)
    } else {
        None
    }
}

/// Decodes text in a notation, normally the one that [`recognise`] named.
///
/// # Errors
///
/// At the first place where the text is not what the notation asks for, where the rows of a dump do not join
/// up, or where the text leaves open what the bytes are. [`Notation::Hexdump`] always ends so. A dump that
/// repeats rows (`*`) for more than 64 MiB is refused. Never panics, whatever the input.
pub fn decode(input: &[u8], notation: Notation) -> Result<Vec<u8>, TextError> {
    let input = without_mark(input);
    let text = std::str::from_utf8(input).map_err(|error| {
        let message = "text in UTF-8 was expected, but this byte is none".to_string();
        TextError::new(input, Fault { at: error.valid_up_to(), message })
    })?;
    let bytes = match notation {
        Notation::Hex => hex::decode(text),
        Notation::Xxd => dump::decode(text, rows::Layout::Colon),
        Notation::HexdumpC | Notation::OdHex => dump::decode(text, rows::Layout::Columns),
        Notation::Hexdump => Err(dump::refuse_words(text)),
        Notation::Escapes => escapes::decode(text),
        Notation::List => list::decode(text),
    };
    bytes.map_err(|fault| TextError::new(input, fault))
}

/// Decodes the text of `--hex`: bytes in any notation.
///
/// # Errors
///
/// As [`decode`]; also for text in none of the notations, empty text included. Never panics.
pub fn decode_hex_argument(text: &str) -> Result<Vec<u8>, TextError> {
    let input = text.as_bytes();
    if let Some(notation) = recognise(input) {
        return decode(input, notation);
    }
    match decode(input, nearest(text)) {
        Err(error) => Err(error),
        // It can be read, but nothing in it says that it stands for bytes: `"one\n"` has an escape too.
        Ok(_) => {
            let message = "bytes in hex were expected (such as 0000000e0041), or as a dump, a string with \
                           escapes or a list of numbers; this is none of them";
            Err(TextError::new(input, Fault { at: 0, message: message.to_string() }))
        }
    }
}

/// Decodes the text of `--base64`: the standard or the URL-safe alphabet, with or without padding. White
/// space is skipped.
///
/// # Errors
///
/// For a character of neither alphabet, padding that does not complete the last group, a last character that
/// is not enough for a byte or too much for one, and empty text. Never panics.
pub fn decode_base64(text: &str) -> Result<Vec<u8>, TextError> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    base64::decode(text).map_err(|fault| TextError::new(text.as_bytes(), fault))
}

/// The notation whose error says most about a text that was not recognised.
fn nearest(text: &str) -> Notation {
    if text.trim_start().starts_with('\\') || (text.contains('\\') && text.contains(['"', '\''])) {
        Notation::Escapes
    } else if text.contains(['[', '{', '(', '<', ',']) {
        Notation::List
    } else {
        Notation::Hex
    }
}

/// The byte order mark that editors on Windows put before UTF-8.
const MARK: char = '\u{feff}';

fn without_mark(input: &[u8]) -> &[u8] {
    input.strip_prefix("\u{feff}".as_bytes()).unwrap_or(input)
}
