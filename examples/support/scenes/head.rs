//! Head and neck with an Adam's apple. The skin is a patch from collar to hairline and from ear to ear, held along its
//! border; the rest of the head is drawn but not simulated.

use super::weave::{Weave, ball, rings};
use super::{Camera, Motion, SkinScene, Texture};
use sinew::anatomy::head::{APPLE, HOOPS, surface, swallow};
use sinew::anatomy::shaping::spline;
use sinew::anatomy::shaping::{pulse, step, turned};
use sinew::drawing::motifs::{anchor, checker, ellipse, lines, rgb, segment};
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec2, Vec3};
use std::f64::consts::{PI, TAU};

/// The last hoop of the patch, as an index into the table.
const HAIRLINE: Real = 15.0;
const HOOP_COUNT: usize = 36;
/// How far around the patch goes from the middle of the front, in radians.
const EARS: Real = 2.0;
/// The rows of knots below and above the mouth, and their positions in the table there: two millimetres apart.
const MOUTH: [(usize, Real); 2] = [(22, 9.50), (23, 9.59)];
/// How far the mouth reaches to either side, in radians from the front.
const MOUTH_WIDTH: Real = 0.30;
/// Rows of knots whose ends slide along the border, to make up for the constraint rows that the lips take.
const LOOSE: std::ops::Range<usize> = 12..26;

/// Where in the table a row of knots is at an angle.
fn row_at(j: usize, angle: Real) -> Real {
    let even = HAIRLINE * j as Real / (HOOP_COUNT - 1) as Real;
    let pulled = MOUTH.iter().find(|(row, _)| *row == j).map_or(even, |(_, place)| *place);
    even + (pulled - even) * step(0.75, 0.32, angle.abs())
}

/// The angle of knot `i` of `count`: closer in front, where nose and Adam's apple are.
fn angle_at(i: usize, count: usize) -> Real {
    let u = 2.0 * i as Real / (count - 1) as Real - 1.0;
    EARS * (0.72 * u + 0.28 * u * u * u)
}

/// How many knots the hoops have from collar to hairline: 862 in all, 129 of them on the border.
fn counts() -> [usize; HOOP_COUNT] {
    let mut counts = [23; HOOP_COUNT];
    counts[..5].copy_from_slice(&[34, 31, 28, 26, 24]);
    counts[6..18].fill(22);
    counts[HOOP_COUNT - 9..].copy_from_slice(&[24, 24, 24, 24, 25, 25, 26, 26, 27]);
    counts
}

fn patch() -> Mesh {
    let mut weave = Weave::new();
    let mut below = Vec::new();
    for (j, count) in counts().into_iter().enumerate() {
        let knots: Vec<_> = (0..count)
            .map(|i| {
                let angle = angle_at(i, count);
                let row = row_at(j, angle);
                weave.knot(surface(row, angle), Vec2::new(0.5 + 0.5 * angle / PI, row / HAIRLINE))
            })
            .collect();
        if j > 0 {
            weave.strip(&below, &knots);
        }
        below = knots;
    }
    weave.finish()
}

/// Nape, scalp, ears and shoulders.
fn props() -> Vec<(Mesh, Vec3)> {
    let loop_at = |row: Real, swell: Real| -> Vec<Vec3> {
        let centre = (surface(row, 0.5 * PI) + surface(row, -0.5 * PI)) * 0.5;
        // In front it lies inside the patch, so that only what the patch leaves uncovered is seen.
        let place = |a: Real| {
            let swell = if a.cos() < EARS.cos() + 0.02 { swell } else { 0.90 };
            centre + (surface(row, a) - centre) * swell
        };
        (0..72).map(|k| place(TAU * k as Real / 72.0)).collect()
    };
    let rows = |from: Real, to: Real, swell: Real| -> Vec<Vec<Vec3>> {
        (0..=40).map(|k| loop_at(from + (to - from) * k as Real / 40.0, swell)).collect()
    };
    let hair = rgb(0x4a3328);
    let mut props =
        vec![(rings(&rows(0.0, 8.0, 1.0)), rgb(0xd9a58b)), (rings(&rows(7.2, 17.0, 1.035)), hair)];
    let crown: Vec<Vec<Vec3>> = (0..=16)
        .map(|k| {
            let row = 14.75 + 2.25 * k as Real / 16.0;
            let middle = surface(row, 0.5 * PI) - Vec3::x() * surface(row, 0.5 * PI).x;
            (0..72).map(|i| middle + (surface(row, TAU * i as Real / 72.0) - middle) * 1.035).collect()
        })
        .collect();
    props.push((rings(&crown), hair));
    for side in [-1.0, 1.0] {
        let ear = ball(Vec3::new(side * 0.081, 0.225, -0.012), Vec3::new(0.010, 0.032, 0.020));
        props.push((ear, rgb(0xdba68c)));
    }
    props
}

