//! What point caches hold.

use super::{CacheKind, CacheReader};
use crate::contents::{Asked, Contents};
use crate::rate;
use serde_json::json;
use sinew_base::error::{Kind, Result};
use sinew_math::{Real, Vec3};
use std::path::Path;

/// PC2.
pub(crate) fn describe_pc2(path: &Path, asked: &Asked) -> Result<Contents> {
    describe(path, CacheKind::Pc2, asked)
}

/// MDD.
pub(crate) fn describe_mdd(path: &Path, asked: &Asked) -> Result<Contents> {
    describe(path, CacheKind::Mdd, asked)
}

/// Every sample is read.
fn describe(path: &Path, kind: CacheKind, asked: &Asked) -> Result<Contents> {
    let mut cache = CacheReader::open(path, kind)?;
    let (mut low, mut high) = (Vec3::repeat(Real::INFINITY), Vec3::repeat(Real::NEG_INFINITY));
    let mut problems = Vec::new();
    let mut points = Vec::new();
    for sample in 0..cache.sample_count() {
        (asked.step)(sample, cache.sample_count())?;
        match cache.read(sample, &mut points) {
            Ok(()) => points.iter().for_each(|p| (low, high) = (low.inf(p), high.sup(p))),
            Err(error) if error.kind() == Kind::NotFinite => problems.push(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    let fps = asked.fps.or(cache.said().rate()).unwrap_or(rate::USUAL);
    let frames = cache.frames(fps);
    let ends = frames.first().zip(frames.last()).map(|(a, b)| format!("{a} to {b}"));
    let holds = json!({
        "points": cache.point_count(), "samples": cache.sample_count(), "frames": ends,
        "bounds": [low.as_slice(), high.as_slice()],
    });
    Ok(Contents { holds, problems })
}
