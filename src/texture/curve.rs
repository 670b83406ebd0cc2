//! Converts stored numbers to those that are blended, and back.
//!
//! sRGB: IEC 61966-2-1. Decoding and encoding a stored number returns it exactly, at both depths.

use super::picture::Samples;
use sinew_math::elementary::powf_of_colour;
use std::sync::LazyLock;

/// Steps of the table that encodes eight bits: in the dark, where the curve is steepest, a step is a tenth of a stored
/// one, so that rounding is off by a tenth at most.
const STEPS: usize = 1 << 15;

/// The curve between stored numbers and light.
type Formula = fn(f64) -> f64;

/// Tables for integers; sRGB or linear.
pub(super) struct Curve {
    /// For floats; none if they are used as they are.
    formulas: Option<[Formula; 2]>,
    decode8: [f32; 256],
    encode8: Vec<u8>,
    decode16: Vec<f32>,
    /// By the upper bits of the float: the stored number, with its fraction, at the smallest float that has them.
    encode16: Vec<f32>,
}

/// Lower bits of a float between two entries of the table that encodes sixteen bits: entries are a relative thousandth
/// apart, over which the curves bend by a hundredth of a stored step.
const LOWER: u32 = 13;
/// Floats below this are less than a tenth of a step in every curve.
const LEAST: f32 = 1.0 / (1 << 24) as f32;

/// A number as stored in a picture.
pub(super) trait Sample: bytemuck::Pod + Default + Send + Sync {
    /// The numbers of a picture, if they are of this type.
    fn of(samples: Samples) -> Option<Vec<Self>>;
    fn decode(self, curve: &Curve) -> f32;
    fn encode(value: f32, curve: &Curve) -> Self;
}

impl Curve {
    fn new(decode: fn(f64) -> f64, encode: fn(f64) -> f64, straight: bool) -> Self {
        let table = |k: usize, last: f64| decode(k as f64 / last) as f32;
        let entry = |k: usize| (encode(k as f64 / (STEPS - 1) as f64) * 255.0).round() as u8;
        Curve {
            formulas: (!straight).then_some([decode, encode]),
            decode8: std::array::from_fn(|k| table(k, 255.0)),
            encode8: (0..STEPS).map(entry).collect(),
            decode16: (0..1 << 16).map(|k| table(k, 65535.0)).collect(),
            encode16: (LEAST.to_bits() >> LOWER..=(1f32.to_bits() >> LOWER) + 1)
                .map(|k| (encode(f64::from(f32::from_bits(k << LOWER))) * 65535.0) as f32)
                .collect(),
        }
    }

    pub fn srgb() -> &'static Curve {
        static CURVE: LazyLock<Curve> = LazyLock::new(|| {
            Curve::new(
                |x| if x <= 0.04045 { x / 12.92 } else { powf_of_colour((x + 0.055) / 1.055, 2.4) },
                |x| if x <= 0.0031308 { x * 12.92 } else { 1.055 * powf_of_colour(x, 1.0 / 2.4) - 0.055 },
                false,
            )
        });
        &CURVE
    }

    /// A float; negative ones are mirrored.
    fn float(&self, way: usize, value: f32) -> f32 {
        match &self.formulas {
            None => value,
            Some(formulas) => (formulas[way](f64::from(value.abs())) as f32).copysign(value),
        }
    }

    pub fn straight() -> &'static Curve {
        static CURVE: LazyLock<Curve> = LazyLock::new(|| Curve::new(|x| x, |x| x, true));
        &CURVE
    }
}

impl Sample for u8 {
    fn of(samples: Samples) -> Option<Vec<Self>> {
        if let Samples::U8(numbers) = samples { Some(numbers) } else { None }
    }

    fn decode(self, curve: &Curve) -> f32 {
        curve.decode8[usize::from(self)]
    }

    fn encode(value: f32, curve: &Curve) -> Self {
        // A float that is too large or negative is clamped by the conversion.
        let at = (value * (STEPS - 1) as f32 + 0.5) as usize;
        curve.encode8[at.min(STEPS - 1)]
    }
}

impl Sample for u16 {
    fn of(samples: Samples) -> Option<Vec<Self>> {
        if let Samples::U16(numbers) = samples { Some(numbers) } else { None }
    }

    fn decode(self, curve: &Curve) -> f32 {
        curve.decode16[usize::from(self)]
    }

    fn encode(value: f32, curve: &Curve) -> Self {
        // NaN becomes the smallest.
        let bits = if value > LEAST { value.min(1.0) } else { LEAST }.to_bits();
        let at = ((bits >> LOWER) - (LEAST.to_bits() >> LOWER)) as usize;
        let part = (bits & ((1 << LOWER) - 1)) as f32 / (1u32 << LOWER) as f32;
        let (low, high) = (curve.encode16[at], curve.encode16[at + 1]);
        (low + (high - low) * part + 0.5) as u16
    }
}

impl Sample for f32 {
    fn of(samples: Samples) -> Option<Vec<Self>> {
        if let Samples::F32(numbers) = samples { Some(numbers) } else { None }
    }

    fn decode(self, curve: &Curve) -> f32 {
        curve.float(0, self)
    }

    fn encode(value: f32, curve: &Curve) -> Self {
        curve.float(1, value)
    }
}
