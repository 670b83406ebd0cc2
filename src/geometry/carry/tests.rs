use super::super::closest::ClosestPoint;
use super::super::decimate::decimate;
use super::super::trace::Surface;
use super::super::{Mesh, shapes};
use super::*;
use sinew_base::control::Control;
use sinew_math::Rotation;

const NOWHERE: SurfacePoint = SurfacePoint { triangle: 0, weights: [1.0, 0.0, 0.0] };

struct Case {
    fine: TriMesh,
    edges: HalfEdges,
    coarse: Decimated,
    carrier: Carrier,
}

impl Case {
    fn new(fine: TriMesh, target: usize) -> Self {
        let edges = HalfEdges::of_triangles(fine.positions.len(), &fine.triangles);
        let coarse =
            decimate(&fine, &edges, target, &vec![false; fine.positions.len()], &Control::default()).unwrap();
        Case::of(fine, edges, coarse)
    }

    fn of(fine: TriMesh, edges: HalfEdges, coarse: Decimated) -> Self {
        let carrier = Carrier::new(&fine, &edges, &coarse).unwrap();
        Case { fine, edges, coarse, carrier }
    }

    fn carry(&self, map: &[SurfacePoint]) -> Vec<SurfacePoint> {
        let mut out = vec![NOWHERE; self.fine.positions.len()];
        self.carrier.carry(map, &mut CarryScratch::default(), &mut out).unwrap();
        out
    }

    /// Each coarse vertex as a point on the coarse surface.
    fn own(&self) -> Vec<SurfacePoint> {
        let mut own = vec![NOWHERE; self.coarse.vertices.len()];
        for (t, triangle) in self.coarse.mesh.triangles.iter().enumerate() {
            for (k, &v) in triangle.iter().enumerate() {
                let mut weights = [0.0; 3];
                weights[k] = 1.0;
                own[v as usize] = SurfacePoint { triangle: t as u32, weights };
            }
        }
        own
    }

    /// Carries a motion of space and compares it with the same motion of the fine vertices.
    fn error(&self, motion: impl Fn(&Vec3) -> Vec3) -> MapError {
        let out = self.carry(&moved(&self.coarse.mesh, &motion));
        MapError::new(&self.fine, &self.edges, &out, &moved(&self.fine, &motion)).unwrap()
    }

    /// The largest distance of a fine vertex from where the carried identity maps it.
    fn identity(&self) -> Real {
        let out = self.carry(&self.own());
        let far = |v: usize| (out[v].position(&self.fine) - self.fine.positions[v]).norm();
        (0..out.len()).map(far).fold(0.0, Real::max)
    }
}

fn moved(mesh: &TriMesh, motion: impl Fn(&Vec3) -> Vec3) -> Vec<SurfacePoint> {
    let tree = ClosestPoint::new(mesh).unwrap();
    mesh.positions.iter().map(|p| tree.find(&motion(p), Real::INFINITY).unwrap().on).collect()
}

fn cut(mesh: &Mesh) -> TriMesh {
    TriMesh::from_mesh(mesh).unwrap()
}

/// A torus with bumps as high as a tenth of its tube.
fn bumpy() -> TriMesh {
    let mut mesh = cut(&shapes::torus(2.0, 0.7, 90, 45));
    for p in &mut mesh.positions {
        let outward = *p - Vec3::new(p.x, 0.0, p.z).normalize() * 2.0;
        *p += outward * 0.1 * ((19.0 * p.x).sin() * (17.0 * p.y).cos() * (18.0 * p.z).sin());
    }
    mesh
}

/// A fraction of a motion around the tube of the torus: not rigid, the triangles are stretched.
fn around_the_tube(angle: Real) -> impl Fn(&Vec3) -> Vec3 {
    move |p| {
        let r = p.x.hypot(p.z);
        let (s, c) = (p.y.atan2(r - 2.0) + angle).sin_cos();
        Vec3::new(p.x, 0.0, p.z) * ((2.0 + 0.7 * c) / r) + Vec3::y() * (0.7 * s)
    }
}

#[test]
fn the_identity_is_carried_to_the_identity() {
    for (mesh, target) in [
        (cut(&shapes::torus(2.0, 0.7, 90, 45)), 300),
        (bumpy(), 700),
        (bumpy(), 100),
        (cut(&shapes::cylinder(1.0, 3.0, 40, 30)), 150),
        (cut(&shapes::cube(1.0, 12)), 60),
        (cut(&shapes::sphere(1.0, 3)), 0),
    ] {
        let case = Case::new(mesh, target);
        assert!(case.identity() < 1e-12, "{target}: {}", case.identity());
    }
}

