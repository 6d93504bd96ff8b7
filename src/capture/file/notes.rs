//! Notes that wait to be taken.

/// So many wait at most; the rest is counted.
const MOST: usize = 64;

/// Notes that wait to be taken, boundedly many.
pub(in crate::capture) struct Notes<N> {
    waiting: Vec<N>,
    more: u64,
}

impl<N> Notes<N> {
    pub fn new() -> Notes<N> {
        Notes { waiting: Vec::new(), more: 0 }
    }

    #[cold]
    pub fn add(&mut self, note: N) {
        if self.waiting.len() < MOST {
            self.waiting.push(note);
        } else {
            self.more += 1;
        }
    }

    /// Takes all, and at the end what `more` makes of the number of those that did not fit.
    pub fn take(&mut self, more: impl FnOnce(u64) -> N) -> std::vec::Drain<'_, N> {
        match std::mem::take(&mut self.more) {
            0 => {}
            left_out => self.waiting.push(more(left_out)),
        }
        self.waiting.drain(..)
    }
}
