//! The reference integrator against the production integrator and against known answers.

use crate::quads::{torus_charts, tube_charts};
use crate::tube::{LENGTH, RADIUS, ahead, height, tube, turned};
use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::geometry::{Mesh, TriMesh, shapes};
use sinew::linalg::order::Order;
use sinew::linalg::spd::SpdSolver;
use sinew::math::{Real, Vec2, Vec3};
use sinew::skin::model::{Hold, Mode, Model, Settings};
use sinew::skin::paper::{self, Chain, Charts, Row};
use sinew::skin::production;
use sinew::skin::rest::Rest;
use sinew::skin::state::State;
use std::f64::consts::{PI, TAU};

/// Known answers need more digits than the eye does.
const TOLERANCE: Real = 1e-7;

/// lambda = mu, so that the answers do not depend on the modulus.
fn settings() -> Settings {
    let material = Material::Stvk(Stvk::new(2e4, 1.0 / 3.0).unwrap());
    Settings { tolerance: TOLERANCE, ..Settings::new(material) }
}

fn model(mesh: &Mesh, settings: Settings, holds: &[Hold]) -> Model {
    let mut model = Model::new(TriMesh::from_mesh(mesh).unwrap(), settings).unwrap();
    model.set_holds(holds).unwrap();
    model
}

/// A skin that the reference integrator moves.
struct Skin {
    chain: Chain,
    model: Model,
    charts: Charts,
    state: paper::State,
    scratch: paper::Scratch,
}

impl Skin {
    fn new(model: Model, charts: Charts, rows: &[paper::Row]) -> Self {
        let scratch = paper::Scratch::new(&model, &charts, rows).unwrap();
        Skin { chain: Chain::Vertex, state: paper::State::at_rest(&model), model, charts, scratch }
    }

    fn step(&mut self, body: &[Vec3], seconds: Real, step: Real) -> paper::Report {
        let inputs = paper::Inputs { body, seconds, step, chain: self.chain, forces: &[] };
        let Skin { model, charts, state, scratch, .. } = self;
        paper::step(model, charts, state, scratch, &inputs, &Control::default()).unwrap()
    }

    /// Steps on until nothing moves.
    fn settle(&mut self, body: &[Vec3]) -> paper::Report {
        let mut report = paper::Report::default();
        for _ in 0..60 {
            report = self.step(body, 0.05, paper::STEP);
            if report.fastest < 1e-6 {
                break;
            }
        }
        report
    }

    fn places(&self) -> Vec<Vec3> {
        self.state.shared.skin.iter().map(|p| self.model.rest.place(p)).collect()
    }
}

fn rims(mesh: &Mesh, right: impl Fn(&Vec3) -> Hold) -> Vec<Hold> {
    let hold = |v: usize| match height(mesh, v) {
        z if z < 1e-9 => Hold::Fixed,
        z if z > 1.0 - 1e-9 => right(&mesh.positions[v]),
        _ => Hold::Free,
    };
    (0..mesh.positions.len()).map(hold).collect()
}

/// The right half twists linearly to `angle`.
fn twist(mesh: &Mesh, angle: Real) -> Vec<Vec3> {
    let twist = |v: usize| angle * (2.0 * height(mesh, v) - 1.0).max(0.0);
    (0..mesh.positions.len()).map(|v| turned(&mesh.positions[v], twist(v))).collect()
}

/// Friction that brings the tube's slowest swing to rest soonest; rest itself does not depend on it.
const CALM: Real = 0.01;

/// The answer that production finds in one frame.
fn production_places(mesh: &Mesh, settings: Settings, holds: &[Hold], body: &[Vec3]) -> Vec<Vec3> {
    let model = model(mesh, settings, holds);
    let (mut state, mut scratch) = (State::at_rest(&model), production::Scratch::new(&model).unwrap());
    let inputs = production::Inputs { body, seconds: 1.0 / 24.0, substeps: 1, forces: &[] };
    production::step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    state.skin.iter().map(|p| model.rest.place(p)).collect()
}

fn furthest(a: &[Vec3], b: &[Vec3]) -> Real {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max)
}