#[test]
fn a_slide_around_a_torus_is_carried_with_second_order() {
    let fine = cut(&shapes::torus(2.0, 0.7, 120, 60));
    let cases = [200, 800, 3200].map(|target| Case::new(fine.clone(), target));
    for angle in [0.05, 1.3, 3.0] {
        let turn = Rotation::from_euler_angles(0.0, angle, 0.0);
        let errors = cases.each_ref().map(|case| case.error(|p| turn * p).rms);
        // A quarter of the edges' area: half the length. 2^1.5 = 2.83.
        assert!(errors.windows(2).all(|e| e[1] < e[0] / 2.83), "{angle}: {errors:?}");
    }
    let errors = cases.each_ref().map(|case| case.error(around_the_tube(0.9)).rms);
    assert!(errors.windows(2).all(|e| e[1] < e[0] / 2.83), "{errors:?}");
    assert!(errors[2] < 0.03, "{errors:?}");
}

#[test]
fn a_slide_around_an_open_cylinder_is_carried_with_second_order() {
    let fine = cut(&shapes::cylinder(1.0, 3.0, 96, 48));
    let turn = Rotation::from_euler_angles(0.0, 0.77, 0.0);
    let errors = [150, 600, 2400].map(|target| Case::new(fine.clone(), target).error(|p| turn * p).rms);
    assert!(errors.windows(2).all(|e| e[1] < e[0] / 2.83), "{errors:?}");
}

#[test]
fn neighbours_stay_neighbours() {
    let case = Case::new(cut(&shapes::torus(2.0, 0.7, 120, 60)), 400);
    let turn = Rotation::from_euler_angles(0.0, 0.4, 0.0);
    let out = case.carry(&moved(&case.coarse.mesh, |p| turn * p));
    for h in 0..case.edges.len() as u32 {
        let ends = [case.edges.origin(h), case.edges.target(h)];
        let [a, b] = ends.map(|v| case.fine.positions[v as usize]);
        let [c, d] = ends.map(|v| out[v as usize].position(&case.fine));
        assert!((turn * (b - a) - (d - c)).norm() < 0.3 * (b - a).norm(), "{h}");
    }
}

/// A cylinder in a coarse cylinder whose vertices are some of its own. The coarse one can be unrolled, so walks on it
/// vary continuously with their length.
fn nested() -> Case {
    let fine = cut(&shapes::cylinder(1.0, 3.0, 48, 24));
    let mut mesh = cut(&shapes::cylinder(1.0, 3.0, 12, 6));
    let vertices: Vec<u32> = (0..7 * 12).map(|v| (v / 12) * 4 * 48 + (v % 12) * 4).collect();
    for (p, &v) in mesh.positions.iter_mut().zip(&vertices) {
        assert!((*p - fine.positions[v as usize]).norm() < 1e-12);
        *p = fine.positions[v as usize];
    }
    let edges = HalfEdges::of_triangles(fine.positions.len(), &fine.triangles);
    Case::of(fine, edges, Decimated { mesh, vertices, stopped: None })
}

#[test]
fn a_growing_slide_moves_without_jumps() {
    let case = nested();
    let coarse = HalfEdges::of_triangles(case.coarse.mesh.positions.len(), &case.coarse.mesh.triangles);
    let surface = Surface::new(&case.coarse.mesh, &coarse);
    let own = case.own();
    let along = |p: Vec3| Vec3::new(p.z, 0.21 * (1.5 - p.y), -p.x);
    let step = 2e-3;
    let mut before: Option<Vec<Vec3>> = None;
    for k in 0..400 {
        let walk = |on: &SurfacePoint| {
            let p = on.position(&case.coarse.mesh);
            // In the plane of the start's triangle, so that the speed is constant all along.
            let [a, b, c] = case.coarse.mesh.points(on.triangle as usize);
            let normal = (b - a).cross(&(c - a)).normalize();
            let flat = along(p) - normal * normal.dot(&along(p));
            surface.walk(*on, flat * (k as Real * step)).end
        };
        let map: Vec<SurfacePoint> = own.iter().map(walk).collect();
        let now: Vec<Vec3> = case.carry(&map).iter().map(|on| on.position(&case.fine)).collect();
        for (p, q) in before.iter().flatten().zip(&now) {
            assert!((p - q).norm() < 2.0 * step, "{k}: {}", (p - q).norm());
        }
        before = Some(now);
    }
}

