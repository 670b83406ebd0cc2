//! The sources of a node's inputs in each frame, and what is known about its geometry.

use super::super::store::arrays::{of_points, points_of};
use super::samples::Samples;
use super::surface::Surface;
use super::wire::Wire;
use super::{Declared, lacking};
use serde_json::Value;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::joints::at_frame;
use sinew_formats::over::{Over, check_corners};
use sinew_formats::points::{PointSource, find_frames};
use sinew_geometry::Mesh;
use sinew_geometry::measure::bounds;
use sinew_math::{Real, Vec3};
use sinew_nodes::{BODY, Domain, Port, Quantity, Report};
use sinew_scene::frames::format_frames;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The source of an input in every frame.
pub(super) enum Feed {
    /// An output of an earlier node.
    Wire(Wire),
    /// Points of a file.
    Points(Box<MovingPoints>),
    /// The numbers of each frame, and their file; whether those of the first and the last frame hold outside them; that
    /// its rate leaves frames of the job without numbers, if it does.
    Table { frames: BTreeMap<i64, Arc<Vec<Real>>>, path: PathBuf, held: bool, sparse: Option<String> },
}

/// Points that a file moves.
pub(super) struct MovingPoints {
    pub source: PointSource,
    pub path: PathBuf,
    /// The index in the file of each frame of the job.
    pub samples: Vec<usize>,
    /// Their size at rest; 0 if unknown.
    pub extent: Real,
    /// The first face whose vertices differ from rest, see [`other_face`].
    pub other_face: Option<usize>,
    /// The most recently read frames, as many as interpolation between frames needs.
    pub known: VecDeque<(usize, Arc<Vec<Real>>)>,
    pub kept: usize,
}

/// A body this many times larger or smaller than at rest is a failed export, not a pose.
const MOST_SCALED: Real = 1e6;

impl MovingPoints {
    /// The points of a frame.
    pub fn read(&mut self, place: usize) -> Result<Arc<Vec<Real>>> {
        if let Some((_, known)) = self.known.iter().find(|(known, _)| *known == place) {
            return Ok(known.clone());
        }
        let points = self.source.read(self.samples[place])?;
        let numbers = self.checked(points)?;
        self.known.push_back((place, numbers.clone()));
        while self.known.len() > self.kept {
            self.known.pop_front();
        }
        Ok(numbers)
    }

    /// The points between frames, if the file has them.
    pub fn between(&mut self, frame: Real) -> Result<Option<Arc<Vec<Real>>>> {
        let found = self.source.between(frame)?;
        found.map(|points| self.checked(points)).transpose()
    }

    fn checked(&self, points: Vec<Vec3>) -> Result<Arc<Vec<Real>>> {
        let (now, rest) = (extent(&points), self.extent);
        if rest == 0.0 || (now >= rest / MOST_SCALED && now <= rest * MOST_SCALED) {
            return Ok(Arc::new(of_points(points)));
        }
        Err(Error::new(Kind::NotFinite, format!("the size of the body is {now}, at rest {rest}")))
    }

    /// Warnings about the file; missing frames only matter if no range requests frames.
    fn warnings(&self, asked: bool) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(face) = self.other_face {
            warnings.push(format!(
                "face {face} has different vertices in the body and in the mesh at rest: are the vertices in the same \
                 order?"
            ));
        }
        let missing = left_out(self.source.frames());
        if !asked && !missing.is_empty() {
            warnings.push(format!("the body has no frames {}: they are left out", format_frames(&missing)));
        }
        warnings
    }
}

/// The diagonal of the points' bounding box.
pub(super) fn extent(points: &[Vec3]) -> Real {
    let [low, high] = bounds(points);
    (high - low).norm()
}

/// Missing frames in an evenly spaced sequence between its first and its last; at most a hundred.
fn left_out(frames: &[i64]) -> Vec<i64> {
    let steps = || frames.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
    let Some(step) = steps().min().filter(|&step| step > 0) else { return Vec::new() };
    let between = frames.windows(2).flat_map(|pair| (pair[0]..pair[1]).step_by(step as usize).skip(1));
    between.take(100).collect()
}

