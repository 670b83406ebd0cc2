use super::super::model::Settings;
use super::super::plane::least_squares;
use super::super::state::State;
use super::*;
use proptest::prelude::*;
use sinew_energy::{Material, Stvk};
use sinew_geometry::{Mesh, shapes};
use sinew_math::Rotation;
use std::f64::consts::TAU;

fn model(mesh: &Mesh) -> Model {
    let material = Material::Stvk(Stvk::new(3e4, 0.4).unwrap());
    Model::new(TriMesh::from_mesh(mesh).unwrap(), Settings::new(material)).unwrap()
}

/// All quads split the same way.
fn torus() -> Model {
    let quads = shapes::torus(1.0, 0.4, 40, 20);
    let mut mesh = Mesh { positions: quads.positions.clone(), face_offsets: vec![0], ..Mesh::default() };
    for f in 0..quads.face_count() {
        let q = quads.face(f);
        mesh.corner_vertices.extend([q[0], q[1], q[2], q[0], q[2], q[3]]);
        mesh.face_offsets.extend([6 * f as u32 + 3, 6 * f as u32 + 6]);
    }
    model(&mesh)
}

/// The skin that moves every vertex's own material to its `place`, as closely as the surface allows.
fn slid_skin(model: &Model, place: impl Fn(&Vec3) -> Vec3) -> Vec<SurfacePoint> {
    let places: Vec<_> = model.rest.mesh().positions.iter().map(place).collect();
    let mut skin = bind(model, &places).unwrap();
    for (point, place) in skin.iter_mut().zip(&places) {
        for _ in 0..8 {
            let left = place - model.rest.place(point);
            *point = model.rest.go(point, least_squares(&model.rest.tangents(point), &left));
        }
    }
    skin
}

fn image(model: &Model, skin: &[SurfacePoint]) -> Image {
    let mut image = Image::new(model).unwrap();
    image.update(model, skin).unwrap();
    image
}

fn found(model: &Model, skin: &[SurfacePoint], points: &[SurfacePoint]) -> Vec<Slid> {
    let mut slid: Vec<_> = points.iter().map(|p| Slid::at_rest(*p)).collect();
    image(model, skin).find(model, points, &mut slid).unwrap();
    slid
}

/// Points all over a mesh: inside triangles, on their edges, at their corners.
fn everywhere(model: &Model) -> Vec<SurfacePoint> {
    let weights = [[0.2, 0.3, 0.5], [0.9, 0.04, 0.06], [0.0, 0.6, 0.4], [0.5, 0.5, 0.0], [0.0, 1.0, 0.0]];
    let triangles = 0..model.rest.mesh().triangles.len() as u32;
    triangles.flat_map(|triangle| weights.map(|weights| SurfacePoint { triangle, weights })).collect()
}

fn on_body(model: &Model, slid: &Slid) -> Vec3 {
    slid.on.position(model.rest.mesh())
}

fn turned(p: &Vec3, angle: Real) -> Vec3 {
    let (s, c) = angle.sin_cos();
    Vec3::new(c * p.x + s * p.z, p.y, c * p.z - s * p.x)
}

#[test]
fn skin_at_rest_is_where_it_is() {
    for mesh in [shapes::torus(1.0, 0.4, 24, 12), shapes::cylinder(1.0, 3.0, 16, 8), shapes::sphere(1.0, 3)] {
        let model = model(&mesh);
        let points = everywhere(&model);
        let skin = State::at_rest(&model).skin;
        let slid = found(&model, &skin, &points);
        for (point, slid) in points.iter().zip(&slid) {
            let error = (point.position(model.rest.mesh()) - on_body(&model, slid)).norm();
            assert!(slid.inside && error < 1e-12 && slid.distance < 1e-12, "{point:?} {slid:?} {error}");
        }
        let image = image(&model, &skin);
        for point in &points {
            let there = image.skin_at(&model, &skin, point);
            assert!((model.rest.place(&there) - model.rest.place(point)).norm() < 1e-12);
        }
    }
}

