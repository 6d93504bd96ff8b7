//! Gets the bytes: from files, standard input and arguments, written as bytes or as text. Files of a broker's log are told from frames here.

use std::fs::{self, File};
use std::io::{self, Cursor, IsTerminal, Read};
use std::path::{Path, PathBuf};

use super::args::{InputArg, InputArgs};
use super::exit::Failure;
use super::log_files::files_of_folder;
use crate::capture::file::is_capture;
use crate::input::text;
use crate::log::content::{HEAD, is_segment};
use crate::log::{LogFile, LogFileKind};

/// So many bytes tell whether a file is a capture.
const MAGIC: usize = 24;

/// The bytes of one input.
pub struct Input {
    /// What messages call it.
    pub name: String,
    /// Its bytes, or why its text stands for none.
    pub bytes: Result<Vec<u8>, text::TextError>,
}

/// An input, by what it is.
pub enum Source {
    /// Frames.
    Frames(Input),
    /// A file of a log folder. It has not been read, since it may be large.
    Log(LogInput),
    /// A capture. It has not been read, since it may be large, or may be growing.
    Capture(CaptureInput),
}

/// A capture.
pub struct CaptureInput {
    /// What messages call it.
    pub name: String,
    /// How many bytes it has, if that is known.
    pub size: Option<u64>,
    /// Where its bytes come from.
    pub bytes: Box<dyn Read>,
}

/// A file of a log folder.
pub struct LogInput {
    /// What messages call it.
    pub name: String,
    /// What it is.
    pub file: LogFile,
    /// How many bytes it has, if that is known.
    pub size: Option<u64>,
    /// Where its bytes come from.
    pub bytes: LogBytes,
}

/// Where the bytes of a log file come from.
pub enum LogBytes {
    /// From a file, which is opened when its turn comes: there may be thousands.
    File(PathBuf),
    /// From what is open already.
    Open(Box<dyn Read>),
}

/// All inputs, in the order: files as they were named, `--hex`, `--base64`.
///
/// # Errors
/// If there is none, or one cannot be read.
pub fn sources(files: &[PathBuf], args: &InputArgs) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in files {
        sources.push(source(path, args)?);
    }
    sources.extend(texts(args).into_iter().map(|input| by_content(input, Path::new(""), args)));
    if sources.is_empty() {
        sources.push(source(standard_input()?, args)?);
    }
    Ok(sources)
}

/// Captures, in the order in which they were named.
///
/// # Errors
/// If one cannot be read, or is no capture.
pub fn captures(files: &[PathBuf]) -> Result<Vec<CaptureInput>, Failure> {
    let args = InputArgs { input: InputArg::Auto, ..InputArgs::default() };
    let mut found = Vec::new();
    for source in sources(files, &args)? {
        let name = match source {
            Source::Capture(input) => {
                found.push(input);
                continue;
            }
            Source::Frames(input) if input.bytes.as_ref().is_ok_and(Vec::is_empty) => {
                return Err(Failure(format!("{}: it is empty", input.name)));
            }
            Source::Frames(input) => input.name,
            Source::Log(input) => input.name,
        };
        return Err(Failure(format!("{name}: this is no packet capture (pcap or pcapng)")));
    }
    Ok(found)
}

/// All inputs as frames, in the order: files as they were named, `--hex`, `--base64`.
///
/// # Errors
/// If there is none, or one cannot be read.
pub fn inputs(files: &[PathBuf], args: &InputArgs) -> Result<Vec<Input>, Failure> {
    let mut inputs = Vec::new();
    for path in files {
        inputs.push(file(path)?);
    }
    inputs.extend(texts(args));
    if inputs.is_empty() {
        inputs.push(file(standard_input()?)?);
    }
    Ok(inputs)
}

/// What the arguments stand for.
fn texts(args: &InputArgs) -> Vec<Input> {
    let input = |name: &str, bytes| Input { name: name.to_owned(), bytes };
    let hex = args.hex.iter().map(|hex| input("--hex", text::decode_hex_argument(hex)));
    hex.chain(args.base64.iter().map(|base64| input("--base64", text::decode_base64(base64)))).collect()
}

/// Standard input, if something may come from there.
fn standard_input() -> Result<&'static Path, Failure> {
    if io::stdin().is_terminal() {
        return Err(Failure("no input: name a file, - for standard input, or see --help".to_owned()));
    }
    Ok(Path::new("-"))
}

fn file(path: &Path) -> Result<Input, Failure> {
    let (name, bytes) = read(path)?;
    Ok(Input { name, bytes: recognised(bytes) })
}

/// What is in a file, or comes in by standard input for `-`, and what messages call it.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    let name = name(path);
    let mut bytes = Vec::new();
    match open(path)?.0.read_to_end(&mut bytes) {
        Ok(_) => Ok((name, bytes)),
        Err(error) => Err(Failure(format!("{name}: {error}"))),
    }
}

