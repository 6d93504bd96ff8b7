//! The messages of captures, each with a heading and its tree.

use std::io::{self, Write};
use std::sync::Arc;
use std::thread;

use super::args::FormatArg;
use super::capture::{Selected, Shown, read};
use super::dissect::{Dissector, Trouble};
use super::inputs::CaptureInput;
use super::presentation::Presentation;
use super::workers::{Work, Workers};
use crate::capture::{Endpoint, Message, Origin, Settings, Time, TopicNames};
use crate::render::View;
use crate::render::capture::clock::{Clock, rfc3339};
use crate::render::capture::heading::heading_line;
use crate::render::json::{JsonLine, write_json};
use crate::render::tree_text::Place;
use crate::schema::Direction;
use crate::tree::Tree;
use crate::wire::{Frame, Heading};

/// So many nodes are worth handing to a thread; messages of more go to several, if they can …
const BATCH_NODES: usize = 2048;
/// … or so many messages, if they are small.
const BATCH_PARTS: usize = 64;
/// A message of more nodes that does not go to several threads is written as it is made into text, which may be too much to keep.
const LARGE: usize = 1 << 18;
/// How many bytes the line of a node has, rather too many.
const LINE: usize = 160;
/// Memory of messages that is kept for others, in bytes.
const KEPT: usize = 16 << 20;

impl Dissector<'_> {
    /// Shows the messages of captures.
    pub(super) fn captures(&mut self, inputs: Vec<CaptureInput>) -> Result<(), Trouble> {
        let args = self.args;
        let direction = match (args.input.request, args.input.response) {
            (true, _) => Some(Direction::Request),
            (_, true) => Some(Direction::Response),
            _ => None,
        };
        let apis: Vec<String> = args.input.api.iter().cloned().collect();
        let versions: Vec<i16> = args.input.api_version.iter().copied().collect();
        let catalogue = self.presentation.catalogue;
        let filter =
            args.filter.filter(&apis, &versions, args.input.topic.as_slice(), direction, catalogue)?;
        let settings = Settings { ports: args.filter.port.clone(), keep_summaries: filter.needs_requests() };
        let (tree, first) = (self.tree.another(), args.filter.first);
        let is_malformed = thread::scope(|scope| {
            let presentation = self.presentation;
            let mut trees = Trees {
                clock: Clock::new(args.filter.time_form()),
                dissector: self,
                workers: Workers::new(scope),
                batch: Batch::new(presentation),
                names: Arc::default(),
                spare: Spare::default(),
            };
            let mut selected = Selected::new(&filter, first, &mut trees);
            read(inputs, catalogue, tree, settings, &mut selected).map(|()| selected.is_malformed())
        })?;
        if is_malformed {
            self.set_malformed();
        }
        Ok(())
    }
}

/// Shows each message with a heading and its tree, or as a line of JSON. Threads make the text.
struct Trees<'t, 'scope, 'env, 'a> {
    dissector: &'t mut Dissector<'a>,
    clock: Clock,
    workers: Workers<'scope, 'env, Batch<'a>>,
    /// What has not been handed to the workers.
    batch: Batch<'a>,
    /// The names as they were when the last message was taken.
    names: Arc<TopicNames>,
    spare: Spare,
}

impl<'scope, 'a: 'scope> Trees<'_, 'scope, '_, 'a> {
    fn add(&mut self, part: Part) -> io::Result<()> {
        self.batch.add(part);
        if self.batch.is_full() { self.hand_in() } else { Ok(()) }
    }

    fn hand_in(&mut self) -> io::Result<()> {
        let batch = std::mem::replace(&mut self.batch, Batch::new(self.dissector.presentation));
        self.workers.hand_in(batch, &mut self.dissector.out)?;
        while let Some(batch) = self.workers.take_finished() {
            self.spare.keep(batch);
        }
        Ok(())
    }

    /// Writes all that there is.
    fn finish(&mut self) -> io::Result<()> {
        // A single batch is done before a thread could begin with it.
        self.workers.finish(&mut self.dissector.out)?;
        let mut text = Vec::new();
        self.batch.write(&mut text)?;
        self.spare.keep(std::mem::replace(&mut self.batch, Batch::new(self.dissector.presentation)));
        self.dissector.out.write_all(&text)
    }

    /// The names as they are now.
    fn names(&mut self, names: &TopicNames) -> Arc<TopicNames> {
        if self.names.len() != names.len() {
            self.names = Arc::new(names.clone());
        }
        Arc::clone(&self.names)
    }
}

