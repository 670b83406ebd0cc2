//! Meshes and curves of an archive.
//!
//! Alembic's faces have the opposite winding to ours: the corners of each are reversed on the way in and out, and so is
//! all per-corner data.

use super::archive::{Archive, At, Schema};
use super::header::{Property, Shape, meta_value};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{CornerLayer, Mesh, counted};
use sinew_math::{Real, Vec2, Vec3};
use std::io::{Read, Seek};

/// What a map has a value for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The whole object.
    Constant,
    /// Each face, or curve.
    Uniform,
    /// Each vertex.
    Vertex,
    /// Each corner of each face.
    Corner,
}

impl Scope {
    fn read(meta: &str) -> Option<Scope> {
        match meta_value(meta, "geoScope") {
            Some("con") => Some(Scope::Constant),
            Some("uni") => Some(Scope::Uniform),
            Some("vtx" | "var") => Some(Scope::Vertex),
            Some("fvr") => Some(Scope::Corner),
            _ => None,
        }
    }

    pub(super) fn code(self) -> &'static str {
        match self {
            Scope::Constant => "con",
            Scope::Uniform => "uni",
            Scope::Vertex => "vtx",
            Scope::Corner => "fvr",
        }
    }
}

/// One sample of a map: an index for each element, and some numbers for each index.
#[derive(Clone, Debug, PartialEq)]
pub struct MapSample {
    /// The kind of its elements.
    pub scope: Scope,
    /// Numbers per value.
    pub components: usize,
    /// The values, in order.
    pub values: Vec<Real>,
    /// The index of each element's value; corners are in the order of [`Mesh`].
    pub indices: Vec<u32>,
}

impl MapSample {
    /// The numbers of an element.
    pub fn value(&self, element: usize) -> &[Real] {
        let from = self.indices[element] as usize * self.components;
        &self.values[from..from + self.components]
    }
}

/// A map as described by the headers.
#[derive(Clone, Debug)]
struct Param {
    place: Property,
    scope: Option<Scope>,
    components: usize,
}

impl Param {
    fn new(place: Property) -> Option<Param> {
        let meta = &place.header.meta;
        let whole = |name: &str| meta_value(meta, name).map_or(Some(1), |text| text.parse::<usize>().ok());
        let extent = match place.header.shape {
            Shape::Compound => whole("podExtent")?,
            _ => place.header.extent.into(),
        };
        let components = extent.checked_mul(whole("arrayExtent")?).filter(|&n| n > 0)?;
        Some(Param { scope: Scope::read(meta), components, place })
    }
}

/// The number of elements for each scope.
#[derive(Clone, Copy)]
struct Counts {
    faces: usize,
    vertices: usize,
    corners: usize,
}

impl Counts {
    fn of(self, scope: Scope) -> usize {
        match scope {
            Scope::Constant => 1,
            Scope::Uniform => self.faces,
            Scope::Vertex => self.vertices,
            Scope::Corner => self.corners,
        }
    }

    /// Without a scope in the file, the one that fits the number of values.
    fn scope(self, param: &Param, elements: usize) -> Result<Scope> {
        let all = [Scope::Corner, Scope::Vertex, Scope::Uniform, Scope::Constant];
        let stated = param.scope.filter(|&s| self.of(s) == elements);
        let found =
            stated.or_else(|| all.into_iter().find(|&s| param.scope.is_none() && self.of(s) == elements));
        found.ok_or_else(|| {
            let message = format!(
                "{} for {}, {} and {}",
                counted(elements, "value", "values"),
                counted(self.vertices, "vertex", "vertices"),
                counted(self.faces, "face", "faces"),
                counted(self.corners, "corner", "corners")
            );
            Error::new(Kind::CountMismatch, message)
        })
    }
}

/// The location of a mesh or curves in an archive; samples are read on demand.
#[derive(Clone, Debug)]
pub struct Geometry {
    object: usize,
    positions: Property,
    counts: Property,
    indices: Option<Property>,
    velocities: Option<Property>,
    named: Vec<(String, Param)>,
    maps: Vec<(String, Param)>,
}

