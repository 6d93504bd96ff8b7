//! How far the program is with an input.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use super::inputs::CaptureInput;

/// A line on standard error, if that is a terminal, for inputs that take longer than a second.
pub struct Progress {
    whole: u64,
    read: u64,
    begin: Instant,
    shown: Option<Instant>,
    packets: u32,
}

impl Progress {
    /// Before the first packet of captures.
    pub fn new(inputs: &[CaptureInput]) -> Progress {
        let sizes: Option<u64> = inputs.iter().map(|input| input.size).sum();
        let whole = sizes.filter(|_| io::stderr().is_terminal() && !io::stdout().is_terminal()).unwrap_or(0);
        Progress { whole, read: 0, begin: Instant::now(), shown: None, packets: 0 }
    }

    /// A packet of so many bytes has been read.
    pub fn add(&mut self, len: usize) {
        self.read += len as u64;
        self.packets = self.packets.wrapping_add(1);
        if self.whole == 0 || !self.packets.is_multiple_of(4096) {
            return;
        }
        let is_due = match self.shown {
            None => self.begin.elapsed() > Duration::from_secs(1),
            Some(shown) => shown.elapsed() > Duration::from_millis(200),
        };
        if is_due {
            let percent = (self.read * 100 / self.whole).min(99);
            eprint!("\r{percent}% of {} MiB", self.whole >> 20);
            self.shown = Some(Instant::now());
        }
    }

    /// Takes the line away.
    pub fn end(&self) {
        if self.shown.is_some() {
            eprint!("\r{:30}\r", "");
        }
    }
}
