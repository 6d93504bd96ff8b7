//! A message as JSON: one object, in one line.
//!
//! ```json
//! {"direction":"request","apiKey":65,"apiName":"DescribeTransactions","apiVersion":0,"headerVersion":2,
//!  "correlationId":0,"clientId":"","size":14,"body":{"transactionalIds":[""]},"problems":[]}
//! ```
//!
//! - `direction` is `"request"` or `"response"`. It is null, like whatever else is not known, for a frame that reads as neither.
//! - `apiVersion` is the version that the message is in; a broker may answer in an older one than it was asked for.
//! - `clientId` is null where it is null on the wire. Responses, and the header of ControlledShutdown v0, do not have one.
//! - `size` is what the size field says; null if the frame has none.
//! - `body` has the names and the forms of Kafka's own JSON converters: names with a lower first letter, numbers as numbers
//!   (those of 64 bits too), bytes in base64, uuids as Kafka prints them, tagged fields by their names where they are there.
//! - `problems` says what is wrong, in the words that go to standard error; it is empty for a message that is sound. `notes` says what is
//!   legal and worth knowing, if there is anything.
//!
//! Kafka's converters lose what they do not know. What follows is not theirs, so that bytes are told in full and can be made
//! again from the JSON:
//!
//! - A records field is an array of what is in it, under its own name; see below. Kafka writes how many bytes there are, as
//!   `recordsSizeInBytes`. Records that may begin anywhere in a batch (FetchSnapshot) are their bytes in base64.
//! - A string that is not valid UTF-8 is `{"base64": "…"}` in place of the string; so is a float64 that is a NaN with
//!   something in it. Other floats that JSON has no numbers for are `"NaN"`, `"Infinity"`, `"-Infinity"`, as with Kafka.
//! - `"_unknownTaggedFields": [{"tag": 9, "data": "…"}]`, last in its structure, has the tagged fields without a name there, in
//!   their order: tags that the version does not know, tags that come a second time, and tagged fields whose bytes are not what
//!   their definition says. Those of the header stand beside `clientId`.
//! - A tagged field that is there stands there even if it has its default, which Kafka leaves out.
//! - `undecoded` has the bytes in base64 that decoding did not get through; `body` then ends where it stopped, and is null if
//!   the message is of an API or version that is not known, or a SASL token without a header. Without `undecoded` the body is complete.
//! - `trailing` has the bytes in base64 that were left after the body, if there were any.
//! - `alternatives` lists what else a response may be whose request is not known, if there is anything: `"Heartbeat v0-3"`.
//!
//! A key is there twice in no object.
//!
//! # Records
//!
//! ```json
//! [{"baseOffset":41,"partitionLeaderEpoch":5,"magic":2,
//!   "attributes":{"compression":"none","timestampType":"createTime","isTransactional":false,"isControl":false,"hasDeleteHorizon":false},
//!   "lastOffsetDelta":0,"baseTimestamp":1700000000000,"maxTimestamp":1700000000000,"producerId":-1,"producerEpoch":-1,"baseSequence":-1,
//!   "records":[{"attributes":0,"timestampDelta":0,"offsetDelta":0,"offset":41,"timestamp":1700000000000,
//!               "key":"order-1","value":null,"headers":[{"key":"trace","value":{"base64":"/wA="}}]}]},
//!  {"offset":42,"magic":1,"attributes":{"compression":"none","timestampType":"createTime"},"timestamp":1700000000000,"key":null,"value":"x"},
//!  "AAAAAAAAACsAAA=="]
//! ```
//!
//! An entry is an object, for a batch or for a message of magic 0 or 1, if its values tell all of its bytes. If not (the last batch is cut
//! off, bytes are left over, a varint is longer than it need be, the magic is unknown) it is its bytes in base64.
//!
//! - Names are those of the tree. Keys and values, of headers too, are strings, or `{"base64": "…"}` if they are not UTF-8; null is not empty.
//! - `compression` is a name, or the number of a codec that is not known. `otherBits` has the bits of the attributes that have no name, if
//!   any is set.
//! - `crc` and `recordCount` are there only if they are wrong; how long a batch is follows from the rest.
//! - `offset` and `timestamp` of a record are worked out from the deltas, and null if the deltas come to none. `controlType` is the name of
//!   the type of a control record (Kafka's ControlRecordType), or its number. `decodedKey` and `decodedValue` have the fields of keys and values
//!   for which there is a definition, as for the records of internal topics. An encoder does not need them. The `offset` of a message is the
//!   one that stands there, which in a compressed message set may be relative.
//! - Compressed records are told as values, and a compressed message set by `messages` in place of `value`. An encoder compresses them again:
//!   the values come back, but not always the same bytes. What does not decompress, and records that their values do not tell, are
//!   `compressed` in place of `records`, `messages` or `value`, in base64; `recordCount` is then always there.
//!
//! # Secrets
//!
//! A value that nobody but its owner should see is `{"hidden": 12}`, with the number of its bytes, unless
//! [`View::show_secrets`] says otherwise; so are bytes in base64 that have such a value in them. An encoder refuses it.

