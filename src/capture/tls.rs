//! What a TLS handshake tells to anybody (RFC 8446, RFC 6066, RFC 7301): versions, the name of the server, the protocols that are offered.

use std::fmt;

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::{map, map_parser, rest};
use nom::multi::{length_data, many0};
use nom::number::complete::{be_u8, be_u16, be_u24};
use nom::sequence::{pair, preceded};

/// What the first message of a side says.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Hello {
    /// Whether the client said it.
    pub is_client: bool,
    /// The versions that the client offers, the best first, or the one that the server took.
    pub versions: Vec<u16>,
    /// The server's name, as the client asks for it.
    pub server_name: Option<String>,
    /// The protocols that are offered or taken (ALPN).
    pub protocols: Vec<String>,
}

/// A record with a handshake message in it begins with this.
const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;
const SERVER_HELLO: u8 = 2;
const SERVER_NAME: u16 = 0;
const ALPN: u16 = 16;
const SUPPORTED_VERSIONS: u16 = 43;

/// Whether a stream that begins with these bytes is TLS: a record of a kind that there is, and of a version that there was.
pub fn is_tls(beginning: &[u8]) -> bool {
    matches!(beginning, [20..=23, 3, 0..=4, ..])
}

impl Hello {
    /// Reads the first record of a stream, as far as it is there. `None` if it is no hello.
    pub fn read(stream: &[u8]) -> Option<Hello> {
        let (stream, (kind, _)) = header(stream).ok()?;
        if kind != HANDSHAKE {
            return None;
        }
        let (_, record) = up_to_u16(stream).ok()?;
        let (_, hello) = hello(record).ok()?;
        Some(hello)
    }
}

fn header(input: &[u8]) -> IResult<&[u8], (u8, u16)> {
    pair(be_u8, be_u16).parse(input)
}

/// So many bytes as the length before them says, or those that there are.
fn up_to_u16(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let (input, length) = be_u16(input)?;
    take(input.len().min(length.into())).parse(input)
}

fn hello(input: &[u8]) -> IResult<&[u8], Hello> {
    let (input, (kind, _)) = pair(be_u8, be_u24).parse(input)?;
    let is_client = kind == CLIENT_HELLO;
    if !is_client && kind != SERVER_HELLO {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag)));
    }
    // The version is frozen at 1.2; what counts since 1.3 is an extension. Then come the random and the session id.
    let (input, version) = be_u16(input)?;
    let (input, _) = preceded(take(32usize), length_data(be_u8)).parse(input)?;
    let mut hello = Hello { is_client, versions: vec![version], ..Hello::default() };
    let input = if is_client {
        // Cipher suites and compression methods.
        let (input, _) = pair(length_data(be_u16), length_data(be_u8)).parse(input)?;
        input
    } else {
        let (input, _) = pair(be_u16, be_u8).parse(input)?;
        input
    };
    let (input, extensions) = match up_to_u16(input) {
        Ok(found) => found,
        // Old ones have none.
        Err(_) => return Ok((input, hello)),
    };
    let (_, extensions) = many0(pair(be_u16, length_data(be_u16))).parse(extensions)?;
    for (kind, content) in extensions {
        match kind {
            SERVER_NAME => hello.server_name = server_name(content),
            ALPN => hello.protocols = protocols(content).unwrap_or_default(),
            SUPPORTED_VERSIONS => hello.versions = versions(content, is_client).unwrap_or(hello.versions),
            _ => {}
        }
    }
    Ok((input, hello))
}

fn server_name(content: &[u8]) -> Option<String> {
    let one = preceded(be_u8::<_, nom::error::Error<&[u8]>>, length_data(be_u16));
    let (_, names) = map_parser(length_data(be_u16), many0(one)).parse(content).ok()?;
    names.first().map(|name| String::from_utf8_lossy(name).into_owned())
}

