//! Structures with a definition of their own inside the bytes of a record.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::reader::{Reader, Stopped};
use crate::schema::Catalogue;
use crate::tree::{Flags, Kind, Limit, PlanId, What, builtin};
use crate::wire::compile::compile;
use crate::wire::plan::Plan;
use crate::wire::sink::Sink;
use crate::wire::walk::{Route, Walk};

/// The plan of a version of a definition that is no API's; `None` if there is no such version. It is compiled when it is first asked for.
pub(super) fn plan(name: &str, version: i16) -> Option<Arc<Plan>> {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::embedded);
    type Plans = HashMap<(String, i16), Option<Arc<Plan>>>;
    static PLANS: LazyLock<Mutex<Plans>> = LazyLock::new(Mutex::default);
    // Input decides which versions are asked for, and those that there are not are not kept.
    let definition = CATALOGUE.named(name, version)?;
    let mut plans = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
    let plan = plans
        .entry((name.to_owned(), version))
        .or_insert_with(|| compile(definition.message(), version).map(Arc::new));
    plan.clone()
}

/// Reads bytes after a zigzag varint with their length, all of which are there, as a structure. Whatever is wrong in there, the next field begins
/// where the length says.
pub(super) fn bytes<S: Sink>(
    reader: &mut Reader<'_, S>,
    item: u16,
    plan: &Arc<Plan>,
    id: PlanId,
) -> Result<(), Stopped> {
    reader.node(What::new(Kind::Struct, Flags::NONE, item), |reader| {
        let length = reader.varint(builtin::VARINT_LENGTH)?;
        let (start, len) = (reader.pos(), usize::try_from(length).unwrap_or(0));
        let mut inner = reader.part(len, Limit::Value { length: len as u32 });
        let mut walk = Walk::new(inner.rest, start, &mut *inner.sink);
        walk.limit = inner.limit;
        let result = walk.message(&Route { plan, id, flags: Flags::NONE });
        let left = walk.left();
        inner.rest = &inner.rest[inner.rest.len() - left..];
        if result.is_ok() {
            inner.rest(builtin::RECORD_REST);
        }
        Ok(())
    })
}
