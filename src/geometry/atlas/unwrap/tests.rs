//! Charts with known shapes, and charts that nobody made by hand.

use super::*;
use crate::shapes;
use sinew_base::control::Listener;
use sinew_math::Rotation;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

const MARGIN: Real = 0.01;

fn auto(count: usize) -> AutoCharts {
    AutoCharts { count, max_stretch: 2.0 }
}

fn found(mesh: &Mesh, auto: &AutoCharts) -> Unwrapped {
    let made = Unwrapped::automatic(mesh, auto, MARGIN, &Control::default()).unwrap();
    check(mesh, &made);
    made
}

/// The marks on the edges for whose ends `marked` holds.
fn marks(mesh: &Mesh, marked: impl Fn(&Vec3, &Vec3) -> bool) -> Vec<bool> {
    let edges = HalfEdges::of_mesh(mesh);
    let at = |v: u32| &mesh.positions[v as usize];
    (0..edges.len() as u32).map(|h| marked(at(edges.origin(h)), at(edges.target(h)))).collect()
}

fn along(mesh: &Mesh, marks: &[bool]) -> Unwrapped {
    let made = Unwrapped::along(mesh, marks, MARGIN, &Control::default()).unwrap();
    check(mesh, &made);
    made
}

fn refused(mesh: &Mesh, marks: &[bool]) -> Error {
    Unwrapped::along(mesh, marks, MARGIN, &Control::default()).unwrap_err()
}

/// The bounds of each chart in the UVs.
fn boxes(mesh: &Mesh, made: &Unwrapped) -> Vec<[Vec2; 2]> {
    let mut boxes = vec![[Vec2::repeat(Real::INFINITY), Vec2::repeat(-Real::INFINITY)]; made.stretches.len()];
    for (face, &chart) in made.chart_of_face.iter().enumerate() {
        for c in mesh.corners(face) {
            let [low, high] = &mut boxes[chart as usize];
            (*low, *high) = (low.inf(&made.uvs[c]), high.sup(&made.uvs[c]));
        }
    }
    boxes
}

/// What holds for all charts: every triangle has a positive area in the UVs, UVs are the same on both sides of an edge
/// that is not a border, charts are apart in the unit square and all have the same scale, and the borders are those
/// that produce these charts again.
fn check(mesh: &Mesh, made: &Unwrapped) {
    let tri = TriMesh::from_mesh(mesh).unwrap();
    let edges = HalfEdges::of_mesh(mesh);
    assert_eq!(made.flipped, [0u32; 0]);
    let mut areas = vec![[0.0; 2]; made.stretches.len()];
    for (t, corners) in tri.corners.iter().enumerate() {
        let [a, b, c] = corners.map(|c| made.uvs[c as usize]);
        let flat = 0.5 * (b - a).perp(&(c - a));
        assert!(flat > 0.0, "triangle {t}: {flat:e}");
        let [on_surface, in_plane] = &mut areas[made.chart_of_face[tri.faces[t] as usize] as usize];
        *on_surface += triangle_areas(&tri)[t];
        *in_plane += flat;
    }
    let scale = areas[0][1] / areas[0][0];
    assert!(areas.iter().all(|[on_surface, in_plane]| (in_plane / on_surface / scale - 1.0).abs() < 1e-9));
    for h in 0..edges.len() as u32 {
        let twin = edges.twin(h);
        let border = twin.is_some() && made.borders[h as usize];
        assert_eq!(made.borders[h as usize], border, "an open border is no mark");
        let Some(twin) = twin else { continue };
        assert_eq!(made.borders[h as usize], made.borders[twin as usize]);
        let charts = [h, twin].map(|h| made.chart_of_face[edges.face(h) as usize]);
        if !border {
            let uv = |h: u32| made.uvs[h as usize];
            assert_eq!([uv(h), uv(edges.next(h))], [uv(edges.next(twin)), uv(twin)]);
            assert_eq!(charts[0], charts[1]);
        }
    }
    let boxes = boxes(mesh, made);
    let near = MARGIN * 0.999_999;
    for (k, [low, high]) in boxes.iter().enumerate() {
        assert!(low.min() >= near && high.max() <= 1.0 - near, "{low} {high}");
        for [other_low, other_high] in &boxes[k + 1..] {
            let gaps = [low - other_high, other_low - high].map(|gap| gap.max());
            assert!(gaps[0].max(gaps[1]) >= near, "charts overlap: {gaps:?}");
        }
    }
    let again = Unwrapped::along(mesh, &made.borders, MARGIN, &Control::default()).unwrap();
    assert_eq!((&again.chart_of_face, &again.uvs), (&made.chart_of_face, &made.uvs));
    let divided = Unwrapped::divided(mesh, &made.borders).unwrap();
    assert_eq!((&divided.chart_of_face, &divided.borders), (&made.chart_of_face, &made.borders));
}