/// The vertex of each corner, and the first corner of each face.
struct Faces {
    offsets: Vec<u32>,
    vertices: Vec<u32>,
}

fn whole_numbers(numbers: Vec<Real>, what: &str) -> Result<Vec<u32>> {
    let bad = numbers.iter().position(|&x| !(0.0..Real::from(u32::MAX)).contains(&x) || x.fract() != 0.0);
    if let Some(at) = bad {
        let message = format!("{what} {at} is {}", numbers[at]);
        return Err(Error::new(Kind::OutOfRange, message));
    }
    Ok(numbers.into_iter().map(|x| x as u32).collect())
}

/// Reverses the corners of each face.
pub(super) fn turn<T>(offsets: &[u32], corners: &mut [T]) {
    for face in offsets.windows(2) {
        corners[face[0] as usize..face[1] as usize].reverse();
    }
}

impl<R: Read + Seek> Archive<R> {
    /// Finds the streams of a mesh.
    pub fn mesh(&mut self, object: usize) -> Result<Geometry> {
        self.object(object, Schema::Mesh)?;
        self.geometry(object, ".faceCounts", Some(".faceIndices")).map_err(|e| self.error(object, e))
    }

    /// Finds the streams of curves.
    pub fn curves(&mut self, object: usize) -> Result<Geometry> {
        self.object(object, Schema::Curves)?;
        self.geometry(object, "nVertices", None).map_err(|e| self.error(object, e))
    }

    fn geometry(&mut self, object: usize, counts: &str, indices: Option<&str>) -> Result<Geometry> {
        let properties = self.schema_properties(object, ".geom")?;
        let find = |name: &str| properties.iter().find(|p| p.header.name == name).cloned();
        let need =
            |name: &str| find(name).ok_or_else(|| Error::new(Kind::Parse, format!("{name} is missing")));
        let named = ["uv", "N", "width"].into_iter();
        let maps = match find(".arbGeomParams") {
            Some(all) if all.header.shape == Shape::Compound => self.properties(all.group)?,
            _ => Vec::new(),
        };
        let there = |p: &Property| p.header.shape == Shape::Compound || p.header.samples > 0;
        let param = |p: Property| Some((p.header.name.clone(), Param::new(p).filter(|p| there(&p.place))?));
        Ok(Geometry {
            object,
            positions: need("P")?,
            counts: need(counts)?,
            indices: indices.map(need).transpose()?,
            velocities: find(".velocities").filter(|p| p.header.samples > 0),
            named: named.filter_map(find).filter_map(param).collect(),
            maps: maps.into_iter().filter_map(param).collect(),
        })
    }
}

impl Geometry {
    /// Its object in the archive.
    pub fn object(&self) -> usize {
        self.object
    }

    /// Whether the faces are the same in every sample.
    pub fn same_faces(&self) -> bool {
        [Some(&self.counts), self.indices.as_ref()].into_iter().flatten().all(|p| p.header.last == 0)
    }

    /// The names of the maps.
    pub fn maps(&self) -> impl Iterator<Item = &str> {
        self.maps.iter().map(|(name, _)| name.as_str())
    }

    /// The times in seconds at which it changes: those of the points or of the transform above them that has the most
    /// samples. Static geometry has one.
    pub fn times<R: Read + Seek>(&self, archive: &mut Archive<R>) -> Result<Vec<Real>> {
        let mut streams = vec![self.positions.clone()];
        streams.extend(archive.moving(self.object)?);
        let count = |p: &Property| if p.header.last == 0 { 1 } else { p.header.samples };
        let most = streams.iter().rev().max_by_key(|p| count(p)).unwrap_or(&self.positions);
        let sampling = archive.sampling(most);
        Ok((0..count(most) as usize).map(|k| sampling.time(k)).collect())
    }

