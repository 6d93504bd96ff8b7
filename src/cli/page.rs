//! The documentation page of an API.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::args::{ColorArg, ColorArgs, SchemaArgs};
use super::exit::{Failure, Outcome};
use super::settings;
use crate::render::api_page::{ApiPage, default_version, write_text};
use crate::render::html::write_html;
use crate::render::{Options, Theme};

/// Arguments of `kdissect page`.
#[derive(clap::Args, Debug)]
pub struct PageArgs {
    /// The API: its name or key
    #[arg(value_name = "API")]
    pub api: String,

    /// The version to show; the newest stable one if none is given
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub api_version: Option<i16>,

    /// Text for the terminal, or one HTML file that needs nothing else
    #[arg(long, value_enum, default_value_t = PageFormat::Text, help_heading = "Output")]
    pub format: PageFormat,

    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// What a page is written as.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageFormat {
    /// Text for the terminal
    Text,
    /// One HTML file that needs nothing else
    Html,
}

/// Runs `kdissect page`.
pub fn run(args: &PageArgs) -> Result<Outcome, Failure> {
    let catalogue = settings::catalogue(&args.schemas)?;
    let api = settings::api(catalogue, &args.api)?;
    let version = match args.api_version {
        Some(version) => version,
        None => default_version(catalogue, api).ok_or_else(|| {
            Failure(format!("{} has no version whose request and response are both defined", api.name))
        })?,
    };
    settings::known_version(api, version)?;
    let page = ApiPage::new(catalogue, api, version).ok_or_else(|| {
        Failure(format!("{} v{version}: only one of request and response is defined", api.name))
    })?;
    match args.output.as_deref().filter(|path| *path != Path::new("-")) {
        None => {
            let theme = settings::theme(&args.color);
            match write(&mut BufWriter::new(io::stdout().lock()), &page, args.format, &theme) {
                // Whoever reads has seen enough.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    Err(Failure(format!("standard output: {error}")))
                }
                _ => Ok(Outcome::Fine),
            }
        }
        Some(path) => {
            // A file is no terminal.
            let theme = if args.color.color == ColorArg::Always { Theme::coloured() } else { Theme::plain() };
            File::create(path)
                .and_then(|file| write(&mut BufWriter::new(file), &page, args.format, &theme))
                .map_err(|error| Failure(format!("{}: {error}", path.display())))?;
            Ok(Outcome::Fine)
        }
    }
}

fn write(out: &mut dyn Write, page: &ApiPage<'_>, format: PageFormat, theme: &Theme) -> io::Result<()> {
    match format {
        PageFormat::Text => write_text(out, page, &Options { all_rows: true, ..Options::default() }, theme)?,
        PageFormat::Html => write_html(out, page)?,
    }
    out.flush()
}
