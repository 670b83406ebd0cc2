//! The rig: joints with their places at rest, and the matrices of a pose.

use serde_json::Value;
use sinew::error::{Error, Kind, Result};
use sinew::math::{Affine, Mat3, Real, Rotation, Vec3, affine};
use sinew::skinning::Weights;
use std::collections::HashMap;

/// A joint; the parent always comes before it.
pub struct Joint {
    pub name: String,
    parent: Option<usize>,
    /// Its pivot, at rest.
    pub head: Vec3,
    /// Where its bone ends, at rest.
    pub tail: Vec3,
}

/// Joints, parents first.
pub struct Rig {
    pub joints: Vec<Joint>,
    index: HashMap<String, usize>,
}

/// How a pose differs from the rest pose.
#[derive(Clone)]
pub struct Pose<'a> {
    rig: &'a Rig,
    /// Each joint's rotation about its head, in the axes of the rest pose; its children follow.
    turns: Vec<Rotation>,
    /// The translation of the root.
    pub shift: Vec3,
}

fn wrong(what: &str) -> Error {
    Error::new(Kind::Parse, format!("the rig: {what}"))
}

/// A place of the rig: the mean of the corners of a helper cube, of some vertices, or a vertex.
fn place(end: &Value, points: &[Vec3], cubes: &HashMap<String, Vec<u32>>) -> Result<Vec3> {
    let numbers = |list: &Value| -> Option<Vec<u32>> {
        list.as_array()?.iter().map(|n| n.as_u64()?.try_into().ok()).collect()
    };
    let vertices = match end["strategy"].as_str() {
        Some("CUBE") => end["cube_name"].as_str().and_then(|name| cubes.get(name).cloned()),
        Some("MEAN") => numbers(&end["vertex_indices"]),
        Some("VERTEX") => numbers(&Value::Array(vec![end["vertex_index"].clone()])),
        _ => None,
    };
    let vertices = vertices.ok_or_else(|| wrong("a joint without a place"))?;
    let found = vertices.iter().map(|&v| points.get(v as usize).copied()).collect::<Option<Vec<_>>>();
    let found = found.ok_or_else(|| wrong("a joint at a vertex that is not there"))?;
    Ok(found.iter().sum::<Vec3>() / found.len().max(1) as Real)
}

impl Rig {
    /// From the rig's description, the points of the mesh with its helpers, and the helper cubes by name.
    pub fn new(json: &Value, points: &[Vec3], cubes: &HashMap<String, Vec<u32>>) -> Result<Self> {
        let bones = json["bones"].as_object().or(json.as_object()).ok_or_else(|| wrong("no joints"))?;
        let mut rig = Rig { joints: Vec::new(), index: HashMap::new() };
        while rig.joints.len() < bones.len() {
            let before = rig.joints.len();
            for (name, bone) in bones {
                let parent = bone["parent"].as_str().filter(|p| !p.is_empty());
                let ready = parent.is_none_or(|p| rig.index.contains_key(p));
                if !ready || rig.index.contains_key(name) {
                    continue;
                }
                rig.index.insert(name.clone(), rig.joints.len());
                rig.joints.push(Joint {
                    name: name.clone(),
                    parent: parent.map(|p| rig.index[p]),
                    head: place(&bone["head"], points, cubes)?,
                    tail: place(&bone["tail"], points, cubes)?,
                });
            }
            if rig.joints.len() == before {
                return Err(wrong("a joint whose parent is not there"));
            }
        }
        Ok(rig)
    }

    /// The parent of each joint.
    pub fn parents(&self) -> Vec<Option<usize>> {
        self.joints.iter().map(|joint| joint.parent).collect()
    }

    /// A joint by its name.
    pub fn joint(&self, name: &str) -> &Joint {
        &self.joints[self.index[name]]
    }

    /// Whether a joint is one of these or, with `below`, a descendant of one.
    pub fn hangs_on(&self, joint: usize, roots: &[&str], below: bool) -> bool {
        let own = &self.joints[joint];
        let above = || own.parent.is_some_and(|p| self.hangs_on(p, roots, true));
        roots.contains(&own.name.as_str()) || below && above()
    }

    /// The weights of all vertices, from lists of vertices and weights by the joint's name.
    pub fn weights(&self, json: &Value, vertices: usize) -> Result<Weights> {
        let lists = json["weights"].as_object().ok_or_else(|| wrong("no weights"))?;
        let mut influences = vec![Vec::new(); vertices];
        for (name, list) in lists {
            let &joint = self.index.get(name).ok_or_else(|| wrong("weights for an unknown joint"))?;
            for pair in list.as_array().into_iter().flatten() {
                let (vertex, weight) = (pair[0].as_u64(), pair[1].as_f64());
                let vertex = vertex.and_then(|v| influences.get_mut(v as usize));
                let (Some(vertex), Some(weight)) = (vertex, weight) else {
                    return Err(wrong("a weight for a vertex that is not there"));
                };
                vertex.push((joint as u32, weight));
            }
        }
        let counts: Vec<u32> = influences.iter().map(|i| i.len() as u32).collect();
        let (joints, weights): (Vec<u32>, Vec<Real>) = influences.into_iter().flatten().unzip();
        Weights::new(&counts, &joints, &weights, self.joints.len(), true)
    }

    /// The rest matrices of the joints, which have no rotation.
    pub fn rest(&self) -> Vec<Affine> {
        self.joints.iter().map(|j| affine(&Mat3::identity(), &j.head)).collect()
    }

    /// The rest pose.
    pub fn pose(&self) -> Pose<'_> {
        Pose { rig: self, turns: vec![Rotation::identity(); self.joints.len()], shift: Vec3::zeros() }
    }
}

impl Pose<'_> {
    /// Turns a joint further, in radians about an axis of the rest pose.
    pub fn turn(&mut self, name: &str, axis: Vec3, angle: Real) {
        let turn = &mut self.turns[self.rig.index[name]];
        *turn = Rotation::from_scaled_axis(axis * angle) * *turn;
    }

    /// The same, applied before the joint's existing rotations.
    pub fn turn_first(&mut self, name: &str, axis: Vec3, angle: Real) {
        let turn = &mut self.turns[self.rig.index[name]];
        *turn *= Rotation::from_scaled_axis(axis * angle);
    }

    /// The matrices of the joints.
    pub fn matrices(&self) -> Vec<Affine> {
        let mut placed: Vec<(Rotation, Vec3)> = Vec::new();
        for (joint, turn) in self.rig.joints.iter().zip(&self.turns) {
            placed.push(match joint.parent {
                None => (*turn, joint.head + self.shift),
                Some(parent) => {
                    let (rotation, at) = placed[parent];
                    let arm = joint.head - self.rig.joints[parent].head;
                    (rotation * turn, at + rotation * arm)
                }
            });
        }
        placed.iter().map(|(r, at)| affine(r.to_rotation_matrix().matrix(), at)).collect()
    }
}
