//! Compiles a definition and a version to a plan.

use std::borrow::Cow;
use std::sync::Arc;

use crate::payload::Bindings;
use crate::schema::{Field, FieldType, Meanings, Message, MessageKind};

use super::default;
use super::plan::{ArrayPlan, Body, Entity, Foreign, Item, Op, Plan, Segment, SegmentKind, Step, Tagged};
use crate::tree::{Flags, Kind, MOST_ITEMS, Node, PlanId, What};

/// Lays out `version` of `message`.
///
/// Returns `None` if the message does not have that version, or if it has more fields than a plan can number
/// (16383), which no definition comes near.
pub fn compile(message: &Message, version: i16) -> Option<Plan> {
    if !message.valid_versions.contains(version) {
        return None;
    }
    let plan = Plan {
        name: message.name.clone(),
        kind: message.kind,
        api_key: message.api_key,
        version,
        flexible: message.flexible_versions.contains(version),
        items: vec![Item::new(message.name.as_str().into(), Cow::Borrowed(""), "".into())],
        steps: Vec::new(),
        segments: Vec::new(),
        templates: Vec::new(),
        tagged: Vec::new(),
        foreign: Vec::new(),
        bodies: Vec::new(),
        arrays: Vec::new(),
        names_topics: false,
    };
    let mut compiler = Compiler { message, plan, meanings: Meanings::get() };
    compiler.body(&message.fields)?;
    let names = |wanted| compiler.plan.items.iter().any(|item| item.entity == Some(wanted));
    compiler.plan.names_topics = names(Entity::Topic) && names(Entity::TopicId);
    Some(compiler.plan)
}

struct Compiler<'m> {
    message: &'m Message,
    plan: Plan,
    meanings: &'static Meanings,
}

