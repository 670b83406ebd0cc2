//! The skinning of a scene made ready to run: files found and read, the node filled.

use super::arrays::{of_matrices, of_points};
use super::scene_file::SceneFile;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::formats::{joints, map, obj, rate, weights};
use crate::geometry::Mesh;
use crate::math::{Real, Vec3};
use crate::nodes::{ArrayView, Instance};
use std::path::{Path, PathBuf};

/// Everything that is read before the first frame.
pub struct Skinning {
    node: Instance,
    /// The mesh at rest.
    pub mesh: Mesh,
    animation: joints::JointAnimation,
    /// The frames to compute.
    pub frames: Vec<i64>,
    /// Frames per second.
    pub fps: Real,
    /// Where the points go.
    pub out: PathBuf,
}

impl Skinning {
    /// Reads all files and fills the node.
    pub fn new(file: &SceneFile) -> Result<Self> {
        let element = file.node("skinning")?;
        let node = file.instance(element)?;
        let missing = |what: &str, option: &str| {
            let message = format!("no {what} is given: by {option} or by the scene");
            file.place(Error::new(Kind::InvalidArgument, message), "node", element.line)
        };
        let mesh = element.mesh.as_ref().ok_or_else(|| missing("mesh at rest", "--rest"))?;
        let joints = element.joints.as_ref().ok_or_else(|| missing("joints", "--joints"))?;
        let weights = element.weights.as_ref().ok_or_else(|| missing("weights", "--weights"))?;
        let output = element.output.as_ref().ok_or_else(|| missing("output", "--out"))?;
        let rest = obj::read(mesh.file.as_ref()).map_err(|e| file.place(e, "mesh", mesh.line))?.mesh;
        let animation =
            joints::read(joints.file.as_ref()).map_err(|e| file.place(e, "joints", joints.line))?;
        let influences = weights::read(weights.file.as_ref(), rest.positions.len(), &animation.names)
            .map_err(|e| file.place(e, "weights", weights.line))?;
        let (frames, fps) = frames(file, &animation, joints.file.as_ref())?;
        let mut job = Skinning { node, mesh: rest, animation, frames, fps, out: PathBuf::from(&output.file) };
        job.set_points()?;
        let rest_joints = of_matrices(&job.animation.rest);
        job.set("rest_joints", &rest_joints, 16)
            .map_err(|e| file.place(e.file(joints.file.as_ref()), "joints", joints.line))?;
        job.set_weights(&influences)?;
        for map in &element.maps {
            job.set_map(&map.port, map.file.as_ref()).map_err(|e| file.place(e, "map", map.line))?;
        }
        Ok(job)
    }

    fn set(&mut self, port: &str, values: &[Real], components: u32) -> Result<()> {
        self.node.set_array(port, &ArrayView::from_slice(values, components)?)
    }

    fn set_points(&mut self) -> Result<()> {
        self.set("points", &of_points(&self.mesh.positions), 3)
    }

    fn set_weights(&mut self, influences: &weights::VertexWeights) -> Result<()> {
        let counts: Vec<u32> = influences.0.iter().map(|i| i.len() as u32).collect();
        let (joints, values): (Vec<u32>, Vec<Real>) = influences.0.iter().flatten().copied().unzip();
        self.node.set_array("influence_counts", &ArrayView::from_slice(&counts, 1)?)?;
        self.node.set_array("influence_joints", &ArrayView::from_slice(&joints, 1)?)?;
        self.set("influence_weights", &values, 1)
    }

    fn set_map(&mut self, port: &str, path: &Path) -> Result<()> {
        let paintable = self.node.descriptor().ports.iter().filter(|p| p.paintable);
        let maps: Vec<_> = paintable.map(|p| p.id).collect();
        if !maps.contains(&port) {
            let message = format!("no map \"{port}\"; there are {}", maps.join(", "));
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        let map = map::read(path, &self.mesh)?;
        self.set(port, &map.values, map.components.max(1) as u32).map_err(|e| e.file(path))
    }

    /// The points of a frame.
    pub fn step(&mut self, frame: i64, control: &Control) -> Result<(Vec<Vec3>, Vec<String>)> {
        let joints = of_matrices(&self.animation.frames[&frame]);
        self.set("joints", &joints, 16).map_err(|e| e.frame(frame))?;
        let report = self.node.step(frame, frame as Real / self.fps, control)?;
        let mut points = vec![0.0; self.mesh.positions.len() * 3];
        self.node.read("points", &mut crate::nodes::ArrayViewMut::from_slice(&mut points, 3)?)?;
        Ok((points.chunks_exact(3).map(Vec3::from_column_slice).collect(), report.warnings))
    }
}

/// The frames to compute, all of which must be in the joints' file, and the frames per second.
fn frames(file: &SceneFile, animation: &joints::JointAnimation, path: &Path) -> Result<(Vec<i64>, Real)> {
    let element = file.scene.frames.as_ref();
    let fps = match file.fps()? {
        Some(fps) => fps,
        None => rate::of_joints(path)?.unwrap_or(rate::USUAL),
    };
    let placed = |error: Error| match element {
        Some(e) => file.place(error, "frames", e.line),
        None => error,
    };
    let frames = match element.and_then(|e| e.range.as_ref()) {
        Some(range) => range.0.clone(),
        None => animation.frames.keys().copied().collect(),
    };
    match frames.iter().find(|f| !animation.frames.contains_key(f)) {
        None => Ok((frames, fps)),
        Some(&missing) => {
            let error = Error::new(Kind::MissingFile, "the joints have no such frame");
            Err(placed(error.frame(missing).file(path)))
        }
    }
}
