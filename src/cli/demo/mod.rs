//! `sinew demo`: a procedural neck with a tattoo turns and swallows; everything from a job file to all the outputs of a
//! job. With `--arm`, the files of an arm to try other commands on.

pub(super) mod arm;
mod body;
mod figures;
mod skin;
mod stills;

use super::progress::Shown;
use super::{Context, interrupt, print};
use image::RgbImage;
use serde_json::Value;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::{atomic, obj};
use sinew_geometry::Mesh;
use sinew_job::{Job, Listed, Plan, SceneFile, Way};
use sinew_math::Real;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder to write into, by default target/demo, with --arm target/arm; created if missing.
    folder: Option<PathBuf>,
    /// Write the files of an arm that bends and twists instead (mesh, joints, weights, its motion, and jobs), to try
    /// other commands on.
    #[arg(long, conflicts_with_all = ["size", "step"])]
    arm: bool,
    /// The width of the textures and ST-maps in texels.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..=4096))]
    size: u32,
    /// Compute only every Nth frame.
    #[arg(long, default_value_t = 1)]
    step: usize,
    /// Replace files of an earlier demo that have been changed since.
    #[arg(long)]
    force: bool,
}

/// In the demo's folder, what it wrote for people to edit.
const WRITTEN: &str = ".sinew-demo.json";

/// The job's output folder, within the demo's.
const RESULTS: &str = "results";

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let clock = Instant::now();
    let folder =
        args.folder.as_deref().unwrap_or(Path::new(if args.arm { "target/arm" } else { "target/demo" }));
    atomic::make_folder(folder)?;
    if args.arm {
        return write_arm(folder, args.force, context);
    }
    let frames: Vec<i64> = body::SHOWN_FRAMES
        .into_iter()
        .chain((1..=body::FRAMES).step_by(args.step.max(1)))
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let rest = body::rest();
    let texture = skin::texture(2 * args.size);
    let control = interrupt::control();
    let written = written_before(folder);
    if !args.force {
        let all: Vec<i64> = (1..=body::FRAMES).collect();
        spare_changed(folder, "job.xml", &inputs(&all), &written, &control)?;
    }
    write_inputs(folder, &rest, &frames, args.size, &texture)?;
    note_written(folder, inputs(&frames), written, &control)?;
    let file = SceneFile::read(&folder.join("job.xml"))?;
    let mut job = Job::new(&file, Plan { way: Way::Restart, ..Plan::default() }, &control)?;
    job.play(&control, &mut Shown::new(context))?;
    let results = folder.join(RESULTS);
    let figures = figures::measure(&results, &rest)?;
    let stills = stills::write(folder, &results, &rest, &texture)?;
    if context.json {
        return print(&format!("{}\n", figures.to_json()));
    }
    let seconds = clock.elapsed().as_secs_f64();
    let (frames, vertices) = (frames.len(), rest.positions.len());
    print(&format!(
        "A neck of {vertices} vertices turns and swallows, {frames} frames, in {seconds:.1} s.\n\n"
    ))?;
    print(&figures.to_string())?;
    print(&what_to_open(folder, &stills))
}

fn write_arm(folder: &Path, force: bool, context: &Context) -> Result<()> {
    let (control, written, files) = (interrupt::control(), written_before(folder), arm::files()?);
    if !force {
        spare_changed(folder, "slide.xml", &files, &written, &control)?;
    }
    arm::write(folder, &control)?;
    note_written(folder, files.clone(), written, &control)?;
    match context.json {
        true => {
            let files: Vec<PathBuf> = files.iter().map(|name| folder.join(name)).collect();
            print(&format!("{}\n", serde_json::json!({ "files": files })))
        }
        false => print(&arm::what_to_run(folder)),
    }
}

/// The files of the demo that people may edit.
fn inputs(frames: &[i64]) -> Vec<String> {
    let names = ["job.xml", "region.csv", "tattoo.png", "stubble.obj", "marks.obj", "rest.obj"];
    let bodies = frames.iter().map(|frame| format!("body.{frame:04}.obj"));
    names.into_iter().map(String::from).chain(bodies).collect()
}

/// Refuses to replace what somebody has changed since the demo wrote it, or what it did not write at all.
fn spare_changed(
    folder: &Path,
    job: &str,
    names: &[String],
    known: &[Listed],
    control: &Control,
) -> Result<()> {
    for name in names {
        let path = folder.join(name);
        if !path.exists() {
            continue;
        }
        let is_same = match known.iter().find(|listed| listed.file == Path::new(name)) {
            Some(listed) => listed.is_there(folder, control)?,
            None => false,
        };
        if !is_same {
            let job = folder.join(job);
            let message = format!(
                "this file is not as the demo wrote it: sinew run {} computes the edited job, another folder takes a \
                 fresh demo, --force replaces it",
                job.display()
            );
            return Err(Error::new(Kind::InvalidArgument, message).file(&path));
        }
    }
    Ok(())
}

