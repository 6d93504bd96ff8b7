//! Commands with their whole output, side by side: `tests/cli/*.md`, and the README's own examples.
//!
//! `TRYCMD=overwrite cargo test --test command_line` accepts new output; read the difference before you commit it.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn commands_print_what_stands_beside_them() {
    trycmd::TestCases::new().case("tests/cli/*.md").case("README.md");
}

#[test]
fn a_capture_on_standard_input_is_the_same_as_in_a_file() {
    let capture = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/captures/java_errors.pcap");
    let kdissect = |arguments: &[&str], input: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kdissect"));
        let output = command.args(arguments).stdin(input).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        String::from_utf8(output.stdout).unwrap()
    };
    for arguments in [&["list"][..], &["--view", "tree"], &["--format", "json"]] {
        let file = [arguments, &[capture.to_str().unwrap()]].concat();
        let pipe = [arguments, &["-"]].concat();
        let open = File::open(&capture).unwrap();
        assert_eq!(kdissect(&pipe, open.into()), kdissect(&file, Stdio::null()), "{arguments:?}");
    }
}
