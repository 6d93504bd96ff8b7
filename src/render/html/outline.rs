//! The object tree as nested lists, and the notes that tell what a byte under the pointer is.

use std::io::{self, Write};

use super::escape::Escaped;
use super::{Section, class};
use crate::render::tree_text::parts::Line;

/// Writes the heading and the nested lists.
pub fn write_outline(out: &mut dyn Write, section: &Section<'_>) -> io::Result<()> {
    let id = section.id;
    write!(out, "<h3 id=\"{id}-tree\">object tree</h3>\n<ul class=\"tree\" aria-labelledby=\"{id}-tree\">")?;
    for (index, line) in section.lines.iter().enumerate() {
        write!(out, "\n<li><div class=\"line\" id=\"{id}-{index}\" tabindex=\"0\">")?;
        write_line(out, line)?;
        out.write_all(b"</div>")?;
        // Either its children follow, or it ends, and with it as many ancestors as the next line does not have.
        let next = section.lines.get(index + 1).map_or(0, |next| next.depth);
        if next > line.depth {
            out.write_all(b"<ul>")?;
        } else {
            out.write_all(b"</li>")?;
            for _ in next..line.depth {
                out.write_all(b"</ul></li>")?;
            }
        }
    }
    out.write_all(b"\n</ul>\n")
}

/// Writes what the CSS shows beside the grid: for each field with bytes of its own, where it is in the message and what it means.
pub fn write_notes(out: &mut dyn Write, section: &Section<'_>) -> io::Result<()> {
    out.write_all(
        b"<div class=\"notes\" aria-hidden=\"true\">\n\
          <p class=\"hint\">Point at a byte to see its field here, or at a field to see its bytes. On the keyboard, Tab leads into \
          the grid and the tree, the arrow keys from byte to byte and line to line, Enter from one to the other.</p>\n",
    )?;
    for (index, line) in section.lines.iter().enumerate().filter(|(_, line)| line.leaf) {
        write!(out, "<p class=\"note\" id=\"{}-n{index}\">", section.id)?;
        // The root says no more than the title line.
        let path: Vec<&str> = section.ancestors[index]
            .iter()
            .skip(1)
            .map(|ancestor| section.lines[*ancestor].bare_name())
            .collect();
        if !path.is_empty() {
            write!(out, "<span class=\"path\">{} \u{203a}</span> ", Escaped(&path.join(" \u{203a} ")))?;
        }
        write_line(out, line)?;
        writeln!(out, " <span class=\"region\">({})</span></p>", Escaped(line.region.name()))?;
    }
    out.write_all(b"</div>\n")
}

fn write_line(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    let Line { region, name, value, location, doc, .. } = line;
    if location.is_empty() {
        // No field, but a remark about what stands before it.
        return write!(out, "<span class=\"remark\">{}</span>", Escaped(name));
    }
    write!(out, "<code class=\"name {}\">{}</code>", class(*region), Escaped(name))?;
    if !value.is_empty() {
        write!(out, " <code class=\"value\">= {}</code>", Escaped(value))?;
    }
    write!(out, " <code class=\"location\">{}</code>", Escaped(location))?;
    if !doc.is_empty() {
        write!(out, " <span class=\"doc\">{}</span>", Escaped(doc))?;
    }
    Ok(())
}
