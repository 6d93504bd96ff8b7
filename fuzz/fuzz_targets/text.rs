//! Any bytes as text that stands for bytes: nothing panics.

#![no_main]

use kdissect::input::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Some(notation) = text::recognise(input) {
        let _ = text::decode(input, notation);
    }
    if let Ok(argument) = str::from_utf8(input) {
        let _ = text::decode_hex_argument(argument);
        let _ = text::decode_base64(argument);
    }
});
