//! The spaces in which colours are stored: how they are decoded before blending, and what a file says about them.
//!
//! Primaries and white points: BT.709 and D65 (IEC 61966-2-1), Display P3 (SMPTE EG 432-1 with D65), AP1 (ACEScg,
//! S-2014-004), AP0 (ACES2065-1, ST 2065-1). Nothing is converted: the output is in the space of the input.

use super::curve::Curve;
use super::picture::{Depth, Profile};

/// A space by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColourSpace {
    /// sRGB: its curve, the primaries of BT.709.
    Srgb,
    /// The primaries of BT.709 in linear light.
    Linear,
    /// ACEScg: AP1 in linear light.
    #[serde(rename = "acescg")]
    AcesCg,
    /// ACES2065-1: AP0 in linear light.
    Aces,
    /// Display P3: the curve of sRGB.
    DisplayP3,
    /// Raw numbers, blended as they are, without a colour space.
    Raw,
}

impl ColourSpace {
    /// The space of a texture that states none: integers are sRGB, floats linear.
    pub fn of_depth(depth: Depth) -> Self {
        match depth {
            Depth::Bits8 | Depth::Bits16 => ColourSpace::Srgb,
            Depth::Half | Depth::Float => ColourSpace::Linear,
        }
    }

    pub(super) fn curve(self) -> &'static Curve {
        match self {
            ColourSpace::Srgb | ColourSpace::DisplayP3 => Curve::srgb(),
            ColourSpace::Linear | ColourSpace::AcesCg | ColourSpace::Aces | ColourSpace::Raw => {
                Curve::straight()
            }
        }
    }

    /// x and y of red, green, blue and white; none for raw numbers.
    pub fn chromaticities(self) -> Option<[f32; 8]> {
        match self {
            ColourSpace::Srgb | ColourSpace::Linear => {
                Some([0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329])
            }
            ColourSpace::DisplayP3 => Some([0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329]),
            ColourSpace::AcesCg => Some([0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767]),
            ColourSpace::Aces => Some([0.7347, 0.2653, 0.0, 1.0, 0.0001, -0.077, 0.32168, 0.33767]),
            ColourSpace::Raw => None,
        }
    }

    /// The decoding exponent, as PNG has it; none if the curve is not a power.
    fn gamma(self) -> Option<f32> {
        match self {
            ColourSpace::Srgb | ColourSpace::DisplayP3 | ColourSpace::Raw => None,
            ColourSpace::Linear | ColourSpace::AcesCg | ColourSpace::Aces => Some(1.0),
        }
    }

    /// What a file says about colours in this space.
    pub fn profile(self) -> Profile {
        Profile {
            icc: None,
            srgb: self == ColourSpace::Srgb,
            gamma: self.gamma(),
            chromaticities: self.chromaticities(),
        }
    }
}
