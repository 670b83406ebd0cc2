//! What holds the skin.

use super::super::host::{near, within};
use super::{CELLS, FREE, HIGH, Lone, Strip, THICK, WIDE, YOUNG, map, moved, skin};
use sinew::geometry::shapes;
use sinew::math::{Real, Vec3};
use std::f64::consts::TAU;

super::super::rows! {
    "input fixed" => fixed,
    "input hold" => hold,
    "input region" => region,
    "input slide" => slide,
    "input anchor" => anchor,
    "param anchor_soft" => anchor_soft,
    "param anchor_stiff" => anchor_stiff,
    "param anchor_toe" => anchor_toe,
    "param tie_reach" => tie_reach,
    "input rows" => rows_in,
    "input row_vectors" => row_vectors,
    "input row_speeds" => row_speeds,
}

/// A vertex with an anchor of 10 N/m that is drawn sideways with 4 mN.
fn tied() -> Lone {
    let mut lone = Lone::new(&[("anchor_soft", "10"), ("anchor_toe", "1")]);
    lone.paint("anchor", 0.0, 1.0);
    lone.pull([0.004, 0.0, 0.0]);
    lone
}

fn fixed() {
    near(tied().frame(1).x, 4e-4, 1e-3);
    for (value, expected) in [(0.49, 4e-4), (0.5, 0.0)] {
        let mut lone = tied();
        lone.paint("fixed", 1.0, value);
        near(lone.frame(1).x, expected, 1e-3);
    }
}

/// With ties of k a square metre, what a force moves fades over l = sqrt(E h / k), which is a twentieth of the body's
/// size times sqrt((1 - hold) / hold): P l / (2 E A) tanh(L / 2 l).
fn hold() {
    for hold in [0.05, 0.2] {
        let mut strip = Strip::new(&[]);
        strip.paint("hold", hold);
        strip.pull(0.5);
        let length = 0.05 * WIDE.hypot(HIGH) * ((1.0 - hold) / hold).sqrt();
        let expected = 0.5 * length / (2.0 * YOUNG * WIDE * THICK) * (0.5 * HIGH / length).tanh();
        near(strip.rise(), expected, 0.03);
    }
    let mut strip = Strip::new(&[]);
    strip.paint("hold", 1.0);
    strip.pull(0.5);
    assert_eq!(strip.rise(), 0.0);
    // Held up to a quarter of its height, it is a bar between there and the top: P a b / (E A (a + b)) in its middle.
    let mut strip = Strip::new(&[]);
    let below = map(&strip.mesh, |p| Real::from(u8::from(p.y < 0.0501)));
    strip.host.give("hold", &below);
    strip.pull(0.05);
    let expected = 0.05 * 0.05 * 0.1 / (YOUNG * WIDE * THICK * 0.15);
    near(strip.rise(), expected, 0.02);
    let higher = strip.host.vectors("slide_vector")[9 * CELLS / 4 + 1].y;
    near(higher, 0.5 * expected, 0.02);
}

fn region() {
    for (value, expected) in [(0.5, 4e-4), (0.49, 0.0)] {
        let mut lone = tied();
        lone.paint("region", 1.0, value);
        near(lone.frame(1).x, expected, 1e-3);
    }
}

/// Along an oblique direction, only the force's component along it acts.
fn slide() {
    let mut lone = tied();
    let mut directions = vec![Vec3::zeros(); lone.mesh.positions.len()];
    directions[FREE] = Vec3::new(3.0, 4.0, 0.0);
    lone.host.points("slide", &directions);
    let way = lone.frame(1);
    near(way.x, 4e-4 * 0.36, 1e-3);
    near(way.y, 4e-4 * 0.48, 1e-3);
}

fn anchor() {
    let mut lone = tied();
    lone.paint("anchor", 0.0, 4.0);
    near(lone.frame(1).x, 1e-4, 1e-3);
}

fn anchor_soft() {
    let mut lone = tied();
    lone.host.set("anchor_soft", "8");
    near(lone.frame(1).x, 5e-4, 1e-3);
}

