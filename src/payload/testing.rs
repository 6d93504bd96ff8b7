//! What tests of payloads need: a payload as text, and inputs that are cut and changed.

use std::sync::LazyLock;

use crate::render::{Options, Theme, View, tree_text};
use crate::schema::{Catalogue, Direction};
use crate::tree::Tree;
use crate::wire::{Frame, Heading};

/// The object tree of what `walk` makes of bytes. Checks that it covers them.
pub(super) fn tree_text(bytes: &[u8], walk: impl Fn(&[u8], &mut Tree) -> bool) -> String {
    let mut tree = Tree::new();
    assert!(walk(bytes, &mut tree), "nothing is recognised");
    tree.check_tiling(bytes.len()).unwrap_or_else(|error| panic!("{error}"));
    let heading = Heading {
        direction: Direction::Request,
        api_key: None,
        api_version: None,
        header_version: None,
        correlation_id: None,
        client_id: None,
        answered: true,
        enveloped: None,
    };
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::embedded);
    let (frame, catalogue) = (Frame::unsized_bytes(bytes), &*CATALOGUE);
    let view = View::new(&tree, frame, &heading, catalogue).with_secrets(true);
    let mut text = Vec::new();
    tree_text::write_tree(&mut text, view, &Options::default(), &Theme::plain()).unwrap();
    String::from_utf8(text).unwrap()
}

/// Checks that what `walk` makes of bytes covers them, or that it makes nothing: of the bytes up to each length, and with changes here
/// and there. Each is written as well, which must not panic.
pub(super) fn any_change_is_tiled(bytes: &[u8], walk: impl Fn(&[u8], &mut Tree) -> bool) {
    let check = |bytes: &[u8]| {
        let mut tree = Tree::new();
        if walk(bytes, &mut tree) {
            tree_text(bytes, &walk);
        } else {
            assert!(tree.nodes.is_empty() && tree.problems.is_empty(), "{bytes:02x?}");
        }
    };
    (0..bytes.len()).for_each(|len| check(&bytes[..len]));
    let given = std::env::var("KDISSECT_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| fastrand::u64(..));
    println!("KDISSECT_SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..500 {
        let mut changed = bytes.to_vec();
        for _ in 0..random.usize(1..4) {
            let place = random.usize(..changed.len());
            changed[place] = random.u8(..);
        }
        check(&changed);
    }
}
