//! `sinew slide`: the skin slider over a sequence of body meshes.

use super::progress::Frames;
use super::{Context, interrupt, print, split};
use crate::error::{Error, Kind, Result};
use crate::formats::points::{PointSource, find_frames};
use crate::formats::{atomic, map, obj, rows};
use crate::geometry::{CornerLayer, Mesh};
use crate::math::{Real, Vec2, Vec3};
use crate::nodes::{ArrayView, ArrayViewMut, Direction, Instance, PortKind, Report};
use crate::scene::frames::parse_frames;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The body at rest (OBJ, with UVs when slid UVs are wanted). Before the first frame the skin matches it.
    #[arg(long)]
    rest: PathBuf,
    /// The animated body: 'body.%04d.obj', or a point cache (.pc2, .mdd).
    #[arg(long)]
    body: PathBuf,
    /// The frames, such as 1-48, 1-48x2 or 1,5,9; all that are there when left out.
    #[arg(long, allow_hyphen_values = true)]
    frames: Option<String>,
    /// Frames per second.
    #[arg(long, default_value_t = 24.0)]
    fps: Real,
    /// A map: NAME=FILE (CSV, JSON, PNG, EXR), one value per vertex. `sinew nodes skin_slider` lists them; the first
    /// ones to know are fixed (held from 0.5 on) and slide (three numbers: the only direction allowed).
    #[arg(long = "map", value_name = "NAME=FILE")]
    maps: Vec<String>,
    /// General constraints G v = g (CSV): `row,vertex,x,y,z` and, where the sum of a row is not to be 0, `,speed` in m/s.
    /// Rows and vertices are counted from 0; x, y, z multiply the velocity at which the skin slides there.
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    /// A parameter: NAME=VALUE. `sinew nodes skin_slider` lists them.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// The folder to write into: uv.%04d.obj, skin.%04d.csv and report.json. It is made when it is missing.
    #[arg(long)]
    out: PathBuf,
    /// Go on from a state that --save-state wrote.
    #[arg(long, value_name = "STATE")]
    resume: Option<PathBuf>,
    /// Write what the skin remembers after the last frame.
    #[arg(long, value_name = "STATE")]
    save_state: Option<PathBuf>,
}

/// What a run works with.
struct Run {
    node: Instance,
    mesh: Mesh,
    out: PathBuf,
    /// The body of the last frame that could be used.
    last_body: Vec<Vec3>,
    rows: Vec<Value>,
    warnings: Vec<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    if !(args.fps > 0.0 && args.fps.is_finite()) {
        return Err(Error::new(Kind::InvalidArgument, format!("{} is no frame rate", args.fps)));
    }
    let mut run = Run::new(args)?;
    let mut source = PointSource::open(&args.body, args.fps)?;
    let (given, expected) = (source.point_count(), run.mesh.positions.len());
    if given != expected {
        let message = format!("the body has {given} vertices, the mesh at rest {expected}");
        return Err(Error::new(Kind::CountMismatch, message).file(&args.body));
    }
    let frames = match &args.frames {
        Some(text) => parse_frames(text)?,
        None => source.frames().to_vec(),
    };
    let indices = find_frames(&source, &frames, &args.body)?;
    std::fs::create_dir_all(&args.out).map_err(|e| Error::io(&args.out, &e))?;
    let control = interrupt::control();
    let bar = Frames::new(frames.len());
    let mut stopped = Ok(());
    for (&frame, index) in frames.iter().zip(indices) {
        stopped = control.check().and_then(|()| run.frame(frame, args.fps, source.read(index), &control));
        if stopped.is_err() {
            break;
        }
        bar.step();
    }
    drop(bar);
    // What was done is told even when the run stopped early: the files of those frames are there.
    let report = json!({ "frames": run.rows, "warnings": run.warnings });
    let path = args.out.join("report.json");
    atomic::write(&path, |file| writeln!(file, "{report:#}"))?;
    stopped?;
    if let Some(path) = &args.save_state {
        let state = run.node.save_state();
        atomic::write(path, |file| file.write_all(&state))?;
    }
    run.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    if context.json {
        return print(&format!("{report}\n"));
    }
    print(&format!("{} frames of {expected} vertices: {}\n", frames.len(), args.out.display()))
}

impl Run {
    fn new(args: &Args) -> Result<Self> {
        let mesh = obj::read(&args.rest)?.mesh;
        let mut node = Instance::new("skin_slider")?;
        if let Some(path) = &args.resume {
            let bytes = std::fs::read(path).map_err(|e| Error::io(path, &e))?;
            node.load_state(&bytes).map_err(|e| e.file(path))?;
        }
        node.set_param_text("fps", &args.fps.to_string()).map_err(usage)?;
        for text in &args.params {
            let (name, value) = split("--set", text)?;
            node.set_param_text(&name, &value).map_err(usage)?;
        }
        node.set_mesh("rest", mesh.clone()).map_err(|e| e.file(&args.rest))?;
        for text in &args.maps {
            let (name, file) = split("--map", text)?;
            set_map(&mut node, &name, file.as_ref(), &mesh)?;
        }
        if let Some(path) = &args.rows {
            set_rows(&mut node, path)?;
        }
        let last_body = mesh.positions.clone();
        Ok(Run { node, mesh, out: args.out.clone(), last_body, rows: Vec::new(), warnings: Vec::new() })
    }

