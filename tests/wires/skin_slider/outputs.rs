//! Where the skin is: its outputs agree with each other and with the sag of a strip, and with where riders go.

use super::super::host::{Host, near, within};
use super::{CELLS, HIGH, Lone, Strip, WIDE, sag, sheet, skin};
use sinew::geometry::{CornerLayer, Mesh, shapes};
use sinew::math::{Real, Vec2, Vec3};

super::super::rows! {
    "output skin_points" => skin_points,
    "output skin_faces" => skin_faces,
    "output skin_weights" => skin_weights,
    "output uvs" => uvs,
    "param uv_seams" | "choice uv_seams/nearest" => nearest_side,
    "choice uv_seams/held" => held_side,
    "output slid_points" => slid_points,
    "output slide_vector" => slide_vector,
    "output slide_distance" => slide_distance,
    "input riders" => riders,
    "output rider_points" => rider_points,
    "output rider_matrices" => rider_matrices,
    "output rider_inside" => rider_inside,
    "param outputs" | "choice outputs/all" => all,
    "choice outputs/measures" => measures,
    "choice outputs/skin" => skin_only,
}

/// A strip that sags.
fn sagging() -> Strip {
    let mut strip = Strip::new(&[("gravity", "9.81")]);
    strip.rise();
    strip
}

/// How far the strip has sunk at a height: rho g y (L - y) / (2 E).
fn sunk(y: Real) -> Real {
    4.0 * sag(9.81) * y * (HIGH - y) / (HIGH * HIGH)
}

/// The skin has sunk, so the skin now at a vertex is that which was above it at rest.
fn skin_points() {
    let strip = sagging();
    for (found, p) in strip.host.vectors("skin_points").iter().zip(&strip.mesh.positions) {
        within(found.y - p.y, sunk(p.y), 0.02 * sag(9.81));
        within(found.x, p.x, 1e-9);
    }
}

/// The face and its weights give the place; the weights add up to one.
fn placed(strip: &Strip) -> Vec<Vec3> {
    let (faces, weights) = (strip.host.read("skin_faces"), strip.host.vectors("skin_weights"));
    let place = |(face, weights): (&Real, &Vec3)| {
        let corners = strip.mesh.face(*face as usize);
        (0..3).map(|k| strip.mesh.positions[corners[k] as usize] * weights[k]).sum()
    };
    faces.iter().zip(&weights).map(place).collect()
}

fn skin_faces() {
    let strip = sagging();
    let faces = strip.host.read("skin_faces");
    // The middle vertex has skin from a face above it.
    let corners = strip.mesh.face(faces[strip.middle()] as usize);
    let heights = corners.iter().map(|&v| strip.mesh.positions[v as usize].y);
    assert!(
        heights.clone().all(|y| y > 0.1 - 1e-9)
            && heights.fold(0.0, Real::max) < 0.1 + 1.1 * HIGH / CELLS as Real
    );
    let points = strip.host.vectors("skin_points");
    placed(&strip).iter().zip(points).for_each(|(a, b)| assert!((a - b).norm() < 1e-12, "{a} {b}"));
}

fn skin_weights() {
    let strip = sagging();
    strip.host.vectors("skin_weights").iter().for_each(|w| within(w.sum(), 1.0, 1e-12));
    for (found, p) in placed(&strip).iter().zip(&strip.mesh.positions) {
        within(found.y - p.y, sunk(p.y), 0.02 * sag(9.81));
    }
}

/// Those of the skin that is there, corner by corner.
fn uvs() {
    let strip = sagging();
    let (uvs, points) = (strip.host.read("uvs"), strip.host.vectors("skin_points"));
    assert_eq!(strip.host.count("uvs"), strip.mesh.corner_vertices.len());
    for (uv, &v) in uvs.chunks_exact(2).zip(&strip.mesh.corner_vertices) {
        let place = points[v as usize];
        within(uv[0], place.x / WIDE, 1e-9);
        within(uv[1], place.y / HIGH, 1e-9);
    }
}

