//! What several tests need.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod capture_files;
pub mod packets;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use kdissect::schema::{Catalogue, Direction};
use kdissect::tree::Tree;
use kdissect::wire::assemble::{self, HeaderValues, assemble};
use kdissect::wire::plan::Plan;
use kdissect::wire::value::Struct;
use kdissect::wire::{Decoder, Frame, Heading};

/// Every API key, direction and version.
pub fn all_messages(catalogue: &Catalogue) -> Vec<(Direction, i16, i16)> {
    let mut messages = Vec::new();
    for api in catalogue.apis() {
        for version in api.versions.iter() {
            messages.push((Direction::Request, api.key, version));
            messages.push((Direction::Response, api.key, version));
        }
    }
    messages
}

/// Decodes a frame as the message that it is.
pub fn decode(
    decoder: &mut Decoder<'_>,
    (direction, key, version): (Direction, i16, i16),
    frame: &[u8],
    tree: &mut Tree,
) -> Heading {
    let frame = Frame { bytes: frame, sized: true };
    match direction {
        Direction::Request => decoder.request(frame, tree),
        Direction::Response => decoder.response(frame, key, version, tree),
    }
}

/// A frame with a header of plain values and a body.
pub fn make_frame(
    decoder: &mut Decoder<'_>,
    (direction, key, version): (Direction, i16, i16),
    body: &Struct,
    correlation_id: i32,
    client_id: &str,
) -> Vec<u8> {
    let (header_plan, plan) = plans(decoder, (direction, key, version));
    assemble(&header_plan, &plan, &HeaderValues::new(correlation_id, client_id), body).unwrap()
}

/// The plans of a message's header and body.
pub fn plans(
    decoder: &mut Decoder<'_>,
    (direction, key, version): (Direction, i16, i16),
) -> (std::sync::Arc<Plan>, std::sync::Arc<Plan>) {
    assemble::plans(decoder, direction, key, version).unwrap()
}

/// The seed for random tests: from `KDISSECT_SEED`, else the time. It is printed, and cargo shows it when a test fails.
pub fn seed() -> u64 {
    let given = std::env::var("KDISSECT_SEED").ok().and_then(|text| text.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let seed = given.unwrap_or_else(now);
    println!("KDISSECT_SEED={seed}");
    seed
}

/// A folder of the corpus, or `None`, with a message, where there is no corpus.
pub fn corpus(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: no corpus at ../shared/corpus/{folder}");
    None
}

/// The files of a folder with an extension, by name.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// The `samples` folder of this project.
pub fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

/// Text with each run of white space folded to one space.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
