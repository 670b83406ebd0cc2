//! One mesh of an archive, moving in world space.

use super::archive::{Archive, At, Schema};
use super::geometry::Geometry;
use crate::inside::split;
use crate::mesh::MeshFile;
use crate::rate::Said;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Affine, Real, Vec3, linear, transform_point};
use std::path::Path;

/// One mesh of an archive, in world space.
#[derive(Debug)]
pub struct MovingMesh {
    archive: Archive,
    geometry: Geometry,
    times: Vec<Real>,
}

impl MovingMesh {
    /// Opens the mesh that the path names, or the only one of the file.
    pub fn open(path: &Path) -> Result<Self> {
        let (file, object) = split(path).unwrap_or_else(|| (path.to_path_buf(), None));
        let mut archive = Archive::open(&file)?;
        let object = choose(&archive, object.as_deref()).map_err(|e| e.file(&file))?;
        let geometry = archive.mesh(object)?;
        let times = geometry.times(&mut archive)?;
        Ok(MovingMesh { archive, geometry, times })
    }

    /// The times in seconds at which it changes; one if it does not.
    pub fn times(&self) -> &[Real] {
        &self.times
    }

    /// What the file says about its rate.
    pub fn said(&self) -> Said {
        self.archive.said(&self.times)
    }

    /// The file.
    pub fn file(&self) -> &Path {
        self.archive.path()
    }

    /// The name of the mesh in the file.
    pub fn name(&self) -> String {
        self.archive.path_of(self.geometry.object())
    }

    /// The mesh with its UVs and normals.
    pub fn mesh(&mut self, at: At) -> Result<Mesh> {
        mesh_in_world(&mut self.archive, &self.geometry, at)
    }

    /// The points of a sample, in world space.
    pub fn points(&mut self, at: At) -> Result<Vec<Vec3>> {
        let mut points = self.geometry.points(&mut self.archive, at)?;
        let world = self.world(at)?;
        move_points(&world, &mut points);
        if let Some(vertex) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            let message = format!("the position is {:?}", points[vertex].as_slice());
            return Err(self.error(Error::new(Kind::NotFinite, message).vertex(vertex)));
        }
        Ok(points)
    }

    /// Its faces if they differ from sample to sample.
    pub fn changed_faces(&mut self, at: At) -> Result<Option<Mesh>> {
        if self.geometry.same_faces() {
            Ok(None)
        } else {
            self.geometry.mesh(&mut self.archive, at).map(Some)
        }
    }

    fn world(&mut self, at: At) -> Result<Affine> {
        self.archive.world(self.geometry.object(), at)
    }

    fn error(&self, error: Error) -> Error {
        self.archive.error(self.geometry.object(), error)
    }
}

/// A mesh of an archive with its UVs and normals, in world space.
pub fn mesh_in_world(archive: &mut Archive, geometry: &Geometry, at: At) -> Result<Mesh> {
    let mut mesh = geometry.mesh(archive, at)?;
    let world = archive.world(geometry.object(), at)?;
    move_points(&world, &mut mesh.positions);
    if let Some(turn) = linear(&world).try_inverse().map(|m| m.transpose())
        && let Some(normals) = &mut mesh.normals
    {
        normals.values.iter_mut().for_each(|n| *n = (turn * *n).try_normalize(0.0).unwrap_or(*n));
    }
    mesh.check_counts().map_err(|e| archive.error(geometry.object(), e))?;
    Ok(mesh)
}

fn move_points(world: &Affine, points: &mut [Vec3]) {
    if *world != Affine::identity() {
        points.iter_mut().for_each(|p| *p = transform_point(world, p));
    }
}

fn choose(archive: &Archive, wanted: Option<&str>) -> Result<usize> {
    if let Some(name) = wanted {
        let found = archive.find(name);
        return found.ok_or_else(|| Error::new(Kind::NotFound, format!("there is no object {name:?}")));
    }
    let meshes = archive.objects().iter().enumerate().filter(|(_, o)| o.schema == Schema::Mesh);
    let meshes: Vec<usize> = meshes.map(|(k, _)| k).collect();
    match meshes[..] {
        [one] => Ok(one),
        [] => Err(Error::new(Kind::NotFound, "there is no polygon mesh")),
        _ => {
            let names: Vec<_> = meshes.iter().take(8).map(|&k| archive.path_of(k)).collect();
            let message = format!(
                "{} meshes: {}; name one after the file, as in shot.abc{}",
                meshes.len(),
                names.join(", "),
                names[0]
            );
            Err(Error::new(Kind::InvalidArgument, message))
        }
    }
}

/// The mesh that a path such as `shot.abc` or `shot.abc/root/body` names, in world space.
pub fn read_mesh(path: &Path, at: At) -> Result<Mesh> {
    MovingMesh::open(path)?.mesh(at)
}

/// The same, at the first sample; the file has no unit.
pub(crate) fn mesh_file(path: &Path) -> Result<MeshFile> {
    Ok(MeshFile { mesh: read_mesh(path, At::Sample(0))?, space: Ok(None), over: None })
}
