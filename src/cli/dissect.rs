//! The main job: shows each frame of the inputs.

use std::io::{self, BufWriter, StdoutLock, Write};

use super::args::{Args, FormatArg, ViewArg};
use super::exit::{Failure, Outcome};
use super::inputs::{Source, sources};
use super::presentation::Presentation;
use super::settings;
use crate::capture::file::is_capture;
use crate::input::conversation::{Conversation, Reason, Wanted};
use crate::input::lone::{name_list, names, nearest};
use crate::render::json::write_json;
use crate::render::page::{legend, write_title};
use crate::render::problem_text::malformed_texts;
use crate::tree::Tree;
use crate::wire::frame::{LEAST_RESPONSE, bad_size};
use crate::wire::{Decoder, Frame, Heading};

/// Shows all inputs.
///
/// # Errors
/// If an input cannot be read, or an argument makes no sense.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let catalogue = settings::catalogue(&args.schemas)?;
    let inputs = sources(&args.files, &args.input)?;
    // Of captures, what is said of frames chooses messages.
    let wanted = match inputs.iter().all(|input| matches!(input, Source::Capture(_))) {
        true => Wanted::Any,
        false => settings::wanted(&args.input, catalogue)?,
    };
    let presentation = Presentation::new(&args.output, settings::theme(&args.color), catalogue);
    let mut dissector = Dissector {
        args,
        presentation: &presentation,
        wanted,
        decoder: Decoder::new(catalogue),
        conversation: Conversation::new(wanted),
        tree: settings::tree(settings::limits(&args.output), catalogue),
        out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
        shown: 0,
        outcome: Outcome::Fine,
    };
    match dissector.all(inputs) {
        Ok(()) => Ok(dissector.outcome),
        // Whoever reads has seen enough.
        Err(Trouble::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Fine),
        Err(Trouble::Output(error)) => Err(Failure(format!("standard output: {error}"))),
        Err(Trouble::Input(failure)) => Err(failure),
    }
}

/// Why it could not be done.
pub(super) enum Trouble {
    /// Standard output cannot be written to.
    Output(io::Error),
    /// An input cannot be read.
    Input(Failure),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::Input(failure)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Output(error)
    }
}

pub(super) struct Dissector<'a> {
    pub(super) args: &'a Args,
    pub(super) presentation: &'a Presentation<'a>,
    wanted: Wanted,
    decoder: Decoder<'a>,
    conversation: Conversation,
    pub(super) tree: Tree,
    pub(super) out: BufWriter<StdoutLock<'static>>,
    /// How many frames have been shown.
    shown: usize,
    outcome: Outcome,
}

