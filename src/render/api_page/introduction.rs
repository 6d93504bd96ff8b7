//! The introduction of a page: how its messages are made, and what to know of their encoding. It says what holds for the two
//! messages at hand.

use super::{Specimen, is_unstable};
use crate::schema::{Api, Catalogue, Direction, Meanings, Rules};
use crate::wire::plan::{Body, Op, Plan, Step};

/// The introduction, in one paragraph.
pub fn introduction(
    catalogue: &Catalogue,
    api: &Api,
    request: &Specimen<'_>,
    response: &Specimen<'_>,
) -> String {
    let mut sentences = making(&request.plan, &response.plan);
    sentences.extend(flexibility(&request.plan, &response.plan));
    sentences.extend([request, response].into_iter().filter_map(|specimen| header(api, specimen)));
    sentences.extend(downgrade(api, response));
    sentences.extend(unanswered(api, &request.plan));
    sentences.extend(standing(catalogue, api, request.plan.version));
    sentences.push("Sizes below include the leading int32 size prefix.".to_owned());
    sentences.join(" ")
}

/// What there is in a message.
#[derive(Clone, Copy, Default)]
struct Contents {
    numbers: bool,
    bools: bool,
    uuids: bool,
    strings: bool,
    bytes: bool,
    records: bool,
    arrays: bool,
    nullable: bool,
    tagged: bool,
}

impl Contents {
    /// What there is in any of the messages. Of a tagged field there is nothing but that it could be there.
    fn of(plans: &[&Plan]) -> Contents {
        let mut contents = Contents::default();
        for plan in plans {
            contents.add_body(plan, &plan.bodies[0]);
        }
        contents
    }

    fn add_body(&mut self, plan: &Plan, body: &Body) {
        self.tagged |= !plan.tagged_of(body).is_empty();
        for step in plan.steps_of(body) {
            self.add(plan, step);
        }
    }

    fn add(&mut self, plan: &Plan, step: &Step) {
        self.nullable |= step.nullable;
        let target = usize::from(step.target);
        match step.op {
            Op::Bool => self.bools = true,
            Op::Uuid => self.uuids = true,
            Op::String => self.strings = true,
            Op::Bytes => self.bytes = true,
            Op::Records => self.records = true,
            Op::Struct => self.add_body(plan, &plan.bodies[target]),
            Op::Array => {
                self.arrays = true;
                self.add(plan, &plan.arrays[target].element);
            }
            Op::Int8 | Op::Int16 | Op::Uint16 | Op::Int32 | Op::Uint32 | Op::Int64 | Op::Float64 => {
                self.numbers = true
            }
        }
    }
}

/// How the smallest legal instances are made.
fn making(request: &Plan, response: &Plan) -> Vec<String> {
    let has = Contents::of(&[request, response]);
    // With one of each of these the rule is given as a whole, as the documentation does; with less, what there is of it.
    let whole = has.numbers && has.strings && has.arrays;
    let clauses = [
        has.numbers.then_some("numeric fields are zero"),
        has.bools.then_some("bools are false"),
        has.uuids.then_some("uuids are all zero"),
        match (has.strings, has.bytes) {
            (true, false) if !whole => Some("strings are empty"),
            (true, _) => Some("strings and byte arrays are empty"),
            (false, true) => Some("byte arrays are empty"),
            (false, false) => None,
        },
        has.arrays.then_some("every array carries exactly one sample element"),
        (whole || has.records).then_some("any records field holds one empty 61-byte RecordBatch v2"),
    ];
    let clauses: Vec<&str> = clauses.into_iter().flatten().collect();
    let rule = match clauses.as_slice() {
        [] => String::new(),
        [only] => format!(": {only}"),
        [first, last] => format!(": {first}, and {last}"),
        [first @ .., last] => format!(": {}, and {last}", first.join(", ")),
    };
    let mut sentences =
        vec![format!("This page encodes the smallest legal instance of the request and the response{rule}.")];
    sentences.extend(
        match (has.nullable, has.tagged) {
            (true, true) => Some("Fields that may be null are not null, and tagged fields are left out."),
            (true, false) => Some("Fields that may be null are not null."),
            (false, true) => Some("Tagged fields are left out."),
            (false, false) => None,
        }
        .map(str::to_owned),
    );
    let is_empty = |plan: &Plan| plan.steps_of(&plan.bodies[0]).is_empty();
    sentences.extend(
        match (is_empty(request), is_empty(response)) {
            (true, true) => Some("The bodies of both have no fields."),
            (true, false) => Some("The request's body has no fields."),
            (false, true) => Some("The response's body has no fields."),
            (false, false) => None,
        }
        .map(str::to_owned),
    );
    sentences
}

