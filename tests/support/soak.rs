//! How long tests that get better with time run: `sh tests/soak.sh`.

/// A number of rounds, times the factor that the environment names.
pub fn rounds(bounded: u64) -> u64 {
    let factor =
        std::env::var("SINEW_SOAK").map_or(1, |text| text.parse().expect("SINEW_SOAK is a whole number"));
    bounded * factor
}
