//! The `muscle_skin` node: skin carried by joints and by muscles that bulge and jiggle.

mod describe;
mod folds;
mod given;
mod layers;
mod memory;
mod params;
mod pressed;
mod reported;
mod results;

pub(super) use describe::DESCRIPTOR;

use super::descriptor::{Domain, NodeDescriptor, Port};
use super::node::{Names, Node, Report, Warnings};
use super::skinning::{JointLayer, milliseconds};
use super::time::{Past, Timing};
use super::timeline::{Frames, Origin, Run, Since, Timeline};
use super::value::{Inputs, Outputs};
use folds::Folds;
use given::BuiltFrom;
use layers::{Key, Layers};
use memory::{Memory, Saved, names_of};
use pressed::Pressed;
use reported::{Reported, Shown};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::TriMesh;
use sinew_math::Real;
use sinew_muscle::{self as muscle, Body, Model, Scratch, State};
use sinew_scene::muscles::{Built, split_names};
use sinew_skinning::PerVertex;
use std::sync::Arc;
use std::time::Instant;

/// The node.
#[derive(Default)]
struct MuscleSkin {
    joints: JointLayer,
    /// What the host gave last, and the muscles that it refers to.
    given: Option<Given>,
    /// Counts models, and changes of what muscles carry.
    revisions: u64,
    layers: Option<Layers>,
    folds: Folds,
    pressed: Pressed,
    /// The mesh at rest, and its revision.
    body: Option<(u64, Body)>,
    reported: Reported,
    scratch: Scratch,
    activations: Vec<Real>,
    timeline: Timeline<Running>,
}

/// The muscles of a source on joints at rest.
struct Given {
    source: BuiltFrom,
    rest_joints: u64,
    frames: muscle::Frames,
    /// What is known of them besides the model's parts.
    built: Built,
    model: Model,
    /// The names of the muscles.
    names: Names,
    /// The model's revision.
    number: u64,
    /// Whether they have been checked with the layers.
    checked: bool,
}

/// The memory of muscles with these names.
struct Running {
    names: u32,
    frames: Frames<Memory>,
}

/// Makes a fresh node.
pub(super) fn create() -> Box<dyn Node> {
    Box::new(MuscleSkin::default())
}

impl Node for MuscleSkin {
    fn descriptor(&self) -> &'static NodeDescriptor {
        &DESCRIPTOR
    }

    fn step(
        &mut self,
        timing: &Timing,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let result = self.frame(timing, inputs, outputs, control);
        if result.is_err() {
            // The report that would have reported it is lost.
            self.warn_again();
        }
        result
    }

    fn keep(&mut self) {
        self.timeline.keep();
    }

    fn past(&self) -> Past {
        self.timeline.past()
    }

    fn count(&mut self, output: &Port, inputs: &Inputs) -> Result<Option<usize>> {
        if output.domain == Domain::ON_BODY {
            return Ok(None);
        }
        self.joints.read_rest(inputs)?;
        self.take_muscles(inputs)?;
        Ok(self.given.as_ref().and_then(|given| results::count(output, &given.model)))
    }

    fn foresee(&mut self, inputs: &Inputs) -> Result<Vec<String>> {
        self.joints.build(inputs)?;
        self.take_muscles(inputs)?;
        // Points that another node computes are not known yet.
        if inputs.reals("points").is_ok() {
            self.take(inputs, &Control::default())?;
        }
        let weights = self.joints.wrong();
        Ok(weights.into_iter().chain(self.wrong(inputs)?).collect())
    }

    fn reset(&mut self) {
        self.timeline.reset();
        self.warn_again();
    }

    fn save(&self) -> Vec<u8> {
        match (self.timeline.loaded(), self.timeline.last_good()) {
            (Some(loaded), _) => loaded.encode(),
            (None, Some(running)) => running.saved().encode(),
            (None, None) => Vec::new(),
        }
    }

    fn load(&mut self, payload: &[u8]) -> Result<()> {
        let loaded = (!payload.is_empty()).then(|| Saved::decode(payload)).transpose()?;
        self.timeline.load(loaded);
        Ok(())
    }
}

/// The mesh at rest, if it is given.
fn body_of<'a>(known: &'a mut Option<(u64, Body)>, inputs: &Inputs) -> Result<Option<&'a Body>> {
    let Ok(mesh) = inputs.mesh("mesh") else { return Ok(None) };
    let revision = inputs.revision("mesh")?;
    if known.as_ref().is_none_or(|(other, _)| *other != revision) {
        let skin = TriMesh::from_mesh(mesh).map_err(|e| e.port("mesh"))?;
        *known = Some((revision, Body::new(skin)));
    }
    Ok(known.as_ref().map(|(_, body)| body))
}

