//! How texels are blended.

use super::colour::ColourSpace;
use super::content::Content;
use super::curve::{Curve, Sample};
use super::picture::Depth;

/// The weight of a transparent colour next to an opaque one: nothing, unless there is no other.
const UNSEEN: f32 = 1e-9;

/// The curves of a texture's channels, and whether its colours are weighted by alpha: those of integers are, so
/// that hidden colours do not show at the rim of visible ones. Floats are premultiplied already.
#[derive(Clone, Copy)]
pub(super) struct Mix {
    curves: [&'static Curve; 4],
    by_alpha: bool,
}

impl Mix {
    /// `space`: of colours.
    pub fn new(content: Content, space: ColourSpace, channels: usize, depth: Depth) -> Self {
        let whole = matches!(depth, Depth::Bits8 | Depth::Bits16);
        let colour = content == Content::Colour;
        // Alpha and data have no curve.
        let curve = |c: usize| colour && c < if channels == 2 { 1 } else { 3 };
        let curves = std::array::from_fn(|c| if curve(c) { space.curve() } else { Curve::straight() });
        Mix { curves, by_alpha: colour && whole && channels.is_multiple_of(2) }
    }

    /// The numbers of a texel in a form that can be summed.
    pub fn decode<T: Sample, const C: usize>(&self, stored: &[T]) -> [f32; C] {
        let mut texel: [f32; C] = std::array::from_fn(|c| stored[c].decode(self.curves[c]));
        if C.is_multiple_of(2) && self.by_alpha {
            let share = texel[C - 1] + UNSEEN;
            texel[..C - 1].iter_mut().for_each(|x| *x *= share);
        }
        texel
    }

    /// The mean of summed texels, whose weights add up to 1.
    pub fn mean<const C: usize>(&self, mut sum: [f32; C]) -> [f32; C] {
        if C.is_multiple_of(2) && self.by_alpha {
            let share = sum[C - 1] + UNSEEN;
            sum[..C - 1].iter_mut().for_each(|x| *x /= share);
        }
        sum
    }

    /// Stores a mean.
    pub fn encode<T: Sample, const C: usize>(&self, texel: [f32; C], out: &mut [T]) {
        for ((out, value), curve) in out.iter_mut().zip(texel).zip(self.curves) {
            *out = T::encode(value, curve);
        }
    }
}

/// Weighted sums of texels.
pub(super) struct Sum<const C: usize> {
    numbers: [f32; C],
    weight: f32,
}

impl<const C: usize> Sum<C> {
    pub fn new() -> Self {
        Sum { numbers: [0.0; C], weight: 0.0 }
    }

    pub fn add(&mut self, texel: [f32; C], weight: f32) {
        self.numbers.iter_mut().zip(texel).for_each(|(sum, x)| *sum += weight * x);
        self.weight += weight;
    }

    pub fn weight(&self) -> f32 {
        self.weight
    }

    /// None if nothing was added.
    pub fn mean(&self, mix: &Mix) -> Option<[f32; C]> {
        (self.weight > 0.0).then(|| mix.mean(self.numbers.map(|x| x / self.weight)))
    }
}
