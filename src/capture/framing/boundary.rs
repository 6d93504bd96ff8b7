//! Whether bytes can be the beginning of a Kafka message, by the size and the header alone.

use super::found::Plausibility;
use crate::schema::{Catalogue, Direction, Rules};
use crate::wire::frame::{LEAST_REQUEST, LEAST_RESPONSE};
use crate::wire::primitive;

/// A client id may be longer, but then it is text more likely, of which two letters are taken for its length.
const LONGEST_ID: u32 = 256;
/// API keys above are nobody's; those from 1000 on are private ones.
const LAST_KEY: i16 = 2000;
/// A client may be newer than the definitions by so many versions.
const NEWER: i16 = 4;

/// Judges the beginning of a request, its size field first. `known` is the client id of an earlier request of the connection, if
/// there was one: clients do not change it.
pub fn request(catalogue: &Catalogue, known: Option<&[u8]>, beginning: &[u8]) -> Plausibility {
    judge_request(catalogue, known, beginning).unwrap_or(Plausibility::Undecided)
}

/// `None` if more bytes are needed.
fn judge_request(catalogue: &Catalogue, known: Option<&[u8]>, beginning: &[u8]) -> Option<Plausibility> {
    let (rest, size) = primitive::uint32(beginning).ok()?;
    if !(LEAST_REQUEST..=i32::MAX as u32).contains(&size) {
        return Some(Plausibility::No);
    }
    let (rest, key) = primitive::int16(rest).ok()?;
    let api = catalogue.api(key);
    if api.is_none() && !(0..=LAST_KEY).contains(&key) {
        return Some(Plausibility::No);
    }
    let (rest, version) = primitive::int16(rest).ok()?;
    let newest = api.map_or(0, |api| api.versions.high()).saturating_add(NEWER).max(20);
    if !(0..=newest).contains(&version) {
        return Some(Plausibility::No);
    }
    let is_known = api.is_some_and(|api| api.versions.contains(version));
    let has_client_id = Rules::get().header_version(Direction::Request, key, version, false).version > 0;
    if !has_client_id {
        return Some(Plausibility::Possible);
    }
    if size < LEAST_REQUEST + 2 {
        return Some(Plausibility::No);
    }
    let (rest, _correlation_id) = primitive::int32(rest).ok()?;
    let (rest, length) = primitive::int16(rest).ok()?;
    let is_null = length == -1;
    let length = match u32::try_from(length) {
        Ok(length) if length <= LONGEST_ID.min(size - LEAST_REQUEST - 2) => length as usize,
        Err(_) if is_null => 0,
        _ => return Some(Plausibility::No),
    };
    if length == 0 {
        // Zeros are common, in arrays of small numbers above all: an empty id must have been seen before. Null is -1.
        let fits = is_known && known.map_or(is_null, <[u8]>::is_empty);
        return Some(if fits { Plausibility::Possible } else { Plausibility::No });
    }
    let client_id = rest.get(..length)?;
    // Any bytes are legal, but among those that are no messages, few are text.
    let text = str::from_utf8(client_id).ok().filter(|text| !text.chars().any(char::is_control));
    let Some(text) = text else { return Some(Plausibility::No) };
    // Two letters after a known version are as good as sixteen bits more. Proxies put several clients on one connection.
    let is_certain = known.map_or(is_known && text.len() > 1, |known| known == client_id);
    Some(if is_certain { Plausibility::Certain } else { Plausibility::Possible })
}

/// Judges the beginning of a response, its size field first, by whether a request with its correlation id waits. `None` if
/// nothing is known of the requests: then any id will do, and small numbers in a row can pass for a chain of responses.
pub fn response(is_pending: Option<impl Fn(i32) -> bool>, beginning: &[u8]) -> Plausibility {
    let Ok((rest, size)) = primitive::uint32(beginning) else { return Plausibility::Undecided };
    if !(LEAST_RESPONSE..=i32::MAX as u32).contains(&size) {
        return Plausibility::No;
    }
    match (primitive::int32(rest), is_pending) {
        (Err(_), _) => Plausibility::Undecided,
        (Ok(_), None) => Plausibility::Possible,
        (Ok((_, id)), Some(is_pending)) if is_pending(id) => Plausibility::Likely,
        _ => Plausibility::No,
    }
}
