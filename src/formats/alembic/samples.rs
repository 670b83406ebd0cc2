//! Writes the samples of transforms, meshes and curves.

use super::geometry::{Scope, turn};
use super::header::Shape;
use super::pod::Pod;
use super::stream::PropertyAt;
use super::transform::{Op, Transform};
use super::writer::{Content, MOVING, Node, ObjectId, STILL, Writer};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{CornerLayer, Mesh, NO_VALUE};
use sinew_math::{Affine, Real, Vec2, Vec3};
use std::io::{Seek, Write};

const XFORM: (&str, &str) = (".xform", "schema=AbcGeom_Xform_v3");
const MESH: (&str, &str) = (".geom", "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1");
const CURVES: (&str, &str) = (".geom", "schema=AbcGeom_Curve_v2;schemaBaseType=AbcGeom_GeomBase_v1");
/// The geometry of a layer, without a schema: the other file states it.
const LAYER: (&str, &str) = (".geom", "");
const MAPS: (&str, &str) = (".arbGeomParams", "");
/// The name of Maya's default UV set.
const UV_SET: &str = "map1";
/// Linear, open, without a basis.
const LINEAR: [u8; 4] = [1, 0, 0, 0];

/// One sample of a map to be written.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a> {
    /// Its name.
    pub name: &'a str,
    /// The kind of its elements.
    pub scope: Scope,
    /// Numbers per value.
    pub components: usize,
    /// The values, in order.
    pub values: &'a [Real],
    /// The index of each element's value; if none, there is one value per element. Corners are in the order of
    /// [`Mesh`].
    pub indices: Option<&'a [u32]>,
}

/// One sample of a mesh. The first determines what there is; what a later one leaves out keeps its value.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeshSample<'a> {
    /// One point per vertex.
    pub positions: &'a [Vec3],
    /// Texture coordinates per corner.
    pub uvs: Option<&'a CornerLayer<Vec2>>,
    /// Normals per corner.
    pub normals: Option<&'a CornerLayer<Vec3>>,
    /// Velocities per vertex, per second.
    pub velocities: Option<&'a [Vec3]>,
    /// Maps.
    pub maps: &'a [Map<'a>],
}

/// One sample of polylines. The number of points may change from sample to sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct CurvesSample<'a> {
    /// The number of points of each curve.
    pub counts: &'a [u32],
    /// The points of all curves, one curve after the other.
    pub positions: &'a [Vec3],
    /// Velocities of the points, per second.
    pub velocities: Option<&'a [Vec3]>,
    /// The width at each point.
    pub widths: Option<&'a [Real]>,
    /// Maps; a curve counts as a face.
    pub maps: &'a [Map<'a>],
}

fn array<'a>(
    above: &'a [(&'a str, &'a str)],
    name: &'a str,
    meta: &'a str,
    pod: Pod,
    extent: u8,
) -> PropertyAt<'a> {
    PropertyAt { above, name, meta, shape: Shape::Array, pod, extent, sampling: MOVING }
}

fn scalar<'a>(above: &'a [(&'a str, &'a str)], name: &'a str, pod: Pod, extent: u8) -> PropertyAt<'a> {
    PropertyAt { above, name, meta: "", shape: Shape::Scalar, pod, extent, sampling: MOVING }
}

/// The metadata of a map; the names are in the order in which hosts write them.
fn map_meta(scope: Scope, components: usize, interpretation: &str, source: &str) -> String {
    let (array, pod) = if components <= 3 { (1, components) } else { (components, 1) };
    let interpretation = match interpretation {
        "" => String::new(),
        name => format!("interpretation={name};"),
    };
    let source = if source.is_empty() { String::new() } else { format!(";sourceName={source}") };
    format!(
        "arrayExtent={array};geoScope={};{interpretation}isGeomParam=true;podExtent={pod};podName=float32_t{source}",
        scope.code()
    )
}

/// Numbers in single precision; one that does not fit is refused.
fn singles<'a>(what: &str, values: impl Iterator<Item = &'a [Real]>) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(values.size_hint().0 * 12);
    for (vertex, value) in values.enumerate() {
        for &number in value {
            let single = number as f32;
            if !single.is_finite() {
                let message = format!("{number} in a {what} cannot be stored in single precision");
                return Err(Error::new(Kind::NotFinite, message).vertex(vertex));
            }
            bytes.extend(single.to_le_bytes());
        }
    }
    Ok(bytes)
}