/// A tube at rest on a body, by the reference integrator.
fn settled(mesh: &Mesh, n: usize, holds: &[Hold], body: &[Vec3], chain: Chain) -> (Vec<Vec3>, paper::Report) {
    let model = model(mesh, Settings { friction_time: CALM, ..settings() }, holds);
    let charts = tube_charts(&model.rest, n);
    let mut skin = Skin { chain, ..Skin::new(model, charts, &[]) };
    skin.step(body, 0.1, paper::STEP);
    let report = skin.settle(body);
    assert!(report.fastest < 1e-4 && report.inverted.is_empty(), "{report:?}");
    (skin.places(), report)
}

#[test]
fn a_twisted_tube_comes_to_the_same_rest_unless_every_triangle_has_its_own_chain() {
    let angle = PI / 3.0;
    let expected = |z: Real| angle * (2.0 * z - 1.0).max(0.0) - angle * z;
    for n in [12, 24] {
        let mesh = tube(n);
        let holds = rims(&mesh, |_| Hold::Fixed);
        let body = twist(&mesh, angle);
        let other = production_places(&mesh, settings(), &holds, &body);
        let truth = |places: &[Vec3]| {
            let off =
                |v: usize| (ahead(&places[v], &mesh.positions[v]) - expected(height(&mesh, v))).abs() / angle;
            (0..places.len()).map(off).fold(0.0, Real::max)
        };
        let (places, report) = settled(&mesh, n, &holds, &body, Chain::Vertex);
        let (printed, worse) = settled(&mesh, n, &holds, &body, Chain::Triangle);
        let apart = furthest(&places, &other) / (RADIUS * angle);
        println!(
            "twisted tube {n}: off the truth {:.1e}, off production {apart:.1e}; as printed off the truth {:.1e}, \
             energy {:+.1} %",
            truth(&places),
            truth(&printed),
            100.0 * (worse.energy / report.energy - 1.0)
        );
        assert!(apart < 1e-4 && truth(&places) < 3e-3);
        // The printed forces are no gradient where the body has a kink: rest is not where the energy is least.
        assert!(truth(&printed) > 0.03 && worse.energy > 1.01 * report.energy);
    }
}

#[test]
fn a_twisted_tube_with_a_sliding_rim_and_a_stretched_tube_come_to_the_same_rest() {
    let n = 16;
    let mesh = tube(n);
    let far = |z: Real| z + (z - 0.5).max(0.0);
    let longer = |p: &Vec3| Vec3::new(p.x, LENGTH * far(p.y / LENGTH), p.z);
    let stretched: Vec<_> = mesh.positions.iter().map(longer).collect();
    let around = |p: &Vec3| Hold::Along(Vec3::new(-p.z, 0.0, p.x));
    for (name, holds, body) in [
        ("twisted, right rim sliding", rims(&mesh, around), twist(&mesh, 0.5)),
        ("stretched", rims(&mesh, |_| Hold::Fixed), stretched),
    ] {
        let other = production_places(&mesh, settings(), &holds, &body);
        let (places, _) = settled(&mesh, n, &holds, &body, Chain::Vertex);
        let apart = furthest(&places, &other) / LENGTH;
        println!("{name}: off production {apart:.1e} of the length");
        assert!(apart < 1e-4, "{name}: {apart:e}");
    }
}

/// A torus in skin's size.
fn torus(cells: (usize, usize)) -> Mesh {
    shapes::torus(0.1, 0.03, cells.0, cells.1)
}

#[test]
fn a_spun_torus_carries_the_share_zeta_of_its_motion() {
    let cells = (48, 16);
    let (mesh, angle) = (torus(cells), 0.8);
    for zeta in [0.0, 0.5, 1.0] {
        let model = model(&mesh, Settings { zeta, ..settings() }, &vec![Hold::Free; mesh.positions.len()]);
        let charts = torus_charts(&model.rest, cells, (4, 1), (0, 0));
        let mut skin = Skin::new(model, charts, &[]);
        for frame in 1..=12 {
            let turn = angle * Real::from(frame) / 12.0;
            let body: Vec<_> = mesh.positions.iter().map(|p| turned(p, turn)).collect();
            skin.step(&body, 1.0 / 24.0, paper::STEP);
        }
        let places = skin.places();
        let slides: Vec<_> = (0..places.len()).map(|v| ahead(&places[v], &mesh.positions[v])).collect();
        let mean = slides.iter().sum::<Real>() / slides.len() as Real;
        let spread = slides.iter().map(|s| (s - mean).abs()).fold(0.0, Real::max) / angle;
        let error = (mean - (1.0 - zeta) * angle) / angle;
        println!("spun torus, zeta {zeta}: mean error {error:+.1e}, spread {spread:.1e} of the turn");
        assert!(error.abs() < 3e-3 && spread < 3e-3);
        // Between frames the body's vertices move in straight lines, so it is slightly too small.
        assert!(zeta < 1.0 || error.abs() + spread < 1e-5);
    }
}

