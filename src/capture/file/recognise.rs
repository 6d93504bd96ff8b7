//! Whether bytes are a capture's.

use std::io::Read;

use super::compression::Decompressed;
use super::{pcap, pcapng};

/// Whether a file that begins with these bytes is a capture, compressed or not. A few hundred bytes suffice.
pub fn is_capture(first: &[u8]) -> bool {
    // Where compression is cut off there is an error in the end, but the bytes before it come out first.
    let mut head = [0; 12];
    let mut found = 0;
    let mut read = Decompressed::new(first);
    while found < head.len() {
        match read.read(&mut head[found..]) {
            Ok(len @ 1..) => found += len,
            _ => break,
        }
    }
    let head = &head[..found];
    pcap::is_magic(head) || pcapng::is_magic(head) && (head.len() < 12 || pcapng::is_byte_order(&head[8..]))
}
