//! The skin slider of a scene made ready to run: files found and read, the node filled, frame after frame.

use super::arrays::of_points;
use super::moment::Moment;
use super::parts::Solver;
use super::scene_file::SceneFile;
use super::surface::Surface;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::formats::over::{Over, check_corners};
use crate::formats::points::{PointSource, find_frames};
use crate::formats::{map, mesh, rows};
use crate::geometry::Mesh;
use crate::geometry::measure::bounds;
use crate::math::{Real, Space, Vec3};
use crate::nodes::{ArrayView, ArrayViewMut, Direction, Instance, Order, PortKind, Report};
use crate::scene::NodeElement;
use crate::scene::frames::format_frames;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The node with all that is read before the first frame.
pub struct Sliding {
    node: Instance,
    surface: Surface,
    /// The body at rest; its limit surface where the given one is a cage.
    pub mesh: Mesh,
    source: PointSource,
    /// The frames to compute.
    pub frames: Vec<i64>,
    /// Where each of them is in the source.
    samples: Vec<usize>,
    /// Frames per second.
    pub fps: Real,
    /// What the last frame gave.
    last: Option<Moment>,
    /// A state was loaded of which the last frame is not known.
    resumed: bool,
    warnings: Vec<String>,
}

/// A body so many times larger or smaller than at rest is none.
const MOST_SCALED: Real = 1e6;

/// The diagonal of the box around points.
fn extent(points: &[Vec3]) -> Real {
    let [low, high] = bounds(points);
    (high - low).norm()
}

/// What is odd about a body; frames that are not there only matter where no range asks for frames.
fn odd(source: &PointSource, faces: &Mesh, asked: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(face) = source.mesh().and_then(|body| other_face(body, faces)) {
        warnings.push(format!(
            "face {face} of the body has other vertices than that of the mesh at rest: are the vertices in the same order?"
        ));
    }
    let missing = left_out(source.frames());
    if !asked && !missing.is_empty() {
        warnings.push(format!("the body has no frames {}: they are left out", format_frames(&missing)));
    }
    warnings
}

/// Frames that a sequence in even steps would have between its first and its last; not more than a hundred of them.
fn left_out(frames: &[i64]) -> Vec<i64> {
    let steps = || frames.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
    let Some(step) = steps().min().filter(|&step| step > 0) else { return Vec::new() };
    let between = frames.windows(2).flat_map(|pair| (pair[0]..pair[1]).step_by(step as usize).skip(1));
    between.take(100).collect()
}

impl Sliding {
    /// Reads what the scene names and fills the node.
    pub fn new(file: &SceneFile) -> Result<Self> {
        let element = file.node("skin_slider")?;
        let missing = |what: &str, option: &str| {
            let message = format!("no {what} is given: by {option} or by the scene");
            file.place(Error::new(Kind::InvalidArgument, message), "node", element.line)
        };
        let rest = element.mesh.as_ref().ok_or_else(|| missing("mesh at rest", "--rest"))?;
        let body = element.body.as_ref().ok_or_else(|| missing("body", "--body"))?;
        let mesh::MeshFile { mesh: cage, space } =
            mesh::read(rest.file.as_ref()).map_err(|e| file.place(e, "mesh", rest.line))?;
        let surface = Surface::new(file, element.subdivide.as_ref(), &cage)?;
        let expected = cage.positions.len();
        let faces = Mesh { positions: Vec::new(), uvs: None, normals: None, ..cage.clone() };
        let fps = file.fps()?;
        let at_body = |e: Error| file.place(e, "body", body.line);
        let path: PathBuf = body.file.clone().into();
        let source = PointSource::open(&path, fps).map_err(at_body)?;
        let fps = source.fps();
        let mut node = file.instance(element)?;
        if file.scene.space.is_none()
            && let Some(space) = space?
        {
            node.set_space(space);
        }
        node.set_param_text("fps", &fps.to_string())?;
        set_maps(file, element, &mut node, &cage, &surface)?;
        let mesh = surface.mesh(cage)?;
        node.set_mesh("rest", mesh.clone())
            .map_err(|e| file.place(e.file(rest.file.as_ref()), "mesh", rest.line))?;
        let given = source.point_count();
        if given != expected {
            let message = format!("the body has {given} vertices, the mesh at rest {expected}");
            return Err(at_body(Error::new(Kind::CountMismatch, message).file(&path)));
        }
        let frames = match file.scene.frames.as_ref().and_then(|e| e.range.as_ref()) {
            Some(range) => range.0.clone(),
            None => source.frames().to_vec(),
        };
        let asked = file.scene.frames.as_ref().is_some_and(|e| e.range.is_some());
        let warnings = odd(&source, &faces, asked);
        let samples = find_frames(&source, &frames, &path).map_err(at_body)?;
        Ok(Sliding {
            node,
            surface,
            mesh,
            source,
            frames,
            samples,
            fps,
            last: None,
            resumed: false,
            warnings,
        })
    }