/// The body moves at 0.08 m/s, of which only a limited part carries the skin.
#[test]
fn a_spun_tube_carries_no_faster_than_its_limit() {
    let (n, angle) = (32, 0.8);
    let mesh = tube(n);
    for (fastest_carried, left) in [(0.02, 0.75), (0.04, 0.5), (1.0, 0.0)] {
        let settings = Settings { fastest_carried, ..settings() };
        let model = model(&mesh, settings, &vec![Hold::Free; mesh.positions.len()]);
        let charts = tube_charts(&model.rest, n);
        let mut skin = Skin::new(model, charts, &[]);
        for frame in 1..=12 {
            let turn = angle * Real::from(frame) / 12.0;
            let body: Vec<_> = mesh.positions.iter().map(|p| turned(p, turn)).collect();
            skin.step(&body, 1.0 / 24.0, paper::STEP);
        }
        let slides = skin.places().iter().zip(&mesh.positions).map(|(p, home)| ahead(p, home)).sum::<Real>();
        let mean = slides / mesh.positions.len() as Real;
        assert!((mean - left * angle).abs() < 0.01 * angle, "{fastest_carried}: {mean}");
    }
}

/// Swells on one side and is shaken, so that the skin slides in every direction and over every border.
fn swollen(p: &Vec3, t: Real) -> Vec3 {
    let out = Vec3::new(p.x, 0.0, p.z).normalize();
    let near = (0.5 + 0.5 * out.x).powi(2) * (4.0 * t).min(1.0);
    p + (p - out * 0.1) * (0.7 * near) + Vec3::new(0.02 * (20.0 * t).sin(), 0.0, 0.05 * near)
}

/// The skin after some frames of that, with some charts.
fn swell(cells: (usize, usize), frames: u32, charts: impl Fn(&Rest, &Mesh) -> Charts) -> Skin {
    let mesh = torus(cells);
    let settings = Settings { zeta: 0.3, friction_time: 0.1, ..settings() };
    let model = model(&mesh, settings, &vec![Hold::Free; mesh.positions.len()]);
    let charts = charts(&model.rest, &mesh);
    let mut skin = Skin::new(model, charts, &[]);
    for frame in 1..=frames {
        let t = Real::from(frame) / 24.0;
        let body: Vec<_> = mesh.positions.iter().map(|p| swollen(p, t)).collect();
        skin.step(&body, 1.0 / 24.0, paper::STEP);
    }
    skin
}

#[test]
fn the_answer_does_not_depend_on_the_charts() {
    let cells = (32, 16);
    let with = |split, shift| swell(cells, 4, |rest, _| torus_charts(rest, cells, split, shift)).places();
    let four = with((4, 1), (0, 0));
    let home = &torus(cells).positions;
    println!("swollen torus: the skin slides up to {:.1} mm", 1e3 * furthest(&four, home));
    assert!(furthest(&four, home) > 0.01);
    for (split, shift) in [((4, 4), (0, 0)), ((4, 1), (3, 5)), ((8, 2), (1, 1))] {
        let apart = furthest(&four, &with(split, shift));
        println!("   {split:?} charts shifted by {shift:?}: {apart:.1e} m off four charts");
        assert!(apart < 1e-9);
    }
    // The artist's UVs are other coordinates, linear in both angles, with two seams: equal up to the size of the mesh.
    let islands = |cells, frames| {
        let four = swell(cells, frames, |rest, _| torus_charts(rest, cells, (4, 1), (0, 0))).places();
        let own = swell(cells, frames, |rest, mesh| Charts::islands(rest, mesh).unwrap()).places();
        furthest(&four, &own) / furthest(&four, &torus(cells).positions)
    };
    let off = [islands((16, 8), 4), islands((32, 16), 4)];
    println!("   the UVs' islands: {off:?} of the slide off four charts");
    assert!(off[1] < 0.08 && off[1] < 0.4 * off[0]);
}

