//! The page of an API as HTML: one file that needs nothing else, readable without script and without style.
//!
//! Byte grid and object tree stand side by side. That pointing at one lights the other is done in CSS, by rules that
//! `lighting` makes for each field; the script adds what CSS cannot do, moving by arrow keys and scrolling.

mod escape;
mod grid;
mod lighting;
mod outline;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use super::api_page::{ApiPage, DEFINITION_HEADING, Specimen};
use super::page::title;
use super::region::Region;
use super::tree_text::parts::{Line, lines};
use crate::schema::Direction;
use escape::Escaped;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A specimen with what the parts of its section need.
struct Section<'s> {
    specimen: &'s Specimen<'s>,
    /// The id of the section, and what the ids in it begin with.
    id: &'static str,
    title: String,
    lines: Vec<Line>,
    /// For each line, the indices of its ancestors, from the root on.
    ancestors: Vec<Vec<usize>>,
}

impl<'s> Section<'s> {
    fn new(page: &'s ApiPage<'s>, specimen: &'s Specimen<'s>) -> Section<'s> {
        let view = page.view(specimen);
        let lines = lines(view);
        let mut path = Vec::new();
        let ancestors = lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                path.truncate(line.depth);
                let ancestors = path.clone();
                path.push(index);
                ancestors
            })
            .collect();
        let id = match specimen.heading.direction {
            Direction::Request => "request",
            Direction::Response => "response",
        };
        Section { specimen, id, title: title(view), lines, ancestors }
    }
}

/// The class of a region.
fn class(region: Region) -> &'static str {
    match region {
        Region::Frame => "frame",
        Region::Header => "header",
        Region::RequestBody => "request",
        Region::RecordBatch => "batch",
        Region::Record => "record",
        Region::ResponseBody => "response",
        Region::TaggedFields => "tagged",
    }
}

/// Writes a page as HTML.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_html(out: &mut dyn Write, page: &ApiPage<'_>) -> io::Result<()> {
    let sections = page.specimens().map(|specimen| Section::new(page, specimen));
    head(out, page, &sections)?;
    writeln!(out, "<body>\n<header>\n<h1>{}</h1>", Escaped(page.title))?;
    for paragraph in [Some(page.introduction.as_str()), page.about].into_iter().flatten() {
        writeln!(out, "<p class=\"prose\">{}</p>", Escaped(paragraph))?;
    }
    facts(out, page)?;
    legend(out)?;
    out.write_all(
        b"<nav aria-label=\"parts of the page\"><a href=\"#request\">Request</a> <a href=\"#response\">Response</a></nav>\n\
          </header>\n<main>\n",
    )?;
    for section in &sections {
        write_section(out, section)?;
    }
    writeln!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>")
}

fn head(out: &mut dyn Write, page: &ApiPage<'_>, sections: &[Section<'_>]) -> io::Result<()> {
    let (name, version) = (Escaped(page.title), page.version);
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n\
         <meta name=\"description\" content=\"Every byte of Kafka's {name} request and response, version {version}\">\n\
         <title>{name} v{version} - Kafka protocol</title>\n<style>\n{STYLE}"
    )?;
    for section in sections {
        lighting::write_rules(out, section)?;
    }
    out.write_all(b"</style>\n</head>\n")
}

fn facts(out: &mut dyn Write, page: &ApiPage<'_>) -> io::Result<()> {
    out.write_all(b"<dl class=\"facts\">\n")?;
    for (name, value) in &page.facts {
        writeln!(out, "<div><dt>{}</dt><dd>{}</dd></div>", Escaped(name), Escaped(value))?;
    }
    out.write_all(b"</dl>\n")
}

fn legend(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<ul class=\"legend\" aria-label=\"regions of a frame\">\n")?;
    for region in Region::ALL {
        writeln!(out, "<li class=\"{}\">{}</li>", class(region), Escaped(region.name()))?;
    }
    out.write_all(b"</ul>\n")
}

fn write_section(out: &mut dyn Write, section: &Section<'_>) -> io::Result<()> {
    let id = section.id;
    writeln!(
        out,
        "<section id=\"{id}\" aria-labelledby=\"{id}-heading\">\n<h2 id=\"{id}-heading\">{}</h2>\n\
         <p class=\"title\">{}</p>\n<div class=\"sides\">",
        section.specimen.part(),
        Escaped(&section.title),
    )?;
    out.write_all(b"<div class=\"bytes\">\n")?;
    grid::write_grid(out, section)?;
    outline::write_notes(out, section)?;
    out.write_all(b"</div>\n<div class=\"fields\">\n")?;
    outline::write_outline(out, section)?;
    writeln!(
        out,
        "</div>\n</div>\n<h3>{DEFINITION_HEADING}</h3>\n\
         <details open>\n<summary>{}</summary>\n<pre class=\"definition\">{}</pre>\n</details>\n</section>",
        definition_name(section),
        Escaped(section.specimen.definition.trim_end()),
    )
}

/// What the definition is called, as Kafka names the file.
fn definition_name(section: &Section<'_>) -> impl std::fmt::Display {
    let root = section.lines.first().map_or("", Line::bare_name);
    format!("{}.json", Escaped(root))
}
