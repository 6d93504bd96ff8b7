//! Any bytes as an input of frames, the way the program takes them: nothing panics, and the leaves tile every frame.

#![no_main]

use std::cell::RefCell;
use std::sync::OnceLock;

use kdissect::input::conversation::{Conversation, Wanted};
use kdissect::render::page::write_message;
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
        }
    });
});
