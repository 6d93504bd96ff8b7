//! From JSON to bytes.

use std::path::{Path, PathBuf};

use super::args::SchemaArgs;
use super::exit::{Failure, Outcome};
use super::inputs::read;
use super::output::FrameOutputArgs;
use super::settings;
use crate::input::json_frame::frames_from_json;
use crate::wire::Decoder;

const EXAMPLES: &str = "\
Fields that are left out have their defaults; direction, apiKey or apiName, apiVersion and body must be there. \
Lengths, counts and checksums of record batches are worked out, and their records are compressed. \
If any message is malformed nothing is written, and the exit status is 1.

Examples:
  kdissect --format json frame.bin > frame.json
  kdissect encode frame.json -o frame.bin
  kdissect --format json frame.bin | kdissect encode - --hex";

/// Arguments of `kdissect encode`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct EncodeArgs {
    /// Files with JSON, an object for each message, on lines of their own or not; - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub output: FrameOutputArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Runs `kdissect encode`.
///
/// # Errors
/// If a file cannot be read, or the output cannot be written.
pub fn run(args: &EncodeArgs) -> Result<Outcome, Failure> {
    let catalogue = settings::catalogue(&args.schemas)?;
    let mut decoder = Decoder::new(catalogue);
    let (mut bytes, mut outcome) = (Vec::new(), Outcome::Fine);
    let mut complain = |place: &str, problem: &dyn std::fmt::Display| {
        outcome = Outcome::Malformed;
        eprintln!("kdissect: {place}: {problem}");
    };
    for path in &args.files {
        let (name, json) = read(Path::new(path))?;
        let frames = frames_from_json(&mut decoder, &json);
        if frames.is_empty() {
            complain(&name, &"there is no JSON in it");
        }
        for frame in frames {
            match frame {
                Ok(frame) => bytes.extend(frame),
                Err(failed) => complain(&format!("{name}: line {}", failed.line), &failed.error),
            }
        }
    }
    // Some of the frames without the others would be taken for all of them.
    if outcome == Outcome::Fine {
        args.output.write(&bytes)?;
    }
    Ok(outcome)
}
