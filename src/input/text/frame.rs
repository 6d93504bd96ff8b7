//! What a list of numbers stands in: brackets, the code around them, comments between.

use super::place::{Fault, Piece};
use super::source::{Ending, ending, introduces};

/// The text with spaces for its comments and for white space beyond ASCII, each place kept.
pub(super) fn blank_comments(text: &str) -> String {
    let mut blank = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let comment = match c {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |close| close + 4),
            _ => 0,
        };
        let (skipped, tail) = rest.split_at(if comment == 0 { c.len_utf8() } else { comment });
        if comment > 0 || (!c.is_ascii() && c.is_whitespace()) {
            blank.extend(skipped.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        } else {
            blank.push(c);
        }
        rest = tail;
    }
    blank
}

/// How a list is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    /// In brackets, or between `<<` and `>>`.
    Brackets,
    /// `<Buffer 00 0e>`, from Node.
    Buffer,
    /// Without any brackets.
    Bare,
}

/// A list, found in the text.
pub(super) struct Frame<'a> {
    pub(super) kind: Kind,
    /// What opens it.
    open: Piece<'a>,
    pub(super) body: Piece<'a>,
    /// What closes it; `None` if the text ends before.
    close: Option<Piece<'a>>,
    ending: Ending<'a>,
    pub(super) commas: bool,
}

impl<'a> Frame<'a> {
    pub(super) fn of(text: Piece<'a>) -> Option<Frame<'a>> {
        let text = text.trim();
        if text.text.is_empty() {
            return None;
        }
        if text.text.starts_with("<Buffer") {
            return Frame::fenced(text, 0, Kind::Buffer, "<Buffer", ">");
        }
        if text.text.starts_with("<<") {
            return Frame::fenced(text, 0, Kind::Brackets, "<<", ">>");
        }
        let Some(first) = text.text.find(['[', '{', '(']) else {
            let ending = Ending::Plain;
            let commas = text.text.contains(',');
            return Some(Frame { kind: Kind::Bare, open: text, body: text, close: None, ending, commas });
        };
        // Types and variables have brackets before the one that counts: `byte[] x = new byte[] {0, 14}`.
        let last = text.text.rfind(['[', '{']).unwrap_or(first);
        Frame::bracketed(text, last).or_else(|| Frame::bracketed(text, text.text.find('(')?))
    }

    fn bracketed(text: Piece<'a>, open: usize) -> Option<Frame<'a>> {
        if text.text[open..].starts_with('(') {
            // The last one, as Kotlin has parentheses in numbers: `byteArrayOf(0x80.toByte())`.
            let close = text.text.rfind(')').filter(|close| *close > open);
            return Frame::between(text, open, 1, close, 1, Kind::Brackets);
        }
        let close = text.text[open..].find([']', '}', '>']).map(|length| open + length);
        Frame::between(text, open, 1, close, 1, Kind::Brackets)
    }

    fn fenced(text: Piece<'a>, at: usize, kind: Kind, open: &str, close: &str) -> Option<Frame<'a>> {
        let found = text.text.find(close);
        Frame::between(text, at, open.len(), found, close.len(), kind)
    }

    /// The list that opens with `width` bytes at `open` and closes at `close`, if the text around it fits.
    fn between(
        text: Piece<'a>,
        open: usize,
        width: usize,
        close: Option<usize>,
        close_width: usize,
        kind: Kind,
    ) -> Option<Frame<'a>> {
        let length = close.map(|close| close - open - width);
        let (head, rest) = text.split(open);
        let (open, rest) = rest.split(width);
        let (body, close, ending) = match length {
            None => (rest, None, Ending::Plain),
            Some(length) => {
                let (body, rest) = rest.split(length);
                let (close, tail) = rest.split(close_width);
                (body, Some(close), ending(tail)?)
            }
        };
        let fits = introduces(head.text) || is_json_buffer(head.text);
        let commas = body.text.contains(',');
        fits.then_some(Frame { kind, open, body: body.trim(), close, ending, commas })
    }

    /// The elements, trimmed. One that is empty stands between two commas; a last comma is followed by none.
    pub(super) fn elements(&self) -> impl Iterator<Item = Piece<'a>> {
        let commas = self.commas;
        let body = self.body.text.strip_suffix(',').filter(|_| commas).unwrap_or(self.body.text);
        let body = Piece { at: self.body.at, text: body };
        let words = (!commas).then(|| body.words()).into_iter().flatten();
        let parts = commas.then(|| body.parts(|c| c == ',').map(Piece::trim)).into_iter().flatten();
        words.chain(parts)
    }

    /// Whether the list is closed, and as long as it says.
    pub(super) fn check_end(&self, count: usize) -> Result<(), Fault> {
        let expected = match self.open.text {
            "[" => "]",
            "{" => "}",
            "(" => ")",
            "<<" => ">>",
            _ => ">",
        };
        match self.close {
            None if self.kind == Kind::Bare => {}
            Some(close) if close.text == expected => {}
            Some(close) => {
                let message = format!("`{expected}` was expected, but {} was found", close.show());
                return Err(Fault::new(close.at, message));
            }
            None => {
                let message =
                    format!("`{expected}` was expected to close what opens here, but the text ends before");
                return Err(Fault::new(self.open.at, message));
            }
        }
        match self.ending {
            Ending::Length(length) if length.text.parse() != Ok(count) => {
                let message = format!("the length {count} was expected, but {} was found", length.show());
                Err(Fault::new(length.at, format!("{message}; is a line missing?")))
            }
            _ => Ok(()),
        }
    }
}

/// `{"type":"Buffer","data":[0,0,0,14]}` is how Node prints a buffer as JSON.
fn is_json_buffer(head: &str) -> bool {
    const LONGEST: usize = 80;
    let compact = |c: &char| !c.is_whitespace();
    head.len() <= LONGEST && head.chars().filter(compact).eq(r#"{"type":"Buffer","data":"#.chars())
}
