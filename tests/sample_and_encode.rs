//! `kdissect sample`, `kdissect --format json` and `kdissect encode`, one into the other.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program with bytes on its standard input.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kdissect"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// What the program writes if all is well.
fn kdissect(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let output = run(arguments, input);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    output.stdout
}

#[test]
fn the_smallest_instances_are_those_of_the_documentation() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documentation");
    let file =
        |direction| fs::read(folder.join(format!("describe_transactions_{direction}_v0.bin"))).unwrap();
    assert_eq!(kdissect(&["sample", "DescribeTransactions"], b""), file("request"));
    assert_eq!(kdissect(&["sample", "DescribeTransactions", "--response"], b""), file("response"));
}

#[test]
fn a_sample_becomes_json_and_the_same_bytes_again() {
    for (api, version) in [("Fetch", "4"), ("Fetch", "18"), ("ApiVersions", "0"), ("ControlledShutdown", "0")]
    {
        for random in [&[][..], &["--random", "7"]] {
            for response in [false, true] {
                let mut arguments = vec!["sample", api, "--api-version", version];
                arguments.extend(random);
                let mut reading = vec!["--format", "json", "-"];
                if response {
                    arguments.push("--response");
                    reading.extend(["--response", "--api", api, "--api-version", version]);
                }
                let bytes = kdissect(&arguments, b"");
                let json = kdissect(&reading, &bytes);
                assert_eq!(kdissect(&["encode", "-"], &json), bytes, "{arguments:?}");
                let hex = kdissect(&["encode", "-", "--hex"], &json);
                assert_eq!(kdissect(&reading, &hex), json, "{arguments:?}");
                arguments.push("--hex");
                assert_eq!(kdissect(&arguments, b""), hex);
            }
        }
    }
}

#[test]
fn frames_go_to_a_file() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("metadata_sample.bin");
    let name = path.to_str().unwrap();
    assert_eq!(kdissect(&["sample", "Metadata", "--api-version", "1", "-o", name], b""), b"");
    assert_eq!(fs::read(&path).unwrap(), kdissect(&["sample", "Metadata", "--api-version", "1"], b""));
    let output = run(&["sample", "Metadata", "-o", "no/such/folder/x.bin"], b"");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

#[test]
fn one_malformed_message_keeps_all_from_being_written() {
    let good = r#"{"direction":"request","apiName":"Heartbeat","apiVersion":0,"body":{}}"#;
    let text = format!("{good}\n{}\n{good}\n", good.replace("{}", r#"{"generationId":"one"}"#));
    let output = run(&["encode", "-"], text.as_bytes());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "kdissect: standard input: line 2: body.generationId: expected int32, found \"one\"\n"
    );
    let output = run(&["encode", "-"], b" \n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "kdissect: standard input: there is no JSON in it\n"
    );
    assert_eq!(run(&["encode", "no_such_file.json"], b"").status.code(), Some(2));
}
