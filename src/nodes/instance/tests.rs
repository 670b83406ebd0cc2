use super::*;
use sinew_math::UpAxis;

/// Two vertices, two joints; the second joint moves by (1, 2, 3).
fn ready() -> Instance {
    let mut node = Instance::new("skinning").unwrap();
    set(&mut node, "points", &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], 3);
    set(&mut node, "rest_joints", &[matrix(0.0, 0.0, 0.0), matrix(1.0, 0.0, 0.0)].concat(), 16);
    set(&mut node, "joints", &[matrix(0.0, 0.0, 0.0), matrix(2.0, 2.0, 3.0)].concat(), 16);
    node.set_array("influence_counts", &ArrayView::from_slice(&[1i32, 2], 1).unwrap()).unwrap();
    node.set_array("influence_joints", &ArrayView::from_slice(&[0u32, 0, 1], 1).unwrap()).unwrap();
    set(&mut node, "influence_weights", &[1.0, 1.0, 1.0], 1);
    node
}

fn matrix(x: Real, y: Real, z: Real) -> Vec<Real> {
    vec![1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, y, 0.0, 0.0, 1.0, z, 0.0, 0.0, 0.0, 1.0]
}

fn set(node: &mut Instance, port: &str, values: &[Real], components: u32) {
    node.set_array(port, &ArrayView::from_slice(values, components).unwrap()).unwrap();
}

fn step(node: &mut Instance) -> Result<Report> {
    node.step(7, 0.5, &Control::default())
}

fn points(node: &Instance) -> Vec<Real> {
    let mut out = vec![0.0; 3 * node.output_count("points").unwrap()];
    node.read("points", &mut ArrayViewMut::from_slice(&mut out, 3).unwrap()).unwrap();
    out
}

#[test]
fn a_step_moves_and_reads() {
    let mut node = ready();
    let report = step(&mut node).unwrap();
    assert!(report.warnings.is_empty() && !report.stages.is_empty());
    assert_eq!(points(&node), [0.0, 0.0, 0.0, 1.5, 2.0, 2.5]);
    assert_eq!(node.last_frame(), Some(7));
}

/// An array that comes again and again is known by its bytes, which mean what the space, the type and the shape say.
#[test]
fn the_same_bytes_may_mean_something_else() {
    let mut node = ready();
    let host = [0.0f64, 0.0, 0.0, 1.0, 1.0, 1.0];
    let give = |node: &mut Instance| {
        let view = ArrayView::from_slice(&host, 3).unwrap();
        (0..3).for_each(|_| node.set_array("points", &view).unwrap());
        let index = node.descriptor().port_index(Direction::Input, "points").unwrap();
        match node.inputs.value(index) {
            Some(PortValue::Reals(values)) => (values.clone(), node.inputs.revision(index)),
            other => panic!("{other:?}"),
        }
    };
    let (metres, first) = give(&mut node);
    assert_eq!((&metres[..], give(&mut node).1), (&host[..], first));
    node.set_space(Space::new(0.01, UpAxis::Y).unwrap());
    let (small, later) = give(&mut node);
    assert_eq!(small, [0.0, 0.0, 0.0, 0.01, 0.01, 0.01]);
    assert!(later > first);
    let flat = ArrayView::from_slice(&host, 1).unwrap();
    assert_eq!(node.set_array("points", &flat).unwrap_err().kind(), Kind::WrongType);
    // As single precision, the same bytes are twice as many numbers.
    let halves: Vec<f32> = host
        .iter()
        .flat_map(|x| [x.to_bits() as u32, (x.to_bits() >> 32) as u32])
        .map(f32::from_bits)
        .collect();
    node.set_array("points", &ArrayView::from_slice(&halves, 3).unwrap()).unwrap();
    assert_eq!(give(&mut node).0, small);
    node.clear_input("points").unwrap();
    assert_eq!(give(&mut node).0, small);
}

#[test]
fn deforming_in_place_and_out_of_place_agree() {
    let mut node = ready();
    let source = [0.0f32, 0.0, 0.0, 1.0, 1.0, 1.0];
    let (mut apart, mut same) = ([9.0f32; 6], source);
    let (view, control) = (ArrayView::from_slice(&source, 3).unwrap(), Control::default());
    node.deform(1, 0.0, &view, ArrayViewMut::from_slice(&mut apart, 3).unwrap(), &control).unwrap();
    node.deform_in_place(1, 0.0, &mut ArrayViewMut::from_slice(&mut same, 3).unwrap(), &control).unwrap();
    assert_eq!(apart, [0.0, 0.0, 0.0, 1.5, 2.0, 2.5]);
    assert_eq!(same, apart);
    let error = node
        .deform(2, 0.0, &view, ArrayViewMut::from_slice(&mut [0.0f32; 3], 3).unwrap(), &control)
        .unwrap_err();
    assert_eq!((error.kind(), error.place().frame), (Kind::CountMismatch, Some(2)));
}