/// What it means that the version is flexible, or that it is not.
fn flexibility(request: &Plan, response: &Plan) -> Vec<String> {
    let version = request.version;
    if request.flexible == response.flexible {
        let who = format!("Version {version}");
        return vec![spelling(&who, request.flexible, Contents::of(&[request, response]))];
    }
    [("request", request), ("response", response)]
        .map(|(word, plan)| {
            spelling(&format!("Version {version} of the {word}"), plan.flexible, Contents::of(&[plan]))
        })
        .to_vec()
}

fn spelling(who: &str, flexible: bool, has: Contents) -> String {
    let strings = has.strings.then_some("strings");
    let others = [
        has.bytes.then_some("byte arrays"),
        has.records.then_some("records fields"),
        has.arrays.then_some("arrays"),
    ];
    let list = |words: &[Option<&'static str>]| {
        let words: Vec<&str> = words.iter().copied().flatten().collect();
        match words.as_slice() {
            [] => None,
            [only] => Some((*only).to_owned()),
            [first @ .., last] => Some(format!("{} and {last}", first.join(", "))),
        }
    };
    if flexible {
        let prefixed = list(&[strings, others[0], others[1], others[2]]);
        let prefixes = prefixed
            .map(|words| format!(" and {words} carry compact length-plus-one prefixes"))
            .unwrap_or_default();
        return format!(
            "{who} is a flexible version, so every struct is terminated by a uvarint tagged-field count{prefixes}."
        );
    }
    let prefixes = match (strings, list(&others)) {
        (None, None) => String::new(),
        (Some(strings), None) => format!(" and {strings} carry int16 length prefixes"),
        (None, Some(others)) => format!(" and {others} carry int32 length prefixes"),
        (Some(strings), Some(others)) => {
            format!(", {strings} carry int16 length prefixes, and {others} carry int32 ones")
        }
    };
    format!("{who} is not a flexible version, so no struct has a tagged-field count{prefixes}.")
}

/// Why a header is not of the version that the flexibility of the body would have.
fn header(api: &Api, specimen: &Specimen<'_>) -> Option<String> {
    let Plan { version, flexible, .. } = *specimen.plan;
    let direction = specimen.heading.direction;
    let found = Rules::get().header_version(direction, api.key, version, flexible);
    let usual = match direction {
        Direction::Request => 1 + i16::from(flexible),
        Direction::Response => i16::from(flexible),
    };
    let reason = found.reason.filter(|_| found.version != usual)?;
    let word = direction.word();
    Some(format!("The {word} has header v{}, not v{usual}: {reason}.", found.version))
}

/// When the response comes in another version.
fn downgrade(api: &Api, response: &Specimen<'_>) -> Option<String> {
    let rule = Rules::get().downgrade(api.key)?;
    if rule.version == response.plan.version {
        return None;
    }
    let code = rule.error_code;
    let name = Meanings::get().named("error").and_then(|errors| errors.name(code.into()));
    let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
    Some(format!(
        "A response with error code {code}{name} comes in version {}: {}.",
        rule.version, rule.reason
    ))
}

/// When there is no response.
fn unanswered(api: &Api, request: &Plan) -> Option<String> {
    let rule = Rules::get().unanswered(api.key)?;
    let (field, value) = (&rule.field, rule.value);
    request
        .steps_of(&request.bodies[0])
        .iter()
        .find(|step| *request.items[usize::from(step.item)].name == **field)?;
    // In the smallest instance every number is zero.
    Some(if value == 0 {
        format!(
            "A request whose {field} is 0 gets no response, and the one below is such a request; the response below answers one \
             with another {field}."
        )
    } else {
        format!("A request whose {field} is {value} gets no response.")
    })
}

/// Whether the version is discouraged, or not settled yet.
fn standing(catalogue: &Catalogue, api: &Api, version: i16) -> Vec<String> {
    let messages: Vec<_> = [Direction::Request, Direction::Response]
        .into_iter()
        .filter_map(|direction| catalogue.message(api, direction, version))
        .map(|definition| definition.message())
        .collect();
    let mut sentences = Vec::new();
    if messages.iter().any(|message| message.deprecated_versions.contains(version)) {
        sentences.push("Kafka calls this version deprecated.".to_owned());
    }
    if messages.iter().any(|message| is_unstable(message, version)) {
        sentences.push("This version is not stable yet: a later release may still change it.".to_owned());
    }
    sentences
}
