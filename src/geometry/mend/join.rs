//! Which edges are joined: those with the same vertices, and open ones at the same position.

use super::faces::Polygons;
use crate::mesh::Mesh;
use crate::triangles::area_vector;
use sinew_math::{Real, Vec3};
use std::cmp::{Ordering, Reverse};

/// Vertices closer than this fraction of the body's extent are at the same position. Files in single precision or with
/// seven digits resolve positions to about 1e-7 of the extent; edges of animated bodies are 1e-4 of it or longer.
const SAME_PLACE: Real = 1e-6;

/// More edges than this at one position are no surface, and comparing all with all would take long.
const MOST_AT_ONE_EDGE: usize = 64;

/// Two open edges at the same position that were joined. A body may separate them in motion, such as lips that are
/// closed at rest: callers that know the motion exclude those with [`Mended::new`](super::Mended::new).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stitch {
    /// The given corners at which the two edges begin.
    pub corners: [u32; 2],
    /// The two given vertices at each end.
    pub ends: [[u32; 2]; 2],
    /// The length of the edge.
    pub length: Real,
}

/// How the edges of polygons are joined. An edge here is a half-edge, named by the polygon corner where it begins.
pub(super) struct Joints {
    /// The edge adjacent to each, or [`NONE`].
    pub twin: Vec<u32>,
    /// For each corner the first corner of its fan.
    pub fan: Vec<u32>,
    pub stitches: Vec<Stitch>,
    next: Vec<u32>,
    /// The edges of groups with more than two, and of pairs with opposite orientation, by one edge each.
    pub crowded: Vec<u32>,
    pub opposed: Vec<u32>,
}

pub(super) const NONE: u32 = u32::MAX;

/// The inputs of joining.
struct Sides {
    /// Given vertices where each edge begins and ends.
    ends: Vec<[u32; 2]>,
    next: Vec<u32>,
    face: Vec<u32>,
    normals: Vec<Vec3>,
    /// The vertices of each face that may be a copy; otherwise none.
    vertices: Vec<Vec<u32>>,
    twin: Vec<u32>,
}

impl Joints {
    /// Joins the edges of polygons, except those that begin at the given corners `opened`.
    pub(super) fn new(mesh: &Mesh, polygons: &Polygons, opened: &[u32]) -> Self {
        let mut sides = Sides::new(mesh, polygons);
        let (mut crowded, mut opposed) = (Vec::new(), Vec::new());
        let mut edges: Vec<([u32; 2], u32)> = (0..sides.ends.len() as u32)
            .map(|h| (sides.ends[h as usize], h))
            .filter(|([a, b], _)| a != b)
            .map(|([a, b], h)| ([a.min(b), a.max(b)], h))
            .collect();
        edges.sort_unstable();
        for group in edges.chunk_by(|x, y| x.0 == y.0).filter(|group| group.len() > 1) {
            let group: Vec<u32> = group.iter().map(|edge| edge.1).collect();
            sides.join(&group, |h| sides.ends[h as usize][0]).into_iter().for_each(|pair| sides.tie(pair));
            if group.len() > 2 {
                crowded.push(group[0]);
            } else if sides.twin[group[0] as usize] == NONE {
                opposed.push(group[0]);
            }
        }
        let mut stitches = sides.stitch(mesh, polygons, opened);
        let mut fan = sides.fans();
        while sides.untie_crowded(&fan) {
            fan = sides.fans();
        }
        stitches.retain(|(h, _)| sides.twin[*h as usize] != NONE);
        let stitches = stitches.into_iter().map(|(_, stitch)| stitch).collect();
        Joints { twin: sides.twin, fan, next: sides.next, stitches, crowded, opposed }
    }

    /// The edge after one around its face.
    pub(super) fn next(&self, h: u32) -> u32 {
        self.next[h as usize]
    }

    /// The connected piece of each face, and the number of faces of each piece.
    pub(super) fn pieces(&self, polygons: &Polygons) -> (Vec<u32>, Vec<u32>) {
        let count = polygons.faces.len();
        let mut face_of = vec![0; polygons.corners.len()];
        for face in 0..count {
            face_of[polygons.corners_of(face)].fill(face as u32);
        }

        let mut groups = Groups::new(count);
        for (h, &twin) in self.twin.iter().enumerate().filter(|(_, twin)| **twin != NONE) {
            groups.join(face_of[h], face_of[twin as usize]);
        }
        let mut sizes = vec![0; count];
        let piece: Vec<u32> = (0..count as u32).map(|face| groups.first(face)).collect();
        piece.iter().for_each(|&p| sizes[p as usize] += 1);
        (piece, sizes)
    }

