//! The numbers of muscles: of which attribute each is, which input of the node overrides it, and what it is of a
//! muscle.

use super::MuscleElement;
use crate::quantity::Quantity;
use sinew_math::{Real, Vec3};
use sinew_muscle::Muscle;

/// A number of a muscle.
pub struct Number {
    attribute: &'static str,
    /// The port of the node whose array overrides it.
    pub port: &'static str,
    /// What it measures.
    pub quantity: Quantity,
    /// What an element says.
    pub said: fn(&MuscleElement) -> f64,
    /// The number of a muscle.
    pub of: fn(&mut Muscle) -> &mut Real,
}

/// A property of a muscle that an array may override.
pub struct Property<T> {
    attribute: &'static str,
    /// The port of the node.
    pub port: &'static str,
    /// The property of a muscle.
    pub of: fn(&mut Muscle) -> &mut T,
}

/// One row for each number: its attribute, its port, what it measures, and what it is of a muscle.
macro_rules! numbers {
    ($( $attribute:ident $port:literal $quantity:ident $($field:ident).+; )*) => {
        &[$( Number {
            attribute: stringify!($attribute),
            port: $port,
            quantity: Quantity::$quantity,
            said: |element| element.$attribute,
            of: |muscle| &mut muscle.$($field).+,
        }, )*]
    };
}

/// All numbers.
pub const NUMBERS: &[Number] = numbers! {
    size "muscle_sizes" Length size;
    taper "muscle_tapers" Plain taper;
    girth "muscle_girths" Plain girth;
    weight "muscle_weight_factors" Plain weight;
    bulge "muscle_bulges" Plain bulge;
    stretch_ratio "muscle_stretch_ratios" Plain stretch_ratio;
    swell "muscle_swells" Plain swell;
    flex "muscle_flexes" Plain flex;
    mass "muscle_masses" Mass spring.mass;
    stiffness "muscle_stiffnesses" Stiffness spring.stiffness;
    damping "muscle_dampings" Plain spring.damping;
};

/// Places and directions.
pub const VECTORS: [Property<Vec3>; 4] = [
    Property { attribute: "origin", port: "muscle_origins", of: |muscle| &mut muscle.origin.point },
    Property { attribute: "insertion", port: "muscle_insertions", of: |muscle| &mut muscle.insertion.point },
    Property { attribute: "middle", port: "muscle_middles", of: |muscle| &mut muscle.middle },
    Property { attribute: "up", port: "muscle_ups", of: |muscle| muscle.up.get_or_insert_default() },
];

/// Joints and counts.
pub const COUNTS: [Property<usize>; 4] = [
    Property {
        attribute: "origin_joint",
        port: "muscle_origin_joints",
        of: |muscle| &mut muscle.origin.joint,
    },
    Property {
        attribute: "insertion_joint",
        port: "muscle_insertion_joints",
        of: |muscle| &mut muscle.insertion.joint,
    },
    Property { attribute: "rings", port: "muscle_rings", of: |muscle| &mut muscle.rings },
    Property { attribute: "divisions", port: "muscle_divisions", of: |muscle| &mut muscle.divisions },
];

/// The ports of all of them, with their attributes.
pub fn ports() -> impl Iterator<Item = (&'static str, &'static str)> {
    let numbers = NUMBERS.iter().map(|number| (number.attribute, number.port));
    let vectors = VECTORS.iter().map(|vector| (vector.attribute, vector.port));
    numbers.chain(vectors).chain(COUNTS.iter().map(|count| (count.attribute, count.port)))
}
