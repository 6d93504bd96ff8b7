//! Specimens of messages.

use super::args::{ColorArgs, SchemaArgs};
use super::exit::{Failure, Outcome};

/// Arguments of `kdissect sample`.
#[derive(clap::Args, Debug)]
pub struct SampleArgs {
    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Runs `kdissect sample`.
pub fn run(_args: &SampleArgs) -> Result<Outcome, Failure> {
    Err(Failure("not there yet".to_owned()))
}
