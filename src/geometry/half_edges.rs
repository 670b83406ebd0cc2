//! Adjacency: the half-edges of a polygon mesh.
//!
//! Half-edge `h` is corner `h` of the mesh: it runs from that corner's vertex to the next corner's along one face. Its
//! twin runs the other way along the adjacent face. With three faces at one edge, or two that run along it in the same
//! direction, adjacency is not well defined: such edges have no twins, like borders, and are listed.

use super::mesh::Mesh;

/// The twin of a half-edge on a border, and the outgoing half-edge of an isolated vertex.
pub const NONE: u32 = u32::MAX;

/// An edge at which the faces do not form a surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrregularEdge {
    /// Its two vertices, the smaller first; the same twice if a face repeats a vertex.
    pub vertices: [u32; 2],
    /// Its faces, ascending.
    pub faces: Vec<u32>,
}

/// The adjacency of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HalfEdges {
    origin: Vec<u32>,
    face: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    twin: Vec<u32>,
    outgoing: Vec<u32>,
    face_starts: Vec<u32>,
    edges: usize,
    non_manifold: Vec<IrregularEdge>,
    misoriented: Vec<IrregularEdge>,
}

impl HalfEdges {
    /// The adjacency of polygons that [`Mesh::check_counts`] accepts.
    pub fn of_mesh(mesh: &Mesh) -> Self {
        let starts = if mesh.face_offsets.is_empty() { vec![0] } else { mesh.face_offsets.clone() };
        HalfEdges::new(mesh.positions.len(), starts, &mesh.corner_vertices)
    }

    /// The adjacency of triangles whose vertices are all below `vertices`.
    pub fn of_triangles(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let starts = (0..=triangles.len() as u32).map(|t| 3 * t).collect();
        HalfEdges::new(vertices, starts, triangles.as_flattened())
    }

    fn new(vertices: usize, face_starts: Vec<u32>, corners: &[u32]) -> Self {
        let count = corners.len();
        let mut made = HalfEdges {
            origin: corners.to_vec(),
            face: vec![0; count],
            next: vec![0; count],
            previous: vec![0; count],
            twin: vec![NONE; count],
            outgoing: vec![NONE; vertices],
            face_starts,
            ..HalfEdges::default()
        };
        for face in 0..made.face_count() {
            let corners = made.face_corners(face);
            for h in corners.clone() {
                let next = if h + 1 < corners.end { h + 1 } else { corners.start };
                made.face[h] = face as u32;
                made.next[h] = next as u32;
                made.previous[next] = h as u32;
            }
        }
        made.pair_twins();
        made.choose_outgoing();
        made
    }

