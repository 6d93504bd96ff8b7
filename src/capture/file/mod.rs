//! Capture files: pcap (draft-ietf-opsawg-pcap) and pcapng (draft-ietf-opsawg-pcapng), compressed or not. A [`PacketReader`] hands
//! out each packet as soon as its bytes are there, so that a capture can be read while it is made; [`Merge`] reads several files in
//! the order of time.
//!
//! What does not end a file is told in notes, which wait in the reader until someone takes them.
//!
//! ```
//! use kdissect::capture::PacketReader;
//!
//! let file = b"\xd4\xc3\xb2\xa1\x02\0\x04\0\0\0\0\0\0\0\0\0\0\0\x04\0\x01\0\0\0\x0a\0\0\0\0\0\0\0\x03\0\0\0\x09\0\0\0abc";
//! let mut reader = PacketReader::new(&file[..]);
//! let packet = reader.next_packet().unwrap()?;
//! assert_eq!((packet.number, packet.link_type, packet.data, packet.original_length), (1, 1, &b"abc"[..], 9));
//! assert!(reader.next_packet().is_none());
//! assert_eq!(reader.take_notes().count(), 0);
//! # Ok::<(), kdissect::capture::file::CaptureError>(())
//! ```

mod compression;
mod error;
mod interface;
mod merge;
mod note;
mod notes;
mod packet;
mod packet_block;
mod pcap;
mod pcapng;
mod reader;
mod recognise;
mod resolution;
mod window;

pub use error::CaptureError;
pub use merge::{Merge, Merged};
pub use note::{FileNote, FileNoteKind};
pub(super) use notes::Notes;
pub use packet::Packet;
pub use reader::PacketReader;
pub use recognise::is_capture;

/// A packet that says it is longer is taken for a mistake. The largest that tools write have 256 KiB, those on a USB bus 128 MiB.
pub const MOST_OF_A_PACKET: u32 = 16 << 20;
