//! The `skin_slider` node: skin that slides over an animated body.

mod acted;
mod describe;
mod given;
mod memory;
mod paper;
mod params;
mod past;
mod pose;
mod reported;
mod results;
mod saved;
mod simulated;
mod sound;

pub(super) use describe::DESCRIPTOR;

use super::descriptor::{NodeDescriptor, Port};
use super::node::{Node, Report, Warnings};
use super::time::{Past, Timing};
use super::timeline::{Frames, Timeline};
use super::value::{Inputs, Outputs};
use given::vectors;
use memory::Memory;
use paper::Paper;
use past::{Earlier, first};
use results::Results;
use saved::Saved;
use simulated::{Painted, Proxy, compare};
use sinew_base::control::{Control, Level};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::atlas::SeamSide;
use sinew_geometry::{SurfacePoint, TriMesh};
use sinew_math::{Real, Vec3};
use sinew_skin::model::{Mode, Model, Settings};
use sinew_skin::production::{self, Runner};
use sinew_skin::state::State;
use sound::Sound;
use std::time::Instant;

/// The node.
#[derive(Default)]
pub(super) struct SkinSlider {
    timeline: Timeline<Running>,
    sound: Sound,
    /// The models of the last meshes before the running one, the latest first: states of their frames may be loaded.
    former: Vec<Model>,
}

/// The part of a first frame's progress that building the skin takes.
const BUILDING: f64 = 0.5;

/// A topology changes once, or between a few meshes, and each of their models takes memory.
const MOST_FORMER: usize = 3;

/// Everything that belongs to one mesh.
struct Running {
    built: Built,
    /// The original face of each face of the surface; empty if they are the same.
    given_faces: Vec<u32>,
    /// Likewise the first original vertex of each vertex.
    given_vertices: Vec<u32>,
    /// The surface of the original mesh.
    full: Model,
    /// The stiffnesses of the models' soft ties; none if they have none.
    ties: Option<given::Ties>,
    /// Its decimated mesh, if a proxy is requested; the state is then the proxy's.
    proxy: Option<Proxy>,
    scratch: production::Scratch,
    /// The skin on the original mesh.
    skin: Vec<SurfacePoint>,
    /// The paper's integrator, if selected.
    paper: Option<Paper>,
    /// The skin computed on the original mesh, to measure the proxy's error.
    reference: Option<Runner>,
    results: Results,
    /// Identifies its model.
    shape: u32,
    frames: Frames<Memory>,
    /// The reference's state after the last frame, until that is kept.
    measured: Option<State>,
    /// At how many vertices fibres were missing in the last frame.
    fibreless: usize,
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

/// The longest frame of skin with inertia, in s: more is an error in the time, and would take forever.
const LONGEST_FRAME: Real = 100.0;

/// Makes a fresh node.
pub(super) fn create() -> Box<dyn Node> {
    Box::new(SkinSlider::default())
}

impl Node for SkinSlider {
    fn descriptor(&self) -> &'static NodeDescriptor {
        &DESCRIPTOR
    }

    fn count(&mut self, output: &Port, inputs: &Inputs) -> Result<Option<usize>> {
        results::count(output, inputs)
    }

    fn step(
        &mut self,
        timing: &Timing,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let mut sound = std::mem::take(&mut self.sound);
        let made = self.follow(&mut sound, timing, inputs, &control.part(0.0, BUILDING)).and_then(|built| {
            let settling = control.part(if built { BUILDING } else { 0.0 }, 1.0);
            let running = self.timeline.built()?;
            let made = running.step(timing, &sound.inputs(inputs), outputs, &settling);
            made.map_err(|e| sound.place(e))
        });
        let made = made.and_then(|report| sound.spread(inputs, outputs).map(|()| report));
        self.sound = sound;
        let mut report = made?;
        let mut notes = Warnings::new(control);
        notes.extend(self.sound.notes().iter().cloned());
        report.warnings.splice(0..0, notes.into_list());
        Ok(report)
    }