impl Dissector<'_> {
    fn all(&mut self, inputs: Vec<Source>) -> Result<(), Trouble> {
        let several = inputs.len() > 1;
        let mut captures = Vec::new();
        for source in inputs {
            let input = match source {
                Source::Frames(input) => input,
                Source::Log(mut input) => {
                    self.log(&mut input)?;
                    continue;
                }
                Source::Capture(input) => {
                    captures.push(input);
                    continue;
                }
            };
            match &input.bytes {
                Ok(bytes) if bytes.is_empty() => self.complain(&input.name, "it is empty")?,
                Ok(bytes) => self.input(&input.name, bytes, several)?,
                Err(error) => self.complain(&input.name, &error.to_string())?,
            }
        }
        if !captures.is_empty() {
            self.captures(captures)?;
        }
        Ok(self.out.flush()?)
    }

    /// Says that something is malformed.
    pub(super) fn set_malformed(&mut self) {
        self.outcome = Outcome::Malformed;
    }

    /// Whether nothing has been shown, of which there will be something now.
    pub(super) fn is_first(&mut self) -> bool {
        self.shown += 1;
        self.shown == 1
    }

    fn input(&mut self, name: &str, bytes: &[u8], several: bool) -> io::Result<()> {
        if self.args.input.no_size {
            return self.frame(name, bytes, Frame::unsized_bytes(bytes), several.then_some(0));
        }
        let (mut rest, mut number) = (bytes, 0);
        while !rest.is_empty() {
            let (frame, after) = self.conversation.split(rest);
            number += 1;
            let alone = !several && number == 1 && after.is_empty();
            self.frame(name, bytes, frame, (!alone).then_some(number))?;
            rest = after;
        }
        Ok(())
    }

    /// Shows a frame of an input. `number` is its place in the input, if it is not alone.
    fn frame(&mut self, name: &str, input: &[u8], frame: Frame<'_>, number: Option<usize>) -> io::Result<()> {
        let mut tree = std::mem::take(&mut self.tree);
        let (heading, reason) = self.conversation.decode(&mut self.decoder, frame, &mut tree);
        let place = place(name, input, frame, number);
        if self.args.output.format == FormatArg::Json {
            self.json(&tree, frame, &heading, &reason)?;
        } else {
            self.text(place.as_deref(), &tree, frame, &heading, &reason)?;
        }
        self.report(place.as_deref().unwrap_or(name), &tree, frame, &reason)?;
        self.tree = tree;
        Ok(())
    }

    /// Writes a frame as JSON, a line of its own.
    fn json(&mut self, tree: &Tree, frame: Frame<'_>, heading: &Heading, reason: &Reason) -> io::Result<()> {
        let view = self.presentation.view(tree, frame, heading);
        let alternatives = match reason {
            Reason::Fits(candidates) => name_list(&self.decoder, candidates.get(1..).unwrap_or_default()),
            _ => Vec::new(),
        };
        write_json(&mut self.out, view, &alternatives)
    }

    /// Writes a frame for people.
    fn text(
        &mut self,
        place: Option<&str>,
        tree: &Tree,
        frame: Frame<'_>,
        heading: &Heading,
        reason: &Reason,
    ) -> io::Result<()> {
        self.next_input()?;
        if let Some(place) = place {
            self.presentation.remark(&mut self.out, &format!("-- {place}"))?;
        }
        self.message(tree, frame, heading, reason)
    }

    /// What stands before all that is shown of a frame or file: the legend, or an empty line.
    pub(super) fn next_input(&mut self) -> io::Result<()> {
        if !self.is_first() {
            self.out.write_all(b"\n")
        } else if self.args.output.view == ViewArg::Page {
            self.out.write_all(&legend(&self.presentation.theme))
        } else {
            Ok(())
        }
    }

    fn message(
        &mut self,
        tree: &Tree,
        frame: Frame<'_>,
        heading: &Heading,
        reason: &Reason,
    ) -> io::Result<()> {
        let view = self.presentation.view(tree, frame, heading);
        if let Reason::Fits(candidates) = reason
            && candidates.len() > 1
        {
            let best = names(&self.decoder, &candidates[..1]);
            let others = names(&self.decoder, &candidates[1..]);
            self.presentation.remark(&mut self.out, &format!(
                "note: a response does not name its API; it is shown as {best}, but {others} would fit too \
                 (--response --api NAME --api-version N settles it)"
            ))?;
        }
        if self.args.output.view == ViewArg::Bytes {
            write_title(&mut self.out, view, &self.presentation.theme)?;
        }
        self.presentation.message(&mut self.out, view)
    }

    /// Says on standard error what is malformed, and what might help.
    fn report(&mut self, place: &str, tree: &Tree, frame: Frame<'_>, reason: &Reason) -> io::Result<()> {
        let problems = malformed_texts(tree);
        if problems.is_empty() {
            return Ok(());
        }
        for problem in &problems {
            self.complain(place, problem)?;
        }
        if let Some(hint) = self.hint(frame, reason) {
            self.complain(place, &format!("hint: {hint}"))?;
        }
        Ok(())
    }

    /// What might help with a malformed frame.
    fn hint(&mut self, frame: Frame<'_>, reason: &Reason) -> Option<String> {
        if is_capture(frame.bytes) {
            let hint = "give a packet capture as a file or on standard input, without --input and --no-size";
            return Some(hint.to_owned());
        }
        if frame.sized {
            let wanted = if self.wanted == Wanted::Requests { Wanted::Requests } else { Wanted::Any };
            let mut fits = |bytes| {
                let mut tree = Tree::new();
                let unsized_frame = Frame::unsized_bytes(bytes);
                let (heading, reason) =
                    Conversation::new(wanted).decode(&mut self.decoder, unsized_frame, &mut tree);
                // Only a request says what it is; that some response fits says little.
                (tree.is_sound() && reason == Reason::Certain).then(|| {
                    format!("{} v{}", tree.item_of(&tree.nodes[0]).name, heading.api_version.unwrap_or(0))
                })
            };
            if let Some(message) = fits(frame.bytes) {
                return Some(format!("without a size field these bytes read as {message}; try --no-size"));
            }
            if let Some(message) = fits(frame.content()) {
                let size = frame.content().len();
                return Some(format!("if the size field said {size}, this would read as {message}"));
            }
        }
        if *reason != Reason::Nothing || !frame_can_be_response(frame) {
            return None;
        }
        let (key, version, stop) = nearest(&mut self.decoder, frame)?;
        let name = &self.presentation.catalogue.api(key)?.name;
        Some(format!(
            "it comes nearest to a {name} response, up to {stop:#06x}; \
             --response --api {name} --api-version {version} shows it as that"
        ))
    }

    /// Says on standard error that an input is malformed, after all that went to standard output before.
    pub(super) fn complain(&mut self, place: &str, problem: &str) -> io::Result<()> {
        self.outcome = Outcome::Malformed;
        self.out.flush()?;
        eprintln!("kdissect: {place}: {problem}");
        Ok(())
    }
}

/// Whether the size field of a frame, if it has one, makes sense.
fn frame_can_be_response(frame: Frame<'_>) -> bool {
    !frame.sized || (frame.bytes.len() > 4 && bad_size(frame.bytes, LEAST_RESPONSE).is_none())
}

/// Where a frame is, for a heading; `None` if it is the only one.
fn place(name: &str, input: &[u8], frame: Frame<'_>, number: Option<usize>) -> Option<String> {
    let number = number?;
    if number == 0 {
        return Some(name.to_owned());
    }
    let offset = frame.bytes.as_ptr() as usize - input.as_ptr() as usize;
    Some(format!("{name}: frame {number} at offset {offset:#06x}"))
}