    /// Faces with the same vertices as another one, each with the one that is kept: the one connected with more faces;
    /// in case of a tie, the one whose piece begins first. So a sheet whose every face is repeated for its back keeps
    /// the front. Ascending.
    pub(super) fn copies(&self, mesh: &Mesh, polygons: &Polygons) -> Vec<(u32, u32)> {
        let groups = polygons.alike(mesh);
        if groups.is_empty() {
            return Vec::new();
        }
        let (piece, sizes) = self.pieces(polygons);
        let mut copies = Vec::new();
        for group in groups.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let rank = |face: u32| {
                let piece = piece[face as usize];
                (Reverse(sizes[piece as usize]), piece, face)
            };
            let Some(stays) = group.iter().map(|(_, face)| *face).min_by_key(|&face| rank(face)) else {
                continue;
            };
            copies.extend(group.iter().filter(|(_, face)| *face != stays).map(|(_, face)| (*face, stays)));
        }
        copies.sort_unstable();
        copies
    }
}

impl Sides {
    fn new(mesh: &Mesh, polygons: &Polygons) -> Self {
        let count = polygons.corners.len();
        let vertex = |h: usize| mesh.corner_vertices[polygons.corners[h] as usize];
        let mut made = Sides {
            ends: Vec::with_capacity(count),
            next: Vec::with_capacity(count),
            face: Vec::with_capacity(count),
            normals: Vec::with_capacity(polygons.faces.len()),
            vertices: vec![Vec::new(); polygons.faces.len()],
            twin: vec![NONE; count],
        };
        for (vertices, face) in polygons.alike(mesh) {
            made.vertices[face as usize] = vertices;
        }
        for face in 0..polygons.faces.len() {
            let corners = polygons.corners_of(face);
            let points: Vec<Vec3> = corners.clone().map(|h| mesh.positions[vertex(h) as usize]).collect();
            made.normals.push(area_vector(&points).try_normalize(0.0).unwrap_or_default());
            for h in corners.clone() {
                let next = if h + 1 < corners.end { h + 1 } else { corners.start };
                made.ends.push([vertex(h), vertex(next)]);
                made.next.push(next as u32);
                made.face.push(face as u32);
            }
        }
        made
    }

    fn tie(&mut self, [a, b]: [u32; 2]) {
        self.twin[a as usize] = b;
        self.twin[b as usize] = a;
    }

    /// Pairs of a group of edges between the same two positions, `from` one of them: each runs opposite to its partner,
    /// and of several candidates those are paired first whose faces continue most smoothly.
    fn join(&self, group: &[u32], from: impl Fn(u32) -> u32) -> Vec<[u32; 2]> {
        if let &[a, b] = group {
            let fit = from(a) != from(b) && !self.are_copies(a, b);
            return if fit { vec![[a, b]] } else { Vec::new() };
        }
        if group.len() > MOST_AT_ONE_EDGE {
            return Vec::new();
        }
        let mut pairs = Vec::new();
        for (k, &a) in group.iter().enumerate() {
            let partners = group[k + 1..].iter().filter(|&&b| from(a) != from(b) && !self.are_copies(a, b));
            pairs.extend(partners.map(|&b| {
                let normals = [a, b].map(|h| self.normals[self.face[h as usize] as usize]);
                (normals[0].dot(&normals[1]), [a, b])
            }));
        }
        pairs.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        let mut taken: Vec<u32> = Vec::new();
        pairs.retain(|(_, pair)| {
            let free = pair.iter().all(|h| !taken.contains(h));
            taken.extend(pair.iter().filter(|_| free));
            free
        });
        pairs.into_iter().map(|(_, pair)| pair).collect()
    }

