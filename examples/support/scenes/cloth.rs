//! A tight shirt on a torso that shrugs and lifts its left arm. Hem, collar and cuffs are held; the cuffs may slide
//! around the arms.

use super::weave::{Knot, Weave, ball, rings};
use super::{Camera, Motion, SkinScene, Texture};
use sinew::anatomy::shaping::{pulse, step, turned};
use sinew::drawing::motifs::{checker, rgb, star};
use sinew::geometry::{HalfEdges, Mesh};
use sinew::math::{Real, Vec2, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Columns of cells on the front, and as many on the back.
const HALF: usize = 36;
/// Closed rings below the arms.
const RINGS: usize = 12;
/// Rows of the front and of the back beside the armholes.
const CHEST: usize = 8;
/// Knots of each shoulder's seam.
const SHOULDER: usize = 8;
/// Knots of the sleeves' rings; the last is the cuff.
const SLEEVE: [usize; 5] = [21, 22, 22, 22, 23];
/// The height of the armpits and of the end of the shoulder, in metres above the hem.
const ARMPIT: Real = 0.335;
/// The left shoulder's joint; the left is at +x. The arms hang to the side.
const JOINT: Vec3 = Vec3::new(0.158, 0.442, -0.004);
/// How far below the horizon the arms point, in radians.
const SLOPE: Real = 0.80;
const SLEEVE_LENGTH: Real = 0.185;

fn arm_axis() -> Vec3 {
    Vec3::new(SLOPE.cos(), -SLOPE.sin(), 0.0)
}

/// Perpendicular to the arm, towards the outside of the shoulder.
fn arm_up(left: bool) -> Vec3 {
    let axis = arm_axis();
    Vec3::new(if left { -axis.y } else { axis.y }, axis.x, 0.0)
}

/// Half the width and the depth of the trunk at a height.
fn trunk(y: Real) -> [Real; 2] {
    let chest = step(0.05, 0.33, y);
    [0.142 + 0.025 * chest, 0.093 + 0.018 * chest]
}

/// A point of the closed rings: columns run from the right side over the front and around the back.
fn ring_point(column: usize, y: Real) -> Vec3 {
    let (sin, cos) = (PI * column as Real / HALF as Real).sin_cos();
    let [w, d] = trunk(y);
    // The chest is fuller than the back.
    let d = if sin > 0.0 { d + 0.012 * step(0.12, 0.30, y) * (2.0 * sin - 1.0).max(0.0) } else { d * 0.93 };
    Vec3::new(-w * cos, y, d * sin.signum() * sin.abs().powf(0.86))
}

/// A point of the front (`side` 1) or back (-1) beside the armholes: `up` is 0 at the armpits and 1 at the shoulders.
fn chest_point(column: usize, up: Real, side: Real) -> Vec3 {
    let i = column as Real;
    let low = ring_point(if side > 0.0 { column } else { 2 * HALF - column }, ARMPIT);
    // From the tips of the shoulders to the neck, then along the collar.
    let (first, inner) = (1.0, SHOULDER as Real);
    let from_right = i.min(HALF as Real - i);
    let x = if from_right <= inner {
        0.172 - (0.172 - 0.072) * (from_right - first) / (inner - first)
    } else {
        0.072 * (1.0 - (from_right - inner) / (HALF as Real * 0.5 - inner))
    };
    let middle = (1.0 - x / 0.072).max(0.0);
    let scoop = if side > 0.0 { 0.085 } else { 0.016 } * (1.0 - (1.0 - middle).powi(2));
    let top = 0.532 - 0.30 * (x - 0.072).max(0.0) - scoop;
    let x = x * if 2 * column > HALF { 1.0 } else { -1.0 };
    let e = step(-0.35, 1.0, up) - step(-0.35, 1.0, 0.0) * (1.0 - up);
    // Seen from the side, a quarter circle from the chest up to the shoulder; the armhole stays open.
    let round = (FRAC_PI_2 * up).cos().powf(0.75);
    let edge = 0.056 * (PI * (0.06 + 0.94 * up)).sin().powf(0.8);
    let collar = if side > 0.0 { 0.064 } else { 0.046 } * (1.0 - (1.0 - middle).powi(2)).sqrt();
    let depth = collar + (low.z.abs() - collar) * round;
    let z = depth.max(edge * (1.0 - 0.4 * (1.0 - (x.abs() / 0.172)))) * side;
    Vec3::new(low.x + (x - low.x) * e, ARMPIT + (top - ARMPIT) * up, z - 0.012 * up)
}

/// The body of the shirt in the making: its knots by row and column, as the front and as the back island see them.
struct Torso {
    weave: Weave,
    /// Rows 0 to `CHEST`, columns 1 to `HALF - 1`, of the front and of the back; row 0 is the ring at the armpits.
    chest: [Vec<Vec<Knot>>; 2],
    /// The seams of the two shoulders from the tip to the neck: vertices.
    shoulders: [Vec<u32>; 2],
    /// The vertices under the right and the left arm.
    armpits: [u32; 2],
    held: Vec<u32>,
}

/// A place in the island of the front or of the back.
fn torso_uv(p: Vec3, column: usize, side: usize) -> Vec2 {
    // Columns give the width, so that the sides are not squeezed.
    let wide = p.x + 0.028 * (2.0 * column as Real / HALF as Real - 1.0).powi(5);
    let u = if side == 0 { 0.25 + wide } else { 0.75 - wide };
    Vec2::new(u, 0.05 + p.y)
}

fn rings_below(weave: &mut Weave) -> [Vec<Vec<Knot>>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for j in 0..RINGS {
        let y = ARMPIT * j as Real / (RINGS - 1) as Real;
        let front: Vec<Knot> = (0..=HALF)
            .map(|i| {
                let p = ring_point(i, y);
                weave.knot(p, torso_uv(p, i, 0))
            })
            .collect();
        // From the left side, as seen from behind; the island's columns run backwards.
        let back: Vec<Knot> = (0..=HALF)
            .map(|i| {
                let p = ring_point(HALF + i, y);
                let uv = torso_uv(p, HALF - i, 1);
                match i {
                    0 => weave.again(front[HALF].vertex, uv),
                    HALF => weave.again(front[0].vertex, uv),
                    _ => weave.knot(p, uv),
                }
            })
            .collect();
        sides[0].push(front);
        sides[1].push(back);
    }
    for side in &sides {
        side.windows(2).for_each(|rows| weave.strip(&rows[0], &rows[1]));
    }
    sides
}

fn torso() -> Torso {
    let mut weave = Weave::new();
    let below = rings_below(&mut weave);
    let held = below.iter().flat_map(|side| side[0].iter().map(|k| k.vertex)).collect();
    let armpits = [0, HALF].map(|i| below[0][RINGS - 1][i].vertex);
    let chest = [0, 1].map(|side| {
        let mut rows = vec![below[side][RINGS - 1][1..HALF].to_vec()];
        for r in 1..=CHEST {
            let up = r as Real / (CHEST + 1) as Real;
            let knot = |i: usize| {
                let column = if side == 0 { i } else { HALF - i };
                let p = chest_point(column, up, 1.0 - 2.0 * side as Real);
                weave.knot(p, torso_uv(p, column, side))
            };
            let row: Vec<Knot> = (1..HALF).map(knot).collect();
            weave.strip(&rows[r - 1], &row);
            rows.push(row);
        }
        rows
    });
    let mut torso = Torso { weave, chest, shoulders: [Vec::new(), Vec::new()], armpits, held };
    torso.close_shoulders();
    torso
}

impl Torso {
    /// Sews front and back together; what is left open in the middle is the collar.
    fn close_shoulders(&mut self) {
        let last = HALF - 2;
        for left in [false, true] {
            let column = |k: usize| if left { HALF - 1 - k } else { 1 + k };
            let points: Vec<Vec3> = (0..SHOULDER).map(|k| chest_point(column(k), 1.0, 1.0)).collect();
            let uv = |k: usize, side: usize| torso_uv(points[k], column(k), side);
            let mut front: Vec<Knot> = (0..SHOULDER).map(|k| self.weave.knot(points[k], uv(k, 0))).collect();
            let mut back: Vec<Knot> =
                (0..SHOULDER).map(|k| self.weave.again(front[k].vertex, uv(k, 1))).collect();
            self.shoulders[usize::from(left)] = front.iter().map(|k| k.vertex).collect();
            // Rows of the front run to the left, those of the back to the right.
            let (from_start, from_end) = (0..SHOULDER, last + 1 - SHOULDER..last + 1);
            let ranges = if left { [from_end, from_start] } else { [from_start, from_end] };
            if left {
                front.reverse();
            } else {
                back.reverse();
            }
            let rows = [0, 1].map(|side| self.chest[side][CHEST][ranges[side].clone()].to_vec());
            self.weave.strip(&rows[0], &front);
            self.weave.strip(&rows[1], &back);
            self.held.push(self.shoulders[usize::from(left)][SHOULDER - 1]);
        }
        for side in &self.chest {
            self.held.extend(side[CHEST][SHOULDER - 1..=last + 1 - SHOULDER].iter().map(|k| k.vertex));
        }
    }

    /// The armhole from the armpit up the back, over the shoulder and down the front, for the left arm; the other way
    /// around for the right one.
    fn armhole(&self, left: bool) -> Vec<u32> {
        let last = HALF - 2;
        let edge = |side: usize, end: usize| (0..=CHEST).map(move |r| self.chest[side][r][end].vertex);
        let tip = self.shoulders[usize::from(left)][0];
        let mut hole = vec![self.armpits[usize::from(left)]];
        if left {
            hole.extend(edge(1, 0).chain([tip]).chain(edge(0, last).rev()));
        } else {
            hole.extend(edge(0, 0).chain([tip]).chain(edge(1, last).rev()));
        }
        hole
    }

    /// Sews a sleeve into an armhole and returns its cuff.
    fn sleeve(&mut self, left: bool) -> Vec<u32> {
        let hole = self.armhole(left);
        let corner = Vec2::new(if left { 0.72 } else { 0.22 }, 0.72);
        let uv = |part: Real, along: Real| corner + Vec2::new(0.46 * (part - 0.5), 0.22 * along);
        let points: Vec<Vec3> = hole.iter().map(|&v| self.weave.position(v)).collect();
        let n = hole.len();
        let mut below: Vec<Knot> =
            (0..=n).map(|k| self.weave.again(hole[k % n], uv(k as Real / n as Real, 0.0))).collect();
        let mut cuff = Vec::new();
        for (j, count) in SLEEVE.into_iter().enumerate() {
            let along = (j + 1) as Real / SLEEVE.len() as Real;
            let mut row: Vec<Knot> = Vec::new();
            for k in 0..count {
                let part = k as Real / count as Real;
                let cuff = sleeve_point(part, SLEEVE_LENGTH, left);
                let place = part * n as Real;
                let from = points[place as usize].lerp(&points[(place as usize + 1) % n], place.fract());
                // Straight to the cuff, with a bulge over the shoulder muscle.
                let over = 0.5 - 0.5 * (TAU * part).cos();
                let bulge = arm_up(left) * (0.022 * (PI * along.powf(0.7)).sin() * over);
                let p = from.lerp(&cuff, along) + bulge;
                row.push(self.weave.knot(p, uv(part, along)));
            }
            row.push(self.weave.again(row[0].vertex, uv(1.0, along)));
            self.weave.strip(&below, &row);
            cuff = row[..count].iter().map(|k| k.vertex).collect();
            below = row;
        }
        cuff
    }
}

/// A point of the arm's surface: `part` of the way around from the armpit, `along` metres from the shoulder.
fn sleeve_point(part: Real, along: Real, left: bool) -> Vec3 {
    let axis = arm_axis();
    let up = Vec3::new(-axis.y, axis.x, 0.0);
    let radius = 0.053 - 0.06 * (along - 0.10).max(0.0);
    // The left arm starts at the back, the right arm at the front, as the armholes do.
    let (sin, cos) = (PI + TAU * part).sin_cos();
    let round = up * (radius * 1.06 * cos) + Vec3::z() * (radius * sin * if left { 1.0 } else { -1.0 });
    let p = JOINT + axis * along + round;
    if left { p } else { Vec3::new(-p.x, p.y, p.z) }
}

/// Both shoulders rise and fall, then the left arm is lifted and the shoulder goes along.
fn motion(p: Vec3, t: Real) -> Vec3 {
    let lifted = step(1.0, 1.8, t);
    let side = Vec3::new(p.x.abs(), p.y, p.z);
    let axis = arm_axis();
    let girdle = step(0.04, 0.17, side.x) * step(0.22, 0.50, side.y + 0.55 * (side.x - 0.15).max(0.0));
    let (along, above) = ((side - JOINT).dot(&axis), axis.xy().perp(&(side - JOINT).xy()));
    let arm = step(-0.05, 0.14, along) * step(-0.135, -0.04, above);
    let mut moved = p;
    let mut joint = JOINT;
    if p.x > 0.0 {
        moved = turned(moved, joint, Vec3::z(), 1.25 * lifted * arm);
        joint.y += 0.035 * lifted;
    }
    let share = girdle.max(step(0.0, 0.06, along) * step(-0.135, -0.04, above));
    let raise = 0.058 * pulse([0.0, 0.4, 0.55, 0.95], t);
    moved.y += share * (raise + if p.x > 0.0 { joint.y - JOINT.y } else { 0.0 });
    moved.x -= p.x.signum() * share * 0.25 * raise;
    moved
}

/// Arms, neck, a plain head and hips.
fn props() -> Vec<(Mesh, Vec3)> {
    let skin = rgb(0xd8a88c);
    let mut props = Vec::new();
    for left in [false, true] {
        let row = |k: usize| -> Vec<Vec3> {
            let s = 0.13 + 0.43 * k as Real / 40.0;
            let thin = 1.0 - 0.42 * step(0.12, 0.5, s);
            let axis = if left { arm_axis() } else { arm_axis().component_mul(&Vec3::new(-1.0, 1.0, 1.0)) };
            let joint = if left { JOINT } else { JOINT.component_mul(&Vec3::new(-1.0, 1.0, 1.0)) };
            let centre = joint + axis * s;
            let point = |i: usize| {
                centre + (sleeve_point(i as Real / 32.0, 0.08, left) - joint - axis * 0.08) * (0.87 * thin)
            };
            (0..32).map(point).collect()
        };
        props.push((rings(&(0..=40).map(row).collect::<Vec<_>>()), skin));
    }
    let neck = |k: usize| -> Vec<Vec3> {
        let y = 0.40 + 0.24 * k as Real / 20.0;
        // Towards the shoulders it widens only sideways.
        let (wide, deep) = (
            0.052 + 0.017 * (step(0.62, 0.51, y) - step(0.51, 0.46, y)),
            0.045 + 0.010 * step(0.54, 0.42, y),
        );
        let around = |i: usize| (TAU * i as Real / 32.0).sin_cos();
        (0..32).map(around).map(|(sin, cos)| Vec3::new(wide * sin, y, 0.012 + deep * cos)).collect()
    };
    props.push((rings(&(0..=20).map(neck).collect::<Vec<_>>()), skin));
    props.push((ball(Vec3::new(0.0, 0.685, 0.025), Vec3::new(0.072, 0.105, 0.088)), skin));
    let hips = |k: usize| -> Vec<Vec3> {
        let y = 0.03 - 0.16 * k as Real / 12.0;
        (0..72)
            .rev()
            .map(|i| ring_point(i, 0.0))
            .map(|p| Vec3::new(p.x, 0.0, p.z) * (0.985 + 0.5 * (0.03 - y)) + Vec3::y() * y)
            .collect()
    };
    props.push((rings(&(0..=12).map(hips).collect::<Vec<_>>()), rgb(0x3d4a5e)));
    props
}

/// A knitted check, bands around the chest, and a star.
fn texture() -> Texture {
    Box::new(|uv: Vec2| {
        if uv.y > 0.66 {
            // The sleeves.
            let ends = uv.y > 0.900;
            return if ends { rgb(0xc8553d) } else { checker(uv / 0.012, [rgb(0x5f93b5), rgb(0x86b0c9)]) };
        }
        let p = Vec2::new(uv.x - 0.25, uv.y - 0.05);
        if star((p - Vec2::new(0.0, 0.325)) / 0.062) {
            return rgb(0xf2c14e);
        }
        if (p.y - 0.20).abs() < 0.012 || (p.y - 0.165).abs() < 0.006 {
            return rgb(0xc8553d);
        }
        checker(uv / 0.012, [rgb(0x5f93b5), rgb(0x86b0c9)])
    })
}

/// Fills the creases under the arms, where trunk and sleeve meet at an acute angle: there vertices move towards the
/// mean of their neighbours.
fn round_armpits(mesh: &mut Mesh) {
    let edges = HalfEdges::of_mesh(mesh);
    let armpit = ring_point(HALF, ARMPIT);
    let share = |p: Vec3| {
        let side = Vec3::new(p.x.abs(), p.y, p.z);
        0.5 * step(0.10, 0.03, (side - armpit).norm())
    };
    for _ in 0..12 {
        let before = mesh.positions.clone();
        for (v, p) in mesh.positions.iter_mut().enumerate() {
            let ring = edges.one_ring(v as u32);
            let mean = ring.iter().map(|&w| before[w as usize]).sum::<Vec3>() / ring.len() as Real;
            *p += (mean - *p) * share(*p);
        }
    }
}

/// 1660 vertices and 3162 triangles; 116 vertices held at hem and collar, 46 of the cuffs free to slide around.
pub fn cloth() -> SkinScene {
    let mut torso = torso();
    let cuffs = [torso.sleeve(false), torso.sleeve(true)];
    let Torso { weave, held, .. } = torso;
    let mut rest = weave.finish();
    round_armpits(&mut rest);
    let mut scene = SkinScene::new("cloth", "", rest, Box::new(motion) as Motion, texture());
    held.into_iter().for_each(|v| scene.fixed[v as usize] = true);
    for cuff in &cuffs {
        let at = |k: usize| scene.rest.positions[cuff[k % cuff.len()] as usize];
        for (k, &v) in cuff.iter().enumerate() {
            let around = at(k + 1) - at(k + cuff.len() - 1);
            scene.slide[v as usize] = Some(around.normalize());
        }
    }
    scene.props = props();
    scene.camera = Camera { target: Vec3::new(0.03, 0.37, 0.0), yaw: 0.22, pitch: 0.05, width: 0.98 };
    scene.size = [640, 640];
    scene.shown = vec![(12, "Tight clothes: shrug"), (46, "Tight clothes: lift the left arm")];
    scene
}
