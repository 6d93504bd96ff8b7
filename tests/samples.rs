//! The samples are what their README says: listed there, made as it says, and sound unless it says malformed.

mod common;

use std::fs;
use std::process::Command;

use kdissect::input::conversation::{Conversation, Wanted};
use kdissect::schema::Catalogue;
use kdissect::tree::{Severity, Tree};
use kdissect::wire::{Decoder, Frame};

fn readme() -> String {
    fs::read_to_string(common::samples().join("README.md")).unwrap()
}

#[test]
fn every_sample_is_in_the_readme_and_as_sound_as_it_says() {
    let readme = readme();
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut tree = Tree::new();
    for file in common::files(&common::samples(), "bin") {
        let name = file.file_name().unwrap().to_str().unwrap();
        let line = readme.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let line = line.unwrap_or_else(|| panic!("{name} is not in samples/README.md"));
        let bytes = fs::read(&file).unwrap();
        let mut conversation = Conversation::new(Wanted::Any);
        let (mut rest, mut sound) = (bytes.as_slice(), true);
        while !rest.is_empty() {
            let (frame, after) = Frame::split(rest);
            conversation.decode(&mut decoder, frame, &mut tree);
            sound &= tree.severity() != Some(Severity::Malformed);
            rest = after;
        }
        assert_eq!(sound, !line.contains("malformed"), "{name}");
    }
}

#[test]
fn frames_from_json_are_made_from_it() {
    let sources = common::files(&common::samples().join("json"), "json");
    assert!(sources.len() >= 20);
    for source in sources {
        let made = Command::new(env!("CARGO_BIN_EXE_kdissect")).arg("encode").arg(&source).output().unwrap();
        assert!(made.status.success(), "{source:?}: {}", String::from_utf8_lossy(&made.stderr));
        let name = source.file_stem().unwrap().to_str().unwrap();
        assert_eq!(made.stdout, fs::read(common::samples().join(format!("{name}.bin"))).unwrap(), "{name}");
    }
}