    /// Whether the faces of two edges have the same vertices, so that one of them is a copy.
    fn are_copies(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|h| self.face[h as usize]);
        a != b
            && !self.vertices[a as usize].is_empty()
            && self.vertices[a as usize] == self.vertices[b as usize]
    }

    /// Joins open edges at the same position, and returns one edge of each pair.
    fn stitch(&mut self, mesh: &Mesh, polygons: &Polygons, opened: &[u32]) -> Vec<(u32, Stitch)> {
        let open = |h: &u32| {
            self.twin[*h as usize] == NONE && opened.binary_search(&polygons.corners[*h as usize]).is_err()
        };
        let open: Vec<u32> = (0..self.ends.len() as u32).filter(open).collect();
        let mut vertices: Vec<u32> = open.iter().flat_map(|&h| self.ends[h as usize]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let place = places(mesh, &vertices);
        let at = |v: u32| vertices.binary_search(&v).map_or(NONE, |k| place[k]);
        let from = |h: u32| at(self.ends[h as usize][0]);
        let mut edges: Vec<([u32; 2], u32)> = open
            .iter()
            .map(|&h| (self.ends[h as usize].map(at), h))
            .filter(|([a, b], _)| a != b)
            .map(|([a, b], h)| ([a.min(b), a.max(b)], h))
            .collect();
        edges.sort_unstable();
        let mut pairs = Vec::new();
        for group in edges.chunk_by(|x, y| x.0 == y.0).filter(|group| group.len() > 1) {
            let group: Vec<u32> = group.iter().map(|edge| edge.1).collect();
            pairs.extend(self.join(&group, from));
        }
        let mut stitches = Vec::new();
        for pair in pairs {
            let [[a, b], [c, d]] = pair.map(|h| self.ends[h as usize]);
            let length = (mesh.positions[b as usize] - mesh.positions[a as usize]).norm();
            let corners = pair.map(|h| polygons.corners[h as usize]);
            stitches.push((pair[0], Stitch { corners, ends: [[a, d], [b, c]], length }));
            self.tie(pair);
        }
        stitches
    }

    /// Separates pairs whose edge is between the same two fans as another one: an edge without a partner, at both ends
    /// in the fan of those that have one. By their vertices they could not be told apart. Returns whether there were
    /// any.
    fn untie_crowded(&mut self, fan: &[u32]) -> bool {
        let ends = |h: usize| [fan[h], fan[self.next[h] as usize]];
        let mut edges: Vec<([u32; 2], u32)> = (0..self.ends.len())
            .map(|h| (ends(h), h as u32))
            .map(|([a, b], h)| ([a.min(b), a.max(b)], h))
            .collect();
        edges.sort_unstable();
        let mut untied = false;
        for group in edges.chunk_by(|x, y| x.0 == y.0).filter(|group| group.len() > 2) {
            for &(_, h) in group {
                let twin = std::mem::replace(&mut self.twin[h as usize], NONE);
                untied |= twin != NONE;
                if twin != NONE {
                    self.twin[twin as usize] = NONE;
                }
            }
        }
        untied
    }

    /// The first corner of the fan of each corner: fans continue across joined edges.
    fn fans(&self) -> Vec<u32> {
        let mut groups = Groups::new(self.ends.len());
        for (h, &twin) in self.twin.iter().enumerate().filter(|(_, twin)| **twin != NONE) {
            groups.join(h as u32, self.next[twin as usize]);
        }
        (0..self.ends.len() as u32).map(|h| groups.first(h)).collect()
    }
}

/// For each of some vertices a number shared by those at its position.
fn places(mesh: &Mesh, vertices: &[u32]) -> Vec<u32> {
    let at = |k: u32| mesh.positions[vertices[k as usize] as usize];
    let all = mesh.corner_vertices.iter().map(|&v| mesh.positions[v as usize]);
    let Some((low, high)) = all.map(|p| (p, p)).reduce(|x, y| (x.0.inf(&y.0), x.1.sup(&y.1))) else {
        return Vec::new();
    };
    let near = SAME_PLACE * (high - low).norm();
    // Along a direction that no body is aligned with, so that few have the same key.
    let along = Vec3::new(0.6180, 0.5397, 0.5717);
    let mut keys: Vec<(Real, u32)> = (0..vertices.len() as u32).map(|k| (at(k).dot(&along), k)).collect();
    keys.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut groups = Groups::new(vertices.len());
    for (place, &(key, k)) in keys.iter().enumerate() {
        // The direction is a little longer than 1.
        let before = keys[..place].iter().rev().take_while(|other| key - other.0 <= 1.01 * near);
        let same = before.map(|other| other.1).filter(|&other| (at(other) - at(k)).norm() <= near);
        for other in same {
            groups.join(k, other);
        }
    }
    (0..vertices.len() as u32).map(|k| groups.first(k)).collect()
}

/// A partition into groups, each named by its first member.
struct Groups(Vec<u32>);

impl Groups {
    fn new(count: usize) -> Self {
        Groups((0..count as u32).collect())
    }

    fn first(&mut self, mut of: u32) -> u32 {
        while self.0[of as usize] != of {
            self.0[of as usize] = self.0[self.0[of as usize] as usize];
            of = self.0[of as usize];
        }
        of
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        match a.cmp(&b) {
            Ordering::Less => self.0[b as usize] = a,
            Ordering::Greater => self.0[a as usize] = b,
            Ordering::Equal => {}
        }
    }
}
