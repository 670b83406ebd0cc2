//! Authored documents for hosts: strand scenes, muscle sets and plans, read, edited, checked and written without loss.

mod edit;
mod read;
mod starting;
mod whole;

pub use edit::*;
pub use read::*;
pub use starting::*;
pub use whole::*;

use super::context::SinewContext;
use super::handle::{Handle, Held};
use super::node::space;
use super::pointers::{null, put, put_bytes, text};
use super::status::{SinewStatus, guard};
use crate::control::Control;
use crate::document::{self, Document};
use crate::error::Result;
use crate::scene::sides::other_side;
use serde_json::json;
use std::ffi::c_char;
use std::path::Path;

/// An authored document: a strand scene, a muscle set or a plan. Opaque. Since ABI 1.6.
pub struct SinewDocument(Handle);

/// In place of an element: none.
pub const SINEW_NO_ELEMENT: u32 = u32::MAX;

/// # Safety
/// `document` is NULL or alive.
unsafe fn handle<'a>(document: *mut SinewDocument) -> Result<&'a Handle> {
    // SAFETY: the caller's promise; shared, because another thread may cancel at the same time.
    unsafe { document.as_ref() }.map(|document| &document.0).ok_or_else(|| null("document"))
}

/// Runs `body` on a document.
///
/// # Safety
/// `document` is NULL or alive.
unsafe fn with(document: *mut SinewDocument, body: impl FnOnce(&mut Held) -> Result<()>) -> SinewStatus {
    // SAFETY: the caller's promise.
    guard(|| unsafe { handle(document) }?.at_once("the document", body))
}

/// The same for what may take long: with the threads and callbacks of the document's context, and to be cancelled.
///
/// # Safety
/// `document` is NULL or alive.
unsafe fn work(
    document: *mut SinewDocument,
    task: &str,
    body: impl FnOnce(&mut Held, &Control) -> Result<Option<Vec<String>>>,
) -> SinewStatus {
    // SAFETY: the caller's promise.
    guard(|| unsafe { handle(document) }?.work("the document", task, body))
}

/// # Safety
/// `document` is NULL or writable.
unsafe fn give(document: *mut *mut SinewDocument, made: impl FnOnce() -> Result<Document>) -> SinewStatus {
    guard(|| {
        if document.is_null() {
            return Err(null("document"));
        }
        let made = SinewDocument(Handle::new(made()?, Vec::new()));
        // SAFETY: not NULL, so writable.
        unsafe { put(document, "document", Box::into_raw(Box::new(made))) }
    })
}

/// `[thread-safe]` Creates an empty document of a type: "strand_scene", "muscle_set" or "muscle_plan". Its numbers have
/// the unit of length and the up axis of the host, which are also those of the calls on it (sinew_document_set_space).
/// Since ABI 1.6.
///
/// # Safety
/// `kind` is NULL or terminated text; `document` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_create(
    kind: *const c_char,
    metres_per_unit: f64,
    up_axis: i32,
    document: *mut *mut SinewDocument,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    let made = || Document::new(unsafe { text(kind, "kind")? }, space(metres_per_unit, up_axis)?);
    // SAFETY: as above.
    unsafe { give(document, made) }
}

/// `[thread-safe]` Reads a document from its text. What nobody changes keeps its bytes; unknown elements and attributes
/// stay, and sinew_document_check reports them. Since ABI 1.6.
///
/// # Safety
/// `xml` is NULL or terminated text; `document` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_parse(
    xml: *const c_char,
    document: *mut *mut SinewDocument,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { give(document, || Document::parse(text(xml, "xml")?)) }
}

/// `[thread-safe]` The same from a file. The names of other files in it are relative to its folder. Since ABI 1.6.
///
/// # Safety
/// `path` is NULL or terminated text; `document` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_load(
    path: *const c_char,
    document: *mut *mut SinewDocument,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { give(document, || Document::load(Path::new(text(path, "path")?))) }
}

/// `[one call per handle at a time]` Writes a file, whole or not at all, and beside it the meshes that mirroring made.
/// Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `path` is NULL or terminated text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_save(
    document: *mut SinewDocument,
    path: *const c_char,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { with(document, |held| held.document.save(Path::new(text(path, "path")?))) }
}

/// `[one call per handle at a time]` The text of a document, without a terminating NUL, by the rules of
/// sinew_node_get_text. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_text(
    document: *mut SinewDocument,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { with(document, |held| put_bytes(held.document.text().as_bytes(), buffer, size, needed)) }
}

