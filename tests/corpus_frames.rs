//! Real frames of other people's programs decode as what their names say.

mod common;

use std::fs;

use kdissect::input::conversation::{Conversation, Wanted};
use kdissect::schema::{Api, Catalogue, Direction};
use kdissect::tree::{ProblemKind, Tree};
use kdissect::wire::{Decoder, Frame};

/// `fetch_response_v12_001` is a response of Fetch v12.
fn meaning_of<'c>(catalogue: &'c Catalogue, name: &str) -> (&'c Api, Direction, i16) {
    let (direction, word) = match name.contains("_request_") {
        true => (Direction::Request, "_request_v"),
        false => (Direction::Response, "_response_v"),
    };
    let (api, rest) = name.split_once(word).unwrap();
    let version: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let api = match api {
        // Names that the corpus spells otherwise.
        "alter_scram_user_credentials" => "AlterUserScramCredentials".to_owned(),
        "offset_for_leader" => "OffsetForLeaderEpoch".to_owned(),
        api => api.replace('_', ""),
    };
    let api = catalogue.find_api(&api).unwrap_or_else(|| panic!("{api}"));
    (api, direction, version.parse().unwrap())
}

#[test]
fn every_frame_is_what_its_name_says() {
    let Some(folder) = common::corpus("frames") else { return };
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut tree = Tree::new();
    let files = common::files(&folder, "bin");
    assert!(files.len() >= 48);
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let bytes = fs::read(&file).unwrap();
        let (api, direction, version) = meaning_of(&catalogue, name);
        let heading = common::decode(&mut decoder, (direction, api.key, version), &bytes, &mut tree);
        assert_eq!((heading.api_key, heading.api_version), (Some(api.key), Some(version)), "{name}");
        // Whoever made this one wrote other values into its batches and left the checksums as they were.
        let stale = if name == "produce_request_v11" { 3 } else { 0 };
        let checksums =
            tree.problems.iter().filter(|problem| matches!(problem.kind, ProblemKind::Checksum { .. }));
        assert_eq!(checksums.count(), stale, "{name}");
        assert_eq!(tree.problems.iter().filter(|problem| is_grave(problem)).count(), stale, "{name}");
        tree.check_tiling(bytes.len()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn is_grave(problem: &kdissect::tree::Problem) -> bool {
    problem.severity() == kdissect::tree::Severity::Malformed
}

/// Without a word about what they are, requests are requests, and responses at least responses of the right API.
#[test]
fn every_frame_is_recognised_without_help() {
    let Some(folder) = common::corpus("frames") else { return };
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut tree = Tree::new();
    for file in common::files(&folder, "bin") {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let bytes = fs::read(&file).unwrap();
        let (api, direction, version) = meaning_of(&catalogue, name);
        let (frame, _) = Frame::split(&bytes);
        let (heading, _) = Conversation::new(Wanted::Any).decode(&mut decoder, frame, &mut tree);
        assert_eq!((heading.direction, heading.api_key), (direction, Some(api.key)), "{name}");
        if direction == Direction::Request {
            assert_eq!(heading.api_version, Some(version), "{name}");
        }
    }
}
