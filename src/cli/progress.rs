//! How far the program is with an input.

use std::cell::Cell;
use std::fmt;
use std::io::{self, IsTerminal, Read};
use std::rc::Rc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::inputs::CaptureInput;

/// Inputs that take longer have a bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// So often a second it is drawn.
const DRAWN: u8 = 5;
/// So many packets pass between two looks at the clock.
const PACKETS: u32 = 4096;

/// A bar on standard error, if that is a terminal and the only one, for inputs that take longer than a second.
pub struct Progress {
    /// How many bytes there are; 0 if nobody wants to know how far it is.
    whole: u64,
    read: Rc<Cell<u64>>,
    begin: Instant,
    packets: u32,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Before captures are read. What is read of them is counted.
    pub fn new(inputs: &mut [CaptureInput]) -> Progress {
        let sizes: Option<u64> = inputs.iter().map(|input| input.size).sum();
        // Between the lines of the output it would be in the way.
        let whole = sizes.filter(|_| io::stderr().is_terminal() && !io::stdout().is_terminal()).unwrap_or(0);
        let read = Rc::new(Cell::new(0));
        if whole > 0 {
            for input in inputs {
                let bytes = std::mem::replace(&mut input.bytes, Box::new(io::empty()));
                input.bytes = Box::new(Counted { bytes, read: Rc::clone(&read) });
            }
        }
        Progress { whole, read, begin: Instant::now(), packets: 0, bar: None }
    }

    /// A packet has been looked at.
    pub fn next_packet(&mut self) {
        self.packets = self.packets.wrapping_add(1);
        if self.whole == 0 || !self.packets.is_multiple_of(PACKETS) {
            return;
        }
        let read = self.read.get().min(self.whole);
        match &self.bar {
            Some(bar) => bar.set_position(read),
            None if self.begin.elapsed() > PATIENCE => {
                self.bar = Some(bar(self.whole).with_position(read).with_elapsed(self.begin.elapsed()));
            }
            None => {}
        }
    }

    /// Takes the bar away while something else may be written to standard error.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(whole: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(whole), ProgressDrawTarget::stderr_with_hz(DRAWN));
    let template = "[{bar:40}] {percent}% of {binary_total_bytes}, {left} s left";
    // Captures are much the same from beginning to end, so the time that is left is in proportion.
    let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
        let done = f64::from(state.fraction()).max(0.001);
        let _ = write!(text, "{:.0}", (state.elapsed().as_secs_f64() * (1.0 - done) / done).ceil());
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.with_key("left", left).progress_chars("=> ")),
        // It is never wrong.
        Err(_) => bar,
    }
}

/// Counts what is read, of a compressed file as many bytes as the file has.
struct Counted {
    bytes: Box<dyn Read>,
    read: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.bytes.read(buffer)?;
        self.read.set(self.read.get() + len as u64);
        Ok(len)
    }
}
