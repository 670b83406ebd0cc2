//! Scenes of strands from text, built, played and refused, for the tests of what authors lean on.
#![allow(dead_code)] // each of them uses a part

use sinew::control::Control;
use sinew::error::{Error, Kind};
use sinew::formats::xml;
use sinew::math::{Real, Vec3};
use sinew::nodes::strand_report::{Measured, NamedGoal, motions};
use sinew::scene::strand::{Built, StrandScene};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Report, Scratch, step};
use std::collections::HashMap;

pub fn try_build(text: &str) -> Result<Built, Error> {
    xml::parse::<StrandScene>(text)?.build(&HashMap::new())
}

pub fn build(text: &str) -> Built {
    try_build(text).unwrap_or_else(|error| panic!("{error}"))
}

pub fn scene(inside: &str) -> String {
    format!("<strand_scene version=\"1\">\n{inside}\n</strand_scene>\n")
}

/// A built model, for measurements in the scene's unit and axes.
pub fn measured(built: &Built) -> Measured<'_> {
    Measured { model: &built.model, rules: &built.rules, space: built.space }
}

/// The goals of muscles at a time, by name.
pub fn named_goals(built: &Built, time: Real) -> Vec<NamedGoal> {
    built.goals.iter().cloned().zip(built.script.goals(time)).collect()
}

/// That a scene is refused in a line, at an element, with words.
pub fn refused(text: &str, kind: Kind, line: u64, element: &str, words: &str) {
    let error = match try_build(text) {
        Ok(_) => panic!("taken: {text}"),
        Err(error) => error,
    };
    let place = error.place();
    assert_eq!((error.kind(), place.line), (kind, Some(line)), "{error}");
    assert!(place.element.as_ref().unwrap().ends_with(element), "{error}");
    assert!(error.message().contains(words), "{error}");
}

/// Plays a scene from its start, with the activations and goals that it says.
pub struct Play {
    pub built: Built,
    pub state: State,
    scratch: Scratch,
    fps: Real,
    frame: u32,
    /// Whether goals are set ahead.
    pub ahead: bool,
}

impl Play {
    pub fn new(built: Built, fps: Real) -> Self {
        let (state, scratch) = (State::new(&built.model), Scratch::new(&built.model).unwrap());
        Play { built, state, scratch, fps, frame: 0, ahead: true }
    }

    pub fn frame(&mut self) -> Report {
        let [from, to] = [self.frame, self.frame + 1].map(|frame| Real::from(frame) / self.fps);
        let script = &self.built.script;
        let goals = if self.ahead { script.pursued(from, to) } else { script.goals(to) };
        let given: Vec<Real> = self.built.script.activations(to).collect();
        let inputs = Inputs {
            seconds: 1.0 / self.fps,
            substeps: (1.0 / self.fps / self.built.step).ceil() as u32,
            led: &self.built.led(to),
            activations: if goals.is_empty() { &given } else { &[] },
            goals: &goals,
        };
        self.built.script.change(&self.built.model, &mut self.state, from, to).unwrap();
        self.frame += 1;
        step(&self.built.model, &mut self.state, &mut self.scratch, &inputs, &Control::default()).unwrap()
    }

    pub fn motion(&self, joint: &str, axis: usize) -> Real {
        let joint = self.built.model.parts().joints.iter().position(|j| j.name == joint).unwrap();
        motions(&self.built.model, joint, &self.state)[axis]
    }
}

pub fn close(found: Vec3, expected: Vec3) {
    assert!((found - expected).norm() < 1e-12, "{found} instead of {expected}");
}
