//! The `strand` node: tendons, muscles, bones and joints in motion, led by a host's joints or leading them.

mod describe;
mod given;
mod memory;
mod params;
mod results;
mod rig;

pub(super) use describe::DESCRIPTOR;

use super::descriptor::{NodeDescriptor, Port};
use super::node::{Names, Node, Report, Warnings};
use super::strand_report::{NamedGoal, Watch, apart, substeps, torn, warnings};
use super::time::{Order, Past, Timing};
use super::timeline::{Frames, Origin, Run, Since, Timeline};
use super::value::{Inputs, Outputs};
use memory::{Last, Memory, split};
use rig::{Rig, RigSpec};
use serde_json::Value;
use sinew_base::control::{Control, Stopwatch};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::motion::rotation_vector;
use sinew_math::{Placement, Real, Space};
use sinew_strand::energy::{energy, left_out};
use sinew_strand::parts::Goal;
use sinew_strand::state::State;
use sinew_strand::step::{self, STAGES, Scratch};

/// The node.
#[derive(Default)]
struct StrandNode {
    timeline: Timeline<Running>,
}

/// Everything that belongs to one source.
struct Running {
    source: RigSpec,
    rig: Rig,
    scratch: Scratch,
    frames: Frames<Memory>,
}

/// What is requested of a frame.
struct Asked {
    led: Vec<Placement>,
    activations: Vec<Real>,
    /// The goals that muscles pursue, and those to be reached at the end.
    goals: Vec<Goal>,
    named: Vec<NamedGoal>,
    /// The longest step in s.
    step: Real,
}

/// No hand moves farther than this in a frame, in m and degrees: the host has the body elsewhere than the scene.
const JUMP: [Real; 2] = [0.2, 45.0];

/// Makes a fresh node.
pub(super) fn create() -> Box<dyn Node> {
    Box::new(StrandNode::default())
}

impl Node for StrandNode {
    fn descriptor(&self) -> &'static NodeDescriptor {
        &DESCRIPTOR
    }

    fn ready(&mut self, inputs: &Inputs, order: &Order) -> Result<()> {
        self.take(RigSpec::new(inputs)?)?;
        let running = self.timeline.built()?;
        running.check_steps(inputs)?;
        match running.frames.lost().filter(|_| !order.may_restart) {
            None => Ok(()),
            Some(why) => {
                let message = format!(
                    "{why}: continue with the scene as it was then, or run from the start (settings, activations, \
                     keys, goals and timed events may change)"
                );
                Err(Error::new(Kind::OutOfOrder, message))
            }
        }
    }

    fn count(&mut self, output: &Port, inputs: &Inputs) -> Result<Option<usize>> {
        self.take(RigSpec::new(inputs)?)?;
        let running = self.timeline.built()?;
        Ok(results::count(output, &running.rig, &running.frames.now.state))
    }

    fn item_names(&self) -> Names {
        self.timeline.running().map_or_else(Names::default, |running| running.rig.names())
    }

    fn so_far(&self) -> Vec<String> {
        let watch = self.timeline.last_good().map(|running| &running.frames.now.watch);
        watch.and_then(Watch::too_still).into_iter().collect()
    }

    fn step(
        &mut self,
        timing: &Timing,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let mut reported = Warnings::new(control);
        self.take(RigSpec::new(inputs)?)?;
        let running = self.timeline.built()?;
        let timing = running.frames.follow(timing, "the strands restart", &mut reported)?;
        running.step(&timing, inputs, outputs, control, reported)
    }

    fn keep(&mut self) {
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
            (Some(loaded), _) => loaded.clone(),
            (None, Some(running)) => running.encode(),
            (None, None) => Vec::new(),
        }
    }

    fn load(&mut self, payload: &[u8]) -> Result<()> {
        let loaded = (!payload.is_empty()).then_some(payload);
        loaded.map(split).transpose()?;
        self.timeline.load(loaded.map(Into::into));
        Ok(())
    }
}

impl StrandNode {
    /// The model, rebuilt only where it changed, with its memory of the last good frame.
    fn take(&mut self, source: RigSpec) -> Result<()> {
        self.timeline.turn_back(|replaced| replaced.source == source);
        if self.timeline.running().is_none_or(|running| running.source != source) {
            let mut made = Running::new(source)?;
            if self.timeline.last_good().is_some_and(|old| old.frames.now.last.is_some()) {
                made.lose("the scene was changed".into());
            }
            self.timeline.replace(made);
        }
        match self.timeline.loaded().cloned() {
            Some(loaded) => self.timeline.built()?.load(&loaded),
            None => Ok(()),
        }
    }
}

impl Run for Running {
    type Memory = Memory;
    /// The model of saved bytes is known only with the inputs.
    type Saved = Vec<u8>;

