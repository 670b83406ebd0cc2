//! The wires of the node `skinning`: two joints whose motions are known, by hand.

use super::host::Host;
use sinew::math::{Real, Vec3};

super::rows! {
    "input points" => points,
    "output points" => points_out,
    "input rest_joints" => rest_joints,
    "input joints" => joints,
    "input influence_counts" => influence_counts,
    "input influence_joints" => influence_joints,
    "input influence_weights" => influence_weights,
    "input blend" | "choice method/blend_map" => blend,
    "input envelope_map" => envelope_map,
    "param envelope" => envelope,
    "param normalize" => normalize,
    "param method" | "choice method/linear" => linear,
    "choice method/dual_quaternion" => dual_quaternion,
}

/// A turn about z by so many quarters, then a move.
fn matrix(quarters: i32, at: [Real; 3]) -> [Real; 16] {
    let (sin, cos) = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarters.rem_euclid(4) as usize];
    [cos, -sin, 0.0, at[0], sin, cos, 0.0, at[1], 0.0, 0.0, 1.0, at[2], 0.0, 0.0, 0.0, 1.0]
}

const NONE: [Real; 3] = [0.0; 3];

/// A point at (1, 0, 0) that two joints move: one stays, one turns by a quarter about z.
fn one(params: &[(&str, &str)], weights: &[Real]) -> Host {
    let mut host = Host::new("skinning", params);
    host.give("points", &[1.0, 0.0, 0.0]);
    host.give("rest_joints", &[matrix(0, NONE), matrix(0, NONE)].concat());
    host.give("joints", &[matrix(0, NONE), matrix(1, NONE)].concat());
    host.name("influence_counts", &[2]);
    host.name("influence_joints", &[0, 1]);
    host.give("influence_weights", weights);
    host
}

#[track_caller]
fn goes(mut host: Host, expected: &[[Real; 3]]) {
    host.frame(1);
    let found = host.vectors("points");
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let off = (found - Vec3::from_column_slice(expected)).amax();
        assert!(off < 1e-12, "{found:?} instead of {expected:?}");
    }
}

fn points() {
    let mut host = one(&[], &[0.0, 1.0]);
    host.give("points", &[3.0, 2.0, 5.0]);
    goes(host, &[[-2.0, 3.0, 5.0]]);
}

fn points_out() {
    let mut host = one(&[], &[0.0, 1.0]);
    assert_eq!(host.count("points"), 0);
    host.give("points", &[3.0, 2.0, 5.0, 7.0, 11.0, 13.0]);
    host.name("influence_counts", &[2, 1]);
    host.name("influence_joints", &[0, 1, 0]);
    host.give("influence_weights", &[0.0, 1.0, 1.0]);
    goes(host, &[[-2.0, 3.0, 5.0], [7.0, 11.0, 13.0]]);
}

/// The point stands half a metre from a joint that turns by a quarter where it stands: that needs the joint's inverse
/// at rest.
fn rest_joints() {
    let mut host = one(&[], &[0.0, 1.0]);
    let at = [0.5, 0.0, 0.25];
    host.give("rest_joints", &[matrix(0, NONE), matrix(2, at)].concat());
    host.give("joints", &[matrix(0, NONE), matrix(3, at)].concat());
    goes(host, &[[0.5, 0.5, 0.0]]);
}

fn joints() {
    let mut host = one(&[], &[0.0, 1.0]);
    host.give("joints", &[matrix(0, NONE), matrix(-1, [0.1, 0.2, 0.3])].concat());
    goes(host, &[[0.1, -0.8, 0.3]]);
}

/// Which influences are whose: the second point has the turning joint in one reading, the first in the other.
fn influence_counts() {
    for (counts, expected) in
        [([1, 2], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), ([2, 1], [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]])]
    {
        let mut host = one(&[], &[]);
        host.give("points", &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        host.name("influence_counts", &counts);
        host.name("influence_joints", &[0, 1, 1]);
        host.give("influence_weights", &[1.0, 1.0, 1.0]);
        goes(host, &expected);
    }
}

fn influence_joints() {
    let mut host = one(&[], &[0.25, 0.75]);
    host.name("influence_joints", &[1, 0]);
    goes(host, &[[0.75, 0.25, 0.0]]);
}

fn influence_weights() {
    goes(one(&[], &[0.25, 0.75]), &[[0.25, 0.75, 0.0]]);
}

/// Where dual quaternions bring the point of equal weights: on the circle.
const ON_CIRCLE: Real = std::f64::consts::FRAC_1_SQRT_2;

/// Two points like the one, with the same influences.
fn two(params: &[(&str, &str)], weights: [Real; 2]) -> Host {
    let mut host = one(params, &[weights, weights].concat());
    host.give("points", &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    host.name("influence_counts", &[2, 2]);
    host.name("influence_joints", &[0, 1, 0, 1]);
    host
}

/// The map blends from linear skinning (the middle of the chord) to dual quaternions (the middle of the arc); without a
/// map skinning is linear.
fn blend() {
    let method = [("method", "blend_map")];
    goes(one(&method, &[0.5, 0.5]), &[[0.5, 0.5, 0.0]]);
    let mut host = two(&method, [0.5, 0.5]);
    host.give("blend", &[0.25, 1.0]);
    let quarter = 0.5 + 0.25 * (ON_CIRCLE - 0.5);
    goes(host, &[[quarter, quarter, 0.0], [ON_CIRCLE, ON_CIRCLE, 0.0]]);
}

fn envelope_map() {
    let mut host = two(&[("envelope", "0.5")], [0.0, 1.0]);
    host.give("envelope_map", &[0.5, 1.0]);
    goes(host, &[[0.75, 0.25, 0.0], [0.5, 0.5, 0.0]]);
}

fn envelope() {
    goes(one(&[("envelope", "0.25")], &[0.0, 1.0]), &[[0.75, 0.25, 0.0]]);
}

fn normalize() {
    goes(one(&[("normalize", "true")], &[1.0, 3.0]), &[[0.25, 0.75, 0.0]]);
    let error = one(&[("normalize", "false")], &[1.0, 3.0]).try_frame(1).unwrap_err();
    assert_eq!(error.kind(), sinew::error::Kind::OutOfRange, "{error}");
    goes(one(&[("normalize", "false")], &[0.25, 0.75]), &[[0.25, 0.75, 0.0]]);
}

fn linear() {
    goes(one(&[("method", "linear")], &[0.5, 0.5]), &[[0.5, 0.5, 0.0]]);
}

fn dual_quaternion() {
    goes(one(&[("method", "dual_quaternion")], &[0.5, 0.5]), &[[ON_CIRCLE, ON_CIRCLE, 0.0]]);
}
