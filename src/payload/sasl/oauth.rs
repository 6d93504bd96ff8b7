//! OAUTHBEARER (RFC 7628, KIP-255): a header as SCRAM has it, then pairs of key and value. Kafka 2.0 had commas between them. The server
//! refuses with JSON, which the client acknowledges with one byte.

use super::part::Part;
use super::text::Text;

pub fn client_first(text: &mut Text<'_>) -> Option<()> {
    text.gs2_header()?;
    let mut has_token = false;
    if text.rest.starts_with("auth=") {
        // As Kafka 2.0 spelled it.
        bearer(text, ',')?;
        return text.extensions(None);
    }
    text.separator('\x01')?;
    while !text.rest.starts_with('\x01') {
        if text.rest.starts_with("auth=") {
            bearer(text, '\x01')?;
            has_token = true;
        } else {
            let (key, _) = text.up_to(Part::Extension, '\x01').split_once('=')?;
            (!key.is_empty() && key.bytes().all(|letter| letter.is_ascii_alphabetic())).then_some(())?;
        }
        text.separator('\x01')?;
    }
    text.separator('\x01')?;
    has_token.then_some(())
}

/// `auth=Bearer TOKEN`, the token apart.
fn bearer(text: &mut Text<'_>, separator: char) -> Option<()> {
    const SCHEME: &str = "auth=Bearer";
    let scheme = text.rest.get(..SCHEME.len())?;
    let spaces = text.rest[SCHEME.len()..].bytes().take_while(|letter| *letter == b' ').count();
    (scheme.eq_ignore_ascii_case(SCHEME) && spaces > 0).then_some(())?;
    text.take(Part::Scheme, SCHEME.len() + spaces);
    let token = text.up_to(Part::BearerToken, separator);
    (!token.is_empty()).then_some(())
}

/// A JSON object that has a status (RFC 7628, 3.2.2).
pub fn is_error(text: &str) -> bool {
    // Before it is parsed: nearly no token begins so.
    text.starts_with('{')
        && serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text)
            .is_ok_and(|object| object.get("status").is_some_and(|status| status.is_string()))
}
