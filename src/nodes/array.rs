//! Arrays in the host's memory, and the only code that reads and writes them.
//!
//! Gather: copy in, convert element type, unit and up axis, refuse what is not a number. Scatter: the inverse;
//! checks everything before it writes anything.

use super::descriptor::Quantity;
use crate::error::{Error, Kind, Result};
use crate::math::{Affine, Real, Space, Vec3};
use rayon::prelude::*;
use std::marker::PhantomData;

/// The type of one number in a host's array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum ElementType {
    /// 32-bit floating point.
    F32 = 1,
    /// 64-bit floating point.
    F64 = 2,
    /// 32-bit signed.
    I32 = 3,
    /// 32-bit unsigned.
    U32 = 4,
}

impl ElementType {
    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            ElementType::F64 => 8,
            ElementType::F32 | ElementType::I32 | ElementType::U32 => 4,
        }
    }

    /// The type of that number in the C ABI.
    pub fn from_code(code: i32) -> Option<Self> {
        [ElementType::F32, ElementType::F64, ElementType::I32, ElementType::U32]
            .into_iter()
            .find(|&t| t as i32 == code)
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that can be an element of a host's array. Sealed: views trust `TYPE` to describe the memory.
pub trait Element: Copy + sealed::Sealed {
    /// Its element type.
    const TYPE: ElementType;
}

macro_rules! elements {
    ($($rust:ty => $element:ident),*) => {$(
        impl sealed::Sealed for $rust {}
        impl Element for $rust {
            const TYPE: ElementType = ElementType::$element;
        }
    )*};
}
elements!(f32 => F32, f64 => F64, i32 => I32, u32 => U32);

/// The shape of an array: `count` items of `components` packed numbers, `stride` bytes from item to item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    element: ElementType,
    components: u32,
    count: usize,
    stride: usize,
}

impl Shape {
    fn new(null: bool, element: ElementType, components: u32, count: usize, stride: usize) -> Result<Self> {
        let refuse = |message: String| Err(Error::new(Kind::InvalidArgument, message));
        if components == 0 {
            return refuse("an array needs at least one component per item".into());
        }
        let item = (components as usize).saturating_mul(element.size());
        if stride < item {
            return refuse(format!("a stride of {stride} bytes is less than the {item} bytes of one item"));
        }
        if null && count > 0 {
            return refuse(format!("the array is a null pointer with {count} items"));
        }
        if count.checked_mul(stride).is_none_or(|bytes| bytes > isize::MAX as usize) {
            return refuse(format!("{count} items of {stride} bytes are more than the address space"));
        }
        Ok(Shape { element, components, count, stride })
    }

    fn of_slice<T: Element>(length: usize, components: u32) -> Result<Self> {
        let stride = components as usize * T::TYPE.size();
        let shape = Shape::new(false, T::TYPE, components, length / components.max(1) as usize, stride)?;
        if !length.is_multiple_of(components as usize) {
            let message = format!("{length} numbers are not a multiple of {components} components");
            return Err(Error::new(Kind::CountMismatch, message));
        }
        Ok(shape)
    }
}

/// An array to read from.
#[derive(Clone, Copy, Debug)]
pub struct ArrayView<'a> {
    data: *const u8,
    shape: Shape,
    lifetime: PhantomData<&'a [u8]>,
}

/// An array to write to.
#[derive(Debug)]
pub struct ArrayViewMut<'a> {
    data: *mut u8,
    shape: Shape,
    lifetime: PhantomData<&'a mut [u8]>,
}

// SAFETY: a view only reads the memory that its constructor was promised for 'a, as `&'a [u8]` would.
unsafe impl Send for ArrayView<'_> {}
// SAFETY: as above; reading through a shared reference is what `&[u8]` allows.
unsafe impl Sync for ArrayView<'_> {}
// SAFETY: a mutable view is the only writer of its memory for 'a, as `&'a mut [u8]` would be.
unsafe impl Send for ArrayViewMut<'_> {}
// SAFETY: nothing writes through a shared reference to a mutable view.
unsafe impl Sync for ArrayViewMut<'_> {}

impl<'a> ArrayView<'a> {
    /// A view of host memory; `stride` is in bytes, at least the size of an item.
    ///
    /// # Safety
    /// For each item `i < count`, the `components` numbers at `data + i * stride` must be readable for `'a` and
    /// written by nobody while a call uses the view. No alignment is needed.
    pub unsafe fn from_raw(
        data: *const u8,
        element: ElementType,
        components: u32,
        count: usize,
        stride: usize,
    ) -> Result<Self> {
        let shape = Shape::new(data.is_null(), element, components, count, stride)?;
        Ok(ArrayView { data, shape, lifetime: PhantomData })
    }

    /// A view of packed items.
    pub fn from_slice<T: Element>(slice: &'a [T], components: u32) -> Result<Self> {
        let shape = Shape::of_slice::<T>(slice.len(), components)?;
        Ok(ArrayView { data: slice.as_ptr().cast(), shape, lifetime: PhantomData })
    }

