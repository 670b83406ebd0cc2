//! How one joint is turned against another, followed from frame to frame.

use nalgebra::Quaternion;
use sinew_math::{Real, Rotation};

/// How the second of two joints is turned against the first. A rotation is two quaternions, whose halves are half a
/// turn apart. Of a joint that turns beyond half a turn against the other, as a hand may against the upper arm, this is
/// the one that continues the frame before; otherwise, and without a frame before, that of the shorter way.
pub fn twist(first: &Rotation, second: &Rotation, before: Option<&Rotation>) -> Rotation {
    let turn = (first.inverse() * second).into_inner();
    let short = if turn.w < 0.0 { -turn } else { turn };
    let goes_on = before.is_none_or(|before| before.quaternion().dot(&short) >= 0.0);
    let kept = if goes_on || short.w > FAR_FROM_HALF_A_TURN { short } else { -short };
    Rotation::new_unchecked(kept)
}

/// The cosine of half of 90 degrees. Two joints that are closer than that are turned the shorter way whatever came
/// before: the longer one would be three quarters of a turn, which no body makes, but a cut may seem to.
const FAR_FROM_HALF_A_TURN: Real = std::f64::consts::FRAC_1_SQRT_2;

/// The rotation half-way to another.
pub fn half(whole: &Rotation) -> Rotation {
    Rotation::from_quaternion(Quaternion::identity() + whole.quaternion())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitVector3;
    use sinew_math::Vec3;

    fn about(degrees: Real) -> Rotation {
        let axis = UnitVector3::new_normalize(Vec3::new(0.3, -0.5, 0.8));
        Rotation::from_axis_angle(&axis, degrees.to_radians())
    }

    /// Where the body stands does not matter.
    fn body() -> Rotation {
        Rotation::from_euler_angles(2.0, -1.0, 3.0)
    }

    /// The twists of a joint that comes to these angles one after the other.
    fn along(angles: impl IntoIterator<Item = Real>) -> Vec<Rotation> {
        let mut before = None;
        let next = |degrees| {
            let now = twist(&body(), &(body() * about(degrees)), before.as_ref());
            before = Some(now);
            now
        };
        angles.into_iter().map(next).collect()
    }

    fn assert_half(whole: &Rotation, degrees: Real) {
        let apart = half(whole).angle_to(&about(degrees));
        assert!(apart < 1e-7, "{apart} rad from {degrees} degrees");
    }

    #[test]
    fn beyond_half_a_turn_it_goes_on() {
        for sign in [1.0, -1.0] {
            let angles = || (0..=26).map(|k| 10.0 * sign * Real::from(k));
            along(angles())
                .iter()
                .zip(angles())
                .for_each(|(whole, degrees)| assert_half(whole, 0.5 * degrees));
            // And back again.
            let back = along(angles().chain(angles().rev()));
            assert_half(&back[back.len() - 1], 0.0);
            assert_half(&back[back.len() - 8], 35.0 * sign);
        }
    }

    #[test]
    fn a_motion_that_begins_there_takes_the_shorter_way() {
        assert_half(&along([200.0])[0], -80.0);
        assert_half(&along([160.0])[0], 80.0);
    }

    #[test]
    fn after_a_cut_it_is_right_again_near_rest() {
        let cut = along([120.0, -120.0, -80.0, -120.0]);
        assert_half(&cut[1], 120.0);
        assert_half(&cut[2], -40.0);
        assert_half(&cut[3], -60.0);
    }
}
