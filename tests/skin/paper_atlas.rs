//! The reference integrator over the quad charts that are made for a mesh, on closed surfaces of genus 0, 1 and 2.

use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::error::Kind;
use sinew::geometry::{Mesh, TriMesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use sinew::skin::model::{Hold, Model, Settings};
use sinew::skin::paper::{self, Chain, Charts};
use sinew::skin::production;
use sinew::skin::state::State;
use std::collections::HashMap;

/// Friction that brings the skin to rest within a second.
const CALM: Real = 0.01;

fn model(mesh: &Mesh, settings: Settings, holds: &[Hold]) -> Model {
    let mut model = Model::new(TriMesh::from_mesh(mesh).unwrap(), settings).unwrap();
    model.set_holds(holds).unwrap();
    model
}

/// Known answers need more digits than the eye does.
const TOLERANCE: Real = 1e-7;

fn settings() -> Settings {
    let material = Material::Stvk(Stvk::new(2e4, 1.0 / 3.0).unwrap());
    Settings { tolerance: TOLERANCE, ..Settings::new(material) }
}

fn places(model: &Model, state: &State) -> Vec<Vec3> {
    state.skin.iter().map(|p| model.rest.place(p)).collect()
}

fn furthest(a: &[Vec3], b: &[Vec3]) -> Real {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max)
}

/// The reference integrator over some frames of a body.
fn run(model: &Model, charts: &Charts, frames: &[Vec<Vec3>]) -> Vec<Vec3> {
    let mut scratch = paper::Scratch::new(model, charts, &[]).unwrap();
    let mut state = paper::State::at_rest(model);
    for body in frames {
        let inputs =
            paper::Inputs { body, seconds: 1.0 / 24.0, step: paper::STEP, chain: Chain::Vertex, forces: &[] };
        let report = paper::step(model, charts, &mut state, &mut scratch, &inputs, &Control::default());
        assert_eq!(report.unwrap().inverted, [0u32; 0]);
    }
    places(model, &state.shared)
}

fn torus() -> Mesh {
    shapes::torus(0.1, 0.03, 32, 16)
}

/// Swells on one side and is shaken.
fn swollen(p: &Vec3, t: Real) -> Vec3 {
    let out = Vec3::new(p.x, 0.0, p.z).normalize();
    let near = (0.5 + 0.5 * out.x).powi(2) * (4.0 * t).min(1.0);
    p + (p - out * 0.1) * (0.7 * near) + Vec3::new(0.02 * (20.0 * t).sin(), 0.0, 0.05 * near)
}

fn swelling(mesh: &Mesh) -> Vec<Vec<Vec3>> {
    let body = |f: u32| mesh.positions.iter().map(|p| swollen(p, Real::from(f) / 24.0)).collect();
    (1..=4).map(body).collect()
}

#[test]
fn on_a_torus_made_charts_move_the_skin_as_its_uvs_do() {
    let mesh = torus();
    let settings = Settings { zeta: 0.3, friction_time: 0.1, ..settings() };
    let model = model(&mesh, settings, &vec![Hold::Free; mesh.positions.len()]);
    let frames = swelling(&mesh);
    let made = run(&model, &Charts::generated(&model.rest).unwrap(), &frames);
    let uvs = run(&model, &Charts::islands(&model.rest, &mesh).unwrap(), &frames);
    let slide = furthest(&uvs, &mesh.positions);
    let off = furthest(&made, &uvs) / slide;
    println!("swollen torus: slides {:.1} mm; made charts {off:.1e} of that off the UVs", 1e3 * slide);
    assert!(slide > 0.01 && off < 0.1);
}

/// The surface of cubes of a size where `solid` holds, smoothed.
fn cubes(count: [i32; 3], size: Real, solid: impl Fn([i32; 3]) -> bool) -> Mesh {
    let inside = |c: [i32; 3]| (0..3).all(|k| (0..count[k]).contains(&c[k])) && solid(c);
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut known: HashMap<[i32; 3], u32> = HashMap::new();
    let all =
        (0..count[0]).flat_map(|x| (0..count[1]).flat_map(move |y| (0..count[2]).map(move |z| [x, y, z])));
    for (cube, axis, side) in all.flat_map(|c| (0..6).map(move |s| (c, s / 2, (s % 2) as i32))) {
        let mut beside = cube;
        beside[axis] += 2 * side - 1;
        if !inside(cube) || inside(beside) {
            continue;
        }
        let mut corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
        if side == 0 {
            corners.reverse();
        }
        for (a, b) in corners {
            let mut p = cube;
            p[axis] += side;
            p[(axis + 1) % 3] += a;
            p[(axis + 2) % 3] += b;
            let next = known.len() as u32;
            let v = *known.entry(p).or_insert(next);
            if v == next {
                mesh.positions.push(Vec3::from(p.map(|c| Real::from(c) * size)));
            }
            mesh.corner_vertices.push(v);
        }
        mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    }
    for _ in 0..6 {
        smooth(&mut mesh);
    }
    mesh
}

