//! From a frame to a tree: size, header, body, and what is left.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::compile::compile;
use super::frame::{Frame, LEAST_REQUEST, LEAST_RESPONSE, bad_size};
use super::plan::Plan;
use super::primitive;
use super::sink::{Leaf, Opening, Sink};
use super::walk::{Route, Stopped, Walk};
use crate::schema::{Api, Catalogue, Direction, HeaderVersion, Rules};
use crate::tree::{Flags, Kind, Limit, Problem, ProblemKind, Tree, builtin};

/// Decodes frames. It keeps the plans that it has compiled, so one decoder should see many frames.
pub struct Decoder<'c> {
    catalogue: &'c Catalogue,
    plans: HashMap<(Direction, i16, i16), Option<Arc<Plan>>>,
    headers: HashMap<(Direction, i16), Arc<Plan>>,
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
}

impl Heading {
    fn new(direction: Direction) -> Heading {
        Heading {
            direction,
            api_key: None,
            api_version: None,
            header_version: None,
            correlation_id: None,
            client_id: None,
            answered: direction == Direction::Request,
        }
    }
}

/// What is needed to read a message: its plan and the version of its header.
struct Layout {
    body: Arc<Plan>,
    header: HeaderVersion,
}

impl<'c> Decoder<'c> {
    /// A decoder for the messages of a catalogue.
    pub fn new(catalogue: &'c Catalogue) -> Decoder<'c> {
        Decoder { catalogue, plans: HashMap::new(), headers: HashMap::new() }
    }

    /// The catalogue that it decodes by.
    pub fn catalogue(&self) -> &'c Catalogue {
        self.catalogue
    }