#[test]
fn a_torus_whose_skin_is_turned_by_whole_cells_is_turned_back() {
    let model = torus();
    let (around, cells) = (40, 7);
    let home = |v: usize| model.rest.vertex(v).unwrap();
    let skin: Vec<_> = (0..model.len()).map(|v| home(v / around * around + (v + cells) % around)).collect();
    let points = everywhere(&model);
    for (point, slid) in points.iter().zip(found(&model, &skin, &points)) {
        let back = turned(&point.position(model.rest.mesh()), -TAU * cells as Real / around as Real);
        assert!(slid.inside && (on_body(&model, &slid) - back).norm() < 1e-12, "{slid:?}");
    }
}

#[test]
fn a_torus_whose_skin_is_turned_by_any_angle_is_turned_back() {
    let mut errors = Vec::new();
    for n in [20, 40, 80] {
        let model = model(&shapes::torus(1.0, 0.4, 2 * n, n));
        let angle = 0.4;
        let skin = slid_skin(&model, |p| turned(p, angle));
        let points: Vec<_> = (0..model.len()).map(|v| model.rest.vertex(v).unwrap()).collect();
        let slid = found(&model, &skin, &points);
        assert!(slid.iter().all(|s| s.inside));
        let error = |v: usize| {
            // The body's facets lie below the torus: compare the directions.
            let on = on_body(&model, &slid[v]);
            let expected = turned(&model.rest.mesh().positions[v], -angle);
            (on.x * expected.z - on.z * expected.x).atan2(on.x * expected.x + on.z * expected.z).abs()
        };
        let cell = TAU / (2 * n) as Real;
        errors.push((0..model.len()).map(error).fold(0.0, Real::max) / cell);
    }
    println!("torus turned by 0.4, 40, 80, 160 cells around: errors in cells {errors:?}");
    assert!(errors[2] < 1e-3 && errors[0] / errors[2] > 3.0, "{errors:?}");
}

#[test]
fn a_twisted_tube_is_twisted_back() {
    let mut errors = Vec::new();
    for n in [16, 32] {
        let model = model(&shapes::cylinder(1.0, 4.0, n, n));
        let twist = 0.5;
        let skin = slid_skin(&model, |p| turned(p, twist * p.y));
        let points: Vec<_> = everywhere(&model);
        let slid = found(&model, &skin, &points);
        let error = |k: usize| {
            let (on, y) = (on_body(&model, &slid[k]), model.rest.place(&points[k]));
            let back = turned(&y, -twist * y.y);
            (on.x * back.z - on.z * back.x).atan2(on.x * back.x + on.z * back.z).abs().hypot(on.y - y.y)
        };
        assert!(slid.iter().all(|s| s.inside && s.distance < 0.02), "{slid:?}");
        errors.push((0..points.len()).map(error).fold(0.0, Real::max) * n as Real / TAU);
    }
    println!("tube twisted by 0.5 rad per radius, 16 and 32 sides: errors in cells {errors:?}");
    assert!(errors[1] < 0.02, "{errors:?}");
}

