//! Small pieces of text: numbers, hex, escaped strings. They are appended to a buffer, without any formatting machinery,
//! since a tree has millions of them.

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
    let digit = |place: usize| HEX[(number >> (4 * place)) as usize & 15];
    if needed == 4 {
        return out.extend_from_slice(&[digit(3), digit(2), digit(1), digit(0)]);
    }
    let mut text = [0; 16];
    for (place, written) in text[..needed].iter_mut().rev().enumerate() {
        *written = digit(place);
    }
    first(out, &text, needed);
}

/// Whether a byte is a printable character of ASCII.
#[inline]
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// So many bytes are looked at together, without a branch for each.
const CHUNK: usize = 64;

/// Whether all bytes are printable characters of ASCII.
fn are_plain(bytes: &[u8]) -> bool {
    bytes.chunks(CHUNK).all(|chunk| chunk.iter().fold(true, |plain, byte| plain & is_plain(*byte)))
}

/// Appends the first `len` of `bytes`. To copy all of them is faster than to copy as many as are only known by then.
#[inline]
fn first<const N: usize>(out: &mut Vec<u8>, bytes: &[u8; N], len: usize) {
    let end = out.len() + len;
    out.extend_from_slice(bytes);
    out.truncate(end);
}

/// Appends the two hex digits of a byte.
#[inline]
pub fn hex_byte(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
}

/// How many characters of a long string are shown …
const STRING_CUT: usize = 64;
/// … and how many a string may have without being cut.
pub const STRING_WHOLE: usize = 80;

/// Appends a quoted string. Control characters, what does not print, and bytes that are no UTF-8 are escaped. Unless
/// `full`, a long one is cut and its length told.
pub fn quoted(out: &mut Vec<u8>, bytes: &[u8], full: bool) {
    let cut =
        if full || bytes.len() <= STRING_WHOLE { bytes.len() } else { char_boundary(bytes, STRING_CUT) };
    out.push(b'"');
    escaped(out, &bytes[..cut]);
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

fn escaped(out: &mut Vec<u8>, mut bytes: &[u8]) {
    // Nearly all strings are plain, JSON but for its quotes.
    while !bytes.is_empty() {
        let (chunk, rest) = bytes.split_at(bytes.len().min(CHUNK));
        if !are_plain(chunk) {
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

/// Appends a chunk of plain text. What must be escaped comes at any place, so that there is no branch for it: backslashes are there before,
/// and are written over where none is wanted.
fn plain(out: &mut Vec<u8>, chunk: &[u8]) {
    let must_be_escaped = |byte: u8| matches!(byte, b'"' | b'\\');
    if !chunk.iter().fold(false, |any, byte| any | must_be_escaped(*byte)) {
        return out.extend_from_slice(chunk);
    }
    let (mut text, mut len) = ([b'\\'; 2 * CHUNK], 0);
    for byte in chunk {
        len += usize::from(must_be_escaped(*byte));
        text[len % (2 * CHUNK)] = *byte;
        len += 1;
    }
    first(out, &text, len);
}

/// How many bytes of a long value are shown …
const BYTES_CUT: usize = 16;
/// … and how many a value may have without being cut.
const BYTES_WHOLE: usize = 20;

/// Appends the number of bytes, the bytes in hex and, if they are nothing but printable text, the text. Unless `full`, a long
/// value is cut.
pub fn byte_string(out: &mut Vec<u8>, bytes: &[u8], full: bool) {
    count(out, bytes.len() as u64, "byte");
    let cut = if full || bytes.len() <= BYTES_WHOLE { bytes.len() } else { BYTES_CUT };
    for chunk in bytes[..cut].chunks(BYTES_WHOLE) {
        let mut text = [b' '; 3 * BYTES_WHOLE];
        for (digits, byte) in text.chunks_exact_mut(3).zip(chunk) {
            digits[1] = HEX[usize::from(byte >> 4)];
            digits[2] = HEX[usize::from(byte & 15)];
        }
        first(out, &text, 3 * chunk.len());
    }
    if cut < bytes.len() {
        out.extend_from_slice(" …".as_bytes());
    }
    let printable =
        |text: &str| text.chars().all(|letter| letter.escape_debug().len() == 1 || "\"'\\".contains(letter));
    let is_printable = || are_plain(bytes) || str::from_utf8(bytes).is_ok_and(printable);
    if !bytes.is_empty() && is_printable() {
        out.push(b' ');
        quoted(out, bytes, full);
    }
}

/// Appends `1 byte`, `2 bytes`.
pub fn count(out: &mut Vec<u8>, number: u64, noun: &str) {
    decimal(out, number);
    out.push(b' ');
    out.extend_from_slice(noun.as_bytes());
    if number != 1 {
        out.push(b's');
    }
}

/// How many bytes, as a text of its own: `1 byte`, `2 bytes`.
pub fn bytes_counted(number: u64) -> String {
    if number == 1 { "1 byte".to_owned() } else { format!("{number} bytes") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl Fn(&mut Vec<u8>)) -> String {
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
        assert_eq!(text(|out| byte_string(out, b"", false)), "0 bytes");
        assert_eq!(text(|out| byte_string(out, &[0xfe], false)), "1 byte fe");
        assert_eq!(text(|out| byte_string(out, b"hi!", false)), "3 bytes 68 69 21 \"hi!\"");
        assert_eq!(text(|out| byte_string(out, b"a\0b", false)), "3 bytes 61 00 62");
        assert_eq!(text(|out| byte_string(out, &[7; 21], false)), format!("21 bytes{} …", " 07".repeat(16)));
        assert_eq!(text(|out| byte_string(out, &[7; 21], true)), format!("21 bytes{}", " 07".repeat(21)));
    }
}
