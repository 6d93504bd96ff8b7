//! The encoding of Protocol Buffers: what stands before the value of a field, and the value.
//!
//! A message is its fields one after the other. Each begins with a tag, a varint: the number of the field, and in the lowest three bits how
//! its value is spelled. That tells where the value ends, but not what type it is of.

use super::primitive::{self, Fault};

/// How a value is spelled. Two more there were for groups, which messages have replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wire {
    /// A varint of up to 64 bits.
    Varint,
    /// Eight bytes, the lowest first.
    Fixed64,
    /// A length as a varint, then that many bytes.
    Bytes,
    /// Four bytes, the lowest first.
    Fixed32,
}

impl Wire {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Wire::Varint => "varint",
            Wire::Fixed64 => "fixed64",
            Wire::Bytes => "bytes",
            Wire::Fixed32 => "fixed32",
        }
    }
}

/// What stands before the value of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The number of the field.
    pub number: u32,
    /// How the value is spelled.
    pub wire: Wire,
    /// How many bytes the tag has, and the length, if there is one.
    pub len: usize,
    /// How many bytes the value has.
    pub value_len: u64,
}

/// Why a field cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// The input ends within the tag, the length, or a varint.
    Short,
    /// A varint goes on for too long.
    TooLong,
    /// No field has such a number.
    Number,
    /// No value is spelled so.
    WireType,
}

impl From<nom::Err<Fault>> for Wrong {
    fn from(error: nom::Err<Fault>) -> Wrong {
        match error {
            nom::Err::Error(Fault::TooLong) => Wrong::TooLong,
            _ => Wrong::Short,
        }
    }
}

impl Head {
    /// Reads what stands before a value. The value itself need not be there, unless it is a varint.
    ///
    /// # Errors
    /// If there is no such thing.
    pub fn read(input: &[u8]) -> Result<Head, Wrong> {
        let (rest, tag) = primitive::uvarlong(input)?;
        // Numbers have 29 bits.
        let number = u32::try_from(tag >> 3).ok().filter(|number| (1..1 << 29).contains(number));
        let number = number.ok_or(Wrong::Number)?;
        let head =
            |wire, rest: &[u8], value_len| Head { number, wire, len: input.len() - rest.len(), value_len };
        match tag & 7 {
            0 => {
                let (after, _) = primitive::uvarlong(rest)?;
                Ok(head(Wire::Varint, rest, (rest.len() - after.len()) as u64))
            }
            1 => Ok(head(Wire::Fixed64, rest, 8)),
            2 => {
                let (rest, length) = primitive::uvarlong(rest)?;
                Ok(head(Wire::Bytes, rest, length))
            }
            5 => Ok(head(Wire::Fixed32, rest, 4)),
            _ => Err(Wrong::WireType),
        }
    }
}

/// A value as it is spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'b> {
    /// A varint.
    Varint(u64),
    /// Eight bytes.
    Fixed64([u8; 8]),
    /// Any bytes.
    Bytes(&'b [u8]),
    /// Four bytes.
    Fixed32([u8; 4]),
}

/// The number of the field that begins with `input`, and its value. `None` if not all of it is there.
pub fn field(input: &[u8]) -> Option<(u32, Value<'_>)> {
    let head = Head::read(input).ok()?;
    let value = input.get(head.len..head.len.checked_add(usize::try_from(head.value_len).ok()?)?)?;
    let value = match head.wire {
        Wire::Varint => Value::Varint(primitive::uvarlong(value).ok()?.1),
        Wire::Fixed64 => Value::Fixed64(value.try_into().ok()?),
        Wire::Bytes => Value::Bytes(value),
        Wire::Fixed32 => Value::Fixed32(value.try_into().ok()?),
    };
    Some((head.number, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_tell_number_spelling_and_length() {
        let head = |number, wire, len, value_len| Ok(Head { number, wire, len, value_len });
        assert_eq!(Head::read(&[0x08, 0x96, 0x01]), head(1, Wire::Varint, 1, 2));
        assert_eq!(Head::read(&[0x19]), head(3, Wire::Fixed64, 1, 8));
        assert_eq!(Head::read(&[0x82, 0x01, 0x80, 0x02]), head(16, Wire::Bytes, 4, 256));
        assert_eq!(Head::read(&[0x0d]), head(1, Wire::Fixed32, 1, 4));
        assert_eq!(Head::read(&[]), Err(Wrong::Short));
        assert_eq!(Head::read(&[0x08, 0x80]), Err(Wrong::Short));
        assert_eq!(Head::read(&[0x08, 0x80]), Err(Wrong::Short));
        assert_eq!(Head::read(&[0xff; 10]), Err(Wrong::TooLong));
        assert_eq!(Head::read(&[0x00, 0x00]), Err(Wrong::Number));
        assert_eq!(Head::read(&[0x0b]), Err(Wrong::WireType));
    }

    #[test]
    fn fields_have_a_value() {
        assert_eq!(field(&[0x08, 0x96, 0x01]), Some((1, Value::Varint(150))));
        assert_eq!(field(&[0x12, 0x02, b'h', b'i']), Some((2, Value::Bytes(b"hi"))));
        assert_eq!(field(&[0x12, 0x03, b'h', b'i']), None);
        let huge = [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(field(&huge), None);
    }
}
