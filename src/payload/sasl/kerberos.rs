//! GSSAPI (RFC 4752): tokens of Kerberos, which are only told from others.

/// A DER sequence (tag 0x60) that fills the token and begins with the object identifier of Kerberos, or of the negotiation that leads to it
/// (RFC 2743, 3.1).
pub fn is_context(bytes: &[u8]) -> bool {
    const KERBEROS: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x12\x01\x02\x02";
    const SPNEGO: &[u8] = b"\x06\x06\x2b\x06\x01\x05\x05\x02";
    let (length, content) = match bytes {
        [0x60, length @ 0..=0x7f, content @ ..] => (usize::from(*length), content),
        [0x60, 0x81, length, content @ ..] => (usize::from(*length), content),
        [0x60, 0x82, high, low, content @ ..] => (usize::from(*high) << 8 | usize::from(*low), content),
        _ => return false,
    };
    length == content.len() && (content.starts_with(KERBEROS) || content.starts_with(SPNEGO))
}

/// The header of a wrapped message (RFC 4121, 4.2.6.2): its id, three flags, a filler, and 12 bytes more.
pub fn is_wrapped(bytes: &[u8]) -> bool {
    matches!(bytes, [5, 4, 0..=7, 0xff, ..] if bytes.len() >= 16)
}
