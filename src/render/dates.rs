//! Times on the wire as dates, in UTC.

/// Milliseconds since 1970 as a date and time in UTC, if they are within the years -9999 to 9999.
pub fn timestamp(milliseconds: i64) -> Option<String> {
    let time = jiff::Timestamp::from_millisecond(milliseconds).ok()?;
    Some(time.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string())
}

/// Nanoseconds since 1970 as a date and time in UTC.
pub fn nanoseconds(nanoseconds: i64) -> Option<String> {
    let time = jiff::Timestamp::from_nanosecond(nanoseconds.into()).ok()?;
    Some(time.strftime("%Y-%m-%dT%H:%M:%S.%9fZ").to_string())
}

const MINUTE: i64 = 60_000;

/// Dates of times that mostly lie in the same minute, as those of records do: only what follows the minute is made anew.
#[derive(Default, Debug)]
pub struct Dates {
    /// The minute since 1970 that was last asked for, and how its dates begin; empty for none.
    minute: i64,
    beginning: Vec<u8>,
}

impl Dates {
    /// Appends what [`timestamp`] gives. Returns whether that is anything.
    pub fn append(&mut self, out: &mut Vec<u8>, milliseconds: i64) -> bool {
        let minute = milliseconds.div_euclid(MINUTE);
        if minute != self.minute || self.beginning.is_empty() {
            self.minute = minute;
            self.beginning.clear();
            let begin = minute.checked_mul(MINUTE);
            let end = begin.and_then(|begin| begin.checked_add(MINUTE - 1)).and_then(timestamp);
            let (Some(date), Some(_)) = (begin.and_then(timestamp), end) else {
                // Of the first and the last of all minutes there is only a part.
                let date = timestamp(milliseconds);
                out.extend_from_slice(date.as_deref().unwrap_or_default().as_bytes());
                return date.is_some();
            };
            // Up to the colon before the seconds.
            self.beginning.extend_from_slice(&date.as_bytes()[..date.len() - "00.000Z".len()]);
        }
        let within = milliseconds.rem_euclid(MINUTE) as u32;
        let digit = |divisor: u32| b'0' + (within / divisor % 10) as u8;
        let rest = [digit(10_000), digit(1000), b'.', digit(100), digit(10), digit(1), b'Z'];
        out.extend_from_slice(&self.beginning);
        out.extend_from_slice(&rest);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_in_utc_with_milliseconds() {
        assert_eq!(timestamp(1_700_000_000_000).as_deref(), Some("2023-11-14T22:13:20.000Z"));
        assert_eq!(timestamp(1).as_deref(), Some("1970-01-01T00:00:00.001Z"));
        assert_eq!(timestamp(i64::MAX), None);
    }

    #[test]
    fn dates_one_after_the_other_are_those_of_each_alone() {
        let first = -377_705_023_201_000;
        let last = 253_402_207_200_999;
        let mut times = vec![0, 1, -1, i64::MAX, i64::MIN, first, first - 1, last, last + 1];
        times.extend([1_700_000_000_000, 1_700_000_000_001, 1_700_000_039_999, 1_700_000_040_000]);
        let mut rng = fastrand::Rng::with_seed(7);
        times.extend((0..1000).map(|_| rng.i64(first..last)));
        times.extend((0..1000).map(|_| 1_700_000_000_000 + rng.i64(-200_000..200_000)));
        let mut dates = Dates::default();
        for time in times {
            let mut text = Vec::new();
            let is_date = dates.append(&mut text, time);
            let expected = timestamp(time);
            assert_eq!(is_date.then_some(String::from_utf8(text).unwrap()), expected, "{time}, seed 7");
        }
    }
}
