//! `sinew muscles copy`: a set on another character.

use super::{Context, Joints, save};
use crate::anatomy::muscles::copy;
use crate::error::Result;
use crate::formats::xml;
use crate::scene::muscles::MuscleSet;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The muscle set (XML).
    set: PathBuf,
    /// The joints at rest of its character (CSV, BVH or USD).
    #[arg(long)]
    from: PathBuf,
    /// Those of the other character, with the same names.
    #[arg(long)]
    to: PathBuf,
    /// The muscle set to write (XML).
    #[arg(long)]
    out: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let set: MuscleSet = xml::read(&args.set)?;
    let [from, to] = [Joints::read(&args.from)?, Joints::read(&args.to)?];
    let copied = copy(&set, &from.rig(), &to.rig()).map_err(|e| e.file(&args.to))?;
    save(&args.out, &copied.set, &copied.warnings, context)
}
