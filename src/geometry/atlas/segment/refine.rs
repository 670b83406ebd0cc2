//! A mesh whose triangles are cut at the middles of marked edges, and that tracks the origin of its triangles.

use crate::{HalfEdges, TriMesh};
use sinew_math::{Real, Vec2};

#[derive(Clone, Debug)]
pub(super) struct Refined {
    pub mesh: TriMesh,
    pub edges: HalfEdges,
    /// The cell of each triangle.
    pub labels: Vec<u32>,
    /// The given triangle that contains each triangle, and the weights of its corners there.
    pub parents: Vec<u32>,
    pub weights: Vec<[[Real; 3]; 3]>,
    /// The corners of each triangle in the layout of its cell; all zero until that is computed.
    pub flat: Vec<[Vec2; 3]>,
}

impl Refined {
    pub fn new(mesh: &TriMesh, edges: &HalfEdges, labels: Vec<u32>) -> Self {
        let count = mesh.triangles.len();
        let whole = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mesh = TriMesh { corners: Vec::new(), flawed: Vec::new(), ..mesh.clone() };
        Refined {
            mesh,
            edges: edges.clone(),
            labels,
            parents: (0..count as u32).collect(),
            weights: vec![whole; count],
            flat: vec![[Vec2::zeros(); 3]; count],
        }
    }

    /// Whether a half-edge runs along a border between cells or of the mesh.
    pub fn is_cut(&self, h: u32) -> bool {
        let other = self.edges.twin(h).map(|twin| self.labels[twin as usize / 3]);
        other != Some(self.labels[h as usize / 3])
    }

    /// Halves the edges with a marked half-edge: triangles with one, two or three such edges become two, three or four.
    pub fn refine(&mut self, marks: &[bool]) {
        let mut middles = vec![None; self.edges.len()];
        for h in 0..self.edges.len() as u32 {
            let twin = self.edges.twin(h);
            let marked = marks[h as usize] || twin.is_some_and(|t| marks[t as usize]);
            if marked && twin.is_none_or(|t| h < t) {
                let made = Some(self.mesh.positions.len() as u32);
                let [a, b] =
                    [self.edges.origin(h), self.edges.target(h)].map(|v| self.mesh.positions[v as usize]);
                self.mesh.positions.push((a + b) * 0.5);
                middles[h as usize] = made;
                if let Some(twin) = twin {
                    middles[twin as usize] = made;
                }
            }
        }
        let old = std::mem::take(&mut self.mesh.triangles);
        let old_weights = std::mem::take(&mut self.weights);
        let old_flat = std::mem::take(&mut self.flat);
        let labels = std::mem::take(&mut self.labels);
        let parents = std::mem::take(&mut self.parents);
        let faces = std::mem::take(&mut self.mesh.faces);
        for (t, vertices) in old.iter().enumerate() {
            let (weights, flat) = (&old_weights[t], &old_flat[t]);
            let half = |k: usize| std::array::from_fn(|i| 0.5 * (weights[k][i] + weights[(k + 1) % 3][i]));
            let sides = [0, 1, 2].map(|k| middles[3 * t + k]);
            // Corners 0, 1, 2, and after each the middle of the side after it.
            let places = [0, 1, 2].map(|k| {
                let middle = (sides[k].unwrap_or(vertices[k]), half(k), (flat[k] + flat[(k + 1) % 3]) * 0.5);
                [(vertices[k], weights[k], flat[k]), middle]
            });
            for piece in pieces(sides.map(|s| s.is_some())) {
                let corners = piece.map(|(k, middle)| places[k][usize::from(middle)]);
                self.mesh.triangles.push(corners.map(|c| c.0));
                self.weights.push(corners.map(|c| c.1));
                self.flat.push(corners.map(|c| c.2));
                self.labels.push(labels[t]);
                self.parents.push(parents[t]);
                self.mesh.faces.extend(faces.get(t));
            }
        }
        self.edges = HalfEdges::of_triangles(self.mesh.positions.len(), &self.mesh.triangles);
    }
}

/// The triangles into which one is cut: corners `(k, false)` and the middles of the sides after them, `(k, true)`.
fn pieces(halved: [bool; 3]) -> Vec<[(usize, bool); 3]> {
    let corner = |k: usize| (k % 3, false);
    let middle = |k: usize| (k % 3, true);
    let count = halved.iter().filter(|&&h| h).count();
    let at = |state: bool| halved.iter().position(|&h| h == state).unwrap_or(0);
    match count {
        0 => vec![[corner(0), corner(1), corner(2)]],
        1 => {
            let k = at(true);
            vec![[corner(k), middle(k), corner(k + 2)], [middle(k), corner(k + 1), corner(k + 2)]]
        }
        2 => {
            let k = at(false);
            let (a, b) = (middle(k + 1), middle(k + 2));
            vec![[corner(k + 2), b, a], [corner(k), corner(k + 1), a], [corner(k), a, b]]
        }
        _ => vec![
            [corner(0), middle(0), middle(2)],
            [middle(0), corner(1), middle(1)],
            [middle(2), middle(1), corner(2)],
            [middle(0), middle(1), middle(2)],
        ],
    }
}
