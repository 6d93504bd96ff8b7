//! What the column of characters in a dump tells about the digits before it.

use super::place::{Fault, Piece};
use super::rows::{Layout, Row};

/// Finds rows whose characters show that their digits were not what they seem to be.
///
/// The characters are not compared one by one: people edit the bytes of a dump and leave them as they were.
pub(super) fn check(row: &Row<'_>, bytes: &[u8], layout: Layout) -> Result<(), Fault> {
    let shown = row.shown();
    if shown.is_empty() || (layout == Layout::Columns && shown.starts_with(['|', '>'])) {
        return Ok(());
    }
    if layout == Layout::Colon && is_binary(row) {
        let message = "hex digits were expected, but this row shows bits, as `xxd -b` does";
        return Err(Fault::new(row.groups.at, message));
    }
    if layout == Layout::Colon && is_swapped(row, bytes) {
        let message = "bytes in their order were expected, but this row has words in little-endian order, as \
                       `xxd -e` prints them: please leave out `-e`";
        return Err(Fault::new(row.groups.at, message));
    }
    // Wireshark has a space in the middle of its characters.
    let most = bytes.len() + usize::from(layout == Layout::Columns);
    if shown.chars().count() > most {
        let message = "no more characters than bytes were expected in a row: is a group of digits too far \
                       away from the one before it?";
        return Err(Fault::new(row.characters.trim_start().at, message));
    }
    Ok(())
}

/// Whether the row shows one character for each group of eight binary digits.
fn is_binary(row: &Row<'_>) -> bool {
    let bits = |word: Piece<'_>| word.text.len() == 8 && word.text.bytes().all(|b| matches!(b, b'0' | b'1'));
    row.groups.words().all(bits) && row.shown().chars().count() <= row.groups.words().count()
}

/// Whether the characters fit the bytes only if each group is turned round.
fn is_swapped(row: &Row<'_>, bytes: &[u8]) -> bool {
    // Editors strip spaces from the end of a line, and before the characters are more than belong to them.
    let fits = |bytes: &[u8]| picture(bytes).trim() == row.shown();
    if fits(bytes) {
        return false;
    }
    let mut turned = bytes.to_vec();
    let mut rest = &mut turned[..];
    for group in row.groups.words() {
        let (head, tail) = rest.split_at_mut((group.text.len() / 2).min(rest.len()));
        head.reverse();
        rest = tail;
    }
    fits(&turned)
}

/// The bytes as the column of characters shows them.
fn picture(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| if matches!(byte, 0x20..=0x7e) { char::from(*byte) } else { '.' }).collect()
}
