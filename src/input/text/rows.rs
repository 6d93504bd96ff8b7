//! How the rows of a dump are laid out: where the offset ends and where the column of characters begins.
//!
//! Splitting never fails. A row with a mistake in it is split as well as can be; what is wrong shows when its
//! parts are read.

use super::place::Piece;

/// How a dump separates its offsets, bytes and characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// `00000000: 0000 000e  ....`: groups of whole bytes, one space between them, two before the characters.
    Colon,
    /// `00000000  00 00 00 0e  |....|`: single bytes, up to two spaces between them.
    Columns,
}

/// A line of a dump that is not blank.
#[derive(Clone, Copy, Debug)]
pub(super) enum Line<'a> {
    /// `*`: the row before it, again and again until the offset that comes next.
    Repeat(Piece<'a>),
    Row(Row<'a>),
}

/// A row, in parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    /// The whole row, without white space around it.
    pub(super) line: Piece<'a>,
    /// The first word, if it stands where an offset stands. May be anything else by mistake.
    pub(super) offset: Option<Piece<'a>>,
    /// How much white space is after the offset.
    pub(super) gap: usize,
    /// The bytes.
    pub(super) groups: Piece<'a>,
    /// What follows the bytes, with the white space before it; empty if there is nothing.
    pub(super) characters: Piece<'a>,
}

impl<'a> Row<'a> {
    /// How many bytes the row has, if all of it is right.
    pub(super) fn size(&self) -> usize {
        self.groups.text.bytes().filter(u8::is_ascii_hexdigit).count() / 2
    }

    /// The column of characters without the white space around it.
    pub(super) fn shown(&self) -> &'a str {
        self.characters.text.trim()
    }
}

/// The lines of a dump.
pub(super) fn lines(text: &str, layout: Layout) -> impl Iterator<Item = Line<'_>> {
    Piece::whole(text).lines().filter_map(move |line| {
        // The characters of a row may end in spaces that are bytes, so only the start is trimmed.
        let line = line.trim_start();
        match line.text.trim_end() {
            "" => None,
            "*" => Some(Line::Repeat(line)),
            _ => Some(Line::Row(split(line, layout))),
        }
    })
}

fn split(line: Piece<'_>, layout: Layout) -> Row<'_> {
    let (offset, rest) = match layout {
        Layout::Colon => split_colon(line),
        Layout::Columns => split_column(line),
    };
    let start = rest.trim_start();
    let gap = start.at - rest.at;
    let (groups, characters) = split_characters(start, layout);
    Row { line: line.trim(), offset, gap, groups, characters }
}

/// The offset is what stands before the first colon, if that colon ends a word.
fn split_colon(line: Piece<'_>) -> (Option<Piece<'_>>, Piece<'_>) {
    let word = line.text.split(char::is_whitespace).next().unwrap_or("");
    match word.strip_suffix(':') {
        Some(offset) => (Some(line.split(offset.len()).0), line.skip(word.len())),
        None => (None, line),
    }
}

/// The offset is the first word, unless that is as short as a byte is.
fn split_column(line: Piece<'_>) -> (Option<Piece<'_>>, Piece<'_>) {
    const SHORTEST: usize = 4; // Wireshark's
    let word = line.text.split(char::is_whitespace).next().unwrap_or("");
    if word.len() < SHORTEST { (None, line) } else { (Some(line.split(word.len()).0), line.skip(word.len())) }
}

/// Cuts a row, without its offset, before the column of characters.
fn split_characters(rest: Piece<'_>, layout: Layout) -> (Piece<'_>, Piece<'_>) {
    let widest = match layout {
        Layout::Colon => 1,
        // Dumps have a wider gap in the middle of a row, or two spaces all over.
        Layout::Columns => 2,
    };
    let mut end = rest.at;
    for word in rest.words() {
        let far = word.at - end > widest && end > rest.at;
        let fenced = layout == Layout::Columns && word.text.starts_with(['|', '>']);
        if far || fenced {
            break;
        }
        end = word.end();
    }
    rest.split(end - rest.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: &str, layout: Layout) -> (Option<&str>, &str, &str) {
        match lines(line, layout).next() {
            Some(Line::Row(row)) => (row.offset.map(|offset| offset.text), row.groups.text, row.shown()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn rows_with_a_colon() {
        let colon = |line| row(line, Layout::Colon);
        assert_eq!(colon("00000000: 6162 2063  ab cd 00\r\n"), (Some("00000000"), "6162 2063", "ab cd 00"));
        assert_eq!(colon("00000030: 00                 ."), (Some("00000030"), "00", "."));
        assert_eq!(colon("\t0x0000:  4500 0034  E..4"), (Some("0x0000"), "4500 0034", "E..4"));
        assert_eq!(colon("0000002a: 06342e30  .4. "), (Some("0000002a"), "06342e30", ".4."));
        assert_eq!(colon("00:11:22 33"), (None, "00:11:22 33", ""));
        assert_eq!(colon("00000000:"), (Some("00000000"), "", ""));
    }

    #[test]
    fn rows_in_columns() {
        let columns = |line| row(line, Layout::Columns);
        assert_eq!(columns("00000000  00 01  02 |  |a|"), (Some("00000000"), "00 01  02", "|  |a|"));
        assert_eq!(columns("0000060 00       >.<"), (Some("0000060"), "00", ">.<"));
        assert_eq!(columns(" 00 00 2b"), (None, "00 00 2b", ""));
        assert_eq!(columns("0000   00 2b 61   .+a b"), (Some("0000"), "00 2b 61", ".+a b"));
        assert_eq!(columns("0000000    00  00  2b"), (Some("0000000"), "00  00  2b", ""));
        assert_eq!(columns("0000061"), (Some("0000061"), "", ""));
    }

    #[test]
    fn stars_and_blank_lines() {
        let text = "\n  \r\n*\r\n * \n** 00";
        let kinds: Vec<bool> =
            lines(text, Layout::Columns).map(|line| matches!(line, Line::Repeat(_))).collect();
        assert_eq!(kinds, [true, true, false]);
    }
}
