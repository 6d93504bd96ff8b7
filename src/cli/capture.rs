//! Captures as input: what is found in them is handed to whoever shows it, as far as it is wanted.

use std::io;

use super::inputs::CaptureInput;
use super::progress::Progress;
use crate::capture::file::{Merge, PacketReader};
use crate::capture::{Filter, Message, Origin, Output, Remark, Session, Settings, TopicNames};
use crate::schema::Catalogue;
use crate::tree::Tree;

/// Reads captures as one, and hands what is found to an output that says how it went. `tree` has the limits for what is decoded.
pub fn read(
    mut inputs: Vec<CaptureInput>,
    catalogue: &Catalogue,
    tree: Tree,
    settings: Settings,
    output: &mut Selected<'_, impl Shown>,
) -> io::Result<()> {
    let mut session = Session::new(catalogue, tree, settings);
    let mut progress = Progress::new(&mut inputs);
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    // What comes by a pipe may be growing, and is shown as soon as it is there.
    let grows = inputs.iter().any(|input| input.size.is_none());
    let mut packets = Merge::new(inputs.into_iter().map(|input| PacketReader::new(input.bytes)).collect());
    loop {
        match packets.next_packet() {
            None => break,
            Some(merged) => match merged.item {
                Ok(packet) => {
                    progress.next_packet();
                    session.packet(&packet, output);
                }
                Err(error) => progress.aside(|| output.broken(&names[merged.file], &error.to_string())),
            },
        }
        for note in packets.take_notes() {
            progress.aside(|| output.remark(&Remark::File { file: note.file, note: note.item }));
        }
        if grows && output.has_news() {
            output.shown.flush()?;
        }
        if output.is_done() || output.failed() {
            break;
        }
    }
    progress.end();
    if !output.is_done() {
        session.finish(output);
        if session.messages() == 0 {
            output.broken(&names.join(", "), "there is no Kafka message in it");
        }
    }
    output.result()
}

/// Shows messages and remarks.
pub trait Shown {
    /// A message has been seen, which may not be shown.
    fn see(&mut self, message: &Message<'_>);

    /// Shows a message.
    fn message(&mut self, message: &mut Message<'_>, names: &TopicNames) -> io::Result<()>;

    /// Shows a remark.
    fn remark(&mut self, remark: &str) -> io::Result<()>;

    /// Says what is broken.
    fn broken(&mut self, name: &str, what: &str) -> io::Result<()>;

    /// Hands on what has been shown.
    fn flush(&mut self) -> io::Result<()>;
}

/// Shows those messages that are wanted.
pub struct Selected<'s, S> {
    filter: &'s Filter,
    /// So many more are shown.
    left: u64,
    shown: &'s mut S,
    error: Option<io::Error>,
    news: bool,
    is_malformed: bool,
    /// What need not be said again.
    given_advice: Vec<&'static str>,
}

impl<'s, S: Shown> Selected<'s, S> {
    /// `first` is how many messages are shown at most.
    pub fn new(filter: &'s Filter, first: Option<u64>, shown: &'s mut S) -> Selected<'s, S> {
        let left = first.unwrap_or(u64::MAX);
        Selected {
            filter,
            left,
            shown,
            error: None,
            news: false,
            is_malformed: false,
            given_advice: Vec::new(),
        }
    }

    /// Whether something that was shown is malformed.
    pub fn is_malformed(&self) -> bool {
        self.is_malformed
    }

    fn failed(&self) -> bool {
        self.error.is_some()
    }

    fn has_news(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }

    fn broken(&mut self, name: &str, what: &str) {
        self.is_malformed = true;
        let result = self.shown.broken(name, what);
        self.keep(result);
    }

    fn result(&mut self) -> io::Result<()> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.shown.flush(),
        }
    }

    fn keep(&mut self, result: io::Result<()>) {
        if let (Err(error), None) = (result, &self.error) {
            self.error = Some(error);
        }
    }
}

impl<S: Shown> Output for Selected<'_, S> {
    fn message(&mut self, message: &mut Message<'_>, names: &TopicNames) {
        let request = match message.origin {
            Origin::Response(request) => request.note.summary.as_deref(),
            _ => None,
        };
        self.shown.see(message);
        if self.is_done() || !self.filter.wants(message, request) {
            return;
        }
        self.left -= 1;
        self.news = true;
        self.is_malformed |= !message.tree.is_sound();
        let result = self.shown.message(message, names);
        self.keep(result);
    }

    fn remark(&mut self, remark: &Remark) {
        if !self.filter.wants_remark(remark) {
            return;
        }
        self.news = true;
        self.is_malformed |= remark.is_grave();
        let mut text = remark.to_string();
        if let Some(advice) = remark.advice().filter(|advice| !self.given_advice.contains(advice)) {
            self.given_advice.push(advice);
            text.push_str(": ");
            text.push_str(advice);
        }
        let result = self.shown.remark(&text);
        self.keep(result);
    }

    fn is_done(&self) -> bool {
        self.left == 0
    }
}
