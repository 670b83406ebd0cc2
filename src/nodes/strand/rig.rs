//! What moves: a scene from a file or a text, or a finger or hand made from tables.

use super::super::value::Inputs;
use crate::error::{Error, Kind, Result};
use crate::formats::strand_scene::meshes;
use crate::formats::xml;
use crate::math::{Placement, Real, Rotation, Vec3};
use crate::scene::strand::values::BodyMode;
use crate::scene::strand::{Built, Script, StrandScene};
use crate::scene::tendon_hand::bones::{Bone, Skeleton};
use crate::scene::tendon_hand::hand::hand;
use crate::scene::tendon_hand::measures::Finger;
use crate::scene::tendon_hand::routing::Tendon;
use crate::scene::tendon_hand::{Options, finger};
use crate::strand::control::Goal;
use crate::strand::model::{Mode, Model, Parts};
use crate::strand::rule::Rule;
use crate::strand::state::State;
use std::path::Path;

/// Which parameters choose what moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// One finger: which, and what is wrong with it.
    Finger(usize, usize),
    /// Four fingers, all with the same wrong.
    Hand(usize),
    /// A scene's file or text.
    Scene(String),
}

impl Source {
    pub fn new(inputs: &Inputs) -> Result<Self> {
        let condition = inputs.choice("condition")?;
        Ok(match inputs.choice("source")? {
            0 => Source::Finger(inputs.choice("digit")?, condition),
            1 => Source::Hand(condition),
            _ => Source::Scene(inputs.text("scene")?.into()),
        })
    }
}

/// Something that moves.
pub(super) struct Rig {
    pub model: Model,
    /// The centre of mass and principal axes of each body in the axes that hosts see.
    pub inner: Vec<Placement>,
    /// What the rules are called.
    pub rules: Vec<String>,
    /// The bodies that the host may lead.
    pub led: Vec<usize>,
    /// The longest step in s.
    pub step: Real,
    /// As it was made, before the parameter takes part of it.
    pub gravity: Vec3,
    script: Option<Script>,
    scene: Option<(StrandScene, String)>,
}

/// The longest step of fingers in s: it stands a muscle's whole strength.
const FINGER_STEP: Real = 1e-3;

impl Rig {
    pub fn new(source: &Source) -> Result<Self> {
        match source {
            Source::Finger(digit, condition) => {
                let (measures, options) = (Finger::all()[*digit], options(*condition));
                Rig::of_parts(finger(&measures, &options)?, &[measures])
            }
            Source::Hand(condition) => Rig::of_parts(hand(&options(*condition))?, &Finger::all()),
            Source::Scene(text) => Rig::of_scene(text).map_err(|e| e.port("scene")),
        }
    }

    fn of_parts(parts: Parts, fingers: &[Finger]) -> Result<Self> {
        let mut inner = Vec::new();
        for measures in fingers {
            let skeleton = Skeleton::new(measures);
            for bone in Bone::ALL {
                // A link's axes are in its proximal joint, turned as the world's at the start.
                let link = Placement::new(Rotation::identity(), skeleton.origin(bone));
                inner.push(link.inverse() * skeleton.body(bone)?.place);
            }
        }
        let held = |b: &usize| parts.bodies[*b].mode == Mode::Removed;
        Ok(Rig {
            rules: parts.rules.iter().map(|rule| rule_name(&parts, rule)).collect(),
            led: (0..parts.bodies.len()).filter(held).collect(),
            gravity: parts.settings.gravity,
            model: Model::new(parts)?,
            inner,
            step: FINGER_STEP,
            script: None,
            scene: None,
        })
    }

    fn of_scene(text: &str) -> Result<Self> {
        if text.trim().is_empty() {
            let message = "no scene is set: it is the path of a scene file, or the scene itself";
            return Err(Error::new(Kind::MissingInput, message));
        }
        let file = file_of(text);
        let scene: StrandScene = file.map_or_else(|| xml::parse(text), xml::read)?;
        let built = meshes(&scene, file).and_then(|m| scene.build(&m).map_err(|e| in_file(e, file)))?;
        let Built { model, inner, rules, script, step, .. } = built;
        let led = scene.bodies.iter().enumerate().filter(|(_, body)| body.mode == BodyMode::Led);
        Ok(Rig {
            led: led.map(|(b, _)| b).collect(),
            gravity: model.settings().gravity,
            model,
            inner,
            rules,
            step,
            script: Some(script),
            scene: Some((scene, text.into())),
        })
    }

    /// Puts an error of the model or its steps at the element that it names.
    pub fn locate(&self, error: Error) -> Error {
        match &self.scene {
            Some((scene, text)) => in_file(scene.locate(error), file_of(text)),
            None => error,
        }
    }

    /// Where the scene's own keys lead each body at a time: its centre of mass and principal axes.
    pub fn scripted(&self, time: Real) -> Vec<Placement> {
        match &self.script {
            Some(script) => {
                script.places(time).zip(&self.inner).map(|(place, inner)| place * *inner).collect()
            }
            None => self.model.parts().bodies.iter().map(|body| body.place).collect(),
        }
    }

    /// The activations that the scene tells for a time.
    pub fn activations(&self, time: Real) -> Vec<Real> {
        match &self.script {
            Some(script) => script.activations(time).collect(),
            None => vec![0.0; self.model.parts().muscles.len()],
        }
    }

    /// What the scene has muscles reach at a time.
    pub fn goals(&self, time: Real) -> Vec<Goal> {
        self.script.as_ref().map_or(Vec::new(), |script| script.goals(time))
    }

    /// Does to a state at the beginning of a frame what the scene says that happens in it.
    pub fn change(&self, state: &mut State, from: Real, to: Real) -> Result<()> {
        let change = |script: &Script| script.change(&self.model, state, from, to);
        self.script.as_ref().map_or(Ok(()), change).map_err(|e| self.locate(e))
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

fn options(condition: usize) -> Options {
    match condition {
        0 => Options::default(),
        1 => Options::without(&[Tendon::Ol]),
        2 => Options::boutonniere(),
        _ => Options::swan_neck(),
    }
}

fn rule_name(parts: &Parts, rule: &Rule) -> String {
    let point = |p: usize| &parts.points[p].name;
    match rule {
        Rule::Frame { point: p, body, .. } => format!("{} in {}", point(*p), parts.bodies[*body].name),
        Rule::Link { points: [a, b] } => format!("{} at {}", point(*a), point(*b)),
        Rule::Curve { point: p, curve } => format!("{} on {}", point(*p), parts.curves[*curve].name),
        Rule::Plane { point: p, plane, or_above } => {
            let word = if *or_above { "above" } else { "in" };
            format!("{} {word} {}", point(*p), parts.planes[*plane].name)
        }
        Rule::Bone { point: p, plane } => {
            format!("{} off the bone in {}", point(*p), parts.planes[*plane].name)
        }
    }
}
