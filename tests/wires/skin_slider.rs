//! The wires of the node `skin_slider`, by closed forms on sheets, strips and single vertices.
//!
//! The sheet is held everywhere, so that its strain is the body's. The strip is held at both ends and slides along
//! itself only: at Poisson's ratio 0 it is a bar. The lone vertex is the only free one of a sheet as soft as can be, so
//! that ties, forces and inertia are all it feels.

#[path = "skin_slider/asked.rs"]
mod asked;
#[path = "skin_slider/material.rs"]
mod material;
#[path = "skin_slider/outputs.rs"]
mod outputs;
#[path = "skin_slider/solver.rs"]
mod solver;
#[path = "skin_slider/ties.rs"]
mod ties;
#[path = "skin_slider/time.rs"]
mod time;

use super::host::Host;
use sinew::geometry::{CornerLayer, Mesh};
use sinew::math::{Real, Vec2, Vec3};

pub const ROWS: &[&[&str]] = &[material::ROWS, outputs::ROWS, solver::ROWS, ties::ROWS, time::ROWS];

/// A rectangle of triangles from the origin along x and y, facing z; its UVs are its places in parts of it.
pub fn sheet([width, height]: [Real; 2], [across, along]: [usize; 2]) -> Mesh {
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut uvs = CornerLayer::default();
    for j in 0..=along {
        for i in 0..=across {
            let uv = Vec2::new(i as Real / across as Real, j as Real / along as Real);
            mesh.positions.push(Vec3::new(uv.x * width, uv.y * height, 0.0));
            uvs.values.push(uv);
        }
    }
    let at = |i: usize, j: usize| (j * (across + 1) + i) as u32;
    for (j, i) in (0..along).flat_map(|j| (0..across).map(move |i| (j, i))) {
        for face in [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]] {
            mesh.corner_vertices.extend(face);
            uvs.indices.extend(face);
            mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
        }
    }
    mesh.uvs = Some(uvs);
    mesh
}

/// A node with a mesh on a body like it, without natural ties.
pub fn skin(mesh: &Mesh, params: &[(&str, &str)]) -> Host {
    let mut host = Host::new("skin_slider", &[("tie_reach", "0"), ("tolerance", "1e-9")]);
    params.iter().for_each(|(id, text)| host.set(id, text));
    host.mesh("rest", mesh);
    host.points("points", &mesh.positions);
    host
}

/// A value for each vertex.
fn map(mesh: &Mesh, value: impl Fn(&Vec3) -> Real) -> Vec<Real> {
    mesh.positions.iter().map(value).collect()
}

/// The width and height of the strip, its cells, and what it is made of.
const WIDE: Real = 0.05;
const HIGH: Real = 0.2;
const CELLS: usize = 20;
const YOUNG: Real = 3e5;
const THICK: Real = 2e-3;
const DENSITY: Real = 1100.0;

struct Strip {
    host: Host,
    mesh: Mesh,
}

impl Strip {
    fn new(params: &[(&str, &str)]) -> Self {
        let mesh = sheet([WIDE, HIGH], [2, CELLS]);
        let mut host = skin(&mesh, &[("material", "stvk"), ("young", "3e5"), ("poisson", "0")]);
        params.iter().for_each(|(id, text)| host.set(id, text));
        host.give("fixed", &map(&mesh, |p| Real::from(u8::from(p.y == 0.0 || p.y == HIGH))));
        host.points("slide", &vec![Vec3::new(0.0, 1.0, 0.0); mesh.positions.len()]);
        Strip { host, mesh }
    }

    /// A vertex in the middle.
    fn middle(&self) -> usize {
        3 * (CELLS / 2) + 1
    }

    /// Pulls upwards at the row in the middle with so many newtons in all.
    fn pull(&mut self, force: Real) {
        let middle = self.middle();
        let mut forces = vec![Vec3::zeros(); self.mesh.positions.len()];
        for (v, share) in [(middle - 1, 0.25), (middle, 0.5), (middle + 1, 0.25)] {
            forces[v].y = force * share;
        }
        self.host.points("forces", &forces);
    }

    fn paint(&mut self, port: &str, value: Real) {
        let values = vec![value; self.mesh.positions.len()];
        self.host.give(port, &values);
    }

    /// How far the skin has come up in the middle.
    fn rise(&mut self) -> Real {
        self.host.frame(1);
        self.host.vectors("slide_vector")[self.middle()].y
    }
}

/// How far a bar sinks in its middle, held at both ends: rho g L^2 / (8 E).
fn sag(gravity: Real) -> Real {
    DENSITY * gravity * HIGH * HIGH / (8.0 * YOUNG)
}

/// How far a force in the middle moves it there: P L / (4 E A).
fn moved(force: Real) -> Real {
    force * HIGH / (4.0 * YOUNG * WIDE * THICK)
}

/// The mass of the lone vertex, for the density 1e5: its cell has 5 by 5 cm.
const LONE_MASS: Real = 1e5 * 1e-6 * 0.05 * 0.05;

/// A single free vertex, in neither the middle nor its diagonal.
struct Lone {
    host: Host,
    mesh: Mesh,
}

const FREE: usize = 8;

impl Lone {
    fn new(params: &[(&str, &str)]) -> Self {
        let mesh = sheet([0.2, 0.2], [4, 4]);
        let soft = [("young", "1"), ("thickness", "1e-6"), ("density", "1e5"), ("friction_time", "0")];
        let mut host = skin(&mesh, &soft);
        params.iter().for_each(|(id, text)| host.set(id, text));
        let mut lone = Lone { host, mesh };
        lone.paint("fixed", 1.0, 0.0);
        lone
    }

    /// A map of one value for the free vertex, and another elsewhere.
    fn paint(&mut self, port: &str, elsewhere: Real, here: Real) {
        let mut values = vec![elsewhere; self.mesh.positions.len()];
        values[FREE] = here;
        self.host.give(port, &values);
    }

    fn pull(&mut self, force: [Real; 3]) {
        let mut forces = vec![Vec3::zeros(); self.mesh.positions.len()];
        forces[FREE] = Vec3::from(force);
        self.host.points("forces", &forces);
    }

    /// The body moved along x.
    fn go(&mut self, way: Real) {
        let there: Vec<Vec3> = self.mesh.positions.iter().map(|p| p + Vec3::new(way, 0.0, 0.0)).collect();
        self.host.points("points", &there);
    }

    /// How far the free vertex's own skin has moved from it, for small strains of its cell: minus the vector from the
    /// vertex to the rest position of the skin that is there now.
    fn way(&self) -> Vec3 {
        self.mesh.positions[FREE] - self.host.vectors("skin_points")[FREE]
    }

    fn frame(&mut self, frame: i64) -> Vec3 {
        self.host.frame(frame);
        self.way()
    }
}
