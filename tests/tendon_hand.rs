//! What tendons do that motors in joints do not \[HandThesis §3.4\]: fingers that take each other along, fingers that flick.

use sinew::control::Control;
use sinew::geometry::{MassProperties, Solid, shapes};
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::scene::tendon_hand::bones::{Bone, FLEXING};
use sinew::scene::tendon_hand::hand::hand;
use sinew::scene::tendon_hand::measures::Finger;
use sinew::scene::tendon_hand::{Options, finger};
use sinew::strand::RowOwner;
use sinew::strand::contact::Contact;
use sinew::strand::control::{Aim, Goal};
use sinew::strand::model::{Body, Carrier, Mode, Model, Parts, Point};
use sinew::strand::rule::{Curve, CurveShape, Rule};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};

/// Fingers in motion.
struct Run {
    model: Model,
    state: State,
    scratch: Scratch,
    step: Real,
}

impl Run {
    fn new(parts: Parts, step: Real) -> Self {
        let model = Model::new(parts).unwrap();
        Run { state: State::new(&model), scratch: Scratch::new(&model).unwrap(), model, step }
    }

    /// Pulls with forces in N for a time.
    fn pull(&mut self, force: impl Fn(&str) -> Real, seconds: Real) {
        let muscles = self.model.parts().muscles.iter();
        let activations: Vec<Real> =
            muscles.map(|muscle| (force(&muscle.name) / muscle.strength).min(1.0)).collect();
        let substeps = (seconds / self.step).round() as u32;
        let inputs = Inputs { seconds, substeps, activations: &activations, ..Inputs::default() };
        let report =
            step(&self.model, &mut self.state, &mut self.scratch, &inputs, &Control::default()).unwrap();
        assert!(report.unsolved == 0 && report.conflicts.is_empty() && report.error < 1e-4, "{report:?}");
    }

    /// Flexion in degrees, joint by joint, finger by finger.
    fn angles(&self) -> Vec<Real> {
        let joints = self.model.parts().joints.iter();
        joints.map(|j| j.motions(|b| self.state.bodies[b].place)[FLEXING].to_degrees()).collect()
    }
}

fn floating(mut options: Options) -> Options {
    options.settings.gravity = Vec3::zeros();
    options
}

/// How far the whole of each finger extends, in degrees, when one is lifted by its extensor.
fn lifted(bands: bool, digit: &str) -> [Real; 4] {
    let mut run = Run::new(hand(&floating(Options { bands, ..Options::default() })).unwrap(), 2e-3);
    let flexor = |name: &str| name.ends_with("FDP") || name.ends_with("FDS");
    let tone = |name: &str| if flexor(name) { 0.2 } else { 0.0 };
    (0..3).for_each(|_| run.pull(|name| if flexor(name) { 1.0 } else { 0.0 }, 0.1));
    for _ in 0..10 {
        run.pull(tone, 0.1);
    }
    let before = run.angles();
    let extensor = format!("{digit} EDC");
    (0..3).for_each(|_| run.pull(|name| if name == extensor { 8.0 } else { tone(name) }, 0.1));
    let after = run.angles();
    let sum = |angles: &[Real], finger: usize| angles[3 * finger..3 * finger + 3].iter().sum::<Real>();
    println!("  {digit}, bands {bands}: {before:.1?}\n    -> {after:.1?}");
    [0, 1, 2, 3].map(|finger| sum(&before, finger) - sum(&after, finger))
}

#[test]
fn a_finger_that_is_lifted_takes_its_neighbours_along_where_bands_tie_their_tendons() {
    for (finger, digit) in [(1, "III"), (2, "IV")] {
        let (tied, free) = (lifted(true, digit), lifted(false, digit));
        println!(
            "{digit} lifts; fingers II to V extend with bands by {tied:.1?}, without by {free:.1?} degrees"
        );
        assert!(tied[finger] > 20.0 && free[finger] > 20.0);
        for neighbour in [finger - 1, finger + 1] {
            assert!(tied[neighbour] > 3.0 && tied[neighbour] - free[neighbour] > 8.0, "{tied:?} {free:?}");
        }
        // Without bands the others go on a little, as their tone has them do.
        let others = (0..4).filter(|&other| other != finger).map(|other| free[other]);
        assert!(others.into_iter().all(|by| by.abs() < 8.0), "{free:?}");
    }
}

