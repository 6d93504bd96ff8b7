//! Trees of bytes that others wrote: what the commands in `tests/golden/*.tree` print, or the parts of it that a section asks for.
//!
//! A section is what to look at (`# …`), a command (`$ kdissect …`), the parts to show, if not all, and then its output:
//!
//! - `@ TEXT`: every node whose line begins with the text, and what is below it
//! - `@ first TEXT`: the first node whose line has the text in it
//! - `@ each TEXT`: of the nodes whose line begins with the text, one for each format that they carry, `(OffsetCommitKey v0)`
//!
//! `TRYCMD=overwrite cargo test --test golden` accepts new output; read the difference before you commit it.

mod common;

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn trees_are_what_stands_in_the_files() {
    let files = common::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"), "tree");
    assert!(!files.is_empty());
    let accept = std::env::var_os("TRYCMD").is_some_and(|value| value == "overwrite");
    let mut different = Vec::new();
    for file in files {
        let expected = fs::read_to_string(&file).unwrap();
        let found = rerun(&expected);
        if found == expected {
            continue;
        }
        if accept {
            fs::write(&file, found).unwrap();
        } else {
            different.push(format!("{}:\n{}", file.display(), first_difference(&expected, &found)));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// The same sections with the output of now.
fn rerun(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ kdissect ") else {
            if line.starts_with("# ") {
                writeln!(out, "{line}").unwrap();
            }
            continue;
        };
        writeln!(out, "{line}").unwrap();
        let mut parts = Vec::new();
        while let Some(part) = lines.next_if(|line| line.starts_with("@ ")) {
            writeln!(out, "{part}").unwrap();
            parts.push(Part::new(part));
        }
        let printed = printed(command);
        if parts.is_empty() {
            out.push_str(&printed);
        } else {
            select(&printed, &mut parts, &mut out);
            assert!(parts.iter().all(Part::was_found), "a part of `{command}` is not there");
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// What a command prints to standard output, then to standard error, without the empty lines.
fn printed(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kdissect"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(command.split_whitespace())
        .output()
        .unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    text.lines().filter(|line| !line.is_empty()).map(|line| format!("{}\n", line.trim_end())).collect()
}

enum Part {
    All(String),
    First(String, bool),
    Each(String, HashSet<String>),
}

impl Part {
    fn new(line: &str) -> Part {
        let text = &line[2..];
        match text.split_once(' ') {
            Some(("first", text)) => Part::First(text.to_owned(), false),
            Some(("each", text)) => Part::Each(text.to_owned(), HashSet::new()),
            _ => Part::All(text.to_owned()),
        }
    }

    fn wants(&mut self, label: &str) -> bool {
        match self {
            Part::All(text) => label.starts_with(&*text),
            Part::First(text, shown) => {
                let wanted = !*shown && label.contains(&*text);
                *shown |= wanted;
                wanted
            }
            Part::Each(text, shown) => {
                let format = label.rsplit_once(" [").map_or(label, |(before, _)| before);
                let Some((_, format)) = format.rsplit_once('(') else { return false };
                let is_format = format.split(' ').nth(1).is_some_and(|word| word.starts_with('v'));
                is_format && label.starts_with(&*text) && shown.insert(format.to_owned())
            }
        }
    }

    fn was_found(&self) -> bool {
        !matches!(self, Part::First(_, false))
    }
}

/// Writes the wanted nodes with all that is below them, each under the line of its message.
fn select(printed: &str, parts: &mut [Part], out: &mut String) {
    let mut message = None;
    let mut showing = None;
    for line in printed.lines() {
        let Some((place, label)) = line.split_once("+-- ") else {
            message = (!line.starts_with("--")).then_some(line);
            showing = None;
            continue;
        };
        let depth = place.len();
        if showing.is_some_and(|shown| depth <= shown) {
            showing = None;
        }
        if showing.is_none() && parts.iter_mut().any(|part| part.wants(label)) {
            if let Some(message) = message.take() {
                writeln!(out, "{message}").unwrap();
            }
            showing = Some(depth);
        }
        if let Some(shown) = showing {
            writeln!(out, "{}", &line[shown..]).unwrap();
        }
    }
}

fn first_difference(expected: &str, found: &str) -> String {
    let place = expected.lines().zip(found.lines()).position(|(one, other)| one != other);
    let place = place.unwrap_or_else(|| expected.lines().count().min(found.lines().count()));
    let lines = |text: &str| text.lines().skip(place).take(5).collect::<Vec<_>>().join("\n");
    format!("line {}\nexpected:\n{}\nfound:\n{}", place + 1, lines(expected), lines(found))
}
