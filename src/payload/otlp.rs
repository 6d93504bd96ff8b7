//! The metrics of a client, as PushTelemetry carries them (KIP-714): MetricsData of the OpenTelemetry protocol (OTLP). What its messages
//! have is data, in `otlp.json` beside this file.

use std::sync::LazyLock;

use super::protobuf::{Schema, message};
use crate::wire::sink::Sink;

/// The schema of MetricsData.
fn schema() -> &'static Schema {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
        Schema::read(include_str!("otlp.json")).expect("otlp.json is a schema; a test reads it")
    });
    &SCHEMA
}

/// Makes nodes of the metrics in bytes that begin at an offset, and covers all of them. False if there is nothing in them, or the sink
/// does not care; then there are no nodes.
pub(crate) fn metrics<S: Sink>(bytes: &[u8], start: usize, sink: &mut S) -> bool {
    message(bytes, start, schema(), sink)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::testing::{any_change_is_tiled, tree_text};
    use crate::tree::Tree;

    fn walk(bytes: &[u8], tree: &mut Tree) -> bool {
        metrics(bytes, 0, tree)
    }

    /// A field of bytes: a message, a string, a packed array.
    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, content.len() as u8][..], content].concat()
    }

    fn fixed64(number: u8, value: u64) -> Vec<u8> {
        [&[number << 3 | 1][..], &value.to_le_bytes()].concat()
    }

    fn metrics_of(data: &[u8]) -> Vec<u8> {
        let metric = [field(1, b"m"), data.to_vec()].concat();
        field(1, &field(2, &field(2, &metric)))
    }

    /// The lines below the metric's name, without what stands before the branch.
    fn lines_of(data: &[u8]) -> Vec<String> {
        let text = tree_text(&metrics_of(data), walk);
        let lines = text.lines().skip_while(|line| !line.contains("name string = \"m\"")).skip(1);
        lines.map(|line| line.trim_start_matches(['|', ' ']).trim_start_matches("+-- ").to_owned()).collect()
    }

    /// A point of a sum with an attribute, and what is in a sum beside it.
    fn sum() -> Vec<u8> {
        let attribute = [field(1, b"k"), field(2, &field(1, b"v"))].concat();
        let time = fixed64(3, 1_700_000_000_123_456_789);
        let point = [field(7, &attribute), time, fixed64(6, -5i64 as u64), vec![8 << 3, 1]].concat();
        field(7, &[field(1, &point), vec![2 << 3, 2, 3 << 3, 1]].concat())
    }

    #[test]
    fn a_sum_is_shown_field_by_field() {
        let expected = "\
MetricsData = struct [0x0000, 47B] Metrics of a client in the OpenTelemetry protocol (OTLP), which is protobuf...
+-- resource_metrics ResourceMetrics = struct [0x0000, 47B] Metrics of one source. Java clients have one for each metric.
    +-- tag uvarint = 10 (field 1, len=45) [0x0000, 2B]
    +-- scope_metrics ScopeMetrics = struct [0x0002, 45B] Metrics by the library that took them.
        +-- tag uvarint = 18 (field 2, len=43) [0x0002, 2B]
        +-- metrics Metric = struct [0x0004, 43B] One metric with its data points.
            +-- tag uvarint = 18 (field 2, len=41) [0x0004, 2B]
            +-- name string = \"m\" (field 1, len=1) [0x0006, 3B] Name of the metric; those of KIP-714 begin with org.apache.kafka.
            +-- sum Sum = struct [0x0009, 38B] Values that add up over time.
                +-- tag uvarint = 58 (field 7, len=36) [0x0009, 2B]
                +-- data_points NumberDataPoint = struct [0x000b, 32B] Value for one set of attributes.
                |   +-- tag uvarint = 10 (field 1, len=30) [0x000b, 2B]
                |   +-- attributes KeyValue = struct [0x000d, 10B] What tells this point from the metric's others.
                |   |   +-- tag uvarint = 58 (field 7, len=8) [0x000d, 2B]
                |   |   +-- key string = \"k\" (field 1, len=1) [0x000f, 3B] Name of the attribute.
                |   |   +-- value AnyValue = struct [0x0012, 5B] Value of the attribute.
                |   |       +-- tag uvarint = 18 (field 2, len=3) [0x0012, 2B]
                |   |       +-- string_value string = \"v\" (field 1, len=1) [0x0014, 3B] A text.
                |   +-- time_unix_nano fixed64 = 1700000000123456789 (2023-11-14T22:13:20.123456789Z) (field 3) [0x0017, 9B] When the value was taken, in nanoseconds since 1970.
                |   +-- as_int sfixed64 = -5 (field 6) [0x0020, 9B] The value, whole.
                |   +-- flags uint32 = 1 (no recorded value) (field 8) [0x0029, 2B] Bits about the point.
                +-- aggregation_temporality AggregationTemporality = 2 (CUMULATIVE) (field 2) [0x002b, 2B] Whether values count from the last push or from the start.
                +-- is_monotonic bool = true (field 3) [0x002d, 2B] Whether values never fall.
";
        assert_eq!(tree_text(&metrics_of(&sum()), walk), expected);
    }

    /// The values of a data point of a metric.
    fn point_in(metric: u8, point: &[u8]) -> Vec<String> {
        lines_of(&field(metric, &field(1, point))).into_iter().skip(4).collect()
    }

    #[test]
    fn packed_arrays_have_elements() {
        let counts: Vec<u8> = [2u64, 1].iter().flat_map(|count| count.to_le_bytes()).collect();
        let histogram = [field(6, &counts), field(7, &0.5f64.to_le_bytes())].concat();
        assert_eq!(
            point_in(9, &histogram),
            [
                "bucket_counts []fixed64 = 2 elements [0x000d, 18B] Number of values in each bucket; there is one bucket more than bounds.",
                "tag uvarint = 50 (field 6, len=16) [0x000d, 2B]",
                "fixed64[0] fixed64 = 2 [0x000f, 8B]",
                "fixed64[1] fixed64 = 1 [0x0017, 8B]",
                "explicit_bounds []double = 1 element [0x001f, 10B] Upper bound of each bucket but the last, which has none.",
                "tag uvarint = 58 (field 7, len=8) [0x001f, 2B]",
                "double[0] double = 0.5 [0x0021, 8B]",
            ]
        );
    }

    #[test]
    fn exponential_histograms_have_signed_and_long_varints() {
        let buckets = [vec![1 << 3, 3], field(2, &[0xac, 0x02, 0x07])].concat();
        let point = [vec![6 << 3, 4], field(8, &buckets)].concat();
        let lines = point_in(10, &point);
        let starts = [
            "scale sint32 = 2 (field 6)",
            "positive Buckets = struct",
            "tag uvarint = 66 (field 8, len=7)",
            "offset sint32 = -2 (field 1)",
            "bucket_counts []uint64 = 2 elements",
            "tag uvarint = 18 (field 2, len=3)",
            "uint64[0] uint64 = 300 [",
            "uint64[1] uint64 = 7 [",
        ];
        assert_eq!(lines.len(), starts.len(), "{lines:#?}");
        for (line, start) in lines.iter().zip(starts) {
            assert!(line.starts_with(start), "{line}");
        }
    }

    #[test]
    fn elements_that_are_not_packed_are_read_too() {
        let lines = point_in(9, &fixed64(6, 7));
        let expected = "bucket_counts fixed64 = 7 (field 6) [0x000d, 9B]";
        assert_eq!(lines, [expected]);
    }

    #[test]
    fn what_is_not_known_is_shown_by_its_spelling() {
        let unknown = [vec![15 << 3, 5], fixed64(14, 6), field(13, b"x?"), vec![13 << 3 | 5, 1, 0, 0, 0]];
        assert_eq!(
            lines_of(&unknown.concat()),
            [
                "unknown varint = 5 (field 15) [0x0009, 2B]",
                "unknown fixed64 = 6 (field 14) [0x000b, 9B]",
                "unknown bytes = 2 bytes 78 3f \"x?\" (field 13, len=2) [0x0014, 4B]",
                "unknown fixed32 = 1 (field 13) [0x0018, 5B]",
            ]
        );
        // The name as a number.
        assert_eq!(
            lines_of(&[1 << 3, 5]),
            [
                "note: name string is never spelled as varint, so it counts as unknown",
                "unknown varint = 5 (field 1) [0x0009, 2B]"
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_said_and_what_follows_is_read() {
        // A tag of no value, within a metric with another after it.
        let broken = field(2, &[0x0b, 0xff]);
        let bytes = field(1, &field(2, &[broken, field(2, &field(1, b"m"))].concat()));
        let text = tree_text(&bytes, walk);
        let why =
            "note: this is no tag: a value is spelled as varint (0), fixed64 (1), bytes (2) or fixed32 (5)";
        assert!(text.contains(why), "{text}");
        assert!(text.contains("undecoded bytes = 2 bytes 0b ff [0x0006, 2B]"), "{text}");
        assert!(text.contains("name string = \"m\""), "{text}");
        // A varint that goes on.
        let text = tree_text(&[vec![8], vec![0xff; 11]].concat(), walk);
        assert!(text.contains("a varint has at most 10 bytes and 64 bits, this one goes on"), "{text}");
        // No more than is there is read, whatever the length.
        let text = tree_text(&[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x12], walk);
        assert!(
            text.contains(
                "its length says 18446744073709551615 bytes, 1 is left in the message (its length is 12)"
            ),
            "{text}"
        );
    }

    #[test]
    fn arrays_in_arrays_end_somewhere() {
        let mut value = field(1, b"deep");
        for _ in 0..20 {
            value = field(5, &field(1, &value));
        }
        let attribute = field(2, &value);
        let bytes = field(1, &field(1, &field(1, &attribute)));
        let text = tree_text(&bytes, walk);
        assert!(text.contains("note: deeper than 32 levels, so it is shown as it is"), "{text}");
        assert!(!text.contains("deep\""), "{text}");
    }

    #[test]
    fn any_bytes_are_covered() {
        any_change_is_tiled(&metrics_of(&sum()), walk);
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        assert!(!walk(&[], &mut Tree::new()));
    }
}
