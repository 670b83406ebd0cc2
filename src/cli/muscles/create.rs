//! `sinew muscles create`: a muscle between two joints.

use super::{Context, Joints, save};
use crate::anatomy::muscles::{NewMuscle, create};
use crate::error::Result;
use crate::formats::{mesh, xml};
use crate::math::Real;
use crate::scene::muscles::MuscleSet;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The name of the muscle.
    name: String,
    /// The joints at rest (CSV, BVH or USD).
    #[arg(long)]
    joints: PathBuf,
    /// The joint of its origin.
    #[arg(long)]
    from: String,
    /// The joint of its insertion.
    #[arg(long)]
    to: String,
    /// Its largest radius; by default as large as the skin has room for, or a tenth of its length.
    #[arg(long)]
    size: Option<Real>,
    /// The skin at rest (OBJ, Alembic or USD).
    #[arg(long)]
    skin: Option<PathBuf>,
    /// The set to which it is added; by default a new one.
    #[arg(long)]
    set: Option<PathBuf>,
    /// The muscle set to write (XML).
    #[arg(long)]
    out: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let joints = Joints::read(&args.joints)?;
    let skin = args.skin.as_deref().map(mesh::read).transpose()?.map(|file| file.mesh);
    let mut set = match &args.set {
        Some(path) => xml::read(path)?,
        None => xml::parse::<MuscleSet>("<muscle_set/>")?,
    };
    let joints_of = [args.from.as_str(), args.to.as_str()];
    let new = NewMuscle { name: &args.name, joints: joints_of, ends: [None, None], size: args.size };
    create(&mut set, &new, &joints.rig(), skin.as_ref())?;
    save(&args.out, &set, &[], context)
}
