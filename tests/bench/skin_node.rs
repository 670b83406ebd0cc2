//! The node as a host calls it: a neck of 40,000 vertices that turns and swallows, at 24 frames per second, computed on
//! fewer triangles and carried to all, with UVs, or with every output. Real time means less than 41.7 ms a frame.
//!
//! The machine may be shared: compare the minimum with the median.

use sinew::control::Control;
use sinew::geometry::shapes;
use sinew::math::{Real, Vec3};
use sinew::nodes::{ArrayView, Instance};
use std::f64::consts::TAU;
use std::time::Instant;

const FRAMES: usize = 48;
const HEIGHT: Real = 0.15;

/// Where a point of the neck is: the upper half turns, the lump goes up and down under its front.
fn moved(p: &Vec3, time: Real) -> Vec3 {
    let beat = 0.5 - 0.5 * (TAU * time).cos();
    let away = Vec3::new(0.0, p.y - (0.06 + 0.03 * beat), p.x) / 0.012;
    let lump = if p.z > 0.0 { 0.004 * (-away.norm_squared()).exp() } else { 0.0 };
    let angle = 0.6 * beat * (2.0 * p.y / HEIGHT - 1.0).max(0.0);
    nalgebra::Rotation3::new(Vec3::y() * angle) * (p + Vec3::new(p.x, 0.0, p.z).normalize() * lump)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let mesh = shapes::cylinder(0.05, HEIGHT, 200, 199);
    let n = mesh.positions.len();
    let rim = |p: &Vec3| if p.y < 1e-9 || p.y > HEIGHT - 1e-9 { 1.0 } else { 0.0 };
    let fixed: Vec<Real> = mesh.positions.iter().map(rim).collect();
    let flat = |time: Real| -> Vec<Real> {
        mesh.positions.iter().flat_map(|p| <[Real; 3]>::from(moved(p, time))).collect()
    };
    let bodies: Vec<Vec<Real>> = (1..=FRAMES).map(|k| flat(k as Real / 24.0)).collect();
    println!("{n} vertices, {} threads, ms a frame", rayon::current_num_threads());
    println!(
        "{:>20}{:>10}{:>10}{:>24}{:>10}",
        "triangles, outputs", "median", "least", "error rms, most (edges)", "kept up"
    );
    for (triangles, outputs) in
        [("2000", "skin"), ("5000", "skin"), ("10000", "skin"), ("5000", "all"), ("0", "skin")]
    {
        let mut node = Instance::new("skin_slider").unwrap();
        node.set_mesh("rest", mesh.clone()).unwrap();
        node.set_array("fixed", &ArrayView::from_slice(&fixed, 1).unwrap()).unwrap();
        node.set_param_text("proxy_triangles", triangles).unwrap();
        node.set_param_text("outputs", outputs).unwrap();
        let mut stages = Vec::new();
        let mut frame = |k: usize| {
            let clock = Instant::now();
            node.set_array("points", &ArrayView::from_slice(&bodies[k], 3).unwrap()).unwrap();
            let report = node.step(k as i64, k as Real / 24.0, &Control::default()).unwrap();
            assert!(report.warnings.is_empty(), "{:?}", report.warnings);
            let whole = clock.elapsed().as_secs_f64() * 1e3;
            let mut reported = report.stages;
            reported.push(("other", whole - reported.iter().map(|(_, time)| time).sum::<f64>()));
            stages.push(reported);
            whole
        };
        frame(0);
        let mut times: Vec<f64> = (1..FRAMES).map(&mut frame).collect();
        let kept_up = times.iter().filter(|t| **t < 1e3 / 24.0).count();
        times.sort_by(f64::total_cmp);
        // A short run beside the skin computed on all triangles tells what the proxy is worth.
        let mut checked = Instance::new("skin_slider").unwrap();
        checked.set_mesh("rest", mesh.clone()).unwrap();
        checked.set_array("fixed", &ArrayView::from_slice(&fixed, 1).unwrap()).unwrap();
        checked.set_param_text("proxy_triangles", triangles).unwrap();
        checked.set_param_text("proxy_check", "true").unwrap();
        let mut figures = Vec::new();
        for k in [6, 12] {
            checked.set_array("points", &ArrayView::from_slice(&bodies[k], 3).unwrap()).unwrap();
            figures = checked.step(k as i64, k as Real / 24.0, &Control::default()).unwrap().figures;
        }
        let figure = |name: &str| figures.iter().find(|(f, _)| *f == name).map_or(0.0, |(_, value)| *value);
        println!(
            "{:>14}{:>6}{:>10.1}{:>10.1}{:>16.3}{:>8.3}{:>7} of {}",
            if triangles == "0" { "all" } else { triangles },
            outputs,
            times[times.len() / 2],
            times[0],
            figure("proxy_error_rms"),
            figure("proxy_error_max"),
            kept_up,
            times.len()
        );
        let medians = stages[0].iter().enumerate().map(|(k, (name, _))| {
            let of_frames: Vec<f64> = stages[1..].iter().map(|s: &Vec<(&str, f64)>| s[k].1).collect();
            (*name, median(of_frames))
        });
        let reported = medians.map(|(name, time)| format!("{name} {time:.1}"));
        println!("{:>16}{}", "", reported.collect::<Vec<_>>().join(", "));
    }
}
