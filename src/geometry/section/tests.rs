use super::super::{Mesh, shapes};
use super::*;
use proptest::prelude::*;
use sinew_math::{Rotation, Vec6};
use std::f64::consts::{PI, TAU};

fn solid(mesh: &Mesh) -> Solid {
    Solid::new(mesh).unwrap()
}

/// The plane through a point perpendicular to a direction.
fn plane(origin: Vec3, normal: Vec3) -> Placement {
    let rotation = Rotation::rotation_between(&Vec3::z(), &normal)
        .unwrap_or_else(|| Rotation::from_scaled_axis(Vec3::x() * PI));
    Placement::new(rotation, origin)
}

fn cut(solid: &Solid, plane: &Placement) -> Section {
    let mut section = Section::default();
    section.update(solid, plane).unwrap();
    section
}

/// A closed cylinder around the y axis.
fn closed_cylinder(radius: Real, height: Real, around: usize) -> Mesh {
    let mut mesh = shapes::cylinder(radius, height, around, 3);
    mesh.uvs = None;
    let top = 3 * around as u32;
    mesh.corner_vertices.extend((0..around as u32).rev());
    mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    mesh.corner_vertices.extend(top..top + around as u32);
    mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    mesh
}

/// A closed shape with bumps: a sphere whose points have the given distances from its centre.
fn bumpy(radii: &[Real]) -> Solid {
    let mut mesh = shapes::sphere(1.0, 2);
    mesh.positions.iter_mut().zip(radii.iter().cycle()).for_each(|(p, r)| *p *= *r);
    solid(&mesh)
}

/// Every triangle treated separately: the segments of the cut, in the plane.
fn segments(solid: &Solid, plane: &Placement) -> Vec<[Vec2; 2]> {
    let mut found = Vec::new();
    for triangle in solid.triangles() {
        let local = triangle.map(|v| plane.point_inside(&solid.positions()[v as usize]));
        let (mut from, mut to) = (None, None);
        for k in 0..3 {
            let (a, b) = (local[k], local[(k + 1) % 3]);
            let at = a.lerp(&b, a.z / (a.z - b.z)).xy();
            match (a.z >= 0.0, b.z >= 0.0) {
                (false, true) => to = Some(at),
                (true, false) => from = Some(at),
                _ => {}
            }
        }
        found.extend(from.zip(to).map(|(a, b)| [a, b]));
    }
    found
}

fn length(section: &Section) -> Real {
    section.edges().map(|(_, a, b)| (b - a).norm()).sum()
}

#[test]
fn a_sphere_has_circles() {
    let ball = solid(&shapes::sphere(2.0, 4));
    for height in [-1.5, 0.0, 0.3, 1.9] {
        let normal = Vec3::new(1.0, 2.0, -0.5).normalize();
        let section = cut(&ball, &plane(normal * height, normal));
        let radius = (4.0 - height * height).sqrt();
        assert_eq!(section.loops().count(), 1);
        assert!((section.area() / (PI * radius * radius) - 1.0).abs() < 0.02, "{height}");
        assert!(section.points().iter().all(|p| p.norm() < radius && p.norm() > 0.97 * radius));
        let found = section.closest(&Vec2::new(3.0, 0.0)).unwrap();
        assert!((found.distance - (3.0 - radius)).abs() < 0.02 && (found.normal - Vec2::x()).norm() < 0.05);
    }
}

#[test]
fn a_cube_has_squares_and_a_hexagon() {
    let cube = solid(&shapes::cube(1.0, 4));
    let normal = Vec3::new(1.0, 1.0, 1.0).normalize();
    // Through the middle across a diagonal: a regular hexagon with sides of sqrt(1/2).
    let section = cut(&cube, &plane(Vec3::zeros(), normal));
    assert!((section.area() - 0.75 * 3f64.sqrt()).abs() < 1e-14);
    assert!((length(&section) - 6.0 * 0.5f64.sqrt()).abs() < 1e-14);
    // Along rows of vertices too, where every vertex of the polygon is on the plane.
    for height in [-0.25, 0.0, 0.1, 0.25] {
        let section = cut(&cube, &plane(Vec3::z() * height, Vec3::z()));
        assert!((section.area() - 1.0).abs() < 1e-15 && section.loops().count() == 1);
        assert!((length(&section) - 4.0).abs() < 1e-14);
    }
}