#[test]
fn a_slide_once_around_the_torus_comes_back_to_itself() {
    let cells = (48, 12);
    let mesh = torus(cells);
    let own = |rest: &Rest, mesh: &Mesh| Charts::islands(rest, mesh).unwrap();
    let four = |rest: &Rest, _: &Mesh| torus_charts(rest, cells, (4, 1), (0, 0));
    type Make<'a> = &'a dyn Fn(&Rest, &Mesh) -> Charts;
    let kinds: [(&str, Make); 2] = [("four charts", &four), ("UVs", &own)];
    for (name, charts) in kinds {
        let model =
            model(&mesh, Settings { zeta: 0.0, ..settings() }, &vec![Hold::Free; mesh.positions.len()]);
        let charts = charts(&model.rest, &mesh);
        let mut skin = Skin::new(model, charts, &[]);
        for frame in 1..=48 {
            let body: Vec<_> =
                mesh.positions.iter().map(|p| turned(p, TAU * Real::from(frame) / 48.0)).collect();
            skin.step(&body, 1.0 / 48.0, paper::STEP);
        }
        let places = skin.places();
        let off: Vec<_> = (0..places.len()).map(|v| ahead(&places[v], &mesh.positions[v])).collect();
        let mean = off.iter().sum::<Real>() / off.len() as Real;
        let spread = off.iter().map(|o| (o - mean).abs()).fold(0.0, Real::max);
        println!("once around, {name}: {:+.1e} of a turn too far, spread {:.1e}", mean / TAU, spread / TAU);
        assert!(mean.abs() < 3e-3 * TAU && spread < 1e-3 * TAU);
    }
}

/// A tube that is twisted to and fro, without friction, at the time `until`.
fn dynamic_body(mesh: &Mesh, t: Real) -> Vec<Vec3> {
    twist(mesh, 0.6 * (0.5 - 0.5 * (t / 0.1 * PI).cos()))
}

fn dynamic_paper(n: usize, step: Real, zeta: Real) -> Vec<Vec3> {
    let mesh = tube(n);
    let model =
        model(&mesh, Settings { zeta, mode: Mode::Dynamic, ..settings() }, &rims(&mesh, |_| Hold::Fixed));
    let charts = tube_charts(&model.rest, n);
    let mut skin = Skin::new(model, charts, &[]);
    for frame in 1..=10 {
        skin.step(&dynamic_body(&mesh, 0.012 * Real::from(frame)), 0.012, step);
    }
    skin.places()
}

fn dynamic_production(n: usize, step: Real, zeta: Real) -> Vec<Vec3> {
    let mesh = tube(n);
    let settings = Settings { zeta, mode: Mode::Dynamic, ..settings() };
    let model = model(&mesh, settings, &rims(&mesh, |_| Hold::Fixed));
    let (mut state, mut scratch) = (State::at_rest(&model), production::Scratch::new(&model).unwrap());
    for frame in 1..=10 {
        let body = dynamic_body(&mesh, 0.012 * Real::from(frame));
        let inputs = production::Inputs {
            body: &body,
            seconds: 0.012,
            substeps: (0.012 / step).round() as u32,
            forces: &[],
        };
        production::step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    }
    state.skin.iter().map(|p| model.rest.place(p)).collect()
}

