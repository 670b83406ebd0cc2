//! Moving points as all formats give them.

use crate::over::Over;
use crate::rate::Said;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Real, Space, Vec3};

/// The moving points of one mesh in files of some format.
pub trait MovingPoints: Send {
    /// The frame of each sample.
    fn frames(&self) -> &[i64];

    /// Points per frame.
    fn point_count(&self) -> usize;

    /// Faces and UVs, if the files have any.
    fn mesh(&self) -> Option<&Mesh>;

    /// The points of the sample with that index.
    fn read(&mut self, index: usize) -> Result<Vec<Vec3>>;

    /// Makes frames without a sample of their own readable, if the format says what is there.
    fn hold(&mut self, frames: &[i64]) {
        let _ = frames;
    }

    /// The mesh below a layer, if layers over this file are possible.
    fn over(&self) -> Result<Option<Over>> {
        Ok(None)
    }

    /// The unit and the up axis, if the format can express them.
    fn space(&self) -> Result<Option<Space>> {
        Ok(None)
    }

    /// Whether the file says that both blend shapes and bones move the mesh.
    fn acts(&self) -> bool {
        false
    }

    /// From here on, points are those of the mesh before bones move it, if the file says which bones do.
    fn leave_bones_out(&mut self) {}

    /// The points between whole frames, if the file has a sample there.
    fn between(&mut self, frame: Real) -> Result<Option<Vec<Vec3>>> {
        let _ = frame;
        Ok(None)
    }
}

/// Frames of points to read, at a frame rate.
pub struct PointSource {
    points: Box<dyn MovingPoints>,
    said: Said,
    fps: Real,
}

impl PointSource {
    /// Points at `fps` frames per second, from a file that says `said` about its rate.
    pub fn new(points: impl MovingPoints + 'static, said: Said, fps: Real) -> Self {
        PointSource { points: Box::new(points), said, fps }
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
        self.points.frames()
    }

    /// Makes frames without a sample of their own readable, if the format says what is there, as USD does.
    pub fn hold(&mut self, frames: &[i64]) {
        self.points.hold(frames);
    }

    /// Points per frame.
    pub fn point_count(&self) -> usize {
        self.points.point_count()
    }

    /// Faces and UVs, if the files have any.
    pub fn mesh(&self) -> Option<&Mesh> {
        self.points.mesh()
    }

    /// The mesh below a layer, if layers over this file are possible.
    pub fn over(&self) -> Result<Option<Over>> {
        self.points.over()
    }

    /// The unit and the up axis, if the format can express them.
    pub fn space(&self) -> Result<Option<Space>> {
        self.points.space()
    }

    /// Whether the file says that both blend shapes and bones move the mesh, as USD and glTF can.
    pub fn acts(&self) -> bool {
        self.points.acts()
    }

    /// From here on, points are those of the mesh before bones move it, if the file says which bones do; others hold
    /// what their files have.
    pub fn leave_bones_out(&mut self) {
        self.points.leave_bones_out();
    }

    /// The points between whole frames, if the file has a sample there.
    pub fn between(&mut self, frame: Real) -> Result<Option<Vec<Vec3>>> {
        self.points.between(frame)
    }

    /// The points of the sample with that index.
    pub fn read(&mut self, index: usize) -> Result<Vec<Vec3>> {
        self.points.read(index).map_err(|e| e.frame(self.points.frames()[index]))
    }
}

/// Whether a mesh has the faces of another.
pub fn check_topology(first: &Mesh, now: &Mesh) -> Result<()> {
    check_count(first, now.positions.len())?;
    let (a, b) = (first.face_count(), now.face_count());
    if a != b {
        return Err(Error::new(Kind::Topology, format!("{b} faces, the first frame has {a}")));
    }
    match (0..a).find(|&f| first.face(f) != now.face(f)) {
        Some(face) => {
            let message = "the face has different vertices than in the first frame";
            Err(Error::new(Kind::Topology, message).face(face))
        }
        None => Ok(()),
    }
}

/// Whether a mesh has that many vertices.
pub fn check_count(first: &Mesh, now: usize) -> Result<()> {
    match first.positions.len() {
        count if count == now => Ok(()),
        count => Err(Error::new(Kind::Topology, format!("{now} vertices, the first frame has {count}"))),
    }
}

/// The first readable one of some samples; the error of the first if none is.
pub fn first_good<S, T>(samples: &[S], mut read: impl FnMut(&S) -> Result<T>) -> Result<T> {
    let mut failed = None;
    for sample in samples {
        match read(sample) {
            Ok(good) => return Ok(good),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    Err(failed.unwrap_or_else(|| Error::new(Kind::MissingInput, "there are no samples")))
}
