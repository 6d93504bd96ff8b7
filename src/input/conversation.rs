//! What each frame of an input is: a request says so itself, a response is known by its request.

use super::lone::{Candidate, candidates};
use super::plausibility::{Fit, fit};
use crate::payload;
use crate::schema::{Direction, Rules};
use crate::tree::Tree;
use crate::wire::primitive;
use crate::wire::{Decoder, Frame, Heading};

/// What the user said about the frames.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Wanted {
    /// Nothing.
    #[default]
    Any,
    /// They are requests.
    Requests,
    /// They are responses, of this API key and version if those were given.
    Responses(Option<(i16, i16)>),
}

/// How it was found out what a frame is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It was said, or it is a request that reads as one.
    Certain,
    /// It is the response to a request that came before it.
    Paired,
    /// It fits these responses, the most plausible first; that one it was decoded as.
    Fits(Vec<Candidate>),
    /// Nothing fits. It was decoded as what comes nearest.
    Nothing,
}

impl Reason {
    fn best_fit(&self) -> Option<Fit> {
        match self {
            Reason::Fits(candidates) => candidates.first().map(|candidate| candidate.fit),
            _ => None,
        }
    }
}

/// Requests that wait for their response.
struct Pending {
    correlation_id: i32,
    api_key: i16,
    api_version: i16,
    enveloped: Option<(i16, i16)>,
}

/// Decodes frames in their order and remembers the requests.
pub struct Conversation {
    wanted: Wanted,
    pending: Vec<Pending>,
    /// Who sends the next SASL token, while those go over the wire as they are.
    token_from: Option<Direction>,
    /// Whether no frame has been seen.
    is_fresh: bool,
}

/// So many requests may wait; the oldest is given up first. Clients have five or so under way.
const MOST_PENDING: usize = 10_000;

impl Conversation {
    /// No request has been seen.
    pub fn new(wanted: Wanted) -> Conversation {
        Conversation { wanted, pending: Vec::new(), token_from: None, is_fresh: true }
    }

