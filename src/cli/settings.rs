//! From what was typed to what it means.

use owo_colors::{OwoColorize, Stream};

use super::args::{Args, ColorArg, DocsArg, OutputArgs, ViewArg};
use super::exit::Failure;
use crate::input::conversation::Wanted;
use crate::render::{Docs, Options, Theme};
use crate::schema::Catalogue;
use crate::schema::source::definition_files;

/// All definitions, with the user's over them.
pub fn catalogue(args: &Args) -> Result<Catalogue, Failure> {
    let mut catalogue = Catalogue::embedded();
    for source in &args.input.schemas {
        let files = definition_files(source).map_err(|error| Failure(format!("--schemas: {error}")))?;
        catalogue.overlay(&files).map_err(|error| Failure(format!("--schemas: {error}")))?;
    }
    Ok(catalogue)
}

/// What the user said about the frames.
pub fn wanted(args: &Args, catalogue: &Catalogue) -> Result<Wanted, Failure> {
    let input = &args.input;
    if let (Some(name), Some(version)) = (&input.api, input.api_version) {
        let Some(api) = catalogue.find_api(name) else {
            return Err(Failure(format!("--api: no API has the name or key {name:?}")));
        };
        if !api.versions.contains(version) {
            let (name, known) = (&api.name, api.versions);
            return Err(Failure(format!("--api-version: {name} has the versions {known}, not {version}")));
        }
        return Ok(Wanted::Responses(Some((api.key, version))));
    }
    Ok(match (input.request, input.response) {
        (true, _) => Wanted::Requests,
        (_, true) => Wanted::Responses(None),
        _ => Wanted::Any,
    })
}

/// How messages are shown.
pub fn options(output: &OutputArgs) -> Options {
    let columns = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    Options {
        docs: match output.docs {
            DocsArg::Short => Docs::Short,
            DocsArg::Full => Docs::Full,
            DocsArg::None => Docs::None,
        },
        full_values: output.full_values,
        max_depth: output.max_depth.unwrap_or(usize::MAX),
        max_elements: output.max_elements.unwrap_or(usize::MAX),
        width: columns.unwrap_or(Options::default().width),
        all_rows: output.view == ViewArg::Bytes,
    }
}

/// The colours, settled once for all of standard output.
pub fn theme(color: ColorArg) -> Theme {
    let coloured = match color {
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
