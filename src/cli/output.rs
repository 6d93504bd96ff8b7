//! Frames as output: bytes, or hex for people.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use super::exit::Failure;

/// Where frames go, and how they are written.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct FrameOutputArgs {
    /// Write hex, which kdissect reads too, in place of the bytes themselves
    #[arg(long)]
    pub hex: bool,

    /// Write to a file in place of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl FrameOutputArgs {
    /// Writes the bytes of frames.
    ///
    /// # Errors
    /// If that is not possible, or bytes that are no text would go to a terminal.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let hex = self.hex.then(|| hex_lines(bytes));
        let written = hex.as_ref().map_or(bytes, |text| text.as_bytes());
        if let Some(path) = &self.output {
            return fs::write(path, written).map_err(|error| Failure(format!("{}: {error}", path.display())));
        }
        let mut out = io::stdout().lock();
        if !self.hex && out.is_terminal() {
            return Err(Failure("these bytes are no text for a terminal; use --hex or -o FILE".to_owned()));
        }
        match out.write_all(written).and_then(|()| out.flush()) {
            // Whoever reads has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result.map_err(|error| Failure(format!("standard output: {error}"))),
        }
    }
}

/// Bytes on one line of hex.
const HEX_COLUMNS: usize = 16;

/// Hex in lines, bytes apart.
fn hex_lines(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3);
    for row in bytes.chunks(HEX_COLUMNS) {
        let row: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        text.push_str(&row.join(" "));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::text;

    #[test]
    fn hex_is_read_as_what_it_was_made_of() {
        let mut random = fastrand::Rng::with_seed(7);
        for size in 1..200 {
            // Bytes of two digits each, and of none but digits, look most like something else.
            for most in [0x01, 0x09, 0x10, 0xff] {
                let bytes: Vec<u8> = (0..size).map(|_| random.u8(0..=most)).collect();
                let hex = hex_lines(&bytes);
                let notation = text::recognise(hex.as_bytes()).expect(&hex);
                assert_eq!(text::decode(hex.as_bytes(), notation).expect(&hex), bytes, "{hex}");
            }
        }
    }
}
