//! The node with a mesh.

use sinew::control::Control;
use sinew::error::Result;
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Direction, Instance, Report};
use std::collections::BTreeMap;

/// A node with a mesh, and what is done to it.
pub struct Host {
    pub node: Instance,
    pub mesh: Mesh,
}

impl Host {
    pub fn new(mesh: &Mesh) -> Self {
        let mut node = Instance::new("skin_slider").unwrap();
        node.set_mesh("rest", mesh.clone()).unwrap();
        Host { node, mesh: mesh.clone() }
    }

    pub fn set(&mut self, port: &str, components: u32, values: &[Real]) {
        self.node.set_array(port, &ArrayView::from_slice(values, components).unwrap()).unwrap();
    }

    pub fn paint(&mut self, port: &str, value: impl Fn(&Vec3) -> Real) {
        let values: Vec<Real> = self.mesh.positions.iter().map(value).collect();
        self.set(port, 1, &values);
    }

    pub fn step_on(&mut self, frame: i64, points: &[Vec3]) -> Result<Report> {
        let points: Vec<Real> = points.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        self.set("points", 3, &points);
        self.node.step(frame, frame as Real / 24.0, &Control::default())
    }

    pub fn step(&mut self, frame: i64, place: impl Fn(&Vec3) -> Vec3) -> Report {
        let points: Vec<Vec3> = self.mesh.positions.iter().map(place).collect();
        self.step_on(frame, &points).unwrap()
    }

    pub fn read(&self, port: &str, components: usize) -> Vec<Vec<Real>> {
        let mut values = vec![0.0; self.node.output_count(port).unwrap() * components];
        if !values.is_empty() {
            self.node
                .read(port, &mut ArrayViewMut::from_slice(&mut values, components as u32).unwrap())
                .unwrap();
        }
        values.chunks_exact(components).map(<[Real]>::to_vec).collect()
    }

    pub fn outputs(&self) -> BTreeMap<&'static str, Vec<Vec<Real>>> {
        let ports = self.node.descriptor().ports.iter().filter(|p| p.direction == Direction::Output);
        ports.map(|p| (p.id, self.read(p.id, p.kind.components() as usize))).collect()
    }
}
