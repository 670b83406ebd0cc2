//! How exactly, and on how many triangles.

use super::super::host::{Host, near};
use super::{Strip, map, sag, sheet, skin};
use sinew::control::{Control, Level, Listener};
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec3};
use std::sync::{Arc, Mutex};

super::super::rows! {
    "param tolerance" => tolerance,
    "param quality" | "choice quality/exact" | "choice quality/normal" | "choice quality/preview" => quality,
    "param max_iterations" => max_iterations,
    "param proxy_triangles" => proxy_triangles,
    "param proxy_check" => proxy_check,
    "input proxy_keep" => proxy_keep,
}

/// A strip in the stiffening material that a large force moves far: Newton needs many steps. How many, and how far it
/// is.
fn hard(params: &[(&str, &str)]) -> (u32, Real, Vec<String>) {
    let mut strip = Strip::new(&[("material", "fung"), ("fung_exponent", "100"), ("gravity", "300")]);
    params.iter().for_each(|(id, text)| strip.host.set(id, text));
    let report = strip.host.frame(1);
    (report.iterations, strip.host.vectors("slide_vector")[strip.middle()].y, report.warnings)
}

/// The mean length of a mesh's edges, each counted once, or once in each triangle.
fn mean_edge(mesh: &Mesh, once: bool) -> Real {
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for face in mesh.corner_vertices.chunks_exact(3) {
        edges.extend(
            [[face[0], face[1]], [face[1], face[2]], [face[2], face[0]]].map(|[a, b]| [a.min(b), a.max(b)]),
        );
    }
    if once {
        edges.sort_unstable();
        edges.dedup();
    }
    let long = |[a, b]: &[u32; 2]| (mesh.positions[*a as usize] - mesh.positions[*b as usize]).norm();
    edges.iter().map(long).sum::<Real>() / edges.len() as Real
}

/// The skin has settled in the first step after which it is no farther from its place than the tolerance says: with a
/// little less tolerance than what a step leaves another one is made, with a little more that step is the last.
#[test]
fn the_tolerance_says_which_step_is_the_last() {
    let left = |tolerance: Real, most: &str| {
        let mut strip = Strip::new(&[("material", "fung"), ("fung_exponent", "100"), ("gravity", "300")]);
        strip.host.set("tolerance", &tolerance.to_string());
        strip.host.set("max_iterations", most);
        let report = strip.host.frame(1);
        // From mean edges to the body's size.
        let part = mean_edge(&strip.mesh, false) / super::WIDE.hypot(super::HIGH);
        (report.iterations, report.residual * part)
    };
    let (mut steps, mut before) = left(1e-2, "1000");
    for _ in 0..3 {
        let tolerance = 0.8 * before;
        let (more, now) = left(tolerance, "1000");
        println!("{tolerance:.2e}: {more} steps, {now:.2e} left");
        assert!(more > steps && now <= tolerance, "{more} {steps} {now} {tolerance}");
        // One step less would have left too much.
        let (_, then) = left(tolerance, &(more - 1).to_string());
        assert!(then > tolerance, "{then} {tolerance}");
        assert_eq!(left(1.25 * now, "1000").0, more, "{now}");
        (steps, before) = (more, now);
    }
}

/// The way of any vertex is within the tolerance times the body's size, and a coarse one takes fewer steps.
fn tolerance() {
    let (most, exact, _) = hard(&[("tolerance", "1e-12"), ("max_iterations", "1000")]);
    let size = super::WIDE.hypot(super::HIGH);
    let mut before = most;
    for part in [1e-4, 1e-2, 1.0] {
        let (steps, found, _) = hard(&[("tolerance", &part.to_string())]);
        println!("{part}: {steps} steps, {:.3e} off, allowed {:.3e}", (found - exact).abs(), part * size);
        assert!((found - exact).abs() <= part * size && steps <= before, "{steps} {before}");
        before = steps;
    }
    assert!(before < most, "{before} {most}");
}

