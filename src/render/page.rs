//! A message as the documentation shows it: title line, byte layout, object tree.

use std::io::{self, Write};

use super::byte_layout::write_byte_layout;
use super::region::Region;
use super::text::bytes_counted;
use super::theme::{Role, Theme};
use super::tree_text::write_tree;
use super::{Options, View};
use crate::schema::Direction;
use crate::tree::Kind;

/// Writes a message: title line, byte layout, object tree.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_message(
    out: &mut dyn Write,
    view: View<'_>,
    options: &Options,
    theme: &Theme,
) -> io::Result<()> {
    write_title(out, view, theme)?;
    out.write_all(b"\n")?;
    write_byte_layout(out, view, options, theme)?;
    out.write_all(b"\n")?;
    let mut heading = Vec::new();
    theme.paint(&mut heading, Role::Heading, "object tree");
    heading.push(b'\n');
    out.write_all(&heading)?;
    write_tree(out, view, options, theme)
}

/// Writes the title line.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_title(out: &mut dyn Write, view: View<'_>, theme: &Theme) -> io::Result<()> {
    let mut line = Vec::new();
    theme.paint(&mut line, Role::Heading, &title(view));
    line.push(b'\n');
    out.write_all(&line)
}

/// `DescribeTransactionsRequest v0, request header v2, 18 bytes on the wire`.
pub fn title(view: View<'_>) -> String {
    let heading = view.heading;
    let root = &view.tree.nodes[0];
    debug_assert_eq!(root.kind(), Kind::Message);
    let name = &view.tree.item_of(root).name;
    let mut parts = vec![match heading.api_version {
        Some(version) => format!("{name} v{version}"),
        None => name.to_string(),
    }];
    if let Some(version) = heading.header_version {
        parts.push(format!("{} header v{version}", heading.direction.word()));
    } else if let (Direction::Request, Some(key)) = (heading.direction, heading.api_key) {
        parts.push(format!("API key {key}"));
    }
    let there = view.frame.bytes.len();
    let bytes = |count: usize| bytes_counted(count as u64);
    let whole = view.frame.size().and_then(|size| usize::try_from(size).ok()).map(|size| size + 4);
    parts.push(match whole {
        Some(whole) if whole > there => format!("{there} of {} on the wire", bytes(whole)),
        _ if !view.frame.sized => format!("{} without the size field", bytes(there)),
        _ => format!("{} on the wire", bytes(there)),
    });
    parts.join(", ")
}

/// The legend of regions, for texts with colours; nothing for those without.
pub fn legend(theme: &Theme) -> Vec<u8> {
    let mut line = Vec::new();
    if theme.is_coloured() {
        for (index, region) in Region::ALL.into_iter().enumerate() {
            if index > 0 {
                line.extend_from_slice(b"  ");
            }
            theme.paint(&mut line, Role::Region(region), region.name());
        }
        line.push(b'\n');
    }
    line
}
