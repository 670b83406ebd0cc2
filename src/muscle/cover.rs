//! What lies over the rings of muscles.

use sinew_math::Real;

/// The joints that carry the skin over each ring, packed, and which part of it each does; nothing where no skin is
/// known over a ring.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    ends: Vec<usize>,
    joints: Vec<(usize, Real)>,
}

/// Joints with less than this part of a ring's skin do not count.
const LITTLE: Real = 0.02;

impl Cover {
    /// From how much of the skin over each ring each joint carries, in any unit.
    pub fn new(rings: Vec<Vec<(usize, Real)>>) -> Self {
        let mut cover = Cover::default();
        for mut joints in rings {
            let sum = |joints: &[(usize, Real)]| joints.iter().fold(0.0, |sum, (_, part)| sum + part);
            let most = sum(&joints);
            joints.retain(|(_, part)| *part > LITTLE * most);
            let kept = sum(&joints);
            cover.joints.extend(joints.iter().map(|(joint, part)| (*joint, part / kept)));
            cover.ends.push(cover.joints.len());
        }
        cover
    }

    /// The joints that it needs.
    pub(super) fn joints(&self) -> impl Iterator<Item = usize> {
        self.joints.iter().map(|(joint, _)| *joint)
    }

    /// Those of a ring.
    pub(super) fn over(&self, ring: usize) -> &[(usize, Real)] {
        match self.ends.get(ring) {
            Some(end) => &self.joints[if ring == 0 { 0 } else { self.ends[ring - 1] }..*end],
            None => &[],
        }
    }
}
