//! The command line program.

mod args;
mod dissect;
mod exit;
mod inputs;
mod settings;

use std::process::ExitCode;

use clap::Parser;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    // Wrong usage ends here, with status 2.
    let args = args::Args::parse();
    exit::status(dissect::run(&args))
}
