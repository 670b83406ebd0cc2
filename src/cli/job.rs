//! A scene made ready to run: files found and read, the node filled.

use crate::error::{Error, Kind, Result};
use crate::formats::{joints, map, obj, weights, xml};
use crate::geometry::Mesh;
use crate::math::{Affine, Real, Space, Vec3};
use crate::nodes::{ArrayView, Instance};
use crate::scene::schema::Line;
use crate::scene::{NodeElement, Scene};
use std::path::{Path, PathBuf};

/// A scene and the file that it came from; its paths are found from here.
pub(super) struct SceneFile {
    pub scene: Scene,
    pub path: Option<PathBuf>,
}

impl SceneFile {
    /// Reads a scene and finds its files from its folder.
    pub fn read(path: &Path) -> Result<Self> {
        let mut scene: Scene = xml::read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        scene.files_mut().for_each(|file| {
            let joined = folder.join(&*file);
            *file = joined.to_string_lossy().into_owned();
        });
        Ok(SceneFile { scene, path: Some(path.to_path_buf()) })
    }

    /// The only node of the scene, of the only type that runs by itself so far.
    pub fn skinning_node(&self) -> Result<&NodeElement> {
        match self.scene.nodes.as_slice() {
            [node] if node.kind == "skinning" => Ok(node),
            [node] => {
                let message = format!("a node of type {:?}; sinew skin runs the type skinning", node.kind);
                Err(self.place(Error::new(Kind::Unsupported, message), "node", node.line))
            }
            nodes => {
                let message = format!("{} nodes; sinew skin runs scenes with one", nodes.len());
                let error = Error::new(Kind::Unsupported, message);
                Err(self.place(error, "sinew", self.scene.line))
            }
        }
    }

    /// Puts an error at the element that caused it. What came from the command line has no line and keeps its own
    /// place.
    pub fn place(&self, error: Error, element: &str, line: Line) -> Error {
        match &self.path {
            Some(path) if line.0 > 0 => error.inside(path, line.0, element),
            _ => error,
        }
    }
}

/// Everything that is read before the first frame.
pub(super) struct Job {
    pub node: Instance,
    pub mesh: Mesh,
    pub animation: joints::JointAnimation,
    pub frames: Vec<i64>,
    pub fps: Real,
    pub out: PathBuf,
}

impl Job {
    /// Reads all files and fills the node.
    pub fn new(file: &SceneFile) -> Result<Self> {
        let element = file.skinning_node()?;
        let node = new_node(file, element)?;
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
        let mut job = Job { node, mesh: rest, animation, frames, fps, out: PathBuf::from(&output.file) };
        job.set_points()?;
        let rest_joints = flatten(&job.animation.rest);
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
        let points: Vec<Real> = self.mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        self.set("points", &points, 3)
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
    pub fn step(
        &mut self,
        frame: i64,
        control: &crate::control::Control,
    ) -> Result<(Vec<Vec3>, Vec<String>)> {
        let joints = flatten(&self.animation.frames[&frame]);
        self.set("joints", &joints, 16).map_err(|e| e.frame(frame))?;
        let report = self.node.step(frame, frame as Real / self.fps, control)?;
        let mut points = vec![0.0; self.mesh.positions.len() * 3];
        self.node.read("points", &mut crate::nodes::ArrayViewMut::from_slice(&mut points, 3)?)?;
        Ok((points.chunks_exact(3).map(Vec3::from_column_slice).collect(), report.warnings))
    }
}

fn new_node(file: &SceneFile, element: &NodeElement) -> Result<Instance> {
    let mut node = Instance::new(&element.kind).map_err(|e| file.place(e, "node", element.line))?;
    if let Some(space) = &file.scene.space {
        let made = Space::new(space.metres_per_unit, space.up);
        node.set_space(made.map_err(|e| file.place(e, "space", space.line))?);
    }
    for param in &element.params {
        let set = node.set_param_text(&param.id, &param.value);
        set.map_err(|e| match param.line.0 {
            0 => Error::new(Kind::InvalidArgument, e.to_string()),
            _ => file.place(e, "param", param.line),
        })?;
    }
    Ok(node)
}

/// The frames to compute, all of which must be in the joints' file, and the frames per second.
fn frames(file: &SceneFile, animation: &joints::JointAnimation, path: &Path) -> Result<(Vec<i64>, Real)> {
    let element = file.scene.frames.as_ref();
    let fps = element.map_or(24.0, |e| e.fps);
    let placed = |error: Error| match element {
        Some(e) => file.place(error, "frames", e.line),
        None => error,
    };
    if !(fps.is_finite() && fps > 0.0) {
        let message = format!("{fps} is no frame rate");
        return Err(placed(Error::new(Kind::InvalidArgument, message)));
    }
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

fn flatten(pose: &[Affine]) -> Vec<Real> {
    let row = |m: &Affine, k: usize| if k < 12 { m[(k / 4, k % 4)] } else { Real::from(k == 15) };
    pose.iter().flat_map(|m| (0..16).map(move |k| row(m, k))).collect()
}
