//! Charts with known coordinates.

use super::*;
use crate::{HalfEdges, Mesh, Stop, SurfacePoint, TriMesh, shapes};
use sinew_base::error::Kind;
use sinew_math::{Real, Vec2};
use std::f64::consts::TAU;

struct Ground {
    tri: TriMesh,
    edges: HalfEdges,
}

impl Ground {
    fn new(mesh: &Mesh) -> Self {
        let tri = TriMesh::from_mesh(mesh).unwrap();
        let edges = HalfEdges::of_triangles(tri.positions.len(), &tri.triangles);
        Ground { tri, edges }
    }

    fn charts(&self, quads: Vec<Quad>) -> Charts {
        Charts::new(&self.tri, &self.edges, quads).unwrap()
    }

    fn solve(&self, charts: &Charts) -> Coordinates {
        parameterize(&self.tri, &self.edges, charts).unwrap()
    }
}

/// Charts of a grid of vertices cut into `across` by `along` equal rectangles.
fn rectangles(
    cells: (usize, usize),
    across: usize,
    along: usize,
    vertex: impl Fn(usize, usize) -> u32,
) -> Vec<Quad> {
    let (w, h) = (cells.0 / across, cells.1 / along);
    let quad = |a: usize, b: usize| {
        let (x, y) = (a * w, b * h);
        Quad {
            sides: [
                (0..=w).map(|i| vertex(x + i, y)).collect(),
                (0..=h).map(|j| vertex(x + w, y + j)).collect(),
                (0..=w).map(|i| vertex(x + w - i, y + h)).collect(),
                (0..=h).map(|j| vertex(x, y + h - j)).collect(),
            ],
        }
    };
    (0..along).flat_map(|b| (0..across).map(move |a| (a, b))).map(|(a, b)| quad(a, b)).collect()
}

fn flat(across: usize, along: usize) -> (Ground, Charts) {
    let cells = (across * 4, along * 4);
    let mut mesh = shapes::grid(across as Real, along as Real, cells.0, cells.1);
    // Any triangles: a linear map is harmonic on every one of them.
    for (k, p) in mesh.positions.iter_mut().enumerate() {
        let (x, y) = (k % (cells.0 + 1), k / (cells.0 + 1));
        let inside = |x: usize, n: usize| if x == 0 || x == n { 0.0 } else { 0.05 };
        p.x += inside(x, cells.0) * (7.0 * k as Real).sin();
        p.z += inside(y, cells.1) * (3.0 * k as Real).cos();
    }
    let ground = Ground::new(&mesh);
    let quads = rectangles(cells, across, along, |i, j| (j * (cells.0 + 1) + i) as u32);
    let charts = ground.charts(quads);
    (ground, charts)
}

fn torus(around: usize, across: usize, split: (usize, usize)) -> (Ground, Charts) {
    let ground = Ground::new(&shapes::torus(2.0, 0.7, around, across));
    let vertex = |i, j| ((j % across) * around + i % around) as u32;
    let quads = rectangles((around, across), split.0, split.1, vertex);
    let charts = ground.charts(quads);
    (ground, charts)
}

/// The sides of a cube, or, inflated, six charts of a sphere; at its corners three charts meet.
fn ball(cells: usize, round: bool) -> (Ground, Charts) {
    let mut mesh = shapes::cube(2.0, cells);
    if round {
        mesh.positions.iter_mut().for_each(|p| *p = p.map(|x| (0.25 * TAU * 0.5 * x).tan()).normalize());
    }
    let ground = Ground::new(&mesh);
    let quad = |side: usize| {
        let faces: Vec<_> = (side * cells * cells..(side + 1) * cells * cells).collect();
        let corner = |i: usize, j: usize| {
            // Faces are written row by row; which of a face's vertices is its corner (i, j) depends on the side.
            let (x, y) = (i.min(cells - 1), j.min(cells - 1));
            let face = mesh.face(faces[y * cells + x]);
            let k = [[0, 3], [1, 2]][i - x][j - y];
            face[if side % 2 == 1 { k } else { 3 - k }]
        };
        let row = |f: &dyn Fn(usize) -> (usize, usize)| {
            (0..=cells).map(f).map(|(i, j)| corner(i, j)).collect::<Vec<u32>>()
        };
        let mut sides =
            [row(&|k| (k, 0)), row(&|k| (cells, k)), row(&|k| (cells - k, cells)), row(&|k| (0, cells - k))];
        if side.is_multiple_of(2) {
            sides.iter_mut().for_each(|s| s.reverse());
            sides.reverse();
        }
        Quad { sides }
    };
    let charts = ground.charts((0..6).map(quad).collect());
    (ground, charts)
}

