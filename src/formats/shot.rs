//! The contents of a shot file: a mesh and curves in motion, with their maps. Every format for moving geometry writes
//! as much of it as it can.

use super::over::Over;
use super::provenance::Provenance;
use sinew_base::error::Result;
use sinew_geometry::Mesh;
use sinew_math::{Affine, Real, Space, Vec2, Vec3};
use std::path::Path;

/// What stays the same in all frames.
#[derive(Clone, Debug, Default)]
pub struct Info<'a> {
    /// The name of the whole; characters that a format does not allow become `_`.
    pub name: &'a str,
    /// The faces of the mesh, if there is one. UVs that agree wherever its own share an index are written with these
    /// indices.
    pub mesh: Option<&'a Mesh>,
    /// The unit of length and the up axis of the numbers.
    pub space: Space,
    /// The maps on the mesh.
    pub maps: &'a [Map<'a>],
    /// Groups of curves in addition to the mesh, such as tendons.
    pub curves: &'a [Curves<'a>],
    /// The mesh of another file, if only UVs and maps are written, as a layer over it.
    pub over: Option<&'a Over>,
    /// What made the file.
    pub provenance: Provenance,
    /// How many of the written frames make up one frame of the shot: with 4, the written ones 4 to 8 are 1, 1.25, 1.5,
    /// 1.75 and 2, and the written rate is four times as high. None is 1.
    pub samples: u32,
}

impl Info<'_> {
    /// The written frames per frame of the shot.
    pub fn samples(&self) -> Real {
        Real::from(self.samples.max(1))
    }
}

/// A shot on its way into files.
#[derive(Clone, Copy, Debug)]
pub struct Take<'a> {
    /// The file, or the pattern of a file per frame.
    pub file: &'a Path,
    /// What stays the same in all frames.
    pub info: &'a Info<'a>,
    /// The frames.
    pub frames: &'a [i64],
    /// Frames per second.
    pub fps: Real,
}

/// Gives the frame of an index; may be called more than once for it.
pub type FrameSource<'a> = dyn FnMut(usize) -> Result<FrameData> + 'a;

/// Numbers on a mesh or on curves.
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
    /// The scope of the widths, as in [`Map`]; empty if curves have none.
    pub widths: &'a str,
    /// The maps on the curves.
    pub maps: &'a [Map<'a>],
}

/// A frame of a group of curves. The vertices may differ from frame to frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurvesData {
    /// The number of vertices of each curve.
    pub counts: Vec<u32>,
    /// The vertices, curve after curve.
    pub points: Vec<Vec3>,
    /// Their velocities, per second.
    pub velocities: Vec<Vec3>,
    /// The widths.
    pub widths: Vec<Real>,
    /// The numbers of each map.
    pub maps: Vec<Vec<Real>>,
}

/// A frame. What is empty or none is not written, and must be so in all frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameData {
    /// The mesh's points in its own space.
    pub points: Vec<Vec3>,
    /// Their velocities, per second.
    pub velocities: Vec<Vec3>,
    /// A UV per corner.
    pub uvs: Vec<Vec2>,
    /// A normal per vertex.
    pub normals: Vec<Vec3>,
    /// The transform from the mesh's own space to the world.
    pub transform: Option<Affine>,
    /// The numbers of each map.
    pub maps: Vec<Vec<Real>>,
    /// Each group of curves.
    pub curves: Vec<CurvesData>,
}
