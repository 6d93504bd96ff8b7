//! What the tests of captures share.

use std::time::{SystemTime, UNIX_EPOCH};

/// The seed for random tests: from `KDISSECT_SEED`, else the time. It is printed, and cargo shows it when a test fails.
pub fn seed() -> u64 {
    let given = std::env::var("KDISSECT_SEED").ok().and_then(|text| text.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let seed = given.unwrap_or_else(now);
    println!("KDISSECT_SEED={seed}");
    seed
}
