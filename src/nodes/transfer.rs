//! Gather and scatter: the only code that reads and writes the host's arrays.
//!
//! Gather: copy in, convert element type, unit and up axis, reject NaN and infinity, compare with what the port
//! holds. Scatter: the inverse; checks everything before it writes anything. All of it happens in one pass over chunks
//! that stay in the nearest cache, in loops that vectorise: a frame is a few passes over memory and little else. It
//! runs on the calling thread, because threads belong to steps.

use super::array::{ArrayView, ArrayViewMut, ElementType, Number};
use super::border::Border;
use super::descriptor::Quantity;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Affine, Real, Space, Work, widest};

/// Numbers per chunk: with a source in single precision and the values to compare they fit into 32 KiB.
const PIECE: usize = 1536;

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

/// The numbers of a chunk of whole items.
fn piece_of(components: u32) -> usize {
    let components = components as usize;
    components * (PIECE / components).max(1)
}

/// Whether two slices of one length have the same bits.
fn same_bits(a: &[Real], b: &[Real]) -> bool {
    struct Differences<'a>(&'a [Real], &'a [Real]);
    impl Work for Differences<'_> {
        type Output = u64;
        #[inline(always)]
        fn run(self) -> u64 {
            self.0.iter().zip(self.1).fold(0, |bits, (a, b)| bits | (a.to_bits() ^ b.to_bits()))
        }
    }
    widest(Differences(a, b)) == 0
}

