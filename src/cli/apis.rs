//! The list of APIs.

use super::args::{ColorArgs, SchemaArgs};
use super::exit::{Failure, Outcome};

/// Arguments of `kdissect apis`.
#[derive(clap::Args, Debug)]
pub struct ApisArgs {
    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Runs `kdissect apis`.
pub fn run(_args: &ApisArgs) -> Result<Outcome, Failure> {
    Err(Failure("not there yet".to_owned()))
}
