//! pcapng: blocks, some of which have packets. A section header sets the byte order of what follows and forgets the interfaces.

use std::io::Read;

use pcap_parser::parse_sectionheaderblock;

use super::interface::Interface;
use super::note::FileNoteKind;
use super::packet_block::{PacketBlock, PacketBlockKind};
use super::window::Window;
use super::{CaptureError, MOST_OF_A_PACKET};
use crate::capture::Time;

/// The type of a section header, the same in both byte orders.
const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const INTERFACE_DESCRIPTION: u32 = 1;
const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
/// Type, length, and what comes first in a section header: its byte order.
const HEAD: usize = 12;
/// What a packet's block has besides the packet, options included.
const MOST_BESIDES: u32 = 1 << 20;
/// Descriptions that are longer are skipped.
const MOST_OF_A_DESCRIPTION: u32 = 1 << 20;
/// More interfaces than anybody has.
const MOST_INTERFACES: usize = 1 << 16;

/// Whether a file begins as pcapng files do.
pub(super) fn is_magic(first: &[u8]) -> bool {
    first.starts_with(&SECTION_HEADER.to_be_bytes())
}

/// Whether these are the four bytes that tell the byte order.
pub(super) fn is_byte_order(bytes: &[u8]) -> bool {
    bytes.first_chunk().and_then(|bytes| is_big_endian(*bytes)).is_some()
}

fn is_big_endian(bytes: [u8; 4]) -> Option<bool> {
    match bytes {
        _ if u32::from_be_bytes(bytes) == BYTE_ORDER_MAGIC => Some(true),
        _ if u32::from_le_bytes(bytes) == BYTE_ORDER_MAGIC => Some(false),
        _ => None,
    }
}

/// Where the reading of a pcapng file is.
#[derive(Default)]
pub(super) struct Pcapng {
    big_endian: bool,
    /// Those of the section; nothing where a description is broken, since packets count them.
    interfaces: Vec<Option<Interface>>,
    /// How many blocks there have been.
    blocks: u64,
}

/// What came next.
pub(super) enum Step {
    /// A packet, still in the window: of its block, which has `block` bytes in the window, those from `at` on.
    Packet { packet: BlockPacket, at: usize, block: usize },
    /// A packet that was skipped.
    Skipped(FileNoteKind),
    /// Something to say between packets.
    Note(FileNoteKind),
    /// The end.
    End,
}

/// A packet that came in a block.
pub(super) struct BlockPacket {
    pub time: Option<Time>,
    pub link_type: u16,
    pub captured: u32,
    pub original: u32,
}

impl Pcapng {
    /// Goes on to the next packet, or to something that must be told.
    pub fn step<R: Read>(&mut self, window: &mut Window<R>) -> Result<Step, CaptureError> {
        loop {
            let head = window.peek(HEAD);
            if head.is_empty() {
                return Ok(Step::End);
            }
            self.blocks += 1;
            let block = self.blocks;
            let Some(head) = head.first_chunk::<HEAD>() else {
                let found = head.len() as u64;
                window.advance(HEAD);
                return Ok(Step::Note(FileNoteKind::FileCut { wanted: HEAD as u64, found }));
            };
            let is_section = is_magic(head);
            if is_section {
                let magic = [head[8], head[9], head[10], head[11]];
                let Some(big_endian) = is_big_endian(magic) else {
                    return Err(CaptureError::ByteOrder { block, magic: u32::from_be_bytes(magic) });
                };
                self.big_endian = big_endian;
                self.interfaces.clear();
            }
            let word = |at: usize| {
                let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
                if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
            };
            let (block_type, length) = (word(0), word(4));
            if length < HEAD as u32 {
                return Err(CaptureError::BlockLength { block, length });
            }
            let step = if let Some(kind) = PacketBlockKind::of(block_type) {
                Some(self.packet(window, kind, length))
            } else if is_section || block_type == INTERFACE_DESCRIPTION {
                self.description(window, is_section, length).map(Step::Note)
            } else {
                skip(window, length).map(Step::Note)
            };
            if let Some(step) = step {
                return Ok(step);
            }
        }
    }

    fn packet<R: Read>(&self, window: &mut Window<R>, kind: PacketBlockKind, length: u32) -> Step {
        let block = self.blocks;
        if length > MOST_OF_A_PACKET + MOST_BESIDES {
            skip(window, length);
            return Step::Skipped(FileNoteKind::LongPacket { block, length });
        }
        let length = length as usize;
        let bytes = window.peek(length);
        let bytes = &bytes[..bytes.len().min(length)];
        let found = bytes.len();
        let is_whole = found == length;
        let packet = if is_whole {
            PacketBlock::whole(kind, bytes, self.big_endian)
        } else {
            // What it says of its length may still be wrong.
            PacketBlock::cut(kind, bytes, self.big_endian)
                .filter(|packet| packet.captured as usize <= length - kind.data_at())
        };
        let skipped = match packet {
            None if is_whole => FileNoteKind::BrokenPacket { block },
            None => {
                window.advance(found);
                return Step::Note(FileNoteKind::FileCut { wanted: length as u64, found: found as u64 });
            }
            Some(packet) => match self.interfaces.get(packet.interface as usize) {
                Some(Some(interface)) => {
                    let packet = BlockPacket {
                        time: packet.time.and_then(|time| interface.resolution.time(time)),
                        link_type: interface.link_type,
                        captured: match interface.snap_length {
                            most @ 1.. if kind == PacketBlockKind::Simple => packet.captured.min(most),
                            _ => packet.captured,
                        },
                        original: packet.original,
                    };
                    return Step::Packet { packet, at: kind.data_at(), block: found };
                }
                _ => FileNoteKind::UnknownInterface { block, interface: packet.interface },
            },
        };
        window.advance(found);
        Step::Skipped(skipped)
    }

    fn description<R: Read>(
        &mut self,
        window: &mut Window<R>,
        is_section: bool,
        length: u32,
    ) -> Option<FileNoteKind> {
        let block = self.blocks;
        let block_type = if is_section { SECTION_HEADER } else { INTERFACE_DESCRIPTION };
        let broken = Some(FileNoteKind::BrokenBlock { block, block_type });
        if length > MOST_OF_A_DESCRIPTION {
            if !is_section {
                self.add_interface(None);
            }
            return skip(window, length).or(broken);
        }
        let bytes = window.peek(length as usize);
        let Some(bytes) = bytes.get(..length as usize) else {
            return skip(window, length);
        };
        let note = if is_section {
            // All that matters of it was read before; this tells whether the rest makes sense.
            parse_sectionheaderblock(bytes).is_err().then_some(broken).flatten()
        } else {
            let interface = Interface::new(bytes, self.big_endian);
            let is_broken = interface.is_none();
            match self.add_interface(interface) {
                false => Some(FileNoteKind::TooManyInterfaces { block }),
                true if is_broken => broken,
                true => None,
            }
        };
        window.advance(length as usize);
        note
    }

    /// Returns whether there was room for it.
    fn add_interface(&mut self, interface: Option<Interface>) -> bool {
        let has_room = self.interfaces.len() < MOST_INTERFACES;
        if has_room {
            self.interfaces.push(interface);
        }
        has_room
    }
}

/// Goes on over a block. Says so if the file ends in it.
fn skip<R: Read>(window: &mut Window<R>, length: u32) -> Option<FileNoteKind> {
    let (wanted, found) = (u64::from(length), window.skip(u64::from(length)));
    (found < wanted).then_some(FileNoteKind::FileCut { wanted, found })
}
