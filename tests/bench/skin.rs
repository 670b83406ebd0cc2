//! Sliding skin on the seven scenes of the thin skin paper: one 24 fps frame of the production integrator, one 1 ms step
//! of the reference integrator, and the paper's own way, that step with CSparse's LU of the whole KKT matrix, nothing
//! kept from step to step. Then a twisted tube of growing size. Rows take turns and medians are shown; the machine may
//! be shared: read the ratios.

#[path = "../support/allocations.rs"]
mod allocations;
#[path = "skin/peer.rs"]
mod peer;
#[path = "../../examples/support/mod.rs"]
mod support;
#[path = "skin/sweep.rs"]
mod sweep;

use peer::{Kkt, Peer};
use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::geometry::TriMesh;
use sinew::skin::model::{Hold, Mode, Model, Settings};
use sinew::skin::paper::{self, Chain, Charts};
use sinew::skin::production;
use sinew::skin::state::State;
use std::time::Instant;
use support::scenes::{SkinScene, all};

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

/// The middle one.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn model(scene: &SkinScene, mode: Mode) -> Model {
    // What shakes and jiggles does so because the body does not carry its skin along.
    let zeta = if ["torus_shaking", "dinosaur"].contains(&scene.name) { 0.0 } else { 1.0 };
    let settings = Settings { mode, zeta, ..Settings::new(Material::Stvk(Stvk::new(2e4, 0.4).unwrap())) };
    let mut model = Model::new(TriMesh::from_mesh(&scene.rest).unwrap(), settings).unwrap();
    let hold = |(&fixed, slide): (&bool, &Option<_>)| match (fixed, slide) {
        (true, _) => Hold::Fixed,
        (_, Some(along)) => Hold::Along(*along),
        _ => Hold::Free,
    };
    let holds: Vec<_> = scene.fixed.iter().zip(&scene.slide).map(hold).collect();
    model.set_holds(&holds).unwrap();
    model
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
}

impl Production {
    fn new(model: Model) -> Self {
        let scratch = production::Scratch::new(&model).unwrap();
        Production { state: State::at_rest(&model), model, scratch, steps: 0, stages: [0.0; 5] }
    }

    fn frame(&mut self, body: &[sinew::math::Vec3]) -> f64 {
        let seconds = 1.0 / 24.0;
        let substeps = self.model.settings.automatic_substeps(seconds);
        let inputs = production::Inputs { body, seconds, substeps, forces: &[] };
        let clock = Instant::now();
        let control = Control::default();
        let report =
            production::step(&self.model, &mut self.state, &mut self.scratch, &inputs, &control).unwrap();
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
    parts: [f64; 4],
    orders: Option<[f64; 2]>,
    off: f64,
    inverted: usize,
}

fn run(scene: &SkinScene, peer: Option<&Peer>) -> Row {
    let [mut still, mut dynamic] =
        [Mode::Quasistatic, Mode::Dynamic].map(|mode| Production::new(model(scene, mode)));
    let own = model(scene, Mode::Dynamic);
    let charts = Charts::islands(&own.rest, &scene.rest).unwrap();
    let mut scratch = paper::Scratch::new(&own, &charts, &[]).unwrap();
    let mut state = paper::State::at_rest(&own);
    let mut times: [Vec<f64>; 10] = Default::default();
    let (mut off, mut inverted): (f64, usize) = (0.0, 0);
    for frame in 1..=FRAMES + 1 {
        let body = scene.body(scene.time(frame));
        let seconds = 1.0 / 24.0;
        let found = [still.frame(&body), dynamic.frame(&body)];
        let inputs =
            paper::Inputs { body: &body, seconds, step: paper::STEP, chain: Chain::Vertex, forces: &[] };
        let clock = Instant::now();
        let report =
            paper::step(&own, &charts, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
        let per_step = 1e3 / report.steps as f64;
        let whole = clock.elapsed().as_secs_f64() * per_step;
        inverted = inverted.max(report.inverted.len());
        let mut kkt = Kkt::new(&scratch.system());
        let solved = peer.map(|peer| [1, 2].map(|order| peer.solve(order, &mut kkt)));
        if frame == 1 {
            continue;
        }
        let parts = report.seconds.map(|s| s * per_step);
        let all = found.into_iter().chain([still.steps as f64, whole]).chain(parts);
        let all = all.chain(solved.into_iter().flatten().map(|(time, _)| time));
        times.iter_mut().zip(all).for_each(|(times, t)| times.push(t));
        off = solved.into_iter().flatten().fold(off, |worst, (_, off)| worst.max(off));
    }
    let [still, dynamic, newton, paper, c, d, e, f, g, h] = times.map(median);
    let orders = peer.map(|_| [g, h]);
    Row { still, newton, dynamic, paper, parts: [c, d, e, f], orders, off, inverted }
}

fn scenes(peer: Option<&Peer>) {
    println!(
        "ms, one thread; production: a frame of 1/24 s; paper: a step of 1 ms; CSparse: its LU with the orders A + A', A'A"
    );
    println!(
        "{:<14}{:>6}{:>6}{:>11}{:>7}{:>9}{:>8}{:>9}{:>9}{:>9}{:>10}{:>10}{:>9}{:>8}{:>9}",
        "scene",
        "DoF",
        "rows",
        "prod still",
        "Newton",
        "dynamic",
        "paper",
        "assembly",
        "solve",
        "CS 1",
        "CS 2",
        "its way",
        "way/own",
        "way/fr",
        "in 2013"
    );
    for (name, printed) in PAPER {
        let all = all();
        let Some(scene) = all.iter().find(|scene| scene.name == name) else { continue };
        let row = run(scene, peer);
        let rest = row.paper - row.parts[2];
        let [first, second] = row.orders.unwrap_or([f64::NAN; 2]);
        let way = rest + first.min(second);
        println!(
            "{:<14}{:>6}{:>6}{:>11.2}{:>7}{:>9.2}{:>8.3}{:>9.3}{:>9.3}{:>9.2}{:>10.2}{:>10.2}{:>8.0}x{:>7.0}x{:>9.2}",
            name,
            scene.dofs(),
            scene.constraints(),
            row.still,
            row.newton,
            row.dynamic,
            row.paper,
            row.parts[1],
            row.parts[2],
            first,
            second,
            way,
            way / row.paper,
            1000.0 / 24.0 * way / row.still,
            printed
        );
        if row.inverted > 0 || row.off > 1e-6 {
            println!(
                "   {} triangles turned over by paper; CSparse off ours by {:.0e}",
                row.inverted, row.off
            );
        }
    }
    println!(
        "its way: CSparse and our other stages; way/own: against our step; way/fr: 41.7 of its steps against a still frame"
    );
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

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--size") {
        let number = |k: usize| arguments[at + k].parse().unwrap();
        return sweep::child(number(1), number(2));
    }
    if let Some(at) = arguments.iter().position(|a| a == "--scene") {
        return again(&arguments[at + 1]);
    }
    let peer = Peer::load();
    if let Err(reason) = &peer {
        println!("the paper's own way is left out: {reason}");
    }
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one.install(|| scenes(peer.as_ref().ok()));
    sweep::run();
}
