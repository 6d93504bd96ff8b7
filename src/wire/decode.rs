//! From a frame to a tree: size, header, body, and what is left.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::compile::compile;
use super::frame::{Frame, LEAST_REQUEST, LEAST_RESPONSE, bad_size};
use super::last::{Last, Repeated};
use super::message::{framed, known_body, known_header, plan_id, plan_ids, problem, size_field, whole};
use super::plan::{Op, Plan};
use super::primitive;
use super::sink::Sink;
use super::walk::{Route, Stopped, Walk};
use crate::payload::Format;
use crate::schema::{Api, Catalogue, Direction, HeaderVersion, Rules, Unanswered};
use crate::tree::{Flags, Kind, Limit, ProblemKind, Tree, What, builtin};

/// Decodes frames. It keeps the plans that it has compiled, so one decoder should see many frames.
pub struct Decoder<'c> {
    catalogue: &'c Catalogue,
    #[expect(
        clippy::vec_box,
        reason = "layouts are large, and moving a thousand of them when the list grows is wasteful"
    )]
    layouts: Vec<Box<Layout>>,
    /// Where the layout for a direction, API key and version is; `None` if there is no such message.
    places: HashMap<Identity, Option<usize>>,
    headers: HashMap<(Direction, i16), Arc<Plan>>,
    /// The places that were last asked for; most messages are like the one before.
    last: [Option<(Identity, usize)>; 2],
}

/// Which message: direction, API key, version.
type Identity = (Direction, i16, i16);

/// What is needed to read a message: the plans of its header and body.
pub(super) struct Layout {
    pub(super) header: Arc<Plan>,
    pub(super) header_version: HeaderVersion,
    pub(super) body: Arc<Plan>,
    /// Which of the header's fields is the client id, if it has one.
    pub(super) client_id: Option<usize>,
    /// Whether it may carry another request.
    pub(super) envelopes: bool,
    /// When it gets no response, if it is a request of an API that may get none.
    pub(super) unanswered: Option<&'static Unanswered>,
    /// The last message of the layout.
    pub(super) last: Last,
}

/// What a message is, as far as its first bytes tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    /// Whether it was read as a request or a response.
    pub direction: Direction,
    /// The API key, of a response that of its request.
    pub api_key: Option<i16>,
    /// The version that it is in.
    pub api_version: Option<i16>,
    /// The version of its header, if the message is known.
    pub header_version: Option<i16>,
    /// The correlation id.
    pub correlation_id: Option<i32>,
    /// Where the text of the client id lies in the frame; `None` for null and where there is none.
    pub client_id: Option<Range<usize>>,
    /// Whether the broker sends a response to it.
    pub answered: bool,
    /// API key and version of the request that it carries, or whose response it carries (KIP-590).
    pub enveloped: Option<(i16, i16)>,
}

impl Heading {
    pub(super) fn new(direction: Direction) -> Heading {
        Heading {
            direction,
            api_key: None,
            api_version: None,
            header_version: None,
            correlation_id: None,
            client_id: None,
            answered: direction == Direction::Request,
            enveloped: None,
        }
    }
}

impl<'c> Decoder<'c> {
    /// A decoder for the messages of a catalogue.
    pub fn new(catalogue: &'c Catalogue) -> Decoder<'c> {
        Decoder {
            catalogue,
            layouts: Vec::new(),
            places: HashMap::new(),
            headers: HashMap::new(),
            last: [None, None],
        }
    }

    /// The catalogue that it decodes by.
    pub fn catalogue(&self) -> &'c Catalogue {
        self.catalogue
    }

    /// The plan for a version of a request or response; `None` if there is no such version.
    pub fn plan(&mut self, direction: Direction, api_key: i16, version: i16) -> Option<Arc<Plan>> {
        self.layout(direction, api_key, version).map(|layout| Arc::clone(&layout.body))
    }

    #[inline]
    fn layout(&mut self, direction: Direction, api_key: i16, version: i16) -> Option<&mut Layout> {
        let wanted = (direction, api_key, version);
        let place = match self.last[direction as usize] {
            Some((known, place)) if known == wanted => place,
            _ => self.other_layout(wanted)?,
        };
        self.layouts.get_mut(place).map(Box::as_mut)
    }

    fn other_layout(&mut self, wanted: Identity) -> Option<usize> {
        let place = match self.places.get(&wanted) {
            Some(place) => *place,
            None => {
                let place = self.compile_layout(wanted).map(|layout| {
                    self.layouts.push(Box::new(layout));
                    self.layouts.len() - 1
                });
                self.places.insert(wanted, place);
                place
            }
        };
        self.last[wanted.0 as usize] = Some((wanted, place?));
        place
    }

