//! Frames that are cut off anywhere, and frames in which any length lies: nothing panics, memory stays bounded, what comes before the
//! fault is as it was, every byte is accounted for, and the message says what is wrong where.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;

use kdissect::input::conversation::{Conversation, Wanted};
use kdissect::records::compression::Codec;
use kdissect::render::problem_text::problem_text;
use kdissect::render::tree_text::write_tree;
use kdissect::render::{Options, Theme, View};
use kdissect::schema::{Catalogue, Direction};
use kdissect::tree::{Flags, Kind, Node, ProblemKind, Severity, Tree, builtin};
use kdissect::wire::{Decoder, Frame, Heading};

/// Counts what each thread has allocated at its peak.
struct Counting;

thread_local! {
    static NOW: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is handed on to the system's allocator; the counters do not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        NOW.with(|now| {
            now.set(now.get() + layout.size());
            PEAK.with(|peak| peak.set(peak.get().max(now.get())));
        });
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.with(|now| now.set(now.get().saturating_sub(layout.size())));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many bytes `work` has allocated at its peak.
fn peak_of(work: impl FnOnce()) -> usize {
    let before = NOW.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    work();
    PEAK.with(Cell::get) - before
}

/// A frame and what it is.
struct Specimen {
    name: String,
    bytes: Vec<u8>,
    message: (Direction, i16, i16),
}

/// The frames of the samples and of the corpus, with what each is as far as it can be found out.
fn specimens(catalogue: &Catalogue) -> Vec<Specimen> {
    let mut files = common::files(&common::samples(), "bin");
    files.extend(common::corpus("frames").iter().flat_map(|folder| common::files(folder, "bin")));
    let mut decoder = Decoder::new(catalogue);
    let mut tree = Tree::new();
    let mut specimens = Vec::new();
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let (frame, _) = Frame::split(&bytes);
        let (heading, _) = Conversation::new(Wanted::Any).decode(&mut decoder, frame, &mut tree);
        let Some((key, version)) = heading.api_key.zip(heading.api_version) else { continue };
        if tree.severity() != Some(Severity::Malformed) {
            specimens.push(Specimen {
                name,
                bytes: frame.bytes.to_vec(),
                message: (heading.direction, key, version),
            });
        }
    }
    assert!(specimens.len() >= 8);
    specimens
}

/// So many bytes may come out of a batch here.
const MOST_DECOMPRESSED: usize = 100_000;

/// Decodes bytes as what a specimen is, checks all that must hold of any bytes, and returns the messages.
fn check(
    decoder: &mut Decoder<'_>,
    specimen: &Specimen,
    bytes: &[u8],
    tree: &mut Tree,
    what: &str,
) -> (Heading, Vec<String>) {
    let mut heading = None;
    tree.limits.decompressed = MOST_DECOMPRESSED;
    let peak = peak_of(|| {
        heading = Some(common::decode(decoder, specimen.message, bytes, tree));
    });
    let heading = heading.unwrap();
    let name = &specimen.name;
    // A node has 32 bytes and a vector may double; a plan that is compiled now has a share of its own, and so have the tables of a codec.
    assert!(
        peak < 200 * bytes.len() + 100_000 + 10 * MOST_DECOMPRESSED,
        "{name} {what}: {peak} bytes allocated"
    );
    tree.check_tiling(bytes.len()).unwrap_or_else(|error| panic!("{name} {what}: {error}"));
    let view = View::new(tree, Frame { bytes, sized: true }, &heading, decoder.catalogue());
    let mut text = Vec::new();
    write_tree(&mut text, view, &Options::default(), &Theme::plain()).unwrap();
    let grave = tree.problems.iter().filter(|problem| problem.severity() == Severity::Malformed);
    let messages: Vec<String> =
        grave.map(|problem| problem_text(tree, problem.node as usize).unwrap()).collect();
    let text = String::from_utf8(text).unwrap();
    for message in &messages {
        assert!(text.contains(&format!("+-- !! {message}\n")), "{name} {what}: {message}");
    }
    (heading, messages)
}

/// What is the same in two trees as long as the bytes are.
fn essence(node: &Node) -> (Kind, u32, u32, u16) {
    (node.kind(), node.start(), node.len(), node.item())
}