fn protocols(content: &[u8]) -> Option<Vec<String>> {
    let one = map(length_data(be_u8::<_, nom::error::Error<&[u8]>>), |name| {
        String::from_utf8_lossy(name).into_owned()
    });
    let (_, names) = map_parser(length_data(be_u16), many0(one)).parse(content).ok()?;
    Some(names)
}

fn versions(content: &[u8], is_client: bool) -> Option<Vec<u16>> {
    let list = many0(be_u16::<_, nom::error::Error<&[u8]>>);
    let (_, versions) = match is_client {
        true => map_parser(length_data(be_u8), list).parse(content).ok()?,
        false => map_parser(rest, list).parse(content).ok()?,
    };
    // Clients add numbers that stand for nothing, so that servers get used to new ones (RFC 8701).
    let known: Vec<u16> = versions.into_iter().filter(|version| version & 0x0f0f != 0x0a0a).collect();
    (!known.is_empty()).then_some(known)
}

impl fmt::Display for Hello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |version: &u16| match version {
            0x0300 => "SSL 3.0".to_owned(),
            0x0301..=0x0304 => format!("1.{}", version - 0x0301),
            other => format!("{other:#06x}"),
        };
        let versions: Vec<String> = self.versions.iter().map(name).collect();
        write!(f, "TLS {}", versions.join(" or "))?;
        if let Some(name) = &self.server_name {
            write!(f, ", server name {}", name.escape_debug())?;
        }
        if !self.protocols.is_empty() {
            write!(f, ", ALPN {}", self.protocols.join(" ").escape_debug())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized<const N: usize>(content: &[u8]) -> Vec<u8> {
        [&(content.len() as u32).to_be_bytes()[4 - N..], content].concat()
    }

    fn extension(kind: u16, content: &[u8]) -> Vec<u8> {
        [kind.to_be_bytes().to_vec(), sized::<2>(content)].concat()
    }

    /// A record with a hello.
    fn record(kind: u8, after_session_id: &[u8], extensions: &[Vec<u8>]) -> Vec<u8> {
        let hello =
            [&[3, 3][..], &[7; 32], &[0], after_session_id, &sized::<2>(&extensions.concat())].concat();
        let handshake = [vec![kind], sized::<3>(&hello)].concat();
        [vec![22, 3, 1], sized::<2>(&handshake)].concat()
    }

    fn client_hello() -> Vec<u8> {
        let name = sized::<2>(&[vec![0], sized::<2>(b"broker.example")].concat());
        let versions = sized::<1>(&[0x0a, 0x0a, 3, 4, 3, 3]);
        let protocols = sized::<2>(&[sized::<1>(b"h2"), sized::<1>(b"kafka")].concat());
        let extensions =
            [extension(0, &name), extension(43, &versions), extension(16, &protocols), extension(99, b"x")];
        record(1, &[0, 2, 0x13, 1, 1, 0], &extensions)
    }

    #[test]
    fn hellos_tell_versions_name_and_protocols() {
        let client = Hello::read(&client_hello()).unwrap();
        assert_eq!(client.to_string(), "TLS 1.3 or 1.2, server name broker.example, ALPN h2 kafka");
        let server = Hello::read(&record(2, &[0x13, 1, 0], &[extension(43, &[3, 4])])).unwrap();
        assert_eq!((server.is_client, server.to_string().as_str()), (false, "TLS 1.3"));
        let old = Hello::read(&record(2, &[0x13, 1, 0], &[])).unwrap();
        assert_eq!(old.to_string(), "TLS 1.2");
    }

    #[test]
    fn what_is_no_hello_or_not_all_there_does_no_harm() {
        let hello = client_hello();
        for cut in 0..hello.len() {
            let _ = Hello::read(&hello[..cut]);
        }
        assert_eq!(Hello::read(b"\x17\x03\x03\0\x05abcde"), None);
        assert!(is_tls(&hello) && is_tls(b"\x17\x03\x03\0") && !is_tls(b"GET ") && !is_tls(&[0, 0, 0, 14]));
    }
}
