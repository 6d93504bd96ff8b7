//! The primitive types of the wire as nom parsers: big-endian integers (RFC 1700), and the variable-length ones
//! that Kafka took from Protocol Buffers (KIP-482 for lengths and tags, KIP-98 for records).
//!
//! All input that there will be is there, so an input that ends too early is an error and never a request for more.

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::map;
use nom::error::{ErrorKind, ParseError};

/// What a parser returns: the rest of the input and the value.
pub type Parsed<'i, T> = IResult<&'i [u8], T, Fault>;

/// Why a primitive could not be read. How much was wanted is for the caller to say; where, for the one who has the offsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The input ends within the value.
    Short,
    /// A variable-length integer goes on for more bytes, or has more bits, than its type can hold.
    TooLong,
}

impl ParseError<&[u8]> for Fault {
    fn from_error_kind(_: &[u8], _: ErrorKind) -> Fault {
        Fault::Short
    }

    fn append(_: &[u8], _: ErrorKind, other: Fault) -> Fault {
        other
    }
}

/// The next `N` bytes.
#[inline]
pub fn array<const N: usize>(input: &[u8]) -> Parsed<'_, [u8; N]> {
    map(take(N), |bytes: &[u8]| bytes.try_into().expect("take returns as many bytes as it was asked for"))
        .parse(input)
}

/// A signed byte.
#[inline]
pub fn int8(input: &[u8]) -> Parsed<'_, i8> {
    map(array, i8::from_be_bytes).parse(input)
}

/// Two bytes, signed.
#[inline]
pub fn int16(input: &[u8]) -> Parsed<'_, i16> {
    map(array, i16::from_be_bytes).parse(input)
}

/// Two bytes, unsigned.
#[inline]
pub fn uint16(input: &[u8]) -> Parsed<'_, u16> {
    map(array, u16::from_be_bytes).parse(input)
}

/// Four bytes, signed.
#[inline]
pub fn int32(input: &[u8]) -> Parsed<'_, i32> {
    map(array, i32::from_be_bytes).parse(input)
}

/// Four bytes, unsigned.
#[inline]
pub fn uint32(input: &[u8]) -> Parsed<'_, u32> {
    map(array, u32::from_be_bytes).parse(input)
}

/// Eight bytes, signed.
#[inline]
pub fn int64(input: &[u8]) -> Parsed<'_, i64> {
    map(array, i64::from_be_bytes).parse(input)
}

/// Eight bytes, IEEE 754.
#[inline]
pub fn float64(input: &[u8]) -> Parsed<'_, f64> {
    map(array, f64::from_be_bytes).parse(input)
}

/// An unsigned varint of up to 32 bits: seven bits a byte, the lowest first, in at most five bytes.
///
/// A value may be spelled longer than it need be (`80 00` for 0); see [`uvarint_len`].
#[inline]
pub fn uvarint(input: &[u8]) -> Parsed<'_, u32> {
    if let Some(short) = short(input) {
        return Ok(short);
    }
    let (rest, value) = varint_bits::<5>(input)?;
    match u32::try_from(value) {
        Ok(value) => Ok((rest, value)),
        Err(_) => Err(nom::Err::Error(Fault::TooLong)),
    }
}

/// An unsigned varint of one or two bytes, as nearly all are.
#[inline]
fn short(input: &[u8]) -> Option<(&[u8], u32)> {
    match input {
        [only @ ..0x80, rest @ ..] => Some((rest, u32::from(*only))),
        [low, high @ ..0x80, rest @ ..] => Some((rest, u32::from(low & 0x7f) | u32::from(*high) << 7)),
        _ => None,
    }
}

/// A zigzag varint of up to 32 bits, as lengths and counts inside records are.
#[inline]
pub fn varint(input: &[u8]) -> Parsed<'_, i32> {
    // Of 32 bits come 32 again.
    map(uvarint, |bits| zigzag(bits.into()) as i32).parse(input)
}

/// An unsigned varint of up to 64 bits, in at most ten bytes.
#[inline]
pub fn uvarlong(input: &[u8]) -> Parsed<'_, u64> {
    if let Some((rest, value)) = short(input) {
        return Ok((rest, value.into()));
    }
    let (rest, value) = varint_bits::<10>(input)?;
    match u64::try_from(value) {
        Ok(value) => Ok((rest, value)),
        Err(_) => Err(nom::Err::Error(Fault::TooLong)),
    }
}

/// A zigzag varint of up to 64 bits, as timestamp deltas inside records are, in at most ten bytes.
#[inline]
pub fn varlong(input: &[u8]) -> Parsed<'_, i64> {
    map(uvarlong, zigzag).parse(input)
}

/// The signed number that an unsigned one stands for: 0, -1, 1, -2 and so on.
#[inline]
pub fn zigzag(bits: u64) -> i64 {
    (bits >> 1) as i64 ^ -((bits & 1) as i64)
}

