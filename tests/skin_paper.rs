//! The reference integrator against the production integrator and against known answers.

use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::geometry::atlas::{Atlas, Charts as QuadCharts, Quad, parameterize};
use sinew::geometry::{Mesh, TriMesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::skin::model::{Hold, Mode, Model, Settings};
use sinew::skin::paper::{self, Chain, Charts};
use sinew::skin::production;
use sinew::skin::rest::Rest;
use sinew::skin::state::State;
use std::f64::consts::{PI, TAU};

/// lambda = mu, so that the answers do not depend on the modulus.
fn settings() -> Settings {
    Settings::new(Material::Stvk(Stvk::new(2e4, 1.0 / 3.0).unwrap()))
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
    fn settle(&mut self, body: &[Vec3], step: Real) -> paper::Report {
        let mut report = paper::Report::default();
        for _ in 0..400 {
            report = self.step(body, 50.0 * step, step);
            if report.fastest < 1e-7 {
                break;
            }
        }
        report
    }

    fn places(&self) -> Vec<Vec3> {
        self.state.shared.skin.iter().map(|p| self.model.rest.place(p)).collect()
    }
}

/// How far around the y axis `place` is ahead of `home`, -pi..pi.
fn ahead(place: &Vec3, home: &Vec3) -> Real {
    let angle = |p: &Vec3| p.z.atan2(p.x);
    (angle(place) - angle(home) + 3.0 * PI).rem_euclid(TAU) - PI
}

fn turned(p: &Vec3, angle: Real) -> Vec3 {
    let (s, c) = angle.sin_cos();
    Vec3::new(c * p.x - s * p.z, p.y, s * p.x + c * p.z)
}

/// Charts of a grid of vertices that is cut into `across` by `along` equal rectangles, the first from `shift` on.
fn rectangles(
    cells: (usize, usize),
    (across, along): (usize, usize),
    vertex: impl Fn(usize, usize) -> u32,
) -> Vec<Quad> {
    let (w, h) = (cells.0 / across, cells.1 / along);
    let quad = |(x, y): (usize, usize)| Quad {
        sides: [
            (0..=w).map(|i| vertex(x + i, y)).collect(),
            (0..=h).map(|j| vertex(x + w, y + j)).collect(),
            (0..=w).map(|i| vertex(x + w - i, y + h)).collect(),
            (0..=h).map(|j| vertex(x, y + h - j)).collect(),
        ],
    };
    (0..along).flat_map(|b| (0..across).map(move |a| (a * w, b * h))).map(quad).collect()
}

fn quads(rest: &Rest, quads: Vec<Quad>) -> Charts {
    let (mesh, edges) = (rest.mesh(), rest.edges());
    let charts = QuadCharts::new(mesh, edges, quads).unwrap();
    let coordinates = parameterize(mesh, edges, &charts).unwrap();
    Charts::quads(rest, &Atlas::new(charts, &coordinates).unwrap()).unwrap()
}

/// `split` charts of a torus of `cells`, their borders shifted.
fn torus_charts(rest: &Rest, cells: (usize, usize), split: (usize, usize), shift: (usize, usize)) -> Charts {
    let vertex = |i, j| (((j + shift.1) % cells.1) * cells.0 + (i + shift.0) % cells.0) as u32;
    quads(rest, rectangles(cells, split, vertex))
}

/// Four charts around a tube.
fn tube_charts(rest: &Rest, n: usize) -> Charts {
    quads(rest, rectangles((n, n), (4, 1), |i, j| (j * n + i % n) as u32))
}

const RADIUS: Real = 0.05;
const LENGTH: Real = 4.0 * RADIUS;

/// A tube whose quads are cut alternately, so that the cut prefers no sense of rotation.
fn tube(n: usize) -> Mesh {
    let quads = shapes::cylinder(RADIUS, LENGTH, n, n);
    let mut mesh = Mesh { positions: quads.positions.clone(), face_offsets: vec![0], ..Mesh::default() };
    for f in 0..quads.face_count() {
        let q = quads.face(f);
        let k = (f / n + f % n) % 2;
        mesh.corner_vertices.extend([q[k], q[k + 1], q[k + 2], q[k], q[k + 2], q[(k + 3) % 4]]);
        mesh.face_offsets.extend([mesh.corner_vertices.len() as u32 - 3, mesh.corner_vertices.len() as u32]);
    }
    mesh
}

fn height(mesh: &Mesh, v: usize) -> Real {
    mesh.positions[v].y / LENGTH
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

#[test]
fn a_twisted_tube_comes_to_the_same_rest() {
    let angle = PI / 3.0;
    for n in [12, 24] {
        let mesh = tube(n);
        let holds = rims(&mesh, |_| Hold::Fixed);
        let calm = Settings { friction_time: CALM, ..settings() };
        let model = model(&mesh, calm, &holds);
        let charts = tube_charts(&model.rest, n);
        let mut skin = Skin::new(model, charts, &[]);
        let body = twist(&mesh, angle);
        let clock = std::time::Instant::now();
        skin.step(&body, 0.1, paper::STEP);
        let report = skin.settle(&body, paper::STEP);
        let expected = |z: Real| angle * (2.0 * z - 1.0).max(0.0) - angle * z;
        let places = skin.places();
        let off =
            |v: usize| (ahead(&places[v], &mesh.positions[v]) - expected(height(&mesh, v))).abs() / angle;
        let truth = (0..places.len()).map(off).fold(0.0, Real::max);
        let other = production_places(&mesh, settings(), &holds, &body);
        println!(
            "{n}: truth {truth:.2e}, production {:.2e} of R angle, {report:?} {:?}",
            furthest(&places, &other) / (RADIUS * angle),
            clock.elapsed()
        );
    }
}