    fn keep(&mut self) {
        self.sound.keep();
        self.remember();
        self.timeline.keep();
    }

    fn past(&self) -> Past {
        self.timeline.past()
    }

    fn reset(&mut self) {
        self.timeline.reset();
    }

    fn save(&self) -> Vec<u8> {
        match (self.timeline.loaded(), self.timeline.last_good()) {
            (Some(loaded), _) => loaded.encode(),
            (None, Some(running)) => {
                let mut out = Vec::new();
                self.put_head(running, &mut out);
                running.frames.now.put(&mut out);
                out
            }
            (None, None) => Vec::new(),
        }
    }

    fn save_lean(&self, out: &mut Vec<u8>) {
        match (self.timeline.loaded(), self.timeline.last_good()) {
            (Some(loaded), _) => loaded.put_lean(out),
            (None, Some(running)) => {
                self.put_head(running, out);
                running.frames.now.put_lean(out);
            }
            (None, None) => {}
        }
    }

    fn make_lean(&mut self) {
        if let Some(loaded) = self.timeline.loaded_mut() {
            loaded.memory.state.make_lean();
        } else if let Some(running) = self.timeline.last_good_mut() {
            running.frames.now.state.make_lean();
        }
    }

    fn load(&mut self, payload: &[u8]) -> Result<()> {
        let loaded = if payload.is_empty() { None } else { Some(Saved::decode(payload)?) };
        self.remember();
        self.timeline.load(loaded);
        Ok(())
    }
}

impl SkinSlider {
    fn put_head(&self, running: &Running, out: &mut Vec<u8>) {
        saved::put_head(out, running.shape, self.sound.opened());
    }

    /// Updates the model for a frame's inputs: the surface, then the models on it. Whether that was built anew.
    fn follow(
        &mut self,
        sound: &mut Sound,
        timing: &Timing,
        inputs: &Inputs,
        control: &Control,
    ) -> Result<bool> {
        let resumed = self.timeline.loaded().filter(|loaded| loaded.memory.frame.is_some());
        sound.update(inputs, timing.history.begins(), resumed.map(|loaded| &*loaded.opened))?;
        let mut built = self.prepare(sound, &sound.inputs(inputs), control).map_err(|e| sound.place(e))?;
        let loaded = self.timeline.loaded().is_some();
        let foreign = self
            .timeline
            .running()
            .is_some_and(|running| running.frames.lost().is_some() || loaded && running.frames.are_carried());
        if foreign && !sound.opened().is_empty() {
            // The opened stitches belong to the skin that is discarded, or to the mesh before.
            sound.update(inputs, true, None)?;
            built |= self.prepare(sound, &sound.inputs(inputs), control).map_err(|e| sound.place(e))?;
        }
        Ok(built)
    }

    /// Keeps the model of a run that ends, unless it has the triangles of the running one.
    fn remember(&mut self) {
        let Some(replaced) = self.timeline.take_replaced() else { return };
        let other = |shape: u32| self.timeline.running().is_none_or(|running| running.shape != shape);
        if other(replaced.shape) {
            self.former.retain(|model| saved::shape(model) != replaced.shape && other(saved::shape(model)));
            self.former.insert(0, replaced.into_model());
            self.former.truncate(MOST_FORMER);
        }
    }

