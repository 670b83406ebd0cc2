//! Meshes as they come, under the node: split at seams, with odd faces, in another order, in another unit.

use crate::host::Host;
use sinew::error::Kind;
use sinew::formats::obj;
use sinew::formats::points::PointSource;
use sinew::geometry::{CornerLayer, Mended, Mesh, shapes};
use sinew::math::{Real, Vec2, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Order, Report};
use std::path::Path;

/// Every corner has a vertex and a UV of its own, as programs hold meshes that are split at all seams.
fn soup(mesh: &Mesh) -> Mesh {
    let corners = 0..mesh.corner_vertices.len() as u32;
    let layer = mesh.uvs.as_ref().unwrap();
    let values = layer.indices.iter().map(|&i| layer.values[i as usize]).collect();
    Mesh {
        positions: mesh.corner_vertices.iter().map(|&v| mesh.positions[v as usize]).collect(),
        corner_vertices: corners.clone().collect(),
        uvs: Some(CornerLayer { values, indices: corners.collect() }),
        ..mesh.clone()
    }
}

fn torus() -> Mesh {
    shapes::torus(1.0, 0.35, 24, 12)
}

/// A torus of which one side is pulled out.
pub fn pulled(p: &Vec3, much: Real) -> Vec3 {
    let beside = (p.x - 0.2).max(0.0);
    Vec3::new(p.x + much * beside, p.y, p.z * (1.0 + 0.3 * much * beside))
}

pub fn farthest(a: &[Vec<Real>], b: &[Vec<Real>]) -> Real {
    assert_eq!(a.len(), b.len());
    let off =
        |(a, b): (&Vec<Real>, &Vec<Real>)| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, Real::max);
    a.iter().zip(b).map(off).fold(0.0, Real::max)
}

/// The warnings of a body's first frame; none is repeated later.
fn reported_once(host: &mut Host, place: impl Fn(&Vec3) -> Vec3) -> String {
    let first = host.step(1, &place).warnings;
    let second = host.step(2, &place).warnings;
    let again = |w: &String| first.contains(w) && !w.contains("not quite at rest");
    assert!(!second.iter().any(again), "reported once: {second:?}");
    first.join("\n")
}

#[test]
fn a_soup_slides_as_the_body_that_it_was_split_from() {
    let (whole, split) = (torus(), soup(&torus()));
    let surface = Mended::new(&split, &[]).unwrap();
    let (mut a, mut b, mut c) = (Host::new(&whole), Host::new(&split), Host::new(&surface.mesh));
    for host in [&mut a, &mut b, &mut c] {
        host.paint("fixed", |p| Real::from(u8::from(p.x < -0.9)));
        host.set("riders", 3, &[1.2, 0.35, 0.1, 0.3, 0.1, 1.3]);
    }
    for frame in 1..=3 {
        let much = 0.3 * frame as Real;
        let reports = [&mut a, &mut b, &mut c].map(|host| host.step(frame, |p| pulled(p, much)));
        let reported: Vec<_> = reports[1].warnings.iter().filter(|w| w.contains("are merged")).collect();
        assert_eq!(reported.len(), usize::from(frame == 1), "{reported:?}");
        assert!(
            reported.iter().all(|w| w.starts_with("864 of 1,152 vertices coincide with others")),
            "{reported:?}"
        );
    }
    let [a, b, c] = [a, b, c].map(|host| host.outputs());
    let slid = a["slide_distance"].iter().map(|d| d[0]).fold(0.0, Real::max);
    assert!(slid > 0.05, "it slides by {slid}");
    for (port, values) in &a {
        let by_corner: Vec<Vec<Real>> = match values.len() {
            288 => whole.corner_vertices.iter().map(|&v| values[v as usize].clone()).collect(),
            _ => values.clone(),
        };
        let limit = match *port {
            // Which face has a point on an edge is a matter of the order.
            "skin_faces" | "skin_weights" | "stretch_direction" | "wrinkle_crests" => continue,
            "tension" | "load" => 0.1,
            _ => 1e-4,
        };
        let off = farthest(&by_corner, &b[port]);
        assert!(off < limit, "{port}: {off}");
        // The same bits as on the surface alone.
        let by_corner: Vec<Vec<Real>> = match values.len() {
            288 => surface.vertex_of().iter().map(|&v| c[port][v as usize].clone()).collect(),
            _ => c[port].clone(),
        };
        assert_eq!(by_corner, b[port], "{port}");
    }
}

