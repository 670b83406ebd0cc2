//! Arrays in the host's memory: their types, shapes and views.
//!
//! Copying in and out, and its checks, are in `transfer`; the conversion of single items in `border`.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Work, widest};
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

/// An element that becomes one of Sinew's numbers, and back.
pub(super) trait Number: Element + Sync {
    fn to_real(self) -> Real;
    fn from_real(value: Real) -> Self;
}

impl Number for f32 {
    fn to_real(self) -> Real {
        Real::from(self)
    }
    fn from_real(value: Real) -> Self {
        value as f32
    }
}

macro_rules! whole {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            fn to_real(self) -> Real {
                Real::from(self)
            }
            fn from_real(value: Real) -> Self {
                value as $ty
            }
        }
    )*};
}
whole!(i32, u32);

impl Number for f64 {
    fn to_real(self) -> Real {
        self
    }
    fn from_real(value: Real) -> Self {
        value
    }
}

/// The shape of an array: `count` items of `components` packed numbers, `stride` bytes from item to item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) element: ElementType,
    pub(super) components: u32,
    pub(super) count: usize,
    /// Bytes from item to item.
    pub(super) stride: usize,
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
            return refuse(format!("{count} items of {stride} bytes exceed the address space"));
        }
        if count > u32::MAX as usize {
            let message = format!("{count} items; at most {} are possible", u32::MAX);
            return Err(Error::new(Kind::TooLarge, message));
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

    /// Whether the items follow each other without gaps.
    fn packed(&self) -> bool {
        self.stride == self.components as usize * self.element.size()
    }

    pub(super) fn expect_components(&self, expected: u32) -> Result<()> {
        let actual = self.components;
        if actual != expected {
            let message = format!("the array has {actual} components per item, the port {expected}");
            return Err(Error::new(Kind::WrongType, message));
        }
        Ok(())
    }
}

/// An array to read from.
#[derive(Clone, Copy, Debug)]
pub struct ArrayView<'a> {
    data: *const u8,
    pub(super) shape: Shape,
    lifetime: PhantomData<&'a [u8]>,
}

/// An array to write to.
#[derive(Debug)]
pub struct ArrayViewMut<'a> {
    data: *mut u8,
    pub(super) shape: Shape,
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

    /// The bytes of all items; `None` if there are none, or gaps between them.
    pub(super) fn packed_bytes(&self) -> Option<&[u8]> {
        let length = self.shape.count * self.shape.stride;
        // SAFETY: without gaps, all these bytes belong to numbers, which are readable, and not written while a call
        // uses the view.
        (length > 0 && self.shape.packed())
            .then(|| unsafe { std::slice::from_raw_parts(self.data.cast::<u8>(), length) })
    }

    /// # Safety
    /// `T` must be the element type, `item < count`, `component < components`.
    pub(super) unsafe fn get<T: Copy>(&self, item: usize, component: usize) -> T {
        // SAFETY: the caller's promise puts the address inside the memory promised to the constructor.
        unsafe {
            self.data.add(item * self.shape.stride + component * size_of::<T>()).cast::<T>().read_unaligned()
        }
    }

    /// Copies items, starting at `first`, until `out` is full.
    ///
    /// # Safety
    /// `T` must be the element type, and `first + out.len() / components <= count`.
    pub(super) unsafe fn copy_out<T: Number>(&self, first: usize, out: &mut [Real]) {
        if self.shape.packed() {
            // SAFETY: packed items are contiguous, and the caller's promise covers these.
            let source = unsafe { self.data.add(first * self.shape.stride).cast::<T>() };
            return widest(Reading { source, out });
        }
        let copy = |(k, item): (usize, &mut [Real])| {
            // SAFETY: the caller's promise.
            let value = |c| unsafe { self.get::<T>(first + k, c) }.to_real();
            item.iter_mut().enumerate().for_each(|(c, v)| *v = value(c));
        };
        match self.shape.components as usize {
            // Points: a length known at compile time.
            3 => out.as_chunks_mut::<3>().0.iter_mut().map(|item| &mut item[..]).enumerate().for_each(copy),
            components => out.chunks_exact_mut(components).enumerate().for_each(copy),
        }
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

    /// Overwrites items, starting at `first`, with `values`.
    ///
    /// # Safety
    /// `T` must be the element type, `first + values.len() / components <= count`, and no other thread may touch
    /// these items meanwhile.
    pub(super) unsafe fn copy_in<T: Number>(&self, first: usize, values: &[Real]) {
        let shape = &self.shape;
        // SAFETY: the caller's promise puts all addresses inside the memory promised to the constructor.
        let put = |bytes: usize, v: Real| unsafe {
            self.data.add(first * shape.stride + bytes).cast::<T>().write_unaligned(T::from_real(v));
        };
        if shape.packed() {
            // SAFETY: packed items are contiguous, and the caller's promise covers these.
            let target = unsafe { self.data.add(first * shape.stride).cast::<T>() };
            return widest(Writing { values, target });
        }
        let copy = |(k, item): (usize, &[Real])| {
            item.iter().enumerate().for_each(|(c, &v)| put(k * shape.stride + c * size_of::<T>(), v));
        };
        match shape.components as usize {
            // Points: a length known at compile time.
            3 => values.as_chunks::<3>().0.iter().map(|item| &item[..]).enumerate().for_each(copy),
            components => values.chunks_exact(components).enumerate().for_each(copy),
        }
    }
}

/// Packed numbers of a host, of which there are as many as `out` takes, on their way in.
struct Reading<'a, T> {
    source: *const T,
    out: &'a mut [Real],
}

impl<T: Number> Work for Reading<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (k, v) in self.out.iter_mut().enumerate() {
            // SAFETY: there are as many numbers as `out` takes.
            *v = unsafe { self.source.add(k).read_unaligned() }.to_real();
        }
    }
}

/// Numbers on their way out, to a packed array of a host with room for all.
struct Writing<'a, T> {
    values: &'a [Real],
    target: *mut T,
}

impl<T: Number> Work for Writing<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (k, v) in self.values.iter().enumerate() {
            // SAFETY: there is room for all.
            unsafe { self.target.add(k).write_unaligned(T::from_real(*v)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
