//! A small rasteriser for the examples' stills: triangles with a depth buffer, a texture by UV, soft light from two
//! sides, four by four samples per pixel; and two panels side by side with captions.
use super::font;
use image::imageops::FilterType;
use image::{Rgb, RgbImage};
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec2, Vec3};
use std::path::{Path, PathBuf};

const SAMPLES: usize = 4;
const SKY: [Vec3; 2] = [Vec3::new(0.955, 0.965, 0.975), Vec3::new(0.80, 0.82, 0.85)];
const INK: Rgb<u8> = Rgb([52, 58, 70]);

/// Where one looks from: a parallel projection.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// The point in the middle of the picture.
    pub target: Vec3,
    /// The turn about y in radians: 0 looks along -z, a quarter turn along -x.
    pub yaw: Real,
    /// How far from above one looks, in radians.
    pub pitch: Real,
    /// How many metres the picture is wide.
    pub width: Real,
}

impl Camera {
    /// Straight along -z.
    pub fn front(target: Vec3, width: Real) -> Self {
        Camera { target, yaw: 0.0, pitch: 0.0, width }
    }

    /// The directions to the right, up and towards the viewer.
    fn axes(&self) -> [Vec3; 3] {
        let ((sy, cy), (sp, cp)) = (self.yaw.sin_cos(), self.pitch.sin_cos());
        [Vec3::new(cy, 0.0, -sy), Vec3::new(-sy * sp, cp, -cy * sp), Vec3::new(sy * cp, sp, cy * cp)]
    }
}

/// A colour in linear light for every UV.
pub type Texture<'a> = &'a dyn Fn(Vec2) -> Vec3;

/// The UV of every corner of a mesh; zero where there is none.
pub fn corner_uvs(mesh: &Mesh) -> Vec<Vec2> {
    let uv = |c: usize| mesh.uvs.as_ref().and_then(|l| l.values.get(l.indices[c] as usize).copied());
    (0..mesh.corner_vertices.len()).map(|c| uv(c).unwrap_or_default()).collect()
}

/// A picture that is drawn at four times its width and height.
pub struct Picture {
    width: usize,
    height: usize,
    colour: Vec<[f32; 3]>,
    depth: Vec<f32>,
    axes: [Vec3; 3],
    target: Vec3,
    /// How many samples a metre has.
    scale: Real,
}

/// A corner of a triangle on the screen.
struct Corner {
    screen: Vec3,
    normal: Vec3,
    uv: Vec2,
}

impl Picture {
    /// An empty picture.
    pub fn new(width: usize, height: usize, camera: &Camera) -> Self {
        let (width, height) = (width * SAMPLES, height * SAMPLES);
        let row = |y: usize| {
            let sky = SKY[0].lerp(&SKY[1], y as Real / height as Real);
            [sky.x as f32, sky.y as f32, sky.z as f32]
        };
        let colour = (0..width * height).map(|k| row(k / width)).collect();
        let depth = vec![f32::NEG_INFINITY; width * height];
        let scale = width as Real / camera.width;
        Picture { width, height, colour, depth, axes: camera.axes(), target: camera.target, scale }
    }

    /// Draws a mesh with one UV per corner; faces are fans around their first corner.
    pub fn draw(&mut self, mesh: &Mesh, uvs: &[Vec2], texture: Texture) {
        let normals = vertex_normals(mesh);
        for face in 0..mesh.face_count() {
            let first = mesh.corners(face).start;
            for corner in first + 1..mesh.corners(face).end - 1 {
                let corners = [first, corner, corner + 1].map(|c| {
                    let v = mesh.corner_vertices[c] as usize;
                    let screen = self.project(&mesh.positions[v]);
                    let normal = self.axes.map(|a| a.dot(&normals[v])).into();
                    Corner { screen, normal, uv: uvs[c] }
                });
                self.triangle(&corners, texture);
            }
        }
    }

    fn project(&self, p: &Vec3) -> Vec3 {
        let [x, y, z] = self.axes.map(|a| a.dot(&(p - self.target)));
        let (x, y) = (x * self.scale, y * self.scale);
        Vec3::new(x + self.width as Real * 0.5, self.height as Real * 0.5 - y, z)
    }

    fn triangle(&mut self, corners: &[Corner; 3], texture: Texture) {
        let [a, b, c] = [0, 1, 2].map(|k| corners[k].screen);
        let area = (b - a).xy().perp(&(c - a).xy());
        if area == 0.0 {
            return;
        }
        let (low, high) = (a.inf(&b).inf(&c), a.sup(&b).sup(&c));
        let clamp = |x: Real, size: usize| x.clamp(0.0, size as Real) as usize;
        for y in clamp(low.y, self.height)..clamp(high.y + 1.0, self.height) {
            for x in clamp(low.x, self.width)..clamp(high.x + 1.0, self.width) {
                let p = Vec2::new(x as Real + 0.5, y as Real + 0.5);
                let weight = |q: Vec3, r: Vec3| (q.xy() - p).perp(&(r.xy() - p)) / area;
                let w = Vec3::new(weight(b, c), weight(c, a), weight(a, b));
                let z = (w.x * a.z + w.y * b.z + w.z * c.z) as f32;
                let pixel = y * self.width + x;
                if w.min() < 0.0 || z <= self.depth[pixel] {
                    continue;
                }
                let normal = (0..3).map(|k| corners[k].normal * w[k]).sum::<Vec3>().normalize();
                let uv = (0..3).map(|k| corners[k].uv * w[k]).sum();
                let shaded = texture(uv) * light(normal);
                self.depth[pixel] = z;
                self.colour[pixel] = [shaded.x as f32, shaded.y as f32, shaded.z as f32];
            }
        }
    }

