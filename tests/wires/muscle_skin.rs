//! The wires of the node `muscle_skin`: one muscle along x whose middle ring carries a point, by hand.

#[path = "muscle_skin/params.rs"]
mod params;

use super::host::{Host, near, within};
use params::*;
use sinew::geometry::shapes;
use sinew::math::{Real, Vec3};
use sinew::nodes::ArrayViewMut;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

super::rows! {
    "input points" | "output points" => points,
    "input rest_joints" | "input joints" => joints,
    "input influence_counts" | "input influence_joints" | "input influence_weights" => influences,
    "input blend" | "choice method/blend_map" => blend,
    "param method" | "choice method/linear" | "choice method/dual_quaternion" => method,
    "param normalize" => normalize,
    "input mesh" => mesh,
    "input muscle_map" | "output carried" => muscle_map,
    "input muscle_influence_counts" | "input muscle_influences" | "input muscle_weights" => painted,
    "input fat_map" => fat_map,
    "input activations" | "input muscle_swells" => activations,
    "input muscle_origin_joints" | "input muscle_insertion_joints" => end_joints,
    "input muscle_origins" | "input muscle_insertions" => ends,
    "input muscle_middles" => middles,
    "input muscle_ups" => ups,
    "input muscle_rings" | "input muscle_divisions" | "output muscle_ring_counts" => counts,
    "input muscle_sizes" | "input muscle_tapers" => sizes,
    "input muscle_girths" => girths,
    "input muscle_weight_factors" => weight_factors,
    "input muscle_bulges" => bulges,
    "input muscle_stretch_ratios" => stretch_ratios,
    "input muscle_masses" | "input muscle_stiffnesses" | "input muscle_dampings" => springs,
    "output muscle_tensions" => tensions,
    "input muscle_offsets" => offsets,
    "output muscle_points" | "output muscle_faces" => shape,
    "output muscle_face_sizes" | "output muscle_face_vertices" | "output muscle_numbers" => second_mesh,
    "output ring_matrices" => ring_matrices,
    "output muscle_lengths" | "param length" | "choice length/chord" | "choice length/arc" => lengths,
    "param muscles" | "param joint_names" => set,
    "param frames" | "choice frames/stable" | "choice frames/up_vector" => frames,
    "param drag" | "choice drag/body" | "choice drag/air" => drag,
    "param start" | "choice start/moving" | "choice start/still" => start,
    "param nearest" => nearest,
    "param reach" => reach,
    "param smooth" => smooth,
    "param follow" | "choice follow/shape" | "choice follow/motion" => follow,
    "param thinning" => thinning,
    "param tense_left_arm" | "param tense_right_arm" | "param tense_left_leg" | "param tense_right_leg"
        | "param tense_trunk" => tense,
    "param flex" | "input muscle_flexes" => flex,
    "param relax" => relax,
    "param relax_rounds" => relax_rounds,
    "input relax_map" => relax_map,
    "param bulge" => bulge,
    "param jiggle" => jiggle,
    "param weight_factor" => weight_factor,
    "param size_factor" => size_factor,
    "param bulge_factor" => bulge_factor,
    "param stiffness_factor" | "param damping_factor" => spring_factors,
    "param push_muscles" => push_muscles,
    "param push_bones" | "param push_skin" => push_bones,
    "param under_skin" => under_skin,
}

/// A turn about z by so many quarters, then a move along x.
fn matrix(quarters: i32, x: Real) -> [Real; 16] {
    let (sin, cos) = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarters.rem_euclid(4) as usize];
    [cos, -sin, 0.0, x, sin, cos, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
}