/// The first face with other vertices, regardless of its first vertex and winding. Bodies with entirely different
/// faces, such as triangles instead of quads, are not compared.
pub(super) fn other_face(body: &Mesh, rest: &Mesh) -> Option<usize> {
    let sorted = |mesh: &Mesh, face: usize| {
        let mut vertices = mesh.face(face).to_vec();
        vertices.sort_unstable();
        vertices
    };
    let same_faces = body.face_offsets == rest.face_offsets;
    (0..rest.face_count()).find(|&face| same_faces && sorted(body, face) != sorted(rest, face))
}

impl Feed {
    /// The frames in the file.
    pub fn frames(&self) -> Option<Vec<i64>> {
        match self {
            Feed::Wire(_) => None,
            Feed::Points(points) => Some(points.source.frames().to_vec()),
            Feed::Table { frames, .. } => Some(frames.keys().copied().collect()),
        }
    }

    /// Finds the frames of the job, each with that many samples.
    pub fn find(&mut self, frames: &[i64], samples: Samples) -> Result<()> {
        match self {
            Feed::Wire(_) => Ok(()),
            Feed::Points(points) => {
                points.source.hold(frames);
                points.samples = find_frames(&points.source, frames, &points.path)?;
                points.kept = if samples.count() > 1 { 2 } else { 0 };
                Ok(())
            }
            Feed::Table { frames: there, path, held, sparse } => {
                let found = |&frame| Some((frame, at_frame(there, *held, frame)?.clone()));
                let outside: Vec<_> = frames.iter().filter_map(found).collect();
                there.extend(outside);
                let missing: Vec<i64> = frames.iter().copied().filter(|f| !there.contains_key(f)).collect();
                match missing.first() {
                    Some(&first) => {
                        let what = match sparse {
                            Some(sparse) => format!("{sparse}; the file"),
                            None => "the file".into(),
                        };
                        Err(lacking(&missing, frames.len(), &what).frame(first).file(path))
                    }
                    None => Ok(()),
                }
            }
        }
    }

    /// The numbers of the frame with that index in the job; none for a wire.
    pub fn read(&mut self, place: usize, frame: i64) -> Result<Arc<Vec<Real>>> {
        Ok(match self {
            Feed::Wire(_) => Arc::default(),
            Feed::Points(points) => points.read(place)?,
            Feed::Table { frames, .. } => frames.get(&frame).cloned().unwrap_or_default(),
        })
    }

    /// Its file, if both blend shapes and bones move the points there.
    pub fn acting(&self) -> Option<&Path> {
        match self {
            Feed::Points(points) if points.source.acts() => Some(&points.path),
            _ => None,
        }
    }

    /// Warnings about the file.
    pub fn warnings(&self, asked: bool) -> Vec<String> {
        match self {
            Feed::Points(points) => points.warnings(asked),
            // Of frames that a range requests, each is there, or it was an error.
            Feed::Table { sparse: Some(sparse), path, .. } if !asked => {
                vec![format!("{}: {sparse}, so the others are left out", path.display())]
            }
            Feed::Wire(_) | Feed::Table { .. } => Vec::new(),
        }
    }
}

/// What is known about a node from its files and other sources.
#[derive(Clone, Default)]
pub(super) struct Fed {
    /// Its meshes, by id.
    meshes: BTreeMap<&'static str, Ground>,
    /// The names of joints.
    pub joints: Option<Vec<String>>,
    /// The names of items, by kind, as reported in the node's last good step; null if not reported.
    pub names: Value,
    /// The last values of inputs that are recorded.
    pub inputs: HashMap<&'static str, Arc<Vec<Real>>>,
}

