//! Small pieces of text: numbers, hex, counts. They are appended to a buffer, without any formatting machinery, since a tree has
//! millions of them.

/// Appends a number in decimal.
#[inline]
pub fn decimal<N: itoa::Integer>(out: &mut Vec<u8>, number: N) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Appends a number in hex with at least `digits` digits.
#[inline]
pub fn hex(out: &mut Vec<u8>, number: u64, digits: u32) {
    let needed = (64 - number.leading_zeros()).div_ceil(4).max(digits).min(16) as usize;
    compose::<16>(out, |text| {
        for (place, written) in text[..needed].iter_mut().rev().enumerate() {
            *written = HEX[(number >> (4 * place)) as usize & 15];
        }
        needed
    });
}

/// So many digits a u64 has at most.
pub const MOST_DIGITS: usize = 20;

/// The four hex digits of a number.
#[inline]
pub fn hex_digits(number: u16) -> [u8; 4] {
    let [high, low] = number.to_be_bytes().map(|byte| SPACE_AND_HEX[usize::from(byte)]);
    [high[1], high[2], low[1], low[2]]
}

/// Puts a number in decimal at a place of a piece of text. Returns the place after it.
#[inline(always)]
pub fn put_decimal(text: &mut [u8], at: usize, number: u64) -> usize {
    let digit = |divisor: u16| b'0' + (number as u16 / divisor % 10) as u8;
    match number {
        0..10 => put(text, at, [digit(1)]),
        10..100 => put(text, at, [digit(10), digit(1)]),
        100..1000 => put(text, at, [digit(100), digit(10), digit(1)]),
        1000..10_000 => put(text, at, [digit(1000), digit(100), digit(10), digit(1)]),
        _ => {
            let mut buffer = itoa::Buffer::new();
            let digits = buffer.format(number).as_bytes();
            text[at..][..digits.len()].copy_from_slice(digits);
            at + digits.len()
        }
    }
}

/// Appends what `write` makes of a piece of text of at most `N` bytes; it returns how many it has used. So a text of several parts takes
/// one look at the room that is left, and not one for each.
#[inline]
pub fn compose<const N: usize>(out: &mut Vec<u8>, write: impl FnOnce(&mut [u8; N]) -> usize) {
    let before = out.len();
    out.extend_from_slice(&[0; N]);
    let len = out[before..].first_chunk_mut().map_or(0, write);
    out.truncate(before + len);
}

/// Puts bytes at a place of a piece of text. Returns the place after them.
#[inline]
pub fn put<const N: usize>(text: &mut [u8], at: usize, bytes: [u8; N]) -> usize {
    text[at..][..N].copy_from_slice(&bytes);
    at + N
}

/// A space and the two hex digits of each byte, and one byte more, since four are copied as fast as one.
pub const SPACE_AND_HEX: [[u8; 4]; 256] = {
    let (mut texts, mut byte) = ([[b' '; 4]; 256], 0);
    while byte < 256 {
        texts[byte][1] = HEX[byte >> 4];
        texts[byte][2] = HEX[byte & 15];
        byte += 1;
    }
    texts
};

/// Appends the two hex digits of a byte.
#[inline]
pub fn hex_byte(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
}

/// The longest of words that are counted.
const LONGEST_NOUN: usize = 32;

/// Appends `1 byte`, `2 bytes`.
pub fn count(out: &mut Vec<u8>, number: u64, noun: &str) {
    debug_assert!(noun.len() <= LONGEST_NOUN);
    compose::<{ MOST_DIGITS + LONGEST_NOUN + 2 }>(out, |text| {
        let at = put_decimal(text, 0, number);
        let at = put(text, at, *b" ");
        let noun = &noun.as_bytes()[..noun.len().min(LONGEST_NOUN)];
        text[at..][..noun.len()].copy_from_slice(noun);
        let at = at + noun.len();
        if number == 1 { at } else { put(text, at, *b"s") }
    });
}

/// How many bytes, as a text of its own: `1 byte`, `2 bytes`.
pub fn bytes_counted(number: u64) -> String {
    if number == 1 { "1 byte".to_owned() } else { format!("{number} bytes") }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What is appended to nothing.
    pub fn text(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hex_has_as_many_digits_as_it_needs() {
        for (number, expected) in [
            (0, "0000"),
            (0x2a, "002a"),
            (0xffff, "ffff"),
            (0x10000, "10000"),
            (0x1_0000_0000, "100000000"),
            (u64::MAX, "ffffffffffffffff"),
        ] {
            assert_eq!(text(|out| hex(out, number, 4)), expected);
        }
    }

    #[test]
    fn decimals_of_any_length() {
        for number in [0, 9, 10, 99, 100, 999, 1000, 9999, 10_000, 65_536, u64::MAX] {
            let written =
                text(|out| compose(out, |text: &mut [u8; MOST_DIGITS]| put_decimal(text, 0, number)));
            assert_eq!(written, number.to_string());
        }
        assert_eq!(
            [0, 1, 2, 12_345].map(|number| text(|out| count(out, number, "byte"))),
            ["0 bytes", "1 byte", "2 bytes", "12345 bytes"]
        );
    }
}
