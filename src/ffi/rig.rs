//! A character of a host: its joints and its skin at rest.

use super::arrays::{SinewArray, SinewMesh, copy_mesh, view};
use super::node::space;
use super::pointers::{flag, null, put_bytes, text, text_if_any};
use super::status::{SinewStatus, guard};
use super::structs::{Sized10, read_struct};
use crate::anatomy::muscles::Rig;
use crate::anatomy::roles::{Role, Roles};
use crate::error::{Error, Kind, Result};
use crate::geometry::Mesh;
use crate::math::{Affine, Space};
use serde_json::json;
use std::ffi::c_char;

/// A character at rest: its joints, and its skin. Since ABI 1.4.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewRig {
    /// sizeof(SinewRig)
    pub struct_size: u32,
    /// SINEW_UP_Y or SINEW_UP_Z.
    pub up_axis: i32,
    /// Metres per unit of the host.
    pub metres_per_unit: f64,
    /// 1 if the matrices are for row vectors, otherwise 0.
    pub row_vectors: i32,
    /// The number of joints.
    pub joint_count: u32,
    /// The name of each joint.
    pub joint_names: *const *const c_char,
    /// The matrix of each joint in the world: 16 components, f32 or f64.
    pub rest_joints: SinewArray,
    /// The skin in the world, or NULL.
    pub skin: *const SinewMesh,
    /// The index of each joint's parent, -1 for a root; NULL if the hierarchy is not known. Since ABI 1.9.
    pub joint_parents: *const i32,
    /// For each joint the role that the user gives to it, such as "forearm.L", or NULL; NULL if there are none. Roles
    /// that are not given are found by hierarchy, place and name. Since ABI 1.9.
    pub joint_roles: *const *const c_char,
}

// SAFETY: repr(C), begins with its struct_size, plain numbers and pointers.
unsafe impl Sized10 for SinewRig {
    const NAME: &'static str = "SinewRig";
    const SIZE_1_0: usize = 80;
}

/// A character in Sinew's own space.
pub(super) struct Character {
    pub skin: Option<Mesh>,
    /// The host's.
    pub space: Space,
    names: Vec<String>,
    rest: Vec<Affine>,
    parents: Vec<Option<usize>>,
    chosen: Vec<(Role, usize)>,
}

impl Character {
    /// # Safety
    /// `rig` is NULL or readable for its `struct_size` bytes, and so are its arrays and texts.
    pub unsafe fn read(rig: *const SinewRig) -> Result<Self> {
        // SAFETY: the caller's promise, here and below.
        let c = unsafe { read_struct(rig)? };
        let space = space(c.metres_per_unit, c.up_axis)?;
        let rows = flag(c.row_vectors, "row_vectors")?;
        // SAFETY: as above.
        let rest = unsafe { view(&raw const c.rest_joints)? }.to_joints(space, rows)?;
        if rest.len() != c.joint_count as usize {
            let message = format!("{} matrices for {} joints", rest.len(), c.joint_count);
            return Err(Error::new(Kind::CountMismatch, message));
        }
        if c.joint_names.is_null() && c.joint_count > 0 {
            return Err(null("joint_names"));
        }
        let name = |joint| {
            // SAFETY: not NULL, so readable for as many names as there are joints.
            unsafe { text(c.joint_names.add(joint).read_unaligned(), "a joint's name") }.map(String::from)
        };
        let names = (0..rest.len()).map(|joint| name(joint).map_err(|e| e.joint(joint)));
        let names = names.collect::<Result<_>>()?;
        // SAFETY: as above.
        let mut skin = if c.skin.is_null() { None } else { Some(unsafe { copy_mesh(c.skin)? }) };
        skin.iter_mut().flat_map(|mesh| &mut mesh.positions).for_each(|p| *p = space.point_in(*p));
        // SAFETY: as above.
        let (parents, chosen) = unsafe { (parents(&c)?, chosen(&c)?) };
        Ok(Character { names, rest, parents, chosen, skin, space })
    }

    /// The same in the space of a set, whose coordinates have that unit and up axis.
    pub fn seen_in(mut self, space: Space) -> Self {
        self.rest.iter_mut().for_each(|joint| *joint = space.affine_out(joint));
        let points = self.skin.iter_mut().flat_map(|mesh| &mut mesh.positions);
        points.for_each(|p| *p = space.point_out(*p));
        self
    }

    pub fn rig(&self) -> Rig<'_> {
        Rig { names: &self.names, rest: &self.rest, parents: &self.parents, chosen: &self.chosen }
    }

    pub fn skin(&self) -> Result<&Mesh> {
        self.skin.as_ref().ok_or_else(|| Error::new(Kind::MissingInput, "the rig has no skin"))
    }
}

