//! The unit of length and the up axis of a scene, converted once: inside, everything is in metres with y up.

use super::StrandScene;
use super::mapping::{Axes, Mapping};
use super::names::at;
use super::values::AxisName;
use crate::error::Result;
use crate::geometry::Mesh;
use crate::math::{Affine, Mat3, Placement, Real, Space, Vec3, affine};

/// From the scene's space into metres with y up. The axes of bodies are converted like the world's, as a host does it, and so
/// are their shapes; those of joints stay what the scene says they are.
struct Inwards(Space);

fn axes(space: &Space) -> Mat3 {
    Mat3::from_columns(&[Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| space.direction_in(axis)))
}

impl Mapping for Inwards {
    fn world(&self) -> Mat3 {
        axes(&self.0)
    }

    fn inside(&self, of: Axes) -> Mat3 {
        if of == Axes::Body { axes(&self.0) } else { Mat3::identity() }
    }

    fn scale(&self) -> Real {
        self.0.metres_per_unit()
    }

    fn motion(&self, axis: AxisName) -> Real {
        if axis.index() < 3 { 1.0 } else { self.0.metres_per_unit() }
    }
}

impl StrandScene {
    /// Its unit of length and up axis.
    pub fn units(&self) -> Result<Space> {
        let Some(e) = &self.space else { return Ok(Space::default()) };
        Space::new(e.metres_per_unit, e.up).map_err(|error| at(error, "space", e.line))
    }

    /// The same in metres with y up.
    pub(super) fn in_metres(mut self) -> Result<Self> {
        let space = self.units()?;
        if space != Space::default() {
            self.map(&Inwards(space));
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
