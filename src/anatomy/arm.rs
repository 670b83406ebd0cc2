//! An arm along x that bends its elbow and twists its forearm by half a turn: a tube with its joints and weights.

use super::shaping::hill;
use sinew_geometry::{CornerLayer, Mesh};
use sinew_math::elementary::sin_cos;
use sinew_math::motion::rotation_by;
use sinew_math::{Affine, Mat3, Real, Vec2, Vec3, affine, compose};
use std::f64::consts::{PI, TAU};

/// Faces around the arm.
pub const AROUND: usize = 48;
/// Faces along it.
pub const ALONG: usize = 160;
/// The last frame of its motion; the first is 1.
pub const FRAMES: i64 = 24;
/// The names of its joints, from the shoulder on.
pub const JOINTS: [&str; 3] = ["upper_arm", "forearm", "hand"];

/// Where the joints are along the arm, and its end, in metres.
const SHOULDER_ELBOW_WRIST_END: [Real; 4] = [0.0, 0.28, 0.53, 0.62];

/// The radius of the arm: upper arm, elbow, forearm, wrist.
fn radius(x: Real) -> Real {
    0.030 + 0.020 * hill((x - 0.10) / 0.12) + 0.014 * hill((x - 0.34) / 0.09)
}

/// The skin at rest: a closed tube with rings of quads and two caps.
pub fn mesh() -> Mesh {
    let length = SHOULDER_ELBOW_WRIST_END[3];
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut uvs = CornerLayer { values: Vec::new(), indices: Vec::new() };
    for i in 0..=ALONG {
        let x = length * i as Real / ALONG as Real;
        for j in 0..=AROUND {
            let (sin, cos) = sin_cos(TAU * j as Real / AROUND as Real);
            if j < AROUND {
                mesh.positions.push(Vec3::new(x, radius(x) * cos, radius(x) * sin));
            }
            // Twelve squares around; along the arm, as many as keep them about square.
            uvs.values.push(Vec2::new(x / 0.02, 12.0 * (1.0 - j as Real / AROUND as Real)));
        }
    }
    for i in 0..ALONG {
        for j in 0..AROUND {
            for (a, b) in [(0, 0), (0, 1), (1, 1), (1, 0)] {
                mesh.corner_vertices.push(((i + a) * AROUND + (j + b) % AROUND) as u32);
                uvs.indices.push(((i + a) * (AROUND + 1) + j + b) as u32);
            }
            mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
        }
    }
    for (i, backwards) in [(0, true), (ALONG, false)] {
        // A disc of its own beside the tube, whose rim is as long as the tube's.
        let radius = 12.0 / TAU;
        let centre = Vec2::new(if backwards { -radius - 1.0 } else { length / 0.02 + radius + 1.0 }, 6.0);
        for k in 0..AROUND {
            let j = if backwards { AROUND - 1 - k } else { k };
            mesh.corner_vertices.push((i * AROUND + j) as u32);
            let (sin, cos) = sin_cos(TAU * k as Real / AROUND as Real);
            uvs.indices.push(uvs.values.len() as u32);
            uvs.values.push(centre + radius * Vec2::new(cos, sin));
        }
        mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    }
    mesh.uvs = Some(uvs);
    mesh
}

/// For each vertex its joints and their weights, which blend smoothly from one joint to the next: quickly at the elbow,
/// along the whole forearm to the wrist.
pub fn weights(mesh: &Mesh) -> Vec<Vec<(u32, Real)>> {
    let step = |x: Real, from: Real, to: Real| {
        let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let [_, elbow, wrist, _] = SHOULDER_ELBOW_WRIST_END;
    let influences = mesh.positions.iter().map(|p| {
        let (lower, hand) = (step(p.x, elbow - 0.05, elbow + 0.05), step(p.x, elbow + 0.06, wrist));
        let all = [(0, 1.0 - lower), (1, lower - hand), (2, hand)];
        all.into_iter().filter(|&(_, weight)| weight > 0.0).collect()
    });
    influences.collect()
}

fn at(x: Real) -> Affine {
    affine(&Mat3::identity(), &Vec3::new(x, 0.0, 0.0))
}

/// The joints at rest.
pub fn rest() -> Vec<Affine> {
    let [shoulder, elbow, wrist, _] = SHOULDER_ELBOW_WRIST_END;
    vec![at(shoulder), at(elbow), at(wrist)]
}

/// The joints in a frame.
pub fn pose(frame: i64) -> Vec<Affine> {
    let [shoulder, elbow, wrist, _] = SHOULDER_ELBOW_WRIST_END;
    let turn = |axis: Vec3| affine(rotation_by(&axis).to_rotation_matrix().matrix(), &Vec3::zeros());
    let part = (frame - 1) as Real / (FRAMES - 1) as Real;
    let lower = compose(&at(elbow), &turn(Vec3::z() * (part * PI * 0.4)));
    let hand = compose(&compose(&lower, &at(wrist - elbow)), &turn(Vec3::x() * (part * PI)));
    vec![at(shoulder), lower, hand]
}
