//! What Alembic files hold.

use super::archive::{Archive, At, Schema};
use super::geometry::Geometry;
use super::writer::ORIGINAL;
use crate::contents::{Asked, Contents};
use crate::inside::split;
use crate::rate;
use serde_json::json;
use sinew_base::error::Result;
use sinew_math::Real;
use std::path::Path;

/// The objects of an archive; every sample of every mesh is read.
pub(crate) fn describe(path: &Path, asked: &Asked) -> Result<Contents> {
    let (file, _) = split(path).unwrap_or_else(|| (path.to_path_buf(), None));
    let mut archive = Archive::open(&file)?;
    let said = archive.said(&[]).rate();
    let fps = asked.fps.or(said).unwrap_or(rate::USUAL);
    let mut holds = json!({ "written by": archive.meta("_ai_Application"), "frames per second": said });
    if let Some(original) = archive.meta(ORIGINAL) {
        holds["layer over"] = json!([original]);
    }
    let mut problems = Vec::new();
    for object in 0..archive.objects().len() {
        let schema = archive.objects()[object].schema;
        let mut text = format!("{schema:?}");
        if schema == Schema::Curves {
            text = curves(&mut archive, object, fps, asked, &mut problems)?;
        }
        if schema == Schema::Mesh {
            let mesh = archive.mesh(object)?;
            let times = mesh.times(&mut archive)?;
            let mut corners = (0, 0, 0);
            for (sample, &time) in times.iter().enumerate() {
                (asked.step)(sample, times.len())?;
                match mesh.mesh(&mut archive, At::Nearest(time)) {
                    Ok(m) => {
                        corners = (m.positions.len(), m.face_count(), m.uvs.map_or(0, |l| l.values.len()))
                    }
                    Err(error) => problems.push(format!("at {time} s: {error}")),
                }
            }
            let (vertices, faces, uvs) = corners;
            let over_time = over_time(&mesh, &times, fps);
            text = format!("Mesh, {vertices} vertices, {faces} faces, {uvs} UVs, {over_time}");
        }
        holds[archive.path_of(object)] = text.into();
    }
    Ok(Contents { holds, problems })
}

/// The contents of curves in an archive; every sample of their points is read.
fn curves(
    archive: &mut Archive,
    object: usize,
    fps: Real,
    asked: &Asked,
    problems: &mut Vec<String>,
) -> Result<String> {
    let shape = archive.curves(object)?;
    let times = shape.times(archive)?;
    let mut most = (0, 0);
    for (sample, &time) in times.iter().enumerate() {
        (asked.step)(sample, times.len())?;
        let at = At::Nearest(time);
        match shape.curve_counts(archive, at).and_then(|counts| Ok((counts, shape.points(archive, at)?))) {
            Ok((counts, points)) => most = (counts.len().max(most.0), points.len().max(most.1)),
            Err(error) => problems.push(format!("at {time} s: {error}")),
        }
    }
    let ((curves, points), over_time) = (most, over_time(&shape, &times, fps));
    Ok(format!("Curves, {curves} curves, {points} points, {over_time}"))
}

/// When an archive's geometry changes, and its maps.
fn over_time(shape: &Geometry, times: &[Real], fps: Real) -> String {
    let ends = [times[0] * fps, times[times.len() - 1] * fps];
    let maps: Vec<_> = shape.maps().collect();
    format!("{} samples, frames {} to {}, maps {maps:?}", times.len(), ends[0], ends[1])
}
