//! Specimens of messages.

use super::args::SchemaArgs;
use super::exit::{Failure, Outcome};
use super::output::FrameOutputArgs;
use super::settings;
use crate::schema::Direction;
use crate::wire::Decoder;
use crate::wire::assemble::{HeaderValues, assemble, plans};
use crate::wire::instance;

const EXAMPLES: &str = "\
Examples:
  kdissect sample Fetch --hex
  kdissect sample Fetch --api-version 4 --random 7 | kdissect -
  kdissect sample Metadata --response -o metadata.bin";

/// Arguments of `kdissect sample`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SampleArgs {
    /// The API: its name or key
    #[arg(value_name = "API")]
    pub api: String,

    /// A response in place of a request
    #[arg(long)]
    pub response: bool,

    /// The version; if not given, the newest that will not change any more
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub api_version: Option<i16>,

    /// Random values, the same for the same seed, in place of the smallest legal message
    #[arg(long, value_name = "SEED")]
    pub random: Option<u64>,

    #[command(flatten)]
    pub output: FrameOutputArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Runs `kdissect sample`.
///
/// # Errors
/// If there is no such API or version, or the output cannot be written.
pub fn run(args: &SampleArgs) -> Result<Outcome, Failure> {
    let catalogue = settings::catalogue(&args.schemas)?;
    let api = settings::api(catalogue, &args.api)?;
    let version = match args.api_version {
        Some(version) => {
            settings::known_version(api, version)?;
            version
        }
        None => catalogue.newest_stable(api),
    };
    let direction = if args.response { Direction::Response } else { Direction::Request };
    let mut decoder = Decoder::new(catalogue);
    let Some((header_plan, plan)) = plans(&mut decoder, direction, api.key, version) else {
        let word = direction.word();
        return Err(Failure(format!("{} has no {word} of version {version}", api.name)));
    };
    let body = match args.random {
        Some(seed) => instance::random(&plan, &mut fastrand::Rng::with_seed(seed)),
        None => instance::smallest(&plan),
    };
    let frame = assemble(&header_plan, &plan, &HeaderValues::default(), &body)
        .map_err(|error| Failure(error.to_string()))?;
    args.output.write(&frame)?;
    Ok(Outcome::Fine)
}
