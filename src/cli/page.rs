//! The documentation page of an API.

use super::args::{ColorArgs, SchemaArgs};
use super::exit::{Failure, Outcome};

/// Arguments of `kdissect page`.
#[derive(clap::Args, Debug)]
pub struct PageArgs {
    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Runs `kdissect page`.
pub fn run(_args: &PageArgs) -> Result<Outcome, Failure> {
    Err(Failure("not there yet".to_owned()))
}
