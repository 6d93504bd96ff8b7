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

#[test]
fn a_password_in_a_capture_is_hidden_unless_it_is_asked_for() {
    // As text, as hex, and as the base64 of a PLAIN token with it.
    let forms = ["alice-secret", "61 6c 69 63 65 2d 73 65 63", "AGFsaWNlAGFsaWNlLXNlY3JldA"];
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/captures");
    // The last is the same exchange without the Kafka protocol around its tokens.
    for name in ["java_sasl_plain", "librdkafka_sasl_plain", "java_errors", "java_0_10_sasl_tokens"] {
        let capture = directory.join(name).with_extension("pcap");
        let has_password = |arguments: &[&str]| {
            let output =
                Command::new(env!("CARGO_BIN_EXE_kdissect")).args(arguments).arg(&capture).output().unwrap();
            assert!(output.stdout.len() > 1000, "{name} {arguments:?}: {output:?}");
            let text = String::from_utf8(output.stdout).unwrap();
            forms.iter().any(|form| text.contains(form))
        };
        for arguments in [
            &["list"][..],
            &["--view", "tree"],
            &["--view", "page"],
            &["--view", "bytes"],
            &["--format", "json"],
        ] {
            assert!(!has_password(arguments), "{name} {arguments:?}");
        }
        // So that the test would see it.
        assert!(has_password(&["--view", "tree", "--show-secrets"]), "{name}");
    }
    for name in ["java_sasl_plain", "librdkafka_sasl_plain"] {
        let capture = directory.join(name).with_extension("pcap");
        let output = Command::new(env!("CARGO_BIN_EXE_kdissect"))
            .args(["--format", "json", "--show-secrets"])
            .arg(&capture)
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains(forms[2]), "{name}");
    }
}