/// The first point is a vertex of the muscle's middle ring, whose motion it follows; the second is out of its reach.
/// The second joint carries both points and the insertion.
fn host(params: &[(&str, &str)]) -> Host {
    let usual = [("nearest", "1"), ("reach", "1.5"), ("follow", "motion"), ("flex", "0")];
    let mut host = Host::new("muscle_skin", &[&usual, params].concat());
    host.give("points", &[0.5, 0.1, 0.0, 5.0, 0.0, 0.0]);
    host.give("rest_joints", &[matrix(0, 0.0), matrix(0, 0.0)].concat());
    host.name("influence_counts", &[1, 1]);
    host.name("influence_joints", &[1, 1]);
    host.give("influence_weights", &[1.0, 1.0]);
    host.name("muscle_origin_joints", &[0]);
    host.name("muscle_insertion_joints", &[1]);
    host.give("muscle_origins", &[0.0, 0.0, 0.0]);
    host.give("muscle_insertions", &[1.0, 0.0, 0.0]);
    host.give("muscle_sizes", &[0.1]);
    moved(&mut host, 0.0);
    host
}

/// The second joint moves along x.
fn moved(host: &mut Host, x: Real) {
    host.give("joints", &[matrix(0, 0.0), matrix(0, x)].concat());
}

/// Equation 7 for a muscle of length 1.
fn width(bulge: Real, length: Real) -> Real {
    (1.0 + bulge * (FRAC_PI_2 * (1.0 - length)).sin()) / length.sqrt()
}

/// Where a point is after a first frame.
#[track_caller]
fn goes(host: &mut Host, point: usize, expected: [Real; 3]) {
    host.frame(1);
    let found = host.vectors("points")[point];
    assert!((found - Vec3::from(expected)).amax() < 1e-12, "{found:?} instead of {expected:?}");
}

fn points() {
    let mut host = host(&[]);
    host.give("points", &[0.5, 0.12, 0.01, 5.0, 1.0, 2.0]);
    goes(&mut host, 0, [0.5, 0.12, 0.01]);
    moved(&mut host, -0.2);
    // What stands off the ring is carried without being widened; the weight fades with its distance.
    let t = 0.02_f64.hypot(0.01) / 0.15;
    let weight = 1.0 - t * t * (3.0 - 2.0 * t);
    let carried = Vec3::new(0.4, 0.1 * width(0.5, 0.8) + 0.02, 0.01) * weight;
    goes(&mut host, 0, (carried + Vec3::new(0.3, 0.12, 0.01) * (1.0 - weight)).into());
    goes(&mut host, 1, [4.8, 1.0, 2.0]);
}

/// The muscle and the points depend only on how the joints have moved since rest, not on their rest matrices.
fn joints() {
    let mut host = host(&[]);
    host.give("rest_joints", &[matrix(2, 3.0), matrix(1, 7.0)].concat());
    host.give("joints", &[matrix(2, 3.0), matrix(1, 6.8)].concat());
    host.give("muscle_ups", &[0.0, 1.0, 0.0]);
    goes(&mut host, 0, [0.4, 0.1 * width(0.5, 0.8), 0.0]);
    goes(&mut host, 1, [4.8, 0.0, 0.0]);
}

fn influences() {
    let mut host = host(&[]);
    host.name("influence_counts", &[1, 2]);
    host.name("influence_joints", &[1, 0, 1]);
    host.give("influence_weights", &[1.0, 0.75, 0.25]);
    moved(&mut host, -0.2);
    goes(&mut host, 1, [4.95, 0.0, 0.0]);
}

/// The second point, half on each joint, when the second joint turns by a quarter.
fn turned(params: &[(&str, &str)]) -> Host {
    let mut host = host(params);
    host.name("influence_counts", &[1, 2]);
    host.name("influence_joints", &[1, 0, 1]);
    host.give("influence_weights", &[1.0, 0.5, 0.5]);
    host.give("joints", &[matrix(0, 0.0), matrix(1, 0.0)].concat());
    host
}

const ON_CIRCLE: Real = 5.0 * FRAC_1_SQRT_2;

