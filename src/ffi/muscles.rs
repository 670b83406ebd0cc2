//! Muscle sets for hosts: created, fitted, mirrored, copied and sculpted, as `sinew muscles` does with files.

use super::arrays::{SinewArray, SinewArrayMut, view, view_mut};
use super::context::SinewContext;
use super::handle::{Handle, awaited};
use super::pointers::{null, put, put_bytes, put_if_wanted, text, text_if_any};
use super::rig::{Character, SinewRig};
use super::status::{SinewStatus, guard};
use crate::anatomy::muscles::{HUMAN, MOST_ROUNDS, NewMuscle};
use crate::control::Control;
use crate::document::{Derived, Document, Rigged};
use crate::error::{Error, Kind, Result};
use crate::formats::xml;
use crate::math::Vec3;
use crate::muscle::{Binding, Frames};
use crate::scene::muscles::Readable;
use serde_json::json;
use std::ffi::c_char;

/// A muscle set. Opaque. Since ABI 1.4.
pub struct SinewMuscles(Handle);

const WHAT: &str = "the muscle set";

/// # Safety
/// `muscles` is NULL or alive.
unsafe fn handle<'a>(muscles: *mut SinewMuscles) -> Result<&'a Handle> {
    // SAFETY: the caller's promise; shared, because another thread may cancel at the same time.
    unsafe { muscles.as_ref() }.map(|muscles| &muscles.0).ok_or_else(|| null("muscles"))
}

/// Runs `body` on a set; its warnings replace those of the last call.
///
/// # Safety
/// `muscles` is NULL or alive.
pub(super) unsafe fn with(
    muscles: *mut SinewMuscles,
    body: impl FnOnce(&mut Document, &Control) -> Result<Vec<String>>,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise.
        let handle = unsafe { handle(muscles)? };
        handle.work(WHAT, "muscles", |held, control| body(&mut held.document, control).map(Some))
    })
}

/// # Safety
/// `muscles` is NULL or writable.
unsafe fn give(
    muscles: *mut *mut SinewMuscles,
    made: impl FnOnce() -> Result<(Document, Vec<String>)>,
) -> SinewStatus {
    guard(|| {
        if muscles.is_null() {
            return Err(null("muscles"));
        }
        let (set, warnings) = awaited(made)?;
        let made = SinewMuscles(Handle::new(set, warnings));
        // SAFETY: not NULL, so writable.
        unsafe { put(muscles, "muscles", Box::into_raw(Box::new(made))) }
    })
}

/// `[thread-safe]` Creates a muscle set from its XML; an empty one from "" or NULL. An element that cannot be read is
/// left out where the set is used; then the calls that change the set, and sinew_muscles_text, return its error. What
/// will be left out on every rig is among the warnings of sinew_muscles_report at once. Since ABI 1.4.
///
/// # Safety
/// `xml` is NULL or terminated text; `muscles` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_create(
    xml: *const c_char,
    muscles: *mut *mut SinewMuscles,
) -> SinewStatus {
    let made = || {
        // SAFETY: the caller's promise above.
        let given = unsafe { text_if_any(xml, "xml")? }.unwrap_or("");
        let given = if given.trim().is_empty() { EMPTY } else { given };
        // What is no set is refused; what cannot be read in one is not.
        Readable::new(&xml::parse_tree(given)?)?;
        let set = Document::parse(given)?;
        let left_out = set.left_out()?;
        Ok((set, left_out))
    };
    // SAFETY: as above.
    unsafe { give(muscles, made) }
}

/// What stands for no text.
const EMPTY: &str = "<muscle_set version=\"1\"/>\n";

/// `[thread-safe]` Creates a muscle set by placing the muscles of a plan on a rig, under its skin. `plan` is the XML
/// of a muscle_plan, or NULL for that of a human, whose joints are found by what they do (sinew_rig_roles). What cannot
/// be placed is left out with a warning; SINEW_NOT_FOUND means that the rig lacks the joints that define its sideways
/// and upward directions. It can neither be stopped nor followed: sinew_muscles_place can. Since ABI 1.4.
///
/// # Safety
/// `plan` is NULL or terminated text; `rig` is NULL or readable, with its arrays; `muscles` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_fit(
    plan: *const c_char,
    rig: *const SinewRig,
    muscles: *mut *mut SinewMuscles,
) -> SinewStatus {
    let made = || {
        // SAFETY: the caller's promise above.
        let (set, derived) = unsafe { fitted(plan, rig, &Control::default())? };
        Ok((set, derived.warnings))
    };
    // SAFETY: as above.
    unsafe { give(muscles, made) }
}

