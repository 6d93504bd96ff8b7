//! Finds definition files in a folder or a jar.

use std::fs;
use std::path::{Path, PathBuf};

use super::read::SchemaError;

/// A definition file's name and text.
pub type DefinitionFile = (String, String);

/// As much of a definition file in a jar is read; Kafka's largest is under 40 KiB.
#[cfg(feature = "jar")]
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Reads every definition file in `path`: the `*.json` of a folder, or those under `common/` in a jar of Kafka's.
///
/// Files that are JSON but no definitions (a jar may hold others) are not told apart here.
///
/// # Errors
/// If the folder or jar cannot be read, or has no such file.
pub fn definition_files(path: &Path) -> Result<Vec<DefinitionFile>, SchemaError> {
    let mut files = if path.is_dir() { from_folder(path)? } else { from_jar(path)? };
    if files.is_empty() {
        return Err(trouble(path, "no definition files (*.json) in it"));
    }
    files.sort();
    Ok(files)
}

fn trouble(path: &Path, problem: impl ToString) -> SchemaError {
    SchemaError { file: path.display().to_string(), place: String::new(), problem: problem.to_string() }
}

fn from_folder(folder: &Path) -> Result<Vec<DefinitionFile>, SchemaError> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| trouble(&folder, error))? {
            let entry = entry.map_err(|error| trouble(&folder, error))?;
            let path = entry.path();
            // A link to a folder is not followed: it might lead back up.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let text = fs::read_to_string(&path).map_err(|error| trouble(&path, error))?;
                files.push((path.display().to_string(), text));
            }
        }
    }
    Ok(files)
}

#[cfg(feature = "jar")]
fn from_jar(path: &Path) -> Result<Vec<DefinitionFile>, SchemaError> {
    use std::io::Read;

    let file = fs::File::open(path).map_err(|error| trouble(path, error))?;
    let mut jar = zip::ZipArchive::new(file)
        .map_err(|error| trouble(path, format!("neither a folder nor a jar: {error}")))?;
    let mut files = Vec::new();
    for index in 0..jar.len() {
        let entry = jar.by_index(index).map_err(|error| trouble(path, error))?;
        let name = entry.name().map_err(|error| trouble(path, error))?.into_owned();
        // kafka-storage has them in a folder of its own.
        let is_definition = name.starts_with("common/") || name.starts_with("message/");
        if !(is_definition && name.ends_with(".json")) {
            continue;
        }
        let mut text = String::new();
        let whole = format!("{}!{name}", path.display());
        entry
            .take(MAX_FILE_BYTES)
            .read_to_string(&mut text)
            .map_err(|error| trouble(Path::new(&whole), error))?;
        files.push((whole, text));
    }
    Ok(files)
}

#[cfg(not(feature = "jar"))]
fn from_jar(path: &Path) -> Result<Vec<DefinitionFile>, SchemaError> {
    Err(trouble(path, "is no folder, and this build reads no jars"))
}