#[test]
fn frames_cut_at_every_length() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    for specimen in specimens(&catalogue) {
        let mut whole = Tree::new();
        check(&mut decoder, &specimen, &specimen.bytes, &mut whole, "whole");
        let mut tree = Tree::new();
        for cut in 1..specimen.bytes.len() {
            let bytes = &specimen.bytes[..cut];
            let what = format!("cut at {cut}");
            let (heading, messages) = check(&mut decoder, &specimen, bytes, &mut tree, &what);
            let name = &specimen.name;
            assert_eq!(messages.len(), 1, "{name} {what}: {messages:?}");
            if heading.api_version != Some(specimen.message.2) {
                continue;
            }
            let message = &messages[0];
            let version = format!(" v{}: ", specimen.message.2);
            let in_header = ["RequestHeader v", "ResponseHeader v", "size at "];
            assert!(
                message.contains(&version) || in_header.iter().any(|start| message.starts_with(start)),
                "{name} {what}: {message}"
            );
            assert!(message.contains(" at 0x"), "{name} {what}: {message}");
            // All leaves that were whole are as they were, but for those of a batch whose format is not there.
            let ends_in = |node: &&Node| {
                let is_compressed = Codec::ALL.iter().any(|codec| node.is_builtin(codec.item()));
                node.stop() as usize == cut && (node.is_builtin(builtin::PARTIAL) || is_compressed)
            };
            let partial = tree.nodes.iter().rfind(ends_in);
            let end = partial.map_or(cut, |node| node.start() as usize);
            // What is in a payload is read only if all of it is there.
            let cut_payload = whole.nodes.iter().position(|node| {
                node.kind() == Kind::Payload && node.is_in_frame() && node.stop() as usize > cut
            });
            let first = cut_payload.filter(|index| (whole.nodes[*index].start() as usize) < cut);
            let end = first.map_or(end, |index| end.min(whole.nodes[index].start() as usize));
            let untouched = |tree: &Tree| -> Vec<_> {
                let leaves = (0..tree.nodes.len()).filter(|index| tree.is_leaf(*index));
                let nodes = leaves.map(|index| tree.nodes[index]).filter(Node::is_in_frame);
                let there = nodes.filter(|node| node.stop() as usize <= end && !node.kind().is_container());
                there.filter(|node| !is_undecoded(node)).map(|node| essence(&node)).collect()
            };
            assert_eq!(untouched(&tree), untouched(&whole), "{name} {what}");
        }
    }
}

fn is_undecoded(node: &Node) -> bool {
    node.kind() == Kind::Raw && node.is_builtin(builtin::UNDECODED)
}

/// Where a length stands in a frame, and how it is spelled.
#[derive(Clone, Copy)]
enum Length {
    Int16(usize),
    Int32(usize),
    /// Offset, bytes, and how much is added to the value.
    Uvarint(usize, usize),
}

/// Every length field of a frame.
fn lengths(tree: &Tree, data: &[u8]) -> Vec<Length> {
    let mut lengths = Vec::new();
    for node in &tree.nodes {
        let start = node.start() as usize;
        let prefix = |text: bool| node.len() as usize - if text { node.content(data).len() } else { 0 };
        let compact = node.flags().has(Flags::COMPACT);
        match node.kind() {
            Kind::Int if node.is_builtin(builtin::SIZE) => lengths.push(Length::Int32(start)),
            Kind::Length | Kind::String | Kind::Bytes | Kind::NullString | Kind::NullBytes if compact => {
                let text = matches!(node.kind(), Kind::String | Kind::Bytes);
                lengths.push(Length::Uvarint(start, prefix(text)));
            }
            Kind::Length | Kind::Bytes | Kind::NullBytes => lengths.push(Length::Int32(start)),
            Kind::String | Kind::NullString => lengths.push(Length::Int16(start)),
            Kind::Uvarint => lengths.push(Length::Uvarint(start, node.len() as usize)),
            Kind::TaggedFields if node.span() == 1 => {
                lengths.push(Length::Uvarint(start, node.len() as usize))
            }
            _ => {}
        }
    }
    lengths
}