    /// The plan for a version of a request or response; `None` if there is no such version.
    pub fn plan(&mut self, direction: Direction, api_key: i16, version: i16) -> Option<Arc<Plan>> {
        let catalogue = self.catalogue;
        let plan = self.plans.entry((direction, api_key, version)).or_insert_with(|| {
            let api = catalogue.api(api_key)?;
            let definition = catalogue.message(api, direction, version)?;
            compile(definition.message(), version).map(Arc::new)
        });
        plan.clone()
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

    fn layout(&mut self, direction: Direction, api_key: i16, version: i16) -> Option<Layout> {
        let body = self.plan(direction, api_key, version)?;
        let header = Rules::get().header_version(direction, api_key, version, body.flexible);
        Some(Layout { body, header })
    }

    /// Puts a frame that is no known message into `tree`, which is emptied before: its size, and the rest as it is.
    pub fn unrecognised(&mut self, frame: Frame<'_>, tree: &mut Tree) -> Heading {
        tree.clear();
        let root = tree.open(0, opening(Kind::Message, builtin::UNKNOWN_MESSAGE, 0, 0));
        let mut walk =
            Walk { data: frame.bytes, pos: 0, end: frame.bytes.len(), limit: Limit::Input, sink: tree };
        if size_field(&mut walk, frame, Direction::Response).is_ok() {
            problem(walk.sink, builtin::UNKNOWN_MESSAGE, walk.pos, ProblemKind::Unrecognised);
            if walk.left() > 0 {
                walk.raw(builtin::UNDECODED, walk.left());
            }
        }
        let stop = walk.pos as u32;
        tree.close(root, stop);
        Heading { answered: false, ..Heading::new(Direction::Request) }
    }

    /// Decodes a request into `tree`, which is emptied before.
    pub fn request(&mut self, frame: Frame<'_>, tree: &mut Tree) -> Heading {
        if frame.sized && bad_size(frame.bytes, LEAST_REQUEST).flatten().is_some() {
            return self.unrecognised(frame, tree);
        }
        tree.clear();
        let mut heading = Heading::new(Direction::Request);
        let content = frame.content();
        if let Ok((rest, key)) = primitive::int16(content) {
            heading.api_key = Some(key);
            if let Ok((rest, version)) = primitive::int16(rest) {
                heading.api_version = Some(version);
                heading.correlation_id = primitive::int32(rest).ok().map(|(_, id)| id);
            }
        }
        let (key, version) = (heading.api_key, heading.api_version);
        let layout =
            key.zip(version).and_then(|(key, version)| self.layout(Direction::Request, key, version));
        self.message(frame, &mut heading, layout, None, tree);
        heading
    }

    /// Decodes a response to a request of an API and version into `tree`, which is emptied before.
    pub fn response(&mut self, frame: Frame<'_>, api_key: i16, asked: i16, tree: &mut Tree) -> Heading {
        if frame.sized && bad_size(frame.bytes, LEAST_RESPONSE).flatten().is_some() {
            return self.unrecognised(frame, tree);
        }
        tree.clear();
        let content = frame.content();
        let mut heading = Heading {
            api_key: Some(api_key),
            api_version: Some(asked),
            correlation_id: primitive::int32(content).ok().map(|(_, id)| id),
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
        let version = heading.api_version.unwrap_or(asked);
        let layout = self.layout(Direction::Response, api_key, version);
        self.message(frame, &mut heading, layout, remark, tree);
        heading
    }

    fn message(
        &mut self,
        frame: Frame<'_>,
        heading: &mut Heading,
        layout: Option<Layout>,
        remark: Option<ProblemKind>,
        tree: &mut Tree,
    ) {
        let direction = heading.direction;
        let version = heading.api_version.unwrap_or(0);
        let (plan, item) = self.title(direction, heading.api_key, layout.as_ref(), tree);
        let root = tree.open(plan, opening(Kind::Message, item, 0, version));
        let mut walk =
            Walk { data: frame.bytes, pos: 0, end: frame.bytes.len(), limit: Limit::Input, sink: tree };
        let framed = size_field(&mut walk, frame, direction);
        let result = framed.and_then(|()| match layout {
            Some(layout) => self.known(&mut walk, heading, &layout, remark),
            None => self.unknown(&mut walk, heading),
        });
        let stop = walk.pos as u32;
        if let (Ok(()), Limit::Cut { size }) = (result, walk.limit) {
            let found = (frame.bytes.len() - frame.header_at()) as u64;
            problem(tree, builtin::SIZE, 0, ProblemKind::Cut { size, found });
        }
        tree.close(root, stop);
    }

    /// The plan and item that name the message.
    fn title(
        &mut self,
        direction: Direction,
        api_key: Option<i16>,
        layout: Option<&Layout>,
        tree: &mut Tree,
    ) -> (u16, u16) {
        if let Some(layout) = layout {
            return (tree.add_plan(&layout.body), 0);
        }
        // Of an API whose version is not known, at least the name is.
        let newest =
            api_key.and_then(|key| self.catalogue.api(key)).map(|api| (api.key, api.versions.high()));
        if let Some(plan) = newest.and_then(|(key, version)| self.plan(direction, key, version)) {
            return (tree.add_plan(&plan), 0);
        }
        match direction {
            Direction::Request => (0, builtin::UNKNOWN_REQUEST),
            Direction::Response => (0, builtin::UNKNOWN_RESPONSE),
        }
    }

    fn known(
        &mut self,
        walk: &mut Walk<'_, Tree>,
        heading: &mut Heading,
        layout: &Layout,
        remark: Option<ProblemKind>,
    ) -> Result<(), Stopped> {
        let HeaderVersion { version, reason } = layout.header;
        heading.header_version = Some(version);
        self.header(walk, heading, version, reason)?;
        let body = &layout.body;
        let route = Route { plan: body, id: walk.sink.add_plan(body), flags: Flags::NONE };
        let mark = walk.sink.open(route.id, opening(Kind::Body, 0, walk.pos, body.version));
        if let Some(remark) = remark {
            problem(walk.sink, builtin::UNKNOWN_BODY, walk.pos, remark);
        }
        let result = walk.message(route);
        if result.is_ok() && heading.direction == Direction::Request {
            no_answer(walk.sink, heading, mark, body);
        }
        walk.sink.close(mark, walk.pos as u32);
        result?;
        trailing(walk, heading);
        Ok(())
    }

    fn header(
        &mut self,
        walk: &mut Walk<'_, Tree>,
        heading: &mut Heading,
        version: i16,
        reason: Option<&'static str>,
    ) -> Result<(), Stopped> {
        let item = match heading.direction {
            Direction::Request => builtin::REQUEST_HEADER,
            Direction::Response => builtin::RESPONSE_HEADER,
        };
        let plan = self.header_plan(heading.direction, version);
        let plan = plan.expect("the rules name header versions that there are; a test looks at all of them");
        let route = Route { plan: &plan, id: walk.sink.add_plan(&plan), flags: Flags::HEADER };
        let first = walk.sink.nodes.len();
        let mark = walk.sink.open(0, opening(Kind::Header, item, walk.pos, version));
        let result = walk.message(route);
        if let Some(reason) = reason {
            problem(walk.sink, item, walk.pos, ProblemKind::HeaderException { version, reason });
        }
        walk.sink.close(mark, walk.pos as u32);
        let client_id = walk.sink.nodes[first..].iter().find(|node| node.kind == Kind::String);
        heading.client_id = client_id.map(|node| node.content());
        result
    }

    /// A message whose layout is not known: what all headers have in common, and the rest as it is.
    fn unknown(&mut self, walk: &mut Walk<'_, Tree>, heading: &mut Heading) -> Result<(), Stopped> {
        let common = match heading.direction {
            Direction::Request => 1,
            Direction::Response => 0,
        };
        self.header(walk, heading, common, None)?;
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
            problem(walk.sink, builtin::UNKNOWN_BODY, walk.pos, unknown);
        }
        if walk.left() > 0 {
            walk.raw(builtin::UNKNOWN_BODY, walk.left());
        }
        Ok(())
    }
}

fn opening(kind: Kind, item: u16, start: usize, version: i16) -> Opening {
    Opening { kind, flags: Flags::NONE, item, start: start as u32, value: i64::from(version) as u64 }
}

fn problem(tree: &mut Tree, item: u16, offset: usize, kind: ProblemKind) {
    tree.problem(Problem { kind, offset: offset as u32, plan: 0, item, element: None });
}

/// Reads the size field, and with it how far the frame may be read.
fn size_field(walk: &mut Walk<'_, Tree>, frame: Frame<'_>, direction: Direction) -> Result<(), Stopped> {
    if !frame.sized {
        return Ok(());
    }
    let mark = walk.sink.open(0, opening(Kind::Frame, builtin::FRAME, 0, 0));
    let Some(size) = frame.size() else {
        let found = walk.left() as u64;
        problem(walk.sink, builtin::SIZE, 0, ProblemKind::Short { wanted: 4, found, limit: Limit::Input });
        if walk.left() > 0 {
            walk.raw(builtin::UNDECODED, walk.left());
        }
        walk.sink.close(mark, walk.pos as u32);
        return Err(Stopped);
    };
    let value = i64::from(size) as u64;
    let (kind, flags) = (Kind::Int, Flags::NONE);
    walk.sink.leaf(0, Leaf { kind, flags, item: builtin::SIZE, start: 0, len: 4, value });
    walk.pos = 4;
    walk.sink.close(mark, 4);
    let least = match direction {
        Direction::Request => LEAST_REQUEST,
        Direction::Response => LEAST_RESPONSE,
    };
    if let Some(instead) = bad_size(frame.bytes, least) {
        problem(walk.sink, builtin::SIZE, 0, ProblemKind::BadSize { size, least, instead });
        if walk.left() > 0 {
            walk.raw(builtin::UNDECODED, walk.left());
        }
        return Err(Stopped);
    }
    let size = size as u32;
    walk.limit = if size as usize > walk.left() { Limit::Cut { size } } else { Limit::Frame { size } };
    Ok(())
}

/// Remarks on a request that gets no response.
fn no_answer(tree: &mut Tree, heading: &mut Heading, body: usize, plan: &Plan) {
    let Some(rule) = heading.api_key.and_then(|key| Rules::get().unanswered(key)) else { return };
    let says_so = |node: &&crate::tree::Node| {
        node.kind == Kind::Int
            && node.value as i64 == rule.value
            && plan.items[usize::from(node.item)].name == rule.field
            && tree.plan(node.plan).is_some_and(|owner| std::ptr::eq(owner, plan))
    };
    let Some(node) = tree.nodes[body..].iter().find(says_so) else { return };
    let (plan, item, offset) = (node.plan, node.item, node.start);
    heading.answered = false;
    let kind = ProblemKind::Unanswered { reason: &rule.reason };
    tree.problem(Problem { kind, offset, plan, item, element: None });
}

/// What is left after the body.
fn trailing(walk: &mut Walk<'_, Tree>, heading: &Heading) {
    let left = walk.left();
    if left == 0 {
        return;
    }
    let bytes = left as u64;
    let rule = heading
        .api_key
        .zip(heading.api_version)
        .and_then(|(key, version)| Rules::get().padding(heading.direction, key, version));
    let zeros = walk.data[walk.pos..walk.end].iter().all(|byte| *byte == 0);
    let kind = match rule {
        Some(rule) if zeros && left == rule.zero_bytes => {
            ProblemKind::Padding { bytes, reason: &rule.reason }
        }
        _ => ProblemKind::Trailing { bytes },
    };
    problem(walk.sink, builtin::TRAILING, walk.pos, kind);
    walk.raw(builtin::TRAILING, left);
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
                    assert!(decoder.header_plan(direction, layout.header.version).is_some());
                    count += 1;
                }
            }
        }
        assert!(count > 700, "{count}");
    }
}
