use super::super::closest::ClosestPoint;
use super::super::measure::corner_angles;
use super::super::{Mesh, shapes};
use super::*;
use std::collections::HashSet;

struct Case {
    mesh: TriMesh,
    edges: HalfEdges,
}

impl Case {
    fn new(mesh: &Mesh) -> Self {
        Case::of(cut(mesh))
    }

    fn of(mesh: TriMesh) -> Self {
        let edges = HalfEdges::of_triangles(mesh.positions.len(), &mesh.triangles);
        Case { mesh, edges }
    }

    fn to(&self, target: usize) -> Decimated {
        self.keeping(target, |_| false)
    }

    fn keeping(&self, target: usize, keep: impl Fn(usize) -> bool) -> Decimated {
        let keep: Vec<bool> = (0..self.mesh.positions.len()).map(keep).collect();
        let coarse = decimate(&self.mesh, &self.edges, target, &keep, &Control::default()).unwrap();
        for (c, &v) in coarse.vertices.iter().enumerate() {
            assert_eq!(coarse.mesh.positions[c], self.mesh.positions[v as usize]);
        }
        assert_eq!(coarse.mesh.triangles.len(), coarse.mesh.faces.len());
        assert_eq!(coarse.mesh.triangles.len(), coarse.mesh.corners.len());
        coarse
    }
}

fn cut(mesh: &Mesh) -> TriMesh {
    TriMesh::from_mesh(mesh).unwrap()
}

fn edges_of(mesh: &TriMesh) -> HalfEdges {
    HalfEdges::of_triangles(mesh.positions.len(), &mesh.triangles)
}

/// The largest distance from points all over the triangles of one mesh to the other.
fn one_way(from: &TriMesh, to: &TriMesh) -> Real {
    let closest = ClosestPoint::new(to).unwrap();
    let mut farthest: Real = 0.0;
    for t in 0..from.triangles.len() {
        let [a, b, c] = from.points(t);
        for (u, v) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5), (1.0 / 3.0, 1.0 / 3.0)] {
            let p = a + (b - a) * u + (c - a) * v;
            farthest = farthest.max(closest.find(&p, Real::INFINITY).unwrap().distance);
        }
    }
    farthest
}

fn hausdorff(a: &TriMesh, b: &TriMesh) -> Real {
    one_way(a, b).max(one_way(b, a))
}

fn smallest_angle(mesh: &TriMesh) -> Real {
    let angles = (0..mesh.triangles.len()).flat_map(|t| corner_angles(mesh.points(t)));
    angles.fold(Real::INFINITY, Real::min).to_degrees()
}

#[test]
fn the_topology_stays_and_the_target_is_reached() {
    for (shape, loops) in [
        (shapes::sphere(1.0, 4), 0),
        (shapes::torus(2.0, 0.7, 60, 30), 0),
        (shapes::cylinder(1.0, 3.0, 40, 40), 2),
        (shapes::grid(2.0, 1.0, 40, 20), 1),
        (shapes::cube(1.0, 12), 0),
    ] {
        let fine = Case::new(&shape);
        for target in [1000, 300, 100] {
            let coarse = fine.to(target);
            assert_eq!(coarse.stopped, None);
            assert!((target - 1..=target).contains(&coarse.mesh.triangles.len()));
            let edges = edges_of(&coarse.mesh);
            assert_eq!(edges.euler_characteristic(), fine.edges.euler_characteristic());
            assert_eq!(edges.boundary_loops().len(), loops);
            assert!(edges.non_manifold_edges().is_empty() && edges.misoriented_edges().is_empty());
            assert!(edges.pinched_vertices().is_empty());
        }
    }
}

#[test]
fn more_triangles_are_closer_and_all_are_well_shaped() {
    for shape in
        [shapes::sphere(1.0, 5), shapes::torus(2.0, 0.7, 120, 60), shapes::cylinder(1.0, 3.0, 60, 60)]
    {
        let fine = Case::new(&shape);
        let mut last = Real::INFINITY;
        for target in [200, 800, 3200] {
            let coarse = fine.to(target).mesh;
            let distance = hausdorff(&coarse, &fine.mesh);
            let angle = smallest_angle(&coarse);
            assert!(distance < 0.5 * last, "{target}: {distance} after {last}");
            assert!(angle > 13.0, "{target}: {angle}");
            last = distance;
        }
        assert!(last < 0.03);
    }
}