    fn compile_layout(&mut self, (direction, api_key, version): Identity) -> Option<Layout> {
        let api = self.catalogue.api(api_key)?;
        let definition = self.catalogue.message(api, direction, version)?;
        let body = Arc::new(compile(definition.message(), version)?);
        let header_version = Rules::get().header_version(direction, api_key, version, body.flexible);
        let header = self.header_plan(direction, header_version.version)?;
        let steps = header.steps_of(&header.bodies[0]);
        let client_id = steps.iter().position(|step| step.op == Op::String);
        let unanswered = Rules::get().unanswered(api_key).filter(|_| direction == Direction::Request);
        let envelopes = body.items.iter().any(|item| item.format == Some(Format::Request));
        Some(Layout { header, header_version, body, client_id, envelopes, unanswered, last: Last::default() })
    }

    /// The plan for a version of the request or response header; `None` if there is no such version.
    pub fn header_plan(&mut self, direction: Direction, version: i16) -> Option<Arc<Plan>> {
        if let Some(plan) = self.headers.get(&(direction, version)) {
            return Some(Arc::clone(plan));
        }
        let name = match direction {
            Direction::Request => "RequestHeader",
            Direction::Response => "ResponseHeader",
        };
        let definition = self.catalogue.named(name, version)?;
        let plan = Arc::new(compile(definition.message(), version)?);
        self.headers.insert((direction, version), Arc::clone(&plan));
        Some(plan)
    }

    /// Puts a frame that is no known message into `tree`, which is emptied before: its size, and the rest as it is.
    pub fn unrecognised(&mut self, frame: Frame<'_>, tree: &mut Tree) -> Heading {
        tree.clear();
        let root = tree.open(What::new(Kind::Message, Flags::NONE, builtin::UNKNOWN_MESSAGE), 0);
        let mut walk = Walk::new(frame.bytes, 0, tree);
        if size_field(&mut walk, frame, Direction::Response).is_ok() {
            problem(walk.sink, builtin::UNKNOWN_MESSAGE, walk.pos(), ProblemKind::Unrecognised);
            if walk.left() > 0 {
                walk.raw(builtin::UNDECODED, walk.left());
            }
        }
        let stop = walk.pos();
        tree.close(root, stop);
        Heading { answered: false, ..Heading::new(Direction::Request) }
    }

    /// Decodes a request into `tree`, which is emptied before.
    pub fn request(&mut self, frame: Frame<'_>, tree: &mut Tree) -> Heading {
        if whole(frame).is_none() && frame.sized && bad_size(frame.bytes, LEAST_REQUEST).flatten().is_some() {
            return self.unrecognised(frame, tree);
        }
        tree.clear();
        let mut heading = Heading::new(Direction::Request);
        let content = frame.content();
        if let Some(beginning) = content.first_chunk::<8>() {
            let [a, b, c, d, id @ ..] = *beginning;
            heading.api_key = Some(i16::from_be_bytes([a, b]));
            heading.api_version = Some(i16::from_be_bytes([c, d]));
            heading.correlation_id = Some(i32::from_be_bytes(id));
        } else if let Ok((rest, key)) = primitive::int16(content) {
            heading.api_key = Some(key);
            heading.api_version = primitive::int16(rest).ok().map(|(_, version)| version);
        }
        self.message(frame, &mut heading, None, tree);
        heading
    }

    /// Decodes a response to a request of an API and version into `tree`, which is emptied before.
    pub fn response(&mut self, frame: Frame<'_>, api_key: i16, asked: i16, tree: &mut Tree) -> Heading {
        self.response_with(frame, (api_key, asked), None, tree)
    }

    /// The same of a response to a request that carried another one, `enveloped`: its API key and version.
    pub fn response_with(
        &mut self,
        frame: Frame<'_>,
        (api_key, asked): (i16, i16),
        enveloped: Option<(i16, i16)>,
        tree: &mut Tree,
    ) -> Heading {
        if whole(frame).is_none() && frame.sized && bad_size(frame.bytes, LEAST_RESPONSE).flatten().is_some()
        {
            return self.unrecognised(frame, tree);
        }
        tree.clear();
        let content = frame.content();
        let mut heading = Heading {
            api_key: Some(api_key),
            api_version: Some(asked),
            correlation_id: primitive::int32(content).ok().map(|(_, id)| id),
            enveloped,
            ..Heading::new(Direction::Response)
        };
        let mut remark = None;
        // The error code that tells of a downgrade is the first field of the body, after a header of four bytes.
        let error_code = content.get(4..).and_then(|body| primitive::int16(body).ok()).map(|(_, code)| code);
        if let Some(rule) = Rules::get().downgrade(api_key)
            && error_code == Some(rule.error_code)
            && asked != rule.version
        {
            heading.api_version = Some(rule.version);
            remark = Some(ProblemKind::Downgraded { asked, got: rule.version, reason: &rule.reason });
        }
        self.message(frame, &mut heading, remark, tree);
        heading
    }

