//! SASL tokens, recognised by their shape: what is in the bytes does not say which mechanism was agreed on.
//!
//! - PLAIN (RFC 4616): `[authzid] NUL authcid NUL passwd`.
//! - SCRAM (RFC 5802): attributes of one letter. Kafka's extension `tokenauth=true` tells that the user is a delegation token (KIP-48).
//! - OAUTHBEARER (RFC 7628, KIP-255): a header as SCRAM has it, then pairs of key and value. Kafka 2.0 had commas between them. The server
//!   refuses with JSON, which the client acknowledges with one byte.
//! - GSSAPI (RFC 4752): tokens of Kerberos, which are only named.
//!
//! A shape is taken for a token only if all of it fits. What is secret is marked so.

use std::sync::{Arc, LazyLock};

use super::items;
use crate::tree::{Flags, Kind, What};
use crate::wire::plan::{Item, Plan};
use crate::wire::sink::Sink;

/// A message of a mechanism, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
enum Part {
    PlainMessage,
    ScramClientFirst,
    ScramServerFirst,
    ScramClientFinal,
    ScramServerFinal,
    OauthClientFirst,
    OauthError,
    OauthAbort,
    KerberosContext,
    KerberosWrapped,
    Separator,
    BindingFlag,
    AuthorizationId,
    AuthenticationId,
    Password,
    Mandatory,
    Username,
    Nonce,
    Salt,
    Iterations,
    Binding,
    Proof,
    Verifier,
    ServerError,
    Extension,
    Scheme,
    BearerToken,
}

impl Part {
    const ALL: [Part; 27] = {
        use Part::*;
        [
            PlainMessage,
            ScramClientFirst,
            ScramServerFirst,
            ScramClientFinal,
            ScramServerFinal,
            OauthClientFirst,
            OauthError,
            OauthAbort,
            KerberosContext,
            KerberosWrapped,
            Separator,
            BindingFlag,
            AuthorizationId,
            AuthenticationId,
            Password,
            Mandatory,
            Username,
            Nonce,
            Salt,
            Iterations,
            Binding,
            Proof,
            Verifier,
            ServerError,
            Extension,
            Scheme,
            BearerToken,
        ]
    };

    /// Its name, type and doc, as the RFCs name it.
    fn texts(self) -> (&'static str, &'static str, &'static str) {
        use Part::*;
        match self {
            PlainMessage => ("token", "PLAIN message", "user and password as they are, safe only within TLS"),
            ScramClientFirst => ("token", "SCRAM client-first-message", "who the client says it is"),
            ScramServerFirst => {
                ("token", "SCRAM server-first-message", "what the client needs for its proof")
            }
            ScramClientFinal => {
                ("token", "SCRAM client-final-message", "proves that the client knows the password")
            }
            ScramServerFinal => {
                ("token", "SCRAM server-final-message", "proves that the server knows the user, or refuses")
            }
            OauthClientFirst => {
                ("token", "OAUTHBEARER client message", "a token that another server gave out")
            }
            OauthError => ("token", "OAUTHBEARER server error", "why the server refuses the token, as JSON"),
            OauthAbort => {
                ("token", "OAUTHBEARER client answer", "the client has read why its token is refused")
            }
            KerberosContext => {
                ("token", "GSSAPI context token", "a Kerberos message, most of which is encrypted")
            }
            KerberosWrapped => {
                ("token", "GSSAPI wrapped token", "protected by Kerberos; negotiates a security layer")
            }
            Separator => ("separator", "", ""),
            BindingFlag => {
                ("gs2-cbind-flag", "string", "channel binding: n none, y none offered, p=NAME the one in use")
            }
            AuthorizationId => ("authzid", "string", "who the client wants to act as, if not as itself"),
            AuthenticationId => ("authcid", "string", "name of the user"),
            Password => ("passwd", "string", "password of the user"),
            Mandatory => ("reserved-mext", "string", "an extension that must be understood"),
            Username => ("username", "string", "name of the user, or id of a delegation token"),
            Nonce => (
                "nonce",
                "string",
                "random text of the client, followed by the server's once it has answered",
            ),
            Salt => ("salt", "string", "what the password is hashed with, as base64"),
            Iterations => ("iteration-count", "string", "how often the password is hashed"),
            Binding => ("channel-binding", "string", "header of the first message once more, as base64"),
            Proof => ("proof", "string", "made of the hashed password and all messages before, as base64"),
            Verifier => ("verifier", "string", "the server's signature of all messages before, as base64"),
            ServerError => ("server-error", "string", "why the server refuses"),
            Extension => ("extension", "string", "key and value; tokenauth=true means a delegation token"),
            Scheme => ("auth", "string", "how the token is to be used"),
            BearerToken => ("token", "string", "whoever has it may log in with it"),
        }
    }
}

