//! A character of a host: its joints and its skin at rest.

use super::arrays::{SinewArray, SinewMesh, copy_mesh, view};
use super::node::space;
use super::pointers::{flag, null, text};
use super::structs::{Sized10, read_struct};
use crate::anatomy::muscles::Rig;
use crate::error::{Error, Kind, Result};
use crate::geometry::Mesh;
use crate::math::{Affine, Space};
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
        Ok(Character { names, rest, skin, space })
    }

    /// The same in the space of a set, whose coordinates have that unit and up axis.
    pub fn seen_in(mut self, space: Space) -> Self {
        self.rest.iter_mut().for_each(|joint| *joint = space.affine_out(joint));
        let points = self.skin.iter_mut().flat_map(|mesh| &mut mesh.positions);
        points.for_each(|p| *p = space.point_out(*p));
        self
    }

    pub fn rig(&self) -> Rig<'_> {
        Rig { names: &self.names, rest: &self.rest, ..Rig::default() }
    }

    pub fn skin(&self) -> Result<&Mesh> {
        self.skin.as_ref().ok_or_else(|| Error::new(Kind::MissingInput, "the rig has no skin"))
    }
}
