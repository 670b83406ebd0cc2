//! A scene with everything that we write as Alembic.

use sinew::formats::alembic::{CurvesSample, Map, MeshSample, Op, Scope, TimeSampling, Transform, Writer};
use sinew::geometry::{CornerLayer, Mesh, shapes};
use sinew::math::{Affine, Real, Vec2, Vec3, affine, compose};
use std::path::Path;

/// Its frames.
pub const FRAMES: usize = 4;

/// A mesh of two quads with five distinct UVs, and its animated data.
pub struct Scene {
    pub mesh: Mesh,
    pub uvs: CornerLayer<Vec2>,
    pub normals: CornerLayer<Vec3>,
}

/// A number that single precision holds.
pub fn single(x: Real) -> Real {
    Real::from(x as f32)
}

impl Scene {
    pub fn new() -> Self {
        let mesh = shapes::grid(1.0, 2.0, 2, 1);
        let corners = mesh.corner_vertices.len();
        let values = (0..5).map(|k| Vec2::new(single(0.1 * k as Real), 0.5)).collect();
        let uvs = CornerLayer { values, indices: (0..corners as u32).map(|k| k % 5).collect() };
        let values = vec![Vec3::y(), Vec3::new(0.0, 0.75, 0.5)];
        let normals = CornerLayer { values, indices: (0..corners as u32).map(|k| k / 4).collect() };
        Scene { mesh, uvs, normals }
    }

    pub fn positions(&self, frame: usize) -> Vec<Vec3> {
        let moved = |p: &Vec3| Vec3::new(p.x + 0.1 * frame as Real, p.x * p.z * frame as Real, p.z);
        self.mesh.positions.iter().map(moved).map(|p| p.map(single)).collect()
    }

    pub fn uvs(&self, frame: usize) -> CornerLayer<Vec2> {
        let mut uvs = self.uvs.clone();
        uvs.values.iter_mut().for_each(|v| v.y = single(0.5 + 0.01 * frame as Real));
        // In the third frame the seam is elsewhere.
        if frame == 2 {
            uvs.indices.rotate_left(1);
        }
        uvs
    }

    pub fn turn(frame: usize) -> Affine {
        let transform = Transform { ops: vec![Op::RotateY(30.0 * frame as Real)], inherits: true };
        let turned = transform.matrix();
        affine(&turned.fixed_view::<3, 3>(0, 0).into_owned(), &Vec3::new(1.0, 2.0, 3.0))
    }

    pub fn ops(frame: usize) -> Transform {
        let turn = Op::Rotate(Vec3::z(), 10.0 * frame as Real);
        let ops =
            vec![Op::Translate(Vec3::x()), turn, Op::RotateX(90.0), Op::Scale(Vec3::new(1.0, 2.0, 3.0))];
        Transform { ops, inherits: frame != 3 }
    }

    /// How many points the curves have, and where they are. In the third frame one of them is gone.
    pub fn tendons(frame: usize) -> (Vec<u32>, Vec<Vec3>) {
        let counts = if frame == 2 { vec![2, 2] } else { vec![3, 2] };
        let points = (0..counts.iter().sum()).map(|k| Vec3::new(Real::from(k), frame as Real, 0.5)).collect();
        (counts, points)
    }

    pub fn widths(frame: usize) -> Vec<Real> {
        let points = Scene::tendons(frame).1.len();
        (0..points).map(|k| single(0.1 * k as Real + frame as Real)).collect()
    }

    pub fn write(&self, path: &Path, sampling: TimeSampling) {
        let mut writer = Writer::create(path, sampling).unwrap();
        let root = writer.add_transform(None, "root").unwrap();
        let inner = writer.add_transform(Some(root), "inner").unwrap();
        writer.add_transform(None, "identity").unwrap();
        let body = writer.add_mesh(Some(inner), "body", &self.mesh).unwrap();
        let still = writer.add_mesh(Some(root), "still", &self.mesh).unwrap();
        let tendons = writer.add_curves(Some(root), "tendons").unwrap();
        writer
            .write_mesh(still, &MeshSample { positions: &self.mesh.positions, ..Default::default() })
            .unwrap();
        for frame in 0..FRAMES {
            writer.write_transform(root, &Scene::turn(frame).into()).unwrap();
            writer.write_transform(inner, &Scene::ops(frame)).unwrap();
            let positions = self.positions(frame);
            let weight: Vec<Real> = (0..6).map(|k| single(0.3 * (k + frame) as Real)).collect();
            let slide: Vec<Real> = (0..18).map(|k| k as Real).collect();
            let corner: Vec<Real> = (0..8).map(|k| k as Real).collect();
            let of = |name, scope, components, values| Map { name, scope, components, values, indices: None };
            let shared = Map {
                indices: Some(&[0, 1, 0, 1, 0, 1, 0, 0]),
                ..of("shared", Scope::Corner, 1, &[7.0, 8.0])
            };
            let maps = [
                of("weight", Scope::Vertex, 1, &weight),
                of("slide", Scope::Vertex, 3, &slide),
                of("corner", Scope::Corner, 1, &corner),
                of("face", Scope::Uniform, 2, &[1.0, 2.0, 3.0, 4.0]),
                of("whole", Scope::Constant, 1, &[0.25]),
                shared,
            ];
            let velocities: Vec<Vec3> = positions.iter().map(|p| p * 0.5).collect();
            let sample = MeshSample {
                positions: &positions,
                uvs: Some(&self.uvs(frame)),
                normals: Some(&self.normals),
                velocities: Some(&velocities),
                maps: &maps,
            };
            writer.write_mesh(body, &sample).unwrap();
            let ((counts, points), widths) = (Scene::tendons(frame), Scene::widths(frame));
            let tension: Vec<Real> = widths.iter().map(|width| single(2.0 * width)).collect();
            let number: Vec<Real> = vec![frame as Real, 7.0];
            let sample = CurvesSample {
                counts: &counts,
                positions: &points,
                velocities: Some(&points),
                widths: Some(&widths),
                maps: &[of("tension", Scope::Vertex, 1, &tension), of("number", Scope::Uniform, 1, &number)],
            };
            writer.write_curves(tendons, &sample).unwrap();
        }
        writer.commit().unwrap();
    }

    pub fn world(&self, frame: usize) -> Affine {
        let inner = Scene::ops(frame);
        if inner.inherits { compose(&Scene::turn(frame), &inner.matrix()) } else { inner.matrix() }
    }
}