/// A stretch of a token.
struct Stretch {
    part: Part,
    kind: Kind,
    len: usize,
}

/// Makes nodes of a token in bytes that begin at an offset, and covers all of them. False if it has the shape of none, or the sink does not
/// care; then there are no nodes.
pub(crate) fn token<S: Sink>(bytes: &[u8], start: usize, sink: &mut S) -> bool {
    static PLAN: LazyLock<Arc<Plan>> = LazyLock::new(|| {
        let item = |part: Part| {
            let (name, type_name, doc) = part.texts();
            Item::new(name.into(), type_name.into(), doc.into())
        };
        items::plan("SaslToken", Part::ALL.map(item).into())
    });
    let Some((message, stretches)) = recognise(bytes) else { return false };
    let Some(plan) = sink.inner_plan(&PLAN) else { return false };
    let what = |part: Part, kind| {
        let secret = matches!(
            part,
            Part::Password
                | Part::Proof
                | Part::Verifier
                | Part::BearerToken
                | Part::KerberosContext
                | Part::KerberosWrapped
        );
        What::new(kind, Flags::SECRET.only_if(secret), part as u16).in_plan(plan)
    };
    let [first, ..] = &*stretches else { return false };
    if first.part == message {
        sink.leaf(what(message, first.kind), start, bytes.len());
        return true;
    }
    let mark = sink.open(what(message, Kind::Struct), start);
    let mut at = start;
    for stretch in stretches {
        sink.leaf(what(stretch.part, stretch.kind), at, stretch.len);
        at += stretch.len;
    }
    sink.close(mark, at);
    true
}

/// Reads a message from its first byte; `None` if it is another.
type Read = fn(&mut Text<'_>) -> Option<()>;

/// Which message a token is, and what it consists of, all of it. A message that is not taken apart consists of itself.
fn recognise(bytes: &[u8]) -> Option<(Part, Vec<Stretch>)> {
    let whole = |part, kind| Some((part, vec![Stretch { part, kind, len: bytes.len() }]));
    if bytes == [1] {
        return whole(Part::OauthAbort, Kind::Raw);
    }
    if is_kerberos_context(bytes) {
        return whole(Part::KerberosContext, Kind::Raw);
    }
    if is_kerberos_wrapped(bytes) {
        return whole(Part::KerberosWrapped, Kind::Raw);
    }
    let text = std::str::from_utf8(bytes).ok()?;
    if is_oauth_error(text) {
        return whole(Part::OauthError, Kind::Text);
    }
    let read: [(Part, Read); 6] = [
        (Part::PlainMessage, plain),
        (Part::ScramClientFirst, scram_client_first),
        (Part::ScramServerFirst, scram_server_first),
        (Part::ScramClientFinal, scram_client_final),
        (Part::ScramServerFinal, scram_server_final),
        (Part::OauthClientFirst, oauth_client_first),
    ];
    read.into_iter().find_map(|(message, read)| {
        let mut text = Text { rest: text, found: Vec::new() };
        read(&mut text)?;
        text.rest.is_empty().then_some((message, text.found))
    })
}

/// A DER sequence (tag 0x60) that fills the token and begins with the object identifier of Kerberos, or of the negotiation that leads to it
/// (RFC 2743, 3.1).
fn is_kerberos_context(bytes: &[u8]) -> bool {
    const KERBEROS: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x12\x01\x02\x02";
    const SPNEGO: &[u8] = b"\x06\x06\x2b\x06\x01\x05\x05\x02";
    let (length, content) = match bytes {
        [0x60, length @ 0..=0x7f, content @ ..] => (usize::from(*length), content),
        [0x60, 0x81, length, content @ ..] => (usize::from(*length), content),
        [0x60, 0x82, high, low, content @ ..] => (usize::from(*high) << 8 | usize::from(*low), content),
        _ => return false,
    };
    length == content.len() && (content.starts_with(KERBEROS) || content.starts_with(SPNEGO))
}

/// The header of a wrapped message (RFC 4121, 4.2.6.2): its id, three flags, a filler, and 12 bytes more.
fn is_kerberos_wrapped(bytes: &[u8]) -> bool {
    matches!(bytes, [5, 4, 0..=7, 0xff, ..] if bytes.len() >= 16)
}

/// A JSON object that has a status (RFC 7628, 3.2.2).
fn is_oauth_error(text: &str) -> bool {
    // Before it is parsed: nearly no token begins so.
    text.starts_with('{')
        && serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text)
            .is_ok_and(|object| object.get("status").is_some_and(|status| status.is_string()))
}

