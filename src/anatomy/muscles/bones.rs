//! The coordinates of bones; [`plan`](sinew_scene::muscles::plan) says what they mean.

use super::Rig;
use super::naming::{Naming, on_side};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::elementary::sin_cos;
use sinew_math::{Real, Vec3};
use sinew_scene::muscles::plan::{MusclePlan, Pair};
use sinew_scene::sides::other_side;

/// Which way a body faces: unit vectors to its left, upwards and to the front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    left: Vec3,
    up: Vec3,
    front: Vec3,
    /// A point in its plane of symmetry.
    middle: Vec3,
}

/// A bone on its rig.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The joint that carries it.
    pub joint: usize,
    /// Where it begins, and where it leads from there.
    pub start: Vec3,
    pub bone: Vec3,
    /// Its unit directions.
    along: Vec3,
    pub front: Vec3,
    pub outward: Vec3,
}

/// A bone shorter than this fraction of the body's size has no direction.
const SHORTEST: Real = 1e-6;

/// A bone within 25 degrees of the front (this is the cosine) has its upper side as front; in a rest pose, a bent
/// forearm is rarely that close.
const FORWARDS: Real = 0.9;

impl Axes {
    /// From the joints that the plan names.
    pub fn new(plan: &MusclePlan, naming: &Naming, rig: &Rig) -> Result<Self> {
        let place = |name: &str| {
            let joint = naming.joint(name).map_err(|e| {
                // Without these joints nothing can be placed: somebody has to say which they are.
                let how = "a plan lists a joint's other names in also, and the human's joints can be chosen by role";
                Error::new(e.kind(), format!("{}; {how}", e.message()))
            })?;
            Ok(rig.position(joint))
        };
        let between = |Pair([from, to]): &Pair| -> Result<[Vec3; 2]> { Ok([place(from)?, place(to)?]) };
        let [right, left] = between(&plan.across)?;
        let [low, high] = between(&plan.upwards)?;
        let unit = |v: Vec3| {
            let flat = "the joints that define which way the body faces (across and upwards) lie in one line";
            v.try_normalize(SHORTEST * (high - low).norm()).ok_or(Error::new(Kind::Degenerate, flat))
        };
        let across = unit(left - right)?;
        let up = unit(high - low - across * across.dot(&(high - low)))?;
        Ok(Axes { left: across, up, front: across.cross(&up), middle: (left + right) * 0.5 })
    }

    /// A direction that is given as how far it leads to the left, upwards and to the front; with `mirrored`, to the
    /// right.
    pub fn direction(&self, [left, up, front]: [Real; 3], mirrored: bool) -> Vec3 {
        self.left * if mirrored { -left } else { left } + self.up * up + self.front * front
    }

    /// A bone; for bones on the body's midline, `mirrored` puts the outer side on the right.
    pub fn frame(&self, pair: &Pair, mirrored: bool, naming: &Naming, rig: &Rig) -> Result<Frame> {
        let names = pair.0.each_ref().map(|name| on_side(name, mirrored));
        let joint = naming.joint(&names[0])?;
        let (start, end) = (rig.position(joint), rig.position(naming.joint(&names[1])?));
        let bone = end - start;
        let along = bone.try_normalize(SHORTEST * (start - self.middle).norm()).ok_or_else(|| {
            Error::new(Kind::Degenerate, format!("the joints {} and {} coincide", names[0], names[1]))
        })?;
        let ahead = if along.dot(&self.front).abs() > FORWARDS { self.up } else { self.front };
        let front = (ahead - along * along.dot(&ahead)).normalize();
        let across = front.cross(&along);
        let in_the_middle = names.iter().all(|name| other_side(name) == *name);
        let outside = match in_the_middle {
            true => across.dot(&self.left) * if mirrored { -1.0 } else { 1.0 },
            false => (start + bone * 0.5 - self.middle).dot(&self.left),
        };
        Ok(Frame { joint, start, bone, along, front, outward: across * outside.signum() })
    }
}

impl Frame {
    /// The unit direction across the bone at an angle in degrees.
    pub fn direction(&self, angle: Real) -> Vec3 {
        let (sin, cos) = sin_cos(angle.to_radians());
        self.front * cos + self.outward * sin
    }

    /// A point on its axis.
    pub fn axis(&self, fraction: Real) -> Vec3 {
        self.start + self.bone * fraction
    }

    /// The fraction of the axis that is closest to a point.
    pub fn fraction(&self, point: &Vec3) -> Real {
        self.along.dot(&(point - self.start)) / self.bone.norm()
    }

    /// The same place on another bone, as far along it and as far from its axis.
    pub fn carry(&self, point: &Vec3, other: &Frame) -> Vec3 {
        let fraction = self.fraction(point);
        let away = point - self.axis(fraction);
        let (front, outward) = (self.front.dot(&away), self.outward.dot(&away));
        other.axis(fraction) + other.front * front + other.outward * outward
    }

    /// Its rotation axes: for turning to the front (flexion), outwards (abduction), and about itself (twist).
    pub fn turns(&self) -> [Vec3; 3] {
        [self.along.cross(&self.front), self.along.cross(&self.outward), self.along]
    }
}
