//! Strings and bytes of a message as text: quoted and escaped, in hex, cut where they are long.

use std::ops::Range;

use super::text::{SPACE_AND_HEX, compose, count, decimal, hex_byte, put};

/// So many bytes are looked at together, without a branch for each.
const CHUNK: usize = 64;

/// Whether all bytes are printable characters of ASCII.
fn are_plain(bytes: &[u8]) -> bool {
    let is_other = |byte: &u8| u8::from(!matches!(byte, b' '..=b'~'));
    bytes.chunks(CHUNK).all(|chunk| chunk.iter().fold(0, |any, byte| any | is_other(byte)) == 0)
}

/// How many characters of a long string are shown …
const STRING_CUT: usize = 64;
/// … and how many a string may have without being cut.
pub const STRING_WHOLE: usize = 80;

/// Appends a quoted string. Control characters, what does not print, and bytes that are no UTF-8 are escaped. Unless
/// `full`, a long one is cut and its length told.
pub fn quoted(out: &mut Vec<u8>, bytes: &[u8], full: bool) {
    quote(out, bytes, full, false);
}

/// Appends a quoted string. `is_plain` is whether all of it is known to be printable ASCII.
fn quote(out: &mut Vec<u8>, bytes: &[u8], full: bool, is_plain: bool) {
    let cut =
        if full || bytes.len() <= STRING_WHOLE { bytes.len() } else { char_boundary(bytes, STRING_CUT) };
    out.push(b'"');
    escaped(out, &bytes[..cut], is_plain);
    if cut < bytes.len() {
        out.extend_from_slice("…\" of ".as_bytes());
        decimal(out, bytes.len());
        out.extend_from_slice(b" bytes");
    } else {
        out.push(b'"');
    }
}

/// The largest index up to `most` at which no UTF-8 character is split.
fn char_boundary(bytes: &[u8], most: usize) -> usize {
    let is_boundary = |at: &usize| bytes.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
    (most.saturating_sub(3)..=most).rev().find(is_boundary).unwrap_or(most)
}

fn escaped(out: &mut Vec<u8>, mut bytes: &[u8], is_plain: bool) {
    // Nearly all strings are plain, JSON but for its quotes.
    while !bytes.is_empty() {
        let (chunk, rest) = bytes.split_at(bytes.len().min(CHUNK));
        if !is_plain && !are_plain(chunk) {
            break;
        }
        plain(out, chunk);
        bytes = rest;
    }
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '"' => out.extend_from_slice(b"\\\""),
                '\\' => out.extend_from_slice(b"\\\\"),
                '\'' => out.push(b'\''),
                letter => {
                    for piece in letter.escape_debug() {
                        out.extend_from_slice(piece.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                }
            }
        }
        for byte in chunk.invalid() {
            out.extend_from_slice(b"\\x");
            hex_byte(out, *byte);
        }
    }
}

/// So many bytes between two that must be escaped are copied as fast as one.
const RUN: usize = 16;

/// Appends a chunk of plain text, with backslashes where they must be.
fn plain(out: &mut Vec<u8>, chunk: &[u8]) {
    // What must be escaped is found in all of the chunk at once, since there may be a lot of it anywhere.
    let mut padded = [0; CHUNK + RUN];
    padded[..chunk.len()].copy_from_slice(chunk);
    let words = padded[..CHUNK].as_chunks().0.iter().rev();
    let mut marks = words.fold(0, |marks, word| marks << 8 | to_be_escaped(u64::from_le_bytes(*word)));
    if marks == 0 {
        return out.extend_from_slice(chunk);
    }
    compose::<{ 2 * CHUNK + RUN }>(out, |text| {
        let (mut from, mut at) = (0, 0);
        while marks != 0 {
            let next = marks.trailing_zeros() as usize;
            at = copy(text, at, &padded, from..next);
            at = put(text, at, *b"\\");
            from = next;
            marks &= marks - 1;
        }
        copy(text, at, &padded, from..chunk.len())
    });
}

/// Copies a few bytes of a chunk to a place of a piece of text. Returns the place after them.
#[inline]
fn copy(
    text: &mut [u8; 2 * CHUNK + RUN],
    at: usize,
    chunk: &[u8; CHUNK + RUN],
    range: Range<usize>,
) -> usize {
    if range.len() <= RUN {
        // These places are within their bounds in a way that needs no check.
        text[at % (2 * CHUNK)..][..RUN].copy_from_slice(&chunk[range.start % CHUNK..][..RUN]);
    } else {
        text[at..][..range.len()].copy_from_slice(&chunk[range.clone()]);
    }
    at + range.len()
}

