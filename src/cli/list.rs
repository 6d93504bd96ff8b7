//! The messages of captures, a line for each.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::PathBuf;

use super::args::{ColorArgs, SchemaArgs};
use super::capture::{Selected, Shown, read};
use super::exit::{Failure, Outcome};
use super::filter::FilterArgs;
use super::inputs::captures;
use super::settings;
use crate::capture::{Message, Settings, TopicNames};
use crate::render::Theme;
use crate::render::capture::clock::Clock;
use crate::render::capture::list::{write_heading, write_line};
use crate::render::theme::Role;
use crate::schema::{Catalogue, Direction};
use crate::tree::Limits;

const EXAMPLES: &str = "\
Of several filters all must fit. Of several values, as of --api Fetch --api Produce, one is enough.

Examples:
  kdissect list capture.pcap
  kdissect list --errors --time relative capture.pcapng.gz
  kdissect list --api Fetch --slower-than 100ms capture.pcap
  kdissect list --topic orders --topic payments --responses capture.pcap
  tcpdump -i any -U -w - port 9092 | kdissect list -

Exit status: 0 all is well, 1 something was malformed, 2 wrong usage or unreadable input.";

/// Arguments of `kdissect list`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ListArgs {
    /// Captures: pcap or pcapng, compressed or not; several are read as one, in order of time; - for standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Only messages of this API: its name or key
    #[arg(long, value_name = "NAME-OR-KEY", help_heading = "Messages of a capture")]
    pub api: Vec<String>,

    /// Only messages of this version
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = "Messages of a capture")]
    pub api_version: Vec<i16>,

    /// Only messages that name this topic, and their responses
    #[arg(long, value_name = "NAME", help_heading = "Messages of a capture")]
    pub topic: Vec<String>,

    /// Only requests
    #[arg(long, conflicts_with = "responses", help_heading = "Messages of a capture")]
    pub requests: bool,

    /// Only responses
    #[arg(long, help_heading = "Messages of a capture")]
    pub responses: bool,

    #[command(flatten)]
    pub filter: FilterArgs,

    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// Runs `kdissect list`.
///
/// # Errors
/// If an input cannot be read or is no capture, or an argument makes no sense.
pub fn run(args: &ListArgs) -> Result<Outcome, Failure> {
    let catalogue = settings::catalogue(&args.schemas)?;
    let direction = match (args.requests, args.responses) {
        (true, _) => Some(Direction::Request),
        (_, true) => Some(Direction::Response),
        _ => None,
    };
    let filter = args.filter.filter(&args.api, &args.api_version, &args.topic, direction, catalogue)?;
    let inputs = captures(&args.files)?;
    let theme = settings::theme(&args.color);
    let mut lines = Lines {
        out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
        catalogue,
        clock: Clock::new(args.filter.time_form()),
        theme,
        line: Vec::new(),
    };
    let mut heading = Vec::new();
    write_heading(&mut heading, &lines.clock, &lines.theme);
    let settings = Settings { ports: args.filter.port.clone(), keep_summaries: filter.needs_requests() };
    // Batches tell how many records there are; nobody looks into them.
    let limits = Limits { records: false, ..Limits::default() };
    let tree = settings::tree(limits, catalogue);
    let result = lines.out.write_all(&heading).and_then(|()| {
        let mut selected = Selected::new(&filter, args.filter.first, &mut lines);
        read(inputs, catalogue, tree, settings, &mut selected).map(|()| selected.is_malformed())
    });
    match result {
        Ok(false) => Ok(Outcome::Fine),
        Ok(true) => Ok(Outcome::Malformed),
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Fine),
        Err(error) => Err(Failure(format!("standard output: {error}"))),
    }
}

/// Shows each message as a line.
struct Lines<'l> {
    out: BufWriter<StdoutLock<'static>>,
    catalogue: &'l Catalogue,
    clock: Clock,
    theme: Theme,
    line: Vec<u8>,
}

impl Shown for Lines<'_> {
    fn see(&mut self, message: &Message<'_>) {
        self.clock.see(message.first.time);
    }

    fn message(&mut self, message: &mut Message<'_>, _: &TopicNames) -> io::Result<()> {
        self.line.clear();
        write_line(&mut self.line, message, self.catalogue, &mut self.clock, &self.theme);
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