/// A strip whose upper half lies two tiles to the right in the UVs sinks so far that faces below the seam have skin
/// from above. `side` gives the half in which a face's UVs must be, 0 or 1, from the face's height at rest and that of
/// its skin.
fn seamed(choice: &str, side: fn([Real; 2]) -> Real) {
    let mut strip = Strip::new(&[("gravity", "500"), ("uv_seams", choice)]);
    let middle = |mesh: &Mesh, face: usize, points: &[Vec3]| {
        mesh.face(face).iter().map(|&v| points[v as usize].y).sum::<Real>() / 3.0
    };
    let mut uvs = CornerLayer::default();
    for (corner, &v) in strip.mesh.corner_vertices.iter().enumerate() {
        let (p, half) =
            (strip.mesh.positions[v as usize], middle(&strip.mesh, corner / 3, &strip.mesh.positions));
        uvs.values.push(Vec2::new(p.x / WIDE + if half > 0.5 * HIGH { 2.0 } else { 0.0 }, p.y / HIGH));
        uvs.indices.push(corner as u32);
    }
    strip.mesh.uvs = Some(uvs);
    strip.host.mesh("rest", &strip.mesh);
    strip.rise();
    let (uvs, points) = (strip.host.read("uvs"), strip.host.vectors("skin_points"));
    let mut over = 0;
    for (corner, (uv, &v)) in uvs.chunks_exact(2).zip(&strip.mesh.corner_vertices).enumerate() {
        let heights =
            [&strip.mesh.positions, &points].map(|points| middle(&strip.mesh, corner / 3, points) / HIGH);
        over += u32::from(heights[0] < 0.5 && heights[1] > 0.5);
        within(uv[0], points[v as usize].x / WIDE + 2.0 * side(heights), 1e-9);
        within(uv[1], points[v as usize].y / HIGH, 1e-9);
    }
    assert_eq!(over, 12, "four triangles in the row below the seam");
}

fn nearest_side() {
    seamed("nearest", |[_, skin]| Real::from(u8::from(skin > 0.5)));
}

fn held_side() {
    seamed("held", |[rest, _]| Real::from(u8::from(rest > 0.5)));
}

/// The skin of each vertex has sunk.
fn slid_points() {
    let strip = sagging();
    for (found, p) in strip.host.vectors("slid_points").iter().zip(&strip.mesh.positions) {
        within(p.y - found.y, sunk(p.y), 0.03 * sag(9.81));
        within(found.x, p.x, 1e-6);
    }
}

fn slide_vector() {
    let strip = sagging();
    for (found, p) in strip.host.vectors("slide_vector").iter().zip(&strip.mesh.positions) {
        within(found.y, -sunk(p.y), 0.03 * sag(9.81));
    }
    // The vector is measured on the body as it is now, unlike the distance, which is measured at rest: on a body turned
    // by a quarter it points along x.
    let mut strip = sagging();
    let turned: Vec<Vec3> = strip.mesh.positions.iter().map(|p| Vec3::new(-p.y, p.x, p.z)).collect();
    let middle = strip.middle();
    strip.host.set("gravity", "0");
    strip.pull(0.0);
    let mut forces = vec![Vec3::zeros(); turned.len()];
    [(middle - 1, 0.25), (middle, 0.5), (middle + 1, 0.25)]
        .into_iter()
        .for_each(|(v, share)| forces[v].x = 0.5 * share);
    strip.host.points("points", &turned);
    strip.host.points("forces", &forces);
    strip.host.frame(2);
    near(strip.host.vectors("slide_vector")[middle].x, super::moved(0.5), 0.02);
}

fn slide_distance() {
    let strip = sagging();
    let (found, points) = (strip.host.read("slide_distance"), strip.host.vectors("skin_points"));
    for ((found, there), p) in found.iter().zip(&points).zip(&strip.mesh.positions) {
        within(*found, (there - p).norm(), 1e-12);
    }
    near(found[strip.middle()], sag(9.81), 0.02);
}

/// Two riders: on the skin at a quarter of the strip, and a centimetre off it in the middle.
fn ridden() -> Strip {
    let mut strip = Strip::new(&[("gravity", "9.81")]);
    strip.host.points("riders", &[Vec3::new(0.02, 0.05, 0.0), Vec3::new(0.025, 0.1, 0.01)]);
    strip.rise();
    strip
}

fn riders() {
    let strip = ridden();
    assert_eq!(strip.host.count("rider_points"), 2);
    let points = strip.host.vectors("rider_points");
    within(points[0].x, 0.02, 1e-6);
    within(points[1].x, 0.025, 1e-6);
    assert_eq!(sagging().host.count("rider_points"), 0);
}

