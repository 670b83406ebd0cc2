//! An archive being read: its objects, and the samples of their properties on demand.

use super::header::{MetaTable, ObjectHeader, Property, PropertyHeader, Shape, meta_value};
use super::ogawa::{Child, Container, KEY};
use super::pod::Pod;
use super::time::TimeSampling;
use crate::file::{self, Input};
use crate::rate::Said;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

/// No scene is nested deeper.
const DEEPEST: usize = 1000;
/// A larger sample count is corrupt: twelve hours of film.
const MOST_SAMPLES: u32 = 1 << 20;

/// Which sample of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// The one with this index; the last if there are fewer, as in streams that do not move.
    Sample(usize),
    /// The one nearest to a time in seconds.
    Nearest(Real),
    /// Between the two around a time in seconds, for what can be interpolated: points, velocities and transforms.
    Between(Real),
}

/// The type of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// A transform of what is below it.
    Transform,
    /// A polygon mesh.
    Mesh,
    /// Curves.
    Curves,
    /// Something else: cameras, points, subdivision cages.
    Other,
}

/// An object of an archive.
#[derive(Debug)]
pub struct Object {
    /// Its name, unique among its siblings.
    pub name: String,
    /// Its parent.
    pub parent: Option<usize>,
    /// Its type.
    pub schema: Schema,
    depth: usize,
    properties: Child,
}

/// An archive that is read object by object and sample by sample.
#[derive(Debug)]
pub struct Archive<R = Input> {
    source: Container<R>,
    path: PathBuf,
    meta: String,
    samplings: Vec<TimeSampling>,
    table: MetaTable,
    objects: Vec<Object>,
}

impl Archive {
    /// Opens a file and lists its objects.
    pub fn open(path: &Path) -> Result<Self> {
        let file = file::open(path)?;
        Self::new(file, path)
    }
}

impl<R: Read + Seek> Archive<R> {
    /// Lists the objects; `path` is for the errors.
    pub fn new(input: R, path: &Path) -> Result<Self> {
        Self::read(input, path).map_err(|e| e.file(path))
    }

    fn read(input: R, path: &Path) -> Result<Self> {
        let mut source = Container::new(input)?;
        let root = source.group(source.root())?;
        let [version, _library, top, meta, times, table] = root[..] else {
            let message = format!("the root has {} parts, not the six of an Alembic file", root.len());
            return Err(Error::new(Kind::Parse, message));
        };
        let version = source.data(version)?;
        if version != [0; 4] {
            return Err(Error::new(Kind::WrongVersion, format!("version {version:?} of Alembic is unknown")));
        }
        let meta = String::from_utf8_lossy(&source.data(meta)?).into_owned();
        let samplings = TimeSampling::decode_all(&source.data(times)?)?;
        let table = MetaTable::decode(&source.data(table)?)?;
        let path = path.to_path_buf();
        let mut archive = Archive { source, path, meta, samplings, table, objects: Vec::new() };
        archive.walk(top)?;
        Ok(archive)
    }

    /// Lists the objects, parents first. A valid file holds the headers and groups of every object separately, so
    /// together they are no longer than the file; groups that contain each other would be endless.
    fn walk(&mut self, top: Child) -> Result<()> {
        let mut budget = self.source.length();
        let mut left: Vec<(Child, Option<usize>)> = vec![(top, None)];
        while let Some((group, parent)) = left.pop() {
            let children = self.source.group(group)?;
            let data = match children.last() {
                Some(&last) if last.is_data() => self.source.data(last)?,
                _ => Vec::new(),
            };
            budget = budget.checked_sub(8 * children.len() as u64 + data.len() as u64).ok_or_else(|| {
                Error::new(Kind::Parse, "objects that contain each other, or that share their headers")
            })?;
            if let (Some(object), Some(&properties)) = (parent, children.first())
                && !properties.is_data()
            {
                let object: &mut Object = &mut self.objects[object];
                object.properties = properties;
            }
            let headers = ObjectHeader::decode_all(&data, &self.table)?;
            if headers.len() + 2 > children.len() && !headers.is_empty() {
                let message =
                    format!("{} objects, but the group has {} children", headers.len(), children.len());
                return Err(Error::new(Kind::Parse, message));
            }
            let from = self.objects.len();
            headers.into_iter().try_for_each(|header| self.add(header, parent))?;
            left.extend((from..self.objects.len()).rev().map(|k| (children[1 + k - from], Some(k))));
        }
        Ok(())
    }

