//! The numbers of a factor.

use sinew_math::Real;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// A number of 64 or 32 bits.
pub(super) trait Number:
    Copy
    + Send
    + Sync
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    const ZERO: Self;
    const ONE: Self;
    const INFINITY: Self;
    /// A pivot that cancels to less than this fraction of its diagonal entry is round-off: the matrix is numerically
    /// singular. Round-off itself is a few times the precision times the entries met on the way.
    const SMALLEST_PIVOT: Self;

    fn of(value: Real) -> Self;
    fn real(self) -> Real;
    fn sqrt(self) -> Self;

    /// A power of two by which values may be multiplied so that the largest is near one, if large and small values
    /// would not be numbers of this type otherwise.
    fn scale_to_one(values: &[Real]) -> Real;
}

impl Number for Real {
    const ZERO: Real = 0.0;
    const ONE: Real = 1.0;
    const INFINITY: Real = Real::INFINITY;
    const SMALLEST_PIVOT: Real = 1e-14;

    #[inline(always)]
    fn of(value: Real) -> Real {
        value
    }

    #[inline(always)]
    fn real(self) -> Real {
        self
    }

    #[inline(always)]
    fn sqrt(self) -> Real {
        Real::sqrt(self)
    }

    fn scale_to_one(_: &[Real]) -> Real {
        1.0
    }
}

impl Number for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const INFINITY: f32 = f32::INFINITY;
    const SMALLEST_PIVOT: f32 = 1e-6;

    #[inline(always)]
    fn of(value: Real) -> f32 {
        value as f32
    }

    #[inline(always)]
    fn real(self) -> Real {
        Real::from(self)
    }

    #[inline(always)]
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }

    fn scale_to_one(values: &[Real]) -> Real {
        let largest = values.iter().fold(0.0, |most: Real, value| most.max(value.abs()));
        // The exponent of a number is in its bits 52 to 62, 1023 for 1; zero and infinity have none.
        let exponent = (largest.to_bits() >> 52) & 0x7ff;
        if (1..0x7fe).contains(&exponent) { Real::from_bits((2046 - exponent) << 52) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_scaled_to_between_one_and_two() {
        for largest in [1.0, 1.9, 3.7e-9, 2.5e38, 1e300, Real::MIN_POSITIVE] {
            let scaled = f32::scale_to_one(&[0.0, -largest, 0.3 * largest]) * largest;
            assert!((1.0..2.0).contains(&scaled), "{largest}: {scaled}");
        }
        for values in [&[][..], &[0.0], &[Real::INFINITY], &[1e-310]] {
            assert_eq!(f32::scale_to_one(values), 1.0);
        }
    }
}
