//! Zstandard, any number of frames. Kafka's own client does not say how much comes out of them.

use std::cell::RefCell;

use zstd::zstd_safe::{
    self, DCtx, DParameter, InBuffer, OutBuffer, ResetDirective, get_error_name, zstd_sys::ZSTD_ErrorCode,
};

use super::Fault;

/// The output grows by so much at a time: a block has no more.
const STEP: usize = 128 << 10;
/// Two to this is how far a frame may refer back: 8 MiB is what every decoder must accept (RFC 8878, 3.1.1.1.2) …
const LEAST_WINDOW: u32 = 23;
/// … and 128 MiB is what this one does at most.
const MOST_WINDOW: u32 = 27;
/// The level of Kafka's client, if nobody asks for another.
const LEVEL: i32 = 3;

thread_local! {
    /// Making one takes longer than most batches do.
    static CONTEXT: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

pub(super) fn decompress(input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    CONTEXT.with_borrow_mut(|context| {
        let window = limit.max(1).ilog2().clamp(LEAST_WINDOW, MOST_WINDOW);
        // Neither can fail, and if it did the context would be as good as before.
        let _ = context.reset(ResetDirective::SessionAndParameters);
        let _ = context.set_parameter(DParameter::WindowLogMax(window));
        frames(context, input, out.len() + limit, out)
    })
}

fn frames(context: &mut DCtx<'_>, input: &[u8], most: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    let mut source = InBuffer::around(input);
    let mut start = 0;
    loop {
        let before = (source.pos(), out.len());
        // One byte more than may come out tells that it is too much.
        let room = (most + 1 - out.len()).min(STEP);
        out.reserve_exact(room.max(out.len().min(most + 1 - out.len())));
        let end = out.len();
        let mut target = OutBuffer::around_pos(out, end);
        let result = context.decompress_stream(&mut target, &mut source);
        if out.len() > most {
            out.truncate(most);
            return Err(Fault::TooLarge);
        }
        match result {
            // A frame is complete; what follows is another.
            Ok(0) if source.pos() == input.len() => return Ok(()),
            Ok(0) => start = source.pos(),
            Ok(_) if (source.pos(), out.len()) == before => return Err(Fault::Ends),
            Ok(_) => {}
            Err(code) => return Err(fault(code, start)),
        }
    }
}

/// What an error means, in a frame that begins at a place of the input.
fn fault(code: zstd_safe::ErrorCode, at: usize) -> Fault {
    // Error codes are the negatives of these.
    let is = |known: ZSTD_ErrorCode| code == (known as usize).wrapping_neg();
    if is(ZSTD_ErrorCode::ZSTD_error_dictionary_wrong) {
        return Fault::Unsupported("a dictionary that is not there");
    }
    if is(ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge) {
        return Fault::TooLarge;
    }
    let what = if is(ZSTD_ErrorCode::ZSTD_error_prefix_unknown) {
        "this is no zstd frame"
    } else if is(ZSTD_ErrorCode::ZSTD_error_checksum_wrong) {
        "the checksum of the content is not that of the data"
    } else {
        get_error_name(code)
    };
    Fault::Corrupt { at, what }
}

pub(super) fn compress(input: &[u8]) -> Vec<u8> {
    // Nothing can go wrong with memory.
    zstd::stream::encode_all(input, LEVEL).unwrap_or_default()
}
