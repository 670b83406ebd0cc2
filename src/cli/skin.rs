//! `sinew skin`: the skinning node over a sequence of joint matrices, given by a scene, by options, or by both.

use super::progress::Shown;
use super::run::save_scene;
use super::{Context, interrupt, print, split};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::{Format, shot_endings};
use sinew_job::{Job, Plan, SceneFile};
use sinew_math::Real;
use sinew_scene::frames::{FrameRange, parse_frames};
use sinew_scene::schema::Line;
use sinew_scene::{
    Broken, FramesElement, InputElement, LayerChoice, OneFrame, OutputsElement, ParamElement, Scene,
    WriteElement,
};
use std::path::{Component, Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// A scene (XML); `sinew scene` describes it. The options below override it.
    scene: Option<PathBuf>,
    /// The mesh at rest (OBJ, Alembic, USD or glTF).
    #[arg(long)]
    rest: Option<String>,
    /// The joints (CSV: frame,joint,m00,...,m23; the frame `rest` holds the rest pose; or BVH, or USD or
    /// glTF with one skeleton).
    #[arg(long)]
    joints: Option<String>,
    /// The weights (CSV: vertex,joint,weight; or glTF).
    #[arg(long)]
    weights: Option<String>,
    /// A painted map: NAME=FILE (CSV, JSON, PNG, EXR, JPEG, TIFF). `sinew nodes skinning` lists the maps.
    #[arg(long = "map", value_name = "NAME=FILE")]
    maps: Vec<String>,
    /// A parameter: NAME=VALUE. `sinew nodes skinning` lists the parameters.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// The frames, such as 1-48, 1-48x2 or 1,5,9; all in the joints' file by default.
    #[arg(long, allow_hyphen_values = true)]
    frames: Option<String>,
    /// Frames per second; by default the joints' file's rate (BVH, USD, glTF), otherwise 24.
    #[arg(long, allow_negative_numbers = true)]
    fps: Option<Real>,
    #[arg(long, help = format!(
        "What to write: all frames in one file ({}), or OBJ files with a placeholder for the frame: 'out.%04d.obj'",
        shot_endings(|_| true)
    ))]
    out: Option<String>,
    /// Write a layer over the mesh's own USD file, which moves its points and leaves everything else as it is there.
    #[arg(long, requires = "out")]
    layer: bool,
    /// Write the scene that would be computed, and stop.
    #[arg(long, value_name = "FILE")]
    save_scene: Option<PathBuf>,
    /// Let --save-scene replace an existing file.
    #[arg(long, requires = "save_scene")]
    force: bool,
}

/// The inputs that have an option of their own.
const OPTIONS: &[(&str, &str)] =
    &[("points", "--rest"), ("joints", "--joints"), ("influence_weights", "--weights")];

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let mut file = match &args.scene {
        Some(path) => SceneFile::read(path)?,
        None => SceneFile::of(Scene::of_node("skinning")),
    };
    file = file.with_options(OPTIONS);
    file.node("skinning")?;
    apply_options(args, &mut file.scene)?;
    if let Some(path) = &args.save_scene {
        return save_scene(path, file, args.force, context);
    }
    let control = interrupt::control();
    let mut job = Job::new(&file, Plan::once(), &control)?;
    let outcome = job.play(&control, &mut Shown::new(context))?;
    if context.json {
        let reported = serde_json::json!({ "frames": job.frames(), "warnings": outcome.summary.warnings });
        return print(&format!("{reported}\n"));
    }
    let out = written(&file.scene).unwrap_or_default();
    print(&format!("{} frames of {}: {}\n", outcome.frames, outcome.about, out.display()))
}

/// Overrides the scene with the options.
fn apply_options(args: &Args, scene: &mut Scene) -> Result<()> {
    let line = Line(0);
    if args.frames.is_some() || args.fps.is_some() {
        let range = args.frames.as_deref().map(parse_frames).transpose()?.map(FrameRange);
        let old = scene.frames.take();
        let (old_range, old_fps, samples) = old.map_or((None, None, 1), |e| (e.range, e.fps, e.samples));
        let (range, fps) = (range.or(old_range), args.fps.or(old_fps));
        scene.frames = Some(FramesElement { range, fps, samples, line });
    }
    let node = &mut scene.nodes[0];
    if let Some(file) = args.rest.clone() {
        // A file that also holds the weights moves as its joints do: the points are those without a pose.
        let posed = Format::of(Path::new(&file)).is_ok_and(|format| format.row().read.weights.is_some());
        let mut input = InputElement::of_file("points", file, line);
        input.frame = posed.then_some(OneFrame::Rest);
        node.inputs.retain(|input| input.port != "points");
        node.inputs.push(input);
    }
    if let Some(file) = args.joints.clone() {
        // The file also has the joints at rest.
        node.inputs.retain(|input| input.port != "rest_joints");
        node.feed("joints", file);
    }
    if let Some(file) = args.weights.clone() {
        node.feed("influence_weights", file);
    }
    for text in &args.params {
        let (id, value) = split("--set", text)?;
        node.params.retain(|p| p.id != id);
        node.params.push(ParamElement::of(&id, value));
    }
    for text in &args.maps {
        let (port, file) = split("--map", text)?;
        node.feed(&port, file);
    }
    match &args.out {
        Some(out) => scene.outputs = Some(outputs(out, scene.nodes[0].called(), args.layer)?),
        None if scene.outputs.is_none() => {
            let message = "nothing is written: use --out, or <outputs> in the scene";
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        None => {}
    }
    Ok(())
}

/// The moved points in one file, without a report.
fn outputs(out: &str, node: &str, layer: bool) -> Result<OutputsElement> {
    let path = Path::new(out);
    let Some(name) = path.file_name() else {
        return Err(Error::new(Kind::InvalidArgument, format!("--out {out}: a file name is expected")));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut write = WriteElement::new(name.to_string_lossy().into_owned(), format!("{node}.points"), Line(0));
    if layer {
        write.layer = LayerChoice::Yes;
    }
    Ok(OutputsElement {
        broken: Broken::Stop,
        report: false,
        writes: vec![write],
        ..OutputsElement::new(folder.to_string_lossy().into_owned())
    })
}

/// What a scene writes: the only file, or the folder of several.
fn written(scene: &Scene) -> Option<PathBuf> {
    let outputs = scene.outputs.as_ref()?;
    let folder = Path::new(&outputs.folder);
    let path = match outputs.writes.as_slice() {
        [only] => folder.join(&only.file),
        _ => folder.into(),
    };
    // Without the dots of the folder.
    Some(path.components().filter(|part| *part != Component::CurDir).collect())
}
