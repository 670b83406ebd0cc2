//! Closed triangle meshes with an inside: validated once, so that users of them need not check again.

use super::closest::closest_weights;
use super::half_edges::HalfEdges;
use super::mesh::Mesh;
use super::triangles::TriMesh;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use std::ops::Range;

/// A closed triangle mesh, oriented outwards, that encloses a volume.
///
/// Half-edge h runs along triangle h / 3 from its corner h % 3; every one has a twin.
#[derive(Clone, Debug)]
pub struct Solid {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    edges: HalfEdges,
    volume: Real,
    centroid: Vec3,
    extent: Real,
    boxes: Vec<BoxNode>,
    boxed: Vec<u32>,
}

/// Below this fraction of area times extent, a volume is round-off.
const NO_VOLUME: Real = 1e-12;
/// Triangles in a box that is not divided further: testing eight costs about as much as two more boxes.
const LEAF: usize = 8;
/// Normals that differ by less count as those of one plane.
const SAME_NORMAL: Real = 1e-9;

/// A box around triangles, in the order of a walk that visits a box before its contents.
#[derive(Clone, Debug)]
struct BoxNode {
    centre: Vec3,
    half: Vec3,
    /// The triangles of a leaf, as a range of `boxed`; empty where boxes follow.
    triangles: Range<u32>,
    /// The next box that is not inside this one.
    after: u32,
}

impl Solid {
    /// A closed mesh. Polygons are triangulated. Rejects meshes that are open, have edges with more than two faces or
    /// with faces of opposite orientation, are inside out, or enclose nothing; the error names the face.
    pub fn new(mesh: &Mesh) -> Result<Self> {
        let cut = TriMesh::from_mesh(mesh)?;
        let edges = HalfEdges::of_triangles(cut.positions.len(), &cut.triangles);
        check_closed(&cut, &edges)?;
        let mut made = Solid {
            positions: cut.positions,
            triangles: cut.triangles,
            edges,
            volume: 0.0,
            centroid: Vec3::zeros(),
            extent: 0.0,
            boxes: Vec::new(),
            boxed: Vec::new(),
        };
        made.measure()?;
        made.build_boxes();
        Ok(made)
    }

    /// The points.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The vertices of each triangle, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The adjacency of the triangles.
    pub fn edges(&self) -> &HalfEdges {
        &self.edges
    }

    /// The volume inside, positive.
    pub fn volume(&self) -> Real {
        self.volume
    }

    /// The centroid of the volume.
    pub fn centroid(&self) -> Vec3 {
        self.centroid
    }

    /// The diagonal of the bounding box.
    pub fn extent(&self) -> Real {
        self.extent
    }

