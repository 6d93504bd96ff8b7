//! A capture as messages: packets go in, messages and remarks come out in the order of their last bytes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::connection::{Connection, Deferred, Patience, Piece, Side};
use super::file::Packet;
use super::framing::{
    CapturedFrame, Expected, Foreign, FrameLimits, FrameReceiver, Framer, PassedOver, Plausibility, boundary,
};
use super::remark::Remark;
use super::tcp::{
    Beginning, Closing, ConnectionId, Flow, Limits, Missing, Note, Opening, Place, Receiver, Seen, Tcp,
};
use super::{Latency, Layers, Message, Origin, RequestNote, Summary, TopicNames, Waiting};
use crate::schema::{Catalogue, Direction};
use crate::tree::Tree;
use crate::wire::{Decoder, Frame, primitive};

/// Takes what is found in a capture.
pub trait Output {
    /// The next message. `names` are those of topics that have been seen so far.
    fn message(&mut self, message: &mut Message<'_>, names: &TopicNames);

    /// Something to be said about the capture.
    fn remark(&mut self, remark: &Remark);

    /// Whether it has seen enough.
    fn is_done(&self) -> bool {
        false
    }
}

/// What is asked of a session.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Ports whose connections are Kafka's, whatever they look like.
    pub ports: Vec<u16>,
    /// Whether what a request is about must be known when its response comes.
    pub keep_summaries: bool,
}

/// So many connections are too many for large buffers.
const MANY: usize = 64;

/// All that is known of a capture so far.
pub struct Session<'c> {
    layers: Layers,
    tcp: Tcp,
    messages: Messages<'c>,
}

/// The connections and what decodes their messages.
struct Messages<'c> {
    settings: Settings,
    catalogue: &'c Catalogue,
    decoder: Decoder<'c>,
    tree: Tree,
    summary: Summary,
    names: TopicNames,
    connections: Connections,
    /// How many messages there have been.
    number: u64,
    /// How many connections were not Kafka's.
    others: u64,
}

/// The connections that are open, by their numbers.
#[derive(Default)]
struct Connections(HashMap<u64, Box<Connection>, BuildHasherDefault<Numbers>>);

/// A hasher for numbers that count up: nobody chooses them, and they differ in their lowest bits.
#[derive(Default)]
struct Numbers(u64);

