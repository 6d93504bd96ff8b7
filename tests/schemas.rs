//! Definitions of a user hold wherever built-in ones do: for messages, and for what is inside bytes of messages.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn definitions_of_payloads_may_be_a_users_too() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = "ConsumerProtocolAssignment.json";
    let definition = fs::read_to_string(root.join("src/schema/messages/data").join(name)).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), definition.replace("AssignedPartitions", "GivenPartitions")).unwrap();
    let show = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kdissect"));
        command.args(["--view", "tree"]).args(options);
        let output =
            command.arg(common::samples().join("clients/java_sync_group_range.bin")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (ours, theirs) = (show(&[]), show(&["--schemas", folder.to_str().unwrap()]));
    assert!(ours.contains("AssignedPartitions []TopicPartition = "), "{ours}");
    assert_eq!(ours.replace("AssignedPartitions", "GivenPartitions"), theirs);
}
