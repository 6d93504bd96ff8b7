//! Strings with escapes, as programming languages write and print them.
//!
//! One reading serves both questions: it goes on after a mistake, keeps the first one, and counts. How many
//! escapes were right tells whether this is such a string at all.

use super::place::{Fault, Piece, show_char};
use super::quotes::{Opening, after_joint, after_line_break};
use super::source::ending;

/// Whether the text is a string with an escape in hex; an octal one will do for `b''`.
pub(super) fn recognise(text: &str) -> bool {
    let Some(reading) = Reading::of(text) else {
        return false;
    };
    let proof = reading.hex > 0 || (reading.octal > 0 && reading.style != Style::Bare && reading.marked);
    // In a text without quotes more than one backslash may be there for another reason.
    let tolerated = match reading.style {
        Style::Bare => reading.wrong * 3 <= reading.right,
        _ => reading.wrong <= reading.right,
    };
    proof && tolerated
}

/// Decodes a string with escapes.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, Fault> {
    match Reading::of(text) {
        None => Err(Fault::new(0, "a string with escapes was expected, such as \\x00\\x00\\x00\\x0e")),
        Some(Reading { fault: Some(fault), .. }) => Err(fault),
        Some(reading) => Ok(reading.bytes),
    }
}

/// What is around the characters.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Style {
    Bare,
    Single,
    Double,
}

/// What was read, right or wrong.
struct Reading {
    style: Style,
    /// Whether the first quote has a `b` before it.
    marked: bool,
    bytes: Vec<u8>,
    right: usize,
    wrong: usize,
    hex: usize,
    octal: usize,
    /// The first mistake.
    fault: Option<Fault>,
    /// The first `\0` that a digit follows.
    unclear: Option<usize>,
    /// Octal escapes with three digits, `\0` with fewer, and those that do not begin with zero.
    full: usize,
    short: usize,
    nonzero: usize,
}

impl Reading {
    /// Reads a text that begins with an escape, or with a quote and what may stand before one. `None` for
    /// others, and if something else follows the quotes.
    fn of(text: &str) -> Option<Reading> {
        let text = Piece::whole(text).trim();
        let mut reading = Reading::new();
        if text.text.starts_with('\\') {
            reading.bare(text);
        } else {
            let opening = Opening::of(text)?;
            reading.marked = opening.marked;
            reading.style = if opening.quote == '"' { Style::Double } else { Style::Single };
            reading.quoted(opening)?;
        }
        reading.check_zeros();
        Some(reading)
    }

    fn new() -> Reading {
        Reading {
            style: Style::Bare,
            marked: false,
            bytes: Vec::new(),
            right: 0,
            wrong: 0,
            hex: 0,
            octal: 0,
            fault: None,
            unclear: None,
            full: 0,
            short: 0,
            nonzero: 0,
        }
    }

    fn fail(&mut self, at: usize, message: impl Into<String>) {
        // Whoever reads goes on in the text, but the mistake found last may be further up.
        if self.fault.as_ref().is_none_or(|fault| at < fault.at) {
            self.fault = Some(Fault::new(at, message));
        }
    }

    /// Reads text without quotes.
    fn bare(&mut self, text: Piece<'_>) {
        let apart = text.words().all(|word| is_one_escape(word.text));
        let mut rest = text;
        // White space beside a line break, and whether anything but escapes is in the text.
        let (mut margin, mut plain) = (None, false);
        while let Some(c) = rest.text.chars().next() {
            if c == '\\' {
                rest = self.escape(rest);
            } else if c.is_whitespace() {
                let space = rest;
                rest = rest.trim_start();
                let (space, _) = space.split(rest.at - space.at);
                let breaks = space.text.contains('\n');
                if breaks && space.text.contains([' ', '\t']) {
                    margin.get_or_insert(space.at);
                } else if !breaks && !apart {
                    self.bytes.extend_from_slice(space.text.as_bytes());
                }
            } else {
                plain = true;
                rest = self.plain(rest, c);
            }
        }
        if let Some(at) = margin.filter(|_| plain) {
            let message = "a string in quotes was expected, as white space beside the end of a line may be \
                           part of the bytes or not";
            self.fail(at, message);
        }
    }

