//! Meshes from rows of points: neighbouring rows are sewn together with quads, and with triangles where their counts
//! differ.

use sinew::geometry::{CornerLayer, Mesh};
use sinew::math::{Real, Vec2, Vec3};

/// A vertex as one face corner sees it.
#[derive(Clone, Copy)]
pub struct Knot {
    pub vertex: u32,
    uv: u32,
}

/// A mesh in the making.
pub struct Weave {
    mesh: Mesh,
    uvs: CornerLayer<Vec2>,
}

impl Weave {
    pub fn new() -> Self {
        Weave { mesh: Mesh { face_offsets: vec![0], ..Mesh::default() }, uvs: CornerLayer::default() }
    }

    /// A new vertex.
    pub fn knot(&mut self, position: Vec3, uv: Vec2) -> Knot {
        self.mesh.positions.push(position);
        self.again(self.mesh.positions.len() as u32 - 1, uv)
    }

    /// A vertex that is there already, with another UV: the other side of a seam.
    pub fn again(&mut self, vertex: u32, uv: Vec2) -> Knot {
        self.uvs.values.push(uv);
        Knot { vertex, uv: self.uvs.values.len() as u32 - 1 }
    }

    pub fn position(&self, vertex: u32) -> Vec3 {
        self.mesh.positions[vertex as usize]
    }

    /// A face, counter-clockwise seen from outside.
    pub fn face(&mut self, knots: &[Knot]) {
        self.mesh.corner_vertices.extend(knots.iter().map(|k| k.vertex));
        self.uvs.indices.extend(knots.iter().map(|k| k.uv));
        self.mesh.face_offsets.push(self.mesh.corner_vertices.len() as u32);
    }

    /// The faces between two rows, which seen from outside run from left to right, the second above the first.
    pub fn strip(&mut self, lower: &[Knot], upper: &[Knot]) {
        let steps = [lower.len() - 1, upper.len() - 1].map(|n| n as Real);
        let (mut i, mut j) = (0, 0);
        while i + 1 < lower.len() || j + 1 < upper.len() {
            // How far along the rows the next knots are; past the end counts as too far.
            let next = [(i + 1) as Real / steps[0], (j + 1) as Real / steps[1]];
            if (next[0] - next[1]).abs() <= 0.5 / steps[0].max(steps[1]) {
                self.face(&[lower[i], lower[i + 1], upper[j + 1], upper[j]]);
                (i, j) = (i + 1, j + 1);
            } else if next[0] < next[1] {
                self.face(&[lower[i], lower[i + 1], upper[j]]);
                i += 1;
            } else {
                self.face(&[lower[i], upper[j + 1], upper[j]]);
                j += 1;
            }
        }
    }

    pub fn finish(self) -> Mesh {
        Mesh { uvs: Some(self.uvs), ..self.mesh }
    }
}

/// A tube or cap for what is drawn but not simulated: rings of points, each closed onto itself.
pub fn rings(rows: &[Vec<Vec3>]) -> Mesh {
    let mut weave = Weave::new();
    let mut below: Option<Vec<Knot>> = None;
    for row in rows {
        let mut knots: Vec<Knot> = row.iter().map(|&p| weave.knot(p, Vec2::zeros())).collect();
        knots.push(knots[0]);
        if let Some(below) = below {
            weave.strip(&below, &knots);
        }
        below = Some(knots);
    }
    weave.finish()
}

/// A ball, stretched along the axes.
pub fn ball(centre: Vec3, radii: Vec3) -> Mesh {
    let mut mesh = sinew::geometry::shapes::sphere(1.0, 3);
    mesh.positions.iter_mut().for_each(|p| *p = centre + p.component_mul(&radii));
    mesh
}
