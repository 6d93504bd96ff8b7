//! What can be typed on the command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use super::filter::FilterArgs;
use super::{apis, diff, encode, list, page, sample};

const EXAMPLES: &str = "\
Examples:
  kdissect frame.bin                       a request, or several frames one after the other
  kdissect request.bin response.bin        a response is known by its request
  kdissect --response --api Metadata --api-version 9 response.bin
  kdissect --hex '0000000e 0041 0000 00000000 0000 00 0201 00'
  xxd frame.bin | kdissect -               dumps of xxd, hexdump -C and od are read as bytes
  kdissect --docs full --view tree frame.bin | less
  kdissect capture.pcap                    each message of a packet capture
  kdissect list capture.pcap               a line for each
  kdissect orders-0/*.log                  segments of a broker's log; also indexes, checkpoints

Exit status: 0 all is well, 1 something in the input was malformed, 2 wrong usage or unreadable input.";

/// Explain Kafka protocol bytes: every byte of a request or response, with its field, type, value and doc.
#[derive(Parser, Debug)]
#[command(name = "kdissect", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, subcommand_precedence_over_arg = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Files with frames, as bytes or as a hex dump, packet captures, or files of a broker's log; - for standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub output: OutputArgs,

    #[command(flatten)]
    pub filter: FilterArgs,

    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub schemas: SchemaArgs,
}

/// What else the program does.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Show the documentation page of an API
    Page(page::PageArgs),
    /// List the APIs, or what each version of one changed
    Apis(apis::ApisArgs),
    /// Make a specimen of a message
    Sample(sample::SampleArgs),
    /// Turn JSON, as --format json writes it, back into bytes
    Encode(encode::EncodeArgs),
    /// Compare two frames field by field
    Diff(diff::DiffArgs),
    /// List the messages of a capture, a line for each
    List(list::ListArgs),
}

/// Definitions.
#[derive(clap::Args, Debug)]
pub struct SchemaArgs {
    /// Lay Kafka's message definitions over the built-in ones: a folder of its JSON files, or a jar
    #[arg(long, value_name = "DIR-OR-JAR", help_heading = "Definitions")]
    pub schemas: Vec<PathBuf>,
}

/// Colours.
#[derive(clap::Args, Debug)]
pub struct ColorArgs {
    /// When to use colours; NO_COLOR is heeded too
    #[arg(long, value_enum, default_value_t = ColorArg::Auto, value_name = "WHEN", help_heading = "Output")]
    pub color: ColorArg,
}

/// What the input is.
#[derive(clap::Args, Default, Debug)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// Bytes as text: hex, a hex dump, a string with \x escapes, or a list of numbers
    #[arg(long, value_name = "TEXT")]
    pub hex: Vec<String>,

    /// Bytes as base64
    #[arg(long, value_name = "TEXT")]
    pub base64: Vec<String>,

    /// What the inputs are; told by their names and their content unless it is said here
    #[arg(long, value_enum, default_value_t = InputArg::Auto, value_name = "KIND")]
    pub input: InputArg,

    /// The topic that log files are of, if their folder is not named for it; of a capture, only messages of this topic
    #[arg(long, value_name = "NAME")]
    pub topic: Option<String>,

    /// Take each input as one frame without its size field
    #[arg(long)]
    pub no_size: bool,

    /// Take every frame as a request; of a capture, show only requests
    #[arg(long, alias = "requests", conflicts_with = "response")]
    pub request: bool,

    /// Take every frame as a response; of a capture, show only responses
    #[arg(long, alias = "responses")]
    pub response: bool,

    /// The API of the responses: its name or key; of a capture, only messages of this API
    #[arg(long, value_name = "NAME-OR-KEY")]
    pub api: Option<String>,

    /// The version of the responses; of a capture, only messages of this version
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub api_version: Option<i16>,
}

/// How messages are shown.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// What to show of each message
    #[arg(long, value_enum, default_value_t = ViewArg::Page)]
    pub view: ViewArg,

    /// How much of the field docs to show
    #[arg(long, value_enum, default_value_t = DocsArg::Short)]
    pub docs: DocsArg,

    /// Show long strings and bytes whole
    #[arg(long)]
    pub full_values: bool,

    /// Show so many levels of the tree below the message
    #[arg(long, value_name = "N")]
    pub max_depth: Option<usize>,

    /// Show so many elements of each array, records of a batch, batches of a segment, entries of an index
    #[arg(long, value_name = "N")]
    pub max_elements: Option<usize>,

    /// How deep records fields and segments are shown
    #[arg(long, value_enum, default_value_t = RecordsArg::Full)]
    pub records: RecordsArg,

    /// How many bytes may come out of a compressed batch, as 500k, 64M or 1G
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "64M")]
    pub max_decompressed: usize,

    /// Show passwords, tokens and the like, which are hidden otherwise
    #[arg(long)]
    pub show_secrets: bool,

    /// Text for people, or JSON, an object a line for each message
    #[arg(long, value_enum, default_value_t = FormatArg::Text)]
    pub format: FormatArg,
}

/// A number of bytes: digits, and k, M or G for so many times 1024.
fn size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let number = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << unit));
    number.ok_or_else(|| format!("expected a number of bytes such as 1000, 500k, 64M or 1G, not {text:?}"))
}

/// What an input is.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum InputArg {
    /// What its name and its content say
    #[default]
    Auto,
    /// Frames, as they go over the wire
    Frames,
    /// Record batches: a log segment, or a snapshot of KRaft's metadata
    Segment,
    /// The offset index of a segment
    Index,
    /// The time index of a segment
    Timeindex,
    /// The index of aborted transactions
    Txnindex,
    /// The state of producers
    Snapshot,
    /// Packets: pcap or pcapng, compressed or not
    Capture,
}

/// Text or JSON.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatArg {
    /// Text for people
    Text,
    /// JSON, an object a line
    Json,
}

/// What to show of each message.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewArg {
    /// Title line, byte layout and object tree
    Page,
    /// The object tree
    Tree,
    /// The byte layout, all rows
    Bytes,
}

/// How much of the field docs to show.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DocsArg {
    /// As much as fits the end of a line
    Short,
    /// All, long ones wrapped under their line
    Full,
    /// Nothing
    None,
}

/// How deep records fields are shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordsArg {
    /// How many batches there are
    None,
    /// Each batch, and how many records it has
    Batches,
    /// Each record
    Full,
}

/// How times are shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TimeArg {
    /// Date and time in UTC
    #[default]
    Absolute,
    /// Seconds since the first message of the capture
    Relative,
    /// Seconds since the message shown before
    Delta,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorArg {
    /// If standard output is a terminal that has them
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn sizes_have_units() {
        let sizes = ["0", "1000", "500k", "500K", "64M", "64m", "1G"].map(|text| size(text).unwrap());
        assert_eq!(sizes, [0, 1000, 512_000, 512_000, 64 << 20, 64 << 20, 1 << 30]);
        for text in ["", "k", "1.5M", "-1", "64MB", "99999999999999999999", "99999999999999G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }
}