fn whole(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

fn expect(what: &str, there: usize, wanted: usize) -> Result<()> {
    if there == wanted {
        return Ok(());
    }
    Err(Error::new(Kind::CountMismatch, format!("{there} {what}, {wanted} are expected")))
}

/// The bounding box of points as stored: the low corner and the high one.
fn bounds(positions: &[Vec3]) -> Vec<u8> {
    let (mut low, mut high) = ([Real::MAX; 3], [Real::MIN; 3]);
    for point in positions {
        for k in 0..3 {
            let stored = Real::from(point[k] as f32);
            (low[k], high[k]) = (low[k].min(stored), high[k].max(stored));
        }
    }
    low.into_iter().chain(high).flat_map(Real::to_le_bytes).collect()
}

impl<W: Write + Seek> Writer<W> {
    /// Adds a transform, below another or at the top.
    pub fn add_transform(&mut self, parent: Option<ObjectId>, name: &str) -> Result<ObjectId> {
        let content =
            Content::Transform { first: Vec::new(), changed: Vec::new(), codes: Vec::new(), moves: false };
        self.add(parent, name, content)
    }

    /// Adds a mesh with the faces of this one, below a transform or at the top.
    pub fn add_mesh(&mut self, parent: Option<ObjectId>, name: &str, mesh: &Mesh) -> Result<ObjectId> {
        mesh.check_counts().map_err(|e| e.element(name).file(self.path()))?;
        let content = Content::Mesh {
            offsets: mesh.face_offsets.clone(),
            vertices: mesh.positions.len(),
            maps: Vec::new(),
            layer: false,
        };
        let id = self.add(parent, name, content)?;
        let mut corners = mesh.corner_vertices.clone();
        turn(&mesh.face_offsets, &mut corners);
        self.put(id.0, &array(&[MESH], ".faceIndices", "", Pod::I32, 1), &whole(&corners))?;
        let counts: Vec<u32> = mesh.face_offsets.windows(2).map(|w| w[1] - w[0]).collect();
        self.put(id.0, &array(&[MESH], ".faceCounts", "", Pod::I32, 1), &whole(&counts))?;
        Ok(id)
    }

    /// Adds a layer over a mesh of another file, which the names lead to from the top: its UVs, normals and maps, to be
    /// read together with that file.
    pub fn add_layer(&mut self, names: &[&str], mesh: &Mesh) -> Result<ObjectId> {
        mesh.check_counts().map_err(|e| e.file(self.path()))?;
        let Some((name, outer)) = names.split_last() else {
            return Err(Error::new(Kind::InvalidArgument, "the mesh has no name").file(self.path()));
        };
        let mut parent = None;
        for name in outer {
            parent = Some(self.add(parent, name, Content::Outer)?);
        }
        let (offsets, vertices) = (mesh.face_offsets.clone(), mesh.positions.len());
        self.add(parent, name, Content::Mesh { offsets, vertices, maps: Vec::new(), layer: true })
    }

    /// Adds curves, below a transform or at the top.
    pub fn add_curves(&mut self, parent: Option<ObjectId>, name: &str) -> Result<ObjectId> {
        self.add(parent, name, Content::Curves { maps: Vec::new() })
    }

    fn content(&self, object: ObjectId) -> Result<&Content> {
        let node = self.nodes.get(object.0);
        let node = node.ok_or_else(|| Error::new(Kind::NotFound, "there is no such object"))?;
        self.check_time(object.0)?;
        Ok(&node.content)
    }

    /// Writes the next sample of a transform; the kinds of steps must be the same in all samples.
    pub fn write_transform(&mut self, object: ObjectId, transform: &Transform) -> Result<()> {
        let put = self.put_transform(object, transform);
        self.settle(object, put)
    }

    fn put_transform(&mut self, object: ObjectId, transform: &Transform) -> Result<()> {
        self.content(object)?;
        let numbers: Vec<Real> = transform.ops.iter().flat_map(Op::numbers).collect();
        if let Some(bad) = numbers.iter().find(|x| !x.is_finite()) {
            return Err(Error::new(Kind::NotFinite, format!("{bad} in a transform")));
        }
        let (Ok(steps), Ok(extent)) = (u8::try_from(transform.ops.len()), u8::try_from(numbers.len())) else {
            return Err(Error::new(Kind::TooLarge, "a transform of more than 255 numbers"));
        };
        let now: Vec<u8> = transform.ops.iter().map(Op::code).collect();
        let fresh = self.nodes[object.0].samples == 0;
        let Content::Transform { first, changed, codes, moves } = &mut self.nodes[object.0].content else {
            return Err(Error::new(Kind::WrongType, "it is not a transform"));
        };
        if fresh {
            (*first, *changed, *codes) = (numbers.clone(), vec![false; numbers.len()], now);
        } else if *codes != now {
            return Err(Error::new(Kind::InvalidArgument, "its steps differ from the first sample's"));
        }
        let differs = numbers.iter().zip(first.iter()).map(|(a, b)| a.to_bits() != b.to_bits());
        changed.iter_mut().zip(differs).for_each(|(changed, differs)| *changed |= differs);
        *moves |= transform.matrix() != Affine::identity();
        let codes = codes.clone();
        let inherits = [u8::from(transform.inherits)];
        self.put(object.0, &scalar(&[XFORM], ".inherits", Pod::Bool, 1), &inherits)?;
        if steps > 0 {
            let ops = PropertyAt { sampling: STILL, ..scalar(&[XFORM], ".ops", Pod::U8, steps) };
            self.put(object.0, &ops, &codes)?;
            let bytes: Vec<u8> = numbers.into_iter().flat_map(Real::to_le_bytes).collect();
            self.put(object.0, &scalar(&[XFORM], ".vals", Pod::F64, extent), &bytes)?;
        }
        self.end_sample(object.0);
        Ok(())
    }

    /// Writes a sample for every transform, and records which numbers move: hosts animate only those.
    pub(super) fn end_transforms(&mut self) -> Result<()> {
        for k in 0..self.nodes.len() {
            let Content::Transform { .. } = &self.nodes[k].content else { continue };
            if self.nodes[k].samples == 0 {
                self.write_transform(ObjectId(k), &Transform { ops: Vec::new(), inherits: true })?;
            }
            let Content::Transform { changed, moves, .. } = &self.nodes[k].content else { continue };
            let moved = changed.iter().enumerate().filter(|(_, moved)| **moved).map(|(at, _)| at as u32);
            let (moved, moves): (Vec<u32>, _) = (moved.collect(), *moves);
            if moves {
                let turned =
                    PropertyAt { sampling: STILL, ..scalar(&[XFORM], "isNotConstantIdentity", Pod::Bool, 1) };
                self.put(k, &turned, &[1])?;
            }
            if !moved.is_empty() {
                self.put(k, &array(&[XFORM], ".animChans", "", Pod::U32, 1), &whole(&moved))?;
            }
        }
        Ok(())
    }

    /// Writes the next sample of a mesh.
    pub fn write_mesh(&mut self, object: ObjectId, sample: &MeshSample) -> Result<()> {
        let put = self.put_mesh(object, sample);
        self.settle(object, put)
    }

    fn put_mesh(&mut self, object: ObjectId, sample: &MeshSample) -> Result<()> {
        let Content::Mesh { offsets, vertices, layer, .. } = self.content(object)? else {
            return Err(Error::new(Kind::WrongType, "it is not a mesh"));
        };
        let (offsets, vertices, layer) = (offsets.clone(), *vertices, *layer);
        let corners = offsets.last().copied().unwrap_or(0) as usize;
        let above = if layer { LAYER } else { MESH };
        if !layer {
            expect("points", sample.positions.len(), vertices)?;
            self.put_points(object.0, MESH, sample.positions)?;
        }
        if let Some(velocities) = sample.velocities {
            expect("velocities", velocities.len(), vertices)?;
            self.put_velocities(object.0, above, velocities)?;
        }
        if let Some(uvs) = sample.uvs {
            expect("UV indices", uvs.indices.len(), corners)?;
            self.put_uvs(object.0, above, uvs, &offsets)?;
        }
        if let Some(normals) = sample.normals {
            expect("normal indices", normals.indices.len(), corners)?;
            self.put_normals(object.0, above, normals, &offsets)?;
        }
        let counts = |scope| match scope {
            Scope::Constant => 1,
            Scope::Uniform => offsets.len().saturating_sub(1),
            Scope::Vertex => vertices,
            Scope::Corner => corners,
        };
        for map in sample.maps {
            self.put_map(object.0, above, map, counts(map.scope), &offsets).map_err(|e| e.port(map.name))?;
        }
        self.end_sample(object.0);
        Ok(())
    }

    /// The first sample determines what there is.
    fn fresh(&self, object: usize, name: &str) -> Result<()> {
        let node = &self.nodes[object];
        if node.samples > 0 && !node.properties.has(name) {
            let message = "the first sample did not have it";
            return Err(Error::new(Kind::InvalidArgument, message).port(name));
        }
        Ok(())
    }

    /// A map keeps its type in all samples.
    fn same_map(&mut self, object: usize, map: &Map) -> Result<()> {
        let Node { samples, content, .. } = &mut self.nodes[object];
        let (Content::Mesh { maps, .. } | Content::Curves { maps }) = content else { return Ok(()) };
        let kind = (map.name.to_string(), map.scope, map.components, map.indices.is_some());
        let wrong = |message: &str| Err(Error::new(Kind::InvalidArgument, message));
        match maps.iter().find(|(name, ..)| name == map.name) {
            Some(_) if *samples == 0 => wrong("two maps of this name"),
            Some(first) if *first != kind => wrong("the map was of another kind in the first sample"),
            None if *samples > 0 => wrong("the first sample did not have this map"),
            Some(_) => Ok(()),
            None => {
                maps.push(kind);
                Ok(())
            }
        }
    }

    fn put_points(&mut self, object: usize, above: (&str, &str), points: &[Vec3]) -> Result<()> {
        let bytes = singles("position", points.iter().map(|p| p.as_slice()))?;
        let boxed = PropertyAt { meta: "interpretation=box", ..scalar(&[], ".selfBnds", Pod::F64, 6) };
        self.put(object, &PropertyAt { above: &[above], ..boxed }, &bounds(points))?;
        self.put(object, &array(&[above], "P", "geoScope=vtx;interpretation=point", Pod::F32, 3), &bytes)
    }

    fn put_velocities(&mut self, object: usize, above: (&str, &str), velocities: &[Vec3]) -> Result<()> {
        self.fresh(object, ".velocities")?;
        let bytes = singles("velocity", velocities.iter().map(|v| v.as_slice()))?;
        self.put(object, &array(&[above], ".velocities", "interpretation=vector", Pod::F32, 3), &bytes)
    }

    fn put_uvs(
        &mut self,
        object: usize,
        above: (&str, &str),
        uvs: &CornerLayer<Vec2>,
        offsets: &[u32],
    ) -> Result<()> {
        self.fresh(object, "uv")?;
        let mut bytes = singles("UV", uvs.values.iter().map(|v| v.as_slice()))?;
        let mut indices = uvs.indices.clone();
        if indices.contains(&NO_VALUE) {
            // Missing corners become the origin.
            let origin = uvs.values.len() as u32;
            indices.iter_mut().filter(|k| **k == NO_VALUE).for_each(|k| *k = origin);
            bytes.extend([0; 8]);
        }
        check_indices(&indices, bytes.len() / 8)?;
        turn(offsets, &mut indices);
        let meta = map_meta(Scope::Corner, 2, "vector", UV_SET);
        let above = [above, ("uv", meta.as_str())];
        self.put(object, &array(&above, ".vals", &meta, Pod::F32, 2), &bytes)?;
        self.put(object, &array(&above, ".indices", "", Pod::U32, 1), &whole(&indices))
    }

    /// Normals are stored per corner without indices, as hosts write and expect them.
    fn put_normals(
        &mut self,
        object: usize,
        above: (&str, &str),
        normals: &CornerLayer<Vec3>,
        offsets: &[u32],
    ) -> Result<()> {
        self.fresh(object, "N")?;
        let mut indices = normals.indices.clone();
        turn(offsets, &mut indices);
        let zero = Vec3::zeros();
        let value = |&k: &u32| if k == NO_VALUE { Some(&zero) } else { normals.values.get(k as usize) };
        let values: Option<Vec<&Vec3>> = indices.iter().map(value).collect();
        let values = values.ok_or_else(|| Error::new(Kind::OutOfRange, "a normal index out of range"))?;
        let bytes = singles("normal", values.iter().map(|v| v.as_slice()))?;
        let meta = map_meta(Scope::Corner, 3, "normal", "");
        self.put(object, &array(&[above], "N", &meta, Pod::F32, 3), &bytes)
    }

    fn put_map(
        &mut self,
        object: usize,
        above: (&str, &str),
        map: &Map,
        elements: usize,
        offsets: &[u32],
    ) -> Result<()> {
        self.same_map(object, map)?;
        if map.name.is_empty() || map.components == 0 || map.components > 255 {
            return Err(Error::new(
                Kind::InvalidArgument,
                "a map needs a name and 1 to 255 numbers per value",
            ));
        }
        let count = map.values.len() / map.components;
        expect("numbers", map.values.len(), count * map.components)?;
        expect("elements", map.indices.map_or(count, <[u32]>::len), elements)?;
        let mut order: Vec<u32> = map.indices.map_or_else(|| (0..count as u32).collect(), <[u32]>::to_vec);
        check_indices(&order, count)?;
        if map.scope == Scope::Corner {
            turn(offsets, &mut order);
        }
        let interpretation = if matches!(map.components, 2 | 3) { "vector" } else { "" };
        let meta = map_meta(map.scope, map.components, interpretation, "");
        let extent = if map.components <= 3 { map.components as u8 } else { 1 };
        let value = |k: usize| &map.values[k * map.components..(k + 1) * map.components];
        if map.indices.is_some() {
            let above = [above, MAPS, (map.name, meta.as_str())];
            let bytes = singles("map", (0..count).map(value))?;
            self.put(object, &array(&above, ".vals", &meta, Pod::F32, extent), &bytes)?;
            return self.put(object, &array(&above, ".indices", "", Pod::U32, 1), &whole(&order));
        }
        let bytes = singles("map", order.iter().map(|&k| value(k as usize)))?;
        self.put(object, &array(&[above, MAPS], map.name, &meta, Pod::F32, extent), &bytes)
    }

    /// Writes the next sample of curves.
    pub fn write_curves(&mut self, object: ObjectId, sample: &CurvesSample) -> Result<()> {
        let put = self.put_curves(object, sample);
        self.settle(object, put)
    }

    fn put_curves(&mut self, object: ObjectId, sample: &CurvesSample) -> Result<()> {
        let Content::Curves { .. } = self.content(object)? else {
            return Err(Error::new(Kind::WrongType, "it holds no curves"));
        };
        let points = sample.counts.iter().map(|&n| n as usize).sum();
        expect("points", sample.positions.len(), points)?;
        self.put(object.0, &array(&[CURVES], "nVertices", "", Pod::I32, 1), &whole(sample.counts))?;
        self.put(object.0, &scalar(&[CURVES], "curveBasisAndType", Pod::U8, 4), &LINEAR)?;
        self.put_points(object.0, CURVES, sample.positions)?;
        if let Some(velocities) = sample.velocities {
            expect("velocities", velocities.len(), points)?;
            self.put_velocities(object.0, CURVES, velocities)?;
        }
        if let Some(widths) = sample.widths {
            expect("widths", widths.len(), points)?;
            self.fresh(object.0, "width")?;
            let bytes = singles("width", widths.chunks(1))?;
            let meta = map_meta(Scope::Vertex, 1, "", "");
            self.put(object.0, &array(&[CURVES], "width", &meta, Pod::F32, 1), &bytes)?;
        }
        for map in sample.maps {
            let count = match map.scope {
                Scope::Constant => 1,
                Scope::Uniform => sample.counts.len(),
                Scope::Vertex => points,
                Scope::Corner => {
                    let error = Error::new(Kind::InvalidArgument, "curves have no corners");
                    return Err(error.port(map.name));
                }
            };
            self.put_map(object.0, CURVES, map, count, &[]).map_err(|e| e.port(map.name))?;
        }
        self.end_sample(object.0);
        Ok(())
    }
}

fn check_indices(indices: &[u32], count: usize) -> Result<()> {
    match indices.iter().position(|&k| k as usize >= count) {
        Some(at) => Err(Error::new(
            Kind::OutOfRange,
            format!("the index {} is too large: there are {count}, counted from 0", indices[at]),
        )),
        None => Ok(()),
    }
}
