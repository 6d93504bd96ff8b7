//! Rendering: from a tree to text. It reads nodes and never parses.

pub mod api_page;
pub mod byte_layout;
pub mod capture;
pub mod catalogue_json;
pub mod catalogue_text;
pub mod dates;
pub mod diff_json;
pub mod diff_text;
pub mod html;
pub mod json;
mod json_form;
pub mod log_json;
pub mod log_text;
pub mod page;
pub mod problem_text;
pub mod quoted;
pub mod region;
pub mod text;
pub mod theme;
pub mod tree_text;
pub mod value_text;

pub use theme::Theme;

use crate::capture::TopicNames;
use crate::schema::Catalogue;
use crate::tree::{Data, Tree};
use crate::wire::{Frame, Heading};

/// A decoded message with all that a renderer looks at.
#[derive(Clone, Copy)]
pub struct View<'v> {
    /// Its nodes.
    pub tree: &'v Tree,
    /// Its bytes.
    pub frame: Frame<'v>,
    /// What it is.
    pub heading: &'v Heading,
    /// For the names of APIs.
    pub catalogue: &'v Catalogue,
    /// Whether values are shown that nobody but their owner should see.
    pub show_secrets: bool,
    /// For the names of topics beside their ids.
    pub names: Option<&'v TopicNames>,
}

impl<'v> View<'v> {
    /// Without secrets and without names from elsewhere.
    pub fn new(tree: &'v Tree, frame: Frame<'v>, heading: &'v Heading, catalogue: &'v Catalogue) -> View<'v> {
        View { tree, frame, heading, catalogue, show_secrets: false, names: None }
    }

    /// The same, with secrets if `show_secrets` says so.
    pub fn with_secrets(self, show_secrets: bool) -> View<'v> {
        View { show_secrets, ..self }
    }

    /// The same, with names of topics beside their ids.
    pub fn with_names(self, names: &'v TopicNames) -> View<'v> {
        View { names: Some(names), ..self }
    }

    /// The bytes that its nodes lie in.
    #[inline]
    pub fn data(&self) -> Data<'v> {
        self.tree.data(self.frame.bytes)
    }
}

/// How much of the docs is shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Docs {
    /// As much as fits the end of a line.
    #[default]
    Short,
    /// All, wrapped under the line where it is long.
    Full,
    /// Nothing.
    None,
}

/// How deep records fields are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RecordsDepth {
    /// How many batches there are.
    None,
    /// Each batch, and how many records it has.
    Batches,
    /// Each record.
    #[default]
    Full,
}

/// How a message is shown.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How much of the docs.
    pub docs: Docs,
    /// Whether long values are shown whole.
    pub full_values: bool,
    /// How many levels of the tree below the message are shown.
    pub max_depth: usize,
    /// How many elements of each array are shown.
    pub max_elements: usize,
    /// How deep records fields are shown.
    pub records: RecordsDepth,
    /// How many columns a wrapped doc may take.
    pub width: usize,
    /// Whether all rows of the byte layout are shown, however many.
    pub all_rows: bool,
}

impl Options {
    /// Whether every node of a tree is shown.
    pub fn show_all(&self) -> bool {
        self.max_depth == usize::MAX && self.max_elements == usize::MAX && self.records == RecordsDepth::Full
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            docs: Docs::Short,
            full_values: false,
            max_depth: usize::MAX,
            max_elements: usize::MAX,
            records: RecordsDepth::Full,
            width: 100,
            all_rows: false,
        }
    }
}
