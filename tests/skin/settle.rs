//! Skin that is hard to settle: where a step of Newton's method leads astray, and where there are no fibres.

use sinew::control::Control;
use sinew::energy::{Fung, Material, Orthotropic};
use sinew::geometry::{Mesh, TriMesh, shapes};
use sinew::math::{Real, Rotation, Vec3};
use sinew::skin::model::{Model, Settings};
use sinew::skin::production::{Inputs, Report, Scratch, step};
use sinew::skin::state::State;
use std::f64::consts::PI;

/// A torus, of any size and anywhere.
fn torus(scale: Real) -> Mesh {
    shapes::torus(0.1 * scale, 0.03 * scale, 48, 24)
}

/// It is stretched along x on one side, then turned and moved.
fn stretched(mesh: &Mesh, grown: Real, scale: Real) -> Vec<Vec3> {
    let away = Rotation::from_euler_angles(0.4, -1.1, 2.0);
    let moved =
        |p: &Vec3| away * Vec3::new(p.x + grown * p.x.max(0.0), p.y, p.z) + Vec3::new(3.0, 0.2, -8.0) * scale;
    mesh.positions.iter().map(moved).collect()
}

/// The reports of some frames, and where the skin is after the last.
fn run(mesh: &Mesh, settings: Settings, bodies: &[Vec<Vec3>]) -> (Vec<Report>, Vec<Vec3>) {
    let model = Model::new(TriMesh::from_mesh(mesh).unwrap(), settings).unwrap();
    let (mut state, mut scratch) = (State::at_rest(&model), Scratch::new(&model).unwrap());
    let reports = bodies.iter().map(|body| {
        let inputs = Inputs { body, seconds: 1.0 / 24.0, substeps: 1, forces: &[] };
        step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap()
    });
    let reports = reports.collect();
    (reports, state.skin.iter().map(|p| model.rest.place(p)).collect())
}

/// Where the skin buckles on its way, a step may lead to a hundred thousand times the energy that was foretold; taken
/// all the same, the skin is strewn over the body and never comes back.
#[test]
fn exponential_skin_that_is_stretched_far_stays_near_its_equilibrium() {
    for (scale, grown) in [(1.0, 1.2), (1.0, 1.5), (20.0, 1.6)] {
        let mesh = torus(scale);
        let settings = Settings::new(Material::Fung(Fung::new(3e4, 0.4, 8.0).unwrap()));
        let bodies: Vec<_> = (0..25).map(|k| stretched(&mesh, grown * Real::from(k) / 24.0, scale)).collect();
        let edge = Model::new(TriMesh::from_mesh(&mesh).unwrap(), settings).unwrap().rest.mean_edge();
        let (reports, _) = run(&mesh, settings, &bodies);
        let left = |report: &Report| report.unsettled.map_or(0.0, |unsettled| unsettled.distance / edge);
        let worst = reports.iter().map(left).fold(0.0, Real::max);
        println!("{scale} {grown}: at most {worst:.2} edges from the equilibrium");
        assert!(worst < 0.5, "{scale} {grown} {worst}");
        assert!(reports.iter().all(|report| report.warnings.is_empty() && report.inverted.is_empty()));
    }
}

/// In a sharp elbow, as linear skinning bends it, exponential skin is squeezed: along some ways over the body its
/// energy curves down as steeply as it curves up along others.
#[test]
fn exponential_skin_that_is_squeezed_in_an_elbow_stays_near_its_equilibrium() {
    for (scale, lump, bent) in [(1.0, 0.3, 150.0), (30.0, 0.25, 140.0)] {
        let length = 0.4 * scale;
        let mut mesh = shapes::cylinder(0.04 * scale, length, 32, 80);
        for p in &mut mesh.positions {
            let (along, angle) = (p.y / length, p.z.atan2(p.x));
            let wide = 1.0 + lump * (2.0 * angle + 9.0 * along).cos() * (3.0 * PI * along).sin();
            (p.x, p.z) = (p.x * wide, p.z * wide);
        }
        let elbow = Vec3::y() * (0.5 * length);
        let body = |degrees: Real| -> Vec<Vec3> {
            let turn = Rotation::from_axis_angle(&Vec3::z_axis(), degrees.to_radians());
            let bent = |p: &Vec3| {
                let x = ((p.y - elbow.y) / (0.03 * scale) + 0.5).clamp(0.0, 1.0);
                p.lerp(&(elbow + turn * (p - elbow)), x * x * (3.0 - 2.0 * x))
            };
            mesh.positions.iter().map(bent).collect()
        };
        let bodies: Vec<_> = (1..=6).map(|k| body(bent * Real::from(k) / 6.0)).collect();
        let settings = Settings::new(Material::Fung(Fung::new(3e4, 0.4, 8.0).unwrap()));
        let (reports, _) = run(&mesh, settings, &bodies);
        let worst = reports.iter().map(|report| report.residual).fold(0.0, Real::max);
        println!("{scale}: at most {worst:.3} edges from the equilibrium");
        assert!(worst < 0.2, "{scale}: {reports:?}");
    }
}

/// The first edge of a triangle is no fibre.
#[test]
fn without_fibres_orthotropic_skin_settles_and_ignores_the_order_of_corners() {
    let mesh = torus(1.0);
    let settings = Settings::new(Material::Orthotropic(Orthotropic::new(3e4, 0.4, 3.0).unwrap()));
    let bodies: Vec<_> = (1..=8).map(|k| stretched(&mesh, 0.1 * Real::from(k), 1.0)).collect();
    let triangles = |first: usize| {
        let mut cut = TriMesh::from_mesh(&mesh).unwrap().triangles;
        cut.iter_mut().for_each(|corners| corners.rotate_left(first));
        let face_offsets = (0..=cut.len() as u32).map(|k| 3 * k).collect();
        Mesh {
            positions: mesh.positions.clone(),
            face_offsets,
            corner_vertices: cut.concat(),
            ..Mesh::default()
        }
    };
    let (reports, places) = run(&triangles(0), settings, &bodies);
    let (_, others) = run(&triangles(1), settings, &bodies);
    for report in &reports {
        assert_eq!(report.unsettled, None, "{} iterations", report.iterations);
    }
    let apart = places.iter().zip(&others).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max);
    let slide = places.iter().zip(&mesh.positions).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max);
    println!("{:.1e} m apart of a slide of {slide:.3} m", apart);
    assert!(slide > 0.01 && apart < 1e-3 * slide, "{apart} {slide}");
}
