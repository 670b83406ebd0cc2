//! `sinew muscles`: sets of muscles fitted, created, mirrored, copied, changed and tested. The work is
//! done in [`anatomy::muscles`](sinew_anatomy::muscles); here files are read and written.

mod body;
mod copy;
mod correctives;
mod create;
mod fit;
mod mirror;
mod physique;
mod preview;
mod range;

use super::{Context, print, spare};
use clap::Subcommand;
use serde_json::json;
use sinew_anatomy::muscles::{HUMAN, Rig};
use sinew_anatomy::roles::Role;
use sinew_base::error::{Error, Kind, Result};
use sinew_document::Document;
use sinew_formats::inside;
use sinew_formats::joints::{self, JointAnimation};
use sinew_formats::xml;
use sinew_geometry::counted;
use sinew_job::named;
use sinew_math::Space;
use sinew_scene::muscles::plan::MusclePlan;
use sinew_scene::muscles::{MuscleSet, Readable};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Place the muscles of a plan on a rig, under its skin.
    Fit(fit::Args),
    /// Add a muscle from one joint to another.
    Create(create::Args),
    /// Add what is missing on the other side of the body.
    Mirror(mirror::Args),
    /// Transfer a set to another character: to joints of the same names, or to those that do the same.
    Copy(copy::Args),
    /// Make a whole set heavier, thinner, tenser or softer.
    Physique(physique::Args),
    /// Turn every joint through its range of motion, and report what flips, collides, jumps or shortens to nothing.
    Range(range::Args),
    /// Make a page that shows a set: skinning beside muscles in the poses of the range of motion, and a table of the
    /// muscles.
    Preview(preview::Args),
    /// Write the skin of the node as corrective shapes by joint angle, for rigs that cannot run it.
    Correctives(correctives::Args),
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    match &args.command {
        Command::Fit(args) => fit::run(args, context),
        Command::Create(args) => create::run(args, context),
        Command::Mirror(args) => mirror::run(args, context),
        Command::Copy(args) => copy::run(args, context),
        Command::Physique(args) => physique::run(args, context),
        Command::Range(args) => range::run(args, context),
        Command::Preview(args) => preview::run(args, context),
        Command::Correctives(args) => correctives::run(args, context),
    }
}

/// A plan from a file, or the one that comes with Sinew.
fn plan(name: &str) -> Result<MusclePlan> {
    match name {
        "human" => xml::parse(HUMAN),
        path => xml::read(Path::new(path)),
    }
}

/// The joints of a file, and the roles that the user gave to them.
struct Joints(JointAnimation, Vec<(Role, usize)>);

/// The roles that the user gives to joints.
#[derive(clap::Args)]
struct Chosen {
    /// A joint that does what a role says, where it was not found or another one was: "forearm.L=joint7"; may be
    /// repeated. `sinew info` shows the roles of a file's joints.
    #[arg(long = "role", value_name = "ROLE=JOINT")]
    roles: Vec<String>,
}

impl Joints {
    fn read(path: &Path) -> Result<Self> {
        joints::read(path).map(|file| Joints(file.animation, Vec::new()))
    }

    fn choose(mut self, chosen: &Chosen) -> Result<Self> {
        for text in &chosen.roles {
            self.1.push(choice(text, &self.rig())?);
        }
        Ok(self)
    }

    /// In metres with y up, as the parts of a set are.
    fn in_space(mut self, space: &Space) -> Self {
        self.0.rest.iter_mut().for_each(|matrix| *matrix = space.affine_in(matrix));
        self
    }

    /// From metres with y up into the coordinates of a space.
    fn out_to(mut self, space: &Space) -> Self {
        self.0.rest.iter_mut().for_each(|matrix| *matrix = space.affine_out(matrix));
        self
    }

    fn rig(&self) -> Rig<'_> {
        let JointAnimation { names, rest, parents, .. } = &self.0;
        Rig { names, rest, parents, chosen: &self.1 }
    }
}

/// A role and its joint, as the user writes them.
fn choice(text: &str, rig: &Rig) -> Result<(Role, usize)> {
    let wrong = |message: String| Error::new(Kind::InvalidArgument, format!("--role {text}: {message}"));
    let Some((role, joint)) = text.split_once('=') else {
        return Err(wrong("expected a role and a joint, such as forearm.L=joint7".into()));
    };
    let role = Role::parse(role).ok_or_else(|| {
        let known = "pelvis, spine1, neck1, head, clavicle.L, scapula.L, upper_arm.L, forearm.L, hand.L, index1.L, \
                thigh.L, shin.L, foot.L and toes.L, for example";
        wrong(format!("{role:?} is no role; roles are {known}"))
    })?;
    let joint = rig.find_spoken(joint).map_err(|e| wrong(e.message().to_string()))?;
    Ok((role, joint))
}

/// The set that a command writes.
#[derive(clap::Args)]
struct Out {
    /// The muscle set to write (XML).
    #[arg(long)]
    out: PathBuf,
    /// Replace an existing set other than the one that is changed.
    #[arg(long)]
    force: bool,
}

impl Out {
    /// Sets are edited, so another one is not replaced unasked; `own` is the set that the command changes.
    fn check(&self, own: Option<&Path>) -> Result<()> {
        named("--out", &self.out, &["xml"])?;
        let is_own = own.is_some_and(|own| inside::whole(own) == inside::whole(&self.out));
        spare(&self.out, self.force || is_own)
    }
}

/// A set that no file holds yet, as a document.
fn document(set: &MuscleSet) -> Result<Document> {
    Document::parse(&xml::write(set))
}

/// Writes a set, which may replace its own file, and reports what it holds and what went wrong. What cannot be built of
/// it is written as it was, and reported.
fn save(
    out: &Out,
    own: Option<&Path>,
    mut set: Document,
    warnings: &[String],
    context: &Context,
) -> Result<()> {
    out.check(own)?;
    let path = out.out.as_path();
    set.save(path)?;
    let written = Readable::new(&set.tree())?;
    let kept = written.parts_on_own_joints()?.reported(Some(path));
    let kept =
        kept.iter().map(|reported| format!("kept as it was, but wherever the set is used, {reported}"));
    let warnings: Vec<String> = warnings.iter().cloned().chain(kept).collect();
    let set = written.set();
    let (muscles, pads, bones) = (set.muscle_names().len(), set.pads.len(), set.bones.len());
    let file = path.display().to_string();
    if context.json {
        let reported = json!({
            "file": file, "muscles": muscles, "pads": pads, "bones": bones, "warnings": warnings,
        });
        return print(&format!("{reported}\n"));
    }
    context.warn(&warnings);
    let [muscles, pads, bones] =
        [(muscles, "muscle", "muscles"), (pads, "pad", "pads"), (bones, "bone", "bones")]
            .map(|(count, one, many)| counted(count, one, many));
    print(&format!("{muscles}, {pads} and {bones}: {file}\n"))
}