    fn add(&mut self, header: ObjectHeader, parent: Option<usize>) -> Result<()> {
        let depth = parent.map_or(0, |p| self.objects[p].depth + 1);
        if depth > DEEPEST {
            return Err(Error::new(Kind::TooLarge, format!("objects nested deeper than {DEEPEST}")));
        }
        let schema = match meta_value(&header.meta, "schema") {
            Some("AbcGeom_Xform_v3") => Schema::Transform,
            Some("AbcGeom_PolyMesh_v1") => Schema::Mesh,
            Some("AbcGeom_Curve_v2") => Schema::Curves,
            _ => Schema::Other,
        };
        let properties = Child::EMPTY_GROUP;
        self.objects.push(Object { name: header.name, parent, schema, depth, properties });
        Ok(())
    }

    /// The objects, parents before their children.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The archive's metadata, such as `_ai_Application`.
    pub fn meta(&self, name: &str) -> Option<&str> {
        meta_value(&self.meta, name)
    }

    /// What the file says about its rate; `seconds` are the times of its samples.
    pub fn said(&self, seconds: &[Real]) -> Said {
        let word = |name: &str| self.meta(name).and_then(|text| text.trim().parse().ok());
        Said::new(["FramesPerTimeUnit", "_ai_DCC_FPS"].map(word), seconds)
    }

    /// The full path of an object, such as `/root/body`.
    pub fn path_of(&self, object: usize) -> String {
        let mut names = Vec::new();
        let mut next = Some(object);
        while let Some(object) = next.and_then(|k| self.objects.get(k)) {
            names.push(object.name.as_str());
            next = object.parent;
        }
        names.iter().rev().flat_map(|name| ["/", name]).collect()
    }

    /// The object with that full path.
    pub fn find(&self, path: &str) -> Option<usize> {
        let depth = path.matches('/').count();
        let there = |&k: &usize| self.objects[k].depth + 1 == depth && self.path_of(k) == path;
        (0..self.objects.len()).find(there)
    }

    /// An error about an object of this file.
    pub(super) fn error(&self, object: usize, error: Error) -> Error {
        error.element(&self.path_of(object)).file(&self.path)
    }

    pub(super) fn object(&self, object: usize, schema: Schema) -> Result<&Object> {
        match self.objects.get(object) {
            Some(found) if found.schema == schema => Ok(found),
            Some(found) => {
                let message = format!("it is {:?}, not {schema:?}", found.schema);
                Err(self.error(object, Error::new(Kind::WrongType, message)))
            }
            None => Err(Error::new(
                Kind::NotFound,
                format!("there is no object {object}; there are {}", self.objects.len()),
            )),
        }
    }

    /// The properties inside the compound of that name of an object.
    pub(super) fn schema_properties(&mut self, object: usize, name: &str) -> Result<Vec<Property>> {
        let all = self.properties(self.objects[object].properties)?;
        let found = all.into_iter().find(|p| p.header.name == name && p.header.shape == Shape::Compound);
        let found = found.ok_or_else(|| Error::new(Kind::Parse, format!("{name} is missing")))?;
        self.properties(found.group)
    }

    pub(super) fn properties(&mut self, group: Child) -> Result<Vec<Property>> {
        let children = self.source.group(group)?;
        let Some((&last, groups)) = children.split_last() else { return Ok(Vec::new()) };
        let headers = PropertyHeader::decode_all(&self.source.data(last)?, &self.table)?;
        if headers.len() > groups.len() {
            let message =
                format!("{} properties, but the group has {} children", headers.len(), groups.len());
            return Err(Error::new(Kind::Parse, message));
        }
        let whole = headers.into_iter().zip(groups).map(|(header, &group)| Property { header, group });
        let all: Vec<Property> = whole.collect();
        for property in &all {
            self.check(&property.header).map_err(|e| e.port(&property.header.name))?;
        }
        Ok(all)
    }

    fn check(&self, header: &PropertyHeader) -> Result<()> {
        if header.sampling as usize >= self.samplings.len() {
            let message =
                format!("there is no time sampling {}; there are {}", header.sampling, self.samplings.len());
            return Err(Error::new(Kind::Parse, message));
        }
        if header.last > 0 && header.samples > MOST_SAMPLES {
            let message = format!("{} samples, more than {MOST_SAMPLES}", header.samples);
            return Err(Error::new(Kind::TooLarge, message));
        }
        Ok(())
    }

    pub(super) fn sampling(&self, property: &Property) -> &TimeSampling {
        &self.samplings[property.header.sampling as usize]
    }