#[test]
fn maps_rows_and_proxies_are_brought_to_the_surface() {
    let split = soup(&shapes::grid(1.0, 1.0, 16, 16));
    let far = |p: &Vec3| Vec3::new(p.x + 0.4 * (p.x - 0.1).max(0.0), p.y, p.z);
    let hold = |p: &Vec3| Real::from(u8::from(p.x.abs() > 0.49));
    let middle = |host: &Host| {
        let at = host.mesh.positions.iter().position(|p| p.norm() < 1e-9).unwrap();
        host.read("skin_points", 3)[at][0]
    };
    let mut held = Host::new(&split);
    held.paint("fixed", hold);
    held.step(1, far);
    let free = middle(&held);
    assert!(free < -0.02, "without rows it goes along: {free}");
    // Holding one of the four merged vertices is enough.
    let one = split.positions.iter().position(|p| p.norm() < 1e-9).unwrap();
    let mut fixed: Vec<Real> = split.positions.iter().map(hold).collect();
    fixed[one] = 1.0;
    let mut held = Host::new(&split);
    held.set("fixed", 1, &fixed);
    held.step(1, far);
    assert!(middle(&held).abs() < 1e-12);
    // Rows hold it too, by whichever of the four they name.
    let mut rows = Host::new(&split);
    rows.paint("fixed", hold);
    let last = split.positions.iter().rposition(|p| p.norm() < 1e-9).unwrap() as u32;
    rows.node.set_array("rows", &ArrayView::from_slice(&[0u32, last], 2).unwrap()).unwrap();
    rows.set("row_vectors", 3, &[1.0, 0.0, 0.0]);
    rows.step(1, far);
    assert!(middle(&rows).abs() < 1e-4, "{}", middle(&rows));
    rows.node.set_array("rows", &ArrayView::from_slice(&[0u32, 9999], 2).unwrap()).unwrap();
    let error = rows.step_on(2, &split.positions).unwrap_err();
    assert_eq!(error.place().port.as_deref(), Some("rows"), "{error}");
    let mut proxy = Host::new(&split);
    proxy.paint("fixed", hold);
    proxy.node.set_param_text("proxy_triangles", "200").unwrap();
    proxy.step(1, far);
    assert!((middle(&proxy) - free).abs() < 0.01);
    let mut paper = Host::new(&split);
    paper.paint("fixed", hold);
    paper.node.set_param_text("integrator", "paper").unwrap();
    paper.step(1, far);
    assert!(middle(&paper) < 0.0);
}

/// A sheet with a slit in the middle of the line z = 0: two lips that coincide at rest. The vertices from
/// `upper` on belong to one of the lips.
fn lips() -> (Mesh, usize) {
    let mut mesh = shapes::grid(1.0, 1.0, 16, 16);
    let upper = mesh.positions.len();
    for v in 0..upper as u32 {
        let p = mesh.positions[v as usize];
        if p.z.abs() < 1e-9 && p.x.abs() < 0.3 {
            mesh.positions.push(p);
            let new = mesh.positions.len() as u32 - 1;
            mesh.corner_vertices[4 * 16 * 8..].iter_mut().filter(|c| **c == v).for_each(|c| *c = new);
        }
    }
    (mesh, upper)
}

