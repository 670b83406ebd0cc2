//! `sinew muscles fit`: a plan on a rig and its skin.

use super::{Context, Joints, plan, save};
use crate::anatomy::muscles;
use crate::error::Result;
use crate::formats::mesh;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// A plan (XML; `sinew scene` describes it), or `human` for the one that comes with Sinew.
    plan: String,
    /// The joints at rest (CSV, BVH or USD).
    #[arg(long)]
    joints: PathBuf,
    /// The skin at rest (OBJ, Alembic or USD), in the unit of the joints.
    #[arg(long)]
    skin: PathBuf,
    /// The muscle set to write (XML).
    #[arg(long)]
    out: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let plan = plan(&args.plan)?;
    let joints = Joints::read(&args.joints)?;
    let skin = mesh::read(&args.skin)?.mesh;
    let fitted = muscles::fit(&plan, &joints.rig(), &skin).map_err(|e| e.file(&args.joints))?;
    save(&args.out, &fitted.set, &fitted.warnings, context)
}
