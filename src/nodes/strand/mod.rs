//! The `strand` node: tendons, muscles, bones and joints in motion, led by a host's joints or leading them.

mod describe;
mod given;
mod memory;
mod params;
mod results;
mod rig;

pub(super) use describe::DESCRIPTOR;

use super::descriptor::NodeDescriptor;
use super::node::{Node, Report, Warnings};
use super::time::{Frame, History, Moment, Order, Past};
use super::value::{Inputs, Outputs};
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::math::{Placement, Real, Space};
use crate::scene::strand_detail::NamedGoal;
use crate::scene::strand_frame::{substeps, warnings};
use crate::scene::strand_watch::Watch;
use crate::strand::energy::{energy, left_out};
use crate::strand::parts::Goal;
use crate::strand::state::State;
use crate::strand::step::{self, STAGES, Scratch};
use memory::{Last, Memory, split};
use rig::{Rig, Source};
use serde_json::Value;

/// The node.
#[derive(Default)]
struct StrandNode {
    running: Option<Running>,
    /// The previous run, until the first good frame of the current one.
    replaced: Option<Running>,
    /// The loaded state, until then: the model is known only with the inputs.
    loaded: Option<Vec<u8>>,
}

/// Everything that belongs to one source.
struct Running {
    source: Source,
    rig: Rig,
    scratch: Scratch,
    memory: Memory,
    /// Why the previous state does not fit the model, until the first good frame.
    lost: Option<String>,
    made: Option<Memory>,
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
        self.take(Source::new(inputs)?)?;
        let Some(running) = &self.running else { return Ok(()) };
        running.check_steps(inputs)?;
        match running.lost.as_ref().filter(|_| !order.may_restart) {
            None => Ok(()),
            Some(why) => {
                let message = format!(
                    "{why}: go on with the scene as it was, or run from the start (settings, activations, keys, goals and what \
                     happens at times may change)"
                );
                Err(Error::new(Kind::OutOfOrder, message))
            }
        }
    }

    fn so_far(&self) -> Vec<String> {
        let watch = self.last_good().map(|running| &running.memory.watch[1]);
        watch.and_then(Watch::too_still).into_iter().collect()
    }

    fn step(
        &mut self,
        moment: &Moment,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let mut told = Warnings::new(control);
        let mut moment = *moment;
        self.take(Source::new(inputs)?)?;
        let Some(running) = &mut self.running else {
            return Err(Error::new(Kind::Internal, "the model is not there after it was built"));
        };
        if let Some(why) = running.lost.as_ref().filter(|_| moment.history != History::Started) {
            moment = moment.restart(why)?;
            told.push(format!("{why}: it restarts"));
        } else if moment.history == History::Restarted {
            told.push(format!("{}: the strands restart", moment.why()));
        }
        running.step(&moment, inputs, outputs, control, told)
    }

    fn keep(&mut self) {
        (self.replaced, self.loaded) = (None, None);
        if let Some(running) = &mut self.running {
            running.lost = None;
            if let Some(made) = running.made.take() {
                running.memory = made;
            }
        }
    }

    fn past(&self) -> Past {
        let last = match &self.loaded {
            Some(loaded) => split(loaded).ok().and_then(|(last, _)| last),
            None => self.last_good().and_then(|running| running.memory.last),
        };
        Past::Last(last.map(|last| last.frame))
    }

    fn reset(&mut self) {
        (self.replaced, self.loaded) = (None, None);
        if let Some(running) = &mut self.running {
            running.begin(Memory::at_start(&running.rig.model), None);
        }
    }

    fn save(&self) -> Vec<u8> {
        match (&self.loaded, self.last_good()) {
            (Some(loaded), _) => loaded.clone(),
            (None, Some(running)) => running.memory.encode(&running.rig.model),
            (None, None) => Vec::new(),
        }
    }

    fn load(&mut self, _: u32, payload: &[u8]) -> Result<()> {
        if !payload.is_empty() {
            split(payload)?;
        }
        self.reset();
        self.loaded = (!payload.is_empty()).then(|| payload.into());
        Ok(())
    }
}

impl StrandNode {
    /// What the last good frame ran on.
    fn last_good(&self) -> Option<&Running> {
        self.replaced.as_ref().or(self.running.as_ref())
    }

    /// The model, rebuilt only where it changed, with its memory of the last good frame.
    fn take(&mut self, source: Source) -> Result<()> {
        if self.replaced.as_ref().is_some_and(|replaced| replaced.source == source) {
            self.running = self.replaced.take();
        }
        if self.running.as_ref().is_none_or(|running| running.source != source) {
            let mut made = Running::new(source)?;
            if self.last_good().is_some_and(|old| old.memory.last.is_some()) {
                made.lost = Some("what moves was changed".into());
            }
            let old = self.running.replace(made);
            self.replaced = self.replaced.take().or(old);
        }
        match (&self.loaded, &mut self.running) {
            (Some(loaded), Some(running)) => running.load(loaded),
            _ => Ok(()),
        }
    }
}