    /// The mesh of the body's file, where a layer can go over it: its faces are those of the mesh at rest, corner for corner.
    pub fn over(&self) -> Result<Option<Over>> {
        let Some(body) = self.source.mesh() else { return Ok(None) };
        let Some(over) = self.source.over()? else { return Ok(None) };
        check_corners(&self.mesh, body).map(|()| Some(over))
    }

    /// Places on the body at rest that ride on the skin.
    pub fn set_riders(&mut self, places: &[Vec3]) -> Result<()> {
        self.node.set_array("riders", &ArrayView::from_slice(&of_points(places), 3)?)
    }

    /// A body that has shrunk to a point or blown up is an export that went wrong, and no pose.
    fn check_size(&self, body: &[Vec3]) -> Result<()> {
        let (now, rest) = (extent(body), extent(&self.mesh.positions));
        if now >= rest / MOST_SCALED && now <= rest * MOST_SCALED {
            return Ok(());
        }
        let message = format!("the body is {now} large, at rest {rest}");
        Err(Error::new(Kind::NotFinite, message))
    }

    fn outputs(&self) -> Result<Vec<(String, Vec<Real>)>> {
        let ports = self.node.descriptor().ports.iter().filter(|p| p.direction == Direction::Output);
        ports.map(|port| Ok((port.id.to_string(), self.read(port.id, port.kind.components())?))).collect()
    }

    fn compute(&mut self, frame: i64, body: &[Vec3], control: &Control) -> Result<Report> {
        let points = of_points(body);
        self.node.set_array("points", &ArrayView::from_slice(&points, 3)?).map_err(|e| e.frame(frame))?;
        self.node.step(frame, frame as Real / self.fps, control)
    }

    fn read(&self, port: &str, components: u32) -> Result<Vec<Real>> {
        let mut values = vec![0.0; self.node.output_count(port)? * components as usize];
        if !values.is_empty() {
            self.node.read(port, &mut ArrayViewMut::from_slice(&mut values, components)?)?;
        }
        Ok(values)
    }
}

impl Solver for Sliding {
    fn frames(&self) -> &[i64] {
        &self.frames
    }

    fn fps(&self) -> Real {
        self.fps
    }

    fn space(&self) -> Space {
        self.node.space()
    }

