//! Meshes posed by blend shapes and a skeleton: the posed points at a time. Formulas from the documentation of
//! UsdSkel's schemas (openusd.org, "UsdSkel: Schemas In-Depth").

use super::Stage;
use super::skel::Skeleton;
use super::stage::Primvar;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Affine, Real, Vec3, compose, invert, transform_point};
use std::collections::{HashMap, HashSet};

/// The pose inputs of a mesh.
#[derive(Debug)]
pub struct Posing {
    mesh: String,
    /// The skeleton's path, and its animation's.
    skeleton: String,
    animation: Option<String>,
    joints: Option<Joints>,
    shapes: Vec<BlendShape>,
}

/// Skinning of points by joints.
#[derive(Debug)]
struct Joints {
    skeleton: Skeleton,
    /// The inverse bind matrix of each joint.
    unbind: Vec<Affine>,
    /// Joints and weights, the same number for each point, or one set for all points.
    joints: Vec<u32>,
    weights: Vec<Real>,
    per_point: usize,
    same_for_all: bool,
}

/// A blend shape: the offsets of its points at weight 1.
#[derive(Debug)]
struct BlendShape {
    /// Its name in the animation.
    name: String,
    points: Option<Vec<u32>>,
    offsets: Vec<Real>,
}

impl Stage {
    /// The pose inputs of a mesh, if any. By the schema there are none without a `SkelRoot` above it.
    pub fn posing(&self, mesh: &str) -> Result<Option<Posing>> {
        self.read_posing(mesh).map_err(|e| e.prim(mesh).file(self.path()))
    }

    fn read_posing(&self, mesh: &str) -> Result<Option<Posing>> {
        let names = ["primvars:skel:jointIndices", "primvars:skel:jointWeights"];
        let bound = names.map(|name| self.inherited(mesh, name));
        let shapes = self.blend_shapes(mesh)?;
        let rooted = self.ancestors(mesh).any(|(_, prim)| prim.type_name == "SkelRoot");
        if !rooted || bound.contains(&None) && shapes.is_empty() {
            return Ok(None);
        }
        let unbound = || {
            let message =
                "the mesh is skinned or has blend shapes, but no skeleton is bound to it (skel:skeleton)";
            Error::new(Kind::MissingInput, message)
        };
        let skeleton = self.inherited(mesh, "skel:skeleton").ok_or_else(unbound)?;
        // It was unbound: the mesh has points of its own.
        let Some(skeleton) = self.target(skeleton, "skel:skeleton")? else { return Ok(None) };
        let animation = self.animation(&skeleton)?.map(String::from);
        let joints = match bound {
            [Some(joints), Some(weights)] => Some(self.joints(mesh, &skeleton, joints, weights)?),
            _ => None,
        };
        Ok(Some(Posing { mesh: mesh.to_string(), skeleton, animation, joints, shapes }))
    }

    /// The innermost prim at or above a path that has a property.
    fn inherited<'a>(&'a self, path: &'a str, property: &str) -> Option<&'a str> {
        let mut all = self.ancestors(path);
        all.find(|(_, prim)| prim.properties.contains_key(property)).map(|(path, _)| path)
    }

