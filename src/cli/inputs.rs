//! Gets the bytes: from files, standard input and arguments, written as bytes or as text.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use super::args::InputArgs;
use super::exit::Failure;
use crate::input::text;

/// The bytes of one input.
pub struct Input {
    /// What messages call it.
    pub name: String,
    /// Its bytes, or why its text stands for none.
    pub bytes: Result<Vec<u8>, text::TextError>,
}

/// All inputs, in the order: files as they were named, `--hex`, `--base64`.
///
/// # Errors
/// If there is none, or one cannot be read.
pub fn inputs(files: &[PathBuf], args: &InputArgs) -> Result<Vec<Input>, Failure> {
    let mut inputs = Vec::new();
    for path in files {
        inputs.push(file(path)?);
    }
    for hex in &args.hex {
        inputs.push(Input { name: "--hex".to_owned(), bytes: text::decode_hex_argument(hex) });
    }
    for base64 in &args.base64 {
        inputs.push(Input { name: "--base64".to_owned(), bytes: text::decode_base64(base64) });
    }
    if inputs.is_empty() {
        if io::stdin().is_terminal() {
            return Err(Failure("no input: name a file, - for standard input, or see --help".to_owned()));
        }
        inputs.push(standard_input()?);
    }
    Ok(inputs)
}

fn standard_input() -> Result<Input, Failure> {
    file(Path::new("-"))
}

fn file(path: &Path) -> Result<Input, Failure> {
    let (name, bytes) = read(path)?;
    Ok(Input { name, bytes: recognised(bytes) })
}

/// What is in a file, or comes in by standard input for `-`, and what messages call it.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    if path == Path::new("-") {
        let name = "standard input".to_owned();
        let mut bytes = Vec::new();
        return match io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => Ok((name, bytes)),
            Err(error) => Err(Failure(format!("{name}: {error}"))),
        };
    }
    let name = path.display().to_string();
    if path.is_dir() {
        return Err(Failure(format!("{name}: this is a folder; name a file in it")));
    }
    match fs::read(path) {
        Ok(bytes) => Ok((name, bytes)),
        Err(error) => Err(Failure(format!("{name}: {error}"))),
    }
}

/// The bytes that text stands for, if it is such text; else the bytes as they are.
fn recognised(bytes: Vec<u8>) -> Result<Vec<u8>, text::TextError> {
    match text::recognise(&bytes) {
        Some(notation) => text::decode(&bytes, notation),
        None => Ok(bytes),
    }
}
