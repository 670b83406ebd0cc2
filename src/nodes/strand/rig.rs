//! The model: a scene from a file or a text, or a finger or hand made from tables.

use super::super::node::Names;
use super::super::strand_report::{Measured, NamedGoal};
use super::super::value::Inputs;
use sinew_anatomy::tendon_hand::preset::{Condition, Preset};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::document::Document;
use sinew_formats::strand_scene::{Meshes, open};
use sinew_geometry::Mesh;
use sinew_math::{Placement, Real, Space, Vec3};
use sinew_scene::schema::Line;
use sinew_scene::strand::edits::Edits;
use sinew_scene::strand::values::BodyMode;
use sinew_scene::strand::{Built, Script, StrandScene};
use sinew_strand::energy::tensions;
use sinew_strand::model::Model;
use sinew_strand::parts::Goal;
use sinew_strand::state::State;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The source parameter.
#[derive(Clone, Copy)]
enum Moves {
    Finger,
    Hand,
    Scene,
}

/// What moves, and the changes to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RigSpec {
    what: What,
    edits: Edits,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    /// A finger or a hand.
    Made(Preset),
    /// A scene's file or text.
    Scene(Document),
}

impl RigSpec {
    pub fn new(inputs: &Inputs) -> Result<Self> {
        let edits = Edits {
            settings: inputs.text("settings")?.into(),
            // The first choice is none.
            mirror: inputs.choice("mirror")?.checked_sub(1),
        };
        Ok(RigSpec { what: What::new(inputs)?, edits })
    }
}

impl What {
    fn new(inputs: &Inputs) -> Result<Self> {
        let digit = match inputs.pick("source", &[Moves::Finger, Moves::Hand, Moves::Scene])? {
            Moves::Finger => Some(inputs.choice("digit")?),
            Moves::Hand => None,
            Moves::Scene => return Ok(What::Scene(Document::new(inputs.text("scene")?))),
        };
        let condition = inputs.pick("condition", &Condition::ALL)?;
        // What a source does not use is no reason to rebuild it.
        let bands = digit.is_none() && inputs.flag("bands")?;
        Ok(What::Made(Preset { digit, condition, bands }))
    }
}

/// More strands are counted rather than named.
const LISTED: usize = 4;

/// A model.
pub(super) struct Rig {
    pub model: Model,
    /// The centre of mass and principal axes of each body in the axes shown to hosts.
    pub inner: Vec<Placement>,
    /// The names of the rules.
    pub rules: Vec<String>,
    /// The names of the scene's goals.
    goal_names: Vec<String>,
    /// The strands that are longer in the start posture than as modelled.
    stretched: Vec<usize>,
    /// The bodies that the host may lead.
    pub led: Vec<usize>,
    /// The longest step in s.
    pub step: Real,
    /// The line where the scene itself sets it.
    step_line: Option<Line>,
    /// As built, before the parameter `gravity` multiplies it.
    pub gravity: Vec3,
    script: Script,
    scene: StrandScene,
    /// The scene's file.
    file: Option<PathBuf>,
}

impl Rig {
    pub fn new(source: &RigSpec) -> Result<Self> {
        let (opened, text) = match &source.what {
            What::Made(preset) => (preset.scene(), None),
            What::Scene(text) => (opened(text).map_err(|e| e.param("scene")), Some(text)),
        };
        let (mut scene, meshes) = opened?;
        let file = text.and_then(Document::file);
        let settings = scene.settings.clone().filter(|settings| settings.line.0 > 0);
        source.edits.set(&mut scene).map_err(|e| e.param("settings"))?;
        let (scene, meshes) =
            source.edits.mirrored(scene, meshes).map_err(|e| in_file(e, file).param("mirror"))?;
        let built = scene.build(&meshes).map_err(|e| match text {
            Some(_) => in_file(e, file).param("scene"),
            None => e,
        })?;
        let Built { model, inner, rules, goals, script, step, stretched, .. } = built;
        let led = scene.bodies.iter().enumerate().filter(|(_, body)| body.mode == BodyMode::Led);
        Ok(Rig {
            led: led.map(|(b, _)| b).collect(),
            gravity: model.settings().gravity,
            model,
            inner,
            rules,
            goal_names: goals,
            stretched,
            step,
            step_line: settings.filter(|settings| settings.step == step).map(|settings| settings.line),
            script,
            scene,
            file: file.map(Path::to_path_buf),
        })
    }

