//! Two frames compared.

use super::args::{ColorArgs, SchemaArgs};
use super::exit::{Failure, Outcome};

/// Arguments of `kdissect diff`.
#[derive(clap::Args, Debug)]
pub struct DiffArgs {
    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Runs `kdissect diff`.
pub fn run(_args: &DiffArgs) -> Result<Outcome, Failure> {
    Err(Failure("not there yet".to_owned()))
}
