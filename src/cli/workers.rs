//! Texts that are made by several threads and come out in the order in which they were asked for.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread::{self, Scope};

/// What becomes text.
pub trait Work: Send {
    /// Appends its text.
    fn write(&mut self, text: &mut Vec<u8>) -> io::Result<()>;

    /// About how many bytes of memory it takes, without its text.
    fn weight(&self) -> usize;

    /// About how many bytes its text will have, rather too many than too few.
    fn text_len(&self) -> usize;
}

/// Work for each thread that waits while it does another.
const QUEUED: usize = 2;
/// More threads would wait for what they are given.
const MOST_THREADS: usize = 7;
/// So much work for each thread is under way at most, and of all together so many bytes.
const MOST_PENDING: usize = 6;
const MOST_WEIGHT: usize = 64 << 20;
/// So many bytes of memory for texts are kept for others.
const SPARE_KEPT: usize = 16 << 20;

/// Work, and what has become of it.
struct Job<W> {
    work: W,
    text: Vec<u8>,
    result: io::Result<()>,
}

impl<W: Work> Job<W> {
    fn run(&mut self) {
        // Memory that grows would be copied each time, even if there is nothing in it.
        let len = self.work.text_len();
        if self.text.capacity() < len {
            self.text = Vec::with_capacity(len);
        }
        self.result = self.work.write(&mut self.text);
    }
}

/// A job together with the way back.
type Errand<W> = (Job<W>, SyncSender<Job<W>>);

enum Pending<W> {
    Done(Job<W>),
    UnderWay(Receiver<Job<W>>),
}

/// The threads, and the work that has not come out yet. The thread that hands in work does some too rather than wait.
pub struct Workers<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    /// How many threads there will be once they are needed.
    wanted: usize,
    threads: Vec<SyncSender<Errand<W>>>,
    /// In the order in which it was handed in, with its weight.
    pending: VecDeque<(usize, Pending<W>)>,
    weight: usize,
    /// Work whose text has been written.
    finished: Vec<W>,
    spare: Vec<Vec<u8>>,
    /// How many bytes that is.
    spare_kept: usize,
}

