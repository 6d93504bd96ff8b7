//! Problems in words: which field of what, where, what was expected, what was found, and what set the limit.

use super::text::bytes_counted;
use super::tree_text::offset;
use crate::tree::{FieldPath, Flags, Kind, Limit, Problem, ProblemKind, Severity, Tree};

/// What a note says, for people. It stands right at what it is about. `node` is the index of its node.
pub fn note_text(tree: &Tree, node: usize) -> Option<String> {
    tree.problem(node).map(|problem| what(tree, problem))
}

/// What a problem says, for people: where it is, and what. `node` is the index of its node.
pub fn problem_text(tree: &Tree, node: usize) -> Option<String> {
    let problem = tree.problem(node)?;
    let path = path(tree, node, problem);
    let mut at = Vec::new();
    offset(&mut at, tree, problem.offset);
    let at = String::from_utf8_lossy(&at);
    Some(format!("{path} at {at}: {}", what(tree, problem)))
}

/// What is malformed, for people, in the order of the bytes.
pub fn malformed_texts(tree: &Tree) -> Vec<String> {
    let malformed = tree.problems.iter().filter(|problem| problem.severity() == Severity::Malformed);
    malformed.filter_map(|problem| problem_text(tree, problem.node as usize)).collect()
}

/// The field a problem is about: the message and version, then the names from the message down.
fn path(tree: &Tree, index: usize, problem: &Problem) -> String {
    let mut path = FieldPath::new();
    let mut title = String::new();
    let mut parent = 0;
    while let Some(child) = tree.children(parent).find(|child| index < tree.end(*child)) {
        if child == index {
            break;
        }
        let node = &tree.nodes[child];
        if matches!(node.kind(), Kind::Header | Kind::Body) {
            let version = tree.plan(node.plan()).map_or(0, |plan| plan.version);
            title = format!("{} v{version}", tree.item_of(node).name);
        }
        let before = tree.children(parent).take_while(|other| *other < child);
        let place = before.filter(|other| tree.nodes[*other].flags().has(Flags::ELEMENT)).count();
        path.child(tree, node, place);
        parent = child;
    }
    // The container that is at fault itself has been named on the way down.
    let at_fault = tree.item(problem.plan, problem.item);
    let container = &tree.nodes[parent];
    // Not so a tag, which leaves it to its value.
    if container.kind() == Kind::Tag {
        path.name(&tree.item_of(container).name);
    }
    let named = (container.plan(), container.item()) == (problem.plan, problem.item)
        && parent > 0
        && container.kind() != Kind::TaggedFields;
    match problem.element {
        Some(element) if !(named && container.flags().has(Flags::ELEMENT)) => path.element(element),
        None if !named && !at_fault.name.is_empty() => path.name(&at_fault.name),
        _ => {}
    }
    if title.is_empty() {
        // What is outside header and body is still about this message.
        let body = tree.children(0).map(|child| &tree.nodes[child]).find(|node| node.kind() == Kind::Body);
        if let Some(plan) = body.and_then(|body| tree.plan(body.plan())) {
            title = format!("{} v{}", plan.name, plan.version);
        }
    }
    let path = path.as_str();
    match (title.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (false, true) => title,
        (false, false) => format!("{title}: {path}"),
    }
}

