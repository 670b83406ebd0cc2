//! Gather and scatter: the only code that reads and writes the host's arrays.
//!
//! Gather: copy in, convert element type, unit and up axis, refuse what is not a number. Scatter: the inverse;
//! checks everything before it writes anything.

use super::array::{ArrayView, ArrayViewMut, ElementType};
use super::border::Check;
use super::descriptor::Quantity;
use crate::error::{Error, Kind, Result};
use crate::math::{Real, Space};
use rayon::prelude::*;

/// Items per parallel task: long enough to drown the cost of a task, short enough to balance.
const CHUNK: usize = 2048;

/// An error with the index of the item, which only the caller can name (vertex, face, joint).
#[derive(Debug)]
pub(super) struct ItemError {
    pub(super) item: Option<usize>,
    pub(super) error: Error,
}

impl From<Error> for ItemError {
    fn from(error: Error) -> Self {
        ItemError { item: None, error }
    }
}

impl ArrayView<'_> {
    /// The numbers as they are, without any conversion of space; an error when one is not finite.
    pub fn to_reals(&self, components: u32) -> Result<Vec<Real>> {
        let mut values = Vec::new();
        self.gather_reals(components, Quantity::Scalar, &Space::default(), None, &mut values).map_err(
            |e| match e.item {
                Some(item) => e.error.vertex(item),
                None => e.error,
            },
        )?;
        Ok(values)
    }

    /// Copies the array into `out` as Sinew's own numbers. On an error `out` holds nothing of use.
    ///
    /// The error names the item by its index; `NotFinite` also names the component.
    pub(super) fn gather_reals(
        &self,
        components: u32,
        quantity: Quantity,
        space: &Space,
        range: Option<(Real, Real)>,
        out: &mut Vec<Real>,
    ) -> Result<(), ItemError> {
        self.shape.expect_components(components)?;
        let check = Check { quantity, space: *space, range };
        match self.shape.element {
            // SAFETY: the arm fixes the element type; gather_as stays inside count and components.
            ElementType::F32 => self.gather_as(&check, out, |i, c| unsafe { self.get::<f32>(i, c) } as Real),
            // SAFETY: as above.
            ElementType::F64 => self.gather_as(&check, out, |i, c| unsafe { self.get::<f64>(i, c) }),
            ElementType::I32 | ElementType::U32 => {
                Err(Error::new(Kind::WrongType, "the port holds floating-point numbers, not whole ones")
                    .into())
            }
        }
    }

    fn gather_as(
        &self,
        check: &Check,
        out: &mut Vec<Real>,
        get: impl Fn(usize, usize) -> Real + Sync,
    ) -> Result<(), ItemError> {
        let components = self.shape.components as usize;
        out.resize(self.shape.count * components, 0.0);
        let bad = out
            .par_chunks_mut(components * CHUNK)
            .enumerate()
            .map(|(chunk, values)| {
                let mut bad = usize::MAX;
                for (k, item) in values.chunks_exact_mut(components).enumerate() {
                    let index = chunk * CHUNK + k;
                    for (c, value) in item.iter_mut().enumerate() {
                        *value = get(index, c);
                    }
                    if !check.take(item) {
                        bad = bad.min(index);
                    }
                }
                bad
            })
            .reduce(|| usize::MAX, usize::min);
        if bad == usize::MAX {
            return Ok(());
        }
        // The item may be converted already: read it again to say what the host gave.
        let item: Vec<Real> = (0..components).map(|c| get(bad, c)).collect();
        Err(ItemError { item: Some(bad), error: check.explain(&item) })
    }

    /// Copies whole numbers into `out`; the error names the item by its index.
    pub(super) fn gather_ints(&self, components: u32, out: &mut Vec<u32>) -> Result<(), ItemError> {
        self.shape.expect_components(components)?;
        let components = components as usize;
        out.resize(self.shape.count * components, 0);
        for (k, value) in out.iter_mut().enumerate() {
            let (item, component) = (k / components, k % components);
            *value = match self.shape.element {
                // SAFETY: the arm fixes the element type; k < count * components.
                ElementType::U32 => unsafe { self.get::<u32>(item, component) },
                ElementType::I32 => {
                    // SAFETY: as above.
                    let signed = unsafe { self.get::<i32>(item, component) };
                    u32::try_from(signed).map_err(|_| ItemError {
                        item: Some(item),
                        error: Error::new(Kind::OutOfRange, format!("{signed} is negative")),
                    })?
                }
                ElementType::F32 | ElementType::F64 => {
                    let message = "the port holds whole numbers, not floating-point ones";
                    return Err(Error::new(Kind::WrongType, message).into());
                }
            };
        }
        Ok(())
    }
}

