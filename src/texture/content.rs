//! What a texture is for.

use sinew_math::Real;

/// What the numbers of a texture mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content {
    /// Colours: sRGB for integers, linear for floats.
    Colour,
    /// Numbers used as they are: masks, roughness, linear colours.
    Data,
    /// Heights, with zero at `middle`. The difference from it is multiplied by `scale`; stretch does not change
    /// heights.
    Displacement {
        /// The number that means zero height; by default 0.5 for integers, 0 for floats.
        middle: Option<Real>,
        /// 1 keeps the heights.
        scale: Real,
    },
    /// Normals in the tangent space of the UVs, 0 to 1 for -1 to 1 at all depths, transformed by the local rotation and
    /// stretch of the map. Their length is kept.
    Normal {
        /// Whether green points down (as in DirectX), against v, rather than up (as in OpenGL).
        green_down: bool,
    },
}
