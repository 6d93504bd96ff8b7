//! Several capture files as one, in the order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::Read;

use super::{CaptureError, FileNote, Packet, PacketReader};
use crate::capture::Time;

/// Several capture files that are read as one, in the order of time. Each is taken to be in order itself, and a packet without a
/// time to come right after the one before it.
pub struct Merge<R: Read> {
    readers: Vec<PacketReader<R>>,
    /// The time of the packet that each reader is at, if it is at one, then the reader's index: the earliest first.
    waiting: BinaryHeap<Reverse<(Time, usize)>>,
    /// The readers to advance before the next packet can be chosen, the last one first, with the time they were at.
    behind: Vec<(usize, Time)>,
    /// How many packets were handed out.
    packets: u64,
}

/// What a [`Merge`] hands out.
#[derive(Debug)]
pub struct Merged<T> {
    /// The index of the file that it comes from.
    pub file: usize,
    /// What it is.
    pub item: T,
}

impl<R: Read> Merge<R> {
    /// Files that are read as one.
    pub fn new(readers: Vec<PacketReader<R>>) -> Merge<R> {
        let behind = (0..readers.len()).rev().map(|index| (index, Time(i64::MIN))).collect();
        Merge { readers, waiting: BinaryHeap::new(), behind, packets: 0 }
    }

    /// The next packet of all files; `None` at the end of the last. Packets are numbered in the order in which they are handed out.
    ///
    /// # Errors
    /// If nothing more can be read from one of the files. The others go on.
    pub fn next_packet(&mut self) -> Option<Merged<Result<Packet<'_>, CaptureError>>> {
        while let Some((file, before)) = self.behind.pop() {
            match self.readers[file].advance() {
                Some(Ok(())) => {
                    let time = self.readers[file].packet().time.unwrap_or(before);
                    self.waiting.push(Reverse((time, file)));
                }
                Some(Err(error)) => return Some(Merged { file, item: Err(error) }),
                None => {}
            }
        }
        let Reverse((time, file)) = self.waiting.pop()?;
        self.behind.push((file, time));
        self.packets += 1;
        let packet = Packet { number: self.packets, ..self.readers[file].packet() };
        Some(Merged { file, item: Ok(packet) })
    }

    /// Takes the notes that have come up, with the numbers that packets have in their own files. A file is read one packet ahead of what
    /// was handed out.
    pub fn take_notes(&mut self) -> impl Iterator<Item = Merged<FileNote>> + '_ {
        let readers = self.readers.iter_mut().enumerate();
        readers.flat_map(|(file, reader)| reader.take_notes().map(move |item| Merged { file, item }))
    }
}