/// Like another tolerance, which takes fewer steps, and on large meshes like a proxy. (That a preview does not slow
/// snaps down is tested beside them.)
fn quality() {
    let of = |quality: &str, tolerance: &str| hard(&[("quality", quality), ("tolerance", tolerance)]);
    assert_eq!(of("exact", "1e-6"), hard(&[("tolerance", "1e-6")]));
    assert_eq!(of("normal", "1e-6"), of("exact", "1e-5"));
    assert_eq!(of("preview", "1e-6"), of("exact", "1e-5"));
    let [exact, normal, preview] = ["exact", "normal", "preview"].map(|quality| of(quality, "1e-4").0);
    assert!(exact > normal && exact > preview, "{exact} {normal} {preview}");

    let large = sheet([0.2, 0.2], [110, 110]);
    let triangles = |params: &[(&str, &str)]| {
        let mut host = skin(&large, params);
        computed(&mut host)
    };
    assert_eq!(triangles(&[("quality", "exact")]), 24_200);
    assert!((19_990..=20_000).contains(&triangles(&[("quality", "normal")])));
    assert!((11_990..=12_000).contains(&triangles(&[("quality", "preview")])));
    assert!((14_990..=15_000).contains(&triangles(&[("quality", "preview"), ("proxy_triangles", "15000")])));
    assert_eq!(triangles(&[("quality", "preview"), ("integrator", "paper")]), 24_200);
}

/// A sheet that is held at its border, on a body that is stretched unevenly: how many steps are made, and what is said.
fn uneven(most: &str) -> (u32, Vec<String>) {
    let (mut host, mesh) = wide(&[("gravity", "0"), ("max_iterations", most)]);
    let there: Vec<Vec3> =
        mesh.positions.iter().map(|p| Vec3::new(p.x + 2.0 * p.x * p.x + p.x * p.y, p.y, p.z)).collect();
    host.points("points", &there);
    let report = host.frame(1);
    (report.iterations, report.warnings)
}

fn max_iterations() {
    for most in [1, 2] {
        let (steps, warnings) = uneven(&most.to_string());
        assert_eq!(steps, most);
        let reported = format!("the skin did not settle: after {most} iterations");
        assert!(warnings.iter().any(|text| text.starts_with(&reported)), "{warnings:?}");
    }
    let (steps, warnings) = uneven("30");
    assert!(steps > 2 && !warnings.iter().any(|text| text.contains("settle")), "{steps} {warnings:?}");
}

/// When iterations run out, the step keeps the best iterate so far, as the description says, even if gravity strains
/// the skin far; and it gives a warning, unless what is missing is too little to be seen.
#[test]
fn heavy_skin_keeps_the_best_so_far() {
    let (_, exact, _) = hard(&[]);
    for (most, seen) in [("3", true), ("5", false)] {
        let (steps, found, warnings) = hard(&[("max_iterations", most)]);
        let reported = warnings.iter().any(|text| text.starts_with("the skin did not settle"));
        assert_eq!((steps.to_string().as_str(), reported), (most, seen), "{warnings:?}");
        near(found, exact, if seen { 0.5 } else { 0.02 });
    }
}

/// Hears how many triangles the skin is computed on.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Listener for Heard {
    fn log(&self, _: Level, message: &str) {
        self.0.lock().unwrap().push(message.into());
    }
    fn progress(&self, _: f64, _: &str) -> bool {
        true
    }
}

/// A sheet of 512 triangles that is held at its border.
fn wide(params: &[(&str, &str)]) -> (Host, Mesh) {
    let mesh = sheet([0.2, 0.2], [16, 16]);
    let mut host = skin(&mesh, &[("material", "stvk"), ("young", "3e5"), ("gravity", "9.81")]);
    params.iter().for_each(|(id, text)| host.set(id, text));
    let inside = |x: Real| x > 1e-9 && x < 0.2 - 1e-9;
    host.give("fixed", &map(&mesh, |p| Real::from(u8::from(!(inside(p.x) && inside(p.y))))));
    (host, mesh)
}