mod body;
mod line;
pub mod payload;
mod records;
mod text;
mod told;

use std::io::{self, Write};

use super::View;
use super::problem_text::{note_text, problem_text};
use crate::schema::Direction;
use crate::tree::{Data, Kind, PlanId, Severity, Tree, builtin};
pub use line::JsonLine;

use body::{Fields, Reach};
use records::RecordsJson;
use text::JsonText;

/// Writes a message as one JSON object and the end of the line. `alternatives` are other messages that it may be.
pub fn write_json<W: Write>(out: W, view: View<'_>, alternatives: &[String]) -> io::Result<()> {
    let mut message = Message { view, json: JsonText::new(out) };
    message.json.open(b'{')?;
    message.heading()?;
    message.body()?;
    message.remarks(alternatives)?;
    message.json.close(b'}')?;
    message.json.end_line()
}

/// Writes an entry of a records field, the node at `entry`, and the end of the line: an object for a batch or message, and a string with the
/// bytes in base64 for what its values do not tell. Secrets are shown if `show_secrets` says so.
pub fn write_entry<W: Write>(
    out: W,
    tree: &Tree,
    data: Data<'_>,
    entry: usize,
    show_secrets: bool,
) -> io::Result<()> {
    let mut json = JsonText::new(out);
    RecordsJson { tree, data, show_secrets, json: &mut json }.entry(entry)?;
    json.end_line()
}

struct Message<'v, W> {
    view: View<'v>,
    json: JsonText<W>,
}

impl<'v, W: Write> Message<'v, W> {
    fn heading(&mut self) -> io::Result<()> {
        let View { tree, frame, heading, catalogue, show_secrets, .. } = self.view;
        let json = &mut self.json;
        let recognised = !tree.nodes.first().is_some_and(|root| root.is_builtin(builtin::UNKNOWN_MESSAGE));
        json.key("direction")?;
        match recognised {
            true => json.string(heading.direction.word())?,
            false => json.null()?,
        }
        json.key("apiKey")?;
        json.optional_int(heading.api_key)?;
        json.key("apiName")?;
        match heading.api_key.and_then(|key| catalogue.api(key)) {
            Some(api) => json.string(&api.name)?,
            None => json.null()?,
        }
        json.key("apiVersion")?;
        json.optional_int(heading.api_version)?;
        let header = self.child(Kind::Header);
        let plan = header.and_then(|header| tree.plan(tree.nodes[header].plan()));
        let json = &mut self.json;
        json.key("headerVersion")?;
        json.optional_int(plan.map(|plan| plan.version))?;
        json.key("correlationId")?;
        json.optional_int(heading.correlation_id)?;
        if heading.direction == Direction::Request
            && let Some(header) = header
        {
            self.client_id(header)?;
        }
        if let (Some(header), Some(plan)) = (header, plan) {
            let tags = tree.children(header).find(|child| tree.nodes[*child].kind() == Kind::TaggedFields);
            if let Some(tags) = tags {
                let (data, json) = (tree.data(frame.bytes), &mut self.json);
                let mut fields = Fields { tree, data, plan, show_secrets, json };
                // If they are broken there is no body.
                let _ = fields.tagged(tags, &plan.bodies[0])?;
            }
        }
        self.json.key("size")?;
        self.json.optional_int(frame.size())
    }

    /// The client id, if the header has one.
    fn client_id(&mut self, header: usize) -> io::Result<()> {
        let View { tree, frame, .. } = self.view;
        let is_text = |child: &usize| matches!(tree.nodes[*child].kind(), Kind::String | Kind::NullString);
        let Some(index) = tree.children(header).find(is_text) else { return Ok(()) };
        self.json.key("clientId")?;
        match tree.content(index, frame.bytes.into()) {
            Some(content) if self.hides(index) => self.json.hidden(content.len()),
            Some(content) => self.json.text(content),
            None => self.json.null(),
        }
    }