fn blend() {
    let mut host = turned(&[("method", "blend_map")]);
    goes(&mut host, 1, [2.5, 2.5, 0.0]);
    host.give("blend", &[0.0, 0.25]);
    let mixed = 2.5 + 0.25 * (ON_CIRCLE - 2.5);
    goes(&mut host, 1, [mixed, mixed, 0.0]);
}

fn method() {
    goes(&mut turned(&[]), 1, [2.5, 2.5, 0.0]);
    goes(&mut turned(&[("method", "dual_quaternion")]), 1, [ON_CIRCLE, ON_CIRCLE, 0.0]);
}

fn normalize() {
    let mut host = host(&[]);
    host.give("influence_weights", &[1.0, 3.0]);
    host.frame(1);
    host.set("normalize", "off");
    assert!(host.try_frame(1).unwrap_err().to_string().contains("add up to 3"));
}

/// A sheet over the muscle: if it faces the muscle, the muscle is on its other side.
fn mesh() {
    for (flipped, carried) in [(false, true), (true, false)] {
        let mut sheet = shapes::grid(0.2, 0.2, 1, 1);
        sheet.positions.iter_mut().for_each(|p| *p += Vec3::new(0.5, 0.2, 0.0));
        if flipped {
            sheet.corner_vertices.reverse();
        }
        let mut host = host(&[("reach", "3")]);
        host.points("points", &sheet.positions);
        host.mesh("mesh", &sheet);
        host.name("influence_counts", &[1; 4]);
        host.name("influence_joints", &[1; 4]);
        host.give("influence_weights", &[1.0; 4]);
        host.frame(1);
        assert_eq!(
            host.read("carried").iter().all(|part| *part > 0.1),
            carried,
            "{:?}",
            host.read("carried")
        );
    }
}

fn muscle_map() {
    let mut host = host(&[]);
    host.frame(1);
    assert_eq!(host.read("carried"), [1.0, 0.0]);
    host.give("muscle_map", &[0.25, 1.0]);
    moved(&mut host, -0.2);
    goes(&mut host, 0, [0.25 * 0.4 + 0.75 * 0.3, 0.25 * 0.1 * width(0.5, 0.8) + 0.75 * 0.1, 0.0]);
    assert_eq!(host.read("carried"), [0.25, 0.0]);
}

