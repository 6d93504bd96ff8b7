//! What source code and debuggers put around bytes: `const unsigned char x[] =`, `[]byte`, `vec!`, `);`.

use super::place::Piece;

/// Words that say that bytes, or at least numbers, come next. In lower case.
const BYTE_WORDS: [&str; 26] = [
    "array",
    "arraybuffer",
    "arrayseq",
    "buffer",
    "byte",
    "bytearray",
    "bytearrayof",
    "bytes",
    "char",
    "data",
    "i8",
    "int8",
    "int8_t",
    "int8array",
    "list",
    "sbyte",
    "seq",
    "u8",
    "ubyte",
    "ubytearrayof",
    "uchar",
    "uint8",
    "uint8_t",
    "uint8array",
    "uint8clampedarray",
    "vec",
];

/// Whether this may stand before bytes: nothing, an assignment, or a few words with one about bytes in them.
pub(super) fn introduces(head: &str) -> bool {
    const LONGEST: usize = 200;
    let head = head.trim();
    // Nothing but these: `[[1, 2], [3, 4]]` is JSON, and not about bytes.
    if head.chars().all(|c| matches!(c, '(' | '&')) {
        return true;
    }
    let plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_[]()<>*&:;,=.!'/".contains(c);
    head.len() <= LONGEST && head.chars().all(plain) && (head.ends_with('=') || has_byte_word(head))
}

fn has_byte_word(head: &str) -> bool {
    head.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|word| BYTE_WORDS.contains(&word.to_ascii_lowercase().as_str()))
}

/// What may stand after bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Ending<'a> {
    /// Brackets, semicolons, method calls.
    Plain,
    /// `unsigned int frame_len = 49;`, from `xxd -i`; this is the number.
    Length(Piece<'a>),
}

/// How the text ends after its bytes; `None` if it goes on with something else.
pub(super) fn ending(tail: Piece<'_>) -> Option<Ending<'_>> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, ')' | ']' | '}' | ';' | ',');
    let closing = tail.text.len() - tail.text.trim_start_matches(is_end).len();
    let rest = tail.skip(closing).trim();
    if rest.text.is_empty() || is_call(rest.text) {
        return Some(Ending::Plain);
    }
    let equals = rest.text.find('=')?;
    let (name, value) = rest.split(equals);
    let digits = value.skip(1).trim_start();
    let length = digits.text.trim_end_matches(is_end).len();
    let (digits, _) = digits.split(length);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c.is_whitespace();
    let number = !digits.text.is_empty() && digits.text.bytes().all(|byte| byte.is_ascii_digit());
    let length = number
        && name.text.chars().all(is_name)
        && name.text.trim_end().to_ascii_lowercase().ends_with("_len");
    length.then_some(Ending::Length(digits))
}

/// `.to_vec()`, `.buffer;`
fn is_call(rest: &str) -> bool {
    rest.len() <= 60
        && rest.starts_with('.')
        && rest.chars().all(|c| c.is_ascii_alphanumeric() || "._();".contains(c))
        && rest.contains(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_introduces_bytes() {
        for head in [
            "",
            "&",
            "static const unsigned char frame_bin[] =",
            "[]byte",
            "[4]uint8",
            "vec!",
            "let x: [u8; 4] =",
            "Uint8Array(49)",
            "new byte[]",
            "array.array('b',",
            "std::vector<uint8_t> frame",
        ] {
            assert!(introduces(head), "{head:?}");
        }
        for head in ["[", "see", "{\"a\":", "[[1, 2],", "see the bytes of \"this\""] {
            assert!(!introduces(head), "{head:?}");
        }
    }

    #[test]
    fn what_ends_bytes() {
        let end = |tail| ending(Piece::whole(tail));
        for tail in ["", ";\n", " ]);", ").to_vec();", ".buffer"] {
            assert_eq!(end(tail), Some(Ending::Plain), "{tail:?}");
        }
        let length = Piece { at: 31, text: "49" };
        assert_eq!(end(";\nunsigned int frame_bin_len = 49;\n"), Some(Ending::Length(length)));
        for tail in ["...", " for more", "; x = 3;", "; x_len = 3 + 4;", "; x_len = ;"] {
            assert_eq!(end(tail), None, "{tail:?}");
        }
    }
}