/// Bends all joints of a finger by goals and stretches them, 0.7 rad within half a second each way: how far each joint is
/// off at worst, in rad, how many solves ran out of their budget, and the largest error of a row.
fn followed(h: Real) -> ([Real; 3], usize, Real) {
    let mut run = Run::new(finger(&Finger::index(), &Options::default()).unwrap(), h);
    let joints: Vec<usize> = (0..run.model.parts().joints.len()).collect();
    let (mut off, mut unsolved, mut error) = ([0.0; 3], 0, 0.0);
    for frame in 0..50 {
        let goal = 0.35 * (1.0 - (std::f64::consts::TAU * 0.02 * Real::from(frame)).cos());
        let aim = |&joint: &usize| Aim::Motion { joint, axis: FLEXING, goal };
        let goals: Vec<Goal> =
            joints.iter().map(|joint| Goal { aim: aim(joint), weight: 1.0, time: 0.05 }).collect();
        let substeps = (0.02 / h).round() as u32;
        let inputs = Inputs { seconds: 0.02, substeps, goals: &goals, ..Inputs::default() };
        let report =
            step(&run.model, &mut run.state, &mut run.scratch, &inputs, &Control::default()).unwrap();
        (unsolved, error) = (unsolved + report.unsolved, report.error.max(error));
        for (off, angle) in off.iter_mut().zip(run.angles()) {
            *off = (angle.to_radians() - goal).abs().max(*off);
        }
    }
    (off, unsolved, error)
}

#[test]
fn the_joints_of_a_finger_follow_goals() {
    for h in [1e-3, 2e-3, 4e-3] {
        let (off, unsolved, error) = followed(h);
        println!("goals in steps of {h} s: joints off by at most {off:.3?} rad, rows by {error:.1e}");
        assert!(unsolved == 0 && error < 1e-5, "{unsolved} {error:e}");
        // Goals are pursued with a time of 0.05 s and move by up to 2.2 rad/s. The knuckle alone is not stretched well: its
        // extensor stretches the other joints first.
        assert!(off[1] < 0.15 && off[2] < 0.15 && off[0] < 0.45, "{off:?}");
    }
}

#[test]
fn bands_do_not_hinder_a_fist() {
    let fist = |bands: bool| {
        let options = floating(Options { bands, ..Options::default() });
        let mut run = Run::new(hand(&options).unwrap(), 2e-3);
        let flexor = |name: &str| name.ends_with("FDP") || name.ends_with("FDS");
        (0..8).for_each(|_| run.pull(|name| if flexor(name) { 4.0 } else { 0.0 }, 0.1));
        run.angles()
    };
    let (tied, free) = (fist(true), fist(false));
    println!("fist with bands {tied:.1?},\n  without {free:.1?}");
    assert!(tied.iter().zip(&free).all(|(a, b)| (a - b).abs() < 5.0), "{tied:?} {free:?}");
    assert!(tied.iter().all(|angle| *angle > 60.0), "{tied:?}");
}

/// The tip of a straight finger in the axes of its distal bone.
fn tip(parts: &Parts) -> Vec3 {
    let distal = &parts.bodies[Bone::Distal as usize];
    let along = |p: &Vec3| distal.place.point(p).x;
    let places = distal.solid.as_ref().unwrap().positions().iter().copied();
    places.max_by(|a, b| along(a).total_cmp(&along(b))).unwrap()
}

/// A flexed finger whose tip is locked to a place of the world.
fn loaded() -> Parts {
    let straight = finger(&Finger::index(), &floating(Options::default())).unwrap();
    let tip = tip(&straight);
    let mut run = Run::new(straight, 1e-3);
    (0..6).for_each(|_| run.pull(|name| if name.starts_with("FD") { 2.0 } else { 0.0 }, 0.1));
    println!("flexed to {:.1?} degrees", run.angles());
    let mut parts = run.model.parts_at(&run.state);
    let distal = Bone::Distal as usize;
    let place = parts.bodies[distal].place.point(&tip);
    // Along the axes of the joints, which hold the finger that way already.
    let along = Vec3::z() * 0.01;
    let (point, curve) = (parts.points.len(), parts.curves.len());
    parts.points.push(Point { name: "tip".into(), place, carrier: Carrier::Body(distal) });
    let shape = CurveShape::Line(place - along, place + along);
    parts.curves.push(Curve { name: "thumb".into(), body: None, shape });
    parts.rules.push(Rule::Curve { point, curve });
    parts
}

