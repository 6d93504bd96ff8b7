//! The byte layout: sixteen bytes a row, coloured by region, with what they are in ASCII.

use std::io::{self, Write};
use std::ops::Range;

use super::region::{Region, region_runs};
use super::text::{count, hex, hex_byte};
use super::theme::{Role, Theme};
use super::{Options, View};

/// Bytes in a row.
const ROW: usize = 16;
/// A frame of more bytes is shown by its first and last rows only …
const MOST_BYTES: usize = 4096;
/// … this many of each.
const END_ROWS: usize = 16;

/// Writes the byte layout of a message, with its heading.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_byte_layout(
    out: &mut dyn Write,
    view: View<'_>,
    options: &Options,
    theme: &Theme,
) -> io::Result<()> {
    let bytes = view.frame.bytes;
    let mut text = Vec::new();
    let mut heading = b"byte layout (".to_vec();
    count(&mut heading, bytes.len() as u64, "byte");
    heading.extend_from_slice(b", 16 bytes per row)");
    theme.paint(&mut text, Role::Heading, &String::from_utf8_lossy(&heading));
    text.push(b'\n');

    let digits = (bytes.len().saturating_sub(1) as u32).max(0xffff).ilog2() / 4 + 1;
    theme.begin(&mut text, Role::Location);
    text.extend(std::iter::repeat_n(b' ', digits as usize + 1));
    for column in 0..ROW {
        text.extend_from_slice(b"  ");
        text.push(b"0123456789ABCDEF"[column]);
    }
    theme.end(&mut text, Role::Location);
    text.push(b'\n');

    let runs = region_runs(view.tree, view.heading.direction);
    let secrets = if view.show_secrets { Vec::new() } else { view.tree.secret_ranges(bytes) };
    let mut painter = RowPainter { theme, runs: &runs, secrets: &secrets, digits };
    let rows = bytes.len().div_ceil(ROW);
    let whole = options.all_rows || bytes.len() <= MOST_BYTES;
    let shown = |row: usize| whole || row < END_ROWS || row + END_ROWS >= rows;
    for (row, chunk) in bytes.chunks(ROW).enumerate() {
        if shown(row) {
            painter.row(&mut text, row * ROW, chunk);
        } else if row == END_ROWS {
            text.extend_from_slice(b"... ");
            count(&mut text, ((rows - 2 * END_ROWS) * ROW) as u64, "more byte");
            text.extend_from_slice(b" (--view bytes shows all)\n");
        }
        if text.len() > 1 << 16 {
            out.write_all(&text)?;
            text.clear();
        }
    }
    out.write_all(&text)
}

struct RowPainter<'p> {
    theme: &'p Theme,
    /// The regions that have not ended before the next byte.
    runs: &'p [(u32, Region)],
    /// The bytes that are not shown, as far as they have not ended before the next one.
    secrets: &'p [Range<usize>],
    digits: u32,
}

impl RowPainter<'_> {
    fn row(&mut self, text: &mut Vec<u8>, offset: usize, chunk: &[u8]) {
        self.theme.begin(text, Role::Location);
        hex(text, offset as u32, self.digits);
        self.theme.end(text, Role::Location);
        text.push(b' ');
        self.runs(text, offset, chunk, |text, byte| {
            text.push(b' ');
            match byte {
                Some(byte) => hex_byte(text, byte),
                None => text.extend_from_slice(b"**"),
            }
        });
        text.extend(std::iter::repeat_n(b' ', 3 * (ROW - chunk.len()) + 2));
        self.runs(text, offset, chunk, |text, byte| {
            text.push(match byte {
                Some(byte @ b' '..=b'~') => byte,
                Some(_) => b'.',
                None => b'*',
            });
        });
        text.push(b'\n');
    }

    /// Writes each byte, `None` for one that is secret, with the colour of its region, which is changed only where it must be.
    fn runs(
        &mut self,
        text: &mut Vec<u8>,
        offset: usize,
        chunk: &[u8],
        write: impl Fn(&mut Vec<u8>, Option<u8>),
    ) {
        // Rows come in ascending order, so what ended before this one is of no more use.
        while self.runs.first().is_some_and(|(end, _)| *end as usize <= offset) {
            self.runs = &self.runs[1..];
        }
        while self.secrets.first().is_some_and(|secret| secret.end <= offset) {
            self.secrets = &self.secrets[1..];
        }
        let near = self.secrets.iter().take_while(|secret| secret.start < offset + chunk.len()).count();
        let near = &self.secrets[..near];
        let is_secret = |at: usize| near.iter().any(|secret| secret.contains(&at));
        let mut at = offset;
        for (end, region) in self.runs {
            let stop = (*end as usize).min(offset + chunk.len());
            if at >= stop {
                break;
            }
            self.theme.begin(text, Role::Region(*region));
            for place in at..stop {
                write(text, (!is_secret(place)).then(|| chunk[place - offset]));
            }
            self.theme.end(text, Role::Region(*region));
            at = stop;
        }
    }
}
