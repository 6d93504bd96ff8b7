//! The byte grid: a table of sixteen bytes a row, each cell with its region and the fields that it belongs to as classes.

use std::io::{self, Write};

use super::escape::Escaped;
use super::{Section, class};
use crate::tree::Kind;

/// Bytes in a row.
const ROW: usize = 16;

/// A byte that is to be shown.
struct Cell {
    /// `None` if it is secret.
    byte: Option<u8>,
    /// Its region and the fields that it belongs to.
    classes: String,
    /// The field and the region, in words.
    title: String,
}

/// Writes the heading and the table.
pub fn write_grid(out: &mut dyn Write, section: &Section<'_>) -> io::Result<()> {
    let (id, bytes) = (section.id, section.specimen.bytes.len());
    let plural = if bytes == 1 { "" } else { "s" };
    writeln!(
        out,
        "<h3 id=\"{id}-bytes\">byte layout ({bytes} byte{plural}, {ROW} bytes per row)</h3>\n\
         <div class=\"grid\">\n<table aria-labelledby=\"{id}-bytes\">\n<thead><tr><th scope=\"col\"><span class=\"unseen\">offset</span></th>"
    )?;
    for column in 0..ROW {
        write!(out, "<th scope=\"col\">{column:X}</th>")?;
    }
    writeln!(
        out,
        "<th scope=\"col\" class=\"ascii\"><span class=\"unseen\">ASCII</span></th></tr></thead>\n<tbody>"
    )?;
    for (row, cells) in cells(section).chunks(ROW).enumerate() {
        write!(out, "<tr><th scope=\"row\">{:04x}</th>", row * ROW)?;
        for Cell { byte, classes, title } in cells {
            let byte = byte.map_or_else(|| "**".to_owned(), |byte| format!("{byte:02x}"));
            write!(out, "<td class=\"{classes}\" title=\"{}\">{byte}</td>", Escaped(title))?;
        }
        for _ in cells.len()..ROW {
            out.write_all(b"<td></td>")?;
        }
        out.write_all(b"<td class=\"ascii\">")?;
        for Cell { byte, classes, .. } in cells {
            let letter = match byte {
                Some(byte @ b' '..=b'~') => char::from(*byte),
                Some(_) => '.',
                None => '*',
            };
            let letter = letter.to_string();
            write!(out, "<span class=\"{classes}\">{}</span>", Escaped(&letter))?;
        }
        out.write_all(b"</td></tr>\n")?;
    }
    out.write_all(b"</tbody>\n</table>\n</div>\n")
}

fn cells(section: &Section<'_>) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(section.specimen.bytes.len());
    let secrets = section.specimen.tree.secret_ranges(&section.specimen.bytes);
    for (index, line) in section
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.leaf && section.specimen.tree.nodes[line.node].is_in_frame())
    {
        let mut classes = class(line.region).to_owned();
        for ancestor in &section.ancestors[index] {
            classes.push_str(&format!(" f{ancestor}"));
        }
        // Lines below a leaf that are about some of its bits have no bytes but its.
        let below =
            (index + 1..section.lines.len()).take_while(|line| section.ancestors[*line].contains(&index));
        let nodes = &section.specimen.tree.nodes;
        for bits in below.filter(|line| nodes[section.lines[*line].node].kind() == Kind::Bits) {
            classes.push_str(&format!(" f{bits}"));
        }
        classes.push_str(&format!(" b{index}"));
        let title = format!("{}, {}", line.bare_name(), line.region.name());
        let node = &section.specimen.tree.nodes[line.node];
        for place in node.start() as usize..node.stop() as usize {
            let is_secret = secrets.iter().any(|secret| secret.contains(&place));
            let byte = section.specimen.bytes.get(place).copied().filter(|_| !is_secret);
            cells.push(Cell { byte, classes: classes.clone(), title: title.clone() });
        }
    }
    cells
}
