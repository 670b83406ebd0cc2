//! A small rasteriser: triangles with a depth buffer, rounded by their normals (Boubekeur and
//! Alexa, "Phong tessellation", 2008), a texture and a normal map by UV, soft light from two sides, four by four
//! samples per pixel.
use image::{Rgb, RgbImage};
use sinew_geometry::Mesh;
use sinew_math::elementary::{powf_of_colour, sin_cos};
use sinew_math::{Real, Vec2, Vec3};

const SAMPLES: usize = 4;
// Grey, so that reducing the number of colours does not tint it.
const SKY: [Vec3; 2] = [Vec3::new(0.96, 0.96, 0.96), Vec3::new(0.82, 0.82, 0.82)];
/// The strength of the rounding: 0 is flat.
const ROUND: Real = 0.6;
/// Meshes with fewer triangles are subdivided this many times along each side, others are drawn as they are.
const COARSE: [usize; 2] = [4000, 4];

/// The view: a parallel projection.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// The point at the centre of the picture.
    pub target: Vec3,
    /// The rotation about y in radians: 0 looks along -z, a quarter turn along -x.
    pub yaw: Real,
    /// The elevation of the viewer, in radians.
    pub pitch: Real,
    /// The width of the picture in metres.
    pub width: Real,
}

impl Camera {
    /// Straight along -z.
    pub fn front(target: Vec3, width: Real) -> Self {
        Camera { target, yaw: 0.0, pitch: 0.0, width }
    }

    /// The directions to the right, up and towards the viewer.
    pub fn axes(&self) -> [Vec3; 3] {
        let ((sy, cy), (sp, cp)) = (sin_cos(self.yaw), sin_cos(self.pitch));
        [Vec3::new(cy, 0.0, -sy), Vec3::new(-sy * sp, cp, -cy * sp), Vec3::new(sy * cp, sp, cy * cp)]
    }
}

/// A colour in linear light for every UV; or, as a normal map, the surface normal in the frame of u, v and the
/// smooth normal.
pub type Texture<'a> = &'a dyn Fn(Vec2) -> Vec3;

/// The UV of every corner of a mesh; zero if there is none.
pub fn corner_uvs(mesh: &Mesh) -> Vec<Vec2> {
    let uv = |c: usize| mesh.uvs.as_ref().and_then(|l| l.values.get(l.indices[c] as usize).copied());
    (0..mesh.corner_vertices.len()).map(|c| uv(c).unwrap_or_default()).collect()
}

/// A picture that is rendered at four times its width and height.
pub struct Canvas {
    width: usize,
    height: usize,
    colour: Vec<[f32; 3]>,
    depth: Vec<f32>,
    axes: [Vec3; 3],
    target: Vec3,
    /// The width of the picture in metres.
    view: Real,
    lights: Lights,
}

/// A corner of a triangle in view space: x to the right, y up, z towards the viewer.
#[derive(Clone, Copy)]
struct Corner {
    place: Vec3,
    normal: Vec3,
    uv: Vec2,
}

/// A texture, and a normal map with the directions of increasing u and v.
struct Paint<'a> {
    texture: Texture<'a>,
    relief: Option<(Texture<'a>, [Vec3; 2])>,
}

impl Canvas {
    /// An empty picture.
    pub fn new(width: usize, height: usize, camera: &Camera) -> Self {
        Canvas::before(width, height, camera, SKY)
    }

    /// The same in front of a vertical gradient between two colours.
    pub fn before(width: usize, height: usize, camera: &Camera, sky: [Vec3; 2]) -> Self {
        let (width, height) = (width * SAMPLES, height * SAMPLES);
        let row = |y: usize| {
            let sky = sky[0].lerp(&sky[1], y as Real / height as Real);
            [sky.x as f32, sky.y as f32, sky.z as f32]
        };
        let colour = (0..width * height).map(|k| row(k / width)).collect();
        let depth = vec![f32::NEG_INFINITY; width * height];
        Canvas {
            width,
            height,
            colour,
            depth,
            axes: camera.axes(),
            target: camera.target,
            view: camera.width,
            lights: Lights::new(),
        }
    }