/// The largest relative difference between edge lengths on the surface and in the UVs, at the common scale.
fn length_error(mesh: &Mesh, made: &Unwrapped) -> Real {
    let edges = HalfEdges::of_mesh(mesh);
    let ratio = |h: u32| {
        let next = edges.next(h);
        let [a, b] = [h, next].map(|h| mesh.positions[edges.origin(h) as usize]);
        (made.uvs[h as usize] - made.uvs[next as usize]).norm() / (a - b).norm()
    };
    let ratios: Vec<Real> = (0..edges.len() as u32).map(ratio).collect();
    ratios.iter().map(|r| (r / ratios[0] - 1.0).abs()).fold(0.0, Real::max)
}

fn charts(made: &Unwrapped) -> usize {
    made.stretches.len()
}

/// A ball with bumps that are all different.
fn bumpy(halvings: usize) -> Mesh {
    let mut mesh = shapes::sphere(1.0, halvings);
    for p in &mut mesh.positions {
        let bump = (3.1 * p.x + 0.4).sin() * (2.3 * p.y - 0.7).cos()
            + 0.6 * (4.7 * p.z + 1.1).sin() * (1.9 * p.x).cos();
        *p *= 1.0 + 0.2 * bump;
    }
    mesh
}

fn random(seed: u64) -> impl FnMut() -> Real {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as Real / (1u64 << 31) as Real
    }
}

#[test]
fn the_sides_of_a_cube_are_six_squares() {
    let mesh = shapes::cube(2.0, 4);
    let on_edge = |a: &Vec3, b: &Vec3| (0..3).filter(|&k| a[k] == b[k] && a[k].abs() == 1.0).count() == 2;
    for made in [along(&mesh, &marks(&mesh, on_edge)), found(&mesh, &auto(6))] {
        assert_eq!(charts(&made), 6);
        assert!((0..6).all(|side| {
            let faces = &made.chart_of_face[16 * side..16 * (side + 1)];
            faces.iter().all(|&chart| chart as usize == side)
        }));
        assert!(length_error(&mesh, &made) < 1e-9);
        assert!(made.stretches.iter().all(|s| (s - 1.0).abs() < 1e-9) && made.on_circle.is_empty());
        // Three squares in a row, two rows: 3 a + 4 margins = 1.
        let side = (1.0 - 4.0 * MARGIN) / 3.0;
        let sizes: Vec<Vec2> = boxes(&mesh, &made).into_iter().map(|[low, high]| high - low).collect();
        assert!(sizes.iter().all(|size| (size - Vec2::repeat(side)).amax() < 1e-9), "{sizes:?}");
    }
}

