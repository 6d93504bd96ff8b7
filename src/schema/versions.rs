//! Version ranges as Kafka's definition files write them: `3`, `1-4`, `2+`, `none`.

use std::fmt;

/// A contiguous range of versions, or none at all.
///
/// An open range (`2+`) reaches up to [`Versions::OPEN`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Versions {
    low: i16,
    high: i16,
}

impl Versions {
    /// The highest version of an open range.
    pub const OPEN: i16 = i16::MAX;
    /// No version.
    pub const NONE: Versions = Versions { low: 0, high: -1 };
    /// Every version.
    pub const ALL: Versions = Versions { low: 0, high: Self::OPEN };

    /// The versions `low` to `high`, both included; none if `high < low`.
    pub fn new(low: i16, high: i16) -> Versions {
        if high < low { Versions::NONE } else { Versions { low, high } }
    }

    /// Reads Kafka's notation. Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Versions> {
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            if plain { digits.parse::<i16>().ok() } else { None }
        };
        let text = text.trim();
        if text == "none" {
            return Some(Versions::NONE);
        }
        if let Some(low) = text.strip_suffix('+') {
            return Some(Versions { low: number(low)?, high: Self::OPEN });
        }
        let (low, high) = match text.split_once('-') {
            Some((low, high)) => (number(low)?, number(high)?),
            None => (number(text)?, number(text)?),
        };
        (low <= high).then_some(Versions { low, high })
    }

    /// Whether no version is in the range.
    pub fn is_empty(self) -> bool {
        self.high < self.low
    }

    /// The lowest version; meaningless for an empty range.
    pub fn low(self) -> i16 {
        self.low
    }

    /// The highest version, [`Versions::OPEN`] for an open range.
    pub fn high(self) -> i16 {
        self.high
    }

    /// Whether the range has no upper end.
    pub fn is_open(self) -> bool {
        self.high == Self::OPEN
    }

    /// Whether `version` is in the range.
    pub fn contains(self, version: i16) -> bool {
        self.low <= version && version <= self.high
    }

    /// The versions in both ranges.
    pub fn intersect(self, other: Versions) -> Versions {
        Versions::new(self.low.max(other.low), self.high.min(other.high))
    }

    /// Every version of the range, in ascending order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = i16> {
        self.low..=self.high
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            _ if self.is_empty() => f.write_str("none"),
            (low, Self::OPEN) => write!(f, "{low}+"),
            (low, high) if low == high => write!(f, "{low}"),
            (low, high) => write!(f, "{low}-{high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_reads_and_prints_back() {
        for text in ["none", "0", "7", "0+", "12+", "0-0", "3-11"] {
            let range = Versions::parse(text).expect(text);
            let expected = if text == "0-0" { "0" } else { text };
            assert_eq!(range.to_string(), expected);
        }
        assert_eq!(Versions::parse("3-11"), Some(Versions::new(3, 11)));
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "+", "-1", "3-", "-3", "4-3", "1.2", "a+", "+1", "99999", "1-2-3"] {
            assert_eq!(Versions::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn intersections_are_exact() {
        let open = Versions::parse("4+").unwrap();
        assert_eq!(open.intersect(Versions::new(0, 9)), Versions::new(4, 9));
        assert!(open.intersect(Versions::new(0, 3)).is_empty());
        assert!(!Versions::NONE.contains(0));
        assert!(open.contains(i16::MAX));
    }
}
