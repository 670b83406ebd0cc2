//! The back of a hand with the roots of four fingers, which flex one after the other.

use super::weave::{Weave, rings};
use super::{Camera, Motion, SkinScene, Texture};
use sinew::anatomy::shaping::{hill, pulse, step, turned};
use sinew::drawing::motifs::{checker, rgb};
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec2, Vec3};
use std::f64::consts::TAU;

/// Where the fingers are from the little one to the index: across, the height of the knuckle, where the knuckle is and
/// how thick the finger is. Wrist at y = 0, back of the hand towards +z, in metres.
const FINGERS: [[Real; 4]; 4] = [
    [-0.0345, 0.000, 0.070, 0.0080],
    [-0.0122, 0.004, 0.079, 0.0092],
    [0.0115, 0.006, 0.083, 0.0098],
    [0.0350, 0.003, 0.079, 0.0094],
];
/// Knots of each row of the back of the hand; the last rows have five for each finger.
const COUNTS: [usize; 12] = [13, 15, 16, 17, 18, 19, 20, 20, 20, 20, 20, 20];
/// Rows of each finger, beyond the back of the hand.
const STUB: usize = 2;
/// How far a finger flexes, in radians.
const FLEX: Real = 1.15;

/// The place between the fingers of a column: the finger and how far across it (0 to 1).
fn finger_of(column: Real) -> (usize, Real) {
    let finger = ((column / 5.0) as usize).min(3);
    (finger, (column - 5.0 * finger as Real) / 4.0)
}

/// A point of the back of the hand: `column` from 0 to 19, `along` from 0 at the wrist to 1 at the webs and on along
/// the fingers.
fn surface(column: Real, along: Real) -> Vec3 {
    let across = column / 9.5 - 1.0;
    let (finger, part) = finger_of(column);
    let [x, z, knuckle, radius] = FINGERS[finger];
    let y = along * (knuckle + 0.017);
    let half = 0.029 + 0.013 * step(0.0, 0.75, along);
    let palm = Vec3::new(half * across, y, 0.016 - 0.017 * across.powi(2) - 0.012 * across.powi(8));
    // Half a tube, a bit less so that the sides do not stand upright.
    let (sin, cos) = (1.25 * (2.0 * part - 1.0)).sin_cos();
    let tube = Vec3::new(x * 1.03 + radius * sin, y, z + radius * (cos - 0.15));
    let apart = step(0.55, 1.0, along);
    let bump = 0.0042 * hill((2.0 * part - 1.0) / 0.75) * hill((y - knuckle) / 0.012);
    palm.lerp(&tube, apart) + Vec3::new(0.0, 0.0, bump)
}

fn knot(weave: &mut Weave, column: Real, along: Real) -> super::weave::Knot {
    let p = surface(column, along);
    // Seen from above, and the slopes of the sides a bit unrolled.
    weave.knot(p, Vec2::new(0.5 + p.x * 8.0 + 0.05 * (column / 9.5 - 1.0).powi(3), 0.05 + p.y * 6.0))
}

/// The rows, and which knots may slide along the sides of the hand.
fn patch() -> (Mesh, Vec<u32>) {
    let mut weave = Weave::new();
    let (mut below, mut sides) = (Vec::new(), Vec::new());
    let last = COUNTS.len() - 1;
    for (j, count) in COUNTS.into_iter().enumerate() {
        let along = j as Real / last as Real;
        let row: Vec<_> =
            (0..count).map(|i| knot(&mut weave, 19.0 * i as Real / (count - 1) as Real, along)).collect();
        if j > 0 {
            weave.strip(&below, &row);
        }
        if j > 0 && j < last {
            sides.extend([row[0].vertex, row[count - 1].vertex]);
        }
        below = row;
    }
    for finger in 0..4 {
        let mut root = below[5 * finger..5 * finger + 5].to_vec();
        for j in 1..=STUB {
            let along = 1.0 + 0.085 * j as Real;
            let row: Vec<_> = (0..5).map(|i| knot(&mut weave, (5 * finger + i) as Real, along)).collect();
            weave.strip(&root, &row);
            root = row;
        }
    }
    (weave.finish(), sides)
}

/// The weight of each finger at a position across the hand.
fn shares(x: Real) -> [Real; 4] {
    let centre = |f: usize| FINGERS[f][0];
    let mut shares = [0.0; 4];
    match (0..4).position(|f| x < centre(f)) {
        Some(0) => shares[0] = 1.0,
        None => shares[3] = 1.0,
        Some(f) => {
            let t = step(0.25, 0.75, (x - centre(f - 1)) / (centre(f) - centre(f - 1)));
            (shares[f - 1], shares[f]) = (1.0 - t, t);
        }
    }
    shares
}

