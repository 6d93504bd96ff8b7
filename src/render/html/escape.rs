//! Text within HTML.

use std::fmt::{self, Write};

/// Text that shows as it is, in content and in quoted attributes.
pub struct Escaped<'t>(pub &'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // HTML has no way to write other control characters.
                letter if letter.is_control() && !matches!(letter, '\n' | '\t') => {
                    f.write_char('\u{fffd}')?
                }
                letter => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