/// What a step needs of what was prepared.
fn parts_of<'a>(
    given: &'a Option<Given>,
    layers: &'a mut Option<Layers>,
) -> Result<(&'a Given, &'a mut Layers)> {
    match (given, layers) {
        (Some(given), Some(layers)) => Ok((given, layers)),
        _ => Err(Error::new(Kind::Internal, "the muscles are missing after they were built")),
    }
}

impl MuscleSkin {
    /// A frame, as far as it gets.
    fn frame(
        &mut self,
        timing: &Timing,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let begin = Instant::now();
        let mut reported = Warnings::new(control);
        self.joints.prepare(inputs)?;
        self.take(inputs, control)?;
        reported.extend(self.joints.news());
        self.warn(inputs, &mut reported)?;
        self.remember();
        let prepare = milliseconds(begin);
        control.check()?;

        let begin = Instant::now();
        let timing = self.timeline.built()?.frames.follow(timing, "the muscles restart", &mut reported)?;
        self.move_muscles(&timing, inputs, &mut reported)?;
        let muscles = milliseconds(begin);

        let begin = Instant::now();
        let points = inputs.reals("points")?;
        let out = outputs.reals("points", points.len() / 3)?;
        self.joints.step(inputs, (PerVertex::Constant(1.0), 1.0), out)?;
        let (given, layers) = parts_of(&self.given, &mut self.layers)?;
        // A node that was just added changes nothing yet.
        if given.model.particle_count() > 0 {
            self.folds.relax(inputs, &self.joints, out)?;
        }
        let follow = given::follow(inputs)?;
        let largest = layers.add(inputs, (&given.model, follow), &self.scratch, out)?;
        self.pressed.press(inputs, (&given.model, given.number), &mut self.scratch, out)?;
        if let Some(largest) = largest {
            outputs.bound("points", largest)?;
        }
        let up = inputs.space().up();
        results::write(&given.model, given.number, &self.scratch, layers, up, outputs)?;
        let stages = vec![("prepare", prepare), ("muscles", muscles), ("deform", milliseconds(begin))];
        Ok(Report {
            history: timing.history,
            warnings: reported.into_list(),
            stages,
            names: Arc::clone(&given.names),
            ..Report::default()
        })
    }

    /// Everything that is still wrong is reported again.
    fn warn_again(&mut self) {
        self.reported.forget();
        self.joints.forget_reported();
        self.given.iter_mut().for_each(|given| given.checked = false);
    }

    /// The model and the layers of what the host gives, rebuilt only where it changed.
    fn take(&mut self, inputs: &Inputs, control: &Control) -> Result<()> {
        self.take_muscles(inputs)?;
        let Some(given) = &mut self.given else { return Ok(()) };
        let key = Key::new(inputs, given.number)?;
        match &mut self.layers {
            Some(layers) if layers.key == key => layers.set_factor(inputs, &mut self.revisions)?,
            _ => {
                self.layers = None;
                self.revisions += 1;
                let places = given.built.places();
                self.layers = Some(Layers::new(inputs, &given.model, &places, key, self.revisions, control)?);
                given.checked = false;
            }
        }
        if let Some(layers) = &mut self.layers {
            layers.cover(self.joints.model()?, &mut given.model);
        }
        Ok(())
    }

    /// Reports what is wrong with the muscles, as far as it has not been reported.
    fn warn(&mut self, inputs: &Inputs, reported: &mut Warnings) -> Result<()> {
        if self.given.as_ref().is_some_and(|given| !given.checked) {
            let wrong = self.wrong(inputs)?;
            reported.extend(self.reported.news(wrong));
        }
        self.given.iter_mut().for_each(|given| given.checked = true);
        Ok(())
    }

    /// What is wrong with the muscles at rest, one sentence each.
    fn wrong(&mut self, inputs: &Inputs) -> Result<Vec<String>> {
        let Some(given) = &self.given else { return Ok(Vec::new()) };
        let mut wrong = given.source.left_out(&given.built);
        let parts = given.model.parts();
        let holds_nothing = given.built.count() == 0 && parts.pads.is_empty() && parts.bones.is_empty();
        if holds_nothing && wrong.is_empty() {
            wrong.push("there are no muscles, so joints alone move the skin".into());
        }
        wrong.extend(reported::near_up(&given.model));
        let Some(layers) = &self.layers else { return Ok(wrong) };
        let body = body_of(&mut self.body, inputs)?;
        wrong.extend(reported::idle(&given.model, layers, body));
        if let Some(body) = body {
            let (mut muscles, mut pads) = body.outside(&given.model)?;
            // What has no effect has been named, and may belong to another part of the character, such as legs under a
            // shirt.
            muscles.retain(|muscle| layers.carries(*muscle));
            pads.retain(|pad| layers.displaces(*pad));
            wrong.extend(reported::outside(&given.model, &muscles, &pads));
        }
        Ok(wrong)
    }