#[test]
fn a_cylinder_has_ellipses() {
    let rod = solid(&closed_cylinder(0.5, 4.0, 400));
    for tilt in [0.0f64, 0.3, 0.8] {
        let normal = Vec3::new(tilt.sin(), tilt.cos(), 0.0);
        let section = cut(&rod, &plane(Vec3::y() * 2.1, normal));
        assert!((section.area() / (PI * 0.25 / tilt.cos()) - 1.0).abs() < 1e-4);
    }
}

#[test]
fn a_torus_has_rings_and_pairs() {
    let ring = solid(&shapes::torus(2.0, 0.5, 120, 60));
    let across = cut(&ring, &plane(Vec3::zeros(), Vec3::y()));
    let areas: Vec<Real> = across.loops().map(super::area).collect();
    assert_eq!(areas.len(), 2);
    assert!(areas.iter().any(|a| *a > 0.0) && areas.iter().any(|a| *a < 0.0), "the hole runs clockwise");
    assert!((across.area() / (PI * (2.5f64.powi(2) - 1.5f64.powi(2))) - 1.0).abs() < 2e-3);
    assert!(across.contains(&Vec2::new(2.0, 0.0)) && !across.contains(&Vec2::zeros()));
    let hole = across.closest(&Vec2::new(1.2, 0.0)).unwrap();
    assert!((hole.distance - 0.3).abs() < 0.01 && (hole.normal + Vec2::x()).norm() < 0.05);
    let along = cut(&ring, &plane(Vec3::zeros(), Vec3::x()));
    assert!(along.loops().count() == 2 && along.loops().all(|polygon| super::area(polygon) > 0.0));
    assert!((along.area() / (2.0 * PI * 0.25) - 1.0).abs() < 5e-3);
    // Just inside the tube's inner side: one polygon on each side becomes a single pinched one.
    assert_eq!(cut(&ring, &plane(Vec3::x() * 1.6, Vec3::x())).loops().count(), 1);
}

#[test]
fn planes_that_touch_have_a_section_only_where_there_is_area() {
    let cube = solid(&shapes::cube(1.0, 2));
    let mut section = Section::default();
    let mut kind =
        |origin: Vec3, normal: Vec3| section.update(&cube, &plane(origin, normal)).map_err(|e| e.kind());
    // Points on the plane count as above it: a side with the solid below it is a section.
    assert_eq!(kind(Vec3::z() * 0.5, Vec3::z()), Ok(()));
    let missed = Err(Kind::Degenerate);
    assert_eq!(kind(Vec3::z() * -0.5, Vec3::z()), missed);
    assert_eq!(kind(Vec3::z() * 0.6, Vec3::z()), missed);
    // Along an edge, at a corner, and no plane at all.
    assert_eq!(kind(Vec3::new(0.5, 0.5, 0.0), Vec3::new(1.0, 1.0, 0.0).normalize()), missed);
    assert_eq!(kind(Vec3::repeat(0.5), Vec3::repeat(1.0).normalize()), missed);
    assert_eq!(kind(Vec3::repeat(Real::NAN), Vec3::z()), missed);
    assert_eq!(section.closest(&Vec2::zeros()), None);
}