/// The atlas is continuous, covers every chart once, and finds its way back.
fn assert_atlas(ground: &Ground, charts: &Charts) -> Atlas {
    let solved = ground.solve(charts);
    assert_eq!((solved.clamped, solved.flipped.len()), (false, 0));
    assert!(solved.sides.iter().all(|&sides| sides == Sides::Free));
    let area: Real = solved.corners.iter().map(|[a, b, c]| 0.5 * (b - a).perp(&(c - a))).sum();
    assert!((area - charts.len() as Real).abs() < 1e-9, "{area}");
    let atlas = Atlas::new(charts.clone(), &solved).unwrap();
    let mut worst: Real = 0.0;
    for t in 0..ground.tri.triangles.len() as u32 {
        for weights in [[0.2, 0.3, 0.5], [0.0, 0.4, 0.6], [1.0, 0.0, 0.0]] {
            let point = SurfacePoint { triangle: t, weights };
            let (chart, uv) = atlas.coordinates(&point);
            assert!(uv.iter().all(|x| (0.0..=1.0).contains(x)));
            let back = atlas.surface_point(chart, uv).unwrap();
            let off = (back.position(&ground.tri) - point.position(&ground.tri)).norm();
            assert!(off < 1e-9, "triangle {t}: {off}");
        }
        // Two triangles see the ends of their edge at the same coordinates, up to the transition between their charts.
        // Around an irregular corner there is a choice, so start from the other end.
        for k in 0..3 {
            let Some(twin) = ground.edges.twin(3 * t + k) else { continue };
            let (here, there) = (atlas.corners(t), atlas.corners(twin / 3));
            let vertices = [3 * t + k, ground.edges.next(3 * t + k)].map(|h| ground.edges.origin(h));
            let side = twin % 3;
            let mut ends = [[k, side + 1], [k + 1, side]].map(|e| e.map(|k| k as usize % 3));
            if solved.irregular.iter().any(|i| i.0 == vertices[0]) {
                ends.reverse();
            }
            let [(a0, b0), (a1, b1)] = ends.map(|[a, b]| (here[a], there[b]));
            let other = atlas.chart(twin / 3);
            let [_, b0, b1] = atlas.together([(atlas.chart(t), a0), (other, b0), (other, b1)]).unwrap();
            worst = (a0 - b0).norm().max((a1 - b1).norm()).max(worst);
        }
    }
    assert!(worst < 1e-12, "{worst:e}");
    atlas
}

#[test]
fn a_rectangle_of_charts_gets_its_own_plane() {
    let (ground, charts) = flat(2, 3);
    let atlas = assert_atlas(&ground, &charts);
    let mut worst: Real = 0.0;
    for t in 0..ground.tri.triangles.len() as u32 {
        let chart = atlas.chart(t) as usize;
        let origin = Vec2::new((chart % 2) as Real, (chart / 2) as Real);
        for (uv, p) in atlas.corners(t).iter().zip(ground.tri.points(t as usize)) {
            worst = worst.max((uv + origin - Vec2::new(p.x + 1.0, 1.5 - p.z)).norm());
        }
    }
    assert!(worst < 1e-12, "{worst:e}");
}

/// u is linear in the angle along the ring. v is not linear in the angle t around the tube: the harmonic coordinate of
/// a torus of radii R and r has dv/dt = c / (R + r cos t).
fn torus_error(around: usize, across: usize, split: (usize, usize)) -> (Real, Real) {
    let (ground, charts) = torus(around, across, split);
    let atlas = assert_atlas(&ground, &charts);
    let steps = 2000;
    let density = |t: Real| 1.0 / (2.0 + 0.7 * t.cos());
    let integral = |to: Real| {
        let h = to / steps as Real;
        (0..steps).map(|k| density((k as Real + 0.5) * h) * h).sum::<Real>()
    };
    let whole = integral(TAU);
    let (nu, nv) = (split.0 as Real, split.1 as Real);
    let mut errors = (0.0, 0.0);
    for t in 0..ground.tri.triangles.len() as u32 {
        let chart = atlas.chart(t) as usize;
        let origin = Vec2::new((chart % split.0) as Real, (chart / split.0) as Real);
        for (uv, &v) in atlas.corners(t).iter().zip(&ground.tri.triangles[t as usize]) {
            let (i, j) = (v as usize % around, v as usize / around);
            let expected = Vec2::new(
                nu * i as Real / around as Real,
                nv * integral(TAU * j as Real / across as Real) / whole,
            );
            let off = uv + origin - expected;
            let wrapped = |x: Real, n: Real| (x - (x / n).round() * n).abs() / n;
            errors = (wrapped(off.x, nu).max(errors.0), wrapped(off.y, nv).max(errors.1));
        }
    }
    errors
}

#[test]
fn a_torus_gets_its_two_harmonic_angles() {
    for split in [(4, 1), (2, 2), (4, 4), (1, 1)] {
        let coarse = torus_error(24, 12, split);
        assert!(coarse.0 < 1e-11 && coarse.1 < 3e-3, "{split:?} {coarse:?}");
    }
    let fine = torus_error(48, 24, (4, 4));
    assert!(fine.0 < 1e-11 && fine.1 < 8e-4, "{fine:?}");
}

