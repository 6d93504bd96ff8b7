//! The messages of one connection: each response with its request, by their order and with the correlation id as a check.

use std::collections::VecDeque;

use super::Time;
use crate::input::lone::{Candidate, candidates};
use crate::payload;
use crate::schema::{Direction, Rules};
use crate::tree::Tree;
use crate::wire::primitive;
use crate::wire::{Decoder, Frame, Heading};

/// A request that waits for its response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting<T> {
    /// The number of its message.
    pub number: u64,
    /// Its API key.
    pub api_key: i16,
    /// Its API version.
    pub api_version: i16,
    /// Its correlation id.
    pub correlation_id: i32,
    /// API key and version of the request that it carries.
    pub enveloped: Option<(i16, i16)>,
    /// When its last byte was captured.
    pub end: Option<Time>,
    /// What the caller wants to know of it when its response comes.
    pub note: T,
}

/// What a message turned out to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin<T> {
    /// A request.
    Request,
    /// The response to a request.
    Response(Waiting<T>),
    /// A response whose request is not known. It fits these, the most plausible first; it was decoded as that.
    Orphan(Vec<Candidate>),
    /// A SASL token without a header.
    Token,
    /// Something else.
    Unrecognised,
}

/// The requests of a connection that wait, and what is agreed on.
#[derive(Debug)]
pub struct Exchange<T> {
    waiting: VecDeque<Waiting<T>>,
    /// Whether SASL tokens go over the wire as they are.
    tokens: bool,
    /// How many tokens of the client have got no answer.
    owed: u32,
    /// Whether no message has been seen.
    is_fresh: bool,
}

/// So many requests may wait; the oldest is given up first. Clients have five or so under way.
const MOST_WAITING: usize = 10_000;
/// An orphan is compared with all responses that there are, which for long ones takes a while and tells little.
const MOST_ORPHAN_BYTES: usize = 256 << 10;

impl<T> Default for Exchange<T> {
    fn default() -> Exchange<T> {
        Exchange { waiting: VecDeque::new(), tokens: false, owed: 0, is_fresh: true }
    }
}

impl<T> Exchange<T> {
    /// Whether the client's frames need not have a header, and may be empty.
    pub fn expects_tokens(&self) -> bool {
        // The answer to the handshake comes after the first token where packets are out of order.
        let follow = |last: &Waiting<T>| Rules::get().tokens_follow(last.api_key, last.api_version);
        self.tokens || self.waiting.back().is_some_and(follow)
    }

    /// Whether the broker's frames need not have a header, and may be empty.
    pub fn expects_token_answers(&self) -> bool {
        self.tokens || self.owes_token()
    }

    /// Whether a token has got no answer: the client's next request comes before it where packets are out of order.
    pub fn owes_token(&self) -> bool {
        self.owed > 0
    }

    /// Whether a response with this correlation id is waited for.
    pub fn expects(&self, correlation_id: i32) -> bool {
        self.waiting.iter().any(|waiting| waiting.correlation_id == correlation_id)
    }

    /// The request that waits for a response with this correlation id.
    pub fn awaited(&self, correlation_id: i32) -> Option<&Waiting<T>> {
        self.waiting.iter().find(|waiting| waiting.correlation_id == correlation_id)
    }

    /// Decodes what the client sent into `tree`.
    pub fn from_client(
        &mut self,
        decoder: &mut Decoder<'_>,
        frame: Frame<'_>,
        tree: &mut Tree,
    ) -> (Heading, Origin<T>) {
        let heading = decoder.request(frame, tree);
        let is_known = heading.header_version.is_some() && tree.is_sound();
        let is_first_token = self.is_fresh && !is_known && payload::is_gssapi_token(frame.content());
        self.is_fresh = false;
        if is_first_token || self.expects_tokens() && !is_known {
            self.tokens = true;
            self.owed = self.owed.saturating_add(1);
            return (decoder.token(frame, Direction::Request, tree), Origin::Token);
        }
        self.tokens = false;
        (heading, Origin::Request)
    }

    /// Remembers a request that was decoded, if it is answered. Returns the one that is given up for it.
    pub fn remember(
        &mut self,
        heading: &Heading,
        number: u64,
        end: Option<Time>,
        note: T,
    ) -> Option<Waiting<T>> {
        let (Some(api_key), Some(api_version), Some(correlation_id), true) =
            (heading.api_key, heading.api_version, heading.correlation_id, heading.answered)
        else {
            return None;
        };
        let given_up = if self.waiting.len() >= MOST_WAITING { self.waiting.pop_front() } else { None };
        let enveloped = heading.enveloped;
        self.waiting.push_back(Waiting {
            number,
            api_key,
            api_version,
            correlation_id,
            enveloped,
            end,
            note,
        });
        given_up
    }

    /// Decodes what the broker sent into `tree`. `passed_over` gets the requests before the one that it answers, which have got no response.
    pub fn from_broker(
        &mut self,
        decoder: &mut Decoder<'_>,
        frame: Frame<'_>,
        tree: &mut Tree,
        passed_over: &mut Vec<Waiting<T>>,
    ) -> (Heading, Origin<T>) {
        self.is_fresh = false;
        let id = primitive::int32(frame.content()).ok().map(|(_, id)| id);
        let place = self.waiting.iter().position(|waiting| Some(waiting.correlation_id) == id);
        if self.tokens && self.waiting.is_empty() || self.owed > 0 && place.is_none() {
            self.owed = self.owed.saturating_sub(1);
            return (decoder.token(frame, Direction::Response, tree), Origin::Token);
        }
        let Some(place) = place else { return orphan(decoder, frame, tree) };
        passed_over.extend(self.waiting.drain(..place));
        let Some(request) = self.waiting.pop_front() else { return orphan(decoder, frame, tree) };
        let known = (request.api_key, request.api_version);
        let heading = decoder.response_with(frame, known, request.enveloped, tree);
        if Rules::get().tokens_follow(request.api_key, request.api_version) {
            self.tokens = true;
        } else {
            // Answers come in order, so none to a token before it comes any more.
            self.owed = 0;
        }
        (heading, Origin::Response(request))
    }

    /// The requests that have got no response.
    pub fn unanswered(&mut self) -> impl Iterator<Item = Waiting<T>> {
        self.waiting.drain(..)
    }
}

/// Decodes a response whose request is not known.
fn orphan<T>(decoder: &mut Decoder<'_>, frame: Frame<'_>, tree: &mut Tree) -> (Heading, Origin<T>) {
    let fits = match frame.bytes.len() {
        0..=MOST_ORPHAN_BYTES => candidates(decoder, frame),
        _ => Vec::new(),
    };
    match fits.first() {
        Some(best) => {
            let heading = decoder.response(frame, best.api_key, best.version, tree);
            (heading, Origin::Orphan(fits))
        }
        None => (decoder.unrecognised(frame, tree), Origin::Unrecognised),
    }
}
