//! General rows of constraints, G v = g, in the production integrator.

use crate::quads::tube_charts;
use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::error::Kind;
use sinew::geometry::{Mesh, TriMesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::skin::model::{Hold, Mode, Model, Row, Settings};
use sinew::skin::paper::{self, Chain};
use sinew::skin::production::{Inputs, Report, Runner};

const RADIUS: Real = 0.05;
const LENGTH: Real = 4.0 * RADIUS;
const AROUND: usize = 20;

fn tube() -> Mesh {
    shapes::cylinder(RADIUS, LENGTH, AROUND, AROUND)
}

fn model(mode: Mode, holds: impl Fn(&Vec3) -> Hold, rows: Vec<Row>) -> Model {
    let material = Material::Stvk(Stvk::new(2e4, 0.4).unwrap());
    let settings = Settings { mode, tolerance: 1e-9, ..Settings::new(material) };
    let mut model = Model::new(TriMesh::from_mesh(&tube()).unwrap(), settings).unwrap();
    let holds: Vec<_> = tube().positions.iter().map(holds).collect();
    model.set_holds(&holds).unwrap();
    model.set_rows(rows).unwrap();
    model
}

fn bottom(p: &Vec3) -> bool {
    p.y < 1e-9
}

fn top(p: &Vec3) -> bool {
    p.y > LENGTH - 1e-9
}

fn around(p: &Vec3) -> Vec3 {
    Vec3::new(-p.z, 0.0, p.x) / RADIUS
}

/// The right half of the tube twisted.
fn twisted(angle: Real) -> Vec<Vec3> {
    let turn =
        |p: &Vec3| nalgebra::Rotation3::new(Vec3::y() * (angle * (2.0 * p.y / LENGTH - 1.0).max(0.0))) * p;
    tube().positions.iter().map(turn).collect()
}

/// Frames of a body, and the last one's report.
fn run(model: &Model, bodies: &[Vec<Vec3>]) -> (Vec<Vec3>, Report) {
    let mut skin = Runner::new(model).unwrap();
    let mut report = Report::default();
    for body in bodies {
        let inputs = Inputs { body, seconds: 1.0 / 24.0, substeps: 2, forces: &[] };
        report = skin.step(model, &inputs, &Control::default()).unwrap();
    }
    (skin.state.skin.iter().map(|p| model.rest.place(p)).collect(), report)
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> Real {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max)
}

/// One row for each vertex that `of` chooses and each of its vectors.
fn rows<const N: usize>(of: impl Fn(&Vec3) -> bool, vectors: impl Fn(&Vec3) -> [Vec3; N]) -> Vec<Row> {
    let chosen = tube().positions.into_iter().enumerate().filter(|(_, p)| of(p)).collect::<Vec<_>>();
    let row = |(v, p): &(usize, Vec3)| {
        vectors(p).map(|factor| Row { terms: vec![(*v as u32, factor)], speed: 0.0 })
    };
    chosen.iter().flat_map(row).collect()
}

#[test]
fn rows_give_what_elimination_gives() {
    let bodies = [0.2, 0.5, 0.8].map(twisted);
    let fixed = |p: &Vec3| if bottom(p) || top(p) { Hold::Fixed } else { Hold::Free };
    let free = |_: &Vec3| Hold::Free;
    for mode in [Mode::Quasistatic, Mode::Dynamic] {
        let (held, _) = run(&model(mode, fixed, Vec::new()), &bodies);
        // Two rows a vertex, at odd angles to each other.
        let both = |p: &Vec3| [Vec3::y() + around(p) * 0.3, around(p) * 2.0 - Vec3::y() * 0.4];
        let (by_rows, report) = run(&model(mode, free, rows(|p| bottom(p) || top(p), both)), &bodies);
        let apart = farthest(&held, &by_rows) / LENGTH;
        println!(
            "{mode:?}, rims held: rows off elimination by {apart:.1e} of the length; {:?}",
            report.warnings
        );
        assert!(apart < 1e-6 && report.warnings.is_empty() && report.inverted.is_empty());
        // One row a vertex, which leaves it to slide around.
        let sliding = |p: &Vec3| match p {
            p if bottom(p) => Hold::Fixed,
            p if top(p) => Hold::Along(around(p)),
            _ => Hold::Free,
        };
        let (held, _) = run(&model(mode, sliding, Vec::new()), &bodies);
        let fixed_below = |p: &Vec3| if bottom(p) { Hold::Fixed } else { Hold::Free };
        let (by_rows, report) = run(&model(mode, fixed_below, rows(top, |_| [Vec3::y()])), &bodies);
        let apart = farthest(&held, &by_rows) / LENGTH;
        println!(
            "{mode:?}, rim sliding: rows off elimination by {apart:.1e} of the length; {:?}",
            report.warnings
        );
        assert!(apart < 1e-6 && report.warnings.is_empty() && report.inverted.is_empty());
    }
}

#[test]
fn rows_may_join_vertices_and_ask_for_a_speed() {
    let positions = tube().positions;
    let fixed_below = |p: &Vec3| if bottom(p) { Hold::Fixed } else { Hold::Free };
    let ring: Vec<u32> = (0..positions.len() as u32).filter(|&v| top(&positions[v as usize])).collect();
    // The second is ten times as fast as skin may snap: what rows ask for is no snap.
    for (speed, frames) in [(0.012, 24), (0.096, 3)] {
        // The rim stays at its height, its vertices slide around together, on average at this speed.
        let mut all = rows(top, |_| [Vec3::y()]);
        let mean = ring.iter().map(|&v| (v, around(&positions[v as usize]) / ring.len() as Real)).collect();
        all.push(Row { terms: mean, speed });
        let model = model(Mode::Quasistatic, fixed_below, all);
        let (places, report) = run(&model, &vec![positions.clone(); frames]);
        assert!(report.warnings.is_empty() && report.inverted.is_empty(), "{report:?}");
        // In the end the point of skin at the rim is that from 12 mm back; below, the skin shears evenly.
        for (p, place) in positions.iter().zip(&places) {
            let angle = (p.x * place.z - p.z * place.x).atan2(p.x * place.x + p.z * place.z);
            let expected = -0.012 / RADIUS * p.y / LENGTH;
            assert!((angle - expected).abs() < 0.02 * 0.012 / RADIUS, "{} {angle} {expected}", p.y);
        }
    }
}

#[test]
fn rows_that_contradict_each_other_are_named_and_the_others_obeyed() {
    let positions = tube().positions;
    let vertex = positions.iter().position(|p| (p.y - LENGTH / 2.0).abs() < 1e-9).unwrap();
    let row = |speed| Row { terms: vec![(vertex as u32, Vec3::y())], speed };
    let fixed = |p: &Vec3| if bottom(p) || top(p) { Hold::Fixed } else { Hold::Free };
    // The second says the same as the first, the third something else.
    let model = model(Mode::Quasistatic, fixed, vec![row(0.01), row(0.01), row(0.05)]);
    let (places, report) = run(&model, &vec![positions.clone(); 12]);
    assert!((places[vertex].y - positions[vertex].y + 0.005).abs() < 1e-6, "{}", places[vertex]);
    assert_eq!(report.warnings, ["row 2 of the constraints cannot be met together with those before it"]);
}

/// The twist pulls the skin outwards over both rims, where there is none: it must stay at them, in the paper's
/// integrator too, whose velocities nothing else would stop.
#[test]
fn skin_that_is_pulled_over_a_border_stays_there_in_both_integrators() {
    let rim = |p: &Vec3| bottom(p) || top(p);
    let body = twisted(0.8);
    let (other, _) = run(
        &model(Mode::Quasistatic, |_| Hold::Free, rows(rim, |p| [around(p)])),
        std::slice::from_ref(&body),
    );
    let mut model = model(Mode::Dynamic, |_| Hold::Free, rows(rim, |p| [around(p)]));
    model.settings.friction_time = 0.01;
    let charts = tube_charts(&model.rest, AROUND);
    let (mut state, mut scratch) =
        (paper::State::at_rest(&model), paper::Scratch::new(&model, &charts, &[]).unwrap());
    let inputs =
        paper::Inputs { body: &body, seconds: 0.1, step: paper::STEP, chain: Chain::Vertex, forces: &[] };
    let mut fastest = 0.0;
    for _ in 0..12 {
        let report =
            paper::step(&model, &charts, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
        assert!(report.inverted.is_empty());
        fastest = report.fastest;
    }
    let places: Vec<Vec3> = state.shared.skin.iter().map(|p| model.rest.place(p)).collect();
    let apart = farthest(&places, &other) / LENGTH;
    println!("rims held around only: off production {apart:.1e} of the length, v {fastest:.1e} m/s");
    assert!(apart < 1e-4 && fastest < 1e-5, "{apart:e} {fastest:e}");
    for (p, place) in tube().positions.iter().zip(&places).filter(|(p, _)| rim(p)) {
        assert!((p.y - place.y).abs() < 1e-6 * LENGTH && (p - place).norm() < 1e-3 * RADIUS, "{p} {place}");
    }
}

#[test]
fn bad_rows_are_refused() {
    let row = |v: u32, x: Real| vec![Row { terms: vec![(v, Vec3::x() * x)], speed: 0.0 }];
    let mut model = model(Mode::Quasistatic, |_| Hold::Free, Vec::new());
    for (rows, kind) in [
        (row(100_000, 1.0), Kind::OutOfRange),
        (row(0, Real::NAN), Kind::NotFinite),
        (row(0, 0.0), Kind::Degenerate),
        (vec![Row { terms: Vec::new(), speed: 1.0 }], Kind::Degenerate),
    ] {
        let error = model.set_rows(rows).unwrap_err();
        assert!(error.kind() == kind && error.message().starts_with("row 0 "), "{error}");
    }
    assert!(model.rows().is_empty());
}
