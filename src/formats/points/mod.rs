//! Moving points of one mesh, whatever the file format: a numbered OBJ sequence, a point cache, Alembic or USD.

use super::Format;
use super::alembic::{self, MeshSample, TimeSampling};
use super::cache::{CacheKind, CacheReader, CacheWriter};
use super::over::Over;
use super::rate::{self, Said};
use super::sequence::Pattern;
use super::{inside, obj};
use crate::error::{Error, Kind, Result};
use crate::geometry::{CornerLayer, Mesh};
use crate::math::{Real, Vec2, Vec3};
use crate::scene::frames::format_frames;
use std::collections::HashMap;
use std::path::Path;

mod stored;

pub use stored::{ArchivePoints, UsdPoints};
use stored::{first_good, whole_frames};

/// Frames of points to read, at a frame rate.
pub struct PointSource {
    kind: Kinds,
    said: Said,
    fps: Real,
}

enum Kinds {
    /// One OBJ per frame, all with the faces of the first.
    Objs(Box<ObjSequence>),
    /// A point cache.
    Cache(CacheReader, Vec<i64>),
    /// A mesh of an Alembic file, in world space.
    Archive(Box<ArchivePoints>),
    /// A mesh of a USD file, in world space.
    Usd(Box<UsdPoints>),
}

/// A numbered sequence whose connectivity must not change.
pub struct ObjSequence {
    pattern: Pattern,
    frames: Vec<i64>,
    first: Mesh,
    ignored: Vec<(String, u64)>,
}

impl ObjSequence {
    /// Finds the frames on disk and reads the first.
    pub fn open(path: &Path) -> Result<Self> {
        let pattern = Pattern::parse(path)?.ok_or_else(|| no_place(path))?;
        let frames = pattern.scan()?;
        let Some(&first) = frames.first() else {
            return Err(Error::new(Kind::MissingFile, "no frame of this sequence exists").file(path));
        };
        let obj = match obj::read(&pattern.path(first)) {
            // Requesting a broken frame reports its error; the faces are those of the first good one.
            Err(error) => {
                first_good(&frames[1..], |&f| obj::read(&pattern.path(f))).map_err(|_| error.frame(first))?
            }
            Ok(obj) => obj,
        };
        Ok(ObjSequence { pattern, frames, first: obj.mesh, ignored: obj.ignored })
    }

    /// The frames found.
    pub fn frames(&self) -> &[i64] {
        &self.frames
    }

    /// The first frame's mesh.
    pub fn first(&self) -> &Mesh {
        &self.first
    }

    /// The skipped statements of the first frame.
    pub fn ignored(&self) -> &[(String, u64)] {
        &self.ignored
    }

    /// The points of the frame with that index; faces that differ from the first frame's are an error.
    pub fn read(&self, index: usize) -> Result<Vec<Vec3>> {
        let frame = self.frames[index];
        let path = self.pattern.path(frame);
        let mesh = obj::read(&path).map_err(|e| e.frame(frame))?.mesh;
        check_topology(&self.first, &mesh).map_err(|e| e.frame(frame).file(&path))?;
        Ok(mesh.positions)
    }
}

fn no_place(path: &Path) -> Error {
    let message = "a placeholder for the frame is expected in the name, as in out.%04d.obj";
    Error::new(Kind::InvalidArgument, message).file(path)
}

/// Whether a mesh has the faces of another.
pub fn check_topology(first: &Mesh, now: &Mesh) -> Result<()> {
    let changed = |message: String| Err(Error::new(Kind::Topology, message));
    let (a, b) = (first.positions.len(), now.positions.len());
    if a != b {
        return changed(format!("{b} vertices, the first frame has {a}"));
    }
    let (a, b) = (first.face_count(), now.face_count());
    if a != b {
        return changed(format!("{b} faces, the first frame has {a}"));
    }
    match (0..a).find(|&f| first.face(f) != now.face(f)) {
        Some(face) => {
            let message = "the face has different vertices than in the first frame";
            Err(Error::new(Kind::Topology, message).face(face))
        }
        None => Ok(()),
    }
}

