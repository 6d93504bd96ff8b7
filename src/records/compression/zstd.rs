//! Zstandard, any number of frames. Kafka's own client does not say how much comes out of them.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::Fault;

/// So much is decoded before it is looked whether that is too much.
const STEP: usize = 1 << 20;
/// A frame may refer back so far, whatever the limit: 8 MiB is what every decoder must accept (RFC 8878, 3.1.1.1.2).
const LEAST_WINDOW: u64 = 8 << 20;

pub(super) fn decompress(mut input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    let whole = input.len();
    let most = out.len() + limit;
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(LEAST_WINDOW.max(limit as u64));
    while !input.is_empty() {
        let at = whole - input.len();
        match decoder.reset(&mut input) {
            Ok(()) => {}
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                input = input.get(length as usize..).ok_or(Fault::Ends)?;
                continue;
            }
            Err(FrameDecoderError::DictNotProvided { .. }) => {
                return Err(Fault::Unsupported("a dictionary that is not there"));
            }
            Err(FrameDecoderError::WindowSizeTooBig { .. }) => return Err(Fault::TooLarge),
            Err(_) if input.is_empty() => return Err(Fault::Ends),
            Err(_) => return Err(Fault::Corrupt { at, what: "this is no zstd frame" }),
        }
        frame(&mut decoder, &mut input, whole, most, out)?;
    }
    Ok(())
}

fn frame(
    decoder: &mut FrameDecoder,
    input: &mut &[u8],
    whole: usize,
    most: usize,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    loop {
        let at = whole - input.len();
        let result = decoder.decode_blocks(&mut *input, BlockDecodingStrategy::UptoBytes(STEP));
        // Nothing can go wrong with memory.
        let _ = decoder.collect_to_writer(&mut *out);
        if out.len() > most {
            out.truncate(most);
            return Err(Fault::TooLarge);
        }
        match result {
            Ok(true) => break,
            Ok(false) => {}
            Err(_) if input.is_empty() => return Err(Fault::Ends),
            Err(_) => return Err(Fault::Corrupt { at, what: "this is no zstd block" }),
        }
    }
    match (decoder.get_checksum_from_data(), decoder.get_calculated_checksum()) {
        (Some(stored), Some(computed)) if stored != computed => {
            let at = whole - input.len();
            Err(Fault::Corrupt { at, what: "the checksum of the content is not that of the data" })
        }
        _ => Ok(()),
    }
}

pub(super) fn compress(input: &[u8]) -> Vec<u8> {
    compress_to_vec(input, CompressionLevel::Fastest)
}
