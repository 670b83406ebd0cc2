//! The contents of a shot file: a mesh and curves in motion, with their maps. Every format for moving geometry writes
//! as much of it as it can.

use super::over::Over;
use super::provenance::Provenance;
use sinew_base::error::Result;
use sinew_geometry::{FaceLabels, Mesh, NO_VALUE};
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
    /// Whether each object of the mesh is written as a mesh of its own, see [`Part::all`].
    pub apart: bool,
    /// The unit of length and the up axis of the numbers.
    pub space: Space,
    /// The maps on the mesh.
    pub maps: &'a [Map<'a>],
    /// Groups of curves in addition to the mesh, such as tendons.
    pub curves: &'a [Curves<'a>],
    /// The mesh of another file, if a layer over it is written. In Alembic it holds UVs and maps; in USD also points,
    /// if frames have any.
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
    /// The mesh's points in its own space; those of a layer in the space of the whole shot.
    pub points: Vec<Vec3>,
    /// Their velocities, per second.
    pub velocities: Vec<Vec3>,
    /// A UV per corner.
    pub uvs: Vec<Vec2>,
    /// A normal per vertex; a layer has those of the mesh below, carried along.
    pub normals: Vec<Vec3>,
    /// The transform from the mesh's own space to the world.
    pub transform: Option<Affine>,
    /// The numbers of each map.
    pub maps: Vec<Vec<Real>>,
    /// Each group of curves.
    pub curves: Vec<CurvesData>,
}

/// An object of a mesh, as a mesh of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The name of the object, as all formats allow it.
    pub name: String,
    /// Its faces and the vertices that they need.
    pub mesh: Mesh,
    vertices: Vec<u32>,
    faces: Vec<u32>,
    corners: Vec<u32>,
}

impl Part {
    /// The objects of a mesh in their order; faces of none come last, under the name of the whole.
    pub fn all(mesh: &Mesh, whole: &str) -> Vec<Part> {
        let FaceLabels { names, of_face } = &mesh.objects;
        let label = |face: u32| of_face.get(face as usize).filter(|label| **label != NO_VALUE);
        let mut faces = vec![Vec::new(); names.len() + 1];
        for face in 0..mesh.face_count() as u32 {
            faces[label(face).map_or(names.len(), |label| *label as usize)].push(face);
        }
        let names = names.iter().map(String::as_str).chain([whole]);
        let (names, faces): (Vec<&str>, Vec<_>) =
            names.zip(faces).filter(|(_, faces)| !faces.is_empty()).unzip();
        let names = super::names::identifiers(names.into_iter());
        names.into_iter().zip(faces).map(|(name, faces)| Part::new(mesh, name, faces)).collect()
    }

    fn new(mesh: &Mesh, name: String, faces: Vec<u32>) -> Part {
        let corners: Vec<u32> =
            faces.iter().flat_map(|&face| mesh.corners(face as usize)).map(|corner| corner as u32).collect();
        let whole = |corner: &u32| mesh.corner_vertices[*corner as usize];
        let mut vertices: Vec<u32> = corners.iter().map(whole).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let own = |vertex: u32| vertices.partition_point(|v| *v < vertex) as u32;
        let ends = faces.iter().scan(0, |end, &face| {
            *end += mesh.face(face as usize).len() as u32;
            Some(*end)
        });
        let part = Mesh {
            positions: picked(&vertices, &mesh.positions, 1),
            face_offsets: std::iter::once(0).chain(ends).collect(),
            corner_vertices: corners.iter().map(|corner| own(whole(corner))).collect(),
            ..Mesh::default()
        };
        Part { name, mesh: part, vertices, faces, corners }
    }

    /// What a frame of the whole has of it.
    pub fn of(&self, data: &FrameData, maps: &[Map]) -> FrameData {
        let map = |(map, values): (&Map, &Vec<Real>)| match map.interpolation {
            "vertex" => picked(&self.vertices, values, map.components),
            "uniform" => picked(&self.faces, values, map.components),
            "faceVarying" => picked(&self.corners, values, map.components),
            _ => values.clone(),
        };
        FrameData {
            points: picked(&self.vertices, &data.points, 1),
            velocities: picked(&self.vertices, &data.velocities, 1),
            uvs: picked(&self.corners, &data.uvs, 1),
            normals: picked(&self.vertices, &data.normals, 1),
            transform: data.transform,
            maps: maps.iter().zip(&data.maps).map(map).collect(),
            curves: Vec::new(),
        }
    }
}

/// The items with these numbers, of so many values each; missing ones are dropped, which counts show.
fn picked<T: Clone>(items: &[u32], values: &[T], width: usize) -> Vec<T> {
    let of = |&item: &u32| values.get(item as usize * width..(item as usize + 1) * width);
    items.iter().filter_map(of).flatten().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;

    #[test]
    fn parts_have_what_belongs_to_their_faces() {
        // Three squares in a row; the outer two are one object, the middle one has no name.
        let mut mesh = shapes::grid(3.0, 1.0, 3, 1);
        mesh.objects =
            FaceLabels { names: vec!["unused".into(), "a b".into()], of_face: vec![1, NO_VALUE, 1] };
        let parts = Part::all(&mesh, "whole");
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["a_b", "whole"]);
        let maps = [
            Map { name: "v", interpolation: "vertex", components: 2 },
            Map { name: "f", interpolation: "uniform", components: 1 },
            Map { name: "c", interpolation: "faceVarying", components: 1 },
            Map { name: "one", interpolation: "constant", components: 1 },
        ];
        let data = FrameData {
            points: mesh.positions.clone(),
            maps: vec![
                (0..16).map(Real::from).collect(),
                vec![0.0, 1.0, 2.0],
                (0..12).map(Real::from).collect(),
                vec![5.0],
            ],
            ..FrameData::default()
        };
        for (part, faces) in parts.iter().zip([vec![0, 2], vec![1]]) {
            let own = part.of(&data, &maps);
            part.mesh.check_counts().unwrap();
            assert_eq!(own.points, part.mesh.positions);
            assert_eq!(own.maps[1], faces.iter().map(|face| *face as Real).collect::<Vec<_>>());
            let mut corner = 0;
            for (own_face, &face) in faces.iter().enumerate() {
                for (&ours, &theirs) in part.mesh.face(own_face).iter().zip(mesh.face(face)) {
                    assert_eq!(own.points[ours as usize], mesh.positions[theirs as usize]);
                    assert_eq!(own.maps[0][2 * ours as usize], 2.0 * Real::from(theirs));
                    corner += 1;
                }
                assert_eq!(own.maps[2][corner - 4..corner], data.maps[2][4 * face..4 * face + 4]);
            }
            assert_eq!(own.maps[3], [5.0]);
        }
        assert_eq!([parts[0].mesh.positions.len(), parts[1].mesh.positions.len()], [8, 4]);
    }
}
