//! What comes out of the skin besides the skin itself, on a torus of 40,000 triangles: measures, and 40,000 points that
//! ride on it. The skin slides by a third of an edge per frame.
//!
//! The machine may be shared: the least of many times is printed, beside a step over the same data that only places
//! the skin points, the floor of all.

use rayon::prelude::*;
use sinew::energy::{Material, NeoHookean};
use sinew::geometry::{SurfacePoint, TriMesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::skin::inverse::{Image, Ride, Slid};
use sinew::skin::measure::{Gauge, Measures};
use sinew::skin::model::{Model, Settings};
use std::time::Instant;

const ROUNDS: usize = 40;

/// The least time of an action, in milliseconds.
struct Least(&'static str, f64);

impl Least {
    fn time<T>(&mut self, action: impl FnOnce() -> T) -> T {
        let clock = Instant::now();
        let made = action();
        self.1 = self.1.min(clock.elapsed().as_secs_f64() * 1e3);
        made
    }
}

/// Turns the skin about the y axis.
fn turn(model: &Model, skin: &mut [SurfacePoint], angle: Real) {
    skin.par_iter_mut().for_each(|point| {
        let way = Vec3::y().cross(&model.rest.place(point)) * angle;
        let tangents = model.rest.tangents(point);
        let metric = (tangents.transpose() * tangents).try_inverse().unwrap();
        *point = model.rest.go(point, metric * (tangents.transpose() * way));
    });
}

fn main() {
    let material = Material::NeoHookean(NeoHookean::new(2e4, 0.4).unwrap());
    let mesh = TriMesh::from_mesh(&shapes::torus(1.0, 0.4, 200, 100)).unwrap();
    let model = Model::new(mesh, Settings::new(material)).unwrap();
    let triangles = model.rest.mesh().triangles.len() as u32;
    let mut points = Vec::new();
    points.extend((0..triangles).map(|triangle| SurfacePoint { triangle, weights: [0.21, 0.33, 0.46] }));
    let mut skin: Vec<_> = (0..model.len()).map(|v| model.rest.vertex(v).unwrap()).collect();
    let body: Vec<_> = model.rest.mesh().positions.iter().map(|p| p * 1.1).collect();
    let (mut gauge, mut measures) = (Gauge::new(&model), Measures::default());
    let mut image = Image::new(&model).unwrap();
    let mut slid: Vec<_> = points.iter().map(|p| Slid::at_rest(*p)).collect();
    let mut far = slid.clone();
    let mut rides = vec![Ride::default(); points.len()];
    let names = [
        "floor: place the points",
        "measure",
        "update the image",
        "find, coherent",
        "find, from rest",
        "ride",
    ];
    let mut times = names.map(|name| Least(name, f64::INFINITY));
    for _ in 0..ROUNDS {
        turn(&model, &mut skin, model.rest.mean_edge() / 3.0);
        let [floor, measure, update, find, rest, ride] = &mut times;
        let sum: f64 = floor.time(|| points.par_iter().map(|p| model.rest.place(p).x).sum());
        assert!(sum.is_finite());
        measure.time(|| gauge.measure(&model, &skin, &body, &mut measures)).unwrap();
        update.time(|| image.update(&model, &skin)).unwrap();
        find.time(|| image.find(&model, &points, &mut slid)).unwrap();
        far.iter_mut().zip(&points).for_each(|(slid, p)| *slid = Slid::at_rest(*p));
        rest.time(|| image.find(&model, &points, &mut far)).unwrap();
        ride.time(|| image.ride(&model, &body, &points, &slid, &mut rides)).unwrap();
        assert!(slid == far && slid.iter().all(|s| s.inside));
    }
    println!("{triangles} triangles, {} points, {} threads", points.len(), rayon::current_num_threads());
    times.iter().for_each(|Least(name, time)| println!("{name:26} {time:8.2} ms"));
}
