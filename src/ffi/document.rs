//! Authored documents for hosts: strand scenes, muscle sets and plans, read, edited, checked and written without loss.

use super::node::space;
use super::pointers::{null, put, put_bytes, put_if_wanted, put_items, text, text_if_any};
use super::rig::{Character, SinewRig};
use super::status::{SinewStatus, guard, take_turn};
use crate::document::{self, Derived, Document, Id, Rigged};
use crate::error::{Error, Kind, Result};
use crate::math::Space;
use crate::scene::sides::other_side;
use serde_json::{Value, json};
use std::ffi::c_char;
use std::path::Path;
use std::sync::Mutex;

/// An authored document: a strand scene, a muscle set or a plan. Opaque. Since ABI 1.6.
pub struct SinewDocument(Mutex<Held>);

struct Held {
    document: Document,
    /// The host's.
    space: Space,
    warnings: Vec<String>,
}

/// In place of an element: none.
pub const SINEW_NO_ELEMENT: u32 = u32::MAX;

/// Runs `body` on a document.
///
/// # Safety
/// `document` is NULL or alive.
unsafe fn with(document: *mut SinewDocument, body: impl FnOnce(&mut Held) -> Result<()>) -> SinewStatus {
    guard(|| {
        if document.is_null() {
            return Err(null("document"));
        }
        // SAFETY: not NULL, so alive.
        let mut held = take_turn(unsafe { &(*document).0 }, "the document")?;
        body(&mut held)
    })
}

/// # Safety
/// `document` is NULL or writable.
unsafe fn give(document: *mut *mut SinewDocument, made: impl FnOnce() -> Result<Document>) -> SinewStatus {
    guard(|| {
        if document.is_null() {
            return Err(null("document"));
        }
        let made = made()?;
        let held = Held { space: made.space().unwrap_or_default(), document: made, warnings: Vec::new() };
        // SAFETY: not NULL, so writable.
        unsafe { put(document, "document", Box::into_raw(Box::new(SinewDocument(Mutex::new(held))))) }
    })
}

/// An element of the document, or none.
fn some(element: u32) -> Option<Id> {
    (element != SINEW_NO_ELEMENT).then_some(Id(element))
}

/// `[thread-safe]` Creates an empty document of a type: "strand_scene", "muscle_set" or "muscle_plan". Its numbers have the unit
/// of length and the up axis of the host, which are also those of the calls on it (sinew_document_set_space). Since ABI 1.6.
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

/// `[thread-safe]` Reads a document from its text. What nobody changes keeps its bytes; unknown elements and attributes stay, and
/// sinew_document_check reports them. Since ABI 1.6.
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

/// `[one call per handle at a time]` Writes a file, whole or not at all, and beside it the meshes that mirroring made. Since ABI
/// 1.6.
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

/// `[one call per handle at a time]` The text of a document, without a terminating NUL, by the rules of sinew_node_get_text. Since
/// ABI 1.6.
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

/// `[one call per handle at a time]` Destroys a document. No other call on it may be running. NULL is allowed. Since ABI 1.6.
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

/// `[one call per handle at a time]` The unit of length and the up axis in which the host gives and gets numbers; those of the
/// document itself, before it is called. The document's own stay. Since ABI 1.6.
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

/// `[one call per handle at a time]` The elements in an element, in their order: all, or those of one name. `element` is that
/// around them; SINEW_NO_ELEMENT lists the root element alone. Without `elements`, only `count` is written. An element keeps its
/// number until it is removed, and no other one gets it. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `name` is NULL or terminated text; `elements` is NULL or writable for `capacity` numbers; `count` is
/// NULL or writable.
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

/// `[one call per handle at a time]` What an element is, as JSON by the rules of sinew_node_get_text: "element", its kind; "line" in
/// the file that was read, 0 if it was added; and "attributes", an object of their texts. Since ABI 1.6.
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

/// `[one call per handle at a time]` The text of an attribute, by the rules of sinew_node_get_text; `is_there` gets 0 if it is left
/// out. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `attribute` is NULL or terminated text; `buffer` is NULL or writable for `size` bytes; `needed` and
/// `is_there` are NULL or writable.
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

/// `[one call per handle at a time]` Sets the text of an attribute; NULL leaves it out. A text that cannot be read is refused. Since
/// ABI 1.6.
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

