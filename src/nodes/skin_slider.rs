//! The `skin_slider` node: skin that slides over an animated body.

mod describe;
mod memory;

pub(super) use describe::DESCRIPTOR;

use super::descriptor::NodeDescriptor;
use super::registry::{Frame, Node, Report};
use super::value::{Inputs, Map, Outputs};
use crate::control::Control;
use crate::energy::{Fung, Material, NeoHookean, Orthotropic, Stvk};
use crate::error::{Error, Kind, Result};
use crate::geometry::atlas::IslandUvs;
use crate::geometry::{HalfEdges, SurfacePoint, TriMesh};
use crate::math::{Real, Vec2, Vec3};
use crate::skin::model::{Anchor, Hold, Maps, Mode, Model, Settings};
use crate::skin::production;
use crate::skin::retarget::retarget;
use crate::skin::state::State;
use memory::Memory;

/// The node.
#[derive(Default)]
pub(super) struct SkinSlider {
    running: Option<Running>,
    /// Loaded before the mesh was there.
    loaded: Option<Memory>,
}

/// Everything that belongs to one mesh.
struct Running {
    built: Built,
    model: Model,
    scratch: production::Scratch,
    uvs: Option<IslandUvs>,
    corners: Corners,
    now: Memory,
    /// Before the last frame, to compute that frame again.
    before: Memory,
}

/// Revisions of what the model was built from.
#[derive(Clone, Copy, PartialEq, Default)]
struct Built {
    rest: u64,
    holds: [u64; 4],
    maps: [u64; 5],
}

/// The polygons, for the outputs per corner.
struct Corners {
    offsets: Vec<u32>,
    vertices: Vec<u32>,
}

/// Makes a fresh node.
pub(super) fn create() -> Box<dyn Node> {
    Box::new(SkinSlider::default())
}

impl Node for SkinSlider {
    fn descriptor(&self) -> &'static NodeDescriptor {
        &DESCRIPTOR
    }

    fn step(
        &mut self,
        frame: &Frame,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let mut warnings = Vec::new();
        self.prepare(inputs, &mut warnings)?;
        let Some(running) = &mut self.running else {
            return Err(Error::new(Kind::Internal, "the model is not there after it was built"));
        };
        let seconds = running.turn_to(frame, inputs.real("fps")?, &mut warnings);
        let body: Vec<Vec3> = inputs.reals("points")?.chunks_exact(3).map(Vec3::from_column_slice).collect();
        let forces = vectors(inputs.map("forces")?);
        let mode_substeps = inputs.int("substeps")? as u32;
        let substeps = match mode_substeps {
            0 => running.model.settings.automatic_substeps(seconds),
            given => given,
        };
        let given = production::Inputs { body: &body, seconds, substeps, forces: &forces };
        let mut state = running.before.state.clone();
        let report = production::step(&running.model, &mut state, &mut running.scratch, &given, control)?;
        running.now = Memory { state, frame: Some(*frame), seconds };
        running.write(outputs)?;
        Ok(told(report, warnings, running))
    }

    fn save(&self) -> Vec<u8> {
        match (&self.running, &self.loaded) {
            (Some(running), _) => running.now.encode(),
            (None, Some(loaded)) => loaded.encode(),
            (None, None) => Vec::new(),
        }
    }

    fn load(&mut self, _: u32, payload: &[u8]) -> Result<()> {
        self.loaded = if payload.is_empty() { None } else { Some(Memory::decode(payload)?) };
        Ok(())
    }
}

fn told(report: production::Report, mut warnings: Vec<String>, running: &Running) -> Report {
    let stages = ["carry", "assemble", "solve", "search", "velocity"];
    if !report.inverted.is_empty() {
        let faces = &running.model.rest.mesh().faces;
        let first = faces.get(report.inverted[0] as usize).copied().unwrap_or(report.inverted[0]);
        warnings.push(format!(
            "triangles of skin that are turned over: {}, the first in face {first}",
            report.inverted.len()
        ));
    }
    warnings.extend(report.warnings);
    Report {
        iterations: report.iterations as u32,
        residual: report.residual,
        warnings,
        stages: stages.into_iter().zip(report.seconds.map(|s| s * 1e3)).collect(),
        figures: vec![
            ("energy_before", report.energy[0]),
            ("energy_after", report.energy[1]),
            ("inverted_triangles", report.inverted.len() as Real),
            ("kept", Real::from(u8::from(report.kept))),
        ],
    }
}