    /// Draws a mesh with one UV per corner; faces are fans around their first corner.
    pub fn draw(&mut self, mesh: &Mesh, uvs: &[Vec2], texture: Texture) {
        self.draw_in_relief(mesh, uvs, texture, None);
    }

    /// The same with a normal map.
    pub fn draw_in_relief(&mut self, mesh: &Mesh, uvs: &[Vec2], texture: Texture, relief: Option<Texture>) {
        let normals = vertex_normals(mesh);
        let triangles = mesh.corner_vertices.len() - 2 * mesh.face_count();
        let cuts = if triangles < COARSE[0] { COARSE[1] } else { 1 };
        for face in 0..mesh.face_count() {
            let first = mesh.corners(face).start;
            for corner in first + 1..mesh.corners(face).end - 1 {
                let corners = [first, corner, corner + 1].map(|c| {
                    let v = mesh.corner_vertices[c] as usize;
                    let place = self.seen(&mesh.positions[v]);
                    Corner { place, normal: self.axes.map(|a| a.dot(&normals[v])).into(), uv: uvs[c] }
                });
                let paint = Paint { texture, relief: relief.map(|map| (map, directions(&corners))) };
                self.round(&corners, cuts, &paint);
            }
        }
    }

    /// A point in view space, in metres from the centre of the picture.
    fn seen(&self, p: &Vec3) -> Vec3 {
        self.axes.map(|a| a.dot(&(p - self.target))).into()
    }

    /// The position of a point in the picture, as fractions of its width and height, and whether it is visible.
    pub fn place(&self, p: &Vec3) -> (Vec2, bool) {
        let seen = self.seen(p);
        let at = self.screen(&seen);
        let inside = at.x >= 0.0 && at.y >= 0.0 && at.x < self.width as Real && at.y < self.height as Real;
        // A facet may protrude slightly over a point that lies on it.
        let shown = inside
            && self.depth[at.y as usize * self.width + at.x as usize] < (seen.z + 0.01 * self.view) as f32;
        (Vec2::new(at.x / self.width as Real, at.y / self.height as Real), shown)
    }

    fn screen(&self, seen: &Vec3) -> Vec2 {
        let scale = self.width as Real / self.view;
        Vec2::new(0.5 * self.width as Real + scale * seen.x, 0.5 * self.height as Real - scale * seen.y)
    }

    /// A triangle curved according to its normals.
    fn round(&mut self, corners: &[Corner; 3], cuts: usize, paint: &Paint) {
        let unit = corners.map(|c| c.normal.try_normalize(0.0).unwrap_or_else(Vec3::z));
        let at = |i: usize, j: usize| {
            let w = [cuts - i - j, i, j].map(|n| n as Real / cuts as Real);
            let flat: Vec3 = (0..3).map(|k| corners[k].place * w[k]).sum();
            let tangent = |k: usize| flat - unit[k] * (flat - corners[k].place).dot(&unit[k]);
            let round: Vec3 = (0..3).map(|k| tangent(k) * w[k]).sum();
            Corner {
                place: flat.lerp(&round, ROUND),
                normal: (0..3).map(|k| unit[k] * w[k]).sum(),
                uv: (0..3).map(|k| corners[k].uv * w[k]).sum(),
            }
        };
        for (i, j) in (0..cuts).flat_map(|i| (0..cuts - i).map(move |j| (i, j))) {
            self.fill(&[at(i, j), at(i + 1, j), at(i, j + 1)], paint);
            if i + j + 1 < cuts {
                self.fill(&[at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], paint);
            }
        }
    }