#[test]
fn lips_that_are_closed_at_rest_open() {
    let (mesh, upper) = lips();
    let open = |much: Real| -> Vec<Vec3> {
        let lip = |(v, p): (usize, &Vec3)| {
            let away = if v >= upper || p.z < -1e-9 { -1.0 } else { 1.0 };
            let part = (1.0 - (p.x / 0.3).powi(2)).max(0.0) * (1.0 - 2.0 * p.z.abs()).max(0.0);
            p + Vec3::z() * (0.1 * much * part * away)
        };
        mesh.positions.iter().enumerate().map(lip).collect()
    };
    let run = |resumed: bool| {
        let mut host = Host::new(&mesh);
        host.paint("fixed", |p| Real::from(u8::from(p.x.abs() > 0.49 || p.z.abs() > 0.49)));
        let mut reported = Vec::new();
        for frame in 1..=6 {
            if resumed && frame == 5 {
                let (state, host_lean) = (host.node.save_state(), host.node.save_lean());
                host = Host::new(&mesh);
                host.paint("fixed", |p| Real::from(u8::from(p.x.abs() > 0.49 || p.z.abs() > 0.49)));
                host.node.load_state(&state).unwrap();
                assert_eq!(host.node.save_lean(), host_lean, "the lean form of what was loaded");
            }
            let much = [0.0, 0.0, 0.5, 1.0, 1.0, 0.0][frame as usize - 1];
            let report = host.step_on(frame, &open(much)).unwrap();
            reported.push(
                report
                    .warnings
                    .into_iter()
                    .filter(|w| {
                        ["coincide with others", "coincide at rest", "carried over"]
                            .iter()
                            .any(|part| w.contains(part))
                    })
                    .collect::<Vec<_>>(),
            );
        }
        (host, reported)
    };
    let (host, reported) = run(false);
    let merged = "9 of 298 vertices coincide with others, as at UV seams, and are merged";
    assert!(reported[0][0].starts_with(merged), "{reported:?}");
    assert!(
        reported[2][0].starts_with(
            "10 of 10 edges that were merged because their vertices coincide at rest have come apart"
        ),
        "{reported:?}"
    );
    assert_eq!(reported.iter().flatten().count(), 2, "{reported:?}");
    // Each lip has its own skin.
    let (faces, points) = (host.read("skin_faces", 1), host.read("skin_points", 3));
    for v in upper..mesh.positions.len() {
        assert!(faces[v][0] >= 128.0 && points[v][2] <= 1e-9, "vertex {v}");
    }
    let (other, reported) = run(true);
    assert_eq!(host.outputs(), other.outputs(), "the same bits after going on from a saved state");
    assert_eq!(reported.iter().flatten().count(), 2, "nothing is reported again");
    // When the motion restarts the lips are joined again; when they come apart, this is reported again.
    let mut host = host;
    let reported = |report: Report| report.warnings.iter().any(|w| w.contains("come apart"));
    assert!(!reported(host.step_on(1, &open(0.0)).unwrap()));
    assert!(reported(host.step_on(3, &open(0.5)).unwrap()));
    // A frame that went wrong opens nothing.
    let mut host = Host::new(&soup(&torus()));
    host.step(1, |p| *p);
    let wild = |p: &Vec3| Vec3::new((p.x * 9e5).sin(), (p.y * 7e5).sin(), p.z) * 1e3;
    let points: Vec<Vec3> =
        host.mesh.positions.iter().enumerate().map(|(v, p)| wild(&(p * (1.0 + v as Real)))).collect();
    let report = host.step_on(2, &points).unwrap();
    assert!(!reported(report));
}