impl Compiler<'_> {
    /// Compiles a structure's fields and returns its index.
    fn body(&mut self, fields: &[Field]) -> Option<u16> {
        let version = self.plan.version;
        // The index is given before the structures inside it get theirs, so that the message itself is the first.
        let index = u16::try_from(self.plan.bodies.len()).ok()?;
        self.plan.bodies.push(Body {
            first_step: 0,
            end_step: 0,
            first_segment: 0,
            end_segment: 0,
            first_tagged: 0,
            end_tagged: 0,
            first_foreign: 0,
            end_foreign: 0,
            flexible: self.plan.flexible,
            bound: false,
            min_size: 0,
        });
        let (mut steps, mut tagged, mut foreign) = (Vec::new(), Vec::new(), Vec::new());
        for field in fields {
            let there = field.versions.contains(version);
            match field.tag {
                Some(tag) if there && field.tagged_versions.contains(version) => {
                    tagged.push(Tagged { tag, step: self.step(field)? });
                }
                _ if there => steps.push(self.step(field)?),
                Some(tag) => {
                    let item = self.item(field, field.tagged_versions)?;
                    foreign.push(Foreign { tag, item });
                }
                None => {}
            }
        }
        tagged.sort_by_key(|field| field.tag);
        let size: u32 = steps.iter().map(|step| self.min_size(step)).fold(0, u32::saturating_add);
        let plan = &mut self.plan;
        let place =
            |list_len: usize, added: usize| Some((list_len as u32, u32::try_from(list_len + added).ok()?));
        let (first_step, end_step) = place(plan.steps.len(), steps.len())?;
        let (first_tagged, end_tagged) = place(plan.tagged.len(), tagged.len())?;
        let (first_foreign, end_foreign) = place(plan.foreign.len(), foreign.len())?;
        plan.steps.append(&mut steps);
        plan.tagged.append(&mut tagged);
        plan.foreign.append(&mut foreign);
        let flexible = plan.flexible;
        let bound = self.is_bound(first_step, end_step);
        let plan = &mut self.plan;
        let first_segment = plan.segments.len() as u32;
        self.segments(first_step, end_step);
        let plan = &mut self.plan;
        let end_segment = plan.segments.len() as u32;
        plan.bodies[usize::from(index)] = Body {
            first_step,
            end_step,
            first_segment,
            end_segment,
            first_tagged,
            end_tagged,
            first_foreign,
            end_foreign,
            flexible,
            bound,
            min_size: size.saturating_add(u32::from(flexible)),
        };
        Some(index)
    }

    /// Whether one of some steps is of a field that carries a format of its own, or says how to read one.
    fn is_bound(&self, first: u32, end: u32) -> bool {
        let plan = &self.plan;
        plan.steps[first as usize..end as usize].iter().any(|step| {
            let inner = match step.op {
                Op::Array => plan.arrays[usize::from(step.target)].element,
                _ => *step,
            };
            let within = inner.op == Op::Struct && plan.bodies[usize::from(inner.target)].bound;
            within || plan.items[usize::from(step.item)].is_bound()
        })
    }

    /// Divides steps into segments.
    fn segments(&mut self, first: u32, end: u32) {
        let flags = Flags::HEADER.only_if(self.message.kind == MessageKind::Header);
        // Whether the last segment is a run that goes on.
        let mut running = false;
        for index in first..end {
            let plan = &mut self.plan;
            let step = plan.steps[index as usize];
            // A bool may have a byte that calls for a remark, so it is looked at by itself.
            let is_bound = plan.items[usize::from(step.item)].is_bound();
            let fixed = step.template(flags).filter(|_| step.op != Op::Bool && !is_bound);
            let Some(template) = fixed else {
                running = false;
                let segment = self.other_segment(index, step, flags);
                self.plan.segments.push(segment);
                continue;
            };
            if !running {
                let kind = SegmentKind::Run;
                plan.segments.push(segment(kind, index, &step, template.what(), plan.templates.len()));
            }
            running = true;
            let Some(run) = plan.segments.last_mut() else { continue };
            plan.templates.push(template.moved(run.size as usize, PlanId::BUILTIN));
            run.size += template.len();
            run.end_step = index + 1;
        }
    }

    /// The segment of a field that is in no run.
    fn other_segment(&mut self, index: u32, step: Step, flags: Flags) -> Segment {
        let plan = &mut self.plan;
        let text = flags.with(Flags::COMPACT.only_if(step.compact));
        let what = |kind, flags| What::new(kind, flags, step.item);
        let first_template = plan.templates.len();
        let new = |kind, what| segment(kind, index, &step, what, first_template);
        match step.op {
            _ if plan.items[usize::from(step.item)].is_bound() => {
                new(SegmentKind::Field, what(Kind::Raw, Flags::NONE))
            }
            Op::Bool => new(SegmentKind::Bool, what(Kind::Bool, flags)),
            Op::String => new(SegmentKind::String, what(Kind::String, text)),
            Op::Bytes => new(SegmentKind::Bytes, what(Kind::Bytes, text)),
            Op::Array => {
                let ArrayPlan { element, min_size, template } = plan.arrays[usize::from(step.target)];
                let array = what(Kind::Array, Flags::NONE);
                match (template, element.op) {
                    (Some(template), _) => {
                        plan.templates.push(template);
                        Segment { size: min_size, ..new(SegmentKind::FixedArray, array) }
                    }
                    // A count of structures without bytes could be anything.
                    (None, Op::Struct) if plan.bodies[usize::from(element.target)].min_size > 0 => {
                        let what = What::new(Kind::Struct, Flags::ELEMENT, element.item);
                        plan.templates.push(Node::new(0, 0, 1, what));
                        let body = element.target;
                        Segment { size: min_size, body, ..new(SegmentKind::StructArray, array) }
                    }
                    _ => new(SegmentKind::Field, array),
                }
            }
            _ => new(SegmentKind::Field, what(Kind::Raw, Flags::NONE)),
        }
    }

    fn step(&mut self, field: &Field) -> Option<Step> {
        let version = self.plan.version;
        let compact = match field.flexible_versions {
            Some(versions) => versions.contains(version),
            None => self.plan.flexible,
        };
        let item = self.item(field, field.versions)?;
        let nullable = field.nullable_versions.contains(version);
        let (op, target) = match &field.field_type {
            FieldType::Array(element) => (Op::Array, self.array(field, element, item, compact)?),
            FieldType::Struct(_) => (Op::Struct, self.body(self.message.struct_fields(field)?)?),
            scalar => (scalar_op(scalar), 0),
        };
        // Whether a structure is there is told by an int8, but by a uvarint if it is a tagged field.
        let compact = if op == Op::Struct { field.tagged_versions.contains(version) } else { compact };
        Some(Step { op, compact, nullable, item, target })
    }

    fn array(&mut self, field: &Field, element: &FieldType, field_item: u16, compact: bool) -> Option<u16> {
        let type_name = type_word(element);
        let meaning = self.plan.items[usize::from(field_item)].meaning;
        let mut item = Item::new(type_name.as_ref().into(), type_name, "".into()).with_meaning(meaning);
        item.entity = self.plan.items[usize::from(field_item)].entity;
        let item = self.add_item(item)?;
        let (op, target) = match element {
            FieldType::Struct(_) => (Op::Struct, self.body(self.message.struct_fields(field)?)?),
            scalar => (scalar_op(scalar), 0),
        };
        let element = Step { op, compact, nullable: false, item, target };
        let min_size = self.min_size(&element).max(1);
        let index = u16::try_from(self.plan.arrays.len()).ok()?;
        // As in runs, bools are looked at one by one.
        let template = element.template(Flags::ELEMENT).filter(|_| op != Op::Bool);
        self.plan.arrays.push(ArrayPlan { element, min_size, template });
        Some(index)
    }

    fn item(&mut self, field: &Field, versions: crate::schema::Versions) -> Option<u16> {
        let nullable = field.nullable_versions.contains(self.plan.version);
        let type_name = match &field.field_type {
            FieldType::String if nullable => Cow::Borrowed("nullable_string"),
            FieldType::Bytes if nullable => Cow::Borrowed("nullable_bytes"),
            other => type_word(other),
        };
        // The documentation has the fields of headers in the spelling of the protocol guide.
        let name = match self.message.kind {
            MessageKind::Header => snake_case(&field.name).into(),
            _ => Arc::clone(&field.name),
        };
        let message = &self.message.name;
        let mut item = Item::new(name, type_name, Arc::clone(&field.about))
            .with_meaning(self.meanings.of_field(message, &field.name, &field.field_type));
        item.entity = entity(field);
        let bindings = Bindings::get();
        item.slot = bindings.slot(message, &field.name);
        item.format = bindings.format(message, &field.name);
        item.secrecy = bindings.secrecy(message, &field.name);
        item.absence = self.meanings.absence(message, &field.name, self.plan.version);
        item.versions = versions;
        item.map_key = field.map_key;
        item.default = default::of_definition(field);
        self.add_item(item)
    }

    fn add_item(&mut self, item: Item) -> Option<u16> {
        let index =
            u16::try_from(self.plan.items.len()).ok().filter(|index| usize::from(*index) < MOST_ITEMS)?;
        self.plan.items.push(item);
        Some(index)
    }

    /// The fewest bytes that `step` can read.
    fn min_size(&self, step: &Step) -> u32 {
        match step.op {
            Op::String => {
                if step.compact {
                    1
                } else {
                    2
                }
            }
            Op::Bytes | Op::Records | Op::Array => {
                if step.compact {
                    1
                } else {
                    4
                }
            }
            Op::Struct if step.nullable => 1,
            Op::Struct => self.plan.bodies[usize::from(step.target)].min_size,
            other => other.fixed_size().map_or(0, |size| size as u32),
        }
    }
}