impl PointSource {
    /// Opens a sequence, a cache, an Alembic or a USD file. Samples with times must lie at whole frames at `fps` frames
    /// per second, to within a hundredth of a frame, the single-precision accuracy after an hour. Without `fps` the
    /// rate is the file's, see [`rate`].
    pub fn open(path: &Path, fps: impl Into<Option<Real>>) -> Result<Self> {
        let fps = fps.into();
        match Format::of(path)? {
            Format::Obj => {
                let kind = Kinds::Objs(Box::new(ObjSequence::open(path)?));
                Ok(PointSource { kind, said: Said::default(), fps: fps.unwrap_or(rate::USUAL) })
            }
            Format::Pc2 => Self::cache(path, CacheKind::Pc2, fps),
            Format::Mdd => Self::cache(path, CacheKind::Mdd, fps),
            Format::Abc => {
                let (said, fps, archive) = ArchivePoints::open(path, fps)?;
                Ok(PointSource { kind: Kinds::Archive(Box::new(archive)), said, fps })
            }
            format if format.is_usd() => {
                let (said, fps, usd) = UsdPoints::open(path, fps)?;
                Ok(PointSource { kind: Kinds::Usd(Box::new(usd)), said, fps })
            }
            other => Err(no_points(path, other)),
        }
    }

    fn cache(path: &Path, kind: CacheKind, fps: Option<Real>) -> Result<Self> {
        let cache = CacheReader::open(path, kind)?;
        let said = Said::new([], cache.seconds().unwrap_or_default().as_slice());
        let place = |fps| whole_frames(cache.frames(fps).into_iter(), fps, path);
        let (fps, frames) = said.choose(fps, path, place)?;
        Ok(PointSource { kind: Kinds::Cache(cache, frames), said, fps })
    }

    /// Frames per second.
    pub fn fps(&self) -> Real {
        self.fps
    }

    /// What the file says about its rate.
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// The frame of each sample.
    pub fn frames(&self) -> &[i64] {
        match &self.kind {
            Kinds::Objs(sequence) => sequence.frames(),
            Kinds::Cache(_, frames) => frames,
            Kinds::Archive(archive) => &archive.frames,
            Kinds::Usd(usd) => &usd.frames,
        }
    }

    /// Points per frame.
    pub fn point_count(&self) -> usize {
        match &self.kind {
            Kinds::Objs(sequence) => sequence.first().positions.len(),
            Kinds::Cache(cache, _) => cache.point_count(),
            Kinds::Archive(archive) => archive.first.positions.len(),
            Kinds::Usd(usd) => usd.first.positions.len(),
        }
    }

    /// Faces and UVs, if the files have any.
    pub fn mesh(&self) -> Option<&Mesh> {
        match &self.kind {
            Kinds::Objs(sequence) => Some(sequence.first()),
            Kinds::Cache(..) => None,
            Kinds::Archive(archive) => Some(&archive.first),
            Kinds::Usd(usd) => Some(&usd.first),
        }
    }

    /// The mesh below a layer, if layers over this file are possible.
    pub fn over(&self) -> Result<Option<Over>> {
        match &self.kind {
            Kinds::Objs(_) | Kinds::Cache(..) => Ok(None),
            Kinds::Archive(archive) => Ok(Some(archive.over())),
            Kinds::Usd(usd) => usd.over().map(Some),
        }
    }

    /// The points between whole frames, if the file has a sample there.
    pub fn between(&mut self, frame: Real) -> Result<Option<Vec<Vec3>>> {
        match &mut self.kind {
            Kinds::Objs(_) | Kinds::Cache(..) => Ok(None),
            Kinds::Archive(archive) => archive.between(frame),
            Kinds::Usd(usd) => usd.between(frame),
        }
    }

    /// The points of the sample with that index.
    pub fn read(&mut self, index: usize) -> Result<Vec<Vec3>> {
        match &mut self.kind {
            Kinds::Objs(sequence) => sequence.read(index),
            Kinds::Cache(cache, frames) => {
                let mut points = Vec::new();
                cache.read(index, &mut points).map_err(|e| e.frame(frames[index]))?;
                Ok(points)
            }
            Kinds::Archive(archive) => archive.read(index).map_err(|e| e.frame(archive.frames[index])),
            Kinds::Usd(usd) => usd.read(index).map_err(|e| e.frame(usd.frames[index])),
        }
    }
}

fn no_points(path: &Path, format: Format) -> Error {
    let message =
        format!("{} holds no moving points; OBJ sequences, PC2, MDD, Alembic and USD do", format.row().title);
    Error::new(Kind::Unsupported, message).file(path)
}

/// Frames of points to write.
pub enum PointSink {
    /// One OBJ per frame with the faces of this mesh; each appears when complete.
    Objs(Pattern, Box<Mesh>),
    /// A point cache; it appears when all frames are in it.
    Cache(Box<CacheWriter>),
    /// An Alembic file with the faces and UVs of a mesh; it appears when all frames are in it.
    Archive(Box<alembic::Writer>, alembic::ObjectId, Option<CornerLayer<Vec2>>),
}

