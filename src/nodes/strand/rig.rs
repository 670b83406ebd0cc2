//! What moves: a scene from a file or a text, or a finger or hand made from tables.

use super::super::value::Inputs;
use crate::error::{Error, Kind, Result};
use crate::formats::strand_scene::open;
use crate::formats::xml;
use crate::math::{Placement, Real, Space, Vec3};
use crate::scene::strand::values::BodyMode;
use crate::scene::strand::{Built, Script, StrandScene};
use crate::scene::strand_detail::{Measured, NamedGoal};
use crate::scene::tendon_hand::preset::{Condition, Preset};
use crate::strand::control::Goal;
use crate::strand::model::Model;
use crate::strand::state::State;
use std::path::Path;
use std::time::SystemTime;

/// What the parameter says that moves.
#[derive(Clone, Copy)]
enum Moves {
    Finger,
    Hand,
    Scene,
}

/// Which parameters choose what moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// A finger or a hand.
    Made(Preset),
    /// A scene's file or text; of a file its size and when it was written.
    Scene(String, Option<(u64, SystemTime)>),
}

impl Source {
    pub fn new(inputs: &Inputs) -> Result<Self> {
        let digit = match inputs.pick("source", &[Moves::Finger, Moves::Hand, Moves::Scene])? {
            Moves::Finger => Some(inputs.choice("digit")?),
            Moves::Hand => None,
            Moves::Scene => {
                let text = inputs.text("scene")?;
                // A file that cannot be looked at cannot be read either, which says more.
                let found = file_of(text).and_then(|path| std::fs::metadata(path).ok());
                let written = found.and_then(|found| Some((found.len(), found.modified().ok()?)));
                return Ok(Source::Scene(text.into(), written));
            }
        };
        let condition = inputs.pick("condition", &Condition::ALL)?;
        // What a source does not use is no reason to make it anew.
        let bands = digit.is_none() && inputs.flag("bands")?;
        Ok(Source::Made(Preset { digit, condition, bands }))
    }
}

/// Something that moves.
pub(super) struct Rig {
    pub model: Model,
    /// The centre of mass and principal axes of each body in the axes that hosts see.
    pub inner: Vec<Placement>,
    /// What the rules are called.
    pub rules: Vec<String>,
    /// What the scene's goals are called.
    goal_names: Vec<String>,
    /// The bodies that the host may lead.
    pub led: Vec<usize>,
    /// The longest step in s.
    pub step: Real,
    /// As it was made, before the parameter takes part of it.
    pub gravity: Vec3,
    script: Script,
    scene: StrandScene,
    /// The scene's path or text, when it was given as such.
    text: Option<String>,
}

impl Rig {
    pub fn new(source: &Source) -> Result<Self> {
        match source {
            Source::Made(preset) => {
                let (scene, meshes) = preset.scene()?;
                let built = scene.build(&meshes)?;
                Ok(Rig::of(scene, built, None))
            }
            Source::Scene(text, _) => Rig::of_text(text).map_err(|e| e.param("scene")),
        }
    }

    fn of_text(text: &str) -> Result<Self> {
        if text.trim().is_empty() {
            let message = "no scene is set: it is the path of a scene file, or the scene itself";
            return Err(Error::new(Kind::MissingInput, message));
        }
        let file = file_of(text);
        let scene: StrandScene = file.map_or_else(|| xml::parse(text), xml::read)?;
        let (scene, meshes) = open(scene, file)?;
        let built = scene.build(&meshes).map_err(|e| in_file(e, file))?;
        Ok(Rig::of(scene, built, Some(text.into())))
    }

    fn of(scene: StrandScene, built: Built, text: Option<String>) -> Self {
        let Built { model, inner, rules, goals, script, step, .. } = built;
        let led = scene.bodies.iter().enumerate().filter(|(_, body)| body.mode == BodyMode::Led);
        Rig {
            led: led.map(|(b, _)| b).collect(),
            gravity: model.settings().gravity,
            model,
            inner,
            rules,
            goal_names: goals,
            step,
            script,
            scene,
            text,
        }
    }

    /// Puts an error of the model or its steps at the element that it names.
    pub fn locate(&self, error: Error) -> Error {
        in_file(self.scene.locate(error), self.text.as_deref().and_then(file_of))
    }

    /// Where the scene's own keys lead each body at a time: its centre of mass and principal axes.
    pub fn scripted(&self, time: Real) -> Vec<Placement> {
        self.script.places(time).zip(&self.inner).map(|(place, inner)| place * *inner).collect()
    }

    /// The activations that the scene tells for a time.
    pub fn activations(&self, time: Real) -> Vec<Real> {
        self.script.activations(time).collect()
    }

    /// What the scene has muscles pursue in a frame from one time to another.
    pub fn goals(&self, [from, to]: [Real; 2]) -> Vec<Goal> {
        self.script.pursued(from, to)
    }

    /// What the scene has them reach at a time, by name.
    pub fn named_goals(&self, time: Real) -> Vec<NamedGoal> {
        self.goal_names.iter().cloned().zip(self.script.goals(time)).collect()
    }

    /// The model, told in the host's space.
    pub fn measured(&self, space: Space) -> Measured<'_> {
        Measured { model: &self.model, rules: &self.rules, space }
    }

    /// Does to a state at the beginning of a frame what the scene says that happens in it.
    pub fn change(&self, state: &mut State, from: Real, to: Real) -> Result<()> {
        self.script.change(&self.model, state, from, to).map_err(|e| self.locate(e))
    }

    /// What items of ports are called.
    pub fn names(&self) -> Vec<(&'static str, Vec<String>)> {
        let parts = self.model.parts();
        vec![
            ("bodies", parts.bodies.iter().map(|body| body.name.clone()).collect()),
            ("led_bodies", self.led.iter().map(|&b| parts.bodies[b].name.clone()).collect()),
            ("joints", parts.joints.iter().map(|joint| joint.name.clone()).collect()),
            ("strands", parts.strands.iter().map(|strand| strand.name.clone()).collect()),
            ("muscles", parts.muscles.iter().map(|muscle| muscle.name.clone()).collect()),
        ]
    }
}

/// The path that the parameter holds; none when it is the scene itself.
fn file_of(text: &str) -> Option<&Path> {
    (!text.trim_start().starts_with('<')).then(|| Path::new(text))
}

fn in_file(error: Error, file: Option<&Path>) -> Error {
    file.into_iter().fold(error, Error::file)
}
