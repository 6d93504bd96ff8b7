//! Where the records of a batch count from: their offsets and timestamps stand there as differences.

use crate::tree::{Kind, Node, Tree, builtin};

/// What makes offsets and timestamps of the deltas in a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordBase {
    /// baseOffset: an offset in the partition's log.
    pub offset: i64,
    /// baseTimestamp: milliseconds since 1970-01-01T00:00:00Z; -1 for none.
    pub timestamp: i64,
    /// maxTimestamp, if it is the timestamp of every record: with log append time the deltas say nothing.
    pub append_time: Option<i64>,
}

impl RecordBase {
    /// The base of the batch at a node of a tree; `None` if that is none, or not all of its first fields are there.
    pub fn of(tree: &Tree, batch: usize, data: &[u8]) -> Option<RecordBase> {
        if tree.nodes[batch].kind() != Kind::Batch {
            return None;
        }
        let mut base = RecordBase { offset: 0, timestamp: 0, append_time: None };
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
            }
        }
        complete.then_some(base)
    }

    /// The offset of the record with this offsetDelta; `None` if there is no such number.
    pub fn offset_of(&self, record: &Node, data: &[u8]) -> Option<i64> {
        self.offset.checked_add(record.int(data))
    }

    /// The timestamp of the record with this timestampDelta; `None` if it has none.
    pub fn timestamp_of(&self, record: &Node, data: &[u8]) -> Option<i64> {
        match self.append_time {
            Some(time) => Some(time),
            None => self.timestamp.checked_add(record.int(data)),
        }
        .filter(|timestamp| *timestamp >= 0)
    }
}
