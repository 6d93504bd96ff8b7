//! Dumps: rows of bytes with offsets, as `xxd`, `hexdump`, `od`, tcpdump and Wireshark print them.
//!
//! The offsets are checked: every row must begin where the one before it ended. That finds a line lost in a
//! paste, and it tells octal offsets from hex.

use super::characters;
use super::hex;
use super::offsets::{digits, number, offset_base};
use super::place::{Fault, Piece};
use super::rows::{Layout, Line, Row, lines};

/// How many bytes `*` lines may add. A few characters could ask for any number of bytes, and no frame that
/// a broker takes by default comes near this.
const REPEAT_LIMIT: u64 = 64 << 20;

/// Decodes the rows of a dump.
pub(super) fn decode(text: &str, layout: Layout) -> Result<Vec<u8>, Fault> {
    let mut dump = Dump::new(layout, offset_base(text, layout).0);
    for line in lines(text, layout) {
        match line {
            Line::Repeat(star) => dump.repeat(star)?,
            Line::Row(row) => dump.row(row)?,
        }
    }
    dump.finish(text.len())
}

/// Says why a dump in words is not decoded, at its first word.
pub(super) fn refuse_words(text: &str) -> Fault {
    let rows = lines(text, Layout::Columns).find_map(|line| match line {
        Line::Row(row) if !row.groups.text.is_empty() => Some(row.groups.at),
        _ => None,
    });
    let message = "single bytes in hex were expected, but this dump shows words, and the order of the bytes \
                   in a word depends on the machine: please make it with `hexdump -C`, `od -tx1` or `xxd`";
    Fault::new(rows.unwrap_or(0), message)
}

/// The bytes so far, and what the next row must agree with.
struct Dump<'a> {
    layout: Layout,
    base: u32,
    bytes: Vec<u8>,
    /// The offset of the first byte; known after the first row.
    start: u64,
    /// Whether rows have offsets; known after the first row.
    offsets: Option<bool>,
    /// How many of the bytes the last row with bytes has.
    last: usize,
    /// Whether the first row shows its bytes as characters too.
    shows: bool,
    /// Where the last row ends, if it should show its bytes as characters and does not.
    cut: Option<usize>,
    /// The `*` that waits for an offset.
    star: Option<Piece<'a>>,
    /// How many bytes came from `*` lines.
    repeated: u64,
}

