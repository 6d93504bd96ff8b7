//! stub
#[derive(Debug)]
pub struct TextError;
impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("x")
    }
}
#[derive(Clone, Copy)]
pub enum Notation {
    Hex,
}
pub fn recognise(_: &[u8]) -> Option<Notation> {
    None
}
pub fn decode(_: &[u8], _: Notation) -> Result<Vec<u8>, TextError> {
    Err(TextError)
}
pub fn decode_hex_argument(t: &str) -> Result<Vec<u8>, TextError> {
    let t: Vec<u8> = t.bytes().filter(|b| b.is_ascii_hexdigit()).collect();
    Ok(t.chunks(2).map(|c| u8::from_str_radix(std::str::from_utf8(c).unwrap(), 16).unwrap()).collect())
}
pub fn decode_base64(_: &str) -> Result<Vec<u8>, TextError> {
    Err(TextError)
}
