//! Muscles without skin, and skin on muscles, beside the published frame rates \[BezierMuscle, tables 1 and 2\]: 72
//! vertices per muscle; 21 joints, 3 per vertex of the skin, and 4 muscle vertices.
//!
//! All rows take turns, a few frames each, so that a busy machine slows all of them. The paper's numbers were measured
//! in 2007 on a 2.6 GHz processor, drawing included; the ratios to the floor, a copy of the points, are those to read.

use rayon::prelude::*;
use sinew::control::Control;
use sinew::math::{Affine, Real, Rotation, Vec3, affine};
use sinew::muscle::{End, Frames, Inputs, Model, Muscle, Parts, Scratch, Settings, State, step};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use std::hint::black_box;
use std::time::Instant;

const JOINTS: usize = 21;
const ROUNDS: usize = 40;
/// Frames in a row of the same kind.
const BURST: usize = 4;
/// Rounds that only warm up caches and buffers.
const WARM_UP: usize = 5;

/// Frames per second in the paper's table 1, by the number of muscles.
const DYNAMICS: [(usize, Real); 3] = [(20, 267.0), (100, 70.0), (200, 35.0)];

/// Those of table 2, by the numbers of muscles and vertices.
const SKINNING: [(usize, usize, Real); 10] = [
    (0, 5000, 146.0),
    (0, 20000, 58.0),
    (10, 5000, 92.0),
    (40, 5000, 67.0),
    (80, 5000, 55.0),
    (80, 10000, 33.0),
    (80, 15000, 24.0),
    (80, 20000, 20.0),
    (40, 20000, 24.0),
    (10, 20000, 29.0),
];

/// Joints along x, a tenth of a metre apart, swinging about z.
fn joints(angle: Real) -> Vec<Affine> {
    let joint = |k: usize| {
        let turn = Rotation::from_axis_angle(&Vec3::z_axis(), angle * (k as Real).sin());
        affine(&turn.to_rotation_matrix().into_inner(), &Vec3::new(0.1 * k as Real, 0.0, 0.0))
    };
    (0..JOINTS).map(joint).collect()
}

fn rows(joints: &[Affine]) -> Vec<f32> {
    let row = |m: &Affine| -> [f32; 16] {
        std::array::from_fn(|k| if k < 12 { m[(k / 4, k % 4)] as f32 } else { f32::from(k == 15) })
    };
    joints.iter().flat_map(row).collect()
}

/// Muscles from joint to joint, all around the joints' line.
fn muscles(count: usize) -> Vec<Muscle> {
    let muscle = |k: usize| {
        let joint = k % (JOINTS - 1);
        let (sin, cos) = (k as Real * 2.4).sin_cos();
        let end = |joint: usize| End { joint, point: Vec3::new(0.1 * joint as Real, 0.03 * cos, 0.03 * sin) };
        let mut muscle = Muscle::new(format!("{k}"), end(joint), end(joint + 1), 0.02);
        muscle.middle = Vec3::new(0.0, 0.01 * cos, 0.01 * sin);
        muscle
    };
    (0..count).map(muscle).collect()
}

/// A tube of skin around the joints' line.
fn skin(vertices: usize) -> Vec<f32> {
    let across = 50;
    let along = vertices / across;
    let point = |v: usize| {
        let (i, angle) = (v / across, std::f64::consts::TAU * (v % across) as Real / across as Real);
        let x = 0.1 * (JOINTS - 1) as Real * i as Real / along as Real;
        [x, 0.06 * angle.cos(), 0.06 * angle.sin()].map(|x| x as f32)
    };
    (0..along * across).flat_map(point).collect()
}

/// Muscles alone, through the library.
struct Alone {
    name: String,
    model: Model,
    state: State,
    scratch: Scratch,
    frame: usize,
}

impl Alone {
    fn new(count: usize, published: Real) -> Self {
        let parts = Parts { muscles: muscles(count), ..Parts::default() };
        let name = format!("{count:3} muscles; paper {published} fps");
        let model = Model::new(parts, &joints(0.0), Frames::Stable).unwrap();
        Alone { name, model, state: State::new(), scratch: Scratch::default(), frame: 0 }
    }

    fn run(&mut self, table: &mut Table) {
        self.frame += 1;
        let pose = joints(0.3 * (0.1 * self.frame as Real).sin());
        let seconds = (self.frame > 1).then_some(1.0 / 60.0);
        let inputs = Inputs { joints: &pose, activations: &[], seconds };
        table.time(&self.name, || {
            step(&self.model, &mut self.state, &mut self.scratch, &Settings::default(), &inputs).unwrap();
        });
        black_box(&self.scratch.points);
    }
}

/// The node, as a host calls it.
struct Host {
    name: String,
    node: Instance,
    rest: Vec<f32>,
    points: Vec<f32>,
    frame: i64,
}

