//! What a file of a shot says: a mesh and curves in motion, with what lives on them. Every format that holds moving geometry
//! writes as much of it as it can.

use super::over::Over;
use super::provenance::Provenance;
use crate::geometry::Mesh;
use crate::math::{Affine, Real, Space, Vec2, Vec3};

/// What stays the same in all frames.
#[derive(Clone, Debug, Default)]
pub struct Info<'a> {
    /// The name of all; what a format does not allow in names becomes `_`.
    pub name: &'a str,
    /// The faces of the mesh, if there is one. UVs that agree wherever its own share an index are written with these
    /// indices.
    pub mesh: Option<&'a Mesh>,
    /// The unit of length and the up axis that the numbers are in.
    pub space: Space,
    /// What lives on the mesh besides.
    pub maps: &'a [Map<'a>],
    /// Groups of curves beside the mesh, such as tendons.
    pub curves: &'a [Curves<'a>],
    /// The mesh of another file, where only UVs and maps are written over that.
    pub over: Option<&'a Over>,
    /// What made the file.
    pub provenance: Provenance,
    /// How many of the written frames are one frame of the shot: with 4, the written ones 4 to 8 are 1, 1.25, 1.5, 1.75 and 2.
    /// Written are so many more a second. None is 1.
    pub samples: u32,
}

impl Info<'_> {
    /// The written frames that are one of the shot.
    pub fn samples(&self) -> Real {
        Real::from(self.samples.max(1))
    }
}

/// Numbers that live on a mesh or on curves.
#[derive(Clone, Debug)]
pub struct Map<'a> {
    /// Its name.
    pub name: &'a str,
    /// `constant`, `uniform` (per face or curve), `vertex` or, on a mesh, `faceVarying` (per corner).
    pub interpolation: &'a str,
    /// Numbers per value, 1 to 4.
    pub components: usize,
}

/// A group of linear curves.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    /// Its name.
    pub name: &'a str,
    /// What there is a width for, as a [`Map`] says it; empty when curves have none.
    pub widths: &'a str,
    /// What lives on the curves.
    pub maps: &'a [Map<'a>],
}

/// What a frame says of a group of curves. Their vertices may be others in each frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurvesData {
    /// The number of vertices of each curve.
    pub counts: Vec<u32>,
    /// The vertices, curve after curve.
    pub points: Vec<Vec3>,
    /// How fast they move, per second.
    pub velocities: Vec<Vec3>,
    /// The widths.
    pub widths: Vec<Real>,
    /// The numbers of each map.
    pub maps: Vec<Vec<Real>>,
}

/// What a frame says. What is empty or none is not written, and must be so in all frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameData {
    /// The mesh's points in its own space.
    pub points: Vec<Vec3>,
    /// How fast they move, per second.
    pub velocities: Vec<Vec3>,
    /// A UV per corner.
    pub uvs: Vec<Vec2>,
    /// A normal per vertex.
    pub normals: Vec<Vec3>,
    /// Where the mesh's own space is in the world.
    pub transform: Option<Affine>,
    /// The numbers of each map.
    pub maps: Vec<Vec<Real>>,
    /// Each group of curves.
    pub curves: Vec<CurvesData>,
}
