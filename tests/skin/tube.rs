//! A tube around the y axis, and turns about it.

use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Vec3};
use std::f64::consts::{PI, TAU};

/// How far around the y axis `place` is ahead of `home`, -pi..pi.
pub fn ahead(place: &Vec3, home: &Vec3) -> Real {
    let angle = |p: &Vec3| p.z.atan2(p.x);
    (angle(place) - angle(home) + 3.0 * PI).rem_euclid(TAU) - PI
}

/// About the y axis.
pub fn turned(p: &Vec3, angle: Real) -> Vec3 {
    let (s, c) = angle.sin_cos();
    Vec3::new(c * p.x - s * p.z, p.y, s * p.x + c * p.z)
}

pub const RADIUS: Real = 0.05;
pub const LENGTH: Real = 4.0 * RADIUS;

/// A tube whose quads are cut alternately, so that the cut prefers no sense of rotation.
pub fn tube(n: usize) -> Mesh {
    let quads = shapes::cylinder(RADIUS, LENGTH, n, n);
    let mut mesh = Mesh { positions: quads.positions.clone(), face_offsets: vec![0], ..Mesh::default() };
    for f in 0..quads.face_count() {
        let q = quads.face(f);
        let k = (f / n + f % n) % 2;
        mesh.corner_vertices.extend([q[k], q[k + 1], q[k + 2], q[k], q[k + 2], q[(k + 3) % 4]]);
        mesh.face_offsets.extend([mesh.corner_vertices.len() as u32 - 3, mesh.corner_vertices.len() as u32]);
    }
    mesh
}

/// From 0 at the lower rim to 1 at the upper one.
pub fn height(mesh: &Mesh, v: usize) -> Real {
    let low = mesh.positions.iter().map(|p| p.y).fold(Real::INFINITY, Real::min);
    (mesh.positions[v].y - low) / LENGTH
}