/// A face in a few strokes, a fine checker, and an anchor on the neck.
fn texture() -> Texture {
    Box::new(|uv: Vec2| {
        let (angle, row) = ((uv.x - 0.5) * TAU, uv.y * HAIRLINE);
        let front = spline(&HOOPS, row);
        // Metres on the skin, near enough to draw with: across, and the height of the front.
        let p = Vec2::new(angle * 0.072, front[0]);
        let side = Vec2::new(p.x.abs(), p.y);
        let eye = side - Vec2::new(0.031, 0.243);
        if (eye.x / 0.015).powi(2) + (eye.y.abs() / 0.0065) < 1.0 {
            let iris = ellipse(eye, [0.0052, 0.0062]);
            return if iris { rgb(0x35444f) } else { rgb(0xf4efe8) };
        }
        if segment(side, Vec2::new(0.014, 0.264), Vec2::new(0.036, 0.263)) < 0.0028 {
            return rgb(0x4a3328);
        }
        let [low, high] = MOUTH.map(|(_, place)| place);
        if ellipse(Vec2::new(angle, row - 0.5 * (low + high)), [MOUTH_WIDTH, 0.49 * (high - low)]) {
            return rgb(0x3a1114);
        }
        if ellipse(p - Vec2::new(0.0, 0.1765), [0.027, 0.0095]) {
            return rgb(0xb9605c);
        }
        // The neck is drawn by its rows, whose lengths differ less than their heights.
        let tattoo = Vec2::new(angle * 0.058, (row - 4.05) * 0.025);
        if anchor((tattoo - Vec2::new(0.0, -0.004)) / 0.032) {
            return rgb(0x23445c);
        }
        let squares = Vec2::new(angle * 0.066 / 0.008, row * 0.024 / 0.008);
        if lines(squares / 4.0 + Vec2::new(0.5, 0.0), 0.03) {
            return rgb(0xc98f75);
        }
        checker(squares, [rgb(0xe9bfa4), rgb(0xdcaa8e)])
    })
}

/// The head pitches back about a point in the neck, which bends above the Adam's apple.
fn lift(p: Vec3, t: Real) -> Vec3 {
    let angle = 0.45 * pulse([0.0, 0.9, 1.35, 2.0], t) * step(0.080, 0.140, p.y + 0.12 * p.z);
    turned(p, Vec3::new(0.0, 0.105, -0.035), Vec3::x(), -angle)
}

/// The jaw turns about its hinge in front of the ears; the lips part, the throat gives way above the Adam's apple.
fn open(p: Vec3, t: Real) -> Vec3 {
    let hinge = Vec3::new(0.0, 0.232, 0.012);
    let below = |p: Vec3| (hinge.y - p.y).atan2(p.z - hinge.z);
    // Sharp between the lips, soft in the cheeks.
    let angle = (p.x / 0.073).clamp(-1.0, 1.0).asin();
    let [low, high] = MOUTH.map(|(_, place)| below(surface(place, angle)));
    let half = 0.45 * (low - high) + 0.10 * step(0.018, 0.050, p.x.abs());
    let middle = 0.5 * (low + high);
    let jaw = step(middle - half, middle + half, below(p));
    let share = jaw * step(0.078, 0.122, p.y) * step(0.010, 0.060, p.z);
    turned(p, hinge, Vec3::x(), 0.28 * share * pulse([0.0, 0.8, 1.3, 2.0], t))
}

/// 862 vertices and 1593 triangles in one of three motions: lift, open or swallow. The border and the lips are held; as
/// many ends of rows as the lips need slide along the border instead: the paper's 258 rows of constraints.
pub fn head(variant: &'static str) -> SkinScene {
    let rest = patch();
    let motion: Motion = match variant {
        "lift" => Box::new(lift),
        "open" => Box::new(open),
        _ => Box::new(|p, t| swallow(p, pulse([0.25, 0.9, 1.1, 1.75], t))),
    };
    let mut scene = SkinScene::new("head", variant, rest, motion, texture());
    let firsts: Vec<usize> =
        counts().iter().scan(0, |next, n| Some(std::mem::replace(next, *next + n))).collect();
    for (j, count) in counts().into_iter().enumerate() {
        let lips = MOUTH.iter().any(|(row, _)| *row == j);
        for i in 0..count {
            let side = i == 0 || i == count - 1;
            let held = j == 0 || j == HOOP_COUNT - 1 || side;
            let in_mouth = lips && angle_at(i, count).abs() < 1.45 * MOUTH_WIDTH;
            scene.fixed[firsts[j] + i] = (held && !(side && LOOSE.contains(&j))) || in_mouth;
            if side && LOOSE.contains(&j) {
                let end =
                    |j: usize| scene.rest.positions[firsts[j] + if i == 0 { 0 } else { counts()[j] - 1 }];
                scene.slide[firsts[j] + i] = Some((end(j + 1) - end(j - 1)).normalize());
            }
        }
    }
    let near = |p: &Vec3| p.z > 0.0 && (p.x / 0.012).hypot((p.y - APPLE) / 0.015) < 1.0;
    scene.watched = scene.rest.positions.iter().copied().filter(near).collect();
    scene.props = props();
    scene.size = [600, 560];
    // The tattoo's lower and upper end.
    scene.guides = [2.67, 5.2].map(|row| surface(row, 0.0)).to_vec();
    let (target, width, heading) = match variant {
        "lift" => (Vec3::new(0.0, 0.160, 0.015), 0.32, "Head: lift (dashes: tattoo at rest)"),
        "open" => (Vec3::new(0.0, 0.130, 0.025), 0.24, "Head: open the mouth (dashes: tattoo at rest)"),
        _ => (Vec3::new(0.0, 0.092, 0.03), 0.175, "Head: swallow (dashes: tattoo at rest)"),
    };
    scene.camera = Camera { target, yaw: 0.95, pitch: 0.0, width };
    scene.shown = vec![(24, heading)];
    scene
}