#[test]
fn sharp_edges_and_straight_borders_are_kept() {
    let cube = Case::new(&shapes::cube(1.0, 16));
    let coarse = cube.to(500).mesh;
    assert!(hausdorff(&coarse, &cube.mesh) < 1e-12);
    let flat = Case::new(&shapes::grid(2.0, 1.0, 30, 20));
    let coarse = flat.to(60).mesh;
    assert!(hausdorff(&coarse, &flat.mesh) < 1e-12);
    assert!(smallest_angle(&coarse) > 13.0);
}

#[test]
fn no_triangle_is_turned_over() {
    let fine = Case::new(&shapes::torus(2.0, 0.5, 80, 40));
    let coarse = fine.to(250).mesh;
    for t in 0..coarse.triangles.len() {
        let points = coarse.points(t);
        let middle = points.iter().sum::<Vec3>() / 3.0;
        let ring = Vec3::new(middle.x, 0.0, middle.z).normalize() * 2.0;
        let outward = (middle - ring).normalize();
        assert!(triangle_area_vector(points).normalize().dot(&outward) > 0.6);
    }
}

#[test]
fn marked_vertices_survive_and_stop_the_work_in_time() {
    let fine = Case::new(&shapes::sphere(1.0, 4));
    let marked = |v: usize| v % 37 == 5;
    let coarse = fine.keeping(400, marked);
    let there: HashSet<u32> = coarse.vertices.iter().copied().collect();
    assert!((0..fine.mesh.positions.len()).filter(|&v| marked(v)).all(|v| there.contains(&(v as u32))));
    let all = fine.keeping(10, |_| true);
    assert_eq!(all.mesh.triangles, fine.mesh.triangles);
    let stopped = all.stopped.unwrap();
    assert_eq!((stopped.kept, stopped.over), (fine.mesh.positions.len(), fine.mesh.triangles.len() - 10));
}

#[test]
fn the_last_triangles_of_a_surface_stay() {
    let ball = Case::new(&shapes::sphere(1.0, 2)).to(0);
    let edges = edges_of(&ball.mesh);
    assert_eq!(edges.euler_characteristic(), 2);
    let stopped = ball.stopped.unwrap();
    assert_eq!(stopped.over, ball.mesh.triangles.len());
    assert_eq!(stopped.topology + stopped.shape, ball.mesh.positions.len());
    assert!((LEAST as usize..LEAST as usize + 2).contains(&stopped.over), "{stopped:?}");
    let flat = Case::new(&shapes::grid(1.0, 1.0, 8, 8)).to(0);
    assert_eq!(edges_of(&flat.mesh).boundary_loops().len(), 1);
}

#[test]
fn pieces_are_thinned_side_by_side_and_none_is_lost() {
    let mut mesh = cut(&shapes::sphere(1.0, 3));
    let n = mesh.positions.len() as u32;
    let other: Vec<Vec3> = mesh.positions.iter().map(|p| p * 0.5 + Vec3::new(5.0, 0.0, 0.0)).collect();
    mesh.positions.extend(other);
    let copies: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(|v| v + n)).collect();
    mesh.triangles.extend(copies);
    let fine = Case::of(mesh);
    for target in [120, 10] {
        let edges = edges_of(&fine.to(target).mesh);
        let (piece_of, pieces) = edges.components();
        assert_eq!((pieces, edges.euler_characteristic()), (2, 4));
        let count = |piece: u32| piece_of.iter().filter(|of| **of == piece).count();
        assert!([0, 1].iter().all(|piece| count(*piece) >= LEAST as usize), "{target}");
    }
}

#[test]
fn the_work_reports_its_progress_and_can_be_stopped() {
    let fine = Case::new(&shapes::sphere(1.0, 5));
    let keep = vec![false; fine.mesh.positions.len()];
    let control = Control::default();
    control.cancel();
    let error = decimate(&fine.mesh, &fine.edges, 400, &keep, &control).unwrap_err();
    assert_eq!(error.kind(), Kind::Cancelled);
}

#[test]
fn where_the_faces_form_no_surface_nothing_changes() {
    // A third sheet stands on a row of edges of the grid, and two grids share one corner.
    let mut mesh = cut(&shapes::grid(2.0, 2.0, 12, 12));
    let row: Vec<u32> = (0..5).map(|k| 6 * 13 + 4 + k).collect();
    for pair in row.windows(2) {
        mesh.positions.push(mesh.positions[pair[0] as usize] + Vec3::new(0.1, 0.5, 0.0));
        mesh.triangles.push([pair[0], pair[1], mesh.positions.len() as u32 - 1]);
    }
    let corner = mesh.positions.len() as u32;
    mesh.positions.extend([Vec3::new(-1.0, 1.0, 1.0), Vec3::new(-1.5, 1.0, 1.0)]);
    mesh.triangles.push([0, corner, corner + 1]);
    let fine = Case::of(mesh);
    let coarse = fine.to(40);
    let edges = edges_of(&coarse.mesh);
    assert_eq!(edges.non_manifold_edges().len(), 4);
    assert_eq!(edges.pinched_vertices().len(), fine.edges.pinched_vertices().len());
    let there: HashSet<u32> = coarse.vertices.iter().copied().collect();
    assert!(row.iter().chain(&[0]).all(|v| there.contains(v)));
    assert!(coarse.mesh.triangles.len() < 80);
}