#[test]
fn cubes_and_spheres_have_eight_corners_at_which_three_charts_meet() {
    for round in [false, true] {
        let (ground, charts) = ball(6, round);
        let atlas = assert_atlas(&ground, &charts);
        let irregular = atlas.charts().irregular(&ground.edges);
        assert_eq!(irregular.len(), 8);
        assert!(irregular.iter().all(|&(_, valence)| valence == 3));
        // Each lies at a corner of its charts, seen from any of them.
        for (v, _) in irregular {
            for h in ground.edges.around(v) {
                let mut weights = [0.0; 3];
                weights[h as usize % 3] = 1.0;
                let (_, uv) = atlas.coordinates(&SurfacePoint { triangle: h / 3, weights });
                assert!(uv.iter().all(|x| x.min(1.0 - x).abs() < 1e-12), "{uv}");
            }
        }
    }
}

#[test]
fn ways_lead_through_charts_and_stop_at_the_border() {
    let (ground, charts) = flat(2, 3);
    let atlas = assert_atlas(&ground, &charts);
    let there = atlas.locate(0, Vec2::new(1.25, 2.5));
    assert_eq!((there.chart, there.uv, there.stop), (5, Vec2::new(0.25, 0.5), Stop::Arrived));
    assert_eq!(there.transition.point(Vec2::new(1.25, 2.5)), there.uv);
    let stopped = atlas.travel(0, Vec2::new(0.5, 0.5), Vec2::new(4.5, 0.5));
    assert_eq!((stopped.chart, stopped.uv, stopped.stop), (1, Vec2::new(1.0, 0.5), Stop::Border));
    assert_eq!(atlas.locate(0, Vec2::new(Real::NAN, 0.0)).stop, Stop::TooLong);
    let (ground, charts) = torus(24, 12, (4, 1));
    let ring = assert_atlas(&ground, &charts);
    let around = ring.locate(1, Vec2::new(9.75, -3.25));
    assert_eq!((around.chart, around.uv, around.stop), (2, Vec2::new(0.75, 0.75), Stop::Arrived));
    assert_eq!(ring.locate(0, Vec2::new(1e9, 0.5)).stop, Stop::TooLong);
}

/// Once straight around the cube, through four charts however they are turned, and through three around a corner.
#[test]
fn ways_on_a_cube_close_up() {
    let (ground, charts) = ball(4, false);
    let atlas = assert_atlas(&ground, &charts);
    for chart in 0..6 {
        let start = Vec2::new(0.3, 0.4);
        for d in [Vec2::new(4.0, 0.0), Vec2::new(0.0, -4.0)] {
            let around = atlas.travel(chart, start, start + d);
            assert_eq!((around.chart, around.stop, around.transition.turns()), (chart, Stop::Arrived, 0));
            assert!((around.uv - start).norm() < 1e-14);
        }
        for corner in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Vec2::from) {
            let start = corner + (Vec2::new(0.5, 0.5) - corner) * 0.3;
            let (mut at, mut uv, mut about) = (chart, start, corner);
            for _ in 0..3 {
                let d = uv - about;
                let step = atlas.travel(at, uv, about + Vec2::new(-d.y, d.x));
                assert!(step.chart != at);
                (at, uv, about) = (step.chart, step.uv, step.transition.point(about));
            }
            assert!(at == chart && (uv - start).norm() < 1e-14 && about == corner);
        }
    }
}

#[test]
fn borders_that_are_none_are_refused_by_name() {
    let (ground, charts) = flat(2, 1);
    let quads = charts.quads.clone();
    let refused = |change: &dyn Fn(&mut Vec<Quad>)| {
        let mut quads = quads.clone();
        change(&mut quads);
        Charts::new(&ground.tri, &ground.edges, quads).unwrap_err()
    };
    assert_eq!(refused(&|q| q.truncate(1)).kind(), Kind::Topology);
    assert_eq!(refused(&|q| q[1] = q[0].clone()).place().vertex, Some(0));
    assert_eq!(refused(&|q| q[0].sides[2].reverse()).kind(), Kind::Topology);
    assert_eq!(refused(&|q| q[0].sides[1][2] = 99).kind(), Kind::Topology);
    assert_eq!(refused(&|q| q[0].sides[0] = vec![0, 4]).place().vertex, Some(0));
    assert_eq!(refused(&|q| q[0].sides[0].clear()).kind(), Kind::Topology);
    // A tube in one piece is not a disc: its chart runs along the seam twice and never along the borders.
    let tube = Ground::new(&shapes::cylinder(1.0, 1.0, 6, 2));
    let seam: Vec<u32> = vec![0, 6, 12];
    let mut down = seam.clone();
    down.reverse();
    let open = Quad { sides: [vec![0, 1, 2], vec![2, 3, 4], down, seam] };
    assert!(Charts::new(&tube.tri, &tube.edges, vec![open]).is_err());
    let none = Charts::new(&ground.tri, &ground.edges, Vec::new()).unwrap_err();
    assert_eq!(none.place().face, Some(0));
}