/// An unfolded cube: seven of the twelve edges are cut, which leaves one chart.
#[test]
fn a_cube_unfolds_into_a_cross() {
    let mesh = shapes::cube(2.0, 4);
    let cut = |a: &Vec3, b: &Vec3| {
        let fixed = |k: usize, at: Real| a[k] == at && b[k] == at;
        // The lid's edges but one, and the upright edges.
        let lid = fixed(2, 1.0) && (fixed(0, -1.0) || fixed(0, 1.0) || fixed(1, 1.0));
        let upright = (fixed(0, 1.0) || fixed(0, -1.0)) && (fixed(1, 1.0) || fixed(1, -1.0));
        lid || upright
    };
    let made = along(&mesh, &marks(&mesh, cut));
    assert_eq!(charts(&made), 1);
    assert!(length_error(&mesh, &made) < 1e-6, "{:e}", length_error(&mesh, &made));
}

#[test]
fn a_cylinder_that_is_slit_unrolls_and_keeps_its_lengths() {
    let mesh = shapes::cylinder(1.0, 3.0, 24, 12);
    let slit = marks(&mesh, |a, b| a.x == 0.0 && b.x == 0.0 && a.z > 0.0 && b.z > 0.0);
    let made = along(&mesh, &slit);
    assert_eq!((charts(&made), made.borders.iter().filter(|&&b| b).count()), (1, 2 * 12));
    assert!(length_error(&mesh, &made) < 1e-6, "{:e}", length_error(&mesh, &made));
    // A rectangle: as wide as the 24 chords together, as high as the tube, the longer side upright.
    let [low, high] = boxes(&mesh, &made)[0];
    let around = 48.0 * (std::f64::consts::PI / 24.0).sin();
    assert!(((high - low).y / (high - low).x - around / 3.0).abs() < 1e-6);
    assert!((made.stretches[0] - 1.0).abs() < 1e-6);
}

/// A tube that is not slit is laid around its hole.
#[test]
fn a_tube_without_a_slit_becomes_a_ring() {
    let mesh = shapes::cylinder(1.0, 0.5, 48, 4);
    let made = along(&mesh, &vec![false; mesh.corner_vertices.len()]);
    assert_eq!(charts(&made), 1);
    assert!(made.stretches[0] > 1.2, "{:?}", made.stretches);
    let long = shapes::cylinder(1.0, 6.0, 24, 24);
    let made = along(&long, &vec![false; long.corner_vertices.len()]);
    assert!(made.stretches[0] > 4.0);
    assert!(found(&long, &auto(1)).stretches.iter().all(|&s| s <= 2.0));
}

#[test]
fn surfaces_of_any_kind_get_charts_within_the_stretch() {
    let mut pieces = shapes::sphere(1.0, 2);
    let other = shapes::cube(1.0, 2);
    let first = pieces.positions.len() as u32;
    pieces.positions.extend(other.positions.iter().map(|p| p + Vec3::new(3.0, 0.0, 0.0)));
    let corners = pieces.corner_vertices.len() as u32;
    pieces.corner_vertices.extend(other.corner_vertices.iter().map(|v| v + first));
    pieces.face_offsets.extend(other.face_offsets[1..].iter().map(|o| o + corners));
    for (name, mesh, count, most) in [
        ("sphere", shapes::sphere(1.0, 3), 8, 10),
        ("torus", shapes::torus(2.0, 0.7, 32, 16), 8, 12),
        ("sheet", shapes::grid(2.0, 1.0, 12, 9), 1, 1),
        ("cube", shapes::cube(1.0, 1), 1, 6),
        ("coarse sphere", shapes::sphere(1.0, 0), 1, 8),
        ("bumps", bumpy(3), 8, 12),
        ("two pieces", pieces, 2, 12),
    ] {
        let made = found(&mesh, &auto(count));
        assert!((count..=most).contains(&charts(&made)), "{name}: {} charts", charts(&made));
        assert!(made.stretches.iter().all(|&s| s <= 2.0), "{name}: {:?}", made.stretches);
        assert!(made.on_circle.is_empty(), "{name}");
    }
    for count in 1..=12 {
        assert_eq!(charts(&found(&shapes::grid(2.0, 1.0, 8, 4), &auto(count))), count);
    }
    let within = |max_stretch| found(&shapes::sphere(1.0, 3), &AutoCharts { count: 1, max_stretch });
    let (strict, loose) = (within(1.2), within(2.0));
    assert!(strict.stretches.iter().all(|&s| s <= 1.2) && charts(&strict) > charts(&loose));
}

