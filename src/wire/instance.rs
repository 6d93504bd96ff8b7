//! Specimens: the smallest legal instance of a message, and random ones.

use super::plan::{Body, Op, Plan, Step};
use super::value::{Struct, TaggedValue, Value};

/// A record batch of magic 2 without records: all zero but its length, its magic and its CRC-32C.
pub const EMPTY_BATCH: [u8; 61] = {
    let mut batch = [0; 61];
    // batchLength counts what follows it.
    batch[11] = 49;
    batch[16] = 2;
    let crc = EMPTY_BATCH_CRC.to_be_bytes();
    (batch[17], batch[18], batch[19], batch[20]) = (crc[0], crc[1], crc[2], crc[3]);
    batch
};

/// CRC-32C of the forty zero bytes from attributes to the end.
const EMPTY_BATCH_CRC: u32 = 0x595f_b7dd;

/// The smallest legal instance of a message: numbers are zero, strings and bytes are empty, each array has one
/// element, each records field one empty batch, and no tagged field is there. What may be null is not.
pub fn smallest(plan: &Plan) -> Struct {
    Maker { plan, random: None }.structure(&plan.bodies[0])
}

/// A random instance of a message: any legal value, of moderate length.
pub fn random(plan: &Plan, random: &mut fastrand::Rng) -> Struct {
    Maker { plan, random: Some(random) }.structure(&plan.bodies[0])
}

struct Maker<'m> {
    plan: &'m Plan,
    /// None for the smallest instance.
    random: Option<&'m mut fastrand::Rng>,
}

impl Maker<'_> {
    fn structure(&mut self, body: &Body) -> Struct {
        let plan = self.plan;
        let mut value = Struct::default();
        for step in plan.steps_of(body) {
            value.fields.push(self.value(step));
        }
        if body.flexible {
            value.tagged = self.tagged(body);
        }
        value
    }

    fn value(&mut self, step: &Step) -> Value {
        if step.nullable && self.one_in(4) {
            return Value::Null;
        }
        match step.op {
            Op::Bool => Value::Bool(self.random.as_mut().is_some_and(|random| random.bool())),
            Op::Int8 => Value::Int((self.bits() as i8).into()),
            Op::Int16 => Value::Int((self.bits() as i16).into()),
            Op::Uint16 => Value::Int((self.bits() as u16).into()),
            Op::Int32 => Value::Int((self.bits() as i32).into()),
            Op::Uint32 => Value::Int((self.bits() as u32).into()),
            Op::Int64 => Value::Int(self.bits()),
            Op::Float64 => Value::Float(self.random.as_mut().map_or(0.0, |random| random.f64())),
            Op::Uuid => {
                Value::Uuid(self.random.as_mut().map_or([0; 16], |random| random.u128(..).to_be_bytes()))
            }
            Op::String => Value::Bytes(self.text()),
            Op::Bytes => Value::Bytes(self.bytes(300)),
            Op::Records => Value::Bytes(EMPTY_BATCH.to_vec()),
            Op::Struct => Value::Struct(self.structure(&self.plan.bodies[usize::from(step.target)])),
            Op::Array => {
                let element = self.plan.arrays[usize::from(step.target)].element;
                let count = self.random.as_mut().map_or(1, |random| random.usize(0..4));
                Value::Array((0..count).map(|_| self.value(&element)).collect())
            }
        }
    }

    /// Whether something that happens once in `n` times happens; never in the smallest instance.
    fn one_in(&mut self, n: usize) -> bool {
        self.random.as_mut().is_some_and(|random| random.usize(0..n) == 0)
    }

    /// A number with all sorts of magnitudes and signs.
    fn bits(&mut self) -> i64 {
        self.random.as_mut().map_or(0, |random| random.i64(..) >> random.u32(0..64))
    }

    fn text(&mut self) -> Vec<u8> {
        let Some(random) = self.random.as_mut() else { return Vec::new() };
        let most = 1 << random.usize(0..8);
        let length = random.usize(0..most);
        let text: String = (0..length)
            .map(|_| if random.usize(0..20) == 0 { random.char(..) } else { random.alphanumeric() })
            .collect();
        text.into_bytes()
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let Some(random) = self.random.as_mut() else { return Vec::new() };
        let length = random.usize(0..most);
        std::iter::repeat_with(|| random.u8(..)).take(length).collect()
    }

    fn tagged(&mut self, body: &Body) -> Vec<(u32, TaggedValue)> {
        let plan = self.plan;
        let mut tagged = Vec::new();
        for field in plan.tagged_of(body) {
            if self.one_in(2) {
                tagged.push((field.tag, TaggedValue::Known(self.value(&field.step))));
            }
        }
        if self.one_in(8) {
            // Far above every tag that any version has.
            let tag = 10_000 + (self.bits() as u32 & 0xffff);
            tagged.push((tag, TaggedValue::Unknown(self.bytes(20))));
        }
        tagged
    }
}