    /// Takes the next frame off `input`, as [`Frame::split`]; or the next SASL token, which may be shorter than any header.
    pub fn split<'f>(&self, input: &'f [u8]) -> (Frame<'f>, &'f [u8]) {
        match self.token_from {
            Some(_) => Frame::split_token(input),
            None => Frame::split(input),
        }
    }

    /// Finds out what a frame is and decodes it into `tree`.
    pub fn decode(
        &mut self,
        decoder: &mut Decoder<'_>,
        frame: Frame<'_>,
        tree: &mut Tree,
    ) -> (Heading, Reason) {
        let (heading, reason) = match self.wanted {
            Wanted::Requests => (decoder.request(frame, tree), Reason::Certain),
            Wanted::Responses(Some((key, version))) => {
                (decoder.response(frame, key, version, tree), Reason::Certain)
            }
            Wanted::Responses(None) => match self.paired(decoder, frame, tree) {
                Some(heading) => (heading, Reason::Paired),
                None => lone(decoder, frame, tree)
                    .unwrap_or_else(|| (decoder.unrecognised(frame, tree), Reason::Nothing)),
            },
            Wanted::Any => self.any(decoder, frame, tree),
        };
        self.is_fresh = false;
        self.remember(&heading);
        (heading, reason)
    }

    fn any(&mut self, decoder: &mut Decoder<'_>, frame: Frame<'_>, tree: &mut Tree) -> (Heading, Reason) {
        let expected = self.expected(frame);
        if let Some(index) = expected {
            let Pending { api_key, api_version, enveloped, .. } = self.pending[index];
            let heading = decoder.response_with(frame, (api_key, api_version), enveloped, tree);
            if tree.is_sound() {
                self.pending.remove(index);
                if Rules::get().tokens_follow(api_key, api_version) {
                    self.token_from = Some(Direction::Request);
                }
                return (heading, Reason::Paired);
            }
        }
        let heading = decoder.request(frame, tree);
        let sound = tree.is_sound();
        if let Some(from) = self.token_from {
            if sound && names_its_client(&heading, frame) {
                self.token_from = None;
                return (heading, Reason::Certain);
            }
            self.token_from = Some(from.other());
            return (decoder.token(frame, from, tree), Reason::Certain);
        }
        if self.is_fresh && !sound && payload::is_gssapi_token(frame.content()) {
            // Clients from before there was a handshake begin with it.
            self.token_from = Some(Direction::Response);
            return (decoder.token(frame, Direction::Request, tree), Reason::Certain);
        }
        // With a correlation id below 65536, as most are, the first two bytes of a response are zero, the key of Produce, and the
        // next two its version.
        let may_be_response = heading.api_key == Some(0);
        let version_0 = heading.api_version == Some(0);
        if sound && !may_be_response || names_its_client(&heading, frame) && !(may_be_response && version_0) {
            return (heading, Reason::Certain);
        }
        if sound {
            let as_request = request_fit(decoder, frame, &heading);
            return match lone(decoder, frame, tree) {
                Some(found) if found.1.best_fit() > as_request => found,
                Some(found) if found.1.best_fit() == as_request && version_0 => found,
                _ => (decoder.request(frame, tree), Reason::Certain),
            };
        }
        if expected.is_some()
            && let Some(heading) = self.paired(decoder, frame, tree)
        {
            return (heading, Reason::Paired);
        }
        // A request of an API or version that is not known may still have a header that reads well.
        let as_unknown = (heading.header_version.is_none() && has_client_id(&heading, frame))
            .then(|| Fit::of_header(heading.client_id.as_ref().map_or(0, |range| range.len() as u64)));
        match lone(decoder, frame, tree) {
            Some(found) if found.1.best_fit() > as_unknown => return found,
            _ if as_unknown.is_some() => return (decoder.request(frame, tree), Reason::Certain),
            Some(found) => return found,
            None => {}
        }
        (decoder.unrecognised(frame, tree), Reason::Nothing)
    }

    /// The request that a frame with its correlation id would answer: the first that has it.
    fn expected(&self, frame: Frame<'_>) -> Option<usize> {
        let (_, id) = primitive::int32(frame.content()).ok()?;
        self.pending.iter().position(|pending| pending.correlation_id == id)
    }

    /// Decodes a frame as the response to the request that has its correlation id.
    fn paired(&mut self, decoder: &mut Decoder<'_>, frame: Frame<'_>, tree: &mut Tree) -> Option<Heading> {
        let request = self.pending.remove(self.expected(frame)?);
        let known = (request.api_key, request.api_version);
        Some(decoder.response_with(frame, known, request.enveloped, tree))
    }

    fn remember(&mut self, heading: &Heading) {
        if heading.direction != Direction::Request || !heading.answered {
            return;
        }
        if let (Some(api_key), Some(api_version), Some(correlation_id)) =
            (heading.api_key, heading.api_version, heading.correlation_id)
        {
            if self.pending.len() == MOST_PENDING {
                self.pending.remove(0);
            }
            let enveloped = heading.enveloped;
            self.pending.push(Pending { correlation_id, api_key, api_version, enveloped });
        }
    }
}

/// Decodes a frame as the response that it fits best.
fn lone(decoder: &mut Decoder<'_>, frame: Frame<'_>, tree: &mut Tree) -> Option<(Heading, Reason)> {
    let candidates = candidates(decoder, frame);
    let best = candidates.first()?;
    let heading = decoder.response(frame, best.api_key, best.version, tree);
    Some((heading, Reason::Fits(candidates)))
}

/// Whether what was read as a request has a known API and version and a client id that reads well: then it is one, even if its
/// body is broken. A response would hardly look like that by chance.
fn names_its_client(heading: &Heading, frame: Frame<'_>) -> bool {
    heading.header_version.is_some() && has_client_id(heading, frame)
}

/// Whether there is a client id that reads well.
fn has_client_id(heading: &Heading, frame: Frame<'_>) -> bool {
    let client_id = heading.client_id.clone().and_then(|range| frame.bytes.get(range)).unwrap_or_default();
    client_id.len() > 1 && client_id.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// How well a frame fits as the request that it was read as.
fn request_fit(decoder: &mut Decoder<'_>, frame: Frame<'_>, heading: &Heading) -> Option<Fit> {
    let body = decoder.plan(Direction::Request, heading.api_key?, heading.api_version?)?;
    let header = decoder.header_plan(Direction::Request, heading.header_version?)?;
    fit(frame, &header, &body).ok()
}
