//! What a message is about, in a few words: topics, group, records, first error.

use super::topic_names::TopicNames;
use crate::tree::{Data, FieldPath, Flags, Kind, Node, Tree, builtin};
use crate::wire::plan::Entity;

/// What a message is about.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// The topics that it names, each once, in their order; by id where no name is known.
    pub topics: Vec<String>,
    /// Whether there are more than that.
    pub more_topics: bool,
    /// The group.
    pub group: Option<String>,
    /// How many records it carries.
    pub records: u64,
    /// How many bytes their batches have.
    pub record_bytes: u64,
    /// The first error.
    pub error: Option<FirstError>,
}

/// An error code that is not zero, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstError {
    /// The code.
    pub code: i64,
    /// Its name; `None` if it is not known.
    pub name: Option<String>,
    /// The field, from the message down.
    pub path: String,
}

/// So many topics are kept; a Metadata response may have thousands.
const MOST_TOPICS: usize = 64;

impl Summary {
    /// Empties it and keeps its memory.
    fn clear(&mut self) {
        self.topics.clear();
        *self = Summary { topics: std::mem::take(&mut self.topics), ..Summary::default() };
    }

    /// Takes the summary of a message.
    pub fn take(&mut self, tree: &Tree, data: Data<'_>, names: &TopicNames) {
        self.clear();
        let mut next = 0;
        while let Some(node) = tree.nodes.get(next) {
            let index = next;
            next += 1;
            match node.kind() {
                // What records say, the message does not; and most of the time nobody has looked into them.
                Kind::Record => next = tree.end(index),
                Kind::String | Kind::Uuid => self.named(tree, node, data, names),
                Kind::Batch => self.batch(tree, index, data),
                Kind::Int if self.error.is_none() => self.error(tree, index, data),
                _ => {}
            }
        }
    }

    fn named(&mut self, tree: &Tree, node: &Node, data: Data<'_>, names: &TopicNames) {
        let text = |node: &Node| String::from_utf8_lossy(data.slice(node.content(data))).into_owned();
        match tree.item_of(node).entity {
            Some(Entity::Topic) if node.kind() == Kind::String => self.topic(text(node)),
            Some(Entity::TopicId) => {
                let id = node.bytes(data);
                // Beside the name the id tells nothing.
                if id.iter().any(|byte| *byte != 0) {
                    self.topic(names.name(id).map_or_else(|| uuid(id), str::to_owned));
                }
            }
            Some(Entity::Group) if self.group.is_none() && node.kind() == Kind::String => {
                self.group = Some(text(node));
            }
            _ => {}
        }
    }

    fn topic(&mut self, topic: String) {
        if topic.is_empty() || self.topics.contains(&topic) {
        } else if self.topics.len() == MOST_TOPICS {
            self.more_topics = true;
        } else {
            self.topics.push(topic);
        }
    }

    fn batch(&mut self, tree: &Tree, index: usize, data: Data<'_>) {
        let node = &tree.nodes[index];
        if !node.is_in_frame() {
            // A message in a compressed set, whose bytes are those of the set.
            self.records += 1;
            return;
        }
        self.record_bytes += u64::from(node.len());
        let fields = tree.nodes[index + 1..tree.end(index)].iter();
        let mut counts =
            fields.filter(|node| node.is_builtin(builtin::RECORD_COUNT) && node.kind() == Kind::Int);
        self.records += match counts.next() {
            Some(count) => count.int(data).max(0) as u64,
            // A message is one record; one with a compressed set as many as are in there, if somebody looked.
            None => (!(index..tree.end(index)).any(|inner| tree.buffer_of(inner).is_some())).into(),
        };
    }

    fn error(&mut self, tree: &Tree, index: usize, data: Data<'_>) {
        let node = &tree.nodes[index];
        let Some(meaning) = tree.item_of(node).meaning.filter(|meaning| meaning.is_error_code()) else {
            return;
        };
        let code = node.int(data);
        if code != 0 {
            let name = meaning.name(code).map(str::to_owned);
            self.error = Some(FirstError { code, name, path: path_to(tree, index) });
        }
    }
}

/// The path to the node at `index`.
fn path_to(tree: &Tree, index: usize) -> String {
    let mut path = FieldPath::new();
    let mut parent = 0;
    while parent != index {
        let Some(child) = tree.children(parent).find(|child| index < tree.end(*child)) else { break };
        let before = tree.children(parent).take_while(|other| *other < child);
        let place = before.filter(|other| tree.nodes[*other].flags().has(Flags::ELEMENT)).count();
        path.child(tree, &tree.nodes[child], place);
        parent = child;
    }
    path.as_str().to_owned()
}

/// An id as Kafka prints it.
fn uuid(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}