#[test]
fn both_integrators_go_to_the_same_motion_as_the_step_goes_to_zero() {
    for zeta in [1.0, 0.4] {
        let mut limits = Vec::new();
        for n in [8, 16] {
            let production = [1e-3, 0.5e-3].map(|h| dynamic_production(n, h, zeta));
            let papers = [2e-3, 1e-3, 0.5e-3].map(|h| dynamic_paper(n, h, zeta));
            let slide = furthest(&papers[2], &tube(n).positions);
            let order = (furthest(&papers[0], &papers[1]) / furthest(&papers[1], &papers[2])).log2();
            // The limit at a step of zero, extrapolated from the last halving.
            let limit = |coarse: &[Vec3], fine: &[Vec3]| -> Vec<Vec3> {
                coarse.iter().zip(fine).map(|(c, f)| f * 2.0 - c).collect()
            };
            let (own, other) = (limit(&papers[1], &papers[2]), limit(&production[0], &production[1]));
            limits.push(furthest(&own, &other) / slide);
            println!(
                "zeta {zeta}, tube {n}, slide {:.1} mm: order {order:.2} in the step; at a step of zero {:.1e} of the \
                 slide apart",
                1e3 * slide,
                limits.last().unwrap()
            );
            assert!(order > 0.8 && slide > 0.01);
        }
        // Advection is diffusive: the remaining difference shrinks with the mesh size.
        assert!(limits[1] < 0.03 && limits[1] < 0.6 * limits[0], "{limits:?}");
    }
}

/// Rows that hold both coordinates of vertices, each multiplied by a matrix.
fn held(vertices: impl Iterator<Item = usize>, mixed: [Vec2; 2]) -> Vec<Row> {
    vertices.flat_map(|v| mixed.map(|factors| Row { terms: vec![(v, factors)], speed: 0.0 })).collect()
}

#[test]
fn fixed_vertices_general_rows_and_elimination_give_the_same() {
    let n = 12;
    let mesh = tube(n);
    let (holds, free) = (rims(&mesh, |_| Hold::Fixed), vec![Hold::Free; mesh.positions.len()]);
    let calm = Settings { friction_time: CALM, ..settings() };
    let body = twist(&mesh, 0.8);
    let fixed = || (0..holds.len()).filter(|&v| holds[v] == Hold::Fixed);
    let run = |with: &[Hold], rows: &[Row]| {
        let model = model(&mesh, calm, with);
        let charts = tube_charts(&model.rest, n);
        let mut skin = Skin::new(model, charts, rows);
        skin.step(&body, 0.05, paper::STEP);
        let system = skin.scratch.system();
        let eliminated = eliminated(&system, |k| holds[k / 2] == Hold::Fixed);
        let largest = system.solution.iter().fold(0.0, |m: Real, v| m.max(v.abs()));
        let off = system.solution.iter().zip(&eliminated).map(|(a, b)| (a - b).abs()).fold(0.0, Real::max);
        println!("elimination off the KKT system by {:.1e}", off / largest);
        assert!(off < 1e-10 * largest);
        skin.settle(&body);
        skin
    };
    let by_holds = run(&holds, &[]);
    let by_rows = run(&free, &held(fixed(), [Vec2::x(), Vec2::y()]));
    assert!(by_holds.state == by_rows.state);
    let mixed = run(&free, &held(fixed(), [Vec2::new(3.0, -1.0), Vec2::new(0.2, 0.5)]));
    let apart = furthest(&mixed.places(), &by_holds.places());
    let production = furthest(&by_rows.places(), &production_places(&mesh, settings(), &holds, &body));
    println!("mixed rows {apart:.1e} m apart; general rows {production:.1e} m off production's elimination");
    assert!(apart < 1e-9 && production < 1e-4 * LENGTH);
}

/// The system solved without the held unknowns, which are zero.
fn eliminated(system: &paper::System, held: impl Fn(usize) -> bool) -> Vec<Real> {
    let n = system.force.len();
    let free: Vec<usize> = (0..n).filter(|&k| !held(k)).collect();
    let mut place = vec![None; n];
    free.iter().enumerate().for_each(|(i, &k)| place[k] = Some(i));
    let mut kept = sprs::TriMat::new((free.len(), free.len()));
    for (&value, (i, j)) in system.matrix {
        if let (Some(i), Some(j)) = (place[i], place[j]) {
            kept.add_triplet(i, j, value);
        }
    }
    let matrix: sprs::CsMat<Real> = kept.to_csr();
    let mut solver = SpdSolver::new(&matrix, &Order::amd(&matrix, 1).unwrap()).unwrap();
    solver.factor(&matrix).unwrap();
    let mut x: Vec<_> = free.iter().map(|&k| system.force[k]).collect();
    solver.solve(&mut x).unwrap();
    let mut all = vec![0.0; n];
    free.iter().zip(x).for_each(|(&k, x)| all[k] = x);
    all
}

