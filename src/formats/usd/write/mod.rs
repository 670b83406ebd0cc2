//! Writing .usda and .usdc: the contents of the file are described once, each form writes them in its own way.

mod binary;
mod content;
mod curves;
mod layer;
mod local;
mod prim;
pub mod rig;
mod text;

use crate::Format;
use crate::atomic::AtomicFile;
pub use crate::shot::{Curves, CurvesData, FrameData, Info, Map};
use crate::shot::{FrameSource, Take};
use content::Content;
use local::Local;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::Real;
use sinew_scene::frames::check_rising;
use std::path::Path;

/// The frames as provided by their source.
struct Frames<'a> {
    numbers: &'a [i64],
    first: FrameData,
    source: &'a mut dyn FnMut(usize) -> Result<FrameData>,
}

impl Frames<'_> {
    /// The number of a frame and its contents.
    fn read(&mut self, index: usize) -> Result<(i64, FrameData)> {
        let frame = self.numbers[index];
        let data = if index == 0 { Ok(self.first.clone()) } else { (self.source)(index) };
        Ok((frame, data.map_err(|e| e.frame(frame))?))
    }
}

/// Writes frames as time samples; the time code is the frame. The extension, `.usda` or `.usdc`, selects the form.
///
/// If [`Info::over`] names the mesh of another file, the file is a layer: that one is its sublayer, and UVs, maps and
/// points, as far as frames have any, are in an `over` at the mesh's own path, at the other's time codes.
///
/// Static values are written once. Numbers are single-precision, transforms double; a text has the shortest form
/// that reads back as the same.
///
/// `source` gives the frame of an index. `.usdc` takes the frames as they come, each once. A text groups its samples by
/// properties: each frame is requested once to see what changes at all, then for each property that does. If UVs that
/// share an index of the mesh diverge, writing restarts. Memory holds some frames.
pub fn write(path: &Path, info: &Info, frames: &[i64], fps: Real, source: &mut FrameSource) -> Result<()> {
    write_file(&Take { file: path, info, frames, fps }, source).map_err(|e| e.file(path))
}

fn write_file(take: &Take, source: &mut FrameSource) -> Result<()> {
    let Take { file: path, info, frames, fps } = *take;
    let write = match Format::of(path)? {
        Format::Usda => text::write,
        // A .usd file may be either.
        Format::Usd | Format::Usdc => binary::write,
        _ => {
            return Err(Error::new(
                Kind::Unsupported,
                "USD is written as .usd, .usdc or .usda: use one of these extensions",
            ));
        }
    };
    check_rising(frames, fps)?;
    info.mesh.map_or(Ok(()), Mesh::check_counts)?;
    let local = info.over.map(Local::open).transpose()?;
    let step = content::time_step(info, fps);
    let source: &mut FrameSource = &mut |index| match &local {
        Some(local) => local.frame(source(index)?, frames[index] as Real * step),
        None => source(index),
    };
    let first = source(0).map_err(|e| e.frame(frames[0]))?;
    let may_share = info.mesh.is_some_and(|mesh| mesh.uvs.is_some()) && !first.uvs.is_empty();
    let mut frames = Frames { numbers: frames, first, source };
    let mut attempt = |shared: bool| {
        let content = Content::new(path, info, &frames, fps, shared)?;
        let mut file = AtomicFile::create(path)?;
        let whole = write(&content, &mut frames, &mut file)?;
        if whole { file.commit().map(|()| true) } else { Ok(false) }
    };
    if !(may_share && attempt(true)?) {
        attempt(false)?;
    }
    Ok(())
}
