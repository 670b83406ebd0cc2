//! `sinew muscles fit`: fits the muscles of a plan to a rig and its skin.

use super::super::space::space;
use super::{Chosen, Context, Joints, Out, document, plan, save};
use sinew_anatomy::muscles;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_formats::mesh;
use sinew_geometry::odd_size;
use sinew_math::{Real, Space};
use sinew_scene::SpaceElement;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// A plan (XML; `sinew scene` describes it), or `human` for the one that comes with Sinew.
    plan: String,
    /// The joints at rest (CSV, BVH, USD or glTF).
    #[arg(long)]
    joints: PathBuf,
    /// The skin at rest (OBJ, Alembic, USD or glTF), in the unit of the joints.
    #[arg(long)]
    skin: PathBuf,
    /// The length of one unit of all files, in metres: 0.01 for centimetres. The set records it as well.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    unit: Option<Real>,
    /// The axis that points up in all files: y (default) or z. The set records it as well.
    #[arg(long, value_name = "AXIS")]
    up: Option<String>,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    out: Out,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let plan = plan(&args.plan)?;
    let joints = Joints::read(&args.joints)?.choose(&args.chosen)?;
    let skin = mesh::read(&args.skin)?.mesh;
    let space = space(args.unit, args.up.as_deref())?;
    let unit = space.as_ref().map_or(Ok(Space::default()), SpaceElement::space)?.metres_per_unit();
    let mut fitted = muscles::fit(&plan, &joints.rig(), &skin, unit, &Control::default())
        .map_err(|e| e.file(&args.joints))?;
    fitted.set.space = space;
    let metres: Vec<_> = skin.positions.iter().map(|p| p * unit).collect();
    fitted.warnings.extend(odd_size(&metres));
    save(&args.out, None, document(&fitted.set)?, &fitted.warnings, context)
}