/// What is left of a token, and what has been found before.
struct Text<'t> {
    rest: &'t str,
    found: Vec<Stretch>,
}

impl<'t> Text<'t> {
    /// The next `len` bytes. Of none there is no node.
    fn take(&mut self, part: Part, len: usize) -> &'t str {
        let (text, rest) = self.rest.split_at(len);
        if len > 0 {
            let is_text = part != Part::Separator || text == ",";
            self.found.push(Stretch { part, kind: if is_text { Kind::Text } else { Kind::Raw }, len });
        }
        self.rest = rest;
        text
    }

    /// All before a separator, or all there is.
    fn up_to(&mut self, part: Part, separator: char) -> &'t str {
        self.take(part, self.rest.find(separator).unwrap_or(self.rest.len()))
    }

    fn separator(&mut self, separator: char) -> Option<()> {
        self.rest.starts_with(separator).then(|| self.take(Part::Separator, 1)).map(|_| ())
    }

    /// An attribute, up to a comma. Returns its value, which is not empty.
    fn attribute(&mut self, part: Part, letter: &str) -> Option<&'t str> {
        self.rest.strip_prefix(letter)?.strip_prefix('=')?;
        let text = self.up_to(part, ',');
        text.get(letter.len() + 1..).filter(|value| !value.is_empty())
    }

    /// Extensions, each after a comma, up to the end or to the attribute `last`.
    fn extensions(&mut self, last: Option<&str>) -> Option<()> {
        while let Some(after) = self.rest.strip_prefix(',') {
            if last.is_some_and(|last| after.starts_with(last)) {
                break;
            }
            self.separator(',')?;
            let (key, value) = self.up_to(Part::Extension, ',').split_once('=')?;
            let is_key = !key.is_empty() && key.bytes().all(|letter| letter.is_ascii_alphabetic());
            if !is_key || value.is_empty() {
                return None;
            }
        }
        Some(())
    }

    /// The header that RFC 5801 puts before a client's first message.
    fn gs2_header(&mut self) -> Option<()> {
        let flag = self.up_to(Part::BindingFlag, ',');
        let is_flag =
            matches!(flag, "n" | "y") || flag.strip_prefix("p=").is_some_and(|name| !name.is_empty());
        if !is_flag {
            return None;
        }
        self.separator(',')?;
        if !self.rest.starts_with(',') {
            self.attribute(Part::AuthorizationId, "a")?;
        }
        self.separator(',')
    }
}

fn plain(text: &mut Text<'_>) -> Option<()> {
    text.up_to(Part::AuthorizationId, '\0');
    text.separator('\0')?;
    let user = text.up_to(Part::AuthenticationId, '\0');
    text.separator('\0')?;
    let password = text.up_to(Part::Password, '\0');
    (!user.is_empty() && !password.is_empty()).then_some(())
}

