//! Elements and headers that look like the ones before them are not read again but copied. What comes out must be the same as if they
//! had been read.

mod common;

use std::sync::Arc;

use common::all_messages;
use kdissect::payload::Definitions;
use kdissect::schema::Catalogue;
use kdissect::tree::{Node, PlanId, Problem, Severity, Tree, What};
use kdissect::wire::plan::Plan;
use kdissect::wire::sink::Sink;
use kdissect::wire::value::{Struct, TaggedValue, Value};
use kdissect::wire::walk::{Route, Walk};
use kdissect::wire::{Decoder, instance};

/// A receiver that keeps nodes but says that it does not, so that nothing is ever copied.
#[derive(Default)]
struct Forgetful(Tree);

impl Sink for Forgetful {
    fn open(&mut self, what: What, start: usize) -> usize {
        self.0.open(what, start)
    }

    fn close(&mut self, mark: usize, stop: usize) {
        self.0.close(mark, stop);
    }

    fn leaf(&mut self, what: What, start: usize, len: usize) {
        self.0.leaf(what, start, len);
    }

    fn problem(&mut self, problem: Problem) {
        Sink::problem(&mut self.0, problem);
    }

    fn definitions(&self) -> Option<Definitions> {
        self.0.definitions()
    }

    fn known_plan(&self, name: &str, version: i16) -> Option<(Arc<Plan>, PlanId)> {
        self.0.known_plan(name, version)
    }

    fn expansion(&mut self) -> Option<(Vec<u8>, usize)> {
        self.0.expansion()
    }

    fn begin_buffer(&mut self, codec: &'static str, mark: usize, len: usize) -> usize {
        self.0.begin_buffer(codec, mark, len)
    }

    fn end_buffer(&mut self, start: usize, bytes: Vec<u8>) {
        self.0.end_buffer(start, bytes);
    }

    fn inner_plan(&mut self, plan: &Arc<Plan>) -> Option<PlanId> {
        self.0.inner_plan(plan)
    }
}

/// The nodes of a message's body by a walk, with or without copying.
fn nodes(plan: &std::sync::Arc<Plan>, bytes: &[u8]) -> [Vec<Node>; 2] {
    let (mut tree, mut forgetful) = (Tree::new(), Forgetful::default());
    let id = tree.add_plan(plan).unwrap();
    assert_eq!(forgetful.0.add_plan(plan), Some(id));
    let route = Route { plan, id, flags: Default::default() };
    let results =
        [Walk::new(bytes, 0, &mut tree).message(&route), Walk::new(bytes, 0, &mut forgetful).message(&route)];
    assert_eq!(results[0], results[1]);
    assert_eq!(tree.problems, forgetful.0.problems);
    [tree.nodes, forgetful.0.nodes]
}

/// Makes arrays longer by elements like the first, a few of which are spoilt.
fn lengthen(value: &mut Value, random: &mut fastrand::Rng) {
    match value {
        Value::Array(elements) => {
            for element in elements.iter_mut() {
                lengthen(element, random);
            }
            if let Some(first) = elements.first().cloned() {
                for _ in 0..random.usize(0..5) {
                    let mut more = first.clone();
                    if random.usize(0..3) == 0 {
                        spoil(&mut more, random);
                    }
                    elements.push(more);
                }
            }
        }
        Value::Struct(fields) => fields.fields.iter_mut().for_each(|field| lengthen(field, random)),
        _ => {}
    }
}

/// Changes something, mostly what decides how it is read.
fn spoil(value: &mut Value, random: &mut fastrand::Rng) {
    match value {
        Value::Bytes(bytes) => bytes.push(b'x'),
        Value::Int(number) => *number ^= 1,
        Value::Bool(flag) => *flag = !*flag,
        Value::Array(elements) => drop(elements.pop()),
        Value::Struct(fields) if random.usize(0..4) == 0 => {
            fields.tagged.push((4_000_000, TaggedValue::Unknown(vec![1, 2])));
        }
        Value::Struct(Struct { fields, .. }) if !fields.is_empty() => {
            let index = random.usize(0..fields.len());
            spoil(&mut fields[index], random);
        }
        _ => {}
    }
}

#[test]
fn copied_elements_are_as_if_they_had_been_read() {
    let mut random = fastrand::Rng::with_seed(common::seed());
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    for _ in 0..4 {
        for message in all_messages(&catalogue) {
            let (_, plan) = common::plans(&mut decoder, message);
            let mut value = Value::Struct(instance::random(&plan, &mut random));
            lengthen(&mut value, &mut random);
            let Value::Struct(mut body) = value else { unreachable!() };
            if !plan.flexible {
                clear_tags(&mut body);
            }
            let mut bytes = Vec::new();
            kdissect::wire::encode::encode(&plan, &body, &mut bytes).unwrap();
            // Now and then a byte is wrong, wherever it may be.
            for _ in 0..3 {
                let [copied, read] = nodes(&plan, &bytes);
                assert_eq!(copied, read, "{} v{}", plan.name, plan.version);
                if let Some(place) = (!bytes.is_empty()).then(|| random.usize(0..bytes.len())) {
                    bytes[place] = random.u8(..);
                }
            }
        }
    }
}

fn clear_tags(value: &mut Struct) {
    value.tagged.clear();
    for field in &mut value.fields {
        match field {
            Value::Struct(inner) => clear_tags(inner),
            Value::Array(elements) => {
                for element in elements {
                    if let Value::Struct(inner) = element {
                        clear_tags(inner);
                    }
                }
            }
            _ => {}
        }
    }
}

/// One decoder for all messages of a client, and a new one for each, must see the same.
#[test]
fn copied_messages_are_as_if_they_had_been_read() {
    let mut random = fastrand::Rng::with_seed(common::seed());
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let (mut tree, mut fresh) = (Tree::new(), Tree::new());
    for message in all_messages(&catalogue) {
        let (_, plan) = common::plans(&mut decoder, message);
        let mut body = instance::random(&plan, &mut random);
        for id in 0..14 {
            // Mostly the same again, or nearly.
            match random.usize(0..6) {
                0 => body = instance::random(&plan, &mut random),
                1 | 2 => {
                    let mut value = Value::Struct(body);
                    spoil(&mut value, &mut random);
                    let Value::Struct(spoilt) = value else { unreachable!() };
                    body = spoilt;
                    if !plan.flexible {
                        clear_tags(&mut body);
                    }
                }
                _ => {}
            }
            let client =
                ["order-service", "billing", "order-service", "", "order-service"][random.usize(0..5)];
            let mut frame = common::make_frame(&mut decoder, message, &body, id, client);
            if id % 4 == 3 {
                let place = random.usize(0..frame.len());
                frame[place] = random.u8(..);
            }
            if id == 12 {
                frame.truncate(random.usize(1..=frame.len()));
            }
            let heading = common::decode(&mut decoder, message, &frame, &mut tree);
            let mut newcomer = Decoder::new(&catalogue);
            assert_eq!(common::decode(&mut newcomer, message, &frame, &mut fresh), heading);
            let what = format!("{} v{}", plan.name, plan.version);
            let kinds = |tree: &Tree| -> Vec<_> {
                tree.nodes.iter().map(|node| (node.kind(), node.start(), node.len(), node.item())).collect()
            };
            assert_eq!(kinds(&tree), kinds(&fresh), "{what}");
            assert_eq!(
                tree.severity() == Some(Severity::Malformed),
                fresh.severity() == Some(Severity::Malformed)
            );
            tree.check_tiling(frame.len()).unwrap_or_else(|error| panic!("{what}: {error}"));
        }
    }
}
