//! Frames: an int32 size, then that many bytes; and what it is when the size makes no sense.

use super::primitive;

/// The bytes of one frame, or what there is of it.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'f> {
    /// The bytes, from the size field on if there is one. Never more than the size says.
    pub bytes: &'f [u8],
    /// Whether they begin with a size field.
    pub sized: bool,
}

impl<'f> Frame<'f> {
    /// Takes the first frame off `input`. Where its size field makes no sense or says more than there is, that is
    /// all of the input.
    pub fn split(input: &'f [u8]) -> (Frame<'f>, &'f [u8]) {
        Frame::split_of_least(input, LEAST_RESPONSE)
    }

    /// The same for a frame whose content may be without a header: a SASL token, which may even be empty.
    pub fn split_token(input: &'f [u8]) -> (Frame<'f>, &'f [u8]) {
        Frame::split_of_least(input, 0)
    }

    fn split_of_least(input: &'f [u8], least: u32) -> (Frame<'f>, &'f [u8]) {
        let whole = match size_field(input) {
            Some(size) if bad_size(input, least).is_none() => 4 + size as usize,
            _ => input.len(),
        };
        let (bytes, rest) = input.split_at(whole.min(input.len()));
        (Frame { bytes, sized: true }, rest)
    }

    /// A frame whose size field is missing.
    pub fn unsized_bytes(bytes: &'f [u8]) -> Frame<'f> {
        Frame { bytes, sized: false }
    }

    /// Where the header begins: after the size field, if there is one and all of it is there.
    pub fn header_at(&self) -> usize {
        if self.sized { 4.min(self.bytes.len()) } else { 0 }
    }

    /// What the size field says.
    pub fn size(&self) -> Option<i32> {
        if self.sized { size_field(self.bytes) } else { None }
    }

    /// Everything after the size field.
    pub fn content(&self) -> &'f [u8] {
        &self.bytes[self.header_at()..]
    }
}

/// The fewest bytes of a request's header: API key, version and correlation id.
pub const LEAST_REQUEST: u32 = 8;
/// The fewest bytes of a response's header: the correlation id.
pub const LEAST_RESPONSE: u32 = 4;

fn size_field(input: &[u8]) -> Option<i32> {
    primitive::int32(input).ok().map(|(_, size)| size)
}

/// Why the first four bytes cannot be the size of a frame that has at least `least` bytes: what they look like
/// instead, if that is known.
pub fn bad_size(input: &[u8], least: u32) -> Option<Option<&'static str>> {
    let size = size_field(input)?;
    // Nothing else begins like a frame of up to 64 MiB.
    if i64::from(size) >= i64::from(least) && size < 1 << 26 {
        return None;
    }
    if let Some(other) = other_protocol(input) {
        return Some(Some(other));
    }
    (i64::from(size) < i64::from(least)).then_some(None)
}

/// The protocol or file format that bytes begin like, if it is one that is often taken for Kafka. As a size, these
/// first bytes would be hundreds of megabytes.
fn other_protocol(input: &[u8]) -> Option<&'static str> {
    const BEGINNINGS: [(&[u8], &str); 18] = [
        (b"GET ", "an HTTP request"),
        (b"POST", "an HTTP request"),
        (b"PUT ", "an HTTP request"),
        (b"HEAD", "an HTTP request"),
        (b"DELE", "an HTTP request"),
        (b"OPTI", "an HTTP request"),
        (b"CONN", "an HTTP request"),
        (b"PRI ", "an HTTP/2 connection"),
        (b"HTTP", "an HTTP response"),
        (b"SSH-", "an SSH connection"),
        (b"\x89PNG", "a PNG picture"),
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive or a jar"),
        (b"\x7fELF", "an ELF program"),
        (b"\x1f\x8b\x08", "gzip data"),
        (b"\x28\xb5\x2f\xfd", "zstd data"),
        (b"\x04\x22\x4d\x18", "an lz4 frame"),
    ];
    const CAPTURES: [&[u8]; 5] = [
        b"\xd4\xc3\xb2\xa1",
        b"\xa1\xb2\xc3\xd4",
        b"\x4d\x3c\xb2\xa1",
        b"\xa1\xb2\x3c\x4d",
        b"\x0a\x0d\x0d\x0a",
    ];
    if let Some((_, name)) = BEGINNINGS.iter().find(|(beginning, _)| input.starts_with(beginning)) {
        return Some(name);
    }
    if CAPTURES.iter().any(|magic| input.starts_with(magic)) {
        return Some("a packet capture");
    }
    // A TLS record: type, major version 3, minor version 0 to 4.
    match input {
        [0x16, 3, 0..=4, ..] => Some("a TLS handshake"),
        [0x15, 3, 0..=4, ..] => Some("a TLS alert"),
        [0x17, 3, 0..=4, ..] => Some("TLS application data"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_split_by_their_size() {
        let input = [0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0, 4, 9, 9, 9, 9];
        let (first, rest) = Frame::split(&input);
        assert_eq!((first.bytes, first.content()), (&input[..9], &input[4..9]));
        let (second, rest) = Frame::split(rest);
        assert_eq!((second.bytes.len(), rest.len()), (8, 0));
    }

    #[test]
    fn a_size_that_makes_no_sense_takes_all() {
        for size in [-1i32, 0, 3, i32::MIN] {
            let mut input = size.to_be_bytes().to_vec();
            input.extend([7; 20]);
            let (frame, rest) = Frame::split(&input);
            assert_eq!((frame.bytes.len(), rest.len()), (24, 0), "{size}");
            assert_eq!(bad_size(&input, LEAST_RESPONSE), Some(None));
        }
        let (frame, rest) = Frame::split(&[0, 0, 0]);
        assert_eq!((frame.bytes.len(), frame.header_at(), rest.len()), (3, 3, 0));
    }

    #[test]
    fn other_protocols_are_named() {
        let name = |input: &[u8]| bad_size(input, LEAST_RESPONSE).flatten();
        assert_eq!(name(b"\x16\x03\x01\x02\x00"), Some("a TLS handshake"));
        assert_eq!(name(b"\x15\x03\x03\x00\x02"), Some("a TLS alert"));
        assert_eq!(name(b"HTTP/1.1 400 Bad Request"), Some("an HTTP response"));
        assert_eq!(name(b"GET / HTTP/1.1"), Some("an HTTP request"));
        assert_eq!(name(b"\xd4\xc3\xb2\xa1\x02\x00"), Some("a packet capture"));
        assert_eq!(name(b"\x00\x00\x00\x0e"), None);
    }
}