#[test]
fn what_cannot_be_laid_flat_is_refused_with_chart_and_face() {
    let sphere = shapes::sphere(1.0, 2);
    let none = vec![false; sphere.corner_vertices.len()];
    let closed = refused(&sphere, &none);
    assert_eq!((closed.kind(), closed.place().face), (Kind::Topology, Some(0)));
    assert!(closed.message().contains("chart 0") && closed.message().contains("is closed: mark a border"));
    let one_edge = (0..none.len()).map(|c| c == 5).collect::<Vec<_>>();
    assert!(refused(&sphere, &one_edge).message().contains("a slit of a single edge"));
    let torus = shapes::torus(2.0, 0.7, 24, 12);
    let ring = marks(&torus, |a, b| a.x.abs() < 1e-9 && b.x.abs() < 1e-9 && a.z > 0.0 && b.z > 0.0);
    // Cut once through the tube, a torus is a tube; cut also along the tube, a rectangle.
    assert_eq!(charts(&along(&torus, &ring)), 1);
    let length = |v: &Vec3| (v.x.hypot(v.z), v.y);
    let whole = marks(&torus, |a, b| {
        let along = [a, b].iter().all(|p| length(p).1.abs() < 1e-9 && length(p).0 > 2.0);
        along || (a.x.abs() < 1e-9 && b.x.abs() < 1e-9 && a.z > 0.0 && b.z > 0.0)
    });
    assert_eq!(charts(&along(&torus, &whole)), 1);
    // A hole of one face leaves the handle.
    let holed = (0..torus.corner_vertices.len()).map(|c| c < 4).collect::<Vec<_>>();
    let handle = refused(&torus, &holed);
    assert!(handle.message().contains("has a handle") && handle.message().contains("chart 1"), "{handle}");
    assert_eq!(handle.place().face, Some(1));
    let divided = Unwrapped::divided(&torus, &holed).unwrap();
    assert_eq!((divided.chart_of_face[0], divided.chart_of_face[1], divided.uvs.len()), (0, 1, 0));
    assert_eq!(refused(&sphere, &[true]).kind(), Kind::CountMismatch);
    let empty = Unwrapped::automatic(
        &Mesh { face_offsets: vec![0], ..Mesh::default() },
        &auto(1),
        0.0,
        &Control::default(),
    );
    assert_eq!(empty.unwrap_err().kind(), Kind::Degenerate);
    let full = Unwrapped::along(&sphere, &vec![true; none.len()], 0.2, &Control::default()).unwrap_err();
    assert_eq!(full.kind(), Kind::OutOfRange);
    assert!(full.message().contains("leaves no room for 320 charts"));
}

#[test]
fn meshes_without_extent_or_numbers_are_refused_by_name() {
    let refused =
        |mesh: &Mesh| Unwrapped::automatic(mesh, &auto(3), MARGIN, &Control::default()).unwrap_err();
    for value in [Real::NAN, Real::INFINITY, 1e200] {
        let mut mesh = shapes::cube(1.0, 2);
        mesh.positions[5].y = value;
        let error = refused(&mesh);
        assert_eq!((error.kind(), error.place().vertex), (Kind::NotFinite, Some(5)));
    }
    for mut mesh in [shapes::cube(1.0, 2), shapes::grid(1.0, 1.0, 2, 2)] {
        mesh.positions.fill(Vec3::new(1.0, 2.0, 3.0));
        let error = refused(&mesh);
        assert!(error.place().face == Some(0) && error.message().contains("no "), "{error}");
    }
}

