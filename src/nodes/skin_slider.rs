//! The `skin_slider` node: skin that slides over an animated body.

mod describe;
mod given;
mod memory;
mod params;
mod past;
mod pose;
mod results;
mod simulated;
mod sound;
mod told;

pub(super) use describe::DESCRIPTOR;

use super::descriptor::NodeDescriptor;
use super::registry::{Node, Report, Warnings};
use super::time::{Moment, Past};
use super::value::{Inputs, Outputs};
use crate::control::{Control, Level};
use crate::error::{Error, Kind, Result};
use crate::geometry::{Mesh, SurfacePoint, TriMesh};
use crate::math::{Real, Vec3};
use crate::skin::model::{Mode, Model, Settings};
use crate::skin::paper;
use crate::skin::production::{self, Runner};
use crate::skin::state::State;
use given::vectors;
use memory::Memory;
use past::first_memories;
use results::{Results, Wanted};
use simulated::{Painted, Proxy, compare, sampled};
use sound::Sound;
use std::time::Instant;

/// The node.
#[derive(Default)]
pub(super) struct SkinSlider {
    running: Option<Running>,
    /// Loaded before the mesh was there.
    loaded: Option<Memory>,
    /// The corners of stitches that had come apart, loaded with it.
    opened: Vec<u32>,
    sound: Sound,
}

/// Everything that belongs to one mesh.
struct Running {
    built: Built,
    /// For each face of the surface the given one; empty where they are the same.
    given_faces: Vec<u32>,
    /// Likewise the first given vertex of each vertex.
    given_vertices: Vec<u32>,
    /// The surface of the given mesh.
    full: Model,
    /// The numbers of the soft ties that the models have; none while they have none.
    ties: Option<given::Ties>,
    /// Fewer triangles of it, when they are asked for; then the state is theirs.
    proxy: Option<Proxy>,
    scratch: production::Scratch,
    /// The skin on the given mesh.
    skin: Vec<SurfacePoint>,
    /// The paper's integrator, when it is chosen.
    paper: Option<Paper>,
    /// The skin computed on the given mesh, to know the proxy's error.
    reference: Option<Runner>,
    results: Results,
    now: Memory,
    /// Before the last frame, to compute that frame again; not known after loading.
    before: Option<Memory>,
}

/// What the paper's integrator needs besides the model.
struct Paper {
    charts: paper::Charts,
    scratch: paper::Scratch,
}

/// What a new model may go on from.
struct Earlier<'a> {
    running: Option<&'a Running>,
    loaded: Option<&'a Memory>,
    /// What each vertex was on the surface of the running model, when stitches have come apart since.
    parents: Option<&'a [u32]>,
}

/// What the models were built from.
#[derive(Clone, Copy, PartialEq, Default)]
struct Built {
    rest: u64,
    painted: [u64; PAINTED.len()],
    keep: u64,
    triangles: usize,
    paper: bool,
    /// Whether the paper's integrator makes its own atlas.
    quads: bool,
    riders: u64,
    /// Whether there are natural ties.
    tied: bool,
}

const PAINTED: [&str; 13] = [
    "fixed",
    "hold",
    "slide",
    "region",
    "anchor",
    "thickness_map",
    "stiffness",
    "density_map",
    "prestrain",
    "fibres",
    "rows",
    "row_vectors",
    "row_speeds",
];

