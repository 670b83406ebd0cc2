//! An archive being written: objects first, then their samples as they come. Memory holds one sample at a time, and the
//! file positions of the earlier ones.

use super::geometry::Scope;
use super::header::{MetaNames, ObjectHeader};
use super::murmur::murmur;
use super::ogawa::{Child, KEY, Sink};
use super::stream::{Compound, PropertyAt};
use super::time::TimeSampling;
use crate::atomic::AtomicFile;
use crate::provenance::{PROGRAM, Provenance, plain};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

/// The format version that is followed: major, minor and patch, two digits each.
const LIBRARY: i32 = 1_08_03;
/// The metadata key under which a layer names the file that it belongs to.
pub const ORIGINAL: &str = "sinew_layer_over";
/// The sampling of static properties, and that of all others.
pub(super) const STILL: u32 = 0;
pub(super) const MOVING: u32 = 1;

/// What must be the same for a map in every sample: its name, scope and components, and whether it has indices.
pub(super) type MapKind = (String, Scope, usize, bool);

/// The type of an object being written, with the state that its samples need.
pub(super) enum Content {
    Transform {
        /// The numbers of the first sample, and which of them changed.
        first: Vec<f64>,
        changed: Vec<bool>,
        codes: Vec<u8>,
        /// Some sample is not the identity.
        moves: bool,
    },
    Mesh {
        offsets: Vec<u32>,
        vertices: usize,
        /// The maps of the first sample.
        maps: Vec<MapKind>,
        /// An override of a mesh in another file.
        layer: bool,
    },
    /// The mesh in another file that this one overrides.
    Outer,
    Curves {
        /// The maps of the first sample.
        maps: Vec<MapKind>,
    },
}

impl Content {
    fn meta(&self) -> &'static str {
        match self {
            Content::Transform { .. } => "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform",
            // The other file holds the rest of what it overrides.
            Content::Outer | Content::Mesh { layer: true, .. } => "",
            Content::Mesh { .. } => {
                "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1;schemaObjTitle=AbcGeom_PolyMesh_v1:.geom"
            }
            Content::Curves { .. } => {
                "schema=AbcGeom_Curve_v2;schemaBaseType=AbcGeom_GeomBase_v1;schemaObjTitle=AbcGeom_Curve_v2:.geom"
            }
        }
    }
}

/// An object being written.
pub(super) struct Node {
    name: String,
    parent: Option<usize>,
    pub samples: u32,
    pub content: Content,
    pub properties: Compound,
}

/// An archive being written; the file appears on [`Writer::commit`].
pub struct Writer<W: Write + Seek = AtomicFile> {
    sink: Sink<W>,
    path: PathBuf,
    sampling: TimeSampling,
    provenance: Provenance,
    /// Frames per second, if the samples do not imply them.
    fps: Option<Real>,
    /// The file to which layers belong.
    original: Option<String>,
    pub(super) nodes: Vec<Node>,
    /// A sample was rejected half-way.
    failed: bool,
}

/// An object of a [`Writer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectId(pub(super) usize);

impl Writer {
    /// Creates a file whose samples are at these times.
    pub fn create(path: &Path, sampling: TimeSampling) -> Result<Self> {
        Self::new(AtomicFile::create(path)?, path, sampling)
    }

