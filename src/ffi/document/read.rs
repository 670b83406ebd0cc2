//! Elements of documents as they are: what there is, what it says, where it lies.

use super::{SINEW_NO_ELEMENT, SinewDocument, with};
use crate::document::{Id, rows};
use crate::ffi::handle::Held;
use crate::ffi::pointers::{put_bytes, put_if_wanted, put_items, text, text_if_any};
use crate::ffi::status::SinewStatus;
use serde_json::{Value, json};
use std::ffi::c_char;

/// An element of the document, or none.
pub(super) fn some(element: u32) -> Option<Id> {
    (element != SINEW_NO_ELEMENT).then_some(Id(element))
}

/// `[one call per handle at a time]` The elements in an element, in their order: all, or those of one name. `element`
/// is that around them; SINEW_NO_ELEMENT lists the root element alone. Without `elements`, only `count` is written. An
/// element keeps its number until it is removed, and no other one gets it. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `name` is NULL or terminated text; `elements` is NULL or writable for `capacity`
/// numbers; `count` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_list(
    document: *mut SinewDocument,
    element: u32,
    name: *const c_char,
    elements: *mut u32,
    capacity: u64,
    count: *mut u64,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let name = unsafe { text_if_any(name, "name")? };
        let found = match some(element) {
            Some(id) => held.document.children(id, name)?,
            None => vec![held.document.root()],
        };
        let found: Vec<u32> = found.into_iter().map(|id| id.0).collect();
        // SAFETY: as above.
        unsafe { put_items(&found, "elements", elements, capacity, count) }
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` What an element is, as JSON by the rules of sinew_node_get_text: "element", its
/// kind; "line" in the file that was read, 0 if it was added; and "attributes", an object of their texts. Since ABI
/// 1.6.
///
/// # Safety
/// `document` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_element(
    document: *mut SinewDocument,
    element: u32,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let body = |held: &mut Held| {
        let (document, id) = (&held.document, Id(element));
        let attributes =
            document.attributes(id)?.into_iter().map(|(name, value)| (name.into(), value.into()));
        let attributes: serde_json::Map<String, Value> = attributes.collect();
        let found = json!({
            "element": document.element(id)?, "line": document.line(id)?, "attributes": attributes,
        });
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(found.to_string().as_bytes(), buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` The text of an attribute, by the rules of sinew_node_get_text; `is_there` gets 0
/// if it is left out. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `attribute` is NULL or terminated text; `buffer` is NULL or writable for `size` bytes;
/// `needed` and `is_there` are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_get_text(
    document: *mut SinewDocument,
    element: u32,
    attribute: *const c_char,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
    is_there: *mut i32,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let found = held.document.text_of(Id(element), unsafe { text(attribute, "attribute")? })?;
        // SAFETY: as above.
        unsafe {
            put_bytes(found.unwrap_or_default().as_bytes(), buffer, size, needed)?;
            put_if_wanted(is_there, i32::from(found.is_some()));
        }
        Ok(())
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` The numbers of an attribute in the host's unit and axes: its own, or those of its
/// default. `count` gets how many there are, 0 if it has neither; rotations are rotation vectors in degrees. Since ABI
/// 1.6.
///
/// # Safety
/// `document` is NULL or alive; `attribute` is NULL or terminated text; `numbers` is NULL or writable for `capacity`
/// numbers; `count` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_get_numbers(
    document: *mut SinewDocument,
    element: u32,
    attribute: *const c_char,
    numbers: *mut f64,
    capacity: u64,
    count: *mut u64,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let attribute = unsafe { text(attribute, "attribute")? };
        let found = held.document.numbers(Id(element), attribute, held.space)?.unwrap_or_default();
        // SAFETY: as above.
        unsafe { put_items(&found, "numbers", numbers, capacity, count) }
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` An element and all that it contains, as JSON by the rules of sinew_node_get_text:
/// "id", its number; "element", its kind; "line" in the file that was read, 0 if it was added; "attributes", an object
/// of their texts; "numbers", an object of the numbers of attributes and defaults in the host's unit and axes;
/// "places", for attributes that state a place, 16 numbers in row-major order: the axes there with the turn that goes
/// with it, in the host's world as modelled, whatever body they are relative to; "called", for what ties a point, the
/// name by which reports and events know it; and "children", a list of the same. What cannot be read has only its text.
/// Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_read(
    document: *mut SinewDocument,
    element: u32,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let body = |held: &mut Held| {
        let found = held.document.read(Id(element), held.space)?;
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(found.to_string().as_bytes(), buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` Where an attribute such as "at" places an element, as one of "places" of
/// sinew_document_read; `is_there` gets 0 if it is left out. Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `attribute` is NULL or terminated text; `axes` is NULL or writable for 16 numbers;
/// `is_there` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_get_place(
    document: *mut SinewDocument,
    element: u32,
    attribute: *const c_char,
    axes: *mut f64,
    is_there: *mut i32,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let attribute = unsafe { text(attribute, "attribute")? };
        let found = held.document.place(Id(element), attribute, held.space)?;
        // SAFETY: as above.
        unsafe {
            if let Some(found) = &found {
                put_items(&rows(found), "numbers", axes, 16, std::ptr::null_mut())?;
            }
            put_if_wanted(is_there, i32::from(found.is_some()));
        }
        Ok(())
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}
