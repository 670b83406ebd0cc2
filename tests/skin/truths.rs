//! Sliding skin against known answers: analytic solutions and symmetries.

use crate::tube::{LENGTH, RADIUS, ahead, height, tube, turned};
use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::geometry::{Mesh, TriMesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::skin::model::{Anchor, Hold, Mode, Model, Settings};
use sinew::skin::production::{Inputs, Report, Scratch, step};
use sinew::skin::state::{State, Stiffness};
use std::f64::consts::PI;
use std::sync::Arc;

/// A skin in motion.
struct Skin {
    model: Model,
    state: State,
    scratch: Scratch,
}

/// Known answers need more digits than the eye does.
const TOLERANCE: Real = 1e-7;

/// lambda = mu, so that the answers do not depend on the modulus.
fn settings() -> Settings {
    let material = Material::Stvk(Stvk::new(2e4, 1.0 / 3.0).unwrap());
    Settings { tolerance: TOLERANCE, ..Settings::new(material) }
}

impl Skin {
    fn new(mesh: &Mesh, settings: Settings, holds: &[Hold]) -> Self {
        let mut model = Model::new(TriMesh::from_mesh(mesh).unwrap(), settings).unwrap();
        model.set_holds(holds).unwrap();
        let (state, scratch) = (State::at_rest(&model), Scratch::new(&model).unwrap());
        Skin { model, state, scratch }
    }

    fn step(&mut self, body: &[Vec3], seconds: Real, substeps: u32) -> Report {
        let inputs = Inputs { body, seconds, substeps, forces: &[] };
        step(&self.model, &mut self.state, &mut self.scratch, &inputs, &Control::default()).unwrap()
    }

    fn place(&self, vertex: usize) -> Vec3 {
        self.model.rest.place(&self.state.skin[vertex])
    }

    /// How far around the y axis the skin at a vertex is ahead of the body there, -pi..pi.
    fn ahead(&self, vertex: usize) -> Real {
        ahead(&self.place(vertex), &self.model.rest.mesh().positions[vertex])
    }
}

fn rims(mesh: &Mesh, held: impl Fn(Real, &Vec3) -> Hold) -> Vec<Hold> {
    (0..mesh.positions.len()).map(|v| held(height(mesh, v), &mesh.positions[v])).collect()
}

#[test]
fn skin_on_its_own_body_and_on_any_rigid_image_of_it_stays() {
    for mesh in [shapes::torus(1.0, 0.3, 24, 24), tube(16), shapes::sphere(1.0, 2)] {
        let mut skin = Skin::new(&mesh, settings(), &vec![Hold::Free; mesh.positions.len()]);
        let turn = nalgebra::Rotation3::from_euler_angles(0.4, -2.0, 1.0);
        let moved: Vec<_> = mesh.positions.iter().map(|p| turn * p + Vec3::new(1.0, -2.0, 0.5)).collect();
        for body in [&mesh.positions, &moved, &mesh.positions] {
            let report = skin.step(body, 1.0 / 24.0, 1);
            assert!(report.energy[1] < 1e-18, "{report:?}");
            for v in 0..mesh.positions.len() {
                assert!((skin.place(v) - mesh.positions[v]).norm() < 1e-10);
            }
        }
    }
}

/// The right half twists linearly to `angle`.
fn twist(mesh: &Mesh, angle: Real) -> Vec<Vec3> {
    let twist = |v: usize| angle * (2.0 * height(mesh, v) - 1.0).max(0.0);
    (0..mesh.positions.len()).map(|v| turned(&mesh.positions[v], twist(v))).collect()
}

/// The largest error of the slide of a twisted tube as a part of the angle, and the iterations.
fn twisted_error(
    n: usize,
    right: impl Fn(&Vec3) -> Hold,
    expected: impl Fn(Real, Real) -> Real,
) -> (Real, usize) {
    let mesh = tube(n);
    let angle = PI / 3.0;
    let holds = rims(&mesh, |z, p| match z {
        z if z < 1e-9 => Hold::Fixed,
        z if z > 1.0 - 1e-9 => right(p),
        _ => Hold::Free,
    });
    let mut skin = Skin::new(&mesh, settings(), &holds);
    let report = skin.step(&twist(&mesh, angle), 1.0 / 24.0, 1);
    assert!(report.inverted.is_empty() && report.warnings.is_empty(), "{report:?}");
    let error = |v: usize| (skin.ahead(v) - expected(angle, height(&mesh, v))).abs() / angle;
    ((0..mesh.positions.len()).map(error).fold(0.0, Real::max), report.iterations)
}

#[test]
fn a_twisted_tube_with_held_rims_twists_uniformly() {
    // Where the body is turned by A(z) and the skin only by A z / L, the skin at the vertex is that of a place behind.
    let expected = |angle: Real, z: Real| angle * (2.0 * z - 1.0).max(0.0) - angle * z;
    let errors: Vec<_> = [12, 24, 48].iter().map(|&n| twisted_error(n, |_| Hold::Fixed, expected)).collect();
    println!("twisted tube, rims held: largest error as a part of the angle, iterations: {errors:?}");
    let orders: Vec<_> = errors.windows(2).map(|w| (w[0].0 / w[1].0).log2()).collect();
    println!("orders: {orders:?}");
    assert!(errors[2].0 < 2e-3 && orders[1] > 1.5, "{errors:?} {orders:?}");
}

#[test]
fn a_twisted_tube_whose_rim_slides_does_not_twist_the_skin() {
    let around = |p: &Vec3| Hold::Along(Vec3::new(-p.z, 0.0, p.x));
    let expected = |angle: Real, z: Real| angle * (2.0 * z - 1.0).max(0.0);
    let error = twisted_error(24, around, expected);
    println!("twisted tube, right rim sliding: {error:?}");
    assert!(error.0 < 1e-3, "{error:?}");
}

#[test]
fn a_tube_stretched_on_its_right_half_stretches_its_skin_evenly() {
    let mesh = tube(24);
    let holds = rims(&mesh, |z, _| if (1e-9..=1.0 - 1e-9).contains(&z) { Hold::Free } else { Hold::Fixed });
    let mut skin = Skin::new(&mesh, settings(), &holds);
    let far = |z: Real| z + (z - 0.5).max(0.0);
    let low = mesh.positions.iter().map(|p| p.y).fold(Real::INFINITY, Real::min);
    let stretched = |p: &Vec3| Vec3::new(p.x, low + LENGTH * far((p.y - low) / LENGTH), p.z);
    let body: Vec<_> = mesh.positions.iter().map(stretched).collect();
    let report = skin.step(&body, 1.0 / 24.0, 1);
    // Evenly stretched by 1.5, the material of a place is at two thirds of its height.
    let error = |v: usize| ((skin.place(v).y - low) / LENGTH - far(height(&mesh, v)) / 1.5).abs();
    let worst = (0..mesh.positions.len()).map(error).fold(0.0, Real::max);
    println!(
        "stretched tube: largest error as a part of the length {worst:.2e}, {} iterations",
        report.iterations
    );
    assert!(worst < 1e-6 && report.inverted.is_empty(), "{report:?}");
}

/// A torus around the y axis, in skin's size, spun by `angle` in `frames` frames; the mean and the largest error of the
/// slide against `share` of the angle.
fn spun(mode: Mode, zeta: Real, around: usize, frames: usize) -> (Real, Real) {
    let mesh = shapes::torus(0.1, 0.03, around, 24);
    let settings = Settings { zeta, mode, ..settings() };
    let mut skin = Skin::new(&mesh, settings, &vec![Hold::Free; mesh.positions.len()]);
    let angle = 0.8;
    for frame in 1..=frames {
        let turn = angle * frame as Real / frames as Real;
        let body: Vec<_> = mesh.positions.iter().map(|p| turned(p, turn)).collect();
        let report = skin.step(&body, 1.0 / 24.0, 1);
        assert!(report.inverted.is_empty(), "{report:?}");
    }
    let slides: Vec<_> = (0..mesh.positions.len()).map(|v| skin.ahead(v)).collect();
    let mean = slides.iter().sum::<Real>() / slides.len() as Real;
    let spread = slides.iter().map(|s| (s - mean).abs()).fold(0.0, Real::max);
    ((mean - (1.0 - zeta) * angle) / angle, spread / angle)
}

#[test]
fn a_spun_torus_carries_the_share_zeta_of_its_motion() {
    // The body turns forwards under the skin, so the skin at a vertex is that of a place ahead by (1 - zeta) times the
    // turn: in the body's frame the material slid backwards.
    for mode in [Mode::Quasistatic, Mode::Dynamic] {
        for zeta in [0.0, 0.3, 1.0] {
            let (mean, spread) = spun(mode, zeta, 72, 20);
            println!(
                "spun torus, {mode:?}, zeta {zeta}: mean error {mean:+.2e}, spread {spread:.2e} of the turn"
            );
            assert!(mean.abs() < 5e-3 && spread < 5e-3);
            assert!(zeta < 1.0 || mean.abs() + spread < 1e-9);
        }
    }
}

/// A bump on a plane that moves along x: the vertices within it are carried with it, as a rig does, and lifted.
fn swallow(rest: &[Vec3], travel: Real) -> Vec<Vec3> {
    let weight = |p: &Vec3| (-(p.x * p.x + p.z * p.z) / (0.012 * 0.012)).exp();
    rest.iter().map(|p| p + Vec3::new(travel, 0.004, 0.0) * weight(p)).collect()
}

#[test]
fn a_lump_that_moves_under_the_skin_hardly_takes_it_along() {
    let mesh = shapes::grid(0.12, 0.12, 48, 48);
    let border = |p: &Vec3| p.x.abs().max(p.z.abs()) > 0.06 - 1e-9;
    let holds: Vec<_> =
        mesh.positions.iter().map(|p| if border(p) { Hold::Fixed } else { Hold::Free }).collect();
    let mut skin = Skin::new(&mesh, settings(), &holds);
    let travel = 0.008;
    for frame in 1..=8 {
        let body = swallow(&mesh.positions, travel * frame as Real / 8.0);
        let report = skin.step(&body, 1.0 / 24.0, 1);
        assert!(report.inverted.is_empty() && report.warnings.is_empty(), "{report:?}");
    }
    // Where the material of the middle of the lump is now: at the body point whose skin is nearest to it.
    let body = swallow(&mesh.positions, travel);
    let middle = Vec3::zeros();
    let nearest = (0..body.len())
        .min_by(|&a, &b| (skin.place(a) - middle).norm().total_cmp(&(skin.place(b) - middle).norm()));
    let v = nearest.unwrap();
    let moved = (body[v] + (middle - skin.place(v))).x / travel;
    println!("lump: its skin moves {:.1} % of its travel, with standard skinning 100 %", 100.0 * moved);
    assert!(moved.abs() < 0.1, "{moved}");
}

/// A tube that is turned by mixing its places, as linear skinning does, is a thread in the middle when it is turned by
/// half a turn. The skin wants to fold there. It may not, but that is no reason for the rest of it to stay in tension.
#[test]
fn on_a_body_that_collapses_only_the_skin_that_would_fold_is_held() {
    let mesh = shapes::cylinder(RADIUS, LENGTH, 24, 48);
    // No limit on the snap speed: skin that snaps arrives within the frame, however far it goes.
    let usual = Settings { snap_speed: Real::INFINITY, ..Settings::new(settings().material) };
    let mut skin = Skin::new(&mesh, usual, &vec![Hold::Free; mesh.positions.len()]);
    for frame in 1..=7 {
        let angle = PI / 180.0 * 178.0 * Real::from(frame) / 7.0;
        let mixed = |p: &Vec3| {
            let x = (2.0 * p.y / LENGTH - 0.5).clamp(0.0, 1.0);
            p.lerp(&turned(p, angle), x * x * (3.0 - 2.0 * x))
        };
        let body: Vec<_> = mesh.positions.iter().map(mixed).collect();
        let report = skin.step(&body, 1.0 / 24.0, 1);
        assert!(report.inverted.is_empty(), "frame {frame}: {:?}", report.inverted);
        // The last is hardly a body any more.
        if frame < 7 {
            assert!(report.unsettled.is_none(), "frame {frame}: {report:?}");
        } else {
            assert!(report.energy[1] < 0.9 * report.energy[0], "{report:?}");
        }
    }
}

#[test]
fn free_pieces_do_not_drift() {
    // A torus that breathes for a long time: its rotations cost nothing, and nothing asks for them.
    let mesh = shapes::torus(0.1, 0.03, 24, 16);
    let mut skin = Skin::new(&mesh, settings(), &vec![Hold::Free; mesh.positions.len()]);
    for frame in 1..=100 {
        let breath = 1.0 + 0.1 * (frame as Real * 0.3).sin();
        let body: Vec<_> =
            mesh.positions.iter().map(|p| p * breath + Vec3::x() * (0.01 * frame as Real)).collect();
        skin.step(&body, 1.0 / 24.0, 1);
    }
    let n = mesh.positions.len();
    let turn = (0..n).map(|v| skin.ahead(v)).sum::<Real>() / n as Real;
    let worst = (0..n).map(|v| (skin.place(v) - mesh.positions[v]).norm()).fold(0.0, Real::max);
    println!("free torus after 100 frames: turned by {turn:.1e}, farthest slide {worst:.1e} m");
    // Breathing causes a small slide, so that only has to be small; nothing causes a turn, so there must be none.
    assert!(turn.abs() < 1e-5 && worst < 1e-4);
}

/// A tube whose right half twists to and fro, in dynamic mode; the slides at one second.
fn shaken(fps: Real, substeps: Option<u32>) -> Vec<Real> {
    let mesh = tube(16);
    let holds = rims(&mesh, |z, _| if (1e-9..=1.0 - 1e-9).contains(&z) { Hold::Free } else { Hold::Fixed });
    let settings = Settings { mode: Mode::Dynamic, zeta: 0.2, ..settings() };
    let mut skin = Skin::new(&mesh, settings, &holds);
    let substeps = substeps.unwrap_or_else(|| settings.automatic_substeps(1.0 / fps));
    for frame in 1..=fps as usize {
        let body = twist(&mesh, 0.5 * (frame as Real / fps * 5.0).sin());
        skin.step(&body, 1.0 / fps, substeps);
    }
    (0..mesh.positions.len()).map(|v| skin.ahead(v)).collect()
}

fn difference(a: &[Real], b: &[Real]) -> Real {
    let largest = b.iter().fold(0.0, |m: Real, x| m.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, Real::max) / largest
}

#[test]
fn the_motion_does_not_depend_on_the_frame_rate() {
    let (slow, fast) = (shaken(24.0, None), shaken(48.0, None));
    let finer = shaken(24.0, Some(16));
    let (rate, step) = (difference(&slow, &fast), difference(&slow, &finer));
    println!(
        "after 1 s, largest difference of the slides: 24 against 48 fps {rate:.2e}, steps halved {step:.2e}"
    );
    assert!(rate < 0.05 && step < 0.08);
}

#[test]
fn the_bits_do_not_depend_on_threads_or_on_a_pause() {
    let mesh = shapes::torus(0.1, 0.03, 40, 30);
    let settings = Settings { mode: Mode::Dynamic, zeta: 0.3, ..settings() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut skin = Skin::new(&mesh, settings, &vec![Hold::Free; mesh.positions.len()]);
            for frame in 1..=4 {
                let body: Vec<_> =
                    mesh.positions.iter().map(|p| turned(p, 0.03 * frame as Real) * 1.1).collect();
                skin.step(&body, 1.0 / 24.0, 2);
                // As if the rest of the frames were computed by another process.
                let holds = skin.model.holds().to_vec();
                let fresh = Skin::new(&mesh, settings, &holds);
                skin = Skin { state: skin.state, ..fresh };
            }
            skin.state
        })
    };
    let one = run(1);
    assert!(run(2) == one && run(5) == one);
    let mut whole = Skin::new(&mesh, settings, &vec![Hold::Free; mesh.positions.len()]);
    for frame in 1..=4 {
        let body: Vec<_> = mesh.positions.iter().map(|p| turned(p, 0.03 * frame as Real) * 1.1).collect();
        whole.step(&body, 1.0 / 24.0, 2);
    }
    assert!(whole.state == one);
}