    /// Flushes the file to disk and gives it its name.
    pub fn commit(self) -> Result<()> {
        self.finish()?.commit()
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Starts an archive; `path` is for the errors.
    pub fn new(out: W, path: &Path, sampling: TimeSampling) -> Result<Self> {
        sampling.check().map_err(|e| e.file(path))?;
        let sink = Sink::new(out).map_err(|e| Error::io(path, &e))?;
        let provenance = Provenance::default();
        let (path, nodes) = (path.to_path_buf(), Vec::new());
        let (fps, original) = (None, None);
        Ok(Writer { sink, path, sampling, provenance, fps, original, nodes, failed: false })
    }

    /// Sets the file to which the layers in this one belong.
    pub fn set_original(&mut self, file: &str) {
        self.original = Some(plain(file));
    }

    /// Sets the frames per second; otherwise they follow from the samples.
    pub fn set_frame_rate(&mut self, fps: Real) {
        self.fps = Some(fps);
    }

    /// Sets what made the file.
    pub fn set_provenance(&mut self, provenance: Provenance) {
        self.provenance = provenance;
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn error(&self, object: usize, error: Error) -> Error {
        match self.nodes.get(object) {
            Some(node) => error.element(&node.name).file(&self.path),
            None => error.file(&self.path),
        }
    }

    /// A rejected sample may be partly written, so the file can no longer be completed.
    pub(super) fn settle(&mut self, object: ObjectId, put: Result<()>) -> Result<()> {
        self.failed |= put.is_err();
        put.map_err(|e| self.error(object.0, e))
    }

    pub(super) fn add(&mut self, parent: Option<ObjectId>, name: &str, content: Content) -> Result<ObjectId> {
        let wrong = |kind, message: &str| Err(Error::new(kind, message).element(name).file(&self.path));
        if name.is_empty() || name.contains(['/', '\0']) {
            return wrong(Kind::InvalidArgument, "the name of an object is empty or has a slash");
        }
        let parent = parent.map(|p| p.0);
        if parent.is_some_and(|p| p >= self.nodes.len()) {
            return wrong(Kind::NotFound, "there is no such parent");
        }
        if self.nodes.iter().any(|n| n.parent == parent && n.name == name) {
            return wrong(Kind::InvalidArgument, "a sibling has this name");
        }
        let properties = Compound::new("", "");
        let samples = u32::from(matches!(content, Content::Outer));
        self.nodes.push(Node { name: name.to_string(), parent, content, properties, samples });
        Ok(ObjectId(self.nodes.len() - 1))
    }

    /// Writes the next sample of a property.
    pub(super) fn put(&mut self, object: usize, place: &PropertyAt, bytes: &[u8]) -> Result<()> {
        let put = self.nodes[object].properties.write(&mut self.sink, place, bytes);
        put.map_err(|e| Error::io(&self.path, &e))
    }

    /// Checks that there is a time for the next sample.
    pub(super) fn check_time(&self, object: usize) -> Result<()> {
        let samples = self.nodes[object].samples;
        match &self.sampling {
            TimeSampling::Acyclic(times) if samples as usize >= times.len() => {
                let message = format!("sample {samples}, but there are {} times", times.len());
                Err(self.error(object, Error::new(Kind::OutOfRange, message)))
            }
            _ => Ok(()),
        }
    }

    /// Ends a sample: what was not given keeps its value.
    pub(super) fn end_sample(&mut self, object: usize) {
        let node = &mut self.nodes[object];
        node.samples += 1;
        node.properties.repeat(node.samples);
    }

    /// Writes the index of all samples, and returns the underlying writer.
    pub fn finish(mut self) -> Result<W> {
        if self.failed {
            let message = "a sample was refused, so the file is incomplete";
            return Err(Error::new(Kind::InvalidArgument, message).file(&self.path));
        }
        self.end_transforms()?;
        if let Some(empty) = self.nodes.iter().position(|n| n.samples == 0) {
            let error = Error::new(Kind::MissingInput, "it has no samples");
            return Err(self.error(empty, error));
        }
        let path = std::mem::take(&mut self.path);
        self.write_tables().map_err(|e| Error::io(&path, &e))
    }

    fn write_tables(mut self) -> std::io::Result<W> {
        let mut names = MetaNames::default();
        let mut most = [1, 0];
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut tops = Vec::new();
        for (k, node) in self.nodes.iter().enumerate() {
            node.parent.map_or(&mut tops, |p| &mut children[p]).push(k);
        }
        let mut groups = vec![(Child::EMPTY_GROUP, [0; KEY]); self.nodes.len()];
        // Children come after their parents in the list, so going backwards they are finished first.
        for k in (0..self.nodes.len()).rev() {
            let properties = self.nodes[k].properties.finish(&mut self.sink, &mut names, &mut most)?;
            groups[k] = self.object(properties, &children[k], &groups, &mut names)?;
        }
        let none = (Child::EMPTY_GROUP, murmur(&[]));
        let (top, _) = self.object(none, &tops, &groups, &mut names)?;
        let version = self.sink.data(&[0; 4])?;
        let library = self.sink.data(&LIBRARY.to_le_bytes())?;
        let meta = self.sink.data(self.meta().as_bytes())?;
        let mut times = Vec::new();
        TimeSampling::still().encode(most[0], &mut times);
        self.sampling.encode(most[1], &mut times);
        let times = self.sink.data(&times)?;
        let table = self.sink.data(&names.into_table())?;
        let root = self.sink.group(&[version, library, top, meta, times, table])?;
        self.sink.finish(root)
    }

    /// The group of an object: its properties, its children, their headers, and hashes of both.
    fn object(
        &mut self,
        (properties, hash): (Child, [u8; KEY]),
        children: &[usize],
        groups: &[(Child, [u8; KEY])],
        names: &mut MetaNames,
    ) -> std::io::Result<(Child, [u8; KEY])> {
        let mut parts = vec![properties];
        let mut headers = Vec::new();
        let mut hashes = Vec::new();
        for &child in children {
            let node = &self.nodes[child];
            ObjectHeader::encode(&node.name, node.content.meta(), names, &mut headers);
            parts.push(groups[child].0);
            hashes.extend(groups[child].1);
        }
        hashes.extend(&headers);
        let below = if children.is_empty() { [0; KEY] } else { murmur(&hashes) };
        headers.extend(hash);
        headers.extend(below);
        parts.push(self.sink.data(&headers)?);
        Ok((self.sink.group(&parts)?, murmur(&[hash, below].concat())))
    }

    /// The archive's metadata. It contains no date: equal results are equal files.
    fn meta(&self) -> String {
        let [major, minor, patch] = [LIBRARY / 10000, LIBRARY / 100 % 100, LIBRARY % 100];
        let mut meta =
            format!("_ai_AlembicVersion=Alembic {major}.{minor}.{patch};_ai_Application={PROGRAM}");
        let by_step = match self.sampling {
            TimeSampling::Uniform { step, .. } => Some(1.0 / step),
            _ => None,
        };
        if let Some(fps) = self.fps.or(by_step) {
            meta = format!("FramesPerTimeUnit={fps:.6};{meta};_ai_DCC_FPS={fps:.6}");
        }
        for (name, text) in self.provenance.besides() {
            meta += &format!(";sinew_{name}={text}");
        }
        if let Some(file) = &self.original {
            meta += &format!(";{ORIGINAL}={file}");
        }
        meta + ";_ai_Description=skin and tendons"
    }
}
