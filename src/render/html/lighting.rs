//! The CSS by which a field lights its bytes, and a byte its field and its note.
//!
//! A line has an id (`request-7`), its bytes a class: `b7` if the line has no lines below it, else `f7`.

use std::io::{self, Write};

use super::Section;

/// Writes the rules of a section: one list of selectors for all that is lit, and one for the notes.
///
/// Each selector ends in one id or class. Browsers find rules by that; with `:is()` in its place they try each rule on each
/// element, which measured a third to a half longer.
pub fn write_rules(out: &mut dyn Write, section: &Section<'_>) -> io::Result<()> {
    let id = section.id;
    let (mut lit, mut notes) = (Vec::new(), Vec::new());
    for (index, line) in section.lines.iter().enumerate() {
        let node = &section.specimen.tree.nodes[line.node];
        if node.is_empty() || !node.is_in_frame() {
            continue;
        }
        let field = format!("#{id}-{index}");
        let pointed = format!("{field}:hover,{field}:focus");
        if line.leaf {
            let byte = format!(".b{index}");
            let section = format!("#{id}:has({pointed},{byte}:hover,{byte}:focus)");
            lit.extend([format!("{section} {field}"), format!("{section} {byte}")]);
            notes.push(format!("#{id}:has({byte}:hover,{byte}:focus) #{id}-n{index}"));
        } else {
            let section = format!("#{id}:has({pointed})");
            lit.extend([format!("{section} {field}"), format!("{section} .f{index}")]);
        }
    }
    // Every message has a size field, so neither list is empty.
    writeln!(out, "{}\n{{ background: var(--lit); outline: 1px solid var(--edge) }}", lit.join(",\n"))?;
    writeln!(out, "{}\n{{ visibility: visible }}", notes.join(",\n"))
}
