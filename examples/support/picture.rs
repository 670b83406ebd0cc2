//! A small rasteriser for the examples' stills: triangles with a depth buffer, a checker texture by UV, soft light from
//! two sides, four by four samples per pixel.

use sinew::geometry::Mesh;
use sinew::math::{Real, Vec2, Vec3};
use std::path::Path;

const SAMPLES: usize = 4;
const BACKGROUND: Vec3 = Vec3::new(0.93, 0.94, 0.95);

/// A picture that is drawn at four times its width and height.
pub struct Picture {
    width: usize,
    height: usize,
    colour: Vec<Vec3>,
    depth: Vec<Real>,
    /// The point in the middle and how many pixels a metre has.
    centre: Vec2,
    scale: Real,
}

impl Picture {
    /// An empty picture that looks along -z at `centre`, `metres` wide.
    pub fn new(width: usize, height: usize, centre: Vec2, metres: Real) -> Self {
        let (width, height) = (width * SAMPLES, height * SAMPLES);
        let colour = vec![BACKGROUND; width * height];
        let depth = vec![Real::NEG_INFINITY; width * height];
        Picture { width, height, colour, depth, centre, scale: width as Real / metres }
    }

    /// Draws a mesh, moved by `offset`; faces are fans around their first corner.
    pub fn draw(&mut self, mesh: &Mesh, offset: Vec3, colours: [Vec3; 2]) {
        let normals = vertex_normals(mesh);
        for face in 0..mesh.face_count() {
            let first = mesh.corners(face).start;
            for corner in first + 1..mesh.corners(face).end - 1 {
                self.triangle(mesh, &normals, [first, corner, corner + 1], offset, colours);
            }
        }
    }

    fn triangle(
        &mut self,
        mesh: &Mesh,
        normals: &[Vec3],
        corners: [usize; 3],
        offset: Vec3,
        colours: [Vec3; 2],
    ) {
        let vertices = corners.map(|c| mesh.corner_vertices[c] as usize);
        let screen = vertices.map(|v| {
            let p = mesh.positions[v] + offset;
            let (x, y) = ((p.x - self.centre.x) * self.scale, (p.y - self.centre.y) * self.scale);
            Vec3::new(x + self.width as Real * 0.5, self.height as Real * 0.5 - y, p.z)
        });
        let uvs = mesh.uvs.as_ref().map(|layer| corners.map(|c| layer.values[layer.indices[c] as usize]));
        let [a, b, c] = screen;
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
                let z = w.x * a.z + w.y * b.z + w.z * c.z;
                let pixel = y * self.width + x;
                if w.min() < 0.0 || z <= self.depth[pixel] {
                    continue;
                }
                let normal = (0..3).map(|k| normals[vertices[k]] * w[k]).sum::<Vec3>().normalize();
                let uv = uvs.map_or(Vec2::zeros(), |uv| (0..3).map(|k| uv[k] * w[k]).sum());
                let checker = ((uv.x.floor() + uv.y.floor()) as i64).rem_euclid(2) as usize;
                self.depth[pixel] = z;
                self.colour[pixel] = colours[checker] * light(normal);
            }
        }
    }

    /// Averages the samples and writes a PNG.
    pub fn save(&self, path: &Path) -> Result<(), image::ImageError> {
        let (width, height) = (self.width / SAMPLES, self.height / SAMPLES);
        let pixel = |x: u32, y: u32| {
            let samples = (0..SAMPLES * SAMPLES).map(|k| {
                let (x, y) = (x as usize * SAMPLES + k % SAMPLES, y as usize * SAMPLES + k / SAMPLES);
                self.colour[y * self.width + x]
            });
            let mean = samples.sum::<Vec3>() / (SAMPLES * SAMPLES) as Real;
            // Linear light to the display's gamma.
            image::Rgb([0, 1, 2].map(|k| (mean[k].clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8))
        };
        image::RgbImage::from_fn(width as u32, height as u32, pixel).save(path)
    }
}

/// A key light from the upper left, a fill from the right, a little from everywhere.
fn light(normal: Vec3) -> Real {
    let from = |x: Real, y: Real, z: Real| normal.dot(&Vec3::new(x, y, z).normalize()).max(0.0);
    0.18 + 0.72 * from(-0.5, 0.8, 0.9) + 0.25 * from(0.9, 0.1, 0.4)
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
