//! Skin with inertia against a known closed-form motion: on springs it oscillates.

use crate::tube::turned;
use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::geometry::{TriMesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::skin::model::{Anchor, Mode, Model, Settings};
use sinew::skin::production::{Inputs, Scratch, step};
use sinew::skin::state::State;
use std::f64::consts::{PI, TAU};

/// Swings of the skin in a second.
const SWINGS: Real = 4.0;

/// The skin of a torus on springs, each as stiff for its mass as the others, so that all of it swings around the axis
/// as one.
fn model(friction_time: Real) -> Model {
    let material = Material::Stvk(Stvk::new(2e4, 1.0 / 3.0).unwrap());
    let settings =
        Settings { mode: Mode::Dynamic, tolerance: 1e-9, friction_time, ..Settings::new(material) };
    let mesh = TriMesh::from_mesh(&shapes::torus(0.1, 0.03, 48, 32)).unwrap();
    let mut model = Model::new(mesh, settings).unwrap();
    let mass = |area: Real| settings.density * settings.thickness * area;
    let mut areas = vec![0.0; model.len()];
    for (triangle, area) in model.rest.mesh().triangles.iter().zip(model.rest.areas()) {
        triangle.iter().for_each(|&v| areas[v as usize] += area / 3.0);
    }
    let stiffness = |area: &Real| mass(*area) * (TAU * SWINGS).powi(2);
    let anchors: Vec<Anchor> =
        areas.iter().map(|a| Anchor { soft: stiffness(a), stiff: stiffness(a), toe: 0.0 }).collect();
    model.set_anchors(&anchors).unwrap();
    model
}

/// How far the skin is behind the body in the end, in radians, when the body suddenly begins to turn at `speed`;
/// nothing but the springs carries the skin along.
fn behind(friction_time: Real, speed: Real, seconds: Real, steps: usize) -> Real {
    let mut model = model(friction_time);
    model.settings.zeta = 0.0;
    let (mut state, mut scratch) = (State::at_rest(&model), Scratch::new(&model).unwrap());
    let h = seconds / steps as Real;
    for k in 1..=steps {
        let body: Vec<Vec3> =
            model.rest.mesh().positions.iter().map(|p| turned(p, speed * h * k as Real)).collect();
        let inputs = Inputs { body: &body, seconds: h, substeps: 1, forces: &[] };
        step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    }
    let angle = |p: &Vec3| p.z.atan2(p.x);
    let ahead = |v: usize| {
        let (skin, home) = (model.rest.place(&state.skin[v]), &model.rest.mesh().positions[v]);
        (angle(&skin) - angle(home) + 3.0 * PI).rem_euclid(TAU) - PI
    };
    (0..model.len()).map(ahead).sum::<Real>() / model.len() as Real
}

#[test]
fn skin_on_springs_swings_as_it_should_to_second_order() {
    // A quarter of a second is one swing: the skin is where it began, at full speed.
    let (speed, seconds) = (0.5, 1.1 / SWINGS);
    let frequency = TAU * SWINGS;
    for friction_time in [Real::INFINITY, 0.15] {
        // x'' + x'/T + w^2 x = 0 from x = 0 at the body's speed: a damped oscillation.
        let fading = 0.5 / friction_time;
        let damped = (frequency * frequency - fading * fading).sqrt();
        let exact = speed / damped * (damped * seconds).sin() * (-fading * seconds).exp();
        let off: Vec<Real> = [27, 54, 108]
            .map(|steps| behind(friction_time, speed, seconds, steps) - exact)
            .map(|off| off.abs() * frequency / speed)
            .into();
        let orders: Vec<Real> = off.windows(2).map(|off| (off[0] / off[1]).log2()).collect();
        println!("friction {friction_time} s: off by {off:?} of the amplitude, orders {orders:?}");
        assert!(orders.iter().all(|order| *order > 1.6), "{off:?} {orders:?}");
        assert!(off[0] < 0.15 && off[2] < 0.012, "{off:?}");
    }
}

/// A body that is squeezed to a hundredth in one place, as in a crease, and gets a jerk there.
#[test]
fn skin_does_not_fly_out_of_a_squeezed_place() {
    let material = Material::Stvk(Stvk::new(2e4, 1.0 / 3.0).unwrap());
    let settings = Settings { mode: Mode::Dynamic, zeta: 0.5, ..Settings::new(material) };
    let mesh = TriMesh::from_mesh(&shapes::cylinder(0.05, 0.4, 32, 64)).unwrap();
    let model = Model::new(mesh, settings).unwrap();
    let squeezed = |y: Real| y - 0.97 * (y - 0.2).clamp(-0.01, 0.01);
    let (mut state, mut scratch) = (State::at_rest(&model), Scratch::new(&model).unwrap());
    let mut farthest: Real = 0.0;
    for frame in 0..48 {
        let jerk = if frame % 12 < 6 { 0.0 } else { 0.02 };
        let body: Vec<Vec3> =
            model.rest.mesh().positions.iter().map(|p| Vec3::new(p.x, squeezed(p.y) + jerk, p.z)).collect();
        let inputs = Inputs { body: &body, seconds: 1.0 / 24.0, substeps: 4, forces: &[] };
        step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
        let slid = |v: usize| (model.rest.place(&state.skin[v]) - model.rest.mesh().positions[v]).norm();
        farthest = (0..model.len()).map(slid).fold(farthest, Real::max);
    }
    println!("the skin slides by {:.1} mm at most", 1e3 * farthest);
    assert!(farthest < 0.06, "{farthest}");
}
