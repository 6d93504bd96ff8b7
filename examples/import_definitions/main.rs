//! Brings the facts of a Kafka release into the definition files of this project, and leaves their docs alone.
//!
//! ```text
//! cargo run --example import_definitions -- FOLDER-OR-JAR ...
//! ```
//!
//! Each argument is a folder of Kafka's message definitions or one of its jars (kafka-clients, kafka-metadata,
//! kafka-group-coordinator …), the oldest release first. A file is rewritten only if its facts change. Docs of
//! fields that were there stay; fields that are new get none, and a test then asks for one. Kafka's own docs are
//! never taken over. What changed is printed, a line for each file.

mod facts;
mod merge;
mod write;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kdissect::schema::source::definition_files;
use kdissect::schema::{Message, MessageKind, read_message};

/// What a definition goes by across releases. Names change (ListClientMetricsResources became
/// ListConfigResources), the keys of APIs do not.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone)]
enum Identity {
    Api(&'static str, i16),
    Name(String),
}

impl Identity {
    fn of(message: &Message) -> Identity {
        match (message.kind, message.api_key) {
            (MessageKind::Request, Some(key)) => Identity::Api("request", key),
            (MessageKind::Response, Some(key)) => Identity::Api("response", key),
            _ => Identity::Name(message.name.clone()),
        }
    }
}

/// The subfolder of `messages/` for a kind of message.
fn folder(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Request | MessageKind::Response => "api",
        MessageKind::Header => "header",
        MessageKind::Data => "data",
        MessageKind::Metadata => "metadata",
        MessageKind::CoordinatorKey | MessageKind::CoordinatorValue => "coordinator",
    }
}

struct Ours {
    path: PathBuf,
    message: Message,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("import_definitions: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema/messages");
    fs::create_dir_all(&root)?;
    let mut ours = BTreeMap::new();
    for (file, text) in definition_files(&root).unwrap_or_default() {
        let message = read_message(&file, &text)?;
        ours.insert(Identity::of(&message), Ours { path: file.into(), message });
    }
    for source in std::env::args_os().skip(1) {
        for (file, text) in definition_files(Path::new(&source))? {
            import(&root, &mut ours, read_message(&file, &text)?)?;
        }
    }
    Ok(())
}

fn import(
    root: &Path,
    ours: &mut BTreeMap<Identity, Ours>,
    mut theirs: Message,
) -> Result<(), Box<dyn Error>> {
    let identity = Identity::of(&theirs);
    let path = root.join(folder(theirs.kind)).join(format!("{}.json", theirs.name));
    let before = ours.remove(&identity);
    merge::drop_docs(&mut theirs);
    let merged = match &before {
        Some(before) => merge::merge(&before.message, &theirs)?,
        None => theirs,
    };
    let changed = match &before {
        None => true,
        Some(before) => before.path != path || !facts::same_facts(&before.message, &merged),
    };
    if changed {
        println!(
            "{} {} {}",
            if before.is_some() { "changed" } else { "new    " },
            merged.name,
            merged.valid_versions
        );
        if let Some(before) = before.filter(|before| before.path != path) {
            fs::remove_file(before.path)?;
        }
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        fs::write(&path, write::definition_text(&merged))?;
    }
    ours.insert(identity, Ours { path, message: merged });
    Ok(())
}
