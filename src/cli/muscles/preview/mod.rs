//! `sinew muscles preview`: a set as a page, with pictures of the joints at the ends of their range of motion.

mod lengths;
mod sides;
mod view;

use super::super::interrupt;
use super::super::progress::Frames as Progress;
use super::body::{Body, Files, Host};
use super::{Context, print};
use lengths::Lengths;
use rayon::prelude::*;
use serde_json::json;
use sides::Shown as Which;
use sinew_anatomy::muscles::{Conditions, Finding, Sweep};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::atomic;
use sinew_geometry::counted;
use sinew_job::named;
use sinew_math::{Affine, Real, Vec3};
use sinew_muscle::Frames;
use sinew_nodes::ParamValue;
use sinew_report::Artist;
use sinew_report::preview::{Preview, Row, Shown, Turned, percent};
use sinew_scene::sides::other_side;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: Files,
    /// The page to write: one self-contained file that needs no network.
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    /// Show only this joint; may be repeated. By default all whose turns change muscles, of a symmetric set those of
    /// one side.
    #[arg(long = "only", value_name = "JOINT")]
    only: Vec<String>,
    /// The width and height of a picture in pixels.
    #[arg(long, default_value_t = 320, value_parser = clap::value_parser!(u16).range(64..=1024))]
    size: u16,
}

/// What the columns of pictures show.
const COLUMNS: [&str; 4] = ["Linear skinning", "Dual quaternions", "Muscles", "Under the skin"];

/// How many of the muscles that change in a pose are named.
const NAMED: usize = 4;

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    named("--html", &args.html, &["html", "htm"])?;
    let body = Body::read(&args.files)?;
    let mut stage = Stage::new(&body, args)?;
    let which = Which::new(&body, &args.only)?;
    let (joints, poses) = stage.joints(&which, context)?;
    let preview = Preview {
        title: format!("Muscles of {}", name(args.files.set())),
        about: stage.about(args, &which),
        notes: stage.notes.clone(),
        columns: COLUMNS.map(String::from).to_vec(),
        joints,
        muscles: stage.rows(&which),
    };
    let page = preview.page()?;
    atomic::write(&args.html, |file| file.write_all(page.as_bytes()))?;
    if context.json {
        let reported = json!({
            "muscles": body.built.parts.muscles.len(), "poses": poses, "findings": stage.findings.len(),
            "bytes": page.len(), "file": args.html, "warnings": preview.notes,
        });
        return print(&format!("{reported}\n"));
    }
    context.warn(&preview.notes);
    let size = page.len() as f64 / f64::from(1 << 20);
    print(&format!("{}, {size:.1} MB: {}\n", preview.summary(), args.html.display()))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// What poses and draws a body.
struct Stage<'a> {
    body: &'a Body,
    artist: Artist,
    /// By joints alone: linear, dual quaternions.
    alone: [Host; 2],
    muscles: Host,
    lengths: Lengths,
    findings: Vec<Finding>,
    conditions: Conditions,
    /// What is reported whatever the pose.
    notes: Vec<String>,
    size: usize,
}

impl<'a> Stage<'a> {
    fn new(body: &'a Body, args: &Args) -> Result<Self> {
        let rig = body.joints.rig();
        let parts = &body.built.parts;
        let mut muscles = body.muscles(&args.files)?;
        let report = muscles.pose(rig.rest)?;
        let lengths = Lengths::new(body, &mut muscles)?;
        let real = |id: &str| match muscles.node.param(id) {
            Ok(ParamValue::Real(value)) => Ok(value),
            Ok(_) => Err(Error::new(Kind::Internal, "a parameter of another kind")),
            Err(error) => Err(error),
        };
        let is_stable = muscles.node.param_text("frames")? == "stable";
        let conditions = Conditions {
            frames: if is_stable { Frames::Stable } else { Frames::UpVector },
            push: real("push_muscles")?.max(real("push_bones")?),
            ..Conditions::default()
        };
        let findings = body.range.test(parts, &rig, &conditions, &interrupt::control())?;
        Ok(Stage {
            body,
            artist: Artist::new(&body.mesh, parts.clone(), rig.rest)?,
            alone: [body.joints_alone("linear")?, body.joints_alone("dual_quaternion")?],
            muscles,
            lengths,
            findings,
            conditions,
            notes: body.warnings.iter().cloned().chain(report.warnings).collect(),
            size: args.size.into(),
        })
    }

    /// All poses, and how many there are.
    fn joints(&mut self, which: &Which, context: &Context) -> Result<(Vec<Turned>, usize)> {
        let body = self.body;
        let (control, count) = (interrupt::control(), which.poses().count());
        let progress = Progress::new(count, context);
        let mut all: Vec<(Real, Turned)> = Vec::new();
        for (sweep, degrees) in which.poses() {
            control.check()?;
            let joint = &body.joints.rig().names[body.range.sweeps[sweep].joint];
            let (farthest, shown) = self.shown(sweep, degrees)?;
            match all.last_mut().filter(|(_, last)| last.joint == *joint) {
                Some((most, last)) => {
                    *most = most.max(farthest);
                    last.poses.push(shown);
                }
                None => all.push((farthest, Turned { joint: joint.clone(), poses: vec![shown] })),
            }
            progress.step();
        }
        // Where muscles do the most comes first.
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        Ok((all.into_iter().map(|(_, turned)| turned).collect(), count))
    }

