use super::*;
use crate::atlas::{Atlas, Sides, parameterize};
use crate::measure::triangle_areas;
use crate::{Mesh, shapes};
use std::collections::HashMap;

/// The surface of the unit cubes of a block for which `solid` holds.
fn voxels(size: [usize; 3], solid: impl Fn(usize, usize, usize) -> bool) -> Mesh {
    let inside = |c: [isize; 3]| {
        (0..3).all(|k| c[k] >= 0 && (c[k] as usize) < size[k])
            && solid(c[0] as usize, c[1] as usize, c[2] as usize)
    };
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut known: HashMap<[isize; 3], u32> = HashMap::new();
    let cells = (0..size[0]).flat_map(|x| (0..size[1]).map(move |y| [x as isize, y as isize]));
    for [x, y, z] in cells.flat_map(|[x, y]| (0..size[2] as isize).map(move |z| [x, y, z])) {
        for (axis, out) in (0..6).map(|side| (side / 2, side % 2 == 1)) {
            let mut beside = [x, y, z];
            beside[axis] += if out { 1 } else { -1 };
            if !inside([x, y, z]) || inside(beside) {
                continue;
            }
            let mut corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
            if !out {
                corners.reverse();
            }
            for (a, b) in corners {
                let mut p = [x, y, z];
                p[axis] += isize::from(out);
                p[(axis + 1) % 3] += a;
                p[(axis + 2) % 3] += b;
                let next = known.len() as u32;
                let v = *known.entry(p).or_insert(next);
                if v == next {
                    mesh.positions.push(Vec3::from(p.map(|c| c as Real)));
                }
                mesh.corner_vertices.push(v);
            }
            mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
        }
    }
    mesh
}

/// Two rings side by side.
fn double_torus() -> Mesh {
    voxels([7, 3, 1], |x, y, _| y != 1 || (x != 1 && x != 5))
}

fn noisy(mut mesh: Mesh, size: Real) -> Mesh {
    for (k, p) in mesh.positions.iter_mut().enumerate() {
        let k = k as Real;
        *p += Vec3::new((12.9 * k).sin(), (78.2 * k).sin(), (37.7 * k).sin()) * size;
    }
    mesh
}

/// Cut, checked as a complex of quads, and parameterised; returns the fraction of charts whose sides had to be
/// straight.
fn assert_cut(name: &str, mesh: &Mesh, cells: usize) -> Real {
    let tri = TriMesh::from_mesh(mesh).unwrap();
    let edges = HalfEdges::of_triangles(tri.positions.len(), &tri.triangles);
    let cut = Segmentation::new(&tri, &edges, cells).unwrap();
    let area = |tri: &TriMesh| triangle_areas(tri).iter().sum::<Real>();
    assert!((area(cut.mesh()) / area(&tri) - 1.0).abs() < 1e-12, "{name}");
    assert_eq!(cut.edges().euler_characteristic(), edges.euler_characteristic());
    // The quads form the same surface: corners less sides plus quads.
    let charts = cut.charts();
    let mut corners = vec![false; cut.mesh().positions.len()];
    let mut sides = 0;
    for chart in 0..charts.len() as u32 {
        for (k, side) in charts.quad(chart).sides.iter().enumerate() {
            corners[side[0] as usize] = true;
            let beside = charts.across(super::super::Side { chart, side: k as u8 });
            sides += if beside.is_some() { 1 } else { 2 };
        }
    }
    let euler = corners.iter().filter(|&&c| c).count() as i64 - sides / 2 + charts.len() as i64;
    assert_eq!(euler, edges.euler_characteristic(), "{name}");
    // There and back.
    for t in (0..tri.triangles.len() as u32).step_by(7) {
        let point = SurfacePoint { triangle: t, weights: [0.2, 0.5, 0.3] };
        let there = cut.to_refined(&point);
        let back = cut.to_given(&there);
        assert_eq!(back.triangle, t);
        assert!((there.position(cut.mesh()) - point.position(&tri)).norm() < 1e-12, "{name}");
        assert!((0..3).all(|k| (back.weights[k] - point.weights[k]).abs() < 1e-12));
    }
    let solved = parameterize(cut.mesh(), cut.edges(), charts).unwrap();
    Atlas::new(charts.clone(), &solved).unwrap();
    assert_eq!(solved.flipped, [0u32; 0], "{name}");
    // Gauss-Bonnet: the sum of the valence defects is the Euler characteristic.
    if edges.boundary_loops().is_empty() {
        let lack: i64 = solved.irregular.iter().map(|&(_, valence)| 4 - i64::from(valence)).sum();
        assert_eq!(lack, 4 * edges.euler_characteristic(), "{name}");
    }
    let straight = solved.sides.iter().filter(|&&sides| sides == Sides::Straight).count();
    straight as Real / charts.len() as Real
}

#[test]
fn surfaces_of_any_kind_are_cut_into_quads_that_get_coordinates() {
    for (name, mesh, cells, most) in [
        ("sphere", shapes::sphere(1.0, 3), 6, 0.0),
        ("fine sphere", shapes::sphere(1.0, 4), 20, 0.05),
        ("torus", shapes::torus(2.0, 0.7, 32, 16), 8, 0.2),
        ("double torus", double_torus(), 8, 0.5),
        ("cube", shapes::cube(1.0, 4), 6, 0.0),
        ("coarse cube", shapes::cube(1.0, 1), 1, 0.0),
        ("coarsest sphere", shapes::sphere(1.0, 0), 1, 0.0),
        ("coarsest torus", shapes::torus(2.0, 0.7, 3, 3), 1, 0.5),
        ("tube", shapes::cylinder(1.0, 3.0, 16, 12), 4, 0.0),
        ("sheet", shapes::grid(2.0, 1.0, 12, 9), 4, 0.0),
        ("one quad", shapes::grid(2.0, 1.0, 1, 1), 1, 0.0),
        ("noisy sphere", noisy(shapes::sphere(1.0, 3), 0.03), 10, 0.05),
        ("noisy torus", noisy(shapes::torus(2.0, 0.7, 24, 12), 0.05), 6, 0.1),
        ("noisy sheet", noisy(shapes::grid(2.0, 1.0, 12, 9), 0.02), 1, 0.0),
    ] {
        let straight = assert_cut(name, &mesh, cells);
        assert!(straight <= most, "{name}: {straight}");
    }
}

#[test]
fn what_is_no_surface_is_refused_by_name() {
    let refused = |tri: &TriMesh| {
        let edges = HalfEdges::of_triangles(tri.positions.len(), &tri.triangles);
        Segmentation::new(tri, &edges, 4).unwrap_err()
    };
    let mut tri = TriMesh::from_mesh(&shapes::cube(1.0, 2)).unwrap();
    let edges = HalfEdges::default();
    assert_eq!(Segmentation::new(&tri, &edges, 4).unwrap_err().kind(), Kind::CountMismatch);
    assert_eq!(refused(&TriMesh::default()).kind(), Kind::Degenerate);
    tri.triangles[3].swap(0, 1);
    assert_eq!(refused(&tri).kind(), Kind::Topology);
    tri.triangles[3].swap(0, 1);
    tri.positions[5].x = Real::NAN;
    assert_eq!(refused(&tri).place().vertex, Some(5));
}
