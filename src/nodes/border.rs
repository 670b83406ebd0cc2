//! The border between a host's items and Sinew's: unit, up axis, and what is refused.

use super::descriptor::Quantity;
use crate::error::{Error, Kind};
use crate::math::{Affine, Real, Space, Vec3};

/// How far the last row of a transform may be off 0 0 0 1: hosts multiply matrices in single precision.
const LAST_ROW_TOLERANCE: Real = 1e-5;

/// The conversion of one item.
pub(super) struct Check {
    pub(super) quantity: Quantity,
    pub(super) space: Space,
    pub(super) range: Option<(Real, Real)>,
}

impl Check {
    /// Converts a host's item in place; false when it must be refused.
    pub(super) fn take(&self, item: &mut [Real]) -> bool {
        // The sum of finite numbers may overflow, so each is looked at.
        if !item.iter().all(|v| v.is_finite()) {
            return false;
        }
        match self.quantity {
            Quantity::Scalar | Quantity::Uv | Quantity::Index => {}
            Quantity::Length => item.iter_mut().for_each(|v| *v *= self.space.metres_per_unit()),
            _ if self.space == Space::default() => {}
            Quantity::Position | Quantity::Displacement => {
                let p = self.space.point_in(Vec3::new(item[0], item[1], item[2]));
                item.copy_from_slice(p.as_slice());
            }
            Quantity::Direction => {
                let p = self.space.direction_in(Vec3::new(item[0], item[1], item[2]));
                item.copy_from_slice(p.as_slice());
            }
            Quantity::Transform => {
                let a = self.space.affine_in(&Affine::from_row_slice(&item[..12]));
                write_rows(&a, item);
            }
        }
        let last_row_fits = || {
            let rest = [item[12], item[13], item[14], item[15] - 1.0];
            rest.iter().all(|v| v.abs() <= LAST_ROW_TOLERANCE)
        };
        (self.quantity != Quantity::Transform || last_row_fits())
            && self.range.is_none_or(|(low, high)| item.iter().all(|v| (low..=high).contains(v)))
            && item.iter().all(|v| v.is_finite())
    }

    /// Why [`Check::take`] refused the item.
    pub(super) fn explain(&self, item: &[Real]) -> Error {
        if let Some(c) = item.iter().position(|v| !v.is_finite()) {
            return Error::new(Kind::NotFinite, format!("component {c} is {}", item[c]));
        }
        if self.quantity == Quantity::Transform {
            let row = &item[12..];
            let message = format!("the last row of the matrix is {row:?}, not 0 0 0 1 (transposed?)");
            return Error::new(Kind::OutOfRange, message);
        }
        match self.range {
            Some((low, high)) => {
                Error::new(Kind::OutOfRange, format!("{item:?} is not in the range {low} to {high}"))
            }
            None => Error::new(Kind::OutOfRange, format!("{item:?} is too large in metres")),
        }
    }

    /// Hands the components of an item, converted to the host's space, to `put`.
    pub(super) fn give(&self, item: &[Real], mut put: impl FnMut(usize, Real)) {
        let mut all = |values: &[Real]| values.iter().enumerate().for_each(|(c, &v)| put(c, v));
        match self.quantity {
            Quantity::Length => {
                item.iter().enumerate().for_each(|(c, v)| put(c, v / self.space.metres_per_unit()))
            }
            Quantity::Scalar | Quantity::Uv | Quantity::Index => all(item),
            _ if self.space == Space::default() => all(item),
            Quantity::Position | Quantity::Displacement => {
                all(self.space.point_out(Vec3::new(item[0], item[1], item[2])).as_slice());
            }
            Quantity::Direction => {
                all(self.space.direction_out(Vec3::new(item[0], item[1], item[2])).as_slice());
            }
            Quantity::Transform => {
                let mut rows = [0.0; 16];
                write_rows(&self.space.affine_out(&Affine::from_row_slice(&item[..12])), &mut rows);
                rows[15] = 1.0;
                all(&rows);
            }
        }
    }
}

fn write_rows(a: &Affine, out: &mut [Real]) {
    for row in 0..3 {
        for column in 0..4 {
            out[row * 4 + column] = a[(row, column)];
        }
    }
}