impl PointSink {
    /// Starts writing points of these frames. An OBJ sequence needs the mesh for its faces.
    pub fn create(
        path: &Path,
        mesh: Option<&Mesh>,
        points: usize,
        frames: &[i64],
        fps: Real,
    ) -> Result<Self> {
        let kind = match Format::of(path)? {
            Format::Obj => {
                let pattern = Pattern::parse(path)?.ok_or_else(|| no_place(path))?;
                let mesh = need_mesh(path, mesh, points)?;
                return Ok(PointSink::Objs(pattern, Box::new(mesh.clone())));
            }
            Format::Abc => {
                let mesh = need_mesh(path, mesh, points)?;
                let mut writer = alembic::Writer::create(path, sampling(frames, fps))?;
                writer.set_frame_rate(fps);
                let body = writer.add_mesh(None, "body", mesh)?;
                return Ok(PointSink::Archive(Box::new(writer), body, mesh.uvs.clone()));
            }
            Format::Pc2 => CacheKind::Pc2,
            Format::Mdd => CacheKind::Mdd,
            other => return Err(no_points(path, other)),
        };
        Ok(PointSink::Cache(Box::new(CacheWriter::create(path, kind, points, frames, fps)?)))
    }

    /// Writes the next frame.
    pub fn write(&mut self, frame: i64, points: &[Vec3]) -> Result<()> {
        let written = match self {
            PointSink::Objs(pattern, mesh) => {
                mesh.positions.copy_from_slice(points);
                obj::save(&pattern.path(frame), mesh)
            }
            PointSink::Cache(writer) => writer.write(points),
            PointSink::Archive(writer, body, uvs) => {
                // Those of the first frame apply to all.
                let uvs = uvs.take();
                let sample = MeshSample { positions: points, uvs: uvs.as_ref(), ..MeshSample::default() };
                writer.write_mesh(*body, &sample)
            }
        };
        written.map_err(|e| e.frame(frame))
    }

    /// Finishes writing.
    pub fn commit(self) -> Result<()> {
        match self {
            PointSink::Objs(..) => Ok(()),
            PointSink::Cache(writer) => writer.commit(),
            PointSink::Archive(writer, ..) => writer.commit(),
        }
    }
}

fn need_mesh<'a>(path: &Path, mesh: Option<&'a Mesh>, points: usize) -> Result<&'a Mesh> {
    let mesh = mesh.ok_or_else(|| {
        let message = "OBJ and Alembic need faces, which a point cache does not hold: give the mesh";
        Error::new(Kind::MissingInput, message).file(path)
    })?;
    if mesh.positions.len() != points {
        let message = format!("the mesh has {} vertices, the frames {points}", mesh.positions.len());
        return Err(Error::new(Kind::CountMismatch, message).file(path));
    }
    Ok(mesh)
}

/// The times of frames: a uniform step if they are evenly spaced.
pub fn sampling(frames: &[i64], fps: Real) -> TimeSampling {
    let first = frames.first().copied().unwrap_or(0);
    let step = frames.get(1).map_or(1, |second| second - first);
    if step > 0 && frames.windows(2).all(|w| w[1] - w[0] == step) {
        return TimeSampling::Uniform { start: first as Real / fps, step: step as Real / fps };
    }
    TimeSampling::Acyclic(frames.iter().map(|&f| f as Real / fps).collect())
}

/// The indices of `frames` in those of a source; an error that lists all that are missing.
pub fn find_frames(source: &PointSource, frames: &[i64], path: &Path) -> Result<Vec<usize>> {
    let there: HashMap<i64, usize> = source.frames().iter().copied().zip(0..).collect();
    let missing: Vec<i64> = frames.iter().copied().filter(|f| !there.contains_key(f)).collect();
    if let Some(&first) = missing.first() {
        let message =
            format!("{} of {} frames are missing: {}", missing.len(), frames.len(), format_frames(&missing));
        return Err(Error::new(Kind::MissingFile, message).frame(first).file(path));
    }
    Ok(frames.iter().filter_map(|f| there.get(f).copied()).collect())
}

