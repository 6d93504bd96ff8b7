//! Tests of tokens.

use super::*;
use crate::payload::testing::{any_change_is_tiled, tree_text};
use crate::tree::Tree;

fn walk(bytes: &[u8], tree: &mut Tree) -> bool {
    token(bytes, 0, tree)
}

/// The tree of a token without docs and branches, and whether any change of the token is covered.
fn shown(token: &str) -> Vec<String> {
    any_change_is_tiled(token.as_bytes(), walk);
    let text = tree_text(token.as_bytes(), walk);
    let up_to_location =
        |line: &str| line.split_once(']').map_or(String::new(), |(line, _)| format!("{line}]"));
    text.lines().map(|line| up_to_location(line.trim_start_matches("+-- "))).collect()
}

fn secrets(token: &[u8]) -> Vec<String> {
    let mut tree = Tree::new();
    assert!(walk(token, &mut tree));
    let secret = tree.nodes.iter().filter(|node| node.flags().has(Flags::SECRET));
    secret.map(|node| String::from_utf8_lossy(node.bytes(token)).into_owned()).collect()
}

// The examples of RFC 5802, section 5.
const CLIENT_FIRST: &str = "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL";
const SERVER_FIRST: &str = "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096";
const CLIENT_FINAL: &str =
    "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=";
const SERVER_FINAL: &str = "v=rmF9pqV8S7suAoZWja4dJRkFsKQ=";
// As in RFC 7628, section 4.
const BEARER: &str =
    "n,a=user@example.com,\x01host=server.example.com\x01port=143\x01auth=Bearer vF9dft4qmT\x01\x01";

#[test]
fn plain_has_user_and_password() {
    assert_eq!(
        shown("\0alice\0alice-secret"),
        [
            "token PLAIN message = struct [0x0000, 19B]",
            "separator = 1 byte 00 [0x0000, 1B]",
            "authcid string = \"alice\" [0x0001, 5B]",
            "separator = 1 byte 00 [0x0006, 1B]",
            "passwd string = \"alice-secret\" [0x0007, 12B]",
        ]
    );
    assert_eq!(shown("bob\0alice\0pw")[1], "authzid string = \"bob\" [0x0000, 3B]");
    assert_eq!(secrets(b"\0alice\0pw"), ["pw"]);
}

#[test]
fn the_messages_of_scram_have_attributes() {
    assert_eq!(
        shown(CLIENT_FIRST),
        [
            "token SCRAM client-first-message = struct [0x0000, 36B]",
            "gs2-cbind-flag string = \"n\" [0x0000, 1B]",
            "separator = \",\" [0x0001, 1B]",
            "separator = \",\" [0x0002, 1B]",
            "username string = \"n=user\" [0x0003, 6B]",
            "separator = \",\" [0x0009, 1B]",
            "nonce string = \"r=fyko+d2lbbFgONRv9qkxdawL\" [0x000a, 26B]",
        ]
    );
    assert_eq!(
        shown(SERVER_FIRST),
        [
            "token SCRAM server-first-message = struct [0x0000, 70B]",
            "nonce string = \"r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j\" [0x0000, 44B]",
            "separator = \",\" [0x002c, 1B]",
            "salt string = \"s=QSXCR+Q6sek8bf92\" [0x002d, 18B]",
            "separator = \",\" [0x003f, 1B]",
            "iteration-count string = \"i=4096\" [0x0040, 6B]",
        ]
    );
    let lines = shown(CLIENT_FINAL);
    assert_eq!(lines[0], "token SCRAM client-final-message = struct [0x0000, 82B]");
    assert_eq!(lines[1], "channel-binding string = \"c=biws\" [0x0000, 6B]");
    assert_eq!(lines[5], "proof string = \"p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=\" [0x0034, 30B]");
    assert_eq!(secrets(CLIENT_FINAL.as_bytes()), ["p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts="]);
    assert_eq!(
        shown(SERVER_FINAL),
        [
            "token SCRAM server-final-message = struct [0x0000, 30B]",
            "verifier string = \"v=rmF9pqV8S7suAoZWja4dJRkFsKQ=\" [0x0000, 30B]",
        ]
    );
    assert_eq!(secrets(SERVER_FINAL.as_bytes()), [SERVER_FINAL]);
    assert_eq!(shown("e=invalid-proof")[1], "server-error string = \"e=invalid-proof\" [0x0000, 15B]");
}