/// Beyond the toe: the soft force up to it, and the rest by the stiff one.
fn anchor_stiff() {
    for (stiff, expected) in [("40", 2.5e-4 + 1.5e-3 / 40.0), ("15", 2.5e-4 + 1.5e-3 / 15.0)] {
        let mut lone = tied();
        lone.host.set("anchor_toe", "0.00025");
        lone.host.set("anchor_stiff", stiff);
        near(lone.frame(1).x, expected, 1e-3);
    }
}

fn anchor_toe() {
    for (toe, expected) in [("0.0001", 1e-4 + 3e-3 / 40.0), ("0.0003", 3e-4 + 1e-3 / 40.0)] {
        let mut lone = tied();
        lone.host.set("anchor_toe", toe);
        lone.host.set("anchor_stiff", "40");
        near(lone.frame(1).x, expected, 1e-3);
    }
}

/// The radius of the tube and how many edges it has around.
const RADIUS: Real = 0.1;
const AROUND: usize = 64;

/// Over what length the pull at a tube's middle ring fades, along the tube: l = 2 E A u / P where the ends are far.
fn fading(reach: &str) -> Real {
    let edge = TAU * RADIUS / AROUND as Real;
    let mesh = shapes::cylinder(RADIUS, 40.0 * edge, AROUND, 40);
    let params = [("material", "stvk"), ("young", "3e5"), ("poisson", "0"), ("tie_reach", reach)];
    let mut host = skin(&mesh, &params);
    host.points("slide", &vec![Vec3::new(0.0, 1.0, 0.0); mesh.positions.len()]);
    let ring = 20 * AROUND..21 * AROUND;
    let force = Vec3::new(0.0, 2.0 / AROUND as Real, 0.0);
    let forces: Vec<Vec3> =
        (0..mesh.positions.len()).map(|v| if ring.contains(&v) { force } else { Vec3::zeros() }).collect();
    host.points("forces", &forces);
    host.frame(1);
    let section = TAU * RADIUS * THICK;
    host.vectors("slide_vector")[ring.start].y * 2.0 * YOUNG * section / 2.0
}

/// The reach times the body's radius of curvature, averaged over the edges: along a tube of quads with diagonals that
/// is sqrt(2) of its own.
fn tie_reach() {
    let (short, long) = (fading("0.2"), fading("0.4"));
    near(long / short, 2.0, 0.02);
    near(short, 0.2 * RADIUS * (2.0 as Real).sqrt(), 0.02);
}

/// A vertex on which a row imposes a speed from the second frame on; how far it went in that frame.
fn ruled(rows: &[u32], vectors: &[Vec3], speeds: &[Real]) -> Vec3 {
    let mut lone = Lone::new(&[]);
    lone.paint("anchor", 0.0, 0.1);
    lone.host.name("rows", rows);
    lone.host.points("row_vectors", vectors);
    lone.host.give("row_speeds", speeds);
    let first = lone.frame(1);
    lone.frame(2) - first
}

const X: Vec3 = Vec3::new(1.0, 0.0, 0.0);
const Y: Vec3 = Vec3::new(0.0, 1.0, 0.0);

fn rows_in() {
    // Two rows, the second of which is the one along y; vertex 0 is held.
    let way = ruled(&[0, FREE as u32, 1, FREE as u32, 1, 0], &[X, Y, Y], &[0.024, 0.048]) * 24.0;
    within(way.x, 0.024, 1e-5);
    within(way.y, 0.048, 1e-5);
}

fn row_vectors() {
    let way = ruled(&[0, FREE as u32], &[Vec3::new(0.0, -2.0, 0.0)], &[0.024]) * 24.0;
    within(way.x, 0.0, 1e-5);
    within(way.y, -0.012, 1e-5);
}

fn row_speeds() {
    for speed in [0.024, -0.036, 0.0] {
        within(24.0 * ruled(&[0, FREE as u32], &[X], &[speed]).x, speed, 1e-5);
    }
}

/// With no other hold, the strip, fixed at both ends, agrees with its closed form.
#[test]
fn the_strip_is_as_its_closed_form() {
    let mut strip = Strip::new(&[]);
    let nothing = map(&strip.mesh, |_| 0.0);
    strip.host.give("hold", &nothing);
    strip.pull(0.5);
    near(strip.rise(), moved(0.5), 0.02);
}
