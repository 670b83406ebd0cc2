//! Fingers with tendons, step by step: one that is pulled, four whose joints follow goals by their muscles, then more
//! and more of them. Times are medians of a frame's steps; the machine may be shared: read the ratios. `--four MS` runs
//! the four fingers alone over and over in steps of so many milliseconds, for a profiler; `--rope NODES STEPS` releases
//! one end of a rope with that many nodes, and prints its energy and largest tension after every step of 1 ms.
//!
//! The thesis took 5 minutes for a second of four controlled fingers, in steps of 0.2 ms: 70 % solving, 21 % control, 7
//! % assembly, less than 1 % collision \[HandThesis §3.4\].

use sinew::anatomy::tendon_hand::bones::FLEXING;
use sinew::anatomy::tendon_hand::hand::{hand, row};
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::{Options, finger};
use sinew::control::Control;
use sinew::math::{Real, Vec3};
use sinew::strand::energy::{energy, tensions};
use sinew::strand::model::Model;
use sinew::strand::parts::{Aim, Carrier, Fibre, Goal, Mode, Node, Parts, Point, Strand};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, STAGES, Scratch, step};
use std::time::Instant;

/// A frame at 50 a second.
const FRAME: Real = 0.02;
/// Frames that are timed.
const FRAMES: usize = 50;
/// The thesis' computing time for a second of four controlled fingers, in s.
const THESIS: Real = 300.0;

struct Measured {
    unknowns: usize,
    rows: usize,
    /// Seconds a step, whole and by stage.
    step: Real,
    stages: [Real; STAGES.len()],
    factorisations: Real,
    error: Real,
    /// Steps whose solve ran out of its budget.
    unsolved: usize,
}

/// What to do in a frame.
enum Task {
    /// Pull with all flexors.
    Pull,
    /// Bend all joints and stretch them, once a second.
    Follow,
}

