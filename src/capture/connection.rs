//! A connection: which side is the client, whether it is Kafka's at all, and what is to be remembered of it.

use std::collections::VecDeque;

use super::framing::{FrameLimits, Framer, Plausibility, boundary};
use super::tcp::{Beginning, Flow, Opening, Seen};
use super::tls::{self, Hello};
use super::{Endpoint, Exchange, RequestNote};
use crate::schema::Catalogue;
use crate::wire::{Frame, primitive};

/// A side of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// It sends requests.
    Client,
    /// It sends responses.
    Broker,
}

/// Bytes that wait until it is known which side is the client.
pub struct Held {
    pub flow: Flow,
    pub bytes: Vec<u8>,
    pub seen: Seen,
}

/// So much is held until one side looks like a client; then the ports decide.
const MOST_HELD: usize = 128 << 10;
/// So much of a TLS stream is looked at: a hello with all of its keys is seldom longer.
const MOST_OF_HELLO: usize = 4 << 10;

/// A frame, or what there is of it.
pub struct Piece<'p> {
    /// Its bytes, up to the first that is missing.
    pub bytes: &'p [u8],
    /// How many it had on the wire.
    pub size: u64,
    /// How many are not in the capture.
    pub missing: u64,
    pub first: Seen,
    pub last: Seen,
}

/// The same of a response that waits for its request.
pub struct Deferred {
    pub bytes: Vec<u8>,
    pub size: u64,
    pub missing: u64,
    pub first: Seen,
    pub last: Seen,
}

/// Whether requests may still come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    Some,
    None,
}

/// So many responses wait for requests that have not been seen …
const MOST_DEFERRED: usize = 32;
/// … and so many bytes of them.
const MOST_DEFERRED_BYTES: usize = 1 << 20;

/// What is known of a connection.
pub struct Connection {
    /// Its number, from 1 on.
    pub number: u64,
    opening: Opening,
    /// The direction of the client's requests, if that is known.
    client: Option<Flow>,
    /// Whether the user said that it is Kafka's.
    pub is_forced: bool,
    /// Whether there has been a frame.
    pub has_frames: bool,
    is_foreign: bool,
    has_hello: bool,
    /// The client id of its first request; clients do not change it.
    pub client_id: Option<Vec<u8>>,
    /// What the requests wait for.
    pub exchange: Exchange<RequestNote>,
    framers: [Option<Box<Framer>>; 2],
    held: Vec<Held>,
    held_bytes: usize,
    /// Responses that wait for their requests, in their order.
    deferred: VecDeque<Deferred>,
    deferred_bytes: usize,
    /// The first bytes of streams that are TLS.
    hellos: [Vec<u8>; 2],
    /// Whether a direction has had data.
    has_data: [bool; 2],
}

impl Connection {
    pub fn new(number: u64, opening: Opening) -> Connection {
        Connection {
            number,
            opening,
            client: None,
            is_forced: false,
            has_frames: false,
            client_id: None,
            is_foreign: false,
            has_hello: false,
            exchange: Exchange::default(),
            framers: [None, None],
            held: Vec::new(),
            held_bytes: 0,
            deferred: VecDeque::new(),
            deferred_bytes: 0,
            hellos: [Vec::new(), Vec::new()],
            has_data: [false; 2],
        }
    }

    /// It is known in which direction requests go.
    pub fn settle(&mut self, client: Flow, is_forced: bool) {
        (self.client, self.is_forced) = (Some(client), is_forced);
    }

    /// Whether it is known in which direction requests go.
    pub fn is_settled(&self) -> bool {
        self.client.is_some()
    }

    /// The lower port is most likely that of the broker.
    pub fn settle_by_port(&mut self) {
        let is_forward = self.opening.to.port <= self.opening.from.port;
        self.client = Some(if is_forward { Flow::Forward } else { Flow::Backward });
    }

    /// Which side sends in a direction.
    pub fn side(&self, flow: Flow) -> Side {
        if self.client.unwrap_or(Flow::Forward) == flow { Side::Client } else { Side::Broker }
    }

    /// Who sends in a direction, and to whom.
    pub fn ends(&self, flow: Flow) -> (Endpoint, Endpoint) {
        let Opening { from, to, .. } = self.opening;
        match flow {
            Flow::Forward => (from, to),
            Flow::Backward => (to, from),
        }
    }

    /// A direction begins.
    pub fn begin(&mut self, flow: Flow, beginning: Beginning, limits: FrameLimits) {
        self.framers[flow.index()] = Some(Box::new(Framer::new(limits, beginning)));
    }

