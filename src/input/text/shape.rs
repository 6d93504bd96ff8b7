//! Tells dumps from other text, and one dump from the other.
//!
//! A dump may have mistakes in it, so what counts is what most of its lines look like.

use super::Notation;
use super::offsets::{digits, offset_base};
use super::place::Piece;
use super::rows::{Layout, Line, Row, lines};

/// The dump that this text is, if it is one.
pub(super) fn recognise(text: &str) -> Option<Notation> {
    if is_colon_dump(text) {
        return Some(Notation::Xxd);
    }
    Columns::of(text).notation(text)
}

/// Whether at least half of the lines look like rows with a colon.
fn is_colon_dump(text: &str) -> bool {
    let (mut all, mut alike, mut rows) = (0, 0, 0);
    for line in lines(text, Layout::Colon) {
        all += 1;
        let row = matches!(line, Line::Row(row) if is_colon_row(&row));
        rows += usize::from(row);
        alike += usize::from(row || matches!(line, Line::Repeat(_)));
    }
    rows > 0 && alike * 2 >= all
}

/// Whether the row has an offset, and bytes of which at most one character in four is wrong.
fn is_colon_row(row: &Row<'_>) -> bool {
    let offset = row.offset.is_some_and(|offset| {
        let digits = digits(offset.text);
        digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    let filled = row.groups.text.bytes().filter(|byte| *byte != b' ').count();
    let hex = row.groups.text.bytes().filter(u8::is_ascii_hexdigit).count();
    offset && hex > 0 && hex * 4 >= filled * 3
}

/// What the lines of a text have in common with a dump in columns.
#[derive(Default)]
struct Columns<'a> {
    all: usize,
    /// Lines that fit: rows, `*`, and offsets alone.
    alike: usize,
    /// Rows of single bytes, with and without an offset.
    rows: usize,
    /// Rows of words.
    words: usize,
    repeats: usize,
    /// Rows that end in `|characters|` and in `>characters<`.
    bars: usize,
    angles: usize,
    /// The first row of any kind.
    first: Option<Row<'a>>,
}

impl<'a> Columns<'a> {
    fn of(text: &'a str) -> Columns<'a> {
        let mut columns = Columns::default();
        for line in lines(text, Layout::Columns) {
            columns.all += 1;
            let alike = match line {
                Line::Repeat(_) => {
                    columns.repeats += 1;
                    true
                }
                Line::Row(row) => columns.count(row),
            };
            columns.alike += usize::from(alike);
        }
        columns
    }

    fn count(&mut self, row: Row<'a>) -> bool {
        let hex = |word: Piece<'_>| word.text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if row.offset.is_some_and(|offset| !hex(offset)) {
            return false;
        }
        if row.groups.text.is_empty() {
            return row.shown().is_empty() && row.line.text.len() >= 6;
        }
        let total = row.groups.words().count();
        let bytes = row.groups.words().filter(|word| word.text.len() == 2 && hex(*word)).count();
        let width = row.groups.words().next().map_or(0, |word| word.text.len());
        if bytes * 4 >= total * 3 {
            self.rows += 1;
            self.bars += usize::from(row.shown().starts_with('|'));
            self.angles += usize::from(row.shown().starts_with('>'));
        } else if row.offset.is_some_and(|offset| offset.text.len() >= 6)
            && matches!(width, 3..=6 | 8 | 16)
            && row.groups.words().all(|word| word.text.len() == width && hex(word))
        {
            self.words += 1;
        } else {
            return false;
        }
        self.first.get_or_insert(row);
        true
    }

    fn notation(&self, text: &str) -> Option<Notation> {
        let first = self.first?;
        if self.alike * 2 < self.all {
            return None;
        }
        let Some(offset) = first.offset else {
            // Without offsets these rows are plain hex, unless something in them is not.
            return (self.angles > 0 || self.repeats > 0).then_some(Notation::OdHex);
        };
        if self.words >= self.rows {
            return is_word_dump(offset, text).then_some(Notation::Hexdump);
        }
        // Hex that someone wrote in groups may begin with a long one, so more must speak for an offset.
        let odd = offset.text.len() == 7;
        let sure = self.bars > 0 || self.angles > 0 || odd || is_start(&first, offset);
        (sure || offset_base(text, Layout::Columns).1 > 0).then_some({
            let short = matches!(offset.text.len(), 6 | 7) && self.bars == 0;
            if self.angles > 0 || short { Notation::OdHex } else { Notation::HexdumpC }
        })
    }
}

/// Whether a row of single bytes looks like the first one of a dump.
fn is_start(row: &Row<'_>, offset: Piece<'_>) -> bool {
    let zero = offset.text.bytes().all(|byte| byte == b'0');
    // Hex in groups of three may have a single byte at its end, but not two.
    let several = row.groups.words().take(2).filter(|group| group.text.len() == 2).count() == 2;
    // Where the offset has the width of an int16 or int32, the tools have two spaces after it.
    zero && several && (offset.text.len() == 6 || (row.gap >= 2 && offset.text.len() <= 8))
}

/// Whether the offsets of rows of words are offsets.
fn is_word_dump(offset: Piece<'_>, text: &str) -> bool {
    let zero = offset.text.bytes().all(|byte| byte == b'0');
    (zero && offset.text.len() == 7) || offset_base(text, Layout::Columns).1 > 0
}
