//! Shows files of a log folder.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::args::{FormatArg, ViewArg};
use super::dissect::{Dissector, Trouble};
use super::exit::Failure;
use super::inputs::{LogBytes, LogInput};
use crate::log::text::{self, Lines};
use crate::log::{Index, LogFile, LogFileKind, Segment, TextKind};
use crate::payload::Topic;
use crate::render::log_json::{write_index_part, write_lines, write_segment_part, write_summary};
use crate::render::log_text::{HEADING, LogWriter};
use crate::render::problem_text::malformed_texts;
use crate::tree::Tree;
use crate::wire::Frame;

/// So many entries of an index are read at once.
const ENTRIES: usize = 1024;

impl Dissector<'_> {
    /// Shows a file of a log folder, whatever its size piece by piece.
    pub(super) fn log(&mut self, input: &mut LogInput) -> Result<(), Trouble> {
        let mut file;
        // The content may have been given already.
        let read: &mut dyn Read =
            match std::mem::replace(&mut input.bytes, LogBytes::Open(Box::new(io::empty()))) {
                LogBytes::Open(open) => {
                    file = open;
                    &mut file
                }
                LogBytes::File(path) => {
                    file = Box::new(File::open(path).map_err(|error| unreadable(&input.name, &error))?);
                    &mut file
                }
            };
        let is_text = self.args.output.format == FormatArg::Text;
        if is_text {
            self.next_input()?;
        }
        let presentation = self.presentation;
        let is_bytes = presentation.output.view == ViewArg::Bytes;
        let mut writer =
            LogWriter::new(&presentation.options, &presentation.theme, is_bytes, input.file.kind);
        if is_text {
            writer.root(&mut self.out, &input.file, &input.name, input.size)?;
        }
        match input.file.kind {
            LogFileKind::Segment | LogFileKind::MetadataSnapshot => self.segment(input, read, &mut writer),
            LogFileKind::Text(kind) => self.lines(input, read, kind, &mut writer),
            _ => self.index(input, read, &mut writer),
        }
    }

    fn segment(
        &mut self,
        input: &LogInput,
        read: &mut dyn Read,
        writer: &mut LogWriter<'_>,
    ) -> Result<(), Trouble> {
        let LogInput { name, file, .. } = input;
        let mut segment = Segment::new(read, file.base_offset());
        let mut tree = std::mem::take(&mut self.tree);
        tree.topic = file.topic.as_deref().and_then(|topic| Topic::named(topic.as_bytes()));
        while let Some(part) = segment.next_part(&mut tree).map_err(|error| unreadable(name, &error))? {
            let view = self.presentation.view(&tree, Frame::unsized_bytes(segment.bytes()), &HEADING);
            match self.args.output.format {
                FormatArg::Text => writer.part(&mut self.out, part, view, file.base_offset())?,
                FormatArg::Json => write_segment_part(&mut self.out, name, file, part, view)?,
            }
            self.complain_of(name, &tree)?;
        }
        self.end_of_tree(tree);
        match self.args.output.format {
            FormatArg::Text => writer.summary(&mut self.out, &segment.summary)?,
            FormatArg::Json => write_summary(&mut self.out, name, file, &segment.summary)?,
        }
        Ok(())
    }

    fn index(
        &mut self,
        input: &LogInput,
        read: &mut dyn Read,
        writer: &mut LogWriter<'_>,
    ) -> Result<(), Trouble> {
        let LogInput { name, file, .. } = input;
        let Some(mut index) = Index::new(read, file.kind, self.presentation.catalogue) else {
            return Err(Trouble::Input(Failure(format!("{name}: the definition of such files is missing"))));
        };
        let mut tree = std::mem::take(&mut self.tree);
        loop {
            // No more than are shown, so that what is left out is told once.
            let most = if writer.wanted() > 0 { ENTRIES.min(writer.wanted()) } else { ENTRIES };
            let part = index.next_part(most, &mut tree).map_err(|error| unreadable(name, &error))?;
            let Some(part) = part else { break };
            let view = self.presentation.view(&tree, Frame::unsized_bytes(index.bytes()), &HEADING);
            match self.args.output.format {
                FormatArg::Text => writer.part(&mut self.out, part, view, file.base_offset())?,
                FormatArg::Json => write_index_part(&mut self.out, name, file, part, view)?,
            }
            self.complain_of(name, &tree)?;
        }
        self.end_of_tree(tree);
        let is_list = file.kind != LogFileKind::ProducerSnapshot;
        if self.args.output.format == FormatArg::Text && (is_list || index.entries == 0) {
            writer.entries(&mut self.out, index.entries)?;
        }
        Ok(())
    }

    fn lines(
        &mut self,
        input: &LogInput,
        read: &mut dyn Read,
        kind: TextKind,
        writer: &mut LogWriter<'_>,
    ) -> Result<(), Trouble> {
        let LogInput { name, file, .. } = input;
        let mut bytes = Vec::new();
        read.take(text::MOST + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
        if bytes.len() as u64 > text::MOST {
            let most = text::MOST;
            return Err(Trouble::Input(Failure(format!(
                "{name}: such a file never has more than {most} bytes"
            ))));
        }
        let lines = Lines::read(kind, &bytes);
        match self.args.output.format {
            FormatArg::Json => write_lines(&mut self.out, name, file, &lines)?,
            // What it says is what its bytes look like.
            FormatArg::Text => writer.lines(&mut self.out, &lines)?,
        }
        for (at, problem) in lines.problems() {
            self.complain(name, &format!("at {at:#06x}: {problem}"))?;
        }
        Ok(())
    }

    fn complain_of(&mut self, name: &str, tree: &Tree) -> Result<(), Trouble> {
        for problem in malformed_texts(tree) {
            self.complain(name, &problem)?;
        }
        Ok(())
    }

    /// Keeps the memory of a tree for the next input.
    fn end_of_tree(&mut self, tree: Tree) {
        self.tree = Tree { origin: 0, topic: None, ..tree };
    }
}

fn unreadable(name: &str, error: &io::Error) -> Trouble {
    Trouble::Input(Failure(format!("{name}: {error}")))
}

/// What files can be named in a folder, in words; `None` if none of them is one of a log.
pub fn files_of_folder(folder: &Path) -> Option<String> {
    let mut patterns: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if let Some(LogFile { kind, name, .. }) = LogFile::named(&path) {
            let pattern = match (kind, path.extension().and_then(|extension| extension.to_str())) {
                (LogFileKind::Text(_), _) | (_, None) => name,
                (_, Some(extension)) => format!("*.{extension}"),
            };
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
    }
    // Segments first, since that is what one mostly wants.
    patterns.sort_by_key(|pattern| (pattern != "*.log", !pattern.starts_with('*'), pattern.clone()));
    let (first, others) = patterns.split_first()?;
    let folder = folder.display().to_string();
    let folder = folder.trim_end_matches('/');
    let mut text =
        format!("this is a folder of log files; name files in it, as in kdissect {folder}/{first}");
    if !others.is_empty() {
        text.push_str(&format!(" (it also has {})", others.join(", ")));
    }
    Some(text)
}
