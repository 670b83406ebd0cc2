//! Distances of many points in many poses: quantiles without keeping them all.

use sinew_math::Real;
use std::collections::BTreeMap;

/// Counts distances by their leading bits: quantiles are right within 2 %, the largest one exactly.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    bins: BTreeMap<u64, u64>,
    count: u64,
    most: Real,
}

/// With these bits left out of 64, a bin is 1/64 wide relative to its distance.
const LEFT_OUT: u32 = 46;

impl Errors {
    /// Adds a distance, which is not negative.
    pub fn add(&mut self, distance: Real) {
        *self.bins.entry(distance.to_bits() >> LEFT_OUT).or_default() += 1;
        self.count += 1;
        self.most = self.most.max(distance);
    }

    /// Adds those of another.
    pub fn join(&mut self, other: &Errors) {
        other.bins.iter().for_each(|(bin, count)| *self.bins.entry(*bin).or_default() += count);
        self.count += other.count;
        self.most = self.most.max(other.most);
    }

    /// The distance that this part of them does not exceed.
    pub fn quantile(&self, part: Real) -> Real {
        let mut left = (part * self.count as Real).ceil() as u64;
        for (bin, count) in &self.bins {
            if *count >= left {
                return Real::from_bits((bin + 1) << LEFT_OUT).min(self.most);
            }
            left -= count;
        }
        self.most
    }

    /// The largest.
    pub fn most(&self) -> Real {
        self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_all_distances() {
        let mut halves = [Errors::default(), Errors::default()];
        (1..=1000).for_each(|k| halves[k % 2].add(k as Real * 1e-5));
        let [mut all, other] = halves;
        all.join(&other);
        for (part, expected) in [(0.5, 5e-3), (0.99, 9.9e-3), (1.0, 1e-2)] {
            assert!((all.quantile(part) / expected - 1.0).abs() < 0.02, "{part}: {}", all.quantile(part));
        }
        assert_eq!((all.most(), Errors::default().quantile(0.5)), (1e-2, 0.0));
        let mut still = Errors::default();
        (0..10).for_each(|_| still.add(0.0));
        assert_eq!(still.quantile(0.99), 0.0);
    }
}