impl ArrayViewMut<'_> {
    /// Writes Sinew's numbers as the host wants them; writes nothing when it returns an error.
    pub(super) fn scatter_reals(
        &mut self,
        values: &[Real],
        components: u32,
        quantity: Quantity,
        space: &Space,
    ) -> Result<(), ItemError> {
        self.shape.expect_components(components)?;
        let expected = values.len() / components as usize;
        if expected != self.shape.count {
            let message = format!("the output has {expected} items, the array {}", self.shape.count);
            return Err(Error::new(Kind::CountMismatch, message).into());
        }
        let check = Check { quantity, space: *space, range: None };
        match self.shape.element {
            ElementType::F32 => {
                self.check_single(values, &check)?;
                self.scatter_as(values, &check, |v| v as f32);
            }
            ElementType::F64 => self.scatter_as(values, &check, |v| v),
            ElementType::I32 | ElementType::U32 => {
                let message = "the output is floating-point numbers, the array whole ones";
                return Err(Error::new(Kind::WrongType, message).into());
            }
        }
        Ok(())
    }

    /// Refuses numbers that single precision cannot hold.
    fn check_single(&self, values: &[Real], check: &Check) -> Result<(), ItemError> {
        let components = self.shape.components as usize;
        let fits = |item: &[Real]| {
            let mut largest: Real = 0.0;
            check.give(item, |_, v| largest = largest.max(v.abs()));
            (largest as f32).is_finite()
        };
        let bad = values
            .par_chunks(components * CHUNK)
            .enumerate()
            .filter_map(|(chunk, values)| {
                values.chunks_exact(components).position(|item| !fits(item)).map(|k| chunk * CHUNK + k)
            })
            .min();
        match bad {
            None => Ok(()),
            Some(item) => Err(ItemError {
                item: Some(item),
                error: Error::new(Kind::OutOfRange, "the result is too large for single precision"),
            }),
        }
    }

    fn scatter_as<T: Copy>(&mut self, values: &[Real], check: &Check, convert: impl Fn(Real) -> T + Sync) {
        let components = self.shape.components as usize;
        // A reference to the view, not the bare pointer, goes to the threads: the view is Sync.
        let view = &*self;
        values.par_chunks(components * CHUNK).enumerate().for_each(|(chunk, values)| {
            for (k, item) in values.chunks_exact(components).enumerate() {
                let index = chunk * CHUNK + k;
                check.give(item, |c, v| {
                    // SAFETY: index < count and c < components; T is the element type (the caller's match); each item
                    // is written by one thread only.
                    unsafe { view.put(index, c, convert(v)) }
                });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{UpAxis, Vec3};
    use proptest::prelude::*;

    fn gather(view: &ArrayView, quantity: Quantity, space: &Space) -> Result<Vec<Real>, ItemError> {
        let mut out = Vec::new();
        view.gather_reals(view.components(), quantity, space, None, &mut out).map(|()| out)
    }

    #[test]
    fn what_is_not_a_number_is_named() {
        let mut points = vec![1.0f32; 3 * 10_000];
        points[3 * 7000 + 1] = f32::NAN;
        points[3 * 9000] = f32::INFINITY;
        let view = ArrayView::from_slice(&points, 3).unwrap();
        let error = gather(&view, Quantity::Position, &Space::default()).unwrap_err();
        assert_eq!((error.item, error.error.kind()), (Some(7000), Kind::NotFinite));
        assert_eq!(error.error.message(), "component 1 is NaN");
    }

    #[test]
    fn wrong_types_and_rows_are_refused() {
        let view = ArrayView::from_slice(&[1i32, -1], 1).unwrap();
        let error = gather(&view, Quantity::Scalar, &Space::default()).unwrap_err();
        assert_eq!(error.error.kind(), Kind::WrongType);
        let error = view.gather_ints(1, &mut Vec::new()).unwrap_err();
        assert_eq!((error.item, error.error.kind()), (Some(1), Kind::OutOfRange));
        let mut transposed = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 5.0, 0.0, 0.0, 1.0];
        let view = ArrayView::from_slice(&transposed, 16).unwrap();
        assert!(gather(&view, Quantity::Transform, &Space::default()).is_err());
        transposed[12] = 0.0;
        let view = ArrayView::from_slice(&transposed, 16).unwrap();
        assert!(gather(&view, Quantity::Transform, &Space::default()).is_ok());
    }

    #[test]
    fn a_result_that_single_precision_cannot_hold_leaves_the_array_alone() {
        let mut host = [7.0f32; 6];
        let mut view = ArrayViewMut::from_slice(&mut host, 3).unwrap();
        let values = [0.0, 1.0, 2.0, 3.0, 1e39, 5.0];
        let error = view.scatter_reals(&values, 3, Quantity::Position, &Space::default()).unwrap_err();
        assert_eq!((error.item, error.error.kind()), (Some(1), Kind::OutOfRange));
        assert_eq!(host, [7.0; 6]);
    }

    proptest! {
        #[test]
        fn strided_arrays_come_back_and_the_gaps_stay(
            points in prop::collection::vec(-9.0..9.0f32, 3..60), gap in 0usize..9, z: bool,
        ) {
            let count = points.len() / 3;
            let stride = 12 + gap;
            let mut bytes = vec![0xabu8; count * stride + 1];
            for (i, p) in points.chunks_exact(3).enumerate() {
                for (c, v) in p.iter().enumerate() {
                    bytes[1 + i * stride + 4 * c..][..4].copy_from_slice(&v.to_ne_bytes());
                }
            }
            let before = bytes.clone();
            let space = Space::new(0.01, if z { UpAxis::Z } else { UpAxis::Y }).unwrap();
            // SAFETY: count items of stride bytes fit behind the first byte, which unaligns them on purpose.
            let view = unsafe {
                ArrayView::from_raw(bytes.as_ptr().add(1), ElementType::F32, 3, count, stride).unwrap()
            };
            let values = gather(&view, Quantity::Position, &space).unwrap();
            for (p, v) in points.chunks_exact(3).zip(values.chunks_exact(3)) {
                let inside = space.point_in(Vec3::new(p[0] as Real, p[1] as Real, p[2] as Real));
                prop_assert_eq!(inside.as_slice(), v);
            }
            // SAFETY: as above.
            let mut out = unsafe {
                ArrayViewMut::from_raw(bytes.as_mut_ptr().add(1), ElementType::F32, 3, count, stride).unwrap()
            };
            out.scatter_reals(&values, 3, Quantity::Position, &space).unwrap();
            prop_assert_eq!(bytes, before);
        }
    }
}
