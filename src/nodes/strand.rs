//! The `strand` node: tendons, muscles, bones and joints in motion, led by a host's joints or leading them.

mod describe;
mod given;
mod memory;
mod params;
mod results;
mod rig;

pub(super) use describe::DESCRIPTOR;

use super::descriptor::NodeDescriptor;
use super::registry::{Node, Report, Warnings};
use super::time::{Frame, History, Moment, Past};
use super::value::{Inputs, Outputs};
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::math::{Placement, Real};
use crate::scene::strand_frame::{Stillness, substeps, used_up, warnings, wrapped};
use crate::strand::control::Goal;
use crate::strand::energy::{energy, left_out};
use crate::strand::state::State;
use crate::strand::step::{self, STAGES, Scratch};
use memory::{Last, Memory, split};
use rig::{Rig, Source};

/// The node.
#[derive(Default)]
struct StrandNode {
    running: Option<Running>,
    /// Loaded before it was known what moves; checked as far as that goes.
    loaded: Option<Vec<u8>>,
}

/// Everything that belongs to one source.
struct Running {
    source: Source,
    rig: Rig,
    scratch: Scratch,
    memory: Memory,
}

/// What is asked of a frame.
struct Asked {
    led: Vec<Placement>,
    activations: Vec<Real>,
    goals: Vec<Goal>,
    /// The longest step in s.
    step: Real,
}

/// Farther than this, in m and degrees, no hand goes in a frame: the host has the body elsewhere than the scene.
const JUMP: [Real; 2] = [0.2, 45.0];

/// Makes a fresh node.
pub(super) fn create() -> Box<dyn Node> {
    Box::new(StrandNode::default())
}

impl Node for StrandNode {
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
        let mut told = Warnings::new(control);
        let mut moment = *moment;
        let source = Source::new(inputs)?;
        if self.running.as_ref().is_none_or(|running| running.source != source) {
            let (made, changed) = Running::new(source, self.loaded.as_deref())?;
            let changed = changed.map(|what| format!("{what} has changed since the state was saved"));
            let other = self.running.as_ref().is_some_and(|old| old.memory.last.is_some());
            let other = (other && self.loaded.is_none()).then(|| "what moves was changed".to_string());
            if let Some(why) = changed.or(other) {
                moment = moment.restart(&why)?;
                told.push(format!("{why}: it starts again"));
            }
            (self.running, self.loaded) = (Some(made), None);
        } else if moment.history == History::Restarted {
            told.push(format!("{}: the strands start again", moment.why()));
        }
        match &mut self.running {
            Some(running) => running.step(&moment, inputs, outputs, control, told),
            None => Err(Error::new(Kind::Internal, "the model is not there after it was built")),
        }
    }

    fn past(&self) -> Past {
        let loaded = || self.loaded.as_deref().and_then(|bytes| split(bytes).ok()?.0);
        let last = self.running.as_ref().map_or_else(loaded, |running| running.memory.last);
        Past::Last(last.map(|last| last.frame))
    }

    fn reset(&mut self) {
        self.loaded = None;
        if let Some(running) = &mut self.running {
            running.memory = Memory::at_start(&running.rig.model);
        }
    }

    fn save(&self) -> Vec<u8> {
        match (&self.running, &self.loaded) {
            (Some(running), _) => running.memory.encode(&running.rig.model),
            (None, Some(loaded)) => loaded.clone(),
            (None, None) => Vec::new(),
        }
    }

    fn load(&mut self, _: u32, payload: &[u8]) -> Result<()> {
        if !payload.is_empty() {
            split(payload)?;
            self.loaded = Some(payload.into());
        }
        Ok(())
    }
}

impl Running {
    /// At the start, or where it was saved unless something has changed since; that comes with it.
    fn new(source: Source, loaded: Option<&[u8]>) -> Result<(Self, Option<String>)> {
        let rig = Rig::new(&source)?;
        let scratch = Scratch::new(&rig.model).map_err(|e| rig.locate(e))?;
        let changed = loaded.map_or(Ok(None), |bytes| Memory::changed(&rig.model, bytes))?;
        let memory = match loaded.filter(|_| changed.is_none()) {
            Some(bytes) => Memory::decode(&rig.model, bytes)?,
            None => Memory::at_start(&rig.model),
        };
        Ok((Running { source, rig, scratch, memory }, changed))
    }

