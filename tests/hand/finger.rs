//! The finger of tables against what is known of fingers.

use sinew::anatomy::tendon_hand::bones::{Bone, FLEXING, Knuckle, Resistance};
use sinew::anatomy::tendon_hand::hand::{body, hand};
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::routing::{Cut, Hold, Kind};
use sinew::anatomy::tendon_hand::tendons::Tendon;
use sinew::anatomy::tendon_hand::{Options, finger};
use sinew::control::Control;
use sinew::math::{Real, Vec3};
use sinew::strand::energy::tensions;
use sinew::strand::model::Model;
use sinew::strand::parts::{Axis, Carrier, Motion, Parts, Spring};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Report, Scratch, step};
use std::time::Instant;

/// The steps of all runs, in s.
const STEP: Real = 2e-3;

/// A finger in motion.
struct Run {
    model: Model,
    state: State,
    scratch: Scratch,
    /// The largest error of a joint or a rule so far.
    error: Real,
    /// Steps whose solve ran out of its budget, and rows that contradicted each other.
    trouble: [usize; 2],
    step: Real,
}

impl Run {
    fn of(parts: Parts) -> Self {
        let model = Model::new(parts).unwrap();
        let (state, scratch) = (State::new(&model), Scratch::new(&model).unwrap());
        Run { model, state, scratch, error: 0.0, trouble: [0; 2], step: STEP }
    }

    fn new(options: &Options) -> Self {
        Run::of(finger(&Finger::index(), options).unwrap())
    }

    /// Pulls with forces in N for a time.
    fn pull(&mut self, forces: &[(&str, Real)], seconds: Real) -> Report {
        let activations: Vec<Real> = (self.model.parts().muscles.iter())
            .map(|muscle| forces.iter().find(|f| f.0 == muscle.name).map_or(0.0, |f| f.1 / muscle.strength))
            .collect();
        let substeps = (seconds / self.step).round() as u32;
        let inputs = Inputs { seconds, substeps, activations: &activations, ..Inputs::default() };
        let report =
            step(&self.model, &mut self.state, &mut self.scratch, &inputs, &Control::default()).unwrap();
        self.error = self.error.max(report.error);
        self.trouble[0] += report.unsolved;
        self.trouble[1] += report.conflicts.len();
        report
    }

    /// Nothing failed on the way.
    fn sound(&self) {
        assert!(self.trouble == [0, 0] && self.error < 1e-5, "{:?} {:e}", self.trouble, self.error);
    }

    /// Flexion of MCP, PIP, DIP in degrees.
    fn angles(&self) -> [Real; 3] {
        let joints = &self.model.parts().joints;
        [0, 1, 2].map(|k| joints[k].motions(|b| self.state.bodies[b].place)[FLEXING].to_degrees())
    }

    /// The tension of a strand's segments.
    fn tension(&self, name: &str) -> Vec<Real> {
        let strand = self.model.parts().strands.iter().position(|s| s.name == name).unwrap();
        tensions(&self.model, &self.state).swap_remove(strand)
    }

    /// The angles over a time.
    fn watch(&mut self, what: &str, forces: &[(&str, Real)], seconds: Real, frame: Real) -> Vec<[Real; 3]> {
        let frames = (seconds / frame).round() as usize;
        let mut all = Vec::new();
        for _ in 0..frames {
            self.pull(forces, frame);
            let a = self.angles();
            println!("{what} {:.2} s: MCP {:6.1} PIP {:6.1} DIP {:6.1}", self.state.time, a[0], a[1], a[2]);
            all.push(a);
        }
        all
    }
}

fn floating(mut options: Options) -> Options {
    options.settings.gravity = Vec3::zeros();
    options
}

#[test]
fn every_finger_stands() {
    for finger_measures in Finger::all() {
        let parts = finger(&finger_measures, &Options::default()).unwrap();
        let mut run = Run::of(parts);
        let start = Instant::now();
        let end = run.watch("at rest", &[], 1.0, 0.5)[1];
        let spent = start.elapsed().as_secs_f64() * 1e3 * STEP;
        println!(
            "finger {}: {} unknowns, {} rows, {spent:.3} ms a step, joints off by {:.1e}",
            finger_measures.digit,
            run.model.unknowns(),
            run.model.rows(),
            run.error
        );
        assert!(end.iter().all(|angle| (-30.0..90.0).contains(angle)), "{end:?}");
        run.sound();
    }
}

