//! An arm bends its elbow and twists its forearm by half a turn: linear skinning beside dual quaternions.
//!
//! `cargo run --release --example skinning_arm` writes a picture into `target/skinning_arm`, and prints how much of the
//! arm's volume and girth each method keeps. The arm is that of `sinew demo --arm`.

mod support;

use sinew::anatomy::arm::{self, ALONG, AROUND, FRAMES};
use sinew::control::Control;
use sinew::drawing::{Camera, Canvas, corner_uvs};
use sinew::geometry::Mesh;
use sinew::math::{Affine, Real, Vec2, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

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

/// Runs the node over all frames and returns the last.
fn animate(method: &str, rest: &Mesh) -> Result<Mesh, Box<dyn Error>> {
    let influences = arm::weights(rest);
    let counts: Vec<u32> = influences.iter().map(|i| i.len() as u32).collect();
    let (joints, values): (Vec<u32>, Vec<Real>) = influences.into_iter().flatten().unzip();
    let mut node = Instance::new("skinning")?;
    node.set_param_text("method", method)?;
    node.set_array("rest_joints", &ArrayView::from_slice(&flat(&arm::rest()), 16)?)?;
    node.set_array("influence_counts", &ArrayView::from_slice(&counts, 1)?)?;
    node.set_array("influence_joints", &ArrayView::from_slice(&joints, 1)?)?;
    node.set_array("influence_weights", &ArrayView::from_slice(&values, 1)?)?;
    let rest_points: Vec<Real> = rest.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    let mut mesh = rest.clone();
    let mut seconds = 0.0;
    for frame in 1..=FRAMES {
        node.set_array("joints", &ArrayView::from_slice(&flat(&arm::pose(frame)), 16)?)?;
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
    }
    println!(
        "{method:16} volume {:5.1} % of rest   thinnest ring {:5.1} % of rest   {:.3} ms a frame",
        100.0 * volume(&mesh) / volume(rest),
        100.0 * thinnest(&mesh, rest),
        1e3 * seconds / FRAMES as Real
    );
    Ok(mesh)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("target/skinning_arm");
    std::fs::create_dir_all(folder)?;
    let rest = arm::mesh();
    println!("an arm of {} vertices, elbow bent by 72 degrees, forearm twisted by 180", rest.positions.len());
    let mut picture = Canvas::new(1100, 560, &Camera::front(Vec3::new(0.555, 0.115, 0.0), 1.18));
    let skins = [
        [Vec3::new(0.80, 0.42, 0.30), Vec3::new(0.95, 0.78, 0.66)],
        [Vec3::new(0.16, 0.42, 0.52), Vec3::new(0.74, 0.88, 0.88)],
    ];
    for (k, method) in ["linear", "dual_quaternion"].into_iter().enumerate() {
        let mut mesh = animate(method, &rest)?;
        mesh.positions.iter_mut().for_each(|p| p.x += 0.06 + 0.57 * k as Real);
        let checker = |uv: Vec2| skins[k][((uv.x.floor() + uv.y.floor()) as i64).rem_euclid(2) as usize];
        picture.draw(&mesh, &corner_uvs(&mesh), &checker);
    }
    picture.develop().save(folder.join("arm.png"))?;
    println!("open target/skinning_arm/arm.png: linear on the left, dual quaternions on the right");
    Ok(())
}