#[test]
fn a_failed_frame_writes_nothing_and_keeps_the_last_good_one() {
    let mut node = ready();
    step(&mut node).unwrap();
    let good = points(&node);
    let mut host = [0.0f32, 0.0, 0.0, 1.0, f32::NAN, 1.0];
    let before = host.map(f32::to_bits);
    let mut view = ArrayViewMut::from_slice(&mut host, 3).unwrap();
    let error = node.deform_in_place(8, 0.0, &mut view, &Control::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "frame 8, node skinning, port points, vertex 1: component 1 is NaN",
        "the place is complete"
    );
    assert_eq!(host.map(f32::to_bits), before);
    set(&mut node, "influence_weights", &[1.0, 1.0, -1.0], 1);
    let error = step(&mut node).unwrap_err();
    assert_eq!((error.place().vertex, error.place().port.as_deref()), (Some(1), Some("influence_weights")));
    assert_eq!((points(&node), node.last_frame()), (good, Some(7)));
}

#[test]
fn missing_inputs_and_counts_that_disagree_are_named() {
    let mut node = ready();
    node.clear_input("joints").unwrap();
    let error = step(&mut node).unwrap_err();
    assert_eq!((error.kind(), error.place().port.as_deref()), (Kind::MissingInput, Some("joints")));
    set(&mut node, "joints", &matrix(0.0, 0.0, 0.0), 16);
    let error = step(&mut node).unwrap_err();
    assert_eq!((error.kind(), error.place().port.as_deref()), (Kind::CountMismatch, Some("joints")));
    let mut node = ready();
    set(&mut node, "blend", &[0.5], 1);
    assert_eq!(step(&mut node).unwrap_err().place().port.as_deref(), Some("blend"));
    node.clear_input("blend").unwrap();
    step(&mut node).unwrap();
    let stop = Control::default();
    stop.cancel();
    assert_eq!(node.step(8, 0.0, &stop).unwrap_err().kind(), Kind::Cancelled);
    assert_eq!(node.step(8, Real::NAN, &Control::default()).unwrap_err().kind(), Kind::NotFinite);
}

#[test]
fn wrong_names_types_and_ranges_are_named() {
    let mut node = ready();
    let numbers = [0.5, 2.0];
    let view = ArrayView::from_slice(&numbers, 1).unwrap();
    let error = node.set_array("blend", &view).unwrap_err();
    assert_eq!((error.kind(), error.place().vertex), (Kind::OutOfRange, Some(1)));
    assert_eq!(node.set_array("nowhere", &view).unwrap_err().kind(), Kind::NotFound);
    assert_eq!(node.set_array("points", &view).unwrap_err().kind(), Kind::WrongType);
    assert_eq!(node.set_array("influence_joints", &view).unwrap_err().kind(), Kind::WrongType);
    assert_eq!(node.set_mesh("points", Mesh::default()).unwrap_err().kind(), Kind::WrongType);
    assert!(
        node.set_param_text("method", "x")
            .unwrap_err()
            .to_string()
            .contains("node skinning, parameter method")
    );
    assert_eq!(node.set_param("nothing", ParamValue::Int(1)).unwrap_err().kind(), Kind::NotFound);
    assert!(Instance::new("nothing").err().unwrap().to_string().contains("skinning"));
    assert_eq!(node.param("method").unwrap(), ParamValue::Choice(0), "a refused value changes nothing");
    let mut none = Instance::new("skinning").unwrap();
    assert_eq!(none.output_count("points").unwrap(), 0);
    let error = none.read("points", &mut ArrayViewMut::from_slice::<f32>(&mut [], 3).unwrap()).unwrap_err();
    assert_eq!(error.kind(), Kind::MissingInput);
    assert_eq!(step(&mut none).unwrap_err().kind(), Kind::MissingInput);
}

#[test]
fn a_vertex_without_weights_stays_and_is_reported() {
    let mut node = ready();
    set(&mut node, "influence_weights", &[0.0, 1.0, 1.0], 1);
    let report = step(&mut node).unwrap();
    assert!(report.warnings[0].ends_with(": 1, the first is vertex 0"));
}

#[test]
fn a_new_rest_pose_or_parameter_is_seen() {
    let mut node = ready();
    step(&mut node).unwrap();
    set(&mut node, "rest_joints", &[matrix(0.0, 0.0, 0.0), matrix(2.0, 2.0, 3.0)].concat(), 16);
    step(&mut node).unwrap();
    assert_eq!(points(&node), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    node.set_param_text("normalize", "false").unwrap();
    assert_eq!(step(&mut node).unwrap_err().place().vertex, Some(1));
}

#[test]
fn units_and_up_axis_change_nothing_but_the_numbers() {
    // The same scene in centimetres with z up: (x, y, z) in metres is (x, -z, y) * 100.
    let host = |p: &[Real]| [100.0 * p[0], -100.0 * p[2], 100.0 * p[1]];
    let mut metres = ready();
    step(&mut metres).unwrap();
    let mut node = ready();
    node.set_space(Space::new(0.01, UpAxis::Z).unwrap());
    let source: Vec<Real> = [[0.0; 3], [1.0; 3]].iter().flat_map(|p| host(p)).collect();
    set(&mut node, "points", &source, 3);
    let [x, y, z] = host(&[2.0, 2.0, 3.0]);
    set(&mut node, "rest_joints", &[matrix(0.0, 0.0, 0.0), matrix(100.0, 0.0, 0.0)].concat(), 16);
    set(&mut node, "joints", &[matrix(0.0, 0.0, 0.0), matrix(x, y, z)].concat(), 16);
    step(&mut node).unwrap();
    let expected: Vec<Real> = points(&metres).chunks_exact(3).flat_map(host).collect();
    assert!(points(&node).iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-10));
}

