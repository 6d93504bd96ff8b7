//! The parts of a message, one after the other: size field, header, body, and what is left.

use std::sync::Arc;

use super::decode::{Heading, Layout};
use super::frame::{Frame, LEAST_REQUEST, LEAST_RESPONSE, bad_size};
use super::plan::Plan;
use super::sink::Sink;
use super::walk::{Route, Stopped, Walk};
use crate::schema::{Direction, HeaderVersion, Rules, Unanswered};
use crate::tree::{Flags, Kind, Limit, Node, PlanId, Problem, ProblemKind, Tree, What, builtin};

const FRAME: Node = Node::new(0, 4, 2, What::new(Kind::Frame, Flags::NONE, builtin::FRAME));
const SIZE: Node = Node::new(0, 4, 1, What::new(Kind::Int, Flags::NONE, builtin::SIZE));

/// The size and the rest of a frame whose size field says how much there is, and no less than any header has.
pub(super) fn whole(frame: Frame<'_>) -> Option<(u32, &[u8])> {
    let (size, content) = frame.bytes.split_first_chunk::<4>().filter(|_| frame.sized)?;
    let size = u32::from_be_bytes(*size);
    let likely = (LEAST_REQUEST..1 << 26).contains(&size);
    (likely && size as usize == content.len()).then_some((size, content))
}

/// Makes the node of the message, reads the size field, and has the rest read.
pub(super) fn framed<'f>(
    frame: Frame<'f>,
    direction: Direction,
    title: What,
    tree: &mut Tree,
    rest: impl FnOnce(&mut Walk<'_, Tree>) -> Result<(), Stopped>,
) {
    let root = tree.nodes.len();
    let mut walk = Walk::new(frame.bytes, 0, tree);
    let result = match whole(frame) {
        // Nearly every frame is as it should be, and they all begin alike.
        Some((size, content)) => {
            walk.sink.nodes.extend_from_slice(&[Node::new(0, 0, 1, title), FRAME, SIZE]);
            (walk.rest, walk.limit) = (content, Limit::Frame { size });
            rest(&mut walk)
        }
        None => {
            walk.sink.open(title, 0);
            size_field(&mut walk, frame, direction).and_then(|()| rest(&mut walk))
        }
    };
    let stop = walk.pos();
    if let (Ok(()), Limit::Cut { size }) = (result, walk.limit) {
        let found = (frame.bytes.len() - frame.header_at()) as u64;
        problem(tree, builtin::SIZE, 0, ProblemKind::Cut { size, found });
    }
    tree.close(root, stop);
}

/// Reads the header. Returns its node.
pub(super) fn known_header(
    walk: &mut Walk<'_, Tree>,
    frame: Frame<'_>,
    heading: &mut Heading,
    layout: &Layout,
    id: PlanId,
) -> Result<usize, Stopped> {
    let HeaderVersion { version, reason } = layout.header_version;
    heading.header_version = Some(version);
    let mark = walk.sink.open(What::new(Kind::Header, Flags::NONE, 0).in_plan(id), walk.pos());
    let result = walk.message(&Route { plan: &layout.header, id, flags: Flags::HEADER });
    if let Some(reason) = reason {
        let exception = ProblemKind::HeaderException { version, reason };
        problem(walk.sink, builtin::UNKNOWN_BODY, walk.pos(), exception);
    }
    walk.sink.close(mark, walk.pos());
    result?;
    heading.client_id = layout.client_id.and_then(|field| {
        let node = &walk.sink.nodes[mark + 1 + field];
        (node.kind() == Kind::String).then(|| node.content(frame.bytes))
    });
    Ok(mark)
}

/// Reads the body and what is left after it.
pub(super) fn known_body(
    walk: &mut Walk<'_, Tree>,
    frame: Frame<'_>,
    heading: &mut Heading,
    layout: &Layout,
    id: PlanId,
    remark: Option<ProblemKind>,
) -> Result<(), Stopped> {
    let mark = walk.sink.open(What::new(Kind::Body, Flags::NONE, 0).in_plan(id), walk.pos());
    walk.context.enveloped = heading.enveloped;
    if let Some(remark) = remark {
        problem(walk.sink, builtin::UNKNOWN_BODY, walk.pos(), remark);
    }
    let result = walk.message(&Route { plan: &layout.body, id, flags: Flags::NONE });
    if let (Ok(()), Some(rule)) = (result, layout.unanswered) {
        no_answer(walk.sink, frame, heading, mark, &layout.body, rule);
    }
    walk.sink.close(mark, walk.pos());
    result?;
    if layout.envelopes {
        heading.enveloped = enveloped(walk.sink, frame, mark);
    }
    if walk.left() > 0 {
        trailing(walk, heading);
    }
    Ok(())
}

