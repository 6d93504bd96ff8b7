//! Two frames compared.

use std::io::{self, Write};
use std::path::PathBuf;

use super::args::{ColorArgs, FormatArg, InputArgs, SchemaArgs};
use super::exit::{Failure, Outcome};
use super::inputs::{Input, inputs};
use super::settings;
use crate::capture::file::is_capture;
use crate::diff::{Comparison, NotComparable, Side, compare};
use crate::input::alike::alike;
use crate::input::conversation::{Conversation, Reason, Wanted};
use crate::render::diff_text::{self, Side as Shown};
use crate::render::page::title;
use crate::render::problem_text::malformed_texts;
use crate::render::theme::Role;
use crate::render::{Theme, View, diff_json};
use crate::schema::{Catalogue, Direction};
use crate::tree::Tree;
use crate::wire::{Decoder, Frame, Heading};

const EXAMPLES: &str = "\
Fields are compared by name and value: the versions may differ, and lengths follow from the rest.
Elements of arrays are paired by their map keys where they have such, else by what is equal in them;
Topics[1/2] is the element 1 of a and 2 of b.

Examples:
  kdissect diff before.bin after.bin
  kdissect diff --ignore correlation_id before.bin after.bin
  kdissect diff --frame 2,4 conversation.bin conversation.bin

Exit status: 0 no field differs, 1 one does or something is malformed, 2 wrong usage or nothing to compare.";

/// Arguments of `kdissect diff`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct DiffArgs {
    /// Two files, a and b, with a frame each, as bytes or as a hex dump; - for standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub input: InputArgs,

    /// The version of b, where it is another than that of a
    #[arg(long, value_name = "N", requires = "api_version", help_heading = "Input")]
    pub api_version_b: Option<i16>,

    /// Which frame of inputs that hold several; N,M for the Nth of a and the Mth of b
    #[arg(long, value_name = "N[,M]", value_parser = frame_numbers, default_value = "1", help_heading = "Input")]
    pub frame: FrameNumbers,

    /// Leave out fields of this name and all that is in them
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub ignore: Vec<String>,

    /// Show long strings and bytes whole
    #[arg(long, help_heading = "Output")]
    pub full_values: bool,

    /// Show passwords, tokens and the like, which are hidden otherwise
    #[arg(long, help_heading = "Output")]
    pub show_secrets: bool,

    /// Text for people, or one JSON object
    #[arg(long, value_enum, default_value_t = FormatArg::Text, help_heading = "Output")]
    pub format: FormatArg,

    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Which frame of each input, the first being 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameNumbers {
    a: usize,
    b: usize,
}

fn frame_numbers(text: &str) -> Result<FrameNumbers, String> {
    let number = |text: &str| {
        let number = text.parse().ok().filter(|number| *number > 0);
        number.ok_or_else(|| format!("expected the number of a frame, from 1 on, not {text:?}"))
    };
    match text.split_once(',') {
        Some((a, b)) => Ok(FrameNumbers { a: number(a)?, b: number(b)? }),
        None => number(text).map(|both| FrameNumbers { a: both, b: both }),
    }
}

/// Runs `kdissect diff`.
///
/// # Errors
/// If there are not two inputs, one cannot be read, or they cannot be compared.
pub fn run(args: &DiffArgs) -> Result<Outcome, Failure> {
    let inputs = two_inputs(args)?;
    let catalogue = settings::catalogue(&args.schemas)?;
    let wanted = settings::wanted(&args.input, catalogue)?;
    let wanted_b = match (wanted, args.api_version_b) {
        (Wanted::Responses(Some((key, _))), Some(version)) => {
            if let Some(api) = catalogue.api(key) {
                settings::known_version(api, version)?;
            }
            Wanted::Responses(Some((key, version)))
        }
        _ => wanted,
    };
    let mut decoder = Decoder::new(catalogue);
    let no_size = args.input.no_size;
    let mut a = message(&mut decoder, &inputs[0], wanted, args.frame.a, no_size)?;
    let mut b = message(&mut decoder, &inputs[1], wanted_b, args.frame.b, no_size)?;
    let pair = alike((&a.heading, &a.reason), (&b.heading, &b.reason));
    if let Some([a_is, b_is]) = pair {
        a.decode_again(&mut decoder, a_is);
        b.decode_again(&mut decoder, b_is);
    }
    let comparison =
        compare(a.side(), b.side(), &args.ignore).map_err(|error| refusal(&a, &b, catalogue, error))?;
    let mut notes: Vec<String> = [&a, &b].iter().filter_map(|message| message.frames_note()).collect();
    if a.is_guess() || b.is_guess() {
        notes.push(
            "a response does not name its API; others would fit too (--response --api NAME --api-version N \
             settles it)"
                .to_owned(),
        );
    }
    match write(args, catalogue, &a, &b, &comparison, &notes) {
        Ok(()) => {}
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => return Err(Failure(format!("standard output: {error}"))),
    }
    let sound = [&a, &b].iter().filter(|message| message.report()).count() == 2;
    Ok(if sound && comparison.is_equal() { Outcome::Fine } else { Outcome::Malformed })
}

fn two_inputs(args: &DiffArgs) -> Result<Vec<Input>, Failure> {
    let given = args.files.len() + args.input.hex.len() + args.input.base64.len();
    if given != 2 {
        return Err(Failure(format!("two inputs are compared, a and b; {given} were named (see --help)")));
    }
    if args.files.iter().filter(|file| file.as_os_str() == "-").count() == 2 {
        return Err(Failure("standard input can be one of the two inputs, not both".to_owned()));
    }
    inputs(&args.files, &args.input)
}