    pub fn take_framer(&mut self, flow: Flow) -> Option<Box<Framer>> {
        self.framers[flow.index()].take().filter(|_| !self.is_foreign)
    }

    pub fn put_framer(&mut self, flow: Flow, framer: Box<Framer>) {
        self.framers[flow.index()] = Some(framer).filter(|_| !self.is_foreign);
    }

    /// Whether its bytes are of any use.
    pub fn wants_data(&self) -> bool {
        !self.is_foreign || self.hellos.iter().any(|hello| !hello.is_empty() && hello.len() < MOST_OF_HELLO)
    }

    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Whether a side has said hello, as TLS does.
    pub fn has_hello(&self) -> bool {
        self.has_hello
    }

    /// It is not Kafka's.
    pub fn set_foreign(&mut self) {
        self.is_foreign = true;
        self.held = Vec::new();
        self.framers = [None, None];
    }

    /// Looks whether a stream is TLS. Returns what its side says in its first message, when all of that is there.
    pub fn look_at_beginning(&mut self, flow: Flow, bytes: &[u8]) -> Option<Hello> {
        let is_first = !std::mem::replace(&mut self.has_data[flow.index()], true);
        let gathered = &mut self.hellos[flow.index()];
        if is_first && !self.is_forced && tls::is_tls(bytes) || !gathered.is_empty() {
            gathered.extend(bytes.iter().take(MOST_OF_HELLO - gathered.len().min(MOST_OF_HELLO)));
            let record = gathered.get(3..5).map_or(0, |length| u16::from_be_bytes([length[0], length[1]]));
            let is_whole = gathered.len() >= 5 + usize::from(record) || gathered.len() >= MOST_OF_HELLO;
            let hello = if is_whole { Hello::read(gathered) } else { None };
            if is_whole {
                gathered.clear();
            }
            self.set_foreign();
            self.has_hello |= hello.is_some();
            return hello;
        }
        None
    }

    /// Holds bytes until one side looks like a client. Returns whether it is known now.
    pub fn hold(&mut self, flow: Flow, bytes: &[u8], seen: Seen, catalogue: &Catalogue) -> bool {
        if self.is_foreign {
            return false;
        }
        if looks_like_client(bytes, catalogue) {
            self.client = Some(flow);
        }
        self.held.push(Held { flow, bytes: bytes.to_vec(), seen });
        self.held_bytes += bytes.len();
        if self.client.is_none() && self.held_bytes > MOST_HELD {
            self.settle_by_port();
        }
        self.client.is_some()
    }

    /// Whether a response must wait: for its request, or for responses before it.
    pub fn must_wait(&self, frame: Frame<'_>) -> bool {
        !self.deferred.is_empty() || !self.is_expected(frame.content())
    }

    fn is_expected(&self, content: &[u8]) -> bool {
        let id = primitive::int32(content).map(|(_, id)| id);
        self.exchange.owes_token() || id.is_ok_and(|id| self.exchange.expects(id))
    }

    /// Keeps a response until its request has come.
    pub fn defer(&mut self, piece: &Piece<'_>) {
        let Piece { bytes, size, missing, first, last } = *piece;
        self.deferred_bytes += bytes.len();
        self.deferred.push_back(Deferred { bytes: bytes.to_vec(), size, missing, first, last });
    }

    /// The next response that need not wait any longer.
    pub fn next_deferred(&mut self, patience: Patience) -> Option<Deferred> {
        let next = self.deferred.front()?;
        let is_due = patience == Patience::None
            || self.deferred.len() > MOST_DEFERRED
            || self.deferred_bytes > MOST_DEFERRED_BYTES
            || self.is_expected(next.bytes.get(4..).unwrap_or_default());
        if !is_due {
            return None;
        }
        self.deferred_bytes -= next.bytes.len();
        self.deferred.pop_front()
    }

    pub fn take_held(&mut self) -> Vec<Held> {
        self.held_bytes = 0;
        std::mem::take(&mut self.held)
    }
}

/// Whether a request begins anywhere in bytes.
fn looks_like_client(bytes: &[u8], catalogue: &Catalogue) -> bool {
    (0..bytes.len().saturating_sub(14)).any(|at| {
        // The upper half of an API key is zero, and so is that of nearly every size.
        bytes[at] == 0
            && bytes[at + 4] <= 1
            && boundary::request(catalogue, None, &bytes[at..]) == Plausibility::Certain
    })
}
