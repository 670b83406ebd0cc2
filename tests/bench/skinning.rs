//! Skinning a torus of 40,000 vertices with 24 joints and 4 influences, single precision, in place: the whole path
//! of a host and its stages, beside the floor, a copy of the points from one array to another.
//!
//! All rows take turns, a few frames each, so that a busy machine slows all of them, and so that the frames find in
//! the cache what the frame before left there, as in playback. The machine may be shared: read the ratios.

use rayon::prelude::*;
use sinew::control::Control;
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use std::f64::consts::TAU;
use std::hint::black_box;
use std::time::Instant;

const RINGS: usize = 200;
const JOINTS: usize = 24;
const ROUNDS: usize = 60;
/// Frames in a row of the same kind.
const BURST: usize = 8;
/// Rounds that only warm up caches and buffers.
const WARM_UP: usize = 10;

fn torus() -> Vec<f32> {
    let mut points = Vec::new();
    for i in 0..RINGS {
        for j in 0..RINGS {
            let (u, v) = (TAU * i as f64 / RINGS as f64, TAU * j as f64 / RINGS as f64);
            let r = 1.0 + 0.3 * v.cos();
            points.extend([r * u.cos(), 0.3 * v.sin(), r * u.sin()].map(|x| x as f32));
        }
    }
    points
}

/// Joints on the torus' ring, turned by `angle` about their own place on it, in single precision as hosts have them.
fn joints(angle: f64) -> Vec<f32> {
    let mut rows = Vec::new();
    for k in 0..JOINTS {
        let u = TAU * k as f64 / JOINTS as f64;
        let (s, c) = (angle * (k as f64).sin()).sin_cos();
        let m = [c, -s, 0.0, u.cos(), s, c, 0.0, 0.0, 0.0, 0.0, 1.0, u.sin(), 0.0, 0.0, 0.0, 1.0];
        rows.extend(m.map(|x| x as f32));
    }
    rows
}

fn instance(method: &str) -> Instance {
    let mut node = Instance::new("skinning").unwrap();
    let vertices = RINGS * RINGS;
    let (mut indices, mut weights) = (Vec::new(), Vec::new());
    for vertex in 0..vertices {
        let at = (vertex / RINGS) as f64 * JOINTS as f64 / RINGS as f64;
        let (first, t) = (at as usize, at.fract());
        for (k, w) in [(0, 2.0 - t), (1, 1.0 + t), (JOINTS - 1, 1.0 - t), (2, t)] {
            indices.push(((first + k) % JOINTS) as u32);
            weights.push((0.25 * w) as f32);
        }
    }
    node.set_param_text("method", method).unwrap();
    node.set_array("influence_counts", &ArrayView::from_slice(&vec![4u32; vertices], 1).unwrap()).unwrap();
    node.set_array("influence_joints", &ArrayView::from_slice(&indices, 1).unwrap()).unwrap();
    node.set_array("influence_weights", &ArrayView::from_slice(&weights, 1).unwrap()).unwrap();
    node.set_array("rest_joints", &ArrayView::from_slice(&joints(0.0), 16).unwrap()).unwrap();
    node
}

/// The times of one row of the table, in microseconds.
struct Row {
    name: String,
    times: Vec<f64>,
}

/// The rows of the table, in the order in which they first ran.
#[derive(Default)]
struct Table(Vec<Row>);

impl Table {
    fn time<R>(&mut self, name: String, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        self.add(name, 1e6 * start.elapsed().as_secs_f64());
        result
    }

    fn add(&mut self, name: String, time: f64) {
        match self.0.iter_mut().find(|row| row.name == name) {
            Some(row) => row.times.push(time),
            None => self.0.push(Row { name, times: vec![time] }),
        }
    }

    fn print(&mut self) {
        println!("{:44} {:>10} {:>10} {:>10}", "microseconds per frame", "median", "minimum", "/ floor");
        let mut floor = f64::NAN;
        for row in &mut self.0 {
            row.times.sort_by(f64::total_cmp);
            let (median, minimum) = (row.times[row.times.len() / 2], row.times[0]);
            if row.name.starts_with("floor") {
                floor = median;
            }
            println!("{:44} {median:10.1} {minimum:10.1} {:10.1}", row.name, median / floor);
        }
    }
}

