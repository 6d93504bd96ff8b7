//! Plain hex: digits, two for each byte, and what people put between them.

use super::place::{Fault, Piece};

/// Whether the text has nothing but hex digits and separators.
pub(super) fn recognise(text: &str) -> bool {
    let body = after_prefix(text);
    let only_hex = body.text.chars().all(|c| c.is_ascii_hexdigit() || is_separator(c));
    only_hex && body.text.contains(|c: char| c.is_ascii_hexdigit()) && !has_sign(body.text) && {
        !body.text.contains(',') || commas_between_hex(text)
    }
}

/// Decodes groups of whole bytes.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let body = after_prefix(text);
    if let Some(bad) = body.text.find(|c: char| !(c.is_ascii_hexdigit() || is_separator(c))) {
        return Err(stranger(body.skip(bad)));
    }
    for group in body.between(is_separator) {
        push_group(group, &mut bytes)?;
    }
    if bytes.is_empty() {
        return Err(Fault::new(text.len(), "hex digits were expected, but nothing was found"));
    }
    Ok(bytes)
}

/// Appends the bytes of a group of hex digits. The dumps have such groups too.
pub(super) fn push_group(group: Piece<'_>, bytes: &mut Vec<u8>) -> Result<(), Fault> {
    if let Some(bad) = group.text.find(|c: char| !c.is_ascii_hexdigit()) {
        return Err(stranger(group.skip(bad)));
    }
    let digits = group.text.len();
    if digits % 2 == 1 {
        let message = match digits {
            1 => "two hex digits were expected for a byte, but this one stands alone".to_string(),
            _ => format!("an even number of hex digits was expected, but this group has {digits}"),
        };
        return Err(Fault::new(group.end() - 1, message));
    }
    bytes.extend(group.text.as_bytes().chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])));
    Ok(())
}

fn stranger(found: Piece<'_>) -> Fault {
    Fault::new(found.at, format!("a hex digit was expected, but {} was found", found.first()))
}

/// The value of a hex digit; 0 for anything else, which the caller has ruled out.
fn digit(byte: u8) -> u8 {
    char::from(byte).to_digit(16).map_or(0, |value| value as u8)
}

/// The text without white space before it and without `0x`; PostgreSQL writes `\x` there.
fn after_prefix(text: &str) -> Piece<'_> {
    let body = Piece::whole(text).trim_start();
    let prefixed = ["0x", "0X", "\\x"].iter().any(|prefix| body.text.starts_with(prefix));
    if prefixed { body.skip(2) } else { body }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ':' | '-' | ',' | '_')
}

/// Whether a dash is the sign of a number: it stands before a digit and after no digit.
fn has_sign(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len()).any(|at| {
        let free = at == 0 || !(bytes[at - 1].is_ascii_hexdigit() || bytes[at - 1] == b'-');
        bytes[at] == b'-' && free && bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit)
    })
}

/// Whether a text with commas is hex all the same, as `00,00,00,0e` is: all groups are whole bytes, and
/// one has a letter or a leading zero, which no list of decimals has.
fn commas_between_hex(text: &str) -> bool {
    let body = after_prefix(text);
    // `0x0e, 18` is a list: what `0x` stands before proves nothing about the others.
    let proving = usize::from(body.text.len() < text.trim_start().len());
    let padded = |group: Piece<'_>| group.text.starts_with('0');
    let lettered = |group: Piece<'_>| group.text.contains(|c: char| c.is_ascii_alphabetic());
    body.between(is_separator).all(|group| group.text.len().is_multiple_of(2))
        && body.between(is_separator).skip(proving).any(|group| padded(group) || lettered(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: [u8; 6] = [0, 0, 0, 0x0e, 0, 0x41];

    #[test]
    fn separators_and_prefixes() {
        for text in [
            "0000000e0041",
            "0000000E0041",
            "0x0000000e0041",
            "0X0000000e 0041",
            "\\x0000000e0041",
            "00 00 00 0e 00 41",
            "00:00:00:0e:00:41",
            "00-00-00-0E-00-41",
            "00,00,00,0e,00,41",
            "00, 00, 00, 0e, 00, 41",
            "0000_000e_0041",
            "0000000e\r\n0041\r\n",
            "\n\n  0000000e\n\t0041  \n\n",
            "0000\u{a0}000e\u{a0}0041",
        ] {
            assert!(recognise(text), "{text:?}");
            assert_eq!(decode(text).as_deref(), Ok(&FRAME[..]), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_hex() {
        for text in ["", " \n", "---", "0x", "hello", "0000 0g", "0x00 0x01", "0, -1", "-1 -2", "0, 0, 0, 18"]
        {
            assert!(!recognise(text), "{text:?}");
        }
    }

    #[test]
    fn commas_make_a_list_unless_the_groups_are_clearly_hex() {
        for (text, hex) in [
            ("00,00,00,12", true),
            ("0000000e,0041", true),
            ("10,20,30,40", false),
            ("1,2,3", false),
            ("0x0e, 18, 20", false),
            ("0x0e, 00, 12", true),
        ] {
            assert_eq!(recognise(text), hex, "{text:?}");
        }
    }

    #[test]
    fn odd_groups_and_strangers_are_placed() {
        let fault = decode("00 000 00").unwrap_err();
        assert_eq!((fault.at, fault.message.contains("has 3")), (5, true));
        let fault = decode("00 0").unwrap_err();
        assert_eq!((fault.at, fault.message.contains("stands alone")), (3, true));
        let fault = decode("00 0z").unwrap_err();
        assert_eq!(fault, Fault::new(4, "a hex digit was expected, but `z` was found"));
        assert_eq!(decode(" ").unwrap_err().at, 1);
    }
}