/// The longest frame of skin with inertia, in s: more is a mistake in the time, and would take for ever.
const LONGEST_FRAME: Real = 100.0;

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
        moment: &Moment,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let resumed = self.loaded.as_ref().filter(|loaded| loaded.frame.is_some()).map(|_| &*self.opened);
        let mut sound = std::mem::take(&mut self.sound);
        let made = sound.update(inputs, moment.history.begins(), resumed).and_then(|()| {
            let surface = sound.inputs(inputs);
            self.step_on(&sound, moment, &surface, outputs, control).map_err(|e| sound.place(e))
        });
        let made = made.and_then(|report| sound.spread(inputs, outputs).map(|()| report));
        self.sound = sound;
        let mut report = made?;
        let mut notes = Warnings::new(control);
        notes.extend(self.sound.take_notes());
        report.warnings.splice(0..0, notes.into_list());
        Ok(report)
    }

    fn past(&self) -> Past {
        let loaded = self.loaded.as_ref().and_then(|loaded| loaded.frame);
        match (&self.running, loaded) {
            (_, Some(frame)) => Past::End(frame),
            (Some(running), None) => match (running.now.frame, &running.before) {
                (Some(frame), None) => Past::End(frame),
                (last, _) => Past::Last(last),
            },
            (None, None) => Past::Last(None),
        }
    }

    fn reset(&mut self) {
        (self.loaded, self.opened) = (None, Vec::new());
        if let Some(running) = &mut self.running {
            running.now = Memory::at_rest(running.model());
            running.before = Some(running.now.clone());
        }
    }

    fn save(&self) -> Vec<u8> {
        match (&self.running, &self.loaded) {
            (Some(running), _) => memory::with_opened(running.now.encode(), self.sound.opened()),
            (None, Some(loaded)) => memory::with_opened(loaded.encode(), &self.opened),
            (None, None) => Vec::new(),
        }
    }

    fn save_lean(&self) -> Vec<u8> {
        match &self.running {
            Some(running) => memory::with_opened(running.now.encode_lean(), self.sound.opened()),
            None => self.save(),
        }
    }

    fn make_lean(&mut self) {
        if let Some(running) = &mut self.running {
            running.now.state.make_lean();
        }
    }

    fn load(&mut self, _: u32, payload: &[u8]) -> Result<()> {
        let (payload, opened) = memory::without_opened(payload);
        self.loaded = if payload.is_empty() { None } else { Some(Memory::decode(payload)?) };
        self.opened = opened;
        Ok(())
    }
}

impl SkinSlider {
    /// A frame on the surface of the given mesh.
    fn step_on(
        &mut self,
        sound: &Sound,
        moment: &Moment,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let mut warnings = Warnings::new(control);
        self.prepare(sound, inputs, &mut warnings, control)?;
        let Some(running) = &mut self.running else {
            return Err(Error::new(Kind::Internal, "the model is not there after it was built"));
        };
        running.step(moment, inputs, outputs, control, warnings)
    }

    /// The models of these inputs, rebuilt only where they changed; a running skin is carried over to a changed mesh.
    fn prepare(
        &mut self,
        sound: &Sound,
        inputs: &Inputs,
        warnings: &mut Warnings,
        control: &Control,
    ) -> Result<()> {
        let mut painted = [0; PAINTED.len()];
        for (revision, port) in painted.iter_mut().zip(PAINTED) {
            *revision = inputs.revision(port)?;
        }
        let built = Built {
            rest: sound.number(),
            painted,
            keep: inputs.revision("proxy_keep")?,
            triangles: inputs.int("proxy_triangles")? as usize,
            paper: inputs.choice("integrator")? == 1,
            quads: inputs.choice("atlas")? == 1,
            riders: inputs.revision("riders")?,
            tied: inputs.real("tie_reach")? > 0.0,
        };
        let settings = given::settings(inputs)?;
        let fits = self.running.as_ref().is_some_and(|r| r.built == built);
        if !fits {
            let earlier = Earlier {
                running: self.running.as_ref(),
                loaded: self.loaded.as_ref(),
                parents: sound.parents(),
            };
            control.progress(0.0, "building the skin")?;
            let clock = Instant::now();
            let mut made = Running::new(inputs, built, &earlier, warnings, control)?;
            control.log_with(Level::Info, || {
                let (mesh, seconds) = (made.model().rest.mesh(), clock.elapsed().as_secs_f64());
                let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
                format!(
                    "the skin of {vertices} vertices and {triangles} triangles was built in {seconds:.2} s"
                )
            });
            made.given_faces = sound.faces().to_vec();
            made.given_vertices = sound.vertices();
            (self.running, self.loaded) = (Some(made), None);
            self.opened.clear();
        }
        match &mut self.running {
            Some(running) => running.set(settings, inputs),
            None => Ok(()),
        }
    }
}