    /// The points of a sample, in the space of the object.
    pub fn points<R: Read + Seek>(&self, archive: &mut Archive<R>, at: At) -> Result<Vec<Vec3>> {
        let read = archive.vectors(&self.positions, at, "position");
        read.map_err(|e| archive.error(self.object, e))
    }

    /// The velocities of the points, if the file has any.
    pub fn velocities<R: Read + Seek>(&self, archive: &mut Archive<R>, at: At) -> Result<Option<Vec<Vec3>>> {
        let Some(property) = &self.velocities else { return Ok(None) };
        let read = archive.vectors(property, at, "velocity");
        read.map(Some).map_err(|e| archive.error(self.object, e))
    }

    /// The number of points of each curve.
    pub fn curve_counts<R: Read + Seek>(&self, archive: &mut Archive<R>, at: At) -> Result<Vec<u32>> {
        let read = archive.numbers(&self.counts, at).and_then(|n| whole_numbers(n, "count"));
        read.map_err(|e| archive.error(self.object, e))
    }

    fn faces<R: Read + Seek>(&self, archive: &mut Archive<R>, at: At) -> Result<Faces> {
        let counts = whole_numbers(archive.numbers(&self.counts, at)?, "face count")?;
        let mut vertices = match &self.indices {
            Some(indices) => whole_numbers(archive.numbers(indices, at)?, "face index")?,
            None => Vec::new(),
        };
        let mut offsets = vec![0u32];
        let mut end = 0u64;
        for count in counts {
            end += u64::from(count);
            if self.indices.is_some() && end > vertices.len() as u64 {
                let message = format!("there are {} corners, fewer than the faces need", vertices.len());
                return Err(Error::new(Kind::CountMismatch, message).face(offsets.len() - 1));
            }
            offsets
                .push(u32::try_from(end).map_err(|_| Error::new(Kind::TooLarge, "more than 2^32 corners"))?);
        }
        if self.indices.is_some() {
            turn(&offsets, &mut vertices);
        }
        Ok(Faces { offsets, vertices })
    }

    /// The mesh of a sample with its points, UVs and normals, in the space of the object.
    pub fn mesh<R: Read + Seek>(&self, archive: &mut Archive<R>, at: At) -> Result<Mesh> {
        self.read_mesh(archive, at).map_err(|e| archive.error(self.object, e))
    }

    fn read_mesh<R: Read + Seek>(&self, archive: &mut Archive<R>, at: At) -> Result<Mesh> {
        let mut mesh = Mesh { positions: self.points(archive, at)?, ..Mesh::default() };
        let faces = self.faces(archive, at)?;
        (mesh.face_offsets, mesh.corner_vertices) = (faces.offsets, faces.vertices);
        mesh.check_counts()?;
        mesh.uvs = self.layer(archive, "uv", &mesh, at)?.map(|(indices, values)| CornerLayer {
            values: values.as_chunks::<2>().0.iter().map(|&v| Vec2::from(v)).collect(),
            indices,
        });
        mesh.normals = self.layer(archive, "N", &mesh, at)?.map(|(indices, values)| CornerLayer {
            values: values.as_chunks::<3>().0.iter().map(|&v| Vec3::from(v)).collect(),
            indices,
        });
        mesh.check_counts()?;
        Ok(mesh)
    }

    /// The indices and numbers of UVs or normals, one index per corner.
    fn layer<R: Read + Seek>(
        &self,
        archive: &mut Archive<R>,
        name: &str,
        mesh: &Mesh,
        at: At,
    ) -> Result<Option<(Vec<u32>, Vec<Real>)>> {
        let Some((_, param)) = self.named.iter().find(|(n, _)| n == name) else { return Ok(None) };
        let components = if name == "uv" { 2 } else { 3 };
        if param.components != components {
            let message = format!("{} numbers per value, not {components}", param.components);
            return Err(Error::new(Kind::WrongType, message).port(name));
        }
        let map = sample(archive, param, &mesh_counts(mesh), Some(&mesh.face_offsets), at);
        let map = map.map_err(|e| e.port(name))?;
        if map.values.is_empty() && map.indices.is_empty() {
            return Ok(None);
        }
        let indices = match map.scope {
            Scope::Corner => map.indices,
            Scope::Vertex => mesh.corner_vertices.iter().map(|&v| map.indices[v as usize]).collect(),
            scope => {
                let message = format!("one value per {scope:?} where one per vertex or corner is expected");
                return Err(Error::new(Kind::Unsupported, message).port(name));
            }
        };
        Ok(Some((indices, map.values)))
    }

