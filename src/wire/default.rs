//! Defaults: what a message without a field is taken to say.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::plan::{Body, Op, Plan, Step};
use super::value::{Struct, Value};
use crate::schema::{Field, FieldType};

/// The default that a definition gives a field; `None` if it gives none, or one that the field's type does not have.
pub fn of_definition(field: &Field) -> Option<Value> {
    let text = field.default.as_ref()?.text();
    if text == "null" && field.field_type.may_be_null() {
        return Some(Value::Null);
    }
    match field.field_type {
        FieldType::Bool => text.parse().ok().map(Value::Bool),
        FieldType::Float64 => text.parse().ok().map(Value::Float),
        FieldType::String => Some(Value::Bytes(text.as_bytes().to_vec())),
        FieldType::Uuid => {
            URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok()).map(Value::Uuid)
        }
        FieldType::Int8
        | FieldType::Int16
        | FieldType::Uint16
        | FieldType::Int32
        | FieldType::Uint32
        | FieldType::Int64 => integer(text).map(Value::Int),
        FieldType::Bytes | FieldType::Records | FieldType::Struct(_) | FieldType::Array(_) => None,
    }
}

/// Decimal, or hex after `0x`.
fn integer(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The default of a field: the definition's, else zero, empty, or a structure of defaults.
pub fn value(plan: &Plan, step: &Step) -> Value {
    if let Some(default) = &plan.items[usize::from(step.item)].default {
        return default.clone();
    }
    match step.op {
        Op::Bool => Value::Bool(false),
        Op::Int8 | Op::Int16 | Op::Uint16 | Op::Int32 | Op::Uint32 | Op::Int64 => Value::Int(0),
        Op::Float64 => Value::Float(0.0),
        Op::Uuid => Value::Uuid([0; 16]),
        Op::String | Op::Bytes => Value::Bytes(Vec::new()),
        // As in Kafka's code: there are no batches, rather than a batch of nothing.
        Op::Records if step.nullable => Value::Null,
        Op::Records => Value::Bytes(Vec::new()),
        Op::Struct => Value::Struct(structure(plan, &plan.bodies[usize::from(step.target)])),
        Op::Array => Value::Array(Vec::new()),
    }
}

/// A structure whose fields all have their defaults. It has no tagged fields.
pub fn structure(plan: &Plan, body: &Body) -> Struct {
    let fields = plan.steps_of(body).iter().map(|step| value(plan, step)).collect();
    Struct { fields, tagged: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Catalogue, Direction};
    use crate::wire::Decoder;

    fn body(api: &str, direction: Direction, version: i16) -> Vec<Value> {
        let catalogue = Catalogue::embedded();
        let key = catalogue.find_api(api).unwrap().key;
        let plan = Decoder::new(&catalogue).plan(direction, key, version).unwrap();
        structure(&plan, &plan.bodies[0]).fields
    }

    #[test]
    fn defaults_are_those_of_the_definition_or_the_type() {
        let text = |text: &str| Value::Bytes(text.as_bytes().to_vec());
        assert_eq!(
            body("Fetch", Direction::Request, 12),
            [
                Value::Int(-1),
                Value::Int(0),
                Value::Int(0),
                Value::Int(0x7fff_ffff),
                Value::Int(0),
                Value::Int(0),
                Value::Int(-1),
                Value::Array(vec![]),
                Value::Array(vec![]),
                text(""),
            ]
        );
        assert_eq!(
            body("Metadata", Direction::Request, 4),
            [Value::Array(vec![]), Value::Bool(true)],
            "the definition gives no default to topics, which may be null"
        );
        assert_eq!(body("Produce", Direction::Request, 9)[0], Value::Null);
    }

    #[test]
    fn integers_are_decimal_or_hex() {
        assert_eq!(integer("-2147483648"), Some(-2_147_483_648));
        assert_eq!(integer("0x7fffffff"), Some(i64::from(i32::MAX)));
        assert_eq!(integer("many"), None);
    }
}