/// Little finger first, index last, each for a second; the tips curl on.
fn flex(p: Vec3, t: Real) -> Vec3 {
    let shares = shares(p.x);
    let mix = |value: &dyn Fn(usize) -> Real| (0..4).map(|f| shares[f] * value(f)).sum::<Real>();
    let amount = mix(&|f| {
        let start = 0.3 * f as Real;
        pulse([start, start + 0.45, start + 0.6, start + 1.05], t)
    });
    let knuckle = mix(&|f| FINGERS[f][2]);
    // The thumb stays out of it.
    let amount = amount * step(0.058, 0.047, p.x);
    let bend = FLEX * amount * step(knuckle - 0.014, knuckle + 0.022, p.y);
    let curl = 0.9 * FLEX * amount * step(knuckle + 0.032, knuckle + 0.048, p.y);
    let p = turned(p, Vec3::new(p.x, knuckle + 0.040, 0.002), Vec3::x(), -curl);
    turned(p, Vec3::new(p.x, knuckle, -0.004), Vec3::x(), -bend)
}

/// The palm, the ends of the fingers and the thumb.
fn props() -> Vec<(Mesh, Vec3)> {
    let skin = rgb(0xe0ab8a);
    let tube = |points: &[(Vec3, Real)]| -> Mesh {
        let ring = |&(c, r): &(Vec3, Real)| -> Vec<Vec3> {
            let place = |k: usize| {
                let (sin, cos) = (TAU * k as Real / 24.0).sin_cos();
                c + Vec3::new(r * sin, 0.0, r * cos)
            };
            (0..24).map(place).collect()
        };
        rings(&points.iter().map(ring).collect::<Vec<_>>())
    };
    let mut props = Vec::new();
    for [x, z, knuckle, radius] in FINGERS {
        let length = 0.090 + 3.0 * (radius - 0.008);
        let part = |k: usize| {
            // Closer at the tip, which is round.
            let s = 1.0 - (1.0 - k as Real / 40.0).powi(2);
            let round = (1.0 - ((s - 0.86).max(0.0) / 0.14).powi(2)).sqrt();
            let swell = 1.0 - 0.16 * step(0.45, 1.0, s) + 0.05 * hill((s - 0.66) / 0.06);
            let start = (0.5 + 0.5 * step(0.0, 0.2, s)) * 0.94 * radius * swell * round;
            // It begins inside the palm.
            let x = x * (1.03 - 0.24 * step(0.34, 0.0, s));
            let z = z - radius * (0.16 + 0.7 * step(0.34, 0.0, s));
            (Vec3::new(x, knuckle - 0.024 + s * length, z), start.max(1e-4))
        };
        props.push((tube(&(0..=40).map(part).collect::<Vec<_>>()), skin));
    }
    let palm: Vec<Vec<Vec3>> = (0..=24)
        .map(|j| {
            let along = -0.18 + 1.16 * j as Real / 24.0;
            // A little inside the skin.
            let edge = |k: usize| {
                let p = surface(19.0 * k as Real / 30.0, along.max(0.0));
                Vec3::new(0.985 * p.x, p.y, p.z - 0.0025)
            };
            let shift = Vec3::new(0.0, 0.075 * along.min(0.0), 0.0);
            let under = |k: usize| {
                let p = edge(30 - k);
                let s = (k as Real / 15.0 - 1.0).powi(2);
                Vec3::new(p.x, p.y, -0.018 * (1.0 - s * s) + p.z.min(0.0) * s)
            };
            (0..=30).map(edge).chain((1..30).map(under)).map(|p| p + shift).collect()
        })
        .collect();
    props.push((rings(&palm), skin));
    let thumb = |k: usize| {
        let s = 1.0 - (1.0 - k as Real / 40.0).powi(2);
        let round = (1.0 - ((s - 0.82).max(0.0) / 0.18).powi(2)).sqrt();
        let thick = 0.0155 - 0.0045 * step(0.0, 0.5, s) + 0.0008 * hill((s - 0.55) / 0.08);
        let way = Vec3::new(0.014 + 0.062 * s - 0.012 * s * s, -0.004 + 0.096 * s, -0.013 - 0.006 * s);
        (way, (thick * round * (0.6 + 0.4 * step(0.0, 0.2, s))).max(1e-4))
    };
    props.push((tube(&(0..=40).map(thumb).collect::<Vec<_>>()), skin));
    props
}

/// The places of the texture in metres on the hand.
fn on_hand(uv: Vec2) -> Vec2 {
    Vec2::new((uv.x - 0.5) / 8.0, (uv.y - 0.05) / 6.0)
}

/// The distance to the nearest vein, as if veins went on beyond the knuckles.
fn to_vein(p: Vec2) -> Real {
    let way = |x: Real, bend: Real| x + 0.006 * (p.y * 75.0 + bend).sin() + x * 5.0 * (p.y - 0.05);
    let near = |&(x, bend): &(Real, Real)| (p.x - way(x, bend)).abs();
    [(-0.024, 0.3), (-0.001, 1.9), (0.021, 3.4)].iter().map(near).fold(Real::INFINITY, Real::min)
}

