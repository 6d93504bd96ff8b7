//! Lists of numbers, as programming languages write and print them.

use super::frame::{Frame, Kind, blank_comments};
use super::number::{Base, Number, byte};
use super::place::{Fault, Piece};

/// Whether the text is a list of numbers that may be bytes; a quarter of them may be mistakes.
pub(super) fn recognise(text: &str) -> bool {
    let text = blank_comments(text);
    let Some(frame) = Frame::of(Piece::whole(&text)) else {
        return false;
    };
    let tally = Tally::of(&frame);
    let tolerated = match frame.kind {
        Kind::Bare => tally.wrong * 8 <= tally.all && tally.all > 1,
        _ => tally.wrong * 4 <= tally.all,
    };
    // Without brackets only commas, or 0x before each, make a list of numbers.
    let separated = frame.kind != Kind::Bare || frame.commas || tally.prefixed == tally.all;
    tally.all > tally.wrong && tolerated && separated
}

/// Decodes the numbers of a list, each of which is a byte.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, Fault> {
    let text = blank_comments(text);
    let Some(frame) = Frame::of(Piece::whole(&text)) else {
        return Err(Fault::new(0, "a list of numbers was expected, such as [0, 0, 0, 14]"));
    };
    let base = Tally::of(&frame).base(frame.kind);
    let mut bytes = Vec::with_capacity(frame.body.text.len() / 4);
    for element in frame.elements() {
        bytes.push(byte(element, base)?);
    }
    frame.check_end(bytes.len())?;
    Ok(bytes)
}

/// What the elements of a list have in common.
#[derive(Default)]
struct Tally {
    all: usize,
    /// Neither numbers nor hex digits.
    wrong: usize,
    /// With `0x`, `0o` or `0b`.
    prefixed: usize,
    /// Surely decimal: with a sign, a suffix, or too many digits for a byte in hex.
    decimal: usize,
    /// With a letter of hex.
    lettered: usize,
    /// Two digits that begin with zero.
    padded: usize,
    /// A single digit.
    single: usize,
}

impl Tally {
    fn of(frame: &Frame<'_>) -> Tally {
        let mut tally = Tally::default();
        for element in frame.elements() {
            tally.all += 1;
            let Some(number) = Number::of(element.text) else {
                tally.wrong += 1;
                continue;
            };
            let digits = number.digits;
            if number.base.is_some() {
                tally.prefixed += 1;
            } else if number.negative || number.suffixed || digits.len() > 2 {
                tally.decimal += 1;
            } else {
                tally.lettered += usize::from(digits.contains(|c: char| !c.is_ascii_digit()));
                tally.padded += usize::from(digits.len() == 2 && digits.starts_with('0'));
                tally.single += usize::from(digits.len() == 1);
            }
        }
        tally
    }