/// How a tip went.
struct Flick {
    /// Its speed when it had gone [`BEFORE`] from where it was released.
    speed: Real,
    /// Its greatest speed.
    fastest: Real,
    /// Its way at the former.
    way: Vec3,
    /// The speed at last of the last body: the box, if there is one.
    last: Real,
}

/// How far the tip goes before it meets the box, in m.
const BEFORE: Real = 0.01;
/// In s: a muscle takes about a tenth of a second to its whole strength.
const RISE: Real = 0.1;
/// When a locked tip is released, in s.
const RELEASE: Real = 0.4;

/// The extensor is activated to its whole strength; the tip is released later, or at the start already.
fn flick(parts: Parts, locked: bool) -> Flick {
    let distal = Bone::Distal as usize;
    let (tip, rule) = (parts.points.len() - 1, parts.rules.len() - 1);
    let strength = parts.muscles.iter().find(|m| m.name == "EDC").unwrap().strength;
    let mut run = Run::new(parts, 0.5e-3);
    let start = run.state.places[tip];
    let mut flick = Flick { speed: 0.0, fastest: 0.0, way: Vec3::zeros(), last: 0.0 };
    for k in 0..700 {
        let time = 1e-3 * k as Real;
        if time >= if locked { RELEASE } else { 0.0 } && !run.state.released.contains(&true) {
            run.state.release(&run.model, RowOwner::Rule(rule)).unwrap();
        }
        run.pull(|name| if name == "EDC" { strength * (time / RISE).min(1.0) } else { 0.0 }, 1e-3);
        let place = run.state.places[tip];
        let speed = run.state.bodies[distal].velocity_at(&place).norm();
        flick.fastest = flick.fastest.max(speed);
        if flick.speed == 0.0 && (place - start).norm() > BEFORE {
            (flick.speed, flick.way) = (speed, place - start);
        }
    }
    flick.last = run.state.bodies.last().unwrap().linear.norm();
    flick
}

/// A box of 2 cm and 2 g in the way of the tip.
fn with_box(mut parts: Parts, way: &Vec3) -> Parts {
    let size = Vec3::repeat(0.02);
    let mass = MassProperties::of_cuboid(&size, 250.0).unwrap();
    let start = parts.points.last().unwrap().place;
    let turn = Rotation::rotation_between(&Vec3::x(), way).unwrap();
    parts.contacts.push(Contact {
        name: "flick".into(),
        bodies: [Bone::Distal as usize, parts.bodies.len()],
        friction: 0.3,
    });
    parts.bodies.push(Body {
        name: "box".into(),
        place: Placement::new(turn, start + way.normalize() * (BEFORE + 0.5 * size.x)),
        mass: mass.mass,
        moments: mass.principal().moments,
        mode: Mode::Free,
        solid: Some(Solid::new(&shapes::cuboid(&size)).unwrap()),
    });
    parts
}

#[test]
fn a_tip_that_is_locked_while_the_extensor_pulls_flicks_faster_when_it_is_released() {
    let [locked, free] = [true, false].map(|locked| flick(loaded(), locked));
    let times = locked.speed / free.speed;
    println!(
        "flick: after {BEFORE} m the tip has {:.3} m/s, without a lock {:.3} m/s: {times:.2} times; greatest {:.3} and {:.3} m/s",
        locked.speed, free.speed, locked.fastest, free.fastest
    );
    let [hit, touched] =
        [(true, &locked.way), (false, &free.way)].map(|(locked, way)| flick(with_box(loaded(), way), locked));
    println!(
        "flick: the box flies off with {:.3} m/s, without a lock with {:.3} m/s",
        hit.last, touched.last
    );
    assert!(times > 3.0, "{times}");
    assert!(hit.last > 2.0 * touched.last, "{} {}", hit.last, touched.last);
}