impl<'scope, 'a: 'scope> Shown for Trees<'_, 'scope, '_, 'a> {
    fn see(&mut self, message: &Message<'_>) {
        self.clock.see(message.first.time);
    }

    fn message(&mut self, message: &mut Message<'_>, names: &TopicNames) -> io::Result<()> {
        let presentation = self.dissector.presentation;
        let about = match presentation.output.format {
            FormatArg::Json => About::Facts(Facts::of(message)),
            FormatArg::Text => About::Line {
                text: heading_line(message, presentation.catalogue, &mut self.clock),
                is_first: self.dissector.is_first(),
            },
        };
        let nodes = message.tree.nodes.len();
        if nodes > LARGE && !presentation.has_pieces() {
            self.finish()?;
            let view = presentation.view(message.tree, message.frame, message.heading).with_names(names);
            about.write(&mut self.dissector.out, presentation)?;
            return match about {
                About::Line { .. } | About::Nothing => presentation.message(&mut self.dissector.out, view),
                About::Facts(facts) => facts.write_line(&mut self.dissector.out, view),
            };
        }
        let (spare, mut frame) = self.spare.take().unwrap_or_else(|| (message.tree.another(), Vec::new()));
        frame.extend_from_slice(message.frame.bytes);
        let tree = std::mem::replace(message.tree, spare);
        let names = self.names(names);
        let heading = message.heading.clone();
        let taken = Arc::new(Taken { tree, frame, sized: message.frame.sized, heading, names });
        let piece = if presentation.has_pieces() { BATCH_NODES } else { nodes };
        let (mut from, mut about) = (Place::first(), about);
        loop {
            let end = from.node().saturating_add(piece).min(nodes);
            if end == nodes {
                return self.add(Part { about, piece: Some(Piece { message: taken, from, end }) });
            }
            let mut next = from.clone();
            next.go_to(&taken.tree, end);
            let piece = Piece { message: Arc::clone(&taken), from, end };
            self.add(Part { about: std::mem::replace(&mut about, About::Nothing), piece: Some(piece) })?;
            from = next;
        }
    }

    fn remark(&mut self, remark: &str) -> io::Result<()> {
        match self.dissector.presentation.output.format {
            // There is no line for it that a program would understand.
            FormatArg::Json => {
                eprintln!("kdissect: {remark}");
                Ok(())
            }
            FormatArg::Text => {
                let about = About::Line { text: remark.to_owned(), is_first: self.dissector.is_first() };
                self.add(Part { about, piece: None })
            }
        }
    }

    fn broken(&mut self, name: &str, what: &str) -> io::Result<()> {
        self.finish()?;
        self.dissector.complain(name, what)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.finish()?;
        self.dissector.out.flush()
    }
}

/// Messages and remarks that one thread makes into text.
struct Batch<'a> {
    presentation: &'a Presentation<'a>,
    parts: Vec<Part>,
    nodes: usize,
    memory: usize,
}

impl<'a> Batch<'a> {
    fn new(presentation: &'a Presentation<'a>) -> Batch<'a> {
        Batch { presentation, parts: Vec::new(), nodes: 0, memory: 0 }
    }

    fn add(&mut self, part: Part) {
        if let Some(piece) = &part.piece {
            let from = piece.from.node();
            self.nodes += piece.end - from;
            // Pieces have their message together.
            self.memory += if from == 0 { piece.message.memory() } else { 0 };
        }
        self.parts.push(part);
    }

    fn is_full(&self) -> bool {
        self.nodes >= BATCH_NODES || self.parts.len() >= BATCH_PARTS
    }
}

