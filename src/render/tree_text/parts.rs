//! The lines of the object tree in parts, for renderers that put them together in another way than the text.

use super::TreeWriter;
use super::name::has_value;
use crate::render::region::Region;
use crate::render::{Options, Theme, View};
use crate::tree::Kind;

/// One line of the object tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The index of its node.
    pub node: usize,
    /// How many ancestors it has.
    pub depth: usize,
    /// The region of its bytes.
    pub region: Region,
    /// Whether the bytes it covers are its own, and not those of lines below it.
    pub leaf: bool,
    /// Name and type (`ThrottleTimeMs int32`), or all of a problem's text.
    pub name: String,
    /// What stands after `=`; empty for lines without a value.
    pub value: String,
    /// `[0x0004, 4B]`; empty for a problem.
    pub location: String,
    /// The doc, whole; empty where there is none.
    pub doc: String,
}

impl Line {
    /// The name without the type.
    pub fn bare_name(&self) -> &str {
        self.name.split_once(' ').map_or(&self.name, |(name, _)| name)
    }
}

/// Every line of a message's object tree, in their order.
pub fn lines(view: View<'_>) -> Vec<Line> {
    let options = Options { full_values: true, ..Options::default() };
    let theme = Theme::plain();
    let mut writer = TreeWriter::new(view, &options, &theme);
    (0..view.tree.nodes.len()).map(|index| writer.parts(index)).collect()
}

impl TreeWriter<'_> {
    fn parts(&mut self, index: usize) -> Line {
        let tree = self.view.tree;
        let node = tree.nodes[index];
        self.leave(index, node);
        let depth = self.parents.len();
        let (_, outer) = self.surroundings(tree.end(index));
        let region = Region::of(&node, outer);
        if node.kind() == Kind::Problem {
            self.problem(index);
            let (value, location, doc) = Default::default();
            return Line { node: index, depth, region, leaf: false, name: self.take(), value, location, doc };
        }
        let item = tree.item_of(&node);
        self.name(index, node, item, region);
        let name = self.take();
        if has_value(node.kind()) {
            self.value(index, node, item);
        }
        let value = self.take();
        self.location(node);
        let location = self.take();
        self.doc(index, node, item, false);
        let mut doc = self.take();
        if doc == item.short_doc().trim_start() {
            item.doc.as_ref().clone_into(&mut doc);
        }
        if tree.end(index) > index + 1 {
            // Nothing is written: no depth is too deep.
            self.enter(index, node.kind(), region, false);
        }
        Line { node: index, depth, region, leaf: tree.is_leaf(index), name, value, location, doc }
    }

    /// What has been written, without the white space around it.
    fn take(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.line).trim().to_owned();
        self.line.clear();
        text
    }
}