    /// The models of these inputs, rebuilt only where they changed, with their memory of the last good frame. Whether
    /// they were.
    fn prepare(&mut self, sound: &Sound, inputs: &Inputs, control: &Control) -> Result<bool> {
        let built = Built::new(sound, inputs)?;
        if let Some(ends) = self.timeline.last_good_mut().filter(|running| running.built != built) {
            // What is carried over is found by places on meshes at rest.
            ends.rest_again();
        }
        let (running, loaded) = (self.timeline.last_good(), self.timeline.loaded());
        let earlier = Earlier { running, loaded, parents: sound.parents(), former: &self.former };
        let kept = self.timeline.running().filter(|running| running.built == built);
        let anew = kept.is_none();
        match kept {
            Some(running) if loaded.is_some() => {
                let frames = first(running.model(), built, &earlier)?;
                self.timeline.built()?.begin(frames);
            }
            Some(_) => {}
            None => {
                control.progress(0.0, "building the skin")?;
                let clock = Instant::now();
                let mut made = Running::new(inputs, built, &earlier, control)?;
                control.log_with(Level::Info, || made.built_in(clock.elapsed().as_secs_f64()));
                made.given_faces = sound.faces().to_vec();
                made.given_vertices = sound.vertices();
                self.timeline.replace(made);
            }
        }
        let settings = given::settings(inputs)?;
        self.timeline.built()?.set(settings, inputs).map(|()| anew)
    }
}

impl Built {
    fn new(sound: &Sound, inputs: &Inputs) -> Result<Self> {
        let mut painted = [0; PAINTED.len()];
        for (revision, port) in painted.iter_mut().zip(PAINTED) {
            *revision = inputs.revision(port)?;
        }
        Ok(Built {
            rest: sound.number(),
            painted,
            keep: inputs.revision("proxy_keep")?,
            triangles: given::most_triangles(inputs)?,
            paper: inputs.pick("integrator", &[false, true])?,
            quads: inputs.pick("atlas", &[false, true])?,
            riders: inputs.revision("riders")?,
            tied: inputs.real("tie_reach")? > 0.0,
        })
    }
}

