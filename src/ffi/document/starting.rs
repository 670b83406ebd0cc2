//! The numbers with which hosts begin elements that users place and draw.

use crate::error::Result;
use crate::ffi::pointers::{null, put_bytes, text};
use crate::ffi::status::{SinewStatus, guard};
use crate::math::Vec3;
use crate::scene::strand::{Numbers, rod_inertia, starting_numbers};
use serde_json::{Map, Value};
use std::ffi::c_char;

/// # Safety
/// `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
unsafe fn put_numbers(numbers: Numbers, buffer: *mut u8, size: u64, needed: *mut u64) -> Result<()> {
    let object: Map<String, Value> =
        numbers.into_iter().map(|(name, values)| (name.into(), values.into())).collect();
    // SAFETY: the caller's promise.
    unsafe { put_bytes(Value::from(object).to_string().as_bytes(), buffer, size, needed) }
}

/// `[thread-safe]` The numbers with which hosts begin an element of a strand scene that users draw, as JSON by the
/// rules of sinew_node_get_text: lists by attribute, as "numbers" of sinew_document_read. `measure` is for a "strand"
/// the size of the scene, in whose unit its radius is then; for a "reel", a "muscle" or a "hill" its strength in N,
/// where 0 stands for 100. Since ABI 1.11.
///
/// # Safety
/// `element` is NULL or terminated text; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_starting_numbers(
    element: *const c_char,
    measure: f64,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let numbers = starting_numbers(unsafe { text(element, "element")? }, measure)?;
        // SAFETY: as above.
        unsafe { put_numbers(numbers, buffer, size, needed) }
    })
}

/// `[thread-safe]` The numbers of the "inertia" of a bone without a shape, as sinew_starting_numbers gives them: a rod
/// from the body's origin to `end`, 3 numbers in its own axes and the host's unit, a quarter as thick as it is long.
/// `density` is in kg/m^3; 0 stands for that of bone. Since ABI 1.11.
///
/// # Safety
/// `end` is NULL or readable for 3 numbers; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rod_inertia(
    end: *const f64,
    metres_per_unit: f64,
    density: f64,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    guard(|| {
        if end.is_null() {
            return Err(null("end"));
        }
        // SAFETY: not NULL, so readable for 3 numbers; alignment is not assumed.
        let end: [f64; 3] = unsafe { end.cast::<[f64; 3]>().read_unaligned() };
        // SAFETY: the caller's promise above.
        unsafe { put_numbers(rod_inertia(Vec3::from(end), metres_per_unit, density)?, buffer, size, needed) }
    })
}
