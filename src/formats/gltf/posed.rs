//! A mesh as it moves: posed by blend shapes, by a skin, or with its node.

use super::animation::{Property, Track, Tracks};
use super::asset::Asset;
use super::geometry::Geometry;
use super::rig::{Bound, Rig, put};
use crate::inside;
use crate::joints::JointAnimation;
use crate::weights::VertexWeights;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Affine, Real, Vec3, compose, transform_point};
use std::collections::BTreeMap;
use std::path::Path;

/// A mesh of a file and what moves it.
#[derive(Debug)]
pub struct Posed {
    geometry: Geometry,
    carrier: Carrier,
    /// The weights of the blend shapes without animation.
    weights: Vec<Real>,
    node: usize,
    tracks: Tracks,
    /// Whether joints are left out.
    boneless: bool,
}

#[derive(Debug)]
enum Carrier {
    /// By its node.
    Node(Rig),
    Joints(Bound),
}

/// What a path names in a file: an object, and an animation after an `@`, as in `shot.glb/root/body/@walk`.
pub(super) struct Named {
    pub object: Option<String>,
    pub animation: Option<String>,
}

impl Asset {
    /// Opens a file whose path may continue inside.
    pub(super) fn open_inside(path: &Path) -> Result<(Self, Named)> {
        let (file, inside) = inside::split(path).unwrap_or_else(|| (path.to_path_buf(), None));
        let (object, animation) = match inside.as_ref().and_then(|inside| inside.split_once("/@")) {
            Some((object, animation)) => {
                ((!object.is_empty()).then(|| object.to_string()), Some(animation.to_string()))
            }
            None => (inside, None),
        };
        Ok((Asset::open(&file)?, Named { object, animation }))
    }

    /// The nodes of the scene that have a mesh, by their paths.
    pub fn meshes(&self) -> Result<Vec<String>> {
        self.mesh_nodes().into_iter().map(|node| self.path_of(node)).collect()
    }

    /// The names of the animations.
    pub fn animations(&self) -> Vec<String> {
        self.animation_names()
    }

    /// The mesh of a node, with what moves it: the animation of that name, or without a name, all of the file that move
    /// it.
    pub fn posed(&self, path: &str, animation: Option<&str>) -> Result<Posed> {
        let node = self.choose_mesh(Some(path))?;
        self.pose(node, animation)
    }

    pub(super) fn pose(&self, node: usize, animation: Option<&str>) -> Result<Posed> {
        let read = || {
            let mut posed = self.unposed(node)?;
            let shapes = posed.geometry.shapes.len();
            let carriers = posed.rig().nodes();
            posed.tracks = self.tracks(animation, &|moved, property| match property {
                Property::Weights => (moved == node && shapes > 0).then_some(shapes),
                Property::Rotation => carriers.contains(&moved).then_some(4),
                Property::Translation | Property::Scale => carriers.contains(&moved).then_some(3),
            })?;
            Ok(posed)
        };
        read().map_err(|e: Error| e.file(self.path()))
    }

    /// The mesh of a node, not moving.
    pub(super) fn unposed(&self, node: usize) -> Result<Posed> {
        let entry = &self.document.nodes[node];
        let index = entry.mesh.unwrap_or(usize::MAX);
        let geometry = self.geometry(index)?;
        let count = geometry.shapes.len();
        let weights = entry.weights.as_ref().or(self.document.meshes[index].weights.as_ref());
        let weights = weights.cloned().unwrap_or_else(|| vec![0.0; count]);
        if weights.len() != count {
            let message = format!("{} weights for {count} blend shapes", weights.len());
            return Err(Error::new(Kind::CountMismatch, message).element(&format!("mesh {index}")));
        }
        let carrier = match (entry.skin, &geometry.weights) {
            (Some(skin), Some(weights)) => {
                let bound = self.bound(skin)?;
                check_joints(weights, bound.names.len())?;
                Carrier::Joints(bound)
            }
            _ => Carrier::Node(Rig::new(self, &[node])?),
        };
        Ok(Posed { geometry, carrier, weights, node, tracks: Tracks::new(), boneless: false })
    }