    /// The body, and the bytes that are not in it.
    fn body(&mut self) -> io::Result<()> {
        let View { tree, frame, show_secrets, .. } = self.view;
        let body = self.child(Kind::Body);
        let plan = body.and_then(|body| tree.plan(tree.nodes[body].plan()));
        self.json.key("body")?;
        let reach = match (body, plan) {
            (Some(body), Some(plan)) => {
                let (data, json) = (tree.data(frame.bytes), &mut self.json);
                let mut fields = Fields { tree, data, plan, show_secrets, json };
                fields.structure(body, &plan.bodies[0])?
            }
            _ => {
                self.json.null()?;
                Reach::Part
            }
        };
        if reach == Reach::Part {
            self.json.key("undecoded")?;
            let raw = self.last_raw(&[builtin::UNDECODED, builtin::UNKNOWN_BODY]);
            self.rest(self.token().or(self.cut_records()).or(raw))?;
        }
        let trailing = self.last_raw(&[builtin::TRAILING]);
        if trailing.is_some() {
            self.json.key("trailing")?;
            self.rest(trailing)?;
        }
        Ok(())
    }

    /// Bytes at the end, by the node that they belong to.
    fn rest(&mut self, rest: Option<(usize, &[u8])>) -> io::Result<()> {
        match rest {
            Some((index, bytes)) if self.hides(index) => self.json.hidden(bytes.len()),
            Some((_, bytes)) => self.json.base64(bytes),
            None => self.json.base64(b""),
        }
    }

    /// Whether there is something in a node that must not be seen.
    fn hides(&self, index: usize) -> bool {
        !self.view.show_secrets && self.view.tree.holds_secret(index)
    }

    fn remarks(&mut self, alternatives: &[String]) -> io::Result<()> {
        let json = &mut self.json;
        if !alternatives.is_empty() {
            json.key("alternatives")?;
            json.open(b'[')?;
            alternatives.iter().try_for_each(|alternative| json.string(alternative))?;
            json.close(b']')?;
        }
        self.json.key("problems")?;
        self.list(Severity::Malformed)?;
        if self.view.tree.problems.iter().any(|problem| problem.severity() == Severity::Note) {
            self.json.key("notes")?;
            self.list(Severity::Note)?;
        }
        Ok(())
    }

    /// All problems of a severity, in words.
    fn list(&mut self, severity: Severity) -> io::Result<()> {
        let tree = self.view.tree;
        self.json.open(b'[')?;
        for problem in tree.problems.iter().filter(|problem| problem.severity() == severity) {
            let node = problem.node as usize;
            // What holds for the whole header or body has no place that is worth telling.
            let whole = (problem.plan, problem.item) == (PlanId::BUILTIN, builtin::UNKNOWN_BODY);
            let text = match severity {
                Severity::Note if whole => note_text(tree, node),
                _ => problem_text(tree, node),
            };
            self.json.string(&text.unwrap_or_default())?;
        }
        self.json.close(b']')
    }

    /// The child of the message that is of a kind.
    fn child(&self, kind: Kind) -> Option<usize> {
        let tree = self.view.tree;
        if tree.nodes.is_empty() {
            return None;
        }
        tree.children(0).find(|child| tree.nodes[*child].kind() == kind)
    }

    /// All after the size of a SASL token without a header.
    fn token(&self) -> Option<(usize, &'v [u8])> {
        let View { tree, frame, .. } = self.view;
        let is_token = tree.nodes.first().is_some_and(|root| root.is_builtin(builtin::SASL_TOKEN));
        is_token.then(|| (0, frame.content()))
    }

    /// What is there of the records that the frame ends in, if it was cut off there.
    fn cut_records(&self) -> Option<(usize, &'v [u8])> {
        let View { tree, frame, .. } = self.view;
        let records = tree.nodes.iter().rposition(|node| node.kind() == Kind::Records)?;
        let content = tree.content_after_length(records);
        let cut = tree.count(records, frame.bytes) > Some(content.len() as u64);
        cut.then(|| (records, &frame.bytes[content]))
    }

    /// The leaf that the frame ends with and its bytes, if it is one of these builtin items.
    fn last_raw(&self, items: &[u16]) -> Option<(usize, &'v [u8])> {
        let View { tree, frame, .. } = self.view;
        let last = tree.nodes.iter().rposition(|node| node.kind().covers_bytes() && node.is_in_frame())?;
        let node = &tree.nodes[last];
        let is_raw = node.kind() == Kind::Raw && items.iter().any(|item| node.is_builtin(*item));
        is_raw.then(|| (last, node.bytes(frame.bytes)))
    }
}
