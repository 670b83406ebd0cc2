//! Meshes of a file at a time.

use super::arcs::TimeMap;
use super::compose::{Composer, Files};
use super::layer::Layer;
use super::prim::{Of, Prim, Property, Samples, Slot, Value};
use crate::inside::split;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{CornerLayer, Mesh};
use sinew_math::elementary::{acos, sin};
use sinew_math::{Real, Vec2, Vec3, linear, transform_point};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// An open file, with all files that belong to it.
#[derive(Debug)]
pub struct Stage {
    files: Files,
    pub(super) prims: BTreeMap<String, Prim>,
    path: PathBuf,
}

/// A primvar's values.
#[derive(Clone, Debug, PartialEq)]
pub struct Primvar {
    /// `constant`, `uniform` (a value per face), `varying` and `vertex` (per vertex) or `faceVarying` (per corner).
    pub interpolation: String,
    /// Numbers per value.
    pub components: usize,
    /// The distinct values.
    pub values: Vec<Real>,
    /// Which value each place has; in order when there are none.
    pub indices: Option<Vec<u32>>,
}

impl Primvar {
    /// The number of distinct values.
    pub fn count(&self) -> usize {
        self.values.len() / self.components.max(1)
    }

    fn layer<T>(&self, mesh: &Mesh, make: impl Fn(&[Real]) -> T) -> Result<CornerLayer<T>> {
        let corners = mesh.corner_vertices.len();
        let places: Vec<u32> = match self.interpolation.as_str() {
            "constant" => vec![0; corners],
            "uniform" => {
                (0..mesh.face_count()).flat_map(|f| mesh.corners(f).map(move |_| f as u32)).collect()
            }
            "faceVarying" => (0..corners as u32).collect(),
            _ => mesh.corner_vertices.clone(),
        };
        let value = |&place: &u32| match &self.indices {
            None => Some(place),
            Some(indices) => indices.get(place as usize).copied(),
        };
        let count = self.count();
        let indices: Option<Vec<u32>> = places.iter().map(value).collect();
        let indices = indices.filter(|i| i.iter().all(|&k| (k as usize) < count));
        let indices = indices.ok_or_else(|| {
            let places = self.indices.as_ref().map_or(count, Vec::len);
            let message = format!("{places} values do not match the interpolation {}", self.interpolation);
            Error::new(Kind::CountMismatch, message)
        })?;
        Ok(CornerLayer { values: self.values.chunks_exact(self.components).map(make).collect(), indices })
    }
}

/// Numbers in a value of a type; 1 if unknown.
fn components(type_name: &str) -> usize {
    let name = type_name.trim_end_matches("[]");
    // Other types whose names end so are pairs, triples and quadruples, such as texCoord2d and color4d.
    let is_matrix = name.starts_with("matrix") || name.starts_with("frame");
    match name.trim_start_matches(|c: char| c.is_ascii_alphabetic()) {
        "2d" if is_matrix => 4,
        "3d" if is_matrix => 9,
        "4d" if is_matrix => 16,
        digits if digits.starts_with('2') => 2,
        digits if digits.starts_with('3') => 3,
        digits if digits.starts_with('4') => 4,
        _ if name.starts_with("quat") => 4,
        _ => 1,
    }
}

/// Whether USD interpolates values of a type: floating-point scalars and compounds.
fn interpolates(type_name: &str) -> bool {
    const FLOATS: [&str; 11] = [
        "half", "float", "double", "point", "normal", "vector", "color", "texCoord", "quat", "matrix",
        "frame",
    ];
    FLOATS.iter().any(|name| type_name.starts_with(name))
}

/// Whether a type has single precision.
fn single(type_name: &str) -> bool {
    let name = type_name.trim_end_matches("[]");
    name.starts_with("float") || name.strip_suffix('f').is_some_and(|n| n.ends_with(['2', '3', '4', 't']))
}

fn lerp(a: &[Real], b: &[Real], part: Real) -> Vec<Real> {
    a.iter().zip(b).map(|(a, b)| a + (b - a) * part).collect()
}