/// How many bytes the shortest spelling of an unsigned varint has.
pub fn uvarint_len(value: u32) -> usize {
    match value {
        0..=0x7f => 1,
        0x80..=0x3fff => 2,
        0x4000..=0x1f_ffff => 3,
        0x20_0000..=0xfff_ffff => 4,
        _ => 5,
    }
}

/// Up to `MAX` groups of seven bits. `MAX` is at most 10, so that 70 bits are the most there can be.
fn varint_bits<const MAX: usize>(input: &[u8]) -> Parsed<'_, u128> {
    let mut value = 0;
    for (index, byte) in input.iter().take(MAX).enumerate() {
        value |= u128::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Ok((&input[index + 1..], value));
        }
    }
    Err(nom::Err::Error(if input.len() < MAX { Fault::Short } else { Fault::TooLong }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: nom::Err<Fault> = nom::Err::Error(Fault::Short);
    const TOO_LONG: nom::Err<Fault> = nom::Err::Error(Fault::TooLong);

    #[test]
    fn fixed_types_are_big_endian_and_leave_the_rest() {
        let input = [0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8, 0x55];
        assert_eq!(int8(&input), Ok((&input[1..], -1)));
        assert_eq!(int16(&input), Ok((&input[2..], -2)));
        assert_eq!(uint16(&input), Ok((&input[2..], 0xfffe)));
        assert_eq!(int32(&input), Ok((&input[4..], -0x0001_0204)));
        assert_eq!(uint32(&input), Ok((&input[4..], 0xfffe_fdfc)));
        assert_eq!(int64(&input), Ok((&input[8..], -0x0001_0203_0405_0608)));
        assert_eq!(float64(&1.5f64.to_be_bytes()), Ok((&[][..], 1.5)));
        assert_eq!(int32(&input[..3]), Err(SHORT));
        assert_eq!(int8(&[]), Err(SHORT));
    }

    #[test]
    fn uvarints_up_to_five_bytes() {
        for (bytes, value) in [
            (&[0x00][..], 0),
            (&[0x7f], 127),
            (&[0x80, 0x01], 128),
            (&[0xff, 0xff, 0x7f], 0x1f_ffff),
            (&[0xff, 0xff, 0xff, 0xff, 0x0f], u32::MAX),
            // Longer than need be, and legal.
            (&[0x80, 0x00], 0),
            (&[0x81, 0x80, 0x80, 0x80, 0x00], 1),
        ] {
            assert_eq!(uvarint(bytes), Ok((&[][..], value)), "{bytes:02x?}");
        }
        assert_eq!(uvarint(&[0xff, 0xff, 0xff, 0xff, 0x10]), Err(TOO_LONG));
        assert_eq!(uvarint(&[0x80; 5]), Err(TOO_LONG));
        assert_eq!(uvarint(&[0x80; 4]), Err(SHORT));
        assert_eq!(uvarint(&[]), Err(SHORT));
    }

    #[test]
    fn the_shortest_length_is_what_an_encoder_writes() {
        for shift in 0..32 {
            for value in [(1u32 << shift) - 1, 1 << shift, u32::MAX >> shift] {
                let mut bytes = Vec::new();
                let mut left = value;
                while left > 0x7f {
                    bytes.push(left as u8 | 0x80);
                    left >>= 7;
                }
                bytes.push(left as u8);
                assert_eq!(uvarint_len(value), bytes.len());
                assert_eq!(uvarint(&bytes), Ok((&[][..], value)));
            }
        }
    }

    #[test]
    fn uvarlongs_up_to_ten_bytes() {
        let longest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(uvarlong(&[0x05, 0x06]), Ok((&[0x06][..], 5)));
        assert_eq!(uvarlong(&longest), Ok((&[][..], u64::MAX)));
        assert_eq!(uvarlong(&[0x80; 10]), Err(TOO_LONG));
        assert_eq!(uvarlong(&[0x80; 9]), Err(SHORT));
        assert_eq!(uvarlong(&[]), Err(SHORT));
    }

    #[test]
    fn zigzag_alternates_signs() {
        for (bytes, value) in [(&[0x00][..], 0), (&[0x01], -1), (&[0x02], 1), (&[0x03], -2)] {
            assert_eq!(varint(bytes), Ok((&[][..], value)));
            assert_eq!(varlong(bytes), Ok((&[][..], i64::from(value))));
        }
        assert_eq!(varint(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Ok((&[][..], i32::MIN)));
        assert_eq!(varint(&[0xfe, 0xff, 0xff, 0xff, 0x0f]), Ok((&[][..], i32::MAX)));
        let longest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(varlong(&longest), Ok((&[][..], i64::MIN)));
        // A timestamp delta of 30 days does not fit 32 bits.
        assert_eq!(varlong(&[0x80, 0xa0, 0xf6, 0xa7, 0x13]), Ok((&[][..], 2_592_000_000)));
        assert_eq!(varlong(&[0xff; 10]), Err(TOO_LONG));
        assert_eq!(varlong(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]), Err(TOO_LONG));
        assert_eq!(varlong(&[0xff; 9]), Err(SHORT));
    }
}