fn rider_points() {
    let points = ridden().host.vectors("rider_points");
    for (found, y) in points.iter().zip([0.05, 0.1]) {
        within(found.y, y - sunk(y), 0.03 * sag(9.81));
        within(found.z, 0.0, 1e-9);
    }
}

/// A move downwards; on a body that is turned by a quarter about z, that turn too; none at rest, also where facets cut
/// corners of a round body.
fn rider_matrices() {
    let mut round = skin(&shapes::cylinder(0.05, 0.2, 7, 4), &[]);
    round.points("riders", &[Vec3::new(0.03, 0.11, 0.04), Vec3::new(-0.06, 0.07, -0.01)]);
    round.frame(1);
    for matrix in round.read("rider_matrices").chunks_exact(16) {
        matrix
            .iter()
            .enumerate()
            .for_each(|(k, found)| within(*found, Real::from(u8::from(k % 5 == 0)), 1e-12));
    }
    let mut strip = ridden();
    let matrices = strip.host.read("rider_matrices");
    let second = &matrices[16..];
    within(second[7], -sunk(0.1), 0.03 * sag(9.81));
    within(second[3], 0.0, 1e-6);
    within(second[11], 0.0, 1e-6);
    let turned: Vec<Vec3> = strip.mesh.positions.iter().map(|p| Vec3::new(1.0 - p.y, p.x, p.z)).collect();
    strip.host.points("points", &turned);
    strip.host.set("gravity", "0");
    strip.host.frame(2);
    let matrices = strip.host.read("rider_matrices");
    let expected = [0.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    for matrix in matrices.chunks_exact(16) {
        matrix.iter().zip(expected).for_each(|(found, expected)| within(*found, expected, 1e-4));
    }
}

/// Skin that is pushed over the border of the body has left it.
fn rider_inside() {
    let mesh = sheet([0.2, 0.2], [8, 8]);
    let mut host: Host = skin(&mesh, &[("young", "1e5"), ("anchor_soft", "100"), ("anchor_toe", "1")]);
    host.points("slide", &vec![Vec3::new(1.0, 0.0, 0.0); mesh.positions.len()]);
    host.give("anchor", &super::map(&mesh, |_| 1.0));
    host.points("riders", &[Vec3::new(0.195, 0.1, 0.0), Vec3::new(0.1, 0.1, 0.0)]);
    host.frame(1);
    assert_eq!(host.read("rider_inside"), [1.0, 1.0]);
    host.points("forces", &vec![Vec3::new(2.0, 0.0, 0.0); mesh.positions.len()]);
    host.frame(2);
    within(host.vectors("rider_points")[1].x, 0.12, 2e-3);
    assert_eq!(host.read("rider_inside"), [0.0, 1.0]);
}

/// How many items each kind of output has: the skin, measures, slid points.
fn counts(choice: &str) -> [usize; 3] {
    let mut lone = Lone::new(&[("outputs", choice)]);
    lone.host.points("riders", &[Vec3::new(0.05, 0.1, 0.0)]);
    lone.host.frame(1);
    let same = |ports: &[&str]| {
        let counts: Vec<usize> = ports.iter().map(|port| lone.host.count(port)).collect();
        assert!(counts.iter().all(|count| *count == counts[0]), "{ports:?} {counts:?}");
        counts[0]
    };
    let measures = [
        "stretch",
        "stretch_direction",
        "tension",
        "wrinkle_amplitude",
        "wrinkle_crests",
        "slide_vector",
        "slide_distance",
        "load",
    ];
    let riders = same(&["rider_points", "rider_matrices", "rider_inside"]);
    assert_eq!(riders, usize::from(choice == "all"));
    assert_eq!(lone.host.count("uvs"), lone.mesh.corner_vertices.len());
    [same(&["skin_points", "skin_faces", "skin_weights"]), same(&measures), lone.host.count("slid_points")]
}

fn all() {
    assert_eq!(counts("all"), [25, 25, 25]);
}

fn measures() {
    assert_eq!(counts("measures"), [25, 25, 0]);
}

fn skin_only() {
    assert_eq!(counts("skin"), [25, 0, 0]);
}
