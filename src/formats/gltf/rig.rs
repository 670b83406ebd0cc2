//! Nodes that move, and where they are at a time.

use super::animation::{Property, Tracks, rotation};
use super::asset::Asset;
use super::document::{Node, Skin, missing};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Affine, Mat3, Real, Vec3, affine, compose, invert, linear, transform_point};
use std::collections::{HashMap, HashSet};

/// Some nodes and all above them.
#[derive(Debug)]
pub(super) struct Rig {
    nodes: Vec<Local>,
    /// Where each of the wanted nodes is among these.
    wanted: Vec<usize>,
}

/// The transform of a node in its parent, before it is animated.
#[derive(Debug)]
struct Local {
    node: usize,
    /// Its place among the nodes of the rig.
    parent: Option<usize>,
    place: LocalTransform,
}

#[derive(Debug)]
enum LocalTransform {
    Matrix(Affine),
    Parts { shift: [Real; 3], turn: [Real; 4], scale: [Real; 3] },
}

impl Rig {
    pub fn new(asset: &Asset, wanted: &[usize]) -> Result<Self> {
        let all = asset.tree.with_outer(wanted);
        let places: HashMap<usize, usize> = all.iter().copied().zip(0..).collect();
        let local = |&node: &usize| {
            let parent = asset.tree.parent(node).map(|parent| places[&parent]);
            let place = place(&asset.document.nodes[node]).map_err(|e| e.element(&asset.node_name(node)))?;
            Ok(Local { node, parent, place })
        };
        let nodes = all.iter().map(local).collect::<Result<_>>()?;
        Ok(Rig { nodes, wanted: wanted.iter().map(|node| places[node]).collect() })
    }

    /// The nodes that move the wanted ones.
    pub fn nodes(&self) -> HashSet<usize> {
        self.nodes.iter().map(|local| local.node).collect()
    }

    /// For each of the wanted nodes, which of them is the closest above it.
    pub fn parents(&self) -> Vec<Option<usize>> {
        let wanted: HashMap<usize, usize> = self.wanted.iter().copied().zip(0..).collect();
        let above = |place: usize| {
            let mut outer =
                std::iter::successors(self.nodes[place].parent, |&outer| self.nodes[outer].parent);
            outer.find_map(|outer| wanted.get(&outer).copied())
        };
        self.wanted.iter().map(|&place| above(place)).collect()
    }

    /// Where the wanted nodes are at a time, in the world; without tracks, where the file has them without animation.
    pub fn worlds(&self, tracks: &Tracks, time: Real) -> Result<Vec<Affine>> {
        let mut worlds: Vec<Affine> = Vec::with_capacity(self.nodes.len());
        for local in &self.nodes {
            let own = local.at(tracks, time);
            worlds.push(local.parent.map_or(own, |parent| compose(&worlds[parent], &own)));
        }
        let found: Vec<Affine> = self.wanted.iter().map(|&place| worlds[place]).collect();
        match found.iter().position(|m| !m.iter().all(|x| x.is_finite())) {
            None => Ok(found),
            Some(k) => Err(Error::new(Kind::NotFinite, "the node's transform is not finite").joint(k)),
        }
    }
}

fn place(node: &Node) -> Result<LocalTransform> {
    let place = match &node.matrix {
        Some(matrix) => LocalTransform::Matrix(self::matrix(&matrix[..])?),
        None => LocalTransform::Parts {
            shift: node.translation.unwrap_or([0.0; 3]),
            turn: node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
            scale: node.scale.unwrap_or([1.0; 3]),
        },
    };
    Ok(place)
}

/// A matrix by its columns, which must place and not project.
fn matrix(m: &[Real]) -> Result<Affine> {
    const PROJECTS: Real = 1e-6;
    let last = [m[3], m[7], m[11], m[15]];
    if last.iter().zip([0.0, 0.0, 0.0, 1.0]).any(|(a, b)| (a - b).abs() > PROJECTS) {
        return Err(Error::new(
            Kind::Unsupported,
            "the matrix is a projection: its last row is not 0, 0, 0, 1",
        ));
    }
    Ok(Affine::from_fn(|row, column| m[4 * column + row]))
}

impl Local {
    fn at(&self, tracks: &Tracks, time: Real) -> Affine {
        let (shift, turn, scale) = match &self.place {
            LocalTransform::Matrix(matrix) => {
                // A matrix may not be animated; what is animated nevertheless replaces it.
                let moves = |property| tracks.contains_key(&(self.node, property));
                if ![Property::Translation, Property::Rotation, Property::Scale].into_iter().any(moves) {
                    return *matrix;
                }
                ([0.0; 3], [0.0, 0.0, 0.0, 1.0], [1.0; 3])
            }
            LocalTransform::Parts { shift, turn, scale } => (*shift, *turn, *scale),
        };
        let now = |property, still: &[Real]| {
            tracks.get(&(self.node, property)).map_or_else(|| still.to_vec(), |track| track.at(time))
        };
        let turn = rotation(&now(Property::Rotation, &turn));
        let scale = Mat3::from_diagonal(&Vec3::from_column_slice(&now(Property::Scale, &scale)));
        let shift = Vec3::from_column_slice(&now(Property::Translation, &shift));
        affine(&(turn.to_rotation_matrix().matrix() * scale), &shift)
    }
}

