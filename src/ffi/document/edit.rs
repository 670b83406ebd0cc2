//! Elements of documents that are changed.

use super::read::some;
use super::{SinewDocument, with};
use crate::document::Id;
use crate::error::{Error, Kind};
use crate::ffi::handle::Held;
use crate::ffi::pointers::{matrix, null, put_if_wanted, text, text_if_any};
use crate::ffi::status::SinewStatus;
use std::ffi::c_char;

/// `[one call per handle at a time]` Sets the text of an attribute; NULL leaves it out. A text that cannot be read is
/// refused, but for an empty one in place of the name of an element. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; the texts are NULL or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_set_text(
    document: *mut SinewDocument,
    element: u32,
    attribute: *const c_char,
    value: *const c_char,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let value = unsafe { text_if_any(value, "value")? };
        // SAFETY: as above.
        held.document.set_text(Id(element), unsafe { text(attribute, "attribute")? }, value)
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` Sets the numbers of an attribute, given in the host's unit and axes. Since ABI
/// 1.6.
///
/// # Safety
/// `document` is NULL or alive; `attribute` is NULL or terminated text; `numbers` is NULL or readable for `count`
/// numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_set_numbers(
    document: *mut SinewDocument,
    element: u32,
    attribute: *const c_char,
    numbers: *const f64,
    count: u64,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let attribute = unsafe { text(attribute, "attribute")? };
        if numbers.is_null() {
            return Err(null("numbers"));
        }
        if count > MOST_NUMBERS {
            let message = format!("{count} numbers; an attribute has at most {MOST_NUMBERS}");
            return Err(Error::new(Kind::TooLarge, message));
        }
        // SAFETY: not NULL, so readable for as many; alignment is not assumed.
        let given: Vec<f64> =
            (0..count as usize).map(|k| unsafe { numbers.add(k).read_unaligned() }).collect();
        let space = held.space;
        held.document.set_numbers(Id(element), attribute, &given, space)
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// No attribute has more.
const MOST_NUMBERS: u64 = 16;

/// `[one call per handle at a time]` Adds an element to another one: behind its child `after`, or with SINEW_NO_ELEMENT
/// where elements of its kind belong. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `name` is NULL or terminated text; `added` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_add(
    document: *mut SinewDocument,
    element: u32,
    name: *const c_char,
    after: u32,
    added: *mut u32,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let id = held.document.add(Id(element), unsafe { text(name, "name")? }, some(after))?;
        // SAFETY: as above.
        unsafe { put_if_wanted(added, id.0) };
        Ok(())
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` Removes an element and all that it contains. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_remove(document: *mut SinewDocument, element: u32) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { with(document, |held| held.document.remove(Id(element))) }
}

/// `[one call per handle at a time]` Gives an element another name, also where other elements name it; a name that is
/// taken is refused. `followed` may be NULL; it gets how many attributes followed. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `name` is NULL or terminated text; `followed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_rename(
    document: *mut SinewDocument,
    element: u32,
    name: *const c_char,
    followed: *mut u32,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let count = held.document.rename(Id(element), unsafe { text(name, "name")? })?;
        // SAFETY: as above.
        unsafe { put_if_wanted(followed, count as u32) };
        Ok(())
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` Puts an element somewhere: as one of "places" of sinew_document_read, with `axes`
/// of 16 numbers in row-major order, which must be rigid, in the host's world. What the element was relative to is left
/// out, and other places of it stay where they are. Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `attribute` is NULL or terminated text; `axes` is NULL or readable for 16 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_set_place(
    document: *mut SinewDocument,
    element: u32,
    attribute: *const c_char,
    axes: *const f64,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let (attribute, axes) = unsafe { (text(attribute, "attribute")?, matrix(axes, "axes")?) };
        held.document.set_place(Id(element), attribute, &axes, held.space)
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}