impl Running {
    /// The start state.
    fn new(source: Source) -> Result<Self> {
        let rig = Rig::new(&source)?;
        let scratch = Scratch::new(&rig.model).map_err(|e| rig.locate(e))?;
        let memory = Memory::at_start(&rig.model);
        Ok(Running { source, rig, scratch, memory, lost: None, made: None })
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

    fn begin(&mut self, memory: Memory, lost: Option<String>) {
        (self.memory, self.lost, self.made) = (memory, lost, None);
    }

    /// The saved state; the start state if something has changed since.
    fn load(&mut self, bytes: &[u8]) -> Result<()> {
        let model = &self.rig.model;
        let changed = match Memory::changed(model, bytes) {
            Err(e) if e.kind() == Kind::WrongType => Some(e.message().to_string()),
            changed => changed?.map(|what| format!("{what} has changed since the state was saved")),
        };
        let memory = match &changed {
            Some(_) => Memory::at_start(model),
            None => Memory::decode(model, bytes)?,
        };
        self.begin(memory, changed);
        Ok(())
    }

    /// A frame; on an error the memory is unchanged.
    fn step(
        &mut self,
        moment: &Moment,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
        mut told: Warnings,
    ) -> Result<Report> {
        self.made = None;
        let (last, before, watched) = self.turn_to(moment, inputs)?;
        let [from, to] = last.span();
        let asked = self.asked(inputs, [from, to])?;
        self.rig.model.settings_mut().gravity = self.rig.gravity * inputs.real("gravity")?;
        let mut now = before.clone();
        let preroll = inputs.real("preroll")?;
        if last.first && preroll > 0.0 {
            let asked = self.asked(inputs, [to, to])?;
            // Half the time to move to where the host is, half to come to rest there.
            for _ in 0..2 {
                let report = self.move_on(&mut now, &asked, 0.5 * preroll, control)?;
                let warnings = warnings(&self.rig.model, &self.rig.rules, &report);
                told.extend(warnings.into_iter().map(|text| format!("before the first frame: {text}")));
            }
        } else if last.first {
            told.extend(self.jump(&asked));
        }
        let moves = last.seconds() > 0.0;
        let mut report = step::Report::default();
        let mut watch = watched.clone();
        if moves {
            self.rig.change(&mut now, from, to)?;
            report = self.move_on(&mut now, &asked, last.seconds(), control)?;
            let measured = self.rig.measured(inputs.space());
            told.extend(watch.note(&measured, &now, &report, &asked.named, last.seconds()));
            told.extend(watch.note_stillness(left_out(&self.rig.model, &now)));
        }
        results::write(&self.rig, &now, outputs)?;
        let details = match inputs.flag("details")? {
            true => self.details(inputs.space(), &now, &asked.named, moves.then_some(&report))?,
            false => Value::Null,
        };
        let report = self.told(moment, &now, &report, details, told)?;
        self.made = Some(Memory { last: Some(last), before, now, watch: [watched, watch] });
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
        let mut told = measured.state(now, goals).map_err(|e| self.rig.locate(e))?;
        told.extend(report.into_iter().flat_map(|report| measured.steps(&self.scratch, report)));
        Ok(told.into())
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
            let turn = from.rotation.angle_to(&to.rotation).to_degrees();
            (way > JUMP[0] || turn > JUMP[1]).then(|| {
                format!(
                    "body {} is led by {way:.2} m and {turn:.0} degrees in the first frame, from where it was \
                     modelled; a preroll moves it there gently",
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

    fn told(
        &self,
        moment: &Moment,
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
                history: moment.history,
                iterations: report.factorisations as u32,
                residual: report.error,
                warnings: warnings.into_list(),
                stages: STAGES.into_iter().zip(report.seconds.map(|s| s * 1e3)).collect(),
                figures,
                names: self.rig.names(),
                details,
            });
        }
        let message = "bodies or strands are so far away or so fast that their positions are not finite";
        Err(Error::new(Kind::NotFinite, message))
    }

    /// What to compute, from which state, with the warnings so far.
    fn turn_to(&self, moment: &Moment, inputs: &Inputs) -> Result<(Last, State, Watch)> {
        let (frame, memory): (Frame, &Memory) = (moment.frame, &self.memory);
        Ok(match memory.last {
            Some(last) if !moment.history.begins() => match moment.history {
                History::Repeated => (last, memory.before.clone(), memory.watch[0].clone()),
                _ => {
                    let from = last.frame.seconds;
                    let last = Last { frame, from, first: false, ..last };
                    (last, memory.now.clone(), memory.watch[1].clone())
                }
            },
            _ => {
                let moved = inputs.pick("first_frame", &[true, false])?;
                let before = if moved { 1.0 / inputs.real("fps")? } else { 0.0 };
                let start = frame.seconds - before;
                let last = Last { frame, from: start, start, first: true };
                (last, State::new(&self.rig.model), Watch::default())
            }
        })
    }
}
