//! Whole frames from a few header values and a body.

use std::sync::Arc;

use super::Decoder;
use super::encode::{EncodeError, encode_frame};
use super::plan::Plan;
use super::value::{Struct, TaggedValue, Value};
use crate::schema::{Direction, MessageKind, Rules};

/// What a header says that does not follow from the message it stands before.
#[derive(Clone, PartialEq, Debug)]
pub struct HeaderValues {
    /// The correlation id.
    pub correlation_id: i32,
    /// The client id of a request, `None` for null. A header without one leaves it out.
    pub client_id: Option<Vec<u8>>,
    /// Tagged fields of the header, in the order of the wire.
    pub tagged: Vec<(u32, TaggedValue)>,
}

impl HeaderValues {
    /// A header with a correlation id and a client id.
    pub fn new(correlation_id: i32, client_id: &str) -> HeaderValues {
        HeaderValues { correlation_id, client_id: Some(client_id.as_bytes().to_vec()), tagged: Vec::new() }
    }
}

impl Default for HeaderValues {
    /// Correlation id 0 and an empty client id.
    fn default() -> HeaderValues {
        HeaderValues::new(0, "")
    }
}

/// The plans of the header and the body of a version of a request or response; `None` if there is no such version.
pub fn plans(
    decoder: &mut Decoder<'_>,
    direction: Direction,
    api_key: i16,
    version: i16,
) -> Option<(Arc<Plan>, Arc<Plan>)> {
    let plan = decoder.plan(direction, api_key, version)?;
    let header = Rules::get().header_version(direction, api_key, version, plan.flexible).version;
    Some((decoder.header_plan(direction, header)?, plan))
}

/// A frame: its size, a header, and a body. The plans are those that [`plans`] finds.
///
/// # Errors
/// If a value does not fit its field, or the frame is longer than a size field can say.
pub fn assemble(
    header_plan: &Plan,
    plan: &Plan,
    header: &HeaderValues,
    body: &Struct,
) -> Result<Vec<u8>, EncodeError> {
    let mut frame = Vec::new();
    let message = (plan.api_key.unwrap_or(0), plan.version);
    debug_assert!(matches!(plan.kind, MessageKind::Request | MessageKind::Response));
    encode_frame(header_plan, &header_struct(header_plan, message, header), plan, body, &mut frame)?;
    Ok(frame)
}

/// The fields of a header before a message of an API key and version.
pub fn header_struct(header_plan: &Plan, message: (i16, i16), header: &HeaderValues) -> Struct {
    let fields = header_plan.steps_of(&header_plan.bodies[0]).iter().map(|step| {
        match &*header_plan.items[usize::from(step.item)].name {
            "request_api_key" => Value::Int(message.0.into()),
            "request_api_version" => Value::Int(message.1.into()),
            "correlation_id" => Value::Int(header.correlation_id.into()),
            "client_id" => header.client_id.clone().map_or(Value::Null, Value::Bytes),
            // A header of a user's own definitions may have more.
            _ => super::default::value(header_plan, step),
        }
    });
    Struct { fields: fields.collect(), tagged: header.tagged.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Catalogue;
    use crate::wire::instance::smallest;

    #[test]
    fn headers_say_what_their_version_has() {
        let catalogue = Catalogue::embedded();
        let mut decoder = Decoder::new(&catalogue);
        let mut frame = |direction, key, version| {
            let (header_plan, plan) = plans(&mut decoder, direction, key, version).unwrap();
            let header = HeaderValues::new(7, "me");
            assemble(&header_plan, &plan, &header, &smallest(&plan)).unwrap()
        };
        assert_eq!(frame(Direction::Request, 65, 0), b"\0\0\0\x10\0\x41\0\0\0\0\0\x07\0\x02me\0\x02\x01\0");
        // ControlledShutdown v0 has a header without client id.
        assert_eq!(frame(Direction::Request, 7, 0), b"\0\0\0\x0c\0\x07\0\0\0\0\0\x07\0\0\0\0");
        assert_eq!(frame(Direction::Response, 12, 0), b"\0\0\0\x06\0\0\0\x07\0\0");
    }
}
