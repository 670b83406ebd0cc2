//! Muscle sets for hosts: created, fitted, mirrored, copied and sculpted, as `sinew muscles` does with files.

use super::arrays::{SinewArray, SinewArrayMut, view, view_mut};
use super::context::{Shared, SinewContext};
use super::pointers::{null, put, put_bytes, put_if_wanted, text, text_if_any};
use super::rig::{Character, SinewRig};
use super::status::{SinewStatus, guard, take_turn};
use super::threads::Threads;
use crate::anatomy::muscles::{self, HUMAN, NewMuscle};
use crate::control::{Control, Level};
use crate::error::{Error, Kind, Result};
use crate::formats::xml;
use crate::math::Vec3;
use crate::muscle::{Binding, Frames};
use crate::scene::SpaceElement;
use crate::scene::muscles::{MuscleElement, MuscleSet, Readable};
use serde_json::json;
use std::ffi::c_char;
use std::sync::{Arc, Mutex};

/// A muscle set. Opaque. Since ABI 1.4.
pub struct SinewMuscles {
    held: Mutex<Held>,
    /// For cancelling only; the listener of a call is that of its context.
    control: Control,
}

/// A set, and what the last call on it warned of.
pub(super) struct Held {
    /// What cannot be read of it is left out where it is used; then it can neither be changed nor written.
    pub(super) set: Readable,
    warnings: Vec<String>,
    /// Whose threads and callbacks calls use; without one, they have threads of their own.
    context: Option<Arc<Shared>>,
}

impl Held {
    fn new(set: impl Into<Readable>, warnings: Vec<String>) -> Self {
        Held { set: set.into(), warnings, context: None }
    }
}

/// Work with pointers of the caller that is done on threads of its own, while the caller waits.
struct Awaited<F>(F);

// SAFETY: the caller waits until the work has finished; nothing else touches the memory.
unsafe impl<F> Send for Awaited<F> {}

impl<R: Send, F: FnOnce() -> Result<R>> Awaited<F> {
    fn run(self, context: Option<&Shared>) -> Result<R> {
        // A method, because a closure that named the field would capture it alone, without this type.
        let work = move || self.call();
        match context {
            Some(context) => context.threads.run(work),
            None => Threads::new(0)?.run(work),
        }
    }

    fn call(self) -> Result<R> {
        (self.0)()
    }
}

/// Runs `body` on a set; its warnings replace those of the last call.
///
/// # Safety
/// `muscles` is NULL or alive.
pub(super) unsafe fn with(
    muscles: *mut SinewMuscles,
    body: impl FnOnce(&mut Held, &Control) -> Result<Vec<String>>,
) -> SinewStatus {
    guard(|| {
        if muscles.is_null() {
            return Err(null("muscles"));
        }
        // SAFETY: not NULL, so alive; shared, because another thread may cancel at the same time.
        let muscles = unsafe { &*muscles };
        let mut held = take_turn(&muscles.held, "the muscle set")?;
        let context = held.context.clone();
        muscles.control.reset();
        let mut control = muscles.control.clone();
        if let Some(context) = &context {
            control = control.heard_by(context.callbacks.clone());
        }
        let work = || {
            control.progress(0.0, "muscles")?;
            body(&mut held, &control)
        };
        let warnings = Awaited(work).run(context.as_deref())?;
        warnings.iter().for_each(|warning| control.log(Level::Warning, warning));
        held.warnings = warnings;
        Ok(())
    })
}

/// # Safety
/// `muscles` is NULL or writable.
unsafe fn give(muscles: *mut *mut SinewMuscles, made: impl FnOnce() -> Result<Held>) -> SinewStatus {
    guard(|| {
        if muscles.is_null() {
            return Err(null("muscles"));
        }
        let made = SinewMuscles { held: Mutex::new(Awaited(made).run(None)?), control: Control::default() };
        // SAFETY: not NULL, so writable.
        unsafe { put(muscles, "muscles", Box::into_raw(Box::new(made))) }
    })
}

/// `[thread-safe]` Creates a muscle set from its XML; an empty one from "" or NULL. An element that cannot be read is left out
/// where the set is used; then the calls that change the set, and sinew_muscles_text, return its error. What will be left out on
/// every rig is among the warnings of sinew_muscles_report at once. Since ABI 1.4.
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
        let given = if given.trim().is_empty() { "<muscle_set/>" } else { given };
        let set = Readable::new(&xml::parse_tree(given)?)?;
        let left_out = left_out_on_any(&set);
        Ok(Held::new(set, left_out))
    };
    // SAFETY: as above.
    unsafe { give(muscles, made) }
}

