//! Stills of bones and strands: bones shaded, strands as tubes whose colour is their tension.

use super::Run;
use image::{Rgb, RgbImage};
use sinew::drawing::ink::{Align, INK, stroke, write};
use sinew::drawing::{Camera, Canvas, corner_uvs};
use sinew::geometry::{Mesh, shapes, tube};
use sinew::math::{Placement, Real, Vec2, Vec3};
use sinew::strand::energy::tensions;
use sinew::strand::parts::{Body, Carrier};

const SIZE: [usize; 2] = [620, 400];
/// The pixel rows for text.
const STRIP: usize = 46;
/// Colours in linear light; the first is grey, so that reducing the palette does not tint it.
const SKY: Vec3 = Vec3::new(0.90, 0.90, 0.90);
const BONE: Vec3 = Vec3::new(0.83, 0.76, 0.62);
const BOX: Vec3 = Vec3::new(0.20, 0.42, 0.55);
const PULLEY: Vec3 = Vec3::new(0.30, 0.32, 0.36);
/// From slack to the highest tension that the colours distinguish.
const COLOURS: [Vec3; 3] =
    [Vec3::new(0.42, 0.53, 0.66), Vec3::new(0.86, 0.46, 0.10), Vec3::new(0.66, 0.03, 0.05)];

/// The viewpoint, and the factor by which strands are thickened.
pub struct View {
    camera: Camera,
    thicker: Real,
}

const fn view(target: [Real; 3], yaw: Real, pitch: Real, width: Real, thicker: Real) -> View {
    let [x, y, z] = target;
    View { camera: Camera { target: Vec3::new(x, y, z), yaw, pitch, width }, thicker }
}

impl View {
    /// A finger that flexes.
    pub const FINGER: View = view([0.030, -0.016, 0.0], 0.25, 0.12, 0.142, 1.2);
    /// A finger that is nearly straight.
    pub const STRAIGHT: View = view([0.032, 0.0, 0.0], 0.25, 0.12, 0.142, 1.2);
    /// A finger and a box that flies off below it.
    pub const FLICK: View = view([0.016, -0.044, 0.0], 0.15, 0.1, 0.23, 1.2);
    /// Four fingers from the thumb's side and above.
    pub const HAND: View = view([0.010, -0.024, -0.03], 0.5, 0.5, 0.225, 1.2);
    /// The sample scene of pulleys.
    pub const PULLEYS: View = view([0.0, -0.36, 0.0], 0.0, 0.0, 1.6, 6.0);
}

/// A moment, ready to be drawn.
pub struct Still {
    solids: Vec<(Mesh, Vec3)>,
    /// Pieces of strands with their tensions in N.
    cords: Vec<(Mesh, Real)>,
    camera: Camera,
    /// The tension in N whose colour is the last.
    most: Real,
}

impl Still {
    /// A run as it looks now; strands with a tension of `most` (in N) or more are fully red.
    pub fn of(run: &Run, view: &View, most: Real) -> Self {
        let parts = run.model.parts();
        let mut solids: Vec<(Mesh, Vec3)> = (parts.bodies.iter().zip(&run.state.bodies))
            .filter_map(|(body, moving)| Some((solid(body, &moving.place)?, colour(body))))
            .collect();
        let mut cords = Vec::new();
        for (s, (strand, pulls)) in parts.strands.iter().zip(tensions(&run.model, &run.state)).enumerate() {
            // Strands that share points would flicker through each other.
            let radius = strand.radius * view.thicker * (1.0 + 0.01 * s as Real);
            let place = |k: usize| run.state.places[strand.nodes[k].point];
            for (k, pull) in pulls.into_iter().enumerate() {
                cords.push((open(tube(&[place(k), place(k + 1)], &[0.0, 0.0], radius, AROUND)), pull));
                // Where pieces meet at an angle, a ball closes the gap.
                cords.push((at(shapes::sphere(radius, 2), place(k)), pull));
            }
        }
        for point in parts.points.iter().filter(|point| point.carrier == Carrier::World) {
            solids.push((
                moved(shapes::sphere(0.02, 3), &Placement::new(Default::default(), point.place)),
                PULLEY,
            ));
        }
        Still { solids, cords, camera: view.camera, most }
    }