/// What messages call a file.
fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens a file, or standard input for `-`. Returns how many bytes it has, too, if it is a file that has a number of them.
fn open(path: &Path) -> Result<(Box<dyn Read>, Option<u64>), Failure> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let name = name(path);
    if path.is_dir() {
        let files = files_of_folder(path).unwrap_or_else(|| "this is a folder; name a file in it".to_owned());
        return Err(Failure(format!("{name}: {files}")));
    }
    let file = File::open(path).map_err(|error| Failure(format!("{name}: {error}")))?;
    let size = file.metadata().ok().filter(fs::Metadata::is_file).map(|found| found.len());
    Ok((Box::new(file), size))
}

/// The bytes that text stands for, if it is such text; else the bytes as they are.
fn recognised(bytes: Vec<u8>) -> Result<Vec<u8>, text::TextError> {
    match text::recognise(&bytes) {
        Some(notation) => text::decode(&bytes, notation),
        None => Ok(bytes),
    }
}

/// What the user said that inputs are.
enum Told {
    Nothing,
    Frames,
    Capture,
    Log(LogFileKind),
}

fn told(args: &InputArgs) -> Told {
    let log = match args.input {
        InputArg::Auto if args.no_size || args.request || args.response => return Told::Frames,
        InputArg::Auto if args.api.is_some() => return Told::Frames,
        InputArg::Auto => return Told::Nothing,
        InputArg::Frames => return Told::Frames,
        InputArg::Capture => return Told::Capture,
        InputArg::Segment => LogFileKind::Segment,
        InputArg::Index => LogFileKind::OffsetIndex,
        InputArg::Timeindex => LogFileKind::TimeIndex,
        InputArg::Txnindex => LogFileKind::TransactionIndex,
        InputArg::Snapshot => LogFileKind::ProducerSnapshot,
    };
    Told::Log(log)
}

/// A file, by its name or, if that says nothing, by what it begins with.
fn source(path: &Path, args: &InputArgs) -> Result<Source, Failure> {
    let (mut open, size) = open(path)?;
    let log = |kind, bytes| {
        let file = LogFile { kind, ..named(path, kind) };
        Ok(Source::Log(LogInput { name: name(path), file: with_topic(file, args), size, bytes }))
    };
    let told = told(args);
    if let (Some(file), Told::Nothing | Told::Log(_)) = (LogFile::named(path), &told) {
        let kind = if let Told::Log(kind) = told { kind } else { file.kind };
        return log(
            kind,
            if size.is_some() { LogBytes::File(path.to_owned()) } else { LogBytes::Open(open) },
        );
    }
    let mut bytes = Vec::new();
    let unreadable = |error| Failure(format!("{}: {error}", name(path)));
    // A capture may be growing, so that no more is read than is needed to tell it.
    open.by_ref().take(MAGIC as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    let may_be_capture = args.input == InputArg::Auto && !args.no_size;
    if matches!(told, Told::Capture) || may_be_capture && is_capture(&bytes) {
        let bytes: Box<dyn Read> = Box::new(Cursor::new(bytes).chain(open));
        return Ok(Source::Capture(CaptureInput { name: name(path), size, bytes }));
    }
    open.by_ref().take((HEAD - bytes.len()) as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    // A compressed one shows itself only now.
    if may_be_capture && is_capture(&bytes) {
        let bytes: Box<dyn Read> = Box::new(Cursor::new(bytes).chain(open));
        return Ok(Source::Capture(CaptureInput { name: name(path), size, bytes }));
    }
    let kind = match told {
        Told::Nothing if is_segment(&bytes) => Some(LogFileKind::Segment),
        Told::Log(kind) if text::recognise(&bytes).is_none() => Some(kind),
        _ => None,
    };
    if let Some(kind) = kind {
        return log(kind, LogBytes::Open(Box::new(Cursor::new(bytes).chain(open))));
    }
    open.read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(by_content(Input { name: name(path), bytes: recognised(bytes) }, path, args))
}

/// What bytes are that are all here.
fn by_content(input: Input, path: &Path, args: &InputArgs) -> Source {
    let kind = match (told(args), &input.bytes) {
        (Told::Log(kind), Ok(_)) => kind,
        (Told::Nothing, Ok(bytes)) if is_segment(&bytes[..bytes.len().min(HEAD)]) => LogFileKind::Segment,
        _ => return Source::Frames(input),
    };
    let bytes = input.bytes.unwrap_or_default();
    Source::Log(LogInput {
        name: input.name,
        file: with_topic(named(path, kind), args),
        size: Some(bytes.len() as u64),
        bytes: LogBytes::Open(Box::new(Cursor::new(bytes))),
    })
}

/// What the name of a file says of it, if it says anything.
fn named(path: &Path, kind: LogFileKind) -> LogFile {
    LogFile::named(path).unwrap_or_else(|| match path.file_name() {
        Some(_) if path != Path::new("-") => LogFile::of_kind(kind, path),
        _ => LogFile::unnamed(kind),
    })
}

/// A file with the topic that the user named.
fn with_topic(file: LogFile, args: &InputArgs) -> LogFile {
    match &args.topic {
        Some(topic) => LogFile { topic: Some(topic.clone()), ..file },
        None => file,
    }
}
