//! Two frames that are to be of one API: what each is may be told by the other.

use super::conversation::Reason;
use crate::schema::Direction;
use crate::wire::Heading;

/// What two responses should be decoded as: API key and version of each. Of all that they fit, it is what is most plausible for
/// both and of the same API. `None` if they are best left as they are.
pub fn alike(a: (&Heading, &Reason), b: (&Heading, &Reason)) -> Option<[(i16, i16); 2]> {
    let (a_known, b_known) = (possible(a.0, a.1), possible(b.0, b.1));
    // What fits nothing is most likely a broken one of what the other is.
    match (a_known.first(), b_known.first()) {
        (Some(a), None) if *b.1 == Reason::Nothing => return Some([*a, *a]),
        (None, Some(b)) if *a.1 == Reason::Nothing => return Some([*b, *b]),
        _ => {}
    }
    let pairs = a_known.iter().enumerate().flat_map(|(a_rank, a)| {
        let same_api = b_known.iter().enumerate().filter(|(_, b)| a.0 == b.0);
        same_api.map(move |(b_rank, b)| (a_rank + b_rank, a.1 != b.1, [*a, *b]))
    });
    let best = pairs.min_by_key(|(rank, other_version, _)| (*rank, *other_version));
    best.map(|(_, _, pair)| pair)
}

/// What a frame can be, the most plausible first.
fn possible(heading: &Heading, reason: &Reason) -> Vec<(i16, i16)> {
    match (reason, heading.direction, heading.api_key.zip(heading.api_version)) {
        (Reason::Fits(candidates), _, _) => {
            candidates.iter().map(|candidate| (candidate.api_key, candidate.version)).collect()
        }
        (Reason::Certain | Reason::Paired, Direction::Response, Some(known)) => vec![known],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::conversation::{Conversation, Wanted};
    use crate::schema::Catalogue;
    use crate::tree::Tree;
    use crate::wire::{Decoder, Frame};

    /// What two frames are decoded as together.
    fn together(a: &[u8], b: &[u8]) -> Option<[(i16, i16); 2]> {
        let catalogue = Catalogue::embedded();
        let mut decoder = Decoder::new(&catalogue);
        let mut decode = |bytes| {
            let (frame, mut tree) = (Frame { bytes, sized: true }, Tree::new());
            Conversation::new(Wanted::Any).decode(&mut decoder, frame, &mut tree)
        };
        let (a, b) = (decode(a), decode(b));
        alike((&a.0, &a.1), (&b.0, &b.1))
    }

    #[test]
    fn what_fits_both_counts() {
        let metadata = include_bytes!("../../samples/metadata_response_v12.bin");
        assert_eq!(together(metadata, metadata), Some([(3, 12), (3, 12)]));
        let broken = include_bytes!("../../samples/metadata_response_v12_wrong_count.bin");
        assert_eq!(together(metadata, broken), Some([(3, 12), (3, 12)]));
        assert_eq!(together(broken, metadata), Some([(3, 12), (3, 12)]));
        assert_eq!(together(broken, broken), None);
        let request = include_bytes!("../../samples/join_group_request_v5.bin");
        assert_eq!(together(request, request), None);
    }
}
