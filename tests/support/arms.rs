//! Moment arms by statics: springs hold the joints, a muscle pulls, and a spring's moment over the tension is the
//! strand's arm at that joint. In metres, positive where the strand turns the joint onwards.
#![allow(dead_code)] // each user takes a part

use super::mjcf::{body_of, mjcf};
use sinew::anatomy::tendon_hand::bones::Knuckle;
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::tendons::Tendon;
use sinew::anatomy::tendon_hand::{Options, finger};
use sinew::control::Control;
use sinew::formats::xml;
use sinew::math::{Real, Vec3};
use sinew::scene::strand::StrandScene;
use sinew::strand::energy::tensions;
use sinew::strand::measures;
use sinew::strand::model::Model;
use sinew::strand::parts::{Axis, Carrier, Joint, Motion, Parts, Rule, Spring};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};
use std::collections::HashMap;

/// A strand in a pose.
pub struct Case {
    /// What and which pose.
    pub name: String,
    /// From its first node to its last, in m.
    pub length: Real,
    /// By joint.
    pub arms: Vec<Arm>,
    /// The same as a model of MuJoCo, which begins in this pose.
    pub mjcf: String,
}

/// An arm.
pub struct Arm {
    pub joint: String,
    /// In radians.
    pub angle: Real,
    /// In m.
    pub arm: Real,
    /// The same by the strand's way instead of by statics.
    pub by_way: Real,
}

/// The springs' angles in each pose, joint after joint.
const POSES: [[Real; 3]; 3] = [[0.0, 0.1, 0.1], [0.5, 0.7, 0.4], [1.1, 1.2, 0.9]];
/// The springs' stiffness in N m/rad and damping in N m s/rad: they come to rest within hundredths of a second.
const SPRING: [Real; 2] = [0.1, 0.003];
/// The muscle's pull in N.
const PULL: Real = 0.5;

/// How long to simulate until everything is at rest under the pull, in s, and the number of steps. The slack lateral
/// band can come to lie at two places, see tests/hand/anatomy.rs; the stored values are of the one that it finds in
/// these steps.
const SETTLING: (Real, u32) = (1.0, 1000);

/// The made-up scene of tests/data, then the finger's strands that muscles pull.
pub fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string("tests/data/strand_arms.xml").unwrap();
    let scene: StrandScene = xml::parse(&text).unwrap();
    let built = scene.build(&HashMap::new()).unwrap();
    let poses = 0..POSES.len();
    let mut all: Vec<Case> =
        poses.clone().map(|pose| case("scene", pose, on_springs(built.model.parts(), pose))).collect();
    for tendon in Tendon::TABLED.into_iter().filter(|tendon| *tendon != Tendon::Ol) {
        let options = Options { knuckle: Knuckle::Flexing, ..Options::only(&[tendon]) };
        let mut parts = finger(&Finger::index(), &options).unwrap();
        parts.settings.gravity = Vec3::zeros();
        let stuck = |pose| case(tendon.name(), pose, stuck(on_springs(&parts, pose)));
        all.extend(poses.clone().map(stuck));
    }
    all
}

/// Springs hold all free rotations of the joints.
fn on_springs(parts: &Parts, pose: usize) -> Parts {
    let mut parts = parts.clone();
    for (joint, rest) in parts.joints.iter_mut().zip(POSES[pose]) {
        for axis in joint.axes.iter_mut().filter(|axis| axis.motion != Motion::Held) {
            let spring = Spring { stiffness: SPRING[0], rest, damping: SPRING[1] };
            *axis = Axis { motion: Motion::Free, spring: Some(spring), ..Axis::default() };
        }
    }
    parts
}

/// Pulls until all is at rest.
fn settled(model: &Model) -> State {
    let (mut state, mut scratch) = (State::new(model), Scratch::new(model).unwrap());
    let activations = [PULL / model.parts().muscles[0].strength];
    let (seconds, substeps) = SETTLING;
    let inputs = Inputs { seconds, substeps, activations: &activations, ..Inputs::default() };
    step(model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    state
}

/// Fixes the nodes where they come to rest, except those that carry a muscle's pull: the sites that MuJoCo can
/// have.
fn stuck(parts: Parts) -> Parts {
    let model = Model::new(parts).unwrap();
    let state = settled(&model);
    on_sites(model.parts_at(&state))
}

/// Fixes nodes that slide on bones where they are, each on its bone, except those that muscles pull.
pub fn on_sites(mut parts: Parts) -> Parts {
    for p in 0..parts.points.len() {
        let on_curve = |rule: &Rule| matches!(rule, Rule::Curve { point, .. } if *point == p);
        if !parts.rules.iter().any(on_curve) {
            parts.points[p].carrier = body_of(&parts, p).map_or(Carrier::World, Carrier::Body);
        }
    }
    parts.rules.retain(|rule| matches!(rule, Rule::Curve { .. }));
    parts.planes.clear();
    parts
}

fn case(name: &str, pose: usize, parts: Parts) -> Case {
    let model = Model::new(parts).unwrap();
    let state = settled(&model);
    let moving = state.bodies.iter().map(|b| b.angular.norm()).fold(0.0, Real::max);
    assert!(moving < 1e-6, "{name} {pose} still turns with {moving} rad/s");
    let pulls = &tensions(&model, &state)[0];
    let tension = pulls.iter().sum::<Real>() / pulls.len() as Real;
    assert!(pulls.iter().all(|pull| (pull / tension - 1.0).abs() < 1e-6), "{name} {pose} {pulls:?}");
    let by_way = measures::arms(&model, &state).unwrap();
    let arm = |(j, (joint, rest)): (usize, (&Joint, Real))| {
        let turns = joint.motions(|b| state.bodies[b].place);
        let k = joint.axes.iter().position(|axis| axis.motion != Motion::Held)?;
        let arm = SPRING[0] * (turns[k] - rest) / tension;
        let by_way = by_way.iter().find(|arm| (arm.strand, arm.joint, arm.axis) == (0, j, k));
        // A strand on one side of a joint has no arm there.
        let by_way = by_way.map_or(0.0, |arm| arm.arm);
        Some(Arm { joint: joint.name.clone(), angle: turns[k], arm, by_way })
    };
    let places: Vec<Vec3> =
        model.parts().strands[0].nodes.iter().map(|node| state.places[node.point]).collect();
    Case {
        name: format!("{name} {pose}"),
        length: places.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum(),
        arms: model.parts().joints.iter().zip(POSES[pose]).enumerate().filter_map(arm).collect(),
        mjcf: mjcf(&model, &state, &[]),
    }
}
