//! Names of topics by their ids. Fetch since v13 and Produce since v13 (KIP-516) have only ids on the wire; Metadata and others have both,
//! side by side.

use std::collections::HashMap;

use crate::tree::{Data, Kind, Tree};
use crate::wire::plan::Entity;

/// The names that have been seen beside ids.
#[derive(Clone, Default, Debug)]
pub struct TopicNames {
    names: HashMap<[u8; 16], Box<str>>,
}

/// More are not remembered; no cluster has so many topics.
const MOST: usize = 1 << 20;

impl TopicNames {
    /// The name of the topic with an id, if it has been seen.
    pub fn name(&self, id: &[u8]) -> Option<&str> {
        let id: [u8; 16] = id.try_into().ok()?;
        self.names.get(&id).map(|name| &**name)
    }

    /// How many names are known. None is ever forgotten.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no name is known.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Learns from a message: a structure with the id and the name of a topic.
    pub fn learn(&mut self, tree: &Tree, data: Data<'_>) {
        for (index, node) in tree.nodes.iter().enumerate() {
            if node.kind() != Kind::Uuid || tree.item_of(node).entity != Some(Entity::TopicId) {
                continue;
            }
            let id = node.bytes(data);
            if id.iter().all(|byte| *byte == 0) || self.name(id).is_some() || self.names.len() >= MOST {
                continue;
            }
            // The name stands right before or after the id.
            let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
            let name = beside.filter_map(|beside| tree.nodes.get(beside)).find(|beside| {
                beside.kind() == Kind::String && tree.item_of(beside).entity == Some(Entity::Topic)
            });
            let name = name.and_then(|name| std::str::from_utf8(data.slice(name.content(data))).ok());
            if let (Some(name), Ok(id)) = (name.filter(|name| !name.is_empty()), id.try_into()) {
                self.names.insert(id, name.into());
            }
        }
    }
}
