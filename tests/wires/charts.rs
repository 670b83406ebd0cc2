//! The wires of the node `charts`: sheets that lie flat already, and round things.

use super::host::{Host, within};
use sinew::error::Kind;
use sinew::geometry::{HalfEdges, Mesh, shapes};
use sinew::math::Real;

super::rows! {
    "input mesh" | "output uvs" => mesh,
    "input borders" | "output charts" | "output borders" => borders,
    "output stretch" => stretch,
    "param source" | "choice source/borders" | "choice source/automatic" => source,
    "param count" => count,
    "param max_stretch" => max_stretch,
    "param lay_flat" => lay_flat,
    "param margin" => margin,
}

fn of(mesh: &Mesh, params: &[(&str, &str)]) -> Host {
    let mut host = Host::new("charts", params);
    host.mesh("mesh", mesh);
    host
}

/// The widths and heights of all UVs together.
fn size(host: &Host) -> [Real; 2] {
    [0, 1].map(|axis| {
        let values: Vec<Real> = host.read("uvs").chunks_exact(2).map(|uv| uv[axis]).collect();
        values.iter().copied().fold(Real::MIN, Real::max) - values.iter().copied().fold(Real::MAX, Real::min)
    })
}

/// A mark at one corner: on the first edge that is not open.
fn one_mark(mesh: &Mesh) -> (Vec<Real>, [usize; 2]) {
    let edges = HalfEdges::of_mesh(mesh);
    let sides = (0..edges.len() as u32).find_map(|h| Some([h, edges.twin(h)?].map(|h| h as usize))).unwrap();
    ((0..edges.len()).map(|h| if h == sides[0] { 0.5 } else { 0.49 }).collect(), sides)
}

/// A sheet stays as it is, its longer side upright, in the unit square without a margin.
fn mesh() {
    for (width, depth) in [(2.0, 1.0), (1.0, 3.0)] {
        let mesh = shapes::grid(width, depth, 5, 4);
        let mut host = of(&mesh, &[("margin", "0"), ("count", "1")]);
        host.frame(1);
        let [x, y] = size(&host);
        within(y, 1.0, 1e-9);
        within(x, width.min(depth) / width.max(depth), 1e-9);
        assert_eq!(host.count("uvs"), mesh.corner_vertices.len());
    }
}

/// Two quads with a mark of 0.5 on one side of the edge between them; marks below that do not count.
fn borders() {
    let mesh = shapes::grid(2.0, 1.0, 2, 1);
    let (marks, sides) = one_mark(&mesh);
    let mut host = of(&mesh, &[]);
    host.give("borders", &marks);
    let report = host.frame(1);
    assert_eq!(host.read("charts"), [0.0, 1.0]);
    assert_eq!(report.figures[0], ("charts", 2.0));
    let both: Vec<Real> = (0..8).map(|h| if sides.contains(&h) { 1.0 } else { 0.0 }).collect();
    assert_eq!(host.read("borders"), both);
    host.give("borders", &[0.49; 8]);
    host.frame(2);
    assert_eq!((host.read("charts"), host.read("borders")), (vec![0.0; 2], vec![0.0; 8]));
}

/// No stretch on a sheet, much on a tube flattened around its hole; each face has that of its chart, the report the
/// worst.
fn stretch() {
    let (mut mesh, sheet) = (shapes::cylinder(1.0, 6.0, 12, 12), shapes::grid(1.0, 1.0, 2, 2));
    let (vertices, corners) = (mesh.positions.len() as u32, mesh.corner_vertices.len() as u32);
    mesh.positions.extend(sheet.positions.iter().copied());
    mesh.corner_vertices.extend(sheet.corner_vertices.iter().map(|v| v + vertices));
    mesh.face_offsets.extend(sheet.face_offsets[1..].iter().map(|o| o + corners));
    mesh.uvs = None;
    let mut host = of(&mesh, &[]);
    host.give("borders", &vec![0.0; mesh.corner_vertices.len()]);
    let report = host.frame(1);
    let stretch = host.read("stretch");
    assert!(stretch[..144].iter().all(|s| *s == stretch[0] && *s > 4.0), "{}", stretch[0]);
    stretch[144..].iter().for_each(|s| within(*s, 1.0, 1e-9));
    assert!(report.figures.contains(&("worst_stretch", stretch[0])));
    assert!(
        report.warnings.iter().any(|text| text.contains("chart 0, which begins at face 0")),
        "{report:?}"
    );
}

fn source() {
    let mesh = shapes::grid(2.0, 1.0, 2, 1);
    let mut host = of(&mesh, &[("count", "1")]);
    host.give("borders", &one_mark(&mesh).0);
    for (source, charts) in [("automatic", [0.0, 0.0]), ("borders", [0.0, 1.0]), ("automatic", [0.0, 0.0])] {
        host.set("source", source);
        host.frame(1);
        assert_eq!(host.read("charts"), charts, "{source}");
    }
}

fn count() {
    let mut host = of(&shapes::grid(2.0, 1.0, 8, 4), &[]);
    for count in [1, 2, 5, 8] {
        host.set("count", &count.to_string());
        assert_eq!(host.frame(1).figures[0], ("charts", Real::from(count)));
    }
}

fn max_stretch() {
    let mut host = of(&shapes::sphere(1.0, 3), &[("count", "1")]);
    let mut before = 0.0;
    for most in [2.0, 1.3, 1.1] {
        host.set("max_stretch", &format!("{most}"));
        let figures = host.frame(1).figures;
        assert!(host.read("stretch").iter().all(|s| *s <= most), "{most}");
        assert!(figures[0].1 > before, "{most}: {figures:?}");
        before = figures[0].1;
    }
}

/// A closed ball without a mark cannot be laid flat; which charts there are is known nevertheless.
fn lay_flat() {
    let ball = shapes::sphere(1.0, 1);
    let mut host = of(&ball, &[]);
    host.give("borders", &vec![0.0; ball.corner_vertices.len()]);
    let error = host.try_frame(1).unwrap_err();
    assert_eq!(
        (error.kind(), error.place().face, error.place().port.as_deref()),
        (Kind::Topology, Some(0), Some("mesh"))
    );
    host.set("lay_flat", "false");
    let report = host.frame(1);
    assert_eq!((host.read("charts"), host.count("uvs"), host.count("stretch")), (vec![0.0; 80], 0, 0));
    assert_eq!(report.figures, [("charts", 1.0)]);
}

fn margin() {
    let mesh = shapes::grid(1.0, 1.0, 5, 5);
    let mut host = of(&mesh, &[("count", "1")]);
    for margin in [0.0, 0.05, 0.2] {
        host.set("margin", &format!("{margin}"));
        host.frame(1);
        size(&host).iter().for_each(|size| within(*size, 1.0 - 2.0 * margin, 1e-9));
        let lowest = host.read("uvs").into_iter().fold(Real::MAX, Real::min);
        within(lowest, margin, 1e-9);
    }
    host.give("borders", &vec![1.0; mesh.corner_vertices.len()]);
    let error = host.try_frame(1).unwrap_err();
    assert_eq!((error.kind(), error.place().param.as_deref()), (Kind::OutOfRange, Some("margin")));
}