/// A sheet with everything that is odd; the clean sheet is the first 17 x 17 vertices and 256 faces.
fn odd() -> Mesh {
    let mut mesh = shapes::grid(1.0, 1.0, 16, 16);
    let mut add = |vertices: &[Vec3], corners: &dyn Fn(u32) -> Vec<u32>| {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(vertices);
        let corners = corners(first);
        let uvs = mesh.uvs.as_mut().unwrap();
        for v in &corners {
            uvs.values.push(Vec2::new(0.1 * Real::from(*v % 7), 0.1 * Real::from(*v % 5)));
            uvs.indices.push(uvs.values.len() as u32 - 1);
        }
        mesh.corner_vertices.extend(&corners);
        mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    };
    add(&[], &|_| vec![20, 21, 38, 37]); // Face 256 has the vertices of one of the sheet,
    add(&[], &|_| vec![40, 41, 41]); // 257 and 258 have no area.
    add(&[], &|_| vec![60, 61, 62]);
    add(&[Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.1, 0.2, 0.0)], &|v| vec![144, 145, v + 1, v]); // A fin.
    add(&[Vec3::new(-0.6, 0.0, 0.6), Vec3::new(-0.6, 0.0, 0.7), Vec3::new(-0.5, 0.0, 0.7)], &|v| {
        vec![v, v + 1, v + 2, 0]
    });
    add(&[Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.1, 0.0, 0.0), Vec3::new(2.0, 0.0, -0.1)], &|v| {
        vec![v, v + 1, v + 2]
    });
    mesh.positions.push(Vec3::new(0.3, 0.5, 0.3)); // In no face.
    let uvs = mesh.uvs.as_mut().unwrap();
    let flat = uvs.indices[4 * 100];
    uvs.indices[4 * 100..4 * 101].fill(flat);
    mesh
}

#[test]
fn odd_faces_are_reported_once_and_the_rest_slides_as_without_them() {
    let (clean, odd) = (shapes::grid(1.0, 1.0, 16, 16), odd());
    let far = |p: &Vec3| Vec3::new(p.x + 0.4 * (p.x - 0.1).max(0.0), p.y, p.z);
    let hold = |p: &Vec3| Real::from(u8::from((0.49..1.0).contains(&p.x.abs()) || p.y > 0.1));
    let (mut a, mut b) = (Host::new(&clean), Host::new(&odd));
    for host in [&mut a, &mut b] {
        host.paint("fixed", hold);
        // Natural ties hold the borders, and a fin makes some.
        host.node.set_param_text("tie_reach", "0").unwrap();
        host.node.set_param_text("tolerance", "1e-8").unwrap();
    }
    a.step(1, far);
    a.step(2, far);
    let reported = reported_once(&mut b, far);
    for text in [
        "1 face repeats the vertices of another, the first is face 256",
        "2 faces have no area at rest, the first is face 257",
        "1 edge has more than two faces, the first goes from vertex 144 to 145",
        "vertices join faces at a single point only, the first is vertex 0",
        "1 vertex is in no face with area, the first is vertex 297",
        "1 piece is a lone triangle, the first is face 261",
        "the body has 4 pieces that are not connected",
        "faces have UVs without area, the first is face 100",
    ] {
        assert!(reported.contains(text), "{text}: {reported}");
    }
    let (a, b) = (a.outputs(), b.outputs());
    for port in ["skin_points", "slid_points", "slide_distance", "stretch"] {
        let off = farthest(&a[port], &b[port][..289]);
        assert!(off < 1e-4, "{port}: {off}");
    }
    let loose: [Vec3; 2] =
        [b["skin_points"][297].as_slice(), b["slid_points"][297].as_slice()].map(Vec3::from_column_slice);
    assert_eq!(loose, [odd.positions[297], far(&odd.positions[297])]);
    assert!((0..3).all(|k| b["slide_distance"][294 + k][0] == 0.0), "a lone triangle is held");
    assert!(b.values().flatten().flatten().all(|x| x.is_finite()));
    assert_eq!(b["uvs"].len(), odd.corner_vertices.len());
    assert!(b["skin_faces"].iter().all(|f| f[0] < 262.0));
}

#[test]
fn a_body_of_lone_triangles_and_one_of_another_count_are_refused() {
    let mut mesh = soup(&torus());
    mesh.positions.iter_mut().enumerate().for_each(|(v, p)| p.y += (v / 4) as Real);
    let corners: Vec<u32> = (0..288).flat_map(|f| [4 * f, 4 * f + 1, 4 * f + 2]).collect();
    mesh = Mesh {
        face_offsets: (0..=288).map(|f| 3 * f).collect(),
        corner_vertices: corners,
        uvs: None,
        positions: mesh.positions,
        ..Mesh::default()
    };
    let error = Host::new(&mesh).step_on(1, &mesh.positions).unwrap_err();
    assert_eq!((error.kind(), error.place().port.as_deref()), (Kind::Topology, Some("rest")));
    assert!(error.to_string().contains("skin cannot slide on this body"), "{error}");
    let error = Host::new(&soup(&torus())).step_on(1, &mesh.positions[1..]).unwrap_err();
    assert_eq!(error.kind(), Kind::CountMismatch);
}