    /// A map of a sample: one of [`Geometry::maps`], or `uv`, `N` and, of curves, `width`.
    pub fn map<R: Read + Seek>(&self, archive: &mut Archive<R>, name: &str, at: At) -> Result<MapSample> {
        self.read_map(archive, name, at).map_err(|e| archive.error(self.object, e.port(name)))
    }

    fn read_map<R: Read + Seek>(&self, archive: &mut Archive<R>, name: &str, at: At) -> Result<MapSample> {
        let all = self.maps.iter().chain(&self.named);
        let found = all.clone().find(|(n, _)| n == name).map(|(_, param)| param);
        let param = found.ok_or_else(|| {
            let names: Vec<_> = all.map(|(n, _)| n.as_str()).collect();
            Error::new(Kind::NotFound, format!("there is no map {name:?}; there are {}", names.join(", ")))
        })?;
        let faces = self.faces(archive, at)?;
        let vertices = archive.numbers(&self.positions, at)?.len() / 3;
        let counts = Counts { faces: faces.offsets.len() - 1, vertices, corners: faces.vertices.len() };
        let offsets = self.indices.is_some().then_some(&faces.offsets[..]);
        sample(archive, param, &counts, offsets, at)
    }
}

/// A sample of a map; corners are turned by the faces of `offsets`.
fn sample<R: Read + Seek>(
    archive: &mut Archive<R>,
    param: &Param,
    counts: &Counts,
    offsets: Option<&[u32]>,
    at: At,
) -> Result<MapSample> {
    let (values, indices) = match param.place.header.shape {
        Shape::Compound => {
            let parts = archive.properties(param.place.group)?;
            let find = |name: &str| parts.iter().find(|p| p.header.name == name);
            let missing = || Error::new(Kind::Parse, ".vals or .indices is missing");
            let values = archive.numbers(find(".vals").ok_or_else(missing)?, at)?;
            let indices = archive.numbers(find(".indices").ok_or_else(missing)?, at)?;
            (values, Some(whole_numbers(indices, "index")?))
        }
        _ => (archive.numbers(&param.place, at)?, None),
    };
    let count = values.len() / param.components;
    if count * param.components != values.len() {
        let message =
            format!("{} numbers are not a multiple of the {} per value", values.len(), param.components);
        return Err(Error::new(Kind::CountMismatch, message));
    }
    let mut indices = indices.unwrap_or_else(|| (0..count as u32).collect());
    if let Some(element) = indices.iter().position(|&k| k as usize >= count) {
        let message = format!(
            "index {} of element {element} is out of range; there are {count} values",
            indices[element]
        );
        return Err(Error::new(Kind::OutOfRange, message));
    }
    if let Some(at) = values.iter().position(|x| !x.is_finite()) {
        let message = format!("value {} is {}", at / param.components, values[at]);
        return Err(Error::new(Kind::NotFinite, message));
    }
    let scope = counts.scope(param, indices.len())?;
    if let (Scope::Corner, Some(offsets)) = (scope, offsets) {
        turn(offsets, &mut indices);
    }
    Ok(MapSample { scope, components: param.components, values, indices })
}

fn mesh_counts(mesh: &Mesh) -> Counts {
    Counts { faces: mesh.face_count(), vertices: mesh.positions.len(), corners: mesh.corner_vertices.len() }
}