/// Every vertex half way to the mean of the middles of its faces.
fn smooth(mesh: &mut Mesh) {
    let mut sums = vec![(Vec3::zeros(), 0.0); mesh.positions.len()];
    for f in 0..mesh.face_count() {
        let face = mesh.face(f);
        let middle = face.iter().map(|&v| mesh.positions[v as usize]).sum::<Vec3>() / face.len() as Real;
        face.iter().for_each(|&v| sums[v as usize] = (sums[v as usize].0 + middle, sums[v as usize].1 + 1.0));
    }
    mesh.positions.iter_mut().zip(sums).for_each(|(p, (sum, n))| *p = (*p + sum / n) * 0.5);
}

/// Two rings side by side.
fn two_rings() -> Mesh {
    cubes([14, 6, 2], 0.01, |[x, y, _]| !(2..4).contains(&y) || !(2..4).contains(&(x % 8)))
}

#[test]
fn made_charts_come_to_the_rest_that_production_finds_on_any_genus() {
    for (name, mesh, genus) in [("sphere", shapes::sphere(0.05, 3), 0), ("two rings", two_rings(), 2)] {
        let (low, high) =
            mesh.positions.iter().fold((Real::MAX, Real::MIN), |(l, h), p| (l.min(p.x), h.max(p.x)));
        let along = |p: &Vec3| (p.x - low) / (high - low);
        let hold = |p: &Vec3| if (0.15..0.85).contains(&along(p)) { Hold::Free } else { Hold::Fixed };
        let holds: Vec<_> = mesh.positions.iter().map(hold).collect();
        // The far half grows longer.
        let body: Vec<_> = mesh
            .positions
            .iter()
            .map(|p| p + Vec3::x() * (0.5 * (high - low) * (along(p) - 0.5).max(0.0)))
            .collect();
        let still = model(&mesh, settings(), &holds);
        let euler = still.rest.edges().euler_characteristic();
        assert_eq!(euler, 2 - 2 * genus, "{name}");
        let (mut state, mut scratch) = (State::at_rest(&still), production::Scratch::new(&still).unwrap());
        let inputs = production::Inputs { body: &body, seconds: 1.0 / 24.0, substeps: 1, forces: &[] };
        production::step(&still, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
        let expected = places(&still, &state);
        let moving = model(&mesh, Settings { friction_time: CALM, ..settings() }, &holds);
        let made = run(&moving, &Charts::generated(&moving.rest).unwrap(), &vec![body; 24]);
        let slide = furthest(&expected, &mesh.positions);
        let off = furthest(&made, &expected) / slide;
        println!("{name}: slides {:.1} mm, made charts {off:.1e} of that off production", 1e3 * slide);
        assert!(slide > 2e-3 && off < 0.05, "{name}: {slide} {off}");
    }
}

#[test]
fn open_and_coarse_meshes_get_charts_and_what_is_no_surface_is_refused_by_name() {
    let charts = |mesh: &Mesh| {
        let model = model(mesh, settings(), &vec![Hold::Free; mesh.positions.len()]);
        Charts::generated(&model.rest)
    };
    for mesh in [shapes::grid(0.2, 0.1, 12, 9), shapes::cylinder(0.05, 0.2, 16, 12), shapes::cube(0.1, 1)] {
        charts(&mesh).unwrap();
    }
    let mut torn = torus();
    torn.corner_vertices[..4].reverse();
    let error = charts(&torn).unwrap_err();
    assert_eq!(error.kind(), Kind::Topology);
    assert!(error.to_string().contains("do not form a surface"), "{error}");
}

/// The skin of a node over some frames, and the first error.
fn node(mesh: &Mesh, params: &[(&str, &str)], frames: &[Vec<Vec3>]) -> sinew::error::Result<Vec<Real>> {
    let mut node = Instance::new("skin_slider").unwrap();
    params.iter().for_each(|(name, value)| node.set_param_text(name, value).unwrap());
    node.set_mesh("rest", mesh.clone()).unwrap();
    for (f, body) in frames.iter().enumerate() {
        let points: Vec<Real> = body.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        node.set_array("points", &ArrayView::from_slice(&points, 3).unwrap()).unwrap();
        node.step(f as i64 + 1, (f + 1) as Real / 24.0, &Control::default())?;
    }
    let mut found = vec![0.0; 3 * mesh.positions.len()];
    node.read("skin_points", &mut ArrayViewMut::from_slice(&mut found, 3).unwrap()).unwrap();
    Ok(found)
}

#[test]
fn the_node_makes_charts_for_a_mesh_without_uvs() {
    let with = torus();
    let mesh = Mesh { uvs: None, ..with.clone() };
    let frames = swelling(&mesh);
    let shared = [("integrator", "paper"), ("zeta", "0.3"), ("friction_time", "0.1")];
    let quads = [&shared[..], &[("atlas", "quads")]].concat();
    let error = node(&mesh, &shared, &frames).unwrap_err();
    assert_eq!(error.kind(), Kind::MissingInput);
    assert!(error.to_string().contains("atlas = quads"), "{error}");
    let (made, uvs) = (node(&mesh, &quads, &frames).unwrap(), node(&with, &shared, &frames).unwrap());
    assert!(node(&with, &quads, &frames).unwrap() == made);
    let points = |flat: &[Real]| flat.chunks_exact(3).map(Vec3::from_column_slice).collect::<Vec<_>>();
    let off = furthest(&points(&made), &points(&uvs)) / furthest(&points(&uvs), &mesh.positions);
    println!("the node: made charts {off:.1e} of the slide off the UVs");
    assert!(off < 0.1);
}
