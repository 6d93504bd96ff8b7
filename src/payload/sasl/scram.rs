//! SCRAM (RFC 5802): attributes of one letter. Kafka's extension `tokenauth=true` tells that the user is a delegation token (KIP-48).

use super::part::Part;
use super::text::Text;

pub fn client_first(text: &mut Text<'_>) -> Option<()> {
    text.gs2_header()?;
    mandatory(text)?;
    text.attribute(Part::Username, "n")?;
    text.separator(',')?;
    nonce(text)?;
    text.extensions(None)
}

pub fn server_first(text: &mut Text<'_>) -> Option<()> {
    mandatory(text)?;
    nonce(text)?;
    text.separator(',')?;
    base64(text.attribute(Part::Salt, "s")?)?;
    text.separator(',')?;
    let iterations = text.attribute(Part::Iterations, "i")?;
    iterations.bytes().all(|digit| digit.is_ascii_digit()).then_some(())?;
    text.extensions(None)
}

pub fn client_final(text: &mut Text<'_>) -> Option<()> {
    base64(text.attribute(Part::Binding, "c")?)?;
    text.separator(',')?;
    nonce(text)?;
    text.extensions(Some("p="))?;
    text.separator(',')?;
    base64(text.attribute(Part::Proof, "p")?)
}

pub fn server_final(text: &mut Text<'_>) -> Option<()> {
    if text.rest.starts_with("e=") {
        let error = text.attribute(Part::ServerError, "e")?;
        error.chars().all(|letter| !letter.is_control() && letter != '=').then_some(())?;
    } else {
        base64(text.attribute(Part::Verifier, "v")?)?;
    }
    text.extensions(None)
}

/// An extension that must be understood, if there is one.
fn mandatory(text: &mut Text<'_>) -> Option<()> {
    if text.rest.starts_with("m=") {
        text.attribute(Part::Mandatory, "m")?;
        text.separator(',')?;
    }
    Some(())
}

fn nonce(text: &mut Text<'_>) -> Option<()> {
    let nonce = text.attribute(Part::Nonce, "r")?;
    nonce.bytes().all(|letter| letter.is_ascii_graphic()).then_some(())
}

fn base64(text: &str) -> Option<()> {
    let digits = text.trim_end_matches('=');
    let is_digit = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'+' | b'/');
    (text.len().is_multiple_of(4) && text.len() - digits.len() <= 2 && digits.bytes().all(is_digit))
        .then_some(())
}
