//! A creature that walks and suddenly stops. Its skin is a saddle over neck, back and tail with flaps over the outer
//! sides of the four legs, held along its border; belly, inner legs and head are drawn but not simulated.

use super::weave::{Knot, Weave, ball, rings};
use super::{Camera, Motion, SkinScene, Texture};
use sinew::anatomy::shaping::spline;
use sinew::anatomy::shaping::{hill, step, turned};
use sinew::drawing::motifs::{checker, rgb};
use sinew::geometry::{HalfEdges, Mesh};
use sinew::math::{Real, Vec2, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Hoops from tail to neck: place along the body, height of the middle, half the height, half the width, in metres.
const HOOPS: [[Real; 4]; 22] = [
    [-1.52, 0.50, 0.025, 0.022],
    [-1.38, 0.54, 0.045, 0.040],
    [-1.23, 0.58, 0.066, 0.058],
    [-1.08, 0.62, 0.088, 0.078],
    [-0.93, 0.66, 0.114, 0.102],
    [-0.78, 0.70, 0.143, 0.130],
    [-0.64, 0.74, 0.178, 0.164],
    [-0.51, 0.77, 0.212, 0.198],
    [-0.39, 0.79, 0.243, 0.226],
    [-0.28, 0.80, 0.264, 0.246],
    [-0.17, 0.80, 0.280, 0.260],
    [-0.06, 0.80, 0.290, 0.270],
    [0.06, 0.79, 0.296, 0.276],
    [0.18, 0.79, 0.294, 0.272],
    [0.30, 0.79, 0.284, 0.260],
    [0.41, 0.80, 0.266, 0.240],
    [0.51, 0.82, 0.240, 0.216],
    [0.61, 0.85, 0.210, 0.188],
    [0.70, 0.89, 0.178, 0.158],
    [0.79, 0.95, 0.152, 0.132],
    [0.87, 1.02, 0.132, 0.112],
    [0.95, 1.10, 0.118, 0.100],
];
const COUNTS: [usize; 22] = [6, 6, 6, 7, 7, 7, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11];
/// The hoops at which legs begin: each leg is as wide as four of them.
const HIND: usize = 8;
const FORE: usize = 15;
/// Rows of a leg's flap.
const LEG_ROWS: usize = 5;
/// How far down the sides the skin reaches, in radians from the top.
const REACH: Real = 1.72;
/// In metres per second.
const SPEED: Real = 1.1;
/// When it stands still, and for how long it brakes.
const STOP: Real = 1.5;
const BRAKE: Real = 0.10;

/// A point of the trunk; the angle is from the top towards +z.
fn trunk(hoop: Real, angle: Real) -> Vec3 {
    let [x, y, h, w] = spline(&HOOPS, hoop);
    // The neck's hoops lean back, so that they are perpendicular to it.
    let lean = 0.9 * step(16.0, 21.0, hoop);
    let (sin, cos) = angle.sin_cos();
    Vec3::new(x - h * cos * lean.sin(), y + h * cos * lean.cos(), w * sin)
}

/// The middle of a leg at hip or shoulder: along the body and across it.
fn hip(first: usize, side: Real) -> Vec3 {
    let edge = |k: usize| trunk((first + k) as Real, side * REACH);
    (edge(0) + edge(3)) * 0.5 - Vec3::new(0.0, 0.0, side * 0.075)
}

/// A point of a leg's surface: `down` from 0 at the hip to 1 at the foot, the angle from outside towards the front.
fn leg(first: usize, side: Real, down: Real, angle: Real) -> Vec3 {
    let top = hip(first, side);
    let [wide, deep, x] = spline(
        &[
            [0.165, 0.085, 0.0],
            [0.135, 0.085, 0.01],
            [0.095, 0.075, 0.0],
            [0.075, 0.066, -0.02],
            [0.085, 0.070, 0.0],
        ],
        4.0 * down,
    );
    let back = if first == HIND { 1.0 } else { -0.5 };
    let (sin, cos) = angle.sin_cos();
    let y = top.y + (0.04 - top.y) * down;
    Vec3::new(top.x + back * x + wide * sin, y, top.z + side * deep * cos)
}

fn patch() -> Mesh {
    let mut weave = Weave::new();
    let uv = |p: Vec3, unrolled: Real| Vec2::new(0.6 + p.x * 0.36, 0.5 + unrolled * 0.36);
    let mut rows: Vec<Vec<Knot>> = Vec::new();
    for (j, count) in COUNTS.into_iter().enumerate() {
        let row: Vec<Knot> = (0..count)
            .map(|i| {
                let angle = REACH * (2.0 * i as Real / (count - 1) as Real - 1.0);
                let p = trunk(j as Real, angle);
                // Height counts as much as width: the mean of both radii is unrolled.
                let radius = 0.5 * (HOOPS[j][2] + HOOPS[j][3]);
                weave.knot(p, uv(p, -angle * radius))
            })
            .collect();
        if j > 0 {
            weave.strip(&rows[j - 1], &row);
        }
        rows.push(row);
    }
    for (first, side) in [(HIND, -1.0), (HIND, 1.0), (FORE, -1.0), (FORE, 1.0)] {
        let edge = |row: &Vec<Knot>| if side > 0.0 { row[row.len() - 1] } else { row[0] };
        let mut above: Vec<Knot> = (0..4).map(|k| edge(&rows[first + k])).collect();
        for q in 1..=LEG_ROWS {
            let down = q as Real / (LEG_ROWS as Real + 0.6);
            let mut row: Vec<Knot> = Vec::new();
            for (k, hip) in above.iter().enumerate() {
                let p = leg(first, side, down, FRAC_PI_2 * (2.0 * k as Real / 3.0 - 1.0) * 0.95);
                let start = weave.position(hip.vertex);
                let smooth = start.lerp(&p, if q == 1 { 0.8 } else { 1.0 });
                let radius = 0.47 + 0.62 * down;
                row.push(weave.knot(smooth, uv(smooth, -side * radius)));
            }
            // Seen from its own side, the right leg's rows run to the right and the left leg's to the left.
            let turn = |row: &[Knot]| -> Vec<Knot> {
                if side > 0.0 { row.to_vec() } else { row.iter().rev().copied().collect() }
            };
            weave.strip(&turn(&row), &turn(&above));
            above = row;
        }
    }
    weave.finish()
}

/// How far it has come: up to speed within half a second, and to a stop within a tenth.
fn way(t: Real) -> Real {
    let soft = |x: Real, over: Real| {
        // The integral of a ramp from 0 to 1.
        let s = (x / over).clamp(0.0, 1.0);
        over * (s * s * s - 0.5 * s * s * s * s) + (x - over).max(0.0)
    };
    SPEED * (soft(t, 0.5) - soft(t - (STOP - BRAKE), BRAKE))
}

/// Walks along x: bobs and sways with its steps, and leans into its stop.
fn walk(p: Vec3, t: Real) -> Vec3 {
    let going = step(0.0, 0.4, t) * (1.0 - step(STOP - BRAKE, STOP + 0.02, t));
    let phase = TAU * 1.35 * t;
    let mut moved = p;
    for (first, side, offset) in [(HIND, -1.0, 0.0), (HIND, 1.0, 0.5), (FORE, -1.0, 0.6), (FORE, 1.0, 0.1)] {
        let top = hip(first, side);
        let share = hill((p.x - top.x) / 0.42) * step(0.0, 0.12, side * p.z) * step(0.85, 0.45, p.y);
        let swing = 0.27 * going * share * (phase + TAU * offset).sin();
        let lift = 0.07 * going * share * step(0.6, 0.1, p.y) * (phase + TAU * offset).cos().max(0.0).powi(2);
        moved = turned(moved, Vec3::new(top.x, top.y + 0.12, p.z), Vec3::z(), swing) + Vec3::y() * lift;
    }
    let above = step(0.15, 0.75, p.y);
    let tail = step(-0.35, -1.5, p.x);
    let neck = step(0.45, 1.1, p.x);
    moved.y += above * going * 0.022 * (2.0 * phase).sin() + neck * going * 0.03 * (2.0 * phase + 0.8).sin();
    moved.z += tail * tail * 0.16 * going * (phase + 1.2).sin() + neck * 0.02 * going * phase.sin();
    moved.x += way(t);
    moved
}

/// Belly and inner sides, feet, head, eyes and a ridge of plates.
fn props() -> Vec<(Mesh, Vec3)> {
    let (belly, dark) = (rgb(0xd9cfa3), rgb(0x3c5a46));
    let around = |k: usize| TAU * k as Real / 40.0;
    let hoop = |j: usize| -> Vec<Vec3> {
        let s = 21.0 * j as Real / 84.0;
        let middle = (trunk(s, 0.0) + trunk(s, TAU * 0.5)) * 0.5;
        let inside = |a: Real| if a.cos() > REACH.cos() + 0.04 { 0.89 } else { 0.965 };
        (0..40).map(|k| middle + (trunk(s, around(k)) - middle) * inside(around(k))).rev().collect()
    };
    let mut props = vec![(rings(&(0..=84).map(hoop).rev().collect::<Vec<_>>()), belly)];
    for (first, side) in [(HIND, -1.0), (HIND, 1.0), (FORE, -1.0), (FORE, 1.0)] {
        let row = |j: usize| -> Vec<Vec3> {
            // It begins inside the trunk.
            let down = 0.12 + 0.88 * j as Real / 20.0;
            let middle = leg(first, side, down, 0.0) * 0.5 + leg(first, side, down, TAU * 0.5) * 0.5;
            // The flaps are coarse: their faces cut the corners of the round leg.
            let inside = |a: Real| if a.cos() > -0.1 { 0.80 } else { 0.97 };
            let at = |k: usize| middle + (leg(first, side, down, around(k)) - middle) * inside(around(k));
            let ring: Vec<Vec3> = (0..40).map(at).collect();
            if side > 0.0 { ring.into_iter().rev().collect() } else { ring }
        };
        props.push((rings(&(0..=20).map(row).collect::<Vec<_>>()), belly));
        let foot = leg(first, side, 1.0, 0.0);
        let foot =
            ball(Vec3::new(foot.x + 0.025, 0.035, foot.z - side * 0.07), Vec3::new(0.115, 0.05, 0.085));
        props.push((foot, dark));
    }
    let green = rgb(0x7da36b);
    props.push((ball(Vec3::new(1.015, 1.165, 0.0), Vec3::new(0.165, 0.138, 0.124)), green));
    props.push((ball(Vec3::new(1.165, 1.125, 0.0), Vec3::new(0.15, 0.090, 0.092)), green));
    for side in [-1.0, 1.0] {
        props.push((ball(Vec3::new(1.10, 1.225, side * 0.088), Vec3::repeat(0.026)), rgb(0xf7f2e4)));
        props.push((ball(Vec3::new(1.113, 1.230, side * 0.102), Vec3::repeat(0.015)), rgb(0x22262e)));
    }
    props
}

/// Scales that pale towards the belly, and spots.
fn texture() -> Texture {
    Box::new(|uv: Vec2| {
        let p = Vec2::new(uv.x - 0.6, uv.y - 0.5) / 0.36;
        // Spots sit in the middle of every other square of a coarse checker.
        let cell = Vec2::new(p.x / 0.21, p.y / 0.21 + 0.5);
        let middle = cell.map(|c| c - c.floor() - 0.5);
        let even = (cell.x.floor() + cell.y.floor()).rem_euclid(2.0) < 0.5;
        let spot = even && middle.norm() < 0.33;
        let tone = if spot { [rgb(0xc9803f), rgb(0xdb9a57)] } else { [rgb(0x6f9660), rgb(0x93b57e)] };
        checker(p / 0.035, tone)
    })
}

/// 280 vertices and 461 triangles; the 97 of the border are held, and the two over the ends of the spine.
pub fn dinosaur() -> SkinScene {
    let rest = patch();
    let mut scene = SkinScene::new("dinosaur", "", rest, Box::new(walk) as Motion, texture());
    let border = HalfEdges::of_mesh(&scene.rest).boundary_loops();
    border.iter().flatten().for_each(|&v| scene.fixed[v as usize] = true);
    let inner: Vec<usize> = (0..scene.fixed.len()).filter(|&v| !scene.fixed[v]).collect();
    let along = |v: &&usize| scene.rest.positions[**v].x;
    let by = |a: &&usize, b: &&usize| along(a).total_cmp(&along(b));
    let ends = [inner.iter().min_by(by), inner.iter().max_by(by)].map(|v| *v.expect("it has an inside"));
    ends.into_iter().for_each(|v| scene.fixed[v] = true);
    scene.props = props();
    (scene.frames, scene.stop, scene.follow) = (61, Some(STOP + 0.02), true);
    scene.camera = Camera { target: Vec3::new(-0.16, 0.60, 0.0), yaw: 0.45, pitch: 0.22, width: 2.75 };
    scene.size = [680, 420];
    scene.shown = vec![(38, "A walk stops (arrows: slide times 2)")];
    let places = [
        (5.5, 0.95),
        (8.0, 0.75),
        (10.0, 1.1),
        (11.5, 0.6),
        (13.0, 1.1),
        (14.5, 0.65),
        (16.0, 1.1),
        (17.5, 0.7),
    ];
    scene.arrows = (places.map(|(hoop, angle)| trunk(hoop, angle)).to_vec(), 2.0);
    scene
}
