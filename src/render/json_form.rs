//! Whether text is JSON. The tree asks that of each record, where a full parser would take a fifth of all time; so the plain sort of JSON is
//! told here, and only what is not of that sort is for the parser to judge.

use super::quoted::to_be_escaped;

/// Whether bytes are a JSON object or array, and which. A mere number or word may be anything. `is_plain` is whether they are known to be
/// printable ASCII.
pub fn json_form(bytes: &[u8], is_plain: bool) -> Option<&'static str> {
    let form = match (bytes.first()?, bytes.last()?) {
        (b'{', b'}') => "JSON object",
        (b'[', b']') => "JSON array",
        _ => return None,
    };
    if is_plain && is_plain_json(bytes).is_some() {
        return Some(form);
    }
    // Strings that are passed over are not looked into, so whether they are UTF-8 is asked first.
    if !is_plain && std::str::from_utf8(bytes).is_err() {
        return None;
    }
    serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok().then_some(form)
}

/// `Some` if printable ASCII is a JSON value without escapes and exponents, and not too deep; `None` if it may or may not be JSON.
fn is_plain_json(text: &[u8]) -> Option<()> {
    let mut open = Open::default();
    let mut rest = text;
    loop {
        rest = match after_spaces(rest) {
            [b'"', after @ ..] => after_string(after)?,
            [b'{', after @ ..] => match after_spaces(after) {
                [b'}', after @ ..] => after,
                after => {
                    rest = after_key(after)?;
                    open.push(true)?;
                    continue;
                }
            },
            [b'[', after @ ..] => match after_spaces(after) {
                [b']', after @ ..] => after,
                after => {
                    rest = after;
                    open.push(false)?;
                    continue;
                }
            },
            [b't', b'r', b'u', b'e', after @ ..] => after,
            [b'f', b'a', b'l', b's', b'e', after @ ..] => after,
            [b'n', b'u', b'l', b'l', after @ ..] => after,
            number => after_number(number)?,
        };
        // What comes after a value: the end of what it is in, or the next.
        rest = loop {
            match (after_spaces(rest), open.is_object()) {
                ([], None) => return Some(()),
                ([b',', after @ ..], Some(true)) => break after_key(after_spaces(after))?,
                ([b',', after @ ..], Some(false)) => break after,
                ([b'}', after @ ..], Some(true)) | ([b']', after @ ..], Some(false)) => {
                    open.pop();
                    rest = after;
                }
                _ => return None,
            }
        };
    }
}

/// The objects and arrays that are open: a bit for each, the innermost lowest, below a bit that is always there.
struct Open(u64);

impl Default for Open {
    fn default() -> Open {
        Open(1)
    }
}

impl Open {
    fn push(&mut self, is_object: bool) -> Option<()> {
        let has_room = self.0 >> 63 == 0;
        self.0 = self.0 << 1 | u64::from(is_object);
        has_room.then_some(())
    }

    fn pop(&mut self) {
        self.0 >>= 1;
    }

    /// Whether the innermost is an object; `None` if none is open.
    fn is_object(&self) -> Option<bool> {
        (self.0 > 1).then_some(self.0 & 1 == 1)
    }
}

#[inline]
fn after_spaces(mut text: &[u8]) -> &[u8] {
    while let [b' ', after @ ..] = text {
        text = after;
    }
    text
}

/// What comes after the key of a member and its colon.
#[inline]
fn after_key(text: &[u8]) -> Option<&[u8]> {
    let [b'"', after @ ..] = text else { return None };
    let [b':', after @ ..] = after_spaces(after_string(after)?) else { return None };
    Some(after)
}

/// What comes after a string whose first quote has been read.
#[inline]
fn after_string(mut text: &[u8]) -> Option<&[u8]> {
    while let Some((word, rest)) = text.split_first_chunk::<8>() {
        let marks = to_be_escaped(u64::from_le_bytes(*word));
        if marks != 0 {
            return after_quote(&text[marks.trailing_zeros() as usize..]);
        }
        text = rest;
    }
    let end = text.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
    after_quote(&text[end..])
}