impl<'a> Dump<'a> {
    fn new(layout: Layout, base: u32) -> Dump<'a> {
        Dump {
            layout,
            base,
            bytes: Vec::new(),
            start: 0,
            offsets: None,
            last: 0,
            shows: false,
            cut: None,
            star: None,
            repeated: 0,
        }
    }

    fn repeat(&mut self, star: Piece<'a>) -> Result<(), Fault> {
        if self.last == 0 {
            return Err(Fault::new(star.at, "a row was expected before `*`, which repeats it"));
        }
        if self.offsets == Some(false) {
            let message = "an offset was expected in each row, as only offsets tell how often `*` repeats \
                           the row before it: please make the dump with `od -v`, or without `-An`";
            return Err(Fault::new(star.at, message));
        }
        self.star = Some(star);
        Ok(())
    }

    fn row(&mut self, row: Row<'a>) -> Result<(), Fault> {
        self.offset(&row)?;
        if row.groups.text.is_empty() && self.layout == Layout::Colon {
            return Err(Fault::new(row.line.end(), "bytes in hex were expected after the offset"));
        }
        let before = self.bytes.len();
        for group in row.groups.words() {
            self.group(group)?;
        }
        let size = self.bytes.len() - before;
        characters::check(&row, &self.bytes[before..], self.layout)?;
        if size > 0 {
            self.shows |= before == 0 && !row.shown().is_empty();
            // Editors strip spaces from the end of a line, and some bytes are shown as nothing else.
            let blank = self.bytes[before..].iter().all(|byte| *byte == b' ');
            self.cut = (self.shows && row.shown().is_empty() && !blank).then_some(row.line.end());
            self.last = size;
        }
        Ok(())
    }

    fn group(&mut self, group: Piece<'_>) -> Result<(), Fault> {
        let digits = group.text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if self.layout == Layout::Columns && group.text.len() > 2 && digits {
            return Err(byte_expected(group));
        }
        hex::push_group(group, &mut self.bytes)
    }

    /// Checks that the row begins where it should, after the rows that a `*` stands for.
    fn offset(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let first = self.offsets.is_none();
        let with_offsets = *self.offsets.get_or_insert(self.layout == Layout::Colon || row.offset.is_some());
        let offset = match row.offset {
            Some(offset) if with_offsets => offset,
            Some(offset) => return Err(byte_expected(offset)),
            None if with_offsets => return Err(self.offset_expected(row)),
            None => return Ok(()),
        };
        let found = number(offset, self.base)?;
        if first {
            self.start = found;
        } else if self.star.take().is_some() {
            self.fill(found, offset, row.groups.text.is_empty())?;
        } else if found != self.end() {
            return Err(self.gap(found, offset));
        }
        Ok(())
    }

    fn offset_expected(&self, row: &Row<'_>) -> Fault {
        let colon = if self.layout == Layout::Colon { " and a colon" } else { "" };
        let word = row.line.words().next().unwrap_or(row.line);
        Fault::new(word.at, format!("an offset{colon} was expected, but {} was found", word.show()))
    }

    /// Repeats the last row until the offset found.
    fn fill(&mut self, found: u64, offset: Piece<'_>, last_line: bool) -> Result<(), Fault> {
        let missing = found.saturating_sub(self.end());
        // Only at the very end hexdump hides part of a row in a `*`.
        let whole = missing.is_multiple_of(self.last as u64);
        if missing == 0 || !(whole || last_line) {
            return Err(self.gap(found, offset));
        }
        self.repeated = self.repeated.saturating_add(missing);
        if self.repeated > REPEAT_LIMIT {
            let message = "no more than 64 MiB of repeated rows were expected before this offset";
            return Err(Fault::new(offset.at, message));
        }
        let row = self.bytes[self.bytes.len() - self.last..].to_vec();
        self.bytes.extend(row.iter().cycle().take(missing as usize));
        Ok(())
    }

    /// The offset that the next row must have.
    fn end(&self) -> u64 {
        self.start.saturating_add(self.bytes.len() as u64)
    }

    fn gap(&self, found: u64, offset: Piece<'_>) -> Fault {
        // A formatter panics if the width does not fit in a u16, and whoever pads so far means no offset.
        let width = digits(offset.text).len().min(16);
        let prefix = if digits(offset.text).len() < offset.text.len() { "0x" } else { "" };
        let end = self.end();
        let show = |offset: u64| match self.base {
            8 => format!("{prefix}{offset:0width$o}"),
            10 => format!("{prefix}{offset:0width$}"),
            _ => format!("{prefix}{offset:0width$x}"),
        };
        let guess = match found {
            0 => "does a second dump begin here?",
            _ if found > end => "is a line missing?",
            _ => "does a line come twice, or has one too many bytes?",
        };
        let (expected, found) = (show(end), show(found));
        let message = format!(
            "offset {expected} was expected, where the row before ends, but {found} was found; {guess}"
        );
        Fault::new(offset.at, message)
    }

    fn finish(self, end: usize) -> Result<Vec<u8>, Fault> {
        if let Some(star) = self.star {
            let message = "an offset was expected after `*`, to tell how often it repeats the row before it";
            return Err(Fault::new(star.at, message));
        }
        if let Some(at) = self.cut {
            let message = "characters were expected after the bytes, as in the rows before: is the text cut \
                           short here?";
            return Err(Fault::new(at, message));
        }
        if self.bytes.is_empty() {
            return Err(Fault::new(end, "rows of bytes in hex were expected, but none was found"));
        }
        Ok(self.bytes)
    }
}

fn byte_expected(found: Piece<'_>) -> Fault {
    Fault::new(found.at, format!("two hex digits were expected, but {} was found", found.show()))
}

