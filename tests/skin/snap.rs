//! Skin between two equilibria: a ring of skin that has been turned on its body goes home at no more than the snap
//! speed, wherever the ring goes meanwhile.

use sinew::control::Control;
use sinew::energy::{Material, Stvk};
use sinew::geometry::{TriMesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::skin::model::{Anchor, Maps, Model, Settings};
use sinew::skin::production::{Inputs, Report, Scratch, step};
use sinew::skin::state::State;
use std::f64::consts::TAU;

/// The ring, the number of vertices around it and around the tube, and how many of them the skin is turned by.
const RADIUS: Real = 0.1;
const AROUND: usize = 60;
const ACROSS: usize = 12;
const TURNED: usize = 2;
/// The stiffness of each ligament, in N/m.
const TIE: Real = 0.5;

fn model(snap_speed: Real) -> Model {
    let settings = Settings { snap_speed, ..Settings::new(Material::Stvk(Stvk::new(2e4, 0.3).unwrap())) };
    let mesh = TriMesh::from_mesh(&shapes::torus(RADIUS, 0.02, AROUND, ACROSS)).unwrap();
    let mut model = Model::new(mesh, settings).unwrap();
    model.set_anchors(&vec![Anchor { soft: TIE, stiff: TIE, toe: 0.0 }; model.len()]).unwrap();
    model
}

/// The skin turned as a whole, which strains nothing, and held there against its ligaments.
fn on_the_way(model: &Model) -> State {
    let mut state = State::at_rest(model);
    let positions = &model.rest.mesh().positions;
    let turn = TAU * TURNED as Real / AROUND as Real;
    let (s, c) = turn.sin_cos();
    for (v, home) in positions.iter().enumerate() {
        let place = Vec3::new(c * home.x + s * home.z, home.y, c * home.z - s * home.x);
        let nearest =
            |&a: &usize, &b: &usize| (positions[a] - place).norm().total_cmp(&(positions[b] - place).norm());
        let there = (0..model.len()).min_by(nearest).unwrap();
        assert!((positions[there] - place).norm() < 1e-9);
        state.skin[v] = model.rest.vertex(there).unwrap();
        state.brakes.push((home - place) * TIE);
    }
    state
}

/// The body in a frame: it goes away and turns.
fn body(model: &Model, seconds: Real) -> Vec<Vec3> {
    let (s, c) = (3.0 * seconds).sin_cos();
    let moved = |p: &Vec3| Vec3::new(c * p.x - s * p.y + 5.0 * seconds, s * p.x + c * p.y, p.z);
    model.rest.mesh().positions.iter().map(moved).collect()
}

/// How far each vertex moves in each frame, how far it is from home after the last, and the reports.
fn run(
    model: &Model,
    state: &mut State,
    fps: Real,
    frames: usize,
) -> (Vec<Vec<Real>>, Vec<Real>, Vec<Report>) {
    let mut scratch = Scratch::new(model).unwrap();
    let places = |state: &State| -> Vec<Vec3> { state.skin.iter().map(|p| model.rest.place(p)).collect() };
    let (mut ways, mut reports) = (Vec::new(), Vec::new());
    let mut before = places(state);
    for k in 1..=frames {
        let body = body(model, k as Real / fps);
        let inputs = Inputs { body: &body, seconds: 1.0 / fps, substeps: 1, forces: &[] };
        reports.push(step(model, state, &mut scratch, &inputs, &Control::default()).unwrap());
        let now = places(state);
        ways.push(now.iter().zip(&before).map(|(a, b)| (a - b).norm()).collect());
        before = now;
    }
    let left = before.iter().zip(&model.rest.mesh().positions).map(|(a, b)| (a - b).norm()).collect();
    (ways, left, reports)
}

fn largest(values: &[Real]) -> Real {
    values.iter().copied().fold(0.0, Real::max)
}

#[test]
fn a_snap_goes_at_the_same_speed_at_any_frame_rate() {
    let speed = 0.19;
    let model = model(speed);
    let metres = speed * model.rest.extent();
    // The outermost skin travels farthest.
    let whole = 2.0 * (RADIUS + 0.02) * (0.5 * TAU * TURNED as Real / AROUND as Real).sin();
    for fps in [24.0, 30.0, 48.0, 60.0] {
        let needed = whole / metres * fps;
        let frames = needed.ceil() as usize + 4;
        let (ways, left, reports) = run(&model, &mut on_the_way(&model), fps, frames);
        let fastest: Vec<Real> = ways.iter().map(|ways| largest(ways) * fps).collect();
        let reported: Vec<_> = reports.iter().map_while(|report| report.snap).collect();
        println!(
            "{fps} fps: at most {:.5} m/s of {metres:.5}, reported in {} frames of {needed:.1}",
            largest(&fastest),
            reported.len()
        );
        let whole_frames = needed as usize - 1;
        assert!(fastest[..whole_frames].iter().all(|fast| (fast / metres - 1.0).abs() < 0.01), "{fastest:?}");
        assert!(largest(&fastest) < 1.01 * metres, "{fastest:?}");
        assert!(reported.len().abs_diff(needed as usize) <= 1, "{reported:?}");
        for (k, snap) in (1u8..).zip(&reported[..whole_frames]) {
            assert!(snap.slowed && snap.vertices > 0, "{snap:?}");
            let left = whole - metres / fps * Real::from(k);
            assert!((snap.distance - left).abs() < 0.01 * whole, "{snap:?} {left}");
        }
        assert!(reports.iter().all(|report| report.unsettled.is_none()));
        assert!(reports[reported.len() + 2..].iter().all(|report| report.snap.is_none()));
        assert!(largest(&left) < 1e-5, "{:e}", largest(&left));
    }
}

#[test]
fn skin_that_follows_what_pulls_at_it_does_not_snap() {
    // Nothing holds it where it is: it goes home at once, in a straight line as it were.
    let model = model(0.2);
    let mut state = State { brakes: Vec::new(), ..on_the_way(&model) };
    let (ways, left, reports) = run(&model, &mut state, 24.0, 3);
    assert!(largest(&ways[0]) > 0.02 && largest(&left) < 1e-5, "{} {}", largest(&ways[0]), largest(&left));
    assert!(reports.iter().all(|report| report.snap.is_none()));
    // And so does a snap that may go as fast as it likes.
    let model = self::model(Real::INFINITY);
    let (ways, left, _) = run(&model, &mut on_the_way(&model), 24.0, 3);
    assert!(largest(&ways[0]) > 0.02 && largest(&left) < 1e-5, "{} {}", largest(&ways[0]), largest(&left));
}

#[test]
fn a_snap_is_seen_slowed_down_and_reported() {
    // Skin that is stiff on two sides of a ring follows the ring's lobes as they go round, sticks at facets, and slips.
    let material = Material::Stvk(Stvk::new(2e4, 0.3).unwrap());
    let mesh = TriMesh::from_mesh(&shapes::torus(RADIUS, 0.02, 72, ACROSS)).unwrap();
    let mut model = Model::new(mesh, Settings::new(material)).unwrap();
    let angle = |p: &Vec3| p.x.atan2(p.z);
    // Stiffness that is no mirror image of the lobes: with symmetry, the last bits would choose where the skin goes.
    let stiffness = |p: &Vec3| 1.0 + 0.9 * (2.0 * angle(p) + 0.1).cos();
    let stiffness = model.rest.mesh().positions.iter().map(stiffness).collect();
    model.set_maps(Maps { stiffness, ..Maps::plain(model.len()) }).unwrap();
    model.set_anchors(&vec![Anchor { soft: 4e-5, stiff: 4e-5, toe: 0.0 }; model.len()]).unwrap();
    let (mut state, mut scratch) = (State::at_rest(&model), Scratch::new(&model).unwrap());
    let mut reported = 0;
    for frame in 0..52 {
        let turn = frame as Real / 12.0;
        let lobed = |p: &Vec3| {
            let wide = 1.0 + 0.45 * (2.0 * (angle(p) - turn)).cos();
            Vec3::new(p.x * wide, p.y, p.z * wide)
        };
        let body: Vec<Vec3> = model.rest.mesh().positions.iter().map(lobed).collect();
        let inputs = Inputs { body: &body, seconds: 1.0 / 24.0, substeps: 1, forces: &[] };
        let report = step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
        if let Some(snap) = report.snap.filter(|snap| snap.slowed) {
            reported += 1;
            assert!(snap.distance > 0.0 && snap.vertices > 0, "{snap:?}");
            let slowed = state.brakes.iter().filter(|brake| **brake != Vec3::zeros()).count();
            assert_eq!(slowed, snap.vertices);
        }
    }
    println!("slowed down in {reported} of 52 frames");
    assert!(reported > 0);
}