#[test]
fn scram_may_have_more() {
    let lines = shown("p=tls-exporter,a=admin,m=x,n=a=2Cb,r=123,tokenauth=true");
    let names: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    let expected = [
        "token",
        "gs2-cbind-flag",
        "separator",
        "authzid",
        "separator",
        "reserved-mext",
        "separator",
        "username",
        "separator",
        "nonce",
        "separator",
        "extension",
    ];
    assert_eq!(names, expected);
    let lines = shown("c=biws,r=12,x=y,p=AAAA");
    assert!(lines[5].starts_with("extension string = \"x=y\""), "{lines:?}");
}

#[test]
fn oauth_has_a_token_apart() {
    assert_eq!(
        shown(BEARER),
        [
            "token OAUTHBEARER client message = struct [0x0000, 79B]",
            "gs2-cbind-flag string = \"n\" [0x0000, 1B]",
            "separator = \",\" [0x0001, 1B]",
            "authzid string = \"a=user@example.com\" [0x0002, 18B]",
            "separator = \",\" [0x0014, 1B]",
            "separator = 1 byte 01 [0x0015, 1B]",
            "extension string = \"host=server.example.com\" [0x0016, 23B]",
            "separator = 1 byte 01 [0x002d, 1B]",
            "extension string = \"port=143\" [0x002e, 8B]",
            "separator = 1 byte 01 [0x0036, 1B]",
            "auth string = \"auth=Bearer \" [0x0037, 12B]",
            "token string = \"vF9dft4qmT\" [0x0043, 10B]",
            "separator = 1 byte 01 [0x004d, 1B]",
            "separator = 1 byte 01 [0x004e, 1B]",
        ]
    );
    assert_eq!(secrets(BEARER.as_bytes()), ["vF9dft4qmT"]);
    assert_eq!(secrets(b"n,,auth=Bearer abc,traceId=7"), ["abc"]);
}

#[test]
fn the_end_of_oauth_is_known() {
    let refusal = r#"{"status":"invalid_token","scope":"example_scope"}"#;
    assert!(shown(refusal)[0].starts_with("token OAUTHBEARER server error = \"{"));
    assert_eq!(shown("\x01"), ["token OAUTHBEARER client answer = 1 byte 01 [0x0000, 1B]"]);
}

#[test]
fn kerberos_is_named() {
    let context = b"\x60\x0d\x06\x09\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x01\x00";
    assert!(tree_text(context, walk).starts_with("token GSSAPI context token = 15 bytes 60 0d 06"));
    assert_eq!(secrets(context).len(), 1);
    let wrapped = b"\x05\x04\x01\xff\0\x0c\0\0\0\0\0\0\0\0\0\0\x01\0\0\0";
    assert!(tree_text(wrapped, walk).starts_with("token GSSAPI wrapped token = 20 bytes"));
}

#[test]
fn other_bytes_are_no_token() {
    for bytes in [
        &b""[..],
        b"hello",
        b"\0\0",
        b"\0user\0",
        b"\0\0pass",
        b"a\0b\0c\0d",
        b"\0us\xff\0pw",
        b"{\"state\":1}",
        b"{}",
        b"n,,",
        b"n,,n=user",
        b"n,,\x01host=a\x01\x01",
        b"n,,\x01auth=Basic abc\x01\x01",
        b"n,,\x01auth=Bearer abc\x01",
        b"r=abc,s=not-base-64,i=1",
        b"r=abc,s=AAAA,i=x",
        b"c=biws,r=1",
        b"v=",
        b"\x60\x05\x06\x09\x2a\x86\x48",
        b"\x05\x04\x01\xff",
    ] {
        let mut tree = Tree::new();
        assert!(!walk(bytes, &mut tree) && tree.nodes.is_empty(), "{bytes:02x?}");
    }
    // Nor are bytes at random: of a few bytes some may be, of many hardly any.
    let mut random = fastrand::Rng::with_seed(36);
    for _ in 0..10_000 {
        let bytes: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(24).collect();
        assert!(!walk(&bytes, &mut Tree::new()), "{bytes:02x?}");
    }
}