/// Quaternions are interpolated spherically, the shorter way; nearly equal ones linearly.
fn slerp(a: &[Real], b: &[Real], part: Real) -> Vec<Real> {
    let between = |(a, b): (&[Real], &[Real])| {
        let cosine: Real = a.iter().zip(b).map(|(a, b)| a * b).sum();
        let angle = acos(cosine.abs().min(1.0));
        let (mut from, mut to) = (1.0 - part, part);
        if angle > 1e-4 {
            (from, to) = (sin(from * angle) / sin(angle), sin(to * angle) / sin(angle));
        }
        let to = to * cosine.signum();
        a.iter().zip(b).map(|(a, b)| a * from + b * to).collect::<Vec<Real>>()
    };
    a.chunks(4).zip(b.chunks(4)).flat_map(between).collect()
}

/// The orientation of faces whose winding is reversed.
pub(super) const LEFT_HANDED: [&str; 1] = ["leftHanded"];

/// The conventional name of UVs; Blender and older files use the others.
pub(super) const UV_NAMES: [&str; 5] = ["st", "UVMap", "st0", "uv", "map1"];

/// The names of normals; the first has precedence.
pub(super) const NORMAL_NAMES: [&str; 2] = ["primvars:normals", "normals"];

impl Stage {
    /// Opens a file, whose first bytes show its form, and those that it refers to.
    pub fn open(path: &Path) -> Result<Self> {
        Files::open(path).and_then(|files| Stage::of(files, path)).map_err(|e| e.file(path))
    }

    /// Reads the bytes of a file that refers to no other.
    pub fn parse(bytes: Vec<u8>) -> Result<Self> {
        Stage::of(Files::of(bytes)?, Path::new(""))
    }

    fn of(mut files: Files, path: &Path) -> Result<Self> {
        let prims = Composer::new(&mut files).all()?;
        Ok(Stage { files, prims, path: path.to_path_buf() })
    }

    /// What could not be followed, such as references to missing files; prims at and below them may be incomplete.
    pub fn problems(&self) -> Vec<String> {
        let of_prims = self.prims.values().flat_map(|p| &p.problems).map(|p| &**p);
        // Without a prim they are the reason why there is none.
        let all: BTreeSet<&str> = of_prims.chain(self.files.problems()).collect();
        all.into_iter().map(String::from).collect()
    }

    /// The file itself, which says what holds for all.
    pub(super) fn root(&self) -> &Layer {
        &self.files.layers[0]
    }