    fn frames(&self) -> &Frames<Memory> {
        &self.frames
    }

    fn frames_mut(&mut self) -> &mut Frames<Memory> {
        &mut self.frames
    }

    fn start(&self) -> Memory {
        Memory::at_start(&self.rig.model)
    }

    fn past(saved: &Vec<u8>) -> Past {
        Past::Last(split(saved).ok().and_then(|(last, _)| last).map(|last| last.frame))
    }
}

impl Running {
    /// The start state.
    fn new(source: RigSpec) -> Result<Self> {
        let rig = Rig::new(&source)?;
        let scratch = Scratch::new(&rig.model).map_err(|e| rig.locate(e))?;
        let frames = Frames::at_start(Memory::at_start(&rig.model));
        Ok(Running { source, rig, scratch, frames })
    }

    /// Rejects a longest step that divides a frame into too many.
    fn check_steps(&self, inputs: &Inputs) -> Result<()> {
        let (seconds, step) = (1.0 / inputs.real("fps")?, inputs.real("step")?);
        match step > 0.0 {
            true => substeps(seconds, step).map_err(|e| e.param("step")),
            false => substeps(seconds, self.rig.step).map_err(|e| self.rig.locate_step(e)),
        }
        .map(drop)
    }

    /// Begins, since the former memory does not fit.
    fn lose(&mut self, why: String) {
        let start = self.start();
        self.frames = Frames::new(start.clone(), Some(start), Origin::Lost(why));
    }

    /// The saved state; the start state if something has changed since.
    fn load(&mut self, bytes: &[u8]) -> Result<()> {
        let model = &self.rig.model;
        let changed = match Memory::changed(model, bytes) {
            Err(e) if e.kind() == Kind::WrongType => Some(e.message().to_string()),
            changed => changed?.map(|what| format!("{what} has changed since the state was saved")),
        };
        match changed {
            Some(why) => self.lose(why),
            None => {
                let [before, now] = Memory::decode(model, bytes)?;
                self.frames = Frames::new(now, Some(before), Origin::Same);
            }
        }
        Ok(())
    }

    /// The memory as bytes; with nothing before the last frame, that is what there is now.
    fn encode(&self) -> Vec<u8> {
        let Frames { now, before, .. } = &self.frames;
        now.encode(before.as_ref().unwrap_or(now), &self.rig.model)
    }

    /// A frame; on an error the memory is unchanged.
    fn step(
        &mut self,
        timing: &Timing,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
        mut reported: Warnings,
    ) -> Result<Report> {
        self.frames.discard();
        let (last, before) = self.turn_to(timing, inputs)?;
        let [from, to] = last.span();
        let asked = self.asked(inputs, [from, to])?;
        self.rig.model.settings_mut().gravity = self.rig.gravity * inputs.real("gravity")?;
        let Memory { state: mut now, mut watch, .. } = before.clone();
        if last.first {
            reported.extend(self.rig.empty().or_else(|| self.rig.stretched()));
        }
        let preroll = inputs.real("preroll")?;
        if last.first && preroll > 0.0 {
            let asked = self.asked(inputs, [to, to])?;
            // Half the time to move to where the host is, half to come to rest there.
            for _ in 0..2 {
                let report = self.move_on(&mut now, &asked, 0.5 * preroll, control)?;
                let warnings = warnings(&self.rig.model, &self.rig.rules, &report);
                reported.extend(warnings.into_iter().map(|text| format!("before the first frame: {text}")));
            }
        } else if last.first {
            reported.extend(self.jump(&asked));
        }
        let moves = last.seconds() > 0.0;
        let mut report = step::Report::default();
        if moves {
            self.rig.change(&mut now, from, to)?;
            report = self.move_on(&mut now, &asked, last.seconds(), control)?;
            let measured = self.rig.measured(inputs.space());
            reported.extend(watch.note(&measured, &now, &report, &asked.named, last.seconds()));
            reported.extend(watch.note_stillness(left_out(&self.rig.model, &now)));
        }
        results::write(&self.rig, &now, moves.then_some(&self.scratch), outputs)?;
        let (clock, detailed) = (&mut Stopwatch::start(), inputs.flag("details")?);
        let details = match detailed {
            true => self.details(inputs.space(), &now, &asked.named, moves.then_some(&report))?,
            false => Value::Null,
        };
        let mut measuring = 0.0;
        clock.lap(&mut measuring);
        let wrong = apart(&self.rig.model, &self.rig.rules, &report).filter(|_| moves);
        reported.extend(wrong.clone());
        let wrong: Vec<String> = wrong.into_iter().chain(torn(&self.rig.model, &report)).collect();
        let mut report = self.reported(timing, &now, &report, details, reported)?;
        report.wrong.extend(wrong);
        report.stages.extend(detailed.then_some(("details", measuring * 1e3)));
        self.frames.offer(before, Memory { last: Some(last), state: now, watch });
        Ok(report)
    }