/// The right half of a tube twists back and forth, at rest in every frame.
fn twisting(most: Real) -> (Skin, Vec<Vec<Vec3>>) {
    let mesh = tube(20);
    let held = |z: Real, _: &Vec3| if (1e-9..=1.0 - 1e-9).contains(&z) { Hold::Free } else { Hold::Fixed };
    let skin = Skin::new(&mesh, settings(), &rims(&mesh, held));
    let bodies = (1..=12).map(|frame| twist(&mesh, most * (frame as Real * 0.4).sin())).collect();
    (skin, bodies)
}

#[test]
fn a_frame_depends_on_the_state_before_it_and_not_on_where_the_user_looked_in_between() {
    let (mut skin, bodies) = twisting(2.0);
    let mut states = vec![skin.state.clone()];
    for body in &bodies {
        skin.step(body, 1.0 / 24.0, 1);
        states.push(skin.state.clone());
    }
    let same = |k: usize| states[k].stiffness.is_some() && states[k].stiffness == states[k + 1].stiffness;
    let kept = (1..bodies.len()).filter(|&k| same(k)).count();
    println!("frames that needed no new factor: {kept} of {}", bodies.len() - 1);
    assert!((3..9).contains(&kept));
    for frame in [7, 2, 3, 11, 0, 1, 8, 8, 4, 5, 6] {
        skin.state = states[frame].clone();
        skin.step(&bodies[frame], 1.0 / 24.0, 1);
        assert!(skin.state == states[frame + 1], "frame {frame}");
    }
}

