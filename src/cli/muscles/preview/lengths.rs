//! How long muscles become over the range of motion.

use super::super::super::interrupt;
use super::super::body::{Body, Host};
use super::pose_name;
use sinew_base::error::Result;
use sinew_math::Real;

/// The angle between poses that are tried, in degrees.
const STEP: Real = 15.0;

/// Muscles that change by less than this many percent do not take part in a pose.
const LEAST: Real = 0.5;

/// A muscle.
pub(super) struct Length {
    pub rest: Real,
    /// The shortest and the longest that it becomes.
    pub range: [Real; 2],
    /// The poses in which it does.
    pub poses: [String; 2],
}

/// All muscles.
pub(super) struct Lengths(pub Vec<Length>);

/// The muscles that a turn of a joint changes: those with a part on either side of it.
pub(super) fn crossing(body: &Body, joint: usize) -> Vec<usize> {
    let goes = |other: usize| body.range.goes_along(other, joint);
    let muscles = body.built.parts.muscles.iter().enumerate();
    let crosses = muscles.filter(|(_, muscle)| {
        let ends = [muscle.origin.joint, muscle.insertion.joint];
        let mut all = ends.into_iter().chain(muscle.middle_joint);
        let first = goes(ends[0]);
        all.any(|joint| goes(joint) != first)
    });
    crosses.map(|(k, _)| k).collect()
}

impl Lengths {
    /// Turns every joint through its range.
    pub fn new(body: &Body, host: &mut Host) -> Result<Self> {
        let rig = body.joints.rig();
        host.pose(rig.rest)?;
        let at_rest =
            |rest: Real| Length { rest, range: [rest; 2], poses: ["rest", "rest"].map(String::from) };
        let mut all: Vec<Length> = host.numbers("muscle_lengths")?.into_iter().map(at_rest).collect();
        let control = interrupt::control();
        for sweep in &body.range.sweeps {
            let crossing = crossing(body, sweep.joint);
            if crossing.is_empty() {
                continue;
            }
            let [low, high] = sweep.range;
            let steps = ((high - low) / STEP).ceil().max(1.0) as u32;
            for k in 0..=steps {
                control.check()?;
                let degrees = low + (high - low) * Real::from(k) / Real::from(steps);
                host.pose(&body.range.pose(sweep, degrees, &rig))?;
                let lengths = host.numbers("muscle_lengths")?;
                let pose = || format!("{} {}", rig.names[sweep.joint], pose_name(sweep, degrees));
                for &muscle in &crossing {
                    all[muscle].take(lengths[muscle], pose);
                }
            }
        }
        Ok(Lengths(all))
    }

    /// Those of some muscles that change the most in a pose, and by how many percent.
    pub fn changes(&self, lengths: &[Real], of: &[usize], most: usize) -> Vec<(usize, Real)> {
        let by = |&muscle: &usize| (muscle, 100.0 * (lengths[muscle] / self.0[muscle].rest - 1.0));
        let mut all: Vec<_> = of.iter().map(by).filter(|(_, by)| by.abs() >= LEAST).collect();
        all.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        all.truncate(most);
        all
    }
}

impl Length {
    fn take(&mut self, length: Real, pose: impl Fn() -> String) {
        for (end, beyond) in [length < self.range[0], length > self.range[1]].into_iter().enumerate() {
            if beyond {
                (self.range[end], self.poses[end]) = (length, pose());
            }
        }
    }
}