    /// The picture, with what it shows.
    pub fn draw(&self, label: &str) -> RgbImage {
        let mut picture = Canvas::before(SIZE[0], SIZE[1], &self.camera, [SKY; 2]);
        for (mesh, colour) in &self.solids {
            picture.draw(mesh, &corner_uvs(mesh), &|_| *colour);
        }
        for (mesh, pull) in &self.cords {
            let colour = heat(pull / self.most);
            picture.draw(mesh, &corner_uvs(mesh), &|_| colour);
        }
        let mut image = picture.develop();
        // Whatever reaches up that far is cut off below the text.
        let strip = *image.get_pixel(0, SIZE[1] as u32 - 1);
        image.pixels_mut().take(SIZE[0] * STRIP).for_each(|pixel| *pixel = strip);
        write(&mut image, label, Vec2::new(16.0, 24.0), Align::Left, 3.0, INK);
        self.legend(&mut image);
        image
    }

    /// The legend of the colours, in the top right corner.
    fn legend(&self, image: &mut RgbImage) {
        const LONG: Real = 110.0;
        let (most, y) = (format!("{} N", self.most), 24.0);
        let right = SIZE[0] as Real - 24.0 - 15.6 * most.len() as Real;
        for k in 0..110 {
            let part = Real::from(k) / LONG;
            let ink = heat(part).map(|c| (c.powf(1.0 / 2.2) * 255.0).round());
            let x = right - LONG + Real::from(k);
            let ink = Rgb([ink.x as u8, ink.y as u8, ink.z as u8]);
            stroke(image, &[[Vec2::new(x, y - 5.0), Vec2::new(x, y + 5.0)]], 0.6, ink);
        }
        write(image, "0", Vec2::new(right - LONG - 22.0, y), Align::Left, 2.6, INK);
        write(image, &most, Vec2::new(right + 12.0, y), Align::Left, 2.6, INK);
    }
}

/// The colour of a part of the greatest tension.
fn heat(part: Real) -> Vec3 {
    let at = part.clamp(0.0, 1.0) * 2.0;
    if at < 1.0 { COLOURS[0].lerp(&COLOURS[1], at) } else { COLOURS[1].lerp(&COLOURS[2], at - 1.0) }
}

fn at(mut mesh: Mesh, place: Vec3) -> Mesh {
    mesh.positions.iter_mut().for_each(|p| *p += place);
    mesh
}

fn moved(mut mesh: Mesh, place: &Placement) -> Mesh {
    mesh.positions.iter_mut().for_each(|p| *p = place.point(p));
    mesh
}

/// The corners of a tube.
const AROUND: usize = 16;

/// A tube without its ends, which would be drawn round.
fn open(tube: Mesh) -> Mesh {
    let corners = tube.corner_vertices.get(AROUND..tube.corner_vertices.len().saturating_sub(AROUND));
    let corner_vertices = corners.unwrap_or_default().to_vec();
    let face_offsets = (0..=corner_vertices.len() as u32 / 4).map(|k| 4 * k).collect();
    Mesh { positions: tube.positions, face_offsets, corner_vertices, ..Mesh::default() }
}

/// The shape of a body; a ball for a weight that has none, a litre for a kilogram.
fn solid(body: &Body, place: &Placement) -> Option<Mesh> {
    let Some(solid) = &body.solid else {
        let radius = (body.mass * 1e-3 / 4.19).cbrt();
        return (body.mass > 0.0).then(|| at(shapes::sphere(radius, 3), place.origin));
    };
    let triangles = solid.triangles();
    let mut mesh = Mesh {
        positions: solid.positions().to_vec(),
        face_offsets: (0..=triangles.len() as u32).map(|k| 3 * k).collect(),
        corner_vertices: triangles.as_flattened().to_vec(),
        ..Mesh::default()
    };
    if triangles.len() <= CUBOID {
        // Edges stay sharp where faces share no vertex.
        mesh.positions = mesh.corner_vertices.iter().map(|&v| mesh.positions[v as usize]).collect();
        mesh.corner_vertices = (0..mesh.positions.len() as u32).collect();
    }
    Some(moved(mesh, place))
}

/// The triangles of a cuboid.
const CUBOID: usize = 12;

fn colour(body: &Body) -> Vec3 {
    if body.name == "box" || body.solid.is_none() { BOX } else { BONE }
}