fn run(parts: Parts, h: Real, task: &Task) -> Measured {
    let model = Model::new(parts).unwrap();
    let (mut state, mut scratch) = (State::new(&model), Scratch::new(&model).unwrap());
    let substeps = (FRAME / h).round() as u32;
    let pulls: Vec<Real> =
        model.parts().muscles.iter().map(|m| 0.02 * Real::from(u8::from(m.name.contains("FD")))).collect();
    let (mut times, mut stages, mut error, mut factorisations, mut unsolved, mut taken) =
        (Vec::new(), Vec::new(), 0.0, 0, 0, 0.0);
    let control = Control::default();
    for frame in 0..FRAMES {
        let bend = 0.35 * (1.0 - (std::f64::consts::TAU * FRAME * frame as Real).cos());
        let goals: Vec<Goal> = match task {
            Task::Pull => Vec::new(),
            Task::Follow => flexions(&model, bend),
        };
        let activations: &[Real] = if goals.is_empty() { &pulls } else { &[] };
        let inputs = Inputs { seconds: FRAME, substeps, activations, goals: &goals, ..Inputs::default() };
        let clock = Instant::now();
        let report = match step(&model, &mut state, &mut scratch, &inputs, &control) {
            Ok(report) => report,
            Err(failed) => {
                println!("   frame {frame} fails: {failed}");
                break;
            }
        };
        let steps = Real::from(report.steps);
        times.push(clock.elapsed().as_secs_f64() / steps);
        stages.push(report.seconds.map(|s| s / steps));
        error = report.error.max(error);
        factorisations += report.factorisations;
        taken += steps;
        unsolved += report.unsolved;
    }
    let middle = |mut values: Vec<Real>| {
        values.sort_by(Real::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(Real::NAN)
    };
    Measured {
        unknowns: model.unknowns(),
        rows: model.rows(),
        step: middle(times),
        stages: std::array::from_fn(|k| middle(stages.iter().map(|s: &[Real; STAGES.len()]| s[k]).collect())),
        factorisations: factorisations as Real / taken.max(1.0),
        error,
        unsolved,
    }
}

/// Goals for the flexions of all joints that bend.
fn flexions(model: &Model, bend: Real) -> Vec<Goal> {
    let bends = |name: &str| ["MCP", "PIP", "DIP"].iter().any(|joint| name.contains(joint));
    let joints = model.parts().joints.iter().enumerate().filter(|(_, joint)| bends(&joint.name));
    let aim = |joint: usize| Aim::Motion { joint, axis: 2, goal: bend };
    joints.map(|(k, _)| Goal { aim: aim(k), weight: 1.0, time: 0.05 }).collect()
}

fn reported(name: &str, h: Real, found: &Measured) {
    let us = |s: Real| 1e6 * s;
    print!("{name:<22}{:>6.1}{:>7}{:>6}{:>10.1}", 1e3 * h, found.unknowns, found.rows, us(found.step));
    found.stages.iter().for_each(|s| print!("{:>9.1}", us(*s)));
    let faster = h / found.step;
    println!("{:>7.2}{:>9.1e}{:>9.1}x", found.factorisations, found.error, faster);
    if found.unsolved > 0 {
        println!("   {} steps ran out of their budget of factorisations", found.unsolved);
    }
}

/// Flexion of MCP, PIP, DIP in degrees after a pull of the deep flexor, 0.2 s without gravity: the measure by which
/// tests/hand/finger.rs judges step lengths.
fn flexed(h: Real) -> [Real; 3] {
    let mut options = Options::default();
    options.settings.gravity = Vec3::zeros();
    let model = Model::new(finger(&Finger::index(), &options).unwrap()).unwrap();
    let (mut state, mut scratch) = (State::new(&model), Scratch::new(&model).unwrap());
    let muscles = model.parts().muscles.iter();
    let pulls: Vec<Real> = muscles.map(|m| if m.name == "FDP" { 3.0 / m.strength } else { 0.0 }).collect();
    let substeps = (0.2 / h).round() as u32;
    let inputs = Inputs { seconds: 0.2, substeps, activations: &pulls, ..Inputs::default() };
    step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    [0, 1, 2].map(|k| model.parts().joints[k].motions(|b| state.bodies[b].place)[FLEXING].to_degrees())
}

/// How far a quick flexion is off in longer steps, and the longest that the truth tests allow.
fn longest_step() {
    let fine = flexed(0.125e-3);
    print!("errors of a flexion to {:.0} degrees in 0.2 s, by step in ms:", fine[2]);
    let mut longest = 0.0;
    for h in [0.5e-3, 1e-3, 2e-3, 4e-3, 5e-3] {
        let found = flexed(h);
        let off = (0..3).map(|k| (found[k] - fine[k]).abs()).fold(0.0, Real::max);
        print!("  {:.1}: {off:.1}", 1e3 * h);
        longest = if off < ALLOWED { h } else { longest };
    }
    println!("\nthe longest within {ALLOWED} degrees, as the tests ask: {:.1} ms", 1e3 * longest);
}

/// A rope of 10 m and 2 kg that hangs in an arc and is released at one end.
fn let_go(nodes: usize, steps: usize) {
    let (length, sag) = (10.0, 2.5);
    let along = |k: usize| length * k as Real / (nodes - 1) as Real;
    let place = |k: usize| {
        let x = sag * ((along(k) - 0.5 * length) / sag).asinh();
        Vec3::new(x, sag * (x / sag).cosh(), 0.0)
    };
    let carrier = |k: usize| if k == 0 { Carrier::World } else { Carrier::Nothing };
    let node = |k: usize| Node { point: k, material: along(k), mode: Mode::Removed };
    let fibre = Fibre { stiffness: 1e5, line_density: 0.2, axial_damping: 0.0, lateral_damping: 0.0 };
    let rope = Strand { name: "rope".into(), nodes: (0..nodes).map(node).collect(), fibre, radius: 0.008 };
    let point = |k: usize| Point { name: String::new(), place: place(k), carrier: carrier(k) };
    let points = (0..nodes).map(point).collect();
    let model = Model::new(Parts { points, strands: vec![rope], ..Parts::default() }).unwrap();
    let (mut state, mut scratch) = (State::new(&model), Scratch::new(&model).unwrap());
    println!("{nodes} nodes: {} unknowns, {:.6} J", model.unknowns(), energy(&model, &state).total());
    for frame in 1..=steps {
        let clock = Instant::now();
        let inputs = Inputs { seconds: 1e-3, substeps: 1, ..Inputs::default() };
        let report = step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
        let most = tensions(&model, &state)[0].iter().copied().fold(0.0, Real::max);
        let (energy, took) = (energy(&model, &state).total(), clock.elapsed().as_secs_f64());
        println!("{frame:>4} ms: {energy:.6} J, {most:.3} N, {} steps, {took:.2} s", report.steps);
    }
}

/// In degrees; see tests/hand/finger.rs.
const ALLOWED: Real = 6.0;

fn main() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|word| word == "--four") {
        let h = 1e-3 * words[at + 1].parse::<Real>().expect("--four needs milliseconds");
        let again =
            || reported("four, controlled", h, &run(hand(&Options::default()).unwrap(), h, &Task::Follow));
        return one.install(|| (0..10).for_each(|_| again()));
    }
    if let Some(at) = words.iter().position(|word| word == "--rope") {
        let [nodes, steps] = [1, 2].map(|k| words[at + k].parse().expect("--rope needs nodes and steps"));
        return one.install(|| let_go(nodes, steps));
    }
    one.install(|| {
        longest_step();
        print!(
            "one thread, microseconds a step\n{:<22}{:>6}{:>7}{:>6}{:>10}",
            "", "ms", "unkn.", "rows", "step"
        );
        STAGES.iter().for_each(|stage| print!("{stage:>9}"));
        println!("{:>7}{:>9}{:>10}", "fact.", "error", "real time");
        let options = Options::default();
        for h in [5e-4, 1e-3, 2e-3, 4e-3] {
            reported(
                "index finger, pulled",
                h,
                &run(row(&[Finger::index()], &options).unwrap(), h, &Task::Pull),
            );
        }
        for h in [1e-3, 2e-3, 4e-3] {
            let found = run(hand(&options).unwrap(), h, &Task::Follow);
            reported("four, controlled", h, &found);
            println!("   {:.0}x the thesis, which took {THESIS} s a second", THESIS * h / found.step);
        }
        for count in [1, 2, 4, 8, 16, 32] {
            let fingers: Vec<Finger> = (0..count).map(|_| Finger::index()).collect();
            let found = run(row(&fingers, &options).unwrap(), 2e-3, &Task::Pull);
            reported(&format!("{count} fingers, pulled"), 2e-3, &found);
        }
    });
}
