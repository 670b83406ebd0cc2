//! Faces that act: shapes carry their skin, and only what bones do slides.

use crate::host::Host;
use sinew::error::Kind;
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::nodes::ParamValue;

/// A forehead of 0.2 m that looks along z, held at its border.
const SIDE: Real = 0.2;
/// How far a brow is raised.
const RAISED: Real = 0.02;

fn forehead() -> Mesh {
    let mut mesh = shapes::grid(SIDE, SIDE, 24, 24);
    mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, -p.z, p.y));
    mesh
}

/// Of triangles: the diagonals of quads are chosen by the shape at rest.
fn triangulated(mesh: &Mesh) -> Mesh {
    let quads = mesh.corner_vertices.chunks_exact(4);
    let corners: Vec<u32> = quads.flat_map(|q| [q[0], q[1], q[2], q[0], q[2], q[3]]).collect();
    let offsets = (0..=corners.len() as u32).step_by(3).collect();
    Mesh { corner_vertices: corners, face_offsets: offsets, uvs: None, ..mesh.clone() }
}

/// Without natural ties, which are those of the mesh at rest whatever acts.
fn host(mesh: &Mesh) -> Host {
    let mut host = Host::new(mesh);
    host.node.set_param("tie_reach", ParamValue::Real(0.0)).unwrap();
    host.paint("fixed", |p| Real::from(u8::from(p.x.abs().max(p.y.abs()) > 0.499 * SIDE)));
    host
}

/// The brow is raised by a part.
fn shape(p: &Vec3, part: Real) -> Vec3 {
    let near = (-(p.norm() / 0.04).powi(2)).exp() * (1.0 - (p.x / (0.5 * SIDE)).powi(2));
    let inside = near * (1.0 - (p.y / (0.5 * SIDE)).powi(2)).max(0.0);
    Vec3::new(p.x, p.y + part * RAISED * inside, p.z + 0.3 * part * RAISED * inside)
}

/// Half of the sheet is drawn aside and folded up.
fn bones(p: &Vec3, part: Real) -> Vec3 {
    let (out, angle) = ((p.x - 0.02).max(0.0), 0.9 * part * ((p.x - 0.02) / 0.03).clamp(0.0, 1.0));
    Vec3::new(p.x - out * (1.0 - angle.cos()) + 0.2 * part * out, p.y, p.z + out * angle.sin())
}

fn flat(points: &[Vec3]) -> Vec<Real> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

/// A frame of a brow that is raised, of bones that bend, or of both; with or without the body before bones.
fn frame(host: &mut Host, frame: i64, [raised, bent]: [Real; 2], acts: bool) {
    let acted: Vec<Vec3> = host.mesh.positions.iter().map(|p| shape(p, raised)).collect();
    if acts {
        host.set("acted", 3, &flat(&acted));
    } else {
        host.node.clear_input("acted").unwrap();
    }
    let body: Vec<Vec3> = acted.iter().map(|p| bones(p, bent)).collect();
    host.step_on(frame, &body).unwrap();
}

fn slides(host: &Host) -> Real {
    host.read("slide_distance", 1).iter().map(|d| d[0]).fold(0.0, Real::max)
}

/// Without the body before bones, skin lags behind the brow by some of the motion; with it, the material of each vertex
/// stays its own.
#[test]
fn shapes_carry_their_skin() {
    let [mut with, mut without] = [(); 2].map(|()| host(&forehead()));
    for k in 1..=6 {
        let part = k as Real / 6.0;
        frame(&mut with, k, [part, 0.0], true);
        frame(&mut without, k, [part, 0.0], false);
    }
    let (lag, left) = (slides(&without), slides(&with));
    println!(
        "a brow raised by {RAISED} m leaves its skin behind by {lag:.4} m, with its shape given by {left:.1e} m"
    );
    assert!(lag > 0.9 * RAISED && left < 1e-9, "{lag} {left}");
}

/// A proxy is carried, too, and the whole skin with it.
#[test]
fn shapes_carry_the_skin_of_a_proxy() {
    let mut host = host(&forehead());
    host.node.set_param("proxy_triangles", ParamValue::Int(400)).unwrap();
    for k in 1..=6 {
        frame(&mut host, k, [k as Real / 6.0, 0.0], true);
    }
    assert!(slides(&host) < 1e-9, "{}", slides(&host));
}

/// With bones alone nothing changes: the same bits.
#[test]
fn bones_alone_slide_the_skin_as_ever() {
    let [mut with, mut without] = [(); 2].map(|()| host(&forehead()));
    for k in 1..=5 {
        frame(&mut with, k, [0.0, k as Real / 5.0], true);
        frame(&mut without, k, [0.0, k as Real / 5.0], false);
    }
    assert!(slides(&with) > 1e-3, "{}", slides(&with));
    assert_eq!(with.outputs(), without.outputs());
}

