//! `sinew muscles range`: a set over the joints' range of motion.

use super::{Chosen, Context, Joints, plan, print};
use clap::ValueEnum;
use serde_json::{Value, json};
use sinew_anatomy::muscles::{Conditions, Finding, Problem, Range, Rig, weight_problems};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::weights::{self, Carrier};
use sinew_formats::{mesh, xml};
use sinew_math::Real;
use sinew_muscle::{Frames, Parts};
use sinew_scene::few::few;
use sinew_scene::muscles::{Built, Readable};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The muscle set (XML).
    set: PathBuf,
    /// The joints at rest (CSV, BVH, USD or glTF).
    #[arg(long)]
    joints: PathBuf,
    /// The plan whose `joint` elements give the ranges of motion, and the joint hierarchy where the file has none.
    /// Ranges count from where the plan says that the bone points (`start`), as for the human's arms, elbows and knees,
    /// otherwise from the rest pose of the rig.
    #[arg(long, default_value = "human")]
    plan: String,
    /// No joint turns further than this from where its range counts from.
    #[arg(long, allow_negative_numbers = true)]
    degrees: Option<Real>,
    /// How rings are oriented: `stable`, or by an `up-vector`; then they flip where the muscle is parallel to it.
    #[arg(long, value_enum, default_value_t = Follow::Stable)]
    frames: Follow,
    /// How far muscles and bones push muscles away, from 0 to 1: push_muscles and push_bones of the node.
    #[arg(long, default_value_t = Conditions::default().push, allow_negative_numbers = true)]
    push: Real,
    /// Report intersections deeper than this fraction of the thinner muscle's radius.
    #[arg(long, default_value_t = Conditions::default().depth, allow_negative_numbers = true)]
    depth: Real,
    #[command(flatten)]
    chosen: Chosen,
    /// The weights of the skin (CSV or glTF), to be checked too.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The skin (OBJ, Alembic, USD or glTF) to which the weights belong; without it, only vertices listed in the
    /// weights are checked.
    #[arg(long, requires = "weights")]
    skin: Option<PathBuf>,
}

/// [`Frames`] as a word.
#[derive(Clone, Copy, ValueEnum)]
enum Follow {
    Stable,
    UpVector,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let in_file = |e: Error| e.file(&args.set);
    let readable = Readable::new(&xml::read_tree(&args.set)?).map_err(in_file)?;
    let joints = Joints::read(&args.joints)?.choose(&args.chosen)?;
    let joints = joints.in_space(&readable.set().units().map_err(in_file)?);
    let rig = joints.rig();
    let built = readable.parts(rig.names).map_err(in_file)?;
    if built.parts.muscles.is_empty() {
        return Err(in_file(nothing(&readable, &built, &rig)));
    }
    let range = of_plan(&args.plan, &rig, args.degrees, &args.joints)?;
    let frames = match args.frames {
        Follow::Stable => Frames::Stable,
        Follow::UpVector => Frames::UpVector,
    };
    let conditions = Conditions { frames, push: args.push, depth: args.depth };
    let findings = range.test(&built.parts, &rig, &conditions, &Control::default())?;
    let mut lines: Vec<Line> =
        findings.iter().map(|finding| line(finding, &range, &built.parts, &rig)).collect();
    let unchecked = match &args.weights {
        Some(weights) => {
            lines.extend(wrong_weights(weights, args.skin.as_deref(), &rig)?);
            None
        }
        None => Some("the weights of the skin were not checked: give their file with --weights".to_string()),
    };
    let warnings: Vec<String> =
        left_out(&built, &range, &rig, &args.set).into_iter().chain(unchecked).collect();
    print_lines(&lines, &warnings, range.sweeps.len(), &conditions, context)
}

/// The range of motion that a plan gives to the joints of a file.
pub(super) fn of_plan(name: &str, rig: &Rig, degrees: Option<Real>, joints: &Path) -> Result<Range> {
    Range::new(&plan(name)?, rig, degrees).map_err(|e| unfit(e, name, joints))
}