#[test]
fn sheets_that_nearly_touch_are_not_mixed_up() {
    let mut plate = cut(&shapes::cube(1.0, 16));
    plate.positions.iter_mut().for_each(|p| p.y *= 1e-3);
    let case = Case::new(plate, 300);
    assert!(case.identity() < 1e-12);
    let coarse = HalfEdges::of_triangles(case.coarse.mesh.positions.len(), &case.coarse.mesh.triangles);
    let surface = Surface::new(&case.coarse.mesh, &coarse);
    let inside = |p: &Vec3| p.x.abs().max(p.z.abs()) < 0.4;
    let map: Vec<SurfacePoint> = case
        .own()
        .into_iter()
        .map(|on| {
            if inside(&on.position(&case.coarse.mesh)) { surface.walk(on, 0.05 * Vec3::x()).end } else { on }
        })
        .collect();
    let out = case.carry(&map);
    for (p, on) in case.fine.positions.iter().zip(&out) {
        let q = on.position(&case.fine);
        assert!(!inside(p) || (q.y - p.y).abs() < 1e-12, "{p} {q}");
    }
}

/// A torus with folds deep enough that parts far apart along the surface are near in space.
fn folded(amplitude: Real, waves: Real) -> TriMesh {
    let mut mesh = cut(&shapes::torus(2.0, 0.7, 120, 60));
    for p in &mut mesh.positions {
        let (around, across) = (p.x.atan2(p.z), p.y.atan2(p.x.hypot(p.z) - 2.0));
        let wave = (waves * around + 1.3).sin() * ((waves / 2.0).floor() * across + 0.4).cos();
        let tube = 0.7 * (1.0 + amplitude * wave * (5.0 * across + 3.0 * around).sin());
        let r = 2.0 + tube * across.cos();
        *p = Vec3::new(r * around.sin(), tube * across.sin(), r * around.cos());
    }
    mesh
}

/// If the coarse vertices slide by a quarter of their longest edges, no fine vertex fetches skin from farther away than
/// a few of these: what is near in space alone, or where a normal leads in a fold, carries nothing.
#[test]
fn a_short_slide_never_fetches_skin_from_another_part() {
    for (amplitude, waves, targets) in [(0.5, 17.0, [4000, 1000]), (0.7, 11.0, [2000, 500])] {
        for (target, scale) in targets.into_iter().zip([1.0, 100.0]) {
            let mut mesh = folded(amplitude, waves);
            mesh.positions.iter_mut().for_each(|p| *p = (*p + Vec3::new(3.0, -7.0, 5.0)) * scale);
            let case = Case::new(mesh, target);
            assert!(case.identity() < 1e-11 * scale, "{}", case.identity());
            let coarse = &case.coarse.mesh;
            let edges = HalfEdges::of_triangles(coarse.positions.len(), &coarse.triangles);
            let surface = Surface::new(coarse, &edges);
            let longest = |v: u32| {
                let at = |w: u32| coarse.positions[w as usize];
                edges.one_ring(v).into_iter().map(|w| (at(w) - at(v)).norm()).fold(0.0, Real::max)
            };
            let most = (0..coarse.positions.len() as u32).map(longest).fold(0.0, Real::max);
            for way in [Vec3::x(), Vec3::y(), Vec3::z()] {
                let slide =
                    |(v, on): (usize, SurfacePoint)| surface.walk(on, 0.25 * longest(v as u32) * way).end;
                let out = case.carry(&case.own().into_iter().enumerate().map(slide).collect::<Vec<_>>());
                for (v, (on, home)) in out.iter().zip(&case.fine.positions).enumerate() {
                    let far = (on.position(&case.fine) - home).norm();
                    assert!(far < most, "vertex {v} of {target} triangles: {far} of {most}");
                }
            }
        }
    }
}

#[test]
fn the_result_has_the_same_bits_at_any_number_of_threads() {
    let case = Case::new(bumpy(), 500);
    let map = moved(&case.coarse.mesh, around_the_tube(0.4));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| case.carry(&map))
    };
    let one = with(1);
    assert!(one == with(2) && one == with(5));
}

