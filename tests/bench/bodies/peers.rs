//! Blender's modifiers on the same bodies, by its Python module.

use crate::body::Body;
use crate::figure;
use serde::Deserialize;
use sinew::math::Real;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the script says of a modifier: milliseconds a frame that it adds, and lengths in metres, p99 and maximum.
#[derive(Deserialize)]
struct Peer {
    name: String,
    median: Real,
    max: Real,
    /// How far it moves vertices.
    moved: [Real; 2],
    /// The second differences of that.
    second: [Real; 2],
}

/// A Python that probably has Blender's module: the judges', or that of the benchmarks.
pub fn python() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pythons = ["target/judges/bin/python", "target/bench-python/bin/python"].map(|p| root.join(p));
    pythons.into_iter().find(|python| python.exists())
}

pub fn print_head() {
    println!(
        "\nBlender's modifiers: ms a frame that each adds; how far it moves vertices, and the second difference of \
         that, mm"
    );
    let titles = ["median", "max", "median/1000 v", "max/1000 v", "moved p99", "max", "second p99", "max"];
    let titles: String = titles.map(|title| format!("{title:>14}")).concat();
    println!("{:<18}{:<36}{titles}", "body", "modifier");
}

/// Prints a row for each modifier, or why there is none.
pub fn print_rows(python: &Path, name: &str, folder: &Path, body: &Body) {
    match ask(python, folder, body) {
        Ok(peers) => peers.iter().for_each(|peer| print_row(name, body, peer)),
        Err(text) => println!("{name:<18}error: {text}"),
    }
}

fn print_row(name: &str, body: &Body, peer: &Peer) {
    let thousands = body.rest.positions.len() as Real / 1e3;
    let times = [peer.median, peer.max, peer.median / thousands, peer.max / thousands];
    let lengths = [peer.moved, peer.second].concat().into_iter().map(|length| 1e3 * length);
    let cells: String =
        times.into_iter().chain(lengths).map(|value| format!("{:>14}", figure(value))).collect();
    println!("{name:<18}{:<36}{cells}", peer.name);
}

/// Runs the script; its answers are the lines of JSON among what Blender says.
fn ask(python: &Path, folder: &Path, body: &Body) -> Result<Vec<Peer>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/bodies/blender.py");
    let mut command = Command::new(python);
    command.arg(script).arg(folder).args([body.frames.len().to_string(), body.unit.to_string()]);
    let run = command.stderr(Stdio::inherit()).output().map_err(|e| e.to_string())?;
    if !run.status.success() {
        return Err(format!("the script ended with {}", run.status));
    }
    let text = String::from_utf8_lossy(&run.stdout);
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).map_err(|e| e.to_string())).collect()
}