impl SkinSlider {
    /// The model of these inputs, rebuilt only where they changed; a running skin is carried over to a changed mesh.
    fn prepare(&mut self, inputs: &Inputs, warnings: &mut Vec<String>) -> Result<()> {
        let built = Built {
            rest: inputs.revision("rest")?,
            holds: revisions(inputs, ["fixed", "slide", "region", "anchor"])?,
            maps: revisions(inputs, ["thickness_map", "stiffness", "density_map", "prestrain", "fibres"])?,
        };
        let settings = settings(inputs)?;
        let mut running = match self.running.take() {
            Some(running) if running.built.rest == built.rest => running,
            old => {
                let running = Running::new(inputs, settings, old, self.loaded.take(), warnings);
                // A failed rebuild must not leave a node without memory.
                running?
            }
        };
        running.model.settings = settings;
        let result = running.refresh(inputs, built);
        self.running = Some(running);
        result
    }
}

impl Running {
    fn new(
        inputs: &Inputs,
        settings: Settings,
        old: Option<Running>,
        loaded: Option<Memory>,
        warnings: &mut Vec<String>,
    ) -> Result<Self> {
        let mesh = inputs.mesh("rest")?;
        let model = Model::new(TriMesh::from_mesh(mesh).map_err(|e| e.port("rest"))?, settings)
            .map_err(|e| e.port("rest"))?;
        let edges = HalfEdges::of_triangles(model.len(), &model.rest.mesh().triangles);
        let uvs = match &mesh.uvs {
            Some(_) => Some(IslandUvs::new(mesh, model.rest.mesh(), &edges).map_err(|e| e.port("rest"))?),
            None => None,
        };
        let now = match (old, loaded) {
            (_, Some(loaded)) => {
                loaded.state.check(&model)?;
                loaded
            }
            (Some(old), None) => {
                let (state, farthest) = retarget(&old.model, &old.now.state, &model)?;
                let parts = farthest / model.rest.mean_edge();
                warnings.push(format!(
                    "the mesh at rest changed: the skin was carried over, within {parts:.2} edges"
                ));
                Memory { state, ..old.now }
            }
            (None, None) => Memory { state: State::at_rest(&model), frame: None, seconds: 0.0 },
        };
        let scratch = production::Scratch::new(&model)?;
        let corners = Corners { offsets: mesh.face_offsets.clone(), vertices: mesh.corner_vertices.clone() };
        let before = now.clone();
        Ok(Running { built: Built::default(), model, scratch, uvs, corners, now, before })
    }

    /// Takes over changed holds and maps.
    fn refresh(&mut self, inputs: &Inputs, built: Built) -> Result<()> {
        let settings_only = self.built == built;
        if settings_only {
            self.model.set_anchors(&anchors(inputs, self.model.len())?)?;
            return Ok(());
        }
        self.built = Built::default();
        let n = self.model.len();
        let holds = holds(inputs, n)?;
        if holds != self.model.holds() {
            self.model.set_holds(&holds)?;
            self.scratch = production::Scratch::new(&self.model)?;
        }
        self.model.set_anchors(&anchors(inputs, n)?)?;
        self.model.set_maps(maps(inputs, n)?)?;
        self.built = built;
        Ok(())
    }

    /// Seconds since the frame before; the same frame again starts from before it, an earlier one from rest.
    fn turn_to(&mut self, frame: &Frame, fps: Real, warnings: &mut Vec<String>) -> Real {
        let one = 1.0 / fps;
        match self.now.frame {
            None => {
                self.before = self.now.clone();
                one
            }
            Some(last) if frame.seconds > last.seconds => {
                self.before = self.now.clone();
                frame.seconds - last.seconds
            }
            Some(last) if frame.seconds == last.seconds && frame.number == last.number => {
                if self.now.seconds > 0.0 { self.now.seconds } else { one }
            }
            Some(last) => {
                let text = format!(
                    "frame {} comes after frame {}: the skin starts from rest",
                    frame.number, last.number
                );
                warnings.push(text);
                self.before = Memory { state: State::at_rest(&self.model), frame: None, seconds: 0.0 };
                one
            }
        }
    }

    fn write(&mut self, outputs: &mut Outputs) -> Result<()> {
        let (rest, skin) = (&self.model.rest, &self.now.state.skin);
        let n = skin.len();
        for (out, point) in outputs.reals("skin_points", n)?.chunks_exact_mut(3).zip(skin) {
            out.copy_from_slice(rest.place(point).as_slice());
        }
        for (out, point) in outputs.reals("skin_faces", n)?.iter_mut().zip(skin) {
            *out =
                Real::from(rest.mesh().faces.get(point.triangle as usize).copied().unwrap_or(point.triangle));
        }
        for (out, point) in outputs.reals("skin_weights", n)?.chunks_exact_mut(3).zip(skin) {
            out.copy_from_slice(&point.weights);
        }
        self.write_uvs(outputs)
    }

