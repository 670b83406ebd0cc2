//! Skins that are not quite a body's, or none at all, made of one that is.

use sinew::geometry::{Mesh, TriMesh, measure::vertex_normals};
use sinew::math::{Real, Vec3};
use std::collections::{HashMap, HashSet};

/// Pseudo-random numbers between -1 and 1, the same in every run.
pub(crate) struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> Real {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as Real / (1_u64 << 52) as Real - 1.0
    }
}

fn normals(mesh: &Mesh) -> Vec<Vec3> {
    vertex_normals(&TriMesh::from_mesh(mesh).unwrap())
}

fn push(mesh: &mut Mesh, face: &[u32]) {
    mesh.corner_vertices.extend_from_slice(face);
    mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
}

fn empty(positions: Vec<Vec3>) -> Mesh {
    Mesh { positions, face_offsets: vec![0], ..Mesh::default() }
}

/// The faces of a mesh for which something holds.
pub(crate) fn part(mesh: &Mesh, holds: impl Fn(&[u32]) -> bool) -> Mesh {
    let mut made = empty(mesh.positions.clone());
    (0..mesh.face_count())
        .map(|face| mesh.face(face))
        .filter(|face| holds(face))
        .for_each(|face| push(&mut made, face));
    made
}

/// Every vertex off by up to so much, and quads split along either diagonal: as a body that was sculpted.
pub(crate) fn roughened(mesh: &Mesh, off: Real, seed: u64) -> Mesh {
    let mut noise = Noise(seed);
    let mut made = empty(mesh.positions.clone());
    for p in &mut made.positions {
        *p += Vec3::new(noise.next(), noise.next(), noise.next()) * off;
    }
    for face in (0..mesh.face_count()).map(|face| mesh.face(face)) {
        match *face {
            [a, b, c, d] if noise.next() > 0.0 => {
                [[a, b, c], [a, c, d]].iter().for_each(|t| push(&mut made, t))
            }
            [a, b, c, d] => [[b, c, d], [b, d, a]].iter().for_each(|t| push(&mut made, t)),
            _ => push(&mut made, face),
        }
    }
    made
}

/// A part of the skin again, so far outside of it: a shirt.
pub(crate) fn dressed(mesh: &Mesh, off: Real, holds: impl Fn(&Vec3) -> bool) -> Mesh {
    let mut made = part(mesh, |_| true);
    let first = mesh.positions.len() as u32;
    made.positions.extend(mesh.positions.iter().zip(normals(mesh)).map(|(p, n)| p + n * off));
    for face in (0..mesh.face_count()).map(|face| mesh.face(face)) {
        if face.iter().all(|v| holds(&mesh.positions[*v as usize])) {
            let face: Vec<u32> = face.iter().map(|v| v + first).collect();
            push(&mut made, &face);
        }
    }
    made
}

/// Plates around a body and no body in them: pieces of its skin of about so much length, one centimetre outside of it
/// and one thick, with gaps between them.
pub(crate) fn plates(mesh: &Mesh, length: Real) -> Mesh {
    let normals = normals(mesh);
    let cell = |v: u32| mesh.positions[v as usize].map(|x| (x / length).floor() as i64);
    let mut made = empty(Vec::new());
    let mut vertices: HashMap<(u32, bool), u32> = HashMap::new();
    let mut edges: HashSet<(u32, u32)> = HashSet::new();
    let mut vertex = |v: u32, outer: bool, made: &mut Mesh| {
        *vertices.entry((v, outer)).or_insert_with(|| {
            made.positions
                .push(mesh.positions[v as usize] + normals[v as usize] * if outer { 0.02 } else { 0.01 });
            made.positions.len() as u32 - 1
        })
    };
    let whole = |face: &&[u32]| face.iter().all(|v| cell(*v) == cell(face[0]));
    let faces: Vec<&[u32]> = (0..mesh.face_count()).map(|face| mesh.face(face)).filter(whole).collect();
    for face in &faces {
        edges.extend((0..face.len()).map(|k| (face[k], face[(k + 1) % face.len()])));
        let outer: Vec<u32> = face.iter().map(|v| vertex(*v, true, &mut made)).collect();
        let inner: Vec<u32> = face.iter().rev().map(|v| vertex(*v, false, &mut made)).collect();
        push(&mut made, &outer);
        push(&mut made, &inner);
    }
    for face in &faces {
        for k in 0..face.len() {
            let (a, b) = (face[k], face[(k + 1) % face.len()]);
            if !edges.contains(&(b, a)) {
                let [a1, b1] = [a, b].map(|v| vertex(v, true, &mut made));
                let [a0, b0] = [a, b].map(|v| vertex(v, false, &mut made));
                push(&mut made, &[b1, a1, a0, b0]);
            }
        }
    }
    made
}

/// A closed box along each of some bones, as wide and as deep as a fraction of its length.
pub(crate) fn boxes(bones: &[[Vec3; 2]], width: Real) -> Mesh {
    let mut made = empty(Vec::new());
    for [from, to] in bones {
        let along = to - from;
        let side =
            along.cross(&if along.x.abs() < along.y.abs() { Vec3::x() } else { Vec3::y() }).normalize();
        let (side, up) = (side * along.norm() * width, side.cross(&along) * width);
        let first = made.positions.len() as u32;
        for end in [from + along * 0.05, to - along * 0.05] {
            made.positions.extend([end - side - up, end + side - up, end + side + up, end - side + up]);
        }
        for face in [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]] {
            push(&mut made, &face.map(|v: u32| v + first));
        }
    }
    made
}
