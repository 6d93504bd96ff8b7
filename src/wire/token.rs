//! SASL tokens that go over the wire as they are, each after its size: so they do after SaslHandshake v0, and from clients that are older still.

use super::decode::{Decoder, Heading};
use super::frame::{Frame, bad_size};
use super::message::{problem, size_field_of_least};
use super::walk::Walk;
use crate::payload;
use crate::schema::Direction;
use crate::tree::{Flags, Kind, ProblemKind, Tree, What, builtin};
use crate::wire::sink::Sink;

impl Decoder<'_> {
    /// Decodes a token into `tree`, which is emptied before.
    pub fn token(&mut self, frame: Frame<'_>, direction: Direction, tree: &mut Tree) -> Heading {
        if frame.sized && bad_size(frame.bytes, 0).flatten().is_some() {
            return self.unrecognised(frame, tree);
        }
        tree.clear();
        let root = tree.open(What::new(Kind::Message, Flags::NONE, builtin::SASL_TOKEN), 0);
        let mut walk = Walk::new(frame.bytes, 0, tree);
        let result = size_field_of_least(&mut walk, frame, 0);
        if result.is_ok() && walk.left() > 0 {
            let (content, start) = (walk.rest, walk.pos());
            if !payload::sasl_token(content, start, walk.sink) {
                let what = What::new(Kind::Raw, Flags::SECRET, builtin::TOKEN_BYTES);
                walk.sink.leaf(what, start, content.len());
            }
            walk.rest = &[];
        }
        let stop = walk.pos();
        if let Some(size) =
            frame.size().filter(|size| *size as usize > frame.content().len() && result.is_ok())
        {
            let found = frame.content().len() as u64;
            problem(tree, builtin::SIZE, 0, ProblemKind::Cut { size: size as u32, found });
        }
        tree.close(root, stop);
        Heading { answered: false, ..Heading::new(direction) }
    }
}