fn segment(kind: SegmentKind, index: u32, step: &Step, what: What, first_template: usize) -> Segment {
    let (compact, nullable) = (step.compact, step.nullable);
    let (first_step, end_step, first_template) = (index, index + 1, first_template as u32);
    Segment { kind, compact, nullable, what, first_step, end_step, first_template, body: 0, size: 0 }
}

/// What a field names. Definitions say so of names, but not of the ids of topics.
fn entity(field: &Field) -> Option<Entity> {
    match field.entity_type.as_deref() {
        Some("topicName") => Some(Entity::Topic),
        Some("groupId") => Some(Entity::Group),
        _ if field.field_type == FieldType::Uuid && field.name.eq_ignore_ascii_case("TopicId") => {
            Some(Entity::TopicId)
        }
        _ => None,
    }
}

fn scalar_op(scalar: &FieldType) -> Op {
    match scalar {
        FieldType::Bool => Op::Bool,
        FieldType::Int8 => Op::Int8,
        FieldType::Int16 => Op::Int16,
        FieldType::Uint16 => Op::Uint16,
        FieldType::Int32 => Op::Int32,
        FieldType::Uint32 => Op::Uint32,
        FieldType::Int64 => Op::Int64,
        FieldType::Float64 => Op::Float64,
        FieldType::Uuid => Op::Uuid,
        FieldType::String => Op::String,
        FieldType::Bytes => Op::Bytes,
        FieldType::Records => Op::Records,
        FieldType::Struct(_) => Op::Struct,
        FieldType::Array(_) => Op::Array,
    }
}

