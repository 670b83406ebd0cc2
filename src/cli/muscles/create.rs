//! `sinew muscles create`: a muscle between two joints.

use super::super::space::changed;
use super::{Chosen, Context, Joints, Out, save};
use sinew_anatomy::muscles::NewMuscle;
use sinew_base::error::{Error, Kind, Result};
use sinew_document::Document;
use sinew_formats::mesh;
use sinew_math::{Real, Space, Vec3};
use sinew_scene::muscles::MuscleSet;
use sinew_scene::schema::{Attribute, Element};
use sinew_scene::strand::values::Triple;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The name of the muscle.
    name: String,
    /// The joints at rest (CSV, BVH, USD or glTF).
    #[arg(long)]
    joints: PathBuf,
    /// The joint of its origin.
    #[arg(long)]
    from: String,
    /// The joint of its insertion. To bulge when a joint bends, a muscle must begin before that joint and end beyond
    /// it.
    #[arg(long)]
    to: String,
    /// Where it begins at rest: "x y z" in the unit of the joints; by default at its joint.
    #[arg(long, value_name = "PLACE", value_parser = triple, allow_hyphen_values = true)]
    origin: Option<Triple>,
    /// Where it ends at rest: "x y z" in the unit of the joints; by default at its joint.
    #[arg(long, value_name = "PLACE", value_parser = triple, allow_hyphen_values = true)]
    insertion: Option<Triple>,
    /// The offset from the midpoint between its ends to the control point that bends it: "x y z" in the unit of the
    /// joints; by default it is straight.
    #[arg(long, value_name = "OFFSET", value_parser = triple, allow_hyphen_values = true)]
    middle: Option<Triple>,
    /// Its largest radius; by default as large as the skin has room for, or a tenth of its length.
    #[arg(long, allow_negative_numbers = true)]
    size: Option<Real>,
    /// Its shape: above 1 its ends become thin like tendons, below 1 blunt; by default 1.
    #[arg(long, allow_negative_numbers = true)]
    taper: Option<Real>,
    /// The skin at rest (OBJ, Alembic, USD or glTF), in the unit of the joints.
    #[arg(long)]
    skin: Option<PathBuf>,
    /// The set to which it is added; by default a new one.
    #[arg(long)]
    set: Option<PathBuf>,
    /// The length of one unit of all files, in metres: 0.01 for centimetres. A new set records it as well; with --set,
    /// the files are in the unit of that set.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    unit: Option<Real>,
    /// The axis that points up in all files: y (default) or z. A new set records it as well; with --set, it is that of
    /// the set.
    #[arg(long, value_name = "AXIS")]
    up: Option<String>,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    out: Out,
}

fn triple(text: &str) -> std::result::Result<Triple, String> {
    Triple::parse(text).ok_or_else(|| format!("expected {}, such as \"0.1 0 0\"", Triple::EXPECTED))
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let joints = Joints::read(&args.joints)?.choose(&args.chosen)?;
    let skin = args.skin.as_deref().map(mesh::read).transpose()?.map(|file| file.mesh);
    let mut set = set(args)?;
    let new = NewMuscle {
        name: &args.name,
        joints: [&args.from, &args.to],
        ends: [args.origin, args.insertion].map(|end| end.map(Triple::vec)),
        middle: args.middle.map_or(Vec3::zeros(), Triple::vec),
        size: args.size,
        taper: args.taper,
    };
    set.add_muscle(&new, &joints.rig(), skin.as_ref())?;
    save(&args.out, args.set.as_deref(), set, &[], context)
}

/// The set to which the muscle is added. One that holds something keeps its space, which the options must not
/// contradict.
fn set(args: &Args) -> Result<Document> {
    let mut set = match &args.set {
        Some(path) => Document::load(path)?,
        None => Document::new(MuscleSet::schema().name, Space::default())?,
    };
    let own = set.space()?;
    let asked = changed(own, args.unit, args.up.as_deref())?;
    set.adopt(asked)?;
    if set.space()? != asked {
        let up = |space: Space| space.up().text().unwrap_or_default();
        let words = |space: Space| format!("--unit {} --up {}", space.metres_per_unit(), up(space));
        let message = format!("{} contradicts the space of the set: {}", words(asked), words(own));
        let error = Error::new(Kind::InvalidArgument, message);
        return Err(args.set.iter().fold(error, |error, path| error.file(path)));
    }
    Ok(set)
}