/// What is left out of a set on every rig, since it is left out even where each joint that it names exists.
fn left_out_on_any(set: &Readable) -> Vec<String> {
    let mut joints: Vec<String> = set.joints().map(String::from).collect();
    joints.sort_unstable();
    joints.dedup();
    set.parts(&joints).map_or_else(|error| vec![error.to_string()], |built| built.told(None))
}

/// `[thread-safe]` Creates a muscle set by placing the muscles of a plan on a rig, under its skin. `plan` is the XML
/// of a muscle_plan, or NULL for that of a human, whose joints may have the names of several usual rigs. What cannot
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
        let (set, warnings) = unsafe { fitted(plan, rig, &Control::default())? };
        Ok(Held::new(set, warnings))
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
) -> Result<(MuscleSet, Vec<String>)> {
    // SAFETY: the caller's promise.
    let plan = unsafe { text_if_any(plan, "plan")? }.unwrap_or(HUMAN);
    // SAFETY: as above.
    let character = unsafe { Character::read(rig)? };
    let space = character.space;
    let character = character.seen_in(space);
    let fitted = muscles::fit(&xml::parse(plan)?, &character.rig(), character.skin()?, control)?;
    Ok((MuscleSet { space: SpaceElement::of(space), ..fitted.set }, fitted.warnings))
}

/// `[one call per handle at a time]` Lets the calls on a set that make, change, weigh or test it use the threads and
/// callbacks of a context; with SINEW_ON_CALLING_THREAD they run on their caller's. NULL, the default: threads of their own, and
/// no callbacks. The set keeps what it needs of the context. Since ABI 1.5.
///
/// # Safety
/// `muscles` is NULL or alive; `context` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_set_context(
    muscles: *mut SinewMuscles,
    context: *const SinewContext,
) -> SinewStatus {
    guard(|| {
        if muscles.is_null() {
            return Err(null("muscles"));
        }
        // SAFETY: not NULL, so alive.
        let mut held = take_turn(unsafe { &(*muscles).held }, "the muscle set")?;
        // SAFETY: the caller's promise above.
        held.context = unsafe { context.as_ref() }.map(|context| context.0.clone());
        Ok(())
    })
}

/// `[thread-safe]` Asks the running call on a set to stop; it soon returns SINEW_CANCELLED and leaves the set as it was before.
/// If none is running, nothing happens; sinew_node_cancel says how a host loses no cancel. Since ABI 1.5.
///
/// # Safety
/// `muscles` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_cancel(muscles: *mut SinewMuscles) -> SinewStatus {
    guard(|| {
        if muscles.is_null() {
            return Err(null("muscles"));
        }
        // SAFETY: alive, and only the control is touched, which any thread may.
        unsafe { (*muscles).control.cancel() };
        Ok(())
    })
}