    fn joints(&self, mesh: &str, skeleton: &str, at_joints: &str, at_weights: &str) -> Result<Joints> {
        let name = "primvars:skel:skinningMethod";
        let method = self.inherited(mesh, name).map(|path| self.texts(self.prim(path)?, name, 0.0));
        if method.transpose()?.flatten().is_some_and(|stated| stated != ["classicLinear"]) {
            let message = "only classicLinear skinning is supported: bake it to points";
            return Err(Error::new(Kind::Unsupported, message).element(name));
        }
        let joints = self.influences(at_joints, "primvars:skel:jointIndices")?;
        let weights = self.influences(at_weights, "primvars:skel:jointWeights")?;
        let same_for_all = match joints.interpolation.as_str() {
            "constant" => true,
            "vertex" => false,
            other => {
                let message = format!("joint weights with the interpolation {other}");
                return Err(Error::new(Kind::Unsupported, message));
            }
        };
        let per_point = if same_for_all { joints.values.len() } else { joints.components };
        if (joints.values.len(), &joints.interpolation, joints.components)
            != (weights.values.len(), &weights.interpolation, weights.components)
        {
            let message = format!("{} joints with {} weights", joints.values.len(), weights.values.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let (unbind, order, skeleton) = self.bound_skeleton(mesh, skeleton)?;
        let joint = |(place, &index): (usize, &Real)| {
            let known = (index >= 0.0 && index.fract() == 0.0).then(|| order.get(index as usize)).flatten();
            known.copied().ok_or_else(|| {
                let message = format!("there is no joint {index}: there are {}, counted from 0", order.len());
                let error = Error::new(Kind::OutOfRange, message);
                if same_for_all { error } else { error.vertex(place / per_point.max(1)) }
            })
        };
        let joints = joints.values.iter().enumerate().map(joint).collect::<Result<_>>()?;
        Ok(Joints { skeleton, unbind, joints, weights: weights.values, per_point, same_for_all })
    }

    /// The inverse bind matrices, the mesh's joint indices, and the skeleton.
    fn bound_skeleton(&self, mesh: &str, path: &str) -> Result<(Vec<Affine>, Vec<u32>, Skeleton)> {
        let skeleton = self.read_joints(path).map_err(|e| e.prim(path))?;
        let name = "primvars:skel:geomBindTransform";
        let geometry = match self.inherited(mesh, name) {
            Some(at) => self.matrices(self.prim(at)?, name, 1)?.map_or_else(Affine::identity, |m| m[0]),
            None => Affine::identity(),
        };
        let bind = skeleton.bind.as_ref();
        let bind = bind.ok_or_else(|| Error::new(Kind::MissingInput, "no bindTransforms").element(path))?;
        let back = bind.iter().enumerate().map(|(joint, m)| {
            let flat =
                || Error::new(Kind::Degenerate, "its bind transform is singular").joint(joint).element(path);
            Ok(compose(&invert(m).ok_or_else(flat)?, &geometry))
        });
        let back = back.collect::<Result<_>>()?;
        let order = match self.inherited(mesh, "skel:joints") {
            None => (0..bind.len() as u32).collect(),
            Some(at) => {
                let names = self.texts(self.prim(at)?, "skel:joints", 0.0)?.unwrap_or_default();
                let place = |name: &String| {
                    let missing =
                        || Error::new(Kind::NotFound, format!("the skeleton has no joint {name:?}"));
                    skeleton.place(name).map(|place| place as u32).ok_or_else(missing)
                };
                names.iter().map(place).collect::<Result<_>>()?
            }
        };
        Ok((back, order, skeleton))
    }

    fn influences(&self, path: &str, name: &str) -> Result<Primvar> {
        let primvar = self
            .read_primvar(self.prim(path)?, name, 0.0)
            .map_err(|e| e.prim(path))?
            .filter(|p| !p.values.is_empty());
        let primvar = primvar
            .ok_or_else(|| Error::new(Kind::MissingInput, "it has no value").element(name).prim(path))?;
        if primvar.indices.is_some() || self.varies(path, name)? {
            let message = "joint weights that change over time or have indices";
            return Err(Error::new(Kind::Unsupported, message).element(name).prim(path));
        }
        Ok(primvar)
    }

    fn blend_shapes(&self, mesh: &str) -> Result<Vec<BlendShape>> {
        let prim = self.prim(mesh)?;
        let names = self.texts(prim, "skel:blendShapes", 0.0)?.unwrap_or_default();
        let targets = self.targets(mesh, "skel:blendShapeTargets")?;
        if names.len() != targets.len() {
            let message = format!("{} names for {} blend shapes", names.len(), targets.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        // Memory is allocated once for each shape.
        if targets.iter().collect::<HashSet<_>>().len() != targets.len() {
            return Err(Error::new(Kind::InvalidArgument, "a blend shape is named twice"));
        }
        names.into_iter().zip(&targets).map(|(name, path)| self.blend_shape(name, path)).collect()
    }

    fn blend_shape(&self, name: String, path: &str) -> Result<BlendShape> {
        let prim = self.prim(path)?;
        if prim.properties.keys().any(|name| name.starts_with("inbetweens:")) {
            let message = "the blend shape has in-between shapes, which are not supported: bake it to points";
            return Err(Error::new(Kind::Unsupported, message).element(path));
        }
        let offsets = self.numbers(prim, "offsets", 0.0).map_err(|e| e.prim(path))?.unwrap_or_default();
        let points = self.indices(prim, "pointIndices", 0.0).map_err(|e| e.prim(path))?;
        let points = points.filter(|points| !points.is_empty());
        if points.as_ref().is_some_and(|points| 3 * points.len() != offsets.len()) || offsets.len() % 3 != 0 {
            let message = format!("{} numbers do not match the points of the blend shape", offsets.len());
            return Err(Error::new(Kind::CountMismatch, message).element(path));
        }
        Ok(BlendShape { name, points, offsets })
    }

    /// The targets of a prim's relationship.
    fn targets(&self, path: &str, name: &str) -> Result<Vec<String>> {
        let property = self.prim(path)?.properties.get(name);
        Ok(property.map_or_else(Vec::new, |property| property.targets.clone()))
    }

    fn target(&self, path: &str, name: &str) -> Result<Option<String>> {
        Ok(self.targets(path, name)?.into_iter().next())
    }
}

impl Posing {
    /// The times of samples of the mesh or its pose inputs, in order.
    pub fn times(&self, stage: &Stage) -> Result<Vec<Real>> {
        let mut times = Vec::new();
        for path in [&self.mesh, &self.skeleton].into_iter().chain(&self.animation) {
            times.extend(stage.sample_times(path)?);
        }
        times.sort_by(Real::total_cmp);
        times.dedup();
        Ok(times)
    }

    /// Whether both blend shapes and joints pose it.
    pub fn acts(&self) -> bool {
        self.joints.is_some() && !self.shapes.is_empty()
    }

    /// Lets blend shapes alone pose it.
    pub fn leave_bones_out(&mut self) {
        self.joints = None;
    }

    /// The points at a time, in world space.
    pub fn points(&self, stage: &Stage, time: Real) -> Result<Vec<Vec3>> {
        let read = || {
            let mut points = stage.points(stage.prim(&self.mesh)?, time)?;
            self.blend(stage, time, &mut points)?;
            match &self.joints {
                Some(joints) => {
                    // A posed mesh is where its skeleton is: its own transform is ignored.
                    let world = stage.world(&self.skeleton, time)?;
                    let now = stage.pose(&joints.skeleton, self.animation.as_deref(), time)?;
                    joints.skin(&now, &world, &mut points)?;
                }
                None => {
                    let world = stage.world(&self.mesh, time)?;
                    points.iter_mut().for_each(|p| *p = transform_point(&world, p));
                }
            }
            match points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
                None => Ok(points),
                Some(vertex) => Err(Error::new(Kind::NotFinite, "the point is not finite").vertex(vertex)),
            }
        };
        read().map_err(|e: Error| e.prim(&self.mesh).file(stage.path()))
    }

    /// p' = p + sum of w_i b_i [UsdSkel, "Blend Shape Schema"]; a shape that the animation does not name has weight 0.
    fn blend(&self, stage: &Stage, time: Real, points: &mut [Vec3]) -> Result<()> {
        let Some(animation) = self.animation.as_deref().filter(|_| !self.shapes.is_empty()) else {
            return Ok(());
        };
        let prim = stage.prim(animation)?;
        let names =
            stage.texts(prim, "blendShapes", time).map_err(|e| e.prim(animation))?.unwrap_or_default();
        let weights = stage
            .numbers(prim, "blendShapeWeights", time)
            .map_err(|e| e.prim(animation))?
            .unwrap_or_default();
        if names.len() != weights.len() {
            let message = format!("{} weights for {} blend shapes", weights.len(), names.len());
            return Err(Error::new(Kind::CountMismatch, message).element(animation));
        }
        let weights: HashMap<&str, Real> = names.iter().map(String::as_str).zip(weights).collect();
        for shape in &self.shapes {
            let weight = weights.get(shape.name.as_str()).copied().unwrap_or(0.0);
            if weight != 0.0 {
                shape.add(weight, points)?;
            }
        }
        Ok(())
    }
}

impl BlendShape {
    fn add(&self, weight: Real, points: &mut [Vec3]) -> Result<()> {
        let count = points.len();
        for (k, offset) in self.offsets.chunks_exact(3).enumerate() {
            let vertex = self.points.as_ref().map_or(k, |points| points[k] as usize);
            let point = points.get_mut(vertex).ok_or_else(|| {
                let message =
                    format!("the blend shape {:?} moves vertex {vertex}; there are {count}", self.name);
                Error::new(Kind::OutOfRange, message)
            })?;
            *point += weight * Vec3::from_column_slice(offset);
        }
        Ok(())
    }
}

impl Joints {
    /// p' = sum of w_j p G B_j^-1 J_j, with row vectors: the geometry's bind transform, back from the joint when bound,
    /// to the joint now [UsdSkel, "Binding API Schema"]. Weights are not normalised, following the schema.
    fn skin(&self, now: &[Affine], world: &Affine, points: &mut [Vec3]) -> Result<()> {
        if !self.same_for_all && self.joints.len() != self.per_point * points.len() {
            let message = format!("{} joint weights for {} points", self.joints.len(), points.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let moves: Vec<Affine> = now.iter().zip(&self.unbind).map(|(now, back)| compose(now, back)).collect();
        points.par_iter_mut().enumerate().for_each(|(k, point)| {
            let start = if self.same_for_all { 0 } else { k * self.per_point };
            let own = start..start + self.per_point;
            let parts = self.joints[own.clone()].iter().zip(&self.weights[own]);
            let from = *point;
            let posed: Vec3 = parts.map(|(&j, &w)| w * transform_point(&moves[j as usize], &from)).sum();
            *point = transform_point(world, &posed);
        });
        Ok(())
    }
}