#[test]
fn the_start_of_the_search_does_not_matter() {
    let model = torus();
    let skin = slid_skin(&model, |p| turned(p, 0.3 + 0.1 * (4.0 * p.y).sin()));
    let points = everywhere(&model);
    let expected = found(&model, &skin, &points);
    let mut image = image(&model, &skin);
    let count = model.rest.mesh().triangles.len() as u32;
    for turn in [1, 17, 611, 5000] {
        let start = |k: usize| SurfacePoint { triangle: (k as u32 * turn) % count, weights: [1.0, 0.0, 0.0] };
        let mut slid: Vec<_> = (0..points.len()).map(|k| Slid::at_rest(start(k))).collect();
        image.find(&model, &points, &mut slid).unwrap();
        assert!(slid == expected);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert!(pool.install(|| found(&model, &skin, &points)) == expected);
}

#[test]
fn material_that_left_is_known_and_the_nearest_is_given() {
    let model = model(&shapes::grid(1.0, 1.0, 10, 10));
    // The body carries only the middle of the skin.
    let skin = slid_skin(&model, |p| 0.8 * p);
    let points = everywhere(&model);
    let (mut gone, mut image) = (0, image(&model, &skin));
    let mut slid: Vec<_> = points.iter().map(|p| Slid::at_rest(*p)).collect();
    for _ in 0..2 {
        image.find(&model, &points, &mut slid).unwrap();
        for (point, slid) in points.iter().zip(&slid) {
            let y = model.rest.place(point);
            let nearest = Vec3::new(y.x.clamp(-0.4, 0.4), 0.0, y.z.clamp(-0.4, 0.4));
            let on = on_body(&model, slid);
            assert!((on - nearest / 0.8).norm() < 1e-9, "{y} {on}");
            assert!((slid.distance - (y - nearest).norm()).abs() < 1e-9);
            let beyond = (y - nearest).norm();
            assert!(slid.inside == (beyond < 1e-9), "{y} {slid:?}");
            gone += usize::from(!slid.inside);
        }
    }
    assert!(gone > 100);
}

#[test]
fn folded_skin_has_an_answer_near_by_and_always_the_same() {
    let model = model(&shapes::grid(1.0, 1.0, 10, 10));
    // A vertex is pulled over its neighbours: triangles around it are flipped.
    let fold =
        |p: &Vec3| if (p - Vec3::new(0.1, 0.0, 0.1)).norm() < 0.01 { p + Vec3::x() * 0.17 } else { *p };
    let skin = slid_skin(&model, fold);
    let points = everywhere(&model);
    let slid = found(&model, &skin, &points);
    let image = image(&model, &skin);
    for (point, slid) in points.iter().zip(&slid) {
        let corners = image.mesh.points(slid.on.triangle as usize);
        let reached = (slid.on.mix(corners) - model.rest.place(point)).norm();
        assert!(slid.inside && reached < 1e-9 && slid.on.weights.iter().all(|w| *w >= 0.0), "{slid:?}");
    }
    assert!(slid == found(&model, &skin, &points));
    // All skin of the body is one point: no result is NaN.
    let nowhere = vec![model.rest.vertex(0).unwrap(); model.len()];
    let slid = found(&model, &nowhere, &points);
    assert!(slid.iter().all(|s| s.distance.is_finite() && s.on.weights.iter().all(|w| w.is_finite())));
}

#[test]
fn what_rides_turns_and_stretches_with_the_skin() {
    let model = torus();
    let points = everywhere(&model);
    let mut slid: Vec<_> = points.iter().map(|p| Slid::at_rest(*p)).collect();
    let skin = State::at_rest(&model).skin;
    let mut image = image(&model, &skin);
    image.find(&model, &points, &mut slid).unwrap();
    let turn = Rotation::from_euler_angles(0.4, -2.0, 1.0);
    let body: Vec<_> = model.rest.mesh().positions.iter().map(|p| turn * p * 2.0).collect();
    let mut rides = vec![Ride::default(); points.len()];
    image.ride(&model, &body, &points, &slid, &mut rides).unwrap();
    for (point, ride) in points.iter().zip(&rides) {
        assert!((ride.turn - turn.to_rotation_matrix().into_inner()).amax() < 1e-12, "{ride:?}");
        assert!((ride.position - turn * point.position(model.rest.mesh()) * 2.0).norm() < 1e-12);
        assert!(ride.stretches.iter().all(|s| (s - 2.0).abs() < 1e-12));
    }
    // Turning the skin about the axis on a body at rest turns what rides on it backwards, about the axis.
    let skin = slid_skin(&model, |p| turned(p, 0.4));
    image.update(&model, &skin).unwrap();
    image.find(&model, &points, &mut slid).unwrap();
    image.ride(&model, &model.rest.mesh().positions.clone(), &points, &slid, &mut rides).unwrap();
    let back = Rotation::from_axis_angle(&Vec3::y_axis(), -0.4).to_rotation_matrix().into_inner();
    let worst = rides.iter().map(|r| (r.turn - back).amax()).fold(0.0, Real::max);
    let stretch = rides.iter().map(|r| (r.stretches[0] - 1.0).abs().max((r.stretches[1] - 1.0).abs()));
    println!("riders on the turned torus: turn off by {worst}, stretch by {}", stretch.fold(0.0, Real::max));
    assert!(worst < 0.02);
    let rotation = |m: &Mat3| (m.transpose() * m - Mat3::identity()).amax();
    assert!(rides.iter().all(|r| rotation(&r.turn) < 1e-12 && (r.direction.norm() - 1.0).abs() < 1e-12));
}

#[test]
fn riders_know_the_stretch_of_the_body() {
    let model = model(&shapes::grid(1.0, 1.0, 6, 6));
    let points = everywhere(&model);
    let mut slid: Vec<_> = points.iter().map(|p| Slid::at_rest(*p)).collect();
    let mut image = image(&model, &State::at_rest(&model).skin);
    image.find(&model, &points, &mut slid).unwrap();
    let body: Vec<_> =
        model.rest.mesh().positions.iter().map(|p| Vec3::new(1.5 * p.x, 0.0, 0.9 * p.z)).collect();
    let mut rides = vec![Ride::default(); points.len()];
    image.ride(&model, &body, &points, &slid, &mut rides).unwrap();
    for ride in rides {
        assert!((ride.stretches[0] - 1.5).abs() < 1e-12 && (ride.stretches[1] - 0.9).abs() < 1e-12);
        assert!(
            (ride.direction.x.abs() - 1.0).abs() < 1e-12 && (ride.turn - Mat3::identity()).amax() < 1e-12
        );
    }
}

#[test]
fn wrong_counts_and_places_are_refused() {
    let model = model(&shapes::grid(1.0, 1.0, 3, 3));
    let mut image = Image::new(&model).unwrap();
    assert_eq!(image.update(&model, &[]).unwrap_err().kind(), Kind::CountMismatch);
    let point = [model.rest.vertex(0).unwrap()];
    assert_eq!(image.find(&model, &point, &mut []).unwrap_err().kind(), Kind::CountMismatch);
    assert_eq!(image.ride(&model, &[], &[], &[], &mut []).unwrap_err().kind(), Kind::CountMismatch);
    assert_eq!(bind(&model, &[Vec3::repeat(Real::NAN)]).unwrap_err().kind(), Kind::NotFinite);
    assert_eq!(bind(&model, &[Vec3::new(0.1, 2.0, 0.1)]).unwrap().len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// From any point on the body to its skin and back.
    #[test]
    fn there_and_back(n in prop::array::uniform9(-1.0..1.0f64), open in any::<bool>()) {
        let mesh = if open { shapes::cylinder(1.0, 3.0, 24, 12) } else { shapes::torus(1.0, 0.4, 40, 20) };
        let model = model(&mesh);
        let field = |p: &Vec3| {
            let wave = Vec3::new((3.0 * p.y + n[0]).sin(), (2.0 * p.z + n[1]).sin(), (2.5 * p.x + n[2]).cos());
            // Tilted, an open tube would lose whole rows across its borders.
            let tilt = if open { 0.0 } else { 0.2 };
            let (a, b) = (Vec3::new(tilt * n[3], 0.2 * n[4], tilt * n[5]), Vec3::new(n[6], n[7], n[8]) * 0.06);
            p + a.cross(p) + b.component_mul(&wave)
        };
        let skin = slid_skin(&model, field);
        let image = image(&model, &skin);
        let places = everywhere(&model);
        let points: Vec<_> = places.iter().map(|on| image.skin_at(&model, &skin, on)).collect();
        let slid = found(&model, &skin, &points);
        let edge = model.rest.mean_edge();
        for ((place, point), slid) in places.iter().zip(&points).zip(&slid) {
            let wanted = place.position(model.rest.mesh());
            // Where the body extends beyond the skin's border, it carries the border.
            let height = model.rest.place(point).y;
            let clamped = open && !(1e-9..3.0 - 1e-9).contains(&height);
            prop_assert!(clamped || (on_body(&model, slid) - wanted).norm() < 1e-9 * edge, "{place:?} {slid:?}");
        }
    }
}