#[inline]
fn after_quote(text: &[u8]) -> Option<&[u8]> {
    let [b'"', after @ ..] = text else { return None };
    Some(after)
}

/// What comes after a number without exponent.
#[inline]
fn after_number(text: &[u8]) -> Option<&[u8]> {
    let text = if let [b'-', after @ ..] = text { after } else { text };
    let text = match text {
        [b'0', after @ ..] => after,
        _ => after_digits(text)?,
    };
    match text {
        [b'.', after @ ..] => after_digits(after),
        _ => Some(text),
    }
}

#[inline]
fn after_digits(text: &[u8]) -> Option<&[u8]> {
    let [b'0'..=b'9', after @ ..] = text else { return None };
    let mut text = after;
    while let [b'0'..=b'9', after @ ..] = text {
        text = after;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_json(text: &str) -> bool {
        serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
    }

    #[test]
    fn json_is_told_from_text_that_looks_like_it() {
        assert_eq!(json_form(b"{\"a\": [1, null]}", true), Some("JSON object"));
        assert_eq!(json_form(b"[]", true), Some("JSON array"));
        assert_eq!(json_form(b"{\"\\u00fc\": 1e3}", true), Some("JSON object"));
        assert_eq!(json_form("{\"ü\":\n1}".as_bytes(), false), Some("JSON object"));
        for text in
            [&b"{a}"[..], b"{", b"", b"12", b"\"a\"", b"[1,]", b"{\"a\":1} {}", b"{\"\x8d\":1}", b"[01]"]
        {
            assert_eq!(json_form(text, false), None, "{text:?}");
        }
    }

    #[test]
    fn the_plain_sort_is_told_without_the_parser() {
        for text in [
            r#"{"order":796259,"country":"Estonia","items":[9697,2381],"total":-12.50,"paid":true,"note":null}"#,
            r#" [ { } , [ ] , "" , 0 , -0.1 , false ] "#,
            &("[".repeat(63) + &"]".repeat(63)),
        ] {
            assert_eq!(is_plain_json(text.as_bytes()), Some(()), "{text}");
        }
        let deep = "[".repeat(1000) + &"]".repeat(1000);
        assert_eq!((is_plain_json(deep.as_bytes()), is_json(&deep)), (None, true));
    }

    /// Random changes of JSON, and random text of its signs, must never be taken for JSON if they are not.
    #[test]
    fn whatever_is_taken_for_json_is_json() {
        let seed = fastrand::u64(..);
        let mut rng = fastrand::Rng::with_seed(seed);
        let whole =
            br#"{"a":[1,-2.5,{"b":""}],"cdefghijk":"lmnopqrstuvw" , "x":[true,false,null,0],"y":{},"z":[]}"#;
        let signs = br#"{}[]:,"" \-+.0123456789eEtruefalsn"#;
        let mut taken = 0;
        for round in 0..200_000 {
            let mut text = whole.to_vec();
            if round % 4 == 0 {
                text = (0..rng.usize(1..12)).map(|_| signs[rng.usize(..signs.len())]).collect();
            }
            for _ in 0..rng.usize(..3) {
                let at = rng.usize(..text.len());
                match rng.u8(..3) {
                    0 => text[at] = signs[rng.usize(..signs.len())],
                    1 => text.insert(at, signs[rng.usize(..signs.len())]),
                    _ if text.len() > 1 => _ = text.remove(at),
                    _ => {}
                }
            }
            if is_plain_json(&text).is_some() {
                taken += 1;
                let text = String::from_utf8(text).unwrap();
                assert!(is_json(&text), "{text}, seed {seed}");
            }
        }
        assert!(taken > 10_000, "{taken}, seed {seed}");
    }
}