#[test]
fn longer_steps_do_the_same() {
    let after = |h: Real| {
        let mut run = Run::new(&floating(Options::default()));
        run.step = h;
        let start = Instant::now();
        run.pull(&[("FDP", 3.0)], 0.2);
        let flexed = run.angles();
        run.pull(&[("EDC", 6.0)], 0.2);
        let spent = start.elapsed().as_secs_f64() * 1e3 * h / 0.4;
        println!(
            "steps of {h} s: flexed {flexed:.2?}, extended {:.2?}; {spent:.3} ms a step, off by {:.1e}",
            run.angles(),
            run.error
        );
        run.sound();
        flexed
    };
    let fine = after(0.5e-3);
    let off = [1e-3, 2e-3, 4e-3].map(|h| {
        let found = after(h);
        (0..3).map(|k| (found[k] - fine[k]).abs()).fold(0.0, Real::max)
    });
    println!("off the finest by {off:.2?} degrees");
    assert!(off[1] < OFF, "{off:?}");
}

/// How far steps of 2 ms may differ from steps of 0.5 ms, in degrees, in a quick flexion by 40.
const OFF: Real = 6.0;

#[test]
fn dry_friction_holds_a_finger_up() {
    let with = |friction: Real| {
        let resistance = Resistance { friction, passive: false, ..Resistance::default() };
        let mut run = Run::new(&Options { resistance, ..Options::only(&[Tendon::Fdp]) });
        let end = run.watch("falling", &[], 0.5, 0.5)[0];
        run.sound();
        end
    };
    // 25 g at 40 mm is 0.01 N m.
    let (held, falling) = (with(0.02), with(0.0));
    assert!(held.iter().all(|angle| angle.abs() < 0.01), "{held:?}");
    assert!(falling[0] > 10.0, "{falling:?}");
}

/// How the last two joints flex while the deep flexor pulls: the angles of PIP and DIP until one of them is at its
/// limit.
fn flexing(options: Options) -> Vec<[Real; 2]> {
    let mut run = Run::new(&floating(options));
    let all = run.watch("FDP pulls", &[("FDP", 2.0)], 0.8, 0.05);
    run.sound();
    all.iter().map(|a| [a[1], a[2]]).take_while(|a| a[0] < 95.0 && a[1] < 88.0).collect()
}

#[test]
fn the_oblique_ligament_makes_two_joints_flex_together() {
    for knuckle in [Knuckle::Held, Knuckle::Flexing] {
        let alone = flexing(Options { knuckle, ..Options::only(&[Tendon::Fdp]) });
        let with = flexing(Options { knuckle, ..Options::only(&[Tendon::Fdp, Tendon::Ol]) });
        let ratios = |all: &[[Real; 2]]| all.iter().map(|a| a[1] / a[0]).collect::<Vec<_>>();
        let (alone, with) = (ratios(&alone), ratios(&with));
        println!("{knuckle:?}: DIP / PIP, FDP alone {alone:.2?}, with OL {with:.2?}");
        assert!(alone.len() >= 4 && alone.iter().all(|r| (1.8..3.5).contains(r)), "{alone:?}");
        // Until the ligament is taut the last joint is ahead.
        assert!(with.len() >= 6 && with[1..].iter().all(|r| (0.85..1.35).contains(r)), "{with:?}");
    }
}

/// The lines of a csv file under tests/data/tendon_hand, without the first.
fn table(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("tests/data/tendon_hand/{name}")).unwrap();
    text.lines().skip(1).map(String::from).collect()
}