impl Paper {
    fn new(model: &Model, mesh: &Mesh, quads: bool) -> Result<Self> {
        let charts = match quads {
            true => paper::Charts::generated(&model.rest)?,
            false if mesh.uvs.is_none() => {
                let message = "the paper's integrator needs UVs, and the mesh has none; with the parameter atlas = quads \
                               it makes coordinates of its own";
                return Err(Error::new(Kind::MissingInput, message));
            }
            false => paper::Charts::islands(&model.rest, mesh)?,
        };
        let scratch = paper::Scratch::new(model, &charts, &[])?;
        Ok(Paper { charts, scratch })
    }

    /// A frame. The velocities in coordinates are made anew from those in space, so that a saved state says all.
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        given: &production::Inputs,
        control: &Control,
    ) -> Result<production::Report> {
        let mut own = paper::State::from_shared(model, &self.charts, state.clone())?;
        let inputs = paper::Inputs {
            body: given.body,
            seconds: given.seconds,
            step: paper::STEP,
            chain: paper::Chain::default(),
            forces: given.forces,
        };
        let report = paper::step(model, &self.charts, &mut own, &mut self.scratch, &inputs, control)?;
        *state = own.shared;
        state.brakes.clear();
        let [couple, assembly, solve, advection] = report.seconds;
        Ok(production::Report {
            iterations: report.steps,
            residual: report.fastest,
            energy: [report.energy; 2],
            inverted: report.inverted,
            unsettled: None,
            snap: None,
            held: 0,
            seconds: [couple, assembly, solve, 0.0, advection],
            warnings: Vec::new(),
            kept: report.kept,
        })
    }
}

impl Running {
    fn new(
        inputs: &Inputs,
        built: Built,
        earlier: &Earlier,
        warnings: &mut Warnings,
        control: &Control,
    ) -> Result<Self> {
        let mesh = inputs.mesh("rest")?;
        let on_rest = |e: Error| e.port("rest");
        let settings = given::settings(inputs)?;
        control.progress(0.05, "building the skin")?;
        let mut full = Model::new(TriMesh::from_mesh(mesh).map_err(on_rest)?, settings).map_err(on_rest)?;
        let mut painted = Painted::new(inputs, full.len())?;
        if built.tied {
            painted.hold_unknown(&full.rest);
        }
        full.set_holds(&painted.holds)?;
        full.set_maps(painted.maps.clone())?;
        full.set_rows(given::rows(inputs)?).map_err(|e| e.port("rows"))?;
        control.progress(0.1, "building the skin")?;
        let keep = given::values(inputs.map("proxy_keep")?, full.len());
        let smaller = built.triangles > 0 && built.triangles < full.rest.mesh().triangles.len();
        let proxy = match smaller {
            true => Some(Proxy::new(&full, built.triangles, &keep, settings, &painted)?),
            false => None,
        };
        let model = proxy.as_ref().map_or(&full, |proxy| &proxy.model);
        let paper = match built.paper {
            true if proxy.is_some() => {
                let message = "the paper's integrator runs on the whole mesh: proxy_triangles must be 0";
                return Err(Error::new(Kind::InvalidArgument, message));
            }
            true => Some(Paper::new(&full, mesh, built.quads).map_err(on_rest)?),
            false => None,
        };
        let (now, before) = first_memories(model, built, earlier, warnings)?;
        control.progress(0.2, "building the skin")?;
        let scratch = production::Scratch::new(model)?;
        control.progress(0.3, "building the skin")?;
        let mut results = Results::new(mesh, &full).map_err(on_rest)?;
        results.set_riders(&full, &vectors(inputs.map("riders")?)).map_err(|e| e.port("riders"))?;
        let skin = full.rest.home();
        Ok(Running {
            built,
            given_faces: Vec::new(),
            given_vertices: Vec::new(),
            ties: None,
            proxy,
            scratch,
            skin,
            paper,
            reference: None,
            results,
            now,
            before,
            full,
        })
    }

