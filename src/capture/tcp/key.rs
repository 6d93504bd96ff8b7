//! The key of a connection: its endpoints in either order.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::net::IpAddr;

use crate::capture::{Endpoint, Segment};

/// Both endpoints, the smaller one first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    addresses: [u128; 2],
    /// Both ports, and whether the addresses are IPv6 ones.
    ports: u64,
}

impl Key {
    pub fn of(segment: &Segment<'_>) -> Key {
        let (a, b) = (number(&segment.source), number(&segment.destination));
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        let v6 = u64::from(segment.source.address.is_ipv6());
        Key { addresses: [low.0, high.0], ports: v6 << 32 | u64::from(low.1) << 16 | u64::from(high.1) }
    }
}

fn number(endpoint: &Endpoint) -> (u128, u16) {
    let address = match endpoint.address {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    };
    (address, endpoint.port)
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [low, high] = self.addresses;
        if self.ports >> 32 == 0 {
            state.write_u64((low as u64) << 32 | high as u64);
        } else {
            for half in [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64] {
                state.write_u64(half);
            }
        }
        state.write_u64(self.ports);
    }
}

/// Hashes keys by folded multiplication: the default takes as long as all the rest of a segment. The seed is random, so that a
/// capture cannot be made to collide.
#[derive(Clone)]
pub(super) struct Seeded(u64);

impl Seeded {
    pub fn new() -> Seeded {
        Seeded(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        Folding(self.0)
    }
}

pub(super) struct Folding(u64);

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * u128::from(0x9e37_79b9_7f4a_7c15_u64);
        self.0 = (product as u64 ^ (product >> 64) as u64).rotate_left(23);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
