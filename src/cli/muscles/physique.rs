//! `sinew muscles physique`: a whole set changed by factors.

use super::{Context, Out, save};
use clap::builder::PossibleValuesParser;
use sinew_anatomy::muscles::{PRESETS, Physique};
use sinew_base::error::Result;
use sinew_document::Document;
use sinew_math::Real;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The muscle set (XML).
    set: PathBuf,
    /// Factors by name; the options below multiply them.
    #[arg(long, value_parser = PossibleValuesParser::new(PRESETS.map(|(name, _)| name)))]
    preset: Option<String>,
    /// Multiplies how much muscles bulge.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    bulge: Real,
    /// Multiplies the stiffness of their springs.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    stiffness: Real,
    /// Multiplies the damping of their springs.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    damping: Real,
    /// Multiplies their girths; the skin moves with them.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    size: Real,
    /// Multiplies the weights with which they carry skin.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    weight: Real,
    #[command(flatten)]
    out: Out,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let mut set = Document::load(&args.set)?;
    let preset = args.preset.as_deref().and_then(Physique::named).unwrap_or_default();
    let physique = Physique {
        bulge: preset.bulge * args.bulge,
        stiffness: preset.stiffness * args.stiffness,
        damping: preset.damping * args.damping,
        size: preset.size * args.size,
        weight: preset.weight * args.weight,
    };
    set.apply_physique(&physique)?;
    save(&args.out, Some(&args.set), set, &[], context)
}