    fn base(&self, kind: Kind) -> Base {
        let undecided = self.prefixed == 0 && self.decimal == 0;
        let all_padded = self.padded > 0 && self.single == 0;
        if kind == Kind::Buffer || (undecided && self.lettered > 0 && self.padded > 0) {
            Base::HexPairs
        } else if undecided && (self.lettered > 0 || all_padded) {
            Base::Hex
        } else {
            Base::Decimal
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        assert!(recognise(text), "{text:?}");
        decode(text).unwrap_or_else(|fault| panic!("{text:?}: {fault:?}"))
    }

    fn fault(text: &str) -> (usize, String) {
        assert!(recognise(text), "{text:?}");
        let fault = decode(text).expect_err(text);
        (fault.at, fault.message)
    }

    #[test]
    fn lists_of_many_languages() {
        for text in [
            "[0, 0, 0, 18]",
            "[0,0,0,18,]",
            "[0x00, 0x00, 0x0, 0x12]",
            "{ 0x00, 0x00, 0x00, 0x12 }",
            "{0X00, 0X00, 0X00, 0X12};",
            "[]byte{0x0, 0x0, 0x0, 0x12}",
            "[4]uint8{0x0, 0x0, 0x0, 0x12}",
            "[0 0 0 18]",
            "&[0u8, 0, 0, 18]",
            "vec![0x00, 0x00, 0x00, 0x12];",
            "let frame: [u8; 4] = [0, 0, 0, 18_u8];",
            "Uint8Array(4) [ 0, 0, 0, 18 ]",
            "new Uint8Array([0, 0, 0, 18]).buffer",
            "{\"type\":\"Buffer\",\"data\":[0,0,0,18]}",
            "{\n  \"type\": \"Buffer\",\n  \"data\": [\n    0,\n    0,\n    0,\n    18\n  ]\n}",
            "<Buffer 00 00 00 12>",
            "<<0,0,0,18>>",
            "0x00, 0x00, 0x00, 0x12",
            "0x00,0x00,0x00,0x12,\n",
            "0x00 0x00 0x00 0x12",
            "0, 0, 0, 18",
            "0,0,0,18",
            "bytes([0, 0, 0, 18])",
            "array('b', [0, 0, 0, 18])",
            "byte[] frame = new byte[] {0, 0, 0, 18};",
            "byte[] frame = {(byte) 0x00, (byte)0x00, 0, 0x12};",
            "byteArrayOf(0x00, 0x00, 0x00, 0x12.toByte())",
            "Array[Byte](0, 0, 0, 18)",
            "std::vector<uint8_t> frame{0x00, 0x00, 0x00, 0x12};",
            "[0b0, 0b00, 0b000, 0b00010010]",
            "[00, 00, 00, 12]",
            "[0x0,\r\n 0x0,\r\n 0x0,\r\n 0x12]\r\n",
        ] {
            assert_eq!(bytes(text), [0, 0, 0, 18], "{text:?}");
        }
        assert_eq!(bytes("[0, -1, -128, 127, 255]"), [0, 255, 128, 127, 255]);
        assert_eq!(bytes("[0, 0, 0, 2b, 0, 12, e]"), [0, 0, 0, 0x2b, 0, 0x12, 0x0e]);
        assert_eq!(bytes("[00, 00, 00, 2B, 00, 12]"), [0, 0, 0, 0x2b, 0, 0x12]);
        assert_eq!(bytes("[00, 0b, 10]"), [0, 0x0b, 0x10]);
        assert_eq!(bytes("[18]"), [18]);
    }

    #[test]
    fn comments_are_skipped() {
        let text = "// é [1, 2]\nconst frame = [ /* size {3} */ 0, 0, // high\n 0, 18, # low\n]; // done";
        assert_eq!(bytes(text), [0, 0, 0, 18]);
        let (at, message) = fault("[0, /* é */ 256, 0, 0]");
        assert_eq!(at, "[0, /* é */ ".len(), "{message}");
    }

    #[test]
    fn what_is_no_list() {
        for text in [
            "",
            "[]",
            "{}",
            "()",
            "<Buffer >",
            "{\"a\": 1}",
            "{\"a\": [1, 2], \"b\": [3]}",
            "[[1, 2], [3, 4]]",
            "[[1, 2]]",
            "[\"a\", 1]",
            "[1.5, 2.5]",
            "see [1] for more",
            "[1] A. Author, A Title, 2020.",
            "hello, world",
            "1, 2, buckle my shoe",
            "18",
            "0 0 0 18",
            "#!/bin/sh\n[ 1, 2 ] && echo",
            "<a, b>",
            "[",
            "/*",
            "#",
        ] {
            assert!(!recognise(text), "{text:?}");
        }
    }

    #[test]
    fn values_that_are_no_bytes_are_named() {
        let (at, message) = fault("[0, 0, 256, 18]");
        assert_eq!((at, message.contains("`256`")), (7, true), "{message}");
        let (at, message) = fault("[0, -129]");
        assert_eq!((at, message.contains("`-129`")), (4, true), "{message}");
        let (at, message) = fault("0x00, 0x0000000e");
        assert_eq!((at, message.contains("two hex digits")), (6, true), "{message}");
        assert_eq!(fault("[0, 99999999999999999999]").0, 4);
        assert_eq!(fault("[0, 0, 0x0g, 1]").0, 7);
        assert_eq!(fault("[0, 0, , 1]").0, 7);
        assert_eq!(fault("[0, 0, 1 2, 3]").0, 7);
        assert!(fault("[0, 128, 010, 1]").1.contains("octal in C"));
        assert!(fault("[00, 0, 2b, 01]").1.contains("two hex digits"));
        assert!(fault("<Buffer 00 0 12 00>").1.contains("two hex digits"));
    }

    #[test]
    fn lists_that_are_cut_short() {
        let (at, message) = fault("  [0, 0, 0, 18");
        assert_eq!((at, message.contains("`]`")), (2, true), "{message}");
        assert_eq!(fault("[0, 0, 0, 18}").0, 12);
        let (at, message) = fault("<Buffer 00 00 00 00 00 00 00 00 00 00 00 00 00 ... 67 more bytes>");
        assert_eq!((at, message.contains("cut short")), (47, true), "{message}");
        let (_, message) = fault("Uint8Array(104) [\n  0, 0, 0, 18,\n  ... 100 more items\n]");
        assert!(message.contains("cut short"), "{message}");
        let (at, message) = fault("unsigned char x[] = {\n  0x00, 0x12\n};\nunsigned int x_len = 3;");
        assert_eq!((at, message.contains("2 was expected")), (59, true), "{message}");
    }
}
