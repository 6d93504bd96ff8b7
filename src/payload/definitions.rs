//! Definitions for what is inside bytes, compiled when they are first asked for.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::schema::{Catalogue, Definition, Versions};
use crate::tree::PlanId;
use crate::wire::compile::compile;
use crate::wire::plan::Plan;
use crate::wire::sink::Sink;

/// Where the definitions of what is inside bytes come from.
#[derive(Clone, Copy)]
pub struct Definitions(&'static Catalogue);

impl Default for Definitions {
    /// Those that the program brings along.
    fn default() -> Definitions {
        static EMBEDDED: LazyLock<Catalogue> = LazyLock::new(Catalogue::embedded);
        Definitions(&EMBEDDED)
    }
}

impl Definitions {
    /// Those of a catalogue.
    pub fn of(catalogue: &'static Catalogue) -> Definitions {
        Definitions(catalogue)
    }

    /// The catalogue.
    pub(crate) fn catalogue(self) -> &'static Catalogue {
        self.0
    }

    /// The plan for a version of a definition; `None` if there is no such version.
    fn plan(self, name: &str, version: i16) -> Option<Arc<Plan>> {
        // Catalogues are told apart by where they are: they stay there.
        type Plans = HashMap<(usize, String, i16), Option<Arc<Plan>>>;
        static PLANS: LazyLock<Mutex<Plans>> = LazyLock::new(Mutex::default);
        // Input decides which versions are asked for, and those that there are not are not kept.
        let definition = self.0.named(name, version)?;
        let mut plans = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = plans
            .entry((std::ptr::from_ref(self.0) as usize, name.to_owned(), version))
            .or_insert_with(|| compile(definition.message(), version).map(Arc::new));
        plan.clone()
    }

    /// All versions of a definition.
    pub(crate) fn versions(self, name: &str) -> Versions {
        let named = self.0.definitions().iter().filter(|definition| definition.name == name);
        let all = named.map(|definition: &Definition| definition.valid_versions);
        all.reduce(|a, b| Versions::new(a.low().min(b.low()), a.high().max(b.high())))
            .unwrap_or(Versions::NONE)
    }
}

/// The plan for a version of a definition, and what nodes call it. `None` if there is no such version, or if the receiver does not care
/// what is inside bytes.
pub(crate) fn plan_of<S: Sink>(sink: &mut S, name: &str, version: i16) -> Option<(Arc<Plan>, PlanId)> {
    let definitions = sink.definitions()?;
    if let Some(known) = sink.known_plan(name, version) {
        return Some(known);
    }
    let plan = definitions.plan(name, version)?;
    let id = sink.inner_plan(&plan)?;
    Some((plan, id))
}
