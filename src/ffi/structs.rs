//! Structs that state their size: an older caller's is shorter, a newer caller's is longer, and both work.

use super::pointers::null;
use crate::error::{Error, Kind, Result};

/// A struct of the ABI.
///
/// # Safety
/// The type is repr(C), begins with `struct_size: u32`, and any bytes are a valid value.
pub(super) unsafe trait Sized10: Copy {
    /// Its name in messages.
    const NAME: &'static str;
    /// Its size in version 1.0 of the ABI, the minimum for any caller.
    const SIZE_1_0: usize;
}

/// The size that the caller knows, at least that of version 1.0.
///
/// # Safety
/// `pointer` is NULL or begins with a readable `struct_size`.
unsafe fn caller_size<T: Sized10>(pointer: *const T) -> Result<usize> {
    if pointer.is_null() {
        return Err(null(T::NAME));
    }
    // SAFETY: not NULL, so the caller promises a struct that begins with its size.
    let size = unsafe { pointer.cast::<u32>().read_unaligned() } as usize;
    if size < T::SIZE_1_0 {
        let message = format!(
            "{}.struct_size is {size}; it must be sizeof({}), at least {}",
            T::NAME,
            T::NAME,
            T::SIZE_1_0
        );
        return Err(Error::new(Kind::InvalidArgument, message));
    }
    Ok(size)
}

/// Reads the caller's struct; fields that the caller does not know are zero.
///
/// # Safety
/// `pointer` is NULL or readable for its `struct_size` bytes.
pub(super) unsafe fn read_struct<T: Sized10>(pointer: *const T) -> Result<T> {
    // SAFETY: the caller's promise.
    let size = unsafe { caller_size(pointer)? }.min(size_of::<T>());
    let mut value = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: at most the caller's readable bytes go into at most our own; any bytes are a valid T.
    unsafe {
        std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), size);
        Ok(value.assume_init())
    }
}

/// Writes the fields that the caller knows and leaves `struct_size` as it is.
///
/// # Safety
/// `pointer` is NULL or writable for its `struct_size` bytes.
pub(super) unsafe fn write_struct<T: Sized10>(pointer: *mut T, value: T) -> Result<()> {
    // SAFETY: the caller's promise.
    let size = unsafe { caller_size(pointer)? }.min(size_of::<T>());
    let from = (&raw const value).cast::<u8>();
    // SAFETY: bytes 4..size lie inside both structs, which do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(from.add(4), pointer.cast::<u8>().add(4), size - 4) };
    Ok(())
}
