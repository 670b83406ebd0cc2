//! The finger of tables against what is known of fingers.

use sinew::control::Control;
use sinew::math::{Real, Vec3};
use sinew::scene::tendon_hand::bones::{FLEXING, Knuckle};
use sinew::scene::tendon_hand::measures::Finger;
use sinew::scene::tendon_hand::routing::{Cut, Hold, Kind, Tendon, rows};
use sinew::scene::tendon_hand::{Options, finger};
use sinew::strand::energy::tensions;
use sinew::strand::joint::{Axis, Motion, Spring};
use sinew::strand::model::{Carrier, Model, Parts};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Report, Scratch, step};

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
fn it_stands() {
    let mut run = Run::new(&Options::default());
    println!("{} unknowns, {} rows", run.model.unknowns(), run.model.rows());
    let start = std::time::Instant::now();
    run.watch("rest", &[], 1.0, 0.1);
    println!(
        "{:.3} ms a step; error {:.1e}, trouble {:?}",
        start.elapsed().as_secs_f64() * 1e3 * STEP,
        run.error,
        run.trouble
    );
    for strand in &run.model.parts().strands {
        println!("{}: {:.3?}", strand.name, run.tension(&strand.name));
    }
    assert!(run.trouble == [0, 0] && run.error < 1e-5, "{:?} {:e}", run.trouble, run.error);
}

#[test]
fn the_deep_flexor_alone() {
    for knuckle in [Knuckle::Held, Knuckle::Flexing] {
        let mut run = Run::new(&floating(Options { knuckle, ..Options::only(&[Tendon::Fdp]) }));
        run.watch("FDP alone", &[("FDP", 2.0)], 1.0, 0.05);
        println!("error {:.1e} {:?} {:?}", run.error, run.trouble, run.tension("FDP"));
        let mut run = Run::new(&floating(Options { knuckle, ..Options::only(&[Tendon::Fdp, Tendon::Ol]) }));
        run.watch("FDP, OL", &[("FDP", 2.0)], 1.0, 0.05);
        println!("error {:.1e} {:?} {:?}", run.error, run.trouble, run.tension("OL"));
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
    for tendon in Tendon::ALL {
        for (k, row) in rows(tendon).iter().enumerate() {
            let (constraint, target, relation) = match row.hold {
                Hold::Line(muscle) => ("PointCurve", format!("II {muscle} line"), "equality".into()),
                Hold::Frame(bone) => ("PointFrame", bone.name().into(), "equality".into()),
                Hold::Planes([], above) => ("PointPlane", joined(above), String::from("inequality")),
                Hold::Planes(inside, []) => ("PointPlane", joined(inside), "equality".into()),
                Hold::Planes(inside, above) => {
                    ("PointPlane", joined(inside), format!("equality; {} inequality", joined(above)))
                }
            };
            let shared: Vec<String> = (Tendon::ALL.iter().filter(|other| **other != tendon))
                .filter_map(|other| {
                    let at = rows(*other).iter().position(|r| r.site == row.site)?;
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
    let mut parts = finger(&Finger::index(), &floating(Options::only(&[tendon]))).unwrap();
    for (k, j) in parts.joints.iter_mut().enumerate() {
        let spring = Spring { stiffness: STIFF, rest, damping: 0.1 * STIFF };
        j.axes[FLEXING] = match k == joint {
            true => Axis { motion: Motion::Free, friction: 0.0, spring: Some(spring) },
            false => Axis { motion: Motion::Held, ..Axis::default() },
        };
    }
    Run::of(parts)
}

/// The spring's stiffness in N m/rad.
const STIFF: Real = 0.1;

/// The arm of a strand at a joint in m, positive when it flexes, from the moment of the spring by the tension; the angle.
fn arm(tendon: Tendon, muscle: &str, joint: usize, rest: Real, force: Real) -> (Real, Real) {
    let mut run = sprung(tendon, joint, rest);
    run.pull(&[(muscle, force)], 2.0);
    let angle = run.angles()[joint].to_radians();
    let pulls = run.tension(tendon.name());
    let tension = pulls.iter().sum::<Real>() / pulls.len() as Real;
    assert!(pulls.iter().all(|pull| (pull / tension - 1.0).abs() < 1e-3), "{tendon:?} {joint} {pulls:?}");
    assert!(run.trouble == [0, 0] && run.error < 1e-5);
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
    for (tendon, muscle) in strands {
        let arms =
            [0, 1, 2].map(|joint| [0.0, 0.5, 1.0].map(|rest| 1e3 * arm(tendon, muscle, joint, rest, 0.5).0));
        println!("{tendon:?}: arms in mm at 0, 30, 60 degrees of MCP, PIP, DIP {arms:.2?}");
    }
}

#[test]
fn deformities() {
    use sinew::strand::rule::Rule;
    for reading in [Cut::ProximalHplane, Cut::MiddleHplane] {
        for knuckle in [Knuckle::Held, Knuckle::Flexing] {
            for (name, options) in [("intact", Options::default()), ("boutonniere", Options::boutonniere())] {
                println!("== {name}, {knuckle:?} {reading:?}");
                let mut parts = finger(&Finger::index(), &floating(Options { knuckle, ..options })).unwrap();
                let ten = parts.points.iter().position(|p| p.name == "ExtLat 10").unwrap();
                for rule in &mut parts.rules {
                    if let Rule::Plane { point, plane, or_above: true } = rule
                        && *point == ten
                    {
                        *plane = reading as usize;
                    }
                }
                let mut run = Run::of(parts);
                run.watch("flexors", &[("FDP", 2.0), ("FDS", 2.0)], 0.7, 0.7);
                run.watch("and EDC 6", &[("FDP", 0.5), ("FDS", 0.5), ("EDC", 6.0)], 3.0, 0.5);
                show(&run);
                run.watch("EDC, LUM 3", &[("FDP", 0.5), ("FDS", 0.5), ("EDC", 6.0), ("LUM", 3.0)], 2.0, 0.5);
                show(&run);
            }
        }
    }
    for h in [1e-3, 2e-3, 4e-3, 8e-3] {
        for options in [Options::default(), floating(Options::default())] {
            let mut run = Run::new(&options);
            run.step = h;
            let start = std::time::Instant::now();
            run.watch("F", &[("FDP", 10.0), ("FDS", 10.0)], 0.6, 0.1);
            run.watch("E", &[("EDC", 20.0)], 0.6, 0.1);
            let ms = start.elapsed().as_secs_f64() / 1.2 * h * 1e3;
            println!("h {h}: {ms:.3} ms a step, error {:.1e} {:?}", run.error, run.trouble);
        }
    }
}

fn show(run: &Run) {
    for name in ["EDC", "IntMed", "ExtLat", "LUM", "OL", "FDP"] {
        if run.model.parts().strands.iter().any(|s| s.name == name) {
            print!(" {name} {:.2?}", run.tension(name));
        }
    }
    let at = |name: &str| run.model.parts().points.iter().position(|p| p.name == name);
    for name in ["ExtLat 9", "ExtLat 10", "OL 3", "EDC 10", "LUM 4"] {
        if let Some(p) = at(name) {
            let proximal = run.state.bodies[2].place.point_inside(&run.state.places[p]);
            print!(" {name} {:.2?}", (proximal * 1e3).as_slice());
        }
    }
    println!(" error {:.1e} trouble {:?}", run.error, run.trouble);
}
