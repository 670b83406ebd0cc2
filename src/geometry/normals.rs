//! Authored normals, carried along as a mesh moves.

use super::measure::corner_angles;
use super::mesh::{Mesh, NO_VALUE};
use sinew_math::{Mat3, Real, Vec3};
use std::collections::HashMap;

/// The normal of each corner once the vertices have moved to `moved`; none if the mesh has no normals, or a corner has
/// none.
///
/// A normal is transformed by the inverse transpose of what happens to its corner: to the edges beside it, and to the
/// direction perpendicular to both, which keeps its length. Corners of a vertex that share a normal still share one,
/// the mean by angle, so smooth edges stay smooth and hard ones hard. A mesh that does not move keeps its normals.
pub fn carried_normals(mesh: &Mesh, moved: &[Vec3]) -> Option<Vec<Vec3>> {
    let layer = mesh.normals.as_ref()?;
    let normal = |corner: usize| layer.values[layer.indices[corner] as usize];
    if layer.indices.contains(&NO_VALUE) || moved.len() != mesh.positions.len() {
        return None;
    }
    // Adding zero makes the two zeros one.
    let key = |corner: usize| (mesh.corner_vertices[corner], normal(corner).map(|x| (x + 0.0).to_bits()));
    let mut sums: Vec<Vec3> = Vec::new();
    let mut known = HashMap::new();
    let mut group = vec![0; layer.indices.len()];
    for face in 0..mesh.face_count() {
        let corners = mesh.corners(face);
        for corner in corners.clone() {
            let next = if corner + 1 == corners.end { corners.start } else { corner + 1 };
            let before = if corner == corners.start { corners.end - 1 } else { corner - 1 };
            let at = [corner, next, before].map(|c| mesh.corner_vertices[c] as usize);
            group[corner] = *known.entry(key(corner)).or_insert_with(|| {
                sums.push(Vec3::zeros());
                sums.len() - 1
            });
            let (was, is) = (at.map(|v| mesh.positions[v]), at.map(|v| moved[v]));
            if let Some(turned) = carried(normal(corner), was, is) {
                sums[group[corner]] += turned * corner_angles(is)[0];
            }
        }
    }
    let of = |corner: usize| sums[group[corner]].try_normalize(0.0).unwrap_or_else(|| normal(corner));
    Some((0..group.len()).map(of).collect())
}

/// A unit normal at the first of three points after these have moved; none if they lie on a line.
fn carried(normal: Vec3, was: [Vec3; 3], is: [Vec3; 3]) -> Option<Vec3> {
    let frame = |[a, b, c]: [Vec3; 3]| {
        let (u, v) = (b - a, c - a);
        Some(Mat3::from_columns(&[u, v, u.cross(&v).try_normalize(Real::MIN_POSITIVE)?]))
    };
    let (was, is) = (frame(was)?, frame(is)?);
    (is.transpose().try_inverse()? * (was.transpose() * normal)).try_normalize(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CornerLayer, shapes};
    use sinew_math::motion::rotation_by;

    /// A cube with hard edges, and the same with the normals of a ball.
    fn cubes() -> [Mesh; 2] {
        let mut positions = Vec::new();
        for k in 0..8 {
            positions.push(
                Vec3::new((k & 1) as Real, (k >> 1 & 1) as Real, (k >> 2) as Real) * 2.0 - Vec3::repeat(1.0),
            );
        }
        let corner_vertices = vec![0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
        let cube = Mesh {
            positions,
            face_offsets: (0..=6).map(|k| 4 * k).collect(),
            corner_vertices,
            ..Mesh::default()
        };
        let of = |values: Vec<Vec3>| Some(CornerLayer { indices: (0..24).collect(), values });
        let flat = (0..24).map(|corner| {
            let face = cube.face(corner / 4);
            let points = [0, 1, 2].map(|k| cube.positions[face[k] as usize]);
            (points[1] - points[0]).cross(&(points[2] - points[0])).normalize()
        });
        let round = cube.corner_vertices.iter().map(|&v| cube.positions[v as usize].normalize());
        [Mesh { normals: of(flat.collect()), ..cube.clone() }, Mesh { normals: of(round.collect()), ..cube }]
    }

    #[test]
    fn normals_follow_what_happens_to_the_surface() {
        let stretch = Mat3::from_diagonal(&Vec3::new(1.0, 3.0, 1.0));
        let turn = rotation_by(&Vec3::new(0.3, -0.8, 0.5)).to_rotation_matrix().into_inner();
        for (cube, smooth) in cubes().iter().zip([false, true]) {
            let given = &cube.normals.as_ref().unwrap().values;
            for change in [Mat3::identity(), turn, turn * 0.01, stretch, turn * stretch] {
                let moved: Vec<Vec3> =
                    cube.positions.iter().map(|p| change * p + Vec3::repeat(7.0)).collect();
                let found = carried_normals(cube, &moved).unwrap();
                let inverse = change.try_inverse().unwrap().transpose();
                for (corner, (found, was)) in found.iter().zip(given).enumerate() {
                    // Rotations and flat faces are exact; else only corners of one vertex agree.
                    if !smooth || (change.column(0).norm() - change.column(1).norm()).abs() < 1e-12 {
                        assert!((found - (inverse * was).normalize()).norm() < 1e-12, "{corner}: {found}");
                    }
                }
                for (a, v) in found.iter().zip(&cube.corner_vertices).filter(|_| smooth) {
                    let same = found.iter().zip(&cube.corner_vertices).filter(|(_, w)| *w == v);
                    assert!(same.into_iter().all(|(b, _)| a == b), "smooth edges stay smooth");
                }
            }
        }
        assert_eq!(carried_normals(&shapes::grid(1.0, 1.0, 1, 1), &[]), None);
    }

    #[test]
    fn a_corner_without_area_leaves_the_others_their_say() {
        let [hard, _] = cubes();
        let mut moved = hard.positions.clone();
        moved[7] = moved[6];
        let found = carried_normals(&hard, &moved).unwrap();
        assert!(found.iter().all(|n| (n.norm() - 1.0).abs() < 1e-12));
        // The faces that the vertex does not touch keep theirs.
        assert!((found[0] - hard.normals.unwrap().values[0]).norm() < 1e-12);
    }
}
