//! From values to bytes, by the same plans that decode them.

use thiserror::Error;

use super::plan::{Body, Op, Plan, Step};
use super::primitive::uvarint_len;
use super::value::{Struct, TaggedValue, Value, type_word};

/// A value that its field cannot hold.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{path}: {problem}")]
pub struct EncodeError {
    /// The field, as a path from the message (`Topics[2].Partitions[0].LeaderId`).
    pub path: String,
    /// What is wrong.
    pub problem: String,
}

/// Appends the bytes of a message's body or header to `out`.
///
/// # Errors
/// If a value is not of its field's type, out of its range, or null where the version does not allow it.
pub fn encode(plan: &Plan, value: &Struct, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let mut encoder = Encoder { plan, out, path: vec![plan.name.clone()] };
    encoder.body(&plan.bodies[0], value)
}

/// Appends a frame to `out`: size, header and body.
///
/// # Errors
/// As [`encode`], or if the frame is longer than a size field can say.
pub fn encode_frame(
    header_plan: &Plan,
    header: &Struct,
    plan: &Plan,
    body: &Struct,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let start = out.len();
    out.extend([0; 4]);
    encode(header_plan, header, out)?;
    encode(plan, body, out)?;
    let size = i32::try_from(out.len() - start - 4).map_err(|_| EncodeError {
        path: plan.name.clone(),
        problem: "the frame is longer than 2147483647 bytes".to_owned(),
    })?;
    out[start..start + 4].copy_from_slice(&size.to_be_bytes());
    Ok(())
}

struct Encoder<'e> {
    plan: &'e Plan,
    out: &'e mut Vec<u8>,
    path: Vec<String>,
}

