//! The object tree is the same text however it comes about: elements that are alike are written by a pattern in plain text, one by one in
//! colours; and a tree may be written in pieces.

mod common;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use common::{all_messages, decode, make_frame, seed};
use fastrand::Rng;
use kdissect::capture::{Message, Output, PacketReader, Remark, Session, Settings, TopicNames};
use kdissect::render::tree_text::{Place, append_tree, write_tree};
use kdissect::render::{Docs, Options, Theme, View};
use kdissect::schema::Catalogue;
use kdissect::tree::Tree;
use kdissect::wire::instance;
use kdissect::wire::{Decoder, Frame};

/// A text without the codes of colours.
fn without_colours(text: &[u8]) -> String {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let mut pieces = text.split("\x1b[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once('m').unwrap().1)
}

/// Checks a message, in pieces of several sizes.
fn check(view: View<'_>) {
    let mut options = Options::default();
    for docs in [Docs::Short, Docs::None] {
        options.docs = docs;
        let (mut plain, mut coloured) = (Vec::new(), Vec::new());
        write_tree(&mut plain, view, &options, &Theme::plain()).unwrap();
        write_tree(&mut coloured, view, &options, &Theme::coloured()).unwrap();
        let plain = String::from_utf8(plain).unwrap();
        assert_eq!(plain, without_colours(&coloured));
        if docs == Docs::Short {
            pieces(view, &options, &plain);
        }
    }
}

fn pieces(view: View<'_>, options: &Options, whole: &str) {
    let nodes = view.tree.nodes.len();
    for size in [1, 2, 3, 7, 50] {
        // Single lines of large messages take too long.
        if nodes / size > 1000 {
            continue;
        }
        let (mut text, mut from) = (Vec::new(), Place::first());
        while from.node() < nodes {
            let end = (from.node() + size).min(nodes);
            append_tree(&mut text, view, options, &Theme::plain(), &from, end);
            from.go_to(view.tree, end);
            assert_eq!(from.node(), end);
        }
        assert_eq!(String::from_utf8(text).unwrap(), whole, "in pieces of {size}");
    }
}

#[test]
fn random_messages() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut rng = Rng::with_seed(seed());
    let mut tree = Tree::new();
    for message in all_messages(&catalogue) {
        let (_, plan) = common::plans(&mut decoder, message);
        let body = instance::random(&plan, &mut rng);
        let frame = make_frame(&mut decoder, message, &body, 7, "tree-text");
        let heading = decode(&mut decoder, message, &frame, &mut tree);
        check(View::new(&tree, Frame { bytes: &frame, sized: true }, &heading, &catalogue));
    }
}

struct Checked<'c> {
    catalogue: &'c Catalogue,
    messages: usize,
}

impl Output for Checked<'_> {
    fn message(&mut self, message: &mut Message<'_>, names: &TopicNames) {
        self.messages += 1;
        check(View::new(message.tree, message.frame, message.heading, self.catalogue).with_names(names));
    }

    fn remark(&mut self, _: &Remark) {}
}

fn check_captures(folder: &Path) -> usize {
    let catalogue = Catalogue::embedded();
    let mut checked = Checked { catalogue: &catalogue, messages: 0 };
    let is_capture = |extension: &str| matches!(extension, "pcap" | "pcapng" | "cap" | "gz" | "zst" | "lz4");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let captures: BTreeSet<_> = files
        .filter(|path| path.extension().is_some_and(|extension| is_capture(extension.to_str().unwrap())))
        .collect();
    for path in captures {
        println!("{}", path.display());
        let mut session = Session::new(&catalogue, Tree::new(), Settings::default());
        let mut reader = PacketReader::new(File::open(&path).unwrap());
        while let Some(packet) = reader.next_packet() {
            if let Ok(packet) = packet {
                session.packet(&packet, &mut checked);
            }
        }
        session.finish(&mut checked);
    }
    checked.messages
}

#[test]
fn messages_of_the_sample_captures() {
    let messages = check_captures(&common::samples().join("captures"));
    assert!(messages > 500, "{messages}");
}

#[test]
fn messages_of_the_corpus() {
    if let Some(folder) = common::corpus("captures") {
        assert!(check_captures(&folder) > 500);
    }
}

#[test]
fn log_files() {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kafka/recorded"), &mut files);
    assert!(files.len() > 20, "{}", files.len());
    for file in files {
        let show = |colour: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_kdissect"));
            command.args(["--view", "tree", "--color", colour]).arg(&file).output().unwrap().stdout
        };
        let plain = String::from_utf8(show("never")).unwrap();
        assert!(!plain.is_empty(), "{}", file.display());
        assert_eq!(plain, without_colours(&show("always")), "{}", file.display());
    }
}

/// All files of a broker's log in a folder and those below it.
fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| {
            matches!(
                extension.to_str(),
                Some("log" | "index" | "timeindex" | "txnindex" | "snapshot" | "checkpoint")
            )
        }) {
            files.push(path);
        }
    }
}
