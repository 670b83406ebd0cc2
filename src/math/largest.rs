//! The largest magnitude of many numbers, which also tells whether all are finite.

use super::{Real, Work, widest};
use rayon::prelude::*;

/// Numbers that a thread looks at in one go.
const PIECE: usize = 1536;

/// The largest magnitude of all numbers, or NaN if one of them is not finite.
pub fn largest_magnitude(values: &[Real]) -> Real {
    values.par_chunks(PIECE).map(|piece| widest(Largest(piece))).reduce(|| 0.0, nan_or_larger)
}

/// Copies numbers, and returns their largest magnitude in the same pass.
pub fn copied(from: &[Real], to: &mut [Real]) -> Real {
    let pieces = from.chunks(PIECE).zip(to.chunks_mut(PIECE));
    let largest = pieces.map(|(from, to)| {
        to.copy_from_slice(from);
        widest(Largest(from))
    });
    largest.fold(0.0, nan_or_larger)
}

/// The larger of two such magnitudes.
pub fn nan_or_larger(a: Real, b: Real) -> Real {
    if a.is_nan() || a > b { a } else { b }
}

/// The same for few numbers, lane by lane, as many as it takes to keep the processor busy.
pub struct Largest<'a>(pub &'a [Real]);

impl Work for Largest<'_> {
    type Output = Real;

    #[inline(always)]
    fn run(self) -> Real {
        const LANES: usize = 16;
        let (mut largest, mut wide) = ([0.0; LANES], [0; LANES]);
        let (lanes, rest) = self.0.as_chunks::<LANES>();
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        for values in lanes.iter().chain([&last]) {
            for ((largest, wide), v) in largest.iter_mut().zip(&mut wide).zip(values) {
                let v = v.abs();
                *largest = if v > *largest { v } else { *largest };
                // The exponents of infinity and NaN are all ones: one more reaches the sign.
                *wide |= v.to_bits() + (1 << 52);
            }
        }
        match wide.iter().any(|bits| bits >> 63 == 1) {
            true => Real::NAN,
            false => largest.into_iter().fold(0.0, nan_or_larger),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_magnitude_is_found_and_what_is_no_number_stands_out() {
        for length in [1, 7, 15, 16, 17, PIECE, PIECE + 5] {
            for k in [0, length / 2, length - 1] {
                let mut values = vec![0.5; length];
                values[k] = -3.0;
                assert_eq!(largest_magnitude(&values), 3.0);
                let mut copy = vec![0.0; length];
                assert!(copied(&values, &mut copy) == 3.0 && copy == values);
                values[k] = -Real::MAX;
                assert_eq!(largest_magnitude(&values), Real::MAX);
                for bad in [Real::NAN, -Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
                    values[k] = bad;
                    assert!(largest_magnitude(&values).is_nan());
                }
            }
        }
        assert_eq!(largest_magnitude(&[]), 0.0);
    }
}