#[test]
fn rows_may_ask_for_a_speed_and_join_vertices() {
    let (n, speed) = (12, 0.3);
    let mesh = tube(n);
    let model = model(&mesh, settings(), &rims(&mesh, |_| Hold::Fixed));
    let charts = tube_charts(&model.rest, n);
    let (a, b) = (5 * n, 5 * n + 1);
    let rows = [
        Row { terms: vec![(a, Vec2::y())], speed },
        Row { terms: vec![(a, Vec2::x()), (b, -Vec2::x())], speed: 0.0 },
    ];
    let mut skin = Skin::new(model, charts, &rows);
    skin.step(&twist(&mesh, 0.2), 0.01, paper::STEP);
    let found = skin.scratch.system().solution;
    assert!((found[2 * a + 1] - speed).abs() < 1e-12 && (found[2 * a] - found[2 * b]).abs() < 1e-12);
    let unknown = [Row { terms: vec![(9999, Vec2::x())], speed }];
    assert!(paper::Scratch::new(&skin.model, &skin.charts, &unknown).is_err());
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let n = 8;
    let mesh = tube(n);
    let model = model(&mesh, settings(), &rims(&mesh, |_| Hold::Fixed));
    let charts = tube_charts(&model.rest, n);
    let mut skin = Skin::new(model, charts, &[]);
    let mut body = twist(&mesh, 0.3);
    skin.step(&body, 0.02, paper::STEP);
    let before = skin.state.clone();
    let control = Control::default();
    let mut run = |body: &[Vec3], seconds, step, forces: &[Vec3], control: &Control| {
        let inputs = paper::Inputs { body, seconds, step, chain: Chain::Vertex, forces };
        let Skin { model, charts, state, scratch, .. } = &mut skin;
        let done = paper::step(model, charts, state, scratch, &inputs, control);
        assert!(*state == before);
        done
    };
    let still = body.clone();
    assert!(run(&still[1..], 0.02, paper::STEP, &[], &control).is_err());
    let times = [(0.0, 1e-3), (Real::NAN, 1e-3), (Real::INFINITY, 1e-3), (0.02, 0.0), (0.02, Real::NAN)];
    for (seconds, step) in times {
        assert!(run(&still, seconds, step, &[], &control).is_err());
    }
    assert!(run(&still, 0.02, paper::STEP, &still[..3], &control).is_err());
    let nowhere = vec![Vec3::repeat(Real::NAN); still.len()];
    assert!(run(&still, 0.02, paper::STEP, &nowhere, &control).is_err());
    let stopped = Control::default();
    stopped.cancel();
    assert!(run(&still, 0.02, paper::STEP, &[], &stopped).is_err());
    body[7].x = Real::NAN;
    assert!(run(&body, 0.02, paper::STEP, &[], &control).unwrap().kept);
    assert!(Charts::islands(&skin.model.rest, &mesh).is_err());
}

/// Six islands with seams on all edges of a cube, three of them at each of its corners.
#[test]
fn seams_on_sharp_folds_are_slid_over() {
    let mesh = shapes::cube(0.1, 6);
    let settings = Settings { zeta: 0.2, ..settings() };
    let model = model(&mesh, settings, &vec![Hold::Free; mesh.positions.len()]);
    let charts = Charts::islands(&model.rest, &mesh).unwrap();
    let mut skin = Skin::new(model, charts, &[]);
    for frame in 1..=12 {
        let t = Real::from(frame) / 24.0;
        let moved = |p: &Vec3| p + Vec3::new(0.02, 0.05, -0.1) * ((9.0 * t).sin() * p.y + 0.1 * t);
        let body: Vec<_> = mesh.positions.iter().map(moved).collect();
        let report = skin.step(&body, 1.0 / 24.0, paper::STEP);
        assert!(report.inverted.is_empty() && report.energy < 0.01, "{report:?}");
    }
    let furthest = furthest(&skin.places(), &mesh.positions);
    println!("cube: the skin slides up to {:.1} mm", 1e3 * furthest);
    assert!(furthest > 5e-4);
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let cells = (48, 24);
    let states: Vec<_> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| swell(cells, 2, |rest, _| torus_charts(rest, cells, (4, 4), (0, 0))).state)
        })
        .collect();
    assert!(states.iter().all(|state| *state == states[0]));
}
