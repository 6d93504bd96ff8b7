//! The documentation page is the measure of the layout: what the program prints is found in it to the letter.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::folded;

fn documentation(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documentation").join(file);
    fs::read_to_string(path).unwrap()
}

fn kdissect(arguments: &[&str], file: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kdissect"))
        .args(arguments)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documentation").join(file))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_trees_are_those_of_the_documentation() {
    for name in ["describe_transactions_request_v0", "describe_transactions_response_v0"] {
        let printed = kdissect(&["--view", "tree"], &format!("{name}.bin"));
        assert_eq!(printed, documentation(&format!("{name}.tree")));
    }
}

#[test]
fn title_line_and_tree_are_found_in_the_page() {
    let page = folded(&documentation("DescribeTransactions.txt"));
    for (name, title) in [
        (
            "describe_transactions_request_v0.bin",
            "DescribeTransactionsRequest v0, request header v2, 18 bytes on the wire",
        ),
        (
            "describe_transactions_response_v0.bin",
            "DescribeTransactionsResponse v0, response header v1, 50 bytes on the wire",
        ),
    ] {
        let printed = kdissect(&[], name);
        let (head, tree) = printed.split_once("\nobject tree\n").unwrap();
        assert_eq!(head.lines().next(), Some(title));
        let layout_heading = head.lines().find(|line| line.starts_with("byte layout")).unwrap();
        assert!(page.contains(&folded(&format!("{title} {layout_heading}"))));
        assert!(page.contains(&folded(&format!("object tree {tree}"))));
    }
}

#[test]
fn the_response_is_the_same_whether_its_api_is_named_or_found() {
    let file = "describe_transactions_response_v0.bin";
    let named = kdissect(&["--response", "--api", "65", "--api-version", "0"], file);
    assert_eq!(kdissect(&[], file), named);
    assert_eq!(kdissect(&["--response"], file), named);
}
