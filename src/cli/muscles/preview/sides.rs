//! Which joints and poses are shown: those that change muscles, of a symmetric set those of one side.

use super::super::body::Body;
use super::lengths::crossing;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sinew_muscle::Parts;
use sinew_scene::sides::other_side;
use std::collections::HashMap;

/// Sizes of muscles that mirror each other may differ by this part: of a set fitted to a scanned body they do.
const ALIKE: Real = 0.1;

pub(super) struct Shown {
    /// A sweep and an end of its range in degrees.
    poses: Vec<(usize, Real)>,
    /// The muscles that are those of the other side once more.
    mirrors: Vec<bool>,
}

impl Shown {
    /// The joints of these names, or those that are worth a look.
    pub fn new(body: &Body, only: &[String]) -> Result<Self> {
        let rig = body.joints.rig();
        let asked: Vec<usize> = only.iter().map(|name| rig.find_spoken(name)).collect::<Result<_>>()?;
        let sweeps = &body.range.sweeps;
        if let Some(&still) = asked.iter().find(|&&joint| !sweeps.iter().any(|s| s.joint == joint)) {
            let joint = &rig.names[still];
            let message = format!("--only {joint}: the plan has no range of motion for it");
            return Err(Error::new(Kind::NotFound, message));
        }
        let mirrors = mirrored(&body.built.parts, rig.names);
        let place: HashMap<&str, usize> = rig.names.iter().map(String::as_str).zip(0..).collect();
        // A joint is left to the other side if all muscles that it changes are.
        let is_mirrored = |joint: usize| {
            let other = place.get(other_side(&rig.names[joint]).as_str());
            let crossing = crossing(body, joint);
            other.is_some_and(|&other| other != joint && sweeps.iter().any(|s| s.joint == other))
                && crossing.iter().all(|&muscle| mirrors[muscle])
        };
        let shown = |joint: usize| match asked.is_empty() {
            true => !crossing(body, joint).is_empty() && !is_mirrored(joint),
            false => asked.contains(&joint) && !crossing(body, joint).is_empty(),
        };
        let mut poses = Vec::new();
        for (k, sweep) in sweeps.iter().enumerate().filter(|(_, sweep)| shown(sweep.joint)) {
            let [low, high] = sweep.range;
            let ends = if low == high { vec![low] } else { vec![low, high] };
            poses.extend(ends.into_iter().map(|degrees| (k, degrees)));
        }
        if poses.is_empty() {
            let which = if asked.is_empty() { "no joint of the plan" } else { "none of these joints" };
            let message = format!("{which} changes a muscle when it turns: there is nothing to show");
            return Err(Error::new(Kind::NotFound, message));
        }
        // Sweeps of one joint need not come one after the other.
        poses.sort_by_key(|&(sweep, _)| sweeps.iter().position(|s| s.joint == sweeps[sweep].joint));
        Ok(Shown { poses, mirrors })
    }

    pub fn poses(&self) -> impl Iterator<Item = (usize, Real)> {
        self.poses.iter().copied()
    }

    /// Whether a muscle is one of the other side once more.
    pub fn mirrors(&self, muscle: usize) -> bool {
        self.mirrors[muscle]
    }

    /// What is left out, if anything is.
    pub fn sentence(&self) -> Option<String> {
        let count = self.mirrors.iter().filter(|mirrors| **mirrors).count();
        (count > 0).then(|| format!("{count} muscles mirror those of the side shown, and are not repeated"))
    }
}

/// The muscles of which another one, of the other side and before them, has the same name but for its side, joints of
/// the other side, and the same size.
fn mirrored(parts: &Parts, joints: &[String]) -> Vec<bool> {
    let place: HashMap<&str, usize> = parts.muscles.iter().map(|m| m.name.as_str()).zip(0..).collect();
    let is_mirrored = |k: usize| {
        let own = &parts.muscles[k];
        let Some(&other) = place.get(other_side(&own.name).as_str()) else { return false };
        let other_muscle = &parts.muscles[other];
        let ends = [
            [own.origin.joint, other_muscle.origin.joint],
            [own.insertion.joint, other_muscle.insertion.joint],
        ];
        other < k
            && ends.iter().all(|[a, b]| other_side(&joints[*a]) == joints[*b])
            && (own.size / other_muscle.size - 1.0).abs() < ALIKE
    };
    (0..parts.muscles.len()).map(is_mirrored).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::Vec3;
    use sinew_muscle::{End, Muscle};

    #[test]
    fn what_is_on_both_sides_is_shown_once() {
        let joints: Vec<String> = ["spine", "arm.L", "arm.R"].map(String::from).to_vec();
        let muscle = |name: &str, joint: usize, size: Real| {
            let end = |joint, x| End { joint, point: Vec3::new(x, 0.0, 0.0) };
            Muscle::new(name.into(), end(0, 0.0), end(joint, 0.3), size)
        };
        let found = |muscles: Vec<Muscle>| mirrored(&Parts { muscles, ..Parts::default() }, &joints);
        assert_eq!(found(vec![muscle("left_lat", 1, 0.1), muscle("right_lat", 2, 0.1)]), [false, true]);
        // One that is thicker, one on a joint of the same side, one without another.
        assert_eq!(found(vec![muscle("left_lat", 1, 0.1), muscle("right_lat", 2, 0.2)]), [false, false]);
        assert_eq!(found(vec![muscle("left_lat", 1, 0.1), muscle("right_lat", 1, 0.1)]), [false, false]);
        assert_eq!(found(vec![muscle("lat", 1, 0.1), muscle("right_lat", 2, 0.1)]), [false, false]);
    }
}
