//! One number of a list: how it is written, and which byte it is.

use super::place::{Fault, Piece};

/// What numbers without a prefix are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Base {
    Decimal,
    /// One or two digits.
    Hex,
    /// Always two digits.
    HexPairs,
}

/// A number as it is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Number<'a> {
    pub(super) negative: bool,
    /// From the prefix.
    pub(super) base: Option<u32>,
    pub(super) digits: &'a str,
    pub(super) suffixed: bool,
}

impl<'a> Number<'a> {
    /// Takes a number apart: `-128`, `0x1f`, `18u8`, `(byte) 0x80`. Digits without a prefix may be hex.
    pub(super) fn of(text: &'a str) -> Option<Number<'a>> {
        let text = without_cast(text);
        let negative = text.starts_with('-');
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        if let Some((base, rest)) = after_base(text) {
            let end = rest.find(|c: char| !c.is_digit(base)).unwrap_or(rest.len());
            let (digits, suffix) = rest.split_at(end);
            let suffixed = is_suffix(suffix)?;
            return (!digits.is_empty()).then_some(Number { negative, base: Some(base), digits, suffixed });
        }
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Some(Number { negative, base: None, digits: text, suffixed: false });
        }
        let end = text.find(|c: char| !c.is_ascii_digit())?;
        let (digits, suffix) = text.split_at(end);
        let suffixed = is_suffix(suffix)?;
        (!digits.is_empty()).then_some(Number { negative, base: None, digits, suffixed })
    }
}

fn without_cast(text: &str) -> &str {
    const CASTS: [&str; 7] =
        ["(byte)", "(sbyte)", "(char)", "(unsigned char)", "(uint8_t)", "(int8_t)", "(Byte)"];
    let text = CASTS.iter().find_map(|cast| text.strip_prefix(cast)).unwrap_or(text).trim_start();
    text.strip_suffix(".toByte()").unwrap_or(text)
}

/// The base that a prefix names, and what follows it.
fn after_base(text: &str) -> Option<(u32, &str)> {
    let rest = text.strip_prefix('0')?;
    let base = match rest.chars().next()? {
        'x' | 'X' => 16,
        'o' | 'O' => 8,
        // As digits of hex, `0b` and what follows would be too long for a byte.
        'b' | 'B' if rest.len() > 1 => 2,
        _ => return None,
    };
    Some((base, &rest[1..]))
}

/// Whether there is a suffix; `None` if these characters are none.
fn is_suffix(text: &str) -> Option<bool> {
    match text {
        "" => Some(false),
        "u8" | "i8" | "_u8" | "_i8" | "u" | "U" | "uy" | "y" | "l" | "L" => Some(true),
        _ => None,
    }
}

/// The byte that an element stands for.
pub(super) fn byte(element: Piece<'_>, base: Base) -> Result<u8, Fault> {
    let Some(number) = Number::of(element.text) else {
        return Err(no_number(element));
    };
    let digits = number.digits;
    let long = match (number.base, base) {
        (Some(16), _) | (None, Base::Hex) => digits.len() > 2,
        (None, Base::HexPairs) => digits.len() != 2,
        _ => false,
    };
    if long {
        let message = format!("the two hex digits of a byte were expected, but {} was found", element.show());
        return Err(Fault::new(element.at, message));
    }
    let radix = number.base.unwrap_or(if base == Base::Decimal { 10 } else { 16 });
    if number.base.is_none() && base == Base::Decimal {
        check_decimal(element, digits)?;
    }
    let value = u8::from_str_radix(digits, radix).ok();
    match (value, number.negative) {
        (Some(value), false) => Ok(value),
        (Some(value @ 0..=128), true) => Ok(value.wrapping_neg()),
        _ => {
            let message = format!("a value from -128 to 255 was expected, but {} was found", element.show());
            Err(Fault::new(element.at, message))
        }
    }
}

/// Rules out digits that are no decimal number, or not surely one.
fn check_decimal(element: Piece<'_>, digits: &str) -> Result<(), Fault> {
    if digits.contains(|c: char| !c.is_ascii_digit()) {
        return Err(no_number(element));
    }
    let octal = digits.starts_with('0') && u64::from_str_radix(digits, 8).is_ok_and(|value| value > 7);
    if octal {
        let message = format!(
            "a number with one meaning was expected, but {} is octal in C and decimal elsewhere",
            element.show()
        );
        return Err(Fault::new(element.at, message));
    }
    Ok(())
}

fn no_number(element: Piece<'_>) -> Fault {
    let message = if element.text.starts_with("...") || element.text.starts_with('…') {
        "a number was expected, but the list was cut short here when it was printed; please print all of it"
            .to_string()
    } else if element.text.is_empty() {
        "a number was expected before this comma".to_string()
    } else if element.text.contains(char::is_whitespace) {
        format!("one number was expected between two commas, but {} was found", element.show())
    } else {
        format!("a number was expected, but {} was found", element.show())
    };
    Fault::new(element.at, message)
}