/// A method's node, and the host's arrays.
struct Host {
    method: &'static str,
    node: Instance,
    rest: Vec<f32>,
    points: Vec<f32>,
    frame: i64,
}

impl Host {
    fn new(method: &'static str) -> Self {
        let rest = torus();
        Host { method, node: instance(method), points: rest.clone(), rest, frame: 0 }
    }

    fn next_pose(&mut self) -> Vec<f32> {
        self.frame += 1;
        joints(0.01 * (self.frame % 100 + 1) as f64)
    }

    /// What a host calls per frame; the points are those of the last frame unless they are `shaken`.
    fn whole(&mut self, table: &mut Table, shaken: bool) {
        let pose = self.next_pose();
        if shaken {
            self.rest.iter_mut().for_each(|x| *x += 1e-3 * (self.frame % 3 - 1) as f32);
        }
        self.points.copy_from_slice(&self.rest);
        let name = if shaken { "whole, moving points" } else { "whole" };
        table.time(format!("{}: {name}", self.method), || {
            self.node.set_array("joints", &ArrayView::from_slice(&pose, 16).unwrap()).unwrap();
            let mut view = ArrayViewMut::from_slice(black_box(&mut self.points), 3).unwrap();
            self.node.deform_in_place(self.frame, 0.0, &mut view, &Control::default()).unwrap();
        });
    }

    /// The same, one call per stage.
    fn stages(&mut self, table: &mut Table) {
        let (pose, method) = (self.next_pose(), self.method);
        self.points.copy_from_slice(&self.rest);
        table.time(format!("{method}: gather joints"), || {
            self.node.set_array("joints", &ArrayView::from_slice(&pose, 16).unwrap()).unwrap();
        });
        table.time(format!("{method}: gather points"), || {
            self.node.set_array("points", &ArrayView::from_slice(&self.points, 3).unwrap()).unwrap();
        });
        let report = table.time(format!("{method}: step"), || {
            self.node.step(self.frame, 0.0, &Control::default()).unwrap()
        });
        // The kernel measures itself: the step without the checks of its inputs and outputs.
        let kernel: f64 = report.stages.iter().map(|(_, milliseconds)| 1e3 * milliseconds).sum();
        table.add(format!("{method}: of it the kernel"), kernel);
        table.time(format!("{method}: scatter points"), || {
            let mut view = ArrayViewMut::from_slice(black_box(&mut self.points), 3).unwrap();
            self.node.read("points", &mut view).unwrap();
        });
    }
}

/// The least that any path must do: read the points, write the points. Not memcpy, which some processors slow down
/// tenfold when the two addresses agree in their last bits: adding zero is no copy to the compiler.
fn floor(table: &mut Table, from: &[f32], to: &mut [f32]) {
    table.time("floor: copy of the points".into(), || {
        let copy = |(to, from): (&mut [f32], &[f32])| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = from + 0.0)
        };
        black_box(&mut *to).par_chunks_mut(8192).zip(black_box(from).par_chunks(8192)).for_each(copy);
    });
}

fn main() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        println!("\n{} vertices, {JOINTS} joints, 4 influences, {threads} threads", RINGS * RINGS);
        pool.install(|| {
            let mut hosts = ["linear", "dual_quaternion", "blend_map"].map(Host::new);
            let (from, mut to) = (torus(), torus());
            let mut table = Table::default();
            for round in 0..ROUNDS {
                if round == WARM_UP {
                    table = Table::default();
                }
                (0..BURST).for_each(|_| floor(&mut table, &from, &mut to));
                for host in &mut hosts {
                    (0..BURST).for_each(|_| host.whole(&mut table, false));
                    (0..BURST).for_each(|_| host.stages(&mut table));
                    (0..BURST).for_each(|_| host.whole(&mut table, true));
                }
            }
            table.print();
        });
    }
}
