//! A plan that is nothing but items: for what is read by code, and not by a definition.

use std::sync::Arc;

use crate::schema::MessageKind;
use crate::wire::plan::{Item, Plan};

/// A plan with these items. Nothing walks it.
pub(super) fn plan(name: &str, items: Vec<Item>) -> Arc<Plan> {
    Arc::new(Plan {
        name: name.to_owned(),
        kind: MessageKind::Data,
        api_key: None,
        version: 0,
        flexible: false,
        items,
        steps: Vec::new(),
        segments: Vec::new(),
        templates: Vec::new(),
        tagged: Vec::new(),
        foreign: Vec::new(),
        bodies: Vec::new(),
        arrays: Vec::new(),
        names_topics: false,
    })
}
