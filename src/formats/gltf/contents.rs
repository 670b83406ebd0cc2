//! What glTF files hold, and what they can be read as.

use super::asset::Asset;
use super::document::Animation;
use super::posed::key_times;
use crate::contents::{Asked, Contents};
use crate::joints::JointFile;
use crate::mesh::MeshFile;
use crate::rate::{MOST_FRAME, NEAR_WHOLE, Said};
use crate::weights::JointWeights;
use serde_json::{Value, json};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Space};
use std::collections::BTreeMap;
use std::path::Path;

/// The unposed mesh that a path names, or the only one.
pub(crate) fn mesh_file(path: &Path) -> Result<MeshFile> {
    let (asset, named) = Asset::open_inside(path)?;
    let read = || asset.unposed(asset.choose_mesh(named.object.as_deref())?)?.mesh();
    let mesh = read().map_err(|e: Error| e.file(asset.path()))?;
    Ok(MeshFile { mesh, space: Ok(Some(Space::default())), over: None })
}

/// The weights of the mesh that a path names, or of the only one, with the names of the joints.
pub(crate) fn vertex_weights(path: &Path) -> Result<JointWeights> {
    let (asset, named) = Asset::open_inside(path)?;
    let read = || {
        let posed = asset.unposed(asset.choose_mesh(named.object.as_deref())?)?;
        let found = posed.weights();
        let found =
            found.map(|(names, weights)| JointWeights { names: names.to_vec(), weights: weights.clone() });
        found.ok_or_else(|| Error::new(Kind::MissingInput, "the mesh is not skinned, so it has no weights"))
    };
    read().map_err(|e: Error| e.file(asset.path()))
}

/// A file may not hold more matrices of joints than these, besides some for each of its bytes.
const MATRICES: usize = 100_000;
const MATRICES_PER_BYTE: usize = 64;

/// The joints of a skin in the frames of a rate; without one, in those of the file's.
pub(crate) fn joint_file(path: &Path, fps: Option<Real>) -> Result<JointFile> {
    let (asset, named) = Asset::open_inside(path)?;
    let read = asset.joints(named.object.as_deref(), named.animation.as_deref(), fps);
    read.map_err(|e| e.file(asset.path()))
}

impl Asset {
    /// The joints that move the mesh of a path, or those of the skin of that name, in the frames of a rate.
    pub fn joints(
        &self,
        path: Option<&str>,
        animation: Option<&str>,
        fps: Option<Real>,
    ) -> Result<JointFile> {
        let bound = self.bound(self.choose_skin(path)?)?;
        let tracks = self.joint_tracks(&bound, animation)?;
        let times = key_times(&tracks);
        let (fps, ()) = Said::sampled(&times).choose(fps, self.path(), |_| Ok(()))?;
        let frames = match [times.first(), times.last()] {
            [Some(first), Some(last)] if (last * fps).abs().max((first * fps).abs()) < MOST_FRAME => {
                let first = (first * fps - NEAR_WHOLE).ceil() as i64;
                first..((last * fps + NEAR_WHOLE).floor() as i64).max(first) + 1
            }
            // Without animation they stay where the file has them.
            [None, _] | [_, None] => 0..1,
            _ => 0..0,
        };
        let (count, joints) = ((frames.end - frames.start) as usize, bound.names.len());
        if count.saturating_mul(joints) > MATRICES + self.size().saturating_mul(MATRICES_PER_BYTE) {
            return Err(Error::new(Kind::TooLarge, format!("{joints} joints in {count} frames")));
        }
        let animation = bound.animation(&tracks, frames, fps)?;
        Ok(JointFile { animation, fps: Some(fps), fixed: 0, rounding: 0.0 })
    }
}

/// The rate at which the animations of a file were sampled, if they were.
pub(crate) fn rate(path: &Path) -> Option<Real> {
    let (asset, _) = Asset::open_inside(path).ok()?;
    let mut times = Vec::new();
    for sampler in asset.document.animations.iter().flat_map(|animation| &animation.samplers) {
        times.extend(asset.key_times(sampler.input).ok()?);
    }
    times.sort_by(Real::total_cmp);
    times.dedup();
    Said::sampled(&times).rate()
}

/// Every mesh is read, and the times of every animation.
pub(crate) fn describe(path: &Path, _: &Asked) -> Result<Contents> {
    let (asset, _) = Asset::open_inside(path)?;
    let mut problems = Vec::new();
    let mut known = BTreeMap::new();
    let mut meshes = Vec::new();
    for node in asset.mesh_nodes() {
        let entry = &asset.document.nodes[node];
        // Nodes may share a mesh: it is read once.
        let found = known
            .entry((entry.mesh, entry.skin))
            .or_insert_with(|| asset.mesh_summary(node).map_err(|e| problems.push(e.to_string())).ok());
        if let Some(mut found) = found.clone() {
            found["path"] = asset.path_of(node)?.into();
            meshes.push(found);
        }
    }
    let mut skins = Vec::new();
    for (index, skin) in asset.document.skins.iter().enumerate() {
        match asset.bound(index) {
            Ok(bound) => skins.push(json!({ "name": skin.name, "joints": bound.names })),
            Err(error) => problems.push(error.to_string()),
        }
    }
    let mut animations = Vec::new();
    for (name, animation) in asset.animation_names().into_iter().zip(&asset.document.animations) {
        match asset.span(animation) {
            Ok(seconds) => animations.push(json!({ "name": name, "seconds": seconds })),
            Err(error) => problems.push(error.to_string()),
        }
    }
    let holds = json!({
        "written by": asset.document.asset.generator, "meshes": meshes, "skins": skins, "animations": animations,
        "frames per second": rate(path), "extensions": asset.document.extensions_used,
    });
    Ok(Contents { holds, problems })
}

impl Asset {
    fn mesh_summary(&self, node: usize) -> Result<Value> {
        let posed = self.unposed(node)?;
        let mesh = posed.mesh()?;
        Ok(json!({
            "vertices": mesh.positions.len(), "faces": mesh.face_count(), "uvs": mesh.uvs.is_some(),
            "skinned": posed.weights().is_some(), "blend shapes": posed.shapes(), "materials": mesh.materials.names,
        }))
    }

    /// The first and the last time of an animation's keys; none if it has no keys.
    fn span(&self, animation: &Animation) -> Result<Option<[Real; 2]>> {
        let mut span: Option<[Real; 2]> = None;
        for sampler in &animation.samplers {
            let times = self.key_times(sampler.input)?;
            let [first, last] = [times[0], times[times.len() - 1]];
            let [low, high] = span.unwrap_or([first, last]);
            span = Some([low.min(first), high.max(last)]);
        }
        Ok(span)
    }
}