/// A second muscle, on the first joint alone, stays: painted weights decide between both, and reach where distances do
/// not.
fn painted() {
    let mut host = host(&[]);
    host.name("muscle_origin_joints", &[0, 0]);
    host.name("muscle_insertion_joints", &[1, 0]);
    host.give("muscle_origins", &[0.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    host.give("muscle_insertions", &[1.0, 0.0, 0.0, 1.0, 2.0, 0.0]);
    host.give("muscle_sizes", &[0.1, 0.1]);
    host.name("muscle_influence_counts", &[2, 1]);
    host.name("muscle_influences", &[0, 1, 1]);
    host.give("muscle_weights", &[0.5, 0.25, 0.5]);
    moved(&mut host, -0.2);
    let x = 0.5 * 0.4 + 0.25 * 0.5 + 0.25 * 0.3;
    goes(&mut host, 0, [x, 0.5 * 0.1 * width(0.5, 0.8) + 0.5 * 0.1, 0.0]);
    goes(&mut host, 1, [0.5 * 5.0 + 0.5 * 4.8, 0.0, 0.0]);
    host.give("muscle_weights", &[1.0, 1.0, 0.0]);
    goes(&mut host, 0, [0.5 * 0.4 + 0.5 * 0.5, 0.5 * 0.1 * width(0.5, 0.8) + 0.5 * 0.1, 0.0]);
}

/// How far a spring at rest has swung after its anchor moved away within a frame.
fn swung(mass: Real, stiffness: Real, damping: Real, way: Real) -> Real {
    let (w, t) = ((stiffness / mass).sqrt(), 1.0 / 24.0);
    let q = w * (1.0 - damping * damping).sqrt();
    way / t * (-damping * w * t).exp() * (q * t).sin() / q
}

/// Two frames at rest and one after the second joint moved.
fn swing(host: &mut Host, x: Real) {
    host.frame(1);
    host.frame(2);
    moved(host, x);
    host.frame(3);
}

const SET: &str = r#"<muscle_set>
<muscle name="m" origin_joint="a" origin="0 0 0" insertion_joint="b" insertion="1 0 0" size="0.1"/>
<pad name="p" joint="b" centre="5 0 0" radius="0.5" mass="0.5" stiffness="200" damping="0.1"/>
<bone name="rod" joint="b" from="0.2 0.15 0" to="0.8 0.15 0" radius="0.05"/>
</muscle_set>"#;

/// Muscles from a set alone.
fn of_set(params: &[(&str, &str)]) -> Host {
    let mut host = host(&[&[("muscles", SET), ("joint_names", "a, b")], params].concat());
    let arrays = ["origin_joints", "insertion_joints", "origins", "insertions", "sizes"];
    arrays.iter().for_each(|port| host.node.clear_input(&format!("muscle_{port}")).unwrap());
    host
}

fn fat_map() {
    let mut host = of_set(&[("jiggle", "0.5")]);
    host.give("fat_map", &[1.0, 0.25]);
    swing(&mut host, 0.1);
    let lag = swung(0.5, 200.0, 0.1, 0.1);
    within(host.vectors("points")[1].x, 5.1 - 0.5 * 0.25 * lag, 1e-12);
}

fn activations() {
    let mut host = host(&[]);
    host.give("activations", &[0.5]);
    goes(&mut host, 0, [0.5, 0.1 * (1.0 + 0.5 * 0.2), 0.0]);
    host.give("muscle_swells", &[0.6]);
    goes(&mut host, 0, [0.5, 0.1 * (1.0 + 0.5 * 0.6), 0.0]);
}

fn end_joints() {
    let mut host = host(&[]);
    moved(&mut host, -0.2);
    host.name("muscle_insertion_joints", &[0]);
    goes(&mut host, 0, [0.5, 0.1, 0.0]);
    host.name("muscle_insertion_joints", &[1]);
    host.name("muscle_origin_joints", &[1]);
    goes(&mut host, 0, [0.3, 0.1, 0.0]);
}

fn ends() {
    let mut host = host(&[]);
    host.give("muscle_origins", &[0.2, 0.0, 0.0]);
    host.give("muscle_insertions", &[0.8, 0.0, 0.0]);
    moved(&mut host, -0.12);
    goes(&mut host, 0, [0.44, 0.1 * width(0.5, 0.8), 0.0]);
    assert!((host.read("muscle_lengths")[0] - 0.48).abs() < 1e-15);
}

/// The curve goes half as far as its middle control point.
fn middles() {
    let mut host = host(&[]);
    host.give("muscle_middles", &[0.0, 0.2, 0.0]);
    host.frame(1);
    within(host.read("ring_matrices")[4 * 16 + 7], 0.1, 1e-15);
}

fn ups() {
    let mut host = host(&[]);
    host.give("muscle_ups", &[0.0, 0.0, 2.0]);
    host.frame(1);
    // b is the up-vector's part across the muscle.
    assert!((host.vectors("muscle_points")[4 * 8] - Vec3::new(0.5, 0.0, 0.1)).amax() < 1e-15);
}

fn counts() {
    let mut host = host(&[]);
    host.name("muscle_rings", &[5]);
    host.name("muscle_divisions", &[4]);
    host.frame(1);
    assert_eq!((host.count("muscle_points"), host.read("muscle_ring_counts")), (20, vec![5.0]));
    assert!((host.vectors("muscle_points")[2 * 4] - Vec3::new(0.5, 0.1, 0.0)).amax() < 1e-15);
}

/// The skin is bound to the muscle at a girth of 1, and follows it; a new girth does not rebind it.
fn girths() {
    let mut host = host(&[]);
    goes(&mut host, 0, [0.5, 0.1, 0.0]);
    host.give("muscle_girths", &[1.5]);
    goes(&mut host, 0, [0.5, 0.15, 0.0]);
    moved(&mut host, -0.2);
    goes(&mut host, 0, [0.4, 0.15 * width(0.5, 0.8), 0.0]);
}

/// A factor of 0.25 on a weight of 1 leaves the rest to the joint; a factor above 1 does not raise the weight above 1.
fn weight_factors() {
    let mut host = host(&[]);
    host.give("muscle_weight_factors", &[0.25]);
    moved(&mut host, -0.2);
    goes(&mut host, 0, [0.25 * 0.4 + 0.75 * 0.3, 0.25 * 0.1 * width(0.5, 0.8) + 0.75 * 0.1, 0.0]);
    assert_eq!(host.read("carried"), [0.25, 0.0]);
    host.give("muscle_weight_factors", &[3.0]);
    goes(&mut host, 0, [0.4, 0.1 * width(0.5, 0.8), 0.0]);
    assert_eq!(host.read("carried"), [1.0, 0.0]);
}

fn sizes() {
    let mut host = host(&[]);
    host.give("muscle_sizes", &[0.07]);
    host.give("muscle_tapers", &[3.0]);
    host.frame(1);
    let points = host.vectors("muscle_points");
    within(points[4 * 8].y, 0.07, 1e-15);
    within(points[2 * 8].y, 0.07 * FRAC_1_SQRT_2.powi(3), 1e-15);
}

fn bulges() {
    let mut host = host(&[]);
    host.give("muscle_bulges", &[1.25]);
    moved(&mut host, -0.2);
    goes(&mut host, 0, [0.4, 0.1 * width(1.25, 0.8), 0.0]);
}

fn stretch_ratios() {
    let mut host = host(&[]);
    host.give("muscle_stretch_ratios", &[4.0]);
    moved(&mut host, 0.4);
    let narrow = (1.0 - 0.5 * (FRAC_PI_2 * 0.1).sin()) / 1.4_f64.sqrt();
    goes(&mut host, 0, [0.7, 0.1 * narrow, 0.0]);
}

fn springs() {
    let mut host = host(&[]);
    host.give("muscle_masses", &[0.7]);
    host.give("muscle_stiffnesses", &[150.0]);
    host.give("muscle_dampings", &[0.4]);
    swing(&mut host, 0.02);
    near(host.read("muscle_tensions")[0], 150.0 * swung(0.7, 150.0, 0.4, 0.01), 1e-9);
}

fn tensions() {
    let mut host = host(&[]);
    swing(&mut host, 0.02);
    near(host.read("muscle_tensions")[0], 300.0 * swung(0.3, 300.0, 0.2, 0.01), 1e-9);
}

fn offsets() {
    let mut host = host(&[]);
    let mut offsets = vec![0.0; 3 * 72];
    offsets[3 * 32..3 * 33].copy_from_slice(&[0.01, 0.02, 0.03]);
    host.give("muscle_offsets", &offsets);
    host.frame(1);
    assert!((host.vectors("muscle_points")[32] - Vec3::new(0.51, 0.12, 0.03)).amax() < 1e-15);
}

/// The quads make a closed tube around the muscle, all facing outwards.
fn shape() {
    let mut host = host(&[]);
    host.frame(1);
    let (points, faces) = (host.vectors("muscle_points"), host.read("muscle_faces"));
    assert_eq!((points.len(), faces.len()), (72, 4 * 64));
    let volume: Real = faces
        .chunks_exact(4)
        .map(|face| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| points[face[k] as usize]);
            (a.dot(&b.cross(&c)) + a.dot(&c.cross(&d))) / 6.0
        })
        .sum();
    // An octagon of radius r has the area sqrt 8 r^2; the rings' radii are 0.1 sin.
    assert!(volume > 0.9 * 8.0_f64.sqrt() * 0.005 && volume < 8.0_f64.sqrt() * 0.005, "{volume}");
}

