//! The border between a host's items and Sinew's: unit, up axis, and what is rejected.

use super::descriptor::Quantity;
use sinew_base::error::{Error, Kind};
use sinew_math::{Affine, ROUNDING, Real, Space, Vec3, all_finite};

/// The tolerance on the last row of a transform, 0 0 0 1: hosts multiply matrices in single precision.
const LAST_ROW_TOLERANCE: Real = 1e-5;

/// The conversions and checks of a port's items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    pub(super) components: u32,
    pub(super) quantity: Quantity,
    pub(super) space: Space,
    pub(super) range: Option<(Real, Real)>,
    /// Whether the numbers are integers.
    pub(super) whole: bool,
    /// Whether the host's matrices multiply row vectors.
    pub(super) row_vectors: bool,
}

impl Border {
    /// A border that only rejects NaN and infinity.
    pub(super) fn open(components: u32) -> Self {
        let (quantity, space) = (Quantity::Scalar, Space::default());
        Border { components, quantity, space, range: None, whole: false, row_vectors: false }
    }

    /// Whether the numbers are the same on both sides.
    pub(super) fn keeps_numbers(&self) -> bool {
        match self.quantity {
            Quantity::Scalar | Quantity::Uv | Quantity::Index => true,
            Quantity::Length => self.space.metres_per_unit() == 1.0,
            Quantity::Transform => self.space == Space::default() && !self.row_vectors,
            Quantity::Position | Quantity::Displacement | Quantity::Direction => {
                self.space == Space::default()
            }
        }
    }

    /// Whether converted items may be taken. No conversion makes a number of NaN or infinity, and large numbers
    /// overflow in a large unit.
    pub(super) fn accepts(&self, values: &[Real]) -> bool {
        let fits =
            |(low, high): (Real, Real)| values.iter().fold(true, |ok, v| ok & (low <= *v) & (*v <= high));
        all_finite(values)
            && self.range.is_none_or(fits)
            && (self.quantity != Quantity::Transform || values.chunks_exact(16).all(last_row_fits))
    }

    /// Converts a host's items in place. What rounding has put a little beyond the range is at its end.
    pub(super) fn convert_in(&self, values: &mut [Real]) {
        self.convert(values);
        if let Some((low, high)) = self.range {
            let is_near = |v: Real| v >= low - ROUNDING && v <= high + ROUNDING;
            values.iter_mut().filter(|v| is_near(**v)).for_each(|v| *v = v.clamp(low, high));
        }
    }

    fn convert(&self, values: &mut [Real]) {
        if self.keeps_numbers() {
            return;
        }
        let unit = self.space.metres_per_unit();
        match self.quantity {
            Quantity::Scalar | Quantity::Uv | Quantity::Index => {}
            Quantity::Length => values.iter_mut().for_each(|v| *v *= unit),
            Quantity::Position | Quantity::Displacement => {
                each_vector(values, |v| self.space.point_in(v));
            }
            Quantity::Direction => each_vector(values, |v| self.space.direction_in(v)),
            Quantity::Transform => {
                if self.row_vectors {
                    values.chunks_exact_mut(16).for_each(transpose);
                }
                each_affine(values, |a| self.space.affine_in(a));
            }
        }
    }

    /// Why [`Border::accepts`] refuses the item.
    pub(super) fn explain(&self, item: &[Real]) -> Error {
        if let Some(c) = item.iter().position(|v| !v.is_finite()) {
            return Error::new(Kind::NotFinite, format!("component {c} is {}", item[c]));
        }
        if self.quantity == Quantity::Transform && !self.ends_well(item) {
            let (what, last) = match self.row_vectors {
                true => ("column", [3, 7, 11, 15].map(|k| item[k])),
                false => ("row", [12, 13, 14, 15].map(|k| item[k])),
            };
            let message = format!("the last {what} of the matrix is {last:?}, not 0 0 0 1 (transposed?)");
            return Error::new(Kind::OutOfRange, message);
        }
        match self.range {
            Some((low, high)) => {
                let shown = if let [one] = item { format!("{one}") } else { format!("{item:?}") };
                Error::new(Kind::OutOfRange, format!("{shown} is not in the range {low} to {high}"))
            }
            None => Error::new(Kind::OutOfRange, format!("{item:?} is too large in metres")),
        }
    }

    /// Whether the last row of a host's matrix, or its last column, is that of a transform.
    fn ends_well(&self, item: &[Real]) -> bool {
        let mut m: [Real; 16] = std::array::from_fn(|k| item[k]);
        if self.row_vectors {
            transpose(&mut m);
        }
        last_row_fits(&m)
    }

    /// Converts Sinew's items in place to the host's space.
    pub(super) fn give(&self, values: &mut [Real]) {
        let unit = self.space.metres_per_unit();
        match self.quantity {
            Quantity::Scalar | Quantity::Uv | Quantity::Index => {}
            Quantity::Length => values.iter_mut().for_each(|v| *v /= unit),
            Quantity::Position | Quantity::Displacement => {
                each_vector(values, |v| self.space.point_out(v));
            }
            Quantity::Direction => each_vector(values, |v| self.space.direction_out(v)),
            Quantity::Transform => {
                each_affine(values, |a| self.space.affine_out(a));
                values.chunks_exact_mut(16).for_each(|m| m[12..].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]));
                if self.row_vectors {
                    values.chunks_exact_mut(16).for_each(transpose);
                }
            }
        }
    }
}

fn transpose(m: &mut [Real]) {
    for (row, column) in (0..4).flat_map(|row| (0..row).map(move |column| (row, column))) {
        m.swap(4 * row + column, 4 * column + row);
    }
}

fn last_row_fits(m: &[Real]) -> bool {
    [m[12], m[13], m[14], m[15] - 1.0].iter().all(|v| v.abs() <= LAST_ROW_TOLERANCE)
}

fn each_vector(values: &mut [Real], convert: impl Fn(Vec3) -> Vec3) {
    for v in values.as_chunks_mut::<3>().0 {
        *v = convert(Vec3::from(*v)).into();
    }
}

fn each_affine(values: &mut [Real], convert: impl Fn(&Affine) -> Affine) {
    for m in values.chunks_exact_mut(16) {
        let a = convert(&Affine::from_row_slice(&m[..12]));
        for (k, v) in m[..12].iter_mut().enumerate() {
            *v = a[(k / 4, k % 4)];
        }
    }
}