    fn take_muscles(&mut self, inputs: &Inputs) -> Result<()> {
        let source = BuiltFrom::new(inputs, self.joints.rest.len())?;
        let (rest_joints, frames) = (inputs.revision("rest_joints")?, given::frames(inputs)?);
        let same = |given: &Given| given.rest_joints == rest_joints && given.frames == frames;
        if self.given.as_ref().is_some_and(|given| same(given) && given.source == source) {
            return Ok(());
        }
        if self.given.as_ref().is_none_or(|given| !given.source.has_set_of(&source)) {
            self.reported.forget_motions();
        }
        let mut built = source.build(inputs)?;
        let parts = std::mem::take(&mut built.parts);
        let names = parts.muscles.iter().map(|muscle| muscle.name.clone()).collect();
        let names = Names::new(vec![("muscles", names)]);
        if let Some(given) = self.given.as_mut().filter(|given| same(given) && given.model.rests_as(&parts)) {
            given.model.tune(parts)?;
            (given.source, given.built, given.names) = (source, built, names);
            return Ok(());
        }
        self.given = None;
        self.revisions += 1;
        let model = Model::new(parts, &self.joints.rest, frames)?;
        self.scratch = Scratch::default();
        let number = self.revisions;
        self.given = Some(Given { source, rest_joints, frames, built, model, names, number, checked: false });
        Ok(())
    }

    /// The memory: kept as long as the muscles have the same names.
    fn remember(&mut self) {
        let Some(given) = &self.given else { return };
        let names = names_of(given.model.parts());
        self.timeline.turn_back(|replaced| replaced.names == names);
        if self.timeline.running().is_none_or(|running| running.names != names) {
            let begun = self.timeline.last_good().is_some_and(|old| old.frames.now.frame.is_some());
            let lost = begun.then(|| "the muscles were changed".to_string());
            self.timeline.replace(Running::new(names, lost));
        }
        if let (Some(saved), Some(running)) = (self.timeline.loaded().cloned(), self.timeline.running_mut()) {
            *running = match saved.names == names && saved.now.state.fits(&given.model) {
                true => Running { names, frames: Frames::new(saved.now, Some(saved.before), Origin::Same) },
                false => {
                    Running::new(names, Some("the muscles have changed since the state was saved".into()))
                }
            };
        }
    }

    /// A frame of the muscles; on an error the memory is unchanged.
    fn move_muscles(&mut self, timing: &Timing, inputs: &Inputs, reported: &mut Warnings) -> Result<()> {
        let Some(given) = &self.given else { return Ok(()) };
        let running = self.timeline.built()?;
        running.frames.discard();
        let before = match running.frames.since(timing) {
            Since::Nothing => Memory::default(),
            Since::Before(memory) | Since::Last(memory) => memory.clone(),
        };
        given::activations(inputs, &given.built, &mut self.activations)?;
        let mut state = before.state.clone();
        let step = muscle::Inputs {
            joints: &self.joints.joints,
            activations: &self.activations,
            seconds: before.frame.map(|last| timing.frame.seconds - last.seconds),
        };
        let settings = given::settings(inputs)?;
        let report = muscle::step(&given.model, &mut state, &mut self.scratch, &settings, &step)?;
        if !report.warnings.is_empty() {
            let joint_names = split_names(inputs.text("joint_names")?).unwrap_or_default();
            let shown = Shown {
                model: &given.model,
                joints: &self.joints.joints,
                joint_names: &joint_names,
                jiggle: settings.jiggle,
            };
            reported.extend(self.reported.of_frame(&report, &shown));
        }
        if !state.is_finite() {
            let message = "a muscle is so far away or so fast that its position is not finite";
            return Err(Error::new(Kind::NotFinite, message));
        }
        running.frames.offer(before, Memory { frame: Some(timing.frame), state });
        Ok(())
    }
}

impl Running {
    /// Without any frame; `lost` says why former frames do not count.
    fn new(names: u32, lost: Option<String>) -> Self {
        let start = Memory::default();
        let origin = lost.map_or(Origin::Same, Origin::Lost);
        Running { names, frames: Frames::new(start.clone(), Some(start), origin) }
    }

    /// What is saved; with nothing before the last frame, that is what there is now.
    fn saved(&self) -> Saved {
        let Frames { now, before, .. } = &self.frames;
        Saved { names: self.names, before: before.as_ref().unwrap_or(now).clone(), now: now.clone() }
    }
}

impl Run for Running {
    type Memory = Memory;
    type Saved = Saved;

    fn frames(&self) -> &Frames<Memory> {
        &self.frames
    }

    fn frames_mut(&mut self) -> &mut Frames<Memory> {
        &mut self.frames
    }

    fn start(&self) -> Memory {
        Memory { frame: None, state: State::new() }
    }

    fn past(saved: &Saved) -> Past {
        Past::Last(saved.now.frame)
    }
}