    /// A pose, and how far muscles move skin in it.
    fn shown(&mut self, sweep: usize, degrees: Real) -> Result<(Real, Shown)> {
        let motion = &self.body.range.sweeps[sweep];
        let joints = self.body.range.pose(motion, degrees, &self.body.joints.rig());
        let (skins, warnings) = self.posed(&joints)?;
        let muscles = self.muscles.vectors("muscle_points")?;
        let lengths = self.muscles.numbers("muscle_lengths")?;
        let crossing = lengths::crossing(self.body, motion.joint);
        let of_muscle = |&muscle: &usize| muscles[self.artist.model().vertices_of(muscle)].iter().copied();
        let framed: Vec<Vec3> = crossing.iter().flat_map(of_muscle).collect();
        let camera = view::best(&self.artist, &framed, &skins[2], &skins[0]);
        let size = [self.size; 2];
        let artist = &self.artist;
        let picture = |column: usize| match skins.get(column) {
            Some(skin) => artist.skin(skin, &camera, size),
            None => artist.inside(&skins[2], &muscles, &camera, size),
        };
        let pictures = (0..COLUMNS.len()).into_par_iter().map(picture).collect();
        let farthest = skins[2].iter().zip(&skins[0]).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max);
        let mut facts = vec![format!("Skin moves up to {:.0} mm from linear skinning", 1e3 * farthest)];
        facts.extend(
            self.lengths.changes(&lengths, &crossing, NAMED).into_iter().map(|(muscle, by)| {
                format!("{} {}", self.body.built.parts.muscles[muscle].name, percent(by))
            }),
        );
        let known = |text: &String| !self.notes.contains(text);
        let mut problems: Vec<String> = warnings.into_iter().filter(known).collect();
        problems.extend(self.found(sweep, degrees));
        Ok((farthest, Shown { name: pose_name(motion, degrees), pictures, facts, problems }))
    }

    /// The skin by joints alone and with muscles, and what the node reports.
    fn posed(&mut self, joints: &[Affine]) -> Result<([Vec<Vec3>; 3], Vec<String>)> {
        self.alone.iter_mut().try_for_each(|host| host.pose(joints).map(drop))?;
        let report = self.muscles.pose(joints)?;
        let [linear, dual] = &self.alone;
        let skins = [linear.vectors("points")?, dual.vectors("points")?, self.muscles.vectors("points")?];
        Ok((skins, report.warnings))
    }

    /// What was found nearer to an end of a sweep than to the other.
    fn found(&self, sweep: usize, degrees: Real) -> impl Iterator<Item = String> {
        let ends = self.body.range.sweeps[sweep].range;
        let nearest =
            move |at: Real| if (at - ends[0]).abs() < (at - ends[1]).abs() { ends[0] } else { ends[1] };
        let here = self.findings.iter();
        let here = here.filter(move |finding| finding.sweep == sweep && nearest(finding.degrees) == degrees);
        let parts = &self.body.built.parts;
        here.map(|finding| format!("at {:.0}°: {}", finding.degrees, finding.what(parts)))
    }

    fn about(&self, args: &Args, which: &Which) -> Vec<(String, String)> {
        let files = &args.files;
        let parts = &self.body.built.parts;
        let mass: Real = parts.muscles.iter().map(|muscle| muscle.spring.mass).sum();
        let muscles = counted(parts.muscles.len(), "muscle", "muscles");
        let pads = counted(parts.pads.len(), "pad", "pads");
        let bones = counted(parts.bones.len(), "bone", "bones");
        let mut about = vec![
            ("Set", format!("{}: {muscles} of {mass:.1} kg together, {pads}, {bones}", name(files.set()))),
            ("Rig", format!("{}, {} joints", name(files.joints()), self.body.joints.rig().names.len())),
            ("Skin", format!("{}, {} vertices", name(files.skin()), self.body.mesh.positions.len())),
            ("Range of motion", self.conditions.sentence()),
        ];
        about.extend(which.sentence().map(|sentence| ("Sides", sentence)));
        about.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// The table: of a symmetric set one side, and what of the other there is something to say about.
    fn rows(&self, which: &Which) -> Vec<Row> {
        let parts = &self.body.built.parts;
        let rig = self.body.joints.rig();
        let sentence = |finding: &Finding| finding.sentence(&self.body.range, parts, &rig);
        let all: Vec<String> = self.findings.iter().map(sentence).collect();
        let mut rows = Vec::new();
        for (k, muscle) in parts.muscles.iter().enumerate() {
            let of_it = self.findings.iter().zip(&all);
            let of_it = of_it.filter(|(finding, _)| finding.problem.muscles().contains(&k));
            let mut problems: Vec<String> = of_it.map(|(_, sentence)| sentence.clone()).collect();
            if which.mirrors(k) {
                problems.retain(|sentence| !all.contains(&other_side(sentence)));
                if problems.is_empty() {
                    continue;
                }
            }
            let length = &self.lengths.0[k];
            rows.push(Row {
                name: muscle.name.clone(),
                joints: [muscle.origin.joint, muscle.insertion.joint].map(|joint| rig.names[joint].clone()),
                rest: length.rest,
                range: length.range,
                poses: length.poses.clone(),
                frequency: (muscle.spring.stiffness / muscle.spring.mass).sqrt() / std::f64::consts::TAU,
                mass: muscle.spring.mass,
                problems,
            });
        }
        rows
    }
}

/// How a joint is turned in a pose.
fn pose_name(sweep: &Sweep, degrees: Real) -> String {
    match degrees {
        degrees if degrees < 0.0 => format!("{} \u{2212}{:.0}°", sweep.turn, -degrees),
        degrees => format!("{} {degrees:.0}°", sweep.turn),
    }
}