/// The parents of a rig's joints.
///
/// # Safety
/// `joint_parents` is NULL or readable for as many numbers as there are joints.
unsafe fn parents(c: &SinewRig) -> Result<Vec<Option<usize>>> {
    if c.joint_parents.is_null() {
        return Ok(Vec::new());
    }
    let count = c.joint_count as usize;
    let parent = |joint: usize| {
        // SAFETY: not NULL, so readable for as many as there are joints; alignment is not assumed.
        let parent = unsafe { c.joint_parents.add(joint).read_unaligned() };
        match usize::try_from(parent) {
            Err(_) if parent == -1 => Ok(None),
            Ok(parent) if parent < count => Ok(Some(parent)),
            _ => {
                let message =
                    format!("the parent {parent} of {count} joints; it must be -1 or the index of a joint");
                Err(Error::new(Kind::OutOfRange, message).joint(joint))
            }
        }
    };
    let parents: Vec<Option<usize>> = (0..count).map(parent).collect::<Result<_>>()?;
    for joint in 0..count {
        let above = std::iter::successors(parents[joint], |&joint| parents[joint]).take(count);
        if above.into_iter().any(|above| above == joint) {
            return Err(Error::new(Kind::Topology, "the joint is among those above it").joint(joint));
        }
    }
    Ok(parents)
}

/// The roles that the user gives to a rig's joints.
///
/// # Safety
/// `joint_roles` is NULL or readable for as many pointers as there are joints, each NULL or terminated text.
unsafe fn chosen(c: &SinewRig) -> Result<Vec<(Role, usize)>> {
    if c.joint_roles.is_null() {
        return Ok(Vec::new());
    }
    let mut chosen: Vec<(Role, usize)> = Vec::new();
    for joint in 0..c.joint_count as usize {
        // SAFETY: not NULL, so readable for as many as there are joints, each NULL or terminated.
        let text = unsafe { text_if_any(c.joint_roles.add(joint).read_unaligned(), "a joint's role")? };
        let Some(text) = text.filter(|text| !text.is_empty()) else { continue };
        let role = Role::parse(text).ok_or_else(|| {
            Error::new(Kind::InvalidArgument, format!("{text:?} is no role, such as forearm.L")).joint(joint)
        })?;
        if chosen.iter().any(|(other, _)| *other == role) {
            let message = format!("the role {text} is given to a second joint");
            return Err(Error::new(Kind::InvalidArgument, message).joint(joint));
        }
        chosen.push((role, joint));
    }
    Ok(chosen)
}

/// `[thread-safe]` What the joints of a rig do, as JSON by the rules of sinew_node_get_text: "roles", an object for
/// each that was found: "role" (such as "forearm.L"), "joint" (its name), "certainty" ("chosen", "sure", "likely",
/// "doubtful" or "disputed"), "why", and "rivals" (names of joints that it may be instead); "helpers", objects with the
/// "joint" and the "role" that it follows, such as for twist; "parts", what hosts list: objects with the "title" of a
/// part of the body and its "roles", objects with the "role" and its "title", those that no joint has among them; and
/// "warnings". No roles for what is no human; those of fingers for a hand; none for two humans, unless a joint's role
/// chooses one. Neither the skin nor the unit of length matters. Since ABI 1.9.
///
/// # Safety
/// `rig` is NULL or readable, with its arrays; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_roles(
    rig: *const SinewRig,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise, here and below.
        let character = unsafe { Character::read(rig)? };
        let rig = character.rig();
        let roles = Roles::find(&rig);
        let name = |joint: usize| rig.names[joint].as_str();
        let found: Vec<_> = roles
            .all()
            .iter()
            .map(|found| {
                let rivals: Vec<&str> = found.rivals.iter().map(|&joint| name(joint)).collect();
                json!({
                    "role": found.role.to_string(), "joint": name(found.joint), "certainty": found.certainty.word(),
                    "why": found.why, "rivals": rivals,
                })
            })
            .collect();
        let helpers: Vec<_> = roles
            .helpers()
            .iter()
            .map(|(joint, role)| json!({ "joint": name(*joint), "role": role.to_string() }))
            .collect();
        let parts: Vec<_> = roles
            .parts()
            .iter()
            .map(|part| {
                let each = part.roles.iter();
                let each: Vec<_> =
                    each.map(|role| json!({ "role": role.to_string(), "title": role.title() })).collect();
                json!({ "title": part.title, "roles": each })
            })
            .collect();
        let text = json!({ "roles": found, "helpers": helpers, "parts": parts, "warnings": roles.warnings });
        let text = text.to_string();
        // SAFETY: as above.
        unsafe { put_bytes(text.as_bytes(), buffer, size, needed) }
    })
}