    /// One frame. A body that is no body leaves the skin as it was; the frame is written with the last good one.
    fn frame(
        &mut self,
        frame: i64,
        fps: Real,
        body: Result<Vec<Vec3>>,
        control: &crate::control::Control,
    ) -> Result<()> {
        match body {
            Ok(body) => {
                let points: Vec<Real> = body.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
                self.node
                    .set_array("points", &ArrayView::from_slice(&points, 3)?)
                    .map_err(|e| e.frame(frame))?;
                let report = self.node.step(frame, frame as Real / fps, control)?;
                self.last_body = body;
                self.note(frame, &report);
            }
            Err(error) if error.kind() == Kind::NotFinite => {
                let warning = format!("frame {frame}: the last good skin is kept: {error}");
                self.rows.push(json!({ "frame": frame, "kept": true, "warnings": [warning] }));
                self.warnings.push(warning);
                if self.node.last_frame().is_none() {
                    let points: Vec<Real> = self.last_body.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
                    self.node.set_array("points", &ArrayView::from_slice(&points, 3)?)?;
                    self.node.step(frame, frame as Real / fps, control)?;
                }
            }
            Err(error) => return Err(error),
        }
        self.write(frame)
    }

    fn note(&mut self, frame: i64, report: &Report) {
        let mut row = json!({
            "frame": frame, "iterations": report.iterations, "residual": report.residual, "kept": false,
            "warnings": report.warnings,
        });
        report.figures.iter().for_each(|(name, value)| row[*name] = json!(value));
        row["milliseconds"] = report.stages.iter().map(|(name, ms)| (name.to_string(), json!(ms))).collect();
        self.rows.push(row);
        for warning in &report.warnings {
            self.warnings.push(format!("frame {frame}: {warning}"));
        }
    }

    fn write(&self, frame: i64) -> Result<()> {
        let n = self.mesh.positions.len();
        let uvs = self.read("uvs", 2)?;
        let mut mesh = Mesh { positions: self.last_body.clone(), normals: None, ..self.mesh.clone() };
        mesh.uvs = (!uvs.is_empty()).then(|| CornerLayer {
            values: uvs.chunks_exact(2).map(Vec2::from_column_slice).collect(),
            indices: (0..uvs.len() as u32 / 2).collect(),
        });
        obj::save(&self.out.join(format!("uv.{frame:04}.obj")), &mesh).map_err(|e| e.frame(frame))?;
        let (points, faces, weights) =
            (self.read("skin_points", 3)?, self.read("skin_faces", 1)?, self.read("skin_weights", 3)?);
        let path = self.out.join(format!("skin.{frame:04}.csv"));
        let written = atomic::write(&path, |file| {
            writeln!(file, "vertex,x,y,z,face,b0,b1,b2")?;
            for v in 0..n {
                let (p, b) = (&points[3 * v..3 * v + 3], &weights[3 * v..3 * v + 3]);
                let face = faces[v] as u64;
                writeln!(file, "{v},{},{},{},{face},{},{},{}", p[0], p[1], p[2], b[0], b[1], b[2])?;
            }
            Ok(())
        });
        written.map_err(|e| e.frame(frame))
    }

    fn read(&self, port: &str, components: u32) -> Result<Vec<Real>> {
        let mut values = vec![0.0; self.node.output_count(port)? * components as usize];
        if !values.is_empty() {
            self.node.read(port, &mut ArrayViewMut::from_slice(&mut values, components)?)?;
        }
        Ok(values)
    }
}

/// A mistake on the command line.
fn usage(error: Error) -> Error {
    Error::new(Kind::InvalidArgument, error.to_string())
}

fn set_map(node: &mut Instance, name: &str, path: &Path, mesh: &Mesh) -> Result<()> {
    let takes = |kind: PortKind| matches!(kind, PortKind::Reals { .. });
    let ports = node.descriptor().ports.iter();
    let maps: Vec<_> =
        ports.filter(|p| p.direction == Direction::Input && !p.required && takes(p.kind)).collect();
    let Some(port) = maps.iter().find(|p| p.id == name) else {
        let names: Vec<_> = maps.iter().map(|p| p.id).collect();
        let message = format!("no map \"{name}\"; there are {}", names.join(", "));
        return Err(Error::new(Kind::InvalidArgument, message));
    };
    let map = map::read(path, mesh)?;
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
