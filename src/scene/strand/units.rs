//! The unit of length and the up axis of a scene, converted once: inside, everything is in metres with y up.

use super::StrandScene;
use super::names::at;
use crate::quantity::{Between, applied, axes};
use crate::schema::Element;
use sinew_base::error::Result;
use sinew_geometry::Mesh;
use sinew_math::{Affine, Placement, Space, affine};

impl StrandScene {
    /// Its unit of length and up axis.
    pub fn units(&self) -> Result<Space> {
        let Some(e) = &self.space else { return Ok(Space::default()) };
        e.space().map_err(|error| at(error, "space", e.line))
    }

    /// The same in metres with y up.
    pub(super) fn in_metres(mut self) -> Result<Self> {
        let space = self.units()?;
        if space != Space::default() {
            self.measure(&mut applied(&Between(space, Space::default())));
            self.space = None;
        }
        Ok(self)
    }
}

/// A mesh of a scene in metres with y up.
pub(super) fn mesh_in(space: &Space, mesh: &Mesh) -> Mesh {
    if *space == Space::default() {
        return mesh.clone();
    }
    let positions = mesh.positions.iter().map(|p| space.point_in(*p)).collect();
    Mesh { positions, ..mesh.clone() }
}

/// A placement in the scene's space, as a matrix.
pub(super) fn shown(space: &Space, place: &Placement) -> Affine {
    if *space == Space::default() {
        return place.to_affine();
    }
    let axes = axes(space);
    affine(&(axes.transpose() * place.axes() * axes), &space.point_out(place.origin)).map(|x| x + 0.0)
}
