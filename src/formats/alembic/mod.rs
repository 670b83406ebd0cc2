//! Alembic: meshes, curves and transforms of all frames in one file, in the Ogawa container.
//!
//! Read and written: polygon meshes with points, UVs, normals, velocities and maps, curves, transforms. Ignored on
//! reading: subdivision cages, cameras, points, lights, materials, text, the old HDF5 container.
//!
//! Layers are written too: some properties of a mesh in another file, see [`super::over`].
//!
//! A file is a tree of objects; each has properties, and each of these has samples at the times of one of the
//! archive's [`TimeSampling`]s. A sample equal to the one before is not stored again; equal samples of any properties
//! are stored once. Faces have the opposite winding to ours, which [`Geometry`] and [`Writer`] reverse.
//!
//! Sources: files written by Alembic's own library 1.8.12 and Blender 5.0, and the layout that
//! <https://github.com/alembic/alembic> documents by its code (lib/Alembic/AbcCoreOgawa, lib/Alembic/AbcGeom).

mod archive;
mod contents;
mod geometry;
mod header;
mod moving;
mod murmur;
mod ogawa;
mod pod;
mod samples;
mod stream;
mod time;
mod transform;
mod writer;

pub use archive::{Archive, At, Object, Schema};
pub(super) use contents::describe;
pub use geometry::{Geometry, MapSample, Scope};
pub(super) use moving::mesh_file;
pub use moving::{MovingMesh, mesh_in_world, read_mesh};
pub use samples::{CurvesSample, Map, MeshSample};
pub use time::TimeSampling;
pub use transform::{Op, Transform};
pub use writer::{ORIGINAL, ObjectId, Writer};