#[test]
fn the_nodes_are_those_of_the_tables() {
    let cut = |cut: &Cut| format!("II {} {}", cut.name().0.name(), cut.name().1);
    let joined = |cuts: &[Cut]| cuts.iter().map(cut).collect::<Vec<_>>().join("|");
    let mut found = Vec::new();
    for tendon in Tendon::TABLED {
        for (k, row) in tendon.nodes().iter().enumerate() {
            let (constraint, target, relation) = match row.hold {
                Hold::Line(muscle) => ("PointCurve", format!("II {muscle} line"), "equality".into()),
                Hold::Frame(bone) => ("PointFrame", bone.name().into(), "equality".into()),
                Hold::Planes([], above) => ("PointPlane", joined(above), String::from("inequality")),
                Hold::Planes(inside, []) => ("PointPlane", joined(inside), "equality".into()),
                Hold::Planes(inside, above) => {
                    ("PointPlane", joined(inside), format!("equality; {} inequality", joined(above)))
                }
            };
            let shared: Vec<String> = (Tendon::TABLED.iter().filter(|other| **other != tendon))
                .filter_map(|other| {
                    let at = other.nodes().iter().position(|r| r.site == row.site)?;
                    Some(format!("{}({})", other.name(), at + 1))
                })
                .collect();
            let kind = if row.kind == Kind::Lagrangian { "Lagrangian" } else { "Eulerian" };
            let (name, node, shared) = (tendon.name(), k + 1, shared.join(" "));
            found.push(format!("{name},{node},{kind},{constraint},{target},{relation},{shared}"));
        }
    }
    assert_eq!(found, table("strand_nodes.csv"));
    let planes = Cut::ALL.iter().filter(|c| **c != Cut::ProximalTplane).map(|c| match c.parents() {
        (a, Some(b)) => format!("{},Blending,{},{}", cut(c), a.name(), b.name()),
        (a, None) => format!("{},Fixed,{},", cut(c), a.name()),
    });
    assert_eq!(planes.collect::<Vec<_>>(), table("planes.csv"));
}

/// The finger with one strand only, straight but for one joint on a spring.
fn sprung(tendon: Tendon, joint: usize, rest: Real) -> Run {
    let options = Options { knuckle: Knuckle::Flexing, ..Options::only(&[tendon]) };
    let mut parts = finger(&Finger::index(), &floating(options)).unwrap();
    for (k, j) in parts.joints.iter_mut().enumerate() {
        let spring = Spring { stiffness: STIFF, rest, damping: 0.1 * STIFF };
        j.axes[FLEXING] = match k == joint {
            true => Axis { motion: Motion::Free, spring: Some(spring), ..Axis::default() },
            false => Axis { motion: Motion::Held, ..Axis::default() },
        };
    }
    Run::of(parts)
}

/// The spring's stiffness in N m/rad.
const STIFF: Real = 0.1;

/// The moment arm of a strand at a joint in m, positive if it flexes: the spring's moment over the tension; and the
/// angle.
fn arm(tendon: Tendon, muscle: &str, joint: usize, rest: Real, force: Real) -> (Real, Real) {
    let mut run = sprung(tendon, joint, rest);
    run.pull(&[(muscle, force)], 2.0);
    let angle = run.angles()[joint].to_radians();
    let pulls = run.tension(tendon.name());
    let tension = pulls.iter().sum::<Real>() / pulls.len() as Real;
    assert!(pulls.iter().all(|pull| (pull / tension - 1.0).abs() < 1e-3), "{tendon:?} {joint} {pulls:?}");
    run.sound();
    (STIFF * (angle - rest) / tension, angle)
}

/// The length of the deep flexor with a joint at an angle, the others straight.
fn flexor_length(parts: &Parts, joint: usize, angle: Real) -> Real {
    let axis = (parts.bodies[joint + 2].place * parts.joints[joint].in_child).origin;
    let (sine, cosine) = angle.sin_cos();
    let places = parts.strands[0].nodes.iter().map(|node| {
        let point = &parts.points[node.point];
        let r = point.place - axis;
        let turned = axis + Vec3::new(r.x * cosine + r.y * sine, r.y * cosine - r.x * sine, r.z);
        if matches!(point.carrier, Carrier::Body(b) if b >= joint + 2) { turned } else { point.place }
    });
    places.collect::<Vec<_>>().windows(2).map(|p| (p[1] - p[0]).norm()).sum()
}

