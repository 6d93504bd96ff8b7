//! Times of a capture as text.

use crate::capture::Time;

/// How times are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TimeForm {
    /// Date and time in UTC.
    #[default]
    Absolute,
    /// Seconds since the first message, shown or not.
    Relative,
    /// Seconds since the message that was shown before.
    Delta,
}

/// Writes times in one form.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    form: TimeForm,
    first: Option<Time>,
    before: Option<Time>,
}

impl Clock {
    /// No message has been seen.
    pub fn new(form: TimeForm) -> Clock {
        Clock { form, first: None, before: None }
    }

    /// A message has been seen, shown or not.
    pub fn see(&mut self, time: Option<Time>) {
        self.first = self.first.or(time);
    }

    /// How many characters a time has, unless it is unusual.
    pub fn width(&self) -> usize {
        if self.form == TimeForm::Absolute { 27 } else { 12 }
    }

    /// The time of the next message that is shown.
    pub fn text(&mut self, time: Option<Time>) -> String {
        let Some(time) = time else { return "-".to_owned() };
        let since = |other: Option<Time>| seconds(time.0 - other.unwrap_or(time).0);
        let text = match self.form {
            TimeForm::Absolute => date(time).unwrap_or_else(|| seconds(time.0)),
            TimeForm::Relative => since(self.first),
            TimeForm::Delta => since(self.before),
        };
        self.see(Some(time));
        self.before = Some(time);
        text
    }
}

/// A time with all of its digits, as JSON has it.
pub fn rfc3339(time: Time) -> Option<String> {
    let time = jiff::Timestamp::from_nanosecond(time.0.into()).ok()?;
    Some(time.strftime("%Y-%m-%dT%H:%M:%S.%9fZ").to_string())
}

/// `2026-12-01T10:00:00.123456Z`.
fn date(time: Time) -> Option<String> {
    let time = jiff::Timestamp::from_nanosecond(time.0.into()).ok()?;
    Some(time.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string())
}

/// Nanoseconds as seconds with six digits.
fn seconds(nanoseconds: i64) -> String {
    let micros = nanoseconds / 1000;
    let sign = if micros < 0 { "-" } else { "" };
    format!("{sign}{}.{:06}", micros.unsigned_abs() / 1_000_000, micros.unsigned_abs() % 1_000_000)
}

/// A duration in the unit that suits it: `850 us`, `1.2 ms`, `3.45 s`.
pub fn duration(nanoseconds: i64) -> String {
    let nanoseconds = nanoseconds.max(0) as f64;
    match nanoseconds {
        ..1e6 => format!("{:.0} us", nanoseconds / 1e3),
        ..1e9 => format!("{:.1} ms", nanoseconds / 1e6),
        _ => format!("{:.2} s", nanoseconds / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_each_form() {
        let times =
            [1_700_000_000_123_456_789, 1_700_000_000_123_956_789, 1_700_000_001_000_000_000].map(Time);
        let texts = |form| {
            let mut clock = Clock::new(form);
            times.map(|time| clock.text(Some(time)))
        };
        assert_eq!(texts(TimeForm::Absolute)[0], "2023-11-14T22:13:20.123456Z");
        assert_eq!(texts(TimeForm::Relative), ["0.000000", "0.000500", "0.876543"]);
        assert_eq!(texts(TimeForm::Delta), ["0.000000", "0.000500", "0.876043"]);
        assert_eq!(Clock::new(TimeForm::Absolute).text(None), "-");
    }

    #[test]
    fn what_is_not_shown_counts_as_the_first_message_and_not_as_the_one_before() {
        let [first, second] = [1_000_000_000, 3_500_000_000].map(Time);
        let text = |form| {
            let mut clock = Clock::new(form);
            clock.see(Some(first));
            clock.text(Some(second))
        };
        assert_eq!([text(TimeForm::Relative), text(TimeForm::Delta)], ["2.500000", "0.000000"]);
    }

    #[test]
    fn durations_have_a_unit_that_suits_them() {
        let texts = [0, 850_400, 1_249_999, 999_940_000, 3_450_000_000].map(duration);
        assert_eq!(texts, ["0 us", "850 us", "1.2 ms", "999.9 ms", "3.45 s"]);
    }
}
