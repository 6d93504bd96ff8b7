//! The catalogue of APIs as text: a table of all, or of the versions of one.

use std::io::{self, Write};

use super::theme::{Role, Theme};
use crate::schema::{Overview, VersionOverview};

/// Stands where there is nothing, or nothing is known.
const NOTHING: &str = "-";

/// Writes all APIs, a line for each.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_apis(out: &mut dyn Write, apis: &[Overview], theme: &Theme) -> io::Result<()> {
    let mut table = Table::new(["key", "API", "versions", "flexible", "headers", "since", "listeners", ""]);
    let mut reasons: Vec<&str> = Vec::new();
    for api in apis {
        let exceptions = api.versions.iter().filter_map(|version| version.header_reason);
        let before = reasons.len();
        reasons.extend(exceptions);
        reasons.dedup();
        let exception = if reasons.len() > before { "*" } else { "" };
        let newest = api.versions.last();
        table.rows.push([
            Cell::right(api.key.to_string()),
            Cell::of(Role::Heading, &api.name),
            Cell::plain(api.range().to_string()),
            Cell::plain(api.flexible_from.map_or(NOTHING.to_owned(), |version| format!("{version}+"))),
            Cell::plain(newest.map_or(NOTHING.to_owned(), |newest| headers(newest) + exception)),
            Cell::plain(api.first_release.unwrap_or(NOTHING).to_owned()),
            Cell::plain(if api.listeners.is_empty() { NOTHING.to_owned() } else { api.listeners.join(", ") }),
            Cell::of(Role::Note, &marks(api)),
        ]);
    }
    let mut text = table.text(theme);
    for reason in reasons {
        theme.paint(&mut text, Role::Doc, &format!("* {reason}"));
        text.push(b'\n');
    }
    out.write_all(&text)
}

/// Writes an API: what it is for, and a line for each version. `width` is how many columns a text may take.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_api(out: &mut dyn Write, api: &Overview, width: usize, theme: &Theme) -> io::Result<()> {
    let mut text = Vec::new();
    theme.paint(&mut text, Role::Heading, &format!("{}, API key {}", api.name, api.key));
    text.push(b'\n');
    for row in api.about.iter().flat_map(|about| textwrap::wrap(about, width.max(40))) {
        theme.paint(&mut text, Role::Doc, &row);
        text.push(b'\n');
    }
    if !api.listeners.is_empty() {
        writeln!(text, "listeners: {}", api.listeners.join(", "))?;
    }
    if let Some(release) = api.removed_in {
        theme.paint(&mut text, Role::Note, &format!("removed in {release}"));
        text.push(b'\n');
    }
    text.push(b'\n');
    let mut table = Table::new(["version", "since", "dropped", "flexible", "headers", "change", ""]);
    let mut reasons: Vec<&str> = Vec::new();
    for version in &api.versions {
        reasons.extend(version.header_reason);
        reasons.dedup();
        let exception = if version.header_reason.is_some() { "*" } else { "" };
        table.rows.push([
            Cell::right(version.version.to_string()),
            Cell::plain(version.first_release.unwrap_or(NOTHING).to_owned()),
            Cell::of(Role::Note, version.dropped_in.filter(|_| api.removed_in.is_none()).unwrap_or_default()),
            Cell::plain(if version.flexible { "yes" } else { "no" }.to_owned()),
            Cell::plain(headers(version) + exception),
            Cell::plain(version.change.unwrap_or(NOTHING).to_owned()),
            Cell::of(Role::Note, &version_marks(version)),
        ]);
    }
    text.append(&mut table.text(theme));
    for reason in reasons {
        theme.paint(&mut text, Role::Doc, &format!("* {reason}"));
        text.push(b'\n');
    }
    out.write_all(&text)
}

/// The versions of the headers of request and response.
fn headers(version: &VersionOverview) -> String {
    format!("{}/{}", version.request_header, version.response_header)
}

fn marks(api: &Overview) -> String {
    let removed = api.removed_in.map(|release| format!("removed in {release}"));
    let newest = api.versions.last().filter(|newest| newest.unstable);
    let unstable = newest.map(|newest| format!("v{} is unstable", newest.version));
    removed.into_iter().chain(unstable).collect::<Vec<_>>().join(", ")
}

fn version_marks(version: &VersionOverview) -> String {
    // That a version is gone says more than that it was discouraged before.
    match version {
        VersionOverview { unstable: true, .. } => "unstable".to_owned(),
        VersionOverview { deprecated: true, dropped_in: None, .. } => "deprecated".to_owned(),
        _ => String::new(),
    }
}

/// Cells in columns that are as wide as they need to be.
struct Table<const COLUMNS: usize> {
    titles: [&'static str; COLUMNS],
    rows: Vec<[Cell; COLUMNS]>,
}

struct Cell {
    text: String,
    role: Option<Role>,
    right: bool,
}

impl Cell {
    fn plain(text: String) -> Cell {
        Cell { text, role: None, right: false }
    }

    fn right(text: String) -> Cell {
        Cell { text, role: None, right: true }
    }

    fn of(role: Role, text: &str) -> Cell {
        Cell { text: text.to_owned(), role: Some(role), right: false }
    }

    /// Its text, wide enough for its column.
    fn padded(&self, width: usize) -> String {
        let Cell { text, right, .. } = self;
        if *right { format!("{text:>width$}") } else { format!("{text:width$}") }
    }
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    fn new(titles: [&'static str; COLUMNS]) -> Self {
        Table { titles, rows: Vec::new() }
    }

    /// The table. Columns without anything in them are left out.
    fn text(&self, theme: &Theme) -> Vec<u8> {
        let width_of = |column: usize| {
            let widest = self.rows.iter().map(|row| row[column].text.chars().count()).max().unwrap_or(0);
            if widest == 0 { 0 } else { widest.max(self.titles[column].len()) }
        };
        let columns: Vec<(usize, usize)> =
            (0..COLUMNS).map(|column| (column, width_of(column))).filter(|(_, width)| *width > 0).collect();
        let title = |(column, width): &(usize, usize)| {
            let title = self.titles[*column].to_owned();
            let right = self.rows.first().is_some_and(|row| row[*column].right);
            Cell { text: title, role: None, right }.padded(*width)
        };
        let titles: Vec<String> = columns.iter().map(title).collect();
        let mut text = Vec::new();
        theme.paint(&mut text, Role::Heading, titles.join("  ").trim_end());
        text.push(b'\n');
        for row in &self.rows {
            let mut gap = 0;
            for (column, width) in &columns {
                let cell = &row[*column];
                let padded = cell.padded(*width);
                // Nothing stands after the last cell, not even spaces.
                let shown = padded.trim_end();
                if !shown.is_empty() {
                    text.resize(text.len() + gap, b' ');
                    gap = 0;
                    match cell.role {
                        Some(role) => theme.paint(&mut text, role, shown),
                        None => text.extend_from_slice(shown.as_bytes()),
                    }
                }
                gap += padded.len() - shown.len() + 2;
            }
            text.push(b'\n');
        }
        text
    }
}