    /// Reads strings in quotes, one after the other. `None` if something else follows.
    fn quoted(&mut self, first: Opening<'_>) -> Option<()> {
        let mut opening = first;
        loop {
            let rest = self.string(opening.body, opening.quote, opening.at);
            let next = after_joint(rest);
            match Opening::directly(next) {
                Some(following) => opening = following,
                None => return ending(rest).map(|_| ()),
            }
        }
    }

    /// Reads until the quote that closes the string, and returns what is after it.
    fn string<'a>(&mut self, body: Piece<'a>, quote: char, open: usize) -> Piece<'a> {
        let mut rest = body;
        while let Some(c) = rest.text.chars().next() {
            if c == quote {
                return rest.skip(c.len_utf8());
            }
            if c == '\\' {
                rest = self.escape(rest);
            } else if let Some(next) = after_line_break(rest) {
                self.fail(rest.at, format!("{} was expected before the line ends", show_char(quote)));
                rest = next;
            } else {
                rest = self.plain(rest, c);
            }
        }
        let message = format!("a second {} was expected, but the text ends before it", show_char(quote));
        self.fail(open, message);
        rest
    }

    fn plain<'a>(&mut self, rest: Piece<'a>, c: char) -> Piece<'a> {
        let (character, rest) = rest.split(c.len_utf8());
        self.bytes.extend_from_slice(character.text.as_bytes());
        rest
    }

    /// Reads the escape that the text begins with.
    fn escape<'a>(&mut self, escape: Piece<'a>) -> Piece<'a> {
        let rest = escape.skip(1);
        if let Some(next) = after_line_break(rest) {
            // Rust skips the indentation of the next line. C does not, but nobody wants it there.
            return next.skip(next.text.len() - next.text.trim_start_matches([' ', '\t']).len());
        }
        let Some(c) = rest.text.chars().next() else {
            self.bad(escape.at, "an escape was expected, but the text ends after `\\`".to_string());
            return rest;
        };
        let after = rest.skip(c.len_utf8());
        let byte = match c {
            'x' => return self.hex(after),
            'u' | 'U' => return self.unicode(after, c),
            '0'..='7' => return self.octal(escape),
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'a' => 7,
            'b' => 8,
            'v' => 0x0b,
            'f' => 0x0c,
            'e' => 0x1b,
            '\\' | '"' | '\'' | '?' => c as u8,
            _ => {
                let message = format!(
                    "an escape such as `\\x0e` was expected, but `\\` and {} was found",
                    show_char(c)
                );
                self.bad(escape.at, message);
                return after;
            }
        };
        self.right += 1;
        self.bytes.push(byte);
        after
    }

    fn bad(&mut self, at: usize, message: String) {
        self.wrong += 1;
        self.fail(at, message);
    }

    /// Reads the two digits after `\x`. C would take more, but what prints C takes care not to write them.
    fn hex<'a>(&mut self, rest: Piece<'a>) -> Piece<'a> {
        let digits = leading(rest, 16, 2);
        if digits.text.len() < 2 {
            let next = rest.skip(digits.text.len());
            self.bad(
                next.at,
                format!("two hex digits were expected after `\\x`, but {} was found", next.first()),
            );
            return next;
        }
        self.right += 1;
        self.hex += 1;
        self.bytes.extend(u8::from_str_radix(digits.text, 16).ok());
        rest.skip(2)
    }

    /// Reads one to three octal digits.
    fn octal<'a>(&mut self, escape: Piece<'a>) -> Piece<'a> {
        let digits = leading(escape.skip(1), 8, 3);
        let next = escape.skip(1 + digits.text.len());
        match u8::from_str_radix(digits.text, 8) {
            Ok(byte) => {
                self.right += 1;
                self.octal += 1;
                self.bytes.push(byte);
            }
            Err(_) => {
                self.bad(
                    escape.at,
                    format!("an octal value up to 377 was expected, but `\\{}` was found", digits.text),
                );
            }
        }
        let zero = digits.text.starts_with('0');
        self.nonzero += usize::from(!zero);
        self.full += usize::from(digits.text.len() == 3);
        self.short += usize::from(zero && digits.text.len() < 3);
        if zero && digits.text.len() > 1 {
            self.unclear.get_or_insert(escape.at);
        }
        next
    }

    /// Reads `\u00e9`, `\U000000e9` or `\u{e9}`, which stand for a character, that is for its UTF-8.
    fn unicode<'a>(&mut self, rest: Piece<'a>, letter: char) -> Piece<'a> {
        let braces = rest.text.starts_with('{');
        let width = if letter == 'U' { 8 } else { 4 };
        let digits = if braces { leading(rest.skip(1), 16, 6) } else { leading(rest, 16, width) };
        let next = Piece { at: digits.end(), text: &rest.text[digits.end() - rest.at..] };
        let whole = if braces { next.text.starts_with('}') } else { digits.text.len() == width };
        let c = u32::from_str_radix(digits.text, 16).ok().and_then(char::from_u32).filter(|_| whole);
        let Some(c) = c else {
            self.bad(rest.at, format!("the number of a character was expected after `\\{letter}`"));
            return next;
        };
        self.right += 1;
        self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        next.skip(usize::from(braces))
    }

    /// Refuses `\0` with a digit after it where it may be Rust's: `bytes::Bytes` prints the two bytes 0x00
    /// and `4` as `\04`, which is one byte in Python and C.
    fn check_zeros(&mut self) {
        let rust = self.style == Style::Bare || (self.style == Style::Double && self.marked);
        // Rust has no `\1`, and where every escape has three digits they are meant to be one number.
        let octal = self.nonzero > 0 || (self.short == 0 && self.full > 0);
        if let (true, false, Some(at)) = (rust, octal, self.unclear) {
            let message = "`\\x` and two digits were expected, as `\\0` with a digit after it is one byte in \
                           Python and C and two in Rust";
            self.fail(at, message);
        }
    }
}

