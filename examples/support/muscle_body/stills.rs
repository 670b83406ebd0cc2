//! Pictures: muscles under a transparent skin, skinning beside muscles, three physiques.

use super::play::Moment;
use crate::human::Human;
use image::RgbImage;
use sinew::drawing::motifs::rgb;
use sinew::drawing::{Camera, Canvas, corner_uvs};
use sinew::error::Result;
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec2, Vec3};
use sinew::muscle::{Frames, Model};
use sinew::scene::muscles::MuscleSet;

/// What draws her.
pub struct Artist<'a> {
    human: &'a Human,
    model: Model,
}

const SKIN: u32 = 0xc99a80;
const FLESH: u32 = 0xa8332a;
const TENDON: u32 = 0xe9dfd0;

/// The opacity of the skin over the muscles.
const VEIL: f32 = 0.3;

impl<'a> Artist<'a> {
    pub fn new(human: &'a Human, set: &MuscleSet) -> Result<Self> {
        let parts = set.parts(&human.joint_names())?.parts;
        Ok(Artist { human, model: Model::new(parts, &human.rest_joints(), Frames::Stable)? })
    }

    /// The skin alone.
    pub fn skin(&self, points: &[Vec3], camera: &Camera, size: [usize; 2]) -> RgbImage {
        self.outside(points, camera, size).develop()
    }

    /// The muscles under a transparent skin.
    pub fn inside(&self, moment: &Moment, camera: &Camera, size: [usize; 2]) -> RgbImage {
        let mut picture = Canvas::new(size[0], size[1], camera);
        for muscle in self.muscles(&moment.muscles) {
            picture.draw(&muscle, &self.lengthwise(&muscle), &fibres);
        }
        picture.veil(&self.outside(&moment.skin, camera, size), VEIL);
        picture.develop()
    }

    fn outside(&self, points: &[Vec3], camera: &Camera, size: [usize; 2]) -> Canvas {
        let mut picture = Canvas::new(size[0], size[1], camera);
        let body = Mesh { positions: points.to_vec(), ..self.human.mesh().clone() };
        picture.draw(&body, &corner_uvs(&body), &|_| rgb(SKIN));
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

    /// How far along the muscle each corner is, from 0 to 1, and how far around it.
    fn lengthwise(&self, mesh: &Mesh) -> Vec<Vec2> {
        let divisions = self.model.parts().muscles[0].divisions;
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
}

/// Red flesh with fibres, pale tendons at the ends.
fn fibres(at: Vec2) -> Vec3 {
    let belly = (4.0 * at.x * (1.0 - at.x)).clamp(0.0, 1.0);
    let flesh = ((belly - 0.25) / 0.35).clamp(0.0, 1.0);
    let grain = 1.0 + 0.16 * (at.y * std::f64::consts::TAU * 14.0).sin();
    rgb(TENDON).lerp(&(rgb(FLESH) * grain), flesh)
}