impl ArrayView<'_> {
    /// The numbers as they are, without any conversion of space; an error if one is not finite.
    pub fn to_reals(&self, components: u32) -> Result<Vec<Real>> {
        let mut values = Vec::new();
        let gathered = self.gather_reals(&Border::open(components), &[], &mut values);
        gathered.map_err(|e| match e.item {
            Some(item) => e.error.vertex(item),
            None => e.error,
        })?;
        Ok(values)
    }

    /// The matrices of joints of a host in that space, in Sinew's own; an error names the joint.
    pub fn to_joints(&self, space: Space, row_vectors: bool) -> Result<Vec<Affine>> {
        let border = Border { quantity: Quantity::Transform, space, row_vectors, ..Border::open(16) };
        let mut values = Vec::new();
        let gathered = self.gather_reals(&border, &[], &mut values);
        gathered.map_err(|e| match e.item {
            Some(item) => e.error.joint(item),
            None => e.error,
        })?;
        Ok(values.chunks_exact(16).map(|m| Affine::from_row_slice(&m[..12])).collect())
    }

    /// Copies the array into `out` as Sinew's own numbers if they differ from those that the port `held`, and returns
    /// whether they do; otherwise and on an error the content of `out` is unspecified.
    ///
    /// The error names the item by its index; `NotFinite` also names the component.
    pub(super) fn gather_reals(
        &self,
        border: &Border,
        held: &[Real],
        out: &mut Vec<Real>,
    ) -> Result<bool, ItemError> {
        self.shape.expect_components(border.components)?;
        match self.shape.element {
            // SAFETY: the arm fixes the element type.
            ElementType::F32 => unsafe { self.gather_as::<f32>(border, held, out) },
            // SAFETY: as above.
            ElementType::F64 => unsafe { self.gather_as::<f64>(border, held, out) },
            ElementType::I32 | ElementType::U32 => {
                let message = "the port holds floating-point numbers, not integers";
                Err(Error::new(Kind::WrongType, message).into())
            }
        }
    }

    /// # Safety
    /// `T` must be the element type.
    unsafe fn gather_as<T: Number>(
        &self,
        border: &Border,
        held: &[Real],
        out: &mut Vec<Real>,
    ) -> Result<bool, ItemError> {
        let (components, piece) = (border.components as usize, piece_of(border.components));
        let total = self.shape.count * components;
        let mut differs = held.len() != total;
        if differs {
            make_room(out, total)?;
            out.resize(total, 0.0);
        }
        // What a host sends again and again is only read: `out` is written from the first difference on.
        let mut nearby = [0.0; PIECE];
        for begin in (0..total).step_by(piece) {
            let part = begin..total.min(begin + piece);
            let values = if differs { &mut out[part.clone()] } else { &mut nearby[..part.len()] };
            // SAFETY: the caller's promise about the type; the array has as many items.
            unsafe { self.copy_out::<T>(begin / components, values) };
            border.convert_in(values);
            // What the port holds was accepted before.
            if !differs && same_bits(values, &held[part.clone()]) {
                continue;
            }
            if !border.accepts(values) {
                // SAFETY: the caller's promise.
                return Err(unsafe { self.find_refused::<T>(border, begin / components) });
            }
            if !differs {
                differs = true;
                make_room(out, total)?;
                out.resize(total, 0.0);
                out[..begin].copy_from_slice(&held[..begin]);
                out[part.clone()].copy_from_slice(&nearby[..part.len()]);
            }
        }
        Ok(differs)
    }

    /// The first item that the border rejects, starting at item `from`.
    ///
    /// # Safety
    /// `T` must be the element type.
    unsafe fn find_refused<T: Number>(&self, border: &Border, from: usize) -> ItemError {
        let mut given = vec![0.0; border.components as usize];
        for item in from..self.shape.count {
            // SAFETY: the caller's promise; `given` is one item.
            unsafe { self.copy_out::<T>(item, &mut given) };
            let mut taken = given.clone();
            border.convert_in(&mut taken);
            if !border.accepts(&taken) {
                return ItemError { item: Some(item), error: border.explain(&given) };
            }
        }
        Error::new(Kind::Internal, "the array changed while it was read").into()
    }

    /// Copies integers into `out`; the error names the item by its index.
    pub(super) fn gather_ints(&self, components: u32, out: &mut Vec<u32>) -> Result<(), ItemError> {
        self.shape.expect_components(components)?;
        let components = components as usize;
        make_room(out, self.shape.count * components)?;
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
    /// Writes numbers as they are, without any conversion of space: `components` for each item of the array.
    pub fn write_reals(&mut self, components: u32, values: &[Real]) -> Result<()> {
        let border = Border::open(components);
        let written = self.check_reals(&border, values, Real::INFINITY);
        written.and_then(|()| self.scatter_reals(&border, values)).map_err(|e| e.error)
    }

    /// Whether Sinew's numbers can be written as the host wants them. `largest` is at least the magnitude of every
    /// number, or infinite if unknown.
    pub(super) fn check_reals(
        &self,
        border: &Border,
        values: &[Real],
        largest: Real,
    ) -> Result<(), ItemError> {
        self.shape.expect_components(border.components)?;
        let expected = values.len() / border.components as usize;
        if expected != self.shape.count {
            let message = format!("the output has {expected} items, the array {}", self.shape.count);
            return Err(Error::new(Kind::CountMismatch, message).into());
        }
        match self.shape.element {
            ElementType::F32 => border.check_single(values, largest),
            ElementType::F64 => Ok(()),
            // Indices into anything that fits into memory fit, and so does -1 for none.
            ElementType::I32 if border.whole => Ok(()),
            ElementType::U32 if border.whole => match values.iter().position(|v| *v < 0.0) {
                Some(k) => {
                    let error = Error::new(Kind::OutOfRange, format!("{} is negative", values[k]));
                    Err(ItemError { item: Some(k / border.components as usize), error })
                }
                None => Ok(()),
            },
            ElementType::I32 | ElementType::U32 => {
                let message = "the output holds floating-point numbers, the array integers";
                Err(Error::new(Kind::WrongType, message).into())
            }
        }
    }

    /// Writes Sinew's numbers as the host wants them, after [`ArrayViewMut::check_reals`] found that they can be.
    pub(super) fn scatter_reals(&mut self, border: &Border, values: &[Real]) -> Result<(), ItemError> {
        match self.shape.element {
            // SAFETY: the arm fixes the element type.
            ElementType::F32 => unsafe { self.scatter_as::<f32>(border, values) },
            // SAFETY: as above.
            ElementType::F64 => unsafe { self.scatter_as::<f64>(border, values) },
            // SAFETY: as above.
            ElementType::I32 => unsafe { self.scatter_as::<i32>(border, values) },
            // SAFETY: as above.
            ElementType::U32 => unsafe { self.scatter_as::<u32>(border, values) },
        }
        Ok(())
    }

    /// # Safety
    /// `T` must be the element type; the array must have as many items as there are `values`.
    unsafe fn scatter_as<T: Number>(&mut self, border: &Border, values: &[Real]) {
        border.each_piece_given(values, |first, given| {
            // SAFETY: the caller's promise.
            unsafe { self.copy_in::<T>(first, given) };
            true
        });
    }
}

