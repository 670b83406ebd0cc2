//! `sinew muscles mirror`: the other side of a set.

use super::{Context, save};
use crate::anatomy::muscles::{Mirrored, mirror};
use crate::error::Result;
use crate::formats::xml;
use crate::scene::muscles::MuscleSet;
use crate::scene::strand::edits::AXES;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The muscle set (XML).
    set: PathBuf,
    /// The axis perpendicular to the mirror, which passes through the origin.
    #[arg(long, default_value = "x", value_parser = PossibleValuesParser::new(AXES))]
    axis: String,
    /// The muscle set to write (XML).
    #[arg(long)]
    out: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let mut set: MuscleSet = xml::read(&args.set)?;
    let axis = AXES.iter().position(|axis| *axis == args.axis).unwrap_or_default();
    let Mirrored { added, mut warnings } = mirror(&mut set, axis)?;
    if added == 0 {
        let nothing =
            "nothing was added: no name is marked as left or right, or each already has its counterpart";
        warnings.push(nothing.to_string());
    }
    save(&args.out, &set, &warnings, context)
}
