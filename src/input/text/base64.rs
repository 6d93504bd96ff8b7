//! Base64, as `--base64` takes it.

use base64::DecodeError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::place::{Fault, show_char};

/// Decodes either alphabet, padded or not.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, Fault> {
    let (symbols, last) = symbols(text)?;
    STANDARD_NO_PAD.decode(symbols).map_err(|error| {
        let message = match error {
            DecodeError::InvalidLastSymbol { .. } => {
                "the last character has more bits than its byte takes: is the text cut short?"
            }
            _ => "the last group has a single character, and a byte needs two: is the text cut short?",
        };
        Fault::new(last, message)
    })
}

/// The characters that count, in the standard alphabet and without padding, and where the last one is.
fn symbols(text: &str) -> Result<(Vec<u8>, usize), Fault> {
    let mut symbols = Vec::with_capacity(text.len());
    let mut padding: Option<usize> = None;
    let (mut pads, mut last) = (0, 0);
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        let symbol = match c {
            '=' => {
                padding.get_or_insert(at);
                pads += 1;
                continue;
            }
            '-' => b'+',
            '_' => b'/',
            'A'..='Z' | 'a'..='z' | '0'..='9' | '+' | '/' => c as u8,
            _ => {
                let message = format!("a character of base64 was expected, but {} was found", show_char(c));
                return Err(Fault::new(at, message));
            }
        };
        if padding.is_some() {
            let message = format!("nothing but `=` was expected after `=`, but {} was found", show_char(c));
            return Err(Fault::new(at, message));
        }
        symbols.push(symbol);
        last = at;
    }
    if symbols.is_empty() {
        return Err(Fault::new(0, "base64 was expected, but nothing was found"));
    }
    match padding {
        Some(at) if pads > 2 || (symbols.len() + pads) % 4 != 0 => {
            Err(Fault::new(at, "padding to a whole group of four was expected, or none at all"))
        }
        _ => Ok((symbols, last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_alphabets_with_and_without_padding() {
        for text in ["AAAADgBB+/8=", "AAAADgBB-_8=", "AAAADgBB-_8", " AAAA\r\nDgBB\n+/8 = \n", "AAAADgBB+_8"]
        {
            assert_eq!(decode(text).unwrap(), [0, 0, 0, 0x0e, 0, 0x41, 0xfb, 0xff], "{text:?}");
        }
        assert_eq!(decode("AA==").unwrap(), [0]);
    }

    #[test]
    fn faults_are_placed() {
        for (text, at, word) in [
            ("AAAA*AAA", 4, "`*`"),
            ("AA==AA", 4, "after `=`"),
            ("AAAADgB=", 6, "more bits"),
            ("AA=", 2, "padding"),
            ("AAA===", 3, "padding"),
            ("AAAAA", 4, "single character"),
            ("AAAADh", 5, "more bits"),
            ("", 0, "nothing was found"),
            ("==", 0, "nothing was found"),
            ("\"AAAA\"", 0, "`\"`"),
        ] {
            let fault = decode(text).unwrap_err();
            assert_eq!(fault.at, at, "{text:?}: {}", fault.message);
            assert!(fault.message.contains(word), "{text:?}: {}", fault.message);
        }
    }
}