impl Hasher for Numbers {
    fn finish(&self) -> u64 {
        // The table looks at the highest bits too.
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

impl Connections {
    fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Connection> {
        self.0.get_mut(&id.0).map(Box::as_mut)
    }

    /// Takes one out, so that it can be used together with all the rest.
    fn take(&mut self, id: ConnectionId) -> Option<Box<Connection>> {
        self.0.remove(&id.0)
    }

    fn put(&mut self, id: ConnectionId, connection: Box<Connection>) {
        self.0.insert(id.0, connection);
    }
}

impl<'c> Session<'c> {
    /// Before the first packet. `tree` has the limits for what is decoded.
    pub fn new(catalogue: &'c Catalogue, tree: Tree, settings: Settings) -> Session<'c> {
        Session {
            layers: Layers::new(),
            tcp: Tcp::new(Limits::default()),
            messages: Messages {
                settings,
                catalogue,
                decoder: Decoder::new(catalogue),
                tree,
                summary: Summary::default(),
                names: TopicNames::default(),
                connections: Connections::default(),
                number: 0,
                others: 0,
            },
        }
    }

    /// Takes the next packet.
    pub fn packet(&mut self, packet: &Packet<'_>, output: &mut impl Output) {
        match self.layers.segment(packet) {
            Ok(Some(segment)) => {
                self.tcp.segment(&segment, &mut Finder { messages: &mut self.messages, output });
            }
            Ok(None) => {}
            Err(note) => output.remark(&Remark::Layer(note)),
        }
        for note in self.layers.take_notes() {
            output.remark(&Remark::Layer(note));
        }
    }

    /// The capture has ended.
    pub fn finish(&mut self, output: &mut impl Output) {
        self.layers.finish();
        for note in self.layers.take_notes() {
            output.remark(&Remark::Layer(note));
        }
        self.tcp.finish(&mut Finder { messages: &mut self.messages, output });
        if self.messages.others > 0 {
            output.remark(&Remark::Others {
                connections: self.messages.others,
                messages: self.messages.number,
            });
        }
    }

    /// How many messages there have been.
    pub fn messages(&self) -> u64 {
        self.messages.number
    }
}

/// Receives the streams of all connections.
struct Finder<'f, 'c, O> {
    messages: &'f mut Messages<'c>,
    output: &'f mut O,
}

impl<O: Output> Receiver for Finder<'_, '_, O> {
    fn open(&mut self, connection: ConnectionId, opening: &Opening) {
        let is_forced = |port: u16| self.messages.settings.ports.contains(&port);
        let mut found = Connection::new(connection.0, *opening);
        if is_forced(opening.to.port) {
            found.settle(Flow::Forward, true);
        } else if is_forced(opening.from.port) {
            found.settle(Flow::Backward, true);
        } else if opening.client_is_known {
            found.settle(Flow::Forward, false);
        }
        self.messages.connections.put(connection, Box::new(found));
    }

    fn begin(&mut self, connection: ConnectionId, flow: Flow, beginning: Beginning) {
        // Where there are few, each may keep room for a response of the usual size.
        let reused = if self.messages.connections.0.len() < MANY { 256 << 10 } else { 16 << 10 };
        let limits = FrameLimits { reused, ..FrameLimits::default() };
        if let Some(found) = self.messages.connections.get_mut(connection) {
            found.begin(flow, beginning, limits);
        }
    }

    fn data(&mut self, place: Place, bytes: &[u8], seen: Seen) {
        let Some(mut found) = self.messages.connections.take(place.connection) else { return };
        if found.wants_data() {
            if let Some(hello) = found.look_at_beginning(place.flow, bytes) {
                let (from, to) = found.ends(place.flow);
                self.output.remark(&Remark::Tls { connection: found.number, from, to, hello });
            }
            if found.is_settled() {
                self.feed(&mut found, place.flow, bytes, seen);
            } else if found.hold(place.flow, bytes, seen, self.messages.catalogue) {
                self.release(&mut found);
            }
        }
        self.messages.connections.put(place.connection, found);
    }

    fn hole(&mut self, place: Place, length: u64, _missing: Missing) {
        let Some(mut found) = self.messages.connections.take(place.connection) else { return };
        if found.wants_data() && !found.is_settled() {
            found.settle_by_port();
            self.release(&mut found);
        }
        self.with_framer(&mut found, place.flow, |framer, side| framer.hole(length, side));
        self.messages.connections.put(place.connection, found);
    }

    fn end(&mut self, place: Place) {
        let Some(mut found) = self.messages.connections.take(place.connection) else { return };
        // What the broker sent last may wait for its requests until the connection is closed.
        if found.side(place.flow) == Side::Client {
            self.with_framer(&mut found, place.flow, |framer, side| framer.end(side));
        }
        self.messages.connections.put(place.connection, found);
    }

    fn close(&mut self, connection: ConnectionId, closing: Closing) {
        let Some(mut found) = self.messages.connections.take(connection) else { return };
        if found.wants_data() && !found.is_settled() {
            found.settle_by_port();
            self.release(&mut found);
        }
        let broker = if found.side(Flow::Forward) == Side::Broker { Flow::Forward } else { Flow::Backward };
        for flow in [broker.other(), broker] {
            self.with_framer(&mut found, flow, |framer, side| framer.end(side));
        }
        self.messages.release(&mut found, broker, Patience::None, self.output);
        // Those with TLS have had a remark of their own.
        if found.is_foreign() && !found.has_hello() {
            self.messages.others += 1;
        }
        let requests: Vec<_> = found.exchange.unanswered().collect();
        for request in requests {
            self.output.remark(&unanswered(
                self.messages.catalogue,
                &found,
                broker.other(),
                request,
                closing,
            ));
        }
    }

    fn note(&mut self, connection: ConnectionId, flow: Flow, note: Note, seen: Seen) {
        let Some(found) = self.messages.connections.get_mut(connection) else { return };
        if !found.is_foreign() {
            let (from, to) = found.ends(flow);
            self.output.remark(&Remark::Tcp { connection: found.number, from, to, note, seen });
        }
    }
}

impl<O: Output> Finder<'_, '_, O> {
    /// Hands bytes of a stream to its framer.
    fn feed(&mut self, found: &mut Connection, flow: Flow, bytes: &[u8], seen: Seen) {
        self.with_framer(found, flow, |framer, side| framer.data(bytes, seen, side));
    }

    /// Hands on what was held until it was known which side is the client.
    fn release(&mut self, found: &mut Connection) {
        for held in found.take_held() {
            self.feed(found, held.flow, &held.bytes, held.seen);
        }
    }

    fn with_framer(
        &mut self,
        found: &mut Connection,
        flow: Flow,
        work: impl FnOnce(&mut Framer, &mut Frames<'_, '_, O>),
    ) {
        let Some(mut framer) = found.take_framer(flow) else { return };
        let mut frames =
            Frames { messages: &mut *self.messages, output: &mut *self.output, found: &mut *found, flow };
        work(&mut framer, &mut frames);
        found.put_framer(flow, framer);
    }
}

/// Receives the frames of one direction.
struct Frames<'f, 'c, O> {
    messages: &'f mut Messages<'c>,
    output: &'f mut O,
    found: &'f mut Connection,
    flow: Flow,
}

impl<O: Output> FrameReceiver for Frames<'_, '_, O> {
    fn expected(&self) -> Expected {
        let tokens = match self.found.side(self.flow) {
            Side::Client => self.found.exchange.expects_tokens(),
            Side::Broker => self.found.exchange.expects_token_answers(),
        };
        if tokens { Expected::Sizes } else { Expected::Messages }
    }

    fn judge(&self, beginning: &[u8]) -> Plausibility {
        let plausible = match self.found.side(self.flow) {
            Side::Client => {
                boundary::request(self.messages.catalogue, self.found.client_id.as_deref(), beginning)
            }
            Side::Broker => {
                let is_pending = |id| self.found.exchange.expects(id);
                boundary::response(self.found.client_id.is_some().then_some(is_pending), beginning)
            }
        };
        if self.found.is_forced { plausible.max(Plausibility::Possible) } else { plausible }
    }

    fn is_known(&self) -> bool {
        self.found.has_frames
    }

    fn is_sound(&self, frame: &[u8]) -> Option<bool> {
        if self.found.side(self.flow) == Side::Client {
            return None;
        }
        let frame = Frame { bytes: frame, sized: true };
        let id = primitive::int32(frame.content()).ok().map(|(_, id)| id);
        let request = self.found.exchange.awaited(id?)?;
        let mut tree = Tree::new();
        let known = (request.api_key, request.api_version);
        Decoder::new(self.messages.catalogue).response_with(frame, known, request.enveloped, &mut tree);
        Some(tree.is_sound())
    }

    fn frame(&mut self, captured: &CapturedFrame<'_>) {
        if self.output.is_done() {
            return;
        }
        self.found.has_frames = true;
        let frame = captured.frame();
        let size = captured.length().unwrap_or(frame.bytes.len() as u64);
        let known = captured.known() as u64 + captured.not_kept;
        let (first, last) = (captured.first, captured.last);
        let piece = Piece { bytes: frame.bytes, size, missing: size.saturating_sub(known), first, last };
        if self.found.side(self.flow) == Side::Client {
            self.messages.frame(&piece, self.found, self.flow, self.output);
            self.messages.release(self.found, self.flow.other(), Patience::Some, self.output);
            self.search_responses();
        } else if self.found.must_wait(frame) {
            // Its request may be held up behind a segment that is out of order.
            self.found.defer(&piece);
            self.messages.release(self.found, self.flow, Patience::Some, self.output);
        } else {
            self.messages.frame(&piece, self.found, self.flow, self.output);
        }
    }

    fn passed_over(&mut self, passed: &PassedOver<'_>) {
        let (from, to) = self.found.ends(self.flow);
        let remark = Remark::PassedOver {
            connection: self.found.number,
            from,
            to,
            length: passed.length,
            lost: passed.lost,
            packet: passed.seen.packet,
        };
        // Before the first frame nobody knows whether there will be one.
        if self.found.has_frames || passed.length > 0 && !self.found.is_foreign() {
            self.output.remark(&remark);
        }
    }

    fn foreign(&mut self, foreign: &Foreign<'_>) {
        let (from, to) = self.found.ends(self.flow);
        let name = crate::wire::frame::bad_size(foreign.first, 4).flatten();
        let was_kafka = self.found.has_frames;
        self.found.set_foreign();
        if was_kafka || name.is_some() {
            let (connection, packet) = (self.found.number, foreign.seen.packet);
            self.output.remark(&Remark::Foreign { connection, from, to, name, packet });
        }
    }
}

impl<O: Output> Frames<'_, '_, O> {
    /// Where a response begins is told by its request, which may have been held up behind a segment that is missing.
    fn search_responses(&mut self) {
        let flow = self.flow.other();
        let Some(mut framer) = self.found.take_framer(flow) else { return };
        let mut frames = Frames {
            messages: &mut *self.messages,
            output: &mut *self.output,
            found: &mut *self.found,
            flow,
        };
        framer.search_again(&mut frames);
        self.found.put_framer(flow, framer);
    }
}

impl Messages<'_> {
    /// Hands on the responses that waited for their requests, as far as those have come or patience has an end.
    fn release(&mut self, found: &mut Connection, flow: Flow, patience: Patience, output: &mut impl Output) {
        while let Some(deferred) = found.next_deferred(patience) {
            let Deferred { bytes, size, missing, first, last } = deferred;
            let piece = Piece { bytes: &bytes, size, missing, first, last };
            self.frame(&piece, found, flow, output);
        }
    }

    /// Decodes a frame and hands it on.
    fn frame(&mut self, captured: &Piece<'_>, found: &mut Connection, flow: Flow, output: &mut impl Output) {
        self.number += 1;
        let (number, frame) = (self.number, Frame { bytes: captured.bytes, sized: true });
        let side = found.side(flow);
        let mut passed_over = Vec::new();
        let (heading, origin) = match side {
            Side::Client => found.exchange.from_client(&mut self.decoder, frame, &mut self.tree),
            Side::Broker => {
                found.exchange.from_broker(&mut self.decoder, frame, &mut self.tree, &mut passed_over)
            }
        };
        for request in passed_over {
            output.remark(&unanswered(self.catalogue, found, flow.other(), request, Closing::Finished));
        }
        let data = self.tree.data(frame.bytes);
        if side == Side::Broker && self.tree.names_topics() {
            self.names.learn(&self.tree, data);
        }
        self.summary.take(&self.tree, data, &self.names);
        let own_client_id = heading.client_id.clone().and_then(|range| frame.bytes.get(range));
        let own_client_id = own_client_id.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let request = match &origin {
            Origin::Response(request) => Some(request),
            _ => None,
        };
        let since = |time: Option<super::Time>| Some(time?.0 - request?.end?.0);
        let latency = since(captured.first.time).zip(since(captured.last.time));
        let (from, to) = found.ends(flow);
        output.message(
            &mut Message {
                number,
                connection: found.number,
                from,
                to,
                direction: if side == Side::Client { Direction::Request } else { Direction::Response },
                first: captured.first,
                last: captured.last,
                frame,
                size: captured.size,
                missing: captured.missing,
                heading: &heading,
                origin: &origin,
                client_id: own_client_id.or(request.and_then(|request| request.note.client_id.as_deref())),
                latency: latency.map(|(first, last)| Latency { first, last }),
                tree: &mut self.tree,
                summary: &self.summary,
            },
            &self.names,
        );
        if origin == Origin::Request {
            let client_id = || own_client_id.unwrap_or_default().as_bytes().to_vec();
            // Of a request that is cut in its header, nobody knows.
            if captured.missing == 0 || own_client_id.is_some() {
                found.client_id.get_or_insert_with(client_id);
            }
            let summary = self.settings.keep_summaries.then(|| Box::new(self.summary.clone()));
            let note = RequestNote { client_id: own_client_id.map(Into::into), summary };
            // Whoever leaves ten thousand requests unanswered will not miss the first.
            let _ = found.exchange.remember(&heading, number, captured.last.time, note);
        }
    }
}

/// What there is to say of a request without a response. `client` is the direction in which it went.
fn unanswered(
    catalogue: &Catalogue,
    found: &Connection,
    client: Flow,
    request: Waiting<RequestNote>,
    closing: Closing,
) -> Remark {
    let (from, to) = found.ends(client);
    let api = catalogue.api_name(request.api_key).into_owned();
    Remark::Unanswered { connection: found.number, from, to, request: Box::new(request), api, closing }
}