#[test]
fn what_is_closest_on_a_square() {
    let cube = solid(&shapes::cube(2.0, 1));
    let section = cut(&cube, &plane(Vec3::zeros(), Vec3::z()));
    let at = |x: Real, y: Real| section.closest(&Vec2::new(x, y)).unwrap();
    let diagonal = Vec2::new(0.5f64.sqrt(), 0.5f64.sqrt());
    let check = |found: OnSection, distance: Real, normal: Vec2, foot: [Real; 2]| {
        assert!((found.distance - distance).abs() < 1e-14, "{found:?}");
        assert!(
            (found.normal - normal).norm() < 1e-14 && (found.foot - Vec2::from(foot)).norm() < 1e-14,
            "{found:?}"
        );
    };
    check(at(3.0, 0.5), 2.0, Vec2::x(), [1.0, 0.5]);
    check(at(0.2, -0.9), -0.1, -Vec2::y(), [0.2, -1.0]);
    check(at(2.0, 2.0), 2f64.sqrt(), diagonal, [1.0, 1.0]);
    check(at(1.0, 0.3), 0.0, Vec2::x(), [1.0, 0.3]);
    check(at(1.0, 1.0), 0.0, diagonal, [1.0, 1.0]);
    check(at(-1.0 - 1e-13, 0.4), 1e-13, -Vec2::x(), [-1.0, 0.4]);
    check(at(-1.0 + 1e-13, 0.4), -1e-13, -Vec2::x(), [-1.0, 0.4]);
}