    fn fill(&mut self, corners: &[Corner; 3], paint: &Paint) {
        let [a, b, c] = [0, 1, 2].map(|k| self.screen(&corners[k].place));
        let area = (b - a).perp(&(c - a));
        if area == 0.0 {
            return;
        }
        let (low, high) = (a.inf(&b).inf(&c), a.sup(&b).sup(&c));
        let clamp = |x: Real, size: usize| x.clamp(0.0, size as Real) as usize;
        for y in clamp(low.y, self.height)..clamp(high.y + 1.0, self.height) {
            for x in clamp(low.x, self.width)..clamp(high.x + 1.0, self.width) {
                let p = Vec2::new(x as Real + 0.5, y as Real + 0.5);
                let weight = |q: Vec2, r: Vec2| (q - p).perp(&(r - p)) / area;
                let w = [weight(b, c), weight(c, a), weight(a, b)];
                let z = (0..3).map(|k| w[k] * corners[k].place.z).sum::<Real>() as f32;
                let pixel = y * self.width + x;
                if w.iter().any(|&w| w < 0.0) || z <= self.depth[pixel] {
                    continue;
                }
                let mut normal = (0..3).map(|k| corners[k].normal * w[k]).sum::<Vec3>().normalize();
                let uv = (0..3).map(|k| corners[k].uv * w[k]).sum();
                if let Some((map, directions)) = paint.relief {
                    normal = mapped(normal, directions, map(uv));
                }
                let shaded =
                    (paint.texture)(uv) * self.lights.light(normal) + Vec3::repeat(self.lights.gloss(normal));
                self.depth[pixel] = z;
                self.colour[pixel] = [shaded.x as f32, shaded.y as f32, shaded.z as f32];
            }
        }
    }

    /// Lays another picture of the same size and view over this one, as through glass: 0 leaves this one, 1 the other.
    pub fn veil(&mut self, front: &Canvas, opacity: f32) {
        for (own, other) in self.colour.iter_mut().zip(&front.colour) {
            (0..3).for_each(|c| own[c] += opacity * (other[c] - own[c]));
        }
    }

    /// Averages the samples.
    pub fn develop(&self) -> RgbImage {
        let (width, height) = (self.width / SAMPLES, self.height / SAMPLES);
        let pixel = |x: u32, y: u32| {
            let mut sum = [0.0; 3];
            for k in 0..SAMPLES * SAMPLES {
                let (x, y) = (x as usize * SAMPLES + k % SAMPLES, y as usize * SAMPLES + k / SAMPLES);
                // Clamped before averaging, so that edges of bright things stay smooth.
                let sample = self.colour[y * self.width + x];
                (0..3).for_each(|c| sum[c] += sample[c].clamp(0.0, 1.0));
            }
            // Linear light to the display's gamma.
            let count = (SAMPLES * SAMPLES) as f32;
            Rgb(sum.map(|c| (powf_of_colour(Real::from(c / count), 1.0 / 2.2) * 255.0).round() as u8))
        };
        RgbImage::from_fn(width as u32, height as u32, pixel)
    }
}

/// A normal perturbed by a normal map, in the frame given by the UVs.
fn mapped(normal: Vec3, directions: [Vec3; 2], bent: Vec3) -> Vec3 {
    let [u, v] = directions.map(|d| (d - normal * normal.dot(&d)).try_normalize(0.0).unwrap_or_default());
    (u * bent.x + v * bent.y + normal * bent.z).normalize()
}

/// The directions of increasing u and v over a triangle.
fn directions(corners: &[Corner; 3]) -> [Vec3; 2] {
    let edge = |k: usize| (corners[k].place - corners[0].place, corners[k].uv - corners[0].uv);
    let ((a, p), (b, q)) = (edge(1), edge(2));
    let sign = p.perp(&q).signum();
    [(a * q.y - b * p.y) * sign, (b * p.x - a * q.x) * sign]
}

/// A key light from the upper left and a fill from the right, in view space; their directions have length 1.
struct Lights {
    key: Vec3,
    fill: Vec3,
    /// Half way between the key light and the viewer.
    half: Vec3,
}

impl Lights {
    fn new() -> Self {
        let key = Vec3::new(-0.5, 0.8, 0.9).normalize();
        let fill = Vec3::new(0.9, 0.1, 0.4).normalize();
        Lights { key, fill, half: (key + Vec3::z()).normalize() }
    }

    /// A soft highlight of the key light.
    fn gloss(&self, normal: Vec3) -> Real {
        0.09 * normal.dot(&self.half).max(0.0).powi(28)
    }

    /// Both lights and some ambient light, more from above.
    fn light(&self, normal: Vec3) -> Real {
        let from = |light: &Vec3| normal.dot(light).max(0.0);
        0.22 + 0.05 * normal.y + 0.66 * from(&self.key) + 0.22 * from(&self.fill)
    }
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
