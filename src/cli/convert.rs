//! `sinew convert`: moving points from one file format to another.

use super::progress::Frames;
use super::{Context, interrupt, print};
use crate::error::{Error, Kind, Result};
use crate::formats::obj;
use crate::formats::points::{PointSink, PointSource, find_frames, same_place};
use crate::math::Real;
use crate::scene::frames::parse_frames;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// OBJ files with a placeholder for the frame ('body.%04d.obj', 'body.####.obj'), a point cache (.pc2, .mdd),
    /// Alembic (.abc) or USD (.usd, .usda, .usdc, .usdz); 'shot.abc/root/body', or the same with .usdc, names one mesh
    /// of several.
    from: PathBuf,
    /// OBJ files, a point cache or Alembic. All except OBJ are single-precision; point caches have no faces.
    to: PathBuf,
    /// The mesh that provides faces and UVs for OBJ and Alembic; required if the input is a point cache.
    #[arg(long, value_name = "FILE")]
    mesh: Option<PathBuf>,
    /// The frames, such as 1-48, 1-48x2 or 1,5,9; all by default.
    #[arg(long, allow_hyphen_values = true)]
    frames: Option<String>,
    /// Frames per second of both files; by default the input file's rate (Alembic, USD, MDD), otherwise 24.
    #[arg(long)]
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
    let indices = find_frames(&source, &frames, &args.from)?;
    let folder = args.to.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), |folder| std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e)))?;
    let mut sink = {
        let faces = mesh.as_ref().or(source.mesh());
        PointSink::create(&args.to, faces, source.point_count(), &frames, source.fps())?
    };
    let control = interrupt::control();
    let bar = Frames::new(frames.len());
    for (&frame, index) in frames.iter().zip(indices) {
        control.check().map_err(|e| e.frame(frame))?;
        sink.write(frame, &source.read(index)?)?;
        bar.step();
    }
    sink.commit()?;
    drop(bar);
    if context.json {
        let report = serde_json::json!({ "frames": frames, "points": source.point_count() });
        return print(&format!("{report}\n"));
    }
    print(&format!("{} frames of {} points: {}\n", frames.len(), source.point_count(), args.to.display()))
}
