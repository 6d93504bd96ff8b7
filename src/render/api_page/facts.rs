//! The fact list of a page.

use super::Specimen;
use crate::render::text::bytes_counted;
use crate::schema::{Api, Catalogue, Direction, Versions};

/// The facts of an API, each with its name, in the order of the page.
pub fn facts(
    catalogue: &Catalogue,
    api: &Api,
    request: &Specimen<'_>,
    response: &Specimen<'_>,
) -> Vec<(&'static str, String)> {
    let version = request.plan.version;
    let flexible = |direction| {
        let definition = catalogue.message(api, direction, version);
        definition.map_or(Versions::NONE, |definition| definition.flexible_versions)
    };
    let header = |specimen: &Specimen<'_>| specimen.heading.header_version.unwrap_or(0);
    vec![
        ("API key", api.key.to_string()),
        ("Encoded at", format!("v{version}")),
        ("Flexible versions", both(flexible(Direction::Request), flexible(Direction::Response))),
        ("Headers", format!("req v{}, resp v{}", header(request), header(response))),
        ("Request versions", versions(catalogue, api, Direction::Request).to_string()),
        ("Response versions", versions(catalogue, api, Direction::Response).to_string()),
        ("Request size", bytes(request)),
        ("Response size", bytes(response)),
    ]
}

/// What holds for request and response, said once where it is the same.
fn both(request: Versions, response: Versions) -> String {
    if request == response { request.to_string() } else { format!("req {request}, resp {response}") }
}

/// The versions that a request or response has, whichever definitions they come from.
fn versions(catalogue: &Catalogue, api: &Api, direction: Direction) -> Versions {
    let has = |version: &i16| catalogue.message(api, direction, *version).is_some();
    match (api.versions.iter().find(has), api.versions.iter().rfind(has)) {
        (Some(low), Some(high)) => Versions::new(low, high),
        _ => Versions::NONE,
    }
}

fn bytes(specimen: &Specimen<'_>) -> String {
    bytes_counted(specimen.bytes.len() as u64)
}
