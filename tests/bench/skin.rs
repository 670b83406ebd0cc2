//! Sliding skin on the seven scenes of the thin skin paper: one 24 fps frame of the production integrator, one 1 ms
//! step of the reference integrator, and the paper's own way, that step with CSparse's LU of the whole KKT matrix,
//! nothing kept from step to step. Then a twisted tube of growing size. Methods take turns, each timed right after a
//! warm-up, and medians are shown; the machine may be shared: read the ratios. Scenes that are named on the command
//! line are run alone; `--paper NAME` runs one scene's steps of the reference integrator over and over, `--scene NAME`
//! its frames of the production integrator.
//!
//! The paper does not say how it called CSparse. Its manual (Davis, "Direct methods for sparse linear systems", 2006)
//! orders columns by A'A for LU and pivots by size: that is the one to compare with. It also knows the order by A + A'
//! with pivots near the diagonal, meant for symmetric patterns, which suits our matrix two to three times better. Both
//! are timed.

#[path = "../support/allocations.rs"]
#[allow(dead_code, reason = "nothing else counts here")]
mod allocations;
#[path = "skin/peer.rs"]
mod peer;
#[path = "../../examples/support/mod.rs"]
mod support;
#[path = "skin/sweep.rs"]
mod sweep;

use peer::{Kkt, Peer};
use sinew::control::Control;
use sinew::linalg::kkt::KktSolver;
use sinew::linalg::order::Order;
use sinew::math::Vec3;
use sinew::skin::model::{Mode, Model};
use sinew::skin::paper::{self, Chain, Charts, System};
use sinew::skin::production;
use sinew::skin::state::State;
use std::time::Instant;
use support::scenes::{SkinScene, all};
use support::sliding::{self, Tuning};

/// Frames that are timed, spread over the scene's motion.
const FRAMES: usize = 20;
/// Milliseconds of a step in the paper's table 2, on a 2.66 GHz Core i5 of 2013.
const PAPER: [(&str, f64); 7] = [
    ("torus", 22.44),
    ("cylinder", 33.72),
    ("head", 50.75),
    ("hand", 9.00),
    ("cloth", 164.04),
    ("torus_shaking", 23.37),
    ("dinosaur", 6.27),
];

/// The median.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn model(scene: &SkinScene, mode: Mode) -> Model {
    sliding::model(scene, &Tuning { mode, ..Tuning::of(scene) }).unwrap()
}

/// The production integrator on a scene.
struct Production {
    model: Model,
    state: State,
    scratch: production::Scratch,
    /// Newton steps of the last frame.
    steps: usize,
    /// And its milliseconds by stage.
    stages: [f64; 5],
    control: Control,
    /// The frame before, and the state that it began with.
    earlier: Option<(State, Vec<Vec3>)>,
}

impl Production {
    fn new(model: Model) -> Self {
        let scratch = production::Scratch::new(&model).unwrap();
        Production {
            state: State::at_rest(&model),
            model,
            scratch,
            steps: 0,
            stages: [0.0; 5],
            control: Control::default(),
            earlier: None,
        }
    }

    /// Times a frame directly after its predecessor, as in use, and not after another of the methods timed here: the
    /// previous frame is computed again first.
    fn frame_after_another(&mut self, body: &[Vec3]) -> f64 {
        if let Some((state, body)) = self.earlier.take() {
            self.state = state;
            self.frame(&body);
        }
        self.earlier = Some((self.state.clone(), body.to_vec()));
        self.frame(body)
    }

    fn frame(&mut self, body: &[Vec3]) -> f64 {
        let seconds = 1.0 / 24.0;
        let substeps = self.model.settings.automatic_substeps(seconds);
        let inputs = production::Inputs { body, seconds, substeps, forces: &[] };
        let clock = Instant::now();
        let (state, scratch) = (&mut self.state, &mut self.scratch);
        let report = production::step(&self.model, state, scratch, &inputs, &self.control).unwrap();
        self.steps = report.iterations;
        self.stages = report.seconds.map(|s| 1e3 * s);
        clock.elapsed().as_secs_f64() * 1e3
    }
}

/// Medians of one scene, in milliseconds.
struct Row {
    still: f64,
    /// Newton steps of the still frame.
    newton: f64,
    dynamic: f64,
    paper: f64,
    /// The paper integrator's assembly and its solve.
    assembly: f64,
    solve: f64,
    /// The iterations of that; none when it took a factor.
    iterations: f64,
    /// Our factor and its solve.
    factor: f64,
    /// CSparse with both orders.
    peer: [f64; 2],
    /// How far the peer is off ours.
    off: f64,
    inverted: usize,
}

