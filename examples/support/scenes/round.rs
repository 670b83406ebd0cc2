//! Tori and tubes.

use super::motifs::{checker, lines, rgb};
use super::{Camera, Motion, SkinScene, Texture, pulse, step, turned};
use sinew::geometry::{Mesh, shapes};
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
    scene.shown = vec![40];
    scene
}

/// Two swings a second along x, then a stop within an eighth of a second, and a second and a half to settle.
pub fn torus_shaking() -> SkinScene {
    let motion: Motion = Box::new(|p, t| {
        let swing = pulse([0.0, 0.25, 1.5, 1.625], t);
        p + Vec3::new(0.12 * swing * (2.0 * TAU * t).sin(), 0.0, 0.0)
    });
    let mut scene = SkinScene::new("torus_shaking", "", ring(), motion, ring_texture());
    (scene.frames, scene.stop, scene.follow) = (76, Some(1.625), true);
    scene.camera = Camera { target: Vec3::zeros(), yaw: 0.0, pitch: 0.95, width: 1.0 };
    scene.size = [640, 520];
    scene.shown = vec![33, 39];
    scene
}

const RADIUS: Real = 0.1;
const LENGTH: Real = 0.4;
const AROUND: usize = 22;
const ALONG: usize = 29;

/// A tube along x of 22 by 29 quads: the paper's 660 vertices and 1276 triangles. Its right half twists by a quarter
/// turn. The left rim is held; the right one is held too, or free to slide around.
pub fn cylinder(free: bool) -> SkinScene {
    let mut rest = shapes::cylinder(RADIUS, LENGTH, AROUND, ALONG);
    rest.positions.iter_mut().for_each(|p| *p = Vec3::new(p.y - 0.5 * LENGTH, -p.x, p.z));
    let motion: Motion = Box::new(|p, t| {
        let angle = step(0.0, 1.5, t) * FRAC_PI_2 * (p.x / (0.5 * LENGTH)).max(0.0);
        turned(p, Vec3::zeros(), Vec3::x(), -angle)
    });
    let texture: Texture = Box::new(|uv: Vec2| {
        let tone = [rgb(0x3f78a8), rgb(0xdcebf2)];
        let line = lines(Vec2::new(uv.x * 11.0, 0.5), 0.12);
        if line { rgb(0xc8553d) } else { checker(Vec2::new(uv.x * 33.0, uv.y * 21.0), tone) }
    });
    let mut scene = SkinScene::new("cylinder", if free { "free" } else { "" }, rest, motion, texture);
    for i in 0..AROUND {
        let right = ALONG * AROUND + i;
        scene.fixed[i] = true;
        scene.fixed[right] = !free;
        if free {
            let p = scene.rest.positions[right];
            scene.slide[right] = Some(Vec3::new(0.0, -p.z, p.y).normalize());
        }
    }
    scene.camera = Camera { target: Vec3::zeros(), yaw: 0.0, pitch: 0.30, width: 0.52 };
    scene.size = [640, 340];
    scene.shown = vec![40];
    scene
}