/// Whether two names are the same file or sequence, so that no input is overwritten while it is read.
pub fn same_place(a: &Path, b: &Path) -> bool {
    inside::whole(a) == inside::whole(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shapes;

    fn moved(mesh: &Mesh, frame: i64) -> Vec<Vec3> {
        mesh.positions.iter().map(|p| p + Vec3::x() * frame as Real).collect()
    }

    fn fill(path: &Path, mesh: &Mesh, frames: &[i64]) {
        let mut sink = PointSink::create(path, Some(mesh), mesh.positions.len(), frames, 30.0).unwrap();
        for &frame in frames {
            sink.write(frame, &moved(mesh, frame)).unwrap();
        }
        sink.commit().unwrap();
    }

    #[test]
    fn all_formats_give_back_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let mesh = shapes::grid(1.0, 1.0, 2, 2);
        for name in ["a.%04d.obj", "a.pc2", "a.mdd", "a.abc"] {
            let path = folder.path().join(name);
            fill(&path, &mesh, &[3, 5, 7]);
            let mut source = PointSource::open(&path, 30.0).unwrap();
            assert_eq!((source.frames(), source.point_count()), (&[3, 5, 7][..], 9));
            for (index, frame) in [3, 5, 7].into_iter().enumerate() {
                // The numbers are small and dyadic, so single precision holds them.
                assert_eq!(source.read(index).unwrap(), moved(&mesh, frame), "{name}");
            }
            assert_eq!(find_frames(&source, &[7, 3], &path).unwrap(), [2, 0]);
            let error = find_frames(&source, &[3, 4, 5, 6], &path).unwrap_err();
            assert!(error.message().ends_with("4, 6"), "{error}");
            if let Some(faces) = source.mesh() {
                assert_eq!((&faces.uvs, &faces.corner_vertices), (&mesh.uvs, &mesh.corner_vertices));
            }
        }
    }

    #[test]
    fn a_change_of_faces_in_the_middle_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.%d.obj");
        let mesh = shapes::grid(1.0, 1.0, 2, 2);
        fill(&path, &mesh, &[1, 2, 3]);
        let mut turned = mesh.clone();
        turned.corner_vertices[4..8].rotate_left(1);
        obj::save(&folder.path().join("a.2.obj"), &turned).unwrap();
        obj::save(&folder.path().join("a.3.obj"), &shapes::grid(1.0, 1.0, 3, 2)).unwrap();
        let mut source = PointSource::open(&path, 24.0).unwrap();
        let error = source.read(1).unwrap_err();
        let place = error.place();
        assert_eq!((error.kind(), place.frame, place.face), (Kind::Topology, Some(2), Some(1)));
        assert!(source.read(2).unwrap_err().message().starts_with("12 vertices"));
    }

    #[test]
    fn faces_that_change_in_usd_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.usda");
        let text = r#"#usda 1.0
            def Mesh "m" {
                int[] faceVertexCounts = [3]
                int[] faceVertexIndices.timeSamples = { 1: [0, 1, 2], 2: [0, 1, 2], 3: [0, 2, 1] }
                point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
            }"#;
        std::fs::write(&path, text).unwrap();
        let mut source = PointSource::open(&path, 24.0).unwrap();
        assert_eq!((source.frames(), source.point_count()), (&[1, 2, 3][..], 3));
        assert_eq!(source.read(1).unwrap(), [Vec3::zeros(), Vec3::x(), Vec3::y()]);
        let error = source.read(2).unwrap_err();
        assert_eq!(
            (error.kind(), error.place().frame, error.place().face),
            (Kind::Topology, Some(3), Some(0))
        );
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mesh = shapes::grid(1.0, 1.0, 1, 1);
        let create = |name: &str, mesh: Option<&Mesh>, points| {
            PointSink::create(&at(name), mesh, points, &[1], 24.0).err().unwrap().kind()
        };
        assert_eq!(create("a.obj", Some(&mesh), 4), Kind::InvalidArgument);
        assert_eq!(create("a.#.obj", None, 4), Kind::MissingInput);
        assert_eq!(create("a.#.obj", Some(&mesh), 5), Kind::CountMismatch);
        assert_eq!(create("a.csv", Some(&mesh), 4), Kind::Unsupported);
        fill(&at("a.mdd"), &mesh, &[1, 2]);
        let open = |name: &str, fps| PointSource::open(&at(name), fps).err().unwrap();
        assert!(open("a.mdd", 25.0).message().contains("whole"), "written at 30 frames per second");
        assert_eq!(open("b.mdd", 30.0).kind(), Kind::MissingFile);
        assert_eq!(open("b.%d.obj", 30.0).kind(), Kind::MissingFile);
        assert!(same_place(&at("a.abc/body"), &at("a.abc")));
        assert!(same_place(&at("a.usdc/root/body"), &at("a.usdc")));
        assert!(same_place(&at("a.mdd"), &folder.path().join(".").join("a.mdd")));
    }
}