    /// Items.
    pub fn count(&self) -> usize {
        self.shape.count
    }

    /// Numbers per item.
    pub fn components(&self) -> u32 {
        self.shape.components
    }

    /// The type of a number.
    pub fn element(&self) -> ElementType {
        self.shape.element
    }

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

    fn expect_components(&self, components: u32) -> Result<()> {
        expect_components(self.shape.components, components)
    }

    /// # Safety
    /// `T` must be the element type, `item < count`, `component < components`.
    unsafe fn get<T: Copy>(&self, item: usize, component: usize) -> T {
        // SAFETY: the caller's promise puts the address inside the memory promised to the constructor.
        unsafe {
            self.data.add(item * self.shape.stride + component * size_of::<T>()).cast::<T>().read_unaligned()
        }
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
        self.expect_components(components)?;
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
        self.expect_components(components)?;
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

impl<'a> ArrayViewMut<'a> {
    /// A view of host memory; `stride` is in bytes, at least the size of an item.
    ///
    /// # Safety
    /// For each item `i < count`, the `components` numbers at `data + i * stride` must be writable for `'a` and
    /// neither read nor written by anybody else while a call uses the view. (An [`ArrayView`] of the very same
    /// memory may be given to the same call of `Instance::deform`, which is done reading before it writes.)
    pub unsafe fn from_raw(
        data: *mut u8,
        element: ElementType,
        components: u32,
        count: usize,
        stride: usize,
    ) -> Result<Self> {
        let shape = Shape::new(data.is_null(), element, components, count, stride)?;
        Ok(ArrayViewMut { data, shape, lifetime: PhantomData })
    }

    /// A view of packed items.
    pub fn from_slice<T: Element>(slice: &'a mut [T], components: u32) -> Result<Self> {
        let shape = Shape::of_slice::<T>(slice.len(), components)?;
        Ok(ArrayViewMut { data: slice.as_mut_ptr().cast(), shape, lifetime: PhantomData })
    }

    /// Items.
    pub fn count(&self) -> usize {
        self.shape.count
    }

    /// The same memory, to read.
    pub fn as_view(&self) -> ArrayView<'_> {
        ArrayView { data: self.data, shape: self.shape, lifetime: PhantomData }
    }

    /// Writes Sinew's numbers as the host wants them; writes nothing when it returns an error.
    pub(super) fn scatter_reals(
        &mut self,
        values: &[Real],
        components: u32,
        quantity: Quantity,
        space: &Space,
    ) -> Result<(), ItemError> {
        expect_components(self.shape.components, components)?;
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
                    // SAFETY: index < count and c < components, inside the memory promised to the constructor;
                    // T is the element type (the caller's match); each item is written by one thread only.
                    unsafe {
                        let address = view.data.add(index * view.shape.stride + c * size_of::<T>());
                        address.cast::<T>().write_unaligned(convert(v));
                    }
                });
            }
        });
    }
}

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

fn expect_components(actual: u32, expected: u32) -> Result<()> {
    if actual != expected {
        let message = format!("the array has {actual} components per item, the port {expected}");
        return Err(Error::new(Kind::WrongType, message));
    }
    Ok(())
}

/// How far the last row of a transform may be off 0 0 0 1: hosts multiply matrices in single precision.
const LAST_ROW_TOLERANCE: Real = 1e-5;

/// The conversion of one item.
struct Check {
    quantity: Quantity,
    space: Space,
    range: Option<(Real, Real)>,
}

impl Check {
    /// Converts a host's item in place; false when it must be refused.
    fn take(&self, item: &mut [Real]) -> bool {
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
    fn explain(&self, item: &[Real]) -> Error {
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
    fn give(&self, item: &[Real], mut put: impl FnMut(usize, Real)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::UpAxis;
    use proptest::prelude::*;

    fn gather(view: &ArrayView, quantity: Quantity, space: &Space) -> Result<Vec<Real>, ItemError> {
        let mut out = Vec::new();
        view.gather_reals(view.components(), quantity, space, None, &mut out).map(|()| out)
    }

    #[test]
    fn impossible_shapes_are_refused() {
        let numbers = [0.0f32; 6];
        let raw = |data: *const f32, components, count, stride| {
            // SAFETY: the views are refused or never read.
            unsafe { ArrayView::from_raw(data.cast(), ElementType::F32, components, count, stride) }
        };
        let null = std::ptr::null();
        assert!(raw(null, 3, 0, 12).is_ok(), "nothing at nowhere is an empty array");
        assert!(raw(null, 3, 1, 12).is_err());
        assert!(raw(numbers.as_ptr(), 0, 1, 12).is_err());
        assert!(raw(numbers.as_ptr(), 3, 2, 0).is_err() && raw(numbers.as_ptr(), 3, 2, 11).is_err());
        assert!(raw(numbers.as_ptr(), 3, usize::MAX / 8, 16).is_err());
        assert!(ArrayView::from_slice(&numbers, 4).is_err() && ArrayView::from_slice(&numbers, 0).is_err());
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