impl Host {
    fn new(count: usize, vertices: usize, published: Real) -> Self {
        let mut node = Instance::new("muscle_skin").unwrap();
        let (rest, muscles) = (skin(vertices), muscles(count));
        let vertices = rest.len() / 3;
        let nearest = |v: usize, k: usize| ((rest[3 * v] * 10.0) as usize + k).min(JOINTS - 1) as u32;
        let influences: Vec<u32> = (0..vertices).flat_map(|v| [0, 1, 2].map(|k| nearest(v, k))).collect();
        let weights = [0.5_f32, 0.3, 0.2].repeat(vertices);
        let mut ints = |port: &str, values: &[u32]| {
            node.set_array(port, &ArrayView::from_slice(values, 1).unwrap()).unwrap();
        };
        ints("influence_counts", &vec![3; vertices]);
        ints("influence_joints", &influences);
        let of = |end: fn(&Muscle) -> End| muscles.iter().map(end);
        ints("muscle_origin_joints", &of(|m| m.origin).map(|e| e.joint as u32).collect::<Vec<_>>());
        ints("muscle_insertion_joints", &of(|m| m.insertion).map(|e| e.joint as u32).collect::<Vec<_>>());
        let vectors = |vectors: &mut dyn Iterator<Item = Vec3>| -> Vec<Real> {
            vectors.flat_map(|p| [p.x, p.y, p.z]).collect()
        };
        for (port, values, components) in [
            ("muscle_origins", vectors(&mut of(|m| m.origin).map(|e| e.point)), 3),
            ("muscle_insertions", vectors(&mut of(|m| m.insertion).map(|e| e.point)), 3),
            ("muscle_middles", vectors(&mut muscles.iter().map(|m| m.middle)), 3),
            ("muscle_sizes", muscles.iter().map(|m| m.size).collect(), 1),
        ] {
            node.set_array(port, &ArrayView::from_slice(&values, components).unwrap()).unwrap();
        }
        node.set_array("influence_weights", &ArrayView::from_slice(&weights, 1).unwrap()).unwrap();
        node.set_array("rest_joints", &ArrayView::from_slice(&rows(&joints(0.0)), 16).unwrap()).unwrap();
        // Far enough that every vertex has four carriers.
        node.set_param_text("reach", "50").unwrap();
        node.set_param_text("nearest", "4").unwrap();
        let name = format!("{count:2} muscles, {vertices:5} vertices; paper {published} fps");
        Host { name, node, points: rest.clone(), rest, frame: 0 }
    }

    fn run(&mut self, table: &mut Table) {
        self.frame += 1;
        let pose = rows(&joints(0.3 * (0.1 * self.frame as Real).sin()));
        self.points.copy_from_slice(&self.rest);
        let start = Instant::now();
        self.node.set_array("joints", &ArrayView::from_slice(&pose, 16).unwrap()).unwrap();
        let mut view = ArrayViewMut::from_slice(black_box(&mut self.points), 3).unwrap();
        let seconds = self.frame as Real / 60.0;
        let control = Control::default();
        let report = self.node.deform_in_place(self.frame, seconds, &mut view, &control).unwrap();
        let whole = 1e6 * start.elapsed().as_secs_f64();
        table.add(&self.name, whole);
        if self.name.starts_with("80 muscles, 20000") {
            // The node measures its kernels: what is left is its overhead.
            let kernels: Real = report.stages.iter().map(|(_, milliseconds)| 1e3 * milliseconds).sum();
            table.add("   of it the kernels", kernels);
            table.add("   and the node's own", whole - kernels);
        }
    }
}

/// The least that any path must do: read the points, write the points.
fn floor(table: &mut Table, from: &[f32], to: &mut [f32]) {
    table.time("floor: copy of 20000 points", || {
        let copy = |(to, from): (&mut [f32], &[f32])| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = from + 0.0)
        };
        black_box(&mut *to).par_chunks_mut(8192).zip(black_box(from).par_chunks(8192)).for_each(copy);
    });
}

/// The times of each row in microseconds, in the order in which they first ran.
#[derive(Default)]
struct Table(Vec<(String, Vec<Real>)>);

impl Table {
    fn time(&mut self, name: &str, work: impl FnOnce()) {
        let start = Instant::now();
        work();
        self.add(name, 1e6 * start.elapsed().as_secs_f64());
    }

    fn add(&mut self, name: &str, time: Real) {
        match self.0.iter_mut().find(|(row, _)| row == name) {
            Some((_, times)) => times.push(time),
            None => self.0.push((name.into(), vec![time])),
        }
    }

    fn print(&mut self) {
        println!(
            "{:46} {:>10} {:>10} {:>9} {:>8}",
            "microseconds per frame", "median", "minimum", "fps", "/ floor"
        );
        let mut floor = Real::NAN;
        for (name, times) in &mut self.0 {
            times.sort_by(Real::total_cmp);
            let (median, minimum) = (times[times.len() / 2], times[0]);
            if name.starts_with("floor") {
                floor = median;
            }
            println!("{name:46} {median:10.1} {minimum:10.1} {:9.0} {:8.1}", 1e6 / median, median / floor);
        }
    }
}

fn main() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        println!("\n{threads} threads");
        pool.install(|| {
            let mut alone: Vec<Alone> = DYNAMICS.iter().map(|&(n, fps)| Alone::new(n, fps)).collect();
            let mut hosts: Vec<Host> = SKINNING.iter().map(|&(n, v, fps)| Host::new(n, v, fps)).collect();
            let (from, mut to) = (skin(20_000), skin(20_000));
            let mut table = Table::default();
            for round in 0..ROUNDS {
                if round == WARM_UP {
                    table = Table::default();
                }
                (0..BURST).for_each(|_| floor(&mut table, &from, &mut to));
                alone.iter_mut().for_each(|alone| (0..BURST).for_each(|_| alone.run(&mut table)));
                hosts.iter_mut().for_each(|host| (0..BURST).for_each(|_| host.run(&mut table)));
            }
            table.print();
        });
    }
}
