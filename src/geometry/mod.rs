//! Meshes and what can be asked of them.
//!
//! | question | answer |
//! |---|---|
//! | what did the author make? | [`Mesh`]: polygons, UVs at corners, groups |
//! | what is wrong with it? | [`MeshReport`] |
//! | which surface does it mean all the same? | [`Mended`] |
//! | who is beside whom? | [`HalfEdges`]: twins, one-rings, borders, pieces |
//! | where are the UVs cut? | [`Islands`] |
//! | as triangles? | [`TriMesh`], and [`measure`] for areas, normals, angles and cotangents |
//! | which way is along? | [`Frame`], [`vertex_frames`] |
//! | where do I get when I go straight ahead? | [`Surface::walk`] |
//! | what is closest? | [`ClosestPoint`] |
//! | which coordinates in the plane has a place? | [`atlas`]: charts and how they continue past their borders |
//! | as fewer triangles? | [`decimate()`] |
//! | what does a map of those mean on the fine mesh? | [`Carrier`], [`MapError`] |
//! | what is inside it, and how heavy is that? | [`Solid`], [`MassProperties`] |
//! | where does a plane cut it? | [`Section`] |
//! | a bone to begin with? | [`LongBone`] |
//! | what does a strand look like? | [`tube()`] |
//! | where is the limit surface? | `Subdivision`, with the feature `opensubdiv` |

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
mod section;
pub mod shapes;
mod smoothing;
mod solid;
#[cfg(feature = "opensubdiv")]
mod subdivision;
mod trace;
mod triangles;
mod tube;
mod uv;

pub use bone::{Girth, LongBone};
pub use carry::{Carrier, CarryScratch, MapError};
pub use closest::{Closest, ClosestPoint};
pub use decimate::{Decimated, Stopped, decimate};
pub use frames::{Frame, uv_gradient, vertex_frames};
pub use half_edges::{HalfEdges, IrregularEdge};
pub use inspect::{Finding, MeshReport, UvReport};
pub use mass::{MassProperties, Principal};
pub use mend::{Findings, Mended, NO_SKIN, Stitch};
pub(crate) use mend::{counted, with_commas};
pub use mesh::{CornerLayer, FaceLabels, Mesh, NO_VALUE};
pub use section::{OnSection, Section};
pub use smoothing::{Boundary, UvSmoothing};
pub use solid::Solid;
#[cfg(feature = "opensubdiv")]
pub use subdivision::{MAX_LEVEL, Subdivision, SubdivisionOptions};
pub use trace::{MAX_EDGES, Stop, Surface, SurfacePoint, Walk};
pub(crate) use trace::{advance, leave};
pub use triangles::{MAX_CORNERS, TriMesh};
pub use tube::{Course, tube, tubes};
pub use uv::{Islands, face_uv_area};
