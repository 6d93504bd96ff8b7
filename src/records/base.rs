//! Where the records of a batch count from: their offsets and timestamps stand there as differences.

use crate::tree::{Data, Kind, Node, Tree, builtin};

/// What makes offsets and timestamps of the deltas in a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordBase {
    /// baseOffset: an offset in the partition's log.
    pub offset: i64,
    /// baseTimestamp: milliseconds since 1970-01-01T00:00:00Z; -1 for none.
    pub timestamp: i64,
    /// maxTimestamp, if it is the timestamp of every record: with log append time the deltas say nothing.
    pub append_time: Option<i64>,
    /// recordCount.
    pub records: i64,
}

impl RecordBase {
    /// The base of the batch at a node of a tree; `None` if that is none, or not all of its first fields are there.
    pub fn of<'d>(tree: &Tree, batch: usize, data: impl Into<Data<'d>>) -> Option<RecordBase> {
        let data = data.into();
        if tree.nodes[batch].kind() != Kind::Batch {
            return None;
        }
        let mut base = RecordBase { offset: 0, timestamp: 0, append_time: None, records: 0 };
        let (mut append_time, mut complete) = (false, false);
        // The first fields have their bits and perhaps a remark between them, and the records come after.
        for node in
            tree.nodes[batch + 1..tree.end(batch)].iter().take_while(|node| node.kind() != Kind::Record)
        {
            let is = |item| node.is_builtin(item) && node.kind() != Kind::Problem;
            if is(builtin::BASE_OFFSET) {
                base.offset = node.int(data);
            } else if is(builtin::BASE_TIMESTAMP) {
                base.timestamp = node.int(data);
            } else if is(builtin::TIMESTAMP_TYPE) {
                append_time = node.int(data) == 1;
            } else if is(builtin::MAX_TIMESTAMP) {
                base.append_time = append_time.then(|| node.int(data));
                complete = true;
            } else if is(builtin::RECORD_COUNT) {
                base.records = node.int(data);
            }
        }
        complete.then_some(base)
    }

    /// The offset of the record with this offsetDelta; `None` if there is no such number.
    pub fn offset_of<'d>(&self, record: &Node, data: impl Into<Data<'d>>) -> Option<i64> {
        self.offset.checked_add(record.int(data))
    }

    /// The timestamp of the record with this timestampDelta; `None` if it has none.
    pub fn timestamp_of<'d>(&self, record: &Node, data: impl Into<Data<'d>>) -> Option<i64> {
        match self.append_time {
            Some(time) => Some(time),
            None => self.timestamp.checked_add(record.int(data)),
        }
        .filter(|timestamp| *timestamp >= 0)
    }
}

/// What makes offsets and timestamps of those in a compressed message set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetBase {
    /// What is added to each offset: nothing in magic 0, and in magic 1 (KIP-31) the offset of the message around the set, which is that of its last
    /// message, less what the last message has itself. A producer cannot know, and leaves both alike.
    pub offset: i64,
    /// The timestamp of the message around the set, if it is that of every message in it.
    pub append_time: Option<i64>,
}

impl SetBase {
    /// The base of the messages in the set that the message at a node of a tree has in its value; `None` if it has no such set.
    pub fn of(tree: &Tree, wrapper: usize, data: Data<'_>) -> Option<SetBase> {
        if !tree.nodes[wrapper].is_builtin(builtin::MESSAGE) {
            return None;
        }
        let value = tree.children(wrapper).find(|child| tree.nodes[*child].kind() == Kind::Payload)?;
        let compressed = tree.children(value).find(|child| tree.buffer_of(*child).is_some())?;
        let messages = tree.children(compressed).filter(|child| tree.nodes[*child].kind() == Kind::Batch);
        let field = |message: usize, item: u16| {
            let mut fields = tree.nodes[message..tree.end(message)].iter();
            fields
                .find(|node| node.is_builtin(item) && node.kind() != Kind::Problem)
                .map(|node| node.int(data))
        };
        let last = field(messages.last()?, builtin::MESSAGE_OFFSET)?;
        let outer = field(wrapper, builtin::MESSAGE_OFFSET)?;
        let relative = field(wrapper, builtin::MAGIC) == Some(1) && outer != 0;
        let append_time = field(wrapper, builtin::TIMESTAMP_TYPE) == Some(1);
        Some(SetBase {
            offset: if relative { outer.wrapping_sub(last) } else { 0 },
            append_time: field(wrapper, builtin::MESSAGE_TIMESTAMP).filter(|_| append_time),
        })
    }

    /// The offset of the message in the set with this offset field.
    pub fn offset_of<'d>(&self, offset: &Node, data: impl Into<Data<'d>>) -> i64 {
        self.offset.wrapping_add(offset.int(data))
    }
}