impl Encoder<'_> {
    fn error(&self, problem: impl Into<String>) -> EncodeError {
        let path = self.path.join(".").replace(".[", "[");
        EncodeError { path, problem: problem.into() }
    }

    fn body(&mut self, body: &Body, value: &Struct) -> Result<(), EncodeError> {
        let plan = self.plan;
        let steps = plan.steps_of(body);
        if steps.len() != value.fields.len() {
            return Err(self.error(format!("has {} fields, not {}", steps.len(), value.fields.len())));
        }
        for (step, value) in steps.iter().zip(&value.fields) {
            self.path.push(plan.items[usize::from(step.item)].name.to_string());
            self.value(step, value)?;
            self.path.pop();
        }
        if body.flexible {
            self.tagged(body, &value.tagged)
        } else if value.tagged.is_empty() {
            Ok(())
        } else {
            Err(self.error(format!("version {} has no tagged fields", plan.version)))
        }
    }

    fn value(&mut self, step: &Step, value: &Value) -> Result<(), EncodeError> {
        match (step.op, value) {
            (Op::Struct, Value::Null) if step.nullable => self.out.push(if step.compact { 0 } else { 0xff }),
            (Op::String | Op::Bytes | Op::Records | Op::Array, Value::Null) if step.nullable => {
                self.length(step, None)?;
            }
            (_, Value::Null) => {
                return Err(self.error(format!("null is not allowed in version {}", self.plan.version)));
            }
            (Op::Bool, Value::Bool(flag)) => self.out.push(u8::from(*flag)),
            (Op::Int8, Value::Int(value)) => self.int(i8::try_from(*value), i8::to_be_bytes, *value)?,
            (Op::Int16, Value::Int(value)) => self.int(i16::try_from(*value), i16::to_be_bytes, *value)?,
            (Op::Uint16, Value::Int(value)) => self.int(u16::try_from(*value), u16::to_be_bytes, *value)?,
            (Op::Int32, Value::Int(value)) => self.int(i32::try_from(*value), i32::to_be_bytes, *value)?,
            (Op::Uint32, Value::Int(value)) => self.int(u32::try_from(*value), u32::to_be_bytes, *value)?,
            (Op::Int64, Value::Int(value)) => self.out.extend(value.to_be_bytes()),
            (Op::Float64, Value::Float(value)) => self.out.extend(value.to_be_bytes()),
            (Op::Uuid, Value::Uuid(uuid)) => self.out.extend(uuid),
            (Op::String | Op::Bytes | Op::Records, Value::Bytes(bytes)) => {
                self.length(step, Some(bytes.len()))?;
                self.out.extend(bytes);
            }
            (Op::Array, Value::Array(elements)) => {
                self.length(step, Some(elements.len()))?;
                let element = self.plan.arrays[usize::from(step.target)].element;
                for (index, value) in elements.iter().enumerate() {
                    self.path.push(format!("[{index}]"));
                    self.value(&element, value)?;
                    self.path.pop();
                }
            }
            (Op::Struct, Value::Struct(value)) => {
                if step.nullable {
                    self.out.push(1);
                }
                let body = self.plan.bodies[usize::from(step.target)];
                self.body(&body, value)?;
            }
            (op, _) => return Err(self.error(format!("the value is no {}", type_word(op)))),
        }
        Ok(())
    }

    fn int<T, E, const N: usize>(
        &mut self,
        value: Result<T, E>,
        bytes: impl Fn(T) -> [u8; N],
        number: i64,
    ) -> Result<(), EncodeError> {
        match value {
            Ok(value) => self.out.extend(bytes(value)),
            Err(_) => return Err(self.error(format!("{number} does not fit {N} bytes"))),
        }
        Ok(())
    }

    fn length(&mut self, step: &Step, length: Option<usize>) -> Result<(), EncodeError> {
        let too_long = |encoder: &Self| encoder.error("the value is too long for its length field");
        if step.compact {
            let length = length.map_or(Some(0), |length| u32::try_from(length).ok()?.checked_add(1));
            let length = length.ok_or_else(|| too_long(self))?;
            self.uvarint(length);
        } else if step.op == Op::String {
            let length = length.map_or(Ok(-1), i16::try_from).map_err(|_| too_long(self))?;
            self.out.extend(length.to_be_bytes());
        } else {
            let length = length.map_or(Ok(-1), i32::try_from).map_err(|_| too_long(self))?;
            self.out.extend(length.to_be_bytes());
        }
        Ok(())
    }

    fn uvarint(&mut self, mut value: u32) {
        for _ in 1..uvarint_len(value) {
            self.out.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.out.push(value as u8);
    }

    fn tagged(&mut self, body: &Body, tagged: &[(u32, TaggedValue)]) -> Result<(), EncodeError> {
        let too_many = |encoder: &Self| encoder.error("too many tagged fields, or too long ones");
        self.uvarint(u32::try_from(tagged.len()).map_err(|_| too_many(self))?);
        for (tag, value) in tagged {
            self.uvarint(*tag);
            let start = self.out.len();
            match value {
                TaggedValue::Unknown(bytes) => self.out.extend(bytes),
                TaggedValue::Known(value) => {
                    let field = self.plan.tagged_of(body).iter().find(|field| field.tag == *tag).copied();
                    let Some(field) = field else {
                        let version = self.plan.version;
                        return Err(self.error(format!("version {version} has no tag {tag}")));
                    };
                    self.path.push(self.plan.items[usize::from(field.step.item)].name.to_string());
                    self.value(&field.step, value)?;
                    self.path.pop();
                }
            }
            // The size is known only now; its bytes go before the value.
            let size = u32::try_from(self.out.len() - start).map_err(|_| too_many(self))?;
            let end = self.out.len();
            self.uvarint(size);
            let prefix = self.out.len() - end;
            self.out[start..].rotate_right(prefix);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Catalogue, Direction};
    use crate::wire::Decoder;
    use crate::wire::instance::smallest;

    #[test]
    fn values_that_do_not_fit_are_errors_with_a_path() {
        let catalogue = Catalogue::embedded();
        let mut decoder = Decoder::new(&catalogue);
        let plan = decoder.plan(Direction::Response, 65, 0).unwrap();
        let good = smallest(&plan);
        let spoil = |change: &dyn Fn(&mut Struct)| {
            let mut value = good.clone();
            let Value::Array(states) = &mut value.fields[1] else { panic!() };
            let Value::Struct(state) = &mut states[0] else { panic!() };
            change(state);
            encode(&plan, &value, &mut Vec::new()).unwrap_err().to_string()
        };
        let path = "DescribeTransactionsResponse.TransactionStates[0]";
        assert_eq!(
            spoil(&|state| state.fields[0] = Value::Int(40_000)),
            format!("{path}.ErrorCode: 40000 does not fit 2 bytes")
        );
        assert_eq!(
            spoil(&|state| state.fields[1] = Value::Null),
            format!("{path}.TransactionalId: null is not allowed in version 0")
        );
        assert_eq!(
            spoil(&|state| state.fields[2] = Value::Bool(true)),
            format!("{path}.TransactionState: the value is no string")
        );
        assert_eq!(spoil(&|state| state.fields.truncate(3)), format!("{path}: has 8 fields, not 3"));
        let tag = (5, TaggedValue::Known(Value::Int(1)));
        assert_eq!(spoil(&|state| state.tagged.push(tag.clone())), format!("{path}: version 0 has no tag 5"));
    }
}
