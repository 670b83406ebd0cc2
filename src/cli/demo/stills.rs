//! The demo's still images: standard skinning next to sliding skin.

use super::{body, skin};
use image::RgbImage;
use rayon::prelude::*;
use sinew_base::error::Result;
use sinew_drawing::page::{Panel, page, small_png};
use sinew_drawing::{Camera, Canvas, corner_uvs};
use sinew_formats::{atomic, obj};
use sinew_geometry::Mesh;
use sinew_math::{Vec2, Vec3};
use sinew_report::frame_file;
use std::io::Write;
use std::path::{Path, PathBuf};

const SIZE: [usize; 2] = [600, 640];

/// Draws the farthest turn and the top of the swallow with the texture, and returns the files.
pub fn write(folder: &Path, results: &Path, rest: &Mesh, texture: &RgbImage) -> Result<Vec<PathBuf>> {
    let target = Vec3::new(0.0, 0.112, 0.02);
    let turned = Camera { target, yaw: 0.25, pitch: 0.0, width: 0.27 };
    let swallowing = Camera { target: Vec3::new(0.0, 0.105, 0.03), yaw: 0.9, pitch: 0.0, width: 0.2 };
    let shots = [
        ("turn", body::TURNED, turned, "The head turns"),
        ("swallow", body::SWALLOWING, swallowing, "The neck swallows"),
    ];
    let each = shots.into_par_iter().map(|(name, frame, camera, title)| {
        let path = folder.join(format!("{name}.png"));
        let slid = obj::read(&frame_file(results, "uv", "obj", frame))?.mesh;
        let panel = |caption: &str, uvs: &Mesh| Panel {
            image: draw(&slid, &corner_uvs(uvs), &camera, texture),
            caption: caption.into(),
        };
        let (standard, sliding) =
            rayon::join(|| panel("standard skinning", rest), || panel("sliding", &slid));
        let bytes = small_png(&page(title, &[standard, sliding], None))?;
        atomic::write(&path, |file| file.write_all(&bytes))?;
        Ok(path)
    });
    each.collect()
}

fn draw(body: &Mesh, uvs: &[Vec2], camera: &Camera, texture: &RgbImage) -> RgbImage {
    let mut picture = Canvas::new(SIZE[0], SIZE[1], camera);
    picture.draw(body, uvs, &skin::reader(texture));
    picture.develop()
}
