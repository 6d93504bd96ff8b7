//! From what was typed to what it means.

use owo_colors::{OwoColorize, Stream};

use super::args::{
    ColorArg, ColorArgs, DocsArg, FormatArg, InputArgs, OutputArgs, RecordsArg, SchemaArgs, ViewArg,
};
use super::exit::Failure;
use crate::input::conversation::Wanted;
use crate::payload::Definitions;
use crate::render::{Docs, Options, RecordsDepth, Theme};
use crate::schema::source::definition_files;
use crate::schema::{Api, Catalogue};
use crate::tree::{Limits, Tree};

/// All definitions, with the user's over them.
///
/// The process ends with the run, so there is no use in tidying up after it.
pub fn catalogue(schemas: &SchemaArgs) -> Result<&'static Catalogue, Failure> {
    let mut catalogue = Catalogue::embedded();
    for source in &schemas.schemas {
        let files = definition_files(source).map_err(|error| Failure(format!("--schemas: {error}")))?;
        catalogue.overlay(&files).map_err(|error| Failure(format!("--schemas: {error}")))?;
    }
    Ok(Box::leak(Box::new(catalogue)))
}

/// What the user said about the frames.
pub fn wanted(input: &InputArgs, catalogue: &Catalogue) -> Result<Wanted, Failure> {
    if let (Some(name), Some(version), false) = (&input.api, input.api_version, input.request) {
        let api = api(catalogue, name)?;
        known_version(api, version)?;
        return Ok(Wanted::Responses(Some((api.key, version))));
    }
    match (&input.api, input.api_version) {
        (Some(_), _) if input.request => {
            return Err(Failure("--api is for responses; requests say what they are".to_owned()));
        }
        (Some(_), None) => {
            return Err(Failure("--api needs --api-version, unless the input is a capture".to_owned()));
        }
        (None, Some(_)) => {
            return Err(Failure("--api-version needs --api, unless the input is a capture".to_owned()));
        }
        _ => {}
    }
    Ok(match (input.request, input.response) {
        (true, _) => Wanted::Requests,
        (_, true) => Wanted::Responses(None),
        _ => Wanted::Any,
    })
}

/// The API with a name or key.
pub fn api<'c>(catalogue: &'c Catalogue, name_or_key: &str) -> Result<&'c Api, Failure> {
    let api = catalogue.find_api(name_or_key);
    api.ok_or_else(|| {
        Failure(format!("no API has the name or key {name_or_key:?}; `kdissect apis` lists them all"))
    })
}

/// Checks that an API has a version.
pub fn known_version(api: &Api, version: i16) -> Result<(), Failure> {
    if api.versions.contains(version) {
        return Ok(());
    }
    Err(Failure(format!("--api-version: {} has the versions {}, not {version}", api.name, api.versions)))
}

/// How messages are shown.
pub fn options(output: &OutputArgs) -> Options {
    Options {
        docs: match output.docs {
            DocsArg::Short => Docs::Short,
            DocsArg::Full => Docs::Full,
            DocsArg::None => Docs::None,
        },
        full_values: output.full_values,
        max_depth: output.max_depth.unwrap_or(usize::MAX),
        max_elements: output.max_elements.unwrap_or(usize::MAX),
        records: match output.records {
            RecordsArg::None => RecordsDepth::None,
            RecordsArg::Batches => RecordsDepth::Batches,
            RecordsArg::Full => RecordsDepth::Full,
        },
        width: width(),
        all_rows: output.view == ViewArg::Bytes,
    }
}

/// How much of the records is decoded: what is not shown need not be.
pub fn limits(output: &OutputArgs) -> Limits {
    let is_shown = output.records == RecordsArg::Full || output.format == FormatArg::Json;
    Limits { decompressed: output.max_decompressed, records: is_shown }
}

/// A tree to decode into, with the user's definitions for what is inside bytes too.
pub fn tree(limits: Limits, catalogue: &'static Catalogue) -> Tree {
    Tree { limits, definitions: Definitions::of(catalogue), ..Tree::new() }
}

/// How many columns a wrapped text may take.
pub fn width() -> usize {
    let columns = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.unwrap_or(Options::default().width)
}

/// The colours, settled once for all of standard output.
pub fn theme(color: &ColorArgs) -> Theme {
    let coloured = match color.color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => stdout_has_colours(),
    };
    if coloured { Theme::coloured() } else { Theme::plain() }
}

/// Whether standard output is a terminal with colours, as NO_COLOR, FORCE_COLOR and TERM have it.
fn stdout_has_colours() -> bool {
    let probe = "x".if_supports_color(Stream::Stdout, |text| text.red()).to_string();
    probe != "x"
}