/// The joints of a skin, and where they are when its mesh is unposed.
#[derive(Debug)]
pub(super) struct Bound {
    pub names: Vec<String>,
    pub rig: Rig,
    /// From the space of the mesh to each joint.
    pub unbind: Vec<Affine>,
    /// From the space of the mesh to the world in which the unposed mesh is shown: where the uppermost joint, before it
    /// is animated, puts it. So both have the unit and the up axis of the file, whatever nodes scale and turn.
    pub shown: Affine,
}

/// A mesh whose space differs from the world's by less is shown as it is: matrices are in single precision.
const SAME_SPACE: Real = 1e-5;

impl Asset {
    pub(super) fn skin(&self, index: usize) -> Result<&Skin> {
        let all = &self.document.skins;
        all.get(index).ok_or_else(|| missing("skin", index, all.len()))
    }

    pub(super) fn bound(&self, index: usize) -> Result<Bound> {
        self.read_bound(index).map_err(|e| e.element(&format!("skin {index}")))
    }

    fn read_bound(&self, index: usize) -> Result<Bound> {
        let skin = self.skin(index)?;
        let (joints, count) = (&skin.joints, self.document.nodes.len());
        if let Some(&joint) = joints.iter().find(|&&joint| joint >= count) {
            return Err(missing("node", joint, count));
        }
        if joints.is_empty() || joints.iter().collect::<HashSet<_>>().len() < joints.len() {
            return Err(Error::new(Kind::Parse, "the skin has no joints, or one twice"));
        }
        let unbind = match skin.inverse_bind_matrices {
            None => vec![Affine::identity(); joints.len()],
            Some(accessor) => {
                let numbers = self.numbers(accessor, &["MAT4"])?.values;
                if numbers.len() / 16 < joints.len() {
                    let message = format!("{} bind matrices for {} joints", numbers.len() / 16, joints.len());
                    return Err(Error::new(Kind::CountMismatch, message));
                }
                let each = numbers.chunks_exact(16).take(joints.len()).enumerate();
                each.map(|(joint, m)| matrix(m).map_err(|e| e.joint(joint))).collect::<Result<_>>()?
            }
        };
        let rig = Rig::new(self, joints)?;
        let still = rig.worlds(&Tracks::new(), 0.0)?;
        // Of a skin's joints, the uppermost comes first in the rig.
        let upper = (0..joints.len()).min_by_key(|&k| rig.wanted[k]).unwrap_or(0);
        let shown = compose(&still[upper], &unbind[upper]);
        let shown =
            if (shown - Affine::identity()).abs().max() < SAME_SPACE { Affine::identity() } else { shown };
        Ok(Bound { names: self.joint_names(joints)?, rig, unbind, shown })
    }

    /// The names of nodes, where they are unique; otherwise their paths.
    fn joint_names(&self, joints: &[usize]) -> Result<Vec<String>> {
        let names: Vec<String> = joints.iter().map(|&joint| self.node_name(joint)).collect();
        match names.iter().collect::<HashSet<_>>().len() == names.len() {
            true => Ok(names),
            false => {
                self.charge(joints.len().saturating_mul(128))?;
                joints.iter().map(|&joint| self.path_of(joint)).collect()
            }
        }
    }
}

impl Bound {
    /// Where the joints are when the mesh is unposed.
    pub fn rest(&self) -> Result<Vec<Affine>> {
        let bind = |(joint, back): (usize, &Affine)| {
            let flat = || Error::new(Kind::Degenerate, "its inverse bind matrix is singular").joint(joint);
            Ok(compose(&self.shown, &invert(back).ok_or_else(flat)?))
        };
        self.unbind.iter().enumerate().map(bind).collect()
    }
}

/// Moves points, and normals as they turn with them.
pub(super) fn put(place: &Affine, mesh: &mut sinew_geometry::Mesh) {
    if *place == Affine::identity() {
        return;
    }
    mesh.positions.iter_mut().for_each(|p| *p = transform_point(place, p));
    if let (Some(normals), Some(inverse)) = (&mut mesh.normals, linear(place).try_inverse()) {
        let turn = inverse.transpose();
        normals.values.iter_mut().for_each(|n| *n = (turn * *n).try_normalize(0.0).unwrap_or(*n));
    }
}