#[test]
fn a_stiffness_that_belongs_elsewhere_costs_steps_and_changes_nothing() {
    let (mut skin, bodies) = twisting(1.2);
    for body in &bodies[..4] {
        skin.step(body, 1.0 / 24.0, 1);
    }
    let before = skin.state.clone();
    let own = before.stiffness.clone().unwrap();
    skin.step(&bodies[4], 1.0 / 24.0, 1);
    let expected: Vec<_> = (0..skin.model.len()).map(|v| skin.place(v)).collect();
    let with =
        |values: Vec<Real>, directions: Vec<[Vec3; 2]>| Some(Arc::new(Stiffness { values, directions }));
    let values = |change: &dyn Fn(usize, Real) -> Real| {
        with(own.values.iter().enumerate().map(|(k, v)| change(k, *v)).collect(), own.directions.clone())
    };
    let others = [
        None,
        values(&|_, v| 30.0 * v),
        values(&|_, v| v / 30.0),
        values(&|_, v| -v),
        values(&|k, v| v * (k as Real).sin()),
        values(&|_, _| 0.0),
        values(&|_, _| Real::NAN),
        with(own.values[1..].to_vec(), own.directions.clone()),
        with(own.values.clone(), own.directions[1..].to_vec()),
        with(own.values.clone(), own.directions.iter().map(|[a, b]| [*b, *a]).collect()),
        with(own.values.clone(), own.directions.iter().map(|_| [Vec3::zeros(); 2]).collect()),
    ];
    for (k, stiffness) in others.into_iter().enumerate() {
        skin.state = State { stiffness, ..before.clone() };
        let report = skin.step(&bodies[4], 1.0 / 24.0, 1);
        let off = (0..expected.len()).map(|v| (skin.place(v) - expected[v]).norm()).fold(0.0, Real::max);
        let parts = off / skin.model.rest.mean_edge();
        println!("{k}: {} steps, {parts:.1e} of an edge off", report.iterations);
        assert!(report.warnings.is_empty() && parts < 1e-4, "{:?}", report.warnings);
    }
}