/// What of a set is not there on a rig, and what does not move there.
pub(super) fn left_out(built: &Built, range: &Range, rig: &Rig, set: &Path) -> Vec<String> {
    let loose = range.loose(&built.parts).into_iter().map(|joint| {
        let name = &rig.names[joint];
        format!("the plan gives no parent for joint {name}: it stays where it is")
    });
    built.reported(Some(set)).into_iter().chain(built.same_names.iter().cloned()).chain(loose).collect()
}

/// The error for a set of which nothing can be tested.
pub(super) fn nothing(set: &Readable, built: &Built, rig: &Rig) -> Error {
    let mut missing: Vec<&str> = Vec::new();
    for name in set.muscle_joints() {
        if rig.find(name).is_none() && !missing.contains(&name) {
            missing.push(name);
        }
    }
    let message = match (missing.len(), built.reported(None).first()) {
        (0, None) => "the set has no muscles: there is nothing to test".to_string(),
        (0, Some(first)) => format!("all muscles of the set are left out; the first: {first}"),
        (count, _) => {
            let joints = if count == 1 { "joint" } else { "joints" };
            let quoted: Vec<String> = missing.iter().map(|name| format!("{name:?}")).collect();
            let few = few(&quoted, count);
            format!("all muscles of the set are left out: the rig has no {joints} {few}")
        }
    };
    Error::new(Kind::NotFound, message)
}

/// An error of a plan on a rig. The human's plan is the default, so a character of another kind does not have its
/// joints.
fn unfit(error: Error, plan: &str, joints: &Path) -> Error {
    if error.kind() != Kind::NotFound {
        return error;
    }
    let error = match plan {
        "human" => {
            let message = format!("{}; --plan names the plan of another kind of body", error.message());
            Error::new(Kind::NotFound, message)
        }
        _ => error,
    };
    error.file(joints)
}

/// A problem as a sentence and as data.
struct Line {
    text: String,
    json: Value,
}

fn line(finding: &Finding, range: &Range, parts: &Parts, rig: &Rig) -> Line {
    let sweep = &range.sweeps[finding.sweep];
    let (joint, turn, degrees) = (&rig.names[sweep.joint], sweep.turn, finding.degrees);
    let muscles = finding.problem.muscles();
    let muscles: Vec<&String> = muscles.iter().map(|&muscle| &parts.muscles[muscle].name).collect();
    let problem = match &finding.problem {
        Problem::Flip { .. } => "flip",
        Problem::Short { .. } => "short",
        Problem::Intersection { .. } => "intersection",
        Problem::Jump { .. } => "jump",
    };
    Line {
        text: finding.sentence(range, parts, rig),
        json: json!({
            "joint": joint, "turn": turn, "degrees": degrees, "problem": problem, "muscles": muscles,
        }),
    }
}

fn wrong_weights(file: &Path, skin: Option<&Path>, rig: &Rig) -> Result<Vec<Line>> {
    let vertices = match skin {
        Some(skin) => mesh::read(skin)?.mesh.positions.len(),
        None => weights::named_vertices(file)?,
    };
    let weights = weights::read(file, vertices, Carrier::Joint, rig.names)?;
    let reported = |(vertex, sum): (usize, Real)| Line {
        text: format!("vertex {vertex}: the weights add up to {sum}"),
        json: json!({ "vertex": vertex, "sum": sum, "problem": "weights" }),
    };
    Ok(weight_problems(&weights.0).into_iter().map(reported).collect())
}

fn print_lines(
    lines: &[Line],
    warnings: &[String],
    sweeps: usize,
    conditions: &Conditions,
    context: &Context,
) -> Result<()> {
    if context.json {
        let problems: Vec<&Value> = lines.iter().map(|line| &line.json).collect();
        let reported = json!({
            "sweeps": sweeps, "push": conditions.push, "problems": problems, "warnings": warnings,
        });
        print(&format!("{reported}\n"))?;
    } else {
        context.warn(warnings);
        lines.iter().try_for_each(|line| print(&format!("{}\n", line.text)))?;
        print(&format!(
            "joint motions tested: {sweeps}, problems: {}\n{}\n",
            lines.len(),
            conditions.sentence()
        ))?;
    }
    match lines.len() {
        0 => Ok(()),
        1 => Err(Error::new(Kind::Degenerate, "there is a problem in the range of motion")),
        count => {
            Err(Error::new(Kind::Degenerate, format!("there are {count} problems in the range of motion")))
        }
    }
}
