//! An arm bends its elbow and twists its forearm by half a turn: linear skinning beside dual quaternions.
//!
//! `cargo run --release --example skinning_arm` writes the mesh, its joints and weights, both results as OBJ sequences
//! and a picture into `target/skinning_arm`, and prints how much of the arm's volume and girth each method keeps.

mod support;

use sinew::control::Control;
use sinew::drawing::{Camera, Canvas, corner_uvs};
use sinew::formats::joints::JointAnimation;
use sinew::formats::weights::{self, Carrier, VertexWeights};
use sinew::formats::{atomic, joints, obj};
use sinew::geometry::{CornerLayer, Mesh};
use sinew::math::{Affine, Mat3, Real, Rotation, Vec2, Vec3, affine, compose};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use std::error::Error;
use std::f64::consts::{PI, TAU};
use std::path::Path;
use std::time::Instant;

const AROUND: usize = 48;
const ALONG: usize = 160;
const FRAMES: i64 = 24;
/// Where the joints are along the arm, in metres from the shoulder.
const SHOULDER_ELBOW_WRIST_END: [Real; 4] = [0.0, 0.28, 0.53, 0.62];

fn girth(x: Real) -> Real {
    // Upper arm, elbow, forearm, wrist: a smooth outline of about the right size.
    let bump = |centre: Real, width: Real| (-((x - centre) / width).powi(2)).exp();
    0.030 + 0.020 * bump(0.10, 0.12) + 0.014 * bump(0.34, 0.09)
}