#[test]
fn anchors_hold_the_skin_back_softly_and_then_stiffly() {
    // A tube whose rims may slide around, with a force around it at each vertex: it turns as a whole, by force over
    // stiffness in the toe, and by little more beyond.
    let mesh = tube(24);
    let around = |p: &Vec3| Vec3::new(-p.z, 0.0, p.x) / RADIUS;
    let rim = |z: Real| !(1e-9..=1.0 - 1e-9).contains(&z);
    let holds = rims(&mesh, |z, p| if rim(z) { Hold::Along(around(p)) } else { Hold::Free });
    let share = |v: usize| if rim(height(&mesh, v)) { 0.5 } else { 1.0 };
    let slide = |force: Real| {
        let mut skin = Skin::new(&mesh, settings(), &holds);
        let n = mesh.positions.len();
        let anchors: Vec<_> =
            (0..n).map(|v| Anchor { soft: share(v), stiff: 10.0 * share(v), toe: 4e-3 }).collect();
        skin.model.set_anchors(&anchors).unwrap();
        let forces: Vec<_> = (0..n).map(|v| around(&mesh.positions[v]) * (force * share(v))).collect();
        let inputs = Inputs { body: &mesh.positions, seconds: 1.0 / 24.0, substeps: 1, forces: &forces };
        step(&skin.model, &mut skin.state, &mut skin.scratch, &inputs, &Control::default()).unwrap();
        // The force pushes the material forwards, so the skin at a vertex is that of a place behind.
        -skin.ahead(5 * 24) * RADIUS
    };
    // Beyond the toe: 1 N/m r + 9 N/m (r - 4 mm) = 14 mN.
    let (toe, beyond) = (slide(2e-3), slide(14e-3));
    println!(
        "anchored tube: slides {:.4} mm under 2 mN (2 expected), {:.4} mm under 14 mN (5)",
        toe * 1e3,
        beyond * 1e3
    );
    assert!((toe - 2e-3).abs() < 2e-5 && (beyond - 5e-3).abs() < 5e-5, "{toe} {beyond}");
}
