//! Every message of every version is made, decoded, and made again from what was decoded.

mod common;

use common::all_messages;
use kdissect::schema::Catalogue;
use kdissect::tree::{Kind, Severity, Tree};
use kdissect::wire::encode::encode_frame;
use kdissect::wire::plan::Plan;
use kdissect::wire::value::{Struct, struct_from_tree};
use kdissect::wire::{Decoder, instance};

/// Makes a frame of each message with `make`, and checks that it survives the round trip. Returns how many did.
fn round_trip_of_all(make: &mut dyn FnMut(&Plan) -> Struct) -> usize {
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let mut tree = Tree::new();
    let mut count = 0;
    for message in all_messages(&catalogue) {
        let plan = decoder.plan(message.0, message.1, message.2).unwrap();
        let what = format!("{} v{}", plan.name, plan.version);
        let body = make(&plan);
        let frame = common::make_frame(&mut decoder, message, &body, 7, "a-client");
        let heading = common::decode(&mut decoder, message, &frame, &mut tree);
        if heading.api_version != Some(message.2) {
            // A random error code made it look like the answer of an older broker.
            assert_eq!(plan.name, "ApiVersionsResponse");
            continue;
        }
        assert_ne!(tree.severity(), Some(Severity::Malformed), "{what}: {:?}", tree.problems);
        tree.check_tiling(frame.len()).unwrap_or_else(|error| panic!("{what}: {error}"));

        let (header_plan, plan) = common::plans(&mut decoder, message);
        let values = |kind, plan: &Plan| {
            let node = tree.nodes.iter().position(|node| node.kind() == kind).unwrap();
            struct_from_tree(&tree, &frame, node, plan, &plan.bodies[0]).expect(&what)
        };
        let decoded = values(Kind::Body, &plan);
        assert_eq!(decoded, body, "{what}");
        let mut again = Vec::new();
        encode_frame(&header_plan, &values(Kind::Header, &header_plan), &plan, &decoded, &mut again).unwrap();
        assert_eq!(again, frame, "{what}");
        count += 1;
    }
    count
}

#[test]
fn the_smallest_instances() {
    let count = round_trip_of_all(&mut instance::smallest);
    println!("{count} messages");
    assert!(count > 700);
}

#[test]
fn twenty_random_instances_of_each() {
    let seed = common::seed();
    for round in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed.wrapping_add(round));
        round_trip_of_all(&mut |plan| instance::random(plan, &mut random));
    }
}