/// The skin of a face that acts under bones is that of a face that has this shape at rest, to the last bit.
#[test]
fn an_acted_face_is_at_rest_where_it_acts() {
    let mesh = triangulated(&forehead());
    let made = Mesh { positions: mesh.positions.iter().map(|p| shape(p, 0.8)).collect(), ..mesh.clone() };
    let (mut acting, mut resting) = (host(&mesh), host(&mesh));
    resting.node.set_mesh("rest", made).unwrap();
    for k in 1..=4 {
        let bent = k as Real / 4.0;
        frame(&mut acting, k, [0.8, bent], true);
        let body: Vec<Vec3> = mesh.positions.iter().map(|p| bones(&shape(p, 0.8), bent)).collect();
        resting.step_on(k, &body).unwrap();
    }
    let (acting, resting) = (acting.outputs(), resting.outputs());
    for (port, values) in &acting {
        match *port {
            // Where that is on the mesh at rest, which is another.
            "skin_points" => assert!(values != &resting[port]),
            _ => assert!(values == &resting[port], "{port}"),
        }
    }
}

/// Shapes come and go in the middle of a shot, and frames are read from states: the bits are those of playing.
#[test]
fn what_acted_before_leaves_nothing_behind() {
    let shot = |k: i64| [0.5 + 0.5 * (k as Real).sin(), 0.2 * k as Real];
    let acts = |k: i64| k != 3;
    let mut played = host(&forehead());
    let (mut states, mut seen) = (vec![Vec::new()], vec![Default::default()]);
    for k in 1..=5 {
        frame(&mut played, k, shot(k), acts(k));
        states.push(played.node.save_lean());
        seen.push(played.outputs());
        played.node.make_lean();
    }
    for k in [5, 2, 4, 3] {
        let mut jumped = host(&forehead());
        jumped.node.load_state(&states[k as usize - 1]).unwrap();
        frame(&mut jumped, k, shot(k), acts(k));
        assert!(jumped.outputs() == seen[k as usize], "frame {k}");
    }
}

/// A lid that closes has triangles without area, and the skin goes on; away from it that is not seen.
#[test]
fn shapes_may_close_triangles() {
    let mesh = forehead();
    let closed = |p: &Vec3| {
        let is_lid = p.x.abs() < 0.03 && p.y.abs() < 0.03;
        Vec3::new(p.x, if is_lid { 0.0 } else { p.y }, p.z)
    };
    let mut slides = Vec::new();
    for shape in [closed as fn(&Vec3) -> Vec3, |p: &Vec3| *p] {
        let mut host = host(&mesh);
        for k in 1..=3 {
            let acted: Vec<Vec3> = mesh.positions.iter().map(shape).collect();
            host.set("acted", 3, &flat(&acted));
            let body: Vec<Vec3> = acted.iter().map(|p| bones(p, k as Real / 3.0)).collect();
            host.step_on(k, &body).unwrap();
        }
        assert!(host.outputs()["slid_points"].iter().flatten().all(|c| c.is_finite()));
        slides.push(host.read("slide_vector", 3));
    }
    let far = mesh.positions.iter().zip(slides[0].iter().zip(&slides[1])).filter(|(p, _)| p.y.abs() > 0.06);
    let [mut most, mut slid]: [Real; 2] = [0.0; 2];
    for (_, (with, without)) in far {
        let [with, without] = [with, without].map(|slide| Vec3::from_column_slice(slide));
        most = most.max((with - without).norm());
        slid = slid.max(without.norm());
    }
    println!("30 mm from a closed lid skin slides otherwise by at most {most:.2e} of {slid:.2e} m");
    assert!(slid > 0.004 && most < 0.05 * slid, "{most} {slid}");
}

#[test]
fn what_cannot_be_the_body_before_bones_is_named() {
    let mesh = forehead();
    let refused = |acted: &[Real]| {
        let mut host = host(&mesh);
        let set = sinew::nodes::ArrayView::from_slice(acted, 3).unwrap();
        let set = host.node.set_array("acted", &set);
        set.and_then(|()| host.step_on(1, &mesh.positions)).unwrap_err()
    };
    let mut bad = flat(&mesh.positions);
    bad[3 * 7 + 1] = Real::NAN;
    let (short, odd) = (refused(&flat(&mesh.positions)[..30]), refused(&bad));
    assert_eq!(short.kind(), Kind::CountMismatch, "{short}");
    assert!(short.to_string().contains("acted"), "{short}");
    assert_eq!(odd.kind(), Kind::NotFinite, "{odd}");
    assert!(odd.to_string().contains("acted") && odd.to_string().contains('7'), "{odd}");
}
