//! Which fields both of two plans have.

use crate::tree::{Node, PlanId, Tree};
use crate::wire::plan::{Body, Op, Plan, Step};

/// Of each plan of a message, which of its items the other message's plans have too.
#[derive(Default)]
pub struct Shared {
    plans: Vec<(PlanId, Vec<bool>)>,
}

impl Shared {
    /// Adds the plan of a header or body, `None` in `other` if the other message has no such part.
    pub fn add(&mut self, tree: &Tree, id: PlanId, other: Option<&Plan>) {
        let Some(plan) = tree.plan(id) else { return };
        let mut items = vec![false; plan.items.len()];
        if let (Some(other), Some(body)) = (other, plan.bodies.first())
            && let Some(other_body) = other.bodies.first()
        {
            mark(&mut items, plan, body, other, other_body);
        }
        self.plans.push((id, items));
    }

    /// Whether the other message's version has the field that a node is.
    pub fn has(&self, node: &Node) -> bool {
        let plan = self.plans.iter().find(|(id, _)| *id == node.plan());
        plan.is_none_or(|(_, items)| items[usize::from(node.item())])
    }
}

fn mark(items: &mut [bool], plan: &Plan, body: &Body, other: &Plan, other_body: &Body) {
    for step in all_steps(plan, body) {
        let name = &plan.items[usize::from(step.item)].name;
        let partner =
            all_steps(other, other_body).find(|partner| other.items[usize::from(partner.item)].name == *name);
        if let Some(partner) = partner {
            mark_step(items, plan, step, other, partner);
        }
    }
}

fn mark_step(items: &mut [bool], plan: &Plan, step: &Step, other: &Plan, partner: &Step) {
    items[usize::from(step.item)] = true;
    let (target, other_target) = (usize::from(step.target), usize::from(partner.target));
    match (step.op, partner.op) {
        (Op::Struct, Op::Struct) => {
            mark(items, plan, &plan.bodies[target], other, &other.bodies[other_target]);
        }
        (Op::Array, Op::Array) => {
            let (element, partner) = (&plan.arrays[target].element, &other.arrays[other_target].element);
            mark_step(items, plan, element, other, partner);
        }
        _ => {}
    }
}

/// The fields of a structure, tagged ones included.
fn all_steps<'p>(plan: &'p Plan, body: &Body) -> impl Iterator<Item = &'p Step> {
    let tagged = plan.tagged_of(body).iter().map(|tagged| &tagged.step);
    plan.steps_of(body).iter().chain(tagged)
}
