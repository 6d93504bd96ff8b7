//! A payload as JSON: the fields of the definition that it was decoded by.

use std::io::{self, Write};

use super::body::{Fields, Reach};
use super::text::JsonText;
use crate::tree::{Data, Kind, Tree};
use crate::wire::plan::Plan;

/// Writes the fields of a payload, the node at `node`, as one JSON object with the names and forms of Kafka's own converters. What stands
/// before them, such as a version, is not in it; of a request or response within bytes it is the body. It is null if no definition
/// is known. The value of a control record of KRaft is written likewise. Secrets are shown if `show_secrets` says so.
///
/// Returns whether that is all that the payload says.
pub fn write_payload<W: Write>(
    out: W,
    tree: &Tree,
    data: Data<'_>,
    node: usize,
    show_secrets: bool,
) -> io::Result<bool> {
    write_fields(&mut JsonText::new(out), tree, data, node, show_secrets)
}

/// What a payload is: the name of its definition and the version; `None` if it has none.
pub(super) fn definition(tree: &Tree, node: usize) -> Option<(&str, i16)> {
    let plan = plan_within(tree, node).filter(|plan| !plan.bodies.is_empty());
    plan.map(|plan| (plan.name.as_str(), plan.version))
}

/// [`write_payload`] into JSON that is being written.
pub(super) fn write_fields<W: Write>(
    json: &mut JsonText<W>,
    tree: &Tree,
    data: Data<'_>,
    node: usize,
    show_secrets: bool,
) -> io::Result<bool> {
    let body = tree.children(node).find(|child| tree.nodes[*child].kind() == Kind::Body);
    let index = body.unwrap_or(node);
    let reach = match plan_within(tree, index) {
        Some(plan) => {
            Fields { tree, data, plan, show_secrets, json: &mut *json }.structure(index, &plan.bodies[0])?
        }
        None => without_fields(json, tree, data, index)?,
    };
    // Bytes after the last field.
    let rest = tree.parts(index).last().is_some_and(|last| tree.nodes[last].kind() == Kind::Raw);
    Ok(reach == Reach::Whole && !rest)
}

/// The plan of the fields of a payload. The node itself is a field of what carries it.
fn plan_within(tree: &Tree, index: usize) -> Option<&Plan> {
    let from = if tree.nodes[index].kind() == Kind::Body { index } else { index + 1 };
    tree.nodes[from..tree.end(index)].iter().find_map(|node| tree.plan(node.plan()))
}

/// Writes what no node tells the plan of: there are structures without fields.
fn without_fields<W: Write>(
    json: &mut JsonText<W>,
    tree: &Tree,
    data: Data<'_>,
    index: usize,
) -> io::Result<Reach> {
    let tagged = tree.children(index).find(|child| tree.nodes[*child].kind() == Kind::TaggedFields);
    let Some(tagged) = tagged else {
        json.null()?;
        return Ok(Reach::Part);
    };
    json.open(b'{')?;
    json.close(b'}')?;
    let is_empty = tree.nodes[tagged].uvarint(data) == 0;
    Ok(if is_empty { Reach::Whole } else { Reach::Part })
}
