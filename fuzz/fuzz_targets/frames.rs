//! Any bytes as an input of frames, the way the program takes them: nothing panics, the leaves tile every frame, and its tree is the same in
//! plain text, where elements that are alike are written by a pattern, and in colours, where each is written by itself.

#![no_main]

use std::cell::RefCell;
use std::sync::OnceLock;

use kdissect::input::conversation::{Conversation, Wanted};
use kdissect::render::page::write_message;
use kdissect::render::tree_text::write_tree;
use kdissect::render::{Options, Theme, View};
use kdissect::schema::Catalogue;
use kdissect::tree::Tree;
use kdissect::wire::{Decoder, Frame};
use libfuzzer_sys::fuzz_target;

fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(Catalogue::embedded)
}

thread_local! {
    static DECODER: RefCell<Decoder<'static>> = RefCell::new(Decoder::new(catalogue()));
}

fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\x1b[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once('m').unwrap().1)
}

fuzz_target!(|input: &[u8]| {
    DECODER.with_borrow_mut(|decoder| {
        let mut conversation = Conversation::new(Wanted::Any);
        let mut tree = Tree::new();
        let mut text = Vec::new();
        let mut rest = input;
        while !rest.is_empty() {
            let (frame, after) = conversation.split(rest);
            rest = after;
            let (heading, _) = conversation.decode(decoder, frame, &mut tree);
            if let Err(problem) = tree.check_tiling(frame.bytes.len()) {
                panic!("{problem}");
            }
            let view = View::new(&tree, frame, &heading, catalogue());
            text.clear();
            write_message(&mut text, view, &Options::default(), &Theme::plain()).unwrap();
            let tree = |theme: &Theme| {
                let mut text = Vec::new();
                write_tree(&mut text, view, &Options::default(), theme).unwrap();
                String::from_utf8(text).unwrap()
            };
            assert_eq!(tree(&Theme::plain()), without_colours(&tree(&Theme::coloured())));
        }
    });
});
