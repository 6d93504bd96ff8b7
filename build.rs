//! Makes the index of the embedded definition files: what the catalogue must know of each before it is parsed.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("src/schema/messages");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut paths = definition_paths(&root);
    paths.sort();
    let mut index = String::from("[\n");
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let definition: serde_json::Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let word = |key: &str| definition[key].as_str().unwrap_or("none").to_owned();
        writeln!(
            index,
            "    Embedded {{ name: {:?}, kind: {:?}, api_key: {:?}, valid_versions: {:?}, flexible_versions: {:?}, \
             text: include_str!({:?}) }},",
            word("name"),
            word("type"),
            definition["apiKey"].as_i64(),
            word("validVersions"),
            word("flexibleVersions"),
            path,
        )
        .unwrap();
    }
    index.push(']');
    let out = PathBuf::from(env::var("OUT_DIR").unwrap()).join("definitions.rs");
    fs::write(out, index).unwrap();
}

fn definition_paths(root: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries(root)
        .filter(|path| path.is_dir())
        .flat_map(|folder| {
            println!("cargo::rerun-if-changed={}", folder.display());
            entries(&folder).collect::<Vec<_>>()
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect()
}