    /// Attaches the element that sets the scene's longest step to an error about it.
    pub fn locate_step(&self, error: Error) -> Error {
        match self.step_line {
            Some(line) => in_file(error.element("strand_scene/settings").line(line.0), self.file.as_deref()),
            None => error,
        }
    }

    /// The warning about strands that the start posture stretches until they pull.
    pub fn stretched(&self) -> Option<String> {
        let all = tensions(&self.model, &State::new(&self.model));
        let most = |strand: &usize| all[*strand].iter().copied().fold(0.0, Real::max);
        let mut pulling: Vec<(usize, Real)> = self.stretched.iter().map(|s| (*s, most(s))).collect();
        pulling.retain(|(_, tension)| *tension > 0.0);
        pulling.sort_by(|a, b| b.1.total_cmp(&a.1));
        let named = |(strand, tension): &(usize, Real)| {
            format!("{} ({tension:.3} N)", self.model.parts().strands[*strand].name)
        };
        let list: Vec<String> = pulling.iter().take(LISTED).map(named).collect();
        let more = pulling.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!list.is_empty()).then(|| {
            format!(
                "the posture in which the scene starts stretches strands, which pull it back at once: {}{more}; \
                 strands keep the length that they were modelled with, so model them in that posture, give them more \
                 material (a lower prestrain), or let muscles or keys move the joints there",
                list.join(", ")
            )
        })
    }

    /// The warning about a scene in which nothing can move.
    pub fn empty(&self) -> Option<String> {
        let parts = self.model.parts();
        let is_empty = parts.bodies.is_empty() && parts.strands.is_empty();
        is_empty.then(|| "the scene has no bodies and no strands, so nothing moves in it".into())
    }

    /// Attaches the element that it names to an error of the model or its steps.
    pub fn locate(&self, error: Error) -> Error {
        in_file(self.scene.locate(error), self.file.as_deref())
    }

    /// Where the scene's own keys lead each body at a time: its centre of mass and principal axes.
    pub fn scripted(&self, time: Real) -> Vec<Placement> {
        self.script.places(time).zip(&self.inner).map(|(place, inner)| place * *inner).collect()
    }

    /// The scene's activations at a time.
    pub fn activations(&self, time: Real) -> Vec<Real> {
        self.script.activations(time).collect()
    }

    /// The goals that the scene's muscles pursue in a frame from one time to another.
    pub fn goals(&self, [from, to]: [Real; 2]) -> Vec<Goal> {
        self.script.pursued(from, to)
    }

    /// The scene's goals at a time, by name.
    pub fn named_goals(&self, time: Real) -> Vec<NamedGoal> {
        self.goal_names.iter().cloned().zip(self.script.goals(time)).collect()
    }

    /// The model, for measurements in the host's space.
    pub fn measured(&self, space: Space) -> Measured<'_> {
        Measured { model: &self.model, rules: &self.rules, space }
    }

    /// Applies the scene's events in the frame to a state at its start.
    pub fn change(&self, state: &mut State, from: Real, to: Real) -> Result<()> {
        self.script.change(&self.model, state, from, to).map_err(|e| self.locate(e))
    }

    /// The names of items of ports.
    pub fn names(&self) -> Names {
        let parts = self.model.parts();
        Names::new(vec![
            ("bodies", parts.bodies.iter().map(|body| body.name.clone()).collect()),
            ("led_bodies", self.led.iter().map(|&b| parts.bodies[b].name.clone()).collect()),
            ("joints", parts.joints.iter().map(|joint| joint.name.clone()).collect()),
            ("strands", parts.strands.iter().map(|strand| strand.name.clone()).collect()),
            ("muscles", parts.muscles.iter().map(|muscle| muscle.name.clone()).collect()),
        ])
    }
}

/// The scene of a path or text, with the meshes that it names.
fn opened(text: &Document) -> Result<(StrandScene, HashMap<String, Mesh>)> {
    if text.is_empty() {
        let message = "no scene is set: give the path of a scene file, or the scene itself";
        return Err(Error::new(Kind::MissingInput, message));
    }
    open(text.read()?, text.file(), &Meshes::new())
}

fn in_file(error: Error, file: Option<&Path>) -> Error {
    file.into_iter().fold(error, Error::file)
}