/// One vertex that lies on its neighbour leaves triangles without area: the rest is laid flat as ever.
#[test]
fn triangles_without_area_do_not_matter() {
    let mut mesh = shapes::sphere(1.0, 3);
    let (a, b) = (mesh.face(40)[0] as usize, mesh.face(40)[1] as usize);
    mesh.positions[a] = mesh.positions[b];
    let made = Unwrapped::automatic(&mesh, &auto(8), MARGIN, &Control::default()).unwrap();
    assert_eq!(made.flipped, [0u32; 0]);
    assert!(made.stretches.iter().all(|&s| s <= 2.0), "{:?}", made.stretches);
}

/// A ramp of one and a half turns: laid flat, its ends would lie on each other, so its border goes on a circle.
#[test]
fn a_chart_that_would_overlap_goes_on_a_circle() {
    let mut mesh = shapes::grid(1.0, 1.0, 4, 72);
    for p in &mut mesh.positions {
        let (radius, angle) = (1.5 + p.x, 3.0 * std::f64::consts::PI * (0.5 - p.z));
        *p = Vec3::new(radius * angle.sin(), 0.02 * angle, radius * angle.cos());
    }
    let made = along(&mesh, &vec![false; mesh.corner_vertices.len()]);
    assert_eq!((charts(&made), made.on_circle.as_slice()), (1, [0u32].as_slice()));
    assert!(found(&mesh, &auto(1)).on_circle.is_empty());
}

/// A slit of two edges only just opens a sphere.
#[test]
fn a_sphere_with_a_short_slit_is_one_chart_with_much_stretch() {
    let mesh = shapes::sphere(1.0, 2);
    let edges = HalfEdges::of_mesh(&mesh);
    let first = 0u32;
    let second = edges.around(edges.target(first)).find(|&h| edges.target(h) != edges.origin(first));
    let marks: Vec<bool> = (0..edges.len() as u32).map(|h| h == first || Some(h) == second).collect();
    let made = along(&mesh, &marks);
    assert!(charts(&made) == 1 && made.stretches[0] > 4.0, "{:?}", made.stretches);
}

/// Whatever is marked works, or is refused with the face.
#[test]
fn random_marks_on_a_bumpy_ball_work_or_are_refused_by_name() {
    let mesh = bumpy(2);
    let (mut laid, mut refusals) = (0, 0);
    for seed in 0..60 {
        let mut random = random(seed);
        let part = 0.9 * random().powi(2);
        let marks: Vec<bool> = (0..mesh.corner_vertices.len()).map(|_| random() < part).collect();
        match Unwrapped::along(&mesh, &marks, 0.0001, &Control::default()) {
            Ok(made) => {
                assert_eq!(made.flipped, [0u32; 0], "seed {seed}");
                assert!(made.stretches.iter().all(|s| s.is_finite()), "seed {seed}");
                laid += 1;
            }
            Err(error) => {
                assert!(
                    error.message().contains("mark") && error.place().face.is_some(),
                    "seed {seed}: {error}"
                );
                refusals += 1;
            }
        }
    }
    assert!(laid >= 20 && refusals >= 3, "{laid} {refusals}");
}

/// The borders as pairs of places at rest, which do not depend on numbers.
fn border_set(mesh: &Mesh, made: &Unwrapped, name: impl Fn(u32) -> u32) -> BTreeSet<[u32; 2]> {
    let edges = HalfEdges::of_mesh(mesh);
    let borders = (0..edges.len() as u32).filter(|&h| made.borders[h as usize]);
    borders
        .map(|h| {
            let [a, b] = [edges.origin(h), edges.target(h)].map(&name);
            [a.min(b), a.max(b)]
        })
        .collect()
}