    /// The points of a triangle.
    pub(super) fn points(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.positions[v as usize])
    }

    /// Volume V = sum det(a, b, c) / 6 and its centroid sum det(a, b, c) (a + b + c) / 24 / V over the tetrahedra
    /// between a point and the triangles; exact, because regions outside are counted once with either sign. The point
    /// is in the middle of the mesh, so that no digits are lost far from the origin.
    fn measure(&mut self) -> Result<()> {
        let (low, high) = bounds(self.positions.iter());
        let (middle, size) = ((low + high) * 0.5, (high - low).norm());
        let (mut volume, mut area, mut moment) = (0.0, 0.0, Vec3::zeros());
        for t in 0..self.triangles.len() {
            let [a, b, c] = self.points(t).map(|p| p - middle);
            let determinant = a.dot(&b.cross(&c));
            volume += determinant / 6.0;
            moment += (a + b + c) * (determinant / 24.0);
            area += 0.5 * (b - a).cross(&(c - a)).norm();
        }
        // Written so that NaN is rejected too.
        let some = volume.abs() > NO_VOLUME * area * size;
        if !some {
            return Err(Error::new(Kind::Degenerate, "the mesh encloses no volume"));
        }
        if volume < 0.0 {
            let message =
                format!("the mesh is inside out: its faces point inwards, so its volume is {volume:.3e}");
            return Err(Error::new(Kind::Topology, message));
        }
        (self.volume, self.centroid, self.extent) = (volume, middle + moment / volume, size);
        Ok(())
    }

    fn build_boxes(&mut self) {
        let mut boxed: Vec<u32> = (0..self.triangles.len() as u32).collect();
        self.divide(&mut boxed, 0);
        self.boxed = boxed;
    }

    /// Boxes of triangles, halved at the middle one along the longest side.
    fn divide(&mut self, triangles: &mut [u32], first: usize) {
        let points = triangles.iter().flat_map(|&t| &self.triangles[t as usize]);
        let (low, high) = bounds(points.map(|&v| &self.positions[v as usize]));
        let at = self.boxes.len();
        self.boxes.push(BoxNode {
            centre: (low + high) * 0.5,
            half: (high - low) * 0.5,
            triangles: 0..0,
            after: 0,
        });
        if triangles.len() <= LEAF {
            triangles.sort_unstable();
            self.boxes[at].triangles = first as u32..(first + triangles.len()) as u32;
        } else {
            let axis = (high - low).imax();
            let key = |t: &u32| self.points(*t as usize).iter().map(|p| p[axis]).sum::<Real>();
            // By triangle if the keys agree, so that the boxes do not depend on the sort.
            triangles.sort_unstable_by(|s, t| key(s).total_cmp(&key(t)).then(s.cmp(t)));
            let (left, right) = triangles.split_at_mut(triangles.len() / 2);
            let middle = first + left.len();
            self.divide(left, first);
            self.divide(right, middle);
        }
        self.boxes[at].after = self.boxes.len() as u32;
    }

    /// Calls `visit` with every triangle that may have points on both sides of a plane, always in the same order; with
    /// some others too.
    pub(super) fn near_plane(&self, origin: &Vec3, normal: &Vec3, mut visit: impl FnMut(u32)) {
        let steep = normal.abs();
        // The rounding error of a height; a box is skipped only if it is clear of the plane by more.
        let slack = 1e-12 * (self.extent + (self.centroid - origin).norm());
        let mut at = 0;
        while let Some(node) = self.boxes.get(at) {
            let height = normal.dot(&(node.centre - origin));
            // A plane with NaN yields no height, and so no triangle.
            if height.abs() <= steep.dot(&node.half) + slack {
                let range = node.triangles.start as usize..node.triangles.end as usize;
                self.boxed[range].iter().for_each(|&t| visit(t));
                at += 1;
            } else {
                at = node.after as usize;
            }
        }
    }

    /// The outer normals of the triangles within a distance of a point; one of several equal directions.
    pub fn normals_within(&self, place: &Vec3, reach: Real) -> Vec<Vec3> {
        let mut normals: Vec<Vec3> = Vec::new();
        let mut at = 0;
        while let Some(node) = self.boxes.get(at) {
            let outside = (place - node.centre).abs() - node.half;
            if outside.sup(&Vec3::zeros()).norm() > reach {
                at = node.after as usize;
                continue;
            }
            for &t in &self.boxed[node.triangles.start as usize..node.triangles.end as usize] {
                let [a, b, c] = self.points(t as usize);
                let [u, v, w] = closest_weights(place, &[a, b, c]);
                let near = (a * u + b * v + c * w - place).norm() <= reach;
                let normal = (b - a).cross(&(c - a)).try_normalize(0.0).filter(|_| near);
                normals.extend(normal.filter(|n| normals.iter().all(|m| (m - n).norm() > SAME_NORMAL)));
            }
            at += 1;
        }
        normals
    }
}

fn bounds<'a>(points: impl Iterator<Item = &'a Vec3>) -> (Vec3, Vec3) {
    let none = (Vec3::repeat(Real::INFINITY), Vec3::repeat(Real::NEG_INFINITY));
    points.fold(none, |(low, high), p| (low.inf(p), high.sup(p)))
}