#[test]
fn a_state_comes_back_bit_for_bit() {
    let mut node = ready();
    node.set_param("envelope", ParamValue::Real(0.3)).unwrap();
    node.set_param_text("method", "dual_quaternion").unwrap();
    step(&mut node).unwrap();
    let state = node.save_state();
    let mut fresh = Instance::new("skinning").unwrap();
    fresh.load_state(&state).unwrap();
    let bits = |node: &Instance| points(node).iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&fresh), bits(&node));
    assert_eq!((fresh.param("envelope").unwrap(), fresh.last_frame()), (ParamValue::Real(0.3), Some(7)));
    assert_eq!(fresh.save_state(), state);
}

#[test]
fn whoever_goes_on_from_a_state_keeps_the_own_parameters() {
    let mut node = ready();
    node.set_param("envelope", ParamValue::Real(0.3)).unwrap();
    step(&mut node).unwrap();
    let state = node.save_state();
    let mut fresh = Instance::new("skinning").unwrap();
    assert_eq!(fresh.frame_of_state(&state).unwrap().map(|frame| frame.number), Some(7));
    assert_eq!(fresh.last_frame(), None, "it was only looked at");
    fresh.set_param("envelope", ParamValue::Real(0.6)).unwrap();
    fresh.go_on_from(&state).unwrap();
    assert_eq!((fresh.param("envelope").unwrap(), fresh.last_frame()), (ParamValue::Real(0.6), Some(7)));
}

#[test]
fn every_damage_to_a_state_is_an_error_and_changes_nothing() {
    let mut node = ready();
    step(&mut node).unwrap();
    let state = node.save_state();
    let mut other = ready();
    other.set_param("envelope", ParamValue::Real(0.25)).unwrap();
    step(&mut other).unwrap();
    let before = other.save_state();
    for length in 0..state.len() {
        assert_eq!(other.load_state(&state[..length]).unwrap_err().kind(), Kind::Parse, "{length} bytes");
    }
    for byte in 0..state.len() {
        for bit in 0..8 {
            let mut damaged = state.clone();
            damaged[byte] ^= 1 << bit;
            assert_eq!(other.load_state(&damaged).unwrap_err().kind(), Kind::Parse, "byte {byte}");
        }
    }
    assert_eq!(other.save_state(), before);
}

/// A state with one run of bytes replaced and the check sum made good again.
fn forged(state: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = state.windows(from.len()).position(|w| w == from).unwrap();
    let mut bytes = [&state[..at], to, &state[at + from.len()..state.len() - 4]].concat();
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

#[test]
fn states_of_other_nodes_and_versions_are_refused() {
    let mut node = ready();
    step(&mut node).unwrap();
    let state = node.save_state();
    let kind = |bytes: &[u8]| ready().load_state(bytes).unwrap_err().kind();
    assert_eq!(kind(&forged(&state, b"skinning", b"skinnING")), Kind::WrongType);
    for version in [b"skinning\x00", b"skinning\x02"] {
        assert_eq!(kind(&forged(&state, b"skinning\x01", version)), Kind::WrongVersion);
    }
    assert_eq!(kind(&forged(&state, b"STA\x01", b"STA\x03")), Kind::WrongVersion);
    assert_eq!(kind(&forged(&state, b"envelope", b"envelopE")), Kind::NotFound);
    assert_eq!(kind(&forged(&state, b"linear", b"linEar")), Kind::Parse);
    assert_eq!(kind(&forged(&state, &6u64.to_le_bytes(), &(u64::MAX / 2).to_le_bytes())), Kind::Parse);
    assert_eq!(kind(&[&state[..], b"x"].concat()), Kind::Parse);
}

#[test]
fn states_with_numbers_that_are_none_are_refused() {
    let mut node = ready();
    step(&mut node).unwrap();
    let state = node.save_state();
    // The time of the step, and a coordinate of the result.
    for number in [0.5, 2.5] {
        for bad in [Real::NAN, Real::INFINITY] {
            let bytes = forged(&state, &Real::to_le_bytes(number), &bad.to_le_bytes());
            assert_eq!(ready().load_state(&bytes).unwrap_err().kind(), Kind::Parse, "{number} {bad}");
        }
    }
}