/// The digits at the start, at most `most` of them.
fn leading(text: Piece<'_>, base: u32, most: usize) -> Piece<'_> {
    let length = text.text.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(base)).count();
    text.split(length).0
}

fn is_one_escape(word: &str) -> bool {
    word.strip_prefix("\\x")
        .is_some_and(|rest| rest.len() == 2 && rest.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        assert!(recognise(text), "{text:?}");
        decode(text).unwrap_or_else(|fault| panic!("{text:?}: {fault:?}"))
    }

    fn fault(text: &str) -> (usize, String) {
        assert!(recognise(text), "{text:?}");
        let fault = decode(text).expect_err(text);
        (fault.at, fault.message)
    }

    #[test]
    fn quotes_and_prefixes() {
        for text in [
            r"\x00\x00\x00\x0ek",
            r"b'\x00\x00\x00\x0ek'",
            r#"b"\x00\x00\x00\x0ek""#,
            r#""\x00\x00\x00\x0ek""#,
            r"$'\x00\x00\x00\x0ek'",
            r"bytearray(b'\x00\x00\x00\x0ek')",
            r#"frame := []byte("\x00\x00\x00\x0ek")"#,
            r#"const char *frame = "\x00\x00\x00\x0ek";"#,
            r#"let frame = b"\x00\x00\x00\x0ek".to_vec();"#,
            r"b'''\x00\x00\x00\x0ek'''",
            r"b'\0\0\0\016k'",
            r"b'\000\000\000\016\153'",
            "\"\\x00\\x00\"\r\n  \"\\x00\\x0e\"\r\n  \"k\";\r\n",
            "b'\\x00\\x00' \\\n b'\\x00\\x0ek'",
            "\"\\x00\\x00\" +\n\"\\x00\\x0ek\"",
            "\"\\x00\\x00\\\n    \\x00\\x0ek\"",
            "\n\\x00\\x00\n\\x00\\x0ek\n",
            "\\x00\\x00\\\n\\x00\\x0ek",
        ] {
            assert_eq!(bytes(text), b"\0\0\0\x0ek", "{text:?}");
        }
    }

    #[test]
    fn escapes() {
        let text = r#""\xff\n\r\t\0\\\"\'\a\b\f\v\e\?\1\12\123 é\u00e9\u{1f980}\U0001f980""#;
        let expected = b"\xff\n\r\t\0\\\"'\x07\x08\x0c\x0b\x1b?\x01\nS \xc3\xa9\xc3\xa9\
                         \xf0\x9f\xa6\x80\xf0\x9f\xa6\x80";
        assert_eq!(bytes(text), expected);
    }

    #[test]
    fn escapes_that_stand_apart() {
        assert_eq!(bytes(r"\x00 \x00 \x0e"), [0, 0, 0x0e]);
        assert_eq!(bytes("  \\x00 \\x00\n  \\x0e"), [0, 0, 0x0e]);
        // Here a space is among the bytes: nothing else separates them.
        assert_eq!(bytes(r"\x00\x00\x00 \x00\x12"), [0, 0, 0, 0x20, 0, 0x12]);
        assert_eq!(bytes(r"\x00\x02a b"), *b"\0\x02a b");
        assert_eq!(fault("\\x00\\x02a \n b").0, 9);
    }

    #[test]
    fn zero_with_a_digit_after_it() {
        assert_eq!(bytes(r"b'\x00\04'"), [0, 4]);
        assert_eq!(bytes(r#""\x00\04""#), [0, 4]);
        assert_eq!(bytes(r#"b"\0\0\x12""#), [0, 0, 0x12]);
        assert_eq!(bytes(r#"b"\0\0\08""#), *b"\0\0\x008");
        assert_eq!(bytes(r#"b"\000\004""#), [0, 4]);
        assert_eq!(bytes(r#"b"\0\04\22""#), [0, 4, 0o22]);
        let (at, message) = fault(r#"b"\0\04\x12""#);
        assert_eq!((at, message.contains("two in Rust")), (4, true));
    }

    #[test]
    fn what_is_no_string_of_bytes() {
        for text in [
            "",
            "hello",
            "\"hello\"",
            "\"line\\nline\"",
            "\"caf\\u00e9\"",
            "b'abc'",
            "\"\\001\"",
            "rb'\\x00'",
            "r\"\\x00\"",
            "\\section{One}",
            "\\alpha \\xi",
            "C:\\xampp\\htdocs",
            "C:\\xabc\\foo",
            "write \"\\x00\" for NUL",
            "\"\\x00\" is NUL",
            "{\"a\": \"\\x00\"}",
            "\\",
            "\\x",
            "\\x0",
            "'",
            "b'",
        ] {
            assert!(!recognise(text), "{text:?}");
        }
    }

    #[test]
    fn mistakes_are_placed() {
        let (at, message) = fault(r"b'\x00\x0g\x12'");
        assert_eq!((at, message.contains("`g`")), (9, true), "{message}");
        let (at, message) = fault(r"\x00\x00\x00\x1");
        assert_eq!((at, message.contains("the end")), (15, true), "{message}");
        let (at, message) = fault(r"b'\x00\q'");
        assert_eq!((at, message.contains("`q`")), (6, true), "{message}");
        let (at, message) = fault(r"b'\x00\400'");
        assert_eq!((at, message.contains("377")), (6, true), "{message}");
        let (at, message) = fault(r"b'\x00\x12");
        assert_eq!((at, message.contains("a second `'`")), (1, true), "{message}");
        assert_eq!(fault("b'\\x00\n\\x12'").0, 6);
        assert_eq!(fault(r"b'\x00\ud800'").0, 8);
        assert_eq!(fault(r"b'\x00\u{110000}'").0, 8);
    }
}
