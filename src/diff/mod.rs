//! Two messages of one API, compared field by field: what changed, and what only one of them has.
//!
//! Fields are compared by their names and values, so the two may be in different versions, and a length that is spelled in another
//! way is no difference. Elements of an array are paired by their map keys where the definition has such, else by what is equal in
//! them. Lengths, counts and the frame's size follow from the rest and are not compared.

mod align;
mod compare;
mod content;
mod fields;
mod shared;

use thiserror::Error;

pub use compare::compare;
pub use content::content;

use crate::schema::Direction;
use crate::tree::Tree;
use crate::wire::Heading;

/// One of two messages that are compared.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    /// Its nodes.
    pub tree: &'s Tree,
    /// Its bytes.
    pub data: &'s [u8],
    /// What it is.
    pub heading: &'s Heading,
}

/// How two messages differ.
#[derive(Default, Debug)]
pub struct Comparison {
    /// The differences, in the order of the first message, what only the second has in between.
    pub differences: Vec<Difference>,
    /// How many fields are equal. A structure or array counts as the fields in it, an empty array or null as one.
    pub equal: usize,
    /// How many fields were left out because they were to be ignored.
    pub ignored: usize,
}

/// One difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The path of the field. The place of an element is that in both arrays, or `0/2` if they differ.
    pub path: String,
    /// What differs.
    pub change: Change,
    /// What else there is to say.
    pub remark: Option<Remark>,
}

/// What differs. Nodes are given by their indices in the trees of the first and the second message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The value of a field.
    Value(usize, usize),
    /// The order of an array's elements; the elements themselves are compared apart from that.
    Order(usize, usize),
    /// Only the first has the field or element.
    OnlyA(usize),
    /// Only the second has the field or element.
    OnlyB(usize),
}

/// What else there is to say about a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remark {
    /// Every request has a correlation id of its own.
    Expected,
    /// The message that lacks the field is in a version that does not have it.
    NotInVersion(i16),
    /// The field is tagged, and the message that lacks it leaves it out.
    TagLeftOut,
    /// Where the contents of strings or bytes begin to differ; it may be the end of the shorter one.
    FirstByte(usize),
}

/// Why two messages cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotComparable {
    /// One is a request and the other a response.
    #[error("a {} cannot be compared with a {}", a.word(), b.word())]
    Directions {
        /// What the first is.
        a: Direction,
        /// What the second is.
        b: Direction,
    },
    /// They belong to different APIs.
    #[error("the messages are of different APIs, with the keys {a} and {b}")]
    Apis {
        /// The key of the first.
        a: i16,
        /// The key of the second.
        b: i16,
    },
    /// What one of them is could not be found out.
    #[error("what a message is must be known before it can be compared")]
    Unknown,
}

impl Comparison {
    /// Whether no field differs.
    pub fn is_equal(&self) -> bool {
        self.differences.is_empty()
    }

    /// How many fields changed, how many only the first has, and how many only the second.
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |wanted: fn(&Change) -> bool| {
            self.differences.iter().filter(|difference| wanted(&difference.change)).count()
        };
        (
            count(|change| matches!(change, Change::Value(..) | Change::Order(..))),
            count(|change| matches!(change, Change::OnlyA(_))),
            count(|change| matches!(change, Change::OnlyB(_))),
        )
    }
}
