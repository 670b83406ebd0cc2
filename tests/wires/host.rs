//! A host of any node.

use sinew::control::Control;
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Direction, Instance, Report};

pub struct Host {
    pub node: Instance,
    pub fps: Real,
}

impl Host {
    pub fn new(node: &str, params: &[(&str, &str)]) -> Self {
        let mut host = Host { node: Instance::new(node).unwrap(), fps: 24.0 };
        params.iter().for_each(|(id, text)| host.set(id, text));
        host
    }

    pub fn set(&mut self, id: &str, text: &str) {
        self.node.set_param_text(id, text).unwrap();
    }

    pub fn mesh(&mut self, port: &str, mesh: &Mesh) {
        self.node.set_mesh(port, mesh.clone()).unwrap();
    }

    fn components(&self, direction: Direction, port: &str) -> u32 {
        let node = self.node.descriptor();
        node.ports[node.port_index(direction, port).unwrap()].kind.components()
    }

    pub fn give(&mut self, port: &str, values: &[Real]) {
        let components = self.components(Direction::Input, port);
        self.node.set_array(port, &ArrayView::from_slice(values, components).unwrap()).unwrap();
    }

    pub fn name(&mut self, port: &str, values: &[u32]) {
        let components = self.components(Direction::Input, port);
        self.node.set_array(port, &ArrayView::from_slice(values, components).unwrap()).unwrap();
    }

    pub fn points(&mut self, port: &str, points: &[Vec3]) {
        let values: Vec<Real> = points.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        self.give(port, &values);
    }

    pub fn try_frame(&mut self, frame: i64) -> sinew::error::Result<Report> {
        self.node.step(frame, frame as Real / self.fps, &Control::default())
    }

    pub fn frame(&mut self, frame: i64) -> Report {
        self.try_frame(frame).unwrap()
    }

    pub fn count(&self, port: &str) -> usize {
        self.node.output_count(port).unwrap()
    }

    pub fn read(&self, port: &str) -> Vec<Real> {
        let components = self.components(Direction::Output, port);
        let mut values = vec![0.0; components as usize * self.count(port)];
        self.node.read(port, &mut ArrayViewMut::from_slice(&mut values, components).unwrap()).unwrap();
        values
    }

    pub fn vectors(&self, port: &str) -> Vec<Vec3> {
        self.read(port).chunks_exact(3).map(Vec3::from_column_slice).collect()
    }
}

/// That a number is as expected, up to a part of what is expected.
#[track_caller]
pub fn near(found: Real, expected: Real, part: Real) {
    assert!((found - expected).abs() <= part * expected.abs(), "{found} instead of {expected}");
}

/// That a number is as expected, up to so much.
#[track_caller]
pub fn within(found: Real, expected: Real, off: Real) {
    assert!((found - expected).abs() <= off, "{found} instead of {expected}");
}
