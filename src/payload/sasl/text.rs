//! A token as text, taken apart from its first byte on.

use super::part::Part;
use crate::tree::Kind;

/// A stretch of a token.
pub struct Stretch {
    pub part: Part,
    pub kind: Kind,
    pub len: usize,
}

/// What is left of a token, and what has been found before.
pub struct Text<'t> {
    pub rest: &'t str,
    pub found: Vec<Stretch>,
}

impl<'t> Text<'t> {
    /// The next `len` bytes. Of none there is no node.
    pub fn take(&mut self, part: Part, len: usize) -> &'t str {
        let (text, rest) = self.rest.split_at(len);
        if len > 0 {
            let is_text = part != Part::Separator || text == ",";
            self.found.push(Stretch { part, kind: if is_text { Kind::Text } else { Kind::Raw }, len });
        }
        self.rest = rest;
        text
    }

    /// All before a separator, or all there is.
    pub fn up_to(&mut self, part: Part, separator: char) -> &'t str {
        self.take(part, self.rest.find(separator).unwrap_or(self.rest.len()))
    }

    pub fn separator(&mut self, separator: char) -> Option<()> {
        self.rest.starts_with(separator).then(|| self.take(Part::Separator, 1)).map(|_| ())
    }

    /// An attribute, up to a comma. Returns its value, which is not empty.
    pub fn attribute(&mut self, part: Part, letter: &str) -> Option<&'t str> {
        self.rest.strip_prefix(letter)?.strip_prefix('=')?;
        let text = self.up_to(part, ',');
        text.get(letter.len() + 1..).filter(|value| !value.is_empty())
    }

    /// Extensions, each after a comma, up to the end or to the attribute `last`.
    pub fn extensions(&mut self, last: Option<&str>) -> Option<()> {
        while let Some(after) = self.rest.strip_prefix(',') {
            if last.is_some_and(|last| after.starts_with(last)) {
                break;
            }
            self.separator(',')?;
            let (key, value) = self.up_to(Part::Extension, ',').split_once('=')?;
            let is_key = !key.is_empty() && key.bytes().all(|letter| letter.is_ascii_alphabetic());
            if !is_key || value.is_empty() {
                return None;
            }
        }
        Some(())
    }

    /// The header that RFC 5801 puts before a client's first message.
    pub fn gs2_header(&mut self) -> Option<()> {
        let flag = self.up_to(Part::BindingFlag, ',');
        let is_flag =
            matches!(flag, "n" | "y") || flag.strip_prefix("p=").is_some_and(|name| !name.is_empty());
        if !is_flag {
            return None;
        }
        self.separator(',')?;
        if !self.rest.starts_with(',') {
            self.attribute(Part::AuthorizationId, "a")?;
        }
        self.separator(',')
    }
}