/// A plan on a rig, and what was left out.
///
/// # Safety
/// As [`sinew_muscles_fit`].
unsafe fn fitted(
    plan: *const c_char,
    rig: *const SinewRig,
    control: &Control,
) -> Result<(Document, Derived)> {
    // SAFETY: the caller's promise.
    let plan = unsafe { text_if_any(plan, "plan")? }.unwrap_or(HUMAN);
    // SAFETY: as above.
    let character = unsafe { Character::read(rig)? };
    let space = character.space;
    let character = character.seen_in(space);
    Document::fitted(plan, &character.rig(), character.skin()?, space, control)
}

/// `[one call per handle at a time]` Lets the calls on a set that make, change, weigh or test it use the threads and
/// callbacks of a context; with SINEW_ON_CALLING_THREAD they run on their caller's. NULL, the default: threads of their
/// own, and no callbacks. The set keeps what it needs of the context. Since ABI 1.5.
///
/// # Safety
/// `muscles` is NULL or alive; `context` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_set_context(
    muscles: *mut SinewMuscles,
    context: *const SinewContext,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let (handle, context) = unsafe { (handle(muscles)?, context.as_ref()) };
        handle.set_context(WHAT, context)
    })
}

/// `[thread-safe]` Asks the running call on a set to stop; it soon returns SINEW_CANCELLED and leaves the set as it was
/// before. If none is running, nothing happens; sinew_node_cancel says how a host loses no cancel. Since ABI 1.5.
///
/// # Safety
/// `muscles` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_cancel(muscles: *mut SinewMuscles) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        unsafe { handle(muscles) }?.cancel();
        Ok(())
    })
}

