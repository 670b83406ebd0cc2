//! What is made of whole documents: the other side, another character, single muscles; and the files beside them.

use super::{SinewDocument, with, work};
use crate::control::Control;
use crate::document::{Derived, Document, Id, Rigged, rows};
use crate::error::Result;
use crate::ffi::arrays::{SinewMesh, copy_mesh};
use crate::ffi::handle::{Flat, Held};
use crate::ffi::pointers::{matrix, put_bytes, put_if_wanted, text};
use crate::ffi::rig::{Character, SinewRig};
use crate::ffi::status::SinewStatus;
use crate::ffi::structs::write_struct;
use crate::math::Space;
use serde_json::{Value, json};
use std::ffi::c_char;

/// # Safety
/// `document` is NULL or alive; `added` is NULL or writable.
unsafe fn derive(
    document: *mut SinewDocument,
    task: &str,
    added: *mut u32,
    tool: impl FnOnce(&mut Document, Space, &Control) -> Result<Derived>,
) -> SinewStatus {
    let body = |held: &mut Held, control: &Control| {
        let derived = tool(&mut held.document, held.space, control)?;
        // SAFETY: the caller's promise.
        unsafe { put_if_wanted(added, derived.added as u32) };
        Ok(Some(derived.warnings))
    };
    // SAFETY: as above.
    unsafe { work(document, task, body) }
}

/// `[one call per handle at a time]` Makes an element of each muscle that stands for several: those of sheets, and
/// further heads. `added` may be NULL; it gets how many elements were added. Since ABI 1.6.
///
/// # Safety
/// `document` is NULL or alive; `added` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_expand(document: *mut SinewDocument, added: *mut u32) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { derive(document, "expanding", added, |document, _, _| document.expand()) }
}

/// `[one call per handle at a time]` Mirrors at the plane through the origin perpendicular to an axis (0, 1, 2 for x,
/// y, z) of the host's space, which is the document's own until sinew_document_set_space, or, for muscle sets, between
/// the sides of a rig, if one is given. A scene becomes that of the other side, with left and right swapped in names; a
/// set gets what it lacks there. `added` may be NULL; it gets how many parts were added. Since ABI 1.6.
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
    let tool = |document: &mut Document, host: Space, control: &Control| {
        if rig.is_null() {
            let axis = document.space()?.axis_along(axis as usize, host);
            return document.mirror(Rigged::Axis(axis), control);
        }
        // SAFETY: the caller's promise above.
        let character = unsafe { Character::read(rig)? }.seen_in(document.space()?);
        document.mirror(Rigged::Rig(character.rig()), control)
    };
    // SAFETY: as above.
    unsafe { derive(document, "mirroring", added, tool) }
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
    let tool = |document: &mut Document, _: Space, control: &Control| {
        let space = document.space()?;
        // SAFETY: the caller's promise above.
        let (from, to) =
            unsafe { (Character::read(from)?.seen_in(space), Character::read(to)?.seen_in(space)) };
        document.copy(&from.rig(), &to.rig(), control)
    };
    // SAFETY: as above.
    unsafe { derive(document, "copying", std::ptr::null_mut(), tool) }
}

/// `[one call per handle at a time]` The element of a muscle in a set, by its name. If that stands for several, sheets
/// and further heads, these become elements of their own. Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `name` is NULL or terminated text; `element` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_single(
    document: *mut SinewDocument,
    name: *const c_char,
    element: *mut u32,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let id = held.document.single(unsafe { text(name, "name")? })?;
        // SAFETY: as above.
        unsafe { put_if_wanted(element, id.0) };
        Ok(())
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` The mesh that a "shape" names, in the axes of its body and the host's unit. Its
/// arrays, f64, belong to the document, until the next call of this function on it or its end. Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `mesh` is NULL or writable for its `struct_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_mesh(
    document: *mut SinewDocument,
    element: u32,
    mesh: *mut SinewMesh,
) -> SinewStatus {
    let body = |held: &mut Held| {
        let found = held.document.mesh(Id(element), held.space)?;
        let flat = held.mesh.insert(Flat::new(&found));
        // SAFETY: the caller's promise above.
        unsafe { write_struct(mesh, flat.mesh()) }
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` Gives a "shape" a mesh of the host, which sinew_document_save writes to its file.
/// Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `mesh` is NULL or readable, with its arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_set_mesh(
    document: *mut SinewDocument,
    element: u32,
    mesh: *const SinewMesh,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let mesh = unsafe { copy_mesh(mesh)? };
        held.document.set_mesh(Id(element), mesh, held.space)
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` What sinew_document_save writes to the file of a mesh that was set, as bytes by
/// the rules of sinew_node_get_text, for hosts that keep files in their own. Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_mesh_file(
    document: *mut SinewDocument,
    element: u32,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let body = |held: &mut Held| {
        let bytes = held.document.mesh_file(Id(element))?;
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(&bytes, buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` Where the joints of the animations that lead bodies of a scene are at rest, as
/// JSON by the rules of sinew_node_get_text: an object of their axes by name, as in "places" of sinew_document_read. It
/// reads their files, and the document remembers them. Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_joints(
    document: *mut SinewDocument,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    let body = |held: &mut Held| {
        let joints = held.document.joints(held.space)?.into_iter();
        let joints: serde_json::Map<String, Value> =
            joints.map(|(name, axes)| (name, json!(rows(&axes)))).collect();
        // SAFETY: the caller's promise above.
        unsafe { put_bytes(Value::from(joints).to_string().as_bytes(), buffer, size, needed) }
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}

/// `[one call per handle at a time]` Where a joint of an animation is at rest, for a document whose files lie
/// elsewhere: what is given in its axes then has a place. `axes` as for sinew_document_set_place. Since ABI 1.7.
///
/// # Safety
/// `document` is NULL or alive; `name` is NULL or terminated text; `axes` is NULL or readable for 16 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_document_set_joint(
    document: *mut SinewDocument,
    name: *const c_char,
    axes: *const f64,
) -> SinewStatus {
    let body = |held: &mut Held| {
        // SAFETY: the caller's promise above.
        let (name, axes) = unsafe { (text(name, "name")?, matrix(axes, "axes")?) };
        held.document.set_joint(name, &axes, held.space)
    };
    // SAFETY: as above.
    unsafe { with(document, body) }
}
