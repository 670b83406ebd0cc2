//! Pictures of a body: its skin, and its muscles under a transparent skin.

use image::RgbImage;
use sinew_base::error::Result;
use sinew_drawing::motifs::rgb;
use sinew_drawing::{Camera, Canvas, corner_uvs};
use sinew_geometry::Mesh;
use sinew_math::elementary::sin;
use sinew_math::{Affine, Real, Vec2, Vec3};
use sinew_muscle::{Frames, Model, Parts};

/// What draws a body, in metres with y up.
pub struct Artist {
    mesh: Mesh,
    model: Model,
    /// The colours of skin, flesh and tendons: converting one costs more than shading a sample.
    colours: [Vec3; 3],
}

const SKIN: u32 = 0xc99a80;
const FLESH: u32 = 0xa8332a;
const TENDON: u32 = 0xe9dfd0;

/// The opacity of the skin over the muscles.
const VEIL: f32 = 0.3;

impl Artist {
    /// Of a skin with these faces, and of muscles on joints at rest.
    pub fn new(mesh: &Mesh, parts: Parts, rest_joints: &[Affine]) -> Result<Self> {
        let model = Model::new(parts, rest_joints, Frames::Stable)?;
        Ok(Artist { mesh: mesh.clone(), model, colours: [SKIN, FLESH, TENDON].map(rgb) })
    }

    /// The model of the muscles.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The skin alone.
    pub fn skin(&self, points: &[Vec3], camera: &Camera, size: [usize; 2]) -> RgbImage {
        self.outside(points, camera, size).develop()
    }

    /// The muscles under a transparent skin.
    pub fn inside(&self, skin: &[Vec3], muscles: &[Vec3], camera: &Camera, size: [usize; 2]) -> RgbImage {
        let mut picture = Canvas::new(size[0], size[1], camera);
        for (muscle, mesh) in self.muscles(muscles).iter().enumerate() {
            picture.draw(mesh, &self.lengthwise(muscle, mesh), &|at| self.fibres(at));
        }
        picture.veil(&self.outside(skin, camera, size), VEIL);
        picture.develop()
    }

    /// The skin before it is developed, which also tells what of it is seen.
    pub fn outside(&self, points: &[Vec3], camera: &Camera, size: [usize; 2]) -> Canvas {
        let mut picture = Canvas::new(size[0], size[1], camera);
        let body = Mesh { positions: points.to_vec(), ..self.mesh.clone() };
        picture.draw(&body, &corner_uvs(&body), &|_| self.colours[0]);
        picture
    }

    /// Each muscle as a mesh of its own.
    fn muscles(&self, points: &[Vec3]) -> Vec<Mesh> {
        let count = self.model.parts().muscles.len();
        let mut meshes: Vec<Mesh> = (0..count)
            .map(|muscle| Mesh {
                positions: points[self.model.vertices_of(muscle)].to_vec(),
                face_offsets: vec![0],
                ..Mesh::default()
            })
            .collect();
        for quad in self.model.quads() {
            let muscle = self.model.muscle_of(quad[0] as u32);
            let first = self.model.vertices_of(muscle).start;
            let mesh = &mut meshes[muscle];
            mesh.corner_vertices.extend(quad.map(|vertex| (vertex - first) as u32));
            mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
        }
        meshes
    }

    /// How far along a muscle each corner is, from 0 to 1, and how far around it.
    fn lengthwise(&self, muscle: usize, mesh: &Mesh) -> Vec<Vec2> {
        let divisions = self.model.parts().muscles[muscle].divisions;
        let rings = mesh.positions.len() / divisions;
        let place = |face: usize| {
            let vertices = mesh.face(face);
            let closes = vertices.iter().any(|&v| v as usize % divisions == divisions - 1);
            vertices.iter().map(move |&v| {
                let (ring, k) = (v as usize / divisions, v as usize % divisions);
                let around = if closes && k == 0 { divisions } else { k };
                Vec2::new(ring as Real / (rings - 1) as Real, around as Real / divisions as Real)
            })
        };
        (0..mesh.face_count()).flat_map(place).collect()
    }

    /// Red flesh with fibres, pale tendons at the ends.
    fn fibres(&self, at: Vec2) -> Vec3 {
        let [_, flesh, tendon] = self.colours;
        let belly = (4.0 * at.x * (1.0 - at.x)).clamp(0.0, 1.0);
        let grain = 1.0 + 0.16 * sin(at.y * std::f64::consts::TAU * 14.0);
        tendon.lerp(&(flesh * grain), ((belly - 0.25) / 0.35).clamp(0.0, 1.0))
    }
}