#[test]
fn the_flexors_arms_are_the_slopes_of_its_length_and_those_of_hands() {
    let parts = finger(&Finger::index(), &Options::only(&[Tendon::Fdp])).unwrap();
    // [HelpingHand table A.4].
    for (joint, measured) in [0.0111, 0.0079, 0.0041].into_iter().enumerate() {
        let slope = |at: Real| {
            (flexor_length(&parts, joint, at - 1e-5) - flexor_length(&parts, joint, at + 1e-5)) / 2e-5
        };
        for (rest, force) in [(-0.1, 1.0), (0.3, 3.0), (0.6, 6.0)] {
            let (found, angle) = arm(Tendon::Fdp, "FDP", joint, rest, force);
            println!(
                "FDP at joint {joint}, {:5.1} degrees: arm {:.4} mm by statics, {:.4} mm by its length",
                angle.to_degrees(),
                1e3 * found,
                1e3 * slope(angle)
            );
            assert!((found / slope(angle) - 1.0).abs() < 2e-3, "{found} {}", slope(angle));
        }
        println!("  straight {:.2} mm, measured {:.2} mm", 1e3 * slope(0.0), 1e3 * measured);
        assert!((slope(0.0) / measured - 1.0).abs() < 0.1);
    }
}

#[test]
fn what_each_strand_does_at_each_joint() {
    let strands = [
        (Tendon::Fds, "FDS"),
        (Tendon::Edc, "EDC"),
        (Tendon::ExtLat, "EDC"),
        (Tendon::IntMed, "LUM"),
        (Tendon::Lum, "LUM"),
        (Tendon::Di, "DI"),
        (Tendon::Pi, "PI"),
    ];
    // In mm. Those measured [HelpingHand table A.4] are 11.9 and 6.2 for FDS, -8.6, -2.8, -2.2 for the extensor, 5.0,
    // -0.7, -1.8 for the lumbrical, 3.7 and 6.6 for DI and PI at the knuckle.
    let expected: [[[Real; 2]; 3]; 7] = [
        [[10.0, 14.0], [5.0, 7.5], NONE],
        [[-10.0, -5.0], [-6.5, -2.5], NONE],
        [[-10.0, -5.0], [-6.5, -2.5], [-4.5, -2.0]],
        [[4.0, 8.0], [-6.5, -2.5], NONE],
        [[4.0, 8.0], [-6.5, -0.5], [-4.5, -1.5]],
        [[2.5, 5.0], NONE, NONE],
        [[5.0, 8.0], NONE, NONE],
    ];
    for ((tendon, muscle), expected) in strands.into_iter().zip(expected) {
        let arms =
            [0, 1, 2].map(|joint| [0.0, 0.5, 1.0].map(|rest| 1e3 * arm(tendon, muscle, joint, rest, 0.5).0));
        println!("{tendon:?}: arms in mm at about 0, 30, 60 degrees of MCP, PIP, DIP {arms:.2?}");
        for (arm, [low, high]) in arms.iter().zip(expected) {
            assert!(arm[0] > low && arm[0] < high, "{tendon:?} {arms:?}");
        }
    }
}

/// No arm.
const NONE: [Real; 2] = [-1e-6, 1e-6];

#[test]
fn without_its_insertion_into_the_middle_bone_the_extensor_makes_a_boutonniere() {
    for knuckle in [Knuckle::Held, Knuckle::Flexing] {
        let extended = |options: Options| {
            let mut run = Run::new(&floating(Options { knuckle, ..options }));
            run.watch("flexed", &[("FDP", 2.0), ("FDS", 2.0)], 0.7, 0.7);
            let tone = [("FDP", 0.5), ("FDS", 0.5), ("EDC", 12.0)];
            let end = run.watch("extended", &tone, 3.0, 0.5)[5];
            run.sound();
            end
        };
        let (intact, cut) = (extended(Options::default()), extended(Options::boutonniere()));
        println!("{knuckle:?}: intact {intact:.1?}, cut {cut:.1?}");
        // A sound finger is straight; table A.1 lets the last joint hyper-extend by 10 degrees.
        assert!(intact[1].abs() < 10.0 && intact[2] > -10.0, "{intact:?}");
        assert!(cut[1] > 35.0 && cut[2] < -12.0, "{cut:?}");
    }
}