proptest! {
    #[test]
    fn the_walk_finds_what_every_triangle_says(
        radii in prop::collection::vec(0.4..1.6f64, 30), motion in prop::array::uniform6(-1.0..1.0f64),
    ) {
        let (shape, plane) = (bumpy(&radii), Placement::exp(&(Vec6::from(motion) * 3.0)));
        let expected = segments(&shape, &plane);
        let mut section = Section::default();
        prop_assert_eq!(section.update(&shape, &plane).is_ok(), !expected.is_empty());
        let area: Real = expected.iter().map(|[a, b]| 0.5 * a.perp(b)).sum();
        let whole: Real = expected.iter().map(|[a, b]| (b - a).norm()).sum();
        prop_assert!((section.area() - area).abs() < 1e-9, "{} {area}", section.area());
        prop_assert!((length(&section) - whole).abs() < 1e-8);
        prop_assert!(section.points().len() <= expected.len());
        for point in section.points() {
            prop_assert!(expected.iter().any(|[a, _]| (a - point).norm() < 1e-9));
        }
    }

    #[test]
    fn a_section_does_not_depend_on_the_planes_before(
        radii in prop::collection::vec(0.4..1.6f64, 30), motion in prop::array::uniform6(-1.0..1.0f64),
        step in prop::array::uniform6(-0.1..0.1f64),
    ) {
        let (shape, other) = (bumpy(&radii), solid(&shapes::cube(1.0, 3)));
        let (mut plane, step) = (Placement::exp(&Vec6::from(motion)), Vec6::from(step));
        let mut section = Section::default();
        for k in 0..20 {
            if k == 10 {
                let _ = section.update(&other, &plane);
            }
            let mut fresh = Section::default();
            let found = section.update(&shape, &plane).is_ok();
            prop_assert_eq!(found, fresh.update(&shape, &plane).is_ok());
            prop_assert_eq!(&section.points, &fresh.points);
            prop_assert_eq!(&section.loops, &fresh.loops);
            plane = plane * Placement::exp(&step);
        }
    }

    #[test]
    fn a_lean_is_how_the_distance_changes_while_the_plane_rises(
        radii in prop::collection::vec(0.7..1.3f64, 30), motion in prop::array::uniform6(-1.0..1.0f64),
        x in -2.0..2.0f64, y in -2.0..2.0f64,
    ) {
        let (shape, place) = (bumpy(&radii), Placement::exp(&(Vec6::from(motion) * 0.5)));
        let rise = 1e-6;
        let at = |height: Real| {
            let mut section = Section::default();
            let raised = place * Placement::new(Rotation::identity(), Vec3::z() * height);
            section.update(&shape, &raised).ok().and_then(|()| section.closest(&Vec2::new(x, y)))
        };
        let [Some(below), Some(now), Some(above)] = [-rise, 0.0, rise].map(at) else { return Ok(()) };
        // Where the nearest face changes in between there is no unique answer.
        prop_assume!((above.lean - below.lean).abs() < 1e-3 && now.lean.abs() < 100.0);
        let slope = (above.distance - below.distance) / (2.0 * rise);
        prop_assert!((slope - now.lean).abs() < 1e-3 * (1.0 + slope.abs()), "{slope} {now:?}");
    }

    #[test]
    fn areas_of_parallel_planes_add_up_to_the_volume(
        radii in prop::collection::vec(0.4..1.6f64, 30), turn in prop::array::uniform3(-3.0..3.0f64),
    ) {
        let shape = bumpy(&radii);
        let rotation = Rotation::from_scaled_axis(Vec3::from(turn));
        let (count, reach) = (400, 1.7);
        let width = 2.0 * reach / f64::from(count);
        let mut section = Section::default();
        let volume: Real = (0..count).map(|k| {
            let height = (f64::from(k) + 0.5) * width - reach;
            let plane = Placement::new(rotation, rotation * (Vec3::z() * height));
            section.update(&shape, &plane).map_or(0.0, |()| section.area() * width)
        }).sum();
        prop_assert!((volume / shape.volume() - 1.0).abs() < 2e-4, "{volume} {}", shape.volume());
    }

    #[test]
    fn planes_through_vertices_have_closed_sections(
        radii in prop::collection::vec(0.7..1.3f64, 30), three in prop::array::uniform3(0..162usize),
    ) {
        let shape = bumpy(&radii);
        let [a, b, c] = three.map(|v| shape.positions()[v]);
        let normal = (b - a).cross(&(c - a));
        prop_assume!(normal.norm() > 1e-2);
        let on_plane = |v: &u32| (shape.positions()[*v as usize] - a).dot(&normal).abs() < 1e-9;
        prop_assume!(!shape.triangles().iter().any(|t| t.iter().all(on_plane)));
        let (ahead, behind) = (plane(a, normal.normalize()), plane(a, -normal.normalize()));
        let areas = [ahead, behind].map(|plane| {
            let mut section = Section::default();
            section.update(&shape, &plane).map_or(0.0, |()| section.area())
        });
        // The side to which a vertex on the plane is assigned changes nothing but whole faces in it.
        prop_assert!((areas[0] - areas[1]).abs() < 1e-9, "{areas:?}");
    }

    #[test]
    fn the_normal_is_the_gradient_of_the_distance(
        radii in prop::collection::vec(0.6..1.4f64, 30), motion in prop::array::uniform6(-0.5..0.5f64),
        x in -2.0..2.0f64, y in -2.0..2.0f64,
    ) {
        let shape = bumpy(&radii);
        let section = cut(&shape, &Placement::exp(&Vec6::from(motion)));
        let point = Vec2::new(x, y);
        let found = section.closest(&point).unwrap();
        let inside = segments(&shape, &Placement::exp(&Vec6::from(motion))).iter().map(|[a, b]| {
            let (a, b) = (a - point, b - point);
            a.perp(&b).atan2(a.dot(&b))
        }).sum::<Real>() / TAU;
        prop_assert_eq!(found.distance < 0.0, inside > 0.5);
        prop_assert!((found.normal.norm() - 1.0).abs() < 1e-12);
        prop_assert!((found.foot + found.normal * found.distance - point).norm() < 1e-12);
        let h = 1e-6;
        let distance = |by: Vec2| section.closest(&(point + by)).unwrap();
        let sides = [Vec2::x(), Vec2::y()].map(|axis| [distance(axis * h), distance(axis * -h)]);
        // Where two feet are equally close the distance has no gradient.
        prop_assume!(sides.iter().flatten().all(|s| (s.foot - found.foot).norm() < 1e-4));
        let gradient = Vec2::from(sides.map(|[ahead, behind]| (ahead.distance - behind.distance) / (2.0 * h)));
        prop_assume!(found.distance.abs() > 1e-3);
        prop_assert!((gradient - found.normal).norm() < 2e-3, "{gradient} {}", found.normal);
    }
}
