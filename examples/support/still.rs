//! Stills of the scenes: the body with the texture where standard skinning or sliding skin has it.

use super::scenes::{SkinScene, numbers};
use super::sliding::Run;
use image::{Rgb, RgbImage};
use sinew::drawing::ink::{INK, arrow, dashes};
use sinew::drawing::{Canvas, Texture, corner_uvs};
use sinew::error::Result;
use sinew::geometry::atlas::IslandUvs;
use sinew::math::{Real, Vec2, Vec3};

const ARROW: Rgb<u8> = Rgb([200, 40, 30]);

fn draw(scene: &SkinScene, time: Real, uvs: &[Vec2]) -> (Canvas, RgbImage) {
    let mut picture = Canvas::new(scene.size[0], scene.size[1], &scene.view(time));
    for (prop, colour) in &scene.posed_props(time) {
        picture.draw(prop, &corner_uvs(prop), &|_| *colour);
    }
    let relief = scene.relief.as_deref().map(|map| map as Texture);
    picture.draw_in_relief(&scene.posed(time), uvs, &*scene.texture, relief);
    let mut image = picture.develop();
    let [width, height] = scene.size.map(|n| n as Real);
    for guide in &scene.guides {
        let y = picture.place(guide).0.y * height;
        dashes(&mut image, [Vec2::new(0.0, y), Vec2::new(width, y)], INK);
    }
    (picture, image)
}

/// The texture moves with the body.
pub fn skinning(scene: &SkinScene, frame: usize) -> RgbImage {
    draw(scene, scene.time(frame), &corner_uvs(&scene.rest)).1
}

/// The texture and the normal map move with the skin; arrows tell from where on the body it came.
pub fn sliding(scene: &SkinScene, run: &Run, frame: usize) -> Result<RgbImage> {
    let moment = &run.moments[frame];
    let islands = IslandUvs::new(&scene.rest, &run.tri, &run.edges)?;
    let mut uvs = vec![Vec2::zeros(); scene.rest.corner_vertices.len()];
    for face in 0..scene.rest.face_count() {
        let points: Vec<_> = scene.rest.face(face).iter().map(|&v| moment.points[v as usize]).collect();
        islands.face_uvs(&points, face, &mut uvs[scene.rest.corners(face)])?;
    }
    let (picture, mut image) = draw(scene, scene.time(frame), &uvs);
    let (points, scale) = &scene.arrows;
    let now = |skin: &[Vec3]| numbers::material(&run.tri, &moment.body, skin, points);
    let size = Vec2::new(scene.size[0] as Real, scene.size[1] as Real);
    for (from, to) in now(&run.tri.positions)?.iter().zip(now(&moment.skin)?) {
        let ((a, shown), (b, _)) = (picture.place(from), picture.place(&(from + (to - from) * *scale)));
        if shown {
            arrow(&mut image, a.component_mul(&size), b.component_mul(&size), ARROW);
        }
    }
    Ok(image)
}
