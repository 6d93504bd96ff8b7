//! kdissect explains Kafka protocol bytes: every byte of a frame, with its field, type, value, offset and doc.
//!
//! ```text
//! bytes --input--> frames --wire--> tree of nodes --render--> text
//! ```
//!
//! - [`schema`]: what each message looks like in each version. Definitions are data in Kafka's own notation.
//! - [`wire`]: a definition and a version become a plan, and the walk of a plan over a frame fills a tree.
//! - [`records`]: what is inside a records field: batches, and the message sets before them; from bytes and to bytes.
//! - [`payload`]: formats that are carried inside bytes.
//! - [`tree`]: the nodes, in the order of their bytes, in one flat vector that is reused from message to message.
//! - [`input`]: what each frame of an input is.
//! - [`log`]: the files in a broker's log folders: segments, their indexes, checkpoints.
//! - [`capture`]: captures of network traffic: packets, and the TCP segments in them.
//! - [`diff`]: two trees compared field by field.
//! - [`render`]: from a tree to text.
//!
//! Decoding never prints, rendering never parses, and no input makes either panic.
//!
//! ```
//! use kdissect::{render, schema::Catalogue, tree::Tree, wire::{Decoder, Frame}};
//!
//! let bytes = b"\0\0\0\x0e\0\x41\0\0\0\0\0\0\0\0\0\x02\x01\0";
//! let catalogue = Catalogue::embedded();
//! let mut decoder = Decoder::new(&catalogue);
//! let mut tree = Tree::new();
//! let (frame, rest) = Frame::split(bytes);
//! let heading = decoder.request(frame, &mut tree);
//! assert_eq!((heading.api_key, heading.api_version, rest.len()), (Some(65), Some(0), 0));
//! assert!(tree.problems.is_empty());
//!
//! let view = render::View::new(&tree, frame, &heading, &catalogue);
//! let mut text = Vec::new();
//! render::tree_text::write_tree(&mut text, view, &render::Options::default(), &render::Theme::plain())?;
//! assert!(text.starts_with(b"DescribeTransactionsRequest message v0 [0x0000, 18B]\n+-- Frame [0x0000, 4B]"));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod capture;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diff;
pub mod input;
pub mod log;
pub mod payload;
pub mod records;
pub mod render;
pub mod schema;
pub mod tree;
pub mod wire;