/// `[one call per handle at a time]` What sinew_muscles_fit creates, in a set that exists and whose parts it replaces: with the
/// threads and callbacks of the set's context, and to be cancelled. Since ABI 1.5.
///
/// # Safety
/// `muscles` is NULL or alive; `plan` is NULL or terminated text; `rig` is NULL or readable, with its arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_place(
    muscles: *mut SinewMuscles,
    plan: *const c_char,
    rig: *const SinewRig,
) -> SinewStatus {
    let body = |held: &mut Held, control: &Control| {
        // SAFETY: the caller's promise above.
        let (set, warnings) = unsafe { fitted(plan, rig, control)? };
        held.set = set.into();
        Ok(warnings)
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
    let body = |held: &mut Held, _: &Control| {
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
        let mut set = held.set.whole()?.clone();
        if set.is_empty() && set.space.is_none() {
            set.space = SpaceElement::of(character.space);
        }
        let space = set.units()?;
        let host = character.space;
        let size = (size > 0.0).then(|| size * host.metres_per_unit() / space.metres_per_unit());
        let in_set = |p: Vec3| space.point_out(host.point_in(p));
        // SAFETY: as above.
        let (origin, insertion) = unsafe { (point(origin, "origin")?, point(insertion, "insertion")?) };
        let ends = [origin.map(in_set), insertion.map(in_set)];
        let character = character.seen_in(space);
        let new = NewMuscle { name, joints, ends, size, ..NewMuscle::default() };
        muscles::create(&mut set, &new, &character.rig(), character.skin.as_ref())?;
        held.set = set.into();
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
    let body = |held: &mut Held, _: &Control| {
        // SAFETY: the caller's promise above.
        held.set.whole_mut()?.remove(unsafe { text(name, "name")? })?;
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
    let body = |held: &mut Held, _: &Control| {
        let mirrored = muscles::mirror(held.set.whole_mut()?, axis as usize)?;
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
    let body = |held: &mut Held, _: &Control| {
        // SAFETY: the caller's promise above, here and below.
        let character = unsafe { Character::read(rig)? };
        let set = held.set.whole_mut()?;
        let character = character.seen_in(set.units()?);
        let mirrored = muscles::mirror_on(set, &character.rig())?;
        // SAFETY: as above.
        unsafe { put_if_wanted(added, mirrored.added as u32) };
        Ok(mirrored.warnings)
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` Transfers a set from one character to another whose joints have the same names;
/// rest poses and bone lengths may differ. Parts on joints that the other lacks are left out with a warning. Skins are
/// not read. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `from` and `to` are NULL or readable, with their arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_copy(
    muscles: *mut SinewMuscles,
    from: *const SinewRig,
    to: *const SinewRig,
) -> SinewStatus {
    let body = |held: &mut Held, _: &Control| {
        let set = held.set.whole()?;
        let space = set.units()?;
        // SAFETY: the caller's promise above.
        let [from, to] = unsafe { [Character::read(from)?, Character::read(to)?] };
        let [from, to] = [from.seen_in(space), to.seen_in(space)];
        let copied = muscles::copy(set, &from.rig(), &to.rig())?;
        held.set = copied.set.into();
        Ok(copied.warnings)
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[one call per handle at a time]` Sculpts all muscles so that their vertices at rest lie at `points`, which has the
/// layout of the output "muscle_points" of a step in the rest pose. `frames` is the choice of the node's parameter of
/// that name, or NULL for its default. Sculpted muscles without an up-vector get the one that they have from their
/// joints. `moved` may be NULL; it receives the number of vertices that differ from the unsculpted shape. Since ABI 1.4.
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
    let body = |held: &mut Held, _: &Control| {
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
        let count = muscles::sculpt(held.set.whole_mut()?, &character.rig(), frames, &points)?;
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
    let body = |held: &mut Held, control: &Control| {
        if nearest == 0 || !(reach.is_finite() && reach > 0.0) || smooth > muscles::MOST_ROUNDS {
            let message = format!(
                "nearest is {nearest}, reach {reach}, smooth {smooth}; the first two must be positive, the last at most {}",
                muscles::MOST_ROUNDS
            );
            return Err(Error::new(Kind::OutOfRange, message));
        }
        // SAFETY: the caller's promise above.
        let (character, mut out) = unsafe { (Character::read(rig)?, view_mut(weights)?) };
        let columns = held.set.set().muscle_names().len() as u32;
        let binding = Binding { nearest: nearest as usize, reach, normals: None, painted: None };
        let built = held.set.parts(character.rig().names)?;
        let left_out = built.told(None);
        let (rig, skin) = (character.rig(), character.skin()?);
        let rows = muscles::weights(built, &rig, skin, &binding, smooth as usize, control)?;
        out.write_reals(columns, &rows)?;
        Ok(left_out)
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
    unsafe { read(muscles, |held| Ok(xml::write(held.set.whole()?)), buffer, size, needed) }
}

/// `[one call per handle at a time]` What a set holds, as JSON by the rules of sinew_node_get_text: "muscles", an
/// object for each in the order of the node's arrays ("name", "origin_joint", "insertion_joint", "rings",
/// "divisions"); "pads" and "bones", by their names; and "warnings" of the last call that made, changed, weighed or tested it. Since ABI 1.4.
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

fn report(held: &Held) -> Result<String> {
    let muscle = |e: MuscleElement| {
        json!({
            "name": e.name, "origin_joint": e.origin_joint, "insertion_joint": e.insertion_joint,
            "rings": e.rings, "divisions": e.divisions,
        })
    };
    let set = held.set.set();
    let muscles: Vec<_> = set.muscles.iter().flat_map(MuscleElement::singles).map(muscle).collect();
    let pads: Vec<&str> = set.pads.iter().map(|e| e.name.as_str()).collect();
    let bones: Vec<&str> = set.bones.iter().map(|e| e.name.as_str()).collect();
    Ok(json!({ "muscles": muscles, "pads": pads, "bones": bones, "warnings": held.warnings }).to_string())
}

/// Reads a text of a set; nothing of it changes.
///
/// # Safety
/// `muscles` is NULL or alive; `buffer` and `needed` as [`put_bytes`] takes them.
unsafe fn read(
    muscles: *mut SinewMuscles,
    text: impl FnOnce(&Held) -> Result<String>,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    guard(|| {
        if muscles.is_null() {
            return Err(null("muscles"));
        }
        // SAFETY: not NULL, so alive.
        let held = take_turn(unsafe { &(*muscles).held }, "the muscle set")?;
        // SAFETY: the caller's promise.
        unsafe { put_bytes(text(&held)?.as_bytes(), buffer, size, needed) }
    })
}