    /// Bytes of all files.
    pub(super) fn size(&self) -> usize {
        self.files.size()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The meshes' paths.
    pub fn meshes(&self) -> Vec<&str> {
        self.prims_of("Mesh")
    }

    pub(super) fn prims_of(&self, type_name: &str) -> Vec<&str> {
        let prims = self.prims.iter().filter(|(_, prim)| prim.type_name == type_name && prim.in_scene);
        prims.map(|(path, _)| path.as_str()).collect()
    }

    /// Opens a file and finds the mesh that a path such as `shot.usdc/root/body` names, or the only one.
    pub fn open_mesh(path: &Path) -> Result<(Self, String)> {
        Stage::open_prim(path, "Mesh")
    }

    /// Opens a file and finds the skeleton that a path such as `shot.usdc/root/bones` names, or the only one.
    pub fn open_skeleton(path: &Path) -> Result<(Self, String)> {
        Stage::open_prim(path, "Skeleton")
    }

    fn open_prim(path: &Path, type_name: &str) -> Result<(Self, String)> {
        let (file, wanted) = split(path).unwrap_or_else(|| (path.to_path_buf(), None));
        let stage = Stage::open(&file)?;
        let found = stage.choose(type_name, wanted.as_deref())?.to_string();
        Ok((stage, found))
    }

    /// The requested prim of a type, or the only one; otherwise the error lists what there is.
    fn choose(&self, type_name: &str, wanted: Option<&str>) -> Result<&str> {
        let (paths, title) = (self.prims_of(type_name), type_name.to_lowercase());
        let found = match (wanted, &paths[..]) {
            (None, [path]) => return Ok(path),
            (_, []) => return Err(self.absent(&format!("the file has no {title}"))),
            (Some(wanted), _) => paths.iter().find(|path| **path == wanted),
            (None, _) => None,
        };
        if let Some(path) = found {
            return Ok(path);
        }
        let first: Vec<&str> = paths.iter().copied().take(20).collect();
        let more = if paths.len() > first.len() { ", ..." } else { "" };
        let list =
            format!("{}{more}; name one after the file, as in shot.usdc{}", first.join(", "), paths[0]);
        let error = match wanted {
            Some(wanted) => Error::new(Kind::NotFound, format!("there is no {title} {wanted}, but {list}")),
            None => Error::new(Kind::InvalidArgument, format!("{} of {title}: {list}", paths.len())),
        };
        Err(error.file(&self.path))
    }

    /// Something is missing; perhaps because something could not be followed.
    fn absent(&self, message: &str) -> Error {
        let problems = self.problems();
        let more = problems.first().map_or(String::new(), |first| match problems.len() {
            1 => format!("; {first}"),
            count => format!("; {first}, and {} more", count - 1),
        });
        Error::new(Kind::NotFound, format!("{message}{more}")).file(&self.path)
    }

    pub(super) fn prim(&self, path: &str) -> Result<&Prim> {
        let prim = self.prims.get(path).ok_or_else(|| self.absent(&format!("there is no {path}")))?;
        match prim.problems.first() {
            None => Ok(prim),
            // What is there may be a part of what there should be.
            Some(problem) => Err(Error::new(Kind::MissingInput, problem.to_string()).file(&self.path)),
        }
    }

    fn slot(&self, slot: &Of<Slot>) -> Result<Value> {
        self.files.layers[slot.layer].value(&slot.it)
    }

    /// A value in the precision of its property, as a text may have more digits.
    fn value(&self, property: &Property, slot: &Of<Slot>) -> Result<Value> {
        let mut value = self.slot(slot)?;
        if let (Slot::Text(_), true, Value::Numbers(numbers)) =
            (&slot.it, single(&property.type_name), &mut value)
        {
            numbers.iter_mut().for_each(|n| *n = Real::from(*n as f32));
        }
        Ok(value)
    }

    /// The samples of a property, as the stage counts times.
    fn samples(&self, (samples, time): &(Of<Samples>, TimeMap)) -> Result<Vec<(Real, Of<Slot>)>> {
        let layer = samples.layer;
        let list = self.files.layers[layer].samples(&samples.it)?;
        Ok(list.into_iter().map(|(t, it)| (time.apply(t), Of { layer, it })).collect())
    }

    /// A property's value at a time: none if it has none.
    pub(super) fn at(&self, property: &Property, time: Real) -> Result<Option<Value>> {
        let known = |value: Value| (value != Value::Blocked).then_some(value);
        if property.spline {
            return Err(Error::new(Kind::Unsupported, "it is animated by a spline: bake it to samples"));
        }
        let Some(samples) = &property.samples else {
            let default = property.default.as_ref();
            return Ok(default.map(|slot| self.value(property, slot)).transpose()?.and_then(known));
        };
        let samples = self.samples(samples)?;
        let after = samples.partition_point(|(t, _)| *t <= time);
        let Some((start, slot)) = samples.get(after.saturating_sub(1)) else { return Ok(None) };
        let value = self.value(property, slot)?;
        let next =
            samples.get(after).filter(|_| after > 0 && *start < time && interpolates(&property.type_name));
        if let (Value::Numbers(a), Some((end, slot))) = (&value, next)
            && let Value::Numbers(b) = self.value(property, slot)?
            && a.len() == b.len()
        {
            let part = (time - start) / (end - start);
            let turns = property.type_name.starts_with("quat");
            return Ok(Some(Value::Numbers(if turns { slerp(a, &b, part) } else { lerp(a, &b, part) })));
        }
        Ok(known(value))
    }

    /// The numbers of a property at a time.
    pub(super) fn numbers(&self, prim: &Prim, name: &str, time: Real) -> Result<Option<Vec<Real>>> {
        let Some(property) = prim.properties.get(name) else { return Ok(None) };
        let named = |e: Error| e.element(name);
        match self.at(property, time).map_err(named)? {
            None => Ok(None),
            Some(Value::Numbers(numbers)) => match numbers.iter().find(|n| !n.is_finite()) {
                None => Ok(Some(numbers)),
                Some(n) => Err(named(Error::new(Kind::NotFinite, format!("a value is {n}")))),
            },
            Some(_) => Err(named(Error::new(Kind::WrongType, "numbers are expected"))),
        }
    }

    /// The texts of a property at a time.
    pub(super) fn texts(&self, prim: &Prim, name: &str, time: Real) -> Result<Option<Vec<String>>> {
        let Some(property) = prim.properties.get(name) else { return Ok(None) };
        match self.at(property, time).map_err(|e| e.element(name))? {
            None => Ok(None),
            Some(Value::Texts(texts)) => Ok(Some(texts)),
            Some(Value::Numbers(numbers)) if numbers.is_empty() => Ok(Some(Vec::new())),
            Some(_) => Err(Error::new(Kind::WrongType, "texts are expected").element(name)),
        }
    }

    pub(super) fn text(&self, slot: Option<&Of<Slot>>) -> Option<String> {
        match self.slot(slot?) {
            Ok(Value::Texts(mut texts)) if texts.len() == 1 => texts.pop(),
            _ => None,
        }
    }

    pub(super) fn indices(&self, prim: &Prim, name: &str, time: Real) -> Result<Option<Vec<u32>>> {
        let Some(numbers) = self.numbers(prim, name, time)? else { return Ok(None) };
        let index = |n: &Real| {
            let whole = *n as u32;
            let error = || Error::new(Kind::OutOfRange, format!("{n} is not an index")).element(name);
            (Real::from(whole) == *n).then_some(whole).ok_or_else(error)
        };
        numbers.iter().map(index).collect::<Result<_>>().map(Some)
    }

    /// The times of samples of a mesh or its ancestors, in order; empty if it never changes.
    pub fn sample_times(&self, path: &str) -> Result<Vec<Real>> {
        let mut times = Vec::new();
        let mut add = |samples: &(Of<Samples>, TimeMap)| -> Result<()> {
            times.extend(self.samples(samples).map_err(|e| e.file(&self.path))?.iter().map(|s| s.0));
            Ok(())
        };
        for property in self.prim(path)?.properties.values() {
            property.samples.iter().try_for_each(&mut add)?;
        }
        for (_, prim) in self.ancestors(path) {
            let ops = prim.properties.iter().filter(|(name, _)| name.starts_with("xformOp"));
            ops.filter_map(|(_, property)| property.samples.as_ref()).try_for_each(&mut add)?;
        }
        times.sort_by(Real::total_cmp);
        times.dedup();
        Ok(times)
    }

    /// Whether a mesh's faces have several samples, so that they may change.
    pub fn faces_may_change(&self, path: &str) -> Result<bool> {
        Ok(self.varies(path, "faceVertexCounts")? || self.varies(path, "faceVertexIndices")?)
    }

    /// Whether a property of a prim has several samples.
    pub(super) fn varies(&self, path: &str, name: &str) -> Result<bool> {
        let samples = self.prim(path)?.properties.get(name).and_then(|p| p.samples.as_ref());
        let count = samples.map_or(Ok(0), |s| self.samples(s).map(|list| list.len()));
        Ok(count.map_err(|e| e.element(name).prim(path).file(&self.path))? > 1)
    }

    /// A prim and its ancestors, innermost first.
    pub(super) fn ancestors<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a str, &'a Prim)> {
        let outer = |path: &&'a str| path.rsplit_once('/').map(|(outer, _)| outer).filter(|o| !o.is_empty());
        let paths = std::iter::successors(Some(path), outer);
        paths.filter_map(|path| Some((path, self.prims.get(path)?)))
    }