    /// Sets what may change from frame to frame without a new model.
    fn set(&mut self, settings: Settings, inputs: &Inputs) -> Result<()> {
        let ties = given::ties(inputs, &settings)?;
        self.full.settings = settings;
        // New ties number the unknowns of a model anew, which is too much for every frame.
        let tied = self.ties == Some(ties);
        if !tied {
            let anchors = given::anchors(inputs, &ties, &self.full, (&self.full, None))?;
            self.full.set_anchors(&anchors)?;
        }
        if let Some(proxy) = &mut self.proxy {
            proxy.model.settings = settings;
            if !tied {
                let on = (&proxy.model, Some(&proxy.vertices[..]));
                let anchors = given::anchors(inputs, &ties, &self.full, on)?;
                proxy.model.set_anchors(&anchors)?;
            }
        }
        self.ties = Some(ties);
        Ok(())
    }

    fn model(&self) -> &Model {
        self.proxy.as_ref().map_or(&self.full, |proxy| &proxy.model)
    }

    fn step(
        &mut self,
        moment: &Moment,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
        mut warnings: Warnings,
    ) -> Result<Report> {
        let (before, seconds) = self.turn_to(moment, inputs.real("fps")?, &mut warnings);
        if moment.history.begins() {
            self.reference = None;
        }
        let body: Vec<Vec3> = inputs.reals("points")?.chunks_exact(3).map(Vec3::from_column_slice).collect();
        let forces = vectors(inputs.map("forces")?);
        let substeps = match inputs.int("substeps")? as u32 {
            0 => self.full.settings.automatic_substeps(seconds),
            given => given,
        };
        let timed = self.paper.is_some() || self.full.settings.mode == Mode::Dynamic;
        if timed && seconds > LONGEST_FRAME {
            let message = format!(
                "the frame takes {seconds} s, and skin with inertia is followed over at most {LONGEST_FRAME} s at once"
            );
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let given = production::Inputs { body: &body, seconds, substeps, forces: &forces };
        let mut state = before.state.clone();
        let first = before.frame.is_none() && self.paper.is_none();
        if first {
            self.begin_at_rest();
        }
        let report = match (&self.proxy, &mut self.paper) {
            (None, Some(paper)) => paper.step(&self.full, &mut state, &given, control)?,
            (None, None) => production::step(&self.full, &mut state, &mut self.scratch, &given, control)?,
            (Some(proxy), _) => {
                let (body, forces) = (sampled(&proxy.vertices, &body), sampled(&proxy.vertices, &forces));
                let given = production::Inputs { body: &body, forces: &forces, ..given };
                production::step(&proxy.model, &mut state, &mut self.scratch, &given, control)?
            }
        };
        if first {
            state.forget_motion();
        }
        let clock = Instant::now();
        match &mut self.proxy {
            None => self.skin.copy_from_slice(&state.skin),
            Some(proxy) => proxy.carry(&state.skin, &mut self.skin)?,
        }
        self.before = Some(before);
        self.now = Memory { state, frame: Some(moment.frame), seconds };
        let wanted = [Wanted::All, Wanted::Measures, Wanted::Skin][inputs.choice("outputs")?];
        let spread = clock.elapsed().as_secs_f64();
        let [uvs, measures, slid] = self.results.write(&self.full, &self.skin, &body, wanted, outputs)?;
        let mut report = self.told(moment.history, report, warnings);
        let after = [("spread", spread), ("uvs", uvs), ("measure", measures), ("slid", slid)];
        report.stages.extend(after.map(|(name, seconds)| (name, seconds * 1e3)));
        if self.proxy.is_some() && inputs.flag("proxy_check")? {
            let reference = match self.reference.take() {
                Some(reference) => reference,
                None => Runner::new(&self.full)?,
            };
            let reference = self.reference.insert(reference);
            let [rms, max] = compare(&self.full, &self.skin, reference, &given, control)?;
            report.figures.extend([("proxy_error_rms", rms), ("proxy_error_max", max)]);
        }
        Ok(report)
    }

    /// The first frame is no motion from the rest pose but where the motion begins: the skin is in equilibrium there. The
    /// next frame's settings are those of the parameters again.
    fn begin_at_rest(&mut self) {
        let settings = Settings {
            mode: Mode::Quasistatic,
            // Nothing was seen before it.
            snap_speed: Real::INFINITY,
            ..self.full.settings
        };
        self.full.settings = settings;
        if let Some(proxy) = &mut self.proxy {
            proxy.model.settings = settings;
        }
    }
}
