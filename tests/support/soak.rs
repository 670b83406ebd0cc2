//! How long tests that get better with time run: `sh tests/soak.sh`.
#![allow(dead_code)] // each of them uses a part

/// A number of rounds, times the factor that the environment names.
pub fn rounds(bounded: u64) -> u64 {
    let factor =
        std::env::var("SINEW_SOAK").map_or(1, |text| text.parse().expect("SINEW_SOAK is a whole number"));
    bounded * factor
}

/// One of every so many of a list; all of it where the environment names a factor.
pub fn sample<T>(all: &[T], every: usize) -> impl Iterator<Item = &T> {
    all.iter().step_by(if rounds(1) > 1 { 1 } else { every })
}

/// The first of the seeds that such a test takes, if it has any: others than usual find other things.
pub fn first_seed() -> u64 {
    std::env::var("SINEW_FIRST_SEED")
        .map_or(0, |text| text.parse().expect("SINEW_FIRST_SEED is a whole number"))
}