fn run(scene: &SkinScene, peer: Option<&Peer>) -> Row {
    let [mut still, mut dynamic] =
        [Mode::Quasistatic, Mode::Dynamic].map(|mode| Production::new(model(scene, mode)));
    let own = model(scene, Mode::Dynamic);
    let charts = Charts::islands(&own.rest, &scene.rest).unwrap();
    let mut scratch = paper::Scratch::new(&own, &charts, &[]).unwrap();
    let mut factor = Factor::new(&scratch.system());
    let mut state = paper::State::at_rest(&own);
    let mut times: [Vec<f64>; 10] = Default::default();
    let (mut off, mut inverted): (f64, usize) = (0.0, 0);
    for frame in 1..=FRAMES + 1 {
        let body = scene.body(scene.time(frame));
        let seconds = 1.0 / 24.0;
        let found = [&mut still, &mut dynamic].map(|way| way.frame_after_another(&body));
        let inputs =
            paper::Inputs { body: &body, seconds, step: paper::STEP, chain: Chain::Vertex, forces: &[] };
        let clock = Instant::now();
        let report = match paper::step(&own, &charts, &mut state, &mut scratch, &inputs, &Control::default())
        {
            Ok(report) => report,
            Err(error) => {
                println!("   {}: the paper's step fails in frame {frame}: {error}", scene.name);
                break;
            }
        };
        let per_step = 1e3 / report.steps as f64;
        let whole = clock.elapsed().as_secs_f64() * per_step;
        inverted = inverted.max(report.inverted.len());
        let mut kkt = Kkt::new(&scratch.system());
        let solved = [2, 1].map(|order| {
            let mut solve = || peer.map_or((f64::NAN, 0.0), |peer| peer.solve(order, &mut kkt));
            solve();
            solve()
        });
        if frame == 1 {
            continue;
        }
        let [_, assembly, solve, _] = report.seconds.map(|s| s * per_step);
        let iterations = scratch.system().iterations as f64;
        let factor = factor.time(&scratch.system());
        let all = [still.steps as f64, whole, assembly, solve, iterations, factor, solved[0].0, solved[1].0];
        times.iter_mut().zip(found.into_iter().chain(all)).for_each(|(times, t)| times.push(t));
        off = solved.into_iter().fold(off, |worst, (_, off)| worst.max(off));
    }
    let [still, dynamic, newton, paper, assembly, solve, iterations, factor, second, first] =
        times.map(median);
    let peer = [second, first];
    Row { still, newton, dynamic, paper, assembly, solve, iterations, factor, peer, off, inverted }
}

/// Our factor of the same systems.
struct Factor(KktSolver);

impl Factor {
    fn new(system: &System) -> Self {
        Factor(KktSolver::new(system.matrix, system.rows, &Order::amd(system.matrix, 2).unwrap()).unwrap())
    }

    fn time(&mut self, system: &System) -> f64 {
        let (mut x, mut multipliers) = (system.force.to_vec(), system.speeds.to_vec());
        let clock = Instant::now();
        self.0.factor(system.matrix, system.rows).unwrap();
        self.0.solve(&mut x, &mut multipliers).unwrap();
        clock.elapsed().as_secs_f64() * 1e3
    }
}

