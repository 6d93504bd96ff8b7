//! Where a string in quotes begins, and where the next one does.

use super::place::Piece;
use super::source::introduces;

/// What follows the line break that the text begins with.
pub(super) fn after_line_break(text: Piece<'_>) -> Option<Piece<'_>> {
    let width = if text.text.starts_with("\r\n") { 2 } else { 1 };
    text.text.starts_with(['\n', '\r']).then(|| text.skip(width))
}

/// Skips what joins two strings: white space, `+`, a backslash at the end of a line.
pub(super) fn after_joint(text: Piece<'_>) -> Piece<'_> {
    let mut rest = text.trim_start();
    while rest.text.starts_with(['+', '\\']) {
        rest = rest.skip(1).trim_start();
    }
    rest
}

/// Where a string begins.
pub(super) struct Opening<'a> {
    pub(super) quote: char,
    /// Where the quote is.
    pub(super) at: usize,
    /// What follows the quote.
    pub(super) body: Piece<'a>,
    /// Whether a `b` is before the quote.
    pub(super) marked: bool,
}

impl<'a> Opening<'a> {
    /// The first string of a text, if what is before it may stand there.
    pub(super) fn of(text: Piece<'a>) -> Option<Opening<'a>> {
        let quote = text.text.find(['"', '\''])?;
        let head = &text.text[..quote];
        let name = head.len() - head.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '$').len();
        let start = quote - name;
        introduces(&head[..start]).then(|| Opening::directly(text.skip(start)))?
    }

    /// The string that the text begins with, at once or after a prefix. Raw strings have no escapes.
    pub(super) fn directly(text: Piece<'a>) -> Option<Opening<'a>> {
        let prefix = ["b", "B", "u", "c", "$"].into_iter().find(|prefix| text.text.starts_with(prefix));
        let rest = text.skip(prefix.map_or(0, str::len));
        let quote = rest.text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let marked = matches!(prefix, Some("b" | "B"));
        Some(Opening { quote, at: rest.at, body: rest.skip(1), marked })
    }
}
