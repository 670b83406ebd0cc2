//! Values read and written through the caller's pointers.

use crate::error::{Error, Kind, Result};
use crate::math::Affine;
use std::ffi::{CStr, c_char};

/// The error about a pointer that must not be NULL.
pub(super) fn null(what: &str) -> Error {
    Error::new(Kind::InvalidArgument, format!("{what} is NULL"))
}

/// A choice between 0 and 1; anything else is a mistake of the caller.
pub(super) fn flag(value: i32, what: &str) -> Result<bool> {
    match value {
        0 | 1 => Ok(value == 1),
        _ => Err(Error::new(Kind::InvalidArgument, format!("{what} is {value}; it must be 0 or 1"))),
    }
}

/// Reads a C string.
///
/// # Safety
/// NULL, or NUL-terminated and readable for `'a`.
pub(super) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str> {
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: not NULL, so the caller promises a terminated string.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Error::new(Kind::InvalidArgument, format!("{what} is not UTF-8")))
}

/// The same, if the caller gives one.
///
/// # Safety
/// As [`text`].
pub(super) unsafe fn text_if_any<'a>(pointer: *const c_char, what: &str) -> Result<Option<&'a str>> {
    // SAFETY: the caller's promise.
    if pointer.is_null() { Ok(None) } else { unsafe { text(pointer, what) }.map(Some) }
}

/// Writes a single value through the caller's pointer.
///
/// # Safety
/// NULL, or writable.
pub(super) unsafe fn put<T>(pointer: *mut T, what: &str, value: T) -> Result<()> {
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: not NULL, so the caller promises that it is writable; alignment is not assumed.
    unsafe { pointer.write_unaligned(value) };
    Ok(())
}

/// The same, if the caller gives a pointer.
///
/// # Safety
/// NULL, or writable.
pub(super) unsafe fn put_if_wanted<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: not NULL, so the caller promises that it is writable; alignment is not assumed.
        unsafe { pointer.write_unaligned(value) };
    }
}

/// Copies bytes by the two-call rule: without a buffer only the required size is written.
///
/// # Safety
/// `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
pub(super) unsafe fn put_bytes(bytes: &[u8], buffer: *mut u8, size: u64, needed: *mut u64) -> Result<()> {
    if buffer.is_null() && needed.is_null() {
        return Err(Error::new(Kind::InvalidArgument, "buffer and needed are both NULL"));
    }
    if !buffer.is_null() {
        if size < bytes.len() as u64 {
            let message = format!("the buffer has {size} bytes, {} are needed", bytes.len());
            return Err(Error::new(Kind::TooLarge, message));
        }
        // SAFETY: the caller promises `size` writable bytes, and no more than that is copied.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer, bytes.len()) };
    }
    // SAFETY: the caller's promise.
    unsafe { put_if_wanted(needed, bytes.len() as u64) };
    Ok(())
}

/// Copies items, if the caller gives room for them, and writes how many there are, if wanted.
///
/// # Safety
/// `room` is NULL or writable for `capacity` items; `count` is NULL or writable.
pub(super) unsafe fn put_items<T: Copy>(
    items: &[T],
    what: &str,
    room: *mut T,
    capacity: u64,
    count: *mut u64,
) -> Result<()> {
    if !room.is_null() {
        if capacity < items.len() as u64 {
            let message = format!("there is room for {capacity} {what}, {} are needed", items.len());
            return Err(Error::new(Kind::TooLarge, message));
        }
        for (k, item) in items.iter().enumerate() {
            // SAFETY: there is room, as checked; alignment is not assumed.
            unsafe { room.add(k).write_unaligned(*item) };
        }
    }
    // SAFETY: the caller's promise.
    unsafe { put_if_wanted(count, items.len() as u64) };
    Ok(())
}

/// Reads a matrix of 16 numbers in row-major order.
///
/// # Safety
/// NULL, or readable for 16 numbers.
pub(super) unsafe fn matrix(pointer: *const f64, what: &str) -> Result<Affine> {
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: not NULL, so readable; alignment is not assumed.
    let rows = unsafe { pointer.cast::<[f64; 16]>().read_unaligned() };
    if rows[12..] != [0.0, 0.0, 0.0, 1.0] {
        let message = format!("the last row of {what} is {:?}; it must be 0 0 0 1", &rows[12..]);
        return Err(Error::new(Kind::InvalidArgument, message));
    }
    Ok(Affine::from_row_slice(&rows[..12]))
}
