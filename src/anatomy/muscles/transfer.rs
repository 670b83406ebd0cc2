//! A set on another character with joints of the same names.

use super::Rig;
use super::upright::with_ups;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Mat3, Real, Vec3, polar3};
use sinew_scene::muscles::{MuscleElement, MuscleSet};
use sinew_scene::strand::values::Triple;

/// A set on its new character.
#[derive(Clone, Debug)]
pub struct Copied {
    /// The set.
    pub set: MuscleSet,
    /// What was left out, one sentence each.
    pub warnings: Vec<String>,
}

/// The joints that two rigs share.
struct Shared {
    /// Where they are on the first and on the second.
    pairs: Vec<[Vec3; 2]>,
    /// How all of them together are turned.
    turn: Mat3,
}

/// How things near a point are carried from one character to the other: turned, scaled, and moved.
struct Near {
    turn: Mat3,
    scale: Real,
    middles: [Vec3; 2],
}

/// Softens the distances of joints to a point, as a fraction of the body: joints much closer than this weigh about the
/// same.
const CLOSEST: Real = 0.02;

/// Turns about the axis of joints in one line are not determined by them: this fraction of the joints' spread favours
/// the rotation of the whole body.
const STEADY: Real = 1e-3;

/// Transfers a set from one rig to another. Around each point, the joints that both rigs have say how it is turned and
/// scaled: by the similarity that fits them best, nearby ones weighted more \[Schaefer et al., "Image Deformation Using
/// Moving Least Squares", 2006\]. So lengths of bones and rest poses may differ, and the axes of joints do not matter.
/// Sculpted muscles without an up-vector get the one that they have from the first rig. Parts on joints that the second
/// rig lacks are left out with a warning. Both rigs are in the space of the set.
pub fn copy(set: &MuscleSet, from: &Rig, to: &Rig, control: &Control) -> Result<Copied> {
    let pairs =
        from.names.iter().enumerate().filter_map(|(joint, name)| {
            to.find(name).map(|other| [from.position(joint), to.position(other)])
        });
    let mut shared = Shared { pairs: pairs.collect(), turn: Mat3::identity() };
    if shared.pairs.len() < 3 {
        let count = shared.pairs.len();
        let message = format!("the rigs have {count} joint names in common; at least 3 are needed");
        return Err(Error::new(Kind::NotFound, message));
    }
    shared.turn = shared.fitted(|_| 1.0, 0.0).turn;
    let mut copied = Copied { set: with_ups(set, from)?, warnings: Vec::new() };
    let Copied { set, warnings } = &mut copied;
    let mut there =
        |what: &str, name: &str, joints: &[&str]| match joints.iter().find(|j| to.find(j).is_none()) {
            Some(missing) => {
                warnings.push(format!("{what} {name} is left out: the rig has no joint {missing:?}"));
                false
            }
            None => true,
        };
    for mut e in std::mem::take(&mut set.muscles) {
        e.heads.retain(|head| there("head", &head.name, &[&head.origin_joint]));
        if there("muscle", &e.name, &[&e.origin_joint, &e.insertion_joint]) {
            set.muscles.push(e);
        } else {
            // Its further heads become muscles of their own, where there is something for them to insert on.
            let heads = e.singles().split_off(e.singles().len() - e.heads.len());
            let is_there = |head: &MuscleElement| there("head", &head.name, &[&head.insertion_joint]);
            set.muscles.extend(heads.into_iter().filter(is_there));
        }
    }
    set.pads.retain(|e| there("pad", &e.name, &[&e.joint]));
    set.bones.retain(|e| there("bone", &e.name, &[&e.joint]));
    move_parts(set, &shared, control)?;
    Ok(copied)
}

fn move_parts(set: &mut MuscleSet, shared: &Shared, control: &Control) -> Result<()> {
    let point = |p: &mut Triple| *p = Triple(shared.near(&p.vec()).point(&p.vec()).into());
    let count = set.muscles.len() as Real;
    for (k, e) in set.muscles.iter_mut().enumerate() {
        control.progress(k as Real / count, "moving the muscles")?;
        let belly = shared.near(&((e.origin.vec() + e.insertion.vec()) * 0.5 + e.middle.vec() * 0.5));
        let vector = |v: &mut Triple| *v = Triple((belly.turn * v.vec() * belly.scale).into());
        vector(&mut e.middle);
        e.up.iter_mut().for_each(|up| *up = Triple((belly.turn * up.vec()).into()));
        e.size *= belly.scale;
        for head in &mut e.heads {
            head.middle.iter_mut().for_each(vector);
            head.size.iter_mut().for_each(|size| *size *= belly.scale);
            point(&mut head.origin);
        }
        e.offsets.iter_mut().for_each(|offset| offset.by = Triple((offset.by.vec() * belly.scale).into()));
        [&mut e.origin, &mut e.insertion].into_iter().for_each(point);
        [&mut e.origin_to, &mut e.insertion_to].into_iter().flatten().for_each(point);
    }
    for e in &mut set.pads {
        e.radius *= shared.near(&e.centre.vec()).scale;
        point(&mut e.centre);
    }
    for e in &mut set.bones {
        e.radius *= shared.near(&((e.from.vec() + e.to.vec()) * 0.5)).scale;
        [&mut e.from, &mut e.to].into_iter().for_each(point);
    }
    Ok(())
}

impl Shared {
    /// The transform of things around a point.
    fn near(&self, p: &Vec3) -> Near {
        let first = self.pairs[0][0];
        let extent = self.pairs.iter().map(|[a, _]| (a - first).norm()).fold(0.0, Real::max);
        let close = (CLOSEST * extent).powi(2);
        self.fitted(|a| ((a - p).norm_squared() + close).powi(-2), STEADY)
    }

    /// The similarity that fits the joints best, with a weight for each by where it is.
    fn fitted(&self, weight: impl Fn(&Vec3) -> Real, steady: Real) -> Near {
        let total: Real = self.pairs.iter().map(|[a, _]| weight(a)).sum();
        let middles =
            [0, 1].map(|k| self.pairs.iter().map(|pair| pair[k] * weight(&pair[0])).sum::<Vec3>() / total);
        let (mut relation, mut spreads) = (Mat3::zeros(), [0.0; 2]);
        for pair in &self.pairs {
            let share = weight(&pair[0]) / total;
            let [a, b] = [0, 1].map(|k| pair[k] - middles[k]);
            relation += b * a.transpose() * share;
            spreads[0] += share * a.norm_squared();
            spreads[1] += share * b.norm_squared();
        }
        let steady = (spreads[0] * spreads[1]).sqrt() * steady;
        let turn = polar3(&(relation + self.turn * steady)).rotation;
        let scale = if spreads[0] > 0.0 { (spreads[1] / spreads[0]).sqrt() } else { 1.0 };
        Near { turn, scale, middles }
    }
}

impl Near {
    fn point(&self, p: &Vec3) -> Vec3 {
        self.middles[1] + self.turn * (p - self.middles[0]) * self.scale
    }
}
