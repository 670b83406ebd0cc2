//! `sinew skin`: the skinning node over a sequence of joint matrices.

use super::{Context, interrupt, print};
use crate::error::{Error, Kind, Result};
use crate::formats::sequence::Pattern;
use crate::formats::{joints, map, obj, weights};
use crate::math::{Affine, Real, Vec3};
use crate::nodes::{ArrayView, ArrayViewMut, Instance, Report};
use crate::scene::frames::parse_frames;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The mesh at rest (OBJ).
    #[arg(long)]
    rest: PathBuf,
    /// The joints (CSV: frame,joint,m00,...,m23; the frame `rest` holds the rest pose).
    #[arg(long)]
    joints: PathBuf,
    /// The weights (CSV: vertex,joint,weight).
    #[arg(long)]
    weights: PathBuf,
    /// A painted map: NAME=FILE, a number per vertex. `sinew nodes skinning` lists the maps.
    #[arg(long = "map", value_name = "NAME=FILE")]
    maps: Vec<String>,
    /// A parameter: NAME=VALUE. `sinew nodes skinning` lists the parameters.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// The frames, such as 1-48, 1-48x2 or 1,5,9; all in the joints' file when left out.
    #[arg(long, allow_hyphen_values = true)]
    frames: Option<String>,
    /// Frames per second.
    #[arg(long, default_value_t = 24.0)]
    fps: Real,
    /// What to write, with a place for the frame: 'out.%04d.obj'.
    #[arg(long)]
    out: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    if !(args.fps.is_finite() && args.fps > 0.0) {
        return Err(Error::new(Kind::InvalidArgument, format!("--fps {} is no frame rate", args.fps)));
    }
    let pattern = Pattern::parse(&args.out)?.ok_or_else(|| {
        let message = "--out needs a place for the frame, as in out.%04d.obj";
        Error::new(Kind::InvalidArgument, message).file(&args.out)
    })?;
    let mut mesh = obj::read(&args.rest)?.mesh;
    let animation = joints::read(&args.joints)?;
    let frames = match &args.frames {
        Some(text) => parse_frames(text)?,
        None => animation.frames.keys().copied().collect(),
    };
    if let Some(&missing) = frames.iter().find(|f| !animation.frames.contains_key(f)) {
        let error = Error::new(Kind::MissingFile, "the joints have no such frame");
        return Err(error.frame(missing).file(&args.joints));
    }
    let mut node = prepare(args, &mesh.positions, &animation)?;
    let control = interrupt::control();
    let bar = progress_bar(frames.len());
    let mut points = vec![0.0; mesh.positions.len() * 3];
    let mut last = Report::default();
    for &frame in &frames {
        control.check().map_err(|e| e.frame(frame))?;
        let matrices = flatten(&animation.frames[&frame]);
        node.set_array("joints", &ArrayView::from_slice(&matrices, 16)?).map_err(|e| e.frame(frame))?;
        last = node.step(frame, frame as Real / args.fps, &control)?;
        node.read("points", &mut ArrayViewMut::from_slice(&mut points, 3)?)?;
        mesh.positions
            .copy_from_slice(&points.chunks_exact(3).map(Vec3::from_column_slice).collect::<Vec<_>>());
        obj::save(&pattern.path(frame), &mesh).map_err(|e| e.frame(frame))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    last.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    if context.json {
        return print(&format!("{}\n", serde_json::json!({ "frames": frames, "warnings": last.warnings })));
    }
    print(&format!("{} frames of {} vertices: {}\n", frames.len(), mesh.positions.len(), args.out.display()))
}

/// A bar on a terminal, nothing elsewhere.
fn progress_bar(frames: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} frame {pos} of {len}, {eta} left");
    ProgressBar::new(frames as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn flatten(pose: &[Affine]) -> Vec<Real> {
    let row = |m: &Affine, k: usize| if k < 12 { m[(k / 4, k % 4)] } else { Real::from(k == 15) };
    pose.iter().flat_map(|m| (0..16).map(move |k| row(m, k))).collect()
}

fn split<'a>(option: &str, text: &'a str) -> Result<(&'a str, &'a str)> {
    text.split_once('=')
        .ok_or_else(|| Error::new(Kind::InvalidArgument, format!("{option} {text}: NAME=VALUE is expected")))
}

/// The node with everything but the frame's joints.
fn prepare(args: &Args, rest: &[Vec3], animation: &joints::JointAnimation) -> Result<Instance> {
    let mut node = Instance::new("skinning")?;
    for text in &args.params {
        let (name, value) = split("--set", text)?;
        node.set_param_text(name, value).map_err(|e| Error::new(Kind::InvalidArgument, e.to_string()))?;
    }
    let points: Vec<Real> = rest.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    node.set_array("points", &ArrayView::from_slice(&points, 3)?)?;
    node.set_array("rest_joints", &ArrayView::from_slice(&flatten(&animation.rest), 16)?)
        .map_err(|e| e.file(&args.joints))?;
    let influences = weights::read(&args.weights, rest.len(), &animation.names)?.0;
    let counts: Vec<u32> = influences.iter().map(|i| i.len() as u32).collect();
    let (joints, values): (Vec<u32>, Vec<Real>) = influences.into_iter().flatten().unzip();
    node.set_array("influence_counts", &ArrayView::from_slice(&counts, 1)?)?;
    node.set_array("influence_joints", &ArrayView::from_slice(&joints, 1)?)?;
    node.set_array("influence_weights", &ArrayView::from_slice(&values, 1)?)?;
    for text in &args.maps {
        let (name, file) = split("--map", text)?;
        let paintable = node.descriptor().ports.iter().filter(|p| p.paintable);
        let maps: Vec<_> = paintable.map(|p| p.id).collect();
        if !maps.contains(&name) {
            let message = format!("--map {text}: no map \"{name}\"; there are {}", maps.join(", "));
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        let values = map::read(file.as_ref(), rest.len())?;
        let view = ArrayView::from_slice(&values.values, values.components.max(1) as u32)?;
        node.set_array(name, &view).map_err(|e| e.file(file.as_ref()))?;
    }
    Ok(node)
}
