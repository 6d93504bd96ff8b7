//! The documentation page of an API: what its request and response look like in one version, shown on their smallest legal
//! instances. A page is made once and written as text here or as HTML in [`super::html`].

mod facts;
mod introduction;

use std::io::{self, Write};
use std::sync::Arc;

use super::page::write_message;
use super::region::Region;
use super::theme::{Role, Theme};
use super::{Options, View};
use crate::schema::{Api, Catalogue, Direction, History, Message};
use crate::tree::Tree;
use crate::wire::assemble::{HeaderValues, assemble, plans};
use crate::wire::instance::smallest;
use crate::wire::plan::Plan;
use crate::wire::{Decoder, Frame, Heading};

/// The heading of a message's definition.
pub const DEFINITION_HEADING: &str = "kafka message schema (.json)";

/// The page of an API in one version.
pub struct ApiPage<'c> {
    catalogue: &'c Catalogue,
    /// The name of the API.
    pub title: &'c str,
    /// The version that its messages are in.
    pub version: i16,
    /// How the messages are made, and what to know of this version's encoding.
    pub introduction: String,
    /// What the API is for, if that is to be told; a paragraph after the introduction.
    pub about: Option<&'c str>,
    /// What is known of the API and its messages: each fact's name and value.
    pub facts: Vec<(&'static str, String)>,
    /// The request.
    pub request: Specimen<'c>,
    /// The response.
    pub response: Specimen<'c>,
}

/// The smallest legal instance of a message.
pub struct Specimen<'c> {
    /// Its bytes, from the size field on.
    pub bytes: Vec<u8>,
    /// Its nodes.
    pub tree: Tree,
    /// What it is.
    pub heading: Heading,
    /// The text of its definition file.
    pub definition: &'c str,
    plan: Arc<Plan>,
}

impl<'c> ApiPage<'c> {
    /// The page of a version of an API; `None` if the API has no such version.
    pub fn new(catalogue: &'c Catalogue, api: &'c Api, version: i16) -> Option<ApiPage<'c>> {
        let mut decoder = Decoder::new(catalogue);
        let request = Specimen::new(&mut decoder, api, Direction::Request, version)?;
        let response = Specimen::new(&mut decoder, api, Direction::Response, version)?;
        Some(ApiPage {
            catalogue,
            title: &api.name,
            version,
            introduction: introduction::introduction(catalogue, api, &request, &response),
            about: about(&api.name),
            facts: facts::facts(catalogue, api, &request, &response),
            request,
            response,
        })
    }

    /// Both messages.
    pub fn specimens(&self) -> [&Specimen<'c>; 2] {
        [&self.request, &self.response]
    }

    /// A message, for a renderer.
    pub fn view<'v>(&'v self, specimen: &'v Specimen<'_>) -> View<'v> {
        let frame = Frame { bytes: &specimen.bytes, sized: true };
        let catalogue = self.catalogue;
        View::new(&specimen.tree, frame, &specimen.heading, catalogue)
    }
}

impl<'c> Specimen<'c> {
    fn new(
        decoder: &mut Decoder<'c>,
        api: &'c Api,
        direction: Direction,
        version: i16,
    ) -> Option<Specimen<'c>> {
        let definition = decoder.catalogue().message(api, direction, version)?.text();
        let (header_plan, plan) = plans(decoder, direction, api.key, version)?;
        // The smallest instance can be encoded, unless a user's header definition is none.
        let bytes = assemble(&header_plan, &plan, &HeaderValues::default(), &smallest(&plan)).ok()?;
        let mut tree = Tree::new();
        let frame = Frame { bytes: &bytes, sized: true };
        let heading = match direction {
            Direction::Request => decoder.request(frame, &mut tree),
            Direction::Response => decoder.response(frame, api.key, version, &mut tree),
        };
        Some(Specimen { bytes, tree, heading, definition, plan })
    }

    /// `Request` or `Response`, the heading of its part of the page.
    pub fn part(&self) -> &'static str {
        match self.heading.direction {
            Direction::Request => "Request",
            Direction::Response => "Response",
        }
    }
}

/// What an API is for, if its page is to tell.
fn about(api: &str) -> Option<&'static str> {
    let history = History::get().api(api).filter(|history| history.about_on_page)?;
    Some(&history.about)
}

/// The version that a page shows if none is asked for: the newest stable one, or the newest if none is stable. `None` if the API
/// has no version that both its request and its response have.
pub fn default_version(catalogue: &Catalogue, api: &Api) -> Option<i16> {
    let messages = |version| {
        let request = catalogue.message(api, Direction::Request, version)?;
        Some([request, catalogue.message(api, Direction::Response, version)?])
    };
    let stable = catalogue.newest_stable(api);
    let newest = || api.versions.iter().rfind(|version| messages(*version).is_some());
    messages(stable).map(|_| stable).or_else(newest)
}

/// Whether a version of a message may still change.
fn is_unstable(message: &Message, version: i16) -> bool {
    message.latest_version_unstable && version == message.valid_versions.high()
}

/// Writes a page as text.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_text(
    out: &mut dyn Write,
    page: &ApiPage<'_>,
    options: &Options,
    theme: &Theme,
) -> io::Result<()> {
    let mut text = Vec::new();
    heading(&mut text, theme, page.title);
    for paragraph in [Some(page.introduction.as_str()), page.about].into_iter().flatten() {
        // Words with hyphens are not broken, so that one finds them.
        let wrapping = textwrap::Options::new(options.width)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .word_separator(textwrap::WordSeparator::AsciiSpace);
        text.extend_from_slice(textwrap::fill(paragraph, wrapping).as_bytes());
        text.extend_from_slice(b"\n\n");
    }
    let widest = page.facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in &page.facts {
        writeln!(text, "- {name:widest$}  - {value}")?;
    }
    text.push(b'\n');
    for (index, region) in Region::ALL.into_iter().enumerate() {
        text.extend_from_slice(if index > 0 { b"  " } else { b"" });
        theme.paint(&mut text, Role::Region(region), region.name());
    }
    text.push(b'\n');
    out.write_all(&text)?;
    for specimen in page.specimens() {
        text.clear();
        text.push(b'\n');
        heading(&mut text, theme, specimen.part());
        out.write_all(&text)?;
        write_message(out, page.view(specimen), options, theme)?;
        text.clear();
        text.push(b'\n');
        theme.paint(&mut text, Role::Heading, DEFINITION_HEADING);
        text.push(b'\n');
        text.extend_from_slice(specimen.definition.trim_end().as_bytes());
        text.push(b'\n');
        out.write_all(&text)?;
    }
    Ok(())
}

fn heading(text: &mut Vec<u8>, theme: &Theme, words: &str) {
    theme.paint(text, Role::Heading, words);
    text.extend_from_slice(b"\n\n");
}