fn check_closed(cut: &TriMesh, edges: &HalfEdges) -> Result<()> {
    if cut.triangles.is_empty() {
        return Err(Error::new(Kind::Degenerate, "the mesh has no faces"));
    }
    let face = |triangle: u32| cut.faces[triangle as usize] as usize;
    let irregular = [
        (edges.non_manifold_edges(), "has more than two faces, or no length"),
        (edges.misoriented_edges(), "has two faces of opposite orientation"),
    ];
    for (list, what) in irregular {
        if let Some(edge) = list.first() {
            let message = format!("the edge {}-{} {what}", edge.vertices[0], edge.vertices[1]);
            return Err(Error::new(Kind::Topology, message).face(face(edge.faces[0])));
        }
    }
    let open = |&h: &u32| edges.twin(h).is_none();
    if let Some(h) = (0..edges.len() as u32).find(open) {
        let message = format!(
            "the mesh is open: the edge {}-{} has a face on one side only",
            edges.origin(h),
            edges.target(h)
        );
        return Err(Error::new(Kind::Topology, message).face(face(edges.face(h))));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::*;

    fn refusal(mesh: &Mesh) -> (Kind, String) {
        let error = Solid::new(mesh).unwrap_err();
        (error.kind(), error.to_string())
    }

    #[test]
    fn what_has_no_inside_is_refused_by_name() {
        let (kind, text) = refusal(&shapes::cylinder(1.0, 1.0, 6, 2));
        assert_eq!((kind, text.as_str()), {
            let text = "face 0: the mesh is open: the edge 0-1 has a face on one side only";
            (Kind::Topology, text)
        });
        let mut inverted = shapes::cube(1.0, 2);
        inverted.corner_vertices.chunks_mut(4).for_each(<[u32]>::reverse);
        let (kind, text) = refusal(&inverted);
        assert!(kind == Kind::Topology && text.contains("inside out") && text.contains("-1.000e0"), "{text}");
        let mut turned = shapes::cube(1.0, 1);
        turned.corner_vertices[4..8].reverse();
        let (kind, text) = refusal(&turned);
        assert!(kind == Kind::Topology && text.starts_with("face ") && text.contains("opposite"), "{text}");
        // Flat in a plane that is parallel to no axis, so that round-off is not zero.
        let mut flat = shapes::sphere(1.0, 2);
        flat.positions.iter_mut().for_each(|p| p.z = 0.3 * p.x - 0.7 * p.y + 5.0);
        assert_eq!(refusal(&flat).0, Kind::Degenerate);
        assert_eq!(refusal(&Mesh::default()).0, Kind::Degenerate);
        let mut doubled = shapes::cube(1.0, 1);
        doubled.uvs = None;
        doubled.corner_vertices.extend_from_within(0..4);
        doubled.face_offsets.push(28);
        let (kind, text) = refusal(&doubled);
        assert!(kind == Kind::Topology && text.contains("more than two faces"), "{text}");
    }

    #[test]
    fn a_thin_needle_far_away_keeps_its_volume() {
        let mut needle = shapes::cube(1.0, 3);
        let far = Vec3::new(1e3, -2e3, 5e2);
        needle.positions.iter_mut().for_each(|p| *p = p.component_mul(&Vec3::new(1.0, 1e-4, 1e-4)) + far);
        let solid = Solid::new(&needle).unwrap();
        assert!((solid.volume() / 1e-8 - 1.0).abs() < 1e-7);
        assert!((solid.centroid() - far).norm() < 1e-9);
    }

    #[test]
    fn boxes_leave_out_no_triangle_that_a_plane_cuts() {
        let solid = Solid::new(&shapes::torus(2.0, 0.7, 40, 20)).unwrap();
        let all: std::collections::BTreeSet<u32> = solid.boxed.iter().copied().collect();
        assert_eq!(all.len(), solid.triangles.len());
        let mut asked = 0;
        for k in 0..50 {
            let angle = f64::from(k);
            let normal = Vec3::new(angle.sin(), angle.cos(), (2.0 * angle).sin()).normalize();
            let origin = normal * (0.05 * angle);
            let mut found = vec![false; solid.triangles.len()];
            solid.near_plane(&origin, &normal, |t| {
                found[t as usize] = true;
                asked += 1;
            });
            for (t, found) in found.iter().enumerate() {
                let below = solid.points(t).iter().filter(|p| normal.dot(&(*p - origin)) < 0.0).count();
                assert!(*found || below % 3 == 0);
            }
        }
        assert!(asked < 50 * solid.triangles.len() / 4, "{asked}");
    }

    #[test]
    fn normals_near_a_place_are_those_of_its_faces() {
        let solid = Solid::new(&shapes::cuboid(&Vec3::new(2.0, 4.0, 6.0))).unwrap();
        let sorted = |mut normals: Vec<Vec3>| {
            normals.sort_by(|a, b| b.x.total_cmp(&a.x).then(b.y.total_cmp(&a.y)));
            normals
        };
        let near = |x, y, z, reach| sorted(solid.normals_within(&Vec3::new(x, y, z), reach));
        // On a face, of which there are two triangles; on an edge; at a corner; inside; away.
        assert_eq!(near(1.001, 0.0, 0.0, 0.01), [Vec3::x()]);
        assert_eq!(near(1.0, 1.999, 0.5, 0.01), [Vec3::x(), Vec3::y()]);
        assert_eq!(near(1.0, 2.0, 3.0, 1e-9), [Vec3::x(), Vec3::y(), Vec3::z()]);
        assert!(near(0.0, 0.0, 0.0, 0.9).is_empty());
        assert!(near(1.02, 0.0, 0.0, 0.01).is_empty());
    }
}
