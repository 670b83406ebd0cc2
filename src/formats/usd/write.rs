//! Writing .usda and .usdc: what stands in the file is described once, each form writes it in its own way.

mod binary;
mod content;
mod curves;
mod text;

use crate::error::{Error, Kind, Result};
use crate::formats::Format;
use crate::formats::atomic::AtomicFile;
use crate::geometry::Mesh;
use crate::math::{Affine, Real, Space, Vec2, Vec3};
use crate::scene::frames::check_rising;
use content::Content;
pub use content::identifier;
use std::path::Path;

/// What stays the same in all frames.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The name of all; what no USD name may have becomes `_`.
    pub name: &'a str,
    /// The faces of the mesh, if there is one. UVs that agree wherever its own share an index are written with these
    /// indices.
    pub mesh: Option<&'a Mesh>,
    /// The unit of length and the up axis that the numbers are in.
    pub space: Space,
    /// What lives on the mesh besides.
    pub maps: &'a [Map<'a>],
    /// Groups of curves beside the mesh, such as tendons.
    pub curves: &'a [Curves<'a>],
}

/// Numbers that live on a mesh or on curves: `primvars:NAME`.
#[derive(Clone, Debug)]
pub struct Map<'a> {
    /// Its name.
    pub name: &'a str,
    /// `constant`, `uniform` (per face or curve), `vertex` or, on a mesh, `faceVarying` (per corner).
    pub interpolation: &'a str,
    /// Numbers per value, 1 to 4.
    pub components: usize,
}

/// A group of linear curves.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    /// Its name.
    pub name: &'a str,
    /// What there is a width for, as a [`Map`] says it; empty when curves have none.
    pub widths: &'a str,
    /// What lives on the curves.
    pub maps: &'a [Map<'a>],
}

/// What a frame says of a group of curves. Their vertices may be others in each frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurvesData {
    /// The number of vertices of each curve.
    pub counts: Vec<u32>,
    /// The vertices, curve after curve.
    pub points: Vec<Vec3>,
    /// The widths.
    pub widths: Vec<Real>,
    /// The numbers of each map.
    pub maps: Vec<Vec<Real>>,
}

/// What a frame says. What is empty or none is not written, and must be so in all frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameData {
    /// The mesh's points in its own space.
    pub points: Vec<Vec3>,
    /// A UV per corner.
    pub uvs: Vec<Vec2>,
    /// A normal per vertex.
    pub normals: Vec<Vec3>,
    /// Where the mesh's own space is in the world.
    pub transform: Option<Affine>,
    /// The numbers of each map.
    pub maps: Vec<Vec<Real>>,
    /// Each group of curves.
    pub curves: Vec<CurvesData>,
}

/// The frames as their source gives them.
struct Frames<'a> {
    numbers: &'a [i64],
    first: FrameData,
    source: &'a mut dyn FnMut(usize) -> Result<FrameData>,
}

impl Frames<'_> {
    /// The number of a frame and what it says.
    fn read(&mut self, index: usize) -> Result<(i64, FrameData)> {
        let frame = self.numbers[index];
        let data = if index == 0 { Ok(self.first.clone()) } else { (self.source)(index) };
        Ok((frame, data.map_err(|e| e.frame(frame))?))
    }
}

/// Writes frames as time samples; the time code is the frame. The name's ending, `.usda` or `.usdc`, tells the form.
///
/// What never changes is written once. Numbers are single-precision, transforms double; a text has the shortest form
/// that reads back as the same.
///
/// `source` is asked for the frame of an index. `.usdc` takes the frames as they come, each once. A text groups its
/// samples by properties: each frame is asked for once to see what changes at all, then for each property that does.
/// Where UVs come apart that share an index of the mesh, all is begun anew. Memory holds some frames.
pub fn write(
    path: &Path,
    info: &Info,
    frames: &[i64],
    fps: Real,
    source: &mut dyn FnMut(usize) -> Result<FrameData>,
) -> Result<()> {
    write_file(path, info, frames, fps, source).map_err(|e| e.file(path))
}

fn write_file(
    path: &Path,
    info: &Info,
    frames: &[i64],
    fps: Real,
    source: &mut dyn FnMut(usize) -> Result<FrameData>,
) -> Result<()> {
    let write = match Format::of(path)? {
        Format::Usda => text::write,
        // A .usd file may be either.
        Format::Usd | Format::Usdc => binary::write,
        _ => {
            return Err(Error::new(
                Kind::Unsupported,
                "of USD .usd, .usdc and .usda are written: name the file so",
            ));
        }
    };
    check_rising(frames, fps)?;
    info.mesh.map_or(Ok(()), Mesh::check_counts)?;
    let first = source(0).map_err(|e| e.frame(frames[0]))?;
    let may_share = info.mesh.is_some_and(|mesh| mesh.uvs.is_some()) && !first.uvs.is_empty();
    let mut frames = Frames { numbers: frames, first, source };
    let mut attempt = |shared: bool| {
        let content = Content::new(info, &frames, fps, shared)?;
        let mut file = AtomicFile::create(path)?;
        let whole = write(&content, &mut frames, &mut file)?;
        if whole { file.commit().map(|()| true) } else { Ok(false) }
    };
    if !(may_share && attempt(true)?) {
        attempt(false)?;
    }
    Ok(())
}
