//! `kdissect`: arguments in, exit status out.

use std::process::ExitCode;

fn main() -> ExitCode {
    kdissect::cli::main()
}