    /// The node whose skin a path names, by the node or by the skin; without a name the only skin.
    pub(super) fn choose_skin(&self, wanted: Option<&str>) -> Result<usize> {
        if let Some(name) = wanted.and_then(|wanted| wanted.strip_prefix('/')) {
            let named = |skin: &super::document::Skin| skin.name.as_deref() == Some(name);
            let mut found = (0..self.document.skins.len()).filter(|&k| named(&self.document.skins[k]));
            if let (Some(skin), None) = (found.next(), found.next()) {
                return Ok(skin);
            }
        }
        let all = self.mesh_nodes();
        let skinned: Vec<usize> =
            all.into_iter().filter(|&node| self.document.nodes[node].skin.is_some()).collect();
        let skin = |node: usize| self.document.nodes[node].skin.unwrap_or(usize::MAX);
        // Meshes of one character often have a skin each, with the same joints.
        let same = |skin: usize| self.skin(skin).map(|s| (&s.joints, s.inverse_bind_matrices));
        if let (None, Some(&first)) = (wanted, skinned.first())
            && skinned.iter().all(|&node| same(skin(node)).ok() == same(skin(first)).ok())
        {
            return Ok(skin(first));
        }
        self.choose("mesh with joints", &skinned, wanted).map(skin)
    }

    /// What moves the joints of a skin.
    pub(super) fn joint_tracks(&self, bound: &Bound, animation: Option<&str>) -> Result<Tracks> {
        let nodes = bound.rig.nodes();
        self.tracks(animation, &|moved, property| match property {
            Property::Weights => None,
            Property::Rotation => nodes.contains(&moved).then_some(4),
            Property::Translation | Property::Scale => nodes.contains(&moved).then_some(3),
        })
    }
}

/// The times of all keys, in order.
pub(super) fn key_times(tracks: &Tracks) -> Vec<Real> {
    let mut times: Vec<Real> = tracks.values().flat_map(Track::times).copied().collect();
    times.sort_by(Real::total_cmp);
    times.dedup();
    times
}

fn check_joints(weights: &VertexWeights, count: usize) -> Result<()> {
    let beyond = |of: &Vec<(u32, Real)>| {
        of.iter().find(|(joint, _)| *joint as usize >= count).map(|(joint, _)| *joint)
    };
    match weights.0.iter().enumerate().find_map(|(vertex, of)| Some((vertex, beyond(of)?))) {
        None => Ok(()),
        Some((vertex, joint)) => {
            let message = format!("there is no joint {joint}: the skin has {count}, counted from 0");
            Err(Error::new(Kind::OutOfRange, message).vertex(vertex))
        }
    }
}

impl Bound {
    /// The joints in some frames of a rate; those times are seconds.
    pub fn animation(
        &self,
        tracks: &Tracks,
        frames: impl Iterator<Item = i64>,
        fps: Real,
    ) -> Result<JointAnimation> {
        let mut found = BTreeMap::new();
        for frame in frames {
            let pose = self.rig.worlds(tracks, frame as Real / fps).map_err(|e| e.frame(frame))?;
            found.insert(frame, pose);
        }
        let (names, parents) = (self.names.clone(), self.rig.parents());
        Ok(JointAnimation { names, parents, rest: self.rest()?, frames: found, held: true })
    }
}

impl Posed {
    /// Opens the mesh that a path such as `shot.glb/root/body` or `shot.glb/@walk` names, or the only one; with it
    /// comes the mesh without a pose.
    pub fn open(path: &Path) -> Result<(Mesh, Self)> {
        let (asset, named) = Asset::open_inside(path)?;
        let node = asset.choose_mesh(named.object.as_deref());
        let posed = node.and_then(|node| asset.pose(node, named.animation.as_deref()));
        let opened = posed.and_then(|posed| Ok((posed.mesh()?, posed)));
        opened.map_err(|e| e.file(asset.path()))
    }

