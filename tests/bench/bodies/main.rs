//! The skin slider on animated characters that were made elsewhere: does it settle, how long does it take, and is its
//! motion as smooth as the body's? Beside it, what one would do instead on the same mesh in Blender.
//!
//! A body is a folder with `rest.obj` and `body.pc2` (24 frames per second). Columns:
//!
//! - unsettled: frames of which the node says that the skin is not at rest; warnings: how many others there are.
//! - solver: milliseconds a frame of the stages from carry to velocity; outputs: of all other stages.
//! - CPU: milliseconds a frame of all threads, solver and outputs; what to read on a machine that is shared.
//! - stricter: how far the slide is from that of a run with ten times the iterations and a hundredth of the tolerance,
//!   as p99 over vertices and frames of the difference over p99 of the slide. Then the worst frame, and its own ratio.
//! - 48 fps: the same for a run at 48 frames per second over the body interpolated linearly, at the common frames. The
//!   skin moves from rest to the first frame in one frame, half as long here; `--set fps=24` equalises that.
//! - slide: from a vertex at rest to the point on the body at rest whose material is there; p99 and maximum.
//! - second difference: |x(k+1) - 2 x(k) + x(k-1)| of the slide and of the body; p99 and maximum.
//! - pops: vertices and frames where the slide's second difference is more than 0.25 % of the body's height and more
//!   than three times the body's there, at that vertex and all that share a face with it.
//!
//! Times are those of a machine that may be shared. `--help` tells the options.

mod body;
mod figures;
mod floor;
mod options;
mod peers;
mod trial;

use body::{Body, FPS};
use figures::{Apart, Lengths, largest, median};
use options::{HELP, Options};
use sinew::error::Result;
use sinew::math::Real;
use std::io::Write;
use trial::{Setup, Trial};

/// Titles of groups of columns, each as wide as they are together.
const GROUPS: [(&str, usize); 11] = [
    ("", 39),
    ("frames", 10),
    ("", 9),
    ("iterations", 12),
    ("solver: ms a frame, and /1000 v", 33),
    ("outputs", 9),
    ("CPU", 8),
    ("stricter", 21),
    ("48 fps", 21),
    ("slide mm", 15),
    ("second difference mm: slide, body", 35),
];

/// Titles and widths of the columns.
const COLUMNS: [(&str, usize); 26] = [
    ("body", 18),
    ("mode", 12),
    ("vertices", 9),
    ("unsettled", 10),
    ("warnings", 9),
    ("median", 7),
    ("max", 5),
    ("median", 9),
    ("max", 9),
    ("median", 7),
    ("max", 8),
    ("median", 9),
    ("median", 8),
    ("ratio", 8),
    ("frame", 6),
    ("its", 7),
    ("ratio", 8),
    ("frame", 6),
    ("its", 7),
    ("p99", 8),
    ("max", 7),
    ("p99", 8),
    ("max", 9),
    ("p99", 9),
    ("max", 9),
    ("pops", 7),
];

