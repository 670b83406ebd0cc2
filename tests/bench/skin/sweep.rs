//! A tube whose right half twists, of growing size. Each size has a process of its own, so that peak memory is its own.

use super::allocations::fewest_allocations;
use super::{Production, median};
use sinew::energy::{Material, Stvk};
use sinew::geometry::{TriMesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::skin::model::{Hold, Model, Settings};
use std::process::Command;

/// Vertices around and along: 1,000 to 200,000 unknowns.
const SIZES: [usize; 7] = [22, 40, 70, 100, 158, 223, 316];
const LENGTH: Real = 0.2;

/// Prints the table.
pub fn run() {
    println!("\ntwisted tube, production, ms a frame of 2.5 degrees");
    println!(
        "{:>9}{:>12}{:>13}{:>13}{:>14}{:>14}{:>12}",
        "DoF", "1 thread", "2 threads", "us per DoF", "Newton steps", "allocations", "peak MiB"
    );
    let Ok(program) = std::env::current_exe() else { return };
    for n in SIZES {
        let line = |threads: usize| {
            let arguments = ["--size".to_string(), n.to_string(), threads.to_string()];
            let done = Command::new(&program).args(arguments).output().ok()?;
            let text = String::from_utf8(done.stdout).ok()?;
            text.split_whitespace().map(|word| word.parse::<f64>().ok()).collect::<Option<Vec<_>>>()
        };
        let (Some(one), Some(two)) = (line(1), line(2)) else {
            println!("{n}: the process failed");
            continue;
        };
        println!(
            "{:>9}{:>12.2}{:>13.2}{:>13.2}{:>14}{:>14}{:>12.0}",
            one[0],
            one[1],
            two[1],
            1e3 * one[1] / one[0],
            one[2],
            one[3],
            one[4]
        );
    }
}

/// Prints unknowns, milliseconds, Newton steps, allocations and peak memory of one size.
pub fn child(n: usize, threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let frames = if n > 200 { 9 } else { 25 };
    let mesh = shapes::cylinder(LENGTH / 4.0, LENGTH, n, n);
    let rim = |p: &Vec3| if p.y < 1e-9 || p.y > LENGTH - 1e-9 { Hold::Fixed } else { Hold::Free };
    let holds: Vec<_> = mesh.positions.iter().map(rim).collect();
    let settings = Settings::new(Material::Stvk(Stvk::new(2e4, 0.4).unwrap()));
    let mut model = Model::new(TriMesh::from_mesh(&mesh).unwrap(), settings).unwrap();
    model.set_holds(&holds).unwrap();
    let unknowns = model.unknown_count();
    let body = |frame: usize| -> Vec<Vec3> {
        let degree = std::f64::consts::PI / 180.0;
        let turned = |p: &Vec3| {
            let (s, c) = (2.5 * degree * frame as Real * (2.0 * p.y / LENGTH - 1.0).max(0.0)).sin_cos();
            Vec3::new(c * p.x - s * p.z, p.y, s * p.x + c * p.z)
        };
        mesh.positions.iter().map(turned).collect()
    };
    let mut skin = Production::new(model);
    let times = (1..=frames).map(|k| (k, body(k)));
    let timed: Vec<f64> = times.map(|(_, body)| pool.install(|| skin.frame(&body))).skip(1).collect();
    let memory = peak();
    let steps = skin.steps;
    let mut frame = frames;
    let bodies: Vec<_> = (1..=7).map(|k| body(frames + k)).collect();
    let taken = fewest_allocations(|| {
        skin.frame(&bodies[frame - frames]);
        frame += 1;
    });
    println!("{unknowns} {} {steps} {taken} {memory}", median(timed));
}

/// The most memory that the process has had, in MiB.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok())
        .map_or(f64::NAN, |kib| kib / 1024.0)
}
