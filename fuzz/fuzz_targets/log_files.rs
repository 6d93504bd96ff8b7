//! Any bytes as files of a broker's log: nothing panics, and the parts tile the file.

#![no_main]

use std::sync::OnceLock;

use kdissect::log::content::is_segment;
use kdissect::log::text::Lines;
use kdissect::log::{Index, LogFileKind, PartKind, Segment, TextKind};
use kdissect::schema::Catalogue;
use kdissect::tree::Tree;
use libfuzzer_sys::fuzz_target;

fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(Catalogue::embedded)
}

fuzz_target!(|input: &[u8]| {
    is_segment(input);
    let mut tree = Tree::new();
    let mut segment = Segment::new(input, Some(0));
    let mut next = 0;
    while let Some(part) = segment.next_part(&mut tree).unwrap() {
        assert_eq!(part.start, next);
        next += part.len;
        if part.kind == PartKind::Tree {
            tree.check_tiling(part.len as usize).unwrap();
        }
    }
    assert_eq!(next, input.len() as u64);
    for kind in [
        LogFileKind::OffsetIndex,
        LogFileKind::TimeIndex,
        LogFileKind::TransactionIndex,
        LogFileKind::ProducerSnapshot,
    ] {
        let mut index = Index::new(input, kind, catalogue()).unwrap();
        while let Some(part) = index.next_part(7, &mut tree).unwrap() {
            if part.kind == PartKind::Tree {
                tree.check_tiling(part.len as usize).unwrap();
            }
        }
    }
    for kind in [
        TextKind::LeaderEpochs,
        TextKind::Offsets,
        TextKind::PartitionMetadata,
        TextKind::MetaProperties,
        TextKind::QuorumState,
    ] {
        Lines::read(kind, input);
    }
});