#[cfg(test)]
mod tests {
    use super::super::Notation;
    use super::super::shape::recognise;
    use super::super::tests::FRAME;
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        let layout = layout(text);
        decode(text, layout).unwrap_or_else(|fault| panic!("{text}\n{fault:?}"))
    }

    fn layout(text: &str) -> Layout {
        match recognise(text) {
            Some(Notation::Xxd) => Layout::Colon,
            Some(Notation::HexdumpC | Notation::OdHex) => Layout::Columns,
            other => panic!("{text}\n{other:?}"),
        }
    }

    /// The line, the rest of the text from the place on, and the message.
    fn fault(text: &str) -> (usize, &str, String) {
        let fault = decode(text, layout(text)).expect_err(text);
        let line = text[..fault.at].matches('\n').count() + 1;
        (line, &text[fault.at..], fault.message)
    }

    // What xxd, hexdump, od, tshark -x and tcpdump -X print of the frame in `tests.rs`.
    const XXD: &str = "\
00000000: 0000 002b 0012 0004 0000 0007 0009 6b64  ...+..........kd
00000010: 6973 7365 6374 3100 1261 7061 6368 652d  issect1..apache-
00000020: 6b61 666b 612d 6a61 7661 0634 2e30 2e30  kafka-java.4.0.0
00000030: 00                                       .
";
    const HEXDUMP_C: &str = "\
00000000  00 00 00 2b 00 12 00 04  00 00 00 07 00 09 6b 64  |...+..........kd|
00000010  69 73 73 65 63 74 31 00  12 61 70 61 63 68 65 2d  |issect1..apache-|
00000020  6b 61 66 6b 61 2d 6a 61  76 61 06 34 2e 30 2e 30  |kafka-java.4.0.0|
00000030  00                                                |.|
00000031
";
    const OD: &str = "\
0000000 00 00 00 2b 00 12 00 04 00 00 00 07 00 09 6b 64
0000020 69 73 73 65 63 74 31 00 12 61 70 61 63 68 65 2d
0000040 6b 61 66 6b 61 2d 6a 61 76 61 06 34 2e 30 2e 30
0000060 00
0000061
";
    const TSHARK: &str = "\
0000  00 00 00 2b 00 12 00 04 00 00 00 07 00 09 6b 64   ...+..........kd
0010  69 73 73 65 63 74 31 00 12 61 70 61 63 68 65 2d   issect1..apache-
0020  6b 61 66 6b 61 2d 6a 61 76 61 06 34 2e 30 2e 30   kafka-java.4.0.0
0030  00                                                .
";
    const TCPDUMP: &str = "\
\t0x0000:  0000 002b 0012 0004 0000 0007 0009 6b64  ...+..........kd
\t0x0010:  6973 7365 6374 3100 1261 7061 6368 652d  issect1..apache-
\t0x0020:  6b61 666b 612d 6a61 7661 0634 2e30 2e30  kafka-java.4.0.0
\t0x0030:  00                                       .
";

    #[test]
    fn the_frame_in_every_dump() {
        for text in [XXD, HEXDUMP_C, OD, TSHARK, TCPDUMP] {
            assert_eq!(bytes(text), FRAME, "{text}");
            let windows = format!("\r\n\r\n{}\r\n\r\n", text.replace('\n', "\r\n"));
            assert_eq!(bytes(&windows), FRAME, "{windows}");
            let indented: String = text.lines().map(|line| format!("    {line}\n\n")).collect();
            assert_eq!(bytes(&indented), FRAME, "{indented}");
            // Editors strip spaces.
            let stripped: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
            assert_eq!(bytes(&stripped), FRAME, "{stripped}");
            let part: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
            assert_eq!(bytes(&part), FRAME[16..], "{part}");
            let first = text.lines().next().unwrap_or("");
            assert_eq!(bytes(first), FRAME[..16], "{first}");
        }
    }

    #[test]
    fn names_of_dumps() {
        for (text, notation) in [
            (XXD, Notation::Xxd),
            (TCPDUMP, Notation::Xxd),
            (HEXDUMP_C, Notation::HexdumpC),
            (TSHARK, Notation::HexdumpC),
            (OD, Notation::OdHex),
        ] {
            assert_eq!(recognise(text), Some(notation), "{text}");
        }
    }

    #[test]
    fn characters_that_look_like_hex() {
        let xxd = "00000000: 6162 2063 6420 3030 207c 6666 3a20 3132  ab cd 00 |ff: 12\n\
                   00000010: 3e20 3c78                                > <x\n";
        let expected = b"ab cd 00 |ff: 12> <x";
        assert_eq!(bytes(xxd), expected);
        let hexdump = "00000000  61 62 20 63 64 20 30 30  20 7c 66 66 3a 20 31 32  |ab cd 00 |ff: 12|\n\
                       00000010  3e 20 3c 78                                       |> <x|\n00000014\n";
        assert_eq!(bytes(hexdump), expected);
        let od = "0000000 61 62 20 63 64 20 30 30 20 7c 66 66 3a 20 31 32  >ab cd 00 |ff: 12<\n\
                  0000020 3e 20 3c 78                                      >> <x<\n0000024\n";
        assert_eq!(bytes(od), expected);
        let wireshark = "0000   61 62 20 63 64 20 30 30 20 7c 66 66 3a 20 31 32   ab cd 00 |ff: 12\n\
                         0010   3e 20 3c 78                                       > <x\n";
        assert_eq!(bytes(wireshark), expected);
    }

    #[test]
    fn offsets_in_octal_hex_and_decimal() {
        let row = "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f";
        for offsets in [
            ["0000000", "0000020", "0000040"],
            ["000000", "000010", "000020"],
            ["0000000", "0000016", "0000032"],
        ] {
            let [a, b, end] = offsets;
            assert_eq!(bytes(&format!("{a} {row}\n{b} {row}\n{end}\n")).len(), 32, "{offsets:?}");
        }
        assert_eq!(
            bytes("00000000: 0001 0203 0405 0607 0809\n00000010: 0a\n"),
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        );
    }

    #[test]
    fn repeated_rows() {
        let dump = "0000000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n*\n0000100 61 62\n0000102\n";
        let mut expected = vec![0; 64];
        expected.extend(b"ab");
        assert_eq!(bytes(dump), expected);
        // hexdump hides the last row in the star even if it is a part of one.
        let dump =
            "00000000  61 61 61 61 61 61 61 61  61 61 61 61 61 61 61 61  |aaaaaaaaaaaaaaaa|\n*\n00000045\n";
        assert_eq!(bytes(dump), [b'a'; 69]);
    }

    #[test]
    fn stars_that_cannot_be_expanded() {
        let row = "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n";
        let end = 16 + REPEAT_LIMIT;
        assert_eq!(bytes(&format!("{row}*\n{end:08x}\n")).len() as u64, end);
        for (tail, line, word) in [
            (format!("*\n{:08x}\n", end + 16), 3, "64 MiB"),
            ("*\nffffffffffffffff\n".to_string(), 3, "64 MiB"),
            ("*\n".to_string(), 2, "after `*`"),
            ("*\n00000010\n".to_string(), 3, "offset 00000010 was expected"),
            ("*\n00000028  00  |.|\n".to_string(), 3, "is a line missing"),
        ] {
            let text = format!("{row}{tail}");
            let (found, _, message) = fault(&text);
            assert!(found == line && message.contains(word), "{text}: {found}, {message}");
        }
        let (line, _, message) = fault(&format!("*\n{row}")).clone();
        assert!(line == 1 && message.contains("before `*`"), "{message}");
        let (line, _, message) = fault(" 00 00\n*\n 01\n");
        assert!(line == 2 && message.contains("od -v"), "{message}");
    }

    #[test]
    fn mistakes_are_placed() {
        for text in [XXD, HEXDUMP_C, OD, TSHARK, TCPDUMP] {
            let bad = text.replacen("61", "6g", 1);
            let (line, rest, message) = fault(&bad);
            assert!(line == 2 && rest.starts_with('g') && message.contains("`g`"), "{bad}{message}");
            let odd = text.replacen("61", "6", 1);
            assert_eq!(fault(&odd).0, 2, "{odd}");
            let gap: String = text
                .lines()
                .enumerate()
                .filter(|(at, _)| *at != 1)
                .map(|(_, line)| format!("{line}\n"))
                .collect();
            let (line, _, message) = fault(&gap);
            assert!(line == 2 && message.contains("is a line missing"), "{gap}{message}");
            let twice = format!("{text}{text}");
            let (_, rest, message) = fault(&twice);
            assert!(
                rest.starts_with(text.trim_start()) && message.contains("second dump"),
                "{twice}{message}"
            );
            let prompt = format!("$ dump\n{text}");
            assert_eq!(fault(&prompt).0, 1, "{prompt}");
        }
        let bad = XXD.replacen("00000010", "000000g0", 1);
        let (line, rest, _) = fault(&bad);
        assert!(line == 2 && rest.starts_with("g0: "));
        let long = OD.replacen("61 70", "617 0", 1);
        let (line, rest, _) = fault(&long);
        assert!(line == 2 && rest.starts_with("617 "));
    }

    #[test]
    fn a_last_row_that_is_cut_short() {
        for text in [XXD, HEXDUMP_C, TSHARK, TCPDUMP] {
            let cut = &text[..text.find("6b61").or_else(|| text.find("6b 61")).expect("in row 3") + 2];
            let (line, rest, message) = fault(cut);
            assert!(line == 3 && rest.is_empty() && message.contains("cut short"), "{cut}: {message}");
        }
        // Spaces are shown as spaces, and those may be stripped.
        assert_eq!(bytes("00000000: 4141  AA\n00000002: 2020\n"), b"AA  ");
    }

    #[test]
    fn gaps_name_both_offsets() {
        let gap: String =
            TCPDUMP.lines().filter(|line| !line.contains("0x0010")).map(|line| format!("{line}\n")).collect();
        let (_, rest, message) = fault(&gap);
        assert!(rest.starts_with("0x0020:"));
        assert!(message.contains("0x0010") && message.contains("0x0020"), "{message}");
        let gap: String =
            OD.lines().filter(|line| !line.starts_with("0000040")).map(|line| format!("{line}\n")).collect();
        let (_, _, message) = fault(&gap);
        assert!(message.contains("offset 0000040 was expected") && message.contains("0000060"), "{message}");
    }

    #[test]
    fn offsets_of_any_length() {
        let zeros = "0".repeat(70_000);
        for text in [format!("{zeros}: 00\n{zeros}: 00"), format!("00000000  00 00\n{zeros}  00 00")] {
            assert!(fault(&text).2.len() < 200);
        }
        assert!(fault("fffffffffffffffff: 00\n").2.contains("is none"));
        assert!(fault("ffffffffffffffff: 00\n00000000: 00\n").2.contains("second dump"));
    }

    #[test]
    fn xxd_with_bits_or_words_is_refused() {
        let bits = "00000000: 00000000 00000000 00000000 00101011 00000000 00010010  ...+..\n";
        assert!(fault(bits).2.contains("xxd -b"));
        let words = "00000000: 2b000000 04001200 07000000 646b0900  ...+..........kd\n";
        assert!(fault(words).2.contains("xxd -e"));
        let gap = "0000:   00 00 00 2b  00 12 00 04  00 00 00 07  00 09 6b 64   ...+..........kd\n";
        assert!(fault(gap).2.contains("too far"));
    }

    #[test]
    fn words_are_refused() {
        for text in [
            "0000000 0000 2b00 1200 0400 0000 0700 0900 646b\n0000010 7369 6573\n0000014\n",
            "0000000 0000 2b00 1200 0400 0000 0700 0900 646b\n0000020 7369 6573\n0000024\n",
            "0000000    0000    2b00    1200    0400    0000    0700    0900    646b\n0000010\n",
            "0000000   00000   11008   04608   01024   00000   01792   02304   25707\n0000010\n",
            "0000000 000 000 000 053 000 022 000 004 000 000 000 007 000 011 153 144\n0000020\n",
            "0000000 000000 025400 011000 002000 000000 003400 004400 062153\n0000020\n",
            "000000 0000 2b00 1200 0400 0000 0700 0900 646b\n000010\n",
            "0000000 2b000000 04001200 07000000 646b0900\n*\n0000040\n",
        ] {
            assert_eq!(recognise(text), Some(Notation::Hexdump), "{text}");
            let fault = refuse_words(text);
            assert!(fault.at > 0 && fault.message.contains("hexdump -C"));
        }
    }

    #[test]
    fn hex_in_groups_is_no_dump() {
        for text in [
            "0000002b 00 12 00 04",
            "00000010 00 12 00 04 00 00 00 07 00 09 6b 64 00 00 00 00",
            "0000002b 0012 0004",
            "00000000 0000002b\n00120004 00000007",
            "00 00 00 2b\n00 12 00 04",
            "0000 00 2b",
            "0000002b001200040000000700096b\n646973736563743100126170616368",
            "2024: a good year",
            "hello",
            "1. one\n2. two",
            "*\n*",
            "",
        ] {
            assert_eq!(recognise(text), None, "{text}");
        }
    }
}