/// Two muscles as a mesh: four rings of three, three of four.
fn second_mesh() {
    let mut host = host(&[]);
    host.name("muscle_origin_joints", &[0, 0]);
    host.name("muscle_insertion_joints", &[1, 1]);
    host.give("muscle_origins", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    host.give("muscle_insertions", &[1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    host.give("muscle_sizes", &[0.1, 0.2]);
    host.name("muscle_rings", &[4, 3]);
    host.name("muscle_divisions", &[3, 4]);
    host.frame(1);
    let faces = 3 * 3 + 2 * 4;
    assert_eq!(host.read("muscle_face_sizes"), vec![4.0; faces]);
    assert_eq!(host.read("muscle_numbers"), [vec![0.0; 12], vec![1.0; 12]].concat());
    let corners = host.read("muscle_face_vertices");
    assert_eq!(corners, host.read("muscle_faces"));
    assert_eq!(
        (&corners[..4], &corners[4 * 9..4 * 10]),
        (&[0.0, 1.0, 4.0, 3.0][..], &[12.0, 13.0, 17.0, 16.0][..])
    );
    let numbers = host.read("muscle_numbers");
    assert!(
        corners.chunks(4).all(|face| face.iter().all(|v| numbers[*v as usize] == numbers[face[0] as usize]))
    );
    // Integers for integers; single and double precision hold them, too.
    let mut whole = vec![0u32; 24];
    host.node.read("muscle_numbers", &mut ArrayViewMut::from_slice(&mut whole, 1).unwrap()).unwrap();
    assert_eq!(whole.iter().map(|v| f64::from(*v)).collect::<Vec<_>>(), numbers);
}

fn ring_matrices() {
    let mut host = host(&[]);
    host.give("muscle_ups", &[0.0, 0.0, 1.0]);
    moved(&mut host, -0.2);
    host.frame(1);
    let found = &host.read("ring_matrices")[5 * 16..6 * 16];
    let expected = [1.0, 0.0, 0.0, 0.5, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
}

fn lengths() {
    let mut host = host(&[]);
    host.give("muscle_middles", &[0.0, 0.4, 0.0]);
    moved(&mut host, -0.1);
    host.frame(1);
    within(host.read("muscle_lengths")[0], 0.9, 1e-15);
    host.set("length", "arc");
    host.frame(1);
    let at = |u: Real| Vec3::new(0.9 * u, 0.8 * u * (1.0 - u), 0.0);
    let chords: Real = (0..100_000).map(|k| (at((k + 1) as Real * 1e-5) - at(k as Real * 1e-5)).norm()).sum();
    within(host.read("muscle_lengths")[0], chords, 1e-8);
}

/// A set gives the same as its arrays; arrays change what it says; joints are found by their names.
fn set() {
    let mut host = of_set(&[]);
    moved(&mut host, -0.2);
    goes(&mut host, 0, [0.4, 0.1 * width(0.5, 0.8), 0.0]);
    host.give("muscle_bulges", &[1.0]);
    goes(&mut host, 0, [0.4, 0.1 * width(1.0, 0.8), 0.0]);
    // The other joint then carries the origin: the muscle is stretched to 1.2.
    host.set("joint_names", "b,a");
    goes(&mut host, 0, [0.4, 0.1 * (1.0 - (FRAC_PI_2 * 0.1).sin()) / 1.2_f64.sqrt(), 0.0]);
    host.set("muscles", &SET.replace("\"a\"", "\"a, left\""));
    host.set("joint_names", "\"a, left\", b");
    goes(&mut host, 0, [0.4, 0.1 * width(1.0, 0.8), 0.0]);
}
