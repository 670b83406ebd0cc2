//! `sinew muscles copy`: a set on another character.

use super::super::space::changed;
use super::{Chosen, Context, Joints, Out, document, save};
use sinew_anatomy::muscles::{Outside, copy, outside, refit};
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_formats::{mesh, xml};
use sinew_math::Real;
use sinew_scene::muscles::MuscleSet;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The muscle set (XML).
    set: PathBuf,
    /// The joints at rest of its character (CSV, BVH, USD or glTF), in the unit of the set.
    #[arg(long)]
    from: PathBuf,
    /// Those of the other character. If some joints of the set have other names there, joints that do the same stand
    /// for them.
    #[arg(long)]
    to: PathBuf,
    /// The length of one unit of the other character's files, in metres: 0.01 for centimetres; by default that of the
    /// set. The new set records it.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    unit: Option<Real>,
    /// The axis that points up in the other character's files: y or z; by default that of the set. The new set records
    /// it.
    #[arg(long, value_name = "AXIS")]
    up: Option<String>,
    /// The skin at rest of the other character (OBJ, Alembic, USD or glTF), in the unit of its joints: muscles that
    /// reach out of it are reported.
    #[arg(long)]
    skin: Option<PathBuf>,
    /// Bring the muscles that reach out of the skin inside: they are pulled towards their joints and made thinner.
    #[arg(long, requires = "skin")]
    fit: bool,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    out: Out,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let set: MuscleSet = xml::read(&args.set)?;
    let own = set.units().map_err(|e| e.file(&args.set))?;
    let other = changed(own, args.unit, args.up.as_deref())?;
    let (from, mut to) = (Joints::read(&args.from)?, Joints::read(&args.to)?.choose(&args.chosen)?);
    if other != own {
        to = to.in_space(&other).out_to(&own);
    }
    let copied = copy(&set, &from.rig(), &to.rig(), &Control::default()).map_err(|e| e.file(&args.to))?;
    let (mut set, mut warnings) = (copied.set.in_space(other)?, copied.warnings);
    if let Some(path) = &args.skin {
        warnings.extend(under_skin(&mut set, path, args)?);
    }
    save(&args.out, None, document(&set)?, &warnings, context)
}

/// Checks a copied set against the skin of its character, and fits it if that is asked for; what there is to say.
fn under_skin(set: &mut MuscleSet, path: &Path, args: &Args) -> Result<Vec<String>> {
    let skin = mesh::read(path)?.mesh;
    // In the unit of the file, which is that of the new set.
    let joints = Joints::read(&args.to)?;
    let reported = match args.fit {
        true => refit(set, &joints.rig(), &skin),
        false => outside(set, &joints.rig(), &skin).map(|out| out.iter().map(Outside::sentence).collect()),
    };
    reported.map_err(|e| e.file(path))
}
