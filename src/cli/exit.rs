//! How the program ends.

use std::process::ExitCode;

/// How a run went that could be carried out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// All is well: status 0.
    Fine,
    /// Something in the input was malformed: status 1.
    Malformed,
}

/// Why a run could not be carried out, in words: wrong usage or unreadable input, status 2.
#[derive(Debug)]
pub struct Failure(pub String);

/// The exit status of a run. A failure is told on standard error.
pub fn status(result: Result<Outcome, Failure>) -> ExitCode {
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Malformed) => ExitCode::from(1),
        Err(Failure(message)) => {
            eprintln!("kdissect: {message}");
            ExitCode::from(2)
        }
    }
}
