//! Pairs what two lists have in common.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::hash::Hash;

/// A place in one list or in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aligned {
    /// These two belong together.
    Both(usize, usize),
    /// Only the first list has it.
    OnlyA(usize),
    /// Only the second list has it.
    OnlyB(usize),
}

/// Pairs equal keys, the first with the first where a key comes more than once. The order may differ.
pub fn by_key<K: Eq + Hash>(a: &[K], b: &[K]) -> Vec<Aligned> {
    interleaved(a.len(), b.len(), &pairs(a, b))
}

/// Pairs as many equal elements as the order of both lists allows; what lies between two such pairs is paired in its order.
///
/// The time is near linear, however little the lists have in common. With elements that come more than once, fewer may be
/// paired than could be.
pub fn by_order<K: Eq + Hash>(a: &[K], b: &[K]) -> Vec<Aligned> {
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a_rest, b_rest) = (&a[before..], &b[before..]);
    let after = a_rest.iter().rev().zip(b_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let a_middle = &a_rest[..a_rest.len() - after];
    let b_middle = &b_rest[..b_rest.len() - after];
    let anchors = longest_ascending(&pairs(a_middle, b_middle));

    let mut all: Vec<(usize, usize)> = (0..before).map(|index| (index, index)).collect();
    let (mut next_a, mut next_b) = (before, before);
    let ends = (a.len() - after, b.len() - after);
    for (a, b) in anchors.iter().map(|(a, b)| (a + before, b + before)).chain([ends]) {
        all.extend((next_a..a).zip(next_b..b));
        if (a, b) != ends {
            all.push((a, b));
        }
        (next_a, next_b) = (a + 1, b + 1);
    }
    all.extend((0..after).map(|index| (ends.0 + index, ends.1 + index)));
    interleaved(a.len(), b.len(), &all)
}

/// The places of equal keys, by ascending place in `a`.
fn pairs<K: Eq + Hash>(a: &[K], b: &[K]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&K, VecDeque<usize>> = HashMap::new();
    for (place, key) in b.iter().enumerate() {
        places.entry(key).or_default().push_back(place);
    }
    let partner = |key| places.get_mut(key).and_then(VecDeque::pop_front);
    a.iter().map(partner).enumerate().filter_map(|(a, b)| Some((a, b?))).collect()
}

/// The most pairs whose second numbers ascend as the first do.
fn longest_ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length of a chain, the pair at the end of the one that ends lowest; and before each pair, the one that it follows.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, b)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *b);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        ends.truncate(ends.len().max(length));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut chain: Vec<(usize, usize)> = std::iter::successors(ends.last().copied(), |index| before[*index])
        .map(|index| pairs[index])
        .collect();
    chain.reverse();
    chain
}

/// Everything in the order of `a`, with what only `b` has before the partner that it stands before in `b`.
fn interleaved(a_len: usize, b_len: usize, pairs: &[(usize, usize)]) -> Vec<Aligned> {
    let mut paired = vec![false; b_len];
    for (_, b) in pairs {
        paired[*b] = true;
    }
    let mut lonely = (0..b_len).filter(|b| !paired[*b]).peekable();
    let mut pairs = pairs.iter().peekable();
    let mut all = Vec::with_capacity(a_len.max(b_len));
    for a in 0..a_len {
        match pairs.next_if(|pair| pair.0 == a) {
            Some((_, b)) => {
                while let Some(lonely) = lonely.next_if(|lonely| lonely < b) {
                    all.push(Aligned::OnlyB(lonely));
                }
                all.push(Aligned::Both(a, *b));
            }
            None => all.push(Aligned::OnlyA(a)),
        }
    }
    all.extend(lonely.map(Aligned::OnlyB));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `=02` for a pair, `-1` and `+1` for what only one has.
    fn told(aligned: &[Aligned]) -> String {
        let texts: Vec<String> = aligned
            .iter()
            .map(|aligned| match aligned {
                Aligned::Both(a, b) => format!("={a}{b}"),
                Aligned::OnlyA(a) => format!("-{a}"),
                Aligned::OnlyB(b) => format!("+{b}"),
            })
            .collect();
        texts.join(" ")
    }

    #[test]
    fn keys_pair_whatever_their_order() {
        for (a, b, expected) in [
            ("", "", ""),
            ("abc", "abc", "=00 =11 =22"),
            ("abc", "axbc", "=00 +1 =12 =23"),
            ("abc", "cab", "=01 =12 =20"),
            ("aab", "ab", "=00 -1 =21"),
            ("ab", "", "-0 -1"),
            ("", "ab", "+0 +1"),
            ("ab", "xy", "-0 -1 +0 +1"),
        ] {
            assert_eq!(told(&by_key(a.as_bytes(), b.as_bytes())), expected, "{a} {b}");
        }
    }

    #[test]
    fn order_pairs_what_is_equal_and_then_what_lies_between() {
        for (a, b, expected) in [
            ("", "", ""),
            ("abc", "abc", "=00 =11 =22"),
            ("abc", "axc", "=00 =11 =22"),
            ("abc", "ac", "=00 -1 =21"),
            ("ac", "abc", "=00 +1 =12"),
            ("abc", "bca", "-0 =10 =21 +2"),
            ("abcd", "xbyd", "=00 =11 =22 =33"),
            ("abcde", "xyzce", "=00 =11 +2 =23 -3 =44"),
            ("ab", "xyz", "=00 =11 +2"),
            ("aaa", "aa", "=00 =11 -2"),
        ] {
            assert_eq!(told(&by_order(a.as_bytes(), b.as_bytes())), expected, "{a} {b}");
        }
    }

    #[test]
    fn long_lists_with_little_in_common_take_no_time() {
        const MANY: u32 = 200_000;
        let a: Vec<u32> = (0..MANY).collect();
        let (backwards, others): (Vec<u32>, Vec<u32>) =
            ((0..MANY).rev().collect(), (MANY..2 * MANY).collect());
        assert_eq!(
            by_order(&a, &others),
            (0..a.len()).map(|index| Aligned::Both(index, index)).collect::<Vec<_>>()
        );
        // Backwards, any one pair is as good as any other.
        let paired = |aligned: &&Aligned| matches!(aligned, Aligned::Both(..));
        assert_eq!(by_order(&a, &backwards).iter().filter(paired).count(), 1);
        assert_eq!(by_key(&a, &backwards).iter().filter(paired).count(), a.len());
    }
}
