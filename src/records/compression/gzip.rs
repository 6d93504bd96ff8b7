//! Gzip, any number of members.

use std::io::{ErrorKind, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use super::{Fault, read_up_to};

pub(super) fn decompress(input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    let (mut rest, before) = (input, out.len());
    while !rest.is_empty() {
        let start = input.len() - rest.len();
        let mut decoder = GzDecoder::new(rest);
        match read_up_to(&mut decoder, limit - (out.len() - before), out) {
            Ok(result) => result?,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(Fault::Ends),
            Err(error) => {
                let at = input.len() - decoder.get_ref().len();
                let (at, what) = match error.to_string() {
                    text if text.contains("header") => (start, "this is no gzip header"),
                    text if text.contains("checksum") => {
                        (at, "the CRC-32 or the length at the end is not that of the data")
                    }
                    _ => (at, "this is no deflate data"),
                };
                return Err(Fault::Corrupt { at, what });
            }
        }
        rest = decoder.into_inner();
    }
    Ok(())
}

pub(super) fn compress(input: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Nothing can go wrong with memory.
    let written = encoder.write_all(input).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}
