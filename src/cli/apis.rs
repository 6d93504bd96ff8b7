//! The list of APIs.

use std::io::{self, Write};

use super::args::{ColorArgs, FormatArg, SchemaArgs};
use super::exit::{Failure, Outcome};
use super::settings;
use crate::render::{catalogue_json, catalogue_text};
use crate::schema::Overview;

const LEGEND: &str = "\
versions   the versions that any release has spoken, from 0.8 on
flexible   from which version on lengths are compact and fields can be tagged
headers    the versions of the headers of request and response, in the list those of the newest version
since      the first release that speaks a version without being told to
listeners  which listeners serve the API";

/// Arguments of `kdissect apis`.
#[derive(clap::Args, Debug)]
#[command(after_help = LEGEND)]
pub struct ApisArgs {
    /// Show what each version of this API changed: its name or key
    #[arg(value_name = "NAME-OR-KEY")]
    pub api: Option<String>,

    /// Text for people, or JSON: an array of all APIs, or an object for one
    #[arg(long, value_enum, default_value_t = FormatArg::Text, help_heading = "Output")]
    pub format: FormatArg,

    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Runs `kdissect apis`.
///
/// # Errors
/// If there is no such API, or the user's definitions cannot be read.
pub fn run(args: &ApisArgs) -> Result<Outcome, Failure> {
    let catalogue = settings::catalogue(&args.schemas)?;
    let theme = settings::theme(&args.color);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let written = match &args.api {
        None => {
            let apis: Vec<Overview> =
                catalogue.apis().filter_map(|api| Overview::of(catalogue, api)).collect();
            match args.format {
                FormatArg::Text => catalogue_text::write_apis(&mut out, &apis, &theme),
                FormatArg::Json => catalogue_json::write_apis(&mut out, &apis),
            }
        }
        Some(name_or_key) => {
            let api = settings::api(catalogue, name_or_key)?;
            let overview = Overview::of(catalogue, api)
                .ok_or_else(|| Failure(format!("no version of {} is known", api.name)))?;
            match args.format {
                FormatArg::Text => catalogue_text::write_api(&mut out, &overview, settings::width(), &theme),
                FormatArg::Json => catalogue_json::write_api(&mut out, &overview),
            }
        }
    };
    match written.and_then(|()| out.flush()) {
        Ok(()) => Ok(Outcome::Fine),
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Fine),
        Err(error) => Err(Failure(format!("standard output: {error}"))),
    }
}
