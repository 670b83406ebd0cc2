//! Meshes and queries on them.
//!
//! | question | answer |
//! |---|---|
//! | what is the authored mesh? | [`Mesh`]: polygons, UVs at corners, groups |
//! | what is wrong with it? | [`MeshReport`] |
//! | which surface does it describe nevertheless? | [`Mended`] |
//! | can it have that size? | [`odd_size`] |
//! | what is adjacent to what? | [`HalfEdges`]: twins, one-rings, borders, pieces |
//! | where are the UVs cut? | [`Islands`] |
//! | what are its triangles? | [`TriMesh`], and [`measure`] for areas, normals, angles and cotangents |
//! | what is the tangent direction? | [`Frame`], [`vertex_frames`] |
//! | where does a straight walk end? | [`Surface::walk`] |
//! | where do authored normals point after it moved? | [`carried_normals()`] |
//! | what is closest? | [`ClosestPoint`] |
//! | where does a ray leave it, and what is inside? | [`Rays`] |
//! | what is inside if it has holes or faces inwards? | [`Winding`] |
//! | what are the planar coordinates of a point? | [`atlas`]: charts and how they extend past their borders |
//! | how to reduce the triangles? | [`decimate()`] |
//! | what does a map on the reduced mesh mean on the fine one? | [`Carrier`], [`MapError`] |
//! | what is inside it, and how heavy is that? | [`Solid`], [`MassProperties`] |
//! | where does a plane cut it? | [`Section`] |
//! | where to get a bone to start with? | [`LongBone`] |
//! | what does a strand look like? | [`tube()`] |
//! | where is the limit surface? | `Subdivision`, with the feature `opensubdiv` |
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod around;
pub mod atlas;
mod bone;
mod carry;
mod closest;
mod decimate;
mod frames;
mod half_edges;
mod inspect;
mod mass;
pub mod measure;
mod mend;
mod mesh;
mod normals;
mod rays;
mod section;
pub mod shapes;
mod size;
mod smoothing;
mod solid;
#[cfg(feature = "opensubdiv")]
mod subdivision;
mod trace;
mod tree;
mod triangles;
mod tube;
mod uv;
mod winding;

pub use around::Around;
pub use bone::{Girth, LongBone};
pub use carry::{Carrier, CarryScratch, MapError};
pub use closest::{Closest, ClosestPoint};
pub use decimate::{Decimated, Stopped, decimate};
pub use frames::{Frame, uv_gradient, vertex_frames};
pub use half_edges::{HalfEdges, IrregularEdge};
pub use inspect::{Finding, MeshReport, UvReport};
pub use mass::{MassProperties, Principal};
pub use mend::{Findings, Mended, NO_SKIN, Stitch};
pub use mend::{counted, with_commas};
pub use mesh::{CornerLayer, FaceLabels, Mesh, NO_VALUE};
pub use normals::carried_normals;
pub use rays::Rays;
pub use section::{OnSection, Section};
pub use size::odd_size;
pub use smoothing::{Boundary, UvSmoothing};
pub use solid::Solid;
#[cfg(feature = "opensubdiv")]
pub use subdivision::{MAX_LEVEL, Subdivision, SubdivisionOptions};
pub use trace::{MAX_EDGES, Stop, Surface, SurfacePoint, Walk};
pub use trace::{advance, leave};
pub use triangles::{MAX_CORNERS, TriMesh};
pub use tube::{Course, tube, tubes};
pub use uv::{Islands, face_uv_area, twice_area};
pub use winding::Winding;
