//! A response without its request: every API and version is tried, and those that fit to the last byte are ranked.

use super::plausibility::{Fit, Reach, fit};
use crate::schema::{Direction, Rules};
use crate::wire::primitive;
use crate::wire::{Decoder, Frame};

/// A message that a response may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The API key.
    pub api_key: i16,
    /// The version.
    pub version: i16,
    /// How well it fits.
    pub fit: Fit,
}

/// Every response that the bytes of a frame can be, the most plausible first.
///
/// What makes one more plausible: known error codes and other enumerations, valid UTF-8, likely numbers; then more text; then
/// an API that is met more often; and last, a newer version.
pub fn candidates(decoder: &mut Decoder<'_>, frame: Frame<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    each_response(decoder, frame, |api_key, version, fit| {
        if let Ok(fit) = fit {
            found.push(Candidate { api_key, version, fit });
        }
    });
    let rank =
        |candidate: &Candidate| (candidate.fit, Rules::get().frequency(candidate.api_key), candidate.version);
    found.sort_by_key(|candidate| std::cmp::Reverse(rank(candidate)));
    found
}

/// The response that comes nearest to a frame that fits none: API key, version, and the offset up to which it fits.
pub fn nearest(decoder: &mut Decoder<'_>, frame: Frame<'_>) -> Option<(i16, i16, usize)> {
    let mut found = Vec::new();
    each_response(decoder, frame, |api_key, version, fit| {
        if let Err(reach) = fit {
            found.push((reach.nearness(), Rules::get().frequency(api_key), version, api_key, reach.stop));
        }
    });
    let (_, _, version, api_key, stop) = found.into_iter().max()?;
    Some((api_key, version, stop))
}

fn each_response(
    decoder: &mut Decoder<'_>,
    frame: Frame<'_>,
    mut with: impl FnMut(i16, i16, Result<Fit, Reach>),
) {
    let catalogue = decoder.catalogue();
    for api in catalogue.apis() {
        for version in api.versions.iter() {
            if let Some(fit) = response_fit(decoder, frame, api.key, version) {
                with(api.key, version, fit);
            }
        }
    }
}

/// How well a frame fits as a response of an API and version; `None` if it would be read in another one.
fn response_fit(
    decoder: &mut Decoder<'_>,
    frame: Frame<'_>,
    api_key: i16,
    version: i16,
) -> Option<Result<Fit, Reach>> {
    if is_downgrade(frame, api_key, version) {
        return None;
    }
    let body = decoder.plan(Direction::Response, api_key, version)?;
    let header = Rules::get().header_version(Direction::Response, api_key, version, body.flexible).version;
    let header = decoder.header_plan(Direction::Response, header)?;
    Some(fit(frame, &header, &body))
}

/// Whether a frame would be read in an older version than this one because of its error code. It is then that version's.
fn is_downgrade(frame: Frame<'_>, api_key: i16, version: i16) -> bool {
    let Some(rule) = Rules::get().downgrade(api_key) else { return false };
    let code = frame.content().get(4..).and_then(|body| primitive::int16(body).ok()).map(|(_, code)| code);
    version != rule.version && code == Some(rule.error_code)
}

/// Names candidates in a few words, versions of one API together: `Heartbeat v0-3, LeaveGroup v0`.
pub fn names(decoder: &Decoder<'_>, candidates: &[Candidate]) -> String {
    name_list(decoder, candidates).join(", ")
}

/// A name for each API of candidates, with its versions: `Heartbeat v0-3`.
pub fn name_list(decoder: &Decoder<'_>, candidates: &[Candidate]) -> Vec<String> {
    let mut groups: Vec<(i16, Vec<i16>)> = Vec::new();
    for candidate in candidates {
        match groups.iter_mut().find(|(key, _)| *key == candidate.api_key) {
            Some((_, versions)) => versions.push(candidate.version),
            None => groups.push((candidate.api_key, vec![candidate.version])),
        }
    }
    let name = |(key, mut versions): (i16, Vec<i16>)| {
        versions.sort_unstable();
        let api = decoder.catalogue().api(key).map_or_else(|| key.to_string(), |api| api.name.clone());
        let mut ranges: Vec<(i16, i16)> = Vec::new();
        for version in versions {
            match ranges.last_mut() {
                Some((_, high)) if *high + 1 == version => *high = version,
                _ => ranges.push((version, version)),
            }
        }
        let ranges = ranges.iter().map(|(low, high)| match high - low {
            0 => format!("v{low}"),
            _ => format!("v{low}-{high}"),
        });
        format!("{api} {}", ranges.collect::<Vec<_>>().join(" "))
    };
    groups.into_iter().map(name).collect()
}