#[test]
fn a_long_oblique_ligament_makes_a_swan_neck() {
    let ends = [Options::default(), Options::swan_neck()].map(|options| {
        let mut run = Run::new(&floating(Options { knuckle: Knuckle::Held, ..options }));
        run.watch("extended", &[("EDC", 10.0)], 0.6, 0.6);
        let end = run.watch("and FDP", &[("EDC", 10.0), ("FDP", 7.0)], 3.0, 0.5);
        run.sound();
        end[5]
    });
    // The sound finger makes a fist; the other one is hyper-extended by the extensor before.
    let [intact, long] = ends;
    println!("intact {intact:.1?}, long {long:.1?}");
    assert!(intact[1] > 60.0 && intact[2] > 60.0, "{intact:?}");
    assert!(long[1] < -20.0 && long[2] > 60.0, "{long:?}");
}

#[test]
fn a_hand_is_four_fingers_that_move_as_each_alone() {
    let forces = [("FDP", 3.0), ("EDC", 1.0)];
    let fine = |parts: Parts| Run { step: 1e-3, ..Run::of(parts) };
    let alone = Finger::all().map(|measures| {
        let mut run = fine(finger(&measures, &Options::default()).unwrap());
        run.pull(&forces, 0.2);
        run.angles()
    });
    let mut run = fine(hand(&Options::default()).unwrap());
    let named = Finger::all().map(|f| forces.map(|(muscle, force)| (format!("{} {muscle}", f.digit), force)));
    let forces: Vec<(&str, Real)> = named.as_flattened().iter().map(|f| (f.0.as_str(), f.1)).collect();
    let start = Instant::now();
    run.pull(&forces, 0.2);
    let spent = start.elapsed().as_secs_f64() * 1e3 * run.step / 0.2;
    let (unknowns, rows) = (run.model.unknowns(), run.model.rows());
    println!("hand: {unknowns} unknowns, {rows} rows, {spent:.3} ms a step, off by {:.1e}", run.error);
    run.sound();
    let place = |b: usize| run.state.bodies[b].place;
    let found: Vec<Real> =
        run.model.parts().joints.iter().map(|j| j.motions(place)[FLEXING].to_degrees()).collect();
    let off: Vec<Real> = found.iter().zip(alone.as_flattened()).map(|(a, b)| (a - b).abs()).collect();
    println!("{found:.2?}, off those alone by {off:.2?} degrees");
    // Round-off differs, and so do the steps that were shortened for another finger; strands that fall slack and tauten
    // make that larger.
    assert!(off.iter().all(|o| *o < 0.2), "{off:?}");
    let middle = &run.model.parts().bodies[body(2, Bone::Middle)];
    assert_eq!(middle.name, "IV Middle");
}

#[test]
fn a_finger_stands_the_whole_strength_of_each_muscle() {
    for (name, flexes) in [("FDP", true), ("FDS", true), ("EDC", false), ("LUM", true), ("DI", true)] {
        let mut run = Run { step: 1e-3, ..Run::new(&Options::default()) };
        let strength = run.model.parts().muscles.iter().find(|m| m.name == name).map(|m| m.strength);
        run.pull(&[(name, strength.unwrap())], 0.4);
        println!("{name} with {strength:?} N: {:.1?}, off by {:.1e}", run.angles(), run.error);
        assert!(run.trouble == [0, 0] && run.error < 1e-3, "{:?} {:e}", run.trouble, run.error);
        assert_eq!(run.angles()[0] > 45.0, flexes);
    }
}

/// Where steps are too long for muscles that jump to their whole strength, the frame is done again in shorter ones.
#[test]
fn a_frame_whose_steps_are_too_long_takes_shorter_ones() {
    let mut run = Run { step: 10e-3, ..Run::new(&Options::default()) };
    let strength = |name: &str| run.model.parts().muscles.iter().find(|m| m.name == name).unwrap().strength;
    let forces = ["FDP", "FDS", "EDC"].map(|name| (name, strength(name)));
    let most = (0..10).map(|_| run.pull(&forces, 0.08).steps).max().unwrap();
    println!("{forces:?} N in steps of 10 ms: up to {most} steps instead of 8; {:.1?}", run.angles());
    assert!(most > 8 && run.angles()[1] > 45.0 && run.angles()[2] > 45.0);
}