    /// A mesh with its UVs and normals at a time, in the file's units; in its own space or, if `world` is set, in world
    /// space.
    pub fn mesh_at(&self, path: &str, time: Real, world: bool) -> Result<Mesh> {
        self.read_mesh(path, time, world).map_err(|e| e.prim(path).file(&self.path))
    }

    fn read_mesh(&self, path: &str, time: Real, world: bool) -> Result<Mesh> {
        let prim = self.prim(path)?;
        let needed = |name: &str| Error::new(Kind::MissingInput, format!("the mesh has no {name}"));
        let counts =
            self.indices(prim, "faceVertexCounts", time)?.ok_or_else(|| needed("faceVertexCounts"))?;
        let corners =
            self.indices(prim, "faceVertexIndices", time)?.ok_or_else(|| needed("faceVertexIndices"))?;
        let mut mesh = Mesh { positions: self.points(prim, time)?, ..Mesh::default() };
        mesh.corner_vertices = corners;
        let mut end = 0u32;
        mesh.face_offsets = vec![0];
        for count in counts {
            let more =
                end.checked_add(count).ok_or_else(|| Error::new(Kind::TooLarge, "too many corners"))?;
            (end, _) = (more, mesh.face_offsets.push(more));
        }
        // Corner lookups rely on this.
        mesh.check_counts()?;
        if let Some(name) = self.uv_primvar(prim) {
            let uvs =
                self.read_primvar(prim, &name, time)?.map(|p| p.layer(&mesh, |v| Vec2::new(v[0], v[1])));
            mesh.uvs = uvs.transpose().map_err(|e| e.element(&name))?;
        }
        for name in NORMAL_NAMES {
            if mesh.normals.is_none() {
                let normals = self.read_primvar(prim, name, time)?.filter(|p| p.components == 3);
                let layer = normals.map(|p| p.layer(&mesh, Vec3::from_column_slice));
                mesh.normals = layer.transpose().map_err(|e| e.element(name))?;
            }
        }
        if self.texts(prim, "orientation", time)?.is_some_and(|t| t == LEFT_HANDED) {
            turn_round(&mut mesh);
        }
        if world {
            let place = self.world(path, time)?;
            mesh.positions.iter_mut().for_each(|p| *p = transform_point(&place, p));
            if let (Some(normals), Some(inverse)) = (&mut mesh.normals, linear(&place).try_inverse()) {
                let turn = inverse.transpose();
                normals.values.iter_mut().for_each(|n| *n = (turn * *n).try_normalize(0.0).unwrap_or(*n));
            }
        }
        mesh.check_counts()?;
        Ok(mesh)
    }

