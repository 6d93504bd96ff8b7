//! From JSON to bytes.

use super::args::{ColorArgs, SchemaArgs};
use super::exit::{Failure, Outcome};

/// Arguments of `kdissect encode`.
#[derive(clap::Args, Debug)]
pub struct EncodeArgs {
    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Runs `kdissect encode`.
pub fn run(_args: &EncodeArgs) -> Result<Outcome, Failure> {
    Err(Failure("not there yet".to_owned()))
}