#[test]
fn degenerate_meshes_come_back_whole() {
    let nothing = Case::of(TriMesh::default()).to(0);
    assert!(nothing.mesh.triangles.is_empty() && nothing.stopped.is_none());
    let mut point = cut(&shapes::sphere(1.0, 1));
    point.positions.iter_mut().for_each(|p| *p = Vec3::x());
    let count = point.triangles.len();
    let coarse = Case::of(point).to(4);
    assert_eq!((coarse.mesh.triangles.len(), coarse.mesh.flawed.len()), (count, count));
    assert_eq!(coarse.stopped.unwrap().over, count - 4);
    let repeated = TriMesh {
        positions: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
        triangles: vec![[0, 0, 1], [0, 1, 2]],
        ..TriMesh::default()
    };
    let coarse = Case::of(repeated).keeping(0, |v| v == 3);
    assert_eq!((coarse.mesh.triangles.len(), coarse.vertices.as_slice()), (2, &[0, 1, 2, 3][..]));
}

#[test]
fn a_few_flat_triangles_do_not_stop_the_rest() {
    let mut mesh = cut(&shapes::torus(2.0, 0.7, 40, 20));
    for v in [100, 333, 500] {
        mesh.positions[v] = mesh.positions[v + 1];
    }
    let coarse = Case::of(mesh).to(300);
    assert_eq!((coarse.stopped, coarse.mesh.flawed.len()), (None, 0));
    assert_eq!(edges_of(&coarse.mesh).euler_characteristic(), 0);
}

#[test]
fn the_same_mesh_gives_the_same_bits() {
    let fine = Case::new(&shapes::torus(2.0, 0.7, 60, 30));
    assert_eq!(fine.to(500), fine.to(500));
}

#[test]
fn bad_input_is_named() {
    let fine = Case::new(&shapes::sphere(1.0, 1));
    let keep = vec![false; fine.mesh.positions.len()];
    let kind = |mesh: &TriMesh, edges: &HalfEdges, keep: &[bool]| {
        decimate(mesh, edges, 4, keep, &Control::default())
            .map(|_| ())
            .map_err(|e| (e.kind(), e.place().vertex))
    };
    assert_eq!(kind(&fine.mesh, &fine.edges, &keep[1..]), Err((Kind::CountMismatch, None)));
    assert_eq!(kind(&fine.mesh, &HalfEdges::default(), &keep), Err((Kind::CountMismatch, None)));
    let mut broken = fine.mesh.clone();
    broken.positions[7].x = Real::NAN;
    assert_eq!(kind(&broken, &fine.edges, &keep), Err((Kind::NotFinite, Some(7))));
    let mut broken = fine.mesh.clone();
    broken.triangles[3][1] = 9999;
    assert_eq!(kind(&broken, &fine.edges, &keep), Err((Kind::OutOfRange, None)));
}

#[test]
fn errors_count_more_where_the_surface_bends() {
    for unit in [0.01, 1.0, 100.0] {
        // Two balls, the smaller one far away.
        let mut mesh = cut(&shapes::sphere(unit, 4));
        let count = mesh.positions.len();
        mesh.positions.extend(mesh.positions.clone().iter().map(|p| p * 0.2 + Vec3::x() * (4.8 * unit)));
        mesh.triangles.extend(mesh.triangles.clone().iter().map(|t| t.map(|v| v + count as u32)));
        let size = Vec3::new(6.0, 2.0, 2.0).norm();
        for (v, detail) in detail(&mesh).into_iter().enumerate() {
            let radius = if v < count { 1.0 } else { 0.2 };
            assert!((detail / (size / radius).powf(0.75) - 1.0).abs() < 0.02, "{unit} {v}: {detail}");
        }
    }
    let flat = cut(&shapes::grid(2.0, 1.0, 8, 4));
    assert!(detail(&flat).iter().all(|d| (d - RADII[1].powf(-0.75)).abs() < 1e-12));
}