#[test]
fn flat_triangles_and_lone_vertices_do_no_harm() {
    let mut mesh = cut(&shapes::torus(2.0, 0.7, 40, 20));
    mesh.positions[100] = mesh.positions[101];
    mesh.positions.push(Vec3::new(9.0, 9.0, 9.0));
    let lone = mesh.positions.len() - 1;
    let case = Case::new(mesh, 300);
    let out = case.carry(&case.own());
    for (v, on) in out.iter().enumerate() {
        let far = (on.position(&case.fine) - case.fine.positions[v]).norm();
        assert!(v == lone || far < 1e-12, "{v}: {far}");
    }
}

#[test]
fn meshes_without_triangles_are_refused() {
    let points = cut(&shapes::cube(1.0, 2));
    let none = TriMesh { triangles: Vec::new(), faces: Vec::new(), ..points.clone() };
    let edges = |mesh: &TriMesh| HalfEdges::of_triangles(mesh.positions.len(), &mesh.triangles);
    let vertices = (0..points.positions.len() as u32).collect::<Vec<_>>();
    for (fine, mesh) in [(&none, &none), (&points, &none), (&none, &points)] {
        let coarse = Decimated { mesh: mesh.clone(), vertices: vertices.clone(), stopped: None };
        let error = Carrier::new(fine, &edges(fine), &coarse).err().unwrap();
        assert_eq!(error.kind(), Kind::Degenerate);
    }
}

#[test]
fn bad_input_is_named() {
    let case = Case::new(cut(&shapes::sphere(1.0, 2)), 60);
    let mut map = case.own();
    let mut out = vec![NOWHERE; case.carrier.fine_count()];
    let refused = |map: &[SurfacePoint], out: &mut [SurfacePoint]| {
        case.carrier.carry(map, &mut CarryScratch::default(), out).unwrap_err()
    };
    assert_eq!(refused(&map[1..], &mut out).kind(), Kind::CountMismatch);
    assert_eq!(refused(&map, &mut out[1..]).kind(), Kind::CountMismatch);
    map[3].weights[1] = Real::NAN;
    let error = refused(&map, &mut out);
    assert_eq!((error.kind(), error.place().vertex), (Kind::NotFinite, Some(3)));
    map[2].triangle = 10_000;
    let error = refused(&map, &mut out);
    assert_eq!((error.kind(), error.place().vertex), (Kind::OutOfRange, Some(2)));
    let kind = |fine: &TriMesh, edges: &HalfEdges, coarse: &Decimated| {
        Carrier::new(fine, edges, coarse).err().map(|e| e.kind())
    };
    let none = HalfEdges::default();
    assert_eq!(kind(&case.fine, &none, &case.coarse), Some(Kind::CountMismatch));
    let nothing = Decimated::default();
    assert_eq!(kind(&case.fine, &case.edges, &nothing), Some(Kind::Degenerate));
    let mut other = case.coarse.clone();
    other.vertices[0] = 99_999;
    assert_eq!(kind(&case.fine, &case.edges, &other), Some(Kind::CountMismatch));
}

/// Parts are handed out without loss, where they are: a coarse vertex that is alone keeps its own, and the places of
/// all parts, weighted by them, stay about where they were.
#[test]
fn gathered_parts_keep_their_sum_and_their_place() {
    let case = Case::new(TriMesh::from_mesh(&shapes::sphere(1.0, 4)).unwrap(), 500);
    let parts: Vec<Real> = (0..case.fine.positions.len()).map(|v| 1.0 + (v as Real).sin()).collect();
    let gathered = case.carrier.gather(&parts);
    let sum = |values: &[Real]| values.iter().sum::<Real>();
    assert!((sum(&gathered) / sum(&parts) - 1.0).abs() < 1e-12);
    let torques = |values: &[Real], places: &[Vec3]| {
        values.iter().zip(places).map(|(value, place)| place.cross(&Vec3::x()) * *value).sum::<Vec3>()
    };
    let forces: Vec<Vec3> = case.fine.positions.iter().map(|p| Vec3::x() * p.y.max(0.0)).collect();
    let found = case.carrier.gather(&forces);
    let [from, to] = [(&forces, &case.fine), (&found, &case.coarse.mesh)].map(|(forces, mesh)| {
        torques(&forces.iter().map(|force| force.x).collect::<Vec<_>>(), &mesh.positions)
    });
    assert!((to - from).norm() < 0.02 * from.norm(), "{to} {from}");
    let mut one = vec![0.0; parts.len()];
    one[case.coarse.vertices[7] as usize] = 3.0;
    let found = case.carrier.gather(&one);
    assert_eq!(found.iter().position(|part| *part != 0.0), Some(7));
    assert_eq!(sum(&found), 3.0);
}