fn uvarint(mut value: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// The frame with lies in place of a length: 0, -1, -2, the greatest, one more and one less.
fn lies(frame: &[u8], length: Length) -> Vec<(String, Vec<u8>)> {
    let splice = |at: usize, old: usize, new: &[u8]| {
        let mut bytes = frame[..at].to_vec();
        bytes.extend(new);
        bytes.extend(&frame[at + old..]);
        if at > 0 {
            let size = bytes.len() as u32 - 4;
            bytes[..4].copy_from_slice(&size.to_be_bytes());
        }
        bytes
    };
    match length {
        Length::Int16(at) => {
            let true_one = i16::from_be_bytes(frame[at..at + 2].try_into().unwrap());
            [0, -1, -2, i16::MAX, i16::MIN, true_one.wrapping_add(1), true_one.wrapping_sub(1)]
                .map(|lie| (format!("int16 at {at:#x} = {lie}"), splice(at, 2, &lie.to_be_bytes())))
                .to_vec()
        }
        Length::Int32(at) => {
            let true_one = i32::from_be_bytes(frame[at..at + 4].try_into().unwrap());
            [0, -1, -2, i32::MAX, i32::MIN, true_one.wrapping_add(1), true_one.wrapping_sub(1)]
                .map(|lie| (format!("int32 at {at:#x} = {lie}"), splice(at, 4, &lie.to_be_bytes())))
                .to_vec()
        }
        Length::Uvarint(at, len) => {
            let true_one =
                frame[at..at + len].iter().rev().fold(0, |value, byte| value << 7 | u32::from(byte & 0x7f));
            let mut lies: Vec<_> =
                [0, 1, 2, u32::MAX, u32::MAX - 1, true_one + 1, true_one.saturating_sub(1)]
                    .map(|lie| (format!("uvarint at {at:#x} = {lie}"), splice(at, len, &uvarint(lie))))
                    .to_vec();
            // Bytes that never end a varint, and one that ends it too late.
            lies.push((format!("endless uvarint at {at:#x}"), splice(at, len, &[0xff; 12])));
            lies.push((format!("wide uvarint at {at:#x}"), splice(at, len, &[0xff, 0xff, 0xff, 0xff, 0x7f])));
            lies
        }
    }
}

#[test]
fn every_length_lies() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let (mut count, mut told) = (0, 0);
    for specimen in specimens(&catalogue) {
        let mut tree = Tree::new();
        check(&mut decoder, &specimen, &specimen.bytes, &mut tree, "whole");
        for length in lengths(&tree, &specimen.bytes) {
            for (what, bytes) in lies(&specimen.bytes, length) {
                let mut tree = Tree::new();
                let (_, messages) = check(&mut decoder, &specimen, &bytes, &mut tree, &what);
                count += 1;
                told += usize::from(!messages.is_empty());
                for message in messages {
                    assert!(message.contains(" at 0x"), "{} {what}: {message}", specimen.name);
                }
            }
        }
    }
    println!("{count} lies, {told} of them told");
    // A lie may be legal: a string that ends one byte earlier before a field that may begin with any byte.
    assert!(told * 10 > count * 8, "{told} of {count}");
}

/// The greatest lengths are refused at the length itself, which is named with what it wants and what is left.
#[test]
fn a_count_of_millions_is_refused_where_it_stands() {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut tree = Tree::new();
    let mut frame = b"\0\0\0\x15\0\x03\0\x01\0\0\0\x02\0\x05abcde".to_vec();
    frame.extend(54_000_000i32.to_be_bytes());
    frame.extend([0, 0]);
    decoder.request(Frame { bytes: &frame, sized: true }, &mut tree);
    assert!(matches!(tree.problems[0].kind, ProblemKind::Count { claimed: 54_000_000, found: 2, .. }));
    assert_eq!(
        problem_text(&tree, tree.problems[0].node as usize).unwrap(),
        "MetadataRequest v1: Topics at 0x0013: its count says 54000000 elements, which need 108000000 bytes or more, \
         2 are left in the frame (its size is 21)"
    );
}

/// Elements without bytes must not be counted for ever.
#[test]
fn elements_of_no_size_end() {
    let mut catalogue = Catalogue::embedded();
    let text = r#"{ "apiKey": 999, "type": "request", "name": "HollowRequest", "validVersions": "0", "flexibleVersions": "none",
        "fields": [ { "name": "Hollows", "type": "[]Hollow", "versions": "0+",
            "fields": [ { "name": "Late", "type": "int8", "versions": "1+" } ] } ] }"#;
    catalogue.overlay(&[("Hollow.json".to_owned(), text.to_owned())]).unwrap();
    let mut decoder = Decoder::new(&catalogue);
    let mut tree = Tree::new();
    let frame = b"\0\0\0\x12\x03\xe7\0\0\0\0\0\x02\0\x02ab\0\0\0\x02\xff\xff";
    decoder.request(Frame { bytes: frame, sized: true }, &mut tree);
    tree.check_tiling(frame.len()).unwrap();
    assert!(matches!(tree.problems[0].kind, ProblemKind::Count { claimed: 2, .. }));
}

#[test]
fn random_bytes_do_no_harm() {
    let seed = common::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let messages = common::all_messages(&catalogue);
    let mut tree = Tree::new();
    for _ in 0..20_000 {
        let message = *random.choice(&messages).unwrap();
        let length = random.usize(0..200);
        let mut bytes: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(length).collect();
        // Mostly small values get further.
        for byte in &mut bytes {
            if random.bool() {
                *byte = random.u8(0..4);
            }
        }
        let mut frame = (length as i32).to_be_bytes().to_vec();
        if message.0 == Direction::Request && length > 4 {
            bytes[..2].copy_from_slice(&message.1.to_be_bytes());
            bytes[2..4].copy_from_slice(&message.2.to_be_bytes());
        }
        frame.extend(bytes);
        let specimen = Specimen { name: format!("{message:?}"), bytes: Vec::new(), message };
        check(&mut decoder, &specimen, &frame, &mut tree, "random");
    }
}
