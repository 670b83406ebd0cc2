//! `sinew muscles mirror`: the other side of a set.

use super::{Chosen, Context, Joints, Out, save};
use clap::builder::PossibleValuesParser;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_document::{Derived, Document, Rigged};
use sinew_scene::strand::edits::AXES;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The muscle set (XML).
    set: PathBuf,
    /// The joints at rest (CSV, BVH, USD or glTF), in the unit of the set: the images lie on the joints of the other
    /// side as the originals on theirs, wherever the character stands and however its joints are turned. Needed for
    /// sculpted muscles without an up-vector.
    #[arg(long)]
    joints: Option<PathBuf>,
    /// Without joints, the axis perpendicular to the mirror, which passes through the origin.
    #[arg(long, default_value = "x", value_parser = PossibleValuesParser::new(AXES), conflicts_with = "joints")]
    axis: String,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    out: Out,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let mut set = Document::load(&args.set)?;
    let Derived { added, mut warnings } = match &args.joints {
        Some(path) => {
            let joints = Joints::read(path)?.choose(&args.chosen)?;
            set.mirror(Rigged::Rig(joints.rig()), &Control::default())?
        }
        None => {
            let axis = AXES.iter().position(|axis| *axis == args.axis).unwrap_or_default();
            set.mirror(Rigged::Axis(axis), &Control::default())?
        }
    };
    if added == 0 {
        let nothing =
            "nothing was added: no name is marked as left or right, or each already has its counterpart";
        warnings.push(nothing.to_string());
    }
    save(&args.out, Some(&args.set), set, &warnings, context)
}