    /// The two samples to interpolate, and the weight of the second.
    pub(super) fn around(&self, property: &Property, at: At) -> (u32, u32, Real) {
        let count = property.header.samples.max(1);
        match at {
            At::Sample(k) => {
                let k = k.min(count as usize - 1) as u32;
                (k, k, 0.0)
            }
            At::Nearest(time) => {
                let k = self.sampling(property).nearest(time, count as usize) as u32;
                (k, k, 0.0)
            }
            At::Between(time) => {
                let (a, b, part) = self.sampling(property).around(time, count as usize);
                (a as u32, b as u32, part)
            }
        }
    }

    /// The numbers of a sample; for [`At::Between`] those of the nearest one.
    pub(super) fn numbers(&mut self, property: &Property, at: At) -> Result<Vec<Real>> {
        let (a, b, part) = self.around(property, at);
        self.sample(property, if part > 0.5 { b } else { a })
    }

    /// The numbers of a sample, interpolated.
    pub(super) fn mixed(&mut self, property: &Property, at: At) -> Result<Vec<Real>> {
        let (a, b, part) = self.around(property, at);
        let first = self.sample(property, a)?;
        if part == 0.0 {
            return Ok(first);
        }
        Ok(mix(first, self.sample(property, b)?, part, |x, y| x + (y - x) * part))
    }

    /// The triples of a sample, interpolated, all finite; `what` names them in errors.
    pub(super) fn vectors(&mut self, property: &Property, at: At, what: &str) -> Result<Vec<Vec3>> {
        let (a, b, part) = self.around(property, at);
        let first = self.triples(property, a, what)?;
        if part == 0.0 {
            return Ok(first);
        }
        Ok(mix(first, self.triples(property, b, what)?, part, |x, y| x + (y - x) * part))
    }

    fn triples(&mut self, property: &Property, k: u32, what: &str) -> Result<Vec<Vec3>> {
        let data = self.stored(property, k)?;
        let bytes = data.get(KEY..).unwrap_or(&[]);
        let vectors: Vec<Vec3> = if property.header.pod == Pod::F32 && bytes.len() % 12 == 0 {
            // The types that files hold, without a copy in between.
            let single = |b: &[u8]| Real::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            bytes.chunks_exact(12).map(|b| Vec3::new(single(b), single(&b[4..]), single(&b[8..]))).collect()
        } else {
            let numbers = property.header.pod.reals(bytes)?;
            let (triples, rest) = numbers.as_chunks::<3>();
            if !rest.is_empty() {
                let message =
                    format!("{} numbers for a {what}; a multiple of three is expected", numbers.len());
                return Err(Error::new(Kind::CountMismatch, message));
            }
            triples.iter().map(|&t| Vec3::from(t)).collect()
        };
        match vectors.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
            Some(vertex) => {
                let message = format!("the {what} is {:?}", vectors[vertex].as_slice());
                Err(Error::new(Kind::NotFinite, message).vertex(vertex))
            }
            None => Ok(vectors),
        }
    }

    fn sample(&mut self, property: &Property, k: u32) -> Result<Vec<Real>> {
        let data = self.stored(property, k)?;
        property.header.pod.reals(data.get(KEY..).unwrap_or(&[])).map_err(|e| e.port(&property.header.name))
    }

    /// The bytes of a sample with the key before them; none if it is empty.
    fn stored(&mut self, property: &Property, k: u32) -> Result<Vec<u8>> {
        let header = &property.header;
        let read = |source: &mut Container<R>| {
            if header.samples == 0 {
                return Err(Error::new(Kind::Parse, "it has no samples"));
            }
            let stored = header.stored(k) as usize;
            let place = if header.shape == Shape::Array { 2 * stored } else { stored };
            let Some(child) = source.child(property.group, place)? else {
                let message = format!("sample {k} of {} is missing", header.samples);
                return Err(Error::new(Kind::Parse, message));
            };
            let data = source.data(child)?;
            if matches!(data.len(), 1..KEY) {
                return Err(Error::new(
                    Kind::Parse,
                    format!("{} bytes are too short for a sample", data.len()),
                ));
            }
            Ok(data)
        };
        read(&mut self.source).map_err(|e| e.port(&header.name))
    }
}

/// Interpolates number by number; the nearer sample if the counts differ.
fn mix<T: Copy>(mut first: Vec<T>, second: Vec<T>, part: Real, mix: impl Fn(T, T) -> T) -> Vec<T> {
    if first.len() != second.len() {
        return if part > 0.5 { second } else { first };
    }
    first.iter_mut().zip(second).for_each(|(x, y)| *x = mix(*x, y));
    first
}
