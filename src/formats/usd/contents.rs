//! What USD files hold, and what they can be read as.

use super::stage::Stage;
use crate::contents::{Asked, Contents};
use crate::inside::split;
use crate::joints::JointFile;
use crate::mesh::MeshFile;
use crate::rate::sound;
use serde_json::{Value, json};
use sinew_base::error::Result;
use sinew_math::Real;
use std::path::Path;

/// A mesh at its first sample, not posed.
pub(crate) fn mesh_file(path: &Path) -> Result<MeshFile> {
    let (stage, mesh) = Stage::open_mesh(path)?;
    let first = stage.sample_times(&mesh)?.first().copied().unwrap_or(0.0);
    Ok(MeshFile {
        mesh: stage.mesh_at(&mesh, first, true)?,
        space: stage.space().map(Some),
        over: Some(stage.over(&mesh)),
    })
}

/// A skeleton, whose time codes are the frames.
pub(crate) fn joint_file(path: &Path, _: Option<Real>) -> Result<JointFile> {
    let (stage, found) = Stage::open_skeleton(path)?;
    let animation = stage.skeleton(&found, None)?;
    Ok(JointFile { animation, fps: sound(stage.time_codes_per_second()), fixed: 0, rounding: 0.0 })
}

/// Frames per second, else time codes per second.
pub(crate) fn rate(path: &Path) -> Option<Real> {
    let file = split(path).map_or_else(|| path.to_path_buf(), |(file, _)| file);
    let [codes, frames] = Stage::open(&file).ok()?.rates();
    sound(frames.or(codes)?)
}

/// Every mesh and all curves are read at their first sample, and every skeleton completely.
pub(crate) fn describe(path: &Path, _: &Asked) -> Result<Contents> {
    let (file, _) = split(path).unwrap_or_else(|| (path.to_path_buf(), None));
    let stage = Stage::open(&file)?;
    let mut problems = stage.problems();
    let mut meshes = Vec::new();
    for mesh in stage.meshes() {
        let posing = stage.posing(mesh);
        problems.extend(posing.as_ref().err().map(ToString::to_string));
        let times = match &posing {
            Ok(Some(posing)) => posing.times(&stage)?,
            _ => stage.sample_times(mesh)?,
        };
        match stage.mesh_at(mesh, times.first().copied().unwrap_or(0.0), true) {
            Err(error) => problems.push(error.to_string()),
            Ok(read) => meshes.push(json!({
                "path": mesh, "vertices": read.positions.len(), "faces": read.face_count(),
                "samples": times.len(), "primvars": stage.primvars(mesh)?, "posed": !matches!(posing, Ok(None)),
            })),
        }
    }
    let skeletons: Vec<Value> = stage
        .skeletons()
        .into_iter()
        .map(|path| match stage.skeleton(path, None) {
            Ok(animation) => animation.summary(),
            Err(error) => {
                problems.push(error.to_string());
                path.into()
            }
        })
        .collect();
    let mut curves = Vec::new();
    for path in stage.curves() {
        let times = stage.sample_times(path)?;
        match stage.curves_at(path, times.first().copied().unwrap_or(0.0)) {
            Err(error) => problems.push(error.to_string()),
            Ok(read) => curves.push(json!({
                "path": path, "curves": read.counts.len(), "points": read.points.len(), "samples": times.len(),
                "primvars": stage.primvars(path)?,
            })),
        }
    }
    let space = stage.space()?;
    let mut holds = json!({
        "meshes": meshes, "curves": curves, "skeletons": skeletons, "time codes per second": stage.time_codes_per_second(),
        "metres per unit": space.metres_per_unit(), "up axis": format!("{:?}", space.up()),
    });
    let below = stage.sublayers();
    if !below.is_empty() {
        holds["layer over"] = below.into();
    }
    Ok(Contents { holds, problems })
}