impl Work for Batch<'_> {
    fn write(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        for part in &self.parts {
            part.about.write(text, self.presentation)?;
            if let Some(Piece { message: taken, from, end }) = &part.piece {
                let frame = Frame { bytes: &taken.frame, sized: taken.sized };
                let view =
                    self.presentation.view(&taken.tree, frame, &taken.heading).with_names(&taken.names);
                part.about.append_message(text, self.presentation, view, from, *end)?;
            }
        }
        Ok(())
    }

    fn weight(&self) -> usize {
        self.memory
    }

    fn text_len(&self) -> usize {
        LINE * (self.nodes + self.parts.len())
    }
}

/// A message, a piece of one, or a remark.
struct Part {
    about: About,
    piece: Option<Piece>,
}

/// Some nodes of a message, or all.
struct Piece {
    message: Arc<Taken>,
    from: Place,
    end: usize,
}

/// A message that was taken out of the capture.
struct Taken {
    tree: Tree,
    frame: Vec<u8>,
    sized: bool,
    heading: Heading,
    names: Arc<TopicNames>,
}

impl Taken {
    fn memory(&self) -> usize {
        self.tree.memory() + self.frame.capacity()
    }
}

/// What is said of a message besides itself.
enum About {
    /// A line before it.
    Line {
        text: String,
        /// Whether nothing was shown before, so that no empty line is needed.
        is_first: bool,
    },
    /// Members beside it.
    Facts(Facts),
    /// It has been said of an earlier piece.
    Nothing,
}

impl About {
    fn write(&self, out: &mut dyn Write, presentation: &Presentation<'_>) -> io::Result<()> {
        let About::Line { text, is_first } = self else { return Ok(()) };
        if !is_first {
            out.write_all(b"\n")?;
        }
        presentation.remark(out, &format!("-- {text}"))
    }

    fn append_message(
        &self,
        text: &mut Vec<u8>,
        presentation: &Presentation<'_>,
        view: View<'_>,
        from: &Place,
        end: usize,
    ) -> io::Result<()> {
        match self {
            About::Line { .. } | About::Nothing => presentation.append(text, view, from, end),
            About::Facts(facts) => facts.write_line(text, view),
        }
    }
}

/// What is known of a message from outside.
struct Facts {
    number: u64,
    time: Option<Time>,
    connection: u64,
    from: Endpoint,
    to: Endpoint,
    answers: Option<u64>,
    /// In nanoseconds.
    latency: Option<i64>,
    missing: u64,
}

impl Facts {
    fn of(message: &Message<'_>) -> Facts {
        Facts {
            number: message.number,
            time: message.first.time,
            connection: message.connection,
            from: message.from,
            to: message.to,
            answers: match message.origin {
                Origin::Response(request) => Some(request.number),
                _ => None,
            },
            latency: message.latency.map(|latency| latency.last),
            missing: message.missing,
        }
    }

    /// Writes the message together with them, as one line of JSON.
    fn write_line(&self, out: &mut dyn Write, view: View<'_>) -> io::Result<()> {
        let mut line = JsonLine::new(&mut *out);
        line.int("number", self.number as i64)?;
        line.text("time", self.time.and_then(rfc3339).as_deref())?;
        line.int("connection", self.connection as i64)?;
        line.text("from", Some(&self.from.to_string()))?;
        line.text("to", Some(&self.to.to_string()))?;
        line.optional("answers", self.answers.map(|number| number as i64))?;
        line.optional("latencyNanoseconds", self.latency)?;
        line.int("missing", self.missing as i64)?;
        line.last("message", |out| write_json(out, view, &[]))
    }
}

/// Memory of messages that have been shown.
#[derive(Default)]
struct Spare {
    kept: Vec<(Tree, Vec<u8>)>,
    memory: usize,
}

impl Spare {
    fn keep(&mut self, batch: Batch<'_>) {
        let pieces = batch.parts.into_iter().filter_map(|part| part.piece);
        // The last piece of a message that comes back has it for itself.
        for taken in pieces.filter_map(|piece| Arc::into_inner(piece.message)) {
            let memory = taken.memory();
            if self.memory + memory <= KEPT {
                self.memory += memory;
                let Taken { tree, mut frame, .. } = taken;
                frame.clear();
                self.kept.push((tree, frame));
            }
        }
    }

    fn take(&mut self) -> Option<(Tree, Vec<u8>)> {
        let (tree, frame) = self.kept.pop()?;
        self.memory -= tree.memory() + frame.capacity();
        Some((tree, frame))
    }
}
