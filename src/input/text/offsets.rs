//! The offsets of a dump: in which base they are, and what they say.

use super::place::{Fault, Piece};
use super::rows::{Layout, Line, Row, lines};

/// The base that the offsets agree with best, and how well they do (0: nothing speaks for it).
pub(super) fn offset_base(text: &str, layout: Layout) -> (u32, usize) {
    let od = lines(text, layout).find_map(|line| match line {
        Line::Row(row) => Some(layout == Layout::Columns && row.offset.is_some_and(|o| o.text.len() == 7)),
        Line::Repeat(_) => None,
    });
    // The first of equals wins, and seven digits are od's, which counts in octal by default.
    let bases = if od == Some(true) { [8, 16, 10] } else { [16, 10, 8] };
    let mut best = (bases[0], 0);
    for base in bases {
        let score = agreement(text, layout, base);
        if score > best.1 {
            best = (base, score);
        }
    }
    best
}

/// How often a row begins where the one before it ends, if offsets are in this base.
fn agreement(text: &str, layout: Layout, base: u32) -> usize {
    let mut score = 0;
    let mut before: Option<(u64, u64)> = None;
    let mut repeated = false;
    for line in lines(text, layout) {
        let Line::Row(row) = line else {
            repeated = true;
            continue;
        };
        let offset = row.offset.and_then(|offset| number(offset, base).ok());
        if let (Some((start, size)), Some(offset)) = (before, offset) {
            score += match offset.checked_sub(start) {
                Some(step) if step == size && size > 0 && !repeated => 2,
                // hexdump may end in the middle of a row that it repeats, so that is only likely to be wrong.
                Some(step) if step > size && size > 0 && repeated => 1 + usize::from(step % size == 0),
                _ => 0,
            };
        }
        before = offset.map(|offset| (offset, row_size(&row, layout)));
        repeated = false;
    }
    score
}

/// How many bytes a row stands for, be it bytes or words.
fn row_size(row: &Row<'_>, layout: Layout) -> u64 {
    let width = row.groups.words().next().map_or(0, |word| word.text.len());
    let size = match (layout, width) {
        (Layout::Columns, 3) => row.groups.words().count(), // octal bytes
        (Layout::Columns, 5 | 6) => row.groups.words().count() * 2, // decimal or octal words
        _ => row.size(),
    };
    size as u64
}

/// An offset without its `0x`.
pub(super) fn digits(offset: &str) -> &str {
    offset.strip_prefix("0x").unwrap_or(offset)
}

/// The value of an offset.
pub(super) fn number(offset: Piece<'_>, base: u32) -> Result<u64, Fault> {
    let digits = offset.skip(offset.text.len() - digits(offset.text).len());
    if let Some(bad) = digits.text.find(|c: char| !c.is_digit(base)) {
        let stranger = digits.skip(bad);
        let message = format!("a digit of the offset was expected, but {} was found", stranger.first());
        return Err(Fault::new(stranger.at, message));
    }
    u64::from_str_radix(digits.text, base)
        .map_err(|_| Fault::new(offset.at, format!("an offset was expected, but {} is none", offset.show())))
}