/// `[one call per handle at a time]` Destroys a document. No other call on it may be running. NULL is allowed. Since
/// ABI 1.6.
///
/// # Safety
/// `document` is NULL or came from this library and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_destroy(document: *mut SinewDocument) {
    guard(|| {
        if !document.is_null() {
            // SAFETY: the caller gives back what Box::into_raw gave.
            drop(unsafe { Box::from_raw(document) });
        }
        Ok(())
    });
}

/// `[one call per handle at a time]` The unit of length and the up axis in which the host gives and gets numbers; those
/// of the document itself, before it is called. The document's own stay. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_set_space(
    document: *mut SinewDocument,
    metres_per_unit: f64,
    up_axis: i32,
) -> SinewStatus {
    let body = |held: &mut Held| {
        held.space = space(metres_per_unit, up_axis)?;
        Ok(())
    };
    // SAFETY: the caller's promise above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` Lets the calls on a document that mirror, copy, expand or check it use the threads
/// and callbacks of a context; with SINEW_ON_CALLING_THREAD they run on their caller's. NULL, the default: threads of
/// their own, and no callbacks. The document keeps what it needs of the context. Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `context` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_set_context(
    document: *mut SinewDocument,
    context: *const SinewContext,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let (handle, context) = unsafe { (handle(document)?, context.as_ref()) };
        handle.set_context("the document", context)
    })
}

/// `[thread-safe]` Asks the running call on a document to stop; it soon returns SINEW_CANCELLED and leaves the document
/// as it was before. If none is running, nothing happens; sinew_node_cancel says how a host loses no cancel. Since ABI
/// 1.7.
///
/// # Safety
/// `document` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_cancel(document: *mut SinewDocument) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        unsafe { handle(document) }?.cancel();
        Ok(())
    })
}

/// `[one call per handle at a time]` All that is wrong with a document, as JSON by the rules of sinew_node_get_text:
/// "faults", an object for each in the order of the elements ("weight": "unreadable", "error" if it cannot be built,
/// "unknown" where no table knows an element or attribute, "warning"; "element", its number, or null; "path", the names
/// of the elements around it; "attribute", or null; "line"; "message"); and "warnings" of the last call that mirrored,
/// copied or expanded it. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_check(
    document: *mut SinewDocument,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let body = |held: &mut Held, control: &Control| {
        // Whoever asked for the size and then wants the text need not wait twice.
        let text = held.document.text();
        let faults = match held.faults.take() {
            Some((of, faults)) if of == text && !buffer.is_null() => faults,
            _ => held.document.faults(control)?,
        };
        let found = json!({ "faults": faults, "warnings": held.warnings }).to_string();
        held.faults = buffer.is_null().then_some((text, faults));
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(found.as_bytes(), buffer, size, needed)? };
        Ok(None)
    };
    // SAFETY: as above.
    unsafe { work(document, "checking", body) }
}

/// `[thread-safe]` The elements and attributes that a type of document may have, as JSON by the rules of
/// sinew_node_get_text: an element has "name", "doc", "attributes" and "children" ("count", "element"). An attribute
/// has "name", "doc", "expected", "need", "quantity", "unit" with L for the unit of length, "refers_to"; and since ABI
/// 1.7 "type" (text, number, whole, vector, turn, range, choice, flag), "choices", "required", "default", "panel"
/// ("heading", "least", "most") where hosts show a field, and "port", the input of the node that overrides it. Since
/// ABI 1.6.
///
/// # Safety
/// `kind` is NULL or terminated text; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_describe(
    kind: *const c_char,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let found = document::describe(unsafe { text(kind, "kind")? })?;
        // SAFETY: as above.
        unsafe { put_bytes(found.to_string().as_bytes(), buffer, size, needed) }
    })
}

/// `[thread-safe]` A name with left and right swapped, in whatever notation it has them (hand_L, LeftHand, LThumb); the
/// same where it has no side. By the rules of sinew_node_get_text. Since ABI 1.6.
///
/// # Safety
/// `name` is NULL or terminated text; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mirrored_name(
    name: *const c_char,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let other = other_side(unsafe { text(name, "name")? });
        // SAFETY: as above.
        unsafe { put_bytes(other.as_bytes(), buffer, size, needed) }
    })
}
