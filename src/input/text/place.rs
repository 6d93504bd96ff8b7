//! Stretches of text that know where they begin, and faults that name a place.

/// What is wrong, and at which byte of the text. [`super::TextError`] makes line and column of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault { at, message: message.into() }
    }
}

/// Line and column, both from 1, of the byte at `at`. The column counts characters.
pub(super) fn line_and_column(text: &[u8], at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let begin = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    // The first byte of every character in UTF-8 is one that is no continuation byte.
    let column = before[begin..].iter().filter(|byte| **byte & 0xc0 != 0x80).count() + 1;
    (line, column)
}

/// A stretch of the text and the byte of the text that it begins at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Piece<'a> {
    pub(super) at: usize,
    pub(super) text: &'a str,
}

impl<'a> Piece<'a> {
    /// The whole text.
    pub(super) fn whole(text: &'a str) -> Piece<'a> {
        Piece { at: 0, text }
    }

    /// Where it ends.
    pub(super) fn end(self) -> usize {
        self.at + self.text.len()
    }

    /// The first `length` bytes and the rest. `length` must come from a search in this piece.
    pub(super) fn split(self, length: usize) -> (Piece<'a>, Piece<'a>) {
        let (head, tail) = self.text.split_at(length);
        (Piece { at: self.at, text: head }, Piece { at: self.at + length, text: tail })
    }

    /// What is left after the first `length` bytes, which must come from a search in this piece.
    pub(super) fn skip(self, length: usize) -> Piece<'a> {
        self.split(length).1
    }

    pub(super) fn trim_start(self) -> Piece<'a> {
        self.skip(self.text.len() - self.text.trim_start().len())
    }

    pub(super) fn trim(self) -> Piece<'a> {
        let start = self.trim_start();
        Piece { at: start.at, text: start.text.trim_end() }
    }

    /// Its lines, without what ends them.
    pub(super) fn lines(self) -> impl Iterator<Item = Piece<'a>> {
        self.parts(|c| c == '\n')
            .map(|line| Piece { at: line.at, text: line.text.strip_suffix('\r').unwrap_or(line.text) })
    }

    /// What white space separates.
    pub(super) fn words(self) -> impl Iterator<Item = Piece<'a>> {
        self.between(char::is_whitespace)
    }

    /// What stands between separators; nothing between two of them is no part.
    pub(super) fn between(self, separator: impl Fn(char) -> bool) -> impl Iterator<Item = Piece<'a>> {
        self.parts(separator).filter(|part| !part.text.is_empty())
    }

    /// What stands between separators, empty parts included.
    pub(super) fn parts(self, separator: impl Fn(char) -> bool) -> impl Iterator<Item = Piece<'a>> {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            let left = rest?;
            let found = left.text.char_indices().find(|(_, c)| separator(*c));
            let Some((end, c)) = found else {
                rest = None;
                return Some(left);
            };
            let (part, tail) = left.split(end);
            rest = Some(tail.skip(c.len_utf8()));
            Some(part)
        })
    }

    /// The first character in words, for a message that says what was found.
    pub(super) fn first(self) -> String {
        self.text.chars().next().map_or_else(|| "the end".to_string(), show_char)
    }

    /// The piece itself for a message, cut when it is long.
    pub(super) fn show(self) -> String {
        const LONGEST: usize = 24;
        let mut shown: String = self.text.chars().take(LONGEST).map(printable).collect();
        if self.text.chars().nth(LONGEST).is_some() {
            shown.push('…');
        }
        format!("`{shown}`")
    }
}

/// One character for a message.
pub(super) fn show_char(c: char) -> String {
    match c {
        '\n' | '\r' => "the end of the line".to_string(),
        ' ' => "a space".to_string(),
        '\t' => "a tab".to_string(),
        _ if printable(c) == c => format!("`{c}`"),
        _ => format!("the character U+{:04X}", u32::from(c)),
    }
}

/// The character, or a stand-in for one that a terminal would act on or hide.
fn printable(c: char) -> char {
    if c.is_whitespace() {
        return ' ';
    }
    // Rust escapes quotes and backslashes too, which are harmless here.
    let shown = c.is_ascii_graphic() || (!c.is_ascii() && c.escape_debug().len() == 1);
    if shown { c } else { '\u{fffd}' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let text = "é00\r\nab\n\u{1f980}c";
        assert_eq!(line_and_column(text.as_bytes(), 0), (1, 1));
        assert_eq!(line_and_column(text.as_bytes(), 2), (1, 2));
        let crab = text.find('c').unwrap();
        assert_eq!(line_and_column(text.as_bytes(), crab), (3, 2));
        assert_eq!(line_and_column(text.as_bytes(), 1000), (3, 3));
    }

    #[test]
    fn pieces_know_where_they_are() {
        let text = "  ab\t c\r\nd,, e";
        let words: Vec<_> = Piece::whole(text).words().map(|word| (word.at, word.text)).collect();
        assert_eq!(words, [(2, "ab"), (6, "c"), (9, "d,,"), (13, "e")]);
        let lines: Vec<_> = Piece::whole(text).lines().map(|line| (line.at, line.text)).collect();
        assert_eq!(lines, [(0, "  ab\t c"), (9, "d,, e")]);
        let trimmed = Piece::whole(text).trim();
        assert_eq!((trimmed.at, trimmed.end()), (2, text.len()));
    }

    #[test]
    fn messages_carry_no_terminal_codes() {
        assert_eq!(show_char('\u{1b}'), "the character U+001B");
        assert_eq!(show_char('\u{202e}'), "the character U+202E");
        assert_eq!(show_char('"'), "`\"`");
        assert_eq!(show_char('é'), "`é`");
        assert_eq!(Piece::whole("\u{1b}[31m").show(), "`\u{fffd}[31m`");
        assert_eq!(Piece::whole(&"x".repeat(99)).show().chars().count(), 27);
    }
}
