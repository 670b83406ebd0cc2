//! Heavy, gaunt, jelly: a whole set changed by factors \[BezierMuscle §5\].

use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sinew_scene::muscles::MuscleSet;

/// Factors for all muscles and pads of a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Physique {
    /// Of the bulge multipliers.
    pub bulge: Real,
    /// Of the springs' stiffnesses.
    pub stiffness: Real,
    /// Of the springs' dampings.
    pub damping: Real,
    /// Of the girths of muscles, with which the skin moves.
    pub size: Real,
    /// Of the weights with which muscles carry skin.
    pub weight: Real,
}

impl Default for Physique {
    fn default() -> Self {
        Physique { bulge: 1.0, stiffness: 1.0, damping: 1.0, size: 1.0, weight: 1.0 }
    }
}

/// Physiques by name: trained; thick muscles that stand out and swing slowly; thin and slack; hardly any flesh, and
/// tense; flesh that wobbles; and the set as it is, to go back to. Chosen so that they can be told apart at a glance,
/// on a human with the plan that comes with Sinew.
pub const PRESETS: [(&str, Physique); 6] = [
    ("heavy", Physique { bulge: 1.5, stiffness: 0.3, damping: 0.6, size: 2.0, weight: 1.0 }),
    ("gaunt", Physique { bulge: 0.6, stiffness: 2.0, damping: 1.5, size: 0.05, weight: 1.0 }),
    ("jelly", Physique { bulge: 1.0, stiffness: 0.05, damping: 0.3, size: 1.3, weight: 1.0 }),
    ("athletic", Physique { bulge: 1.6, stiffness: 1.2, damping: 1.0, size: 1.5, weight: 1.0 }),
    ("old", Physique { bulge: 0.5, stiffness: 0.12, damping: 0.5, size: 0.55, weight: 1.0 }),
    ("average", Physique { bulge: 1.0, stiffness: 1.0, damping: 1.0, size: 1.0, weight: 1.0 }),
];

impl Physique {
    /// One of [`PRESETS`].
    pub fn named(name: &str) -> Option<Self> {
        PRESETS.iter().find(|(known, _)| *known == name).map(|(_, physique)| *physique)
    }

    /// Changes a set.
    pub fn apply(&self, set: &mut MuscleSet) -> Result<()> {
        let factors = [
            ("bulge", self.bulge),
            ("stiffness", self.stiffness),
            ("damping", self.damping),
            ("size", self.size),
            ("weight", self.weight),
        ];
        for (name, factor) in factors {
            let least_is_zero = name == "bulge" || name == "damping";
            if !(factor.is_finite() && (factor > 0.0 || factor == 0.0 && least_is_zero)) {
                let must = if least_is_zero { "not be negative" } else { "be positive" };
                let message = format!("the factor of {name} is {factor}; it must {must}");
                return Err(Error::new(Kind::InvalidArgument, message));
            }
        }
        for muscle in &mut set.muscles {
            muscle.bulge *= self.bulge;
            muscle.stiffness *= self.stiffness;
            muscle.damping *= self.damping;
            muscle.girth *= self.size;
            muscle.weight *= self.weight;
        }
        for pad in &mut set.pads {
            pad.stiffness *= self.stiffness;
            pad.damping *= self.damping;
        }
        Ok(())
    }
}