/// `[one call per handle at a time]` The numbers of an attribute in the host's unit and axes: its own, or those of its default.
/// `count` gets how many there are, 0 if it has neither; rotations are rotation vectors in degrees. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `attribute` is NULL or terminated text; `numbers` is NULL or writable for `capacity` numbers; `count`
/// is NULL or writable.
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

/// `[one call per handle at a time]` Sets the numbers of an attribute, given in the host's unit and axes. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `attribute` is NULL or terminated text; `numbers` is NULL or readable for `count` numbers.
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

/// `[one call per handle at a time]` Adds an element to another one: behind its child `after`, or with SINEW_NO_ELEMENT where elements
/// of its kind belong. Since ABI 1.6.
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

/// `[one call per handle at a time]` Gives an element another name, also where other elements name it; a name that is taken is
/// refused. `followed` may be NULL; it gets how many attributes followed. Since ABI 1.6.
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

/// # Safety
/// `document` is NULL or alive; `added` is NULL or writable.
unsafe fn derive(
    document: *mut SinewDocument,
    added: *mut u32,
    tool: impl FnOnce(&mut Document) -> Result<Derived>,
) -> SinewStatus {
    let body = |held: &mut Held| {
        let derived = tool(&mut held.document)?;
        held.warnings = derived.warnings;
        // SAFETY: the caller's promise.
        unsafe { put_if_wanted(added, derived.added as u32) };
        Ok(())
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` Makes an element of each muscle that stands for several: those of sheets, and further heads.
/// `added` may be NULL; it gets how many elements were added. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `added` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_expand(document: *mut SinewDocument, added: *mut u32) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { derive(document, added, Document::expand) }
}

/// `[one call per handle at a time]` Mirrors at the plane through the origin perpendicular to an axis of the document (0, 1, 2 for x,
/// y, z), or, for muscle sets, between the sides of a rig, if one is given. A scene becomes that of the other side, with left and
/// right swapped in names; a set gets what it lacks there. `added` may be NULL; it gets how many parts were added. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `rig` is NULL or readable, with its arrays; `added` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_mirror(
    document: *mut SinewDocument,
    axis: u32,
    rig: *const SinewRig,
    added: *mut u32,
) -> SinewStatus {
    let tool = |document: &mut Document| {
        if rig.is_null() {
            return document.mirror(Rigged::Axis(axis as usize));
        }
        // SAFETY: the caller's promise above.
        let character = unsafe { Character::read(rig)? }.seen_in(document.space()?);
        document.mirror(Rigged::Rig(character.rig()))
    };
    // SAFETY: as above.
    unsafe { derive(document, added, tool) }
}

/// `[one call per handle at a time]` Copies a muscle set from the rig on which it lies to another one. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; the rigs are NULL or readable, with their arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_copy(
    document: *mut SinewDocument,
    from: *const SinewRig,
    to: *const SinewRig,
) -> SinewStatus {
    let tool = |document: &mut Document| {
        let space = document.space()?;
        // SAFETY: the caller's promise above.
        let (from, to) =
            unsafe { (Character::read(from)?.seen_in(space), Character::read(to)?.seen_in(space)) };
        document.copy(&from.rig(), &to.rig())
    };
    // SAFETY: as above.
    unsafe { derive(document, std::ptr::null_mut(), tool) }
}

/// `[one call per handle at a time]` All that is wrong with a document, as JSON by the rules of sinew_node_get_text: "faults", an
/// object for each in the order of the elements ("weight": "unreadable", "error" if it cannot be built, "unknown" where no table knows an
/// element or attribute, "warning"; "element", its number, or null; "path", the names of the elements around it; "attribute", or null;
/// "line"; "message"); and "warnings" of the last call that mirrored, copied or expanded it. Since ABI 1.6.
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
    let body = |held: &mut Held| {
        let found = json!({ "faults": held.document.faults(), "warnings": held.warnings });
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(found.to_string().as_bytes(), buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[thread-safe]` The elements and attributes that a type of document may have, as JSON by the rules of sinew_node_get_text: an
/// element has "name", "doc", "attributes" ("name", "doc", "expected", "need", "quantity", "unit" with L for the unit of length,
/// "refers_to") and "children" ("count", "element"). Since ABI 1.6.
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

/// `[thread-safe]` A name with left and right swapped, in whatever notation it has them (hand_L, LeftHand, LThumb); the same where it
/// has no side. By the rules of sinew_node_get_text. Since ABI 1.6.
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