    fn rig(&self) -> &Rig {
        match &self.carrier {
            Carrier::Node(rig) => rig,
            Carrier::Joints(bound) => &bound.rig,
        }
    }

    /// The number of blend shapes.
    pub fn shapes(&self) -> usize {
        self.geometry.shapes.len()
    }

    /// The weights by which joints move the vertices, and the joints' names; none if the mesh is not skinned.
    pub fn weights(&self) -> Option<(&[String], &VertexWeights)> {
        match &self.carrier {
            Carrier::Joints(bound) => Some((&bound.names, self.geometry.weights.as_ref()?)),
            Carrier::Node(_) => None,
        }
    }

    /// The times in seconds of all keys that move it, in order.
    pub fn times(&self) -> Vec<Real> {
        key_times(&self.tracks)
    }

    /// The mesh without skin and blend shapes, in the world.
    pub fn mesh(&self) -> Result<Mesh> {
        let mut mesh = self.geometry.mesh.clone();
        match &self.carrier {
            Carrier::Node(rig) => put(&rig.worlds(&Tracks::new(), 0.0)?[0], &mut mesh),
            Carrier::Joints(bound) => put(&bound.shown, &mut mesh),
        }
        mesh.check_counts()?;
        Ok(mesh)
    }

    /// Whether both blend shapes and joints pose it.
    pub fn acts(&self) -> bool {
        self.shapes() > 0 && matches!(self.carrier, Carrier::Joints(_))
    }

    /// Lets blend shapes alone pose it; what has joints is where it is shown without a pose.
    pub fn leave_bones_out(&mut self) {
        self.boneless = true;
    }

    /// The points at a time in seconds, in the world.
    pub fn points(&self, time: Real) -> Result<Vec<Vec3>> {
        let mut points = self.geometry.mesh.positions.clone();
        let weights = self.tracks.get(&(self.node, Property::Weights)).map(|track| track.at(time));
        for (shape, &weight) in self.geometry.shapes.iter().zip(weights.as_ref().unwrap_or(&self.weights)) {
            if weight != 0.0 {
                let each = shape.places.iter().zip(&shape.vectors);
                each.for_each(|(&place, vector)| points[place as usize] += weight * vector);
            }
        }
        let worlds = self.rig().worlds(&self.tracks, time)?;
        match (&self.carrier, &self.geometry.weights) {
            (Carrier::Joints(bound), _) if self.boneless => {
                points.iter_mut().for_each(|p| *p = transform_point(&bound.shown, p));
            }
            (Carrier::Joints(bound), Some(weights)) => skin(&worlds, &bound.unbind, weights, &mut points)?,
            _ => points.iter_mut().for_each(|p| *p = transform_point(&worlds[0], p)),
        }
        match points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            None => Ok(points),
            Some(vertex) => Err(Error::new(Kind::NotFinite, "the point is not finite").vertex(vertex)),
        }
    }
}

/// p' = sum of w_j J_j B_j^-1 p: from where the mesh was bound to the joint, to the joint now [glTF 2.0, 3.7.3].
/// Weights are not normalised, following the specification.
fn skin(now: &[Affine], unbind: &[Affine], weights: &VertexWeights, points: &mut [Vec3]) -> Result<()> {
    if let Some(vertex) = weights.0.iter().position(Vec::is_empty) {
        let message = "the vertex has no weights, though the mesh is skinned: give it to a joint";
        return Err(Error::new(Kind::MissingInput, message).vertex(vertex));
    }
    let moves: Vec<Affine> = now.iter().zip(unbind).map(|(now, back)| compose(now, back)).collect();
    points.par_iter_mut().zip(&weights.0).for_each(|(point, own)| {
        let from = *point;
        *point =
            own.iter().map(|(joint, weight)| *weight * transform_point(&moves[*joint as usize], &from)).sum();
    });
    Ok(())
}
