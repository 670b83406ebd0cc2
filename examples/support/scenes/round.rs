//! Tori and tubes.

use super::weave::{ball, rings};
use super::{Camera, Motion, SkinScene, Texture};
use sinew::anatomy::shaping::{pulse, step, turned};
use sinew::drawing::motifs::{checker, lines, rgb};
use sinew::geometry::{CornerLayer, Mesh, shapes};
use sinew::math::{Real, Vec2, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

const RING: Real = 0.30;
const TUBE: Real = 0.11;

/// 36 by 16 quads: the paper's 576 vertices and 1152 triangles.
fn ring() -> Mesh {
    shapes::torus(RING, TUBE, 36, 16)
}

/// Squares of about 2 cm, in two tones that change along the ring so that places can be told apart.
fn ring_texture() -> Texture {
    Box::new(|uv: Vec2| {
        let hue = 0.5 - 0.5 * (TAU * uv.x).cos();
        let dark = rgb(0x2f7f8f).lerp(&rgb(0xc8553d), hue);
        let squares = checker(Vec2::new(uv.x * 72.0, uv.y * 24.0), [dark, rgb(0xf5ead8)]);
        if lines(Vec2::new(uv.x * 12.0, uv.y * 4.0), 0.05) { rgb(0x2b2f3a) } else { squares }
    })
}

/// One side moves outwards and swells a little, so that a texture that stays where it is stretches there only.
pub fn torus() -> SkinScene {
    let motion: Motion = Box::new(|p, t| {
        let amount = step(0.0, 1.25, t);
        let flat = Vec3::new(p.x, 0.0, p.z);
        let out = flat.normalize();
        let near = (0.5 + 0.5 * out.x).powi(3) * amount;
        p + (p - out * RING) * (0.15 * near) + Vec3::new(0.30 * near, 0.0, 0.0)
    });
    let mut scene = SkinScene::new("torus", "", ring(), motion, ring_texture());
    scene.camera = Camera { target: Vec3::new(0.15, -0.02, 0.0), yaw: 0.0, pitch: 0.95, width: 1.22 };
    scene.size = [640, 520];
    scene.shown = vec![(40, "Torus deformation: spread of the stretch")];
    scene
}

/// Two swings a second along x, then a stop within an eighth of a second, and a second to settle.
pub fn torus_shaking() -> SkinScene {
    let motion: Motion = Box::new(|p, t| {
        let swing = pulse([0.0, 0.25, 1.5, 1.625], t);
        p + Vec3::new(0.12 * swing * (2.0 * TAU * t).sin(), 0.0, 0.0)
    });
    let mut scene = SkinScene::new("torus_shaking", "", ring(), motion, ring_texture());
    (scene.fps, scene.frames, scene.stop, scene.follow) = (48.0, 125, Some(1.625), true);
    scene.props = [-1.0, 1.0]
        .map(|side| {
            (ball(Vec3::new(0.0, 0.04, side * (RING + TUBE + 0.015)), Vec3::repeat(0.018)), rgb(0xf2b632))
        })
        .to_vec();
    scene.camera = Camera { target: Vec3::zeros(), yaw: 0.0, pitch: 0.95, width: 0.92 };
    scene.size = [420, 370];
    scene.shown = vec![(48, "Torus shaking: the skin at four values of zeta (balls mark the body)")];
    scene
}

const RADIUS: Real = 0.1;
const LENGTH: Real = 0.4;
const AROUND: usize = 22;
const ALONG: usize = 29;

/// A tube along x of 22 by 29 quads: the paper's 660 vertices and 1276 triangles. Its right half twists by a quarter
/// turn. Both rims are held, or the right one is free to slide.
///
/// Any tube with these counts has 44 vertices on its rims (T = 2 V - B), so 44 rows of constraints hold both rims one
/// way or one rim both ways. With a free right rim the left one is held both ways. Held rims take a row at each vertex:
/// no sliding around. Along the tube they need none: the twist pulls the skin outwards, and beyond the rims there is no
/// body.
pub fn cylinder(free: bool) -> SkinScene {
    let mut rest = cut_alternately(&shapes::cylinder(RADIUS, LENGTH, AROUND, ALONG));
    rest.positions.iter_mut().for_each(|p| *p = Vec3::new(p.y - 0.5 * LENGTH, -p.x, p.z));
    let motion: Motion = Box::new(|p, t| {
        let angle = step(0.0, 1.5, t) * FRAC_PI_2 * (p.x / (0.5 * LENGTH)).max(0.0);
        turned(p, Vec3::zeros(), Vec3::x(), -angle)
    });
    // Twelve stripes of three squares each: the pattern closes around the tube.
    let texture: Texture = Box::new(|uv: Vec2| {
        let tone = [rgb(0x3f78a8), rgb(0xdcebf2)];
        let line = lines(Vec2::new(uv.x * 12.0, 0.5), 0.12);
        if line { rgb(0xc8553d) } else { checker(Vec2::new(uv.x * 36.0, uv.y * 23.0), tone) }
    });
    let mut scene = SkinScene::new("cylinder", if free { "free" } else { "" }, rest, motion, texture);
    for left in 0..AROUND {
        scene.fixed[left] = free;
        for rim in [left, ALONG * AROUND + left].into_iter().filter(|_| !free) {
            let p = scene.rest.positions[rim];
            scene.rows.push((rim as u32, Vec3::new(0.0, -p.z, p.y).normalize()));
        }
    }
    let inside = |k: usize| -> Vec<Vec3> {
        let x = LENGTH * (k as Real / 8.0 - 0.5);
        let place = |i: usize| (TAU * i as Real / 48.0).sin_cos();
        (0..48).map(place).map(|(sin, cos)| Vec3::new(x, 0.95 * RADIUS * sin, 0.95 * RADIUS * cos)).collect()
    };
    scene.props = vec![(rings(&(0..=8).map(inside).collect::<Vec<_>>()), rgb(0x6d7683))];
    scene.camera = Camera { target: Vec3::zeros(), yaw: 0.38, pitch: 0.22, width: 0.50 };
    scene.size = [640, 360];
    let shown = if free { "Cylinder twisting: right rim free" } else { "Cylinder twisting: both rims held" };
    scene.shown = vec![(40, shown)];
    scene
}

/// Quads split along alternating diagonals, so that neither sense of rotation is preferred.
fn cut_alternately(quads: &Mesh) -> Mesh {
    let uvs = quads.uvs.as_ref().expect("shapes have UVs");
    let mut mesh = Mesh { positions: quads.positions.clone(), face_offsets: vec![0], ..Mesh::default() };
    let mut layer = CornerLayer { values: uvs.values.clone(), indices: Vec::new() };
    for f in 0..quads.face_count() {
        let first = quads.corners(f).start;
        let k = (f / AROUND + f % AROUND) % 2;
        for corner in [k, k + 1, k + 2, k, k + 2, (k + 3) % 4] {
            mesh.corner_vertices.push(quads.corner_vertices[first + corner]);
            layer.indices.push(uvs.indices[first + corner]);
        }
        mesh.face_offsets.extend([6 * f as u32 + 3, 6 * f as u32 + 6]);
    }
    Mesh { uvs: Some(layer), ..mesh }
}