impl Border {
    /// Passes all items, in the host's space, to `use_piece` with the index of the first; returns the smallest index
    /// for which that is false.
    fn each_piece_given(&self, values: &[Real], use_piece: impl Fn(usize, &[Real]) -> bool) -> Option<usize> {
        let (components, piece) = (self.components as usize, piece_of(self.components));
        let refused = |(k, values): (usize, &[Real])| {
            let first = k * piece / components;
            if self.keeps_numbers() {
                return (!use_piece(first, values)).then_some(first);
            }
            let mut given = [0.0; PIECE];
            let given = &mut given[..values.len()];
            given.copy_from_slice(values);
            self.give(given);
            (!use_piece(first, given)).then_some(first)
        };
        values.chunks(piece).enumerate().find_map(refused)
    }

    /// Rejects numbers that single precision cannot hold.
    fn check_single(&self, values: &[Real], largest: Real) -> Result<(), ItemError> {
        // Only the unit can make a number larger; a factor of two exceeds its rounding.
        if largest / self.space.metres_per_unit().min(1.0) < 0.5 * Real::from(f32::MAX) {
            return Ok(());
        }
        let fits = |values: &[Real]| values.iter().fold(true, |ok, v| ok & (*v as f32).is_finite());
        let Some(from) = self.each_piece_given(values, |_, given| fits(given)) else { return Ok(()) };
        let components = self.components as usize;
        let misfit = |item: &[Real]| {
            let mut given = item.to_vec();
            self.give(&mut given);
            !fits(&given)
        };
        let item = values.chunks_exact(components).skip(from).position(misfit).map(|k| from + k);
        let error = Error::new(Kind::OutOfRange, "the result is too large for single precision");
        Err(ItemError { item, error })
    }
}

/// Memory for so many numbers, or an error: without it, the allocator would end the host.
pub fn make_room<T>(out: &mut Vec<T>, total: usize) -> Result<()> {
    out.try_reserve_exact(total.saturating_sub(out.len()))
        .map_err(|_| Error::new(Kind::TooLarge, format!("there is no memory for {total} numbers")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sinew_math::{UpAxis, Vec3};

    fn border(components: u32, quantity: Quantity, space: &Space) -> Border {
        Border { quantity, space: *space, ..Border::open(components) }
    }

    fn gather(view: &ArrayView, quantity: Quantity, space: &Space) -> Result<Vec<Real>, ItemError> {
        let mut out = Vec::new();
        view.gather_reals(&border(view.components(), quantity, space), &[], &mut out).map(|_| out)
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
        let view = ArrayViewMut::from_slice(&mut host, 3).unwrap();
        let values = [0.0, 1.0, 2.0, 3.0, 1e39, 5.0];
        let error = view
            .check_reals(&border(3, Quantity::Position, &Space::default()), &values, Real::INFINITY)
            .unwrap_err();
        assert_eq!((error.item, error.error.kind()), (Some(1), Kind::OutOfRange));
        assert_eq!(host, [7.0; 6]);
    }

    #[test]
    fn a_unit_can_make_a_result_too_large_for_single_precision() {
        let (mut host, values) = ([7.0f32; 6], [1.0, 1.0, 1.0, 1.0, -1e37, 1.0]);
        let millimetres = Space::new(1e-3, UpAxis::Z).unwrap();
        let mut view = ArrayViewMut::from_slice(&mut host, 3).unwrap();
        let error =
            view.check_reals(&border(3, Quantity::Position, &millimetres), &values, 1e37).unwrap_err();
        assert_eq!((error.item, error.error.kind()), (Some(1), Kind::OutOfRange));
        view.check_reals(&border(3, Quantity::Direction, &millimetres), &values, 1e37).unwrap();
        view.scatter_reals(&border(3, Quantity::Direction, &millimetres), &values).unwrap();
        assert_eq!(host, [1.0, -1.0, 1.0, 1.0, -1.0, -1e37]);
    }

    #[test]
    fn a_difference_anywhere_is_seen() {
        let held: Vec<Real> = (0..9999).map(Real::from).collect();
        let differs = |given: &[Real], held: &[Real]| {
            let view = ArrayView::from_slice(given, 3).unwrap();
            view.gather_reals(&Border::open(3), held, &mut Vec::new()).unwrap()
        };
        assert!(!differs(&held, &held));
        assert!(differs(&held, &[]) && differs(&[], &held) && differs(&held, &held[..9996]));
        for k in [0, PIECE - 1, PIECE, 9998] {
            let mut given = held.clone();
            given[k] += 0.5;
            assert!(differs(&given, &held));
        }
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
            out.check_reals(&border(3, Quantity::Position, &space), &values, 9.0).unwrap();
            out.scatter_reals(&border(3, Quantity::Position, &space), &values).unwrap();
            prop_assert_eq!(bytes, before);
        }
    }
}