    fn about(&self) -> String {
        format!("{} vertices", self.mesh.positions.len())
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// A body that is no body leaves the skin as it was.
    fn step(&mut self, place: usize, control: &Control) -> Result<Moment> {
        let frame = self.frames[place];
        let body = self.source.read(self.samples[place]).and_then(|given| self.surface.points(given));
        let body = body.and_then(|body| self.check_size(&body).map(|()| body));
        let moment = match body {
            Ok(body) => {
                let report = self.compute(frame, &body, control)?;
                Moment {
                    frame,
                    row: told(frame, &report),
                    names: Value::Null,
                    body,
                    outputs: self.outputs()?,
                }
            }
            Err(error) if error.kind() == Kind::NotFinite => {
                let warning = format!("the last good skin is kept: {error}");
                let row = json!({ "frame": frame, "kept": true, "warnings": [warning] });
                match &self.last {
                    Some(last) => Moment { frame, row, ..last.clone() },
                    // The body on which the loaded skin lies is not known, and the one at rest is another.
                    None if self.resumed => return Err(error.frame(frame)),
                    None => {
                        let body = self.mesh.positions.clone();
                        self.compute(frame, &body, control)?;
                        Moment { frame, row, names: Value::Null, body, outputs: self.outputs()? }
                    }
                }
            }
            Err(error) => return Err(error),
        };
        Ok(self.last.insert(moment).clone())
    }

    fn save_state(&self) -> Vec<u8> {
        self.node.save_state()
    }

    fn load_state(&mut self, state: &[u8], last: Option<Moment>) -> Result<()> {
        self.resumed = last.is_none();
        self.node.set_order(Order { may_restart: false, ..self.node.order() });
        self.last = last;
        self.node.load_state(state)
    }
}

/// The first face that has not the same vertices, from whichever it begins and however it runs. Bodies of other faces
/// altogether, such as triangles of quads, are not compared.
fn other_face(body: &Mesh, rest: &Mesh) -> Option<usize> {
    let sorted = |mesh: &Mesh, face: usize| {
        let mut vertices = mesh.face(face).to_vec();
        vertices.sort_unstable();
        vertices
    };
    let same_faces = body.face_offsets == rest.face_offsets;
    (0..rest.face_count()).find(|&face| same_faces && sorted(body, face) != sorted(rest, face))
}

/// A frame's entry in the report.
fn told(frame: i64, report: &Report) -> Value {
    let mut row = json!({
        "frame": frame, "iterations": report.iterations, "residual": report.residual, "kept": false,
        "warnings": report.warnings,
    });
    report.figures.iter().for_each(|(name, value)| row[*name] = json!(value));
    row["milliseconds"] = report.stages.iter().map(|(name, ms)| (name.to_string(), json!(ms))).collect();
    row
}

/// Painted maps and general constraints.
fn set_maps(
    file: &SceneFile,
    element: &NodeElement,
    node: &mut Instance,
    given: &Mesh,
    surface: &Surface,
) -> Result<()> {
    for map in &element.maps {
        let set = set_map(node, &map.port, map.file.as_ref(), given, surface);
        set.map_err(|e| file.place(e, "map", map.line))?;
    }
    let Some(rows) = &element.rows else { return Ok(()) };
    let set = match surface.is_given() {
        true => set_rows(node, rows.file.as_ref()),
        false => {
            let message = "rows name vertices, and those of the cage are not on its limit surface";
            Err(Error::new(Kind::Unsupported, message))
        }
    };
    set.map_err(|e| file.place(e, "rows", rows.line))
}

fn set_map(node: &mut Instance, name: &str, path: &Path, given: &Mesh, surface: &Surface) -> Result<()> {
    let takes = |kind: PortKind| matches!(kind, PortKind::Reals { .. });
    let ports = node.descriptor().ports.iter();
    let maps: Vec<_> =
        ports.filter(|p| p.direction == Direction::Input && !p.required && takes(p.kind)).collect();
    let Some(port) = maps.iter().find(|p| p.id == name) else {
        let names: Vec<_> = maps.iter().map(|p| p.id).collect();
        let message = format!("no map \"{name}\"; there are {}", names.join(", "));
        return Err(Error::new(Kind::InvalidArgument, message));
    };
    let map = map::read(path, given).and_then(|map| surface.map(map))?;
    let components = map.components.max(1) as u32;
    node.set_array(port.id, &ArrayView::from_slice(&map.values, components)?).map_err(|e| e.file(path))
}

fn set_rows(node: &mut Instance, path: &Path) -> Result<()> {
    let rows = rows::read(path)?;
    let set = |node: &mut Instance| {
        node.set_array("rows", &ArrayView::from_slice(&rows.entries, 2)?)?;
        node.set_array("row_vectors", &ArrayView::from_slice(&rows.vectors, 3)?)?;
        node.set_array("row_speeds", &ArrayView::from_slice(&rows.speeds, 1)?)
    };
    set(node).map_err(|e| e.file(path))
}
