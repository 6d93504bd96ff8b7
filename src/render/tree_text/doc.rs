//! What a line of the tree ends with: the doc of its node.

use super::{BRANCH, TreeWriter, UNDER_LAST, UNDER_OTHER};
use crate::render::Docs;
use crate::render::text::{count, decimal};
use crate::render::theme::Role;
use crate::schema::Direction;
use crate::tree::{Kind, Node, builtin};
use crate::wire::instance::EMPTY_BATCH;
use crate::wire::plan::Item;

impl TreeWriter<'_> {
    /// The doc, and the end of the line.
    #[inline]
    pub(super) fn doc(&mut self, index: usize, node: Node, item: &Item, is_last: bool) {
        if self.options.docs == Docs::None {
            return self.line.push(b'\n');
        }
        // A tag's doc stands with its field.
        let short = if node.kind() == Kind::Tag { "" } else { item.short_doc() };
        let full = self.options.docs == Docs::Full && short.ends_with("...") && !item.doc.ends_with("...");
        let has_doc = !short.is_empty()
            || matches!(node.kind(), Kind::Length | Kind::Body | Kind::Header | Kind::Uvarint);
        if has_doc {
            self.theme.begin(&mut self.line, Role::Doc);
            match node.kind() {
                Kind::Length => self.length_doc(index),
                Kind::Header => self.line.extend_from_slice(match self.view.heading.direction {
                    Direction::Request => b" common request header".as_slice(),
                    Direction::Response => b" common response header",
                }),
                Kind::Body => {
                    self.line.extend_from_slice(b" message body, version ");
                    let plan = self.view.tree.plan(node.plan());
                    decimal(&mut self.line, plan.map_or(0, |plan| plan.version));
                }
                Kind::Uvarint if node.is_builtin(builtin::TAG_COUNT) => {
                    self.follow(node.uvarint(self.data).into(), "tagged field");
                }
                _ if !full => self.line.extend_from_slice(short.as_bytes()),
                _ => {}
            }
            self.theme.end(&mut self.line, Role::Doc);
        }
        self.line.push(b'\n');
        if full {
            self.wrapped_doc(&item.doc, node.span() > 1, is_last);
        }
    }

    fn wrapped_doc(&mut self, doc: &str, has_children: bool, is_last: bool) {
        let mut indent = self.prefix.clone();
        if !self.parents.is_empty() {
            indent.truncate(indent.len() - BRANCH.len());
            indent.extend_from_slice(if is_last { UNDER_LAST } else { UNDER_OTHER });
        }
        indent.extend_from_slice(if has_children { UNDER_OTHER } else { UNDER_LAST });
        let columns = self.options.width.saturating_sub(indent.len()).max(40);
        for row in textwrap::wrap(doc, columns) {
            self.theme.begin(&mut self.line, Role::Branch);
            self.line.extend_from_slice(&indent);
            self.theme.end(&mut self.line, Role::Branch);
            self.theme.paint(&mut self.line, Role::Doc, &row);
            self.line.push(b'\n');
        }
    }

    /// What follows a length.
    fn length_doc(&mut self, index: usize) {
        let tree = self.view.tree;
        let number = tree.count(index - 1, self.data).unwrap_or(0);
        match self.parents.last().map(|parent| parent.kind) {
            Some(Kind::NullArray) => self.line.extend_from_slice(b" null array"),
            Some(Kind::NullRecords) => self.line.extend_from_slice(b" null records"),
            Some(Kind::Records | Kind::Payload) => self.follow(number, "byte"),
            Some(Kind::Array) if number == 1 => {
                let sample = index + 1 < tree.end(index - 1) && self.is_smallest(index + 1);
                self.line.extend_from_slice(if sample {
                    b" one sample element follows".as_slice()
                } else {
                    b" one element follows"
                });
            }
            _ => self.follow(number, "element"),
        }
    }

    fn follow(&mut self, number: u64, noun: &str) {
        self.line.push(b' ');
        match number {
            0 => {
                self.line.extend_from_slice(b"no ");
                self.line.extend_from_slice(noun.as_bytes());
                self.line.push(b's');
            }
            1 => {
                self.line.extend_from_slice(b"one ");
                self.line.extend_from_slice(noun.as_bytes());
            }
            _ => count(&mut self.line, number, noun),
        }
        self.line.extend_from_slice(if number == 1 { b" follows" } else { b" follow" });
    }

    /// Whether the node at `index` is the smallest legal instance of what it is: all zero and empty, one such element in each
    /// array.
    fn is_smallest(&self, index: usize) -> bool {
        let tree = self.view.tree;
        let node = &tree.nodes[index];
        let data = self.view.data();
        match node.kind() {
            Kind::Bool | Kind::Int | Kind::Uint | Kind::Float | Kind::Uuid => {
                node.bytes(data).iter().all(|byte| *byte == 0)
            }
            Kind::String | Kind::Bytes => node.content(data).is_empty(),
            Kind::TaggedFields => node.uvarint(data) == 0,
            Kind::Array => {
                let mut elements = tree.children(index).skip(1);
                let one = tree.count(index, data) == Some(1);
                one && elements.next().is_some_and(|element| self.is_smallest(element))
            }
            Kind::Records => {
                let one = tree.count(index, data) == Some(EMPTY_BATCH.len() as u64);
                one && node.bytes(data).ends_with(&EMPTY_BATCH)
            }
            Kind::Struct => {
                tree.children(index).all(|child| tree.nodes[child].is_presence() || self.is_smallest(child))
            }
            _ => false,
        }
    }
}
