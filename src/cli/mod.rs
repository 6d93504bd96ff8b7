//! The command line program.

mod apis;
mod args;
mod capture;
mod capture_trees;
mod diff;
mod dissect;
mod encode;
mod exit;
mod filter;
mod inputs;
mod list;
mod log_files;
mod output;
mod page;
mod presentation;
mod progress;
mod sample;
mod settings;
mod workers;

use std::process::ExitCode;

use args::Command;
use clap::Parser;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    // Wrong usage ends here, with status 2.
    let args = args::Args::parse();
    exit::status(match &args.command {
        None => dissect::run(&args),
        Some(Command::Page(args)) => page::run(args),
        Some(Command::Apis(args)) => apis::run(args),
        Some(Command::Sample(args)) => sample::run(args),
        Some(Command::Encode(args)) => encode::run(args),
        Some(Command::Diff(args)) => diff::run(args),
        Some(Command::List(args)) => list::run(args),
    })
}
