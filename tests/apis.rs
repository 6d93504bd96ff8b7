//! `kdissect apis`: the catalogue, with the output to the letter.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What `kdissect apis` prints to standard output and error, and its exit status.
fn apis(arguments: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_kdissect")).arg("apis").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn all_apis_have_a_line() {
    let (printed, complaints, code) = apis(&[]);
    assert_eq!((complaints.as_str(), code), ("", 0));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 98);
    for (number, expected) in [
        (0, "key  API                                    versions  flexible  headers  since   listeners"),
        (1, "  0  Produce                                0-13      9+        2/1      0.8.0   broker"),
        (
            2,
            "  1  Fetch                                  0-18      12+       2/1      0.8.0   broker, controller",
        ),
        (
            5,
            "  4  LeaderAndIsr                           0-7       4+        2/1      0.8.0   -                   removed in 4.0",
        ),
        (
            18,
            " 17  SaslHandshake                          0-1       -         1/0      0.10.0  broker, controller",
        ),
        (
            19,
            " 18  ApiVersions                            0-5       3+        2/0*     0.10.0  broker, controller",
        ),
        (
            23,
            " 22  InitProducerId                         0-6       2+        2/1      0.11.0  broker              v6 is unstable",
        ),
        (66, " 65  DescribeTransactions                   0         0+        2/1      3.0     broker"),
        (96, "* ControlledShutdown v0 has no client id"),
        (97, "* ApiVersions responses keep v0 in every version, so that any client can read them"),
    ] {
        assert_eq!(lines[number], expected);
    }
}

#[test]
fn an_api_has_a_line_for_each_version() {
    let (printed, complaints, code) = apis(&["createacls"]);
    assert_eq!((complaints.as_str(), code), ("", 0));
    let expected = "\
CreateAcls, API key 30
An admin client asks for new ACLs, which allow or deny principals an operation on a resource. In
KRaft they go to the controller, as a rule by way of a broker.
listeners: broker, controller

version  since   dropped  flexible  headers  change
      0  0.11.0  4.0      no        1/0      first version
      1  2.0              no        1/0      request has ResourcePatternType (KIP-290); throttling by KIP-219
      2  2.5              yes       2/1      flexible version (KIP-482)
      3  3.3              yes       2/1      same layout; resources may be of type USER (KIP-373)
";
    assert_eq!(printed, expected);
    assert_eq!(apis(&["30"]).0, expected);
}

#[test]
fn an_api_that_is_gone_says_so() {
    let expected = "\
ControlledShutdown, API key 7
A broker that is about to stop asks the controller of a ZooKeeper cluster to move the leadership of
its partitions to other brokers; the response lists those it still leads. KRaft brokers use
BrokerHeartbeat instead.
removed in 4.0

version  since  flexible  headers  change
      0  0.8.0  no        0/0*     first version; request header has no ClientId
      1  0.9.0  no        1/0      same layout; request header has ClientId like all others
      2  2.2    no        1/0      request has BrokerEpoch (KIP-380)
      3  2.4    yes       2/1      flexible version (KIP-482)
* ControlledShutdown v0 has no client id
";
    assert_eq!(apis(&["ControlledShutdown"]).0, expected);
}

#[test]
fn json_has_stable_keys() {
    let (printed, _, code) = apis(&["InitProducerId", "--format", "json"]);
    assert_eq!(code, 0);
    let api: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let about = api["about"].as_str().unwrap();
    assert!(about.starts_with("An idempotent or transactional producer "), "{about}");
    let mut expected = serde_json::json!({
        "key": 22, "name": "InitProducerId", "about": about, "lowestVersion": 0, "highestVersion": 6,
        "flexibleFrom": 2, "firstRelease": "0.11.0", "removedIn": null, "listeners": ["broker"],
    });
    expected["versions"] = api["versions"].clone();
    assert_eq!(api, expected);
    assert_eq!(api["versions"].as_array().unwrap().len(), 7);
    let last = serde_json::json!({
        "version": 6, "firstRelease": null, "droppedIn": null, "flexible": true, "requestHeader": 2,
        "responseHeader": 1, "headerReason": null, "unstable": true, "deprecated": false,
        "change": "only ever unstable; request and response have two-phase commit fields (KIP-939)",
    });
    assert_eq!(api["versions"][6], last);

    let (all, _, _) = apis(&["--format", "json"]);
    let all: Vec<serde_json::Value> = serde_json::from_str(&all).unwrap();
    assert_eq!(all.len(), 95);
    assert_eq!(all[22], api);
}

#[test]
fn definitions_of_a_user_are_listed_too() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("apis");
    fs::create_dir_all(&folder).unwrap();
    let side = |name: &str, kind: &str| {
        format!(
            r#"{{ "apiKey": 1000, "type": "{kind}", "name": "Pulse{name}", "validVersions": "0-1",
                "flexibleVersions": "1+", "latestVersionUnstable": true,
                "fields": [ {{ "name": "Beat", "type": "int8", "versions": "0+" }} ] }}"#
        )
    };
    fs::write(folder.join("PulseRequest.json"), side("Request", "request")).unwrap();
    fs::write(folder.join("PulseResponse.json"), side("Response", "response")).unwrap();
    let schemas = folder.to_str().unwrap();
    let (printed, _, _) = apis(&["--schemas", schemas]);
    let line = printed.lines().find(|line| line.contains("Pulse"));
    assert_eq!(
        line,
        Some(
            "1000  Pulse                                  0-1       1+        2/1      -       -                   v1 is unstable"
        )
    );
    let expected = "\
Pulse, API key 1000

version  since  flexible  headers  change
      0  -      no        1/0      -
      1  -      yes       2/1      -       unstable
";
    assert_eq!(apis(&["--schemas", schemas, "pulse"]).0, expected);
}

#[test]
fn an_api_that_is_not_known_is_wrong_usage() {
    let (printed, complaints, code) = apis(&["Fetching"]);
    assert_eq!((printed.as_str(), code), ("", 2));
    assert_eq!(
        complaints,
        "kdissect: no API has the name or key \"Fetching\"; `kdissect apis` lists them all\n"
    );
}