/// The notation of a type; only those of structures must be made.
fn type_word(field_type: &FieldType) -> Cow<'static, str> {
    match field_type.scalar_word() {
        Some(word) => Cow::Borrowed(word),
        None => Cow::Owned(field_type.to_string()),
    }
}

/// `RequestApiKey` as `request_api_key`.
fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Catalogue, Direction};

    fn plan(api: &str, direction: Direction, version: i16) -> Plan {
        let catalogue = Catalogue::embedded();
        let definition = catalogue.message(catalogue.find_api(api).unwrap(), direction, version).unwrap();
        compile(definition.message(), version).unwrap()
    }

    #[test]
    fn a_plan_has_the_fields_of_its_version_only() {
        let names = |version| {
            let plan = plan("Metadata", Direction::Request, version);
            let steps = plan.steps_of(&plan.bodies[0]);
            steps.iter().map(|step| plan.items[usize::from(step.item)].name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["Topics"]);
        assert_eq!(names(4), ["Topics", "AllowAutoTopicCreation"]);
        assert_eq!(names(13), ["Topics", "AllowAutoTopicCreation", "IncludeTopicAuthorizedOperations"]);
    }

    #[test]
    fn nullability_and_compactness_are_those_of_the_version() {
        let topics = |version| {
            let plan = plan("Metadata", Direction::Request, version);
            plan.steps_of(&plan.bodies[0])[0]
        };
        assert_eq!((topics(0).nullable, topics(0).compact), (false, false));
        assert_eq!((topics(1).nullable, topics(9).compact), (true, true));
    }

    #[test]
    fn tags_of_other_versions_are_known_as_such() {
        let old = plan("Fetch", Direction::Request, 12);
        assert_eq!(old.tagged_of(&old.bodies[0]).iter().map(|field| field.tag).collect::<Vec<_>>(), [0]);
        let foreign = old.foreign_of(&old.bodies[0]);
        assert_eq!(foreign.len(), 1);
        let item = &old.items[usize::from(foreign[0].item)];
        assert_eq!(
            (foreign[0].tag, &*item.name, item.versions.to_string().as_str()),
            (1, "ReplicaState", "15+")
        );
    }

    #[test]
    fn the_smallest_sizes_are_right() {
        let plan = plan("DescribeTransactions", Direction::Response, 0);
        // ThrottleTimeMs, an empty array, no tagged fields.
        assert_eq!(plan.bodies[0].min_size, 4 + 1 + 1);
    }

    #[test]
    fn header_fields_are_in_snake_case() {
        assert_eq!(snake_case("RequestApiKey"), "request_api_key");
        assert_eq!(snake_case("ClientId"), "client_id");
    }
}
