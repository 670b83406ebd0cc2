//! A character's joints.

use super::role::Role;
use sinew_math::{Affine, Vec3, translation};

/// A character's joints in the rest pose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rig<'a> {
    /// Their names.
    pub names: &'a [String],
    /// Their matrices.
    pub rest: &'a [Affine],
    /// The parent of each joint; empty where nobody knows the hierarchy.
    pub parents: &'a [Option<usize>],
    /// The roles that the user gave to joints: they count before those found.
    pub chosen: &'a [(Role, usize)],
}

impl Rig<'_> {
    /// Where a joint is.
    pub fn position(&self, joint: usize) -> Vec3 {
        translation(&self.rest[joint])
    }

    /// The joint of that name; the first, if several have it, as when a set is built.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }
}
