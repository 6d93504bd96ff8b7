//! What a line of the tree begins with: the name and the type of its node.

use super::TreeWriter;
use super::pattern::Gap;
use crate::records::MAGIC_AT;
use crate::render::region::Region;
use crate::render::text::decimal;
use crate::render::theme::Role;
use crate::tree::{Flags, Kind, Node, builtin};
use crate::wire::plan::Item;

/// Whether a line has a value. The others are of what has a name only.
#[inline]
pub fn has_value(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Message
            | Kind::Header
            | Kind::Body
            | Kind::Tag
            | Kind::UnknownTag
            | Kind::Frame
            | Kind::Batch
            | Kind::Record
    )
}

impl TreeWriter<'_> {
    /// Name and type.
    #[inline]
    pub(super) fn name(&mut self, index: usize, node: Node, item: &Item, region: Region) {
        let line = &mut self.line;
        self.theme.begin(line, Role::Region(region));
        let data = self.data;
        let version = || self.view.tree.plan(node.plan()).map_or(0, |plan| plan.version);
        match node.kind() {
            Kind::Message
                if node.is_builtin(builtin::UNKNOWN_MESSAGE) || node.is_builtin(builtin::SASL_TOKEN) =>
            {
                line.extend_from_slice(item.name.as_bytes());
            }
            Kind::Message => {
                line.extend_from_slice(item.name.as_bytes());
                line.extend_from_slice(b" message v");
                decimal(line, self.view.heading.api_version.unwrap_or(0));
            }
            Kind::Header => {
                line.extend_from_slice(item.name.as_bytes());
                line.extend_from_slice(b" v");
                decimal(line, version());
            }
            Kind::Body => {
                line.extend_from_slice(item.name.as_bytes());
                line.extend_from_slice(b" struct");
            }
            Kind::Tag => {
                line.extend_from_slice(b"tag ");
                decimal(line, node.uvarint(data));
                line.push(b' ');
                line.extend_from_slice(item.name.as_bytes());
            }
            Kind::UnknownTag => {
                line.extend_from_slice(b"tag ");
                decimal(line, node.uvarint(data));
                line.extend_from_slice(b" (unknown)");
            }
            Kind::Batch => {
                line.extend_from_slice(item.name.as_bytes());
                line.extend_from_slice(b" v");
                decimal(line, node.bytes(data).get(MAGIC_AT).copied().unwrap_or(0));
            }
            Kind::Frame => line.extend_from_slice(item.label().as_bytes()),
            _ if node.flags().has(Flags::ELEMENT) => {
                // What a whole definition is of is called like it.
                let named = if item.type_name.is_empty() { &item.name } else { &*item.type_name };
                line.extend_from_slice(named.as_bytes());
                line.push(b'[');
                if let Some(parent) = self.parents.last_mut() {
                    let begin = line.len();
                    decimal(line, parent.next_element);
                    parent.next_element += 1;
                    self.patterns.mark(begin, line.len(), index, |_| Gap::Index);
                }
                line.push(b']');
                if node.kind() != Kind::Record {
                    line.push(b' ');
                    line.extend_from_slice(named.as_bytes());
                }
            }
            _ => line.extend_from_slice(item.label().as_bytes()),
        }
        self.theme.end(line, Role::Region(region));
    }
}