    /// A frame; after an error the memory is as it was.
    fn step(
        &mut self,
        moment: &Moment,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
        mut told: Warnings,
    ) -> Result<Report> {
        let (last, before) = self.turn_to(moment, inputs.real("fps")?);
        let [from, to] = last.span();
        let asked = self.asked(inputs, [from, to])?;
        self.rig.model.settings_mut().gravity = self.rig.gravity * inputs.real("gravity")?;
        let mut now = before.clone();
        let preroll = inputs.real("preroll")?;
        if last.first && preroll > 0.0 {
            let asked = self.asked(inputs, [to, to])?;
            // Half the time to go where the host is, half to come to rest there.
            for _ in 0..2 {
                let report = self.move_on(&mut now, &asked, 0.5 * preroll, control)?;
                let warnings = warnings(&self.rig.model, &self.rig.rules, &report);
                told.extend(warnings.into_iter().map(|text| format!("before the first frame: {text}")));
            }
        } else if last.first {
            told.extend(self.jump(&asked));
        }
        self.rig.change(&mut now, from, to)?;
        let report = self.move_on(&mut now, &asked, last.seconds(), control)?;
        results::write(&self.rig, &now, outputs)?;
        told.extend(warnings(&self.rig.model, &self.rig.rules, &report));
        told.extend(report.used_up.iter().map(|piece| used_up(&self.rig.model, piece)));
        told.extend(report.wrapped.iter().map(|turned| wrapped(&self.rig.model, turned)));
        let mut stillness = Stillness::default();
        stillness.add(left_out(&self.rig.model, &now));
        told.extend(stillness.too_still());
        let report = self.told(moment, &now, &report, told)?;
        self.memory = Memory { last: Some(last), before, now };
        Ok(report)
    }

    /// What the host and the scene want in a frame, from one time of the scene to another.
    fn asked(&self, inputs: &Inputs, [from, time]: [Real; 2]) -> Result<Asked> {
        let goals = given::goals(inputs, &self.rig, [from, time])?;
        let step = inputs.real("step")?;
        Ok(Asked {
            led: given::led(inputs, &self.rig, time)?,
            activations: given::activations(inputs, &self.rig, &goals, time)?,
            goals,
            step: if step > 0.0 { step } else { self.rig.step },
        })
    }

    /// Tells of a body that is led far away within the first frame: whatever hangs on it is torn along.
    fn jump(&self, asked: &Asked) -> Option<String> {
        let bodies = &self.rig.model.parts().bodies;
        self.rig.led.iter().find_map(|&b| {
            let (from, to) = (&bodies[b].place, &asked.led[b]);
            let way = (to.origin - from.origin).norm();
            let turn = from.rotation.angle_to(&to.rotation).to_degrees();
            (way > JUMP[0] || turn > JUMP[1]).then(|| {
                format!(
                    "body {} is led over {way:.2} m and {turn:.0} degrees in the first frame, from where it was modelled; \
                     a preroll brings it there gently",
                    bodies[b].name
                )
            })
        })
    }

    /// Moves a state on; the steps that were meant to do it.
    fn move_on(
        &mut self,
        state: &mut State,
        asked: &Asked,
        seconds: Real,
        control: &Control,
    ) -> Result<step::Report> {
        let substeps = substeps(seconds, asked.step)?;
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
        warnings: Warnings,
    ) -> Result<Report> {
        let energy = energy(&self.rig.model, now);
        let figures = vec![
            ("steps", Real::from(report.steps)),
            ("unsolved_steps", report.unsolved as Real),
            ("kinetic_energy", energy.kinetic),
            ("elastic_energy", energy.elastic),
        ];
        // What is not finite here would stay in the memory for ever.
        if now.time.is_finite() && figures.iter().all(|(_, value)| value.is_finite()) {
            return Ok(Report {
                history: moment.history,
                iterations: report.factorisations as u32,
                residual: report.error,
                warnings: warnings.into_list(),
                stages: STAGES.into_iter().zip(report.seconds.map(|s| s * 1e3)).collect(),
                figures,
                names: self.rig.names(),
            });
        }
        let message = "bodies or strands are so far away or so fast that they have no finite place";
        Err(Error::new(Kind::NotFinite, message))
    }

    /// What to compute, and from where.
    fn turn_to(&self, moment: &Moment, fps: Real) -> (Last, State) {
        let frame: Frame = moment.frame;
        match self.memory.last {
            Some(last) if !moment.history.begins() => match moment.history {
                History::Repeated => (last, self.memory.before.clone()),
                _ => {
                    let from = last.frame.seconds;
                    (Last { frame, from, first: false, ..last }, self.memory.now.clone())
                }
            },
            _ => {
                let start = frame.seconds - 1.0 / fps;
                (Last { frame, from: start, start, first: true }, State::new(&self.rig.model))
            }
        }
    }
}