/// What is known about a mesh of a node.
#[derive(Clone, Default)]
pub(super) struct Ground {
    /// The faces, with the positions and UVs of the file.
    pub mesh: Option<Arc<Mesh>>,
    /// The file of the faces, and the element that names it.
    pub mesh_file: Option<(PathBuf, Declared)>,
    /// The mesh of the moving file, over which a layer can be written; an error that says why there is none.
    pub over: Option<Result<Over>>,
    /// The mesh of the file at rest, over which a layer that moves its points can be written.
    pub at_rest: Option<Result<Over>>,
    /// How original points become those of the faces.
    pub surface: Arc<Surface>,
    /// The original mesh, if it is a cage.
    pub cage: Option<Arc<Mesh>>,
    /// The number of original vertices.
    pub vertices: Option<usize>,
}

impl Ground {
    /// Adds what is not known yet.
    pub fn know(&mut self, vertices: Option<usize>, mesh: impl FnOnce() -> Option<Arc<Mesh>>) {
        self.vertices = self.vertices.or(vertices);
        self.mesh = self.mesh.take().or_else(mesh);
    }

    /// Adds the mesh of a file below a layer, if possible: its faces are those of the mesh at rest, corner for corner.
    pub fn know_layer(&mut self, source: &PointSource) {
        if self.over.is_some() {
            return;
        }
        self.over = source.over().transpose().map(|over| match (&self.mesh, source.mesh()) {
            (Some(mesh), Some(body)) => over.and_then(|over| check_corners(mesh, body).map(|()| over)),
            _ => over,
        });
    }
}

impl Fed {
    /// The mesh to which the items of a domain belong, as far as anything is known about it.
    pub fn ground(&self, domain: Domain) -> Option<&Ground> {
        self.meshes.get(domain.mesh()?)
    }

    /// The same, to add to it; for items of no mesh, the body.
    pub fn ground_mut(&mut self, domain: Domain) -> &mut Ground {
        self.meshes.entry(domain.mesh().unwrap_or(BODY)).or_default()
    }

    /// The names of the joints, as far as they are known.
    pub fn joint_names(&self) -> &[String] {
        self.joints.as_deref().unwrap_or_default()
    }

    /// Records the names that a step gives its items.
    pub fn name_items(&mut self, report: &Report) {
        if !report.names.is_empty() {
            let names =
                report.names.iter().map(|(kind, names)| (kind.to_string(), Value::from(names.clone())));
            self.names = names.collect::<serde_json::Map<_, _>>().into();
        }
    }

    /// The original faces of the mesh of a domain, or as many vertices without faces, for maps.
    pub fn geometry(&self, domain: Domain) -> Result<Arc<Mesh>> {
        let ground = self.ground(domain);
        let mesh = ground.and_then(|ground| ground.cage.as_ref().or(ground.mesh.as_ref()));
        match (mesh, ground.and_then(|ground| ground.vertices)) {
            (Some(mesh), _) => Ok(mesh.clone()),
            (None, Some(count)) => {
                let positions = vec![Vec3::zeros(); count];
                Ok(Arc::new(Mesh { positions, face_offsets: vec![0], ..Mesh::default() }))
            }
            (None, None) => {
                let of = match domain.mesh().filter(|mesh| *mesh != BODY) {
                    Some(mesh) => format!(" of the mesh {mesh}"),
                    None => String::new(),
                };
                let message =
                    format!("the number of vertices{of} is unknown: feed the mesh or the points from a file");
                Err(Error::new(Kind::MissingInput, message))
            }
        }
    }

    /// Whether the vertices of a domain are those of the original mesh.
    pub fn is_given(&self, domain: Domain) -> bool {
        self.ground(domain).is_none_or(|ground| ground.surface.is_given())
    }

    /// Maps numbers of original vertices to the surface.
    pub fn on_surface(&self, port: &Port, values: Arc<Vec<Real>>) -> Result<Arc<Vec<Real>>> {
        match self.ground(port.domain).filter(|ground| !ground.surface.is_given()) {
            Some(ground) if port.domain.is_vertex() && port.quantity == Quantity::Position => {
                Ok(Arc::new(of_points(ground.surface.points(points_of(&values).to_vec())?)))
            }
            _ => Ok(values),
        }
    }
}