    fn write_uvs(&mut self, outputs: &mut Outputs) -> Result<()> {
        let corners = self.corners.vertices.len();
        let Some(uvs) = &self.uvs else {
            outputs.reals("uvs", 0)?;
            return Ok(());
        };
        let out = outputs.reals("uvs", corners)?;
        let skin = &self.now.state.skin;
        let (mut points, mut found): (Vec<SurfacePoint>, Vec<Vec2>) = (Vec::new(), Vec::new());
        for (face, ends) in self.corners.offsets.windows(2).enumerate() {
            let range = ends[0] as usize..ends[1] as usize;
            points.clear();
            points.extend(self.corners.vertices[range.clone()].iter().map(|&v| skin[v as usize]));
            found.resize(points.len(), Vec2::zeros());
            uvs.face_uvs(&points, face, &mut found).map_err(|e| e.port("uvs"))?;
            for (corner, uv) in range.zip(&found) {
                out[2 * corner..2 * corner + 2].copy_from_slice(uv.as_slice());
            }
        }
        Ok(())
    }
}

fn revisions<const N: usize>(inputs: &Inputs, ports: [&str; N]) -> Result<[u64; N]> {
    let mut revisions = [0; N];
    for (revision, port) in revisions.iter_mut().zip(ports) {
        *revision = inputs.revision(port)?;
    }
    Ok(revisions)
}

fn settings(inputs: &Inputs) -> Result<Settings> {
    let (young, poisson) = (inputs.real("young")?, inputs.real("poisson")?);
    let material = match inputs.choice("material")? {
        0 => Material::Stvk(Stvk::new(young, poisson)?),
        1 => Material::NeoHookean(NeoHookean::new(young, poisson)?),
        2 => Material::Fung(Fung::new(young, poisson, inputs.real("fung_exponent")?)?),
        _ => Material::Orthotropic(Orthotropic::new(young, poisson, inputs.real("fibre_ratio")?)?),
    };
    let unlimited = |value: Real| if value > 0.0 { value } else { Real::INFINITY };
    Ok(Settings {
        thickness: inputs.real("thickness")?,
        density: inputs.real("density")?,
        mode: [Mode::Quasistatic, Mode::Dynamic][inputs.choice("mode")?],
        zeta: inputs.real("zeta")?,
        // \[ThinSkin §3.6\] caps the length per step of 1 ms.
        fastest_carried: unlimited(inputs.real("delta_max")?) / 1e-3,
        friction_time: unlimited(inputs.real("friction_time")?),
        gravity: Vec3::new(0.0, -inputs.real("gravity")?, 0.0),
        tolerance: inputs.real("tolerance")?,
        max_iterations: inputs.int("max_iterations")? as usize,
        ..Settings::new(material)
    })
}

fn holds(inputs: &Inputs, n: usize) -> Result<Vec<Hold>> {
    let (fixed, region) = (values(inputs.map("fixed")?, n), values(inputs.map("region")?, n));
    let slide = vectors(inputs.map("slide")?);
    let hold = |v: usize| match slide.get(v) {
        _ if fixed[v] >= 0.5 || region[v] < 0.5 => Hold::Fixed,
        Some(direction) if *direction != Vec3::zeros() => Hold::Along(*direction),
        _ => Hold::Free,
    };
    Ok((0..n).map(hold).collect())
}

fn anchors(inputs: &Inputs, n: usize) -> Result<Vec<Anchor>> {
    let painted = values(inputs.map("anchor")?, n);
    let soft = inputs.real("anchor_soft")?;
    let (stiff, toe) = (inputs.real("anchor_stiff")?.max(soft), inputs.real("anchor_toe")?);
    Ok(painted.iter().map(|p| Anchor { soft: p * soft, stiff: p * stiff, toe }).collect())
}

fn maps(inputs: &Inputs, n: usize) -> Result<Maps> {
    let fibres = vectors(inputs.map("fibres")?);
    Ok(Maps {
        thickness: values(inputs.map("thickness_map")?, n),
        stiffness: values(inputs.map("stiffness")?, n),
        density: values(inputs.map("density_map")?, n),
        prestrain: values(inputs.map("prestrain")?, n),
        fibres: if fibres.is_empty() { vec![Vec3::zeros(); n] } else { fibres },
    })
}

fn values(map: Map<'_>, n: usize) -> Vec<Real> {
    match map {
        Map::Values(values) => values.to_vec(),
        Map::Constant(value) => vec![value; n],
    }
}

/// Three numbers per vertex; empty when nothing is set.
fn vectors(map: Map<'_>) -> Vec<Vec3> {
    match map {
        Map::Values(values) => values.chunks_exact(3).map(Vec3::from_column_slice).collect(),
        Map::Constant(_) => Vec::new(),
    }
}