    fn pair_twins(&mut self) {
        let mut sides: Vec<(u32, u32, u32)> = (0..self.origin.len())
            .map(|h| {
                let (a, b) = (self.origin[h], self.origin[self.next[h] as usize]);
                (a.min(b), a.max(b), h as u32)
            })
            .collect();
        // Sorted by half-edge as well, so that the result does not depend on the sort.
        sides.sort_unstable();
        for group in sides.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            self.edges += 1;
            let &[first, ref others @ ..] = group else { continue };
            let irregular = || {
                let mut faces: Vec<u32> = group.iter().map(|s| self.face[s.2 as usize]).collect();
                faces.dedup();
                IrregularEdge { vertices: [first.0, first.1], faces }
            };
            match others {
                _ if first.0 == first.1 => self.non_manifold.push(irregular()),
                [] => {}
                [second] if self.origin[first.2 as usize] == self.origin[second.2 as usize] => {
                    self.misoriented.push(irregular());
                }
                [second] => {
                    self.twin[first.2 as usize] = second.2;
                    self.twin[second.2 as usize] = first.2;
                }
                _ => self.non_manifold.push(irregular()),
            }
        }
    }

    /// A half-edge from each vertex; if possible one on a border, so that turning from it meets all others.
    fn choose_outgoing(&mut self) {
        for h in (0..self.origin.len()).rev() {
            let at = &mut self.outgoing[self.origin[h] as usize];
            if *at == NONE || self.twin[h] == NONE || self.twin[*at as usize] != NONE {
                *at = h as u32;
            }
        }
    }

    /// The number of faces.
    pub fn face_count(&self) -> usize {
        self.face_starts.len() - 1
    }

    /// The number of vertices, isolated ones included.
    pub fn vertex_count(&self) -> usize {
        self.outgoing.len()
    }

    /// The number of half-edges, which equals that of corners.
    pub fn len(&self) -> usize {
        self.origin.len()
    }

    /// Whether there are no faces.
    pub fn is_empty(&self) -> bool {
        self.origin.is_empty()
    }

    /// The half-edges of a face, in order.
    pub fn face_corners(&self, face: usize) -> std::ops::Range<usize> {
        self.face_starts[face] as usize..self.face_starts[face + 1] as usize
    }

    /// The vertex where a half-edge begins.
    pub fn origin(&self, h: u32) -> u32 {
        self.origin[h as usize]
    }

    /// The vertex where a half-edge ends.
    pub fn target(&self, h: u32) -> u32 {
        self.origin[self.next[h as usize] as usize]
    }

    /// The face of a half-edge.
    pub fn face(&self, h: u32) -> u32 {
        self.face[h as usize]
    }

    /// The half-edge after this one around its face.
    pub fn next(&self, h: u32) -> u32 {
        self.next[h as usize]
    }

    /// The half-edge before this one around its face.
    pub fn previous(&self, h: u32) -> u32 {
        self.previous[h as usize]
    }

    /// The same edge along the adjacent face; `None` on a border and at an irregular edge.
    pub fn twin(&self, h: u32) -> Option<u32> {
        let twin = self.twin[h as usize];
        (twin != NONE).then_some(twin)
    }

    /// Whether a vertex is in a face.
    pub fn is_used(&self, vertex: u32) -> bool {
        self.outgoing[vertex as usize] != NONE
    }

    /// The half-edges that leave a vertex, in counter-clockwise order of its faces. At a border the first is the one
    /// along it. A vertex where several fans of faces meet gives one of the fans.
    pub fn around(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.outgoing[vertex as usize];
        let mut at = (first != NONE).then_some(first);
        std::iter::from_fn(move || {
            let h = at?;
            at = self.twin(self.previous(h)).filter(|&n| n != first);
            Some(h)
        })
    }

    /// The neighbours of a vertex in the same order; at a border the last one ends the last face.
    pub fn one_ring(&self, vertex: u32) -> Vec<u32> {
        let mut ring = Vec::new();
        let mut last = None;
        for h in self.around(vertex) {
            ring.push(self.target(h));
            last = Some(self.previous(h));
        }
        if let Some(h) = last
            && self.twin(h).is_none()
        {
            ring.push(self.origin(h));
        }
        ring
    }

    /// Vertices where two or more fans of faces meet at a single point only, ascending.
    pub fn pinched_vertices(&self) -> Vec<u32> {
        let mut corners = vec![0u32; self.vertex_count()];
        self.origin.iter().for_each(|&v| corners[v as usize] += 1);
        (0..self.vertex_count() as u32)
            .filter(|&v| self.around(v).count() < corners[v as usize] as usize)
            .collect()
    }

    /// The borders: each the vertices around one hole, in the direction of the half-edges along it.
    pub fn boundary_loops(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.len()];
        let mut loops = Vec::new();
        for start in 0..self.len() as u32 {
            if self.twin(start).is_some() || seen[start as usize] {
                continue;
            }
            let mut border = Vec::new();
            let mut h = start;
            while !seen[h as usize] {
                seen[h as usize] = true;
                border.push(self.origin(h));
                // Turn around the end of the edge, over all faces there, to the next border edge.
                h = self.next(h);
                while let Some(twin) = self.twin(h) {
                    h = self.next(twin);
                }
            }
            loops.push(border);
        }
        loops
    }

    /// For each face the number of the connected piece that it belongs to, and how many pieces there are. Pieces
    /// are numbered by their first face; two that share only a vertex are separate.
    pub fn components(&self) -> (Vec<u32>, usize) {
        self.pieces(|h| self.twin(h))
    }

    /// The pieces if only the edges count for which `beside` holds.
    pub(super) fn pieces(&self, beside: impl Fn(u32) -> Option<u32>) -> (Vec<u32>, usize) {
        let mut piece = vec![NONE; self.face_count()];
        let mut count = 0;
        let mut stack = Vec::new();
        for start in 0..self.face_count() {
            if piece[start] != NONE {
                continue;
            }
            piece[start] = count;
            stack.push(start);
            while let Some(face) = stack.pop() {
                for h in self.face_corners(face) {
                    if let Some(other) = beside(h as u32).map(|t| self.face(t) as usize)
                        && piece[other] == NONE
                    {
                        piece[other] = count;
                        stack.push(other);
                    }
                }
            }
            count += 1;
        }
        (piece, count as usize)
    }

    /// The number of edges, each counted once.
    pub fn edge_count(&self) -> usize {
        self.edges
    }

    /// Vertices in use minus edges plus faces: 2 for a sphere, 1 for a disc, 0 for a torus.
    pub fn euler_characteristic(&self) -> i64 {
        let vertices = self.outgoing.iter().filter(|&&h| h != NONE).count();
        vertices as i64 - self.edge_count() as i64 + self.face_count() as i64
    }

    /// Edges with more than two faces, or of zero length because a face repeats a vertex.
    pub fn non_manifold_edges(&self) -> &[IrregularEdge] {
        &self.non_manifold
    }

    /// Edges along which both faces run in the same direction: one of the two is inside out.
    pub fn misoriented_edges(&self) -> &[IrregularEdge] {
        &self.misoriented
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::*;

    #[test]
    fn closed_shapes_have_their_euler_characteristic_and_no_border() {
        for (mesh, euler) in
            [(shapes::sphere(1.0, 3), 2), (shapes::torus(2.0, 0.5, 24, 12), 0), (shapes::cube(1.0, 3), 2)]
        {
            let edges = HalfEdges::of_mesh(&mesh);
            assert_eq!(edges.euler_characteristic(), euler);
            assert!(edges.boundary_loops().is_empty() && edges.pinched_vertices().is_empty());
            assert_eq!(edges.components().1, 1);
            for h in 0..edges.len() as u32 {
                let twin = edges.twin(h).unwrap();
                assert_eq!((edges.twin(twin), edges.origin(twin)), (Some(h), edges.target(h)));
                assert_eq!(edges.previous(edges.next(h)), h);
            }
        }
    }

    #[test]
    fn an_open_cylinder_has_two_borders_and_an_annulus_of_faces() {
        let edges = HalfEdges::of_mesh(&shapes::cylinder(1.0, 2.0, 12, 4));
        let loops = edges.boundary_loops();
        assert_eq!(loops.iter().map(Vec::len).collect::<Vec<_>>(), [12, 12]);
        assert_eq!(edges.euler_characteristic(), 0);
    }

    #[test]
    fn one_rings_go_around_in_order() {
        let mesh = shapes::grid(2.0, 2.0, 2, 2);
        let edges = HalfEdges::of_mesh(&mesh);
        let middle = 4;
        let ring = edges.one_ring(middle);
        assert_eq!(ring.len(), 4);
        for (k, &v) in ring.iter().enumerate() {
            let w = ring[(k + 1) % 4];
            let (a, b) = (mesh.positions[v as usize], mesh.positions[w as usize]);
            let turn = (a - mesh.positions[4]).cross(&(b - mesh.positions[4]));
            assert!(turn.y > 0.0, "counter-clockwise seen from above");
        }
        assert_eq!(edges.one_ring(0).len(), 2, "a corner has both ends of its only face");
        assert_eq!(edges.one_ring(1).len(), 3);
    }

    #[test]
    fn irregular_edges_are_listed_and_stay_without_twins() {
        let three = HalfEdges::of_triangles(5, &[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
        let expected = IrregularEdge { vertices: [0, 1], faces: vec![0, 1, 2] };
        assert_eq!(three.non_manifold_edges(), [expected]);
        assert!((0..9).all(|h| three.twin(h).is_none()));
        let flipped = HalfEdges::of_triangles(4, &[[0, 1, 2], [0, 1, 3]]);
        assert_eq!(flipped.misoriented_edges().len(), 1);
        assert_eq!((flipped.edge_count(), flipped.components().1), (5, 2));
        let repeated = HalfEdges::of_triangles(2, &[[0, 0, 1]]);
        assert_eq!(repeated.non_manifold_edges()[0].vertices, [0, 0]);
    }

    #[test]
    fn a_bow_tie_is_pinched_and_its_borders_do_not_cross() {
        let bow = HalfEdges::of_triangles(6, &[[0, 1, 2], [0, 3, 4]]);
        assert_eq!(bow.pinched_vertices(), [0]);
        assert_eq!(bow.boundary_loops().len(), 2);
        assert!(!bow.is_used(5) && bow.one_ring(5).is_empty());
    }
}
