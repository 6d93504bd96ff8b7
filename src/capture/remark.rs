//! What there is to say about a capture, apart from its messages.

use std::fmt;

use super::file::FileNote;
use super::framing::Lost;
use super::layers::LayerNote;
use super::tcp::{Closing, Note, Seen};
use super::tls::Hello;
use super::{Endpoint, RequestNote, Waiting};

/// A remark on a capture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// About a file.
    File {
        /// The index of the file.
        file: usize,
        /// What.
        note: FileNote,
    },
    /// About what lies below TCP.
    Layer(LayerNote),
    /// About a stream.
    Tcp {
        /// The number of the connection.
        connection: u64,
        /// The stream's sender.
        from: Endpoint,
        /// Its receiver.
        to: Endpoint,
        /// What.
        note: Note,
        /// Where.
        seen: Seen,
    },
    /// Bytes that are no frames.
    PassedOver {
        /// The number of the connection.
        connection: u64,
        /// The stream's sender.
        from: Endpoint,
        /// Its receiver.
        to: Endpoint,
        /// How many bytes.
        length: u64,
        /// Why.
        lost: Lost,
        /// The packet of the first one.
        packet: u64,
    },
    /// A connection is TLS.
    Tls {
        /// The number of the connection.
        connection: u64,
        /// Who said so.
        from: Endpoint,
        /// To whom.
        to: Endpoint,
        /// What the handshake tells.
        hello: Hello,
    },
    /// A connection is not Kafka's.
    Foreign {
        /// The number of the connection.
        connection: u64,
        /// The stream's sender.
        from: Endpoint,
        /// Its receiver.
        to: Endpoint,
        /// What it looks like, if that is known.
        name: Option<&'static str>,
        /// The packet.
        packet: u64,
    },
    /// A request has got no response.
    Unanswered {
        /// The number of the connection.
        connection: u64,
        /// The client.
        from: Endpoint,
        /// The broker.
        to: Endpoint,
        /// The request.
        request: Box<Waiting<RequestNote>>,
        /// The name of its API.
        api: String,
        /// How the connection ended.
        closing: Closing,
    },
    /// Some connections are not Kafka's.
    Others {
        /// How many.
        connections: u64,
        /// How many messages there were in the others.
        messages: u64,
    },
}

impl Remark {
    /// The number of the connection that it is about, if it is about one.
    pub fn connection(&self) -> Option<u64> {
        match self {
            Remark::File { .. } | Remark::Layer(_) | Remark::Others { .. } => None,
            Remark::Tcp { connection, .. }
            | Remark::PassedOver { connection, .. }
            | Remark::Tls { connection, .. }
            | Remark::Foreign { connection, .. }
            | Remark::Unanswered { connection, .. } => Some(*connection),
        }
    }

    /// What can be done about it, which need not be said again for each connection.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            Remark::Tls { hello, .. } if hello.is_client => {
                Some("to see messages, capture where there is no TLS, such as behind a proxy that ends it")
            }
            _ => None,
        }
    }

    /// The ends of the connection that it is about, if it is about one.
    pub fn ends(&self) -> Option<[Endpoint; 2]> {
        match self {
            Remark::File { .. } | Remark::Layer(_) | Remark::Others { .. } => None,
            Remark::Tcp { from, to, .. }
            | Remark::PassedOver { from, to, .. }
            | Remark::Tls { from, to, .. }
            | Remark::Foreign { from, to, .. }
            | Remark::Unanswered { from, to, .. } => Some([*from, *to]),
        }
    }

    /// Whether something in the capture is broken, and not only missing or another's.
    pub fn is_grave(&self) -> bool {
        matches!(self, Remark::PassedOver { lost: Lost::BadSize, .. })
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::File { note, .. } => write!(f, "packet {}: {}", note.packet, note.kind),
            Remark::Layer(note) => write!(f, "packet {}: {}", note.packet, note.kind),
            Remark::Tcp { connection, from, to, note, seen } => {
                write!(f, "packet {}: connection {connection}, {from} -> {to}: ", seen.packet)?;
                match note {
                    Note::Differs { length, .. } => {
                        write!(f, "{length} bytes were sent twice and differ; the first copy counts")
                    }
                    Note::Late { length, .. } => {
                        write!(f, "{length} bytes came after they had been given up as missing")
                    }
                    Note::AfterEnd { length } => {
                        write!(f, "{length} bytes came after the end of the connection")
                    }
                    Note::BeforeBeginning { length } => {
                        write!(f, "{length} bytes from before the first ones came too late")
                    }
                    Note::Stray => write!(f, "its sequence number is far from all others, so it is left out"),
                }
            }
            Remark::PassedOver { connection, from, to, length, lost, packet } => {
                let why = match lost {
                    Lost::Joined => "the capture begins within a message",
                    Lost::Hole => "bytes are missing where a message begins",
                    Lost::BadSize => "what should be the size of a message makes no sense",
                };
                write!(
                    f,
                    "packet {packet}: connection {connection}, {from} -> {to}: {length} bytes passed over: {why}"
                )
            }
            Remark::Tls { connection, from, to, hello } => {
                write!(f, "connection {connection}, {from} -> {to}: {hello}")?;
                if hello.is_client { f.write_str("; not decrypted") } else { Ok(()) }
            }
            Remark::Foreign { connection, from, to, name, packet } => {
                let what = name.unwrap_or("no Kafka");
                write!(
                    f,
                    "packet {packet}: connection {connection}, {from} -> {to}: this is {what}; the rest is left out"
                )
            }
            Remark::Unanswered { connection, request, api, closing, .. } => {
                let request = request.number;
                write!(f, "connection {connection}: {api} request #{request} has got no response")?;
                match closing {
                    Closing::EndOfCapture => write!(f, " before the capture ended"),
                    Closing::Reset(_) => write!(f, ": the connection was broken off"),
                    _ => Ok(()),
                }
            }
            Remark::Others { connections, messages } => {
                let plural = if *connections == 1 { "" } else { "s" };
                write!(f, "{connections} connection{plural} had no Kafka messages")?;
                if *messages == 0 {
                    write!(f, "; --port N takes those to a port as Kafka's")?;
                }
                Ok(())
            }
        }
    }
}
