//! Skinning a torus of 40,000 vertices with 24 joints and 4 influences, single precision, in place: the whole path
//! of a host (gather, step, scatter).

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::control::Control;
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use std::f64::consts::TAU;
use std::hint::black_box;

const RINGS: usize = 200;
const JOINTS: usize = 24;

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

/// Joints on the torus' ring, turned by `angle` about their own place on it.
fn joints(angle: f64) -> Vec<f64> {
    let mut rows = Vec::new();
    for k in 0..JOINTS {
        let u = TAU * k as f64 / JOINTS as f64;
        let (s, c) = (angle * (k as f64).sin()).sin_cos();
        rows.extend([c, -s, 0.0, u.cos(), s, c, 0.0, 0.0, 0.0, 0.0, 1.0, u.sin(), 0.0, 0.0, 0.0, 1.0]);
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

fn skinning(criterion: &mut Criterion) {
    let rest = torus();
    let control = Control::default();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for method in ["linear", "dual_quaternion"] {
            let mut node = instance(method);
            let (mut points, mut frame) = (rest.clone(), 0i64);
            criterion.bench_function(&format!("skinning {method} {threads} threads"), |bencher| {
                pool.install(|| {
                    bencher.iter(|| {
                        points.copy_from_slice(&rest);
                        let pose = joints(0.01 * (frame % 100) as f64);
                        node.set_array("joints", &ArrayView::from_slice(&pose, 16).unwrap()).unwrap();
                        let mut view = ArrayViewMut::from_slice(black_box(&mut points), 3).unwrap();
                        node.deform_in_place(frame, 0.0, &mut view, &control).unwrap();
                        frame += 1;
                    });
                });
            });
        }
    }
}

criterion_group!(benches, skinning);
criterion_main!(benches);
