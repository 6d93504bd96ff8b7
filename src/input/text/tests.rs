//! The notations together: text and binary told apart, places counted, and nothing that panics.

use std::time::{SystemTime, UNIX_EPOCH};

use super::tool_tests::run;
use super::*;

/// An ApiVersions request with its size.
pub(super) const FRAME: &[u8] = b"\x00\x00\x00\x2b\x00\x12\x00\x04\x00\x00\x00\x07\x00\x09\
      kdissect1\x00\x12apache-kafka-java\x064.0.0\x00";

/// Pseudo-random numbers (xorshift64*).
pub(super) struct Random(u64);

impl Random {
    /// Takes the seed from `KDISSECT_SEED`, or from the clock, and prints it.
    pub(super) fn new(test: &str) -> Random {
        let given = std::env::var("KDISSECT_SEED").ok().and_then(|seed| seed.parse().ok());
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
        let seed = given.unwrap_or_else(clock).max(1);
        println!("{test}: KDISSECT_SEED={seed}");
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A frame with its size: random bytes, characters, and rows that repeat.
    pub(super) fn frame(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        for _ in 0..self.below(6) {
            match self.below(4) {
                0 => body.extend((0..self.below(100)).map(|_| self.next() as u8).collect::<Vec<_>>()),
                1 => body.extend(
                    (0..self.below(60)).map(|_| b"ab 01|>:.\\'\"<"[self.below(13)]).collect::<Vec<_>>(),
                ),
                2 => body.resize(body.len() + self.below(200), 0),
                _ => body.resize(body.len().next_multiple_of(16) + 16 * self.below(9), 0xff),
            }
        }
        let mut frame = (body.len() as u32).to_be_bytes().to_vec();
        frame.extend(body);
        frame
    }
}

#[test]
fn byte_order_mark_and_windows_lines() {
    let text = "\u{feff}\r\n00000000: 0000 000e  ....\r\n00000004: 00z1  .A\r\n";
    assert_eq!(recognise(text.as_bytes()), Some(Notation::Xxd));
    let error = decode(text.as_bytes(), Notation::Xxd).unwrap_err();
    assert_eq!((error.line(), error.column()), (3, 13));
    let error = decode("\u{feff}0x000".as_bytes(), Notation::Hex).unwrap_err();
    assert_eq!((error.line(), error.column()), (1, 5));
    assert_eq!(decode_base64("\u{feff}AAAA\r\n").unwrap(), [0, 0, 0]);
}

#[test]
fn columns_count_characters() {
    let text = "[0, /* größer 🦀 */ 256]";
    let error = decode(text.as_bytes(), Notation::List).unwrap_err();
    assert_eq!((error.line(), error.column()), (1, 20));
    assert_eq!(
        error.to_string(),
        "line 1, column 20: a value from -128 to 255 was expected, but `256` was found"
    );
}

#[test]
fn binary_is_left_alone() {
    let mut inputs: Vec<&[u8]> = vec![
        FRAME,
        b"",
        b"\x00",
        b" \n",
        b"00 00 \x00",
        b"00 00 \xff",
        b"\x1b[31m00 00\x1b[0m",
        b"\xff\xd8\xff\xe0 JFIF",
        b"# kdissect\n\nReads `00 00 00 12` and \"\\x00\".\n",
        b"{\"size\": 14, \"list\": [1, 2, 3]}",
        b"{\"type\": \"record\", \"fields\": []}",
        b"key=value\nother=1, 2\n",
        b"<html><body>0</body></html>",
        b"2024-01-01 12:00:00,000 INFO started [main]",
        b"fn main() { let x = [1, 2, 3]; println!(\"{x:?}\"); }",
    ];
    let mut random = Random::new("binary");
    let frames: Vec<Vec<u8>> = (0..200).map(|_| random.frame()).collect();
    inputs.extend(frames.iter().map(Vec::as_slice));
    for input in inputs {
        assert_eq!(recognise(input), None, "{:?}", String::from_utf8_lossy(input));
    }
}

#[test]
fn hex_arguments() {
    for text in [
        "0000000e",
        "00 00 00 0e",
        "0x0000000e",
        "[0, 0, 0, 14]",
        r"\x00\x00\x00\x0e",
        "<Buffer 00 00 00 0e>",
    ] {
        assert_eq!(decode_hex_argument(text).unwrap(), [0, 0, 0, 14], "{text}");
    }
    for (text, column, word) in [
        ("", 1, "nothing was found"),
        ("0000zz", 5, "`z`"),
        ("00 0", 4, "stands alone"),
        ("\\y00", 1, "`y`"),
        ("C:\\temp", 3, "`\\`"),
        ("'\\n'", 1, "none of them"),
        ("[1.5]", 2, "`1.5`"),
        ("[\"a\"]", 2, "\"a\""),
        ("{\"a\": [1]}", 1, "a list of numbers"),
        ("@frame.bin", 1, "`@`"),
        ("00\u{0}00", 3, "U+0000"),
    ] {
        let error = decode_hex_argument(text).unwrap_err();
        assert!(error.column() == column && error.message().contains(word), "{text:?}: {error}");
    }
}

#[test]
fn decode_takes_no_text_for_granted() {
    for notation in Notation::ALL {
        for input in
            [&b""[..], b"\xff\xfe", b"00\xff", FRAME, b"*", b"\\", b"[", b"(", b"<<", b"<Buffer", b"0x", b"'"]
        {
            let _ = decode(input, notation);
        }
        let error = decode(b"00\n0\xff", notation).unwrap_err();
        assert_eq!((error.line(), error.column()), (2, 2), "{notation:?}");
        assert!(!notation.name().is_empty());
    }
}

/// Recognises and decodes in every way.
fn poke(input: &[u8]) {
    let recognised = recognise(input);
    for notation in Notation::ALL {
        let decoded = decode(input, notation);
        if let (Ok(bytes), Some(true)) = (&decoded, recognised.map(|found| found == notation)) {
            assert!(!bytes.is_empty());
        }
    }
    let text = String::from_utf8_lossy(input);
    let _ = decode_hex_argument(&text);
    let _ = decode_base64(&text);
}

#[test]
fn garbage_does_not_panic() {
    const SCRAPS: [&str; 58] = [
        "0",
        "1",
        "7",
        "9",
        "a",
        "F",
        "00",
        "0e",
        "0x",
        "0b",
        "\\x",
        "\\",
        "\\0",
        "\\u",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "<<",
        ">>",
        "<Buffer ",
        "'",
        "\"",
        "b'",
        "b\"",
        ",",
        ", ",
        ":",
        ": ",
        "-",
        "_",
        " ",
        "  ",
        "   ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "*",
        "*\n",
        "|",
        "00000000",
        "0000010",
        "\n00000010: ",
        "\n0000020 00",
        "//",
        "/*",
        "*/",
        "#",
        "=",
        "é",
        "\u{a0}",
        "\u{feff}",
        "...",
    ];
    let mut random = Random::new("garbage");
    for _ in 0..6_000 {
        let length = random.below(24);
        let text: String = (0..length).map(|_| *random.pick(&SCRAPS)).collect();
        poke(text.as_bytes());
        let bytes: Vec<u8> = (0..random.below(12)).map(|_| random.next() as u8).collect();
        poke(&bytes);
    }
}

#[test]
fn mutilated_text_does_not_panic() {
    let mut random = Random::new("mutilated");
    let texts: Vec<Vec<u8>> = [
        ("xxd", &[][..]),
        ("xxd", &["-i"]),
        ("hexdump", &["-C"]),
        ("od", &["-tx1z"]),
        ("python3", &["-c", "import sys; print(sys.stdin.buffer.read())"]),
        ("python3", &["-c", "import sys; print(list(sys.stdin.buffer.read()))"]),
    ]
    .into_iter()
    .filter_map(|(tool, arguments)| run(tool, arguments, FRAME))
    .collect();
    for text in &texts {
        for end in 0..=text.len() {
            poke(&text[..end]);
        }
        for _ in 0..300 {
            let mut text = text.clone();
            let at = random.below(text.len());
            match random.below(3) {
                0 => text[at] = random.next() as u8,
                1 => drop(text.remove(at)),
                _ => text.insert(at, *random.pick(b"0 \n\\'\"[]{},*:")),
            }
            poke(&text);
        }
    }
}

#[test]
fn hex_in_any_grouping() {
    let mut random = Random::new("grouping");
    for _ in 0..600 {
        let bytes = random.frame();
        let (group, line) = (1 + random.below(9), 1 + random.below(40));
        let separator = *random.pick(&[" ", "  ", ":", "-", "_", "\t", ", "]);
        let rows = bytes.chunks(group * line).map(|row| {
            let groups = row
                .chunks(group)
                .map(|group| group.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
            groups.collect::<Vec<_>>().join(separator)
        });
        // Commas alone say nothing of hex where no group begins with zero, but a frame begins with its size.
        let text = rows.collect::<Vec<_>>().join("\n");
        assert_eq!(recognise(text.as_bytes()), Some(Notation::Hex), "{text}");
        assert_eq!(decode(text.as_bytes(), Notation::Hex).as_deref(), Ok(&bytes[..]), "{text}");
    }
}

/// Each of these would take minutes if the time grew with the square of the length.
#[test]
fn long_input_takes_no_long_time() {
    for scrap in [
        "0",
        "00 ",
        "0,",
        "[",
        "[0,",
        "(",
        "<<",
        "'",
        "b'\\x00'",
        "\\",
        "\\x00",
        "\\x00 ",
        "\\0",
        "\n",
        "*\n",
        " ",
        "/*",
        "//",
        "#\n",
        "/",
        "0x00 ",
        "00000000: 00\n",
        "0000000 00\n",
        "0000000 00\n*\n",
        "00  ",
        "00   ",
        "\"\\\n",
        "é",
        "a=",
        "{}",
        "\u{a0}",
    ] {
        let text = scrap.repeat(15_000 / scrap.len());
        poke(text.as_bytes());
        poke(format!("\\x00{text}").as_bytes());
        poke(format!("[0,{text}").as_bytes());
        poke(format!("b'\\x00{text}'").as_bytes());
    }
}
