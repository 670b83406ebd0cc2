//! Tubes around paths, for showing strands.
//!
//! - \[Wang08\] Wang, Jüttler, Zheng, Liu, "Computation of rotation minimizing frames", 2008: the double reflection.

use super::mesh::{CornerLayer, Mesh};
use sinew_math::elementary::sin_cos;
use sinew_math::{Real, Vec2, Vec3};
use std::f64::consts::TAU;

/// A closed tube around a path: u goes around it, v is given by `along` at each point of the path. The rings do not
/// twist relative to each other \[Wang08\]. Coinciding points are skipped; without two different ones the result is
/// empty.
pub fn tube(path: &[Vec3], along: &[Real], radius: Real, around: usize) -> Mesh {
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut stops: Vec<(Vec3, Real)> = Vec::new();
    for (place, v) in path.iter().zip(along) {
        if stops.last().is_none_or(|(last, _)| (place - last).norm() > 1e-9 * radius) {
            stops.push((*place, *v));
        }
    }
    if stops.len() < 2 {
        return mesh;
    }
    let rings = frames(&stops);
    let mut uvs = CornerLayer::default();
    for ((place, v), [first, second]) in stops.iter().zip(&rings) {
        for k in 0..around {
            let (sine, cosine) = sin_cos(TAU * k as Real / around as Real);
            mesh.positions.push(place + (first * cosine + second * sine) * radius);
        }
        uvs.values.extend((0..=around).map(|k| Vec2::new(k as Real / around as Real, *v)));
    }
    let mut face = |corners: &[(usize, usize)]| {
        for &(ring, k) in corners {
            mesh.corner_vertices.push((ring * around + k % around) as u32);
            uvs.indices.push((ring * (around + 1) + k) as u32);
        }
        mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    };
    let last = stops.len() - 1;
    face(&(0..around).rev().map(|k| (0, k)).collect::<Vec<_>>());
    for ring in 0..last {
        for k in 0..around {
            face(&[(ring, k), (ring, k + 1), (ring + 1, k + 1), (ring + 1, k)]);
        }
    }
    face(&(0..around).map(|k| (last, k)).collect::<Vec<_>>());
    mesh.uvs = Some(uvs);
    mesh
}

/// The input of a tube.
pub struct Course<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its points.
    pub path: Vec<Vec3>,
    /// The v of each.
    pub along: Vec<Real>,
    /// Its thickness.
    pub radius: Real,
}

/// Tubes as one mesh with a group for each name; consecutive tubes with the same name are one group.
pub fn tubes(courses: &[Course], around: usize) -> Mesh {
    let mut all = Mesh { face_offsets: vec![0], ..Mesh::default() };
    for course in courses {
        let piece = tube(&course.path, &course.along, course.radius, around);
        let (first, corners) = (all.positions.len() as u32, all.corner_vertices.len() as u32);
        all.positions.extend(&piece.positions);
        all.corner_vertices.extend(piece.corner_vertices.iter().map(|v| v + first));
        all.face_offsets.extend(piece.face_offsets.iter().skip(1).map(|c| c + corners));
        if let Some(layer) = &piece.uvs {
            let uvs = all.uvs.get_or_insert_with(CornerLayer::default);
            let first = uvs.values.len() as u32;
            uvs.values.extend(&layer.values);
            uvs.indices.extend(layer.indices.iter().map(|k| k + first));
        }
        if all.groups.names.last().is_none_or(|last| last != course.name) {
            all.groups.names.push(course.name.into());
        }
        all.groups.of_face.resize(all.face_count(), all.groups.names.len() as u32 - 1);
    }
    all
}

/// Two directions across the path at each of its points; the second is the path's direction times the first.
fn frames(stops: &[(Vec3, Real)]) -> Vec<[Vec3; 2]> {
    let way = |k: usize| (stops[k + 1].0 - stops[k].0).normalize();
    let last = stops.len() - 1;
    // At a bend, halfway between the pieces; where the path turns back on itself, along the previous piece.
    let tangent = |k: usize| match k {
        0 => way(0),
        k if k == last => way(k - 1),
        k => (way(k - 1) + way(k)).try_normalize(1e-9).unwrap_or_else(|| way(k - 1)),
    };
    let mut direction = tangent(0);
    let mut first = direction.cross(&Vec3::ith(direction.iamin(), 1.0)).normalize();
    let mut rings = vec![[first, direction.cross(&first)]];
    for k in 1..=last {
        let next = tangent(k);
        let reflect = |v: Vec3, across: Vec3| v - across * (2.0 * across.dot(&v) / across.norm_squared());
        let step = stops[k].0 - stops[k - 1].0;
        let (carried, turned) = (reflect(first, step), reflect(direction, step));
        let rest = next - turned;
        first = if rest.norm() > 1e-12 { reflect(carried, rest) } else { carried };
        direction = next;
        rings.push([first, direction.cross(&first)]);
    }
    rings
}

#[cfg(test)]
mod tests {
    use super::super::Solid;
    use super::*;

    #[test]
    fn a_tube_is_closed_and_carries_the_material() {
        let path: Vec<Vec3> = (0..40)
            .map(|k| {
                let t = 0.1 * Real::from(k);
                Vec3::new(t.cos(), t.sin(), 0.3 * t)
            })
            .collect();
        let along: Vec<Real> = (0..40).map(|k| 0.25 * Real::from(k)).collect();
        let mesh = tube(&path, &along, 0.02, 12);
        mesh.check_counts().unwrap();
        let length: Real = path.windows(2).map(|w| (w[1] - w[0]).norm()).sum();
        let area = 6.0 * (TAU / 12.0).sin() * 0.02 * 0.02;
        // A solid is closed and not inside out.
        let volume = Solid::new(&mesh).unwrap().volume();
        assert!((volume / (area * length) - 1.0).abs() < 2e-3, "{volume} {}", area * length);
        let uvs = mesh.uvs.unwrap();
        assert_eq!(uvs.values.len(), 40 * 13);
        assert!((0..40).all(|k| uvs.values[13 * k + 5].y == along[k]));
    }

    #[test]
    fn rings_do_not_twist_and_bad_paths_leave_nothing() {
        // In a plane, the direction out of the plane is kept.
        let stops: Vec<(Vec3, Real)> = [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [2.0, 3.0], [2.0, 2.0]]
            .map(|[x, y]| (Vec3::new(x, y, 0.0), 0.0))
            .to_vec();
        let rings = frames(&stops);
        let out = |ring: &[Vec3; 2]| ring[0].z.hypot(ring[1].z);
        assert!(rings.iter().all(|ring| (out(ring) - 1.0).abs() < 1e-12));
        assert!(rings.windows(2).all(|w| (w[0][0].z.abs() - w[1][0].z.abs()).abs() < 1e-12));
        let here = Vec3::repeat(1.0);
        assert_eq!(tube(&[here, here], &[0.0, 1.0], 0.1, 8).face_count(), 0);
        assert_eq!(tube(&[], &[], 0.1, 8).face_count(), 0);
    }
}
