//! What a page shows, and the files of a run that hold it.

use super::reported::Run;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Real, Vec3};
use sinew_scene::frames::format_frames;
use std::path::{Path, PathBuf};

/// UVs are multiples of this.
pub(super) const UV_STEP: Real = 1.0 / 32768.0;

/// The columns that the page shows; after them comes the stretch of the body itself.
pub(super) const SHOWN: [usize; 3] = [1, 2, 4];

/// The limit on vertices in all frames; more are refused before memory, a hundred bytes for each, is allocated.
/// Compressed they take about ten, so more would not make a page anyway.
const MAX_VALUES: usize = 1 << 23;

/// A frame of the animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The body, one point per vertex.
    pub positions: Vec<Vec3>,
    /// The slid UVs of the render vertices, in steps of 2^-15.
    pub uvs: Vec<[i32; 2]>,
    /// Slide distance, largest stretch and wrinkle amplitude of each vertex; for all frames or none.
    pub maps: Option<Vec<[Real; 3]>>,
    /// The largest stretch of the body itself, which is that of skin that does not slide; if the mesh at rest is known.
    pub skinning: Option<Vec<Real>>,
    /// On pages of muscles, in place of the above: the tension and a hue of the muscle of each vertex.
    pub muscles: Vec<Vec<Real>>,
}

/// The contents of a page. A render vertex has one UV: a vertex on a seam has several. The first ones are the vertices
/// in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The name of the folder.
    pub name: String,
    /// The run's report.
    pub run: Run,
    /// Faces of the mesh before triangulation.
    pub faces: usize,
    /// The render vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// The vertices of the additional render vertices, after the mesh's own.
    pub split: Vec<u32>,
    /// The artist's UVs of the render vertices, in steps of 2^-15.
    pub rest_uvs: Option<Vec<[i32; 2]>>,
    /// One per row of [`Run::rows`].
    pub frames: Vec<Frame>,
    /// On pages of muscles, what the triangles belong to.
    pub parts: Option<Parts>,
}

impl Frame {
    /// The maps that the page shows.
    pub(super) fn map_count(&self) -> usize {
        match &self.maps {
            Some(_) => SHOWN.len() + usize::from(self.skinning.is_some()),
            None => self.muscles.len(),
        }
    }

    /// The values of one of them.
    pub(super) fn map(&self, number: usize) -> impl Iterator<Item = Real> {
        let (own, body) = match (&self.maps, &self.skinning, self.muscles.get(number)) {
            (_, _, Some(muscles)) => (&[][..], &muscles[..]),
            (Some(maps), _, _) if number < SHOWN.len() => (&maps[..], &[][..]),
            (_, Some(skinning), _) => (&[][..], &skinning[..]),
            _ => (&[][..], &[][..]),
        };
        own.iter().map(move |values| values[number]).chain(body.iter().copied())
    }
}

/// The triangles of the parts, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Those of the skin that muscles carry.
    pub skin: usize,
    /// Those of the skin that joints alone carry; 0 if it is not there.
    pub skinned: usize,
    /// Those of the muscles.
    pub muscles: usize,
}

/// Keeps some frames of a run.
pub(super) fn keep(run: &mut Run, frames: Option<&[i64]>, folder: &Path) -> Result<()> {
    frames.map_or(Ok(()), |frames| run.keep(frames).map_err(|e| e.file(&folder.join("report.json"))))
}

pub(super) fn folder_name(folder: &Path) -> String {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    absolute.file_name().map_or_else(|| "slide".into(), |name| name.to_string_lossy().into_owned())
}

/// The name of a frame's file, such as `uv.0001.obj`.
pub fn frame_file(folder: &Path, name: &str, ending: &str, frame: i64) -> PathBuf {
    folder.join(format!("{name}.{frame:04}.{ending}"))
}

/// Checks that every frame is on disk; the error lists all that are missing.
pub(super) fn require(folder: &Path, name: &str, ending: &str, frames: &[i64]) -> Result<()> {
    let there = |f: &i64| frame_file(folder, name, ending, *f).is_file();
    let missing: Vec<i64> = frames.iter().copied().filter(|f| !there(f)).collect();
    let Some(&first) = missing.first() else { return Ok(()) };
    let message =
        format!("{} of {} frames are missing: {}", missing.len(), frames.len(), format_frames(&missing));
    Err(Error::new(Kind::MissingFile, message).file(&frame_file(folder, name, ending, first)).frame(first))
}

/// Refuses more than a page can hold.
pub(super) fn check_size(mesh: &Mesh, frames: &[i64]) -> Result<()> {
    let (vertices, count) = (mesh.positions.len(), frames.len());
    if vertices.saturating_mul(count) <= MAX_VALUES {
        return Ok(());
    }
    let message = format!(
        "{count} frames of {vertices} vertices are too much for a page; reduce them with --frames, such as {}-{}x{}",
        frames[0],
        frames[count - 1],
        (vertices.saturating_mul(count)).div_ceil(MAX_VALUES)
    );
    Err(Error::new(Kind::TooLarge, message))
}