fn what(tree: &Tree, problem: &Problem) -> String {
    let item = tree.item(problem.plan, problem.item);
    let type_name = if item.type_name.is_empty() { "it" } else { &item.type_name };
    use ProblemKind::*;
    match &problem.kind {
        Short { wanted, found, limit } => {
            format!("{type_name} needs {}, {}", bytes_counted(*wanted), left(*found, *limit))
        }
        LongVarint if type_name == "varlong" => {
            "a varlong has at most 10 bytes and 64 bits, this one goes on".to_owned()
        }
        LongVarint => "a varint has at most 5 bytes and 32 bits, this one goes on".to_owned(),
        Length { claimed, found, limit } => {
            format!("its length says {}, {}", bytes_counted(*claimed), left(*found, *limit))
        }
        Count { claimed, wanted, found, limit } => format!(
            "its count says {claimed} elements, which need {} or more, {}",
            bytes_counted(*wanted),
            left(*found, *limit)
        ),
        NegativeLength { value } => {
            format!("its length is {value}; the lowest that is legal is -1, for null")
        }
        NullNotAllowed { version } => format!("null, which version {version} does not allow here"),
        Presence { value, null } => {
            format!("the byte before a struct is {null} for null or 1, but here it is {value}")
        }
        BoolByte { value } => {
            format!("the byte of a bool is 0 or 1, here it is {value}, which counts as true")
        }
        TagOrder { tag, before } if tag == before => format!("tag {tag} comes twice"),
        TagOrder { tag, before } => format!("tag {tag} comes after tag {before}; tags should ascend"),
        ForeignTag { tag, versions, version } => {
            format!("tag {tag} is known in versions {versions}, but not in version {version}")
        }
        TagRest { tag, bytes: rest } => {
            format!("{} left of tag {tag} after its value", are(*rest))
        }
        BadSize { size, instead: Some(instead), .. } => {
            format!("these bytes are no Kafka frame but look like {instead} (as a size they say {size})")
        }
        BadSize { size, least, instead: None } => {
            format!("a frame has {least} bytes or more after its size field, but the size is {size}")
        }
        Cut { size, found } => format!("the size field says {size}, but only {} there", are(*found)),
        Trailing { bytes: rest } => format!("{} left over after the body", are(*rest)),
        Padding { bytes: rest, reason } => format!("{} left over after the body: {reason}", are(*rest)),
        Unrecognised => "these bytes read as no request and fit no response to the last byte".to_owned(),
        UnknownApi { key } => format!("API key {key} is not known, so the body is shown as it is"),
        UnknownVersion { api, version, known } => format!(
            "{api} version {version} is not known (versions {known} are), so the body is shown as it is"
        ),
        Downgraded { asked, got, reason } => {
            format!("version {asked} was asked for, this is version {got}: {reason}")
        }
        Unanswered { reason } => (*reason).to_owned(),
        Unaligned { reason } => format!("{reason}, so the records are shown as they are"),
        Checksum { stored, computed } => {
            format!(
                "it is {stored:#010x}, but that of the bytes is {computed:#010x}: they were changed, or cut and joined"
            )
        }
        Unchecked => "not all that it covers is there".to_owned(),
        PartialBatch { claimed: None, found, .. } => {
            format!("the records end within the first fields of a batch, {} there", are(*found))
        }
        PartialBatch { claimed: Some(claimed), found, usual } => {
            let why = if *usual {
                ": the broker filled the response up to the limit that was asked for"
            } else {
                ""
            };
            format!("the records end within this batch, {found} of its {} there{why}", are(*claimed))
        }
        BatchLength { length, least } => {
            format!("its length is {length}, but the smallest has {least} bytes after it")
        }
        Magic { magic } => format!("magic {magic} is not known (0, 1 and 2 are), so it is shown as it is"),
        Codec { codec } => {
            format!("codec {codec} is not known (0 to 4 are), so the records are shown as they are")
        }
        TooLarge { codec, compressed, limit } => format!(
            "{} of {codec} would come to more than {}, at least {} times as much, and are not decompressed; \
             --max-decompressed sets the limit",
            bytes_counted(*compressed),
            bytes_counted(*limit),
            limit / compressed.max(&1)
        ),
        Unsupported { codec, what } => format!("this {codec} data needs {what}, so it is shown as it is"),
        Corrupt { codec, what } => format!("the {codec} data is corrupt: {what}"),
        CompressedEnds { codec } => format!("the {codec} data is corrupt: it ends too early"),
        Lz4HeaderChecksum { stored, computed, old: true } => format!(
            "the checksum of the LZ4 frame's header is {stored:#04x}, not {computed:#04x}: that of Kafka's clients before 0.10"
        ),
        Lz4HeaderChecksum { stored, computed, old: false } => {
            format!("the checksum of the LZ4 frame's header is {stored:#04x}, but should be {computed:#04x}")
        }
        Lz4Checksum { what, stored, computed } => {
            format!(
                "the checksum of the LZ4 frame's {what} is {stored:#010x}, but should be {computed:#010x}"
            )
        }
        XerialVersion => "the versions in snappy-java's framing are usually 1 and 1".to_owned(),
        MixedMagic { outer, inner } => {
            format!("a message of magic {inner} in a compressed set of magic {outer}")
        }
        UnknownPayload { version, known } => {
            format!("{version} is not known ({known} are), so the rest is shown as it is")
        }
        UnknownRecord => "a record of this type or version is not known, so it is shown as it is".to_owned(),
        NestedCompression => {
            "a message in a compressed set cannot be compressed itself, so it is shown as it is".to_owned()
        }
        RecordCount { claimed, .. } if *claimed < 0 => format!("a batch cannot have {claimed} records"),
        RecordCount { claimed, found } => format!("it says {claimed}, but the batch ends after {found}"),
        LastOffset { claimed, found } => {
            format!("the record lies {found} after baseOffset, but lastOffsetDelta is {claimed}")
        }
        BatchTooLong { length, most } => {
            format!("its length is {length}, which is more than the {most} bytes that are read of one batch")
        }
        BeforeBaseOffset { offset, file } => {
            format!(
                "the batch begins at offset {offset}, but the file is named for offset {file} and those after it"
            )
        }
        OffsetBack { offset, before } => {
            format!("the batch begins at offset {offset}, but the one before it ends at {before}")
        }
        NotAscending { value, before } => {
            format!("entries of an index ascend, but {value} comes after {before}")
        }
        UnknownFileVersion { version, known } => {
            format!("version {version} is not known ({known} is), so what follows is shown as it is")
        }
        HeaderCount { value } => format!("a record cannot have {value} headers"),
        Rest { bytes: rest } => format!("{} left after the last field", are(*rest)),
        Protobuf { what } => (*what).to_owned(),
        WireType { wire } => format!("{} is never spelled as {wire}, so it counts as unknown", item.label()),
        TooDeep { levels } => format!("deeper than {levels} levels, so it is shown as it is"),
        HeaderException { version, reason } => format!("header v{version}: {reason}"),
    }
}

fn are(count: u64) -> String {
    if count == 1 { "1 byte is".to_owned() } else { format!("{count} bytes are") }
}

/// How many bytes are left, and before what.
fn left(found: u64, limit: Limit) -> String {
    let are = if found == 1 { "is" } else { "are" };
    match limit {
        Limit::Frame { size } => format!("{found} {are} left in the frame (its size is {size})"),
        Limit::Cut { size } => {
            format!("{found} {are} left in the input, which ends within the frame (its size is {size})")
        }
        Limit::Input => format!("{found} {are} left in the input"),
        Limit::Batch { length } => format!("{found} {are} left in the batch (its length is {length})"),
        Limit::Decompressed { bytes } => format!("{found} {are} left of the {bytes} that were decompressed"),
        Limit::Record { length } => format!("{found} {are} left in the record (its length is {length})"),
        Limit::Value { length } => format!("{found} {are} left in the value (its length is {length})"),
        Limit::Field { length } => format!("{found} {are} left in the message (its length is {length})"),
        Limit::Tag { tag, size } => format!("{found} {are} left in tag {tag} (its size is {size})"),
    }
}