/// The relief of the skin in metres: veins, folds over the knuckles, and the fine lines that cross each other.
fn height(p: Vec2) -> Real {
    let vein = 0.0011 * hill(to_vein(p) / 0.0014) * step(0.078, 0.064, p.y);
    let fold = |&[x, _, knuckle, radius]: &[Real; 4]| {
        let q = p - Vec2::new(x, knuckle);
        let bow = q.y + 12.0 * q.x * q.x;
        let lines: Real =
            [-0.0058, -0.0029, 0.0, 0.0029, 0.0058].iter().map(|y| hill((bow - y) / 0.0007)).sum();
        0.0006 * hill(q.x / (0.75 * radius)) * lines
    };
    let folds: Real = FINGERS.iter().map(fold).sum();
    let wave = |x: Real, y: Real| (TAU * (p.x * x + p.y * y) / 0.0026).sin().abs();
    let fine = 0.00008 * (wave(0.83, 0.56) + wave(-0.83, 0.56));
    vein - folds + fine
}

/// The normal map: the direction that the relief faces.
fn relief(uv: Vec2) -> Vec3 {
    const SMALL: Real = 5e-5;
    let p = on_hand(uv);
    let slope = |d: Vec2| (height(p + d) - height(p - d)) / (2.0 * SMALL);
    Vec3::new(-slope(Vec2::new(SMALL, 0.0)), -slope(Vec2::new(0.0, SMALL)), 1.0).normalize()
}

/// A faint checker, bluish veins and reddish knuckles; the rest is in the normal map.
fn texture() -> Texture {
    Box::new(|uv: Vec2| {
        let p = on_hand(uv);
        let skin = checker(p / 0.0084, [rgb(0xe6b696), rgb(0xdaa685)]);
        let vein = 0.5 * hill(to_vein(p) / 0.0014) * step(0.078, 0.064, p.y);
        let near = |f: &[Real; 4]| hill((p - Vec2::new(f[0], f[2])).norm() / 0.010);
        let red: Real = FINGERS.iter().map(near).sum();
        skin.lerp(&rgb(0x7d93a8), vein).lerp(&rgb(0xcf7f68), 0.55 * red.min(1.0))
    })
}

/// 258 vertices and 445 triangles; wrist, webs and fingers are held, the sides of the hand slide lengthwise.
pub fn hand() -> SkinScene {
    let (rest, sides) = patch();
    let motion: Motion = Box::new(flex);
    let mut scene = SkinScene::new("hand", "", rest, motion, texture());
    let border = sinew::geometry::HalfEdges::of_mesh(&scene.rest).boundary_loops();
    border.iter().flatten().for_each(|&v| scene.fixed[v as usize] = true);
    for v in sides {
        // Up the side: the neighbours on the border are the knots before and after in the row of sides.
        let (before, after) = neighbours(&border[0], v);
        let along = scene.rest.positions[after as usize] - scene.rest.positions[before as usize];
        scene.fixed[v as usize] = false;
        scene.slide[v as usize] = Some(along.normalize());
    }
    let knuckles = |p: &&Vec3| FINGERS.iter().any(|f| (p.x - f[0]).hypot(p.y - f[2]) < 0.008);
    scene.watched = scene.rest.positions.iter().filter(knuckles).copied().collect();
    scene.props = props();
    scene.relief = Some(Box::new(relief));
    scene.camera = Camera { target: Vec3::new(0.008, 0.062, 0.0), yaw: 0.25, pitch: 0.35, width: 0.165 };
    scene.size = [600, 560];
    let places = [-0.027, -0.010, 0.008, 0.026].map(|x| (x, 0.050));
    let places = places.into_iter().chain([(-0.018, 0.030), (0.0, 0.030), (0.016, 0.030)]);
    let on_skin = |(x, y): (Real, Real)| {
        let p = Vec3::new(x, y, 0.02);
        let nearest = |a: &&Vec3, b: &&Vec3| (*a - p).norm().total_cmp(&(*b - p).norm());
        *scene.rest.positions.iter().min_by(nearest).expect("it has vertices")
    };
    scene.arrows = (places.map(on_skin).collect(), 4.0);
    scene.shown = vec![
        (12, "Hand: little finger (arrows: slide times 4)"),
        (34, "Hand: index finger (arrows: slide times 4)"),
    ];
    scene
}

/// The vertices before and after one in a loop.
fn neighbours(border: &[u32], v: u32) -> (u32, u32) {
    let n = border.len();
    let k = border.iter().position(|&b| b == v).expect("on the border");
    (border[(k + n - 1) % n], border[(k + 1) % n])
}
