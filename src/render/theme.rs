//! Colours: which style each role of a text has. Without colours the same code writes plain text.

use owo_colors::Style;

use super::region::Region;

/// What a piece of text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Bytes, and names of fields, of a region.
    Region(Region),
    /// The lines of the tree.
    Branch,
    /// Offsets and lengths.
    Location,
    /// Docs.
    Doc,
    /// Headings and title lines.
    Heading,
    /// What is wrong.
    Problem,
    /// What is worth knowing.
    Note,
    /// What only the first of two messages has.
    Removed,
    /// What only the second of two messages has.
    Added,
}

/// The styles of all roles.
pub struct Theme {
    /// What goes before and after the text of each role; nothing, without colours.
    codes: Option<Vec<(String, String)>>,
}

impl Theme {
    /// No colours.
    pub fn plain() -> Theme {
        Theme { codes: None }
    }

    /// Colours that can be read on a dark and on a light ground.
    pub fn coloured() -> Theme {
        let styles = [
            Style::new().bright_black(),
            Style::new().magenta(),
            Style::new().blue(),
            Style::new().green(),
            Style::new().bright_green(),
            Style::new().cyan(),
            Style::new().yellow(),
            Style::new().bright_black(),
            Style::new().bright_black(),
            Style::new().bright_black(),
            Style::new().bold(),
            Style::new().red().bold(),
            Style::new().yellow().bold(),
            Style::new().red(),
            Style::new().green(),
        ];
        let code =
            |style: &Style| (style.prefix_formatter().to_string(), style.suffix_formatter().to_string());
        Theme { codes: Some(styles.iter().map(code).collect()) }
    }

    /// Whether there are colours.
    pub fn is_coloured(&self) -> bool {
        self.codes.is_some()
    }

    /// Begins text of a role.
    #[inline]
    pub fn begin(&self, out: &mut Vec<u8>, role: Role) {
        if let Some(codes) = &self.codes {
            out.extend_from_slice(codes[index(role)].0.as_bytes());
        }
    }

    /// Ends text of a role.
    #[inline]
    pub fn end(&self, out: &mut Vec<u8>, role: Role) {
        if let Some(codes) = &self.codes {
            out.extend_from_slice(codes[index(role)].1.as_bytes());
        }
    }

    /// Writes text of a role.
    pub fn paint(&self, out: &mut Vec<u8>, role: Role, text: &str) {
        self.begin(out, role);
        out.extend_from_slice(text.as_bytes());
        self.end(out, role);
    }
}

fn index(role: Role) -> usize {
    match role {
        Role::Region(region) => region as usize,
        Role::Branch => 7,
        Role::Location => 8,
        Role::Doc => 9,
        Role::Heading => 10,
        Role::Problem => 11,
        Role::Note => 12,
        Role::Removed => 13,
        Role::Added => 14,
    }
}