impl Running {
    fn new(inputs: &Inputs, built: Built, earlier: &Earlier, control: &Control) -> Result<Self> {
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
        let proxy = match built.triangles < full.rest.mesh().triangles.len() {
            true => {
                let control = control.part(0.1, 0.6);
                Some(Proxy::new(&full, built.triangles, &keep, settings, &painted, &control)?)
            }
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
        let frames = first(model, built, earlier)?;
        let shape = saved::shape(model);
        control.progress(0.6, "building the skin")?;
        let scratch = production::Scratch::new(model)?;
        control.progress(0.8, "building the skin")?;
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
            shape,
            frames,
            measured: None,
            fibreless: 0,
            full,
        })
    }

    /// Continues from another memory.
    fn begin(&mut self, frames: Frames<Memory>) {
        self.frames = frames;
        (self.measured, self.reference) = (None, None);
    }

    /// Sets what may change from frame to frame without a new model.
    fn set(&mut self, settings: Settings, inputs: &Inputs) -> Result<()> {
        let ties = given::ties(inputs, &settings)?;
        self.full.settings = settings;
        // New ties renumber the unknowns of a model, which is too expensive for every frame.
        let tied = self.ties == Some(ties);
        if !tied {
            // Natural ones are those of the mesh at rest.
            self.rest_again();
            let anchors = given::anchors(inputs, &ties, &self.full)?;
            self.full.set_anchors(&anchors)?;
            if let Some(proxy) = &mut self.proxy {
                proxy.set_anchors(&anchors)?;
            }
        }
        if let Some(proxy) = &mut self.proxy {
            proxy.model.settings = settings;
        }
        self.ties = Some(ties);
        Ok(())
    }

    fn into_model(self) -> Model {
        self.proxy.map_or(self.full, |proxy| proxy.model)
    }

    fn model(&self) -> &Model {
        self.proxy.as_ref().map_or(&self.full, |proxy| &proxy.model)
    }

    fn step(
        &mut self,
        timing: &Timing,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let mut warnings = Warnings::new(control);
        self.frames.discard();
        self.measured = None;
        let timing = self.frames.follow(timing, "the skin starts from rest", &mut warnings)?;
        let (before, seconds) = self.turn_to(&timing, inputs.real("fps")?);
        if timing.history.begins() {
            self.reference = None;
        }
        warnings.extend(self.missing_fibres(timing.history.begins()));
        let body: Vec<Vec3> = inputs.reals("points")?.chunks_exact(3).map(Vec3::from_column_slice).collect();
        let forces = vectors(inputs.map("forces")?);
        let substeps = match inputs.int("substeps")? as u32 {
            0 => self.full.settings.automatic_substeps(seconds),
            given => given,
        };
        let timed = self.paper.is_some() || self.full.settings.mode == Mode::Dynamic;
        if timed && seconds > LONGEST_FRAME {
            let message = format!(
                "the frame takes {seconds} s, and skin with inertia is simulated over at most {LONGEST_FRAME} s at once"
            );
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let given = production::Inputs { body: &body, seconds, substeps, forces: &forces };
        let mut state = before.state.clone();
        self.act(&vectors(inputs.map("acted")?)).map_err(|e| e.port("acted"))?;
        let first = before.frame.is_none() && self.paper.is_none();
        if first {
            self.begin_at_rest();
        }
        let report = self.advance(&mut state, &given, control)?;
        if first {
            state.forget_motion();
        }
        let clock = Instant::now();
        self.results.seam_side = inputs.pick("uv_seams", &[SeamSide::Nearest, SeamSide::Held])?;
        self.recall_uvs(&before)?;
        self.carry_skin(&state.skin)?;
        let now = Memory { state, frame: Some(timing.frame), seconds };
        let spread = clock.elapsed().as_secs_f64();
        let [uvs, measures, slid] = self.results.write(&self.full, &self.skin, &body, inputs, outputs)?;
        self.results.count_seams(timing.frame, before.frame, &self.skin, outputs)?;
        let mut report = self.reported(timing.history, report, warnings);
        let after = [("spread", spread), ("uvs", uvs), ("measure", measures), ("slid", slid)];
        report.stages.extend(after.map(|(name, seconds)| (name, seconds * 1e3)));
        if self.proxy.is_some() && inputs.flag("proxy_check")? {
            let [rms, max] = self.compare_with_all(&given, control)?;
            report.figures.extend([("proxy_error_rms", rms), ("proxy_error_max", max)]);
        }
        self.frames.offer(before, now);
        Ok(report)
    }

    /// Moves the skin by a frame: with the paper's integrator, with all vertices, or with the proxy's.
    fn advance(
        &mut self,
        state: &mut State,
        given: &production::Inputs,
        control: &Control,
    ) -> Result<production::Report> {
        match (&self.proxy, &mut self.paper) {
            (None, Some(paper)) => paper.step(&self.full, state, given, control),
            (None, None) => production::step(&self.full, state, &mut self.scratch, given, control),
            (Some(proxy), _) => {
                let (body, forces) = (proxy.body(given.body), proxy.forces(given.forces));
                let given = production::Inputs { body: &body, forces: &forces, ..*given };
                production::step(&proxy.model, state, &mut self.scratch, &given, control)
            }
        }
    }

    /// Runs all vertices beside the proxy; returns the mean and the largest distance of the results.
    fn compare_with_all(&mut self, given: &production::Inputs, control: &Control) -> Result<[Real; 2]> {
        let runner = match self.reference.take() {
            Some(runner) => runner,
            None => Runner::new(&self.full)?,
        };
        let runner = self.reference.insert(runner);
        let known = runner.state.clone();
        let compared = compare(&self.full, &self.skin, runner, given, control);
        self.measured = Some(std::mem::replace(&mut runner.state, known));
        compared
    }

    /// The first frame is not a motion from the rest pose but the start of the motion: the skin is in equilibrium
    /// there. The next frame uses the parameters' settings again.
    fn begin_at_rest(&mut self) {
        let settings = Settings {
            mode: Mode::Quasistatic,
            // No UVs were written before it.
            snap_speed: Real::INFINITY,
            ..self.full.settings
        };
        self.full.settings = settings;
        if let Some(proxy) = &mut self.proxy {
            proxy.model.settings = settings;
        }
    }
}
