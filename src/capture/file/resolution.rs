//! What a unit of time is on an interface: if_tsresol and if_tsoffset.

use crate::capture::Time;

const SECOND: i128 = 1_000_000_000;

/// How times of an interface become nanoseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Resolution {
    scale: Scale,
    /// Nanoseconds that are added.
    offset: i128,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scale {
    /// A unit is so many nanoseconds.
    Nanoseconds(u32),
    /// A nanosecond is so many units, or a little less than one.
    PerNanosecond(u128),
    /// A second is two to this units.
    Binary(u32),
}

impl Resolution {
    pub fn new(if_tsresol: u8, if_tsoffset: i64) -> Resolution {
        let exponent = u32::from(if_tsresol & 0x7f);
        let scale = if if_tsresol & 0x80 != 0 {
            Scale::Binary(exponent)
        } else if exponent <= 9 {
            Scale::Nanoseconds(10u32.pow(9 - exponent))
        } else {
            Scale::PerNanosecond(10u128.checked_pow(exponent - 9).unwrap_or(u128::MAX))
        };
        Resolution { scale, offset: i128::from(if_tsoffset) * SECOND }
    }

    /// A time in units, or `None` if it is out of all reason.
    pub fn time(&self, units: u64) -> Option<Time> {
        let nanoseconds = match self.scale {
            Scale::Nanoseconds(unit) => i128::from(units) * i128::from(unit),
            Scale::PerNanosecond(units_each) => (u128::from(units) / units_each) as i128,
            Scale::Binary(exponent) => (i128::from(units) * SECOND) >> exponent,
        };
        i64::try_from(nanoseconds + self.offset).ok().map(Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_all_kinds_become_nanoseconds() {
        let time = |resolution: u8, units: u64| Resolution::new(resolution, 0).time(units);
        assert_eq!(time(6, 1_700_000_000_123_456), Some(Time(1_700_000_000_123_456_000)));
        assert_eq!(time(9, 1_700_000_000_123_456_789), Some(Time(1_700_000_000_123_456_789)));
        assert_eq!(time(0, 1_700_000_000), Some(Time(1_700_000_000_000_000_000)));
        assert_eq!(time(12, 1_234_567), Some(Time(1234)));
        assert_eq!(time(0x80 | 10, 1024 + 512), Some(Time(1_500_000_000)));
        assert_eq!(time(0x80 | 32, (7 << 32) | 1 << 31), Some(Time(7_500_000_000)));
        assert_eq!(time(0x80, 3), Some(Time(3_000_000_000)));
        assert_eq!(time(127, u64::MAX), Some(Time(0)));
        assert_eq!(time(0xff, u64::MAX), Some(Time(0)));
        assert_eq!(time(0, u64::MAX), None);
        assert_eq!(Resolution::new(6, -2).time(5_000_000), Some(Time(3_000_000_000)));
        assert_eq!(Resolution::new(6, i64::MAX).time(5), None);
        assert_eq!(Resolution::new(6, i64::MIN).time(5), None);
    }
}
