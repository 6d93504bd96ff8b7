//! Takes the comments out of Kafka's definition files, which are JSON in all else.

use std::borrow::Cow;

/// Replaces `//` and `/* */` comments outside strings by spaces, so that line and column numbers stay true.
///
/// A comment that is never closed blanks the rest of the text; the JSON reader then says where it ended.
pub fn blank_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(&bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                let end = position(&bytes, at, b"\n").unwrap_or(bytes.len());
                blank(&mut bytes[at..end]);
                at = end;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = position(&bytes, at + 2, b"*/").map_or(bytes.len(), |close| close + 2);
                blank(&mut bytes[at..end]);
                at = end;
            }
            _ => at += 1,
        }
    }
    // Whole comments were replaced by ASCII, so what is left between them is as valid as it was.
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Where the string that opens at `open` ends: the index after its closing quote.
fn string_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn position(bytes: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    let tail = bytes.get(from..)?;
    tail.windows(needle.len()).position(|window| window == needle).map(|found| from + found)
}

fn blank(comment: &mut [u8]) {
    for byte in comment.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_lines_stay() {
        let text = "// licence\n{ \"a\": 1, // one\n/* two\nlines */ \"b\": 2 }";
        let blanked = blank_comments(text);
        assert_eq!(blanked.lines().count(), text.lines().count());
        assert_eq!(blanked.split_whitespace().collect::<Vec<_>>().join(" "), "{ \"a\": 1, \"b\": 2 }");
    }

    #[test]
    fn strings_keep_what_looks_like_a_comment() {
        let text = r#"{ "about": "see https://example.org /* not */ \"// nor this\"" }"#;
        assert_eq!(blank_comments(text), text);
    }

    #[test]
    fn open_ends_do_not_panic() {
        for text in ["/", "/*", "/* a", "//", "\"", "\"\\", "\"/*"] {
            assert_eq!(blank_comments(text).len(), text.len());
        }
        assert_eq!(blank_comments("1 /* é */ 2").split_whitespace().collect::<String>(), "12");
    }
}