/// One of the two messages.
struct Message<'i> {
    name: &'i str,
    frame: Frame<'i>,
    /// Which of the frames of its input it is, and how many there are.
    number: usize,
    frames: usize,
    tree: Tree,
    heading: Heading,
    reason: Reason,
}

/// Decodes a frame of an input, and those before it, since a response is known by its request.
fn message<'i>(
    decoder: &mut Decoder<'_>,
    input: &'i Input,
    wanted: Wanted,
    number: usize,
    no_size: bool,
) -> Result<Message<'i>, Failure> {
    let name = &input.name;
    let bytes = match &input.bytes {
        Ok(bytes) if bytes.is_empty() => return Err(Failure(format!("{name}: it is empty"))),
        Ok(bytes) if is_capture(bytes) => {
            return Err(Failure(format!("{name}: this is a packet capture; only frames can be compared")));
        }
        Ok(bytes) => bytes,
        Err(error) => return Err(Failure(format!("{name}: {error}"))),
    };
    let mut conversation = Conversation::new(wanted);
    let (mut rest, mut frames, mut found) = (bytes.as_slice(), 0, None);
    while !rest.is_empty() {
        let (frame, after) = match no_size {
            true => (Frame::unsized_bytes(rest), &[][..]),
            false => conversation.split(rest),
        };
        (rest, frames) = (after, frames + 1);
        if frames <= number {
            let mut tree = Tree::new();
            let (heading, reason) = conversation.decode(decoder, frame, &mut tree);
            found = Some((frame, tree, heading, reason)).filter(|_| frames == number);
        }
    }
    let Some((frame, tree, heading, reason)) = found else {
        let holds = if frames == 1 { "1 frame".to_owned() } else { format!("{frames} frames") };
        return Err(Failure(format!("{name}: it holds {holds}, so there is no frame {number}")));
    };
    Ok(Message { name, frame, number, frames, tree, heading, reason })
}

impl Message<'_> {
    fn side(&self) -> Side<'_> {
        Side { tree: &self.tree, data: self.frame.bytes, heading: &self.heading }
    }

    fn shown<'s>(&'s self, catalogue: &'s Catalogue, show_secrets: bool) -> Shown<'s> {
        let (tree, frame, heading) = (&self.tree, self.frame, &self.heading);
        let view = View::new(tree, frame, heading, catalogue).with_secrets(show_secrets);
        Shown { name: self.name, view }
    }

    /// Decodes it as the response that it is by the look of the other one.
    fn decode_again(&mut self, decoder: &mut Decoder<'_>, (key, version): (i16, i16)) {
        if (self.heading.api_key, self.heading.api_version) != (Some(key), Some(version)) {
            self.heading = decoder.response(self.frame, key, version, &mut self.tree);
        }
    }

    fn is_guess(&self) -> bool {
        matches!(&self.reason, Reason::Fits(candidates) if candidates.len() > 1)
    }

    fn frames_note(&self) -> Option<String> {
        let Message { name, number, frames, .. } = self;
        (*frames > 1).then(|| format!("{name} holds {frames} frames; this is frame {number} (see --frame)"))
    }

    /// Says on standard error what is malformed. Returns whether nothing is.
    fn report(&self) -> bool {
        let texts = malformed_texts(&self.tree);
        for text in &texts {
            eprintln!("kdissect: {}: {text}", self.name);
        }
        texts.is_empty()
    }
}

/// Why two messages cannot be compared, with their names.
fn refusal(a: &Message<'_>, b: &Message<'_>, catalogue: &Catalogue, error: NotComparable) -> Failure {
    let what = |message: &Message<'_>| title(message.shown(catalogue, false).view);
    let mut text = format!("{error}\n  a: {}, {}\n  b: {}, {}", a.name, what(a), b.name, what(b));
    let response = [a, b].iter().any(|message| message.heading.direction == Direction::Response);
    if response && !matches!(error, NotComparable::Directions { .. }) {
        text.push_str("\n  (--response --api NAME --api-version N says what the responses are)");
    }
    Failure(text)
}

fn write(
    args: &DiffArgs,
    catalogue: &Catalogue,
    a: &Message<'_>,
    b: &Message<'_>,
    comparison: &Comparison,
    notes: &[String],
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (a, b) = (a.shown(catalogue, args.show_secrets), b.shown(catalogue, args.show_secrets));
    match args.format {
        FormatArg::Json => diff_json::write_diff(&mut out, a, b, comparison, notes, args.full_values)?,
        FormatArg::Text => {
            let theme = settings::theme(&args.color);
            write_notes(&mut out, notes, &theme)?;
            diff_text::write_diff(&mut out, a, b, comparison, args.full_values, &theme)?;
        }
    }
    out.flush()
}

fn write_notes(out: &mut dyn Write, notes: &[String], theme: &Theme) -> io::Result<()> {
    let mut text = Vec::new();
    for note in notes {
        theme.paint(&mut text, Role::Note, &format!("note: {note}"));
        text.push(b'\n');
    }
    out.write_all(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_counted_from_one() {
        assert_eq!(frame_numbers("3"), Ok(FrameNumbers { a: 3, b: 3 }));
        assert_eq!(frame_numbers("2,4"), Ok(FrameNumbers { a: 2, b: 4 }));
        for text in ["0", "", "1,", ",1", "1,2,3", "-1", "x"] {
            assert!(frame_numbers(text).is_err(), "{text}");
        }
    }
}