/// Which of eight plain bytes must be escaped: the lowest bit is for the lowest byte.
#[inline]
pub fn to_be_escaped(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    // The highest bit of each byte, which no plain byte has, tells whether it is another one.
    let differs = |byte: u8| (word ^ (ONES * u64::from(byte))) + ONES * 0x7f;
    let same = !(differs(b'"') & differs(b'\\')) >> 7 & ONES;
    // The product has bit i of its highest byte from byte i.
    same.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// How many bytes of a long value are shown …
const BYTES_CUT: usize = 16;
/// … and how many a value may have without being cut.
const BYTES_WHOLE: usize = 20;

/// Appends the number of bytes, the bytes in hex and, if they are nothing but printable text, the text. Unless `full`, a long
/// value is cut. Returns whether they are all printable ASCII.
pub fn byte_string(out: &mut Vec<u8>, bytes: &[u8], full: bool) -> bool {
    count(out, bytes.len() as u64, "byte");
    let cut = if full || bytes.len() <= BYTES_WHOLE { bytes.len() } else { BYTES_CUT };
    for chunk in bytes[..cut].chunks(BYTES_WHOLE) {
        compose::<{ 3 * BYTES_WHOLE + 1 }>(out, |text| {
            // What is one too many is written over by the next.
            chunk.iter().fold(0, |at, byte| put(text, at, SPACE_AND_HEX[usize::from(*byte)]) - 1)
        });
    }
    if cut < bytes.len() {
        out.extend_from_slice(" …".as_bytes());
    }
    let printable =
        |text: &str| text.chars().all(|letter| letter.escape_debug().len() == 1 || "\"'\\".contains(letter));
    let is_plain = are_plain(bytes);
    if !bytes.is_empty() && (is_plain || str::from_utf8(bytes).is_ok_and(printable)) {
        out.push(b' ');
        quote(out, bytes, full, is_plain);
    }
    is_plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::text::tests::text;

    #[test]
    fn strings_are_escaped() {
        for (bytes, expected) in [
            (&b""[..], r#""""#),
            (b"orders", r#""orders""#),
            (b"a\"b\\c'd", r#""a\"b\\c'd""#),
            (b"a\tb\nc\x00\x1b[31m", r#""a\tb\nc\0\u{1b}[31m""#),
            (b"ok \xff\xfe", r#""ok \xff\xfe""#),
            ("für α\u{202e}x".as_bytes(), r#""für α\u{202e}x""#),
        ] {
            assert_eq!(text(|out| quoted(out, bytes, false)), expected);
        }
    }

    #[test]
    fn plain_text_of_any_length_is_escaped_byte_by_byte() {
        let seed = fastrand::u64(..);
        let mut rng = fastrand::Rng::with_seed(seed);
        for round in 0..20_000 {
            // From no byte that must be escaped to many.
            let signs = if round % 2 == 0 {
                &b"abc,:{}\"\\"[..]
            } else {
                b"abcdefghijklmnopqrstuvwxyz 0123456789~\""
            };
            let bytes: Vec<u8> = (0..rng.usize(..200)).map(|_| signs[rng.usize(..signs.len())]).collect();
            let plain = String::from_utf8(bytes.clone()).unwrap();
            let expected = format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""));
            assert_eq!(text(|out| quoted(out, &bytes, true)), expected, "seed {seed}");
        }
    }

    #[test]
    fn long_strings_are_cut_between_characters_and_their_length_told() {
        let eighty = "x".repeat(80);
        assert_eq!(text(|out| quoted(out, eighty.as_bytes(), false)), format!("\"{eighty}\""));
        let long = format!("{}é{}", "x".repeat(63), "y".repeat(40));
        assert_eq!(
            text(|out| quoted(out, long.as_bytes(), false)),
            format!("\"{}…\" of 105 bytes", "x".repeat(63))
        );
        assert_eq!(text(|out| quoted(out, long.as_bytes(), true)), format!("\"{long}\""));
        // No UTF-8 at all: cut anyway.
        assert!(text(|out| quoted(out, &[0x80; 100], false)).ends_with("…\" of 100 bytes"));
    }

    #[test]
    fn bytes_show_as_hex_and_as_text_if_they_are_that() {
        assert_eq!(text(|out| _ = byte_string(out, b"", false)), "0 bytes");
        assert_eq!(text(|out| _ = byte_string(out, &[0xfe], false)), "1 byte fe");
        assert_eq!(text(|out| _ = byte_string(out, b"hi!", false)), "3 bytes 68 69 21 \"hi!\"");
        assert_eq!(text(|out| _ = byte_string(out, b"a\0b", false)), "3 bytes 61 00 62");
        assert_eq!(
            text(|out| _ = byte_string(out, &[7; 21], false)),
            format!("21 bytes{} …", " 07".repeat(16))
        );
        assert_eq!(text(|out| _ = byte_string(out, &[7; 21], true)), format!("21 bytes{}", " 07".repeat(21)));
    }
}
