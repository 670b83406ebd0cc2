//! `sinew info`: the contents of a file or a numbered sequence, and any problems.

mod muscles;
mod roles;
mod written;

use super::progress::Frames;
use super::{Context, interrupt, print};
use serde_json::{Value, json};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_document::Document;
use sinew_formats::contents::{Asked, Contents, Describe};
use sinew_formats::{Format, map, xml};
use sinew_job::{Graph, SceneFile};
use sinew_math::Real;
use sinew_scene::faults::Weight;
use sinew_scene::frames::format_frames;
use sinew_scene::muscles::MuscleSet;
use sinew_scene::muscles::plan::MusclePlan;
use sinew_scene::schema::Element;
use sinew_scene::strand::StrandScene;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Meshes (OBJ), numbered sequences ('body.%04d.obj'), point caches (PC2, MDD), Alembic (ABC), USD, glTF, tables
    /// (CSV), maps (JSON), images (PNG, EXR, JPEG, TIFF), scenes, muscle sets and plans (XML), motions (BVH), reports
    /// and manifests of runs (JSON), whose files are compared with what was written.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Frames per second, for the times of MDD and Alembic; by default the file's rate, otherwise 24.
    #[arg(long, allow_negative_numbers = true)]
    fps: Option<Real>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let mut all = Vec::new();
    let mut wrong = 0;
    for path in &args.files {
        let page = look(path, args.fps, context)?;
        wrong += page.problems.len();
        if context.json {
            all.push(json!({ "file": path, "holds": page.holds, "problems": page.problems }));
        } else {
            print(&text(path, &page))?;
        }
    }
    if context.json {
        print(&format!("{:#}\n", Value::from(all)))?;
    }
    match wrong {
        0 => Ok(()),
        _ => Err(Error::new(Kind::Degenerate, format!("problems found: {wrong}"))),
    }
}

fn look(path: &Path, fps: Option<Real>, context: &Context) -> Result<Contents> {
    let row = Format::of(path)?.row();
    match row.describe {
        Describe::By(describe) => {
            let control = interrupt::control();
            // A bar for each series of samples: a file may hold several.
            let bar: RefCell<Option<Frames>> = RefCell::default();
            let step = |done: usize, count: usize| {
                let mut bar = bar.borrow_mut();
                if bar.as_ref().is_none_or(|bar| done < bar.done()) {
                    *bar = Some(Frames::new(count, context));
                }
                bar.iter().for_each(|bar| bar.reached(done));
                control.check()
            };
            let mut page = describe(path, &Asked { fps, step: &step })?;
            roles::add(path, &mut page);
            Ok(page)
        }
        Describe::Scene => {
            let root = xml::root(path)?;
            match sinew_document::TYPES.iter().any(|kind| (kind.schema)().name == root) {
                true => authored(path),
                false => scene(path),
            }
        }
        Describe::MapOrRun => match written::page(path)? {
            Some(page) => Ok(page),
            None => map::describe_json(path),
        },
    }
}

fn text(path: &Path, page: &Contents) -> String {
    let mut text = format!("{}\n", path.display());
    for (name, value) in page.holds.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), String::from);
        text.push_str(&format!("  {name}: {value}\n"));
    }
    page.problems.iter().for_each(|problem| text.push_str(&format!("  problem: {problem}\n")));
    text
}

/// A document is valid if nothing is wrong with it, and what it stands for can be built. Doubts are no problems.
fn authored(path: &Path) -> Result<Contents> {
    let document = Document::load(path)?;
    let (mut problems, mut doubts) = (Vec::new(), Vec::new());
    for (_, fault) in document.check(&Control::default())? {
        let sentence = format!("line {}: {}: {}", fault.line, fault.element, fault.message);
        if fault.weight == Weight::Doubt { &mut doubts } else { &mut problems }.push(sentence);
    }
    let held = match document.type_name() {
        name if name == MuscleSet::schema().name => muscles::set(&document.tree()),
        name if name == MusclePlan::schema().name => muscles::plan(&document.tree()),
        _ if problems.is_empty() => strand_scene(&document),
        _ => Ok(json!({})),
    };
    let mut holds = match held {
        // What cannot be read is among the problems.
        Err(_) if !problems.is_empty() => json!({}),
        held => held.map_err(|e| e.file(path))?,
    };
    if !doubts.is_empty() {
        holds["doubts"] = doubts.into();
    }
    Ok(Contents { holds, problems })
}

fn strand_scene(document: &Document) -> Result<Value> {
    let scene = StrandScene::from_tree(&document.tree())?;
    let mut holds = serde_json::to_value(&scene).map_err(|e| Error::new(Kind::Internal, e.to_string()))?;
    let model = document.built()?.model;
    let (unknowns, rows) = (model.unknowns(), model.rows());
    holds["computes"] = format!("{unknowns} unknowns under {rows} rows of constraints").into();
    Ok(holds)
}

/// A scene is valid if a job can be built from it.
fn scene(path: &Path) -> Result<Contents> {
    let file = SceneFile::read(path)?;
    let mut holds = serde_json::to_value(&file.scene)
        .map_err(|e| Error::new(Kind::Internal, e.to_string()).file(path))?;
    let problems = match Graph::new(&file) {
        Err(error) => vec![error.to_string()],
        Ok(graph) => {
            let (frames, about) = (format_frames(graph.frames()), graph.about());
            holds["computes"] = format!("frames {frames} of {about}").into();
            Vec::new()
        }
    };
    Ok(Contents { holds, problems })
}
