//! What changes or tests whole muscle sets: physiques, and the range of motion.

use super::describe::forever;
use super::muscles::{SinewMuscles, with};
use super::pointers::{put_if_wanted, text_if_any};
use super::rig::{Character, SinewRig};
use super::status::{SinewStatus, guard};
use super::structs::{Sized10, read_struct, write_struct};
use crate::anatomy::muscles::{HUMAN, PRESETS, Physique};
use crate::control::Control;
use crate::document::Document;
use crate::error::{Error, Kind};
use std::ffi::c_char;

/// Factors that change all muscles: of the node's parameters size_factor, bulge_factor, stiffness_factor,
/// damping_factor and weight_factor, or of a set. Since ABI 1.4.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewPhysique {
    /// sizeof(SinewPhysique)
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The permanent id of a known one; not read.
    pub id: *const c_char,
    /// Of the bulge multipliers.
    pub bulge: f64,
    /// Of the springs' stiffnesses.
    pub stiffness: f64,
    /// Of the springs' dampings.
    pub damping: f64,
    /// Of the radii.
    pub size: f64,
    /// Of the weights with which muscles carry skin; 0 stands for 1, for callers that do not know it.
    pub weight: f64,
}

// SAFETY: repr(C), begins with its struct_size, plain numbers and pointers.
unsafe impl Sized10 for SinewPhysique {
    const NAME: &'static str = "SinewPhysique";
    const SIZE_1_0: usize = 48;
}

/// `[one call per handle at a time]` Multiplies the numbers of all muscles, heads and pads. The parameters of the
/// node do the same without changing the set. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `factors` is NULL or readable for its `struct_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_physique(
    muscles: *mut SinewMuscles,
    factors: *const SinewPhysique,
) -> SinewStatus {
    let body = |set: &mut Document, _: &Control| {
        // SAFETY: the caller's promise above.
        let SinewPhysique { bulge, stiffness, damping, size, weight, .. } = unsafe { read_struct(factors)? };
        let weight = if weight == 0.0 { 1.0 } else { weight };
        set.apply_physique(&Physique { bulge, stiffness, damping, size, weight })?;
        Ok(Vec::new())
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}

/// `[thread-safe]` A physique by its index: "heavy", "gaunt", "jelly", "athletic", "old", "average".
/// SINEW_NOT_FOUND after the last. Since ABI 1.4.
///
/// # Safety
/// `physique` is NULL or writable for its `struct_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_physique_info(index: u32, physique: *mut SinewPhysique) -> SinewStatus {
    guard(|| {
        let missing = || Error::new(Kind::NotFound, format!("there are {} physiques", PRESETS.len()));
        let (id, known) = PRESETS.get(index as usize).ok_or_else(missing)?;
        let Physique { bulge, stiffness, damping, size, weight } = *known;
        let id = forever(*id);
        let value =
            SinewPhysique { struct_size: 0, reserved: 0, id, bulge, stiffness, damping, size, weight };
        // SAFETY: the caller's promise above.
        unsafe { write_struct(physique, value) }
    })
}

/// `[one call per handle at a time]` Turns every joint of a rig through its range of motion, and reports what flips,
/// collides, jumps or shortens to nothing, a sentence for each as a warning of sinew_muscles_report; the set stays as
/// it is. `plan` is the XML of a muscle_plan, whose joints give the hierarchy and the ranges, or NULL for that of a
/// human. `push`, from 0 to 1, is how far muscles and bones push muscles away, and `degrees` how far a joint turns from
/// rest at most; 0 for no limit. For the same contact set push_muscles and push_bones of the node to `push`; they are 0
/// by default. `problems` may be NULL; it gets the number of problems; parts that are left out, and joints that the
/// plan does not know, are further warnings. Since ABI 1.4.
///
/// # Safety
/// `muscles` is NULL or alive; `rig` is NULL or readable, with its arrays; `plan` is NULL or terminated text;
/// `problems` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_muscles_range(
    muscles: *mut SinewMuscles,
    rig: *const SinewRig,
    plan: *const c_char,
    push: f64,
    degrees: f64,
    problems: *mut u32,
) -> SinewStatus {
    let body = |set: &mut Document, control: &Control| {
        // SAFETY: the caller's promise above.
        let plan = unsafe { text_if_any(plan, "plan")? }.unwrap_or(HUMAN);
        // SAFETY: as above.
        let character = unsafe { Character::read(rig)? };
        let limit = (degrees != 0.0).then_some(degrees);
        let tested = set.range(plan, &character.rig(), push, limit, control)?;
        // SAFETY: as above.
        unsafe { put_if_wanted(problems, tested.problems as u32) };
        Ok(tested.sentences)
    };
    // SAFETY: as above.
    unsafe { with(muscles, body) }
}