    /// Averages the samples.
    fn develop(&self) -> RgbImage {
        let (width, height) = (self.width / SAMPLES, self.height / SAMPLES);
        let pixel = |x: u32, y: u32| {
            let mut sum = [0.0; 3];
            for k in 0..SAMPLES * SAMPLES {
                let (x, y) = (x as usize * SAMPLES + k % SAMPLES, y as usize * SAMPLES + k / SAMPLES);
                // Clamped before the mean, so that edges of bright things stay smooth.
                let sample = self.colour[y * self.width + x];
                (0..3).for_each(|c| sum[c] += sample[c].clamp(0.0, 1.0));
            }
            // Linear light to the display's gamma.
            let count = (SAMPLES * SAMPLES) as f32;
            Rgb(sum.map(|c| ((c / count).powf(1.0 / 2.2) * 255.0).round() as u8))
        };
        RgbImage::from_fn(width as u32, height as u32, pixel)
    }

    /// Averages the samples and writes a PNG.
    pub fn save(&self, path: &Path) -> Result<(), image::ImageError> {
        self.develop().save(path)
    }
}

/// One moment of a scene, to be shown in two panels.
pub struct Shot<'a> {
    /// Where one looks from.
    pub camera: Camera,
    /// Width and height of a panel in pixels.
    pub size: [usize; 2],
    /// The texture of the skin.
    pub texture: Texture<'a>,
    /// What else is there, in one colour each.
    pub props: &'a [(Mesh, Vec3)],
    /// What stands below the panels.
    pub captions: [&'a str; 2],
}

impl Shot<'_> {
    /// Writes two panels as a PNG, each a mesh with one UV per corner.
    pub fn save_side_by_side(
        &self,
        path: &Path,
        title: &str,
        left: (&Mesh, &[Vec2]),
        right: (&Mesh, &[Vec2]),
    ) -> Result<(), image::ImageError> {
        const GAP: u32 = 12;
        const BAR: u32 = 46;
        let [width, height] = self.size.map(|n| n as u32);
        let mut page = RgbImage::from_pixel(2 * width + 3 * GAP, height + 2 * BAR, Rgb([252, 252, 253]));
        write(&mut page, title, [GAP + width + GAP / 2, BAR / 2], 3);
        for (k, (mesh, uvs)) in [left, right].into_iter().enumerate() {
            let mut picture = Picture::new(self.size[0], self.size[1], &self.camera);
            for (prop, colour) in self.props {
                picture.draw(prop, &corner_uvs(prop), &|_| *colour);
            }
            picture.draw(mesh, uvs, self.texture);
            let x = GAP + k as u32 * (width + GAP);
            image::imageops::replace(&mut page, &picture.develop(), x.into(), BAR.into());
            write(&mut page, self.captions[k], [x + width / 2, BAR + height + BAR / 2], 2);
        }
        page.save(path)
    }
}

/// Writes a sheet of stills in two columns.
pub fn save_sheet(path: &Path, stills: &[PathBuf]) -> Result<(), image::ImageError> {
    const WIDTH: u32 = 620;
    const GAP: u32 = 8;
    let mut cells = Vec::new();
    for still in stills {
        let still = image::open(still)?.to_rgb8();
        let height = still.height() * WIDTH / still.width();
        cells.push(image::imageops::resize(&still, WIDTH, height, FilterType::Lanczos3));
    }
    let rows: Vec<u32> =
        cells.chunks(2).map(|row| row.iter().map(RgbImage::height).max().unwrap_or(0)).collect();
    let height = rows.iter().map(|h| h + GAP).sum::<u32>() + GAP;
    let mut page = RgbImage::from_pixel(2 * WIDTH + 3 * GAP, height, Rgb([252, 252, 253]));
    let mut y = GAP;
    for (row, tall) in cells.chunks(2).zip(rows) {
        for (k, cell) in row.iter().enumerate() {
            let x = GAP + k as u32 * (WIDTH + GAP);
            image::imageops::replace(&mut page, cell, x.into(), (y + (tall - cell.height()) / 2).into());
        }
        y += tall + GAP;
    }
    page.save(path)
}

/// A line of text around a point, each dot a square of `size` pixels.
fn write(page: &mut RgbImage, text: &str, centre: [u32; 2], size: u32) {
    let half = [text.chars().count() as u32 * font::CELL[0] * size / 2, font::CELL[1] * size / 2];
    font::dots(text, |x, y| {
        for k in 0..size * size {
            let x = (centre[0] + x * size + k % size).checked_sub(half[0]);
            let y = (centre[1] + y * size + k / size).checked_sub(half[1]);
            if let Some(pixel) = x.zip(y).and_then(|(x, y)| page.get_pixel_mut_checked(x, y)) {
                *pixel = INK;
            }
        }
    });
}

/// A key light from the upper left, a fill from the right, a little from everywhere and more from above. The normal is
/// as the viewer sees it.
fn light(normal: Vec3) -> Real {
    let from = |x: Real, y: Real, z: Real| normal.dot(&Vec3::new(x, y, z).normalize()).max(0.0);
    0.22 + 0.05 * normal.y + 0.66 * from(-0.5, 0.8, 0.9) + 0.22 * from(0.9, 0.1, 0.4)
}

fn vertex_normals(mesh: &Mesh) -> Vec<Vec3> {
    let mut normals = vec![Vec3::zeros(); mesh.positions.len()];
    for face in 0..mesh.face_count() {
        let vertices = mesh.face(face);
        let at = |k: usize| mesh.positions[vertices[k] as usize];
        let area: Vec3 = (1..vertices.len() - 1).map(|k| (at(k) - at(0)).cross(&(at(k + 1) - at(0)))).sum();
        vertices.iter().for_each(|&v| normals[v as usize] += area);
    }
    normals
}