/// `[one call per handle at a time]` What sinew_muscles_fit creates, in a set that exists and whose parts it replaces:
/// with the threads and callbacks of the set's context, and to be cancelled. Since ABI 1.5.
///
/// # Safety
/// `muscles` is NULL or alive; `plan` is NULL or terminated text; `rig` is NULL or readable, with its arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_place(
    muscles: *mut SinewMuscles,
    plan: *const c_char,
    rig: *const SinewRig,
) -> SinewStatus {
    let body = |set: &mut Document, control: &Control| {
        // SAFETY: the caller's promise above.
        let (fitted, derived) = unsafe { fitted(plan, rig, control)? };
        *set = fitted;
        Ok(derived.warnings)
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` Destroys a muscle set. No other call on it may be running: this one cannot be
/// refused. NULL is allowed. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or came from this library and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_destroy(muscles: *mut SinewMuscles) {
    guard(|| {
        if !muscles.is_null() {
            // SAFETY: the caller gives back what Box::into_raw gave.
            drop(unsafe { Box::from_raw(muscles) });
        }
        Ok(())
    });
}

/// A point of the caller; none for NULL.
///
/// # Safety
/// `point` is NULL or readable for 3 numbers.
unsafe fn point(point: *const f64, what: &str) -> Result<Option<Vec3>> {
    if point.is_null() {
        return Ok(None);
    }
    // SAFETY: not NULL, so readable; alignment is not assumed.
    let point = Vec3::from(unsafe { point.cast::<[f64; 3]>().read_unaligned() });
    match point.iter().all(|x| x.is_finite()) {
        true => Ok(Some(point)),
        false => Err(Error::new(Kind::NotFinite, format!("{what} is not finite"))),
    }
}

/// `[one call per handle at a time]` Adds a straight muscle from a joint to another. `origin` and `insertion` are
/// points of 3 numbers in the world, or NULL for the places of the joints. `size` is its largest radius in the unit
/// of the rig; with 0 it is as large as the skin leaves room for, or without a skin a tenth of its length. An empty
/// set takes the space of the rig. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; the texts are NULL or terminated; `rig` is NULL or readable, with its arrays; `origin`
/// and `insertion` are NULL or readable for 3 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_add(
    muscles: *mut SinewMuscles,
    rig: *const SinewRig,
    name: *const c_char,
    origin_joint: *const c_char,
    insertion_joint: *const c_char,
    origin: *const f64,
    insertion: *const f64,
    size: f64,
) -> SinewStatus {
    let body = |set: &mut Document, _: &Control| {
        // SAFETY: the caller's promise above.
        let (name, joints, character) = unsafe {
            let joints = [text(origin_joint, "origin_joint")?, text(insertion_joint, "insertion_joint")?];
            (text(name, "name")?, joints, Character::read(rig)?)
        };
        if name.is_empty() || !(size.is_finite() && size >= 0.0) {
            let message =
                format!("a muscle {name:?} of the size {size}; it needs a name and a positive size");
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        // Where it fails, the set stays empty.
        let mut changed = set.clone();
        changed.adopt(character.space)?;
        let space = changed.space()?;
        let host = character.space;
        let size = (size > 0.0).then(|| size * host.metres_per_unit() / space.metres_per_unit());
        let in_set = |p: Vec3| space.point_out(host.point_in(p));
        // SAFETY: as above.
        let (origin, insertion) = unsafe { (point(origin, "origin")?, point(insertion, "insertion")?) };
        let ends = [origin.map(in_set), insertion.map(in_set)];
        let character = character.seen_in(space);
        let new = NewMuscle { name, joints, ends, size, ..NewMuscle::default() };
        changed.add_muscle(&new, &character.rig(), character.skin.as_ref())?;
        *set = changed;
        Ok(Vec::new())
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` Takes a muscle out; the others of its sheet and its other heads become single
/// muscles. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `name` is NULL or terminated text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_remove(
    muscles: *mut SinewMuscles,
    name: *const c_char,
) -> SinewStatus {
    let body = |set: &mut Document, _: &Control| {
        // SAFETY: the caller's promise above.
        set.remove_muscle(unsafe { text(name, "name")? })?;
        Ok(Vec::new())
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` Adds the mirror images of everything whose name on the other side is not in the
/// set, at the plane through the origin perpendicular to an axis of the set's space (0, 1, 2 for x, y, z). Left and
/// right are swapped in names; parts without a side are not mirrored. Parts with a side on joints without one are
/// mirrored with a warning, and so are sculpted muscles without an up-vector, such as sinew_muscles_sculpt gives them.
/// `added` may be NULL; it gets the number of muscles, pads and bones that were added. For a character that stands
/// elsewhere, is turned, or differs from side to side, there is sinew_muscles_mirror_on. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `added` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_mirror(
    muscles: *mut SinewMuscles,
    axis: u32,
    added: *mut u32,
) -> SinewStatus {
    let body = |set: &mut Document, control: &Control| {
        let mirrored = set.mirror(Rigged::Axis(axis as usize), control)?;
        // SAFETY: the caller's promise above.
        unsafe { put_if_wanted(added, mirrored.added as u32) };
        Ok(mirrored.warnings)
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` Adds the mirror images of everything whose name on the other side is not in the
/// set on a rig, wherever it stands and however it is turned: they lie on the joints of the other side as the originals
/// on theirs, and sculpted muscles keep their shapes. Images on joints that the rig lacks are left out with a warning.
/// The skin is not read. `added` may be NULL; it gets the number of muscles, pads and bones that were added. Since
/// ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `rig` is NULL or readable, with its arrays; `added` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_mirror_on(
    muscles: *mut SinewMuscles,
    rig: *const SinewRig,
    added: *mut u32,
) -> SinewStatus {
    let body = |set: &mut Document, control: &Control| {
        // SAFETY: the caller's promise above, here and below.
        let character = unsafe { Character::read(rig)? }.seen_in(set.space()?);
        let mirrored = set.mirror(Rigged::Rig(character.rig()), control)?;
        // SAFETY: as above.
        unsafe { put_if_wanted(added, mirrored.added as u32) };
        Ok(mirrored.warnings)
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` Transfers a set from one character to another: to joints of the same names, or, if
/// some have other names there, to those that do the same; rest poses and bone lengths may differ. Parts on joints that
/// the other lacks are left out with a warning. Skins are not read. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `from` and `to` are NULL or readable, with their arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_copy(
    muscles: *mut SinewMuscles,
    from: *const SinewRig,
    to: *const SinewRig,
) -> SinewStatus {
    let body = |set: &mut Document, control: &Control| {
        let space = set.space()?;
        // SAFETY: the caller's promise above.
        let [from, to] = unsafe { [Character::read(from)?, Character::read(to)?] };
        let [from, to] = [from.seen_in(space), to.seen_in(space)];
        Ok(set.copy(&from.rig(), &to.rig(), control)?.warnings)
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` Sculpts all muscles so that their vertices at rest lie at `points`, which has the
/// layout of the output "muscle_points" of a step in the rest pose. `frames` is the choice of the node's parameter of
/// that name, or NULL for its default. Sculpted muscles without an up-vector get the one that they have from their
/// joints. `moved` may be NULL; it receives the number of vertices that differ from the unsculpted shape. Since ABI
/// 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `rig`, `frames` and `points` are NULL or readable, with their arrays; `moved` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_sculpt(
    muscles: *mut SinewMuscles,
    rig: *const SinewRig,
    frames: *const c_char,
    points: *const SinewArray,
    moved: *mut u32,
) -> SinewStatus {
    let body = |set: &mut Document, _: &Control| {
        // SAFETY: the caller's promise above.
        let frames = match unsafe { text_if_any(frames, "frames")? }.unwrap_or("stable") {
            "stable" => Frames::Stable,
            "up_vector" => Frames::UpVector,
            other => {
                let message = format!("unknown ring axes {other:?}; they are stable or up_vector");
                return Err(Error::new(Kind::InvalidArgument, message));
            }
        };
        // SAFETY: as above.
        let (character, points) = unsafe { (Character::read(rig)?, view(points)?.to_reals(3)?) };
        let points = points.as_chunks::<3>().0.iter().map(|p| character.space.point_in(Vec3::from(*p)));
        let points: Vec<Vec3> = points.collect();
        let count = set.sculpt(&character.rig(), frames, &points)?;
        // SAFETY: as above.
        unsafe { put_if_wanted(moved, count as u32) };
        Ok(Vec::new())
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` The default weights of muscles, as a starting point for painting: one item per
/// vertex of the rig's skin, one component per muscle of the set, in the order of sinew_muscles_report. `nearest`,
/// `reach` and `smooth` are the node's parameters of these names. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `rig` is NULL or readable, with its arrays; `weights` is NULL or readable, and its
/// memory writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_weights(
    muscles: *mut SinewMuscles,
    rig: *const SinewRig,
    nearest: u32,
    reach: f64,
    smooth: u32,
    weights: *const SinewArrayMut,
) -> SinewStatus {
    let body = |set: &mut Document, control: &Control| {
        if nearest == 0 || !(reach.is_finite() && reach > 0.0) || smooth > MOST_ROUNDS {
            let message = format!(
                "nearest is {nearest}, reach {reach}, smooth {smooth}; the first two must be positive, the last at \
                 most {}",
                MOST_ROUNDS
            );
            return Err(Error::new(Kind::OutOfRange, message));
        }
        // SAFETY: the caller's promise above.
        let (character, mut out) = unsafe { (Character::read(rig)?, view_mut(weights)?) };
        let binding = Binding { nearest: nearest as usize, reach, normals: None, painted: None };
        let weighed = set.weights(&character.rig(), character.skin()?, &binding, smooth, control)?;
        out.write_reals(weighed.columns as u32, &weighed.rows)?;
        Ok(weighed.left_out)
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` The XML of a set, without a terminating NUL, by the rules of
/// sinew_node_get_text. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_text(
    muscles: *mut SinewMuscles,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { read(muscles, |set, _| set.check_readable().map(|()| set.text()), buffer, size, needed) }
}

/// `[one call per handle at a time]` What a set holds, as JSON by the rules of sinew_node_get_text: "muscles", an
/// object for each in the order of the node's arrays ("name", "origin_joint", "insertion_joint", "rings", "divisions");
/// "pads" and "bones", by their names; and "warnings" of the last call that made, changed, weighed or tested it. Since
/// ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_report(
    muscles: *mut SinewMuscles,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    // SAFETY: the caller's promise above.
    unsafe { read(muscles, report, buffer, size, needed) }
}

fn report(set: &Document, warnings: &[String]) -> Result<String> {
    let mut found = set.parts()?;
    found["warnings"] = json!(warnings);
    Ok(found.to_string())
}

/// Reads a text of a set; nothing of it changes.
///
/// # Safety
/// `muscles` is NULL or alive; `buffer` and `needed` as [`put_bytes`] takes them.
unsafe fn read(
    muscles: *mut SinewMuscles,
    text: impl FnOnce(&Document, &[String]) -> Result<String>,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise, here and below.
        let handle = unsafe { handle(muscles)? };
        let text = handle.at_once(WHAT, |held| text(&held.document, &held.warnings))?;
        // SAFETY: as above.
        unsafe { put_bytes(text.as_bytes(), buffer, size, needed) }
    })
}