/// A closed tube along x with rings of quads and two caps.
fn arm() -> Mesh {
    let length = SHOULDER_ELBOW_WRIST_END[3];
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut uvs = CornerLayer { values: Vec::new(), indices: Vec::new() };
    for i in 0..=ALONG {
        let x = length * i as Real / ALONG as Real;
        for j in 0..=AROUND {
            let (sin, cos) = (TAU * j as Real / AROUND as Real).sin_cos();
            if j < AROUND {
                mesh.positions.push(Vec3::new(x, girth(x) * cos, girth(x) * sin));
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
            let (sin, cos) = (TAU * k as Real / AROUND as Real).sin_cos();
            uvs.indices.push(uvs.values.len() as u32);
            uvs.values.push(centre + radius * Vec2::new(cos, sin));
        }
        mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    }
    mesh.uvs = Some(uvs);
    mesh
}

/// Weights blend smoothly from one joint to the next: quickly at the elbow, along the whole forearm to the wrist.
fn arm_weights(mesh: &Mesh) -> VertexWeights {
    let step = |x: Real, from: Real, to: Real| {
        let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let [_, elbow, wrist, _] = SHOULDER_ELBOW_WRIST_END;
    let influences = mesh.positions.iter().map(|p| {
        let (lower, hand) = (step(p.x, elbow - 0.05, elbow + 0.05), step(p.x, elbow + 0.06, wrist));
        let all = [(0, 1.0 - lower), (1, lower - hand), (2, hand)];
        all.into_iter().filter(|&(_, w)| w > 0.0).collect()
    });
    VertexWeights(influences.collect())
}

fn arm_joints() -> JointAnimation {
    let [shoulder, elbow, wrist, _] = SHOULDER_ELBOW_WRIST_END;
    let at = |x: Real| affine(&Mat3::identity(), &Vec3::new(x, 0.0, 0.0));
    let turn = |axis: Vec3, angle: Real| {
        affine(&Rotation::from_scaled_axis(axis * angle).to_rotation_matrix().into_inner(), &Vec3::zeros())
    };
    let pose = |t: Real| {
        let lower = compose(&at(elbow), &turn(Vec3::z(), t * PI * 0.4));
        let hand = compose(&compose(&lower, &at(wrist - elbow)), &turn(Vec3::x(), t * PI));
        vec![at(shoulder), lower, hand]
    };
    JointAnimation {
        names: ["upper_arm", "forearm", "hand"].map(String::from).to_vec(),
        rest: vec![at(shoulder), at(elbow), at(wrist)],
        frames: (1..=FRAMES).map(|f| (f, pose((f - 1) as Real / (FRAMES - 1) as Real))).collect(),
        held: false,
    }
}

fn flat(pose: &[Affine]) -> Vec<Real> {
    let bottom = [0.0, 0.0, 0.0, 1.0];
    pose.iter().flat_map(|m| m.transpose().iter().copied().chain(bottom).collect::<Vec<_>>()).collect()
}

/// The divergence theorem over the fans of all faces.
fn volume(mesh: &Mesh) -> Real {
    let at = |v: u32| mesh.positions[v as usize];
    let fan =
        |f: &[u32]| (1..f.len() - 1).map(|k| at(f[0]).dot(&at(f[k]).cross(&at(f[k + 1])))).sum::<Real>();
    (0..mesh.face_count()).map(|f| fan(mesh.face(f)) / 6.0).sum()
}

/// The smallest mean radius of a ring against the same ring at rest.
fn thinnest(mesh: &Mesh, rest: &Mesh) -> Real {
    let radius = |mesh: &Mesh, i: usize| {
        let ring = &mesh.positions[i * AROUND..(i + 1) * AROUND];
        let centre = ring.iter().sum::<Vec3>() / AROUND as Real;
        ring.iter().map(|p| (p - centre).norm()).sum::<Real>() / AROUND as Real
    };
    (0..=ALONG).map(|i| radius(mesh, i) / radius(rest, i)).fold(1.0, Real::min)
}

/// Runs the node over all frames, writes them and returns the last.
fn animate(
    method: &str,
    rest: &Mesh,
    animation: &JointAnimation,
    folder: &Path,
) -> Result<Mesh, Box<dyn Error>> {
    let influences = arm_weights(rest).0;
    let counts: Vec<u32> = influences.iter().map(|i| i.len() as u32).collect();
    let (joints, values): (Vec<u32>, Vec<Real>) = influences.into_iter().flatten().unzip();
    let mut node = Instance::new("skinning")?;
    node.set_param_text("method", method)?;
    node.set_array("rest_joints", &ArrayView::from_slice(&flat(&animation.rest), 16)?)?;
    node.set_array("influence_counts", &ArrayView::from_slice(&counts, 1)?)?;
    node.set_array("influence_joints", &ArrayView::from_slice(&joints, 1)?)?;
    node.set_array("influence_weights", &ArrayView::from_slice(&values, 1)?)?;
    let rest_points: Vec<Real> = rest.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    let mut mesh = rest.clone();
    let mut seconds = 0.0;
    for (&frame, pose) in &animation.frames {
        node.set_array("joints", &ArrayView::from_slice(&flat(pose), 16)?)?;
        let mut points = rest_points.clone();
        let start = Instant::now();
        let control = Control::default();
        node.deform_in_place(
            frame,
            frame as Real / 24.0,
            &mut ArrayViewMut::from_slice(&mut points, 3)?,
            &control,
        )?;
        seconds += start.elapsed().as_secs_f64();
        mesh.positions = points.chunks_exact(3).map(Vec3::from_column_slice).collect();
        obj::save(&folder.join(format!("{method}.{frame:04}.obj")), &mesh)?;
    }
    println!(
        "{method:16} volume {:5.1} % of rest   thinnest ring {:5.1} % of rest   {:.3} ms a frame",
        100.0 * volume(&mesh) / volume(rest),
        100.0 * thinnest(&mesh, rest),
        1e3 * seconds / animation.frames.len() as Real
    );
    Ok(mesh)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("target/skinning_arm");
    std::fs::create_dir_all(folder)?;
    let (rest, animation) = (arm(), arm_joints());
    obj::save(&folder.join("rest.obj"), &rest)?;
    atomic::write(&folder.join("joints.csv"), |f| joints::write(f, &animation))?;
    atomic::write(&folder.join("weights.csv"), |f| {
        weights::write(f, &arm_weights(&rest), Carrier::Joint, &animation.names)
    })?;

    println!("an arm of {} vertices, elbow bent by 72 degrees, forearm twisted by 180", rest.positions.len());
    let mut picture = Canvas::new(1100, 560, &Camera::front(Vec3::new(0.555, 0.115, 0.0), 1.18));
    let skins = [
        [Vec3::new(0.80, 0.42, 0.30), Vec3::new(0.95, 0.78, 0.66)],
        [Vec3::new(0.16, 0.42, 0.52), Vec3::new(0.74, 0.88, 0.88)],
    ];
    for (k, method) in ["linear", "dual_quaternion"].into_iter().enumerate() {
        let mut mesh = animate(method, &rest, &animation, folder)?;
        mesh.positions.iter_mut().for_each(|p| p.x += 0.06 + 0.57 * k as Real);
        let checker = |uv: Vec2| skins[k][((uv.x.floor() + uv.y.floor()) as i64).rem_euclid(2) as usize];
        picture.draw(&mesh, &corner_uvs(&mesh), &checker);
    }
    picture.develop().save(folder.join("arm.png"))?;
    println!("open target/skinning_arm/arm.png: linear on the left, dual quaternions on the right");
    Ok(())
}
