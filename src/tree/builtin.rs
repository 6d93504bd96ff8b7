//! The items of nodes that no definition describes: framing, lengths, tags, raw bytes.

use std::sync::OnceLock;

use crate::wire::plan::Item;

macro_rules! builtin {
    ($($(#[$doc:meta])* $name:ident = $index:literal: $label:literal, $type_name:literal, $about:literal;)*) => {
        $($(#[$doc])* pub const $name: u16 = $index;)*

        /// The items, in the order of their numbers.
        pub fn items() -> &'static [Item] {
            static ITEMS: OnceLock<Vec<Item>> = OnceLock::new();
            ITEMS.get_or_init(|| vec![$(Item::new($label.into(), $type_name.into(), $about.into())),*])
        }
    };
}

builtin! {
    /// The size field's container.
    FRAME = 0: "Frame", "", "length-delimited framing";
    /// The size field.
    SIZE = 1: "size", "int32", "number of bytes that follow, patched after encoding";
    /// A request whose API or version is not known.
    UNKNOWN_REQUEST = 2: "UnknownRequest", "", "";
    /// A response whose API or version is not known.
    UNKNOWN_RESPONSE = 3: "UnknownResponse", "", "";
    /// The length before an array or records, if a uvarint.
    UVARINT_LENGTH = 4: "length", "uvarint", "";
    /// The length before an array or records, if an int32.
    INT32_LENGTH = 5: "length", "int32", "";
    /// The tagged fields of a structure.
    TAGGED_FIELDS = 6: "tagged_fields", "uvarint", "number of tagged fields in this struct";
    /// The tagged fields of a header.
    HEADER_TAGGED_FIELDS = 7: "tagged_fields", "uvarint", "number of tagged fields in the header";
    /// The number of tagged fields, where there are any.
    TAG_COUNT = 8: "count", "uvarint", "";
    /// A tag.
    TAG_NUMBER = 9: "tag", "uvarint", "number that identifies the field within its struct";
    /// The size of a tagged field.
    TAG_SIZE = 10: "size", "uvarint", "number of bytes of the field's value";
    /// The byte before a structure that may be null.
    PRESENT = 11: "present", "int8", "1 before a struct that is there, -1 alone for null";
    /// The value of a tagged field that the definition does not know.
    TAG_VALUE = 12: "value", "", "";
    /// Bytes left after a tagged field's value.
    TAG_REST = 13: "rest of the tag", "", "";
    /// What is in a records field.
    RECORD_BYTES = 14: "batches", "", "record batches or message sets";
    /// Bytes after the body.
    TRAILING = 15: "trailing bytes", "", "";
    /// Bytes that could not be decoded.
    UNDECODED = 16: "undecoded bytes", "", "";
    /// The body of a message whose layout is not known.
    UNKNOWN_BODY = 17: "body", "", "";
    /// An unknown tagged field.
    UNKNOWN_TAG = 18: "", "", "";
    /// A frame that is no message that is known.
    UNKNOWN_MESSAGE = 19: "UnknownMessage", "", "";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_positions() {
        assert_eq!(items()[usize::from(SIZE)].label(), "size int32");
        assert_eq!(&*items()[usize::from(UNKNOWN_MESSAGE)].name, "UnknownMessage");
        assert_eq!(items().len(), usize::from(UNKNOWN_MESSAGE) + 1);
    }
}
