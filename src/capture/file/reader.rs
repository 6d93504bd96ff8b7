//! A capture file, packet by packet.

use std::io::Read;

use super::compression::Decompressed;
use super::note::{FileNote, FileNoteKind};
use super::notes::Notes;
use super::pcap::{self, Pcap};
use super::pcapng::{self, Pcapng, Step};
use super::window::Window;
use super::{CaptureError, MOST_OF_A_PACKET, Packet};
use crate::capture::Time;

/// A capture file that is being read. It needs as much memory as its longest packet, and a little more.
pub struct PacketReader<R: Read> {
    window: Window<Decompressed<R>>,
    format: Format,
    notes: Notes<FileNote>,
    current: Current,
}

enum Format {
    /// Nothing was read yet.
    Unknown,
    Pcap(Pcap),
    Pcapng(Pcapng),
    /// Nothing more is read.
    Over,
}

/// The packet that was read last.
#[derive(Default)]
struct Current {
    number: u64,
    time: Option<Time>,
    link_type: u16,
    original_length: u32,
    /// Where in the window its data begins, and how many bytes there are of it.
    at: usize,
    len: usize,
    /// How many bytes of the window it takes with all that is around it.
    taken: usize,
}

impl<R: Read> PacketReader<R> {
    /// A reader of a capture in any format, compressed or not. Nothing is read yet.
    pub fn new(read: R) -> PacketReader<R> {
        PacketReader {
            window: Window::new(Decompressed::new(read)),
            format: Format::Unknown,
            notes: Notes::new(),
            current: Current::default(),
        }
    }

    /// The next packet; `None` at the end.
    ///
    /// # Errors
    /// If nothing more can be read. After that comes `None`.
    pub fn next_packet(&mut self) -> Option<Result<Packet<'_>, CaptureError>> {
        Some(self.advance()?.map(|()| self.packet()))
    }

    /// Takes the notes that have come up since they were taken last. They are about the packet that was handed out last and those before it.
    pub fn take_notes(&mut self) -> std::vec::Drain<'_, FileNote> {
        let packet = self.current.number;
        self.notes.take(|notes| FileNote { packet, kind: FileNoteKind::More { notes } })
    }

    /// Goes on to the next packet.
    pub(super) fn advance(&mut self) -> Option<Result<(), CaptureError>> {
        self.window.advance(std::mem::take(&mut self.current.taken));
        let result = match self.step() {
            Ok(true) => return Some(Ok(())),
            Ok(false) => self.window.take_error().map(|error| Err(error.into())),
            // A file that cannot be read looks like one that is cut off.
            Err(error) => Some(Err(self.window.take_error().map_or(error, Into::into))),
        };
        self.format = Format::Over;
        self.current.len = 0;
        result
    }

    /// The packet that was read last.
    #[inline]
    pub(super) fn packet(&self) -> Packet<'_> {
        let current = &self.current;
        Packet {
            number: current.number,
            time: current.time,
            link_type: current.link_type,
            data: self.window.bytes(current.at, current.len),
            original_length: current.original_length,
        }
    }

    /// Returns whether there is a packet.
    fn step(&mut self) -> Result<bool, CaptureError> {
        if matches!(self.format, Format::Unknown) {
            self.format = self.begin()?;
        }
        loop {
            let kind = match &mut self.format {
                Format::Pcap(pcap) => {
                    let pcap = *pcap;
                    return self.pcap_packet(pcap);
                }
                Format::Pcapng(pcapng) => match pcapng.step(&mut self.window)? {
                    Step::Packet { packet, at, block } => {
                        self.current.number += 1;
                        let (captured, original) = (packet.captured, packet.original);
                        self.set(packet.time, packet.link_type, (captured, original), at);
                        self.current.taken = block;
                        return Ok(true);
                    }
                    Step::Skipped(kind) => {
                        self.current.number += 1;
                        kind
                    }
                    Step::Note(kind) => kind,
                    Step::End => return Ok(false),
                },
                Format::Unknown | Format::Over => return Ok(false),
            };
            self.note(kind);
        }
    }

    fn begin(&mut self) -> Result<Format, CaptureError> {
        let first = self.window.peek(4);
        if pcapng::is_magic(first) {
            return Ok(Format::Pcapng(Pcapng::default()));
        }
        if !pcap::is_magic(first) {
            return Err(if first.is_empty() { CaptureError::Empty } else { CaptureError::NotACapture });
        }
        let header = self.window.peek(pcap::HEADER);
        let header = header
            .first_chunk()
            .ok_or(CaptureError::HeaderCut { wanted: pcap::HEADER, found: header.len() })?;
        let pcap = Pcap::new(header).ok_or(CaptureError::NotACapture)?;
        self.window.advance(pcap::HEADER);
        Ok(Format::Pcap(pcap))
    }

    fn pcap_packet(&mut self, pcap: Pcap) -> Result<bool, CaptureError> {
        let there = self.window.peek(pcap.head);
        let (found, wanted) = (there.len(), pcap.head);
        let Some(head) = pcap.packet(there).filter(|_| found >= wanted) else {
            if found > 0 {
                self.window.advance(found);
                self.note(FileNoteKind::FileCut { wanted: wanted as u64, found: found as u64 });
            }
            return Ok(false);
        };
        self.current.number += 1;
        if head.captured > MOST_OF_A_PACKET {
            return Err(CaptureError::PacketLength { packet: self.current.number, length: head.captured });
        }
        let taken = wanted + head.captured as usize;
        if found < taken {
            self.window.peek(taken);
        }
        self.set(Some(head.time), pcap.link_type, (head.captured, head.original), wanted);
        self.current.taken = wanted + self.current.len;
        Ok(true)
    }

    /// Makes a packet the current one, as much of it as is in the window.
    fn set(&mut self, time: Option<Time>, link_type: u16, (captured, original): (u32, u32), at: usize) {
        let there = self.window.peek(0).len().saturating_sub(at);
        let current = &mut self.current;
        current.time = time;
        current.link_type = link_type;
        current.original_length = original.max(captured);
        current.at = at;
        current.len = there.min(captured as usize);
        let found = current.len as u32;
        if found < captured {
            self.note(FileNoteKind::PacketCut { wanted: captured, found });
        }
        if captured > original {
            self.note(FileNoteKind::MoreThanOriginal { captured, original });
        }
    }

    #[cold]
    fn note(&mut self, kind: FileNoteKind) {
        self.notes.add(FileNote { packet: self.current.number, kind });
    }
}
