//! `sinew convert`: moving points from one file format to another.

use super::progress::Frames;
use super::{Context, interrupt, print};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::points::{PointSource, find_frames, same_place};
use sinew_formats::shot::{FrameData, Info};
use sinew_formats::{Format, Holds, atomic, endings, obj, shot_endings, sink};
use sinew_geometry::Mesh;
use sinew_math::Real;
use sinew_scene::frames::parse_frames;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    #[arg(help = format!(
        "OBJ files with a placeholder for the frame ('body.%04d.obj', 'body.####.obj'), or a file with moving points \
         ({}); 'shot.abc/root/body', or the same in USD or glTF, names one mesh of several, 'shot.glb/@walk' one \
         animation",
        endings(|row| row.read.points.is_some() && row.format != Format::Obj)
    ))]
    from: PathBuf,
    #[arg(help = format!(
        "OBJ files, or one file of all frames ({}). All except OBJ are single-precision; point caches have no faces",
        shot_endings(|_| true)
    ))]
    to: PathBuf,
    /// The mesh that provides faces and UVs; required if the input is a point cache and the output is not.
    #[arg(long, value_name = "FILE")]
    mesh: Option<PathBuf>,
    /// The frames, such as 1-48, 1-48x2 or 1,5,9; all by default.
    #[arg(long, allow_hyphen_values = true)]
    frames: Option<String>,
    /// Frames per second of both files; by default the input file's rate (Alembic, USD, glTF, MDD), otherwise 24.
    #[arg(long, allow_negative_numbers = true)]
    fps: Option<Real>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    if let Some(fps) = args.fps.filter(|fps| !(fps.is_finite() && *fps > 0.0)) {
        return Err(Error::new(Kind::InvalidArgument, format!("--fps {fps} is not a frame rate")));
    }
    if same_place(&args.from, &args.to) {
        return Err(Error::new(Kind::InvalidArgument, "the output would overwrite the input").file(&args.to));
    }
    let mesh = args.mesh.as_deref().map(obj::read).transpose()?.map(|obj| obj.mesh);
    let mut source = PointSource::open(&args.from, args.fps)?;
    let frames = match &args.frames {
        Some(text) => parse_frames(text)?,
        None => source.frames().to_vec(),
    };
    source.hold(&frames);
    let indices = find_frames(&source, &frames, &args.from)?;
    let mesh = mesh.or_else(|| source.mesh().cloned());
    check(&args.to, mesh.as_ref(), &source, &frames)?;
    let folder = args.to.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), atomic::make_folder)?;
    let space = source.space()?.unwrap_or_default();
    let info = Info { name: "body", mesh: mesh.as_ref(), space, ..Info::default() };
    let control = interrupt::control();
    let bar = Frames::new(frames.len(), context);
    let fps = source.fps();
    sink::write(&args.to, &info, &frames, fps, &mut |index| {
        control.check()?;
        bar.reached(index);
        Ok(FrameData { points: source.read(indices[index])?, ..FrameData::default() })
    })?;
    drop(bar);
    if context.json {
        let report = serde_json::json!({ "frames": frames, "points": source.point_count() });
        return print(&format!("{report}\n"));
    }
    print(&format!("{} frames of {} points: {}\n", frames.len(), source.point_count(), args.to.display()))
}

/// Checks that the format holds points, and that there are faces if it needs them.
fn check(to: &Path, mesh: Option<&Mesh>, source: &PointSource, frames: &[i64]) -> Result<()> {
    let points = Holds { uvs: false, maps: false, curves: false, velocities: false, one_file: true };
    sink::check(to, points, frames, source.fps())?;
    let needs_faces = Format::of(to)?.row().shot.is_some_and(|shot| shot.needs_faces);
    match mesh.map(|mesh| mesh.positions.len()) {
        None if needs_faces => {
            let message = "this format needs faces, which a point cache does not hold: give the mesh";
            Err(Error::new(Kind::MissingInput, message).file(to))
        }
        Some(vertices) if vertices != source.point_count() => {
            let message = format!("the mesh has {vertices} vertices, the frames {}", source.point_count());
            Err(Error::new(Kind::CountMismatch, message).file(to))
        }
        _ => Ok(()),
    }
}