    /// All measurements of a frame; at the start there are no steps.
    fn details(
        &self,
        space: Space,
        now: &State,
        goals: &[NamedGoal],
        report: Option<&step::Report>,
    ) -> Result<Value> {
        let measured = self.rig.measured(space);
        let mut reported =
            measured.state(now, report.map(|_| &self.scratch), goals).map_err(|e| self.rig.locate(e))?;
        reported.extend(report.into_iter().flat_map(|report| measured.steps(&self.scratch, report)));
        Ok(reported.into())
    }

    /// What the host and the scene prescribe for a frame, from one time of the scene to another.
    fn asked(&self, inputs: &Inputs, [from, time]: [Real; 2]) -> Result<Asked> {
        let (goals, named) = given::goals(inputs, &self.rig, [from, time])?;
        let step = inputs.real("step")?;
        Ok(Asked {
            led: given::led(inputs, &self.rig, time)?,
            activations: given::activations(inputs, &self.rig, &goals, time)?,
            goals,
            named,
            step: if step > 0.0 { step } else { self.rig.step },
        })
    }

    /// Warns about a body that is led far away within the first frame: whatever is attached to it is yanked along.
    fn jump(&self, asked: &Asked) -> Option<String> {
        let bodies = &self.rig.model.parts().bodies;
        self.rig.led.iter().find_map(|&b| {
            let (from, to) = (&bodies[b].place, &asked.led[b]);
            let way = (to.origin - from.origin).norm();
            let turn = rotation_vector(&(from.rotation.inverse() * to.rotation)).norm().to_degrees();
            (way > JUMP[0] || turn > JUMP[1]).then(|| {
                format!(
                    "body {} jumps {way:.2} m and {turn:.0} degrees in the first frame from where it was modelled; a \
                     preroll moves it there gently",
                    bodies[b].name
                )
            })
        })
    }

    /// Advances a state; returns the intended number of steps.
    fn move_on(
        &mut self,
        state: &mut State,
        asked: &Asked,
        seconds: Real,
        control: &Control,
    ) -> Result<step::Report> {
        // On the command line the step may be wrong; here it is the host's time.
        let too_long = |e: Error| Error::new(Kind::OutOfRange, e.message());
        let substeps = substeps(seconds, asked.step).map_err(too_long)?;
        let Asked { led, activations, goals, .. } = asked;
        let inputs = step::Inputs { seconds, substeps, led, activations, goals };
        let report = step::step(&self.rig.model, state, &mut self.scratch, &inputs, control);
        report.map_err(|e| self.rig.locate(e))
    }

    fn reported(
        &self,
        timing: &Timing,
        now: &State,
        report: &step::Report,
        details: Value,
        warnings: Warnings,
    ) -> Result<Report> {
        let energy = energy(&self.rig.model, now);
        let figures = vec![
            ("steps", Real::from(report.steps)),
            ("unsolved_steps", report.unsolved as Real),
            ("kinetic_energy", energy.kinetic),
            ("elastic_energy", energy.elastic),
        ];
        // NaN or infinity here would stay in the memory forever.
        if now.time.is_finite() && figures.iter().all(|(_, value)| value.is_finite()) {
            return Ok(Report {
                history: timing.history,
                iterations: report.factorisations as u32,
                residual: report.error,
                warnings: warnings.into_list(),
                stages: STAGES.into_iter().zip(report.seconds.map(|s| s * 1e3)).collect(),
                figures,
                names: self.rig.names(),
                details,
                wrong: Vec::new(),
            });
        }
        let message = "bodies or strands are so far away or so fast that their positions are not finite";
        Err(Error::new(Kind::NotFinite, message))
    }

    /// What to compute, and from what.
    fn turn_to(&self, timing: &Timing, inputs: &Inputs) -> Result<(Last, Memory)> {
        let frame = timing.frame;
        let known = match self.frames.since(timing) {
            Since::Nothing => None,
            Since::Before(before) => self.frames.now.last.map(|last| (last, before.clone())),
            Since::Last(memory) => memory.last.map(|last| {
                let last = Last { frame, from: last.frame.seconds, first: false, ..last };
                (last, memory.clone())
            }),
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let moved = inputs.pick("first_frame", &[true, false])?;
        let before = if moved { 1.0 / inputs.real("fps")? } else { 0.0 };
        let start = frame.seconds - before;
        Ok((Last { frame, from: start, start, first: true }, self.start()))
    }
}
