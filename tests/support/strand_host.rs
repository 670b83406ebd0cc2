//! A host of the node `strand`, for the tests that look at it.
#![allow(dead_code)] // each of them uses a part

use sinew::control::Control;
use sinew::error::Error;
use sinew::math::{Affine, Placement, Real, Rotation, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance, Report};

/// Frames per second whose times are exact numbers, so that a difference of times is one frame to the bit.
pub const FPS: Real = 32.0;

/// A hand that hangs on a led forearm, with a tendon over a pulley and a muscle.
pub const ARM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<strand_scene version="1">
  <settings step="0.002"/>
  <body name="floor" mode="held" at="0 -1 0"/>
  <body name="forearm" mode="led">
    <cuboid size="0.2 0.04 0.05"/>
    <key time="0.125" at="0.02 0.01 0" turn="0 10 20"/>
    <key time="0.25" at="0 0.05 0"/>
  </body>
  <body name="hand" at="0.15 0 0"><cuboid size="0.1 0.02 0.06"/></body>
  <joint name="wrist" parent="forearm" child="hand" at="0.1 0 0">
    <axis name="turn_z" may="-80 80" damping="0.01"/>
  </joint>
  <point name="belly" at="-0.02 0.03 0"/>
  <point name="pulley" at="0.1 0.03 0" on="forearm"/>
  <point name="end" at="0.15 0.012 0" on="hand"/>
  <line name="path" on="forearm" from="0 0.03 0" to="-0.09 0.03 0"/>
  <on_curve point="belly" curve="path"/>
  <strand name="extensor" stiffness="2e4" axial_damping="0.002">
    <node point="belly"/>
    <node point="pulley" kind="eulerian"/>
    <node point="end"/>
  </strand>
  <muscle name="puller" point="belly" curve="path" strength="30" stiffness="15" rest="0.06" damping="20">
    <activation time="0.25" value="0.5"/>
  </muscle>
</strand_scene>
"#;

const OUTPUTS: [&str; 11] = [
    "body_matrices",
    "led_bodies",
    "joint_turns",
    "joint_moves",
    "strand_points",
    "strand_counts",
    "strand_radii",
    "strand_materials",
    "strand_lengths",
    "tensions",
    "activations",
];

pub struct Host(pub Instance);

impl Host {
    pub fn new(params: &[(&str, &str)]) -> Self {
        let mut host = Host(Instance::new("strand").unwrap());
        host.set("fps", "32");
        params.iter().for_each(|(id, text)| host.set(id, text));
        host
    }

    pub fn arm() -> Self {
        Host::new(&[("source", "scene"), ("scene", ARM)])
    }

    pub fn set(&mut self, id: &str, text: &str) {
        self.0.set_param_text(id, text).unwrap();
    }

    pub fn give(&mut self, port: &str, values: &[Real], components: u32) {
        self.0.set_array(port, &ArrayView::from_slice(values, components).unwrap()).unwrap();
    }

    pub fn name(&mut self, port: &str, values: &[u32], components: u32) {
        self.0.set_array(port, &ArrayView::from_slice(values, components).unwrap()).unwrap();
    }

    pub fn lead(&mut self, places: &[Placement]) {
        let rows = |place: &Placement| {
            let m = place.to_affine();
            let mut row: Vec<Real> = (0..12).map(|k| m[(k / 4, k % 4)]).collect();
            row.extend([0.0, 0.0, 0.0, 1.0]);
            row
        };
        let values: Vec<Real> = places.iter().flat_map(rows).collect();
        self.give("led_matrices", &values, 16);
    }

    pub fn try_frame(&mut self, frame: i64) -> Result<Report, Error> {
        self.0.step(frame, frame as Real / FPS, &Control::default())
    }

    pub fn frame(&mut self, frame: i64) -> Report {
        self.try_frame(frame).unwrap()
    }

    pub fn refuses(&mut self) -> Error {
        self.try_frame(1).unwrap_err()
    }

    pub fn read(&self, port: &str) -> Vec<Real> {
        let node = self.0.descriptor();
        let at = node.ports.iter().find(|p| p.id == port && self.0.output_count(port).is_ok()).unwrap();
        let components = at.kind.components();
        let mut values = vec![0.0; components as usize * self.0.output_count(port).unwrap()];
        self.0.read(port, &mut ArrayViewMut::from_slice(&mut values, components).unwrap()).unwrap();
        values
    }

    pub fn matrix(&self, body: usize) -> Affine {
        Affine::from_row_slice(&self.read("body_matrices")[16 * body..][..12])
    }

    pub fn bits(&self) -> Vec<u64> {
        OUTPUTS.iter().flat_map(|port| self.read(port)).map(Real::to_bits).collect()
    }
}

pub fn names(report: &Report, of: &str) -> Vec<String> {
    report.names.iter().find(|(name, _)| *name == of).unwrap().1.clone()
}

pub fn at(x: Real, y: Real, z: Real) -> Placement {
    Placement::new(Rotation::identity(), Vec3::new(x, y, z))
}