#[test]
fn a_mesh_that_is_not_the_one_at_rest_is_reported_once() {
    let mut host = Host::new(&torus());
    host.paint("fixed", |p| Real::from(u8::from(p.x < -0.9)));
    let reported = reported_once(&mut host, |p| p * 100.0);
    assert!(reported.contains("the body is 100 times as large as the mesh at rest"), "{reported}");
    let mut host = Host::new(&soup(&torus()));
    host.paint("fixed", |p| Real::from(u8::from(p.x < -0.9)));
    let reported = reported_once(&mut host, |p| pulled(p, 0.5) + Vec3::new(5.0, 0.0, 0.0));
    assert!(
        !reported.contains("at rest:"),
        "a pose must not be reported as a mesh that is not the one at rest: {reported}"
    );
}

#[test]
fn the_order_of_vertices_does_not_matter() {
    let split = soup(&torus());
    let n = split.positions.len() as u32;
    let other = |v: u32| v * 7 % n;
    assert_ne!(n % 7, 0);
    let mut shuffled =
        Mesh { corner_vertices: split.corner_vertices.iter().map(|&v| other(v)).collect(), ..split.clone() };
    split.positions.iter().enumerate().for_each(|(v, p)| shuffled.positions[other(v as u32) as usize] = *p);
    let (mut a, mut b) = (Host::new(&split), Host::new(&shuffled));
    for host in [&mut a, &mut b] {
        host.paint("fixed", |p| Real::from(u8::from(p.x < -0.9)));
        (1..=2).for_each(|frame| drop(host.step(frame, |p| pulled(p, 0.4 * frame as Real))));
    }
    let (a, b) = (a.outputs(), b.outputs());
    let back: Vec<Vec<Real>> = (0..n).map(|v| b["skin_points"][other(v) as usize].clone()).collect();
    assert!(farthest(&a["skin_points"], &back) < 1e-4);
    assert!(farthest(&a["uvs"], &b["uvs"]) < 1e-4);
}

#[test]
fn a_fox_as_a_game_engine_holds_it_slides() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/bodies/fox_raw");
    if !folder.is_dir() {
        println!("no fox in {}: skipped", folder.display());
        return;
    }
    let mesh = obj::read(&folder.join("rest.obj")).unwrap().mesh;
    let mut source = PointSource::open(&folder.join("body.pc2"), 24.0).unwrap();
    let mut host = Host::new(&mesh);
    let mut reported = Vec::new();
    for frame in 0..4 {
        let points = source.read(frame).unwrap().to_vec();
        reported.extend(host.step_on(frame as i64 + 1, &points).unwrap().warnings);
    }
    let joined = reported.iter().filter(|w| w.contains("of 1,728 vertices coincide with others")).count();
    assert_eq!(joined, 1, "{reported:?}");
    assert!(
        !reported.iter().any(|w| w.contains("come apart") || w.contains("mesh at rest:")),
        "{reported:?}"
    );
    let slid = host.read("slide_distance", 1).iter().map(|d| d[0]).fold(0.0, Real::max);
    assert!(slid > 0.1, "it slides: {slid}");
}