/// What nodes call the plans of a layout: header, body.
#[inline]
pub(super) fn plan_ids(tree: &mut Tree, layout: &Layout) -> (PlanId, PlanId) {
    (plan_id(tree, &layout.header), plan_id(tree, &layout.body))
}

#[inline]
pub(super) fn plan_id(tree: &mut Tree, plan: &Arc<Plan>) -> PlanId {
    tree.add_plan(plan).expect("a tree that was just cleared has room for the plans of header and body")
}

pub(super) fn problem(tree: &mut Tree, item: u16, offset: usize, kind: ProblemKind) {
    let (plan, offset) = (PlanId::BUILTIN, offset as u32);
    tree.problem(Problem { kind, node: 0, offset, plan, item, element: None, in_payload: false });
}

/// Reads the size field, and with it how far the frame may be read.
pub(super) fn size_field(
    walk: &mut Walk<'_, Tree>,
    frame: Frame<'_>,
    direction: Direction,
) -> Result<(), Stopped> {
    let least = match direction {
        Direction::Request => LEAST_REQUEST,
        Direction::Response => LEAST_RESPONSE,
    };
    size_field_of_least(walk, frame, least)
}

/// The same of a frame that has at least so many bytes after it.
pub(super) fn size_field_of_least(
    walk: &mut Walk<'_, Tree>,
    frame: Frame<'_>,
    least: u32,
) -> Result<(), Stopped> {
    if !frame.sized {
        return Ok(());
    }
    let mark = walk.sink.open(What::new(Kind::Frame, Flags::NONE, builtin::FRAME), 0);
    let Some(size) = frame.size() else {
        let found = walk.left() as u64;
        problem(walk.sink, builtin::SIZE, 0, ProblemKind::Short { wanted: 4, found, limit: Limit::Input });
        if walk.left() > 0 {
            walk.raw(builtin::UNDECODED, walk.left());
        }
        walk.sink.close(mark, walk.pos());
        return Err(Stopped);
    };
    walk.sink.leaf(What::new(Kind::Int, Flags::NONE, builtin::SIZE), 0, 4);
    walk.rest = &walk.rest[4..];
    walk.sink.close(mark, 4);
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

/// API key and version of the request within the body at a node, if there is one and its header could be read.
fn enveloped(tree: &Tree, frame: Frame<'_>, body: usize) -> Option<(i16, i16)> {
    let header = (body..tree.end(body)).find(|index| tree.nodes[*index].kind() == Kind::Header)?;
    let mut fields = tree.children(header).map(|child| tree.nodes[child].int(tree.data(frame.bytes)));
    Some((i16::try_from(fields.next()?).ok()?, i16::try_from(fields.next()?).ok()?))
}

/// Remarks on a request that gets no response.
fn no_answer(
    tree: &mut Tree,
    frame: Frame<'_>,
    heading: &mut Heading,
    body: usize,
    plan: &Plan,
    rule: &'static Unanswered,
) {
    let id = tree.nodes[body].plan();
    let says_so = tree.nodes[body..].iter().find(|node| {
        node.kind() == Kind::Int
            && node.plan() == id
            && plan.items[usize::from(node.item())].name[..] == rule.field[..]
            && node.int(frame.bytes) == rule.value
    });
    let Some(node) = says_so else { return };
    heading.answered = false;
    let kind = ProblemKind::Unanswered { reason: &rule.reason };
    let (item, offset) = (node.item(), node.start());
    tree.problem(Problem { kind, node: 0, offset, plan: id, item, element: None, in_payload: false });
}

/// What is left after the body.
fn trailing(walk: &mut Walk<'_, Tree>, heading: &Heading) {
    let left = walk.left();
    let bytes = left as u64;
    let rule = heading
        .api_key
        .zip(heading.api_version)
        .and_then(|(key, version)| Rules::get().padding(heading.direction, key, version));
    let zeros = walk.rest.iter().all(|byte| *byte == 0);
    let kind = match rule {
        Some(rule) if zeros && left == rule.zero_bytes => {
            ProblemKind::Padding { bytes, reason: &rule.reason }
        }
        _ => ProblemKind::Trailing { bytes },
    };
    problem(walk.sink, builtin::TRAILING, walk.pos(), kind);
    walk.raw(builtin::TRAILING, left);
}