/// Prints cells in their columns, the first two to the left.
fn print_row<'a>(cells: impl IntoIterator<Item = &'a str>) {
    let mut line = String::new();
    for (k, (cell, (_, width))) in cells.into_iter().zip(COLUMNS).enumerate() {
        line += &if k < 2 { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
    }
    println!("{}", line.trim_end());
    std::io::stdout().flush().unwrap_or_default();
}

fn print_head() {
    let groups: String = GROUPS.iter().map(|(title, width)| format!("{title:>width$}")).collect();
    println!("{}", groups.trim_end());
    print_row(COLUMNS.map(|(title, _)| title));
}

/// A time or a length with about three digits.
fn figure(value: Real) -> String {
    match value {
        0.0 => "0".into(),
        v if v.abs() >= 100.0 => format!("{v:.0}"),
        v if v.abs() >= 1.0 => format!("{v:.1}"),
        v => format!("{v:.3}"),
    }
}

/// The three cells of a comparison; frames are numbered as in the body.
fn apart_cells(apart: Option<&Apart>, first: i64) -> [String; 3] {
    let Some(apart) = apart else { return ["", "", ""].map(String::from) };
    let Some(ratio) = apart.ratio else { return ["-", "", ""].map(String::from) };
    let (frame, own) = apart.worst;
    [figure(ratio), (first + frame as i64).to_string(), figure(own)]
}

/// Runs one mode of a body, prints its row, and returns what is to be said below the table.
fn judge(name: &str, body: &Body, mode: &str, options: &Options) -> Result<Vec<String>> {
    let setup = Setup { params: &options.params, mode, fps: FPS, stricter: false };
    let trial = Trial::new(body, &setup)?;
    let slides = &trial.slides;
    let (stricter, doubled) = match options.quick {
        true => (None, None),
        false => {
            let stricter = Trial::new(body, &Setup { stricter: true, ..setup })?;
            let doubled = Trial::new(&body.doubled(), &Setup { fps: 2.0 * FPS, ..setup })?;
            (
                Some(Apart::new(slides, stricter.slides.iter())),
                Some(Apart::new(slides, doubled.slides.iter().step_by(2))),
            )
        }
    };
    let slid = Lengths::new(&figures::norms(slides));
    let (second, below) = (figures::second_differences(slides), figures::second_differences(&body.frames));
    let pops = figures::pops(&body.rest, body.height(), &second, &below);
    let (moves, body_moves) = (Lengths::new(&second), Lengths::new(&below));
    let vertices = body.rest.positions.len();
    let thousands = vertices as Real / 1e3;
    let (solver, slowest) = (median(&trial.solver), largest(&trial.solver));
    let mut cells = vec![
        name.to_string(),
        mode.to_string(),
        vertices.to_string(),
        format!("{}/{}", trial.unsettled, slides.len()),
        trial.warnings.len().to_string(),
        median(&trial.iterations).to_string(),
        largest(&trial.iterations).to_string(),
    ];
    cells.extend([solver, slowest, solver / thousands, slowest / thousands].map(figure));
    cells.extend([median(&trial.outputs), median(&trial.processor)].map(figure));
    cells.extend(apart_cells(stricter.as_ref(), body.first));
    cells.extend(apart_cells(doubled.as_ref(), body.first));
    cells.extend([slid.p99, slid.max, moves.p99, moves.max, body_moves.p99, body_moves.max].map(figure));
    cells.push(pops.len().to_string());
    print_row(cells.iter().map(String::as_str));
    Ok(notes(&trial, &pops, body.first).into_iter().map(|note| format!("{name}, {mode}: {note}")).collect())
}

/// What does not fit into a row.
fn notes(trial: &Trial, pops: &[figures::Pop], first: i64) -> Vec<String> {
    let share = |(name, ms): &(&str, Real)| format!("{name} {}", figure(ms / trial.solver.len() as Real));
    let stages: Vec<_> = trial.stages.iter().map(share).collect();
    let mut notes = vec![format!("mean ms a frame: {}", stages.join(", "))];
    if let Some((frame, text)) = trial.warnings.first() {
        notes.push(format!("first warning, frame {frame}: {text}"));
    }
    if let Some(pop) = pops.iter().max_by(|a, b| a.slide.total_cmp(&b.slide)) {
        let frame = first + pop.frame as i64;
        let [slide, body] = [pop.slide, pop.body].map(|length| figure(1e3 * length));
        let mut frames: Vec<_> = pops.iter().map(|pop| pop.frame).collect();
        frames.dedup();
        notes.push(format!(
            "worst pop: frame {frame}, vertex {}, slide {slide} mm, body {body} mm; pops in {} frames",
            pop.vertex,
            frames.len()
        ));
    }
    notes
}

/// The bodies asked for that are there; the others are named.
fn bodies(options: &Options) -> Vec<String> {
    let there = body::names(&options.folder);
    if there.is_empty() {
        println!("left out: no bodies in {}", options.folder.display());
    }
    if options.names.is_empty() {
        return there;
    }
    let (found, missing): (Vec<_>, Vec<_>) = options.names.iter().cloned().partition(|n| there.contains(n));
    for name in missing {
        println!("left out: no body {name} in {}", options.folder.display());
    }
    found
}

fn main() {
    if std::env::args().any(|argument| argument == "--help") {
        return println!("{HELP}");
    }
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(text) => {
            eprintln!("{text}");
            std::process::exit(2);
        }
    };
    let names = bodies(&options);
    if names.is_empty() {
        return;
    }
    println!("skin_slider on {} threads", rayon::current_num_threads());
    print_head();
    let mut notes = Vec::new();
    let mut read = Vec::new();
    for name in names {
        let body = match Body::read(&options.folder.join(&name), options.frames, options.unit) {
            Ok(body) => body,
            Err(error) => {
                print_row([name.as_str(), &format!("error: {error}")]);
                continue;
            }
        };
        if body.unit != 1.0 {
            notes.push(format!("{name}: one unit of the files is {} m", body.unit));
        }
        for mode in &options.modes {
            match judge(&name, &body, mode, &options) {
                Ok(more) => notes.extend(more),
                Err(error) => print_row([name.as_str(), mode, &format!(" error: {error}")]),
            }
        }
        match floor::floor(&body) {
            Ok([factor, solve, pass]) => notes.push(format!(
                "{name}, floor on all triangles, ms: one factor {}, one solve {}, one pass over the vertices {}",
                figure(factor),
                figure(solve),
                figure(pass)
            )),
            Err(error) => notes.push(format!("{name}: no floor: {error}")),
        }
        read.push((name, body));
    }
    notes.iter().for_each(|note| println!("{note}"));
    compare(&read, &options);
}

/// Blender's rows, where its module is there.
fn compare(bodies: &[(String, Body)], options: &Options) {
    let python = match &options.python {
        Some(python) => Some(python.clone()),
        None if options.quick => return,
        None => peers::python(),
    };
    let Some(python) = python else {
        return println!(
            "left out: Blender's modifiers; `sh tests/bench.sh bodies` installs its Python module"
        );
    };
    peers::print_head();
    for (name, body) in bodies {
        peers::print_rows(&python, name, &options.folder.join(name), body);
    }
}