    pub(super) fn points(&self, prim: &Prim, time: Real) -> Result<Vec<Vec3>> {
        let points = self.vectors(prim, "points", time)?;
        points.ok_or_else(|| Error::new(Kind::MissingInput, "the mesh has no points"))
    }

    /// Vectors of a property at a time. USD takes arrays of any triples for points, and nothing else.
    fn vectors(&self, prim: &Prim, name: &str, time: Real) -> Result<Option<Vec<Vec3>>> {
        let Some(property) = prim.properties.get(name) else { return Ok(None) };
        let type_name = &property.type_name;
        if !(type_name.ends_with("[]") && components(type_name) == 3 && interpolates(type_name)) {
            let message =
                format!("{name} is of type {type_name}, which holds no points: point3f[] is expected");
            return Err(Error::new(Kind::WrongType, message));
        }
        let numbers = self.numbers(prim, name, time)?;
        Ok(numbers.map(|numbers| numbers.chunks_exact(3).map(Vec3::from_column_slice).collect()))
    }

    /// The points alone of a mesh at a time, in world space.
    pub fn points_at(&self, path: &str, time: Real) -> Result<Vec<Vec3>> {
        let read = || {
            let place = self.world(path, time)?;
            let points = self.points(self.prim(path)?, time)?;
            let points: Vec<Vec3> = points.iter().map(|p| transform_point(&place, p)).collect();
            match points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
                None => Ok(points),
                Some(vertex) => Err(Error::new(Kind::NotFinite, "the point is not finite").vertex(vertex)),
            }
        };
        read().map_err(|e: Error| e.prim(path).file(&self.path))
    }

    /// The velocities of a mesh's points, in its own space and per second; none if the file has none.
    pub fn velocities_at(&self, path: &str, time: Real) -> Result<Option<Vec<Vec3>>> {
        let found = self.prim(path).and_then(|prim| self.vectors(prim, "velocities", time));
        found.map_err(|e| e.prim(path).file(&self.path))
    }

    /// The names of a mesh's primvars, without `primvars:`.
    pub fn primvars(&self, path: &str) -> Result<Vec<&str>> {
        let names = self.prim(path)?.properties.keys().filter_map(|name| name.strip_prefix("primvars:"));
        Ok(names.filter(|name| !name.ends_with(":indices")).collect())
    }

    /// A mesh's primvar, by its name without `primvars:`.
    pub fn primvar_at(&self, path: &str, name: &str, time: Real) -> Result<Option<Primvar>> {
        let prim = self.prim(path)?;
        let read = self.read_primvar(prim, &format!("primvars:{name}"), time);
        read.map_err(|e| e.prim(path).file(&self.path))
    }

    pub(super) fn read_primvar(&self, prim: &Prim, name: &str, time: Real) -> Result<Option<Primvar>> {
        let Some(property) = prim.properties.get(name) else { return Ok(None) };
        let Some(values) = self.numbers(prim, name, time)? else { return Ok(None) };
        let indices = self.indices(prim, &format!("{name}:indices"), time)?;
        let element = property.element_size.as_ref().and_then(|slot| match self.slot(slot) {
            Ok(Value::Numbers(n)) => n.first().map(|n| n.clamp(1.0, 1024.0) as usize),
            _ => None,
        });
        let components = components(&property.type_name) * element.unwrap_or(1);
        let interpolation = self.text(property.interpolation.as_ref());
        // By default normals without `primvars:` are per vertex, and primvars are constant.
        let usual = if name.starts_with("primvars:") { "constant" } else { "vertex" };
        let interpolation = interpolation.unwrap_or_else(|| usual.to_string());
        Ok(Some(Primvar { interpolation, components, values, indices }))
    }

    /// The UVs' full name: one of the usual ones, or any of the UV type.
    pub(super) fn uv_primvar(&self, prim: &Prim) -> Option<String> {
        let two = |name: &String| {
            let type_of = prim.properties.get(name).map(|p| p.type_name.as_str());
            matches!(
                type_of,
                Some("texCoord2f[]" | "texCoord2d[]" | "texCoord2h[]" | "float2[]" | "double2[]")
            )
        };
        let usual = UV_NAMES.iter().map(|name| format!("primvars:{name}")).find(two);
        let typed = |name: &&String| prim.properties[*name].type_name.starts_with("texCoord2") && two(name);
        usual.or_else(|| prim.properties.keys().filter(|n| n.starts_with("primvars:")).find(typed).cloned())
    }
}

/// The same faces with reversed winding; each keeps its first corner.
fn turn_round(mesh: &mut Mesh) {
    for face in 0..mesh.face_count() {
        let corners = mesh.corners(face);
        let later = corners.start + 1..corners.end;
        mesh.corner_vertices[later.clone()].reverse();
        mesh.uvs.iter_mut().for_each(|layer| layer.indices[later.clone()].reverse());
        mesh.normals.iter_mut().for_each(|layer| layer.indices[later.clone()].reverse());
    }
}
