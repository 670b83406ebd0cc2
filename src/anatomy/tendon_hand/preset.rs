//! Fingers and hands available by name, as scenes: the part of this module that the command and the node expose.

use super::bones::{Bone, Skeleton};
use super::hand::{hand, knuckles};
use super::measures::Finger;
use super::tendons::Tendon;
use super::{Options, finger};
use sinew_base::error::Result;
use sinew_geometry::Mesh;
use sinew_math::{Placement, Real, Rotation, Vec3};
use sinew_scene::strand::StrandScene;
use std::collections::HashMap;

/// The fingers' names, in the order of [`Finger::all`].
pub const DIGITS: [&str; 4] = ["index", "middle", "ring", "little"];

/// A condition of fingers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Condition {
    /// Healthy.
    #[default]
    Intact,
    /// The oblique ligament is missing.
    WithoutLigament,
    /// See [`Options::boutonniere`].
    Boutonniere,
    /// See [`Options::swan_neck`].
    SwanNeck,
    /// See [`Options::long_ligament`].
    LongLigament,
    /// See [`Options::tight_ligament`].
    TightLigament,
}

impl Condition {
    /// All.
    pub const ALL: [Condition; 6] = [
        Condition::Intact,
        Condition::WithoutLigament,
        Condition::Boutonniere,
        Condition::SwanNeck,
        Condition::LongLigament,
        Condition::TightLigament,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Condition::Intact => "intact",
            Condition::WithoutLigament => "without_ligament",
            Condition::Boutonniere => "boutonniere",
            Condition::SwanNeck => "swan_neck",
            Condition::LongLigament => "long_ligament",
            Condition::TightLigament => "tight_ligament",
        }
    }

    /// The options of a finger with this condition.
    pub fn options(self) -> Options {
        match self {
            Condition::Intact => Options::default(),
            Condition::WithoutLigament => Options::without(&[Tendon::Ol]),
            Condition::Boutonniere => Options::boutonniere(),
            Condition::SwanNeck => Options::swan_neck(),
            Condition::LongLigament => Options::long_ligament(),
            Condition::TightLigament => Options::tight_ligament(),
        }
    }
}

/// A finger or a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Which finger; none for four of them side by side.
    pub digit: Option<usize>,
    /// The condition, of all of them.
    pub condition: Condition,
    /// Whether bands tie the extensors of four fingers to each other.
    pub bands: bool,
}

/// The longest step of fingers in s: stable at the full strength of a muscle.
const STEP: Real = 1e-3;

impl Preset {
    /// The scene and the meshes that it names. The axes of a bone are in its proximal joint; the wrist and the
    /// metacarpal are led.
    pub fn scene(&self) -> Result<(StrandScene, HashMap<String, Mesh>)> {
        let options = Options { bands: self.bands, ..self.condition.options() };
        let fingers = Finger::all();
        let (parts, places) = match self.digit {
            Some(k) => (finger(&fingers[k], &options)?, vec![(&fingers[k], Vec3::zeros())]),
            None => (hand(&options)?, fingers.iter().zip(knuckles()).collect()),
        };
        let axes = places.into_iter().flat_map(|(measures, place)| {
            let skeleton = Skeleton::new(measures);
            let at = move |bone| Placement::new(Rotation::identity(), skeleton.origin(bone) + place);
            Bone::ALL.map(at)
        });
        Ok(StrandScene::of_parts(&parts, &axes.collect::<Vec<_>>(), STEP))
    }
}