    fn message(
        &mut self,
        frame: Frame<'_>,
        heading: &mut Heading,
        remark: Option<ProblemKind>,
        tree: &mut Tree,
    ) {
        let direction = heading.direction;
        let known = heading.api_key.zip(heading.api_version);
        let Some(layout) = known.and_then(|(key, version)| self.layout(direction, key, version)) else {
            let title = self.unknown_title(heading, tree);
            return framed(frame, direction, title, tree, |walk| self.unknown(walk, frame, heading));
        };
        let ids = plan_ids(tree, layout);
        let whole = whole(frame);
        // A remark is to be made, or a value matters for more than itself.
        let plain = remark.is_none() && layout.unanswered.is_none() && !layout.body.bodies[0].bound;
        if let Some((size, content)) = whole
            && let Some(Repeated { whole, len, client_id }) = layout.last.repeat(content, ids, plain, tree)
        {
            heading.header_version = Some(layout.header_version.version);
            heading.client_id = client_id;
            if whole {
                return;
            }
            let mut walk = Walk::new(&content[len..], 4 + len, tree);
            walk.limit = Limit::Frame { size };
            // How it ended has been said.
            let _ = known_body(&mut walk, frame, heading, layout, ids.1, remark);
            tree.close(0, frame.bytes.len());
            if plain {
                layout.last.remember_whole(tree, content, ids, heading.client_id.clone());
            }
            return;
        }
        let title = What::new(Kind::Message, Flags::NONE, 0).in_plan(ids.1);
        framed(frame, direction, title, tree, |walk| {
            let header = known_header(walk, frame, heading, layout, ids.0)?;
            if let Some((_, content)) = whole {
                layout.last.remember_header(walk.sink, header, content, ids, heading.client_id.clone());
            }
            known_body(walk, frame, heading, layout, ids.1, remark)
        });
        if let (Some((_, content)), true) = (whole, plain) {
            layout.last.remember_whole(tree, content, ids, heading.client_id.clone());
        }
    }

    /// The node that names a message whose layout is not known.
    fn unknown_title(&mut self, heading: &Heading, tree: &mut Tree) -> What {
        // Of an API whose version is not known, at least the name is.
        let api = heading.api_key.and_then(|key| self.catalogue.api(key));
        let newest = api.and_then(|api| self.plan(heading.direction, api.key, api.versions.high()));
        match (newest, heading.direction) {
            (Some(plan), _) => What::new(Kind::Message, Flags::NONE, 0).in_plan(plan_id(tree, &plan)),
            (None, Direction::Request) => What::new(Kind::Message, Flags::NONE, builtin::UNKNOWN_REQUEST),
            (None, Direction::Response) => What::new(Kind::Message, Flags::NONE, builtin::UNKNOWN_RESPONSE),
        }
    }

    /// A message whose layout is not known: what all headers have in common, and the rest as it is.
    fn unknown(
        &mut self,
        walk: &mut Walk<'_, Tree>,
        frame: Frame<'_>,
        heading: &mut Heading,
    ) -> Result<(), Stopped> {
        let common = match heading.direction {
            Direction::Request => 1,
            Direction::Response => 0,
        };
        if let Some(plan) = self.header_plan(heading.direction, common) {
            let id = plan_id(walk.sink, &plan);
            let mark = walk.sink.open(What::new(Kind::Header, Flags::NONE, 0).in_plan(id), walk.pos());
            let result = walk.message(&Route { plan: &plan, id, flags: Flags::HEADER });
            walk.sink.close(mark, walk.pos());
            result?;
            let client_id = walk.sink.nodes[mark..].iter().find(|node| node.kind() == Kind::String);
            heading.client_id = client_id.map(|node| node.content(frame.bytes));
        }
        let unknown = match (heading.api_key, heading.api_version) {
            (Some(key), Some(version)) => Some(match self.catalogue.api(key) {
                Some(Api { name, versions, .. }) => {
                    ProblemKind::UnknownVersion { api: name.clone(), version, known: *versions }
                }
                None => ProblemKind::UnknownApi { key },
            }),
            // The header was too short, which has been said.
            _ => None,
        };
        if let Some(unknown) = unknown {
            problem(walk.sink, builtin::UNKNOWN_BODY, walk.pos(), unknown);
        }
        if walk.left() > 0 {
            walk.raw(builtin::UNKNOWN_BODY, walk.left());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_has_a_header_that_there_is() {
        let catalogue = Catalogue::embedded();
        let mut decoder = Decoder::new(&catalogue);
        let mut count = 0;
        for api in catalogue.apis() {
            for version in api.versions.iter() {
                for direction in [Direction::Request, Direction::Response] {
                    let layout = decoder.layout(direction, api.key, version).unwrap();
                    assert_eq!(layout.header.version, layout.header_version.version);
                    count += 1;
                }
            }
        }
        assert!(count > 700, "{count}");
    }
}
