//! Captures as input: each message with its heading and its tree, or as a line of a list.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::time::{Duration, Instant};

use super::args::FormatArg;
use super::dissect::Dissector;
use super::inputs::CaptureInput;
use super::settings;
use crate::capture::file::{Merge, PacketReader};
use crate::capture::{Filter, Message, Origin, Output, Remark, Session, Settings, TopicNames};
use crate::render::capture::clock::{Clock, rfc3339};
use crate::render::capture::heading::heading_line;
use crate::render::json::{JsonLine, write_json};
use crate::render::theme::Role;
use crate::render::{Theme, View};
use crate::schema::{Catalogue, Direction};
use crate::tree::{Limits, Tree};

/// Reads captures as one, and hands what is found to an output that says how it went.
pub fn read(
    inputs: Vec<CaptureInput>,
    catalogue: &Catalogue,
    limits: Limits,
    settings: Settings,
    output: &mut Selected<'_, impl Shown>,
) -> io::Result<()> {
    let tree = Tree { limits, ..Tree::new() };
    let mut session = Session::new(catalogue, tree, settings);
    let mut progress = Progress::new(&inputs);
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    // What comes by a pipe may be growing, and is shown as soon as it is there.
    let grows = inputs.iter().any(|input| input.size.is_none());
    let mut packets = Merge::new(inputs.into_iter().map(|input| PacketReader::new(input.bytes)).collect());
    loop {
        match packets.next_packet() {
            None => break,
            Some(merged) => match merged.item {
                Ok(packet) => {
                    progress.add(packet.data.len());
                    session.packet(&packet, output);
                }
                Err(error) => output.broken(&names[merged.file], &error.to_string()),
            },
        }
        for note in packets.take_notes() {
            output.remark(&Remark::File { file: note.file, note: note.item });
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
    fn message(&mut self, message: &Message<'_>, names: &TopicNames) -> io::Result<()>;

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
    fn message(&mut self, message: &Message<'_>, names: &TopicNames) {
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

/// How far it is, on a terminal, for files that take longer than a second.
struct Progress {
    whole: u64,
    read: u64,
    begin: Instant,
    shown: Option<Instant>,
    packets: u32,
}

impl Progress {
    fn new(inputs: &[CaptureInput]) -> Progress {
        let sizes: Option<u64> = inputs.iter().map(|input| input.size).sum();
        let whole = sizes.filter(|_| io::stderr().is_terminal() && !io::stdout().is_terminal()).unwrap_or(0);
        Progress { whole, read: 0, begin: Instant::now(), shown: None, packets: 0 }
    }

    fn add(&mut self, len: usize) {
        self.read += len as u64;
        self.packets = self.packets.wrapping_add(1);
        if self.whole == 0 || !self.packets.is_multiple_of(4096) {
            return;
        }
        let is_due = match self.shown {
            None => self.begin.elapsed() > Duration::from_secs(1),
            Some(shown) => shown.elapsed() > Duration::from_millis(200),
        };
        if is_due {
            let percent = (self.read * 100 / self.whole).min(99);
            eprint!("\r{percent}% of {} MiB", self.whole >> 20);
            self.shown = Some(Instant::now());
        }
    }

    fn end(&self) {
        if self.shown.is_some() {
            eprint!("\r{:30}\r", "");
        }
    }
}

impl Dissector<'_> {
    /// Shows the messages of captures.
    pub(super) fn captures(&mut self, inputs: Vec<CaptureInput>) -> Result<(), super::dissect::Trouble> {
        let args = self.args;
        let direction = match (args.input.request, args.input.response) {
            (true, _) => Some(Direction::Request),
            (_, true) => Some(Direction::Response),
            _ => None,
        };
        let apis: Vec<String> = args.input.api.iter().cloned().collect();
        let versions: Vec<i16> = args.input.api_version.iter().copied().collect();
        let filter =
            args.filter.filter(&apis, &versions, args.input.topic.as_slice(), direction, self.catalogue)?;
        let settings = Settings { ports: args.filter.port.clone(), keep_summaries: filter.needs_requests() };
        let limits = settings::limits(&args.output);
        let (catalogue, first) = (self.catalogue, args.filter.first);
        let mut trees = Trees { clock: Clock::new(args.filter.time_form()), dissector: self };
        let mut selected = Selected::new(&filter, first, &mut trees);
        read(inputs, catalogue, limits, settings, &mut selected)?;
        if selected.is_malformed() {
            self.set_malformed();
        }
        Ok(())
    }
}

/// Shows each message with a heading and its tree.
struct Trees<'t, 'a> {
    dissector: &'t mut Dissector<'a>,
    clock: Clock,
}

impl Shown for Trees<'_, '_> {
    fn see(&mut self, message: &Message<'_>) {
        self.clock.see(message.first.time);
    }

    fn message(&mut self, message: &Message<'_>, names: &TopicNames) -> io::Result<()> {
        let Dissector { catalogue, .. } = *self.dissector;
        let view = View::new(message.tree, message.frame, message.heading, catalogue)
            .with_secrets(self.dissector.args.output.show_secrets)
            .with_names(names);
        if self.dissector.args.output.format == FormatArg::Json {
            return write_json_line(&mut self.dissector.out, message, view);
        }
        let heading = heading_line(message, catalogue, &mut self.clock);
        self.dissector.captured(&heading, view)
    }

    fn remark(&mut self, remark: &str) -> io::Result<()> {
        match self.dissector.args.output.format {
            // There is no line for it that a program would understand.
            FormatArg::Json => {
                eprintln!("kdissect: {remark}");
                Ok(())
            }
            FormatArg::Text => self.dissector.capture_remark(remark),
        }
    }

    fn broken(&mut self, name: &str, what: &str) -> io::Result<()> {
        self.dissector.complain(name, what)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.dissector.out.flush()
    }
}

/// A message with what is known of it from outside, as one line of JSON.
fn write_json_line(out: &mut impl Write, message: &Message<'_>, view: View<'_>) -> io::Result<()> {
    let mut line = JsonLine::new(&mut *out);
    line.int("number", message.number as i64)?;
    line.text("time", message.first.time.and_then(rfc3339).as_deref())?;
    line.int("connection", message.connection as i64)?;
    line.text("from", Some(&message.from.to_string()))?;
    line.text("to", Some(&message.to.to_string()))?;
    line.optional(
        "answers",
        match message.origin {
            Origin::Response(request) => Some(request.number as i64),
            _ => None,
        },
    )?;
    line.optional("latencyNanoseconds", message.latency.map(|latency| latency.last))?;
    line.int("missing", message.missing as i64)?;
    line.last("message", |out| write_json(out, view, &[]))
}

/// Shows each message as a line.
pub struct Lines<'l> {
    pub out: BufWriter<StdoutLock<'static>>,
    pub catalogue: &'l Catalogue,
    pub clock: Clock,
    pub theme: Theme,
    pub line: Vec<u8>,
}

impl Shown for Lines<'_> {
    fn see(&mut self, message: &Message<'_>) {
        self.clock.see(message.first.time);
    }

    fn message(&mut self, message: &Message<'_>, _: &TopicNames) -> io::Result<()> {
        self.line.clear();
        crate::render::capture::list::write_line(
            &mut self.line,
            message,
            self.catalogue,
            &mut self.clock,
            &self.theme,
        );
        self.out.write_all(&self.line)
    }

    fn remark(&mut self, remark: &str) -> io::Result<()> {
        self.line.clear();
        self.theme.paint(&mut self.line, Role::Note, &format!("note: {remark}"));
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    fn broken(&mut self, name: &str, what: &str) -> io::Result<()> {
        self.out.flush()?;
        eprintln!("kdissect: {name}: {what}");
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
