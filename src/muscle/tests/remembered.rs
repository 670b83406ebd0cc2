//! What a state knows of the frame before: how far the insertion's joint was turned, and how the rings were.

use super::*;

/// Where the hand's joint is turned about the muscle's line, on a body that stands anywhere.
fn pose(degrees: Real) -> [Affine; 2] {
    let body = Rotation::from_euler_angles(0.4, -2.0, 1.0).to_rotation_matrix().into_inner();
    let turn =
        Rotation::from_axis_angle(&Vec3::x_axis(), degrees.to_radians()).to_rotation_matrix().into_inner();
    let place = Vec3::new(3.0, -7.0, 2.0);
    [affine(&body, &place), affine(&(body * turn), &(place + body * Vec3::new(0.5, 0.0, 0.0)))]
}

/// A muscle along x whose middle is away from that line.
fn across() -> Model {
    let mut long = muscle("long", [0, 1], [[0.0; 3], [0.5, 0.0, 0.0]]);
    long.middle = Vec3::new(0.0, 0.05, 0.0);
    let rest = [Affine::identity(), affine(&Mat3::identity(), &Vec3::new(0.5, 0.0, 0.0))];
    Model::new(Parts { muscles: vec![long], ..Parts::default() }, &rest, Frames::Stable).unwrap()
}

/// The offset of the middle in the axes of the first joint, in degrees from where it is at rest.
fn turned(model: &Model, state: &mut State, degrees: Real, begins: bool) -> Real {
    let joints = pose(degrees);
    let seconds = (!begins).then_some(1.0 / 24.0);
    let inputs = Inputs { joints: &joints, activations: &[], seconds };
    step(model, state, &mut Scratch::default(), &Settings::default(), &inputs).unwrap();
    let chord = [joints[0].column(3), joints[1].column(3)];
    let offset = state.anchors[0] - (chord[0] + chord[1]) * 0.5;
    let local = joints[0].fixed_columns::<3>(0).transpose() * offset;
    assert!((local.norm() - 0.05).abs() < 1e-12, "{local}");
    local.z.atan2(local.y).to_degrees()
}

#[test]
fn the_offset_of_the_middle_turns_half_as_far_also_beyond_half_a_turn() {
    let model = across();
    for sign in [1.0, -1.0] {
        let mut state = State::new();
        for k in 0..=22 {
            let degrees = 10.0 * sign * Real::from(k);
            let found = turned(&model, &mut state, degrees, k == 0);
            assert!((found - 0.5 * degrees).abs() < 1e-6, "{degrees}: {found}");
        }
        // A saved state knows the way, too.
        let mut bytes = Vec::new();
        state.put(&mut bytes);
        let mut loaded = State::read(&mut Reader::new("the state", &bytes)).unwrap();
        let found = turned(&model, &mut loaded, 230.0 * sign, false);
        assert!((found - 115.0 * sign).abs() < 1e-6, "{found}");
    }
}

#[test]
fn a_motion_that_begins_beyond_half_a_turn_takes_the_shorter_way() {
    let found = turned(&across(), &mut State::new(), 220.0, true);
    assert!((found + 70.0).abs() < 1e-6, "{found}");
}

/// The rings that flip when the elbow comes to these angles one after the other, in degrees; the last pose comes twice,
/// the second time from a state that was saved before it.
#[test]
fn rings_that_flip_are_reported_when_a_frame_is_computed_again() {
    let mut along = muscle("along", [0, 1], [[0.0; 3], [0.3, 0.0, 0.0]]);
    (along.up, along.middle) = (Some(Vec3::y()), Vec3::zeros());
    let parts = Parts { muscles: vec![along], ..Parts::default() };
    let rest = [Affine::identity(), Affine::identity()];
    let model = Model::new(parts, &rest, Frames::UpVector).unwrap();
    let reported = |state: &mut State, degrees: Real, begins: bool| -> usize {
        let turn = Rotation::from_axis_angle(&Vec3::z_axis(), degrees.to_radians());
        let joints = [rest[0], affine(&turn.to_rotation_matrix().into_inner(), &Vec3::zeros())];
        let inputs = Inputs { joints: &joints, activations: &[], seconds: (!begins).then_some(0.1) };
        // No jiggle: the curve is straight.
        let settings = Settings { jiggle: 0.0, ..Settings::default() };
        let report = step(&model, state, &mut Scratch::default(), &settings, &inputs).unwrap();
        report.warnings.iter().filter(|warning| matches!(warning, Warning::Flipped { .. })).count()
    };
    let mut state = State::new();
    assert_eq!([0.0, 40.0, 75.0].map(|degrees| reported(&mut state, degrees, degrees == 0.0)), [0; 3]);
    let mut bytes = Vec::new();
    state.put(&mut bytes);
    let mut loaded = State::read(&mut Reader::new("the state", &bytes)).unwrap();
    for state in [&mut state.clone(), &mut state, &mut loaded] {
        assert_eq!([105.0, 140.0].map(|degrees| reported(state, degrees, false)), [9, 0]);
    }
}