/// On how many triangles the skin is computed, as the log says.
fn computed(host: &mut Host) -> usize {
    let heard = Arc::new(Heard::default());
    host.node.step(1, 0.0, &Control::new(heard.clone())).unwrap();
    let lines = heard.0.lock().unwrap();
    let line = lines.iter().find(|line| line.contains("was built in")).unwrap();
    let words: Vec<&str> = line.split([' ', ',']).collect();
    let before = |word: &str| words.iter().position(|found| *found == word).map(|at| words[at - 1]);
    let on = words.iter().position(|word| *word == "computed").map(|at| words[at + 2]);
    on.or_else(|| before("triangles")).unwrap().parse().unwrap()
}

fn proxy_triangles() {
    let triangles = |asked: &str| computed(&mut wide(&[("proxy_triangles", asked)]).0);
    assert_eq!(triangles("0"), 512);
    assert_eq!(triangles("512"), 512);
    for asked in [200, 300] {
        let found = triangles(&asked.to_string());
        assert!(found.abs_diff(asked) <= 2, "{found} of {asked}");
    }
    // And it is nearly the same skin.
    let middle = |host: &mut Host| {
        host.frame(1);
        host.vectors("slide_vector")[17 * 8 + 8].y
    };
    let (all, some) = (middle(&mut wide(&[]).0), middle(&mut wide(&[("proxy_triangles", "300")]).0));
    assert!(all < 0.0 && all.abs() < sag(9.81));
    near(some, all, 0.1);
    assert_ne!(some, all);
}

fn proxy_check() {
    let figures = |params: &[(&str, &str)]| {
        let report = wide(params).0.frame(1);
        let of =
            |name: &str| report.figures.iter().find(|(found, _)| *found == name).map(|(_, value)| *value);
        (of("proxy_error_rms"), of("proxy_error_max"))
    };
    let (rms, max) = figures(&[("proxy_triangles", "200"), ("proxy_check", "true")]);
    // How far the skin of the proxy is from that of all triangles, in mean edges.
    let skin = |params: &[(&str, &str)]| {
        let (mut host, mesh) = wide(params);
        host.frame(1);
        (host.vectors("skin_points"), mean_edge(&mesh, true))
    };
    let ((some, edge), (all, _)) = (skin(&[("proxy_triangles", "200")]), skin(&[]));
    let off: Vec<Real> = some.iter().zip(&all).map(|(a, b)| (a - b).norm() / edge).collect();
    near(max.unwrap(), off.iter().copied().fold(0.0, Real::max), 1e-9);
    near(rms.unwrap(), (off.iter().map(|e| e * e).sum::<Real>() / off.len() as Real).sqrt(), 1e-9);
    assert!(rms > Some(0.0), "{rms:?}");
    assert_eq!(figures(&[("proxy_triangles", "200")]), (None, None));
    assert_eq!(figures(&[("proxy_check", "true")]), (None, None));
}

/// A force at a vertex that is not in the proxy acts around it; at one that is kept, as it does on all triangles.
fn proxy_keep() {
    let way = |vertex: usize, triangles: &str, keep: Real| {
        let (mut host, mesh) = wide(&[("proxy_triangles", triangles), ("gravity", "0")]);
        let mut forces = vec![Vec3::zeros(); mesh.positions.len()];
        forces[vertex].x = 0.5;
        let mut kept = vec![0.0; mesh.positions.len()];
        kept[vertex] = keep;
        host.points("forces", &forces);
        host.give("proxy_keep", &kept);
        host.frame(1);
        host.vectors("slide_vector")[vertex].x
    };
    let (mut lost, mut kept) = (0.0, 0.0);
    for vertex in (6..11).map(|x| 17 * 8 + x) {
        let [all, not, less, more] = [("0", 0.0), ("200", 0.0), ("200", 0.49), ("200", 0.5)]
            .map(|(triangles, keep)| way(vertex, triangles, keep));
        assert_eq!(not, less);
        assert!(not > 0.2 * all && all > 1e-5, "{not} {all}");
        lost += (not - all).abs();
        kept += (more - all).abs();
    }
    assert!(kept < 0.8 * lost, "{kept} {lost}");
}