#[test]
fn moved_turned_scaled_and_reordered_meshes_get_the_same_charts() {
    let mesh = bumpy(3);
    let made = found(&mesh, &auto(10));
    let expected = border_set(&mesh, &made, |v| v);
    let turn = Rotation::from_euler_angles(0.3, -1.1, 2.0);
    for (scale, shift) in [(1.0, 0.0), (0.01, 0.0), (100.0, 0.0), (1.0, 1000.0)] {
        let place = |p: &Vec3| turn * p * scale + Vec3::new(shift, -shift, 0.5 * shift);
        let moved = Mesh { positions: mesh.positions.iter().map(place).collect(), ..mesh.clone() };
        let there = found(&moved, &auto(10));
        assert_eq!(there.chart_of_face, made.chart_of_face, "{scale} {shift}");
        let off = there.uvs.iter().zip(&made.uvs).map(|(a, b)| (a - b).amax()).fold(0.0, Real::max);
        assert!(off < 1e-6, "{scale} {shift}: {off:e}");
    }
    // Vertices and faces in another order, and the corners of each face begin elsewhere.
    let n = mesh.positions.len();
    let (mut vertices, mut faces) =
        ((0..n as u32).collect::<Vec<_>>(), (0..mesh.face_count()).collect::<Vec<_>>());
    let mut random = random(7);
    (1..n).for_each(|k| vertices.swap(k, (random() * k as Real) as usize));
    (1..faces.len()).for_each(|k| faces.swap(k, (random() * k as Real) as usize));
    let back: HashMap<u32, u32> = vertices.iter().enumerate().map(|(new, &old)| (old, new as u32)).collect();
    let corners = faces.iter().flat_map(|&f| {
        let face = mesh.face(f);
        [1, 2, 0].map(|k| back[&face[k]])
    });
    let shuffled = Mesh {
        positions: vertices.iter().map(|&v| mesh.positions[v as usize]).collect(),
        corner_vertices: corners.collect(),
        ..mesh.clone()
    };
    let there = found(&shuffled, &auto(10));
    assert_eq!(border_set(&shuffled, &there, |v| vertices[v as usize]), expected);
    let sorted = |made: &Unwrapped| {
        let mut s = made.stretches.clone();
        s.sort_by(Real::total_cmp);
        s
    };
    let (a, b) = (sorted(&there), sorted(&made));
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?} {b:?}");
}

#[test]
fn threads_do_not_matter_and_cancelling_stops() {
    let mesh = bumpy(3);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Unwrapped::automatic(&mesh, &auto(6), MARGIN, &Control::default()).unwrap())
    };
    assert_eq!(with(1), with(3));
    let control = Control::default();
    control.cancel();
    let stopped = Unwrapped::automatic(&mesh, &auto(6), MARGIN, &control).unwrap_err();
    assert_eq!(stopped.kind(), Kind::Cancelled);
}

/// Hears how much is done, and stops there.
struct Stopping {
    at: f64,
    heard: Mutex<Vec<f64>>,
}

impl Listener for Stopping {
    fn progress(&self, done: f64, _: &str) -> bool {
        self.heard.lock().unwrap().push(done);
        done < self.at
    }
}

#[test]
fn charts_are_reported_while_they_are_flattened_and_stop_midway() {
    let mesh = bumpy(3);
    let marks = found(&mesh, &auto(6)).borders;
    type Unwrap<'a> = &'a dyn Fn(&Control) -> Result<Unwrapped>;
    let (along, automatic): (Unwrap, Unwrap) =
        (&|control| Unwrapped::along(&mesh, &marks, MARGIN, control), &|control| {
            Unwrapped::automatic(&mesh, &auto(6), MARGIN, control)
        });
    for (unwrap, end) in [(along, 1.0), (automatic, 0.55)] {
        let heard = |at: f64| {
            let listener = Arc::new(Stopping { at, heard: Mutex::default() });
            let made = unwrap(&Control::new(listener.clone()));
            let heard = listener.heard.lock().unwrap().clone();
            (made, heard)
        };
        let (made, all) = heard(2.0);
        assert!(made.is_ok());
        let last = all.iter().copied().fold(0.0, Real::max);
        assert!(all.len() > 10 && (0.0..=1.0).contains(&last) && last > end - 1e-9, "{all:?}");
        let (made, part) = heard(0.3);
        assert_eq!(made.unwrap_err().kind(), Kind::Cancelled);
        assert!(part.len() < all.len(), "{part:?}");
    }
}