/// What earlier demos wrote into a folder.
fn written_before(folder: &Path) -> Vec<Listed> {
    let text = std::fs::read(folder.join(WRITTEN)).unwrap_or_default();
    let value: Value = serde_json::from_slice(&text).unwrap_or_default();
    value.as_array().into_iter().flatten().filter_map(Listed::from_json).collect()
}

/// Records what the demo wrote, so that changes are recognized; bodies of other frames may be left from before.
fn note_written(folder: &Path, names: Vec<String>, before: Vec<Listed>, control: &Control) -> Result<()> {
    let left: Vec<Listed> = before
        .into_iter()
        .filter(|listed| !names.iter().any(|name| listed.file == Path::new(name)))
        .collect();
    let list = names.into_iter().map(|name| Listed::new(&folder.join(name), folder, control));
    let mut list: Vec<Listed> = list.collect::<Result<_>>()?;
    list.extend(left);
    let list: Value = list.iter().map(Listed::to_json).collect();
    save_text(&folder.join(WRITTEN), &format!("{list}\n"))
}

/// Everything that an artist would provide: meshes, maps, a texture, and the job.
fn write_inputs(folder: &Path, rest: &Mesh, frames: &[i64], size: u32, texture: &RgbImage) -> Result<()> {
    let at = |name: &str| folder.join(name);
    obj::save(&at("rest.obj"), rest)?;
    for &frame in frames {
        let time = body::time(frame);
        let positions = rest.positions.iter().map(|&p| body::moved(p, time)).collect();
        obj::save(&at(&format!("body.{frame:04}.obj")), &Mesh { positions, ..rest.clone() })?;
    }
    let column = |values: &[Real]| values.iter().map(|x| format!("{x}\n")).collect::<String>();
    save_text(&at("region.csv"), &column(&body::region(rest)))?;
    let (stubble, hairs) = body::stubble();
    obj::save_with_lines(&at("stubble.obj"), &stubble, &hairs)?;
    obj::save(
        &at("marks.obj"),
        &Mesh { positions: body::marks(rest), face_offsets: vec![0], ..Mesh::default() },
    )?;
    skin::save(&at("tattoo.png"), texture)?;
    save_text(&at("job.xml"), &job(frames, size))
}

fn save_text(path: &Path, text: &str) -> Result<()> {
    atomic::write(path, |file| file.write_all(text.as_bytes()))
}

fn job(frames: &[i64], size: u32) -> String {
    let half = (size / 2).max(1);
    let range = sinew_scene::frames::format_frames(frames).replace(' ', "");
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<sinew version="1">
  <frames range="{range}" fps="24"/>
  <node type="skin_slider">
    <param id="material" value="neo_hookean"/>
    <param id="tie_reach" value="0"/>
    <param id="uv_seams" value="held"/>
    <input port="rest" file="rest.obj"/>
    <input port="points" file="body.%04d.obj"/>
    <input port="region" file="region.csv"/>
  </node>
  <outputs folder="{RESULTS}">
    <tables/>
    <cache file="neck.abc"/>
    <st_map file="st.%04d.exr" size="{half}"/>
    <bake texture="tattoo.png" file="tattoo.%04d.png" size="{size}"/>
    <ride geometry="stubble.obj" file="stubble.%04d.obj"/>
    <ride geometry="marks.obj" file="marks.%04d.csv"/>
    <page file="page.html" texture="tattoo.png"/>
  </outputs>
</sinew>
"#
    )
}

fn what_to_open(folder: &Path, stills: &[PathBuf]) -> String {
    let mut text = String::from("\nTo look at:\n");
    for still in stills {
        text += &format!("  {}\n", still.display());
    }
    let results = folder.join(RESULTS);
    for (file, what) in [
        ("page.html", "in a browser: standard and sliding skin side by side, to rotate and play, with plots"),
        ("neck.abc", "in Blender, Houdini or Maya: the body with slid UVs, to be shown with tattoo.png"),
        ("st.0038.exr", "in a compositor: for each texel the UV to fetch"),
        ("tattoo.0038.png", "on the body: the texture after sliding"),
        ("stubble.0038.obj", "hairs that ride on the skin"),
    ] {
        text += &format!("  {:40} {what}\n", results.join(file).display().to_string());
    }
    let job = folder.join("job.xml");
    text + &format!("Change {0} (or paint the maps next to it) and run: sinew run {0}\n", job.display())
}
