//! How messages are shown, the same for all that are shown in a run.

use std::io::{self, Write};

use super::args::{FormatArg, OutputArgs, ViewArg};
use super::settings;
use crate::render::byte_layout::write_byte_layout;
use crate::render::page::write_message;
use crate::render::theme::Role;
use crate::render::tree_text::{Place, append_tree, write_tree};
use crate::render::{Options, Theme, View};
use crate::schema::Catalogue;
use crate::tree::Tree;
use crate::wire::{Frame, Heading};

/// What was asked for, and what follows from it.
pub struct Presentation<'a> {
    /// What was asked for.
    pub output: &'a OutputArgs,
    /// The definitions.
    pub catalogue: &'a Catalogue,
    /// How much is shown.
    pub options: Options,
    /// The colours.
    pub theme: Theme,
}

impl<'a> Presentation<'a> {
    /// As the arguments have it.
    pub fn new(output: &'a OutputArgs, theme: Theme, catalogue: &'a Catalogue) -> Presentation<'a> {
        Presentation { output, catalogue, options: settings::options(output), theme }
    }

    /// A message as renderers see it.
    pub fn view<'v>(&self, tree: &'v Tree, frame: Frame<'v>, heading: &'v Heading) -> View<'v>
    where
        'a: 'v,
    {
        View::new(tree, frame, heading, self.catalogue).with_secrets(self.output.show_secrets)
    }

    /// Writes a message as text.
    pub fn message(&self, out: &mut dyn Write, view: View<'_>) -> io::Result<()> {
        match self.output.view {
            ViewArg::Page => write_message(out, view, &self.options, &self.theme),
            ViewArg::Tree => write_tree(out, view, &self.options, &self.theme),
            ViewArg::Bytes => write_byte_layout(out, view, &self.options, &self.theme),
        }
    }

    /// Whether the text of a message can be made in [pieces](Presentation::append).
    pub fn has_pieces(&self) -> bool {
        self.output.format == FormatArg::Text && self.output.view == ViewArg::Tree && self.options.show_all()
    }

    /// Appends a message as text; of one that has pieces only the nodes from a place up to, without it, the one at `end`.
    pub fn append(&self, text: &mut Vec<u8>, view: View<'_>, from: &Place, end: usize) -> io::Result<()> {
        match self.output.view {
            ViewArg::Tree => append_tree(text, view, &self.options, &self.theme, from, end),
            ViewArg::Page | ViewArg::Bytes => self.message(text, view)?,
        }
        Ok(())
    }

    /// Writes a line that is not of a message itself.
    pub fn remark(&self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        let mut line = Vec::new();
        self.theme.paint(&mut line, Role::Note, text);
        line.push(b'\n');
        out.write_all(&line)
    }
}
