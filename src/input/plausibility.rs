//! How plausible it is that bytes are a certain message: a receiver of the walk that keeps a score and no nodes.

use crate::schema::MeaningKind;
use crate::tree::{Flags, Kind, Node, PlanId, Problem, Severity, What};
use crate::wire::frame::Frame;
use crate::wire::plan::Plan;
use crate::wire::sink::Sink;
use crate::wire::walk::{Route, Walk};

/// How well bytes fit a message. The greater, the more plausible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fit {
    /// What speaks against it, negative.
    doubts: i64,
    /// How many bytes mean something: readable text in string fields, codes that have a name.
    sense: u64,
}

impl Fit {
    /// Of a message of which only the header can be read, with so many bytes of readable text in it.
    pub fn of_header(text: u64) -> Fit {
        Fit { doubts: -1, sense: text }
    }
}

/// How far a message gets that does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// How well it fits up to there.
    pub fit: Fit,
    /// The offset of what is wrong.
    pub stop: usize,
}

impl Reach {
    /// The greater, the nearer it comes: bytes that were read, readable text above all, less what speaks against it.
    pub fn nearness(&self) -> i64 {
        self.stop as i64 + 3 * self.fit.sense as i64 + 4 * self.fit.doubts
    }
}

/// Walks a frame as a message with a header and a body. Returns how well it fits.
///
/// # Errors
/// If it does not fit to the last byte: how far it got.
pub fn fit(frame: Frame<'_>, header: &Plan, body: &Plan) -> Result<Fit, Reach> {
    let mut scorer =
        Scorer { plan: header, data: frame.bytes, fit: Fit { doubts: 0, sense: 0 }, broken_at: None };
    let mut walk = Walk::new(frame.content(), frame.header_at(), &mut scorer);
    let mut stopped = false;
    for plan in [header, body] {
        walk.sink.plan = plan;
        let route = Route { plan, id: PlanId::FIRST, flags: Flags::NONE };
        stopped = stopped || walk.message(&route).is_err();
    }
    let end = walk.pos();
    let left = walk.left();
    let cut = frame.size().is_some_and(|size| size as usize != frame.content().len());
    let wrong = scorer.broken_at.or((left > 0 || cut).then_some(end));
    match wrong {
        None if !stopped => Ok(scorer.fit),
        _ => Err(Reach { fit: scorer.fit, stop: wrong.unwrap_or(end) }),
    }
}

struct Scorer<'s> {
    /// The plan that is being walked.
    plan: &'s Plan,
    data: &'s [u8],
    fit: Fit,
    /// The offset of the first thing that is wrong.
    broken_at: Option<usize>,
}

/// 2000-01-01 and 2100-01-01 in milliseconds: points in time outside are unlikely.
const LIKELY_TIMES: std::ops::Range<i64> = 946_684_800_000..4_102_444_800_000;

impl Scorer<'_> {
    fn doubt(&mut self, weight: i64) {
        self.fit.doubts -= weight;
    }

    fn number(&mut self, item: u16, number: i64) {
        let item = &self.plan.items[usize::from(item)];
        let weight = match item.meaning {
            Some(meaning) if meaning.kind == MeaningKind::Timestamp => {
                let known = meaning.name(number).is_some() || meaning.is_unnamed(number);
                if known || LIKELY_TIMES.contains(&number) { 0 } else { 3 }
            }
            Some(meaning) if meaning.accepts(number) => {
                let named = meaning.strict && number != 0 && meaning.name(number).is_some();
                self.fit.sense += if named { 2 } else { 0 };
                0
            }
            Some(_) => 10,
            // Ids, counts, epochs and durations are rarely below -2, and rarely in the hundreds of millions.
            None => {
                let odd = number < -2 || item.type_name.ends_with("int32") && number > 500_000_000;
                if odd { 2 } else { 0 }
            }
        };
        self.doubt(weight);
    }

    fn text(&mut self, bytes: &[u8]) {
        let Ok(text) = str::from_utf8(bytes) else { return self.doubt(10) };
        if text.chars().any(char::is_control) {
            self.doubt(5);
        } else {
            self.fit.sense += bytes.len() as u64;
        }
    }
}

impl Sink for Scorer<'_> {
    fn open(&mut self, what: What, start: usize) -> usize {
        let node = Node::new(start, 0, 1, what);
        if node.kind() == Kind::UnknownTag {
            self.doubt(4);
        }
        0
    }

    fn close(&mut self, _: usize, _: usize) {}

    fn leaf(&mut self, what: What, start: usize, len: usize) {
        let node = Node::new(start, len, 1, what);
        match node.kind() {
            Kind::Int | Kind::Bool if node.plan() != PlanId::BUILTIN => {
                self.number(node.item(), node.int(self.data))
            }
            Kind::String => self.text(&self.data[node.content(self.data)]),
            _ => {}
        }
    }

    fn problem(&mut self, problem: Problem) {
        match problem.severity() {
            Severity::Malformed => {
                self.broken_at.get_or_insert(problem.offset as usize);
            }
            // Nothing unusual about these.
            Severity::Note if problem.kind.is_about_records() => {}
            Severity::Note => self.doubt(5),
        }
    }
}