impl<'scope, 'env, W: Work + 'scope> Workers<'scope, 'env, W> {
    /// As many as there are processors, with the one that hands in the work.
    pub fn new(scope: &'scope Scope<'scope, 'env>) -> Workers<'scope, 'env, W> {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        Workers::with_threads(scope, (processors - 1).min(MOST_THREADS))
    }

    fn with_threads(scope: &'scope Scope<'scope, 'env>, wanted: usize) -> Workers<'scope, 'env, W> {
        let (threads, pending, finished, spare) = Default::default();
        Workers { scope, wanted, threads, pending, weight: 0, finished, spare, spare_kept: 0 }
    }

    /// Hands in work. What has become text by then is written.
    ///
    /// # Errors
    /// If `out` cannot be written to, or other work went wrong.
    pub fn hand_in(&mut self, work: W, out: &mut dyn Write) -> io::Result<()> {
        while self.threads.len() < self.wanted {
            self.start_thread();
        }
        let weight = work.weight() + work.text_len();
        let text = self.spare.pop().unwrap_or_default();
        self.spare_kept -= text.capacity();
        let job = Job { work, text, result: Ok(()) };
        let pending = self.offer(job);
        self.pending.push_back((weight, pending));
        self.weight += weight;
        while self.is_next_done() || self.are_too_many() {
            self.write_next(out)?;
        }
        Ok(())
    }

    /// Waits until all that was handed in is written.
    ///
    /// # Errors
    /// If `out` cannot be written to, or some work went wrong.
    pub fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        while !self.pending.is_empty() {
            self.write_next(out)?;
        }
        Ok(())
    }

    /// Work whose text has been written, to use its memory again.
    pub fn take_finished(&mut self) -> Option<W> {
        self.finished.pop()
    }

    fn start_thread(&mut self) {
        let (sender, receiver) = sync_channel::<Errand<W>>(QUEUED);
        self.threads.push(sender);
        self.scope.spawn(move || {
            for (mut job, back) in receiver {
                job.run();
                // If nobody wants it any more, nobody is missing anything.
                let _ = back.send(job);
            }
        });
    }

    /// Gives a job to a thread, or if all have enough to do, does it here.
    fn offer(&self, job: Job<W>) -> Pending<W> {
        let (back, receiver) = sync_channel(1);
        let mut errand = (job, back);
        for thread in &self.threads {
            match thread.try_send(errand) {
                Ok(()) => return Pending::UnderWay(receiver),
                Err(TrySendError::Full(refused) | TrySendError::Disconnected(refused)) => errand = refused,
            }
        }
        let mut job = errand.0;
        job.run();
        Pending::Done(job)
    }

    fn are_too_many(&self) -> bool {
        self.pending.len() > MOST_PENDING * (1 + self.threads.len())
            || (self.weight > MOST_WEIGHT && !self.pending.is_empty())
    }

    /// Whether the text that comes next is there.
    fn is_next_done(&mut self) -> bool {
        let Some((_, next)) = self.pending.front_mut() else { return false };
        if let Pending::UnderWay(receiver) = next {
            match receiver.try_recv() {
                Ok(job) => *next = Pending::Done(job),
                Err(TryRecvError::Empty) => return false,
                // That is for `write_next` to say.
                Err(TryRecvError::Disconnected) => {}
            }
        }
        true
    }

    /// Waits for the next text and writes it.
    fn write_next(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some((weight, next)) = self.pending.pop_front() else { return Ok(()) };
        self.weight -= weight;
        let mut job = match next {
            Pending::Done(job) => job,
            Pending::UnderWay(receiver) => receiver.recv().map_err(io::Error::other)?,
        };
        job.result?;
        out.write_all(&job.text)?;
        self.finished.push(job.work);
        if self.spare_kept + job.text.capacity() <= SPARE_KEPT {
            self.spare_kept += job.text.capacity();
            job.text.clear();
            self.spare.push(job.text);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Number(usize);

    impl Work for Number {
        fn write(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
            // Some take longer than others.
            thread::sleep(std::time::Duration::from_micros(self.0 as u64 * 7919 % 300));
            if self.0 == 666 {
                return Err(io::Error::other("the number of the beast"));
            }
            writeln!(text, "{}", self.0)
        }

        fn weight(&self) -> usize {
            if self.0 == 50 { MOST_WEIGHT + 1 } else { 100 }
        }

        fn text_len(&self) -> usize {
            2
        }
    }

    #[test]
    fn texts_come_in_the_order_in_which_they_were_asked_for() {
        let expected: String = (0..300).map(|number| format!("{number}\n")).collect();
        for threads in 0..4 {
            let mut out = Vec::new();
            let finished = thread::scope(|scope| {
                let mut workers = Workers::with_threads(scope, threads);
                for number in 0..300 {
                    workers.hand_in(Number(number), &mut out).unwrap();
                    assert!(workers.pending.len() <= MOST_PENDING * (1 + threads));
                    assert!(workers.weight <= MOST_WEIGHT);
                }
                workers.finish(&mut out).unwrap();
                std::iter::from_fn(|| workers.take_finished()).count()
            });
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{threads} threads");
            assert_eq!(finished, 300);
        }
    }

    #[test]
    fn what_goes_wrong_is_told_after_all_that_came_before() {
        let mut out = Vec::new();
        let result = thread::scope(|scope| {
            let mut workers = Workers::with_threads(scope, 2);
            let numbers = (660..680).try_for_each(|number| workers.hand_in(Number(number), &mut out));
            numbers.and_then(|()| workers.finish(&mut out))
        });
        assert_eq!(result.unwrap_err().to_string(), "the number of the beast");
        assert_eq!(out, b"660\n661\n662\n663\n664\n665\n");
    }
}