#[test]
fn merged_vertices_take_the_mean_of_maps_and_the_sum_of_forces() {
    let split = soup(&shapes::grid(1.0, 1.0, 8, 8));
    let surface = Mended::new(&split, &[]).unwrap();
    let far = |p: &Vec3| Vec3::new(p.x + 0.4 * (p.x - 0.1).max(0.0), p.y, p.z);
    let mean = |p: &Vec3| 1.5 + p.x + 0.5 * p.z;
    let force = |p: &Vec3| Vec3::new(0.0, 0.0, 20.0 * p.x);
    let (mut stiffness, mut forces) =
        (vec![0.0; split.positions.len()], vec![0.0; 3 * split.positions.len()]);
    for (v, p) in surface.mesh.positions.iter().enumerate() {
        let members = surface.members(v);
        let n = members.len() as Real;
        for (k, &member) in members.iter().enumerate() {
            let part = 2.0 * (k + 1) as Real / (n * (n + 1.0));
            stiffness[member as usize] = mean(p) + 0.4 * (k as Real - 0.5 * (n - 1.0));
            (0..3).for_each(|c| forces[3 * member as usize + c] = part * force(p)[c]);
        }
    }
    let (mut whole, mut merged) = (Host::new(&surface.mesh), Host::new(&split));
    whole.paint("stiffness", mean);
    whole.set(
        "forces",
        3,
        &surface.mesh.positions.iter().flat_map(|p| [0.0, 0.0, force(p).z]).collect::<Vec<_>>(),
    );
    merged.set("stiffness", 1, &stiffness);
    merged.set("forces", 3, &forces);
    for host in [&mut whole, &mut merged] {
        host.paint("fixed", |p| Real::from(u8::from(p.x.abs() > 0.49)));
        host.node.set_param_text("tolerance", "1e-8").unwrap();
        host.step(1, far);
    }
    let [whole, merged] = [whole, merged].map(|host| host.read("skin_points", 3));
    let of_members: Vec<_> =
        (0..whole.len()).map(|v| merged[surface.members(v)[0] as usize].clone()).collect();
    let off = farthest(&whole, &of_members);
    assert!(off < 1e-6, "{off}");
}

#[test]
fn a_row_that_names_a_vertex_without_skin_is_refused() {
    let mut host = Host::new(&odd());
    host.node.set_array("rows", &ArrayView::from_slice(&[0u32, 297], 2).unwrap()).unwrap();
    host.set("row_vectors", 3, &[1.0, 0.0, 0.0]);
    let points = host.mesh.positions.clone();
    let error = host.step_on(1, &points).unwrap_err();
    assert_eq!((error.kind(), error.place().port.as_deref()), (Kind::OutOfRange, Some("rows")), "{error}");
    assert!(error.to_string().contains("row 0 of the constraints names a vertex without skin"), "{error}");
}

#[test]
fn stages_take_milliseconds_and_numbers_fit_the_arrays_of_the_host() {
    let mut host = Host::new(&torus());
    host.paint("fixed", |p| Real::from(u8::from(p.x < -0.9)));
    let begun = std::time::Instant::now();
    let report = host.step(1, |p| pulled(p, 0.3));
    let (stages, all) =
        (report.stages.iter().map(|s| s.1).sum::<Real>(), begun.elapsed().as_secs_f64() * 1e3);
    assert!(stages > 0.0 && stages <= all, "stages of {stages} ms in a step of {all} ms");
    let mut whole = vec![0_i32; 3 * host.mesh.positions.len()];
    let error =
        host.node.read("slid_points", &mut ArrayViewMut::from_slice(&mut whole, 3).unwrap()).unwrap_err();
    assert_eq!(error.kind(), Kind::WrongType, "{error}");
}

#[test]
fn another_body_is_reported_where_a_motion_goes_on_and_not_where_it_begins() {
    let restarts = |frame: i64| {
        let mut host = Host::new(&torus());
        host.node.set_order(Order { start: Some(1.0 / 24.0), ..Order::default() });
        (1..=3).for_each(|frame| drop(host.step(frame, |p| pulled(p, 0.1))));
        let other = shapes::grid(1.0, 1.0, 8, 8);
        let places = other.positions.iter().map(|p| p + Vec3::new(9.0, 0.0, 0.0)).collect();
        host.mesh = Mesh { positions: places, ..other };
        host.node.set_mesh("rest", host.mesh.clone()).unwrap();
        host.step(frame, |p| *p).warnings.iter().any(|w| w.contains("the skin starts from rest"))
    };
    assert!(restarts(4) && !restarts(1));
}