const TITLE: &str = "\
ms, one thread. production: a frame of 1/24 s; paper: a step of 1 ms, of it assembly and solve (iterations; `factor` is
what our factor would take instead); CSparse: its LU of the KKT matrix, columns ordered by A'A or by A + A'
its way: the paper's step with CSparse in the place of our solve; ratios: its way by our step; frame: 41.7 of its steps
(A'A) by one still frame of production";

fn scenes(peer: Option<&Peer>, wanted: &[String]) {
    println!("{TITLE}");
    println!(
        "{:<14}{:>6}{:>5} |{:>7}{:>4}{:>8} |{:>7}{:>7}{:>7}{:>5}{:>8} |{:>8}{:>8} |{:>9}{:>7}{:>9}{:>7} |{:>7}{:>8}",
        "scene",
        "DoF",
        "rows",
        "still",
        "N",
        "dynamic",
        "paper",
        "assem",
        "solve",
        "its",
        "factor",
        "CS A'A",
        "CS A+A'",
        "way A'A",
        "ratio",
        "way A+A'",
        "ratio",
        "frame",
        "in 2013"
    );
    let scenes = all();
    for (name, printed) in PAPER {
        let Some(scene) = scenes.iter().find(|scene| scene.name == name) else { continue };
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let row = run(scene, peer);
        let ways = row.peer.map(|solve| row.paper - row.solve + solve);
        print!("{:<14}{:>6}{:>5} |", name, scene.dofs(), scene.constraints());
        print!("{:>7.2}{:>4}{:>8.2} |{:>7.3}", row.still, row.newton, row.dynamic, row.paper);
        print!("{:>7.3}{:>7.3}{:>5}{:>8.3} |", row.assembly, row.solve, row.iterations, row.factor);
        print!("{:>8.2}{:>8.2} |", row.peer[0], row.peer[1]);
        ways.iter().for_each(|way| print!("{way:>9.2}{:>6.1}x", way / row.paper));
        println!(" |{:>6.0}x{printed:>8.2}", 1000.0 / 24.0 * ways[0] / row.still);
        if row.inverted > 0 || row.off > 1e-6 {
            println!(
                "   {} triangles turned over by paper; CSparse off ours by {:.0e}",
                row.inverted, row.off
            );
        }
    }
}

/// One scene's still frames over and over, for a profiler.
fn again(name: &str) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for scene in all().iter().filter(|scene| scene.name == name) {
        let mut still = Production::new(model(scene, Mode::Quasistatic));
        let bodies: Vec<_> = (0..FRAMES).map(|frame| scene.body(scene.time(frame))).collect();
        let there_and_back = (0..400).map(|k| (k % (2 * FRAMES)).abs_diff(FRAMES).min(FRAMES - 1));
        let mut steps = 0;
        let mut stages = [0.0; 5];
        let frame = |k: usize| {
            let time = one.install(|| still.frame(&bodies[k]));
            steps += still.steps;
            stages.iter_mut().zip(still.stages).for_each(|(sum, stage)| *sum += stage / 400.0);
            time
        };
        let times = there_and_back.map(frame).collect();
        println!("{}: {:.3} ms, {} Newton steps in 400 frames", scene.title(), median(times), steps);
        println!("   carry, assembly, factor and solve, search, velocity: {stages:.3?}");
    }
}

/// One scene's steps of the paper integrator over and over, for a profiler.
fn paper_again(name: &str) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for scene in all().iter().filter(|scene| scene.name == name && scene.variant.is_empty()) {
        let own = model(scene, Mode::Dynamic);
        let charts = Charts::islands(&own.rest, &scene.rest).unwrap();
        let mut scratch = paper::Scratch::new(&own, &charts, &[]).unwrap();
        let mut state = paper::State::at_rest(&own);
        let (mut stages, mut steps) = ([0.0; 4], 0.0);
        for frame in 1..=FRAMES {
            let body = scene.body(scene.time(frame));
            let inputs = paper::Inputs {
                body: &body,
                seconds: 1.0 / 24.0,
                step: paper::STEP,
                chain: Chain::Vertex,
                forces: &[],
            };
            let step = || paper::step(&own, &charts, &mut state, &mut scratch, &inputs, &Control::default());
            let report = one.install(step).unwrap();
            stages.iter_mut().zip(report.seconds).for_each(|(sum, s)| *sum += 1e3 * s);
            steps += report.steps as f64;
        }
        println!("{}: coupling, assembly, solve, advection: {:.3?} ms", name, stages.map(|s| s / steps));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--size") {
        let number = |k: usize| arguments[at + k].parse().unwrap();
        return sweep::child(number(1), number(2));
    }
    if let Some(at) = arguments.iter().position(|a| a == "--scene") {
        return again(&arguments[at + 1]);
    }
    if let Some(at) = arguments.iter().position(|a| a == "--paper") {
        return paper_again(&arguments[at + 1]);
    }
    let wanted: Vec<String> = arguments.iter().skip(1).filter(|a| !a.starts_with('-')).cloned().collect();
    let peer = Peer::load();
    if let Err(reason) = &peer {
        println!("the paper's own way is left out: {reason}");
    }
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one.install(|| scenes(peer.as_ref().ok(), &wanted));
    if wanted.is_empty() {
        sweep::run();
    }
}