fn scram_client_first(text: &mut Text<'_>) -> Option<()> {
    text.gs2_header()?;
    mandatory(text)?;
    text.attribute(Part::Username, "n")?;
    text.separator(',')?;
    nonce(text)?;
    text.extensions(None)
}

fn scram_server_first(text: &mut Text<'_>) -> Option<()> {
    mandatory(text)?;
    nonce(text)?;
    text.separator(',')?;
    base64(text.attribute(Part::Salt, "s")?)?;
    text.separator(',')?;
    let iterations = text.attribute(Part::Iterations, "i")?;
    iterations.bytes().all(|digit| digit.is_ascii_digit()).then_some(())?;
    text.extensions(None)
}

fn scram_client_final(text: &mut Text<'_>) -> Option<()> {
    base64(text.attribute(Part::Binding, "c")?)?;
    text.separator(',')?;
    nonce(text)?;
    text.extensions(Some("p="))?;
    text.separator(',')?;
    base64(text.attribute(Part::Proof, "p")?)
}

fn scram_server_final(text: &mut Text<'_>) -> Option<()> {
    if text.rest.starts_with("e=") {
        let error = text.attribute(Part::ServerError, "e")?;
        error.chars().all(|letter| !letter.is_control() && letter != '=').then_some(())?;
    } else {
        base64(text.attribute(Part::Verifier, "v")?)?;
    }
    text.extensions(None)
}

fn oauth_client_first(text: &mut Text<'_>) -> Option<()> {
    text.gs2_header()?;
    let mut has_token = false;
    if text.rest.starts_with("auth=") {
        // As Kafka 2.0 spelled it.
        bearer(text, ',')?;
        return text.extensions(None);
    }
    text.separator('\x01')?;
    while !text.rest.starts_with('\x01') {
        if text.rest.starts_with("auth=") {
            bearer(text, '\x01')?;
            has_token = true;
        } else {
            let (key, _) = text.up_to(Part::Extension, '\x01').split_once('=')?;
            (!key.is_empty() && key.bytes().all(|letter| letter.is_ascii_alphabetic())).then_some(())?;
        }
        text.separator('\x01')?;
    }
    text.separator('\x01')?;
    has_token.then_some(())
}

/// `auth=Bearer TOKEN`, the token apart.
fn bearer(text: &mut Text<'_>, separator: char) -> Option<()> {
    const SCHEME: &str = "auth=Bearer";
    let scheme = text.rest.get(..SCHEME.len())?;
    let spaces = text.rest[SCHEME.len()..].bytes().take_while(|letter| *letter == b' ').count();
    (scheme.eq_ignore_ascii_case(SCHEME) && spaces > 0).then_some(())?;
    text.take(Part::Scheme, SCHEME.len() + spaces);
    let token = text.up_to(Part::BearerToken, separator);
    (!token.is_empty()).then_some(())
}

/// An extension that must be understood, if there is one.
fn mandatory(text: &mut Text<'_>) -> Option<()> {
    if text.rest.starts_with("m=") {
        text.attribute(Part::Mandatory, "m")?;
        text.separator(',')?;
    }
    Some(())
}

fn nonce(text: &mut Text<'_>) -> Option<()> {
    let nonce = text.attribute(Part::Nonce, "r")?;
    nonce.bytes().all(|letter| letter.is_ascii_graphic()).then_some(())
}

fn base64(text: &str) -> Option<()> {
    let digits = text.trim_end_matches('=');
    let is_digit = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'+' | b'/');
    (text.len().is_multiple_of(4) && text.len() - digits.len() <= 2 && digits.bytes().all(is_digit))
        .then_some(())
}

#[cfg(test)]
mod tests {
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
    fn parts_stand_at_their_numbers() {
        for (index, part) in Part::ALL.into_iter().enumerate() {
            assert_eq!(part as usize, index);
        }
    }

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
}
